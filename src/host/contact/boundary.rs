//! The boundary of a union of few convex sets: its edges and arcs, and where they cross.

use super::bounds::Bounds;
use super::convex::{V, add, cross, dot, length, outward, scale, sub};
use super::exit::{Exit, SLIT};
use crate::ground::sorting::sort_by;

/// How far an edge may be crossed past its ends, as a fraction of its length. A crossing too far out only costs time.
pub(super) const SLACK: f64 = 1.0 / 1_048_576.0;
/// How far past each other an edge and an arc, or two arcs, may miss and still touch, because points are rounded, in
/// lattice steps.
pub(super) const ROUNDED: f64 = 1.0 / 4096.0;

/// An edge or arc of a set's boundary.
struct Element {
    set: usize,
    curve: Curve,
    bounds: Bounds,
}

enum Curve {
    /// An edge from a point along a vector, with the outside on its right.
    Edge { from: V, along: V, normal: V },
    /// An arc around a centre, from one direction to another, at most half a turn on.
    Arc { centre: V, radius: f64, from: V, to: V },
}

/// The edges and arcs of some convex sets.
#[derive(Default)]
pub(super) struct Boundary {
    elements: Vec<Element>,
}

impl Boundary {
    /// Returns the number of edges and arcs.
    pub(super) fn count(&self) -> usize {
        self.elements.len()
    }

    /// Proposes the places where the boundary of the union may be nearest to the origin: the nearest point of each edge
    /// and arc, and the crossings of any two.
    pub(super) fn propose(mut self, mut to: impl FnMut(Exit)) {
        sort_by(&mut self.elements, |p, q| p.bounds.min[0].total_cmp(&q.bounds.min[0]));
        for (i, element) in self.elements.iter().enumerate() {
            nearest(element, &mut to);
            let right = element.bounds.max[0];
            for other in self.elements[i + 1..].iter().take_while(|other| other.bounds.min[0] <= right) {
                let [(low, high), (other_low, other_high)] =
                    [element, other].map(|e| (e.bounds.min[1], e.bounds.max[1]));
                if element.set != other.set && other_low <= high && low <= other_high {
                    crossings(element, other, &mut to);
                }
            }
        }
    }

    /// Adds the edges and arcs of a set, a core inflated by a radius, that come to a box.
    pub(super) fn add(&mut self, set: usize, core: &[V], radius: f64, near: &Bounds) {
        let mut add_element = |curve: Curve| {
            let bounds = match curve {
                Curve::Edge { from, along, .. } => Bounds::of([from, add(from, along)].into_iter(), SLIT),
                // The bounds of the whole circle: larger than the arc's, never smaller.
                Curve::Arc { centre, radius, .. } => Bounds::of(std::iter::once(centre), radius + SLIT),
            };
            if bounds.meets(near) {
                self.elements.push(Element { set, curve, bounds });
            }
        };
        if let [centre] = *core {
            if radius > 0.0 {
                add_element(Curve::Arc { centre, radius, from: [1.0, 0.0], to: [-1.0, 0.0] });
                add_element(Curve::Arc { centre, radius, from: [-1.0, 0.0], to: [1.0, 0.0] });
            }
            return;
        }
        for (i, &p) in core.iter().enumerate() {
            let (q, r) = (core[(i + 1) % core.len()], core[(i + 2) % core.len()]);
            let along = sub(q, p);
            let normal = outward(along);
            add_element(Curve::Edge { from: add(p, scale(normal, radius)), along, normal });
            if radius > 0.0 {
                add_element(Curve::Arc { centre: q, radius, from: normal, to: outward(sub(r, q)) });
            }
        }
    }
}

/// Proposes the point of an element that is nearest to the origin; for an arc, its ends as well.
fn nearest(element: &Element, propose: &mut impl FnMut(Exit)) {
    match element.curve {
        Curve::Edge { from, along, normal } => {
            let part = (-dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
            // The foot by its distance, which is exact for axis-aligned edges.
            let foot = scale(normal, dot(from, normal));
            let corner = part <= 0.0 || part >= 1.0;
            let at = if corner { add(from, scale(along, part)) } else { foot };
            propose(Exit::nearest(at, normal, corner));
        }
        Curve::Arc { centre, radius, from, to } => {
            let distance = length(centre);
            let toward = if distance > 0.0 { scale(centre, -1.0 / distance) } else { from };
            for direction in [toward, from, to] {
                if turns(from, direction, to) {
                    propose(Exit::nearest(add(centre, scale(direction, radius)), direction, true));
                }
            }
        }
    }
}

/// Proposes the points where two elements cross.
fn crossings(element: &Element, other: &Element, propose: &mut impl FnMut(Exit)) {
    match (&element.curve, &other.curve) {
        (&Curve::Edge { from: p, along: e, normal }, &Curve::Edge { from: q, along: f, normal: other }) => {
            let turn = cross(e, f);
            let between = sub(q, p);
            let (s, t) = (cross(between, f) / turn, cross(between, e) / turn);
            let on = |part: f64| (-SLACK..=1.0 + SLACK).contains(&part);
            // Not finite if they are parallel.
            if on(s) && on(t) {
                propose(Exit::crossing(add(p, scale(e, s)), [normal, other], [0.0; 2], turn > 0.0));
            }
        }
        (&Curve::Edge { from, along, normal }, &Curve::Arc { centre, radius, from: first, to })
        | (&Curve::Arc { centre, radius, from: first, to }, &Curve::Edge { from, along, normal }) => {
            let whole = length(along);
            let direction = scale(along, 1.0 / whole);
            let between = sub(centre, from);
            let (middle, off) = (dot(between, direction), cross(direction, between));
            if off > radius + ROUNDED || off < -radius - SLIT {
                return;
            }
            // If they miss each other by so little, they touch.
            let half = (radius * radius - off * off).max(0.0).sqrt();
            let curvature = 1.0 / radius;
            for (part, is_along) in [(middle - half, false), (middle + half, true)] {
                let at = add(from, scale(direction, part));
                let around = scale(sub(at, centre), curvature);
                if part >= -1.0 && part <= whole + 1.0 && turns(first, around, to) {
                    propose(Exit::crossing(at, [normal, around], [0.0, curvature], is_along));
                }
            }
        }
        (
            &Curve::Arc { centre: p, radius, from, to },
            &Curve::Arc { centre: q, radius: other_radius, from: other_from, to: other_to },
        ) => {
            let between = sub(q, p);
            let distance = length(between);
            let (inside, outside) = ((radius - other_radius).abs() - ROUNDED, radius + other_radius + SLIT);
            if distance == 0.0 || distance < inside || distance > outside {
                return;
            }
            let square = distance * distance;
            // How far along the line between the centres the crossings lie: halfway if the radii are equal.
            let part = 0.5 + 0.5 * (radius * radius - other_radius * other_radius) / square;
            let half = (radius * radius - part * part * square).max(0.0).sqrt();
            let across = scale([-between[1], between[0]], half / distance);
            let curvatures = [1.0 / radius, 1.0 / other_radius];
            for (across, is_along) in [(across, true), (scale(across, -1.0), false)] {
                let at = add(add(p, scale(between, part)), across);
                let [around, other] = [scale(sub(at, p), curvatures[0]), scale(sub(at, q), curvatures[1])];
                if turns(from, around, to) && turns(other_from, other, other_to) {
                    propose(Exit::crossing(at, [around, other], curvatures, is_along));
                }
            }
        }
    }
}

/// Returns whether `direction` lies between two others at most half a turn apart, with some slack.
fn turns(from: V, direction: V, to: V) -> bool {
    cross(from, direction) >= -SLACK && cross(direction, to) >= -SLACK
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the places where an edge along y = 0, inside where y is positive, crosses a circle of radius 5 around
    /// `(0, y)`.
    fn crossed(y: f64) -> Vec<V> {
        let (edge, arc) = (
            Curve::Edge { from: [-10.0, 0.0], along: [20.0, 0.0], normal: [0.0, -1.0] },
            Curve::Arc { centre: [0.0, y], radius: 5.0, from: [-1.0, 0.0], to: [1.0, 0.0] },
        );
        let [edge, arc] = [edge, arc].map(|curve| Element { set: 0, curve, bounds: Bounds::of([].into_iter(), 0.0) });
        let mut places = Vec::new();
        crossings(&edge, &arc, &mut |exit: Exit| places.push(exit.at));
        places
    }

    #[test]
    fn an_edge_and_an_arc_that_miss_each_other_by_rounding_touch() {
        assert_eq!(crossed(3.0), [[-4.0, 0.0], [4.0, 0.0]]);
        // Of the half circle that is nearer to the edge: from inside and up to rounding past it.
        for y in [5.0, 5.0 + ROUNDED / 2.0] {
            assert_eq!(crossed(y), [[0.0, 0.0]; 2], "{y}");
        }
        assert_eq!(crossed(5.0 + 2.0 * ROUNDED), [[0.0; 2]; 0]);
    }
}
