//! The CPU engine, which runs on all cores.
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
//! A world is *parted* if its layers say that most bodies cannot hit each other.

pub(crate) mod broad;
mod flags;
pub(crate) mod means;
pub(crate) mod narrow;
mod options;
mod order;
pub(crate) mod padded;
mod steady;
mod step;
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

use crate::ground::error::{Error, Result};
use crate::ground::memory::Room;
use crate::ground::threads::Threads;
use crate::hits::{Ask, Detail, Hits, Stamp};
use crate::profile::Profile;
use crate::world::World;
use means::Means;
use step::{Common, Step};
use team::Team;

/// Number of bodies from which several threads pay off.
const THREADS_FROM: usize = 4096;
/// Maximum number of threads: several for each core of the largest machines. Each thread has memory of its own.
pub const MOST_THREADS: usize = 1024;

/// Bytes that a flags-only step may take, plus bytes for each body. Beyond that it computes the flags without a list of
/// all pairs.
const FLAG_ROOM: u64 = 1 << 30;
const FLAG_ROOM_EACH: u64 = 256;

/// The CPU engine. It reuses its memory from step to step.
#[derive(Debug)]
pub struct Engine {
    /// All threads except the caller's.
    helpers: Option<Threads>,
    step: Box<Step>,
}

impl Engine {
    /// Creates an engine with one thread for each core.
    ///
    /// ```
    /// let engine = hitmask::cpu::Engine::new()?;
    /// println!("on {} threads, with {}", engine.threads(), engine.simd().name());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn new() -> Result<Self> {
        Self::with(&Options::default())
    }

    /// Creates an engine with `options`. Returns an [`Error::Value`] for more than [`MOST_THREADS`] threads, or if the
    /// machine does not support the chosen vector instructions.
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
            return Err(Error::value("simd", simd.name(), "be one that this machine supports"));
        }
        if threads > MOST_THREADS {
            return Err(Error::value("threads", threads, format!("be at most {MOST_THREADS}")));
        }
        let threads = if threads == 0 { available_parallelism().map_or(1, NonZero::get) } else { threads };
        let helpers = Threads::start(threads.min(MOST_THREADS) - 1, Threads::spawn);
        Ok(Self { helpers, step: Box::new(Step::new(simd, broad)) })
    }

    /// Returns the number of threads, including the caller's. It is the number requested, or fewer if the system could
    /// not start them all.
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

    /// Returns a human-readable description of what the engine runs on, such as "2 threads, avx2".
    pub(crate) fn device(&self) -> String {
        let threads = self.threads();
        format!("{threads} thread{}, {}", if threads == 1 { "" } else { "s" }, self.step.simd.name())
    }

    /// Returns the vector instructions that the engine uses.
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

    /// Returns the method used to find candidate pairs.
    ///
    /// ```
    /// use hitmask::cpu::{Broad, self};
    ///
    /// assert_eq!(cpu::Engine::new()?.broad(), Broad::Auto);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn broad(&self) -> Broad {
        self.step.broad
    }

    /// Returns what the last step cost.
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

    /// Returns the number of bytes that the engine holds, not counting the world and the last answer.
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
        self.step.bytes() as u64
    }

    /// Runs a step and returns which bodies hit which.
    ///
    /// Returns an [`Error::Capacity`] if the answer, or computing it, needs more memory than there is. The error names
    /// the list that did not fit and suggests a remedy.
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

    /// Runs a step like [`Engine::run`], reusing the memory of an earlier answer. On an error, `hits` is unchanged or
    /// empty.
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
        // Flags fit wherever the bodies do, and need no list of all pairs.
        let most = if ask == Ask::Flags { FLAG_ROOM + world.indices() as u64 * FLAG_ROOM_EACH } else { u64::MAX };
        self.with_step(world, &Room::at_most(most), |step, common| {
            match step.answer(world.changed_bodies(), ask, common, hits) {
                Err(Error::Capacity { .. }) if ask == Ask::Flags => {
                    *hits = Hits { flags: step.stream_flags(common)?, ..Hits::default() };
                    Ok(())
                }
                answered => answered,
            }
        })?;
        hits.stamp = Stamp::of(world.past());
        Ok(())
    }

    /// Passes the pairs that [`Engine::run`] would return to `each`, in the same order, some at a time. The answer may
    /// be larger than memory.
    ///
    /// `each` receives slices of pairs, never empty, and with [`Ask::Details`] also their details. With
    /// [`Ask::Flags`] it still receives pairs; flags alone always fit into memory, so use [`Engine::run`] for those. If
    /// `each` breaks, no more pairs are passed and its value is returned.
    ///
    /// About `memory` bytes are used for pairs, or as many as the pairs of a single body take if that is more, in
    /// addition to what a step takes for bodies. Less memory takes more time: the bodies are visited once more for each
    /// list of pairs that fits.
    ///
    /// Returns an [`Error::Capacity`] if that memory is not available. The pairs passed to `each` until then are
    /// correct.
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

    /// Calls `work` with the step and with what its stages share.
    fn with_step<T>(&mut self, world: &World, room: &Room, work: impl FnOnce(&mut Step, Common<'_>) -> T) -> T {
        let helpers = self.helpers.as_ref().filter(|_| world.len() >= THREADS_FROM).and_then(Threads::for_round);
        let _awake = helpers.map(Threads::awake);
        let means = Means { simd: self.step.simd, team: Team { helpers }, room };
        work(&mut self.step, Common { packed: world.packed(), touch: world.touch(), means })
    }
}
