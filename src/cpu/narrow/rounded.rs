//! Boxes and circles as boxes with a radius, and the pixels that they hit at rest.

use std::ops::Range;

use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::world::packed::{Packed, reach};
use crate::world::pose::texel::WORD;

/// A box with a radius: an aligned box, whose radius is 0, or a circle, whose core is its centre.
#[derive(Clone, Copy)]
pub(super) struct RoundedBox {
    pub(super) core: Aabb,
    pub(super) radius: i32,
}

impl RoundedBox {
    /// Returns a box or circle as it stands at the start.
    #[inline(always)]
    pub(super) fn new(packed: &Packed, body: usize, is_disc: bool) -> Self {
        let bounds = reach(packed.positions[body], &packed.extents[body], false);
        let radius = if is_disc { (bounds.max.x - bounds.min.x) / 2 } else { 0 };
        Self { core: bounds.grown(-radius), radius }
    }

    /// Returns whether its core has an area. Without one and without a radius, nothing hits it by more than touching.
    #[inline(always)]
    pub(super) fn has_area(&self) -> bool {
        self.core.min != self.core.max
    }

    #[inline(always)]
    pub(super) fn moved(&self, by: Point) -> Self {
        Self { core: self.core.moved(by), ..*self }
    }

    /// Returns the columns of pixels of row `y` whose squares it hits. With touch excluded, its core must have an area
    /// or its radius be more than 0.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn columns(&self, y: i32, touch: Touch) -> Range<i32> {
        let Self { core: Aabb { min, max }, radius } = *self;
        let (above, below) = ((y << 8) - max.y, min.y - ((y + 1) << 8));
        if radius == 0 && touch == Touch::Excluded {
            return if above < 0 && below < 0 { min.x >> 8..((max.x - 1) >> 8) + 1 } else { 0..0 };
        }
        let square = |v: i32| u64::from(v.unsigned_abs()).pow(2);
        let limit = square(radius) + u64::from(touch == Touch::Included);
        let gap = square(above.max(below).max(0));
        if gap >= limit {
            return 0..0;
        }
        // The greatest gap in x at which a square of this row still hits.
        let reach = (limit - gap - 1).isqrt() as i32;
        (min.x - reach - 1) >> 8..((max.x + reach) >> 8) + 1
    }

    /// Returns whether the square of some pixel that is set in `rows` hits it. The condition of [`Self::columns`]
    /// applies.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn meets(&self, rows: &Rows<'_>, touch: Touch) -> bool {
        let Rows { words, stride, at, bounds, .. } = *rows;
        let reach = self.core.grown(self.radius);
        let (top, bottom) = (bounds.min.y.max((reach.min.y - 1) >> 8), bounds.max.y.min((reach.max.y >> 8) + 1));
        for y in top..bottom {
            let Range { start, end } = self.columns(y, touch);
            let (start, end) = (start.max(bounds.min.x) - at.x, end.min(bounds.max.x) - at.x);
            let row = &words[(y - at.y) as usize * stride..][..stride];
            for k in start / WORD..=(end - 1) / WORD {
                if row[k as usize] & bits_within(start..end, k * WORD) != 0 {
                    return true;
                }
            }
        }
        false
    }
}

/// Returns a word with a bit for each column from `x` rightward that lies in a range.
#[inline(always)]
pub(super) fn bits_within(columns: Range<i32>, x: i32) -> u64 {
    low_bits(columns.end - x) & !low_bits(columns.start - x)
}

/// Returns a word with the lowest `count` bits set: none if it is negative, all if it is 64 or more.
#[inline(always)]
pub(super) fn low_bits(count: i32) -> u64 {
    match count {
        ..0 => 0,
        0..WORD => (1 << count) - 1,
        _ => u64::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::predicate::{Core, meets};
    use hitmask_workbench::workloads::SplitMix64;

    /// Returns whether the square of a pixel hits, by the predicate.
    fn hits(round: &RoundedBox, x: i32, y: i32, touch: Touch) -> bool {
        let min = Point::new(x << 8, y << 8);
        let square = Core::Square(Aabb { min, max: min + Point::new(256, 256) });
        meets(square, Core::Square(round.core), Point::ZERO, round.radius, touch)
    }

    /// Draws a box or a circle, often with sides or radii that end on edges of pixels.
    fn round(random: &mut SplitMix64) -> RoundedBox {
        let grid = [1, 64, 128, 256][random.below(4) as usize];
        let mut step = |least: i32, most: i32| (least + random.below((most - least) as u32) as i32) / grid * grid;
        let min = Point::new(step(-900, 900), step(-900, 900));
        let (size, radius) = (Point::new(step(256, 1500), step(256, 1500)), step(0, 1200));
        let is_disc = random.below(2) == 1;
        RoundedBox {
            core: Aabb { min, max: if is_disc { min } else { min + size } },
            radius: if is_disc { radius } else { 0 },
        }
    }

    #[test]
    fn columns_are_the_pixels_whose_squares_hit() {
        let mut random = SplitMix64(11);
        let mut count = 0;
        for _ in 0..4000 {
            let round = round(&mut random);
            for touch in [Touch::Excluded, Touch::Included] {
                if !round.has_area() && round.radius == 0 && touch == Touch::Excluded {
                    continue;
                }
                for y in -11..14 {
                    let columns = round.columns(y, touch);
                    let hit: Vec<i32> = (-12..16).filter(|&x| hits(&round, x, y, touch)).collect();
                    assert_eq!(columns.clone().collect::<Vec<_>>(), hit, "row {y} of {:?}, {touch:?}", round.core);
                    count += hit.len();
                }
            }
        }
        assert!(count > 100_000, "{count}");
    }

    #[test]
    fn rows_meet_if_a_pixel_hits() {
        let mut random = SplitMix64(12);
        let mut count = [0; 2];
        for _ in 0..20_000 {
            let round = round(&mut random);
            let stride = 1 + random.below(2) as usize;
            let (width, height) = (1 + random.below(64 * stride as u32) as i32, 1 + random.below(8) as i32);
            let at = Point::new(random.below(140) as i32 - 130, random.below(16) as i32 - 10);
            let bounds = Aabb { min: at, max: at + Point::new(width, height) };
            let mut words = vec![0; stride * height as usize];
            let mut all = Vec::new();
            for _ in 0..=random.below(40) {
                let [x, y] = [random.below(width as u32) as usize, random.below(height as u32) as usize];
                words[y * stride + x / 64] |= 1_u64 << (x % 64);
                all.push(at + Point::new(x as i32, y as i32));
            }
            let rows = Rows { words: &words, stride, at, bounds, blocks: None };
            for touch in [Touch::Excluded, Touch::Included] {
                if !round.has_area() && round.radius == 0 && touch == Touch::Excluded {
                    continue;
                }
                let hit = all.iter().any(|p| hits(&round, p.x, p.y, touch));
                assert_eq!(round.meets(&rows, touch), hit, "{all:?}, {:?} + {}, {touch:?}", round.core, round.radius);
                count[usize::from(hit)] += 1;
            }
        }
        assert!(count.iter().all(|&count| count > 3000), "{count:?}");
    }

    #[test]
    fn low_bits_are_counted_from_none_to_a_whole_word() {
        assert_eq!(
            [low_bits(-99), low_bits(-1), low_bits(0), low_bits(1), low_bits(63), low_bits(64), low_bits(99)],
            [0, 0, 0, 1, u64::MAX >> 1, u64::MAX, u64::MAX]
        );
    }
}
