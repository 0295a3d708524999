//! The engine for a game without a GPU, on all cores.
//!
//! ```text
//! few bodies:         list all ─> all against all ─┐
//! many:               sort all ─> sweep ───────────┤
//! many, parted:       sort and sweep the few, ─────┼─> hits and candidates ─> narrow ─> hits ─> order ─> details
//!                     look up most among them      │                                     │
//! many, few changed:  sort and sweep the changed ──┘                                     │
//!                     hits of the step before, but for the changed ──────────────────────┘
//! ```
//!
//! *Parted* is a world whose layers say that most bodies do not hit each other.

pub(crate) mod broad;
mod helpers;
pub(crate) mod means;
pub(crate) mod narrow;
mod options;
mod order;
mod pool;
mod steady;
mod stream;
pub(crate) mod team;
#[cfg(test)]
mod tests;

pub use crate::broad::Broad;
pub use crate::simd::Simd;
pub use options::Options;

use std::num::NonZero;
use std::ops::ControlFlow;
use std::thread::available_parallelism;
use std::time::Instant;

use crate::ground::error::{Error, Result};
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::world::World;
use crate::world::changes::{Changes, Mark};
use crate::world::packed::Packed;
use crate::world::parting::Parting;
use broad::all_pairs::AllPairs;
use broad::found::Found;
use broad::parted::Parted;
use broad::strips::Strips;
use broad::sweep::{Entries, SweepEntries};
use helpers::Helpers;
use means::{DETAILS, Means};
use narrow::judge::{Details, Flags, Judge, JudgeFlags, Memory};
use narrow::posed::TOGETHER;
use order::{Answer, Order};
use pool::Pool;
use steady::{CHANGED, Kept};
use team::{Parts, Team};

/// Bodies from which on several threads pay.
const THREADS_FROM: usize = 4096;
/// The most threads: several for each core of the largest machines. Each has memory of its own.
pub const MOST_THREADS: usize = 1024;
/// The most bodies that are compared all with all, unless the user says otherwise.
const ALL_PAIRS_UP_TO: usize = 64;
/// Entries of strips for a task of the sweep, at least.
const SWEEP_ENTRIES: usize = 1 << 11;
/// Entries for four tasks of the comparison of all with all, at least.
const ALL_PAIRS_ENTRIES: usize = 64;

/// Bytes that a step may take, and bytes for each body, before it finds flags without a list of all pairs.
const FLAG_ROOM: u64 = 1 << 30;
const FLAG_ROOM_EACH: u64 = 256;

/// The CPU engine. It keeps its memory from step to step.
#[derive(Debug)]
pub struct Engine {
    /// All threads but the caller's.
    helpers: Option<Helpers>,
    step: Box<Step>,
}

/// A step, and what is kept between two.
#[derive(Debug)]
struct Step {
    simd: Simd,
    broad: Broad,
    profile: Profile,
    strips: Strips,
    parted: Parted,
    found: Vec<Found>,
    scratch: Pool<Memory>,
    order: Order,
    /// How far the world's changes are known.
    mark: Mark,
    kept: Kept,
    /// Whether `kept` and the strips are those of the step at `mark`.
    steady: bool,
}

impl Engine {
    /// On a thread for each core.
    ///
    /// ```
    /// let engine = hitmask::cpu::Engine::new()?;
    /// println!("on {} threads, with {}", engine.threads(), engine.simd().name());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new() -> Result<Self> {
        Self::with(&Options::default())
    }

    /// As `options` say; an [`Error::Value`] for more than [`MOST_THREADS`] threads, and where the machine has no such
    /// vector instructions.
    ///
    /// ```
    /// use hitmask::cpu::{Broad, Engine, MOST_THREADS, Options};
    ///
    /// let engine = Engine::with(&Options::default().threads(2).broad(Broad::Sorted))?;
    /// assert!((1..=2).contains(&engine.threads()) && engine.broad() == Broad::Sorted);
    /// assert!(Engine::with(&Options::default().threads(MOST_THREADS + 1)).is_err());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn with(options: &Options) -> Result<Self> {
        let Options { threads, broad, simd } = *options;
        let simd = simd.unwrap_or_else(Simd::best);
        if !simd.is_available() {
            return Err(Error::value("simd", simd.name(), "be among those that this machine has"));
        }
        if threads > MOST_THREADS {
            return Err(Error::value("threads", threads, format!("be at most {MOST_THREADS}")));
        }
        let threads = if threads == 0 { available_parallelism().map_or(1, NonZero::get) } else { threads };
        let start = |thread: rayon::ThreadBuilder| std::thread::Builder::new().spawn(|| thread.run());
        let helpers = Helpers::start(threads.min(MOST_THREADS) - 1, start);
        let step = Step {
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
        };
        Ok(Self { helpers, step: Box::new(step) })
    }

    /// The number of threads, the caller's with them: those that were asked for, or fewer where the system started
    /// fewer.
    ///
    /// ```
    /// use hitmask::cpu;
    ///
    /// assert_eq!(cpu::Engine::with(&cpu::Options::default().threads(1))?.threads(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn threads(&self) -> usize {
        Team { helpers: self.helpers.as_ref() }.threads()
    }

    /// What it runs on, for people: "2 threads, avx2".
    pub(crate) fn device(&self) -> String {
        let threads = self.threads();
        format!("{threads} thread{}, {}", if threads == 1 { "" } else { "s" }, self.step.simd.name())
    }

    /// The vector instructions that it uses.
    ///
    /// ```
    /// use hitmask::cpu::{Simd, self};
    ///
    /// assert_eq!(cpu::Engine::new()?.simd(), Simd::best());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn simd(&self) -> Simd {
        self.step.simd
    }

    /// How it finds candidate pairs.
    ///
    /// ```
    /// use hitmask::cpu::{Broad, self};
    ///
    /// assert_eq!(cpu::Engine::new()?.broad(), Broad::ByNumber);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn broad(&self) -> Broad {
        self.step.broad
    }

    /// What the last step cost.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in 0..100 {
    ///     world.add(&Body::new(ball, [f64::from(x), 0.0]))?;
    /// }
    /// let mut engine = cpu::Engine::new()?;
    /// engine.run(&world, Ask::Pairs)?;
    /// assert_eq!(engine.profile().stages[0].name, "sort");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.step.profile
    }

    /// The bytes that it holds beyond the world's own and the last answer's.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 5.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// let mut engine = cpu::Engine::new()?;
    /// let before = engine.bytes();
    /// engine.run(&world, Ask::Pairs)?;
    /// assert!(engine.bytes() > before);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Step { strips, parted, found, scratch, order, kept, .. } = &*self.step;
        let found = found.iter().map(Found::bytes).sum::<usize>();
        (strips.bytes() + parted.bytes() + found + scratch.sum(Memory::bytes) + order.bytes() + kept.bytes()) as u64
    }

    /// Answers which bodies hit which.
    ///
    /// An [`Error::Capacity`] where the answer, or the way to it, takes more memory than there is: it tells which list,
    /// and what to do.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// assert_eq!(cpu::Engine::new()?.run(&world, Ask::Pairs)?.pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run(&mut self, world: &World, ask: Ask) -> Result<Hits> {
        let mut hits = Hits::default();
        self.run_into(world, ask, &mut hits)?;
        Ok(hits)
    }

    /// Answers as [`Engine::run`] does, in the memory of an earlier answer; on an error that is as it was, or empty.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Hits, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// world.add(&Body::new(ball, [0.0, 0.0]))?;
    /// let moving = world.add(&Body::new(ball, [20.0, 0.0]))?;
    /// let (mut engine, mut hits) = (cpu::Engine::new()?, Hits::default());
    /// for (x, pairs) in [(20.0, 0), (5.0, 1), (40.0, 0)] {
    ///     world.set(moving, &Body::new(ball, [x, 0.0]))?;
    ///     engine.run_into(&world, Ask::Pairs, &mut hits)?;
    ///     assert_eq!(hits.pairs.len(), pairs);
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) -> Result<()> {
        // Flags fit wherever bodies do, and need no list of all pairs.
        let most = if ask == Ask::Flags { FLAG_ROOM + world.indices() as u64 * FLAG_ROOM_EACH } else { u64::MAX };
        self.with_step(world, &Room::at_most(most), |step, common| {
            match step.answer(world.changed_bodies(), ask, common, hits) {
                Err(Error::Capacity { .. }) if ask == Ask::Flags => {
                    *hits = Hits { flags: step.stream_flags(common)?, ..Hits::default() };
                    Ok(())
                }
                answered => answered,
            }
        })
    }

    /// Gives the pairs that [`Engine::run`] answers, in the same order, some at a time: an answer that is larger than
    /// memory is an answer all the same.
    ///
    /// `each` is given slices of pairs, never empty, and where [`Ask::Details`] was asked for, what each of them
    /// carries; it breaks off to be given no more, and what it breaks with is returned. About `memory` bytes are taken
    /// for pairs, or as many as those of one body take, where that is more, beside what a step takes for bodies. Less
    /// memory is more time: bodies are looked at once more for each list of pairs that fits.
    ///
    /// An [`Error::Capacity`] where there is not that memory. What `each` was given until then is right.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use hitmask::{Ask, Body, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let crate_ = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// for _ in 0..1000 {
    ///     world.add(&Body::new(crate_, [0, 0]))?;
    /// }
    /// let (mut engine, mut count) = (cpu::Engine::new()?, 0);
    /// let stopped = engine.stream(&world, Ask::Pairs, 1 << 16, |pairs, _| {
    ///     count += pairs.len();
    ///     if pairs[0][0] < 500 { ControlFlow::Continue(()) } else { ControlFlow::Break(pairs[0]) }
    /// })?;
    /// assert!(stopped.is_break() && count < 499_500); // half of all rows were not even looked for
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn stream<B>(
        &mut self,
        world: &World,
        ask: Ask,
        memory: u64,
        each: impl FnMut(&[[u32; 2]], &[Detail]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        self.with_step(world, &Room::default(), |step, common| step.stream(ask, memory, common, each))
    }

    /// Does something with what a step of a world works with.
    fn with_step<T>(&mut self, world: &World, room: &Room, work: impl FnOnce(&mut Step, Common<'_>) -> T) -> T {
        let helpers = self.helpers.as_ref().filter(|_| world.len() >= THREADS_FROM).and_then(Helpers::for_step);
        let _awake = helpers.map(Helpers::awake);
        let means = Means { simd: self.step.simd, team: Team { helpers }, room };
        work(&mut self.step, Common { packed: world.packed(), touch: world.touch(), means })
    }
}

/// What the stages of a step share.
#[derive(Clone, Copy)]
struct Common<'a> {
    packed: &'a Packed,
    touch: Touch,
    means: Means<'a>,
}

impl Step {
    /// Answers; where that fails, the memory that it has filled on the way is given back.
    fn answer(&mut self, log: &Changes<u32>, ask: Ask, common: Common<'_>, hits: &mut Hits) -> Result<()> {
        self.run(log, ask, common, hits).inspect_err(|_| self.give_back())
    }

    fn run(&mut self, log: &Changes<u32>, ask: Ask, common: Common<'_>, hits: &mut Hits) -> Result<()> {
        let Common { packed, means, .. } = common;
        self.profile.clear();
        let bodies = packed.len();
        let sorted = self.broad == Broad::Sorted || (self.broad == Broad::ByNumber && bodies > ALL_PAIRS_UP_TO);
        let changes = log.since(self.mark).filter(|changes| sorted && changes.len() * CHANGED <= bodies);
        self.mark = log.mark();
        // Where few bodies changed, few are likely to in the next step: what this one finds is kept for it.
        let keep = changes.is_some();
        let steady = self.steady && changes.is_some_and(|changes| self.kept.change(changes, packed, &self.strips));
        // Until all is done: an error leaves nothing that the next step could go on from.
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
            // Nobody wants pairs, neither the caller nor the next step.
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
            // Where there is no memory for that, the next step begins anew, as this one did.
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

    /// Finds pairs in strips.
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

    /// Finds pairs in a world that layers part. To `keep` what is found, all are sorted as well: the next step finds
    /// those that changed among all others.
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

    /// Finds pairs among all.
    fn find_all(&mut self, common: Common<'_>) -> Result<Instant> {
        let Common { packed, means, .. } = common;
        let time = Instant::now();
        self.strips.list(packed, means)?;
        // The first bodies are compared with the most others: in many tasks no thread waits long for theirs.
        let tasks = 4 * means.team.tasks(self.strips.len(), ALL_PAIRS_ENTRIES);
        self.find(common, tasks, |entries| means.simd.run(AllPairs(entries)))?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Finds pairs among the entries of the strips, in so many tasks.
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

    /// Finds the pairs of bodies that changed.
    fn find_changed(&mut self, Common { packed, touch, means }: Common<'_>) -> Result<Instant> {
        let time = Instant::now();
        self.kept.sort(packed, self.strips.cut(), means)?;
        let time = self.profile.lap("sort", time);
        self.kept.sweep(packed, touch, &self.strips, &mut self.found, means)?;
        Ok(self.profile.lap("sweep", time))
    }

    /// Adds the candidates that hit to the pairs that do.
    fn narrow(&mut self, common: Common<'_>, time: Instant) -> Result<Instant> {
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

    /// A bit for each body that hits.
    fn flags(&mut self, common: Common<'_>) -> Result<Vec<u32>> {
        let flags = Flags::new(common.packed.len());
        common.means.team.each(&self.found, |found| found.hits.iter().for_each(|&pair| flags.raise(pair)));
        self.judge_flags(common, &flags)?;
        Ok(flags.finish())
    }

    /// Raises the flags of the candidates that hit. A pair whose two bodies are known to hit is not looked at.
    fn judge_flags(&mut self, Common { packed, touch, means }: Common<'_>, flags: &Flags) -> Result<()> {
        let Means { simd, team, room } = means;
        let scratch = &self.scratch;
        team.try_each_mut(&mut self.found, |_, Found { candidates, .. }| {
            scratch.lend(|memory| simd.run(JudgeFlags { packed, touch, simd, memory, candidates, flags, room }))
        })
    }

    /// Puts down what some pairs carry; with room for as many, it takes no memory.
    fn details(
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

    /// Gives all memory back.
    fn give_back(&mut self) {
        self.strips = Strips::default();
        self.parted = Parted::default();
        self.found = Vec::new();
        self.scratch = Pool::default();
        self.order = Order::default();
        self.kept = Kept::default();
        self.steady = false;
    }
}
