//! The area of a shape.

use std::f64::consts::PI;

use super::pieces::Node;
use super::shape::{Geometry, Shape};
use crate::ground::lattice::{Point, SUBPIXELS};

impl Shape {
    /// Returns the area of the shape as it is defined, in square units: without its holes, with its rounding, for a
    /// sprite the number of its solid texels, and for several parts the sum of their areas, even if they overlap. The
    /// linear part of a body multiplies the area by the absolute value of its determinant; for a sprite this holds
    /// approximately.
    ///
    /// The area of a shape without a radius is exact, rounded once to an `f64`. Costs a pass over all vertices of a
    /// polygon, or over all words of a mask.
    ///
    /// ```
    /// use hitmask::{Mask, Shape};
    ///
    /// let outline = [[0, 0], [9, 0], [9, 9], [0, 9]];
    /// let hole = [[2, 2], [7, 2], [7, 7], [2, 7]];
    /// assert_eq!(Shape::polygon_with_holes(&outline, &[hole])?.area(), 81.0 - 25.0);
    /// assert_eq!(Shape::sprite(Mask::from_rows(&["..#", "###"])?).area(), 4.0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn area(&self) -> f64 {
        match &self.geometry {
            Geometry::Sprite(mask) => mask.count() as f64,
            Geometry::Convex { pieces, nodes, radius, members, .. } => {
                // The pieces of a polygon overlap only in their edges, and have no radius if there are several.
                let cores = pieces.iter().map(|piece| twice_area(piece)).sum::<i128>() as f64 / 2.0;
                let rim = |radius: i32, piece: &[Point]| {
                    let radius = f64::from(radius);
                    radius * perimeter(piece) + PI * radius * radius
                };
                let rims = if members.is_empty() {
                    pieces.first().map_or(0.0, |piece| rim(*radius, piece))
                } else {
                    let parts = nodes.iter().filter_map(Node::part);
                    pieces.iter().zip(parts).map(|(piece, part)| rim(members[part as usize].radius, piece)).sum()
                };
                let steps = f64::from(SUBPIXELS);
                (cores + rims) / (steps * steps)
            }
        }
    }
}

/// Returns the edges of a convex piece. A segment has two, there and back; a point has one of length 0.
fn edges(piece: &[Point]) -> impl Iterator<Item = [Point; 2]> {
    piece.iter().zip(piece.iter().cycle().skip(1)).map(|(&p, &q)| [p, q])
}

/// Returns twice the area of a piece of positive winding, in square lattice steps.
fn twice_area(piece: &[Point]) -> i128 {
    let cross = |[p, q]: [Point; 2]| i64::from(p.x) * i64::from(q.y) - i64::from(p.y) * i64::from(q.x);
    edges(piece).map(|edge| i128::from(cross(edge))).sum()
}

/// Returns the length of a piece's outline, in lattice steps.
fn perimeter(piece: &[Point]) -> f64 {
    let length = |[p, q]: [Point; 2]| {
        let [x, y] = [q.x - p.x, q.y - p.y].map(f64::from);
        (x * x + y * y).sqrt()
    };
    edges(piece).map(length).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mask::Mask;

    fn is_about(shape: &Shape, area: f64) {
        let found = shape.area();
        assert!((found - area).abs() <= 1e-12 * area, "{found}, not {area}: {shape:?}");
    }

    #[test]
    fn shapes_without_a_radius_have_exact_areas() {
        let l = [[0, 0], [4, 0], [4, 2], [2, 2], [2, 4], [0, 4]];
        let reversed: Vec<_> = l.iter().rev().copied().collect();
        let (square, hole) = ([[-10, -10], [10, -10], [10, 10], [-10, 10]], [[0, -10], [5, 0], [0, 5], [-5, 0]]);
        assert_eq!(Shape::rect(3.0, 0.5).unwrap().area(), 1.5);
        assert_eq!(Shape::rect(1.0 / 256.0, 1.0 / 256.0).unwrap().area(), 1.0 / 65536.0);
        assert_eq!(Shape::polygon(&[[0, 0], [3, 0], [0, 1]]).unwrap().area(), 1.5);
        assert_eq!(Shape::polygon(&l).unwrap().area(), 12.0);
        assert_eq!(Shape::polygon(&reversed).unwrap().area(), 12.0);
        // A kite of 15 by 10 whose tip touches the outline.
        assert_eq!(Shape::polygon_with_holes(&square, &[hole]).unwrap().area(), 400.0 - 75.0);
        assert_eq!(Shape::rounded_polygon(&l, 0.0).unwrap().area(), 12.0);
        let far = [[-2e6, -2e6], [2e6, -2e6], [2e6, 2e6], [-2e6, 2e6]];
        assert_eq!(Shape::polygon(&far).unwrap().area(), 16e12);
    }

    #[test]
    fn a_radius_adds_a_rim_and_the_sectors_of_a_circle() {
        is_about(&Shape::circle(2.5).unwrap(), PI * 6.25);
        is_about(&Shape::capsule([3, 4], [3, 4], 2.0).unwrap(), PI * 4.0);
        is_about(&Shape::capsule([-3, -4], [3, 4], 0.5).unwrap(), 10.0 + PI / 4.0);
        is_about(&Shape::rounded_polygon(&[[0, 0], [3, 0], [3, 4]], 2.0).unwrap(), 6.0 + 24.0 + PI * 4.0);
    }

    #[test]
    fn neither_anchor_nor_empty_texels_count() {
        let mask = Mask::from_fn(100, 3, |x, y| (x + y) % 2 == 0).unwrap();
        assert_eq!(Shape::sprite(mask).area(), 150.0);
        assert_eq!(Shape::sprite(Mask::from_rows(&["..."]).unwrap()).area(), 0.0);
        let tile = Shape::rect(4.0, 4.0).unwrap();
        assert_eq!(tile.clone().anchored([2, 2]).unwrap().area(), tile.area());
    }
}
