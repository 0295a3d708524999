//! Nodes of sixteen bounding boxes, stored by side, that vector instructions test at once.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::memory::Need;
use crate::simd::{Lanes, WIDTH};

/// A coordinate beyond all others. Its difference from any other still fits an `i32`.
const FAR: i32 = 2 * (MAX_COORDINATE + 1);

/// The purpose named in errors when there is not enough memory for the index.
pub(super) const INDEX: Need =
    Need { what: "the query index", advice: "split the bodies over several worlds", beside: 0 };

/// The index that stands for no body and no node.
pub(super) const NONE: u32 = u32::MAX;

/// A node of a tree: the bounds and layers of its children, which are up to sixteen bodies or nodes.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub(super) struct Node {
    left: [i32; WIDTH],
    right: [i32; WIDTH],
    top: [i32; WIDTH],
    bottom: [i32; WIDTH],
    layers: [u32; WIDTH],
    /// For each lane its body, or its node of the level below; [`NONE`] if the lane is free.
    pub(super) children: [u32; WIDTH],
    /// A bit for each lane that is an aligned box.
    aligned: u32,
    /// The place of this node in the level above.
    pub(super) above: u32,
}

/// The bounds and the layers of a body, or of all bodies in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) reach: Aabb,
    pub(super) layers: u32,
    /// Whether it is an aligned box, whose bounds are its exact shape.
    pub(super) aligned: bool,
}

impl Bounds {
    /// Empty bounds, which meet nothing.
    pub(super) const NOWHERE: Self =
        Self { reach: Aabb { min: Point::new(FAR, FAR), max: Point::new(-FAR, -FAR) }, layers: 0, aligned: false };

    /// Returns half the perimeter; 0 if it is empty.
    pub(super) fn perimeter(&self) -> i64 {
        let Aabb { min, max } = self.reach;
        if self.reach.is_somewhere() { i64::from(max.x - min.x) + i64::from(max.y - min.y) } else { 0 }
    }

    /// Returns half the perimeter of the bounds around these and others.
    pub(super) fn perimeter_with(&self, other: &Self) -> i64 {
        Self { reach: self.reach.join(&other.reach), ..*self }.perimeter()
    }

    /// Returns the larger of the distances between its two corners and those of other bounds, each along x plus along
    /// y.
    pub(super) fn distance(&self, other: &Self) -> i64 {
        let between = |a: Point, b: Point| i64::from(a.x.abs_diff(b.x)) + i64::from(a.y.abs_diff(b.y));
        between(self.reach.min, other.reach.min).max(between(self.reach.max, other.reach.max))
    }
}

impl Node {
    /// A node without children.
    pub(super) const EMPTY: Self = Self {
        left: [FAR; WIDTH],
        right: [-FAR; WIDTH],
        top: [FAR; WIDTH],
        bottom: [-FAR; WIDTH],
        layers: [0; WIDTH],
        children: [NONE; WIDTH],
        aligned: 0,
        above: NONE,
    };

    #[inline(always)]
    pub(super) fn lane(&self, lane: usize) -> Bounds {
        let min = Point::new(self.left[lane], self.top[lane]);
        let max = Point::new(self.right[lane], self.bottom[lane]);
        let aligned = self.aligned >> lane & 1 == 1;
        Bounds { reach: Aabb { min, max }, layers: self.layers[lane], aligned }
    }

    pub(super) fn set(&mut self, lane: usize, Bounds { reach: Aabb { min, max }, layers, aligned }: Bounds) {
        (self.left[lane], self.right[lane]) = (min.x, max.x);
        (self.top[lane], self.bottom[lane]) = (min.y, max.y);
        self.layers[lane] = layers;
        self.aligned = (self.aligned & !(1 << lane)) | u32::from(aligned) << lane;
    }

    /// Returns an iterator over its children: each with its lane.
    pub(super) fn children(&self) -> impl Iterator<Item = (usize, u32)> + use<> {
        self.children.into_iter().enumerate().filter(|&(_, child)| child != NONE)
    }

    /// Returns the bounds around all lanes.
    #[inline(always)]
    pub(super) fn around(&self) -> Bounds {
        let least = |side: &[i32; WIDTH]| side.iter().fold(FAR, |least, &v| least.min(v));
        let most = |side: &[i32; WIDTH]| side.iter().fold(-FAR, |most, &v| most.max(v));
        let min = Point::new(least(&self.left), least(&self.top));
        let max = Point::new(most(&self.right), most(&self.bottom));
        Bounds {
            reach: Aabb { min, max },
            layers: self.layers.iter().fold(0, |all, &layers| all | layers),
            aligned: false,
        }
    }

    /// Returns the first lane without a child.
    pub(super) fn free_lane(&self) -> Option<usize> {
        self.children.iter().position(|&child| child == NONE)
    }

    /// Returns the child whose half perimeter grows least when it comes to include these bounds; of several, the
    /// smallest.
    pub(super) fn least_enlarged(&self, bounds: &Bounds) -> u32 {
        let growth = |&(lane, _): &(usize, u32)| {
            let lane = self.lane(lane);
            (lane.perimeter_with(bounds) - lane.perimeter(), lane.perimeter())
        };
        self.children().min_by_key(growth).map_or(NONE, |(_, child)| child)
    }

    /// Prefetches its memory.
    #[inline(always)]
    pub(super) fn prefetch<L: Lanes>(&self, lanes: L) {
        for side in [&self.left, &self.right, &self.top, &self.bottom] {
            lanes.prefetch(side);
        }
        lanes.prefetch(&self.layers);
        lanes.prefetch(&self.children);
        lanes.prefetch(&self.aligned);
    }

    /// Returns a bit for each lane on any of the layers `mask` whose closed bounds meet a closed box.
    #[inline(always)]
    pub(super) fn meeting<L: Lanes>(&self, lanes: L, reach: &Aabb, mask: u32) -> u32 {
        lanes.within(&self.left, reach.max.x, &self.right, reach.min.x)
            & lanes.within(&self.top, reach.max.y, &self.bottom, reach.min.y)
            & lanes.share(&self.layers, mask, &self.layers, mask)
    }

    /// Returns when `probe` reaches each lane on any of the layers `mask`.
    #[inline(always)]
    pub(super) fn near(&self, probe: &impl Probe, mask: u32) -> Keys {
        let mut keys = [0; WIDTH];
        probe.keys([&self.left, &self.right], [&self.top, &self.bottom], &mut keys);
        for (lane, key) in keys.iter_mut().enumerate() {
            let with_lane = (*key & !LANE) | lane as i32;
            *key = if self.layers[lane] & mask == 0 { NEVER } else { with_lane };
        }
        Keys(keys)
    }

    /// A bit for each lane that is an aligned box.
    #[inline(always)]
    pub(super) fn aligned(&self) -> u32 {
        self.aligned
    }
}

/// The bits of a key that hold its lane.
const LANE: i32 = WIDTH as i32 - 1;
/// The key of a lane that the probe never reaches: beyond any limit, also with a lane in its last bits.
const NEVER: i32 = i32::MAX;

/// A limit that excludes all keys.
pub(super) const NOTHING: i32 = -1;

/// For each lane of a node, when a probe reaches it. All keys differ, since the last bits of each are its lane.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Keys([i32; WIDTH]);

impl Keys {
    /// No lane is ever reached.
    pub(super) const NONE: Self = Self([NEVER; WIDTH]);

    /// Returns the lowest key.
    #[inline(always)]
    pub(super) fn first<L: Lanes>(&self, lanes: L) -> i32 {
        self.after(lanes, i32::MIN)
    }

    /// Returns the lowest key above `taken`. Taking keys one after another in this way needs no sorting and no branch.
    #[inline(always)]
    pub(super) fn after<L: Lanes>(&self, lanes: L, taken: i32) -> i32 {
        lanes.least_above(&self.0, taken)
    }

    /// Returns whether a key is beyond a limit.
    #[inline(always)]
    pub(super) fn is_beyond(key: i32, limit: i32) -> bool {
        key > (limit | LANE)
    }

    /// Returns the lane of a key.
    #[inline(always)]
    pub(super) fn lane(key: i32) -> u32 {
        (key & LANE) as u32
    }
}

/// A visitor of bounds, in the order in which it reaches them.
pub(super) trait Probe {
    /// Writes the earliest moment at which it reaches the bounds `[left, right]`, `[top, bottom]` of each lane, as the
    /// bits of a non-negative `f32`, which sort as the numbers do; [`NEVER`] if it does not reach them.
    fn keys(&self, x: [&Side; 2], y: [&Side; 2], keys: &mut Side);
}

/// One side of the bounds of a node.
type Side = [i32; WIDTH];

/// Factors just below and above 1 that cover the rounding error of `f32`: a key is never too high.
const LESS: f32 = 1.0 - 1e-6;
const MORE: f32 = 1.0 + 1e-6;

/// Returns the key of a number; it is negative if the number is.
#[inline(always)]
pub(super) fn key_of(number: f32) -> i32 {
    number.to_bits() as i32
}

/// A probe ordered by ticks: a box that moves in a straight line. Tested by slabs (Kay and Kajiya, *Ray Tracing Complex
/// Scenes*, 1986), in `f32` from exact differences.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    from: Aabb,
    /// Ticks per lattice step, in x and in y.
    ticks: [f32; 2],
}

impl Way {
    /// Creates the path of a box that moves by `motion` within the ticks of a step.
    pub(super) fn new(from: Aabb, motion: Point) -> Self {
        // Without motion along an axis, any distance takes longer than the step.
        let ticks = |v: i32| if v == 0 { 1e20 } else { 65_536.0 / v as f32 };
        Self { from, ticks: [ticks(motion.x), ticks(motion.y)] }
    }

    /// Returns the key of the last tick.
    pub(super) fn end() -> i32 {
        key_of(65_536.0)
    }
}

impl Probe for Way {
    #[inline(always)]
    fn keys(&self, [left, right]: [&Side; 2], [top, bottom]: [&Side; 2], keys: &mut Side) {
        let Self { from: Aabb { min, max }, ticks: [tx, ty] } = *self;
        for k in 0..WIDTH {
            // The times to the two sides. The far side is one lattice step farther, so that a box that does not move
            // never leaves what it touches.
            let x = [(left[k] - max.x) as f32 * tx, (right[k] - (min.x - 1)) as f32 * tx];
            let y = [(top[k] - max.y) as f32 * ty, (bottom[k] - (min.y - 1)) as f32 * ty];
            let x = if x[0] < x[1] { x } else { [x[1], x[0]] };
            let y = if y[0] < y[1] { y } else { [y[1], y[0]] };
            let enter = if x[0] > y[0] { x[0] } else { y[0] };
            let enter = if enter > 0.0 { enter * LESS } else { 0.0 };
            let leave = if x[1] < y[1] { x[1] } else { y[1] };
            keys[k] = if leave * MORE < enter { NEVER } else { key_of(enter) };
        }
    }
}

/// A probe ordered by the square of the distance from a point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around(pub(super) Point);

impl Around {
    /// Returns the key of a distance in lattice steps; not less than that of bounds at this distance.
    pub(super) fn limit(distance: f64) -> i32 {
        key_of((distance * distance).min(1e30) as f32 * MORE)
    }
}

impl Probe for Around {
    #[inline(always)]
    fn keys(&self, [left, right]: [&Side; 2], [top, bottom]: [&Side; 2], keys: &mut Side) {
        let Self(Point { x, y }) = *self;
        for k in 0..WIDTH {
            let dx = (left[k] - x).max(x - right[k]).max(0) as f32;
            let dy = (top[k] - y).max(y - bottom[k]).max(0) as f32;
            keys[k] = key_of((dx * dx + dy * dy) * LESS);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::{Kernel, Simd};
    use hitmask_workbench::workloads::SplitMix64;

    struct Ask<'a, P>(&'a Node, &'a P);

    impl<P: Probe> Kernel for Ask<'_, P> {
        type Output = Keys;

        #[inline(always)]
        fn run<L: Lanes>(self, _: L) -> Keys {
            self.0.near(self.1, 1)
        }
    }

    #[test]
    fn a_way_comes_to_bounds_no_later_than_it_does() {
        let mut random = SplitMix64(4);
        let (mut met, mut missed) = (0, 0);
        for round in 0..4_500 {
            let side = [300, 1 << 20, 1 << 28][round % 3];
            let mut draw = |n: i32| random.below(2 * n as u32 + 1) as i32 - n;
            let mut node = Node::EMPTY;
            for lane in 0..WIDTH - 1 {
                let (x, y) = (draw(side), draw(side));
                let max = Point::new(x + draw(side).abs() / 8, y + draw(side).abs() / 8);
                node.set(lane, Bounds { reach: Aabb { min: Point::new(x, y), max }, layers: 1, aligned: false });
            }
            let from = Point::new(draw(side), draw(side));
            let motion = Point::new(if round % 5 == 0 { 0 } else { draw(side) }, draw(side));
            let way = Way::new(Aabb { min: from, max: from }, motion);
            for simd in Simd::available() {
                let keys = simd.run(Ask(&node, &way));
                assert_eq!(keys.0[WIDTH - 1], NEVER, "nothing is met nowhere");
                for (lane, &key) in keys.0.iter().enumerate().take(WIDTH - 1) {
                    let Aabb { min, max } = node.lane(lane).reach;
                    let span = |from: i32, by: i32, min: i32, max: i32| {
                        let t = |v: i32| f64::from(v - from) / f64::from(by);
                        match by {
                            0 if min <= from && from <= max => (f64::NEG_INFINITY, f64::INFINITY),
                            0 => (1.0, 0.0),
                            1.. => (t(min), t(max)),
                            _ => (t(max), t(min)),
                        }
                    };
                    let (x, y) = (span(from.x, motion.x, min.x, max.x), span(from.y, motion.y, min.y, max.y));
                    let (enter, leave) = (x.0.max(y.0).max(0.0), x.1.min(y.1).min(1.0));
                    if enter <= leave {
                        assert!(!Keys::is_beyond(key, Way::end()), "{way:?} {min:?} {max:?}");
                        assert!(f64::from(f32::from_bits((key & !LANE) as u32)) <= 65_536.0 * enter);
                        met += 1;
                    } else {
                        missed += usize::from(Keys::is_beyond(key, Way::end()));
                    }
                }
            }
        }
        assert!(met > 1_000 && missed > 10_000, "{met} {missed}");
    }

    #[test]
    fn bounds_around_a_block_are_those_of_all() {
        let mut node = Node::EMPTY;
        assert_eq!(node.around(), Bounds::NOWHERE);
        let reach = |x: i32| Aabb { min: Point::new(x, -x), max: Point::new(x + 2, 3) };
        node.set(3, Bounds { reach: reach(5), layers: 2, aligned: true });
        node.set(9, Bounds { reach: reach(-7), layers: 4, aligned: false });
        let all = Aabb { min: Point::new(-7, -5), max: Point::new(7, 3) };
        assert_eq!(node.around(), Bounds { reach: all, layers: 6, aligned: false });
        assert!(node.lane(3).aligned && !node.lane(9).aligned);
        assert_eq!((node.around().perimeter(), Bounds::NOWHERE.perimeter()), (14 + 8, 0));
    }
}
