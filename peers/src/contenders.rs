//! hitmask and its peers, as contenders.

use hitmask::geometry::Aabb;
use hitmask::{Ask, cpu};
use hitmask_workbench::workloads::{Crowd, Placement};
use rayon::ThreadPool;

use crate::contest::Contender;
use crate::cores::own_cores;
use crate::peers::Peer;
use crate::scene::{Scene, step};

/// hitmask's engine on the CPU.
pub(crate) struct Hitmask {
    engine: cpu::Engine,
    crowd: Crowd,
    permille: u32,
    /// The positions that a game has for the bodies at the beginning of a frame.
    placement: Placement,
    /// The crowd with all bodies elsewhere, if the engine sees it between any two measured steps.
    elsewhere: Option<Crowd>,
}

impl Hitmask {
    /// Creates the contender for a crowd of which `permille` thousandths move from step to step.
    pub(crate) fn new(crowd: &Crowd, permille: u32, threads: usize) -> anyhow::Result<Self> {
        let options = cpu::Options::default().threads(threads);
        let engine = own_cores(true, || cpu::Engine::with(&options))?;
        let placement = crowd.placement(0, permille)?;
        Ok(Self { engine, crowd: crowd.clone(), permille, placement, elsewhere: None })
    }

    /// Creates a contender whose bodies all come from elsewhere in each step, so that nothing of the previous step can
    /// be reused.
    pub(crate) fn from_elsewhere(crowd: &Crowd, permille: u32, threads: usize) -> anyhow::Result<Self> {
        let mut elsewhere = crowd.clone();
        elsewhere.step(u32::MAX, 1000)?;
        Ok(Self { elsewhere: Some(elsewhere), ..Self::new(crowd, permille, threads)? })
    }
}

impl Contender for Hitmask {
    fn name(&self) -> &'static str {
        if self.elsewhere.is_none() { "hitmask" } else { "hitmask, all moved" }
    }

    fn threads(&self) -> &'static str {
        "all"
    }

    fn ordered(&self) -> bool {
        true
    }

    fn prepare(&mut self, placement: usize) -> anyhow::Result<()> {
        self.placement = self.crowd.placement(step(placement), self.permille)?;
        Ok(())
    }

    fn find(&mut self, _: usize) -> anyhow::Result<Vec<[u32; 2]>> {
        self.crowd.place(&self.placement)?;
        Ok(self.engine.run(self.crowd.world(), Ask::Pairs)?.pairs)
    }

    fn leave(&mut self) {
        if let Some(elsewhere) = &self.elsewhere {
            drop(self.engine.run(elsewhere.world(), Ask::Pairs));
        }
    }
}

/// A peer in a scene, on the threads of a pool.
pub(crate) struct InScene<'a, P, S> {
    name: String,
    peer: P,
    scene: &'a S,
    pool: &'a ThreadPool,
    /// The current boxes, freshly written, as hitmask's bodies are.
    boxes: Vec<Aabb>,
}

impl<'a, P: Peer, S: Scene> InScene<'a, P, S> {
    /// Creates the contender, named after the peer.
    pub(crate) fn new(peer: P, scene: &'a S, pool: &'a ThreadPool) -> Self {
        Self { name: P::NAME.into(), peer, scene, pool, boxes: Vec::new() }
    }

    /// Sets another name.
    pub(crate) fn named(self, name: String) -> Self {
        Self { name, ..self }
    }
}

impl<P: Peer, S: Scene> Contender for InScene<'_, P, S> {
    fn name(&self) -> &str {
        &self.name
    }

    fn threads(&self) -> &'static str {
        P::THREADS
    }

    fn ordered(&self) -> bool {
        P::ORDERED
    }

    fn prepare(&mut self, placement: usize) -> anyhow::Result<()> {
        self.boxes.clear();
        self.boxes.extend_from_slice(self.scene.boxes(placement));
        Ok(())
    }

    fn find(&mut self, placement: usize) -> anyhow::Result<Vec<[u32; 2]>> {
        let Self { peer, scene, pool, boxes, .. } = self;
        Ok(pool.install(|| peer.pairs(boxes, scene.hits(placement))))
    }
}
