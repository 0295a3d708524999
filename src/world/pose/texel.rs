//! The texels of a sprite's mask under the world's pixels.

use std::ops::Range;

use crate::ground::aabb::Aabb;
use crate::ground::linear::INVERSE_BITS;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE, Shape};

/// The number of pixels in a word.
pub(crate) const WORD: i32 = 64;

/// Maximum number of pixels of a row for which [`sample`] is faster than first finding the columns under which a mask
/// lies ([`columns_within`]).
pub(crate) const FEW: i32 = 4 * WORD;

/// Returns the texel coordinates under the centre of pixel `(x, y)`, with 16 fractional bits.
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

/// Returns the pixels that a sprite paints from `(x, y)` rightward, the lowest bit leftmost.
#[must_use]
pub(crate) fn sample(packed: &Packed, body: &Body, shape: &Shape, x: i32, y: i32) -> u64 {
    let [u, v] = texel_under(body, shape, x, y);
    let [du, dv] = [body.linear.x[0], body.linear.y[0]].map(i64::from);
    let Range { start, end } = common(inside(u, du, shape.size.x, WORD), inside(v, dv, shape.size.y, WORD));
    let stride = shape.stride as usize / 2;
    let rows = &packed.words()[shape.first as usize / 2..][..stride * shape.size.y as usize];
    let mut bits = 0;
    for i in start..end {
        let [column, row] = [(u + i * du) >> INVERSE_BITS, (v + i * dv) >> INVERSE_BITS];
        bits |= (rows[row as usize * stride + column as usize / 64] >> (column % 64) & 1) << i;
    }
    bits
}

/// Returns the columns of pixel row `y`, from `columns[0]` to before `columns[1]`, under which a sprite's mask lies.
/// The mask of a sheared sprite lies aslant in its bounds, so most of a row may be empty.
#[must_use]
pub(crate) fn columns_within(body: &Body, shape: &Shape, y: i32, columns: [i32; 2]) -> [i32; 2] {
    let [left, right] = columns;
    let [u, v] = texel_under(body, shape, left, y);
    let [du, dv] = [body.linear.x[0], body.linear.y[0]].map(i64::from);
    let count = right - left;
    let within = common(inside(u, du, shape.size.x, count), inside(v, dv, shape.size.y, count));
    [within.start, within.end].map(|i| left + i as i32)
}

/// Maximum number of texels per pixel of a row, with 16 fractional bits, for which runs are found texel by texel: a
/// texel costs about as much as four pixels of [`sample`].
const COARSE: u32 = 1 << INVERSE_BITS >> 2;

/// Returns true if the texels of a turned sprite are so wide that its rows are faster painted by [`texel_runs`] than by
/// [`sample`].
pub(crate) fn is_coarse(body: &Body) -> bool {
    body.linear.x[0].unsigned_abs() + body.linear.y[0].unsigned_abs() <= COARSE
}

/// Passes the runs of a row's pixels that each lie in one solid texel to `show`, from left to right. The columns must
/// be within the mask, as those of [`columns_within`] are. Takes one iteration per texel.
pub(crate) fn texel_runs(
    packed: &Packed,
    body: &Body,
    shape: &Shape,
    y: i32,
    [mut x, right]: [i32; 2],
    mut show: impl FnMut([i32; 2]),
) {
    let (stride, rows) = (shape.stride as usize / 2, packed.mask(shape));
    let [du, dv] = [body.linear.x[0], body.linear.y[0]];
    let [mut u, mut v] = texel_under(body, shape, x, y);
    while x < right {
        let [column, row] = [u, v].map(|v| (v >> INVERSE_BITS) as usize);
        let steps = stay(u, du).min(stay(v, dv)).min((right - x) as u32);
        let end = x + steps as i32;
        if rows[row * stride + column / 64] >> (column % 64) & 1 == 1 {
            show([x, end]);
        }
        (u, v) = (u + i64::from(du) * i64::from(steps), v + i64::from(dv) * i64::from(steps));
        x = end;
    }
}

/// Returns the steps of `by` after which a coordinate of 16 fractional bits is in another texel.
fn stay(at: i64, by: i32) -> u32 {
    const TEXEL: u32 = 1 << INVERSE_BITS;
    let at = at as u32 % TEXEL;
    match by.signum() {
        0 => u32::MAX,
        1 => (TEXEL - at).div_ceil(by as u32),
        _ => at / by.unsigned_abs() + 1,
    }
}

fn common(a: Range<i64>, b: Range<i64>) -> Range<i64> {
    a.start.max(b.start)..a.end.min(b.end)
}

/// Returns the steps `i` in `0..steps` for which `u + i du`, a texel coordinate with 16 fractional bits, lies in
/// `0..size`.
fn inside(u: i64, du: i64, size: i32, steps: i32) -> Range<i64> {
    let (size, steps) = (i64::from(size) << INVERSE_BITS, i64::from(steps));
    let (first, end) = match du.signum() {
        0 if (0..size).contains(&u) => (0, steps),
        0 => (0, 0),
        // From the first step that is not below 0 to the first that is not below `size`.
        1 => ((du - 1 - u).div_euclid(du), (du - 1 + size - u).div_euclid(du)),
        // From behind the last step that is not below `size` to behind the last that is not below 0.
        _ => ((u - size).div_euclid(-du) + 1, u.div_euclid(-du) + 1),
    };
    first.clamp(0, steps)..end.clamp(0, steps)
}

/// Returns the texel that a sprite paints in a pixel; `None` if it paints none there, and for any other body.
pub(crate) fn texel(packed: &Packed, body: &Body, [x, y]: [i32; 2]) -> Option<[u32; 2]> {
    if !body.is(SPRITE) || body.is(EMPTY) {
        return None;
    }
    let shape = &packed.shapes[body.shape as usize];
    // Texel coordinates are certain to fit their integers only near the sprite.
    let Aabb { min, max } = body.pixels();
    if !(min.x..max.x).contains(&x) || !(min.y..max.y).contains(&y) {
        return None;
    }
    let [u, v] = texel_under(body, shape, x, y).map(|v| v >> INVERSE_BITS);
    packed.texel(shape, u, v).then_some([u as u32, v as u32])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::ground::linear::Linear;
    use crate::world::World;
    use crate::{Mask, Shape};

    /// Returns a world with one sprite of a few texels with gaps, posed by a linear part.
    pub(crate) fn posed(linear: Linear) -> World {
        let mut mask = Mask::new(5, 4).unwrap();
        (0..20).filter(|k| k % 3 != 1).for_each(|k| mask.set(k % 5, k / 5, true).unwrap());
        let mut world = World::default();
        let shape = world.add_shape(Shape::sprite(mask)).unwrap();
        world.add(&crate::Body::new(shape, [3.4, -7.9]).posed(linear)).unwrap();
        world
    }

    /// Few of the pixels in a sheared sprite's bounds are visited, and all that it paints are.
    #[test]
    fn the_mask_in_a_row_is_found() {
        let sheared = [
            Linear { x: [2.0, 127.0], y: [0.0, 1.0] },
            Linear { x: [127.0, -127.0], y: [-125.0, 127.0] },
            Linear { x: [127.0, 0.0], y: [-127.0, 3.0] },
            Linear { x: [1.5, 0.25], y: [-1.0, 20.0] },
        ];
        for linear in sheared {
            let world = posed(linear);
            let (packed, body) = (world.packed(), world.packed().body(0));
            let (shape, Aabb { min, max }) = (&packed.shapes[body.shape as usize], body.pixels());
            let mut looked = 0;
            for y in min.y..max.y {
                let [left, right] = columns_within(&body, shape, y, [min.x, max.x]);
                looked += (right - left).max(0);
                let mut painted = Vec::new();
                texel_runs(packed, &body, shape, y, [left, right], |[start, end]| painted.extend(start..end));
                let under = (min.x..max.x).filter(|&x| texel(packed, &body, [x, y]).is_some());
                assert!(under.eq(painted), "{linear:?}, row {y}");
            }
            let area = 20.0 * linear.determinant().abs();
            assert!(f64::from(looked) < 1.1 * area + 100.0, "{looked} pixels of {area}: {linear:?}");
        }
    }

    #[test]
    fn inside_is_where_the_mask_is() {
        for du in [-200_000, -65_536, -3, -1, 0, 1, 7, 65_536, 99_999] {
            for size in [1, 2, 40] {
                let end = i64::from(size) << INVERSE_BITS;
                for u in [-5_000_000, -65_536, -1, 0, 1, 65_535, 65_536, end - 1, end, end + 3_000_000] {
                    for steps in [0, 1, 64, 300] {
                        let range = inside(u, du, size, steps);
                        let plain = (0..steps.into()).filter(|i| (0..end).contains(&(u + i * du)));
                        assert!(range.eq(plain), "{u} + i {du} in 0..{end}, {steps} steps");
                    }
                }
            }
        }
    }
}
