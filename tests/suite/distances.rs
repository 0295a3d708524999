//! Distances and closest points of two bodies, and pushes along one axis: random pairs of all kinds against brute
//! force, which knows only landed pieces and painted pixels, and against the definition of a hit.

use hitmask::geometry::{MAX_COORDINATE, Point, Vec2};
use hitmask::query::{Nearest, Queries};
use hitmask::response::Axis;
use hitmask::{Ask, Body, BodyId, Engine, Error, Linear, Mask, Shape, Touch, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::SplitMix64;

type P = [i128; 2];
type V = [f64; 2];

fn sub(p: P, q: P) -> P {
    [p[0] - q[0], p[1] - q[1]]
}

fn dot(p: P, q: P) -> i128 {
    p[0] * q[0] + p[1] * q[1]
}

fn cross(p: P, q: P) -> i128 {
    p[0] * q[1] - p[1] * q[0]
}

/// Returns the convex parts of a body and their radius: its pieces, or the squares of the pixels that it paints.
fn parts(world: &World, id: BodyId) -> (Vec<Vec<P>>, i128) {
    let wide = |p: &Point| [i128::from(p.x), i128::from(p.y)];
    if let Some(landed) = world.landed(id) {
        let pieces = landed.iter().map(|piece| piece.vertices.iter().map(wide).collect());
        return (pieces.collect(), landed[0].radius.into());
    }
    let Some([left, top, width, height]) = world.pixels(id) else { return (Vec::new(), 0) };
    let all = (top..top + height).flat_map(|y| (left..left + width).map(move |x| [x, y]));
    let corners = |[x, y]: [i32; 2]| {
        let [x, y] = [i128::from(x), i128::from(y)].map(|v| 256 * v);
        vec![[x, y], [x + 256, y], [x + 256, y + 256], [x, y + 256]]
    };
    (all.filter(|&pixel| world.texel(id, pixel).is_some()).map(corners).collect(), 0)
}

/// Returns whether some line keeps two hulls apart: one across a segment between two vertices of one of them, or across
/// one from one to the other.
fn are_apart(a: &[P], b: &[P]) -> bool {
    let within = |part: &[P]| -> Vec<P> {
        part.iter().flat_map(|&p| part.iter().map(move |&q| sub(q, p))).map(|[x, y]| [-y, x]).collect()
    };
    let between = a.iter().flat_map(|&p| b.iter().map(move |&q| sub(q, p)));
    let along = |part: &[P], n: P| {
        let all = part.iter().map(|&p| dot(n, p));
        [all.clone().min().unwrap(), all.max().unwrap()]
    };
    let mut ways = within(a).into_iter().chain(within(b)).chain(between);
    ways.any(|n| along(a, n)[1] < along(b, n)[0] || along(b, n)[1] < along(a, n)[0])
}

/// A vertex of one part, and a place on a segment between two vertices of another: the square of their distance, as a
/// fraction, and both in lattice steps, the vertex first.
type Found = ([i128; 2], [V; 2]);

/// Returns a point and the nearest point of a segment.
fn foot(at: P, p: P, q: P) -> Found {
    let (along, off) = (sub(q, p), sub(at, p));
    let (part, whole) = (dot(along, off), dot(along, along));
    let wide = |p: P| p.map(|v| v as f64);
    if part <= 0 || part >= whole {
        let end = if part <= 0 { p } else { q };
        return ([dot(sub(at, end), sub(at, end)), 1], [at, end].map(wide));
    }
    let t = part as f64 / whole as f64;
    let on = [0, 1].map(|k| p[k] as f64 + along[k] as f64 * t);
    ([cross(along, off).pow(2), whole], [wide(at), on])
}

/// Compares two fractions.
fn compare([p, q]: [i128; 2], [r, s]: [i128; 2]) -> std::cmp::Ordering {
    (p * s).cmp(&(r * q))
}

/// Returns the least square of a distance between the cores of two bodies, and all pairs of points that are so close;
/// no points if cores meet; `None` without cores.
fn closest(a: &[Vec<P>], b: &[Vec<P>]) -> Option<([i128; 2], Vec<[V; 2]>)> {
    let (mut least, mut points) = ([i128::MAX, 0], Vec::new());
    for (a, b) in a.iter().flat_map(|a| b.iter().map(move |b| (a, b))) {
        if !are_apart(a, b) {
            return Some(([0, 1], Vec::new()));
        }
        for (from, to, swapped) in [(a, b, false), (b, a, true)] {
            for &at in from {
                for (&p, &q) in to.iter().flat_map(|p| to.iter().map(move |q| (p, q))) {
                    let (square, [vertex, on]) = foot(at, p, q);
                    let order = if least[1] == 0 { std::cmp::Ordering::Less } else { compare(square, least) };
                    if order.is_lt() {
                        (least, points) = (square, Vec::new());
                    }
                    if order.is_le() {
                        points.push(if swapped { [on, vertex] } else { [vertex, on] });
                    }
                }
            }
        }
    }
    (least[1] > 0).then_some((least, points))
}

/// Checks the distance of a pair. Returns whether it is more than 0, and whether several pairs of points are as close.
fn check_distance(world: &World, [a, b]: [BodyId; 2], named: &str) -> [bool; 2] {
    let found = world.distance(a, b).unwrap();
    let swapped = world.distance(b, a).unwrap();
    let exchanged = found.map(|found| (found.distance, found.points.map(|[p, q]| [q, p])));
    assert_eq!(swapped.map(|found| (found.distance, found.points)), exchanged, "{named}");
    let ((a, first), (b, second)) = (parts(world, a), parts(world, b));
    let Some(([square, scale], all)) = closest(&a, &b) else {
        assert_eq!(found, None, "{named}");
        return [false; 2];
    };
    let root = ((square / scale) as f64 + (square % scale) as f64 / scale as f64).sqrt();
    let distance = (root - (first + second) as f64).max(0.0) / 256.0;
    let found = found.unwrap_or_else(|| panic!("{named}: nothing, not {distance}"));
    assert_eq!(found.distance, distance, "{named}");
    let Some(points) = found.points else {
        assert_eq!(distance, 0.0, "{named}");
        return [false; 2];
    };
    // Onto the outlines, by the radii.
    let outward = |[p, q]: [V; 2]| {
        let along = [0, 1].map(|k| (q[k] - p[k]) / root);
        let out = |p: V, by: i128| [0, 1].map(|k| (p[k] + along[k] * by as f64) / 256.0);
        [out(p, first), out(q, -second)]
    };
    let middle = |[p, q]: [V; 2]| [p[1] + q[1], p[0] + q[0]];
    let near = |v: f64, w: f64| (v - w).abs() < 1e-6;
    let all: Vec<[V; 2]> = all.into_iter().map(outward).collect();
    let top = all.iter().map(|&points| middle(points)[0]).fold(f64::INFINITY, f64::min);
    let upper = all.iter().filter(|&&points| near(middle(points)[0], top));
    let first = upper.min_by(|&&p, &&q| middle(p)[1].total_cmp(&middle(q)[1])).unwrap();
    let points: [V; 2] = points.map(Into::into);
    let is_first = (0..2).all(|k| (0..2).all(|axis| near(points[k][axis], first[k][axis])));
    assert!(is_first, "{named}: {points:?}, not {first:?}");
    let several = all.iter().any(|&points| (0..2).any(|k| !near(middle(points)[k], middle(*first)[k])));
    [true, several]
}

/// Returns the pairs of a random scene's bodies, at rest, spread out by a factor, with at most `most` pairs of corners.
fn scene(seed: u64, apart: f64, most: usize) -> (World, Vec<[BodyId; 2]>) {
    let mut scene = random_scene(seed);
    let origin = scene.bodies.first().map_or([0.0; 2], |body| body.at);
    let is_near = origin.iter().all(|v| v.abs() < 1e6);
    for body in &mut scene.bodies {
        body.motion = [0.0; 2];
        if is_near {
            body.at = [0, 1].map(|k| origin[k] + (body.at[k] - origin[k]) * apart);
        }
    }
    let world = scene.world().unwrap();
    let corners = |id| parts(&world, id).0.iter().map(|part| part.len() * part.len()).sum::<usize>();
    let sizes: Vec<_> = world.ids().map(|id| (id, corners(id))).collect();
    let pairs = sizes.iter().enumerate().flat_map(|(i, a)| sizes[i + 1..].iter().map(move |b| (a, b)));
    let pairs = pairs.filter(|(a, b)| a.1 * b.1 <= most).map(|(a, b)| [a.0, b.0]).collect();
    (world, pairs)
}

#[test]
fn distances_and_closest_points_are_those_of_brute_force() {
    let mut kinds = [[0; 3]; 2];
    for seed in 70_000..71_500 {
        let (world, pairs) = scene(seed, [1.0, 3.0][seed as usize % 2], 1 << 20);
        for pair in pairs.into_iter().take(12) {
            let found = check_distance(&world, pair, &format!("scene {seed}, {pair:?}"));
            let sprites = pair.iter().filter(|&&id| world.landed(id).is_none()).count();
            for k in 0..2 {
                kinds[k][sprites] += usize::from(found[k]);
            }
        }
    }
    assert!(kinds[0].iter().all(|&apart| apart > 250) && kinds[1].iter().all(|&several| several > 30), "{kinds:?}");
}

/// Returns whether a pair hits at rest with the first body moved by some lattice steps, by the definition.
struct Definition {
    world: World,
    first: BodyId,
    at: Vec2,
}

impl Definition {
    fn new(world: &World, pair: [BodyId; 2]) -> Self {
        let mut two = World::new(world.touch());
        let mut copy = |id: BodyId| {
            let body = world.body(id).unwrap();
            let shape = two.add_shape(world.shape(body.shape).unwrap().clone()).unwrap();
            (two.add(&Body::new(shape, body.at).posed(body.linear)).unwrap(), body.at)
        };
        let ((first, at), _) = (copy(pair[0]), copy(pair[1]));
        Self { world: two, first, at }
    }

    fn hits(&mut self, axis: Axis, steps: i32) -> bool {
        let by = f64::from(steps) / 256.0;
        let at = self.at + if axis == Axis::X { [by, 0.0] } else { [0.0, by] };
        self.world.set(self.first, &Body { at, ..self.world.body(self.first).unwrap() }).unwrap();
        !Engine::reference().run(&self.world, Ask::Pairs).unwrap().pairs.is_empty()
    }
}

/// Checks the pushes of a pair along both axes, at up to `most` places each way. Returns how many there are.
fn check_pushes(world: &World, [a, b]: [BodyId; 2], most: usize, named: &str) -> usize {
    let mut definition = Definition::new(world, [a, b]);
    let step = if [a, b].iter().any(|&id| world.landed(id).is_none()) { 256 } else { 1 };
    let mut pushes = 0;
    for axis in [Axis::X, Axis::Y] {
        let Some(push) = world.push_along(a, b, axis).unwrap() else {
            assert!(!definition.hits(axis, 0), "{named} along {axis:?}: no push");
            continue;
        };
        let [by, aside] = if axis == Axis::X { [push.x, push.y] } else { [push.y, push.x] };
        let by = (by * 256.0) as i32;
        assert!(aside == 0.0 && by != 0 && by % step == 0, "{named} along {axis:?}: {push:?}");
        assert!(!definition.hits(axis, by), "{named} along {axis:?}: still hits after {push:?}");
        assert!(by < 0 || definition.hits(axis, -by), "{named} along {axis:?}: {push:?}, not the opposite");
        // All shorter ones; or if they are many, the longest of them and some others.
        let shorter = by.unsigned_abs() as usize / step as usize;
        for k in (0..shorter).rev().take(most / 2).chain((0..shorter).step_by(1 + shorter / (most / 2))) {
            for way in [k as i32 * step, -(k as i32) * step] {
                assert!(definition.hits(axis, way), "{named} along {axis:?}: {push:?}, but {way} steps are enough");
            }
        }
        pushes += 1;
    }
    pushes
}

#[test]
fn a_push_along_an_axis_is_the_shortest_that_ends_the_hit() {
    let mut kinds = [0; 3];
    for seed in 72_000..73_500 {
        let (world, pairs) = scene(seed, 0.5, 1 << 22);
        // Moved beyond the edge of the world, a body would be refused.
        let is_within = |id: &BodyId| world.body(*id).is_some_and(|body| body.at.x.abs().max(body.at.y.abs()) < 2e6);
        for pair in pairs.into_iter().filter(|pair| pair.iter().all(is_within)).take(5) {
            let sprites = pair.iter().filter(|&&id| world.landed(id).is_none()).count();
            let most = [80, 20, 20][sprites];
            kinds[sprites] += check_pushes(&world, pair, most, &format!("scene {seed}, {pair:?}"));
        }
    }
    assert!(kinds.iter().all(|&pushes| pushes > 80), "{kinds:?}");
}

/// The guide's recipe for fighters: one body goes half of the way, the other as far as is still needed.
#[test]
fn two_bodies_that_share_a_push_no_longer_hit() {
    let mut kinds = [0; 3];
    let shove = |world: &mut World, id: BodyId, by: Vec2| {
        let body = world.body(id).unwrap();
        world.set(id, &Body { at: body.at + by, ..body }).unwrap();
    };
    for seed in 76_000..76_600 {
        let (world, pairs) = scene(seed, 0.5, 1 << 22);
        let is_within = |id: &BodyId| world.body(*id).is_some_and(|body| body.at.x.abs().max(body.at.y.abs()) < 2e6);
        for [a, b] in pairs.into_iter().filter(|pair| pair.iter().all(is_within)).take(5) {
            for axis in [Axis::X, Axis::Y] {
                let Some(push) = world.push_along(a, b, axis).unwrap() else { continue };
                let mut world = world.clone();
                shove(&mut world, a, push * 0.5);
                if let Some(push) = world.push_along(b, a, axis).unwrap() {
                    shove(&mut world, b, push);
                }
                assert_eq!(world.push_along(a, b, axis).unwrap(), None, "scene {seed}, {a:?} and {b:?} along {axis:?}");
                kinds[[a, b].iter().filter(|&&id| world.landed(id).is_none()).count()] += 1;
            }
        }
    }
    assert!(kinds.iter().all(|&pushes| pushes > 30), "{kinds:?}");
}

/// Returns a world with a body of each shape, and the bodies.
fn world_of<const N: usize>(touch: Touch, bodies: [(Shape, V); N]) -> (World, [BodyId; N]) {
    let mut world = World::new(touch);
    let bodies = bodies.map(|(shape, at)| {
        let shape = world.add_shape(shape).unwrap();
        world.add(&Body::new(shape, at)).unwrap()
    });
    (world, bodies)
}

fn rect(w: f64, h: f64) -> Shape {
    Shape::rect(w, h).unwrap()
}

#[test]
fn a_push_goes_on_until_no_piece_hits() {
    // Out of the tooth of a comb is into the next, up to the comb's end or above its teeth.
    let outline = [[0, 0], [1, 0], [1, 8], [3, 8], [3, 0], [4, 0], [4, 8], [6, 8], [6, 0], [7, 0], [7, 9], [0, 9]];
    for touch in [Touch::Excluded, Touch::Included] {
        let bodies = [(rect(2.5, 4.0), [1.5, 6.0]), (Shape::polygon(&outline).unwrap(), [0.0, 0.0])];
        let (world, [a, b]) = world_of(touch, bodies);
        let more = if touch == Touch::Included { 1.0 / 256.0 } else { 0.0 };
        assert_eq!(world.push_along(a, b, Axis::X).unwrap(), Some([-4.0 - more, 0.0].into()));
        assert_eq!(world.push_along(a, b, Axis::Y).unwrap(), Some([0.0, 3.0 + more].into()));
    }
}

#[test]
fn a_distance_to_a_small_ball_is_that_of_the_nearest_query() {
    let (mut queries, mut random) = (Queries::new(), SplitMix64(9));
    let mut compared = 0;
    for seed in 74_000..74_200 {
        let (mut world, _) = scene(seed, 1.0, 0);
        let ball = world.add_shape(Shape::circle(1.0 / 256.0).unwrap()).unwrap();
        let Some(at) = world.ids().next().and_then(|id| world.body(id)).map(|body| body.at) else { continue };
        let at = at + [0, 1].map(|_| f64::from(random.below(40)) - 20.0);
        let Ok(ball) = world.add(&Body::new(ball, at)) else { continue };
        let mut found = Vec::new();
        queries.on(&world).except(&[ball]).unwrap().all(&Nearest::new(at), &mut found).unwrap();
        for near in found {
            let distance = world.distance(ball, near.body).unwrap().unwrap().distance;
            assert!((distance - (near.distance - 1.0 / 256.0).max(0.0)).abs() < 1e-9, "scene {seed}: {near:?}");
            compared += 1;
        }
    }
    assert!(compared > 800, "{compared}");
}

#[test]
fn points_are_on_the_outlines_the_uppermost_first() {
    let ring = Mask::from_rows(&["####", "#..#", "#..#", "####"]).unwrap();
    let (world, [left, right, ball, ring]) = world_of(
        Touch::Excluded,
        [
            (rect(4.0, 8.0), [0.0, 0.0]),
            (rect(4.0, 8.0), [10.0, 3.0]),
            (Shape::circle(2.0).unwrap(), [7.0, 20.0]),
            (Shape::sprite(ring), [0.0, 30.0]),
        ],
    );
    let points = |a, b| world.distance(a, b).unwrap().map(|found| (found.distance, found.points));
    assert_eq!(points(left, right), Some((6.0, Some([[4, 3].into(), [10, 3].into()]))));
    assert_eq!(points(right, left), Some((6.0, Some([[10, 3].into(), [4, 3].into()]))));
    assert_eq!(points(left, ring), Some((22.0, Some([[0, 8].into(), [0, 30].into()]))));
    assert_eq!(points(ball, ball), Some((0.0, None)));
    let found = world.distance(ball, right).unwrap().unwrap();
    assert!((found.distance - (90.0_f64.sqrt() - 2.0)).abs() < 1e-12, "{found:?}");
}

#[test]
fn bodies_that_are_off_or_empty_or_gone_have_no_distance_and_no_push() {
    let bodies = [(rect(4.0, 4.0), [0.0, 0.0]), (rect(4.0, 4.0), [2.0, 1.0])];
    let (mut world, [a, b]) = world_of(Touch::Excluded, bodies);
    let answers = |world: &World| {
        (world.distance(a, b).unwrap().map(|found| found.distance), world.push_along(a, b, Axis::X).unwrap())
    };
    assert_eq!(answers(&world), (Some(0.0), Some([-2, 0].into())));
    // Filters do not matter; motions neither.
    let body = world.body(b).unwrap();
    world.set(b, &body.filtered(2, 0).moving([50, 0])).unwrap();
    assert_eq!(answers(&world), (Some(0.0), Some([-2, 0].into())));
    assert_eq!(world.push_along(a, a, Axis::Y).unwrap(), None);
    world.set_enabled(b, false).unwrap();
    assert_eq!(answers(&world), (None, None));
    world.set(b, &body.posed(Linear::scaled(0.0))).unwrap();
    assert_eq!(answers(&world), (None, None));
    world.remove(b).unwrap();
    assert!(matches!(world.distance(a, b), Err(Error::Gone { .. })));
    assert!(matches!(world.push_along(b, a, Axis::X), Err(Error::Gone { .. })));
}

/// Tests bodies of the world's size and at its edges, whose differences are the largest.
#[test]
fn the_largest_bodies_are_measured_and_pushed() {
    let edge = f64::from(MAX_COORDINATE) / 256.0;
    let square = [[-edge, -edge], [edge, -edge], [edge, edge], [-edge, edge]];
    let slanted = [[-edge, -edge], [edge, 1.0 - edge], [edge, edge], [1.0 - edge, edge]];
    let far = edge - 1e4;
    let round = Shape::rounded_polygon(&[[-far, -far], [far, 3.0 - far], [5.0 - far, far]], 1e4).unwrap();
    let (world, ids) = world_of(
        Touch::Included,
        [
            (Shape::polygon(&square).unwrap(), [0.0; 2]),
            (Shape::polygon(&slanted).unwrap(), [0.0; 2]),
            (round, [0.0; 2]),
        ],
    );
    for pair in ids.iter().flat_map(|&a| ids.map(|b| [a, b])).filter(|[a, b]| a != b) {
        check_distance(&world, pair, &format!("{pair:?}"));
        for axis in [Axis::X, Axis::Y] {
            let push = world.push_along(pair[0], pair[1], axis).unwrap().unwrap();
            assert!(push.x.abs() + push.y.abs() > edge, "{pair:?}: {push:?}");
        }
    }
    let [dot, ball] = [rect(1.0 / 256.0, 1.0 / 256.0), Shape::circle(1.0 / 256.0).unwrap()];
    let last = edge - 1.0 / 256.0;
    let (world, [a, b]) = world_of(Touch::Excluded, [(dot, [-edge; 2]), (ball, [last; 2])]);
    assert_eq!(check_distance(&world, [a, b], "corners"), [true, false]);
}
