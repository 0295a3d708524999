//! The boundary of a mask as polygons with holes: exact along the edges of texels, or with fewer corners.

mod simplify;
mod standing;
#[cfg(test)]
mod tests;
mod trace;

use super::{Mask, Neighbours};
use crate::ground::error::{Error, Result};
use crate::ground::text::Number;
use simplify::Rings;
use trace::Tracer;

/// A polygon along the edges of texels: an outline and the holes in it, each a ring of corners `[x, y]`.
///
/// The top-left corner of texel `(i, j)` is `[i, j]`, so a shape of the polygon covers exactly what a sprite of the
/// mask covers. A ring is closed without repeating its first corner, begins at its topmost corner (the leftmost of
/// several), and never touches itself. Solid texels are on its right: on a y-down screen the outline winds clockwise
/// and holes wind counterclockwise. Two rings may touch at common corners. [`Shape::polygon_with_holes`] accepts all of
/// this.
///
/// [`Shape::polygon_with_holes`]: crate::Shape::polygon_with_holes
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Polygon {
    /// The outer ring.
    pub outline: Vec<[i32; 2]>,
    /// The rings of the holes.
    pub holes: Vec<Vec<[i32; 2]>>,
}

impl Polygon {
    /// Returns the outline, then the holes.
    fn rings(&mut self) -> impl Iterator<Item = &mut Vec<[i32; 2]>> {
        std::iter::once(&mut self.outline).chain(&mut self.holes)
    }
}

/// Turns a ring so that it begins at its topmost corner, the leftmost of several.
fn begin_at_first(ring: &mut [[i32; 2]]) {
    let first = (0..ring.len()).min_by_key(|&i| [ring[i][1], ring[i][0]]);
    ring.rotate_left(first.unwrap_or(0));
}

impl Mask {
    /// Returns the exact boundary of the solid texels along their edges, as one polygon for each component that
    /// [`Mask::components`] returns for [`Neighbours::Four`], in that order. Together they cover exactly the solid
    /// texels.
    ///
    /// Holes are sorted by their first corners, topmost, then leftmost. A ring turns at each of its corners. Components
    /// that touch only at a corner are separate polygons. Where a component touches itself at a corner, it encloses
    /// empty texels; they form a hole, which touches another ring there.
    ///
    /// The time is near linear in the number of words and the length of the boundary. A [`Shape`](crate::Shape) takes
    /// at most 65,536 corners; [`Mask::polygons_within`] returns fewer.
    ///
    /// ```
    /// use hitmask::{Mask, Shape};
    ///
    /// let mask = Mask::from_rows(&["###.", "#.#.", "####"])?;
    /// let polygons = mask.polygons();
    /// assert_eq!(polygons[0].outline, [[0, 0], [3, 0], [3, 2], [4, 2], [4, 3], [0, 3]]);
    /// assert_eq!(polygons[0].holes, [[[1, 1], [1, 2], [2, 2], [2, 1]]]);
    /// let shape = Shape::polygon_with_holes(&polygons[0].outline, &polygons[0].holes)?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "contours")]
    #[doc(alias = "vectorize")]
    #[must_use]
    pub fn polygons(&self) -> Vec<Polygon> {
        let mut tracer = Tracer::default();
        self.components(Neighbours::Four).iter().map(|part| tracer.polygon(part)).collect()
    }

    /// Returns the polygons of [`Mask::polygons`] with fewer corners. Every point of a simplified ring is within
    /// `tolerance` units of the exact ring, and every point of the exact ring within `tolerance` of the simplified one,
    /// with distances computed in `f64`.
    ///
    /// The number and the order of polygons and holes stay the same; even the smallest ring keeps three corners. All
    /// corners are corners of the exact ring. No ring touches itself, and no two rings cross or overlap, not even those
    /// of different polygons. Holes and islands stay inside the rings that contained them. Corners that this requires
    /// are kept, as are all corners at which two rings touch. An edge replaces at most 1,024 exact ones.
    ///
    /// With a tolerance of 1, a staircase of equal steps one texel high becomes a straight slope. With 1.5, the texels
    /// along any straight line become one edge. With 0, the polygons are exact. Returns [`Error::Value`] if the
    /// tolerance is negative or not finite.
    ///
    /// It repeatedly removes the corner whose removal keeps the ring closest to the exact one, as in Visvalingam and
    /// Whyatt, "Line generalisation by repeated elimination of points" (The Cartographic Journal, 1993), unless a
    /// corner lies within the triangle that is cut off or added.
    ///
    /// ```
    /// use hitmask::{Mask, Shape};
    ///
    /// let stairs = Mask::from_rows(&["##....", "####..", "######"])?;
    /// assert_eq!(stairs.polygons()[0].outline.len(), 8);
    /// let slope = &stairs.polygons_within(1.0)?[0];
    /// assert_eq!(slope.outline, [[0, 0], [6, 3], [0, 3]]);
    /// let shape = Shape::polygon_with_holes(&slope.outline, &slope.holes)?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "simplify")]
    pub fn polygons_within(&self, tolerance: f64) -> Result<Vec<Polygon>> {
        if !(tolerance.is_finite() && tolerance >= 0.0) {
            return Err(Error::value("tolerance", Number(tolerance), "be finite, and 0 or more"));
        }
        let mut polygons = self.polygons();
        let mut rings = Rings::new(self.size(), &mut polygons);
        rings.simplify(tolerance);
        for (number, ring) in polygons.iter_mut().flat_map(Polygon::rings).enumerate() {
            *ring = rings.corners(number).collect();
            begin_at_first(ring);
        }
        Ok(polygons)
    }
}
