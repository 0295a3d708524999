//! The shortest way out of a union of convex sets of translations, one for each two pieces.
//!
//! The way out of one set may lead into another, so that the longest of the ways out of each is no answer. The boundary
//! of the union consists of parts of the boundaries of the sets, between places where two of them cross. Along such a
//! part the distance from the origin is least where it is least on the whole edge or arc, or at an end of the part:
//!
//! ```text
//! candidates = the nearest point of each edge and arc, and all crossings of two of them, within some distance
//! the nearest candidate that lies inside no set is the way out; if there is none, look twice as far
//! ```

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::Core;
use crate::ground::touch::Touch;

use super::convex::{self, V, Way, add, cross, differences, dot, length, outward, scale, sub};

/// How deep inside a set a point may lie and still count as on its boundary, in lattice steps: a millionth of a unit.
/// Crossings are off by some 2^-20 of a step at most where edges are not almost parallel; a slot narrower than this is
/// taken for a slit.
const TOLERANCE: f64 = 1.0 / 4096.0;
/// How far beyond a boundary it must be free where touch counts, in lattice steps: a slit as wide as the body is no way
/// out then.
const BEYOND: f64 = 1.0 / 256.0;
/// How far outside every set it must be there, in lattice steps: well above rounding, and still possible in a wedge of
/// half a degree.
const CLEAR: f64 = 1.0 / 65536.0;
/// How far apart bodies in contact may stand, because time is in 65536 parts and rounded to the lattice, in lattice
/// steps.
const NEAR: f64 = 256.0;
/// How far past its ends an edge is still crossed, as a part of its length. What lies too far out is only looked at in
/// vain.
const SLACK: f64 = 1e-6;

/// The shortest way by which the union of the pieces `a` leaves that of `b`, with the sum `radius` of their radii, in
/// lattice steps; depth not above 0 where no two pieces overlap, and then away from the nearest.
pub(super) fn way_out(a: &[Vec<Point>], b: &[Vec<Point>], radius: i32, touch: Touch) -> Way {
    let union = Union::new(a, b, radius, touch);
    let ways = union.sets.iter().map(|set| convex::way_out(&set.core, union.radius, ORIGIN));
    let deepest = ways.reduce(Way::deeper).unwrap_or(Way { normal: [0.0, -1.0], depth: 0.0, corner: true });
    // Pieces that only touch may do so on two sides, in a slot as wide as the body: where touch counts, there is a way
    // to go.
    let out = deepest.depth < 0.0 || (deepest.depth == 0.0 && touch == Touch::Excluded);
    if out || union.sets.len() == 1 { deepest } else { union.way_out(deepest.depth) }
}

const ORIGIN: V = [0.0, 0.0];

struct Union {
    sets: Vec<Set>,
    radius: f64,
    touch: Touch,
    /// The shortest way past the bounds of all.
    past: Way,
}

/// The translations that bring two pieces together: a polygon, inflated by the union's radius.
struct Set {
    core: Vec<V>,
    bounds: Bounds,
}

#[derive(Clone, Copy)]
struct Bounds {
    min: V,
    max: V,
}

impl Bounds {
    fn of(points: impl Iterator<Item = V>, radius: f64) -> Self {
        let nowhere = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        points.fold(nowhere, |all, [x, y]| Self {
            min: [all.min[0].min(x - radius), all.min[1].min(y - radius)],
            max: [all.max[0].max(x + radius), all.max[1].max(y + radius)],
        })
    }

    /// The distance from the origin.
    fn distance(&self) -> f64 {
        length([0, 1].map(|axis| self.min[axis].max(-self.max[axis]).max(0.0)))
    }

    fn contains(&self, p: V) -> bool {
        (0..2).all(|axis| self.min[axis] <= p[axis] && p[axis] <= self.max[axis])
    }
}

/// A part of a set's boundary.
struct Element {
    set: usize,
    curve: Curve,
    bounds: Bounds,
}

enum Curve {
    /// From a point along a vector, outward on its right.
    Edge { from: V, along: V, normal: V },
    /// Around a centre, from one direction to another, at most half a turn on.
    Arc { centre: V, from: V, to: V },
}

/// A point where the way out may end, and a direction that leads on.
struct Candidate {
    at: V,
    onward: V,
    way: Way,
}

impl Union {
    fn new(a: &[Vec<Point>], b: &[Vec<Point>], radius: i32, touch: Touch) -> Self {
        let inflation = f64::from(radius);
        let boxes = |pieces: &[Vec<Point>]| -> Vec<Aabb> { pieces.iter().map(|piece| Aabb::around(piece)).collect() };
        let (boxes_a, boxes_b) = (boxes(a), boxes(b));
        let both = |a: &Aabb, b: &Aabb| {
            let [min, max] = [b.min - a.max, b.max - a.min].map(|p| [f64::from(p.x), f64::from(p.y)]);
            Bounds::of([min, max].into_iter(), inflation)
        };
        let pairs =
            || boxes_a.iter().enumerate().flat_map(|(i, a)| boxes_b.iter().enumerate().map(move |(j, b)| (i, j, a, b)));
        let all = pairs().flat_map(|(.., a, b)| {
            let Bounds { min, max } = both(a, b);
            [min, max]
        });
        let past = past(&Bounds::of(all, 0.0));
        // Pieces that landed without area have no interior to meet, unless they are all there is.
        let open = radius == 0 && touch == Touch::Excluded;
        let solid = |piece: &[Point]| !open || Core::Hull(piece).has_area(Point::ZERO);
        let any = a.iter().any(|piece| solid(piece)) && b.iter().any(|piece| solid(piece));
        let apart = pairs().all(|(.., a, b)| both(a, b).distance() > past.depth.max(NEAR));
        let near = |&(i, j, box_a, box_b): &(usize, usize, &Aabb, &Aabb)| {
            let near = both(box_a, box_b).distance() <= past.depth.max(NEAR);
            (near || apart) && (!any || (solid(&a[i]) && solid(&b[j])))
        };
        let set = |(i, j, box_a, box_b): (usize, usize, &Aabb, &Aabb)| Set {
            core: differences(&a[i], &b[j]),
            bounds: both(box_a, box_b),
        };
        Self { sets: pairs().filter(near).map(set).collect(), radius: inflation, touch, past }
    }

    /// The way out, at least `least` long, which is that of some set.
    fn way_out(&self, least: f64) -> Way {
        let mut within = 1.5 * least + f64::from(SUBPIXELS);
        while within < self.past.depth {
            if let Some(way) = self.way_within(least, within) {
                return way;
            }
            within *= 2.0;
        }
        self.way_within(least, self.past.depth).unwrap_or(self.past)
    }

    /// The shortest way out, from `least` to `within` long.
    fn way_within(&self, least: f64, within: f64) -> Option<Way> {
        let near: Vec<&Set> = self.sets.iter().filter(|set| set.bounds.distance() <= within + BEYOND).collect();
        let mut elements = Vec::new();
        for (index, set) in near.iter().enumerate() {
            self.elements(index, &set.core, &mut elements);
        }
        elements.retain(|element| element.bounds.distance() <= within);
        elements.sort_by(|p, q| p.bounds.min[0].total_cmp(&q.bounds.min[0]));
        let mut candidates = Vec::new();
        let mut propose = |at: V, onward: V, corner: bool| {
            let depth = length(at);
            if depth >= least - TOLERANCE && depth <= within {
                let normal = if depth > TOLERANCE { at.map(|v| v / depth + 0.0) } else { onward };
                candidates.push(Candidate { at, onward, way: Way { normal, depth, corner } });
            }
        };
        for (i, element) in elements.iter().enumerate() {
            self.nearest(element, &mut propose);
            for other in &elements[i + 1..] {
                if other.bounds.min[0] > element.bounds.max[0] {
                    break;
                }
                let [(low, high), (other_low, other_high)] =
                    [element, other].map(|e| (e.bounds.min[1], e.bounds.max[1]));
                if element.set != other.set && other_low <= high && low <= other_high {
                    self.crossings(element, other, &mut propose);
                }
            }
        }
        candidates.sort_by(|p, q| p.way.depth.total_cmp(&q.way.depth).then_with(|| p.way.preference(&q.way)));
        let (step, allowed) = if self.touch == Touch::Included { (BEYOND, -CLEAR) } else { (0.0, TOLERANCE) };
        let holds =
            |set: &Set, at: V| set.bounds.contains(at) && convex::way_out(&set.core, self.radius, at).depth > allowed;
        // The set that held one candidate mostly holds the next.
        let mut last = 0;
        for Candidate { at, onward, way } in candidates {
            let at = add(at, scale(onward, step));
            if !near.get(last).is_some_and(|set| holds(set, at)) {
                match near.iter().position(|set| holds(set, at)) {
                    Some(index) => last = index,
                    None => return Some(way),
                }
            }
        }
        None
    }

    /// Appends the edges and arcs of a set.
    fn elements(&self, set: usize, core: &[V], elements: &mut Vec<Element>) {
        let add_arc = |centre: V, from: V, to: V, elements: &mut Vec<Element>| {
            if self.radius > 0.0 {
                // The whole circle's: larger than the arc's, never smaller.
                let bounds = Bounds::of(std::iter::once(centre), self.radius + TOLERANCE);
                elements.push(Element { set, curve: Curve::Arc { centre, from, to }, bounds });
            }
        };
        if let [centre] = *core {
            add_arc(centre, [1.0, 0.0], [-1.0, 0.0], elements);
            add_arc(centre, [-1.0, 0.0], [1.0, 0.0], elements);
            return;
        }
        for (i, &p) in core.iter().enumerate() {
            let (q, r) = (core[(i + 1) % core.len()], core[(i + 2) % core.len()]);
            let along = sub(q, p);
            let normal = outward(along);
            let from = add(p, scale(normal, self.radius));
            let bounds = Bounds::of([from, add(from, along)].into_iter(), TOLERANCE);
            elements.push(Element { set, curve: Curve::Edge { from, along, normal }, bounds });
            add_arc(q, normal, outward(sub(r, q)), elements);
        }
    }

    /// Proposes the point of an element that is nearest the origin; of an arc, its ends as well.
    fn nearest(&self, element: &Element, propose: &mut impl FnMut(V, V, bool)) {
        match element.curve {
            Curve::Edge { from, along, normal } => {
                let part = (-dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
                // The foot by its distance, which is exact for axis-aligned edges.
                let foot = scale(normal, dot(from, normal));
                let corner = part <= 0.0 || part >= 1.0;
                propose(if corner { add(from, scale(along, part)) } else { foot }, normal, corner);
            }
            Curve::Arc { centre, from, to } => {
                let distance = length(centre);
                let toward = if distance > 0.0 { scale(centre, -1.0 / distance) } else { from };
                for direction in [toward, from, to] {
                    if turns(from, direction, to) {
                        propose(add(centre, scale(direction, self.radius)), direction, true);
                    }
                }
            }
        }
    }

    /// Proposes where two elements cross.
    fn crossings(&self, element: &Element, other: &Element, propose: &mut impl FnMut(V, V, bool)) {
        match (&element.curve, &other.curve) {
            (&Curve::Edge { from: p, along: e, normal }, &Curve::Edge { from: q, along: f, normal: other }) => {
                let turn = cross(e, f);
                let between = sub(q, p);
                let (s, t) = (cross(between, f) / turn, cross(between, e) / turn);
                let on = |part: f64| (-SLACK..=1.0 + SLACK).contains(&part);
                // Not finite where they are parallel.
                if on(s) && on(t) {
                    propose(add(p, scale(e, s)), bisector(normal, other), true);
                }
            }
            (&Curve::Edge { from, along, normal }, &Curve::Arc { centre, from: first, to })
            | (&Curve::Arc { centre, from: first, to }, &Curve::Edge { from, along, normal }) => {
                let whole = length(along);
                let direction = scale(along, 1.0 / whole);
                let between = sub(centre, from);
                let (middle, off) = (dot(between, direction), cross(direction, between));
                let square = self.radius * self.radius - off * off;
                if off.abs() > self.radius + TOLERANCE {
                    return;
                }
                // Where rounding makes them miss each other, they touch.
                let half = square.max(0.0).sqrt();
                for part in [middle - half, middle + half] {
                    let at = add(from, scale(direction, part));
                    let around = scale(sub(at, centre), 1.0 / self.radius);
                    if part >= -1.0 && part <= whole + 1.0 && turns(first, around, to) {
                        propose(at, bisector(normal, around), true);
                    }
                }
            }
            (&Curve::Arc { centre: p, from, to }, &Curve::Arc { centre: q, from: other_from, to: other_to }) => {
                let between = sub(q, p);
                let distance = length(between);
                if distance == 0.0 || distance > 2.0 * self.radius + TOLERANCE {
                    return;
                }
                let half = (self.radius * self.radius - distance * distance / 4.0).max(0.0).sqrt();
                let across = scale([-between[1], between[0]], half / distance);
                for across in [across, scale(across, -1.0)] {
                    let at = add(add(p, scale(between, 0.5)), across);
                    let [around, other] = [p, q].map(|centre| scale(sub(at, centre), 1.0 / self.radius));
                    if turns(from, around, to) && turns(other_from, other, other_to) {
                        propose(at, bisector(around, other), true);
                    }
                }
            }
        }
    }
}

/// Whether `direction` lies between two others at most half a turn apart, with some slack.
fn turns(from: V, direction: V, to: V) -> bool {
    cross(from, direction) >= -SLACK && cross(direction, to) >= -SLACK
}

/// The direction between two, of length 1; the first of two that are opposite.
fn bisector(p: V, q: V) -> V {
    let sum = add(p, q);
    let length = length(sum);
    if length > SLACK { scale(sum, 1.0 / length) } else { p }
}

/// The shortest way past a box that holds the origin.
fn past(all: &Bounds) -> Way {
    let way = |normal: V, depth: f64| Way { normal, depth, corner: false };
    let ways = [
        way([0.0, -1.0], -all.min[1]),
        way([0.0, 1.0], all.max[1]),
        way([-1.0, 0.0], -all.min[0]),
        way([1.0, 0.0], all.max[0]),
    ];
    ways.into_iter().reduce(|best, way| if way.depth < best.depth { way } else { best }).unwrap_or(ways[0])
}
