use std::collections::HashSet;

use proptest::prelude::*;

use super::*;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;
use crate::hits::Ask;
use crate::reference;
use crate::world::body::Body as Enter;
use crate::world::pieces::tree_of_one;
use crate::world::pose::land;
use crate::world::pose::texel::texel;
use crate::world::seam::seams;
use crate::world::shape::{Geometry, Shape};

mod slots;

/// Two bodies at positions of the lattice.
#[derive(Clone, Debug)]
struct Scene {
    touch: Touch,
    shapes: [Shape; 2],
    at: [Point; 2],
    linear: [Linear; 2],
    motion: [Vec2; 2],
}

impl Scene {
    fn new(shapes: [Shape; 2], at: [[f64; 2]; 2]) -> Self {
        let at = at.map(|at| Vec2::from(at).snap("at", i32::MAX).unwrap());
        let (linear, motion) = ([Linear::IDENTITY; 2], [Vec2::default(); 2]);
        Self { touch: Touch::Excluded, shapes, at, linear, motion }
    }

    fn touching(self) -> Self {
        Self { touch: Touch::Included, ..self }
    }

    fn world(&self) -> World {
        let mut world = World::new(self.touch);
        for i in 0..2 {
            let shape = world.add_shape(self.shapes[i].clone()).unwrap();
            let body = Enter::new(shape, self.at[i].units()).posed(self.linear[i]).moving(self.motion[i]);
            world.add(&body).unwrap();
        }
        world
    }

    /// Returns the detail from the reference, if the pair hits.
    fn detail(&self) -> Option<Detail> {
        reference::run(&self.world(), Ask::Details).details.pop()
    }

    fn contact(&self) -> Contact {
        self.world().contact([0, 1], &self.detail().expect("the pair hits"))
    }

    /// Returns whether the pair hits with the first body moved by `shift` lattice steps.
    fn hits(&self, shift: Point) -> bool {
        Self { at: [self.at[0] + shift, self.at[1]], ..self.clone() }.detail().is_some()
    }

    fn swapped(mut self) -> Self {
        self.shapes.reverse();
        self.at.reverse();
        self.linear.reverse();
        self.motion.reverse();
        self
    }

    /// Returns the pair at rest as it stands at its tick.
    fn at_contact(&self) -> Self {
        let world = self.world();
        let tick = self.detail().unwrap().tick();
        let packed = world.packed();
        let moment = Moment::new(packed, &[packed.body(0), packed.body(1)], tick, self.touch);
        Self { at: moment.bodies.map(|body| body.position), motion: [Vec2::default(); 2], ..self.clone() }
    }
}

fn rect(w: f64, h: f64) -> Shape {
    Shape::rect(w, h).unwrap()
}

fn circle(r: f64) -> Shape {
    Shape::circle(r).unwrap()
}

fn sprite(rows: &[&str]) -> Shape {
    Shape::sprite(Mask::from_rows(rows).unwrap())
}

/// Makes a polygon of the given pieces, in units.
fn pieces(pieces: &[&[[f64; 2]]]) -> Shape {
    let point = |&p: &[f64; 2]| Vec2::from(p).snap("p", i32::MAX).unwrap();
    let pieces: Vec<Vec<Point>> = pieces.iter().map(|piece| piece.iter().map(point).collect()).collect();
    let (pieces, nodes) = tree_of_one(pieces);
    let seams = seams(&pieces.iter().map(|piece| (&piece[..], 0)).collect::<Vec<_>>());
    let (rings, members) = (Vec::new(), Vec::new());
    Shape { geometry: Geometry::Convex { seams, pieces, nodes, rings, radius: 0, members }, anchor: Point::ZERO }
}

fn block(x: f64, y: f64, w: f64, h: f64) -> [[f64; 2]; 4] {
    [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
}

/// Makes a U, open above: walls 4 wide and 20 high, 12 apart, on a floor 4 high.
fn cup() -> Shape {
    pieces(&[&block(0.0, 0.0, 4.0, 20.0), &block(16.0, 0.0, 4.0, 20.0), &block(0.0, 16.0, 20.0, 4.0)])
}

#[track_caller]
fn assert_contact(scene: Scene, normal: [f64; 2], depth: f64) {
    let found = scene.contact();
    let near = |p: f64, q: f64| (p - q).abs() < 1e-12;
    assert!(
        near(found.depth, depth) && near(found.normal[0], normal[0]) && near(found.normal[1], normal[1]),
        "{found:?}, not {normal:?} {depth}"
    );
    let swapped = scene.swapped().contact();
    assert!(near(swapped.depth, depth), "{swapped:?} after swapping");
    assert!(near(swapped.normal[0], -normal[0]) && near(swapped.normal[1], -normal[1]), "{swapped:?} after swapping");
}

/// Returns a contact that leads up.
fn up(depth: f64) -> Contact {
    Contact { normal: [0.0, -1.0], depth, push: Point::new(0, (-256.0 * depth) as i32) }
}

#[test]
fn boxes_part_where_they_overlap_least() {
    let pair = || [rect(10.0, 10.0), rect(10.0, 10.0)];
    assert_contact(Scene::new(pair(), [[0.0, 0.0], [5.0, 8.0]]), [0.0, -1.0], 2.0);
    assert_contact(Scene::new(pair(), [[0.0, 0.0], [5.0, -8.0]]), [0.0, 1.0], 2.0);
    assert_contact(Scene::new(pair(), [[0.0, 0.0], [7.5, 5.0]]), [-1.0, 0.0], 2.5);
    assert_contact(Scene::new(pair(), [[0.0, 0.0], [-7.5, 5.0]]), [1.0, 0.0], 2.5);
    assert_contact(Scene::new(pair(), [[0.0, 0.0], [10.0, 3.0]]).touching(), [-1.0, 0.0], 0.0);
}

#[test]
fn round_bodies_part_along_the_line_between() {
    let circles = [circle(5.0), circle(3.0)];
    assert_contact(Scene::new(circles.clone(), [[0.0, 0.0], [3.0, 4.0]]), [-0.6, -0.8], 3.0);
    assert_contact(Scene::new(circles.clone(), [[0.0, 0.0], [8.0, 0.0]]).touching(), [-1.0, 0.0], 0.0);
    assert_eq!(Scene::new(circles, [[1.5, 2.5]; 2]).contact(), up(8.0));
    // A box's corner, and its side.
    assert_contact(Scene::new([circle(6.0), rect(8.0, 8.0)], [[-3.0, -4.0], [0.0, 0.0]]), [-0.6, -0.8], 1.0);
    assert_contact(Scene::new([circle(6.0), rect(8.0, 8.0)], [[1.0, 3.0], [0.0, 0.0]]), [-1.0, 0.0], 7.0);
    // A capsule's side on a triangle's tip, and across its own kind.
    let capsule = Shape::capsule([-10.0, 0.0], [10.0, 0.0], 2.0).unwrap();
    let triangle = pieces(&[&[[0.0, 0.0], [4.0, 8.0], [-4.0, 8.0]]]);
    assert_contact(Scene::new([capsule.clone(), triangle], [[1.0, -1.5], [0.0, 0.0]]), [0.0, -1.0], 0.5);
    let upright = Shape::capsule([0.0, -10.0], [0.0, 10.0], 2.0).unwrap();
    assert_contact(Scene::new([capsule.clone(), upright], [[7.0, 0.0], [0.0, 0.0]]), [1.0, 0.0], 7.0);
    // Two segments in line: their differences are one too.
    let along = Scene::new([capsule.clone(), capsule], [[5.0, 0.0], [0.0, 0.0]]);
    assert_eq!(along.contact(), up(4.0));
}

#[test]
fn ties_go_up() {
    let square = [rect(4.0, 4.0), rect(4.0, 4.0)];
    assert_eq!(Scene::new(square.clone(), [[3.0, 3.0]; 2]).contact(), up(4.0));
    let corner = Scene::new(square, [[0.0, 0.0], [3.0, 3.0]]);
    assert_eq!(corner.contact(), up(1.0));
    let dots = [sprite(&["##", "##"]), sprite(&["##", "##"])];
    assert_eq!(Scene::new(dots.clone(), [[0.0, 0.0]; 2]).contact(), up(2.0));
    let box_on_dot = Scene::new([rect(2.0, 2.0), dots[0].clone()], [[0.0, 0.0]; 2]);
    assert_eq!(box_on_dot.contact(), up(2.0));
    assert_eq!(box_on_dot.swapped().contact(), up(2.0));
}

#[test]
fn a_concave_body_is_left_as_a_whole() {
    // Out of the floor is up by 3, out of the wall right by 2: out of both is not the longer of the two.
    let corner = |at: [f64; 2]| Scene::new([rect(6.0, 6.0), cup()], [at, [0.0, 0.0]]);
    let both = 13.0_f64.sqrt();
    assert_contact(corner([2.0, 13.0]), [2.0 / both, -3.0 / both], both);
    assert_contact(corner([5.0, 13.0]), [0.0, -1.0], 3.0);
    // Over the rim, because the floor blocks the way down and the cup is too narrow for it.
    let wide = |at: [f64; 2]| Scene::new([rect(13.0, 6.0), cup()], [at, [0.0, 0.0]]);
    assert_contact(wide([3.5, 5.0]), [0.0, -1.0], 11.0);
    // One that fits exactly: sideways by a quarter, touching both walls; if touching is a hit, only over the rim.
    let tight = |at: [f64; 2]| Scene::new([rect(12.0, 6.0), cup()], [at, [0.0, 0.0]]);
    assert_contact(tight([3.75, 5.0]), [1.0, 0.0], 0.25);
    assert_contact(tight([3.75, 5.0]).touching(), [0.0, -1.0], 11.0);
    let snug = Scene::new([rect(12.0, 6.0), cup()], [[4.0, 5.0], [0.0, 0.0]]);
    assert_contact(snug.touching(), [0.0, -1.0], 11.0);
    // A circle in the corner.
    assert_contact(
        Scene::new([circle(3.0), cup()], [[6.0, 14.0], [0.0, 0.0]]),
        [1.0 / 2.0_f64.sqrt(), -1.0 / 2.0_f64.sqrt()],
        2.0_f64.sqrt(),
    );
}

#[test]
fn a_partition_does_not_matter() {
    let outline =
        [[0.0, 0.0], [4.0, 0.0], [4.0, 16.0], [16.0, 16.0], [16.0, 0.0], [20.0, 0.0], [20.0, 20.0], [0.0, 20.0]];
    let polygon = Shape::polygon(&outline).unwrap();
    for (x, y) in (-4..20).flat_map(|x| (-4..20).map(move |y| (f64::from(x) + 0.25, f64::from(y) + 0.5))) {
        for shape in [rect(6.0, 5.0), circle(4.0), rect(13.0, 3.0)] {
            let scenes = [cup(), polygon.clone()].map(|cup| Scene::new([shape.clone(), cup], [[x, y], [0.0, 0.0]]));
            if scenes[0].detail().is_some() {
                let [apart, whole] = scenes.each_ref().map(Scene::contact);
                assert!((apart.depth - whole.depth).abs() < 1e-9, "{apart:?}, {whole:?}: {scenes:?}");
            }
        }
    }
}

#[test]
fn a_seam_between_pieces_is_no_way_out() {
    // A floor in two pieces, and a box in it across the seam; then all of it inside.
    let floor = pieces(&[&block(0.0, 0.0, 50.0, 30.0), &block(50.0, 0.0, 50.0, 30.0)]);
    assert_contact(Scene::new([rect(4.0, 4.0), floor.clone()], [[48.0, -1.0], [0.0, 0.0]]), [0.0, -1.0], 3.0);
    assert_contact(Scene::new([rect(4.0, 4.0), floor.clone()], [[48.0, 20.0], [0.0, 0.0]]), [0.0, 1.0], 10.0);
    assert_contact(Scene::new([circle(2.0), floor.clone()], [[50.0, 5.0], [0.0, 0.0]]), [0.0, -1.0], 7.0);
    // It stands with its corner just at the seam: of a floor, and of a wall.
    assert_contact(Scene::new([rect(4.0, 4.0), floor], [[50.0, -4.0], [0.0, 0.0]]).touching(), [0.0, -1.0], 0.0);
    let wall = pieces(&[&block(0.0, 0.0, 9.0, 50.0), &block(0.0, 50.0, 9.0, 50.0)]);
    assert_contact(Scene::new([rect(4.0, 4.0), wall], [[9.0, 50.0], [0.0, 0.0]]).touching(), [1.0, 0.0], 0.0);
}

/// Tests a polygon of many pieces, of which those far away are left out at first.
#[test]
fn the_way_out_of_some_pieces_is_that_of_all() {
    let top = (0..=60).map(|k| [f64::from(k) * 5.0, f64::from(k * 37 % 23)]);
    let outline: Vec<[f64; 2]> = top.chain([[300.0, 260.0], [0.0, 260.0]]).collect();
    let sprite = sprite(&["..##..", ".####.", "######", ".####."]);
    for (k, other) in [circle(6.0), rect(9.0, 4.0), sprite].into_iter().cycle().take(90).enumerate() {
        let at = [(k * 67 % 300) as f64 + 0.25, (k * 41 % 270) as f64 - 12.0];
        let hills = Shape::polygon(&outline).unwrap();
        let (shapes, places) =
            if k % 2 == 0 { ([other, hills], [at, [0.0; 2]]) } else { ([hills, other], [[0.0; 2], at]) };
        let world = Scene::new(shapes, places).world();
        let bodies = [0, 1].map(|index| world.packed().body(index));
        let all = way_out_of(world.packed(), &bodies, ALL_AROUND, Point::ZERO, world.touch(), None).unwrap().0;
        assert_eq!(way_out(world.packed(), &bodies, Point::ZERO, world.touch()), all, "{k}: {at:?}");
    }
}

#[test]
fn sprites_part_by_whole_pixels() {
    let plus = || sprite(&[".#.", "###", ".#."]);
    let bar = || sprite(&["#####", "#####"]);
    assert_contact(Scene::new([bar(), bar()], [[0.0, 0.0], [1.0, 1.0]]), [0.0, -1.0], 1.0);
    assert_contact(Scene::new([bar(), bar()], [[0.0, 0.0], [1.0, 1.0]]).touching(), [0.0, -1.0], 2.0);
    assert_contact(Scene::new([bar(), bar()], [[0.0, 0.0], [4.0, 0.0]]), [-1.0, 0.0], 1.0);
    assert_contact(Scene::new([bar(), bar()], [[0.0, 0.0], [5.0, 2.0]]).touching(), [0.0, -1.0], 1.0);
    // A plus slips into the corner of another: a diagonal step, shorter than two straight ones.
    assert_contact(Scene::new([plus(), plus()], [[0.0, 0.0], [1.0, 1.0]]), [0.0, -1.0], 1.0);
    let concentric = Scene::new([plus(), plus()], [[0.0, 0.0], [0.0, 0.0]]).contact();
    let normal = [-1.0 / 5.0_f64.sqrt(), -2.0 / 5.0_f64.sqrt()];
    assert_eq!(concentric, Contact { normal, depth: 5.0_f64.sqrt(), push: Point::new(-256, -512) });
    // A sprite on a box that lies a fraction of a pixel higher.
    assert_contact(Scene::new([bar(), rect(9.0, 9.0)], [[2.0, -1.0], [0.0, 0.0]]), [0.0, -1.0], 1.0);
    assert_contact(Scene::new([bar(), rect(9.0, 9.0)], [[2.0, -1.0], [0.0, -0.25]]), [0.0, -1.0], 2.0);
    assert_contact(Scene::new([bar(), rect(9.0, 9.0)], [[2.0, -1.0], [0.0, 0.0]]).touching(), [0.0, -1.0], 2.0);
    assert_contact(Scene::new([bar(), circle(3.0)], [[1.0, -1.0], [0.0, 0.0]]), [1.0, 0.0], 2.0);
}

#[test]
fn a_moving_pair_is_looked_at_where_it_meets() {
    let mut scene = Scene::new([rect(4.0, 4.0), rect(4.0, 4.0)], [[0.0, 0.0], [10.0, 1.0]]);
    scene.motion[0] = [256.0, 0.0].into();
    let found = scene.contact();
    assert_eq!((found.normal, found.depth <= 1.0 / 64.0), ([-1.0, 0.0], true), "{found:?}");
    let mut scene = Scene::new([sprite(&["##"]), sprite(&["##"])], [[0.0, 0.0], [10.0, 0.0]]);
    scene.motion[0] = [300.0, 0.0].into();
    assert_eq!(scene.contact(), up(1.0));
    // It has come 9 pixels, the last half step of them by rounding up.
    assert_eq!(scene.detail().unwrap().time, Some([1966, 65536]));
    let (mask, at) = scene.world().overlap_mask([0, 1], &scene.detail().unwrap()).unwrap();
    assert_eq!((mask.to_rows(), at), (vec!["#".to_string()], [10, 0]));
}

#[test]
fn what_does_not_hit_has_no_depth() {
    let apart = |shapes| Scene::new(shapes, [[0.0, 0.0], [30.0, 40.0]]).world();
    for world in [
        apart([rect(2.0, 2.0), sprite(&["#"])]),
        apart([sprite(&["#"]), sprite(&["#"])]),
        apart([sprite(&["."]), sprite(&["#"])]),
        apart([rect(2.0, 2.0), sprite(&["."])]),
    ] {
        assert_eq!(world.contact([0, 1], &Detail::default()), Contact::NONE);
        assert_eq!(world.overlap_mask([0, 1], &Detail::default()), None);
    }
    let world = apart([circle(2.0), circle(1.0)]);
    assert_eq!(world.contact([0, 1], &Detail::default()), Contact { normal: [-0.6, -0.8], ..Contact::NONE });
    let strange = Detail {
        time: Some([u32::MAX; 2]),
        area: Some(5),
        overlap: Some(Overlap { bounds: [i32::MAX, i32::MIN, 8192, 8192], first: [0, 0], sums: [0, 0] }),
    };
    for pair in [[0, 1], [1, 0], [0, 0], [0, 2], [u32::MAX, 0]] {
        assert_eq!(world.contact(pair, &strange).depth, 0.0);
        assert_eq!(world.overlap_mask(pair, &strange), None);
    }
    let world = apart([sprite(&["#"]), sprite(&["#"])]);
    assert_eq!(world.contact([0, 1], &strange), Contact::NONE);
    let _ = world.overlap_mask([0, 1], &strange);
}

/// Makes a mask in which one texel in `part` is solid, or all but a hole.
fn dithered(side: u32, part: u32) -> Shape {
    let mut random = hitmask_workbench::workloads::SplitMix64(5);
    let mut mask = Mask::new(side, side).unwrap();
    for (x, y) in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
        let hole = part == 1 && [x, y].iter().all(|v| (side / 3..side / 2).contains(v));
        mask.set(x, y, !hole && random.below(part) == 0).unwrap();
    }
    let middle = f64::from(side) / 2.0;
    Shape::sprite(mask).anchored([middle, middle]).unwrap()
}

/// Compares sheared and scaled sprites with the shortest of all ways that end the hit.
#[test]
fn sheared_sprites_leave_by_the_shortest_of_all_ways() {
    let linears = [
        Linear { x: [2.0, 9.0], y: [0.0, 1.0] },
        Linear { x: [5.0, 5.0], y: [5.0, 4.8] },
        Linear { x: [1.0, 0.0], y: [-7.0, 2.0] },
        Linear::scaled(7.0),
        Linear::from_degrees(45.0) * Linear::scaled(6.0),
    ];
    for (k, linear) in linears.into_iter().enumerate() {
        for (part, touch) in [1, 2, 6].into_iter().flat_map(|part| [(part, Touch::Excluded), (part, Touch::Included)]) {
            let mut scene = Scene::new([dithered(6, part), dithered(6, part)], [[0.0, 0.0], [3.0, 2.0]]);
            (scene.touch, scene.linear) = (touch, [linear; 2]);
            let world = scene.world();
            let packed = world.packed();
            let bodies = [0, 1].map(|index| packed.body(index));
            let [ours, theirs] = bodies.each_ref().map(|body| {
                let Aabb { min, max } = body.pixels();
                let all = (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| [x, y]));
                all.filter(|&pixel| texel(packed, body, pixel).is_some()).collect::<Vec<_>>()
            });
            let around = i32::from(touch == Touch::Included);
            let around = (-around..=around).flat_map(|y| (-around..=around).map(move |x| [x, y]));
            let barred: HashSet<_> =
                theirs.iter().flat_map(|[x, y]| around.clone().map(move |[dx, dy]| [x + dx, y + dy])).collect();
            let mut ways: Vec<[i32; 2]> = (-60..=60).flat_map(|x| (-60..=60).map(move |y| [x, y])).collect();
            ways.sort_by_key(|[x, y]| (x * x + y * y, x.abs(), *y, *x));
            let is_free = |[dx, dy]: &[i32; 2]| !ours.iter().any(|[x, y]| barred.contains(&[x + dx, y + dy]));
            let [x, y] = ways.into_iter().find(is_free).unwrap();
            let found = way_out(packed, &bodies, Point::ZERO, touch);
            assert_eq!(found.push, Point::new(x << 8, y << 8), "{k}, one of {part}, {touch:?}");
        }
    }
}

fn simple_shape() -> impl Strategy<Value = Shape> {
    let side = || (1..160_i32).prop_map(|v| f64::from(v) / 8.0);
    prop_oneof![
        (side(), side()).prop_map(|(w, h)| rect(w, h)),
        side().prop_map(circle),
        (side(), side(), side()).prop_map(|(x, y, r)| Shape::capsule([0.0, 0.0], [x, -y], r).unwrap()),
        (side(), side(), side(), side()).prop_map(|(x, y, z, w)| pieces(&[&[[0.0, -y], [x, w], [-z, w + 1.0]]])),
    ]
}

fn concave_shape() -> impl Strategy<Value = Shape> {
    let side = || (8..80_i32).prop_map(|v| f64::from(v) / 8.0);
    prop_oneof![
        Just(cup()),
        (side(), side(), side(), side())
            .prop_map(|(w, h, x, y)| pieces(&[&block(0.0, 0.0, w, h + y), &block(w, h, x, y)])),
        (side(), side(), side()).prop_map(|(w, h, x)| {
            pieces(&[&[[0.0, 0.0], [w, h], [0.0, h]], &[[0.0, h], [w, h], [x, 3.0 * h]], &block(-x, 0.0, x, h)])
        }),
    ]
}

fn pose() -> impl Strategy<Value = Linear> {
    prop_oneof![
        2 => Just(Linear::IDENTITY),
        1 => (0..4).prop_map(|quarter| Linear::from_degrees(90.0 * f64::from(quarter))),
        3 => (0..360, 1..3_i32).prop_map(|(degrees, s)| {
            Linear::new(f64::from(degrees), [f64::from(s) / 2.0 + 0.5; 2], crate::ground::linear::Flip { x: degrees % 2 == 0, y: false })
        }),
    ]
}

fn mask_shape() -> impl Strategy<Value = Shape> {
    (1..9_usize, 1..9_usize, any::<[u64; 2]>(), any::<bool>()).prop_map(|(w, h, bits, dense)| {
        let mut mask = Mask::new(w as u32, h as u32).unwrap();
        for (i, (x, y)) in (0..h).flat_map(|y| (0..w).map(move |x| (x, y))).enumerate() {
            let solid = (bits[0] | if dense { bits[1] } else { 0 }) >> i & 1 == 1;
            mask.set(x as u32, y as u32, solid).unwrap();
        }
        Shape::sprite(mask).anchored([w as f64 / 2.0, h as f64 / 2.0]).unwrap()
    })
}

fn scene(a: impl Strategy<Value = Shape>, b: impl Strategy<Value = Shape>, reach: i32) -> impl Strategy<Value = Scene> {
    let at = (-reach..=reach, -reach..=reach).prop_map(|(x, y)| Point::new(64 * x, 64 * y));
    let motion = prop_oneof![2 => Just([0, 0]), 1 => [-40..40_i32, -40..40]];
    let motion = motion.prop_map(|v| Vec2::from(v.map(|v| f64::from(v) / 4.0)));
    (a, b, at, [pose(), pose()], motion, any::<bool>(), any::<bool>()).prop_map(
        |(a, b, at, linear, motion, touch, swap)| {
            let touch = if touch { Touch::Included } else { Touch::Excluded };
            let motion = [motion, Vec2::default()];
            let scene = Scene { touch, shapes: [a, b], at: [at, Point::ZERO], linear, motion };
            if swap { scene.swapped() } else { scene }
        },
    )
}

/// Returns the lattice point nearest to `length` steps along a direction: at most 0.71 steps off.
fn steps(normal: [f64; 2], length: f64) -> Point {
    Point::new((normal[0] * length).round() as i32, (normal[1] * length).round() as i32)
}

/// Returns direction `i` of 64 around, nearly evenly spaced.
fn direction(i: i32) -> [f64; 2] {
    let (x, y) = [(8 - i % 16, 8), (-8, 8 - i % 16), (i % 16 - 8, -8), (8, i % 16 - 8)][i as usize / 16];
    let length = f64::from(x * x + y * y).sqrt();
    [f64::from(x) / length, f64::from(y) / length]
}

/// Checks that a push ends the hit, and that between bodies of one piece each it is hardly longer than the way out.
fn check_push(scene: &Scene, concave: bool) -> Result<(), TestCaseError> {
    let Contact { depth, push, .. } = scene.contact();
    let still = scene.at_contact();
    prop_assert!(!still.hits(push), "{:?} is no way out of {:?}", push, still);
    let [x, y] = push.units();
    prop_assert!(concave || (x * x + y * y).sqrt() <= depth + 1.0 / 64.0, "{:?} is longer than {}", push, depth);
    Ok(())
}

fn check_still(scene: &Scene, concave: bool) -> Result<(), TestCaseError> {
    let Contact { normal, depth, .. } = scene.contact();
    prop_assert!((normal[0] * normal[0] + normal[1] * normal[1] - 1.0).abs() < 1e-9);
    prop_assert!(depth >= 0.0 && depth.is_finite());
    let depth = 256.0 * depth;
    if concave {
        // The free space may be a slot one step wide, without a lattice point if touching is a hit, or a wedge or cusp
        // so narrow that its first points lie some steps on: it is searched in quarters of a step.
        let world = scene.world();
        let quarters = |index: usize| {
            let mut pieces = land::pieces(world.packed(), &world.packed().body(index));
            for piece in &mut pieces {
                piece.radius *= 4;
                piece.vertices.iter_mut().for_each(|p| *p = Point::new(4 * p.x, 4 * p.y));
            }
            Near::apart(pieces)
        };
        let quarters = [quarters(0), quarters(1)];
        let pieces = Pieces::new(&quarters[0], &quarters[1], scene.touch, Point::ZERO);
        let out = steps(normal, 4.0 * (depth + 0.5));
        let around = |r: i32| (-r..=r).flat_map(move |x| (-r..=r).map(move |y| Point::new(x, y)));
        let free = [3, 24, 96, 300].into_iter().any(|r| around(r).any(|p| pieces.is_free(out + p)));
        prop_assert!(free, "no way out near {:?}, {}", normal, depth);
    } else {
        prop_assert!(!scene.hits(steps(normal, depth + 1.0)), "{:?} {} is no way out", normal, depth);
    }
    check_shorter(scene)
}

/// Checks that no shorter way ends the hit, of some in all directions, and that the swapped pair's is as long.
fn check_shorter(scene: &Scene) -> Result<(), TestCaseError> {
    let Contact { normal, depth, .. } = scene.contact();
    let depth = 256.0 * depth;
    for i in 0..64 {
        for part in [0.3, 0.7, 1.0] {
            let shift = steps(direction(i), (depth - 1.0) * part);
            prop_assert!(
                depth < 1.0 || scene.hits(shift),
                "{:?} is a shorter way out than {:?} {}",
                shift,
                normal,
                depth
            );
        }
    }
    let swapped = scene.clone().swapped().contact();
    prop_assert!((swapped.depth * 256.0 - depth).abs() < 1e-6, "{:?}", swapped);
    Ok(())
}

fn check_pixels(scene: &Scene) -> Result<(), TestCaseError> {
    let Contact { normal, depth, push } = scene.contact();
    let way = normal.map(|v| (v * depth).round() as i32);
    prop_assert_eq!(push, Point::new(way[0] << 8, way[1] << 8));
    prop_assert!((f64::from(way[0] * way[0] + way[1] * way[1]).sqrt() - depth).abs() < 1e-9);
    let mut ways: Vec<[i32; 2]> = (-40..=40).flat_map(|x| (-40..=40).map(move |y| [x, y])).collect();
    ways.sort_by_key(|[x, y]| (x * x + y * y, x.abs(), *y, *x));
    let free = ways.into_iter().find(|[x, y]| !scene.hits(Point::new(x << 8, y << 8)));
    prop_assert_eq!(Some(way), free);
    Ok(())
}

/// Checks that the overlap as a mask matches the detail.
fn check_overlap(scene: &Scene) -> Result<(), TestCaseError> {
    let detail = scene.detail().unwrap();
    let found = scene.world().overlap_mask([0, 1], &detail);
    prop_assert_eq!(found.as_ref().map_or(0, |(mask, _)| mask.count()), detail.area.unwrap());
    prop_assert_eq!(found.is_some(), detail.overlap.is_some());
    if let (Some((mask, [x, y])), Some(overlap)) = (found, detail.overlap) {
        let solid = (0..mask.height()).flat_map(|j| mask.runs(j).flatten().map(move |i| [x + i as i32, y + j as i32]));
        let pixels: Vec<[i32; 2]> = solid.collect();
        prop_assert_eq!(mask.bounds().map(|[_, _, w, h]| [x, y, w as i32, h as i32]), Some(overlap.bounds));
        prop_assert_eq!(pixels.first(), Some(&overlap.first));
        let sum = |axis: usize| pixels.iter().map(|pixel| i64::from(pixel[axis])).sum::<i64>();
        prop_assert_eq!([sum(0), sum(1)], overlap.sums);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn convex_bodies_leave_by_the_shortest_way(scene in scene(simple_shape(), simple_shape(), 120)) {
        prop_assume!(scene.detail().is_some());
        check_push(&scene, false)?;
        let still = scene.at_contact();
        if still.detail().is_some() {
            check_still(&still, false)?;
        }
    }

    #[test]
    fn concave_bodies_leave_by_the_shortest_way(
        scene in scene(prop_oneof![simple_shape(), concave_shape()], concave_shape(), 100)
    ) {
        prop_assume!(scene.detail().is_some());
        check_push(&scene, true)?;
        let still = scene.at_contact();
        if still.detail().is_some() {
            check_still(&still, true)?;
        }
    }

    #[test]
    fn sprites_leave_by_the_shortest_way(scene in scene(mask_shape(), mask_shape(), 30)) {
        prop_assume!(scene.detail().is_some());
        check_overlap(&scene)?;
        let still = scene.at_contact();
        prop_assert_eq!(scene.contact(), still.contact());
        check_pixels(&still)?;
    }

    #[test]
    fn sprites_leave_convex_and_concave_bodies(
        scene in scene(mask_shape(), prop_oneof![simple_shape(), concave_shape()], 40)
    ) {
        prop_assume!(scene.detail().is_some());
        check_overlap(&scene)?;
        let still = scene.at_contact();
        // A convex body may have passed a pixel within the tick.
        if still.detail().is_some() {
            prop_assert_eq!(scene.contact(), still.contact());
            check_pixels(&still)?;
        } else {
            prop_assert_eq!((scene.contact().depth, scene.contact().push), (0.0, Point::ZERO));
        }
    }
}
