//! The broad phase of a world that layers part: seekers are looked up in a grid of those whom they may hit, without
//! being sorted; the rest is sorted into strips and swept. See [`Parting`].

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

/// Bodies of a task that picks, at least.
const PICKED: usize = 1 << 14;
/// Bodies of a task that looks up seekers, at least.
const LOOKED_UP: usize = 1 << 12;
/// Entries of strips for a task of the sweep, at least.
const SWEPT: usize = 1 << 11;
/// Bodies that are asked together whether any is picked.
const CHUNK: usize = 32;
/// Of the bodies one in so many is measured, if it is a seeker.
const SAMPLE: usize = 61;

/// What seekers are looked up in, and what is swept.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Parted {
    picked: Vec<Picked>,
    grid: Grid,
    strips: Strips,
}

/// Some of the bodies that are sought or swept.
#[derive(Debug, Default)]
struct Picked {
    sought: Vec<Entry>,
    swept: Vec<u32>,
    /// How large some seekers are.
    sizes: Sizes,
}

impl Parted {
    /// Fills the grid, and sorts what is to be swept.
    pub(in crate::cpu) fn sort(&mut self, packed: &Packed, parting: Parting, means: Means<'_>) -> Result<()> {
        let ranges = Parts::new(packed.len(), means.team.tasks(packed.len(), PICKED));
        self.picked.resize_with(ranges.count(), Picked::default);
        means.team.try_each_mut(&mut self.picked, |task, picked| {
            means.simd.run(Pick { packed, parting, range: ranges.part(task), picked, room: means.room })
        })?;
        let pieces: Vec<_> = self.picked.iter().map(|picked| picked.sought.as_slice()).collect();
        let sizes = self.picked.iter().fold(Sizes::default(), |sizes, picked| sizes.join(&picked.sizes));
        self.grid.fill(packed, &pieces, &sizes, parting, means)?;
        // The first task's list takes in those of the others.
        let Some((Picked { swept, .. }, others)) = self.picked.split_first_mut() else { return Ok(()) };
        for other in others {
            means.room.reserve(swept, other.swept.len(), STRIPS)?;
            swept.append(&mut other.swept);
        }
        self.strips.sort_some(packed, swept, means)
    }

    /// Finds pairs.
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

    /// The bytes that it holds.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        let of = |picked: &Picked| picked.sought.capacity() * size_of::<Entry>() + 4 * picked.swept.capacity();
        let picked = self.picked.iter().map(of).sum::<usize>();
        picked + self.grid.bytes() + self.strips.bytes()
    }
}

/// Picks those of some bodies that are sought or swept.
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
        // All, where the sample has no seeker.
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
            // Most chunks have none.
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
