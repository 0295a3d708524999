//! The narrow phase of a task's candidates: poses their bodies and decides them, [`TOGETHER`] at a time.

use super::pair::{FirstHit, Verdict};
use super::path::Path;
use super::posed::{Posed, TOGETHER, When};
use super::verdict::Narrow;
use crate::cpu::flags::Flags;
use crate::cpu::means::FOUND;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::packed::Packed;

/// The working memory of a thread.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Memory {
    starts: Posed,
    ends: Posed,
    /// The pairs to decide, and those of them that are still open.
    asked: Vec<[u32; 2]>,
    open: Vec<[u32; 2]>,
}

impl Memory {
    /// Returns the bytes that the memory holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        self.starts.bytes() + self.ends.bytes() + 8 * (self.asked.capacity() + self.open.capacity())
    }
}

/// Adds the candidates that hit to `hits`.
pub(in crate::cpu) struct Judge<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub candidates: &'a [[u32; 2]],
    pub hits: &'a mut Vec<[u32; 2]>,
    pub room: &'a Room,
}

impl Kernel for Judge<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { packed, touch, simd, memory: Memory { starts, ends, open, .. }, candidates, hits, room } = self;
        for pairs in candidates.chunks(TOGETHER) {
            room.reserve(hits, pairs.len(), FOUND)?;
            open.clear();
            room.reserve(open, pairs.len(), FOUND)?;
            starts.pose(lanes, packed, When::Start, pairs, room)?;
            let narrow = Narrow { packed, posed: starts, touch, simd };
            for (k, &pair) in pairs.iter().enumerate() {
                narrow.ask_ahead(lanes, pairs, k);
                match narrow.verdict(lanes, pair) {
                    Verdict::Hit => hits.push(pair),
                    Verdict::Open => open.push(pair),
                    Verdict::Miss => {}
                }
            }
            ends.pose(lanes, packed, When::End, open, room)?;
            let narrow = Narrow { packed, posed: ends, touch, simd };
            for &pair in &*open {
                if narrow.pair(pair).hits_at_rest() {
                    hits.push(pair);
                }
            }
        }
        Ok(())
    }
}

/// Raises the flags of the candidates that hit.
pub(in crate::cpu) struct JudgeFlags<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub candidates: &'a [[u32; 2]],
    pub flags: &'a Flags,
    pub room: &'a Room,
}

impl Kernel for JudgeFlags<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { packed, touch, simd, memory: Memory { starts, ends, asked, open }, candidates, flags, room } = self;
        for pairs in candidates.chunks(TOGETHER) {
            asked.clear();
            open.clear();
            room.reserve(asked, pairs.len(), FOUND)?;
            room.reserve(open, pairs.len(), FOUND)?;
            asked.extend(pairs.iter().filter(|pair| !flags.both_raised(**pair)));
            starts.pose(lanes, packed, When::Start, asked, room)?;
            let narrow = Narrow { packed, posed: starts, touch, simd };
            for &pair in &*asked {
                // Earlier pairs may have raised both meanwhile.
                if flags.both_raised(pair) {
                    continue;
                }
                match narrow.verdict(lanes, pair) {
                    Verdict::Hit => flags.raise(pair),
                    Verdict::Open => open.push(pair),
                    Verdict::Miss => {}
                }
            }
            open.retain(|&pair| !flags.both_raised(pair));
            ends.pose(lanes, packed, When::End, open, room)?;
            let narrow = Narrow { packed, posed: ends, touch, simd };
            for &pair in &*open {
                if !flags.both_raised(pair) && narrow.pair(pair).hits_at_rest() {
                    flags.raise(pair);
                }
            }
        }
        Ok(())
    }
}

/// Computes the details of pairs that hit.
pub(in crate::cpu) struct Details<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub pairs: &'a [[u32; 2]],
    pub to: &'a mut [Detail],
    pub room: &'a Room,
}

impl Kernel for Details<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { packed, touch, simd, memory: Memory { starts, ends, asked, open }, pairs, to, room } = self;
        asked.clear();
        open.clear();
        room.reserve(asked, pairs.len(), FOUND)?;
        room.reserve(open, pairs.len(), FOUND)?;
        for (detail, &pair) in to.iter_mut().zip(pairs) {
            match Path::of(packed, pair.map(|body| packed.kinds[body as usize]), pair) {
                Some(path) => *detail = path.detail(touch),
                None => asked.push(pair),
            }
        }
        starts.pose(lanes, packed, When::Start, asked, room)?;
        let narrow = Narrow { packed, posed: starts, touch, simd };
        let mut left = asked.iter().peekable();
        for (detail, pair) in to.iter_mut().zip(pairs) {
            if left.next_if_eq(&pair).is_some() {
                let posed = narrow.pair(*pair);
                match posed.on_the_way() {
                    Some(found) => *detail = posed.tell(found),
                    None => open.push(*pair),
                }
            }
        }
        ends.pose(lanes, packed, When::End, open, room)?;
        let narrow = Narrow { packed, posed: ends, touch, simd };
        let mut left = open.iter().peekable();
        for (detail, pair) in to.iter_mut().zip(pairs) {
            if left.next_if_eq(&pair).is_some() {
                let posed = narrow.pair(*pair);
                assert!(posed.hits_at_rest(), "a pair that hits, hits where it is asked for what it carries");
                *detail = posed.tell(FirstHit::AtEnd);
            }
        }
        Ok(())
    }
}
