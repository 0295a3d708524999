//! The pixels that a sprite paints.

use super::{P, add, dot, pixel};
use crate::ground::linear::Linear;
use crate::mask::Mask;

/// A rectangle of pixels, row by row, each painted or not.
pub(super) struct Picture {
    min: P,
    size: P,
    painted: Vec<bool>,
}

impl Picture {
    /// Paints a mask whose anchor lands at `at`: looks up the texel under the centre of each pixel around it.
    pub(super) fn paint(mask: &Mask, anchor: P, linear: Linear, inverse: [P; 2], at: P) -> Self {
        let Linear { x: [a, b], y: [c, d] } = linear;
        let (mut min, mut max) = ([f64::MAX; 2], [f64::MIN; 2]);
        for u in [0, mask.width()] {
            for v in [0, mask.height()] {
                let local = [f64::from(u) - anchor[0] as f64 / 256.0, f64::from(v) - anchor[1] as f64 / 256.0];
                let corner = [a * local[0] + b * local[1], c * local[0] + d * local[1]];
                for axis in 0..2 {
                    min[axis] = min[axis].min(corner[axis]);
                    max[axis] = max[axis].max(corner[axis]);
                }
            }
        }
        // The snapped inverse is off by up to 2^-17 texel per pixel; the margin covers that.
        let far = min.iter().chain(&max).fold(0.0_f64, |far, v| far.max(v.abs()));
        let scale = [a, b, c, d].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
        let margin = 3 + (far * scale / 32768.0) as i128;
        let [x0, y0] = pixel(at);
        let [fx, fy] = [256 * x0 + 128 - at[0], 256 * y0 + 128 - at[1]];
        let [row_u, row_v] = inverse;
        let min = min.map(|v| v.floor() as i128 - margin);
        let size = [0, 1].map(|axis| max[axis].ceil() as i128 + margin + 1 - min[axis]);
        // Here a texel is 65,536 steps wide.
        let under = |moved: P| {
            let u = (dot(row_u, [fx, fy]) >> 8) + 256 * anchor[0] + dot(row_u, moved);
            let v = (dot(row_v, [fx, fy]) >> 8) + 256 * anchor[1] + dot(row_v, moved);
            [u, v]
        };
        let is =
            |[u, v]: P| matches!((u32::try_from(u >> 16), u32::try_from(v >> 16)), (Ok(i), Ok(j)) if mask.get(i, j));
        let mut painted = Vec::new();
        for y in 0..size[1] {
            let mut at = under(add(min, [0, y]));
            for _ in 0..size[0] {
                painted.push(is(at));
                at = add(at, [row_u[0], row_v[0]]);
            }
        }
        Self { min: add([x0, y0], min), size, painted }
    }

    pub(super) fn has(&self, [x, y]: P) -> bool {
        let [x, y] = [x - self.min[0], y - self.min[1]];
        (0..self.size[0]).contains(&x)
            && (0..self.size[1]).contains(&y)
            && self.painted[(y * self.size[0] + x) as usize]
    }

    /// Returns the painted pixels, row by row.
    pub(super) fn pixels(&self) -> impl Iterator<Item = P> {
        self.pixels_near(self, [0, 0])
    }

    /// Returns the pixels painted in the rectangle of another picture, moved by `by`, or next to it.
    pub(super) fn pixels_near(&self, other: &Self, by: P) -> impl Iterator<Item = P> {
        let axis = move |axis: usize| {
            let from = other.min[axis] + by[axis] - 1;
            from.max(self.min[axis])..(from + other.size[axis] + 2).min(self.min[axis] + self.size[axis])
        };
        let all = axis(1).flat_map(move |y| axis(0).map(move |x| [x, y]));
        all.filter(|&pixel| self.has(pixel))
    }
}
