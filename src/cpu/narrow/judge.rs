//! The narrow phase of a task's candidates, a few at a time: posed, then judged.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use super::pair::{Ends, Narrow};
use super::posed::{Posed, TOGETHER};
use super::test::decide;
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::packed::Packed;

/// The memory of the threads, which lasts from step to step.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Scratch {
    free: Mutex<Vec<Memory>>,
}

/// The memory of a thread.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Memory {
    posed: Posed,
    ends: Ends,
}

impl Scratch {
    /// Lends some for a task.
    pub(in crate::cpu) fn lend<T>(&self, task: impl FnOnce(&mut Memory) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let mut memory = free().pop().unwrap_or_default();
        let answer = task(&mut memory);
        free().push(memory);
        answer
    }

    /// The bytes that it holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        self.free
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .iter()
            .map(|memory| memory.posed.bytes() + memory.ends.bytes())
            .sum()
    }
}

/// Adds those of the candidates that hit to `hits`.
pub(in crate::cpu) struct Judge<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub candidates: &'a [[u32; 2]],
    pub hits: &'a mut Vec<[u32; 2]>,
}

impl Kernel for Judge<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { packed, touch, simd, memory: Memory { posed, ends }, candidates, hits } = self;
        for pairs in candidates.chunks(TOGETHER) {
            posed.pose(lanes, packed, pairs);
            Narrow { packed, posed, touch, simd }.judge(lanes, ends, pairs, |pair| hits.push(pair));
        }
    }
}

/// A bit for each body.
pub(in crate::cpu) struct Flags {
    words: Vec<AtomicU32>,
}

impl Flags {
    pub(in crate::cpu) fn new(bodies: usize) -> Self {
        Self { words: (0..bodies.div_ceil(32)).map(|_| AtomicU32::new(0)).collect() }
    }

    fn raised(&self, body: u32) -> bool {
        self.words[body as usize / 32].load(Relaxed) >> (body % 32) & 1 == 1
    }

    /// Raises those of a pair.
    pub(in crate::cpu) fn raise(&self, pair: [u32; 2]) {
        for body in pair {
            // Most are raised already; asking is cheaper than raising.
            if !self.raised(body) {
                self.words[body as usize / 32].fetch_or(1 << (body % 32), Relaxed);
            }
        }
    }

    pub(in crate::cpu) fn finish(self) -> Vec<u32> {
        self.words.into_iter().map(AtomicU32::into_inner).collect()
    }
}

/// Raises the flags of those of the candidates that hit.
pub(in crate::cpu) struct JudgeFlags<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub candidates: &'a [[u32; 2]],
    pub flags: &'a Flags,
}

impl Kernel for JudgeFlags<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { packed, touch, simd, memory: Memory { posed, ends }, candidates, flags } = self;
        for pairs in candidates.chunks(TOGETHER) {
            let open = pairs.iter().filter(|[i, j]| !(flags.raised(*i) && flags.raised(*j)));
            let open: Vec<_> = open.copied().collect();
            posed.pose(lanes, packed, &open);
            let narrow = Narrow { packed, posed, touch, simd };
            for pair in open.chunks(1) {
                if !pair.iter().flatten().all(|&body| flags.raised(body)) {
                    narrow.judge(lanes, ends, pair, |pair| flags.raise(pair));
                }
            }
        }
    }
}

/// What each pair carries, of pairs that hit.
pub(in crate::cpu) struct Details<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub simd: Simd,
    pub memory: &'a mut Memory,
    pub pairs: &'a [[u32; 2]],
}

impl Kernel for Details<'_> {
    type Output = Vec<Detail>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Vec<Detail> {
        let Self { packed, touch, simd, memory: Memory { posed, ends }, pairs } = self;
        // Boxes and circles at rest carry nothing.
        let carries = |pair: [u32; 2]| decide(packed, touch, pair).is_none();
        let posable: Vec<_> = pairs.iter().copied().filter(|&pair| carries(pair)).collect();
        posed.pose(lanes, packed, &posable);
        let narrow = Narrow { packed, posed, touch, simd };
        let mut details = Vec::with_capacity(pairs.len());
        for &pair in pairs {
            let detail = if carries(pair) { narrow.detail(lanes, ends, pair) } else { Some(Detail::default()) };
            details.push(detail.expect("a pair that hits, hits where it is asked for what it carries"));
        }
        details
    }
}
