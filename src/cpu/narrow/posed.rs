//! The landed cores and painted masks that the narrow phase reads, for a few candidates at a time, so that they stay in
//! the cache.

use std::ops::Range;

use super::paint::paint_body;
use crate::cpu::means::POSED;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::simd::Lanes;
use crate::world::packed::{Body, Kind, Packed, SPRITE, UNTURNED};
use crate::world::pose::land;

/// Number of candidates whose bodies are posed together. Those of small sprites fill half of a second-level cache.
pub(in crate::cpu) const TOGETHER: usize = 2048;
/// Maximum number of 64-bit words that are painted in advance (64 MiB). Sprites that do not fit are sampled pixel by
/// pixel instead.
const PAINTED_WORDS: usize = 1 << 23;

/// The posed bodies of some candidates, in a sparse set, which is cleared in constant time (Briggs, Torczon, *An
/// Efficient Representation for Sparse Sets*, 1993).
#[derive(Debug, Default)]
pub(in crate::cpu) struct Posed {
    when: When,
    /// An index into `dense` for each body, which is posed if the element there is its own.
    sparse: Vec<u32>,
    dense: Vec<Placed>,
    cores: Vec<Point>,
    painted: Vec<u64>,
}

/// Number of pairs by which bodies are prefetched: a memory access takes as long as a few pairs.
pub(in crate::cpu) const AHEAD: usize = 12;

/// The moment at which bodies are posed: the start of the step, or its end, at rest.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cpu) enum When {
    #[default]
    Start,
    End,
}

impl When {
    /// Returns a body at that moment.
    #[inline(always)]
    pub(super) fn body(self, packed: &Packed, index: u32) -> Body {
        let body = packed.body(index as usize);
        match self {
            Self::Start => body,
            Self::End => body.at_end(),
        }
    }
}

/// The location of a posed body's data.
#[derive(Clone, Debug)]
struct Placed {
    body: u32,
    /// The index of its first vertex, or of its first word if it is a sprite.
    first: usize,
    /// The painted rows of pixels of a sprite.
    rows: Range<i32>,
}

impl Posed {
    /// Returns the bytes that the buffers hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        4 * self.sparse.capacity()
            + size_of::<Placed>() * self.dense.capacity()
            + 8 * (self.cores.capacity() + self.painted.capacity())
    }

    /// Poses the bodies of some pairs, as far as those pairs need them, and forgets all others.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
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
        // The buffers only grow: all elements that are read are written first.
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

    /// Requests that a body be posed as far as another may be near it.
    #[inline(always)]
    fn need(&mut self, packed: &Packed, index: u32, other: u32) {
        // An unturned sprite is never posed, neither at rest (here) nor moving (below).
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

    /// Returns a body at the moment at which it is posed.
    #[inline(always)]
    pub(super) fn body(&self, packed: &Packed, index: u32) -> Body {
        self.when.body(packed, index)
    }

    fn of(&self, body: u32) -> Option<&Placed> {
        let at = *self.sparse.get(body as usize)?;
        self.dense.get(at as usize).filter(|placed| placed.body == body)
    }

    /// Returns the landed vertices of a posed convex body, followed by those of other bodies.
    pub(in crate::cpu) fn core(&self, body: u32) -> &[Point] {
        self.of(body).map_or(&[], |placed| &self.cores[placed.first..])
    }

    /// Returns the painted rows of pixels of a turned sprite, and their words; `None` if it must be sampled.
    #[inline(always)]
    pub(in crate::cpu) fn painted(&self, index: u32, body: &Body) -> Option<(Range<i32>, &[u64])> {
        let placed = self.of(index).filter(|placed| !placed.rows.is_empty())?;
        let words = &self.painted[placed.first..][..body.painted_stride() * placed.rows.len()];
        Some((placed.rows.clone(), words))
    }
}

/// How far two bodies, one of which moves, may stray from their straight relative path, in rows of pixels: two because
/// they move by whole pixels, one for touch, and one for rounding.
const STRAY: i32 = 4;

/// Returns the rows of a sprite's pixels that another body may meet or touch while both move.
#[inline(always)]
fn rows_toward(body: &Body, other: &Body) -> Range<i32> {
    let (pixels, reach) = (body.pixels(), other.reach());
    let by = other.motion.y - body.motion.y;
    let stray = if body.moves() || other.moves() { STRAY } else { 1 };
    let (first, last) = (((reach.min.y + by.min(0)) >> 8) - stray, ((reach.max.y + by.max(0)) >> 8) + stray);
    first.max(pixels.min.y)..(last + 1).min(pixels.max.y)
}
