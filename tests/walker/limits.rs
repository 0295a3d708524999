//! The limits of a walker: slopes, stairs and drops beyond them, and invalid options.

use hitmask::geometry::Vec2;
use hitmask::query::Queries;
use hitmask::response::{Pace, Surface, Walker};
use hitmask::{Body, Error, Linear, Mask, Shape, Touch};

use super::play::{GRAVITY, PLANK, Play, players};

const TOUCHES: [Touch; 2] = [Touch::Excluded, Touch::Included];

/// Adds a floor up to x = 100, then a slope of the given angle, 100 units long.
fn slope(play: &mut Play, degrees: f64) {
    slope_toward(1.0, play, degrees);
}

/// Adds the slope, or, with `sense` -1, its mirror image about x = 0.
fn slope_toward(sense: f64, play: &mut Play, degrees: f64) {
    let tangent = degrees.to_radians().tan();
    let end = [200.0, 100.0 - 100.0 * tangent];
    let hill = [[0.0, 100.0], [100.0, 100.0], end, [200.0, 140.0], [0.0, 140.0]];
    play.add(&Shape::polygon(&hill.map(|[x, y]| [x * sense, y])).unwrap(), |body| body);
}

#[test]
fn slopes_beyond_the_limit_are_not_climbed_and_those_within_are() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for (limit, degrees, climbs) in [
                (50.0, 48.0, true),
                (50.0, 53.0, false),
                (30.0, 29.0, true),
                (30.0, 33.0, false),
                (60.0, 58.0, true),
                (60.0, 63.0, false),
            ] {
                for speed in [0.4, 1.7, 12.0] {
                    let walker = Walker::new().max_slope(limit).unwrap();
                    let mut play = Play::new(touch, &shape, [60.0, 95.0], walker);
                    slope(&mut play, degrees);
                    play.rest();
                    for _ in 0..(140.0 / speed) as u32 {
                        play.step(speed);
                    }
                    let came = play.at().x > 150.0;
                    assert_eq!(
                        came,
                        climbs,
                        "{player}, {touch:?}, {degrees} at a limit of {limit}, {speed} a step: {:?}",
                        play.at()
                    );
                }
            }
        }
    }
}

/// Adds a slope of pixels that rises by `rise` every `run`.
fn pixels(play: &mut Play, rise: u32, run: u32) {
    let top = |x: u32| 100 - (x.max(100) - 100) / run * rise;
    let mask = Mask::from_fn(130, 120, |x, y| y >= top(x.min(100 + 90 * run / rise))).unwrap();
    play.add(&Shape::sprite(mask), |body| body);
}

#[test]
fn slopes_of_pixels_are_measured_as_slopes() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for (limit, [rise, run], climbs) in [
                (50.0, [1, 1], true),
                (50.0, [2, 1], false),
                (30.0, [1, 1], false),
                (30.0, [1, 2], true),
                (66.0, [2, 1], true),
                (50.0, [3, 2], false),
            ] {
                for speed in [0.4, 1.7, 12.0] {
                    let walker = Walker::new().max_slope(limit).unwrap();
                    let mut play = Play::new(touch, &shape, [60.0, 95.0], walker);
                    pixels(&mut play, rise, run);
                    play.rest();
                    for _ in 0..(66.0 / speed) as u32 {
                        play.step(speed);
                    }
                    let came = play.at().y < 90.0;
                    assert_eq!(
                        came,
                        climbs,
                        "{player}, {touch:?}, {rise} in {run} at a limit of {limit}, {speed} a step: {:?}",
                        play.at()
                    );
                }
            }
        }
    }
}

#[test]
fn it_slides_down_what_is_too_steep() {
    for (player, shape) in players() {
        for (touch, sense) in TOUCHES.into_iter().flat_map(|touch| [(touch, 1.0), (touch, -1.0)]) {
            let mut play = Play::new(touch, &shape, [160.0 * sense, -40.0], Walker::new());
            slope_toward(sense, &mut play, 58.0);
            let mut slid = false;
            for _ in 0..200 {
                let walk = play.step(0.0);
                slid |= walk.ground.is_none() && walk.wall.is_some_and(|wall| wall.normal[1] < 0.0);
            }
            assert!(
                slid && play.at().x * sense < 101.0 && play.walker.ground().is_some(),
                "{player}, {touch:?}, {sense}: {:?}",
                play.at()
            );
        }
    }
}

#[test]
fn stairs_are_climbed_to_the_height_and_none_above() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for pixels in [false, true] {
                // A round or slanted foot gets over one pixel even with a step height of 0.
                let lowest = usize::from(!player.contains("box") && !player.contains("sprite"));
                for (height, stair, climbs) in
                    [(1, 0.0, false), (4, 4.0, true), (5, 4.0, false), (1, 1.0, true), (7, 7.0, true), (8, 7.0, false)]
                        .into_iter()
                        .skip(lowest)
                {
                    for speed in [0.3, 1.1, 9.0, 40.0] {
                        let walker = Walker::new().step_height(stair).unwrap();
                        let mut play = Play::new(touch, &shape, [20.0, 95.0], walker);
                        let top = 100 - height;
                        if pixels {
                            let mask = Mask::from_fn(300, 120, |x, y| y >= if x < 50 { 100 } else { top }).unwrap();
                            play.add(&Shape::sprite(mask), |body| body);
                        } else {
                            play.add(&Shape::rect(300.0, 20.0).unwrap(), |body| Body { at: [0, 100].into(), ..body });
                            play.add(&Shape::rect(250.0, 20.0).unwrap(), |body| Body {
                                at: [50, top as i32].into(),
                                ..body
                            });
                        }
                        play.rest();
                        let mut wall = false;
                        for _ in 0..(80.0 / speed) as u32 {
                            wall |= play.step(speed).wall.is_some();
                        }
                        let what = format!(
                            "{player}, {touch:?}, a stair of {height} at {stair}, {speed} a step, pixels {pixels}"
                        );
                        assert_eq!(play.at().x > 60.0, climbs, "{what}: {:?}", play.at());
                        assert_eq!(wall, !climbs, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn it_keeps_to_the_ground_downhill_at_any_speed_and_leaves_it_at_a_cliff() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for speed in [0.5, 3.0, 25.0] {
                let mut play = Play::new(touch, &shape, [20.0, 40.0], Walker::new());
                let hill = [[0.0, 50.0], [60.0, 50.0], [160.0, 150.0], [200.0, 150.0], [200.0, 400.0], [0.0, 400.0]];
                play.add(&Shape::polygon(&hill).unwrap(), |body| body);
                play.rest();
                while play.at().x < 195.0 - speed {
                    let walk = play.step(speed);
                    assert!(walk.ground.is_some(), "{player}, {touch:?}, {speed} a step: {walk:?}");
                }
                let mut falls = 0;
                for _ in 0..(60.0 / speed) as u32 + 2 {
                    falls += u32::from(play.step(speed).ground.is_none());
                }
                assert!(falls > 2 || speed > 20.0 && falls > 0, "{player}, {touch:?}, {speed} a step: {falls}");
                // Without a snap it takes off at once.
                let mut play = Play { walker: Walker::new().snap(0.0).unwrap(), ..play };
                play.put(play.id, [20.0, 45.0]);
                play.fall = 0.0;
                play.rest();
                let mut flew = false;
                while play.at().x < 150.0 {
                    flew |= play.step(speed).ground.is_none();
                }
                assert!(flew, "{player}, {touch:?}, {speed} a step");
            }
        }
    }
}

#[test]
fn ceilings_and_walls_stop_it_and_are_told() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            let mut play = Play::new(touch, &shape, [50.0, 95.0], Walker::new());
            let floor = Shape::rect(200.0, 20.0).unwrap();
            let under = play.add(&floor, |body| Body { at: [0, 100].into(), ..body });
            let above = play.add(&floor, |body| Body { at: [0, 60].into(), ..body });
            let wall = play.add(&Shape::rect(10.0, 200.0).unwrap(), |body| Body { at: [100, 0].into(), ..body });
            assert_eq!(play.rest().ground.unwrap().body, under);
            let jump = play.go(0.0, -6.0);
            assert!(jump.ground.is_none() && jump.ceiling.is_none() && jump.fall == -6.0);
            let mut bumped = None;
            while bumped.is_none() {
                let walk = play.step(0.0);
                bumped = walk.ceiling;
                assert!(walk.fall <= 0.0);
            }
            let ceiling = bumped.unwrap();
            assert_eq!((ceiling.body, ceiling.normal), (above, [0.0, 1.0]), "{player}, {touch:?}");
            assert_eq!(play.fall, 0.0);
            play.rest();
            let walk = (0..80).find_map(|_| Some(play.step(1.3)).filter(|walk| walk.wall.is_some())).unwrap();
            let met = walk.wall.unwrap();
            assert_eq!((met.body, met.normal), (wall, [-1.0, 0.0]), "{player}, {touch:?}");
            assert!(walk.ground.is_some());
        }
    }
}

/// The world of `build` rotated by some angle: the character runs, climbs, jumps and falls alike.
#[test]
fn any_direction_may_be_up() {
    let hill = [
        [0.0, 100.0],
        [60.0, 100.0],
        [100.0, 88.0],
        [140.0, 60.0],
        [180.0, 60.0],
        [220.0, 100.0],
        [300.0, 100.0],
        [300.0, 140.0],
        [0.0, 140.0],
    ];
    let play = |degrees: f64| {
        let turn = Linear::from_degrees(degrees);
        let turned = |x: f64, y: f64| turn * Vec2 { x, y };
        let [_, (_, shape), ..] = players();
        let walker = Walker::new().up(turned(0.0, -1.0)).unwrap();
        let mut play = Play::new(Touch::Excluded, &shape, turned(20.0, 95.0), walker);
        let id = play.id;
        let body = play.body(id).posed(turn);
        play.world.set(id, &body).unwrap();
        play.add(&Shape::polygon(&hill).unwrap(), |body| body.posed(turn));
        play.add(&Shape::rect(40.0, 3.0).unwrap(), |body| Body { at: turned(240.0, 97.0), ..body.posed(turn) });
        let mut way = Vec::new();
        for step in 0..320 {
            let fall = if step == 90 { -3.0 } else { play.fall + GRAVITY };
            let run = if step < 180 { 1.4 } else { -1.1 };
            let walk = play.go(run, fall);
            assert!(play.is_free());
            let back = Linear::from_degrees(-degrees) * walk.at;
            way.push((back, walk.ground.is_some()));
        }
        way
    };
    let upright = play(0.0);
    assert!(upright.iter().any(|(at, _)| at.x > 250.0) && upright.iter().any(|(_, stands)| !stands));
    for degrees in [90.0, 180.0, 270.0, 45.0, 30.0, 217.0] {
        for (step, (right, turned)) in upright.iter().zip(play(degrees)).enumerate() {
            // The rounding of each step adds up.
            let most = if degrees % 90.0 == 0.0 { 0.1 } else { 1.5 };
            let near = [right.0.x - turned.0.x, right.0.y - turned.0.y].iter().all(|v| v.abs() < most);
            assert!(near, "turned by {degrees}, step {step}: {right:?} {turned:?}");
        }
    }
}

#[test]
fn speed_is_kept_across_or_along_the_slope() {
    let [_, (_, shape), ..] = players();
    for (degrees, pace, across) in [(40.0, Pace::Across, 1.0), (40.0, Pace::Along, 0.766), (20.0, Pace::Along, 0.940)] {
        let mut play = Play::new(Touch::Excluded, &shape, [120.0, 0.0], Walker::new().pace(pace));
        slope(&mut play, degrees);
        play.rest();
        for speed in [1.5, -1.5] {
            let from = play.at().x;
            for _ in 0..20 {
                play.step(speed);
            }
            let came = (play.at().x - from) / 20.0;
            assert!((came - across * speed).abs() < 0.02, "{degrees}, {pace:?}: {came} of {speed}");
        }
    }
}

#[test]
fn what_is_dropped_through_lets_it_through() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            let mut play = Play::new(touch, &shape, [50.0, 70.0], Walker::new());
            let floor = play.add(&Shape::rect(100.0, 20.0).unwrap(), |body| Body { at: [0, 140].into(), ..body });
            let planks: Vec<_> = [80, 110]
                .iter()
                .map(|&y| {
                    play.add(&Shape::rect(100.0, 3.0).unwrap(), |body| Body { at: [0, y].into(), ..body }.tagged(PLANK))
                })
                .collect();
            assert_eq!(play.rest().ground.unwrap().body, planks[0]);
            for below in [planks[1], floor] {
                play.drops = true;
                assert!(play.step(0.0).ground.is_none());
                play.drops = false;
                assert_eq!(play.rest().ground.unwrap().body, below, "{player}, {touch:?}");
            }
            // Up again, through both.
            play.go(0.0, -9.0);
            for _ in 0..20 {
                play.step(0.4);
            }
            assert_eq!(play.rest().ground.unwrap().body, planks[0], "{player}, {touch:?}");
        }
    }
}

/// A body that walks in the world and is not left out is in its own way. The answer names it.
#[test]
fn one_that_is_in_its_own_way_is_named() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            let mut play = Play::new(touch, &shape, [50, 95], Walker::new());
            let body = play.body(play.id);
            let walk = Walker::new().step(play.queries.on(&play.world), &body, 0.0, 0.0, |_| Surface::Solid).unwrap();
            assert_eq!(walk.started_inside, Some(play.id), "{player}, {touch:?}");
            assert!(!walk.stuck && walk.at != body.at, "{player}, {touch:?}: {walk:?}");
            assert_eq!(play.go(0.0, 0.0).started_inside, None, "{player}, {touch:?}");
        }
    }
}

/// With touch included, a body that is placed exactly in touch is not stuck: it can run and jump off.
#[test]
fn what_is_put_in_touch_is_free_to_go() {
    let [_, (_, shape), ..] = players();
    let mut play = Play::new(Touch::Included, &shape, [54, 100], Walker::new());
    play.add(&Shape::rect(200.0, 20.0).unwrap(), |body| Body { at: [0, 100].into(), ..body });
    play.add(&Shape::rect(10.0, 30.0).unwrap(), |body| Body { at: [40, 70].into(), ..body });
    play.add(&Shape::rect(10.0, 30.0).unwrap(), |body| Body { at: [58, 70].into(), ..body });
    let walk = play.go(0.0, GRAVITY);
    assert!(!walk.stuck && walk.ground.is_some(), "{walk:?}");
    let walk = play.go(1.0, -40.0);
    assert!(!walk.stuck && walk.at.y == 60.0 && walk.at.x == 54.0, "{walk:?}");
}

#[test]
fn bad_options_are_errors_by_name() {
    let named = |walker: Result<Walker, Error>, name: &str| match walker {
        Err(Error::Value { field, .. }) => assert_eq!(field, name),
        other => panic!("{name}: {other:?}"),
    };
    for bad in [-1.0, 90.001, f64::NAN, f64::INFINITY] {
        named(Walker::new().max_slope(bad), "max_slope");
    }
    for bad in [-0.001, f64::NAN, f64::INFINITY, 20_000.0] {
        named(Walker::new().step_height(bad), "step_height");
        named(Walker::new().snap(bad), "snap");
    }
    for bad in [[0.0, 0.0], [f64::NAN, 1.0], [f64::INFINITY, 0.0], [1.0, f64::NAN], [0.0, f64::NEG_INFINITY]] {
        named(Walker::new().up(bad), "up");
    }
    for good in [[1e-300, 0.0], [-1e300, 1e300], [3.0, 4.0]] {
        assert!(Walker::new().up(good).is_ok());
    }
    for good in [0.0, 45.0, 89.99, 90.0] {
        assert!(Walker::new().max_slope(good).is_ok());
    }
    let [_, (_, shape), ..] = players();
    let play = Play::new(Touch::Excluded, &shape, [0, 0], Walker::new());
    let mut queries = Queries::new();
    let body = play.body(play.id);
    for (run, fall, name) in
        [(f64::NAN, 0.0, "run"), (0.0, f64::INFINITY, "fall"), (70_000.0, 0.0, "run"), (0.0, -70_000.0, "fall")]
    {
        let mut walker = Walker::new();
        let own = [play.id];
        let search = queries.on(&play.world).except(&own).unwrap();
        let error = walker.step(search, &body, run, fall, |_| Surface::Solid).unwrap_err();
        assert!(matches!(&error, Error::Value { field, .. } if field == name), "{error}");
        assert_eq!(walker, Walker::new());
    }
}

/// Down a cliff it goes by the snap and no more, at any speed and whatever slopes it climbs.
#[test]
fn cliffs_are_stepped_down_by_the_snap_and_no_more() {
    for (player, shape) in players() {
        // A round or slanted foot comes down the edge before it leaves it, and the edge is a slope to it.
        let feet = match player {
            "a capsule" | "a hexagon" => 8.0,
            "a sprite" => 2.0, // of rounding
            _ => 0.0,
        };
        for (limit, snap) in [(0.0, 1.0), (50.0, 0.01), (50.0, 1.0), (50.0, 4.0), (75.0, 4.0), (90.0, 4.0)] {
            for (speed, sense) in [(0.5, 1.0), (4.0, -1.0), (4.0, 1.0), (100.0, 1.0)] {
                for (drop, stays) in [(snap, true), (snap + feet + 0.5, false), (40.0, false)] {
                    let walker = Walker::new().max_slope(limit).unwrap().snap(snap).unwrap();
                    let mut play = Play::new(Touch::Excluded, &shape, [50.0 * sense, 95.0], walker);
                    let cliff = Shape::rect(2000.0, 200.0).unwrap().anchored([1000.0, 0.0]).unwrap();
                    play.add(&cliff, |body| Body { at: [-900.0 * sense, 100.0].into(), ..body });
                    play.add(&cliff, |body| Body { at: [0.0, 100.0 + drop].into(), ..body });
                    play.rest();
                    let mut was_in_the_air = false;
                    for _ in 0..=(100.0 / speed) as u32 {
                        let walk = play.go(speed * sense, 0.0);
                        was_in_the_air |= walk.ground.is_none();
                    }
                    let what = format!("{player}, {limit} degrees, {snap}, {speed} a step, {sense}, down {drop}");
                    if stays && player != "a sprite" {
                        assert!(!was_in_the_air, "{what}: {:?}", play.at());
                    }
                    assert!(stays || was_in_the_air, "{what}: {:?}", play.at());
                }
            }
        }
    }
}

/// A slope that ends within a step lifts no farther than it goes, to either side.
#[test]
fn a_crest_is_left_at_its_height() {
    for (player, shape) in players() {
        if player == "a sprite" {
            continue; // it moves by pixels
        }
        let peak = Shape::polygon(&[[-60.0, 30.0], [0.0, 0.0], [60.0, 30.0]]).unwrap();
        for (run, fall, snap) in [(10.0, -2.0, 4.0), (30.0, -2.0, 4.0), (5.0, 0.25, 0.0), (5.0, -2.0, 0.0)] {
            let ends = [1.0, -1.0].map(|sense| {
                let mut play = Play::new(Touch::Excluded, &shape, [0.0, -5.0], Walker::new().snap(snap).unwrap());
                play.add(&peak, |body| body);
                play.rest();
                let from = play.at();
                let walk = play.go(run * sense, fall);
                (walk.at.x.abs(), walk.at.y - from.y)
            });
            let what = format!("{player}, {run}, {fall}, {snap}: {ends:?}");
            // Both ways it leaves the peak level, up to the least length of a leg.
            assert!(ends.iter().all(|end| (end.0 - run).abs() < 0.1 && (end.1 - fall).abs() < 0.25), "{what}");
        }
        // At the end of a ramp it jumps as high as on the level ground beside it.
        for run in [4.0, 8.0, 16.0] {
            let tops = [-0.25, 100.0].map(|x| {
                let mut play = Play::new(Touch::Excluded, &shape, [x - 8.0, 40.0], Walker::new());
                let ramp = [[-100.0, 200.0], [-100.0, 100.0], [0.0, 0.0], [400.0, 0.0], [400.0, 200.0]];
                play.add(&Shape::polygon(&ramp).unwrap(), |body| body);
                let hero = play.id;
                play.put(hero, [x - 30.0, if x > 0.0 { -1.0 } else { 10.0 }]);
                play.rest();
                while play.at().x < x {
                    play.step((x - play.at().x).min(1.0));
                }
                play.go(run, -6.0);
                let mut top = play.at().y;
                for _ in 0..60 {
                    play.step(run);
                    top = top.min(play.at().y);
                }
                top
            });
            // Its feet may be lower on the ramp by as much as they are wide.
            assert!((tops[0] - tops[1]).abs() < 4.5 + 0.5 && tops[0] > tops[1] - 0.5, "{player}, {run}: {tops:?}");
        }
    }
}

/// A body that the world would not take is refused, and nothing changes.
#[test]
fn a_body_that_cannot_be_in_the_world_is_an_error() {
    let [_, (_, shape), ..] = players();
    let mut play = Play::new(Touch::Excluded, &shape, [0.0, 0.0], Walker::new());
    let round = play.add(&Shape::circle(2.0).unwrap(), |body| body);
    let [hero, round] = [play.id, round].map(|id| play.body(id));
    let squeezed = Linear { x: [1.0, 0.0], y: [0.0, 2.0] };
    let bodies = [
        (Body { at: [f64::NAN, 0.0].into(), ..hero }, "at.x"),
        (Body { at: [1e12, 0.0].into(), ..hero }, "at.x"),
        (Body { linear: squeezed, ..round }, "linear"),
    ];
    let before = play.walker;
    for (body, name) in bodies {
        let search = play.queries.on(&play.world);
        let error = play.walker.step(search, &body, 1.0, 1.0, |_| Surface::Solid).unwrap_err();
        assert!(matches!(&error, Error::Value { field, .. } if field == name), "{error}");
        assert_eq!(play.walker, before);
    }
}

/// Just above the end of the world it lands as elsewhere, and where there is no ground, it stops.
#[test]
fn the_end_of_the_world_is_reached_and_no_error() {
    let end = 2_097_151.0;
    for (player, shape) in players() {
        for (floor, fall) in [(Some(end - 20.0), 50.0), (Some(end - 5.0), 3000.0), (None, 60_000.0)] {
            let mut play = Play::new(Touch::Excluded, &shape, [0.0, end - 100.0], Walker::new());
            if let Some(y) = floor {
                play.add(&Shape::rect(100.0, 4.0).unwrap(), |body| Body { at: [-50.0, y].into(), ..body });
            }
            for _ in 0..9 {
                let walk = play.go(0.0, fall);
                if let Some(y) = floor {
                    assert!(walk.ground.is_some() || walk.at.y < y, "{player}: {walk:?}");
                }
            }
            let lowest = floor.unwrap_or(end);
            assert!((play.at().y - lowest).abs() <= 1.0, "{player}, {floor:?}: {:?}", play.at());
            let [left, right] = [-3.0, 3.0].map(|run| play.go(run, 0.0).at.x);
            assert!(floor.is_some() || (left + 3.0).abs() < 0.1 && right.abs() < 0.1, "{player}: {left} {right}");
        }
    }
}

/// Between a wall and a slope that is too steep, or two such slopes, it comes to stand, so that it can jump out.
#[test]
fn in_a_crevice_it_stands() {
    for (player, shape) in players() {
        for sense in [1.0, -1.0] {
            for wall in [10.0, 40.0] {
                let mut play = Play::new(Touch::Excluded, &shape, [0.0, -60.0], Walker::new());
                let slope = [[0.0, 0.0], [40.0 * sense, -120.0], [60.0 * sense, 0.0]];
                play.add(&Shape::polygon(&slope).unwrap(), |body| body);
                let other = [[0.0, 0.0], [-wall * sense, -120.0], [-60.0 * sense, 0.0]];
                let upright = [[-0.1 * sense, 0.0], [-0.1 * sense, -120.0], [-60.0 * sense, 0.0]];
                play.add(&Shape::polygon(if wall > 20.0 { &other } else { &upright }).unwrap(), |body| body);
                let mut last = play.step(0.0);
                for _ in 0..300 {
                    last = play.step(0.0);
                }
                let what = format!("{player}, {sense}, {wall}: {last:?}");
                assert!(last.ground.is_some() && last.fall == 0.0, "{what}");
                // It neither climbs out nor leaves the ground by pressing to a side.
                let low = play.at().y;
                for run in [1.0, 1.0, -1.0, -1.0, 0.3, 7.0, -7.0] {
                    let walk = play.step(run);
                    assert!(walk.ground.is_some() && (play.at().y - low).abs() <= 1.0, "{what}, {run}: {walk:?}");
                }
                let low = play.at().y;
                play.go(0.0, -5.0);
                assert!(play.at().y < low - 1.0, "{what}");
            }
        }
    }
}

/// In a flat valley between two slopes that are too steep, it comes to stand, and nothing throws it up one of them.
#[test]
fn in_a_flat_crevice_it_stands() {
    for (player, shape) in players() {
        for (touch, stair) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0.0), (touch, 4.0)]) {
            for degrees in [[40.0, 37.0], [37.0, 40.0], [33.0, 33.0], [35.0, 50.0], [45.0, 32.0]] {
                for x in [-8.0, -3.1, 0.0, 5.3] {
                    let walker = Walker::new().max_slope(30.0).unwrap().step_height(stair).unwrap();
                    let mut play = Play::new(touch, &shape, [x, -70.0], walker);
                    let [left, right] = degrees.map(|degrees| -60.0 * f64::to_radians(degrees).tan());
                    let valley = [[-60.0, left], [0.0, 0.0], [60.0, right], [60.0, 20.0], [-60.0, 20.0]];
                    play.add(&Shape::polygon(&valley).unwrap(), |body| body);
                    let (mut stood, mut low) = (0, f64::MIN);
                    for step in 0..300 {
                        let walk = play.go(0.0, (play.fall + GRAVITY).min(8.0));
                        let what = format!("{player}, {touch:?}, {stair}, {degrees:?}, {x}, step {step}: {walk:?}");
                        // Sprites move by pixels.
                        assert!(walk.at.y > low - if player == "a sprite" { 1.01 } else { 0.02 }, "{what}");
                        low = low.max(walk.at.y);
                        stood += u32::from(walk.ground.is_some());
                        assert!(play.is_free() && (step < 250 || walk.ground.is_some() && walk.fall == 0.0), "{what}");
                    }
                    assert!(stood > 100, "{player}, {touch:?}, {stair}, {degrees:?}, {x}: {stood}");
                    play.go(0.0, -5.0);
                    assert!(play.at().y < low - 1.0, "{player}, {touch:?}, {stair}, {degrees:?}, {x}");
                }
            }
        }
    }
}

/// Under two slanted ceilings that meet above it, a jump ends.
#[test]
fn a_jump_ends_under_a_roof() {
    for (player, shape) in players().into_iter().skip(1) {
        for (touch, x) in TOUCHES.into_iter().flat_map(|touch| [-4.0, 0.0, 3.3].map(|x| (touch, x))) {
            for degrees in [[40.0, 37.0], [33.0, 33.0], [42.0, 32.0]] {
                let mut play = Play::new(touch, &shape, [x, -2.0], Walker::new().max_slope(30.0).unwrap());
                play.add(&Shape::rect(200.0, 20.0).unwrap(), |body| Body { at: [-100, 0].into(), ..body });
                let [left, right] = degrees.map(|degrees| -40.0 + 60.0 * f64::to_radians(degrees).tan());
                let roof = [[-60.0, left], [0.0, -40.0], [60.0, right], [60.0, -60.0], [-60.0, -60.0]];
                play.add(&Shape::polygon(&roof).unwrap(), |body| body);
                play.rest();
                let (mut fall, mut steps) = (-7.0, 0);
                while fall < 0.0 {
                    let high = play.at().y;
                    let walk = play.go(0.0, fall);
                    let what = format!("{player}, {touch:?}, {x}, {degrees:?}, step {steps}: {walk:?}");
                    assert!(walk.at.y <= high + 0.02, "{what}");
                    fall = walk.fall + GRAVITY;
                    steps += 1;
                }
                // It would take 28 steps in the open.
                assert!(steps < 10, "{player}, {touch:?}, {x}, {degrees:?}: {steps} steps");
            }
        }
    }
}

/// A smooth slope that is too steep is slid down to its foot, on whose floor it then stands, and never crept up. (To a
/// sprite, the lowest pixels of a slope are stairs.)
#[test]
fn at_the_foot_of_what_is_too_steep_it_stands_on_the_floor() {
    for (player, shape) in players().into_iter().skip(1) {
        for (touch, stair) in TOUCHES.into_iter().flat_map(|touch| [0.0, 1.0, 4.0, 8.0].map(|stair| (touch, stair))) {
            for (limit, degrees) in [(50.0, 52.0), (50.0, 55.0), (50.0, 60.0), (50.0, 70.0), (30.0, 32.0), (45.0, 47.0)]
            {
                for (sense, from) in [1.0, -1.0].into_iter().flat_map(|sense| (0..14).map(move |k| (sense, k))) {
                    let walker = Walker::new().max_slope(limit).unwrap().step_height(stair).unwrap();
                    let x = 92.0 + 0.77 * f64::from(from);
                    let mut play = Play::new(touch, &shape, [x * sense, 60.0], walker);
                    slope_toward(sense, &mut play, degrees);
                    for _ in 0..60 {
                        play.step(0.0);
                    }
                    let what = format!("{player}, {touch:?}, {stair}, {degrees} at {limit}, {sense}, from {x}");
                    let rest = play.at();
                    assert!(rest.y >= 99.9 && play.walker.ground().is_some(), "{what}: {rest:?}");
                    for run in [0.3, 1.0, 0.3] {
                        for step in 0..20 {
                            let before = play.at();
                            let walk = play.step(run * sense);
                            let what = format!("{what}, {run}, step {step}: {walk:?}");
                            assert!(walk.ground.is_some() && (walk.at.x - before.x) * sense >= -0.02, "{what}");
                            assert!(walk.at.y >= 99.9, "{what}");
                        }
                    }
                }
            }
        }
    }
}

/// Between turned tiles, rounding leaves edges of some lattice steps: they are no stairs, also to one that climbs none.
#[test]
fn turned_tiles_are_crossed_with_any_step_height() {
    for (player, shape) in players().into_iter().skip(1) {
        for (touch, stair) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0.0), (touch, 4.0)]) {
            if player == "a hexagon" && stair == 0.0 {
                continue; // its slanted sides meet the edges far above its feet
            }
            for (degrees, run) in (-44..=44).flat_map(|degrees| [2.0, -2.0].map(|run| (f64::from(degrees), run))) {
                let walker = Walker::new().step_height(stair).unwrap();
                let mut play = Play::new(touch, &shape, [3.0, -20.0], walker);
                let turn = Linear::from_degrees(degrees);
                for k in -12..=12 {
                    let at = turn * Vec2 { x: 16.0 * f64::from(k), y: 0.0 };
                    play.add(&Shape::rect(16.0, 16.0).unwrap(), |body| Body { at, ..body.posed(turn) });
                }
                let from = play.rest().at.x;
                for step in 1..=40 {
                    let walk = play.step(run);
                    let what = format!("{player}, {touch:?}, {stair}, {degrees}, {run}, step {step}: {walk:?}");
                    assert!(walk.wall.is_none() && walk.ground.is_some(), "{what}");
                    assert!((walk.at.x - from - run * f64::from(step)).abs() < 0.3, "{what}");
                }
            }
        }
    }
}

/// Down a slope into a wall that stands behind its foot, it keeps to the ground in each step.
#[test]
fn a_wall_in_the_valley_does_not_lift_it_off_the_ground() {
    for (player, shape) in players() {
        for (touch, sense) in TOUCHES.into_iter().flat_map(|touch| [(touch, 1.0), (touch, -1.0)]) {
            for (degrees, snap) in [(40.0, 1.0), (45.0, 1.0), (48.0, 1.0), (48.0, 4.0), (30.0, 0.5)] {
                for (speed, gap) in [(4.0, 2.0), (4.0, 3.9), (3.0, 12.0), (1.0, 9.0), (40.0, 11.0), (7.0, 5.0)] {
                    let walker = Walker::new().snap(snap).unwrap();
                    let high = -100.0 * f64::to_radians(degrees).tan();
                    let mut play = Play::new(touch, &shape, [-60.0 * sense, 0.6 * high - 40.0], walker);
                    let hill = [[-100.0, high], [0.0, 0.0], [200.0, 0.0], [200.0, 50.0], [-100.0, 50.0]];
                    play.add(&Shape::polygon(&hill.map(|[x, y]| [x * sense, y])).unwrap(), |body| body);
                    let wall = Shape::rect(10.0, 100.0).unwrap().anchored([5.0, 100.0]).unwrap();
                    play.add(&wall, |body| Body { at: [(gap + 5.0) * sense, 0.0].into(), ..body });
                    play.rest();
                    for step in 0..200 {
                        let walk = play.step(speed * sense);
                        let what =
                            format!("{player}, {touch:?}, {sense}, {degrees}, {snap}, {speed}, {gap}, step {step}");
                        assert!(walk.ground.is_some(), "{what}: {walk:?}");
                    }
                }
            }
        }
    }
}
