//! Which test a pair of bodies gets: the one place that says so.

use crate::ground::aabb::Aabb;
use crate::ground::touch::Touch;
use crate::world::packed::{Kind, Packed};

/// What decides a pair whose bounds meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum Test {
    /// Bounds that meet are a hit.
    Bounds,
    /// The distance of two centres.
    Discs,
    /// The distance of a centre from a box.
    BoxAndDisc,
    /// A bit that both have, where touch does not count; else [`Test::Search`].
    Bits,
    /// All of the narrow phase.
    Search,
}

/// By the kinds of both, in the order of [`Kind`].
const TESTS: [[Test; 7]; 7] = {
    use Test::{Bits, Bounds, BoxAndDisc, Discs, Search};
    [
        // Box, Disc, Hull, Mask, Painted, Moving, and what is never in a pair.
        [Bounds, BoxAndDisc, Search, Search, Search, Search, Search],
        [BoxAndDisc, Discs, Search, Search, Search, Search, Search],
        [Search; 7],
        [Search, Search, Search, Bits, Bits, Search, Search],
        [Search, Search, Search, Bits, Bits, Search, Search],
        [Search; 7],
        [Search; 7],
    ]
};

/// What decides a pair of two kinds.
#[inline(always)]
pub(in crate::cpu) fn test_of(a: Kind, b: Kind, touch: Touch) -> Test {
    match TESTS[a as usize][b as usize] {
        Test::Bits if touch == Touch::Included => Test::Search,
        test => test,
    }
}

/// Whether two bodies hit whose bounds meet, where bounds tell.
#[inline]
pub(in crate::cpu) fn decide(packed: &Packed, touch: Touch, [i, j]: [u32; 2]) -> Option<bool> {
    let bounds = |body: u32| &packed.bounds[body as usize];
    let kind = |body: u32| packed.kinds[body as usize];
    match test_of(kind(i), kind(j), touch) {
        Test::Bounds => Some(true),
        Test::Discs => Some(discs_meet(bounds(i), bounds(j), touch)),
        Test::BoxAndDisc if kind(i) == Kind::Box => Some(box_meets_disc(bounds(i), bounds(j), touch)),
        Test::BoxAndDisc => Some(box_meets_disc(bounds(j), bounds(i), touch)),
        Test::Bits | Test::Search => (is_clear(packed, i, j) || is_clear(packed, j, i)).then_some(false),
    }
}

/// Whether a body is a large mask at rest, empty wherever another may come to it within the step: then nothing of
/// either need be posed.
fn is_clear(packed: &Packed, index: u32, other: u32) -> bool {
    if packed.kinds[index as usize] != Kind::Mask {
        return false;
    }
    let body = &packed.body(index as usize);
    let Some(blocks) = &packed.blocks[body.shape as usize] else { return false };
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

/// Twice the distance squared, compared with twice the radius squared.
fn near([x, y]: [i64; 2], radius: i64, touch: Touch) -> bool {
    let (distance, radius) = (x.pow(2) as u64 + y.pow(2) as u64, radius.pow(2) as u64);
    if touch == Touch::Included { distance <= radius } else { distance < radius }
}

/// Whether two circles at rest hit, whose bounds these are.
pub(crate) fn discs_meet(a: &Aabb, b: &Aabb, touch: Touch) -> bool {
    let twice = |min: i32, max: i32| i64::from(min) + i64::from(max);
    let x = twice(a.min.x, a.max.x) - twice(b.min.x, b.max.x);
    let y = twice(a.min.y, a.max.y) - twice(b.min.y, b.max.y);
    near([x, y], i64::from(a.max.x - a.min.x) + i64::from(b.max.x - b.min.x), touch)
}

/// Whether an aligned box and a circle at rest hit, whose bounds these are.
pub(crate) fn box_meets_disc(a: &Aabb, disc: &Aabb, touch: Touch) -> bool {
    let twice_beyond = |[a_min, a_max]: [i32; 2], [min, max]: [i32; 2]| {
        let centre = i64::from(min) + i64::from(max);
        (2 * i64::from(a_min) - centre).max(centre - 2 * i64::from(a_max)).max(0)
    };
    let x = twice_beyond([a.min.x, a.max.x], [disc.min.x, disc.max.x]);
    let y = twice_beyond([a.min.y, a.max.y], [disc.min.y, disc.max.y]);
    near([x, y], i64::from(disc.max.x - disc.min.x), touch)
}
