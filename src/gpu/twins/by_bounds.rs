//! The function of `shaders/shared/by_bounds.wgsl`: whether boxes and circles at rest hit.

use crate::cpu::narrow::test::{box_meets_disc, discs_meet};
use crate::gpu::modules;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::WORLD;

use super::LANDED;
use super::family::Family;
use super::input::{Random, touch};
use super::twin::Twin;

/// What bounds tell of a body, as the shaders number it.
pub(in crate::gpu) const BOX: u32 = 1;
pub(in crate::gpu) const DISC: u32 = 2;

/// The words of an input: both kinds and the touch rule, and the bounds of both.
pub(super) const WORDS: usize = 9;

/// The bounds of a box, or of a circle, within `spread` of the origin.
fn some_bounds(random: &mut Random, kind: u32, spread: i32) -> [i32; 4] {
    let [some, other] = [(); 2].map(|()| random.within(1, 2 * spread));
    let size = random.of(&[1, 2, spread, 2 * spread, some]);
    let [width, height] = if kind == DISC { [2 * (size / 2); 2] } else { [size, other] };
    let [x, y] = [width, height].map(|size| random.within(-spread, spread - size));
    [x, y, x + width, y + height]
}

/// Two of any kind whose bounds meet, often so that they just touch.
fn fill(random: &mut Random, input: &mut [u32]) {
    let spread = random.of(&[2, 3, 5, 40, 5000, WORLD]);
    let kinds = [(); 2].map(|()| random.of(&[BOX, DISC]));
    let [a, mut b] = kinds.map(|kind| some_bounds(random, kind, spread));
    for axis in 0..2 {
        // Moved along the axis to where bounds meet, and no farther than the world's end.
        let by = (a[axis] - b[axis + 2]).max((a[axis + 2] - b[axis]).min(0));
        b[axis] += by;
        b[axis + 2] += by;
    }
    input[0] = kinds[0] | kinds[1] << 2 | (random.below(2) as u32) << 8;
    input[1..5].copy_from_slice(&a.map(|v| v as u32));
    input[5..9].copy_from_slice(&b.map(|v| v as u32));
}

/// Pairs that bounds decide.
pub(in crate::gpu) fn by_bounds() -> Family {
    let wgsl = "told_to_hit(word(0) & 3u, Aabb(point(1), point(3)), (word(0) >> 2u) & 3u, Aabb(point(5), point(7)), \
                touch())";
    let twin = Twin::new("told_to_hit", WORDS, wgsl, |v| {
        let [a, b] = [1, 5].map(|k| Aabb { min: v.point(k), max: v.point(k + 2) });
        let touch = touch(v.word(0) >> 8);
        match [v.word(0) & 3, v.word(0) >> 2 & 3] {
            [BOX, BOX] => true,
            [BOX, _] => box_meets_disc(&a, &b, touch),
            [_, BOX] => box_meets_disc(&b, &a, touch),
            _ => discs_meet(&a, &b, touch),
        }
    });
    Family { files: &[LANDED, modules::BY_BOUNDS], twins: vec![twin.fill(fill)], ..Family::default() }
}
