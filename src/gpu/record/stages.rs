//! Records the stages of a step.
//!
//! ```text
//! bodies ─> land ─> sort ─> sweep ─> candidates, flags ─> judge ─> verdicts, flags ─> order ─> pairs ─> details
//!                             └─> marked sprites ─> paint ─┘
//! ```

use super::{Groups, Recording, Stage};
use crate::gpu::binding::Binding;
use crate::gpu::header::Header;
use crate::gpu::kinds::Kinds;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;

/// The bodies of a tile, the unit of the broad phase, and the tiles of a block.
pub(in crate::gpu) const TILE: u32 = 64;
/// The tiles of rows that one workgroup takes when all pairs are compared.
pub(in crate::gpu) const ROWS_EACH: u32 = 8;

/// The rows in one dispatch of the sorted broad phase, on hardware and in software. Even with all bodies in one spot, a
/// slow GPU takes less than half a second, and two CPU cores less than 0.2 s.
const ROWS_AT_ONCE: [u32; 2] = [1 << 19, 1 << 10];
/// The tests in one dispatch that compares all pairs, on hardware and in software: about a second on a slow GPU.
const TESTS_AT_ONCE: [u32; 2] = [u32::MAX, 1 << 22];
/// The units of 64 pixels that one dispatch paints on average, on hardware and in software. A dispatch takes every n-th
/// sprite.
const UNITS_AT_ONCE: [u32; 2] = [1 << 26, 1 << 20];
/// The most tiles that a workgroup of the sorted broad phase compares its own with in a dispatch, on hardware and in
/// software: 64 columns each, with at worst three loop iterations a column. Lavapipe lets an invocation have 65,535 in
/// total.
const SORTED_TILES: [u32; 2] = [512, 256];
/// The most tiles that a workgroup compares its rows with when all pairs are compared.
const ALL_PAIRS_TILES: u64 = 32;
/// The workgroups that keep a large GPU busy.
const MANY_GROUPS: u64 = 2048;

/// Returns [`Params::tiles_each`] for this many bodies, sorted or not, on hardware or in software.
pub(in crate::gpu) fn tiles_each(bodies: u32, sorted: bool, software: bool) -> u32 {
    if sorted {
        return SORTED_TILES[usize::from(software)];
    }
    // Each column takes at most 18 loop iterations, of which lavapipe lets an invocation have 65,535 in all; and a
    // ballot covers 64 columns. Use fewer tiles for few bodies, so that all parts of the GPU have work.
    let [rows, columns] = [bodies.div_ceil(ROWS_EACH * TILE), bodies.div_ceil(TILE)].map(u64::from);
    (rows * columns / MANY_GROUPS).clamp(1, ALL_PAIRS_TILES) as u32
}

/// Lists the candidates of the rows, on hardware or in software; if bodies are sorted, with `rounds` dispatches for
/// each run of rows. Then paints the sprites among them, whose pixels take at most `units` units of
/// [`Binding::Landed`].
pub(in crate::gpu) fn sweep(to: &mut Recording, rounds: u32, software: bool, units: u32, params: Params) {
    let software = usize::from(software);
    to.stage(Stage::Sweep);
    // Clear the marks of bodies that have candidates; the flags before them stay.
    to.clear(Binding::Header, Header::BYTES + Header::flag_bytes(params.bodies.into()));
    if params.sorted == 1 {
        sweep_sorted(to, rounds, ROWS_AT_ONCE[software], params);
    } else {
        sweep_all(to, TESTS_AT_ONCE[software], params);
    }
    if params.paints == 1 {
        to.stage(Stage::Paint);
        to.dispatch_each(Pass::PickSprites, params.bodies, params);
        let parts = units.div_ceil(UNITS_AT_ONCE[software]).max(1);
        for part in 0..parts {
            to.dispatch(Pass::Paint, Groups::Over(params.bodies.div_ceil(parts)), Params { part, parts, ..params });
        }
    }
}

fn sweep_sorted(to: &mut Recording, rounds: u32, at_once: u32, params: Params) {
    to.clear(Binding::Swept, 0);
    for first_row in (params.first_row / TILE * TILE..params.end_row).step_by(at_once as usize) {
        let rows = (params.end_row - first_row).min(at_once);
        for _ in 0..rounds {
            let params = Params { first_tile: first_row / TILE, ..params };
            to.dispatch(Pass::Sweep, Groups::Of(rows.div_ceil(TILE)), params);
        }
    }
}

fn sweep_all(to: &mut Recording, at_once: u32, params: Params) {
    let rows = ROWS_EACH * TILE;
    let runs = params.bodies.div_ceil(TILE).div_ceil(params.tiles_each);
    // If the rows of a single workgroup already take more tests, each dispatch compares them with a part of the
    // columns.
    let tests = u64::from(rows) * u64::from(params.bodies);
    let parts = tests.div_ceil(at_once.into()).clamp(1, runs.into()) as u32;
    let at_once = (at_once / rows / params.bodies).max(1);
    let end = params.end_row.div_ceil(rows);
    for first in (params.first_row / rows..end).step_by(at_once as usize) {
        let groups = Groups::Grid(runs.div_ceil(parts), at_once.min(end - first));
        for part in 0..parts {
            to.dispatch(Pass::SweepAll, groups, Params { first_tile: first * ROWS_EACH, part, parts, ..params });
        }
    }
}

/// Judges all candidates that bounds have not decided, in `rounds` rounds after the first.
pub(in crate::gpu) fn judge(to: &mut Recording, kinds: Kinds, rounds: u32, params: Params) {
    if kinds.are_judged() {
        to.stage(Stage::Judge);
        to.dispatch_over(Pass::Sieve, params.candidate_room, params);
        for round in 0..=rounds {
            judge_listed(to, kinds, Params { round, ..params });
        }
    }
}

/// Judges the candidates that bounds do not decide, in one later round.
pub(in crate::gpu) fn judge_on(to: &mut Recording, kinds: Kinds, round: u32, params: Params) {
    to.stage(Stage::Judge);
    judge_listed(to, kinds, Params { round, ..params });
}

/// Records the judging passes of one round, which work until their fuel is spent.
fn judge_listed(to: &mut Recording, kinds: Kinds, params: Params) {
    for pass in kinds.judges() {
        to.dispatch_over(pass, params.candidate_room, params);
    }
    if params.samples == 1 {
        // Each workgroup takes one candidate after the other.
        to.dispatch(Pass::JudgeSampled, Groups::Over(params.candidate_room), params);
    }
}

#[cfg(test)]
mod tests {
    use super::super::land::Posing;
    use super::super::order::EndRounds;
    use super::super::{Command, order, plan, sort};
    use super::*;
    use crate::ground::touch::Touch;
    use crate::hits::Ask;

    /// Counts the dispatches of a step on hardware, and its clears.
    fn chain(bodies: u32, key_passes: u32, kinds: Kinds, paints: bool, ask: Ask) -> [usize; 2] {
        let units = if paints { 46 * bodies } else { 0 };
        let sorted = key_passes > 0;
        let params = Params {
            bodies,
            end_row: bodies,
            sorted: sorted.into(),
            paints: paints.into(),
            key_bits: key_passes * sort::DIGIT_BITS,
            candidate_room: 4 * bodies,
            tiles_each: tiles_each(bodies, sorted, false),
            ..Params::default()
        };
        let params = Params { samples: plan::samples(Touch::Excluded, ask, params).into(), ..params };
        let mut to = Recording::default();
        Posing { changed: 0, reads: true, allots: true }.record(&mut to, params);
        sweep(&mut to, 1, false, units, params);
        judge(&mut to, kinds, 0, params);
        order::order(&mut to, ask, bodies <= order::FEW_BODIES, kinds, EndRounds::default(), params);
        let dispatches = to.commands().iter().filter(|command| matches!(command, Command::Dispatch(_))).count();
        let clears = to.commands().iter().filter(|command| matches!(command, Command::Clear { .. })).count();
        [dispatches, clears]
    }

    #[test]
    fn no_dispatch_compares_too_many() {
        for (bodies, software) in [(1, true), (100, true), (8192, true), (8193, true), (65_536, true), (9 << 20, false)]
        {
            let tiles_each = tiles_each(bodies, false, software);
            let params = Params { bodies, end_row: bodies, tiles_each, ..Params::default() };
            let at_once = TESTS_AT_ONCE[usize::from(software)];
            let mut to = Recording::default();
            sweep_all(&mut to, at_once, params);
            let mut compared = 0;
            for command in to.commands() {
                let Command::Dispatch(dispatch) = command else { continue };
                let Groups::Grid(runs, rows) = dispatch.groups else { panic!("{dispatch:?}") };
                let tests = u64::from(runs * tiles_each * TILE) * u64::from(rows * ROWS_EACH * TILE);
                let run = u64::from(tiles_each * TILE * ROWS_EACH * TILE);
                assert!(tests < u64::from(at_once) + run * u64::from(rows), "{bodies} bodies: {tests} at once");
                compared += tests;
            }
            assert!(compared >= u64::from(bodies).pow(2), "{bodies} bodies: {compared}");
        }
    }

    /// A dispatch costs time even if it has nothing to do, so adding one is a deliberate decision.
    #[test]
    fn a_step_has_so_many_dispatches() {
        let boxes = Kinds { convex: true, ..Kinds::default() };
        let hulls = Kinds { hulls: true, ..boxes };
        let sprites = Kinds { sprites: true, ..Kinds::default() };
        let all = Kinds { others: true, ..hulls };
        let all = Kinds { sprites: true, ..all };
        assert_eq!(chain(1_000, 0, boxes, false, Ask::Flags), [3, 0]);
        assert_eq!(chain(1_000, 0, boxes, false, Ask::Pairs), [3, 0]);
        assert_eq!(chain(1_000, 0, hulls, false, Ask::Pairs), [5, 0]);
        assert_eq!(chain(1_000, 0, sprites, false, Ask::Pairs), [5, 0]);
        assert_eq!(chain(1_000, 0, sprites, true, Ask::Details), [9, 0]);
        assert_eq!(chain(1_000, 0, all, true, Ask::Pairs), [10, 0]);
        assert_eq!(chain(1_000, 0, all, true, Ask::Details), [14, 0]);
        assert_eq!(chain(10_000, 2, boxes, false, Ask::Pairs), [17, 0]);
        assert_eq!(chain(100_000, 2, boxes, false, Ask::Pairs), [17, 0]);
        assert_eq!(chain(100_000, 2, sprites, true, Ask::Pairs), [22, 0]);
        assert_eq!(chain(100_000, 2, sprites, true, Ask::Details), [22, 0]);
        assert_eq!(chain(1_000_000, 3, boxes, false, Ask::Pairs), [21, 0]);
    }
}
