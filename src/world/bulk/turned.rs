//! Turning sprites, many together: the divisions of their inverses and extents take most of the time of a pose, and
//! compilers vectorize a loop without a branch.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, low_word};
use crate::ground::linear::{Linear, MAX_LINEAR, Snapped};
use crate::world::pose::extent::{MAX_EXTENT, edges, turned_pixels};

/// Number of sprites that are posed at once.
pub(super) const TOGETHER: usize = 64;

/// Columns of sprites that are turned, with their inverses and extents.
pub(super) struct Turned {
    /// The rows of each linear part.
    linears: [[f64; TOGETHER]; 4],
    /// The edges of the solid texels, from the anchor: left, right, top, bottom.
    edges: [[f64; TOGETHER]; 4],
    /// The rows of each inverse.
    inverses: [[i32; TOGETHER]; 4],
    /// The corners of each extent.
    extents: [[i32; TOGETHER]; 4],
    /// True at each place with a sprite; once these are turned, only if inverse and extent are within their limits.
    are_valid: [bool; TOGETHER],
    /// The place of the last sprite and one more; 0 if there is none.
    end: usize,
}

impl Default for Turned {
    fn default() -> Self {
        Self {
            linears: [[0.0; TOGETHER]; 4],
            edges: [[0.0; TOGETHER]; 4],
            inverses: [[0; TOGETHER]; 4],
            extents: [[0; TOGETHER]; 4],
            are_valid: [false; TOGETHER],
            end: 0,
        }
    }
}

impl Turned {
    /// Removes all sprites.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        (self.end, self.are_valid) = (0, [false; TOGETHER]);
    }

    /// Puts a sprite into the columns, after those before.
    #[inline(always)]
    pub(super) fn put(&mut self, k: usize, linear: Linear, anchor: Point, solid: Aabb) {
        (self.end, self.are_valid[k]) = (k + 1, true);
        let [[a, b], [c, d]] = [linear.x, linear.y];
        let [[left, right], [top, bottom]] = edges(anchor, solid);
        for (column, v) in self.linears.iter_mut().zip([a, b, c, d]) {
            column[k] = v;
        }
        for (column, v) in self.edges.iter_mut().zip([left, right, top, bottom]) {
            column[k] = v;
        }
    }

    /// Computes the inverses and extents of the sprites.
    #[expect(clippy::needless_bitwise_bool, reason = "without a branch, many at once")]
    #[inline(always)]
    pub(super) fn turn(&mut self) {
        let Self { linears: [a, b, c, d], edges: [left, right, top, bottom], inverses, extents, are_valid, end } = self;
        for k in 0..*end {
            let linear = Linear { x: [a[k], b[k]], y: [c[k], d[k]] };
            let (inverse, is_small) = linear.inverse_if_small();
            let pixels = turned_pixels(inverse, [[left[k], right[k]], [top[k], bottom[k]]]);
            let [[x0, y0], [x1, y1]] = pixels.map(|corner| corner.map(|v| v * 256.0));
            let limit = f64::from(MAX_EXTENT);
            are_valid[k] &= linear.is_within(MAX_LINEAR)
                & is_small
                & (x0 >= -limit)
                & (y0 >= -limit)
                & (x1 <= limit)
                & (y1 <= limit);
            let [[p, q], [r, s]] = [inverse.x, inverse.y];
            (inverses[0][k], inverses[1][k], inverses[2][k], inverses[3][k]) = (p, q, r, s);
            let [x0, y0, x1, y1] = [x0, y0, x1, y1].map(low_word);
            (extents[0][k], extents[1][k], extents[2][k], extents[3][k]) = (x0, y0, x1, y1);
        }
    }

    /// Returns the inverse and the extent of a sprite; `None` if there is none at this place, or if it is empty or
    /// unturned, or beyond a limit.
    #[inline(always)]
    pub(super) fn get(&self, k: usize) -> Option<(Snapped, Aabb)> {
        let [p, q, r, s] = self.inverses.each_ref().map(|column| column[k]);
        let [x0, y0, x1, y1] = self.extents.each_ref().map(|column| column[k]);
        let inverse = Snapped { x: [p, q], y: [r, s] };
        let extent = Aabb { min: Point::new(x0, y0), max: Point::new(x1, y1) };
        (self.are_valid[k] && inverse != Snapped::UNTURNED).then_some((inverse, extent))
    }
}
