//! Pairs whose bounds are all that there is to know.

use crate::packed::{Aabb, Kind, Packed};
use crate::world::Touch;

/// Whether two bodies hit whose bounds meet, where their kinds tell.
#[inline]
pub(super) fn decide(packed: &Packed, touch: Touch, [i, j]: [u32; 2]) -> Option<bool> {
    let bounds = |body: u32| &packed.bounds[body as usize];
    match (packed.kinds[i as usize], packed.kinds[j as usize]) {
        (Kind::Box, Kind::Box) => Some(true),
        (Kind::Disc, Kind::Disc) => Some(discs_meet(bounds(i), bounds(j), touch)),
        (Kind::Box, Kind::Disc) => Some(box_meets_disc(bounds(i), bounds(j), touch)),
        (Kind::Disc, Kind::Box) => Some(box_meets_disc(bounds(j), bounds(i), touch)),
        _ => None,
    }
}

/// Twice the distance squared, compared with twice the radius squared.
fn near([x, y]: [i64; 2], radius: i64, touch: Touch) -> bool {
    let (distance, radius) = (x.pow(2) as u64 + y.pow(2) as u64, radius.pow(2) as u64);
    if touch == Touch::Included { distance <= radius } else { distance < radius }
}

fn discs_meet(a: &Aabb, b: &Aabb, touch: Touch) -> bool {
    let twice = |min: i32, max: i32| i64::from(min) + i64::from(max);
    let x = twice(a.min.x, a.max.x) - twice(b.min.x, b.max.x);
    let y = twice(a.min.y, a.max.y) - twice(b.min.y, b.max.y);
    near([x, y], i64::from(a.max.x - a.min.x) + i64::from(b.max.x - b.min.x), touch)
}

fn box_meets_disc(a: &Aabb, disc: &Aabb, touch: Touch) -> bool {
    let twice_beyond = |[a_min, a_max]: [i32; 2], [min, max]: [i32; 2]| {
        let centre = i64::from(min) + i64::from(max);
        (2 * i64::from(a_min) - centre).max(centre - 2 * i64::from(a_max)).max(0)
    };
    let x = twice_beyond([a.min.x, a.max.x], [disc.min.x, disc.max.x]);
    let y = twice_beyond([a.min.y, a.max.y], [disc.min.y, disc.max.y]);
    near([x, y], i64::from(disc.max.x - disc.min.x), touch)
}
