//! The judge of sides: finds the sides that may stop a moving body, from the definition alone.
//!
//! ```text
//! sets     = each convex piece of each body minus each piece of the mover, inflated: where the mover's origin must not
//! be
//! outline  = the edges of the union of the sets near a place                 (i_overlay)
//! a side   = an edge of the outline at the place of a hit that faces the motion
//! ```
//!
//! It shares no code with the library. Sets that only touch have no outline between them, but if touch is excluded, a
//! body can still pass between them. So the outline is also taken of slightly shrunk sets. Sets that overlap, like
//! those of adjoining tiles, stay joined when shrunk.

use hitmask::{Body, World};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::i_float::int::point::IntPoint;

use super::solid::{Solid, V, dot, length};

/// The largest distance of a side from the place of its hit, in lattice steps.
const NEAR: f64 = 3.0;
/// The largest error of a way on the lattice, in lattice steps.
const ROUNDED: f64 = 1.0;
/// The largest error of a direction.
pub(super) const OFF: f64 = 0.02;
/// The least length of an outline's edge, in lattice steps. Shorter edges come from rounding.
const LEAST: f64 = 0.01;
/// The amount by which sets are shrunk to find slots, in lattice steps.
const SHRUNK: f64 = 1.0 / 256.0;
/// The least length of a slot's walls, in lattice steps. In corners, shrunk sets leave shorter gaps.
const SLOT: f64 = 1.0;
/// The number of directions around a rounded corner.
const AROUND: u32 = 640;
/// How far from a place an outline is followed along each axis, in lattice steps.
const WINDOW: f64 = 16.0;
/// Steps of `i_overlay`'s grid per lattice step.
const GRID: f64 = 65536.0;

/// The places at which the mover's piece meets another body's piece.
struct Set {
    hulls: [Vec<V>; 2],
    radius: f64,
    min: V,
    max: V,
}

/// A half-plane: the points `p` with `normal . p <= most`.
struct Half {
    normal: V,
    most: f64,
}

/// An edge of an outline, with the interior on its left.
struct Edge {
    ends: [V; 2],
}

/// All sets of a mover and the other bodies.
pub(super) struct Judge {
    sets: Vec<Set>,
}

impl Judge {
    /// Creates the judge of a body in a world whose bodies all count and stand still.
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

    /// Returns where the way first enters a set, or with `closed` first touches one: from 0 to 1.
    pub(super) fn entry(&self, way: [V; 2], closed: bool) -> Option<f64> {
        let room = if closed { 1e-3 } else { 0.0 };
        self.along(way).filter_map(|set| set.entry(way, room)).min_by(f64::total_cmp)
    }

    /// Returns how much of the way is free for a body that enters no set that it touches and does not come near the
    /// others: from 0 to 1.
    pub(super) fn freed(&self, way: [V; 2]) -> f64 {
        let room = |set: &Set| if set.holds(way[0]) { 0.0 } else { NEAR / 2.0 };
        let entries = self.along(way).filter_map(|set| set.entry(way, room(set)));
        entries.min_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// Returns places on a way at which it is at or in a set, or passes it within rounding.
    pub(super) fn passed(&self, way: [V; 2]) -> Vec<V> {
        let at = |part: f64| [0, 1].map(|axis| way[0][axis] + part * (way[1][axis] - way[0][axis]));
        let spans = self.along(way).filter_map(|set| set.span(way, ROUNDED));
        spans.flat_map(|[first, last]| [first, first.midpoint(last), last].map(at)).collect()
    }

    /// Returns the sets that a way may reach.
    fn along(&self, [from, to]: [V; 2]) -> impl Iterator<Item = &Set> {
        self.near([[from[0].min(to[0]), from[1].min(to[1])], [from[0].max(to[0]), from[1].max(to[1])]], NEAR)
    }

    /// Returns the outward normals of the outline's edges near a place.
    fn outline(&self, at: V) -> Vec<V> {
        let mut edges = self.edges(at, 0.0, LEAST);
        let shrunk = self.edges(at, SHRUNK, SHRUNK);
        if shrunk.iter().any(|a| shrunk.iter().any(|b| a.is_across(b))) {
            edges.extend(shrunk);
        }
        edges.into_iter().map(|edge| edge.normal()).collect()
    }

    /// Returns the edges of the shrunk sets' outline near a place, relative to it, that have at least the given length.
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

    /// Returns the sides at a place that a motion may meet: those that face it. If none does, those that it grazes,
    /// which rounding may make it enter.
    pub(super) fn sides(&self, at: V, motion: V) -> Vec<V> {
        let mut sides = self.outline(at);
        let facing = |side: &V| dot(*side, motion) < -1e-9 * length(motion);
        let least = if sides.iter().any(facing) { 0.0 } else { OFF * length(motion) };
        sides.retain(|side| facing(side) || dot(*side, motion) < least);
        sides
    }

    /// Returns whether a normal is that of a side which a motion may meet at a place.
    pub(super) fn knows(&self, at: V, motion: V, normal: V) -> bool {
        self.sides(at, motion).into_iter().any(|side| length([side[0] - normal[0], side[1] - normal[1]]) < OFF)
    }

    /// Returns the sets that reach a box grown by `by` lattice steps.
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

    /// Returns the distance to a point.
    fn distance(&self, at: V) -> f64 {
        let (along, to) = (self.along(), [at[0] - self.ends[0][0], at[1] - self.ends[0][1]]);
        let part = (dot(to, along) / dot(along, along)).clamp(0.0, 1.0);
        length([to[0] - part * along[0], to[1] - part * along[1]])
    }

    /// Returns whether two edges are the walls of a slot, which opens when sets are shrunk.
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

    /// Returns the half-planes whose intersection is the set.
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

    /// Returns whether the set, with its boundary, contains a place.
    fn holds(&self, at: V) -> bool {
        self.halves().into_iter().all(|half| dot(half.normal, at) < half.most + 1e-6)
    }

    /// Returns where a way enters the interior of the set grown by `room`.
    fn entry(&self, way: [V; 2], room: f64) -> Option<f64> {
        self.span(way, room).map(|span| span[0])
    }

    /// Returns where a way enters and leaves the set grown by `room`.
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

    /// Returns the shrunk set, clipped to the window around a place, relative to the place.
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

/// Returns how far the sum of two hulls extends in a direction.
fn support(hulls: &[Vec<V>; 2], way: V) -> f64 {
    hulls.iter().map(|hull| hull.iter().map(|&p| dot(p, way)).fold(f64::NEG_INFINITY, f64::max)).sum()
}

/// Clips a convex polygon to a half-plane (Sutherland and Hodgman, 1974).
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
