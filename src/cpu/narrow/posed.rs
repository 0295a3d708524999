//! What the narrow phase reads of bodies: landed cores and painted masks, a few candidates at a time, so that they stay
//! in a cache.

use std::ops::Range;

use super::paint::paint_body;
use crate::cpu::means::POSED;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::simd::Lanes;
use crate::world::packed::{Body, Kind, Packed, SPRITE, UNTURNED};
use crate::world::pose::land;

/// Candidates whose bodies are posed together: those of small sprites take half a second-level cache.
pub(in crate::cpu) const TOGETHER: usize = 2048;
/// The most 64-bit words that are painted ahead (64 MiB); what does not fit is sampled where it is looked at.
const PAINTED_WORDS: usize = 1 << 23;

/// The posed bodies of some candidates. A sparse set (Briggs, Torczon, *An Efficient Representation for Sparse Sets*,
/// 1993): to forget them takes no time.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Posed {
    when: When,
    /// For each body an index in `dense`: it is posed if the element there is its own.
    sparse: Vec<u32>,
    dense: Vec<Placed>,
    cores: Vec<Point>,
    painted: Vec<u64>,
}

/// The pair whose bodies are asked for, counted from the one that is looked at: memory takes as long as a few of them.
pub(super) const AHEAD: usize = 12;

/// When bodies are posed: where they stand at the start of the step, or at rest where they end.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cpu) enum When {
    #[default]
    Start,
    End,
}

impl When {
    /// A body then.
    #[inline(always)]
    pub(super) fn body(self, packed: &Packed, index: u32) -> Body {
        let body = packed.body(index as usize);
        match self {
            Self::Start => body,
            Self::End => body.at_end(),
        }
    }
}

/// Where a posed body lies.
#[derive(Clone, Debug)]
struct Placed {
    body: u32,
    /// The first of its vertices, or of its words if it has any.
    first: usize,
    /// The rows of pixels that are painted of a sprite.
    rows: Range<i32>,
}

impl Posed {
    /// The bytes that it holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        4 * self.sparse.capacity()
            + size_of::<Placed>() * self.dense.capacity()
            + 8 * (self.cores.capacity() + self.painted.capacity())
    }

    /// Poses the bodies of some pairs, as far as those pairs need it, and forgets all others.
    #[inline(always)]
    pub(in crate::cpu) fn pose<L: Lanes>(
        &mut self,
        lanes: L,
        packed: &Packed,
        when: When,
        pairs: &[[u32; 2]],
        room: &Room,
    ) -> Result<()> {
        self.when = when;
        self.dense.clear();
        if pairs.is_empty() {
            return Ok(());
        }
        if self.sparse.len() < packed.len() {
            room.resize(&mut self.sparse, packed.len(), 0, POSED)?;
        }
        for (k, &[i, j]) in pairs.iter().enumerate() {
            if let Some(soon) = pairs.get(k + AHEAD) {
                for &body in soon {
                    lanes.prefetch(&packed.poses[body as usize]);
                }
            }
            self.need(packed, i, j);
            self.need(packed, j, i);
        }
        let (mut vertices, mut words) = (0, 0);
        for placed in &mut self.dense {
            let body = &when.body(packed, placed.body);
            if body.is(SPRITE) {
                let taken = body.painted_stride() * placed.rows.len();
                placed.first = words;
                if words + taken > PAINTED_WORDS {
                    placed.rows.end = placed.rows.start;
                } else {
                    words += taken;
                }
            } else {
                placed.first = vertices;
                vertices += packed.corners(body);
            }
        }
        // They only grow: whatever is read is written first.
        if self.cores.len() < vertices {
            room.resize(&mut self.cores, vertices, Point::ZERO, POSED)?;
        }
        if self.painted.len() < words {
            room.resize(&mut self.painted, words, 0, POSED)?;
        }
        for placed in &self.dense {
            let body = &when.body(packed, placed.body);
            let shape = &packed.shapes[body.shape as usize];
            if body.is(SPRITE) {
                let taken = body.painted_stride() * placed.rows.len();
                let words = &mut self.painted[placed.first..][..taken];
                paint_body(lanes, packed, body, shape, placed.rows.clone(), words);
            } else {
                let landed = &mut self.cores[placed.first..][..shape.corners as usize];
                land::core(body, packed.vertices(shape), landed);
            }
        }
        Ok(())
    }

    /// Sees that a body is posed where another may come to it.
    #[inline(always)]
    fn need(&mut self, packed: &Packed, index: u32, other: u32) {
        // A sprite that is not turned is never posed: neither one at rest, nor one that moves.
        if packed.kinds[index as usize] == Kind::Mask {
            return;
        }
        if packed.poses[index as usize].flags & UNTURNED != 0 {
            return;
        }
        let body = &self.when.body(packed, index);
        let rows = if body.is(SPRITE) { rows_toward(body, &self.when.body(packed, other)) } else { 0..0 };
        let at = self.sparse[index as usize] as usize;
        if let Some(placed) = self.dense.get_mut(at).filter(|placed| placed.body == index) {
            placed.rows = placed.rows.start.min(rows.start)..placed.rows.end.max(rows.end);
        } else {
            self.sparse[index as usize] = self.dense.len() as u32;
            self.dense.push(Placed { body: index, first: 0, rows });
        }
    }

    /// A body when it is posed.
    #[inline(always)]
    pub(super) fn body(&self, packed: &Packed, index: u32) -> Body {
        self.when.body(packed, index)
    }

    fn of(&self, body: u32) -> Option<&Placed> {
        let at = *self.sparse.get(body as usize)?;
        self.dense.get(at as usize).filter(|placed| placed.body == body)
    }

    /// The landed vertices of a convex body that is posed, and those of others behind them.
    pub(in crate::cpu) fn core(&self, body: u32) -> &[Point] {
        self.of(body).map_or(&[], |placed| &self.cores[placed.first..])
    }

    /// The rows of pixels that are painted of a turned sprite, and their words; nothing, where it is to be sampled.
    #[inline(always)]
    pub(in crate::cpu) fn painted(&self, index: u32, body: &Body) -> Option<(Range<i32>, &[u64])> {
        let placed = self.of(index).filter(|placed| !placed.rows.is_empty())?;
        let words = &self.painted[placed.first..][..body.painted_stride() * placed.rows.len()];
        Some((placed.rows.clone(), words))
    }
}

/// How many rows two bodies of which one moves may stray from the straight way to each other, in pixels: two as they go
/// on by whole pixels, one where they touch, and one for what rounds.
const STRAY: i32 = 4;

/// The rows of a sprite's pixels that another body may come to, or touch, where both walk on as they stand.
#[inline(always)]
fn rows_toward(body: &Body, other: &Body) -> Range<i32> {
    let (pixels, reach) = (body.pixels(), other.reach());
    let by = other.motion.y - body.motion.y;
    let stray = if body.moves() || other.moves() { STRAY } else { 1 };
    let (first, last) = (((reach.min.y + by.min(0)) >> 8) - stray, ((reach.max.y + by.max(0)) >> 8) + stray);
    first.max(pixels.min.y)..(last + 1).min(pixels.max.y)
}
