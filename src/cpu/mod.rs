//! The engine for a game without a GPU, on all cores: sort, sweep, narrow, order.

pub(crate) mod broad;
mod grow;
pub(crate) mod narrow;
mod options;
mod order;
mod steady;
pub(crate) mod team;

pub use options::Options;

use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Instant;

use crate::broad::Broad;
use crate::ground::error::{Error, Result};
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::simd::Simd;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::Packed;
use broad::all_pairs::AllPairs;
use broad::found::Found;
use broad::strips::Strips;
use broad::sweep::{Entries, Sweep};
use narrow::judge::{Details, Flags, Judge, JudgeFlags, Scratch};
use narrow::posed::TOGETHER;
use order::Order;
use steady::{CHANGED, Kept};
use team::{Awake, Team, parts};

/// Bodies from which on several threads pay.
const THREADS_FROM: usize = 4096;
/// The most bodies that are compared all with all, unless the user says otherwise.
const ALL_PAIRS_UP_TO: usize = 64;
/// Entries of strips for a task, at least.
const ENTRIES: usize = 1 << 11;

/// The CPU engine. It keeps its memory from step to step.
#[derive(Debug)]
pub struct Engine {
    /// All threads but the caller's.
    helpers: Option<rayon::ThreadPool>,
    step: Box<Step>,
}

/// A step, and what is kept between two.
#[derive(Debug)]
struct Step {
    simd: Simd,
    broad: Broad,
    profile: Profile,
    strips: Strips,
    found: Vec<Found>,
    scratch: Scratch,
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

    /// As `options` say; an error where threads do not start, or the machine has no such vector instructions.
    ///
    /// ```
    /// use hitmask::{Broad, cpu};
    ///
    /// let engine = cpu::Engine::with(&cpu::Options::default().threads(2).broad(Broad::Sorted))?;
    /// assert_eq!((engine.threads(), engine.broad()), (2, Broad::Sorted));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn with(options: &Options) -> Result<Self> {
        let Options { threads, broad, simd } = *options;
        let simd = simd.unwrap_or_else(Simd::best);
        if !simd.is_available() {
            return Err(Error::value("simd", simd.name(), "be among those that this machine has"));
        }
        let threads = if threads == 0 { available_parallelism().map_or(1, NonZero::get) } else { threads };
        let helpers = if threads == 1 {
            None
        } else {
            let helpers = rayon::ThreadPoolBuilder::new().num_threads(threads - 1).build();
            Some(helpers.map_err(|error| Error::value("threads", threads, format!("be startable: {error}")))?)
        };
        let step = Step {
            simd,
            broad,
            profile: Profile::default(),
            strips: Strips::default(),
            found: Vec::new(),
            scratch: Scratch::default(),
            order: Order::default(),
            mark: Mark::default(),
            kept: Kept::default(),
            steady: false,
        };
        Ok(Self { helpers, step: Box::new(step) })
    }

    /// The number of threads, with the caller's.
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

    /// The vector instructions that it uses.
    ///
    /// ```
    /// use hitmask::{Simd, cpu};
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
    /// use hitmask::{Broad, cpu};
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
    /// engine.run(&world, Ask::Pairs);
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
    /// engine.run(&world, Ask::Pairs);
    /// assert!(engine.bytes() > before);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Step { strips, found, scratch, order, kept, .. } = &*self.step;
        let found = found.iter().map(Found::bytes).sum::<usize>();
        (strips.bytes() + found + scratch.bytes() + order.bytes() + kept.bytes()) as u64
    }

    /// Answers which bodies hit which.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Shape, World, cpu};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(3.0)?)?;
    /// for x in [0.0, 20.0, 25.0] {
    ///     world.add(&Body::new(ball, [x, 0.0]))?;
    /// }
    /// assert_eq!(cpu::Engine::new()?.run(&world, Ask::Pairs).pairs, [[1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn run(&mut self, world: &World, ask: Ask) -> Hits {
        let mut hits = Hits::default();
        self.run_into(world, ask, &mut hits);
        hits
    }

    /// Answers which bodies hit which, in the memory of an earlier answer.
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
    ///     engine.run_into(&world, Ask::Pairs, &mut hits);
    ///     assert_eq!(hits.pairs.len(), pairs);
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) {
        let helpers = self.helpers.as_ref().filter(|_| world.len() >= THREADS_FROM);
        let _awake = helpers.map(Awake::new);
        self.step.run(world, ask, Team { helpers }, hits);
    }
}

/// What the stages of a step share.
#[derive(Clone, Copy)]
struct Common<'a> {
    packed: &'a Packed,
    touch: Touch,
    simd: Simd,
    team: Team<'a>,
}

impl Step {
    fn run(&mut self, world: &World, ask: Ask, team: Team<'_>, hits: &mut Hits) {
        let common = Common { packed: world.packed(), touch: world.touch(), simd: self.simd, team };
        hits.details.clear();
        self.profile = Profile::default();
        let sorted = self.broad == Broad::Sorted || (self.broad == Broad::ByNumber && world.len() > ALL_PAIRS_UP_TO);
        let changes =
            world.changed_bodies().since(self.mark).filter(|changes| sorted && changes.len() * CHANGED <= world.len());
        self.mark = world.changed_bodies().mark();
        // A first step without many changes is kept for those that follow.
        let keep = changes.is_some();
        let steady =
            self.steady && changes.is_some_and(|changes| self.kept.change(changes, common.packed, &self.strips));
        self.steady = false;

        let time = if steady {
            self.find_changed(common)
        } else if sorted {
            self.find_sorted(common)
        } else {
            self.find_all(common)
        };
        self.profile.candidates = self.found.iter().map(|found| found.candidates.len() as u64 + found.masks).sum();
        if ask == Ask::Flags && !keep {
            hits.pairs.clear();
            hits.flags = self.flags(common);
            self.profile.lap("narrow", time);
            return;
        }
        let mut time = self.narrow(common, time);
        let bodies = common.packed.len();
        if steady {
            self.kept.merge(&self.found, &mut self.order, bodies, (self.simd, team), hits);
        } else {
            self.order.order(&self.found, bodies, (self.simd, team), hits);
            if keep {
                self.kept.keep(&self.strips, hits, team);
            }
        }
        self.steady = keep;
        time = self.profile.lap("order", time);
        match ask {
            Ask::Flags => hits.pairs.clear(),
            Ask::Pairs => {}
            Ask::Details => {
                hits.details = self.details(common, &hits.pairs);
                self.profile.lap("details", time);
            }
        }
    }

    /// Finds pairs in strips.
    fn find_sorted(&mut self, common: Common<'_>) -> Instant {
        let Common { packed, simd, team, .. } = common;
        let time = Instant::now();
        self.strips.sort(packed, simd, team);
        let time = self.profile.lap("sort", time);
        self.find(common, team.tasks(self.strips.len(), ENTRIES), |entries| simd.run(Sweep(entries)));
        self.profile.lap("sweep", time)
    }

    /// Finds pairs among all.
    fn find_all(&mut self, common: Common<'_>) -> Instant {
        let Common { packed, simd, team, .. } = common;
        let time = Instant::now();
        self.strips.list(packed, team);
        // The first bodies have the most behind them.
        let tasks = 4 * team.tasks(self.strips.len(), 64);
        self.find(common, tasks, |entries| simd.run(AllPairs(entries)));
        self.profile.lap("sweep", time)
    }

    /// Finds pairs among the entries of the strips, in so many tasks.
    fn find(
        &mut self,
        Common { packed, touch, team, .. }: Common<'_>,
        tasks: usize,
        sweep: impl Fn(Entries<'_>) + Sync,
    ) {
        let ranges = parts(self.strips.len(), tasks);
        self.found.resize_with(ranges.len(), Found::default);
        let strips = &self.strips;
        team.each_mut(&mut self.found, |task, found| {
            found.clear();
            sweep(Entries { packed, touch, strips, range: ranges[task].clone(), found });
        });
    }

    /// Finds the pairs of bodies that changed.
    fn find_changed(&mut self, Common { packed, touch, simd, team }: Common<'_>) -> Instant {
        let time = Instant::now();
        self.kept.sort(packed, self.strips.cut(), simd, team);
        let time = self.profile.lap("sort", time);
        self.kept.sweep(packed, touch, &self.strips, &mut self.found, (simd, team));
        self.profile.lap("sweep", time)
    }

    /// Adds the candidates that hit to the pairs that do.
    fn narrow(&mut self, Common { packed, touch, simd, team }: Common<'_>, time: Instant) -> Instant {
        if self.found.iter().all(|found| found.candidates.is_empty()) {
            return time;
        }
        let scratch = &self.scratch;
        team.each_mut(&mut self.found, |_, Found { hits, candidates, .. }| {
            scratch.lend(|memory| simd.run(Judge { packed, touch, simd, memory, candidates, hits }));
        });
        self.profile.lap("narrow", time)
    }

    /// A bit for each body that hits. A candidate pair whose two bodies are known to hit is not looked at.
    fn flags(&self, Common { packed, touch, simd, team }: Common<'_>) -> Vec<u32> {
        let flags = Flags::new(packed.len());
        team.each(&self.found, |found| found.hits.iter().for_each(|&pair| flags.raise(pair)));
        team.each(&self.found, |Found { candidates, .. }| {
            self.scratch.lend(|memory| simd.run(JudgeFlags { packed, touch, simd, memory, candidates, flags: &flags }));
        });
        flags.finish()
    }

    /// What pairs that hit carry.
    fn details(&self, Common { packed, touch, simd, team }: Common<'_>, pairs: &[[u32; 2]]) -> Vec<Detail> {
        let pairs: Vec<_> = pairs.chunks(TOGETHER).collect();
        let details = team
            .each(&pairs, |pairs| self.scratch.lend(|memory| simd.run(Details { packed, touch, simd, memory, pairs })));
        details.concat()
    }
}
