//! Bodies that move under, into and away from a walker.

use hitmask::response::{Surface, Walker};
use hitmask::{Body, BodyId, Linear, Mask, Shape, Touch};

use super::play::{GRAVITY, PLANK, Play, players};

const TOUCHES: [Touch; 2] = [Touch::Excluded, Touch::Included];

/// Adds a floor or plank of the given width.
fn plank(play: &mut Play, width: f64, at: [f64; 2], tag: u64) -> BodyId {
    play.add(&Shape::rect(width, 4.0).unwrap(), |body| Body { at: at.into(), ..body }.tagged(tag))
}

/// Returns a box and a sprite of the given size.
fn blocks(width: u32, height: u32) -> [(&'static str, Shape); 2] {
    let mask = Mask::from_fn(width, height, |_, _| true).unwrap();
    let block = Shape::rect(f64::from(width), f64::from(height)).unwrap();
    [("a block", block), ("pixels", Shape::sprite(mask))]
}

fn shift(play: &mut Play, id: BodyId, by: [f64; 2]) {
    let at = play.body(id).at + by;
    play.put(id, at);
}

#[test]
fn what_rises_takes_along_what_stands_on_it() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for tag in [0, PLANK] {
                for rise in [0.3, 0.75, 3.0, 11.0] {
                    let mut play = Play::new(touch, &shape, [50.0, 70.0], Walker::new());
                    let platform = plank(&mut play, 100.0, [0.0, 80.0], tag);
                    play.rest();
                    for step in 0..120 {
                        let by = if step < 60 { -rise } else { rise };
                        shift(&mut play, platform, [0.4, by]);
                        let walk = play.step(0.0);
                        let [hero, under] = [play.at(), play.body(platform).at];
                        let what =
                            format!("{player}, {touch:?}, tag {tag}, {by} a step, step {step}: {hero:?} on {under:?}");
                        assert!(walk.ground.is_some_and(|ground| ground.body == platform), "{what}: {walk:?}");
                        assert!((hero.y - under.y).abs() <= 1.0 && (hero.x - under.x - 50.0).abs() < 0.5, "{what}");
                        assert!((walk.carried.x - 0.4).abs() < 0.01);
                    }
                }
            }
        }
    }
}

/// A walker that falls or jumps lands on a rising platform and does not slip through it (godot#9399).
#[test]
fn what_rises_is_landed_on() {
    let cases = || players().into_iter().flat_map(|player| blocks(100, 4).map(|block| (player.clone(), block)));
    for ((player, shape), (block, bar)) in cases() {
        for (touch, tag) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0), (touch, PLANK)]) {
            for rise in [0.25, 0.75, 1.3, 2.0, 6.0] {
                for start in [20.0, 21.3, 33.4, 47.9] {
                    let mut play = Play::new(touch, &shape, [50.0, start], Walker::new());
                    let platform = play.add(&bar, |body| Body { at: [0, 200].into(), ..body }.tagged(tag));
                    let mut landed = false;
                    for step in 0..60 {
                        shift(&mut play, platform, [0.0, -rise]);
                        let walk = play.step(0.0);
                        landed |= walk.ground.is_some();
                        let what = format!("{player}, {block}, {touch:?}, tag {tag}, {rise} a step, from {start}");
                        assert_eq!(landed, walk.ground.is_some(), "{what}, step {step}: {walk:?}");
                        assert!(play.at().y <= play.body(platform).at.y + 1.0, "{what}, step {step}: {walk:?}");
                    }
                    assert!(landed, "{player}, {block}, {touch:?}, tag {tag}, {rise} a step: {:?}", play.at());
                }
            }
        }
    }
}

/// Sprites move by whole pixels, so a platform may stand up to a pixel off the place to which it carries a walker.
#[test]
fn platforms_of_pixels_carry_by_fractions() {
    let bars = || blocks(100, 4).map(|block| (block, 0.0)).into_iter().chain([slope_of_pixels()]);
    let snaps = [0.0, 4.0].map(|snap| Walker::new().snap(snap).unwrap());
    for ((player, shape), ((block, bar), rise)) in
        players().into_iter().flat_map(|player| bars().map(move |bar| (player.clone(), bar)))
    {
        for (touch, tag) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0), (touch, PLANK)]) {
            for (walker, start) in snaps.into_iter().flat_map(|walker| [(walker, 80.0), (walker, 80.6)]) {
                for by in [[0.0, -0.25], [0.0, -0.7], [0.5, -0.5], [0.4, 0.0], [0.0, 0.3], [-0.3, 0.7], [0.3, -2.3]] {
                    let mut play = Play::new(touch, &shape, [50.0, 20.0], walker);
                    let platform = play.add(&bar, |body| Body { at: [0.0, start].into(), ..body }.tagged(tag));
                    play.rest();
                    let from = play.at() - play.body(platform).at;
                    let most = if player == "a sprite" { 2.0 } else { 1.0 };
                    for step in 0..60 {
                        shift(&mut play, platform, by);
                        let walk = play.step(0.0);
                        let what = format!(
                            "{player}, {block}, {touch:?}, tag {tag}, {walker:?}, {start}, {by:?}, step {step}"
                        );
                        assert!(walk.ground.is_some_and(|ground| ground.body == platform), "{what}: {walk:?}");
                        assert!(walk.started_inside.is_none(), "{what}: {walk:?}");
                        let off = play.at() - play.body(platform).at - from;
                        assert!(off.x.abs() < 0.5 && off.y.abs() <= most + rise, "{what}: {off:?}, {walk:?}");
                        let [x, y] = [walk.carried.x - by[0], walk.carried.y - by[1]].map(f64::abs);
                        assert!(x < 0.02 && y < 0.02, "{what}: {walk:?}");
                    }
                }
            }
        }
    }
}

/// Returns a slope of pixels, and by how much it rises where it is a pixel farther across.
fn slope_of_pixels() -> ((&'static str, Shape), f64) {
    let mask = Mask::from_fn(100, 100, |x, y| y + x >= 99).unwrap();
    (("a slope of pixels", Shape::sprite(mask).anchored([0.0, 50.0]).unwrap()), 1.0)
}

/// A platform of tiles is one platform, whichever of the tiles a walker stands on, and in whichever order they are.
#[test]
fn platforms_of_tiles_carry_what_walks_over_them() {
    let cases = || players().into_iter().flat_map(|player| blocks(16, 8).map(|tile| (player.clone(), tile)));
    for ((player, shape), (block, tile)) in cases() {
        for (touch, tag, sense) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0, 1.0), (touch, PLANK, -1.0)]) {
            for by in [[-2.5, -2.75], [0.25, -0.5], [0.75, -0.25], [-1.5, 0.75], [3.0, 1.75], [-0.3, -0.4]] {
                for (x, y, run) in [(0.0, 0.0, 0.3), (0.3, 0.6, -1.0), (0.8, 0.4, 0.3), (0.5, 0.5, -0.3)] {
                    let mut play = Play::new(touch, &shape, [0.0, 70.0], Walker::new());
                    let mut tiles = Vec::new();
                    for k in -12..12 {
                        let at = [x + 16.0 * sense * f64::from(k), 80.0 + y];
                        tiles.push(play.add(&tile, |body| Body { at: at.into(), ..body }.tagged(tag)));
                    }
                    play.rest();
                    let from = play.at() - play.body(tiles[0]).at;
                    for step in 1..=60 {
                        for &tile in &tiles {
                            shift(&mut play, tile, by);
                        }
                        let walk = play.step(run);
                        let off = play.at() - play.body(tiles[0]).at - from;
                        let what = format!("{player}, {block}, {touch:?}, tag {tag}, {by:?}, {x}, {y}, step {step}");
                        assert!(walk.ground.is_some() && off.y.abs() < 2.0, "{what}: {off:?}, {walk:?}");
                        assert!((off.x - run * f64::from(step)).abs() < 0.5, "{what}: {off:?}, {walk:?}");
                        assert!(walk.started_inside.is_none() && walk.wall.is_none(), "{what}: {walk:?}");
                    }
                }
            }
        }
    }
}

/// A one-way plank that comes from the side or from above moves nobody.
#[test]
fn planks_pass_by_what_does_not_stand_on_them() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for way in [[-2.0, 0.0], [0.0, 1.5]] {
                let mut play = Play::new(touch, &shape, [50.0, 95.0], Walker::new());
                let floor = plank(&mut play, 100.0, [0.0, 100.0], 0);
                let passing = plank(&mut play, 30.0, [35.0 - 25.0 * way[0], 96.0 - 25.0 * way[1]], PLANK);
                play.rest();
                let at = play.at();
                for step in 0..50 {
                    shift(&mut play, passing, way);
                    let walk = play.step(0.0);
                    assert!(
                        walk.ground.is_some_and(|ground| ground.body == floor),
                        "{player}, {touch:?}, {way:?}, step {step}: {walk:?}"
                    );
                    assert_eq!(walk.at, at, "{player}, {touch:?}, {way:?}, step {step}");
                }
            }
        }
    }
}

/// Planks as high as its middle are no stairs: not even if a slanted side comes to lie on a corner of one. One that
/// climbs no stairs walks through them too.
#[test]
fn a_plank_at_its_height_is_walked_through() {
    for (player, shape) in players() {
        for (touch, top) in [(Touch::Excluded, 89.0), (Touch::Included, 89.0), (Touch::Excluded, 93.0)] {
            let walkers = [Walker::new(), Walker::new().step_height(0.0).unwrap()];
            for (sense, walker) in [1.0, -1.0].into_iter().flat_map(|sense| walkers.map(|walker| (sense, walker))) {
                let mut play = Play::new(touch, &shape, [20.0 * sense, 95.0], walker);
                plank(&mut play, 600.0, [-300.0, 100.0], 0);
                for x in [60.0, 110.0] {
                    plank(&mut play, 40.0, [x * sense - 20.0, top], PLANK);
                }
                play.rest();
                for step in 1..=100 {
                    let walk = play.step(1.5 * sense);
                    let what = format!("{player}, {touch:?}, {top}, {sense}, {walker:?}, step {step}: {walk:?}");
                    assert!((play.at().x * sense - 20.0 - 1.5 * f64::from(step)).abs() < 1.1, "{what}");
                    assert!(walk.wall.is_none() && walk.ground.is_some(), "{what}");
                    assert!((play.at().y - 100.0).abs() < 1.5, "{what}");
                }
            }
        }
    }
}

#[test]
fn a_platform_is_crossed_over_and_there_and_back() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for tag in [0, PLANK] {
                let mut play = Play::new(touch, &shape, [20.0, 95.0], Walker::new());
                plank(&mut play, 100.0, [0.0, 100.0], 0);
                plank(&mut play, 100.0, [300.0, 100.0], 0);
                let ferry = plank(&mut play, 40.0, [100.0, 100.0], tag);
                play.rest();
                for (end, way) in [(380.0, 1.0), (20.0, -1.0)] {
                    let mut step = 0;
                    while (end - play.at().x) * way > 0.0 {
                        // It waits where the ferry does not go.
                        let [hero, boat] = [play.at().x, play.body(ferry).at.x];
                        let to_boat = (boat + 20.0 - hero) * way;
                        let on_boat = (boat + 5.0..boat + 35.0).contains(&hero);
                        let at_end = way > 0.0 && boat >= 259.0 || way < 0.0 && boat <= 101.0;
                        let at_start = way > 0.0 && boat <= 101.0 || way < 0.0 && boat >= 259.0;
                        let ashore = !(100.0..300.0).contains(&hero);
                        let goes = if on_boat {
                            at_end || to_boat > 0.0
                        } else if ashore {
                            at_start || (hero - 200.0) * way > 0.0 || (hero - 200.0).abs() > 108.0
                        } else {
                            true
                        };
                        let sails = if on_boat { way } else { -way };
                        let next = (boat + sails).clamp(100.0, 260.0);
                        if on_boat || ashore {
                            shift(&mut play, ferry, [next - boat, 0.0]);
                        }
                        let walk = play.step(if goes { way * 1.3 } else { 0.0 });
                        let what = format!("{player}, {touch:?}, tag {tag}, to {end}, step {step}: {:?}", play.at());
                        assert!(walk.ground.is_some(), "{what}: {walk:?}");
                        step += 1;
                        assert!(step < 2_000, "{what}");
                    }
                }
            }
        }
    }
}

#[test]
fn what_comes_into_it_leads_it_out_and_a_press_is_told() {
    for (player, shape) in players() {
        for (touch, sense) in TOUCHES.into_iter().flat_map(|touch| [(touch, 1.0), (touch, -1.0)]) {
            let mut play = Play::new(touch, &shape, [50.0 * sense, 95.0], Walker::new());
            plank(&mut play, 600.0, [-300.0, 100.0], 0);
            let block = Shape::rect(10.0, 30.0).unwrap().anchored([5.0, 0.0]).unwrap();
            let pusher = play.add(&block, |body| Body { at: [25.0 * sense, 69.0].into(), ..body });
            play.add(&block, |body| Body { at: [155.0 * sense, 69.0].into(), ..body });
            play.rest();
            let mut stuck = 0;
            for step in 0..132 {
                shift(&mut play, pusher, [0.9 * sense, 0.0]);
                let from = play.at();
                let free = play.is_free();
                let walk = play.step(0.0);
                let what = format!("{player}, {touch:?}, {sense}, step {step}: {walk:?}");
                assert_eq!(walk.started_inside.is_none(), free, "{what}");
                let edge = play.body(pusher).at.x * sense + 5.0;
                if walk.stuck {
                    assert_eq!(walk.at, from, "{what}");
                    stuck += 1;
                } else {
                    assert!(stuck == 0 && play.at().x * sense > edge && walk.ground.is_some(), "{what}");
                }
            }
            assert!(stuck > 1, "{player}, {touch:?}, {sense}: {stuck}");
            assert!(play.at().x * sense > 140.0, "{player}, {touch:?}, {sense}");
        }
    }
}

/// A block comes over it, whose nearest side is beyond a wall.
#[test]
fn it_is_not_led_out_through_a_wall() {
    let [_, (_, shape), ..] = players();
    for sense in [1.0, -1.0] {
        for has_wall in [false, true] {
            let mut play = Play::new(Touch::Excluded, &shape, [50.0 * sense, 95.0], Walker::new());
            plank(&mut play, 600.0, [-300.0, 100.0], 0);
            let upright = |width| Shape::rect(width, 90.0).unwrap().anchored([width / 2.0, 0.0]).unwrap();
            if has_wall {
                play.add(&upright(1.0), |body| Body { at: [45.0 * sense, 9.0].into(), ..body });
            }
            play.rest();
            let from = play.at();
            play.add(&upright(60.0), |body| Body { at: [74.0 * sense, 9.0].into(), ..body });
            let walk = play.step(0.0);
            assert!(walk.started_inside.is_some());
            assert_eq!((walk.stuck, play.at() == from), (has_wall, has_wall), "{sense}: {walk:?}");
            assert!(has_wall || play.at().x * sense < 41.0, "{sense}: {walk:?}");
        }
    }
}

#[test]
fn what_turns_carries_around() {
    for (player, shape) in players() {
        let mut play = Play::new(Touch::Excluded, &shape, [130.0, 70.0], Walker::new());
        let bar = Shape::rect(200.0, 4.0).unwrap().anchored([100.0, 2.0]).unwrap();
        let bar = play.add(&bar, |body| Body { at: [100, 80].into(), ..body });
        play.rest();
        for step in 0..60 {
            let body = play.body(bar).posed(Linear::from_degrees(-0.5 * f64::from(step)));
            play.world.set(bar, &body).unwrap();
            let walk = play.step(0.0);
            assert!(walk.ground.is_some(), "{player}, step {step}: {walk:?}");
        }
        let at = play.at();
        let turned = Linear::from_degrees(-29.5) * hitmask::geometry::Vec2 { x: 30.0, y: -2.0 };
        assert!(
            (at.x - 100.0 - turned.x).abs() < 3.0 && (at.y - 80.0 - turned.y).abs() < 3.0,
            "{player}: {at:?} {turned:?}"
        );
    }
}

/// A walker is a value: copied together with the world, it replays the same steps.
#[test]
fn it_rolls_back() {
    let [(_, shape), ..] = players();
    let mut play = Play::new(Touch::Excluded, &shape, [50.0, 70.0], Walker::new());
    let platform = plank(&mut play, 100.0, [0.0, 80.0], PLANK);
    play.rest();
    let saved = (play.world.clone(), play.walker, play.fall);
    let plays = |play: &mut Play| {
        (0..40)
            .map(|step| {
                shift(play, platform, [0.7, f64::from(step % 7) - 3.0]);
                let fall = if step == 20 { -4.0 } else { play.fall + GRAVITY };
                play.go(0.3, fall)
            })
            .collect::<Vec<_>>()
    };
    let first = plays(&mut play);
    (play.world, play.walker, play.fall) = saved;
    assert_eq!(plays(&mut play), first);
}

/// A walker that is moved elsewhere is still carried by what it stood on, unless it is told to leave.
#[test]
fn what_left_its_ground_is_not_carried() {
    for (player, shape) in players() {
        for touch in TOUCHES {
            for leaves in [false, true] {
                let mut play = Play::new(touch, &shape, [50.0, 70.0], Walker::new());
                let platform = plank(&mut play, 100.0, [0.0, 80.0], 0);
                assert_eq!(play.rest().ground.map(|ground| ground.body), Some(platform));
                let (hero, high) = (play.id, [50.0, -200.0]);
                play.put(hero, high);
                shift(&mut play, platform, [10.0, 0.0]);
                if leaves {
                    play.walker.leave();
                    assert_eq!(play.walker.ground(), None);
                }
                let walk = play.step(0.0);
                let x = if leaves { 0.0 } else { 10.0 };
                assert!((walk.carried.x - x).abs() < 0.01, "{player}, {touch:?}, {leaves}: {walk:?}");
                assert!((play.at().x - high[0] - x).abs() < 0.01, "{player}, {touch:?}, {leaves}: {walk:?}");
            }
        }
    }
}

/// A wall beside it does not hold back what goes up or down under it.
#[test]
fn what_rises_beside_a_wall_takes_along_what_stands_on_it() {
    for (player, shape) in players() {
        for (touch, sense) in TOUCHES.into_iter().flat_map(|touch| [(touch, 1.0), (touch, -1.0)]) {
            for tag in [0, PLANK] {
                for by in [[0.01, -1.0], [0.5, -1.0], [0.5, -8.0], [1.0, -0.05], [0.1, 5.0], [0.5, 5.0], [0.0, -8.0]] {
                    let mut play = Play::new(touch, &shape, [92.0 * sense, 80.0], Walker::new());
                    let wall = Shape::rect(20.0, 2000.0).unwrap().anchored([10.0, 1000.0]).unwrap();
                    play.add(&wall, |body| Body { at: [120.0 * sense, 0.0].into(), ..body });
                    let bar = Shape::rect(90.0, 3.0).unwrap().anchored([45.0, 0.0]).unwrap();
                    let platform = play.add(&bar, |body| Body { at: [70.0 * sense, 100.0].into(), ..body }.tagged(tag));
                    play.rest();
                    // Until it touches the wall.
                    while play.step(2.0 * sense).wall.is_none() {}
                    play.step(0.0);
                    for step in 0..30 {
                        shift(&mut play, platform, [by[0] * sense, by[1]]);
                        let walk = play.step(0.0);
                        let what = format!("{player}, {touch:?}, {sense}, tag {tag}, {by:?}, step {step}: {walk:?}");
                        assert!(walk.ground.is_some_and(|ground| ground.body == platform), "{what}");
                        assert!((play.at().y - play.body(platform).at.y).abs() <= 1.0, "{what}");
                        // Sprites move by pixels.
                        assert!(
                            (walk.carried.y - by[1]).abs() <= if player == "a sprite" { 1.1 } else { 0.02 },
                            "{what}"
                        );
                    }
                }
            }
        }
    }
}

/// An upright body on a plank that turns is lifted by the side that rises into it, wherever it is anchored.
#[test]
fn planks_that_turn_carry_by_the_feet() {
    for (player, shape) in players() {
        for (touch, tag) in TOUCHES.into_iter().flat_map(|touch| [(touch, 0), (touch, PLANK)]) {
            for degrees in [0.1, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0] {
                let anchor = |by: [f64; 2]| {
                    let of = shape.anchor();
                    shape.clone().anchored(of + by).unwrap()
                };
                let anchors = if player == "a box" {
                    vec![[0.0, 0.0], [-4.0, -12.0], [0.0, -6.0], [20.0, 9.0]]
                } else {
                    vec![[0.0; 2]]
                };
                let ends = anchors.into_iter().map(|by| {
                    let mut play = Play::new(touch, &anchor(by), [10.0 + by[0], -20.0 + by[1]], Walker::new());
                    let bar = Shape::rect(80.0, 4.0).unwrap().anchored([40.0, 2.0]).unwrap();
                    let bar = play.add(&bar, |body| body.tagged(tag));
                    play.rest();
                    for step in 1..=(10.0 / f64::abs(degrees)) as u32 {
                        let turned = Linear::from_degrees(degrees * f64::from(step));
                        let body = play.body(bar).posed(turned);
                        play.world.set(bar, &body).unwrap();
                        let walk = play.step(0.0);
                        let what =
                            format!("{player}, {touch:?}, tag {tag}, {degrees}, anchor {by:?}, step {step}: {walk:?}");
                        assert!(walk.ground.is_some_and(|ground| ground.body == bar), "{what}");
                    }
                    [play.at().x - by[0], play.at().y - by[1]]
                });
                let ends: Vec<[f64; 2]> = ends.collect();
                for end in &ends {
                    // The feet were at (10, -2) from the middle, and the plank has turned by 10 degrees.
                    let right =
                        Linear::from_degrees(10.0 * degrees.signum()) * hitmask::geometry::Vec2 { x: 10.0, y: -2.0 };
                    let most = if player == "a sprite" { 2.0 } else { 1.0 };
                    assert!(
                        (end[0] - right.x).abs() < most,
                        "{player}, {touch:?}, {tag}, {degrees}: {end:?} {right:?}"
                    );
                    let first = ends[0];
                    assert!(
                        (end[0] - first[0]).abs() < 0.02 && (end[1] - first[1]).abs() < 0.02,
                        "{degrees}: {ends:?}"
                    );
                }
            }
        }
    }
}

/// A lift takes along what also stands on the floor beside it, or on the floor that it comes up through, whichever was
/// added first.
#[test]
fn a_lift_takes_along_what_stands_on_the_floor_too() {
    for (player, shape) in players() {
        for (touch, first) in TOUCHES.into_iter().flat_map(|touch| [(touch, true), (touch, false)]) {
            for (tag, from, x) in [(0, 0.0, 101.0), (PLANK, 0.0, 99.0), (PLANK, 0.0, 102.0), (PLANK, 4.0, 60.0)] {
                let mut play = Play::new(touch, &shape, [x, 90.0], Walker::new());
                let beside = if from == 0.0 { 100.0 } else { 0.0 };
                let lift = |play: &mut Play| plank(play, 100.0, [beside, 100.0 + from], tag);
                let early = first.then(|| lift(&mut play));
                plank(&mut play, 100.0, [0.0, 100.0], 0);
                let lift = early.unwrap_or_else(|| lift(&mut play));
                play.rest();
                for step in 1..=30 {
                    shift(&mut play, lift, [0.0, -1.0]);
                    let walk = play.step(0.0);
                    let what = format!("{player}, {touch:?}, {first}, tag {tag}, {from}, {x}, step {step}: {walk:?}");
                    let top = (100.0 + from - f64::from(step)).min(100.0);
                    assert!((play.at().y - top).abs() <= 1.0 && walk.ground.is_some(), "{what}");
                    assert!(top > 98.5 || walk.ground.is_some_and(|ground| ground.body == lift), "{what}");
                }
            }
        }
    }
}

/// A platform that is switched off, open, left out of the search or gone carries nobody, even if it is moved then.
#[test]
fn what_is_no_longer_in_the_way_carries_nobody() {
    for (player, shape) in players() {
        for how in ["off", "open", "except", "gone"] {
            for tag in [0, PLANK] {
                let mut play = Play::new(Touch::Excluded, &shape, [50.0, 70.0], Walker::new());
                let platform = plank(&mut play, 100.0, [0.0, 80.0], tag);
                play.rest();
                let at = play.at();
                shift(&mut play, platform, [30.0, -40.0]);
                if how == "off" {
                    play.world.set_enabled(platform, false).unwrap();
                } else if how == "gone" {
                    play.world.remove(platform).unwrap();
                }
                let without = [play.id, platform];
                let body = play.body(play.id);
                let surface = |id: BodyId| {
                    assert!(play.world.body(id).is_some(), "{how}: it is not asked about what is gone");
                    if how == "open" { Surface::Open } else { Surface::Solid }
                };
                let search =
                    play.queries.on(&play.world).except(&without[..if how == "except" { 2 } else { 1 }]).unwrap();
                let walk = play.walker.step(search, &body, 0.0, GRAVITY, surface).unwrap();
                let what = format!("{player}, {how}, tag {tag}: {walk:?}");
                assert!(walk.carried == [0.0, 0.0].into() && walk.ground.is_none(), "{what}");
                assert!(walk.at.x == at.x && (0.0..=2.0).contains(&(walk.at.y - at.y)), "{what}");
            }
        }
    }
}
