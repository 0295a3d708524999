//! Which texel of a sprite's mask lies under a world pixel.

use std::ops::Range;

use crate::ground::aabb::Aabb;
use crate::ground::linear::INVERSE_BITS;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE, Shape};

/// Pixels in a word.
pub(crate) const WORD: i32 = 64;

/// The texel coordinates of 16 fractional bits under the centre of pixel `(x, y)`.
#[must_use]
pub(crate) fn texel_under(body: &Body, shape: &Shape, x: i32, y: i32) -> [i64; 2] {
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
pub(crate) fn sample(packed: &Packed, body: &Body, shape: &Shape, x: i32, y: i32) -> u64 {
    let [u, v] = texel_under(body, shape, x, y);
    let [du, dv] = [body.linear.x[0], body.linear.y[0]].map(i64::from);
    let [across, down] = [inside(u, du, shape.size.x), inside(v, dv, shape.size.y)];
    let (first, end) = (across.start.max(down.start), across.end.min(down.end));
    let stride = shape.stride as usize / 2;
    let rows = &packed.words()[shape.first as usize / 2..][..stride * shape.size.y as usize];
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

/// The texel that a sprite paints in pixel `(x, y)`; nothing where it paints none, and for any other body.
pub(crate) fn texel(packed: &Packed, body: &Body, [x, y]: [i32; 2]) -> Option<[u32; 2]> {
    if !body.is(SPRITE) || body.is(EMPTY) {
        return None;
    }
    let shape = &packed.shapes[body.shape as usize];
    // Only near the sprite do the integers hold what lies under a pixel.
    let Aabb { min, max } = body.pixels();
    if !(min.x..max.x).contains(&x) || !(min.y..max.y).contains(&y) {
        return None;
    }
    let [u, v] = texel_under(body, shape, x, y).map(|v| v >> INVERSE_BITS);
    packed.texel(shape, u, v).then_some([u as u32, v as u32])
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
