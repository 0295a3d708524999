//! Ways out of slots just as wide as a body, and out of other narrow places, if touching is a hit.

use super::super::exit::{BEYOND, TOLERANCE};
use super::*;
use crate::world::part::Part;

/// Axes of the plane, in lattice steps: the first, of length 1 or 5, and one at right angles to it.
#[derive(Clone, Copy, Debug)]
struct Frame([[i32; 2]; 2]);

impl Frame {
    /// Returns the frames in which all lattice points stay such, turned and mirrored.
    fn all() -> impl Iterator<Item = Self> {
        let turns = |[x, y]: [i32; 2]| [[x, y], [-y, x], [-x, -y], [y, -x]];
        let first = [[1, 0], [4, 3], [3, 4]].into_iter().flat_map(turns);
        first.flat_map(|[x, y]| [Self([[x, y], [-y, x]]), Self([[x, y], [y, -x]])])
    }

    /// Returns the length of its units, in lattice steps.
    fn unit(self) -> i32 {
        let [[x, y], _] = self.0;
        if x == 0 || y == 0 { 1 } else { 5 }
    }

    fn point(self, [p, q]: [i32; 2]) -> Point {
        let [[x, y], [z, w]] = self.0;
        Point::new(p * x + q * z, p * y + q * w)
    }

    fn place(self, at: [i32; 2]) -> [f64; 2] {
        let [x, y] = self.point(at).units();
        [x, y]
    }
}

/// A cup whose slot is just as wide as a body: walls from 0 and from the body's width on outward, and a floor; in units
/// of the frame.
#[derive(Clone, Debug)]
struct Slot {
    frame: Frame,
    /// The vertices of the body's core, and its radius.
    core: Vec<[i32; 2]>,
    radius: i32,
    /// The thickness of both walls, and where they begin.
    thick: [i32; 2],
    tops: [i32; 2],
    /// The place of a joint in both walls.
    joint: i32,
    /// The depth and the thickness of the cup.
    depth: i32,
    floor: i32,
    at: [i32; 2],
}

impl Slot {
    /// Returns the slot of a circle between walls that are thinner than its radius.
    fn circle(frame: Frame, tops: [i32; 2], at: [i32; 2]) -> Self {
        let (core, thick) = (vec![[0, 0]], [1024; 2]);
        Self { frame, core, radius: 1536, thick, tops, joint: 3000, depth: 5120, floor: 1024, at }
    }

    /// Returns the least and the greatest of a coordinate of the body's core.
    fn span(&self, axis: usize) -> [i32; 2] {
        let all = || self.core.iter().map(|p| p[axis]);
        [all().min().unwrap(), all().max().unwrap()]
    }

    fn width(&self) -> i32 {
        let [left, right] = self.span(0);
        right - left + 2 * self.radius
    }

    /// Returns the position at which the body is about to leave the slot.
    fn mouth(&self) -> [i32; 2] {
        [self.radius - self.span(0)[0], self.tops[0].max(self.tops[1]) - self.span(1)[1]]
    }

    fn scene(&self) -> Scene {
        let Self { frame, radius, thick, tops, joint, depth, floor, .. } = *self;
        let radius = f64::from(radius * frame.unit()) / 256.0;
        let body = match self.core.iter().map(|&p| frame.place(p)).collect::<Vec<_>>()[..] {
            [_] => circle(radius),
            [p, q] => Shape::capsule(p, q, radius).unwrap(),
            ref core => Shape::rounded_polygon(core, radius).unwrap(),
        };
        let width = self.width();
        let block = |left: i32, top: i32, right: i32, bottom: i32| {
            [[left, top], [right, top], [right, bottom], [left, bottom]].map(|p| frame.place(p))
        };
        let cup = pieces(&[
            &block(-thick[0], tops[0], 0, joint),
            &block(-thick[0], joint, 0, depth),
            &block(width, tops[1], width + thick[1], joint),
            &block(width, joint, width + thick[1], depth),
            &block(-thick[0], depth - floor, width + thick[1], depth),
        ]);
        Scene::new([body, cup], [frame.place(self.at), [0.0; 2]]).touching()
    }

    /// Returns how far beyond the mouth the first lattice points may be free, in steps: where an arc is a step away
    /// from an edge, or at the next lattice point along the slot.
    fn reach(&self) -> f64 {
        f64::from(2 * self.radius * self.frame.unit()).sqrt() + 6.0
    }

    /// Returns the way to the mouth of the slot, in units.
    fn way(&self) -> [f64; 2] {
        let [p, q] = [0, 1].map(|axis| self.mouth()[axis] - self.at[axis]);
        self.frame.place([p, q])
    }
}

/// How far off a place may be where boundaries only touch, in units: the root of what coordinates are rounded by.
const ROUNDING: f64 = 1e-6;

/// Asserts that both bodies leave by a way, in units, and where lattice points are found beyond its end, in steps.
#[track_caller]
fn assert_way(scene: Scene, way: [f64; 2], beyond: f64) {
    let depth = way[0].hypot(way[1]);
    for (scene, way) in [(scene.clone(), way), (scene.swapped(), way.map(|v| -v))] {
        let found = scene.contact();
        let off = (0..2).all(|axis| (found.normal[axis] * found.depth - way[axis]).abs() < ROUNDING);
        assert!(off && (found.depth - depth).abs() < ROUNDING, "{found:?}, not {way:?}");
        assert!(!scene.hits(found.push), "{found:?} does not end the hit");
        let [x, y] = found.push.units();
        assert!(x.hypot(y) < depth + beyond / 256.0, "{found:?} goes far beyond {way:?}");
    }
}

#[test]
fn a_round_body_leaves_a_slot_as_wide_by_its_mouth() {
    for frame in Frame::all() {
        for tops in [[0, 0], [0, 1000], [1000, 0]] {
            let top = tops[0].max(tops[1]);
            // From aside, and from within the slot, past a joint, which is no way out.
            for [x, y] in [[-192, 256], [1276, 1], [1536, 1700], [1536, 2300]] {
                let slot = Slot::circle(frame, tops, [x, y + top]);
                assert_way(slot.scene(), slot.way(), slot.reach());
            }
        }
    }
}

/// The arc of one wall is nearest within the cusp above the mouth, where the other wall is just far enough away.
#[test]
fn a_push_leads_on_along_a_cusp_from_within_it() {
    for frame in Frame::all().filter(|frame| frame.unit() == 1) {
        let slot = Slot { radius: 918, ..Slot::circle(frame, [1374, 0], [615, 1372]) };
        let part = 918.0 / 615.0_f64.hypot(2.0);
        let [x, y] = [615.0 * part - 615.0, -2.0 * part + 2.0].map(|v| v / 256.0);
        let [p, q] = frame.0.map(|axis| axis.map(f64::from));
        assert_way(slot.scene(), [x * p[0] + y * q[0], x * p[1] + y * q[1]], slot.reach());
    }
}

#[test]
fn at_the_mouth_itself_the_way_leads_on() {
    for frame in Frame::all() {
        let slot = Slot::circle(frame, [0, 300], [1536, 300]);
        assert_way(slot.scene(), [0.0; 2], slot.reach());
        let (found, [x, y]) = (slot.scene().contact().normal, frame.place([0, -256]));
        let unit = f64::from(frame.unit());
        assert!(
            (found[0] - x / unit).abs() < ROUNDING && (found[1] - y / unit).abs() < ROUNDING,
            "{found:?}: {slot:?}"
        );
    }
}

/// A large disc overlaps another, or a wall, by one step: they part at a tenth of a degree.
#[test]
fn a_body_leaves_by_a_wedge_of_a_tenth_of_a_degree() {
    let disc = |radius: i32| circle(f64::from(radius) / 256.0);
    for frame in Frame::all() {
        let unit = frame.unit();
        let place = |at: [i32; 2]| frame.place(at.map(|v| v / unit));
        let wall = [[0, -9000], [9000, -9000], [9000, 9000], [0, 9000]].map(place);
        let wall = Part::new(Shape::polygon(&wall).unwrap(), place([1_572_860, 0]));
        // The obstacles, the start, and the tip of the wedge.
        let discs = vec![Part::new(disc(524_287), [0.0; 2]), Part::new(disc(524_287), place([2_097_145, 0]))];
        let tip = [1_048_572.5, -(0.5_f64 * 2_097_145.5).sqrt()];
        let beside = vec![Part::new(disc(524_289), [0.0; 2]), wall];
        let tip_beside = [1_048_574.0, -2_097_149.0_f64.sqrt()];
        for (parts, start, tip) in [(discs, [1_048_875, -950], tip), (beside, [1_048_875, -1375], tip_beside)] {
            let scene = Scene::new([disc(524_286), Shape::parts(&parts).unwrap()], [place(start), [0.0; 2]]);
            let [p, q] = [0, 1].map(|axis| (tip[axis] - f64::from(start[axis])) / f64::from(256 * unit));
            let [x, y] = frame.0.map(|axis| axis.map(f64::from));
            assert_way(scene.touching(), [p * x[0] + q * y[0], p * x[1] + q * y[1]], 800.0);
        }
    }
}

/// The edges of two walls part at a quarter of a degree where the gap is as wide as the body.
#[test]
fn a_box_leaves_by_a_wedge_between_edges() {
    for frame in Frame::all() {
        let body = [[0, 0], [10, 0], [10, 10], [0, 10]].map(|p| frame.place(p));
        let left = [[-1000, -5000], [0, -5000], [0, 5000], [-1000, 5000]].map(|p| frame.place(p));
        let right = [[30, -5000], [1000, -5000], [1000, 5000], [-10, 5000]].map(|p| frame.place(p));
        let scene = Scene::new([pieces(&[&body]), pieces(&[&left, &right])], [frame.place([30, 40]), [0.0; 2]]);
        assert_way(scene.touching(), frame.place([-30, -50]), f64::from(300 * frame.unit()));
    }
}

/// A slot wider than the body by less than the body must be clear of its walls is a slit, too.
#[test]
fn a_slot_wider_by_a_hair_is_left_by_its_mouth() {
    // Walls along (3001, 1000), the second displaced.
    let (along, off) = ([3001, 1000], [594, 3436]);
    let wall = |[x, y]: [i32; 2], out: i32| {
        let end = [x + 2 * along[0], y + 2 * along[1]];
        let wall = [[x, y], end, [end[0] - out, end[1] + 3 * out], [x - out, y + 3 * out]];
        wall.map(|p| p.map(|v| f64::from(v) / 256.0))
    };
    let gap = f64::from(3001 * off[1] - 1000 * off[0]) / 3001.0_f64.hypot(1000.0) - 3072.0;
    assert!(gap > TOLERANCE && gap < BEYOND, "{gap}");
    let walls = pieces(&[&wall([0, 0], -300), &wall(off, 300)]);
    // 1,000 steps from the mouth, where the second wall begins.
    let scene = Scene::new([circle(6.0), walls], [[2028.0 / 256.0, 2295.0 / 256.0], [0.0; 2]]).touching();
    for scene in [scene.clone(), scene.swapped()] {
        let found = scene.contact();
        assert!((found.depth - 1000.0 / 256.0).abs() < 1.0 / 256.0, "{found:?}");
        let [x, y] = found.push.units();
        assert!(!scene.hits(found.push) && x.hypot(y) < 1100.0 / 256.0, "{found:?}");
    }
}

fn slot() -> impl Strategy<Value = Slot> {
    let side = |least: i32| least..2000_i32;
    let core = prop_oneof![
        2 => Just(vec![[0, 0]]),
        1 => (1..900_i32).prop_map(|x| vec![[0, 0], [x, 0]]),
        1 => (1..900_i32).prop_map(|y| vec![[0, 0], [0, y]]),
        1 => (1..900_i32, 1..900_i32).prop_map(|(w, h)| vec![[0, 0], [w, 0], [w, h], [0, h]]),
    ];
    let walls = ([side(200), side(200)], [side(0), side(0)], prop_oneof![Just(false), Just(true)]);
    let at = [-1.5..1.5_f64, -0.4..1.0];
    ((0..24_usize), core, side(50), walls, side(100), at).prop_map(
        |(frame, core, radius, (thick, tops, is_level), floor, [x, y])| {
            let frame = Frame::all().nth(frame).unwrap();
            let tops = if is_level { [tops[0]; 2] } else { tops };
            let (joint, depth) = (3000, 6000);
            let mut slot = Slot { frame, core, radius, thick, tops, joint, depth, floor, at: [0, 0] };
            let [p, q] = slot.mouth();
            let reach = f64::from(slot.width());
            slot.at = [p + (x * reach) as i32, q + (y * reach) as i32];
            slot
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn bodies_leave_slots_as_wide_by_the_shortest_way(slot in slot()) {
        let scene = slot.scene();
        prop_assume!(scene.detail().is_some());
        check_push(&scene, true)?;
        check_shorter(&scene)?;
        let [x, y] = slot.way();
        let (found, mouth) = (scene.contact(), x.hypot(y));
        prop_assert!(found.depth <= mouth + ROUNDING, "{:?} leads past the mouth, {}", found, mouth);
        let [x, y] = found.push.units();
        prop_assert!(x.hypot(y) <= found.depth + slot.reach() / 256.0, "{:?} goes far beyond", found);
    }
}
