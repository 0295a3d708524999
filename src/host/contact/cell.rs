//! A convex cell of the plane of translations, in which a way out may end.

use std::cmp::Ordering;

use super::bounds::Bounds;
use super::convex::{V, add, cross, dot, length, scale, sub};

/// A convex polygon, inside on the left, in lattice steps.
pub(super) struct Cell {
    pub(super) corners: Vec<V>,
    /// The distance from the origin.
    pub(super) distance: f64,
    /// A point inside, and the greatest distance of a corner from it.
    pub(super) middle: V,
    pub(super) reach: f64,
    /// How many sets are examined in the cell before it is split.
    pub(super) tries: usize,
}

/// A line, with the inside on its left.
#[derive(Clone, Copy)]
pub(super) struct Line {
    from: V,
    along: V,
    length: f64,
}

impl Line {
    fn new(from: V, to: V) -> Self {
        let along = sub(to, from);
        Self { from, along, length: length(along) }
    }

    /// Returns the edges of a polygon; none for a point.
    pub(super) fn edges(polygon: &[V]) -> impl Iterator<Item = Self> {
        let ends = polygon.iter().zip(polygon.iter().cycle().skip(1));
        ends.filter(|_| polygon.len() > 1).map(|(&p, &q)| Self::new(p, q))
    }

    /// Returns how far inside a point lies, in multiples of the line's length.
    fn scaled_depth(&self, p: V) -> f64 {
        cross(self.along, sub(p, self.from))
    }

    /// Returns how far inside a point lies.
    pub(super) fn depth(&self, p: V) -> f64 {
        self.scaled_depth(p) / self.length
    }

    /// Returns the least and the greatest depth of some points.
    pub(super) fn depths(&self, points: &[V]) -> [f64; 2] {
        let all = points.iter().map(|&p| self.scaled_depth(p));
        let ends = all.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], v| [least.min(v), most.max(v)]);
        ends.map(|depth| depth / self.length)
    }
}

impl Cell {
    fn new(corners: Vec<V>, tries: usize) -> Self {
        let sum = corners.iter().fold([0.0; 2], |sum, &corner| add(sum, corner));
        let middle = scale(sum, 1.0 / corners.len() as f64);
        let reach = corners.iter().map(|&corner| length(sub(corner, middle))).fold(0.0, f64::max);
        Self { distance: distance(&corners), corners, middle, reach, tries }
    }

    /// Returns a square around the origin, and the four parts around it of a larger one.
    pub(super) fn squares(inner: f64, outer: f64, tries: usize) -> [Self; 5] {
        let part = |[left, top, right, bottom]: [f64; 4]| {
            Self::new(vec![[left, top], [right, top], [right, bottom], [left, bottom]], tries)
        };
        let (i, o) = (inner, outer);
        [[-i, -i, i, i], [-o, -o, o, -i], [-o, i, o, o], [-o, -i, -i, i], [i, -i, o, i]].map(part)
    }

    pub(super) fn bounds(&self, margin: f64) -> Bounds {
        Bounds::of(self.corners.iter().copied(), margin)
    }

    /// Returns whether a point lies inside, or beyond edges by at most `slack`.
    pub(super) fn contains(&self, p: V, slack: f64) -> bool {
        Line::edges(&self.corners).all(|edge| edge.scaled_depth(p) >= -slack * edge.length)
    }

    /// Returns the part at least `depth` inside a line, and the rest.
    pub(super) fn cut(&self, line: &Line, depth: f64, tries: usize) -> [Option<Self>; 2] {
        let depth = depth * line.length;
        let mut parts = [Vec::new(), Vec::new()];
        for (&p, &q) in self.corners.iter().zip(self.corners.iter().cycle().skip(1)) {
            let [here, there] = [p, q].map(|corner| line.scaled_depth(corner) - depth);
            if here >= 0.0 {
                parts[0].push(p);
            }
            if here <= 0.0 {
                parts[1].push(p);
            }
            if here.min(there) < 0.0 && here.max(there) > 0.0 {
                let crossing = add(p, scale(sub(q, p), here / (here - there)));
                for part in &mut parts {
                    part.push(crossing);
                }
            }
        }
        parts.map(|corners| (corners.len() > 2).then(|| Self::new(corners, tries)))
    }

    /// Returns the halves on both sides of a line across the longer side of the bounds.
    pub(super) fn halves(&self, tries: usize) -> [Option<Self>; 2] {
        let Bounds { min, max } = self.bounds(0.0);
        let centre = scale(add(min, max), 0.5);
        let along = if max[0] - min[0] > max[1] - min[1] { [0.0, 1.0] } else { [1.0, 0.0] };
        self.cut(&Line::new(centre, add(centre, along)), 0.0, tries)
    }
}

/// Returns the distance of a convex polygon from the origin.
fn distance(corners: &[V]) -> f64 {
    let (mut is_inside, mut least) = (true, f64::INFINITY);
    for Line { from, along, .. } in Line::edges(corners) {
        is_inside &= cross(from, along) >= 0.0;
        let part = (-dot(from, along) / dot(along, along)).clamp(0.0, 1.0);
        least = least.min(length(add(from, scale(along, part))));
    }
    if is_inside { 0.0 } else { least }
}

impl Ord for Cell {
    /// Orders the nearest cell as the greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.total_cmp(&self.distance)
    }
}

impl PartialOrd for Cell {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Cell {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Cell {}
