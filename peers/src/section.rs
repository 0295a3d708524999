//! The sections of the comparison: workload, numbers of bodies, and contenders.

use anyhow::ensure;
use clap::ValueEnum;
use hitmask::{Ask, cpu};
use hitmask_workbench::workloads::{Crowd, Workload};
use rayon::ThreadPool;

use crate::contenders::{Hitmask, InScene};
use crate::contest::{Contender, Outcome, contest};
use crate::peers::{
    AllPairs, Broccoli, BroccoliAlone, GeoIndex, ParryPartly, ParryRebuilt, ParryRefitted, Peer, Rstar,
};
#[cfg(feature = "box2d")]
use crate::peers::{Box2dIncremental, Box2dRebuilt};
use crate::scene::{Boxes, Circles, PerPixel, Scene, Sprites, Turned};

/// Maximum number of bodies for the quadratic loop; with more, it would take seconds per run.
const ALL_PAIRS: u32 = 10_000;

/// Number of bodies at which a run becomes so long that few runs suffice.
const LONG: u32 = 300_000;

/// The thousandths of the bodies that move in a steady scene.
pub(crate) const STEADY: u32 = 10;

/// A part of the comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Section {
    /// Boxes with about four neighbours each
    Boxes,
    /// Boxes of very different sizes in clusters
    Clustered,
    /// Boxes with four huge ones among them
    Giants,
    /// Boxes of which one in a hundred moves in each step
    Steady,
    /// Circles
    Circles,
    /// Unturned sprites of 32 x 32 texels
    Sprites,
    /// Sprites turned by any angle
    Turned,
    /// Pairs of masks of 512 x 512 texels
    Masks,
    /// Ray, box and nearest queries on 100,000 boxes
    Queries,
}

impl Section {
    /// Returns the numbers of bodies to measure; none for masks, which are not bodies, and for queries, whose number is
    /// fixed.
    pub(crate) fn sizes(self, quick: bool) -> &'static [u32] {
        match (self, quick) {
            (Self::Masks | Self::Queries, _) => &[],
            (_, true) => &[1_000, 10_000],
            (Self::Boxes, _) => &[1_000, 10_000, 100_000, 1_000_000],
            (Self::Steady, _) => &[100_000, 1_000_000],
            (Self::Clustered | Self::Giants, _) => &[100_000],
            (Self::Circles | Self::Sprites | Self::Turned, _) => &[10_000, 100_000],
        }
    }

    /// Returns its workload; `None` for masks and queries, which have their own.
    pub(crate) fn workload(self) -> Option<Workload> {
        match self {
            Self::Boxes | Self::Steady => Some(Workload::Boxes),
            Self::Clustered => Some(Workload::Clustered),
            Self::Giants => Some(Workload::Giants),
            Self::Circles => Some(Workload::Circles),
            Self::Sprites => Some(Workload::Sprites),
            Self::Turned => Some(Workload::Turned),
            Self::Masks | Self::Queries => None,
        }
    }

    /// Compares all contenders on `n` bodies of its workload.
    pub(crate) fn run(self, workload: Workload, n: u32, runs: usize, pool: &ThreadPool) -> anyhow::Result<Outcome> {
        let crowd = workload.crowd(n)?;
        check(workload, n, &crowd, pool)?;
        let permille = if self == Self::Steady { STEADY } else { 1000 };
        let threads = pool.current_num_threads();
        let ours = Hitmask::new(&crowd, permille, threads)?;
        // Short runs are easily disturbed, so do more of them.
        let runs = runs * (LONG / n.max(1)).clamp(1, 15) as usize;
        let against = |others| contest(&format!("{workload} {n}"), ours, others, runs, pool);
        match self {
            Self::Circles => {
                let scene = Circles::new(&crowd)?;
                against(finders(&scene, n, pool))
            }
            Self::Sprites => {
                let (rows, pixels) = (Sprites::new(&crowd)?, PerPixel::new(&crowd)?);
                against(composed(&rows, "row by row in `u64`", &pixels, pool))
            }
            Self::Turned => {
                let (rows, pixels) = (Turned::new(&crowd)?, PerPixel::new(&crowd)?);
                against(composed(&rows, "painted once, row by row in `u64`", &pixels, pool))
            }
            Self::Steady => {
                let scene = Boxes::new(&crowd, permille)?;
                let moved = (0..n).filter(|&i| Crowd::moves(i as usize, permille)).collect();
                against(vec![
                    Box::new(Hitmask::from_elsewhere(&crowd, permille, threads)?),
                    Box::new(InScene::new(ParryPartly::new(moved), &scene, pool)),
                    Box::new(InScene::new(Broccoli, &scene, pool)),
                ])
            }
            _ => {
                let scene = Boxes::new(&crowd, permille)?;
                against(finders(&scene, n, pool))
            }
        }
    }
}

/// Returns all peers that find pairs of boxes.
fn finders<'a>(scene: &'a impl Scene, n: u32, pool: &'a ThreadPool) -> Vec<Box<dyn Contender + 'a>> {
    let mut all: Vec<Box<dyn Contender + 'a>> = vec![
        Box::new(InScene::new(Broccoli, scene, pool)),
        Box::new(InScene::new(BroccoliAlone, scene, pool)),
        Box::new(InScene::new(ParryRefitted::default(), scene, pool)),
        Box::new(InScene::new(ParryRebuilt, scene, pool)),
        Box::new(InScene::new(GeoIndex, scene, pool)),
        Box::new(InScene::new(Rstar, scene, pool)),
    ];
    #[cfg(feature = "box2d")]
    {
        all.push(Box::new(InScene::new(Box2dRebuilt::default(), scene, pool)));
        all.push(Box::new(InScene::new(Box2dIncremental::default(), scene, pool)));
    }
    if n <= ALL_PAIRS {
        all.push(Box::new(InScene::new(AllPairs, scene, pool)));
    }
    all
}

/// Returns the broad phases of the fastest peers with a hand-written narrow phase, and with that of tutorials.
fn composed<'a>(
    rows: &'a impl Scene,
    how: &str,
    pixels: &'a PerPixel,
    pool: &'a ThreadPool,
) -> Vec<Box<dyn Contender + 'a>> {
    let (broccoli, parry) = (Broccoli::NAME, ParryRefitted::NAME);
    vec![
        Box::new(InScene::new(Broccoli, rows, pool).named(format!("{broccoli}; {how}"))),
        Box::new(InScene::new(ParryRefitted::default(), rows, pool).named(format!("{parry}; {how}"))),
        Box::new(InScene::new(Broccoli, pixels, pool).named(format!("{broccoli}; pixel by pixel"))),
    ]
}

/// Checks that hitmask finds as many pairs in the unmoved world as other programs have found.
fn check(workload: Workload, n: u32, crowd: &Crowd, pool: &ThreadPool) -> anyhow::Result<()> {
    let Some(known) = workload.known_pairs(n) else { return Ok(()) };
    let threads = pool.current_num_threads();
    let mut engine = cpu::Engine::with(&cpu::Options::default().threads(threads))?;
    let pairs = engine.run(crowd.world(), Ask::Pairs)?.pairs.len() as u64;
    ensure!(pairs == known, "{workload} {n}: hitmask finds {pairs} pairs, but other programs found {known}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relies on a contest ending in an error if any two of its contenders differ.
    #[test]
    fn all_contenders_agree_in_each_section() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        for &section in Section::value_variants() {
            let Some(workload) = section.workload() else { continue };
            for n in [1, 700] {
                let outcome = section.run(workload, n, 1, &pool).unwrap();
                assert!(outcome.times.len() > 3 && (outcome.pairs > 100 || n == 1), "{section:?} {n}");
            }
        }
    }
}
