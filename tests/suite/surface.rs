//! The smoothed surface of pixels: slopes of every steepness and orientation, discs, planks and adjacent tiles, met by
//! balls, boxes, sprites and rays. Compared with the true normals, and with a plain sum over parts of pixels.

use hitmask::geometry::{Flip, Vec2};
use hitmask::query::{Queries, RayCast, RayContact, Search};
use hitmask::response::Stop;
use hitmask::{Ask, Body, BodyId, Engine, Error, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

/// The window that the documentation recommends.
const WINDOW: f64 = 8.0;
/// Half the side of the pictures of slopes: the distance from their middle to their ends.
const HALF: i32 = 40;

/// Returns the distance between two directions.
fn off([x, y]: [f64; 2], to: [f64; 2]) -> f64 {
    (x - to[0]).hypot(y - to[1])
}

/// Returns a world with a sprite whose texel `(x, y)` lies in pixel `(x - HALF, y - HALF)`.
fn picture(touch: Touch, solid: impl Fn(i32, i32) -> bool) -> (World, BodyId) {
    let mut world = World::new(touch);
    let side = 2 * HALF as u32;
    let mask = Mask::from_fn(side, side, |x, y| solid(x as i32 - HALF, y as i32 - HALF)).unwrap();
    let shape = world.add_shape(Shape::sprite(mask)).unwrap();
    let id = world.add(&Body::new(shape, [-HALF, -HALF])).unwrap();
    (world, id)
}

/// A slope of pixels that rises by `rise` every `run`, `thick` pixels thick, mirrored by `turn`.
#[derive(Clone, Copy, Debug)]
struct Slope {
    rise: i32,
    run: i32,
    thick: i32,
    /// One of eight orientations: mirrored along x, along y, and along the diagonal.
    turn: u32,
}

/// Slopes that are common in games.
const COMMON: [(i32, i32); 7] = [(0, 1), (1, 5), (1, 4), (1, 3), (1, 2), (2, 3), (1, 1)];

impl Slope {
    /// Returns these slopes in all orientations.
    fn all(slopes: &[(i32, i32)], thick: i32) -> impl Iterator<Item = Self> {
        let turned = move |&(rise, run)| (0..8).map(move |turn| Self { rise, run, thick, turn });
        slopes.iter().flat_map(turned)
    }

    fn turned<T: Copy + std::ops::Neg<Output = T>>(self, [x, y]: [T; 2]) -> [T; 2] {
        let [x, y] = if self.turn & 4 == 0 { [x, y] } else { [y, x] };
        [if self.turn & 1 == 0 { x } else { -x }, if self.turn & 2 == 0 { y } else { -y }]
    }

    fn normal(self) -> [f64; 2] {
        let [x, y] = [self.rise, self.run].map(f64::from);
        self.turned([-x / x.hypot(y), -y / x.hypot(y)])
    }

    /// Returns the topmost solid pixel of a column, before the slope is turned.
    fn top(self, x: i32) -> i32 {
        -(x * self.rise).div_euclid(self.run)
    }

    fn world(self, touch: Touch) -> (World, BodyId) {
        // Turned back; pixel centres times two, which are odd integers.
        let back = |x: i32, y: i32| {
            let [x, y] = [2 * x + 1, 2 * y + 1];
            let [x, y] = [if self.turn & 1 == 0 { x } else { -x }, if self.turn & 2 == 0 { y } else { -y }];
            let [x, y] = if self.turn & 4 == 0 { [x, y] } else { [y, x] };
            [x >> 1, y >> 1]
        };
        picture(touch, |x, y| {
            let [x, y] = back(x, y);
            (self.top(x)..self.top(x).saturating_add(self.thick)).contains(&y)
        })
    }

    /// Returns points along the outline of the slope's middle part, `out` pixels outside it.
    fn places(self, out: f64) -> impl Iterator<Item = [f64; 2]> {
        let parts = || (0..=4).map(|part| f64::from(part) / 4.0);
        let places = (-12..12).flat_map(move |x| {
            let [top, before] = [self.top(x), self.top(x - 1)].map(f64::from);
            let along = parts().map(move |part| [f64::from(x) + part, top - out]);
            let up = parts().map(move |part| [f64::from(x) - out, top + part * (before - top)]);
            along.chain(up.filter(move |_| before > top))
        });
        places.map(move |place| self.turned(place))
    }

    /// Returns the largest error of a normal at the points `out` pixels outside.
    fn worst(self, window: f64, out: f64) -> f64 {
        let (world, id) = self.world(Touch::Excluded);
        let off = |at: [f64; 2]| off(world.surface_normal(&[id], at, window).unwrap().unwrap(), self.normal());
        self.places(out).map(off).fold(0.0, f64::max)
    }
}

#[test]
fn slopes_of_pixels_face_as_they_look() {
    for (thick, limit) in [(i32::MAX, 0.01), (3, 0.03)] {
        for slope in Slope::all(&COMMON, thick) {
            for out in [0.0, 0.5, 1.0] {
                let worst = slope.worst(WINDOW, out);
                assert!(worst < if slope.rise == 0 { 1e-15 } else { limit }, "{slope:?} {out}: {worst}");
            }
        }
    }
}

#[test]
fn any_slope_faces_as_it_looks_in_a_larger_window() {
    let mut random = SplitMix64(1);
    let mut small = 0.0_f64;
    for _ in 0..200 {
        let run = 1 + random.below(48) as i32;
        let least = (run + 7) / 8;
        let rise = least + random.below((run - least) as u32 + 1) as i32;
        let slope = Slope { rise, run, thick: i32::MAX, turn: random.below(8) };
        let worst = slope.worst(1.5 * WINDOW, 0.0);
        assert!(worst < 0.05, "{slope:?}: {worst}");
        small = small.max(slope.worst(0.5 * WINDOW, 0.0));
    }
    assert!(small > 0.1, "any window would do: {small}");
}

#[test]
fn discs_face_outward() {
    for radius in [8, 12, 16, 24, 32] {
        let (world, id) = picture(Touch::Excluded, |x, y| {
            let [x, y] = [2 * x + 1, 2 * y + 1];
            x * x + y * y < 4 * radius * radius
        });
        let mut worst: f64 = 0.0;
        for angle in 0..720 {
            let (y, x) = (f64::from(angle) / 2.0).to_radians().sin_cos();
            let at = [x, y].map(|v| v * f64::from(radius));
            worst = worst.max(off(world.surface_normal(&[id], at, WINDOW).unwrap().unwrap(), [x, y]));
        }
        assert!(worst < 0.03, "{radius}: {worst}");
    }
}

/// Returns the normal by a plain sum over parts of pixels: it points away from the centroid of the covered part.
fn plainly(solid: impl Fn(i32, i32) -> bool, at: [f64; 2], window: f64) -> [f64; 2] {
    const PARTS: i32 = 16;
    let mut sum = [0.0; 2];
    let part = |v: i32| (f64::from(v) + 0.5) / f64::from(PARTS);
    let ends = |at: f64| ((at - window).floor() as i32 * PARTS)..((at + window).ceil() as i32 * PARTS);
    for y in ends(at[1]) {
        for x in ends(at[0]) {
            let way = [part(x) - at[0], part(y) - at[1]];
            let weight = 1.0 - (way[0] * way[0] + way[1] * way[1]) / (window * window);
            if weight > 0.0 && solid(x.div_euclid(PARTS), y.div_euclid(PARTS)) {
                sum = [sum[0] - weight * way[0], sum[1] - weight * way[1]];
            }
        }
    }
    sum.map(|v| v / (sum[0].hypot(sum[1])))
}

#[test]
fn it_leads_away_from_the_middle_of_what_is_covered() {
    let mut random = SplitMix64(7);
    for round in 0..60 {
        let (below, noise) = (1 + random.below(20), random.below(1 << 20));
        let solid = |x: i32, y: i32| {
            let cell = SplitMix64(u64::from(noise) ^ (x.rem_euclid(97) * 97 + y.rem_euclid(97)) as u64).below(20);
            y + x / 3 > 0 && cell < below + 5
        };
        let (world, id) = picture(Touch::Excluded, solid);
        let at = [random.below(2560), random.below(2560)].map(|v| f64::from(v) / 256.0 - 5.0);
        let window = [1.5, 3.0, 7.25, 12.0][round % 4];
        let found = world.surface_normal(&[id], at, window).unwrap();
        let Some(found) = found else { continue };
        let plain = plainly(solid, at, window);
        assert!(off(found, plain) < 0.02, "{round}: {found:?}, not {plain:?}");
    }
}

#[test]
fn turned_and_scaled_sprites_are_seen_as_they_are_painted() {
    let mut world = World::default();
    let square = Shape::sprite(Mask::from_fn(60, 60, |_, _| true).unwrap()).anchored([30.0, 30.0]).unwrap();
    let ramp = Mask::from_fn(80, 40, |x, y| y >= 39 - x / 2).unwrap();
    let [square, ramp] = [square, Shape::sprite(ramp)].map(|shape| world.add_shape(shape).unwrap());
    for angle in 0..360 {
        // If a side is almost level or upright, its steps are longer than eight pixels.
        let limit = if angle % 90 == 0 || (8..=82).contains(&(angle % 90)) { 0.05 } else { 0.07 };
        let angle = f64::from(angle);
        let turned = Body::new(square, [100.3, 50.7]).posed(Linear::from_degrees(angle));
        let id = world.add(&turned).unwrap();
        let (y, x) = angle.to_radians().sin_cos();
        for along in [-12.0, -3.3, 0.0, 7.9] {
            let at = turned.at + Vec2::from([x, y]) * 30.0 + Vec2::from([-y, x]) * along;
            let normal = world.surface_normal(&[id], at, 1.5 * WINDOW).unwrap().unwrap();
            assert!(off(normal, [x, y]) < limit, "{angle} {along}: {normal:?}");
        }
        world.remove(id).unwrap();
    }
    // Its stairs are three times as large, so it needs a window three times as large.
    let linear = Linear::new(0.0, [3.0; 2], Flip { x: true, y: false });
    let id = world.add(&Body::new(ramp, [240, 0]).posed(linear)).unwrap();
    let normal = world.surface_normal(&[id], [119.0, 59.0], 3.0 * WINDOW).unwrap().unwrap();
    assert!(off(normal, [0.447, -0.894]) < 0.01, "{normal:?}");
}

/// Returns the stop of a body at a slope, and its smoothed normal.
fn stopped(search: Search<'_>, body: &Body) -> Option<(Stop, [f64; 2])> {
    let stop = search.sweep(body, |_| true).unwrap().stop?;
    Some((stop, search.smooth_normal(body, &stop, WINDOW, |_| true).unwrap()))
}

#[test]
fn bodies_on_a_slope_get_what_it_looks_like() {
    let mut random = SplitMix64(3);
    for slope in Slope::all(&COMMON, i32::MAX).chain(Slope::all(&[(1, 1), (1, 2), (1, 3)], 1)) {
        let touch = [Touch::Excluded, Touch::Included][slope.turn as usize % 2];
        let (mut world, _) = slope.world(touch);
        let shapes = [
            Shape::circle(0.75),
            Shape::circle(3.0),
            Shape::circle(11.3),
            Shape::capsule([-1.0, -4.0], [1.0, 3.0], 2.5),
            Shape::rect(5.0, 9.0),
            Shape::polygon(&[[0.0, 0.0], [4.0, 7.0], [-3.0, 5.0]]),
            Shape::sprite(Mask::from_fn(5, 6, |x, y| x + y > 1).unwrap()).anchored([2.5, 3.0]),
        ];
        let shapes = shapes.map(|shape| world.add_shape(shape.unwrap()).unwrap());
        let (mut queries, mut worst) = (Queries::new(), 0.0_f64);
        let search = queries.on(&world);
        for k in 0..140 {
            let mut real = |most: u32| f64::from(random.below(most * 256)) / 256.0;
            // It comes from above onto the slope, or along the slope and into it.
            let from = slope.turned([real(8) - 4.0, -25.0]);
            let way = slope.turned([real(24) - 12.0, 60.0]);
            let body = Body::new(shapes[k % shapes.len()], from).moving(way);
            let (stop, smooth) = stopped(search, &body).unwrap();
            worst = worst.max(off(stop.impact.normal, slope.normal()));
            let far = off(smooth, slope.normal());
            assert!(far < 0.05, "{slope:?} {body:?}: {smooth:?}, {far}");
        }
        assert!(slope.rise == 0 || worst > 0.3, "the sides themselves would do: {worst}");
    }
}

/// If corners graze each other, no pixel is met head-on.
#[test]
fn a_corner_that_is_grazed_is_seen() {
    let slope = Slope { rise: 2, run: 3, thick: i32::MAX, turn: 4 };
    let (mut world, _) = slope.world(Touch::Excluded);
    let tile = world.add_shape(Shape::rect(5.0, 9.0).unwrap()).unwrap();
    let mut queries = Queries::new();
    let body = Body::new(tile, [-25.0, 3.957_031_25]).moving([35.0, -2.789_062_5]);
    let (stop, normal) = stopped(queries.on(&world), &body).unwrap();
    assert_eq!(stop.at, [-13.0, 3.0].into());
    assert!(off(normal, slope.normal()) < 0.01, "{normal:?}");
}

/// The ball's speed follows the smoothed normal, its position follows what it hits.
#[test]
fn a_ball_that_rolls_down_a_ramp_keeps_its_normal() {
    let slope = Slope { rise: 1, run: 2, thick: i32::MAX, turn: 0 };
    for touch in [Touch::Excluded, Touch::Included] {
        let (mut world, _) = slope.world(touch);
        let ball = world.add_shape(Shape::circle(4.0).unwrap()).unwrap();
        let (mut queries, mut at, mut speed, mut touches) = (Queries::new(), Vec2::from([24, -20]), Vec2::default(), 0);
        let search = queries.on(&world);
        while at.x > -24.0 {
            speed += [0.0, 0.1];
            let body = Body::new(ball, at).moving(speed);
            let slide = search.slide(&body, |_| true).unwrap();
            for stop in &slide.stops {
                let normal = search.smooth_normal(&body, stop, WINDOW, |_| true).unwrap();
                assert!(off(normal, slope.normal()) < 0.05, "{at:?}: {normal:?}");
                // Its speed follows the smoothed normal, so it accelerates down the ramp.
                speed = speed - Vec2::from(normal) * speed.dot(normal).min(0.0);
                touches += 1;
            }
            assert!(slide.at.x < at.x + 1.0 && touches < 1000, "{at:?} {speed:?}");
            at = slide.at;
        }
        assert!(touches > 10 && speed.x < -1.0 && speed.y > 0.5, "{touches} {speed:?}");
    }
}

#[test]
fn rays_are_thrown_back_by_what_they_see() {
    let mut random = SplitMix64(5);
    let mut sides_led_in = 0;
    for slope in Slope::all(&COMMON, i32::MAX).chain(Slope::all(&[(1, 1), (1, 2), (1, 3)], 1)) {
        let (world, _) = slope.world(Touch::Excluded);
        let mut queries = Queries::new();
        let search = queries.on(&world);
        for k in 0..16 {
            let mut real = |most: u32| f64::from(random.below(most * 256)) / 256.0;
            let radius = [0.0, 0.0, 1.0 / 256.0, 2.5][k % 4];
            let from = slope.turned([real(20) - 10.0, -25.0]);
            let way = slope.turned([real(20) - 10.0, 40.0]);
            let ray = RayCast::new(from, Vec2::from(from) + way).radius(radius);
            // A thin ray exactly between pixels hits none.
            let Some(hit) = search.first(&ray).unwrap() else { continue };
            let raw = world.ray_contact(&ray, &hit).unwrap();
            let smooth = search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap();
            assert!(off(smooth.normal, slope.normal()) < 0.05, "{slope:?} {ray:?}: {smooth:?}");
            assert_eq!(smooth.at, raw.at);
            let onward =
                |contact: &RayContact, beside: Vec2| RayCast::new(beside, beside + contact.reflect(way)).radius(radius);
            assert!(!search.any(&onward(&smooth, smooth.beside)).unwrap(), "{slope:?} {ray:?}: {smooth:?}");
            sides_led_in += usize::from(search.any(&onward(&smooth, raw.beside)).unwrap());
        }
    }
    assert!(sides_led_in > 20, "a lattice step off the side would do: {sides_led_in}");
}

#[test]
fn tiles_side_by_side_are_one_surface() {
    let ramp = |x: u32, y: u32| y >= 39 - x / 2;
    let mut world = World::default();
    let whole = world.add_shape(Shape::sprite(Mask::from_fn(80, 40, ramp).unwrap())).unwrap();
    let whole = world.add(&Body::new(whole, [0, 0]).filtered(2, 1)).unwrap();
    let mut tiles = Vec::new();
    for (x, y) in (0..10).flat_map(|x| (0..5).map(move |y| (8 * x, 8 * y))) {
        let tile = world.add_shape(Shape::sprite(Mask::from_fn(8, 8, |i, j| ramp(x + i, y + j)).unwrap())).unwrap();
        tiles.push(world.add(&Body::new(tile, [x as i32, y as i32]).filtered(4, 1)).unwrap());
    }
    // Boxes hide the sides of pixels just as pixels do.
    let tile = world.add_shape(Shape::rect(8.0, 40.0).unwrap()).unwrap();
    let column = world.add(&Body::new(tile, [80, 0]).filtered(8, 1)).unwrap();
    let wall = world.add_shape(Shape::sprite(Mask::from_fn(8, 40, |_, _| true).unwrap())).unwrap();
    let wall = world.add(&Body::new(wall, [80, 0]).filtered(8, 1)).unwrap();
    let ball = world.add_shape(Shape::circle(5.0).unwrap()).unwrap();
    let mut queries = Queries::new();
    let search = queries.on(&world);
    for x in 0..160 {
        let at = [f64::from(x) / 2.0 + 0.2, 39.0 - f64::from(x) / 4.0];
        let one = world.surface_normal(&[whole], at, WINDOW).unwrap();
        assert_eq!(one, world.surface_normal(&tiles, at, WINDOW).unwrap());
        // An area that several bodies cover counts once.
        let over = [&tiles[..25], &[whole]].concat();
        assert_eq!(one, world.surface_normal(&over, at, WINDOW).unwrap());
        assert_eq!(
            world.surface_normal(&[whole, column], at, WINDOW).unwrap(),
            world.surface_normal(&[whole, wall], at, WINDOW).unwrap()
        );
        if (48..136).contains(&x) {
            assert!(off(one.unwrap(), [-0.447, -0.894]) < 0.01, "{at:?}: {one:?}");
            let fall = |layer| Body::new(ball, [at[0], -10.0]).moving([0, 60]).filtered(1, layer);
            let [on_whole, on_tiles] = [2, 4].map(|layer| stopped(search, &fall(layer)).unwrap());
            assert_eq!(on_whole.0.at, on_tiles.0.at);
            assert!(off(on_whole.1, [-0.447, -0.894]) < 0.05 && off(on_tiles.1, [-0.447, -0.894]) < 0.05);
        }
    }
}

#[test]
fn it_is_the_same_wherever_it_stands_and_mirrored() {
    let mut random = SplitMix64(11);
    for _ in 0..200 {
        let noise = random.below(1 << 20);
        let solid = |x: i32, y: i32| {
            y > x / 3 && SplitMix64(u64::from(noise) ^ u64::from((x * 97 + y).unsigned_abs())).below(5) > 0
        };
        let (world, id) = picture(Touch::Excluded, solid);
        let at = [random.below(2560) as i32, random.below(2560) as i32].map(|v| f64::from(v - 1280) / 256.0);
        let normal = world.surface_normal(&[id], at, WINDOW).unwrap();
        let by = [random.below(4_000_000), random.below(4_000_000)].map(|v| f64::from(v) - 2_000_000.0);
        let mut elsewhere = world.clone();
        let body = elsewhere.body(id).unwrap();
        elsewhere.set(id, &Body { at: body.at + by, ..body }).unwrap();
        assert_eq!(elsewhere.surface_normal(&[id], Vec2::from(at) + by, WINDOW).unwrap(), normal);
        let (mirror, id) = picture(Touch::Excluded, |x, y| solid(-1 - x, y));
        let mirrored = mirror.surface_normal(&[id], [-at[0], at[1]], WINDOW).unwrap();
        assert_eq!(mirrored, normal.map(|[x, y]| [0.0 - x, y]));
    }
}

#[test]
fn it_goes_on_without_a_jump() {
    // Over a ledge, past a crack, into a corner, and up a block.
    let (world, id) = picture(Touch::Excluded, |x, y| (y >= 0 && x < 3) || (y > 3 && x != 9) || (x > 20 && y > -8));
    let normal = |k: i32| world.surface_normal(&[id], [f64::from(k) / 256.0, -1.5], WINDOW).unwrap().unwrap();
    for k in -10 * 256..30 * 256 {
        let [last, next] = [normal(k), normal(k + 1)];
        assert!(off(last, next) < 0.005, "{k}: {last:?}, then {next:?}");
    }
}

#[test]
fn where_there_is_no_surface_there_is_none() {
    let (mut world, id) = picture(Touch::Excluded, |_, y| y >= 0);
    let normal = |world: &World, ids: &[BodyId], at: [f64; 2]| world.surface_normal(ids, at, WINDOW).unwrap();
    assert_eq!(normal(&world, &[id], [0.0, -8.0]), None); // nothing covered
    assert_eq!(normal(&world, &[id], [0.0, 8.0]), None); // all covered
    assert_eq!(normal(&world, &[id], [0.3, 7.9]), Some([0.0, -1.0]));
    assert_eq!(normal(&world, &[], [0.0, 0.0]), None);
    // The middle of a plank.
    let plank = world.add_shape(Shape::rect(90.0, 2.0).unwrap()).unwrap();
    let plank = world.add(&Body::new(plank, [-45, 100])).unwrap();
    assert_eq!(normal(&world, &[plank], [0.0, 101.0]), None);
    assert_eq!(normal(&world, &[plank], [0.0, 101.1]), Some([0.0, 1.0]));
    world.set_enabled(id, false).unwrap();
    assert_eq!(normal(&world, &[id], [0.0, 0.0]), None);
    world.set_enabled(id, true).unwrap();
    let flat = Body { linear: Linear::scaled(0.0), ..world.body(id).unwrap() };
    world.set(id, &flat).unwrap();
    assert_eq!(normal(&world, &[id], [0.0, 0.0]), None);
}

#[test]
fn the_side_that_was_hit_stands_where_nothing_smoothes_it() {
    let (mut world, ground) = picture(Touch::Excluded, |x, y| y >= -(x.div_euclid(2)));
    let ball = world.add_shape(Shape::circle(5.0).unwrap()).unwrap();
    let wedge = world.add_shape(Shape::polygon(&[[0, 40], [80, 0], [80, 40]]).unwrap()).unwrap();
    world.add(&Body::new(wedge, [100, 0])).unwrap();
    let mut queries = Queries::new();
    let search = queries.on(&world);
    // A polygon's sides are exact.
    let (stop, normal) = stopped(search, &Body::new(ball, [140.3, -20.0]).moving([0, 60])).unwrap();
    assert!(stop.impact.normal == normal && off(normal, [-0.447, -0.894]) < 0.001);
    let ray = RayCast::new([140.3, -20.0], [140.3, 60.0]);
    let hit = search.first(&ray).unwrap().unwrap();
    assert_eq!(search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap(), world.ray_contact(&ray, &hit).unwrap());
    // If nothing counts, or the ground is left out.
    let body = Body::new(ball, [0.3, -30.0]).moving([0, 60]);
    let (stop, smooth) = stopped(search, &body).unwrap();
    assert_ne!(stop.impact.normal, smooth);
    assert_eq!(search.smooth_normal(&body, &stop, WINDOW, |id| id != ground).unwrap(), stop.impact.normal);
    let flat = body.posed(Linear::scaled(0.0));
    let mut on_it = stop;
    on_it.at = [0.5, 0.0].into();
    assert_eq!(search.smooth_normal(&flat, &on_it, WINDOW, |_| true).unwrap(), stop.impact.normal);
    let mut elsewhere = stop;
    elsewhere.at = [0, -30].into();
    assert_eq!(search.smooth_normal(&body, &elsewhere, WINDOW, |_| true).unwrap(), stop.impact.normal);
    // A ray that begins inside.
    let ray = RayCast::new([0.5, 5.5], [0.5, 10.5]);
    let hit = search.first(&ray).unwrap().unwrap();
    assert_eq!(search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap().normal, [0.0; 2]);
}

#[test]
fn a_surface_that_leads_into_the_side_is_none() {
    // A post one pixel thick, and behind the ball a wall with more area.
    let (mut world, _) = picture(Touch::Excluded, |x, _| x < 0 || x == 6);
    let ball = world.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    let mut queries = Queries::new();
    let search = queries.on(&world);
    let (stop, normal) = stopped(search, &Body::new(ball, [3.0, 0.3]).moving([5, 0])).unwrap();
    let x = world.surface_normal(&[stop.impact.other], [5.0, 0.3], WINDOW).unwrap().unwrap()[0];
    assert_eq!((x, normal), (1.0, [-1.0, 0.0]));
    let ray = RayCast::new([3.0, 0.3], [9.0, 0.3]);
    let hit = search.first(&ray).unwrap().unwrap();
    assert_eq!(search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap(), world.ray_contact(&ray, &hit).unwrap());
}

#[test]
fn stops_of_steps_and_worlds_without_an_index_do_as_well() {
    let slope = Slope { rise: 1, run: 2, thick: i32::MAX, turn: 0 };
    let (mut world, _) = slope.world(Touch::Excluded);
    let ball = world.add_shape(Shape::circle(4.0).unwrap()).unwrap();
    let fall = Body::new(ball, [0.7, -30.0]).moving([3, 60]);
    let hero = world.add(&fall).unwrap();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
    let stop = world.stop(hero, &hits, |_| true).unwrap().unwrap();
    for mut queries in [Queries::new(), Queries::reference()] {
        let search = queries.on(&world);
        let found = |search: Search<'_>| search.smooth_normal(&fall, &stop, WINDOW, |_| true).unwrap();
        let without = found(search.except(&[hero]).unwrap());
        assert!(off(without, slope.normal()) < 0.01, "{without:?}");
        // Its position at the start is too far away to matter.
        assert_eq!(without, found(search));
    }
}

#[test]
fn layers_and_what_counts_are_minded() {
    let (mut world, ground) = picture(Touch::Excluded, |_, y| y >= 0);
    let coin = world.add_shape(Shape::sprite(Mask::from_fn(4, 4, |_, _| true).unwrap())).unwrap();
    let coin = Body::new(coin, [5, -4]);
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let body = Body::new(ball, [0.3, -20.0]).moving([0, 40]).grouped(9);
    let smooth = |world: &World, counts: &dyn Fn(BodyId) -> bool| {
        let mut queries = Queries::new();
        let search = queries.on(world);
        let stop = search.sweep(&body, |impact| counts(impact.other)).unwrap().stop.unwrap();
        search.smooth_normal(&body, &stop, WINDOW, counts).unwrap()
    };
    assert_eq!(smooth(&world, &|_| true), [0.0, -1.0]);
    let id = world.add(&coin).unwrap();
    assert!(smooth(&world, &|_| true)[0] < -0.1);
    assert_eq!(smooth(&world, &|id| id == ground), [0.0, -1.0]);
    let ray = |world: &World, hits| {
        let (mut queries, ray) = (Queries::new(), RayCast::new([0.5, -20.0], [0.5, 20.0]).hitting(hits));
        let search = queries.on(world);
        let hit = search.first(&ray).unwrap().unwrap();
        search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap().normal
    };
    assert!(ray(&world, u32::MAX)[0] < -0.1);
    world.set(id, &coin.filtered(4, 1)).unwrap();
    assert_eq!(ray(&world, 1), [0.0, -1.0]);
    for apart in [coin.grouped(9), coin.filtered(1, 2), coin.filtered(0, 1)] {
        world.set(id, &apart).unwrap();
        assert_eq!(smooth(&world, &|_| true), [0.0, -1.0], "{apart:?}");
    }
}

#[test]
fn bad_values_are_errors_by_name() {
    let (mut world, id) = picture(Touch::Excluded, |_, y| y >= 0);
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    let body = Body::new(ball, [0, -20]).moving([0, 40]);
    let (mut queries, ray) = (Queries::new(), RayCast::new([0.5, -9.0], [0.5, 9.0]));
    let search = queries.on(&world);
    let stop = search.sweep(&body, |_| true).unwrap().stop.unwrap();
    let hit = search.first(&ray).unwrap().unwrap();
    for window in [f64::NAN, f64::INFINITY, -8.0, 0.0, 0.99, 64.01, 1e300] {
        let errors = [
            world.surface_normal(&[id], [0, 0], window).unwrap_err(),
            search.smooth_normal(&body, &stop, window, |_| true).unwrap_err(),
            search.smooth_ray_contact(&ray, &hit, window).unwrap_err(),
        ];
        for error in errors {
            let message = error.to_string();
            assert_eq!(message, format!("`window` is {}; it must lie between 1 and 64 units", Text(window)));
        }
    }
    for at in [[f64::NAN, 0.0], [2_097_152.0, 0.0], [0.0, f64::NEG_INFINITY]] {
        let error = world.surface_normal(&[id], at, WINDOW).unwrap_err();
        assert!(matches!(&error, Error::Value { field, .. } if field.starts_with("at.")), "{error}");
    }
    let mut far = stop;
    far.at = [f64::NAN, 0.0].into();
    assert!(matches!(search.smooth_normal(&body, &far, WINDOW, |_| true), Err(Error::Value { .. })));
    let mut without = world.clone();
    without.remove(id).unwrap();
    let mut queries = Queries::new();
    let search = queries.on(&without);
    let gone = |error: Error| assert!(matches!(error, Error::Gone { .. }), "{error}");
    gone(without.surface_normal(&[id], [0, 0], WINDOW).unwrap_err());
    gone(search.smooth_normal(&body, &stop, WINDOW, |_| true).unwrap_err());
    gone(search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap_err());
}

/// A number formatted as in messages.
struct Text(f64);

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 > 1e15 && self.0.is_finite() { write!(f, "{:e}", self.0) } else { write!(f, "{}", self.0) }
    }
}

#[test]
fn at_the_ends_of_the_world_it_does_not_fail() {
    let mut world = World::default();
    let most = 2_097_151.0;
    let solid = world.add_shape(Shape::sprite(Mask::from_fn(20, 20, |_, _| true).unwrap())).unwrap();
    let [ball, dot] = [1.0, 0.25].map(|radius| world.add_shape(Shape::circle(radius).unwrap()).unwrap());
    for [x, y] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
        let corner = |v: f64| if v < 0.0 { -most } else { most - 20.0 };
        let id = world.add(&Body::new(solid, [corner(x), corner(y)])).unwrap();
        let edge = [x * (most - 20.0), y * (most - 10.0)];
        assert_eq!(world.surface_normal(&[id], edge, WINDOW).unwrap(), Some([-x, 0.0]));
        for window in [1.0, 64.0] {
            world.surface_normal(&[id], [x * 2_097_151.99, y * 2_097_151.99], window).unwrap();
        }
        let mut queries = Queries::new();
        let search = queries.on(&world);
        let body = Body::new(ball, [edge[0] - x * 9.0, edge[1] + 0.3]).moving([x * 20.0, 0.0]);
        let (_, normal) = stopped(search, &body).unwrap();
        assert_eq!(normal, [-x, 0.0]);
        let ray = RayCast::new([edge[0] + x * 10.5, edge[1] - y * 30.0], [edge[0] + x * 10.5, edge[1]]);
        let hit = search.first(&ray).unwrap().unwrap();
        assert_eq!(search.smooth_ray_contact(&ray, &hit, WINDOW).unwrap().normal, [0.0, -y]);
        // From between the sprite and the edge of the world.
        let body = Body::new(dot, [x * (most + 0.5), edge[1]]).moving([-2.0 * x, 0.0]);
        let (_, normal) = stopped(search, &body).unwrap();
        assert_eq!(normal, [x, 0.0]);
    }
}

/// Nothing rounds, so a hash of many answers is equal on every machine.
#[test]
fn it_is_the_same_on_every_machine() {
    let mut random = SplitMix64(13);
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let (world, id) = picture(Touch::Excluded, |x, y| y >= -(x * 3).div_euclid(7) && (x * x + y * y) % 11 != 0);
    for _ in 0..500 {
        let at = [random.below(8000), random.below(8000)].map(|v| f64::from(v) / 256.0 - 15.0);
        let window = f64::from(1 + random.below(16));
        for v in world.surface_normal(&[id], at, window).unwrap().unwrap_or_default() {
            hash = (hash ^ v.to_bits()).wrapping_mul(0x0100_0000_01b3);
        }
    }
    assert_eq!(hash, 0x5cb3_cdc2_7847_da16, "{hash:#x}");
}
