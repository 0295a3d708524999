//! The first pass of the sort: distributes bodies to their strips, one chunk of bodies for each task.

use std::ops::Range;

use super::cut::{Cut, Span, Survey};
use crate::cpu::means::{Means, STRIPS};
use crate::cpu::team::Parts;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::simd::{Kernel, Lanes};

/// Minimum number of bodies in a chunk.
const CHUNK_BODIES: usize = 1 << 13;

/// Number of bodies that are surveyed and then counted while the cache still holds them.
const SURVEYED: usize = 1 << 9;

/// Number of slots by which a place is prefetched ahead of its next entry.
const AHEAD: usize = 6;

/// A body in a strip.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Entry {
    pub(in crate::cpu) bound: Aabb,
    pub(in crate::cpu) body: u32,
}

/// The entries of all places: chunk by chunk, and place by place within a chunk.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Scattered {
    entries: Vec<Entry>,
    chunks: Vec<Chunk>,
}

/// A range of bodies, and the location of their entries.
#[derive(Debug, Default)]
struct Chunk {
    bodies: Range<usize>,
    survey: Survey,
    /// The places that each body is in.
    spans: Vec<Span>,
    /// The number of entries in each place.
    counts: Vec<u32>,
    /// The end of each place's entries, relative to `start`.
    ends: Vec<u32>,
    /// The index of the chunk's first entry.
    start: usize,
}

impl Scattered {
    /// Counts the entries of each place, and surveys the bodies.
    pub(in crate::cpu) fn count(&mut self, bounds: &[Aabb], cut: Cut, means: Means<'_>) -> Result<Survey> {
        let Means { simd, team, room } = means;
        let ranges = Parts::new(bounds.len(), team.tasks(bounds.len(), CHUNK_BODIES).min(2 * team.threads()));
        self.chunks.resize_with(ranges.count(), Chunk::default);
        team.try_each_mut(&mut self.chunks, |index, chunk| {
            chunk.bodies = ranges.part(index);
            room.resize(&mut chunk.spans, chunk.bodies.len(), [0; 2], STRIPS)?;
            simd.run(Count { cut, bounds: &bounds[chunk.bodies.clone()], chunk });
            Ok(())
        })?;
        Ok(self.chunks.iter().fold(Survey::NOTHING, |survey, chunk| survey.join(chunk.survey)))
    }

    /// Puts the counted entries into their places.
    pub(in crate::cpu) fn scatter(&mut self, bounds: &[Aabb], means: Means<'_>) -> Result<()> {
        let Means { simd, team, room } = means;
        // Each place has one slot more than it has entries, see `Scatter`.
        let slots = |chunk: &Chunk| chunk.counts.iter().map(|&count| count as usize + 1).sum();
        let total: usize = self.chunks.iter().map(slots).sum();
        let len = total.max(self.entries.len());
        room.resize(&mut self.entries, len, Entry { bound: Aabb::NOWHERE, body: 0 }, STRIPS)?;
        let mut rest = self.entries.as_mut_slice();
        let mut start = 0;
        let count = self.chunks.len();
        let tasks = self.chunks.iter_mut().map(|chunk| {
            let (entries, behind) = std::mem::take(&mut rest).split_at_mut(slots(chunk));
            rest = behind;
            chunk.start = start;
            start += entries.len();
            (chunk, entries)
        });
        team.each_of(count, tasks, |(chunk, entries)| simd.run(Scatter { bounds, chunk, entries }));
        Ok(())
    }

    /// Returns the number of entries.
    pub(in crate::cpu) fn total(&self) -> usize {
        self.chunks.iter().flat_map(|chunk| &chunk.counts).map(|&count| count as usize).sum()
    }

    /// Returns the number of entries in a place.
    pub(in crate::cpu) fn len(&self, place: usize) -> u32 {
        self.chunks.iter().map(|chunk| chunk.counts[place]).sum()
    }

    /// Returns the entries of a place, in pieces.
    pub(in crate::cpu) fn pieces(&self, place: usize) -> impl Iterator<Item = &[Entry]> + Clone {
        self.chunks.iter().map(move |chunk| {
            let end = chunk.start + chunk.ends[place] as usize;
            &self.entries[end - chunk.counts[place] as usize..end]
        })
    }

    /// Returns the bytes that the buffers hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        let words = |Chunk { spans, counts, ends, .. }: &Chunk| spans.capacity() + counts.capacity() + ends.capacity();
        let words: usize = self.chunks.iter().map(words).sum();
        4 * words + size_of::<Entry>() * self.entries.capacity()
    }
}

/// Counts the entries of each place: those that begin in it or before, minus those that end before it. That takes as
/// long for a body in many places as for one in few.
struct Count<'a> {
    cut: Cut,
    bounds: &'a [Aabb],
    chunk: &'a mut Chunk,
}

impl Kernel for Count<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) {
        let Self { cut, bounds, chunk } = self;
        let places = cut.places as usize;
        // For now, count how many spans begin and how many end at each place.
        let Chunk { counts: begins, ends, spans, .. } = chunk;
        for counts in [&mut *begins, &mut *ends] {
            counts.clear();
            // One more place, for bodies that are nowhere.
            counts.resize(places + 1, 0);
        }
        // Bodies whose strips wrap around from the last place to the first.
        let mut open = 0;
        let mut survey = Survey::NOTHING;
        for (bounds, spans) in bounds.chunks(SURVEYED).zip(spans.chunks_mut(SURVEYED)) {
            survey.add(bounds);
            cut.spans(bounds, spans);
            for &[first, last] in &*spans {
                begins[first as usize] += 1;
                ends[last as usize] += 1;
                open += u32::from(last < first);
            }
        }
        begins.truncate(places);
        for (count, end) in begins.iter_mut().zip(ends) {
            *count += open;
            open = *count - *end;
        }
        chunk.survey = survey;
    }
}

/// Puts the entries of a chunk into their slots.
struct Scatter<'a> {
    bounds: &'a [Aabb],
    chunk: &'a mut Chunk,
    entries: &'a mut [Entry],
}

impl Kernel for Scatter<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { bounds, chunk: Chunk { bodies, spans, counts, ends, .. }, entries } = self;
        let places = counts.len();
        let mut start = 0;
        for (end, count) in ends.iter_mut().zip(counts) {
            *end = start;
            start += *count + 1;
        }
        for ((bound, body), span) in bounds[bodies.clone()].iter().zip(bodies.start as u32..).zip(spans) {
            let [first, last] = span.map(usize::from);
            if first == places {
                continue;
            }
            let entry = Entry { bound: *bound, body };
            // Write the entry to its first place and again to its last, without an unpredictable branch. If both are
            // the same, the second write goes to the slot behind, which the next entry overwrites.
            let slot = ends[first];
            lanes.prefetch_at(entries, slot as usize + AHEAD);
            let also = ends[last] + u32::from(first == last);
            entries[slot as usize] = entry;
            entries[also as usize] = entry;
            ends[first] = slot + 1;
            ends[last] = also + u32::from(first != last);
            // The places between; they wrap around after the last.
            let between = if first <= last { [first + 1..last, 0..0] } else { [first + 1..places, 0..last] };
            for place in between.into_iter().flatten() {
                let slot = &mut ends[place];
                entries[*slot as usize] = entry;
                *slot += 1;
            }
        }
    }
}
