//! The painting of turned sprites as bits aligned to the world's pixels. The GPU paints the same pixels by another
//! algorithm (`shaders/stages/paint.wgsl`).

use std::ops::Range;

use crate::ground::aabb::Aabb;
use crate::ground::linear::INVERSE_BITS;
use crate::simd::{Lanes, Texels, half};
use crate::world::packed::{Body, Packed, Shape};
use crate::world::pose::texel::texel_under;

/// Paints the pixel rows `rows` of a sprite, which must be neither unturned nor empty. The rows must lie within its
/// pixels; `words` has [`Body::painted_stride`] words for each of them.
#[doc(hidden)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn paint_body<L: Lanes>(
    lanes: L,
    packed: &Packed,
    body: &Body,
    shape: &Shape,
    rows: Range<i32>,
    words: &mut [u64],
) {
    let stride = shape.stride as usize;
    let mask = &packed.halves()[shape.first as usize..][..stride * shape.size.y as usize];
    let side = shape.size.x.max(shape.size.y);
    let painted = Painted::new(body, shape, &rows);
    if side <= 32 && painted.fits() {
        let mut rows = [0; 32];
        for (row, words) in rows.iter_mut().zip(mask.chunks_exact(stride)) {
            *row = words[half(0)];
        }
        if let Some(texels) = lanes.small(&rows, painted.size, painted.step) {
            return painted.pick(&texels, words);
        }
    } else if side <= 64 && painted.fits() {
        let mut rows = [0; 128];
        rows[..mask.len()].copy_from_slice(mask);
        if let Some(texels) = lanes.medium(&rows, painted.size, painted.step) {
            return painted.pick(&texels, words);
        }
    }
    painted.follow(lanes, mask, stride, words);
}

/// Rows of pixels to paint, on the lattice of a mask's texels. Coordinates have 16 fractional bits.
struct Painted {
    /// The texel coordinates of the first row's first pixel.
    at: [i64; 2],
    /// The change of texel coordinates from a pixel to the next.
    step: [i32; 2],
    /// The change of texel coordinates from a row to the next.
    down: [i32; 2],
    /// The size of the mask, in texels.
    size: [i32; 2],
    /// Number of pixels in a row.
    width: usize,
    /// Number of words in a row.
    stride: usize,
    /// Number of rows.
    rows: usize,
}

impl Painted {
    #[inline(always)]
    fn new(body: &Body, shape: &Shape, rows: &Range<i32>) -> Self {
        let Aabb { min, max } = body.pixels();
        let [x, y] = [body.linear.x, body.linear.y];
        Self {
            at: texel_under(body, shape, min.x, rows.start),
            step: [x[0], y[0]],
            down: [x[1], y[1]],
            size: [shape.size.x, shape.size.y],
            width: (max.x - min.x) as usize,
            stride: body.painted_stride(),
            rows: rows.len(),
        }
    }

    /// Returns whether the coordinates of all pixels, in whole words, fit 32 bits, which the corners decide.
    #[inline(always)]
    fn fits(&self) -> bool {
        let [across, rows] = [64 * self.stride as i64, self.rows as i64];
        let mut fits = true;
        for k in 0..2 {
            let [right, bottom] = [across * i64::from(self.step[k]), rows * i64::from(self.down[k])];
            let least = self.at[k] + right.min(0) + bottom.min(0);
            let most = self.at[k] + right.max(0) + bottom.max(0);
            fits &= least >= i32::MIN.into() && most <= i32::MAX.into();
        }
        fits
    }

    /// Looks up each pixel.
    #[inline(always)]
    fn pick(&self, texels: &impl Texels, words: &mut [u64]) {
        let [mut u, mut v] = self.at.map(|at| at as i32);
        for row in words.chunks_exact_mut(self.stride).take(self.rows) {
            let mut at = [u, v];
            for (k, word) in row.iter_mut().enumerate() {
                *word = texels.under(at, (self.width - 64 * k).min(64));
                at = [at[0].wrapping_add(64 * self.step[0]), at[1].wrapping_add(64 * self.step[1])];
            }
            (u, v) = (u.wrapping_add(self.down[0]), v.wrapping_add(self.down[1]));
        }
    }

    /// Follows the lines along which the mask begins and ends in each row, and looks up the texels between them.
    ///
    /// ```text
    ///   for each row
    ///       span = the pixels i with 0 <= u + i du < width and 0 <= v + i dv < height
    ///       for each word that the span reaches: the texels under its 64 pixels, except those outside the span
    ///       u, v += their change from row to row
    /// ```
    ///
    /// Within the span `u` and `v` are below 2^29 (13 bits of a mask's side and 16 fractional bits), so they fit 32
    /// bits. Outside they may wrap; texels looked up there are masked out.
    #[inline(always)]
    fn follow<L: Lanes>(&self, lanes: L, mask: &[u32], stride: usize, words: &mut [u64]) {
        let span = |k: usize| Span::new(self.at[k], self.step[k].into(), self.down[k].into(), self.size[k]);
        let (mut across, mut down) = (span(0), span(1));
        let [mut u, mut v] = self.at.map(|at| at as i32);
        let [du, dv] = self.step;
        for row in words.chunks_exact_mut(self.stride).take(self.rows) {
            let (a, b) = (across.next(), down.next());
            let (first, end) = (a.start.max(b.start).max(0), a.end.min(b.end).min(self.width as i64));
            row.fill(0);
            if first < end {
                let (first, end) = (first as usize, end as usize);
                for (k, word) in row.iter_mut().enumerate().take(end.div_ceil(64)).skip(first / 64) {
                    let i = 64 * k as i32;
                    let at = [u.wrapping_add(du.wrapping_mul(i)), v.wrapping_add(dv.wrapping_mul(i))];
                    let span = first.saturating_sub(64 * k)..(end - 64 * k).min(64);
                    let within = (u64::MAX >> (64 - span.end)) & u64::MAX << span.start;
                    *word = lanes.texels(mask, stride, at, [du, dv], span) & within;
                }
            }
            (u, v) = (u.wrapping_add(self.down[0]), v.wrapping_add(self.down[1]));
        }
    }
}

/// An iterator over rows that yields the pixels of a row for which one texel coordinate lies within the mask. The ends
/// of these spans lie on two lines, which are followed by quotient and remainder (Bresenham, *Algorithm for Computer
/// Control of a Digital Plotter*, 1965).
enum Span {
    /// The coordinate changes along a row: the first pixel within, and the first behind the last.
    Lines([Line; 2]),
    /// The coordinate is constant along a row: all pixels are within, or none.
    Constant { at: i64, down: i64, size: i64 },
}

impl Span {
    /// Creates the spans of a coordinate that is `at` under the first pixel, and grows by `along` per pixel rightward
    /// and by `down` per row.
    #[inline(always)]
    fn new(at: i64, along: i64, down: i64, size: i32) -> Self {
        let size = i64::from(size) << INVERSE_BITS;
        let by = along.abs();
        match along.signum() {
            0 => Self::Constant { at, down, size },
            // From the first pixel at 0 or above to the first at `size` or above.
            1 => Self::Lines([-at, size - at].map(|to| Line::new(to + by - 1, -down, by))),
            // From behind the last pixel at `size` or above to behind the last at 0 or above.
            _ => Self::Lines([at - size, at].map(|to| Line::new(to + by, down, by))),
        }
    }

    #[inline(always)]
    fn next(&mut self) -> Range<i64> {
        match self {
            Self::Lines([first, end]) => first.next()..end.next(),
            Self::Constant { at, down, size } => {
                let within = (0..*size).contains(at);
                *at += *down;
                if within { 0..i64::MAX } else { 0..0 }
            }
        }
    }
}

/// The values of `floor((at + k down) / by)` for `k` = 0, 1, 2, ...
struct Line {
    quotient: i64,
    /// The remainder, from 0 to `by - 1`.
    remainder: i64,
    quotient_down: i64,
    /// The change of the remainder from row to row, from 0 to `by - 1`.
    remainder_down: i64,
    by: i64,
}

impl Line {
    #[inline(always)]
    fn new(at: i64, down: i64, by: i64) -> Self {
        Self {
            quotient: at.div_euclid(by),
            remainder: at.rem_euclid(by),
            quotient_down: down.div_euclid(by),
            remainder_down: down.rem_euclid(by),
            by,
        }
    }

    #[inline(always)]
    fn next(&mut self) -> i64 {
        let quotient = self.quotient;
        self.remainder += self.remainder_down;
        let carry = self.remainder >= self.by;
        self.quotient += self.quotient_down + i64::from(carry);
        self.remainder -= if carry { self.by } else { 0 };
        quotient
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::linear::Linear;
    use crate::mask::Mask;
    use crate::simd::{Kernel, Simd};
    use crate::world::World;
    use crate::world::packed::{EMPTY, UNTURNED};
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn a_line_is_the_floor_of_each_row() {
        for by in 1..9 {
            for down in -20..20 {
                for at in -20..20 {
                    let mut line = Line::new(at, down, by);
                    let rows: Vec<i64> = (0..20).map(|_| line.next()).collect();
                    let floors: Vec<i64> = (0..20).map(|k| (at + k * down).div_euclid(by)).collect();
                    assert_eq!(rows, floors, "({at} + k {down}) / {by}");
                }
            }
        }
    }

    #[test]
    fn coordinates_fit_up_to_the_last_corner() {
        let (least, most) = (i64::from(i32::MIN), i64::from(i32::MAX));
        for k in 0..2 {
            for (step, down) in [(5, 7), (5, -7), (-5, 7), (-5, -7)] {
                // A word of 64 pixels in each of 3 rows.
                let ways = [64 * i64::from(step), 3 * i64::from(down)];
                let [before, beyond] = [ways.map(|way| way.min(0)), ways.map(|way| way.max(0))];
                let [first, last] = [least - before.iter().sum::<i64>(), most - beyond.iter().sum::<i64>()];
                for (at, fits) in [(first, true), (first - 1, false), (last, true), (last + 1, false)] {
                    let zero = [0; 2];
                    let mut painted =
                        Painted { at: [0; 2], step: zero, down: zero, size: [8; 2], width: 9, stride: 1, rows: 3 };
                    (painted.at[k], painted.step[k], painted.down[k]) = (at, step, down);
                    assert_eq!(painted.fits(), fits, "{at}, {step}, {down}");
                }
            }
        }
    }

    /// Sprites of random masks in random poses: turned, scaled, flipped, sheared.
    fn sprites(count: u32) -> World {
        let mut random = SplitMix64(8);
        let mut world = World::default();
        while world.packed().len() < count as usize {
            let most = [8, 32, 33, 64, 65, 200][random.below(6) as usize];
            let [width, height] = [(); 2].map(|()| 1 + random.below(most));
            let alpha: Vec<u8> = (0..width * height).map(|_| random.below(256) as u8).collect();
            let mask = Mask::from_alpha(&alpha, width, height, 100).unwrap();
            let [kind, degrees] = [random.below(4), random.below(360)].map(f64::from);
            let mut real = |size: f64| (f64::from(random.below(1 << 20)) / f64::from(1 << 19) - 1.0) * size;
            let anchor = [real(100.0), real(100.0)];
            let linear = match kind {
                0.0 => Linear::from_degrees((degrees / 45.0).floor() * 45.0),
                1.0 => Linear::from_degrees(degrees),
                2.0 => Linear { x: [real(1.5), real(1.5)], y: [real(1.5), real(1.5)] },
                _ => Linear { x: [real(4.0), real(0.1)], y: [real(9.0), real(2.0)] },
            };
            let Ok(shape) = crate::Shape::sprite(mask).anchored(anchor) else { continue };
            let shape = world.add_shape(shape).unwrap();
            let at = [real(2e5), real(2e5)];
            // Skip bodies that the world rejects as too slim. Unturned ones are filtered out below.
            drop(world.add(&crate::Body::new(shape, at).posed(linear)));
        }
        world
    }

    #[test]
    fn painted_is_what_lies_under_each_pixel() {
        let world = sprites(600);
        let packed = world.packed();
        let mut solid = 0;
        for body in packed.bodies().filter(|body| !body.is(UNTURNED) && !body.is(EMPTY)) {
            let shape = &packed.shapes[body.shape as usize];
            let pixels = body.pixels();
            let stride = body.painted_stride();
            // Half of the sprites are not painted from their first row.
            let rows = pixels.min.y + (pixels.max.y - pixels.min.y) / 3 * i32::from(body.shape % 2 == 1)..pixels.max.y;
            let mut expected = vec![0; stride * rows.len()];
            for (row, y) in expected.chunks_exact_mut(stride).zip(rows.clone()) {
                for (i, x) in (pixels.min.x..pixels.max.x).enumerate() {
                    let [u, v] = texel_under(&body, shape, x, y).map(|v| v >> INVERSE_BITS);
                    row[i / 64] |= u64::from(packed.texel(shape, u, v)) << (i % 64);
                }
            }
            solid += expected.iter().map(|word| word.count_ones()).sum::<u32>();
            for simd in Simd::available() {
                let mut words = vec![u64::MAX; expected.len()];
                simd.run(Part { packed, body: &body, rows: rows.clone(), words: &mut words });
                assert!(words == expected, "{simd:?}: {body:?} of {shape:?}");
            }
        }
        assert!(solid > 100_000, "{solid}");
    }

    struct Part<'a> {
        packed: &'a Packed,
        body: &'a Body,
        rows: Range<i32>,
        words: &'a mut [u64],
    }

    impl Kernel for Part<'_> {
        type Output = ();

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) {
            let shape = &self.packed.shapes[self.body.shape as usize];
            paint_body(lanes, self.packed, self.body, shape, self.rows, self.words);
        }
    }
}
