//! The judge of sides: what a body that moves may be stopped by, from the definition alone.
//!
//! ```text
//! sets     = each convex piece of each body, minus each of the mover's, rounded: where the mover's origin must not be
//! outline  = the edges around the union of the sets about a place            (i_overlay)
//! a side   = an edge of the outline at the place of a hit that faces the motion
//! ```
//!
//! It shares no code with the library. Sets that only touch have no outline between them. Where touch is excluded a
//! body comes between them all the same: so the outline is taken once more of sets that are shrunk by a little. Sets
//! that overlap, as those of adjoining tiles, part by that nowhere.

use hitmask::{Body, World};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;

use super::solid::{Solid, V, dot, length};

/// How far from the place of a hit its side may be, in lattice steps.
const NEAR: f64 = 3.0;
/// By how much a way on the lattice may be off.
const ROUNDED: f64 = 1.0;
/// How far a direction may be off.
pub(super) const OFF: f64 = 0.02;
/// The least length of an edge of an outline, in lattice steps: what is shorter is of rounding.
const LEAST: f64 = 0.01;
/// By how much sets are shrunk to find slots, in lattice steps.
const SHRUNK: f64 = 1.0 / 256.0;
/// The least length of a slot's walls, in lattice steps: in a corner, sets that are shrunk lay open less.
const SLOT: f64 = 1.0;
/// Directions around a corner that is rounded.
const AROUND: u32 = 640;
/// How far an outline is followed from a place along each axis, in lattice steps.
const WINDOW: f64 = 16.0;
/// Steps of the crate's grid in a lattice step.
const GRID: f64 = 65536.0;

/// The places where a body meets one piece of another.
struct Set {
    hulls: [Vec<V>; 2],
    radius: f64,
    min: V,
    max: V,
}

/// A half of the plane: the points `p` with `normal . p <= most`.
struct Half {
    normal: V,
    most: f64,
}

/// An edge of an outline; what is within lies to its left.
struct Edge {
    ends: [V; 2],
}

/// All sets of a mover among bodies.
pub(super) struct Judge {
    sets: Vec<Set>,
}

impl Judge {
    /// The judge of a body among those of a world, all of which count and stand still.
    pub(super) fn new(world: &World, mover: &Body) -> Self {
        let ours = Solid::mirrored(world, mover);
        let others: Vec<Solid> = world.ids().map(|id| Solid::new(world, id)).collect();
        let mut sets = Vec::new();
        for (other, theirs) in others.iter().flat_map(|other| other.hulls.iter().map(move |hull| (other, hull))) {
            let radius = other.radius + ours.radius;
            sets.extend(ours.hulls.iter().map(|ours| Set::new([theirs.clone(), ours.clone()], radius)));
        }
        Self { sets }
    }

    /// Where on the way from a place to another it first comes into a set, or if `closed` to one: from 0 to 1.
    pub(super) fn entry(&self, way: [V; 2], closed: bool) -> Option<f64> {
        let room = if closed { 1e-3 } else { 0.0 };
        self.along(way).filter_map(|set| set.entry(way, room)).min_by(f64::total_cmp)
    }

    /// How much of the way from a place to another is free for what moves into no set that it touches, and does not
    /// come near to the others: from 0 to 1.
    pub(super) fn freed(&self, way: [V; 2]) -> f64 {
        let room = |set: &Set| if set.holds(way[0]) { 0.0 } else { NEAR / 2.0 };
        let entries = self.along(way).filter_map(|set| set.entry(way, room(set)));
        entries.min_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// Places on a way at which it is at or in a set, or passes it by no more than rounding may make of it.
    pub(super) fn passed(&self, way: [V; 2]) -> Vec<V> {
        let at = |part: f64| [0, 1].map(|axis| way[0][axis] + part * (way[1][axis] - way[0][axis]));
        let spans = self.along(way).filter_map(|set| set.span(way, ROUNDED));
        spans.flat_map(|[first, last]| [first, first.midpoint(last), last].map(at)).collect()
    }

    /// The sets that a way may come to.
    fn along(&self, [from, to]: [V; 2]) -> impl Iterator<Item = &Set> {
        self.near([[from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]], NEAR)
    }

    /// The normals of the edges of the outline about a place, which lead out of the sets.
    fn outline(&self, at: V) -> Vec<V> {
        let mut edges = self.edges(at, 0.0, LEAST);
        let shrunk = self.edges(at, SHRUNK, SHRUNK);
        if shrunk.iter().any(|a| shrunk.iter().any(|b| a.is_across(b))) {
            edges.extend(shrunk);
        }
        edges.into_iter().map(|edge| edge.normal()).collect()
    }

    /// The edges of the outline of sets that are shrunk, about a place, from there, that are so long at least.
    fn edges(&self, at: V, shrunk: f64, least: f64) -> Vec<Edge> {
        let mut overlay = Overlay::<i64>::new(64);
        let sets = self.near([at, at], WINDOW).map(|set| set.window(at, shrunk));
        for corners in sets.filter(|corners| corners.len() > 2) {
            let points = corners.into_iter().map(|p| p.map(|v| (v * GRID).round() as i64));
            overlay.add_path_iter(points.map(|[x, y]| IntPoint::new(x, y)), ShapeType::Subject);
        }
        let mut edges = Vec::new();
        for contour in overlay.overlay(OverlayRule::Subject, FillRule::NonZero).into_iter().flatten() {
            let points: Vec<V> = contour.iter().map(|p| [p.x, p.y].map(|v| v as f64 / GRID)).collect();
            edges.extend(points.iter().zip(points.iter().cycle().skip(1)).map(|(&p, &q)| Edge { ends: [p, q] }));
        }
        edges.retain(|edge| edge.length() >= least && edge.distance([0.0; 2]) <= NEAR);
        edges
    }

    /// The sides at a place that a motion may meet: those that face it, or where none does, those that it grazes, into
    /// which rounding may bring a body.
    pub(super) fn sides(&self, at: V, motion: V) -> Vec<V> {
        let mut sides = self.outline(at);
        let facing = |side: &V| dot(*side, motion) < -1e-9 * length(motion);
        let least = if sides.iter().any(facing) { 0.0 } else { OFF * length(motion) };
        sides.retain(|side| facing(side) || dot(*side, motion) < least);
        sides
    }

    /// Whether a normal is that of a side which a motion may meet at a place.
    pub(super) fn knows(&self, at: V, motion: V, normal: V) -> bool {
        self.sides(at, motion).into_iter().any(|side| length([side[0] - normal[0], side[1] - normal[1]]) < OFF)
    }

    /// The sets that come to a box grown by so many steps.
    fn near(&self, [min, max]: [V; 2], by: f64) -> impl Iterator<Item = &Set> {
        let meets =
            move |set: &&Set| (0..2).all(|axis| set.min[axis] <= max[axis] + by && min[axis] <= set.max[axis] + by);
        self.sets.iter().filter(meets)
    }
}

impl Edge {
    fn along(&self) -> V {
        let [p, q] = self.ends;
        [q[0] - p[0], q[1] - p[1]]
    }

    fn length(&self) -> f64 {
        length(self.along())
    }

    fn normal(&self) -> V {
        let [x, y] = self.along().map(|v| v / self.length());
        [y, -x]
    }

    /// How far a point is.
    fn distance(&self, at: V) -> f64 {
        let (along, to) = (self.along(), [at[0] - self.ends[0][0], at[1] - self.ends[0][1]]);
        let part = (dot(to, along) / dot(along, along)).clamp(0.0, 1.0);
        length([to[0] - part * along[0], to[1] - part * along[1]])
    }

    /// Whether the two are the walls of a slot, which lies open where sets are shrunk.
    fn is_across(&self, other: &Self) -> bool {
        let facing = dot(self.normal(), other.normal()) < -1.0 + 1e-6;
        let long = self.length().min(other.length()) > SLOT;
        facing && long && other.ends.iter().any(|&end| self.distance(end) < 3.0 * SHRUNK)
    }
}

impl Set {
    fn new(hulls: [Vec<V>; 2], radius: f64) -> Self {
        let ends = [[-1.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 1.0]].map(|way| support(&hulls, way) + radius);
        Self { hulls, radius, min: [-ends[0], -ends[1]], max: [ends[2], ends[3]] }
    }

    /// The halves of the plane in all of which the set lies, and only it.
    fn halves(&self) -> Vec<Half> {
        let edges = self.hulls.iter().flat_map(|hull| hull.iter().zip(hull.iter().cycle().skip(1)));
        let across = edges.filter(|(p, q)| p != q).map(|(p, q)| [q[1] - p[1], p[0] - q[0]]);
        let mut normals: Vec<V> = across.map(|v| v.map(|part| part / length(v))).collect();
        if self.radius > 0.0 {
            let turn = std::f64::consts::TAU / f64::from(AROUND);
            normals.extend((0..AROUND).map(|k| (f64::from(k) * turn).sin_cos()).map(|(sin, cos)| [cos, sin]));
        }
        let half = |normal| Half { normal, most: support(&self.hulls, normal) + self.radius };
        normals.into_iter().map(half).collect()
    }

    /// Whether the set holds a place, which may lie on its edge.
    fn holds(&self, at: V) -> bool {
        self.halves().into_iter().all(|half| dot(half.normal, at) < half.most + 1e-6)
    }

    /// Where a way comes into the set, without its edge, grown by some room.
    fn entry(&self, way: [V; 2], room: f64) -> Option<f64> {
        self.span(way, room).map(|span| span[0])
    }

    /// Where a way comes into the set, and where it leaves it.
    fn span(&self, [from, to]: [V; 2], room: f64) -> Option<[f64; 2]> {
        let way = [to[0] - from[0], to[1] - from[1]];
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for Half { normal, most } in self.halves() {
            let (room, into) = (most + room - dot(normal, from), dot(normal, way));
            if into.abs() < 1e-9 {
                if room < 1e-9 {
                    return None;
                }
            } else if into > 0.0 {
                last = last.min(room / into);
            } else {
                first = first.max(room / into);
            }
        }
        (first + 1e-9 < last).then_some([first, last])
    }

    /// The set, shrunk, as far as it lies about a place, from there.
    fn window(&self, at: V, shrunk: f64) -> Vec<V> {
        let mut corners: Vec<V> =
            [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(|p| p.map(|v| v * WINDOW)).into();
        for Half { normal, most } in self.halves() {
            let most = most - shrunk - dot(normal, at);
            if most < WINDOW * 1.5 {
                corners = cut(&corners, normal, most);
            }
        }
        corners
    }
}

/// How far the sum of two hulls comes in a direction.
fn support(hulls: &[Vec<V>; 2], way: V) -> f64 {
    hulls.iter().map(|hull| hull.iter().map(|&p| dot(p, way)).fold(f64::NEG_INFINITY, f64::max)).sum()
}

/// What of a convex polygon lies in a half of the plane (Sutherland and Hodgman, 1974).
fn cut(corners: &[V], normal: V, most: f64) -> Vec<V> {
    let mut kept = Vec::new();
    for (&p, &q) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let [here, there] = [p, q].map(|end| dot(normal, end) - most);
        if here <= 0.0 {
            kept.push(p);
        }
        if (here < 0.0 && there > 0.0) || (here > 0.0 && there < 0.0) {
            let part = here / (here - there);
            kept.push([0, 1].map(|axis| p[axis] + part * (q[axis] - p[axis])));
        }
    }
    kept
}
