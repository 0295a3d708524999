//! A step of the CPU engine, stage by stage.

use super::broad::all_pairs::AllPairs;
use super::broad::found::Found;
use super::broad::parted::Parted;
use super::broad::strips::Strips;
use super::broad::sweep::{Entries, SweepEntries};
use super::flags::Flags;
use super::means::{DETAILS, Means};
use super::narrow::judge::{Details, Judge, JudgeFlags, Memory};
use super::narrow::posed::TOGETHER;
use super::order::{Answer, Order};
use super::steady::{CHANGED, Kept};
use super::team::Parts;
use super::{Broad, Simd};
use crate::ground::clock::Instant;
use crate::ground::error::Result;
use crate::ground::pool::Pool;
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::changes::{Changes, Mark};
use crate::world::packed::Packed;
use crate::world::parting::Parting;

/// The most bodies that are compared all with all, unless the user chooses otherwise.
const ALL_PAIRS_UP_TO: usize = 64;
/// Minimum number of strip entries for a task of the sweep.
const SWEEP_ENTRIES: usize = 1 << 11;
/// Minimum number of entries for four tasks of the all-pairs comparison.
const ALL_PAIRS_ENTRIES: usize = 64;

/// A step, and the state kept between two steps.
#[derive(Debug)]
pub(super) struct Step {
    pub(super) simd: Simd,
    pub(super) broad: Broad,
    pub(super) profile: Profile,
    pub(super) strips: Strips,
    pub(super) parted: Parted,
    pub(super) found: Vec<Found>,
    pub(super) scratch: Pool<Memory>,
    pub(super) order: Order,
    /// The position in the world's log of changes up to which changes are known.
    pub(super) mark: Mark,
    pub(super) kept: Kept,
    /// Whether `kept` and the strips belong to the step at `mark`.
    pub(super) steady: bool,
}

/// The inputs that the stages of a step share.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) packed: &'a Packed,
    pub(super) touch: Touch,
    pub(super) means: Means<'a>,
}

impl Step {
    /// Creates the first step, which holds no memory yet.
    pub(super) fn new(simd: Simd, broad: Broad) -> Self {
        Self {
            simd,
            broad,
            profile: Profile::default(),
            strips: Strips::default(),
            parted: Parted::default(),
            found: Vec::new(),
            scratch: Pool::default(),
            order: Order::default(),
            mark: Mark::default(),
            kept: Kept::default(),
            steady: false,
        }
    }

    /// Answers `ask`; on an error, frees the memory that was filled on the way.
    pub(super) fn answer(&mut self, log: &Changes<u32>, ask: Ask, common: Common<'_>, hits: &mut Hits) -> Result<()> {
        self.run(log, ask, common, hits).inspect_err(|_| self.give_back())
    }

    fn run(&mut self, log: &Changes<u32>, ask: Ask, common: Common<'_>, hits: &mut Hits) -> Result<()> {
        let Common { packed, means, .. } = common;
        self.profile.clear();
        let bodies = packed.len();
        let sorted = self.broad == Broad::Sorted || (self.broad == Broad::Auto && bodies > ALL_PAIRS_UP_TO);
        let changes = log.since(self.mark).filter(|changes| sorted && changes.len() * CHANGED <= bodies);
        self.mark = log.mark();
        // If few bodies changed, few are likely to change in the next step: what this one finds is kept for it.
        let keep = changes.is_some();
        let steady = self.steady && changes.is_some_and(|changes| self.kept.change(changes, packed, &self.strips));
        // Until all is done: after an error there is nothing that the next step could build on.
        self.steady = false;

        let time = if steady {
            self.find_changed(common)?
        } else if sorted && let Some(parting) = Parting::new(&packed.classes) {
            self.find_parted(parting, keep, common)?
        } else if sorted {
            self.find_sorted(common)?
        } else {
            self.find_all(common)?
        };
        self.profile.candidates = self.found.iter().map(|found| found.candidates.len() as u64 + found.masks).sum();
        if ask == Ask::Flags && !keep {
            // Neither the caller nor the next step needs pairs.
            hits.flags = self.flags(common)?;
            hits.pairs.clear();
            hits.details.clear();
            self.profile.lap("narrow", time);
            return Ok(());
        }
        let mut time = self.narrow(common, time)?;
        let mut answer = Answer { hits, details: ask == Ask::Details };
        if steady {
            self.kept.merge(&self.found, &mut self.order, bodies, &mut answer, means)?;
            self.steady = true;
        } else {
            let ordered = self.order.order(&self.found, 0..bodies, bodies, &mut answer, means);
            ordered.inspect_err(|_| *answer.hits = Hits::default())?;
            // If there is no memory for that, the next step starts afresh, as this one did.
            self.steady = keep && self.kept.keep(&self.strips, answer.hits, means).is_ok();
        }
        time = self.profile.lap("order", time);
        hits.details.clear();
        match ask {
            Ask::Flags => hits.pairs.clear(),
            Ask::Pairs => {}
            Ask::Details => {
                self.details(common, &hits.pairs, &mut hits.details).inspect_err(|_| *hits = Hits::default())?;
                self.profile.lap("details", time);
            }
        }
        Ok(())
    }

    /// Finds pairs by sorting all bodies into strips.
    fn find_sorted(&mut self, common: Common<'_>) -> Result<Instant> {
        let Common { packed, means, .. } = common;
        let time = Instant::now();
        self.strips.sort(packed, means)?;
        let time = self.profile.lap("sort", time);
        self.find(common, means.team.tasks(self.strips.len(), SWEEP_ENTRIES), |entries| {
            means.simd.run(SweepEntries(entries))
        })?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Finds pairs in a world that its layers part. With `keep`, all bodies are sorted as well, so that the next step
    /// can find the pairs of changed bodies among all others.
    fn find_parted(&mut self, parting: Parting, keep: bool, common: Common<'_>) -> Result<Instant> {
        let Common { packed, touch, means } = common;
        let time = Instant::now();
        if keep {
            self.strips.sort(packed, means)?;
        }
        self.parted.sort(packed, parting, means)?;
        let time = self.profile.lap("sort", time);
        self.parted.find(packed, touch, parting, &mut self.found, means)?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Finds pairs by comparing all bodies with all.
    fn find_all(&mut self, common: Common<'_>) -> Result<Instant> {
        let Common { packed, means, .. } = common;
        let time = Instant::now();
        self.strips.list(packed, means)?;
        // The first bodies are compared with the most others: with many tasks no thread waits long for theirs.
        let tasks = 4 * means.team.tasks(self.strips.len(), ALL_PAIRS_ENTRIES);
        self.find(common, tasks, |entries| means.simd.run(AllPairs(entries)))?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Finds pairs among the entries of the strips, in `tasks` tasks.
    fn find(
        &mut self,
        Common { packed, touch, means: Means { team, room, .. } }: Common<'_>,
        tasks: usize,
        sweep: impl Fn(Entries<'_>) -> Result<()> + Sync,
    ) -> Result<()> {
        let ranges = Parts::new(self.strips.len(), tasks);
        self.found.resize_with(ranges.count(), Found::default);
        let strips = &self.strips;
        team.try_each_mut(&mut self.found, |task, found| {
            found.clear();
            sweep(Entries { packed, touch, strips, range: ranges.part(task), found, room })
        })
    }

    /// Finds the pairs of the bodies that changed.
    fn find_changed(&mut self, Common { packed, touch, means }: Common<'_>) -> Result<Instant> {
        let time = Instant::now();
        self.kept.sort(packed, self.strips.cut(), means)?;
        let time = self.profile.lap("sort", time);
        self.kept.sweep(packed, touch, &self.strips, &mut self.found, means)?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Judges the candidates and adds those that hit to the hits.
    pub(super) fn narrow(&mut self, common: Common<'_>, time: Instant) -> Result<Instant> {
        let Common { packed, touch, means: Means { simd, team, room } } = common;
        if self.found.iter().all(|found| found.candidates.is_empty()) {
            return Ok(time);
        }
        let scratch = &self.scratch;
        team.try_each_mut(&mut self.found, |_, Found { hits, candidates, .. }| {
            scratch.lend(|memory| simd.run(Judge { packed, touch, simd, memory, candidates, hits, room }))
        })?;
        Ok(self.profile.lap("narrow", time))
    }

    /// Returns a bit for each body, set if the body hits another.
    fn flags(&mut self, common: Common<'_>) -> Result<Vec<u32>> {
        let flags = Flags::new(common.packed.len());
        common.means.team.each(&self.found, |found| found.hits.iter().for_each(|&pair| flags.raise(pair)));
        self.judge_flags(common, &flags)?;
        Ok(flags.finish())
    }

    /// Raises the flags of the candidates that hit. A pair is skipped if both its bodies are known to hit.
    pub(super) fn judge_flags(&mut self, Common { packed, touch, means }: Common<'_>, flags: &Flags) -> Result<()> {
        let Means { simd, team, room } = means;
        let scratch = &self.scratch;
        team.try_each_mut(&mut self.found, |_, Found { candidates, .. }| {
            scratch.lend(|memory| simd.run(JudgeFlags { packed, touch, simd, memory, candidates, flags, room }))
        })
    }

    /// Computes the details of `pairs` into `details`. Allocates nothing if `details` has room for as many.
    pub(super) fn details(
        &self,
        Common { packed, touch, means }: Common<'_>,
        pairs: &[[u32; 2]],
        details: &mut Vec<Detail>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        details.clear();
        room.reserve(details, pairs.len(), DETAILS)?;
        details.resize(pairs.len(), Detail::default());
        let mut tasks: Vec<_> = pairs.chunks(TOGETHER).zip(details.chunks_mut(TOGETHER)).collect();
        team.try_each_mut(&mut tasks, |_, (pairs, to)| {
            self.scratch.lend(|memory| simd.run(Details { packed, touch, simd, memory, pairs, to, room }))
        })
    }

    /// Returns the bytes that the step holds.
    pub(super) fn bytes(&self) -> usize {
        let Self { strips, parted, found, scratch, order, kept, .. } = self;
        let found = found.iter().map(Found::bytes).sum::<usize>();
        strips.bytes() + parted.bytes() + found + scratch.sum(Memory::bytes) + order.bytes() + kept.bytes()
    }

    /// Frees all memory.
    pub(super) fn give_back(&mut self) {
        self.strips = Strips::default();
        self.parted = Parted::default();
        self.found = Vec::new();
        self.scratch = Pool::default();
        self.order = Order::default();
        self.kept = Kept::default();
        self.steady = false;
    }
}
