//! A thread that compiles pipelines before a step needs them.

use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use std::sync::atomic::{AtomicBool, Ordering};

use super::pass::Pass;
use super::pipelines::Pipelines;
use crate::ground::background::Background;

/// A thread that compiles the pipelines that no step has needed yet, so that a game does not stutter when its world
/// first has a moving sprite, or many bodies. It ends after the last one, or when this is dropped.
pub(super) type Ahead = Background<()>;

/// Starts to compile pipelines ahead, if there are threads and a core to spare.
#[cfg(not(target_family = "wasm"))]
pub(super) fn begin(pipelines: &Arc<Pipelines>) -> Option<Ahead> {
    if std::thread::available_parallelism().is_ok_and(|cores| cores.get() < 2) {
        return None;
    }
    let pipelines = Arc::clone(pipelines);
    Background::start("hitmask pipelines", move |stop| make_all(&pipelines, stop)).ok()
}

/// A browser compiles in a process of its own.
#[cfg(target_family = "wasm")]
pub(super) fn begin(_: &Arc<Pipelines>) -> Option<Ahead> {
    None
}

/// Compiles all pipelines that a step without contacts may need, until `stop` is set. If one fails, the step that needs
/// it tries again and returns the error.
#[cfg(not(target_family = "wasm"))]
pub(super) fn make_all(pipelines: &Pipelines, stop: &AtomicBool) {
    for pass in needed(pipelines) {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        drop(pipelines.make(&[pass]));
    }
}

/// Returns the passes that a step may need unless it finds ways out, in the order in which they are compiled.
pub(super) fn needed(pipelines: &Pipelines) -> impl Iterator<Item = Pass> {
    ORDER.into_iter().filter(|&pass| pipelines.may_need(pass))
}

/// The passes in order of compilation: first those that nearly all worlds need, then those of other kinds of bodies and
/// of larger worlds. Those that are slow to compile come late. Those that find ways out are not among them: they take
/// several times as long as all others together, and few programs need them.
const ORDER: [Pass; Pass::ALL.len() - 3] = [
    Pass::LandTiles,
    Pass::SweepAll,
    Pass::OrderFew,
    Pass::Sieve,
    Pass::JudgeMasks,
    Pass::PickSprites,
    Pass::Paint,
    Pass::Update,
    Pass::JudgeConvex,
    Pass::JudgeSprites,
    Pass::JudgeMixed,
    Pass::Land,
    Pass::Measure,
    Pass::MakeKeys,
    Pass::CountDigits,
    Pass::ScanDigits,
    Pass::ScatterDigits,
    Pass::BoundTiles,
    Pass::BoundBlocks,
    Pass::Sweep,
    Pass::CountHits,
    Pass::ScanRows,
    Pass::ScanSums,
    Pass::ScatterHits,
    Pass::SortRows,
    Pass::JudgeSampled,
    Pass::Conclude,
    Pass::Place,
    Pass::Pose,
    Pass::Allot,
    Pass::DetailConvex,
    Pass::DetailSprites,
    Pass::DetailMixed,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pass_but_those_of_ways_out_is_made_ahead() {
        let late: Vec<Pass> = Pass::ALL.iter().copied().filter(|pass| !ORDER.contains(pass)).collect();
        assert_eq!(late, [Pass::ContactConvex, Pass::ContactSprites, Pass::ContactMixed]);
    }
}
