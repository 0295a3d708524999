//! The choice of the test that decides a pair of bodies, and the tests that need no pixels and no vertices.
//!
//! ```text
//! by_looks       two unturned sprites at rest: the words of their masks, if touching does not count
//! by_bounds      two boxes or circles at rest
//! by_path        two boxes or circles, at least one of which moves
//! are_clear      a large mask at rest, and a body away from its solid pixels
//! narrow/verdict a sprite, and a sprite, box or circle: rows of pixels where they begin and end; two sprites only if
//!                touch does not count
//! narrow/pair    all others, by which of the two are sprites and which move
//! ```
//!
//! The first test that applies decides. Each caller goes through its part of the list itself, as its hot loop has what
//! its tests need: `broad/sight` tries the first two on the columns of the broad phase; [`decide`] tries `by_bounds` on
//! the world's own; then both try `by_path` and `are_clear`.

use super::path::Path;
use crate::bits::look::Look;
use crate::ground::aabb::Aabb;
use crate::ground::touch::Touch;
use crate::world::packed::{Kind, Packed};

/// Returns the looks of two bodies that hit if and only if these share a pixel: two unturned sprites at rest. Where
/// touching counts, no body is given a look.
#[inline(always)]
pub(in crate::cpu) fn by_looks<'a>(a: Option<&'a Look>, b: Option<&'a Look>) -> Option<(&'a Look, &'a Look)> {
    a.zip(b).filter(|(a, b)| a.height > 0 && b.height > 0)
}

/// Returns whether two bodies of these kinds and bounds, which meet, hit; `None` if their bounds do not decide that.
#[inline(always)]
pub(in crate::cpu) fn by_bounds(kinds: [Kind; 2], [a, b]: [&Aabb; 2], touch: Touch) -> Option<bool> {
    match kinds {
        [Kind::Disc, Kind::Disc] => Some(discs_meet(a, b, touch)),
        [Kind::Box, Kind::Box] => Some(true),
        [Kind::Box, Kind::Disc] => Some(box_meets_disc(a, b, touch)),
        [Kind::Disc, Kind::Box] => Some(box_meets_disc(b, a, touch)),
        _ => None,
    }
}

/// Returns whether two bodies whose bounds meet hit; `None` if neither their bounds nor the blocks of a large mask
/// decide that.
#[inline]
pub(in crate::cpu) fn decide(packed: &Packed, touch: Touch, pair: [u32; 2]) -> Option<bool> {
    let kinds = pair.map(|body| packed.kinds[body as usize]);
    let bounds = pair.map(|body| &packed.bounds[body as usize]);
    let known = by_bounds(kinds, bounds, touch).or_else(|| by_path(packed, kinds, pair, touch));
    known.or_else(|| are_clear(packed, pair).then_some(false))
}

/// Returns whether two boxes or circles of these kinds hit within the step; `None` for other bodies.
// Inlined, it would slow down the loops that call it where nothing moves.
#[inline(never)]
pub(in crate::cpu) fn by_path(packed: &Packed, kinds: [Kind; 2], pair: [u32; 2], touch: Touch) -> Option<bool> {
    Some(Path::of(packed, kinds, pair)?.hits(touch))
}

/// Returns whether one of two bodies is a large mask at rest that is empty wherever the other may reach it within the
/// step. Then neither needs to be posed.
#[inline]
pub(in crate::cpu) fn are_clear(packed: &Packed, [i, j]: [u32; 2]) -> bool {
    is_clear(packed, i, j) || is_clear(packed, j, i)
}

/// Returns whether a body is a large mask at rest, and the other comes nowhere near its solid pixels.
fn is_clear(packed: &Packed, index: u32, other: u32) -> bool {
    if packed.kinds[index as usize] != Kind::Mask {
        return false;
    }
    let Some(blocks) = &packed.blocks[packed.poses[index as usize].shape as usize] else { return false };
    let body = &packed.body(index as usize);
    let shape = &packed.shapes[body.shape as usize];
    let (origin, size, bounds) = (body.origin(shape), shape.size, &packed.bounds[other as usize]);
    // The pixels whose closed squares the other may meet.
    let within = |min: i32, max: i32, origin: i32, size: i32| {
        ((min >> 8) - 1 - origin).clamp(0, size) as usize..((max >> 8) + 1 - origin).clamp(0, size) as usize
    };
    let columns = within(bounds.min.x, bounds.max.x, origin.x, size.x);
    let rows = within(bounds.min.y, bounds.max.y, origin.y, size.y);
    columns.is_empty() || rows.is_empty() || blocks.are_empty(columns, rows)
}

/// Compares a distance with a radius; both are doubled, as centres lie at half steps.
#[inline(always)]
fn near([x, y]: [i64; 2], radius: i64, touch: Touch) -> bool {
    let (distance, radius) = (x.pow(2) as u64 + y.pow(2) as u64, radius.pow(2) as u64);
    if touch == Touch::Included { distance <= radius } else { distance < radius }
}

/// Returns whether two circles at rest with these bounds hit. Either axis may come first.
#[inline(always)]
pub(crate) fn discs_meet(a: &Aabb, b: &Aabb, touch: Touch) -> bool {
    let twice = |min: i32, max: i32| i64::from(min) + i64::from(max);
    let x = twice(a.min.x, a.max.x) - twice(b.min.x, b.max.x);
    let y = twice(a.min.y, a.max.y) - twice(b.min.y, b.max.y);
    near([x, y], i64::from(a.max.x - a.min.x) + i64::from(b.max.x - b.min.x), touch)
}

/// Returns whether an aligned box and a circle at rest with these bounds hit. Either axis may come first.
#[inline(always)]
pub(crate) fn box_meets_disc(a: &Aabb, disc: &Aabb, touch: Touch) -> bool {
    let twice_beyond = |[a_min, a_max]: [i32; 2], [min, max]: [i32; 2]| {
        let centre = i64::from(min) + i64::from(max);
        (2 * i64::from(a_min) - centre).max(centre - 2 * i64::from(a_max)).max(0)
    };
    let x = twice_beyond([a.min.x, a.max.x], [disc.min.x, disc.max.x]);
    let y = twice_beyond([a.min.y, a.max.y], [disc.min.y, disc.max.y]);
    near([x, y], i64::from(disc.max.x - disc.min.x), touch)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Mask, Shape, World};

    #[test]
    fn a_body_in_the_empty_part_of_a_large_mask_is_clear_of_it_in_either_order() {
        let frame = Mask::from_fn(1280, 1280, |x, y| [x, y].iter().any(|v| !(64..1216).contains(v))).unwrap();
        let [frame, ball] = [Shape::sprite(frame), Shape::circle(5.0).unwrap()];
        for ball_is_first in [false, true] {
            let mut world = World::default();
            let [frame, ball] = [&frame, &ball].map(|shape| world.add_shape(shape.clone()).unwrap());
            // The last reaches only the first column.
            let mut bodies = [[0.0, 0.0], [640.0, 640.0], [60.0, 640.0], [-4.9, 640.0]]
                .map(|at| Body::new(if at == [0.0; 2] { frame } else { ball }, at));
            if ball_is_first {
                bodies.reverse();
            }
            world.add_all(&bodies).unwrap();
            let [frame, inside, at_edge, beside] = if ball_is_first { [3, 2, 1, 0] } else { [0, 1, 2, 3] };
            for pair in [[frame, inside], [inside, frame]] {
                assert!(are_clear(world.packed(), pair), "{pair:?}");
            }
            for pair in [[frame, at_edge], [at_edge, frame], [inside, at_edge], [frame, beside]] {
                assert!(!are_clear(world.packed(), pair), "{pair:?}");
            }
        }
    }
}
