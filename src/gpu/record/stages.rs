//! Records the stages of a step.
//!
//! ```text
//! bodies ─> land ─> sort ─> sweep ─> candidates ─> judge ─> verdicts, flags ─> order ─> pairs ─> details
//!                             └─> marked sprites ─> paint ─┘
//! ```

use super::{Groups, Recording, Stage, scan, sort};
use crate::gpu::binding::Binding;
use crate::gpu::header::Header;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;
use crate::gpu::slot::{PART, Slot, parts};
use crate::hits::Ask;

/// The bodies of a tile, the unit of the broad phase, and the tiles of a block.
pub(in crate::gpu) const TILE: u32 = 64;
/// The tiles of rows of a workgroup that compares all pairs.
pub(in crate::gpu) const ROWS_EACH: u32 = 4;

/// The rows of a dispatch of the sorted broad phase: where all bodies are on one spot, a slow GPU takes about a second.
const ROWS_AT_ONCE: u32 = 1 << 17;
/// The tests of a dispatch that compares all pairs: about a second on a slow GPU.
const TESTS_AT_ONCE: u32 = u32::MAX;
/// The tiles that a workgroup of the sorted broad phase compares its own with in a dispatch, on hardware and in
/// software: 64 columns each, and at worst three iterations of loops a column, of which lavapipe lets an invocation
/// have 65,535 in sum.
const SORTED_TILES: [u32; 2] = [512, 256];
/// The workgroups that keep a large GPU busy.
const MANY_GROUPS: u64 = 2048;

/// What [`Params::tiles_each`] is, for so many bodies, sorted or not, on hardware or in software.
pub(in crate::gpu) fn tiles_each(bodies: u32, sorted: bool, software: bool) -> u32 {
    if sorted {
        return SORTED_TILES[usize::from(software)];
    }
    // At most as many as a ballot tells of: each takes at most 9 iterations of loops a column, of which lavapipe lets
    // an invocation have 65,535 in sum. Fewer where bodies are few, so that there is work for all parts of the GPU.
    let [rows, columns] = [bodies.div_ceil(ROWS_EACH * TILE), bodies.div_ceil(TILE)].map(u64::from);
    (rows * columns / MANY_GROUPS).clamp(1, TILE.into()) as u32
}

/// Updates so many bodies that have changed; then lands all, and gives them their order and the bounds of its tiles.
pub(in crate::gpu) fn pose(to: &mut Recording, changed: u32, params: Params) {
    let tiles = params.bodies.div_ceil(TILE);
    // The flags.
    to.clear(Binding::Header, Header::BYTES);
    to.stage(Stage::Land);
    if changed > 0 {
        to.dispatch_each(Pass::Update, changed, Params { changed, ..params });
    }
    to.dispatch_each(Pass::Land, params.bodies, params);
    to.stage(Stage::Sort);
    if params.sorted == 1 {
        sort::bodies(to, params);
    }
    to.dispatch(Pass::BoundTiles, Groups::Of(tiles), params);
    if params.sorted == 1 {
        to.dispatch(Pass::BoundBlocks, Groups::Of(tiles.div_ceil(TILE)), params);
    }
}

/// Lists the candidates of the rows, by `rounds` dispatches of each where bodies are sorted, and paints the sprites
/// among them.
pub(in crate::gpu) fn sweep(to: &mut Recording, rounds: u32, params: Params) {
    to.clear(Binding::Marked, 0);
    if params.sorted == 1 {
        sweep_sorted(to, rounds, params);
    } else {
        sweep_all(to, params);
    }
    to.dispatch(Pass::PlanCandidates, Groups::Of(1), params);
    if params.paints == 1 {
        to.stage(Stage::Paint);
        to.dispatch_each(Pass::PickSprites, params.bodies, params);
        to.dispatch(Pass::PlanPaintings, Groups::Of(1), params);
        to.dispatch(Pass::Paint, Groups::Planned(Slot::Paintings), params);
    }
}

fn sweep_sorted(to: &mut Recording, rounds: u32, params: Params) {
    to.clear(Binding::Swept, 0);
    to.stage(Stage::Sweep);
    for first_row in (params.first_row / TILE * TILE..params.end_row).step_by(ROWS_AT_ONCE as usize) {
        let rows = (params.end_row - first_row).min(ROWS_AT_ONCE);
        for _ in 0..rounds {
            let params = Params { first_tile: first_row / TILE, ..params };
            to.dispatch(Pass::Sweep, Groups::Of(rows.div_ceil(TILE)), params);
        }
    }
}

fn sweep_all(to: &mut Recording, params: Params) {
    to.stage(Stage::Sweep);
    let rows = ROWS_EACH * TILE;
    let columns = params.bodies.div_ceil(TILE).div_ceil(params.tiles_each);
    let at_once = (TESTS_AT_ONCE / rows / params.bodies).max(1);
    let end = params.end_row.div_ceil(rows);
    for first in (params.first_row / rows..end).step_by(at_once as usize) {
        let groups = Groups::Grid(columns, at_once.min(end - first));
        to.dispatch(Pass::SweepAll, groups, Params { first_tile: first * ROWS_EACH, ..params });
    }
}

/// Gives the candidates their verdicts.
pub(in crate::gpu) fn judge(to: &mut Recording, params: Params) {
    to.stage(Stage::Judge);
    to.dispatch(Pass::Sieve, Groups::Planned(Slot::Candidates), params);
    to.dispatch(Pass::PlanVerdicts, Groups::Of(1), Params { parts: parts(params.candidate_room), ..params });
    to.dispatch(Pass::JudgeSmall, Groups::Planned(Slot::SmallMasks), params);
    to.dispatch(Pass::JudgeLarge, Groups::Planned(Slot::LargeMasks), params);
    judge_others(to, false, params);
}

/// Gives those candidates their verdicts that neither bounds nor words decide; with `resume` those that are still
/// without.
pub(in crate::gpu) fn judge_others(to: &mut Recording, resume: bool, params: Params) {
    to.stage(Stage::Judge);
    for part in 0..parts(params.candidate_room) {
        let params = Params { first_other: part * PART, resume: resume.into(), ..params };
        to.dispatch(Pass::Judge, Groups::Planned(Slot::Others(part)), params);
    }
}

/// Puts the candidates that hit in order, if pairs are asked for, and gathers what they carry, if that is asked for and
/// there is room for it. Last of all tells, on the GPU, whether the answer there is complete.
pub(in crate::gpu) fn order(to: &mut Recording, ask: Ask, params: Params) {
    if ask > Ask::Flags {
        order_pairs(to, params);
    }
    if ask == Ask::Details {
        to.stage(Stage::Details);
        to.dispatch(Pass::DetailPairs, Groups::Planned(Slot::Pairs), params);
    }
    to.dispatch(Pass::Conclude, Groups::Of(1), params);
}

fn order_pairs(to: &mut Recording, params: Params) {
    to.clear(Binding::Rows, 0);
    to.stage(Stage::Order);
    to.dispatch(Pass::CountHits, Groups::Planned(Slot::Candidates), params);
    scan::record(to, Binding::Rows, params.bodies, params);
    to.dispatch(Pass::ScatterHits, Groups::Planned(Slot::Candidates), params);
    to.dispatch_each(Pass::SortRows, params.bodies, params);
    to.dispatch(Pass::PlanLongRows, Groups::Of(1), params);
    to.dispatch(Pass::SortLongRows, Groups::Planned(Slot::LongRows), params);
    to.dispatch(Pass::PlanPairs, Groups::Of(1), params);
}

/// Puts `count` pairs in order, some of which are in a row too long for a workgroup to sort.
pub(in crate::gpu) fn sort_pairs(to: &mut Recording, count: u32, ask: Ask, params: Params) {
    to.stage(Stage::Order);
    sort::pairs(to, count, params);
    // Details come after the order, and conclude themselves.
    if ask == Ask::Pairs {
        to.dispatch(Pass::Conclude, Groups::Of(1), params);
    }
}

/// Gathers what `count` pairs from `first_pair` on carry; with `resume` of those that are not whole yet.
pub(in crate::gpu) fn detail(to: &mut Recording, first_pair: u32, count: u32, resume: bool, params: Params) {
    let params = Params { first_pair, detail_room: count, resume: resume.into(), ..params };
    to.stage(Stage::Details);
    to.dispatch_each(Pass::DetailPairs, count, params);
    to.dispatch(Pass::Conclude, Groups::Of(1), params);
}

#[cfg(test)]
mod tests {
    use super::super::Command;
    use super::*;

    /// The dispatches of a step, and how many of them are planned on the GPU.
    fn dispatches(bodies: u32, sorted: bool, paints: bool, ask: Ask) -> [usize; 2] {
        let params = Params {
            bodies,
            end_row: bodies,
            sorted: sorted.into(),
            paints: paints.into(),
            candidate_room: 4 * bodies,
            tiles_each: tiles_each(bodies, sorted, false),
            ..Params::default()
        };
        let mut to = Recording::default();
        pose(&mut to, 0, params);
        sweep(&mut to, 1, params);
        judge(&mut to, params);
        order(&mut to, ask, params);
        let planned = to.commands().iter().filter_map(|command| match command {
            Command::Dispatch(dispatch) => Some(matches!(dispatch.groups, Groups::Planned(_))),
            _ => None,
        });
        let planned: Vec<bool> = planned.collect();
        let by_gpu = planned.iter().filter(|planned| **planned).count();
        [planned.len(), by_gpu]
    }

    /// A dispatch costs time even where it has nothing to do: so one more is a decision.
    #[test]
    fn a_step_has_so_many_dispatches() {
        assert_eq!(dispatches(1_000, false, false, Ask::Flags), [10, 4]);
        assert_eq!(dispatches(1_000, false, false, Ask::Pairs), [19, 7]);
        assert_eq!(dispatches(10_000, true, false, Ask::Pairs), [43, 7]);
        assert_eq!(dispatches(100_000, true, true, Ask::Pairs), [46, 8]);
        assert_eq!(dispatches(100_000, true, true, Ask::Details), [47, 9]);
        assert_eq!(dispatches(1_000_000, true, false, Ask::Pairs), [53, 10]);
    }
}
