//! The broad phase of a world that layers part: seekers are looked up, unsorted, in a grid of the bodies that they may
//! hit; all others are sorted into strips and swept. See [`Parting`].

use std::ops::Range;

use super::found::Found;
use super::grid::Grid;
use super::scatter::Entry;
use super::seek::Seek;
use super::sizes::Sizes;
use super::strips::Strips;
use super::sweep::{Entries, SweepEntries};
use crate::cpu::means::{Means, STRIPS};
use crate::cpu::team::Parts;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes};
use crate::world::packed::Packed;
use crate::world::parting::{Parting, has};

/// Minimum number of bodies for a task that picks.
const PICKED: usize = 1 << 14;
/// Minimum number of bodies for a task that looks up seekers.
const LOOKED_UP: usize = 1 << 12;
/// Minimum number of entries for a task of the sweep.
const SWEPT: usize = 1 << 11;
/// Number of bodies that are checked together for any that is picked.
const CHUNK: usize = 32;
/// One body in this many is measured, if it is a seeker.
const SAMPLE: usize = 61;

/// The grid that seekers are looked up in, and the strips that are swept.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Parted {
    picked: Vec<Picked>,
    grid: Grid,
    strips: Strips,
}

/// The sought and swept bodies that a task has picked.
#[derive(Debug, Default)]
struct Picked {
    sought: Vec<Entry>,
    swept: Vec<u32>,
    /// The sizes of a sample of the seekers.
    sizes: Sizes,
}

impl Parted {
    /// Fills the grid, and sorts the bodies to sweep.
    pub(in crate::cpu) fn sort(&mut self, packed: &Packed, parting: Parting, means: Means<'_>) -> Result<()> {
        let ranges = Parts::new(packed.len(), means.team.tasks(packed.len(), PICKED));
        self.picked.resize_with(ranges.count(), Picked::default);
        means.team.try_each_mut(&mut self.picked, |task, picked| {
            means.simd.run(Pick { packed, parting, range: ranges.part(task), picked, room: means.room })
        })?;
        let pieces: Vec<_> = self.picked.iter().map(|picked| picked.sought.as_slice()).collect();
        let sizes = self.picked.iter().fold(Sizes::default(), |sizes, picked| sizes.join(&picked.sizes));
        self.grid.fill(packed, &pieces, &sizes, parting, means)?;
        // Append the other tasks' lists to the first one's.
        let Some((Picked { swept, .. }, others)) = self.picked.split_first_mut() else { return Ok(()) };
        for other in others {
            means.room.reserve(swept, other.swept.len(), STRIPS)?;
            swept.append(&mut other.swept);
        }
        self.strips.sort_some(packed, swept, means)
    }

    /// Finds the pairs whose bounds meet, one [`Found`] for each task.
    pub(in crate::cpu) fn find(
        &self,
        packed: &Packed,
        touch: Touch,
        parting: Parting,
        found: &mut Vec<Found>,
        Means { simd, team, room }: Means<'_>,
    ) -> Result<()> {
        let Self { grid, strips, .. } = self;
        let seekers = Parts::new(packed.len(), team.tasks(packed.len(), LOOKED_UP));
        let swept = Parts::new(strips.len(), team.tasks(strips.len(), SWEPT));
        found.resize_with(seekers.count() + swept.count(), Found::default);
        team.try_each_mut(found, |task, found| {
            found.clear();
            if let Some(task) = task.checked_sub(seekers.count()) {
                simd.run(SweepEntries(Entries { packed, touch, strips, range: swept.part(task), found, room }))
            } else {
                simd.run(Seek { packed, touch, grid, parting, range: seekers.part(task), found, room })
            }
        })
    }

    /// Returns the bytes that the buffers hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        let of = |picked: &Picked| picked.sought.capacity() * size_of::<Entry>() + 4 * picked.swept.capacity();
        let picked = self.picked.iter().map(of).sum::<usize>();
        picked + self.grid.bytes() + self.strips.bytes()
    }
}

/// Picks the bodies of a range that are sought or swept, and samples the sizes of its seekers.
struct Pick<'a> {
    packed: &'a Packed,
    parting: Parting,
    range: Range<usize>,
    picked: &'a mut Picked,
    room: &'a Room,
}

impl Kernel for Pick<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Result<()> {
        let Self { packed, parting, range, picked: Picked { sought, swept, sizes }, room } = self;
        sought.clear();
        swept.clear();
        *sizes = Sizes::default();
        let classes = packed.classes.column();
        // If the sample has no seeker, measure all.
        for each in [SAMPLE, 1] {
            if !sizes.is_empty() {
                break;
            }
            for body in range.clone().step_by(each) {
                let bound = &packed.bounds[body];
                if has(parting.seekers, classes[body]) && bound.is_somewhere() {
                    sizes.add(bound);
                }
            }
        }
        let others = parting.sought | parting.swept;
        for (chunk, first) in classes[range.clone()].chunks(CHUNK).zip(range.step_by(CHUNK)) {
            // Most chunks have nothing to pick.
            let mut any = false;
            for &class in chunk {
                any |= has(others, class);
            }
            if !any {
                continue;
            }
            for (body, &class) in (first..).zip(chunk) {
                let bound = packed.bounds[body];
                if !bound.is_somewhere() {
                    continue;
                }
                if has(parting.sought, class) {
                    room.reserve(sought, 1, STRIPS)?;
                    sought.push(Entry { bound, body: body as u32 });
                }
                if has(parting.swept, class) {
                    room.reserve(swept, 1, STRIPS)?;
                    swept.push(body as u32);
                }
            }
        }
        Ok(())
    }
}
