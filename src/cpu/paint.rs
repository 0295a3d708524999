//! Turned sprites, painted as bits aligned to the world's pixels; twin of `shaders/paint.wgsl`.

use crate::lattice::INVERSE_BITS;
use crate::packed::{Body, NO_SLOT, Packed, SPRITE, Shape, Slots};

use super::land::for_each_slot;

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
    let [mut u, mut v] = texel_under(body, shape, x, y);
    let [du, dv] = [body.linear.x[0], body.linear.y[0]].map(i64::from);
    let mut bits = 0;
    for i in 0..WORD {
        bits |= u64::from(packed.texel(shape, u >> INVERSE_BITS, v >> INVERSE_BITS)) << i;
        u += du;
        v += dv;
    }
    bits
}

/// The words of all sprites that are painted ahead, at their slots.
#[must_use]
pub fn paint(packed: &Packed, slots: &Slots) -> Vec<u64> {
    let mut painted = vec![0; slots.words];
    let has_slot = |(body, slot): &(&Body, &u32)| body.is(SPRITE) && **slot != NO_SLOT;
    let bodies: Vec<Body> = packed.bodies.iter().zip(&slots.of).filter(has_slot).map(|(body, _)| *body).collect();
    for_each_slot(&bodies, &mut painted, Body::painted_words, |body, words| {
        let shape = &packed.shapes[body.shape as usize];
        let pixels = body.pixels(shape);
        for (row, y) in words.chunks_exact_mut(body.painted_stride()).zip(pixels.min.y..) {
            for (word, x) in row.iter_mut().zip((pixels.min.x..).step_by(WORD as usize)) {
                *word = sample(packed, body, shape, x, y);
            }
        }
    });
    painted
}
