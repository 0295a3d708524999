//! The engine for a game without a GPU: the GPU's stages by the same names, on all cores.

pub mod broad;
pub mod land;
pub mod narrow;
pub mod paint;

use rayon::prelude::*;

use crate::error::{Error, Result};
use crate::hits::{Ask, Detail, Hits};
use crate::packed::Slots;
use crate::world::World;
use narrow::Posed;

/// The most 64-bit words that sprites are painted into ahead (1 GiB); beyond it they are sampled where they are looked at.
const PAINTED_WORDS: usize = 1 << 27;

/// The CPU engine.
#[derive(Debug)]
pub struct Engine {
    pool: rayon::ThreadPool,
}

impl Engine {
    /// On `threads` threads; 0 takes one for each core.
    pub fn new(threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self { pool: pool.map_err(|error| Error::value("threads", threads, format!("be startable: {error}")))? })
    }

    /// The number of threads.
    #[must_use]
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Answers which bodies hit which.
    #[must_use]
    pub fn run(&self, world: &World, ask: Ask) -> Hits {
        self.pool.install(|| run(world, ask))
    }
}

fn run(world: &World, ask: Ask) -> Hits {
    let packed = world.packed();
    let slots = Slots::new(packed, PAINTED_WORDS, PAINTED_WORDS);
    let cores = land::cores(packed, &slots);
    let bounds = land::bounds(packed);
    let painted = paint::paint(packed, &slots);
    let posed = Posed { packed, slots: &slots, cores: &cores, painted: &painted, touch: world.touch() };
    let mut found: Vec<([u32; 2], Detail)> = broad::pairs(packed, &bounds, world.touch(), |i, j| posed.pair(i, j, ask));
    found.par_sort_unstable_by_key(|(pair, _)| *pair);
    let mut hits = Hits::none(packed.bodies.len());
    hits.pairs = found.iter().map(|(pair, _)| *pair).collect();
    hits.flag_pairs();
    match ask {
        Ask::Flags => hits.pairs.clear(),
        Ask::Pairs => {}
        Ask::Details => hits.details = found.into_iter().map(|(_, detail)| detail).collect(),
    }
    hits
}
