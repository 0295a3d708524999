//! The engine for a game without a GPU: the GPU's stages by the same names, on all cores.

pub mod broad;
pub mod land;
pub mod narrow;
pub mod paint;

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use rayon::prelude::*;

use crate::broad::Broad;
use crate::error::{Error, Result};
use crate::hits::{Ask, Hits};
use crate::packed::{Aabb, Slots};
use crate::profile::Profile;
use crate::simd::Simd;
use crate::world::World;
use narrow::Posed;

/// The most 64-bit words that sprites are painted into ahead (1 GiB); beyond it they are sampled where they are looked at.
const PAINTED_WORDS: usize = 1 << 27;

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

/// The CPU engine.
#[derive(Debug)]
pub struct Engine {
    pool: rayon::ThreadPool,
    simd: Simd,
    broad: Broad,
    profile: Profile,
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
        Ok(Self { pool, simd, broad, profile: Profile::default() })
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The vector instructions that it uses.
    #[must_use]
    pub fn simd(&self) -> Simd {
        self.simd
    }

    /// What the last step cost.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// The bytes that it holds beyond the world's own and the last answer's.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        0
    }

    /// How it finds candidate pairs.
    #[must_use]
    pub fn broad(&self) -> Broad {
        self.broad
    }

    /// Answers which bodies hit which.
    #[must_use]
    pub fn run(&mut self, world: &World, ask: Ask) -> Hits {
        let start = std::time::Instant::now();
        let hits = self.pool.install(|| run(world, ask, self.simd));
        self.profile = Profile::default();
        self.profile.lap("whole", start);
        hits
    }
}

fn run(world: &World, ask: Ask, simd: Simd) -> Hits {
    let packed = world.packed();
    let slots = Slots::new(packed, PAINTED_WORDS, PAINTED_WORDS);
    let cores = land::cores(packed, &slots);
    let bounds = land::bounds(packed);
    let painted = paint::paint(packed, &slots, simd);
    let touch = world.touch();
    let posed = Posed { packed, slots: &slots, cores: &cores, painted: &painted, touch };
    let mut hits = Hits::none(packed.bodies.len());
    match ask {
        Ask::Flags => hits.flags = flags(&posed, &bounds),
        Ask::Pairs => {
            hits.pairs = ordered(broad::pairs(packed, &bounds, touch, |i, j| posed.pair(i, j, ask).map(|_| ()))).0;
            hits.flag_pairs();
        }
        Ask::Details => {
            (hits.pairs, hits.details) = ordered(broad::pairs(packed, &bounds, touch, |i, j| posed.pair(i, j, ask)));
            hits.flag_pairs();
        }
    }
    hits
}

/// A bit for each body that hits. Pairs come in any order, and one whose two bodies are known to hit is not looked at.
fn flags(posed: &Posed<'_>, bounds: &[Aabb]) -> Vec<u32> {
    let flags: Vec<AtomicU32> = (0..bounds.len().div_ceil(32)).map(|_| AtomicU32::new(0)).collect();
    let place = |body: u32| (&flags[body as usize / 32], 1 << (body % 32));
    let raised = |body| place(body).0.load(Relaxed) & place(body).1 != 0;
    broad::pairs::<()>(posed.packed, bounds, posed.touch, |i, j| {
        if !(raised(i) && raised(j)) && posed.pair(i, j, Ask::Flags).is_some() {
            for (word, bit) in [place(i), place(j)] {
                word.fetch_or(bit, Relaxed);
            }
        }
        None
    });
    flags.into_iter().map(AtomicU32::into_inner).collect()
}

/// Pairs in their order, and what each has.
fn ordered<T: Send>(mut found: Vec<([u32; 2], T)>) -> (Vec<[u32; 2]>, Vec<T>) {
    found.par_sort_unstable_by_key(|(pair, _)| *pair);
    found.into_iter().unzip()
}
