//! Turned sprites, painted as bits aligned to the world's pixels; twin of `shaders/paint.wgsl`.

use std::ops::Range;

use crate::lattice::INVERSE_BITS;
use crate::packed::{Aabb, Body, Packed, Shape};
use crate::simd::{Lanes, Texels};

/// Pixels in a word.
pub const WORD: i32 = 64;

/// The texel coordinates of 16 fractional bits under the centre of pixel `(x, y)`.
#[must_use]
pub fn texel_under(body: &Body, shape: &Shape, x: i32, y: i32) -> [i64; 2] {
    let at = body.position;
    let (x0, y0) = (at.x >> 8, at.y >> 8);
    let (fx, fy) = (256 * x0 + 128 - at.x, 256 * y0 + 128 - at.y);
    let along = |[a, b]: [i32; 2], anchor: i32| {
        let [a, b] = [i64::from(a), i64::from(b)];
        ((a * i64::from(fx) + b * i64::from(fy)) >> 8)
            + (i64::from(anchor) << 8)
            + a * i64::from(x - x0)
            + b * i64::from(y - y0)
    };
    [along(body.linear.x, shape.anchor.x), along(body.linear.y, shape.anchor.y)]
}

/// The pixels that a sprite paints from `(x, y)` rightward, the lowest bit leftmost.
#[must_use]
pub fn sample(packed: &Packed, body: &Body, shape: &Shape, x: i32, y: i32) -> u64 {
    let [u, v] = texel_under(body, shape, x, y);
    let [du, dv] = [body.linear.x[0], body.linear.y[0]].map(i64::from);
    let [across, down] = [inside(u, du, shape.size.x), inside(v, dv, shape.size.y)];
    let (first, end) = (across.start.max(down.start), across.end.min(down.end));
    let stride = shape.stride as usize / 2;
    let rows = &packed.words[shape.first as usize / 2..][..stride * shape.size.y as usize];
    let mut bits = 0;
    for i in first..end {
        let [column, row] = [(u + i * du) >> INVERSE_BITS, (v + i * dv) >> INVERSE_BITS];
        bits |= (rows[row as usize * stride + column as usize / 64] >> (column % 64) & 1) << i;
    }
    bits
}

/// The steps `i` of a word for which `u + i du`, a texel coordinate of 16 fractional bits, lies in `0..size`.
fn inside(u: i64, du: i64, size: i32) -> Range<i64> {
    let size = i64::from(size) << INVERSE_BITS;
    let (first, end) = match du.signum() {
        0 if (0..size).contains(&u) => (0, WORD.into()),
        0 => (0, 0),
        // From the first step that is not below 0 to the first that is not below `size`.
        1 => ((du - 1 - u).div_euclid(du), (du - 1 + size - u).div_euclid(du)),
        // From behind the last step that is not below `size` to behind the last that is not below 0.
        _ => ((u - size).div_euclid(-du) + 1, u.div_euclid(-du) + 1),
    };
    first.clamp(0, WORD.into())..end.clamp(0, WORD.into())
}

/// Paints the pixel rows `rows` of a sprite that is neither unturned nor empty, all of them within its pixels, into `words`, those of these
/// rows alone, [`Body::painted_stride`] each.
#[doc(hidden)]
#[inline(always)]
pub fn paint_body<L: Lanes>(
    lanes: L,
    packed: &Packed,
    body: &Body,
    shape: &Shape,
    rows: Range<i32>,
    words: &mut [u64],
) {
    let stride = shape.stride as usize;
    let mask = &packed.atlas()[shape.first as usize..][..stride * shape.size.y as usize];
    let side = shape.size.x.max(shape.size.y);
    let painted = Painted::new(body, shape, &rows);
    if side <= 32 && painted.fits() {
        let mut rows = [0; 32];
        for (row, words) in rows.iter_mut().zip(mask.chunks_exact(stride)) {
            *row = words[0];
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

/// Rows of pixels to be painted, on the lattice of a mask's texels. Coordinates are of 16 fractional bits.
struct Painted {
    /// Of the first row's first pixel.
    at: [i64; 2],
    /// From a pixel to the next.
    step: [i32; 2],
    /// From a row to the next.
    down: [i32; 2],
    /// The mask's, in texels.
    size: [i32; 2],
    /// Pixels in a row.
    width: usize,
    /// Words in a row.
    stride: usize,
    rows: usize,
}

impl Painted {
    #[inline(always)]
    fn new(body: &Body, shape: &Shape, rows: &Range<i32>) -> Self {
        let Aabb { min, max } = body.pixels(shape);
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

    /// Whether 32 bits hold the coordinates of all pixels, whole words of them: those of the corners do.
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

    /// Follows the lines along which the mask begins and ends in each row, and looks up what lies between.
    ///
    /// ```text
    ///   for each row
    ///       span = the pixels i with 0 <= u + i du < width and 0 <= v + i dv < height
    ///       for each word that the span reaches: the texels under its 64 pixels, but for those outside the span
    ///       u, v += what they change from row to row
    /// ```
    ///
    /// Within the span `u` and `v` are less than 2^29, a mask's side of 13 bits and 16 fractional bits, so that 32 bits hold them;
    /// outside they may wrap, and what is looked up there does not matter.
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

/// The pixels of a row whose texel coordinate lies within the mask, then those of the row below, and so on. The ends of such a span lie
/// on two lines, followed by quotient and remainder (Bresenham, *Algorithm for Computer Control of a Digital Plotter*, 1965).
enum Span {
    /// The coordinate changes along a row: the first pixel within, and the first behind it.
    Lines([Line; 2]),
    /// It does not: all pixels are within, or none.
    Constant { at: i64, down: i64, size: i64 },
}

impl Span {
    /// Of a coordinate that is `at` under the first pixel, each pixel rightward `along` more, and each row `down` more.
    #[inline(always)]
    fn new(at: i64, along: i64, down: i64, size: i32) -> Self {
        let size = i64::from(size) << INVERSE_BITS;
        let by = along.abs();
        match along.signum() {
            0 => Self::Constant { at, down, size },
            // From the first pixel that is not below 0 to the first that is not below `size`.
            1 => Self::Lines([-at, size - at].map(|to| Line::new(to + by - 1, -down, by))),
            // From behind the last pixel that is not below `size` to behind the last that is not below 0.
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

/// `floor((at + k down) / by)` for `k` = 0, 1, 2, ...
struct Line {
    quotient: i64,
    /// 0 to `by - 1`.
    remainder: i64,
    quotient_down: i64,
    /// 0 to `by - 1`.
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
    use crate::lattice::Linear;
    use crate::mask::Mask;
    use crate::packed::{EMPTY, UNTURNED};
    use crate::shape;
    use crate::simd::{Kernel, Simd};
    use crate::workloads::SplitMix64;
    use crate::world::{self, World};

    #[test]
    fn inside_is_where_the_mask_is() {
        for du in [-200_000, -65_536, -3, -1, 0, 1, 7, 65_536, 99_999] {
            for size in [1, 2, 40] {
                let end = i64::from(size) << INVERSE_BITS;
                for u in [-5_000_000, -65_536, -1, 0, 1, 65_535, 65_536, end - 1, end, end + 3_000_000] {
                    let range = inside(u, du, size);
                    let plain: Vec<i64> = (0..64).filter(|i| (0..end).contains(&(u + i * du))).collect();
                    assert_eq!(range.collect::<Vec<_>>(), plain, "{u} + i {du} in 0..{end}");
                }
            }
        }
    }
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

    /// Sprites of random masks in random poses: turned, scaled, flipped, sheared.
    fn sprites(count: u32) -> World {
        let mut random = SplitMix64(8);
        let mut world = World::default();
        while world.packed().bodies.len() < count as usize {
            let most = [8, 32, 33, 64, 65, 200][random.below(6) as usize];
            let [width, height] = [(); 2].map(|()| 1 + random.below(most));
            let alpha: Vec<u8> = (0..width * height).map(|_| random.below(256) as u8).collect();
            let mask = Mask::from_alpha(&alpha, width, height, 100).unwrap();
            let [kind, degrees] = [random.below(4), random.below(360)].map(f64::from);
            let mut real = |size: f64| (f64::from(random.below(1 << 20)) / f64::from(1 << 19) - 1.0) * size;
            let anchor = [real(100.0), real(100.0)];
            let linear = match kind {
                0.0 => Linear::turned((degrees / 45.0).floor() * 45.0),
                1.0 => Linear::turned(degrees),
                2.0 => Linear { x: [real(1.5), real(1.5)], y: [real(1.5), real(1.5)] },
                _ => Linear { x: [real(4.0), real(0.1)], y: [real(9.0), real(2.0)] },
            };
            let Ok(shape) = shape::Shape::sprite(mask).anchored(anchor) else { continue };
            let shape = world.add_shape(shape).unwrap();
            let at = [real(2e5), real(2e5)];
            // One that is too slim, or not turned at all, is another time's.
            drop(world.add(&world::Body::new(shape, at).posed(linear)));
        }
        world
    }

    #[test]
    fn painted_is_what_lies_under_each_pixel() {
        let world = sprites(600);
        let packed = world.packed();
        let mut solid = 0;
        for body in packed.bodies.iter().filter(|body| !body.is(UNTURNED) && !body.is(EMPTY)) {
            let shape = &packed.shapes[body.shape as usize];
            let pixels = body.pixels(shape);
            let stride = body.painted_stride();
            // Rows that are not the first, too.
            let rows = pixels.min.y + (pixels.max.y - pixels.min.y) / 3 * i32::from(body.shape % 2 == 1)..pixels.max.y;
            let mut expected = vec![0; stride * rows.len()];
            for (row, y) in expected.chunks_exact_mut(stride).zip(rows.clone()) {
                for (i, x) in (pixels.min.x..pixels.max.x).enumerate() {
                    let [u, v] = texel_under(body, shape, x, y).map(|v| v >> INVERSE_BITS);
                    row[i / 64] |= u64::from(packed.texel(shape, u, v)) << (i % 64);
                }
            }
            solid += expected.iter().map(|word| word.count_ones()).sum::<u32>();
            for simd in Simd::available() {
                let mut words = vec![u64::MAX; expected.len()];
                simd.run(Part { packed, body, rows: rows.clone(), words: &mut words });
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
