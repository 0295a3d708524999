//! The engine for a game without a GPU: the GPU's stages by the same names, on all cores.

mod found;
mod kind;
pub mod land;
pub mod narrow;
mod order;
pub mod paint;
mod pairs;
mod pose;
pub mod strips;
mod sweep;
mod team;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::time::Instant;

use crate::broad::Broad;
use crate::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::profile::Profile;
use crate::simd::Simd;
use crate::world::World;
use found::Found;
use kind::decide;
use narrow::Posed;
use order::Order;
use pose::Pose;
use strips::Strips;
use sweep::Sweep;
use team::{Team, parts};

/// Bodies from which on several threads pay.
const THREADS_FROM: usize = 4096;
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
        let Step { strips, found, pose, order, .. } = &self.step;
        (strips.bytes() + found.iter().map(Found::bytes).sum::<usize>() + pose.bytes() + order.bytes()) as u64
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

impl Step {
    fn run(&mut self, world: &World, ask: Ask, team: Team, hits: &mut Hits) {
        let (packed, touch) = (world.packed(), world.touch());
        hits.pairs.clear();
        hits.details.clear();
        self.profile = Profile::default();
        let mut time = Instant::now();

        self.strips.sort(packed, team);
        time = self.profile.lap("sort", time);

        let tasks = parts(self.strips.len(), team.tasks(self.strips.len(), ENTRIES));
        self.found.resize_with(tasks.len(), Found::default);
        let (simd, strips) = (self.simd, &self.strips);
        team.each_mut(&mut self.found, |task, found| {
            found.clear();
            simd.run(Sweep { packed, touch, strips, entries: tasks[task].clone(), found });
        });
        time = self.profile.lap("sweep", time);

        self.profile.candidates = self.found.iter().map(|found| found.candidates.len() as u64).sum();
        if self.profile.candidates > 0 {
            self.pose.pose(packed, &self.found, team);
            time = self.profile.lap("paint", time);
        }
        let posed =
            Posed { packed, slots: self.pose.slots(), cores: self.pose.cores(), painted: self.pose.painted(), touch };
        if ask == Ask::Flags {
            hits.flags = flags(&posed, &self.found, team);
            self.profile.lap("narrow", time);
            return;
        }
        if self.profile.candidates > 0 {
            team.each_mut(&mut self.found, |_, Found { hits, candidates }| {
                hits.extend(candidates.iter().filter(|[i, j]| posed.pair(*i, *j, Ask::Pairs).is_some()));
            });
            time = self.profile.lap("narrow", time);
        }
        self.order.order(&self.found, packed.bodies.len(), team, hits);
        time = self.profile.lap("order", time);
        if ask == Ask::Details {
            let pairs: Vec<_> = hits.pairs.chunks(1 << 10).collect();
            let details = team.each(&pairs, |pairs| {
                // Boxes and circles at rest carry nothing, and have no landed cores.
                let detail = |&[i, j]: &[u32; 2]| match decide(packed, touch, [i, j]) {
                    Some(_) => Detail::default(),
                    None => posed.pair(i, j, ask).unwrap_or_default(),
                };
                pairs.iter().map(detail).collect::<Vec<_>>()
            });
            hits.details = details.concat();
            self.profile.lap("details", time);
        }
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
