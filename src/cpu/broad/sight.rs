//! The pairs that the broad phase decides while it has both bodies at hand: by their bounds, their paths, or
//! their [looks](Look).

use super::found::Found;
use super::pairs::Pairs;
use crate::bits::blocks::LEAST_STRIDE;
use crate::bits::look::Look;
use crate::bits::rows::{Column, Rows, columns_meet_in, meet_in};
use crate::cpu::means::{CANDIDATES, FOUND};
use crate::cpu::narrow::decide::{are_clear, by_bounds, by_looks, by_path};
use crate::cpu::narrow::posed::AHEAD;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::Lanes;
use crate::world::packed::{Kind, Packed};

/// The properties of bodies by the numbers under which pairs were gathered: the indices of bodies or of entries.
pub(super) trait Sight {
    /// Returns the index of the body.
    fn body(&self, number: u32) -> u32;
    /// Returns the kind of the body.
    fn kind(&self, number: u32) -> Kind;
    /// Returns the bounds of the body; x and y may be swapped, but then for all bodies.
    fn bound(&self, number: u32) -> Aabb;
    /// Returns the look of the body; `None` if looks decide nothing.
    fn look(&self, number: u32) -> Option<&Look>;
    /// Returns the pixels that a body with a look may paint.
    fn pixels(&self, number: u32) -> Aabb;
}

/// Bodies by their index. Only for use when touching does not count.
impl Sight for Packed {
    #[inline(always)]
    fn body(&self, number: u32) -> u32 {
        number
    }

    #[inline(always)]
    fn kind(&self, number: u32) -> Kind {
        self.kinds[number as usize]
    }

    #[inline(always)]
    fn bound(&self, number: u32) -> Aabb {
        self.bounds[number as usize]
    }

    #[inline(always)]
    fn look(&self, number: u32) -> Option<&Look> {
        Some(&self.looks[number as usize])
    }

    #[inline(always)]
    fn pixels(&self, number: u32) -> Aabb {
        let Aabb { min, max } = self.bounds[number as usize];
        Aabb { min: Point::new(min.x >> 8, min.y >> 8), max: Point::new(max.x >> 8, max.y >> 8) }
    }
}

/// Moves the gathered pairs into `found`, and decides those that can be decided at once. Unless a body moves, no
/// branch depends on whether a pair hits.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(super) fn judge<L: Lanes>(
    lanes: L,
    packed: &Packed,
    touch: Touch,
    sight: &impl Sight,
    pairs: &mut Pairs,
    found: &mut Found,
    room: &Room,
) -> Result<()> {
    let Found { hits, candidates, masks } = found;
    let (mut len, count) = (hits.len(), std::mem::take(&mut pairs.len));
    room.reserve(hits, count, FOUND)?;
    room.reserve(candidates, count, CANDIDATES)?;
    hits.resize(len + count, [0; 2]);
    let (all_a, all_b) = (&pairs.a[..count], &pairs.b[..count]);
    for (k, (&a, &b)) in all_a.iter().zip(all_b).enumerate() {
        if packed.moving
            && let (Some(&a), Some(&b)) = (all_a.get(k + AHEAD), all_b.get(k + AHEAD))
        {
            for body in [sight.body(a), sight.body(b)] {
                lanes.prefetch(&packed.positions[body as usize]);
                lanes.prefetch(&packed.extents[body as usize]);
                lanes.prefetch(&packed.motions[body as usize]);
            }
        }
        let (body, other) = (sight.body(a), sight.body(b));
        let pair = [body.min(other), body.max(other)];
        let meet = if let Some((look, other)) = by_looks(sight.look(a), sight.look(b)) {
            *masks += 1;
            if look.stride == 1 && other.stride == 1 {
                // Both are one word wide.
                let column = |look: &Look, number: u32| {
                    let Point { x, y } = sight.pixels(number).min;
                    Column {
                        at: Point::new(x - i32::from(look.left), y),
                        first: look.first,
                        height: look.height.into(),
                    }
                };
                columns_meet_in(lanes, packed.words(), &column(look, a), &column(other, b))
            } else {
                let rows = |look: &Look, number: u32| {
                    if usize::from(look.stride) >= LEAST_STRIDE {
                        // The mask has blocks.
                        return packed.rows(&packed.body(sight.body(number) as usize));
                    }
                    let (stride, bounds) = (usize::from(look.stride), sight.pixels(number));
                    let at = Point::new(bounds.min.x - i32::from(look.left), bounds.min.y);
                    let words = &packed.words()[look.first as usize..][..usize::from(look.height) * stride];
                    Rows { words, stride, at, bounds, blocks: None }
                };
                meet_in(lanes, &rows(look, a), &rows(other, b))
            }
        } else {
            let kinds = [a, b].map(|k| sight.kind(k));
            let known = by_bounds(kinds, [&sight.bound(a), &sight.bound(b)], touch);
            let known = known.or_else(|| by_path(packed, kinds, [body, other], touch));
            if known.is_none() && !are_clear(packed, pair) {
                candidates.push(pair);
            }
            known == Some(true)
        };
        // Branch-free, as the outcome is unpredictable.
        hits[len] = pair;
        len += usize::from(meet);
    }
    hits.truncate(len);
    Ok(())
}
