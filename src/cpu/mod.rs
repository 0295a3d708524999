//! The engine for a game without a GPU: the GPU's stages by the same names, on all cores.

mod all_pairs;
mod found;
mod kind;
pub mod land;
pub mod narrow;
mod order;
pub mod paint;
mod pairs;
mod pose;
mod settle;
mod steady;
pub mod strips;
mod sweep;
mod team;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use crate::broad::Broad;
use crate::changes::Mark;
use crate::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::packed::Packed;
use crate::profile::Profile;
use crate::simd::Simd;
use crate::world::{Touch, World};
use all_pairs::AllPairs;
use found::Found;
use kind::decide;
use narrow::{Judge, Posed};
use order::Order;
use pose::Pose;
use steady::{CHANGED, Kept};
use strips::Strips;
use sweep::Sweep;
use team::{Team, parts};

/// Bodies from which on several threads pay.
const THREADS_FROM: usize = 4096;
/// Bodies beyond which they are sorted, unless the user says otherwise.
const SORTED_FROM: usize = 64;
/// Entries of strips for a task, at least.
const ENTRIES: usize = 1 << 11;

/// How the CPU engine works.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The number of threads; 0 takes one for each core.
    pub threads: usize,
    /// How candidate pairs are found.
    pub broad: Broad,
    /// The vector instructions; by default the widest that there are.
    pub simd: Option<Simd>,
}

/// The CPU engine. It keeps its memory from step to step.
#[derive(Debug)]
pub struct Engine {
    pool: rayon::ThreadPool,
    step: Step,
}

/// A step, and what is kept between two.
#[derive(Debug)]
struct Step {
    simd: Simd,
    broad: Broad,
    profile: Profile,
    strips: Strips,
    found: Vec<Found>,
    pose: Pose,
    order: Order,
    /// How far the world's changes are known.
    mark: Mark,
    kept: Kept,
    /// Whether `kept` and the strips are those of the step at `mark`.
    steady: bool,
}

impl Engine {
    /// On a thread for each core.
    pub fn new() -> Result<Self> {
        Self::with(&Options::default())
    }

    /// As `options` say; an error where threads do not start, or the machine has no such vector instructions.
    pub fn with(options: &Options) -> Result<Self> {
        let Options { threads, broad, simd } = *options;
        let simd = simd.unwrap_or_else(Simd::best);
        if !simd.is_available() {
            return Err(Error::value("simd", simd.name(), "be among those that this machine has"));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::value("threads", threads, format!("be startable: {error}")))?;
        let step = Step {
            simd,
            broad,
            profile: Profile::default(),
            strips: Strips::default(),
            found: Vec::new(),
            pose: Pose::default(),
            order: Order::default(),
            mark: Mark::default(),
            kept: Kept::default(),
            steady: false,
        };
        Ok(Self { pool, step })
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The vector instructions that it uses.
    #[must_use]
    pub fn simd(&self) -> Simd {
        self.step.simd
    }

    /// How it finds candidate pairs.
    #[must_use]
    pub fn broad(&self) -> Broad {
        self.step.broad
    }

    /// What the last step cost.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.step.profile
    }

    /// The bytes that it holds beyond the world's own and the last answer's.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let Step { strips, found, pose, order, kept, .. } = &self.step;
        let found = found.iter().map(Found::bytes).sum::<usize>();
        (strips.bytes() + found + pose.bytes() + order.bytes() + kept.bytes()) as u64
    }

    /// Answers which bodies hit which.
    #[must_use]
    pub fn run(&mut self, world: &World, ask: Ask) -> Hits {
        let mut hits = Hits::default();
        self.run_into(world, ask, &mut hits);
        hits
    }

    /// Answers which bodies hit which, in the memory of an earlier answer.
    pub fn run_into(&mut self, world: &World, ask: Ask, hits: &mut Hits) {
        let threads = if world.len() < THREADS_FROM { 1 } else { self.threads() };
        let (step, team) = (&mut self.step, Team { threads });
        if threads == 1 {
            step.run(world, ask, team, hits);
        } else {
            self.pool.install(|| step.run(world, ask, team, hits));
        }
    }
}

/// What the stages of a step share.
#[derive(Clone, Copy)]
struct Scene<'a> {
    packed: &'a Packed,
    touch: Touch,
    simd: Simd,
    team: Team,
}

impl Step {
    fn run(&mut self, world: &World, ask: Ask, team: Team, hits: &mut Hits) {
        let scene = Scene { packed: world.packed(), touch: world.touch(), simd: self.simd, team };
        hits.pairs.clear();
        hits.details.clear();
        self.profile = Profile::default();
        let sorted = self.broad == Broad::Sorted || (self.broad == Broad::ByNumber && world.len() > SORTED_FROM);
        let changes =
            world.changes().since(self.mark).filter(|changes| sorted && changes.len() * CHANGED <= world.len());
        self.mark = world.changes().mark();
        // A first step without many changes is kept for those that follow.
        let keep = changes.is_some();
        let steady = self.steady && changes.is_some_and(|changes| self.kept.change(changes, world.len()));
        self.steady = false;

        let time = if steady {
            self.find_changed(scene)
        } else if sorted {
            self.find_sorted(scene)
        } else {
            self.find_all(scene)
        };
        let time = self.pose(scene, time);
        if ask == Ask::Flags && !keep {
            hits.flags = flags(&self.posed(scene), &self.found, team);
            self.profile.lap("narrow", time);
            return;
        }
        let mut time = self.narrow(scene, time);
        let bodies = world.len();
        if steady {
            self.kept.merge(&self.found, bodies, team, hits);
        } else {
            self.order.order(&self.found, bodies, (self.simd, team), hits);
            if keep {
                self.kept.keep(&self.strips, hits, bodies, team);
            }
        }
        self.steady = keep;
        time = self.profile.lap("order", time);
        match ask {
            Ask::Flags => hits.pairs.clear(),
            Ask::Pairs => {}
            Ask::Details => {
                hits.details = self.details(scene, steady, &hits.pairs);
                self.profile.lap("details", time);
            }
        }
    }

    /// Finds pairs in strips.
    fn find_sorted(&mut self, Scene { packed, touch, simd, team }: Scene<'_>) -> Instant {
        let time = Instant::now();
        self.strips.sort(packed, simd, team);
        let time = self.profile.lap("sort", time);
        let tasks = parts(self.strips.len(), team.tasks(self.strips.len(), ENTRIES));
        self.found.resize_with(tasks.len(), Found::default);
        let strips = &self.strips;
        team.each_mut(&mut self.found, |task, found| {
            found.clear();
            simd.run(Sweep { packed, touch, strips, entries: tasks[task].clone(), found });
        });
        self.profile.lap("sweep", time)
    }

    /// Finds pairs among all.
    fn find_all(&mut self, Scene { packed, touch, simd, team }: Scene<'_>) -> Instant {
        let time = Instant::now();
        self.strips.list(packed, team);
        // The first bodies have the most behind them.
        let tasks = parts(self.strips.len(), 4 * team.tasks(self.strips.len(), 64));
        self.found.resize_with(tasks.len(), Found::default);
        let list = &self.strips;
        team.each_mut(&mut self.found, |task, found| {
            found.clear();
            simd.run(AllPairs { packed, touch, list, entries: tasks[task].clone(), found });
        });
        self.profile.lap("sweep", time)
    }

    /// Finds the pairs of bodies that changed.
    fn find_changed(&mut self, Scene { packed, touch, simd, team }: Scene<'_>) -> Instant {
        let time = Instant::now();
        self.kept.sort(packed, simd, team);
        let time = self.profile.lap("sort", time);
        self.kept.sweep(packed, touch, &self.strips, &mut self.found, (simd, team));
        self.profile.lap("sweep", time)
    }

    /// Poses the bodies of candidates.
    fn pose(&mut self, Scene { packed, simd, team, .. }: Scene<'_>, time: Instant) -> Instant {
        self.profile.candidates = self.found.iter().map(|found| found.candidates.len() as u64).sum();
        if self.profile.candidates == 0 {
            return time;
        }
        self.pose.pose(packed, &self.found, (simd, team));
        self.profile.lap("paint", time)
    }

    fn posed<'a>(&'a self, Scene { packed, touch, .. }: Scene<'a>) -> Posed<'a> {
        let Pose { slots, cores, painted, .. } = &self.pose;
        Posed { packed, slots, cores, painted, touch }
    }

    /// Adds the candidates that hit to the pairs that do.
    fn narrow(&mut self, scene: Scene<'_>, time: Instant) -> Instant {
        if self.profile.candidates == 0 {
            return time;
        }
        let mut found = std::mem::take(&mut self.found);
        let posed = self.posed(scene);
        scene.team.each_mut(&mut found, |_, found| scene.simd.run(Judge { posed, found }));
        self.found = found;
        self.profile.lap("narrow", time)
    }

    /// What pairs that hit carry.
    fn details(&mut self, scene: Scene<'_>, steady: bool, pairs: &[[u32; 2]]) -> Vec<Detail> {
        let Scene { packed, touch, simd, team } = scene;
        if steady {
            // Candidates were those of the bodies that changed.
            let candidates = pairs.iter().filter(|&&pair| decide(packed, touch, pair).is_none()).copied().collect();
            self.pose.pose(packed, &[Found { hits: Vec::new(), candidates }], (simd, team));
        }
        let posed = self.posed(scene);
        let pairs: Vec<_> = pairs.chunks(1 << 10).collect();
        let details = team.each(&pairs, |pairs| {
            // Boxes and circles at rest carry nothing.
            let detail = |&pair: &[u32; 2]| match decide(packed, touch, pair) {
                Some(_) => Detail::default(),
                None => posed.pair(pair[0], pair[1], Ask::Details).unwrap_or_default(),
            };
            pairs.iter().map(detail).collect::<Vec<_>>()
        });
        details.concat()
    }
}

/// A bit for each body that hits. A candidate pair whose two bodies are known to hit is not looked at.
fn flags(posed: &Posed<'_>, found: &[Found], team: Team) -> Vec<u32> {
    let flags: Vec<AtomicU32> = (0..posed.packed.bodies.len().div_ceil(32)).map(|_| AtomicU32::new(0)).collect();
    let place = |body: u32| (&flags[body as usize / 32], 1 << (body % 32));
    let raised = |body| place(body).0.load(Relaxed) & place(body).1 != 0;
    let raise = |pair: [u32; 2]| {
        for (word, bit) in pair.map(place) {
            // Most are raised already; asking is cheaper than raising.
            if word.load(Relaxed) & bit == 0 {
                word.fetch_or(bit, Relaxed);
            }
        }
    };
    team.each(found, |found| found.hits.iter().for_each(|&pair| raise(pair)));
    team.each(found, |found| {
        for &[i, j] in &found.candidates {
            if !(raised(i) && raised(j)) && posed.pair(i, j, Ask::Flags).is_some() {
                raise([i, j]);
            }
        }
    });
    flags.into_iter().map(AtomicU32::into_inner).collect()
}
