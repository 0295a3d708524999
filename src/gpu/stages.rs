//! The stages of a step, as they are recorded.

use crate::hits::Ask;

use super::buffers::{HEADER, MARKED, ROWS, SWEPT};
use super::params::{Header, Params};
use super::pass::Passes;
use super::record::{Groups, Recording};
use super::{AT_ONCE, GROUP, TILE, scan, sort};

/// Slots of planned dispatches: over all candidates, over long rows, over sprites to paint, over pairs, over pairs of small and of large
/// masks; from the last on, over other candidates in parts.
#[doc(hidden)]
pub const LISTED: u32 = 0;
#[doc(hidden)]
pub const LONG_ROWS: u32 = 1;
#[doc(hidden)]
pub const PAINTINGS: u32 = 2;
#[doc(hidden)]
pub const PAIRS: u32 = 3;
#[doc(hidden)]
pub const SMALL_MASKS: u32 = 4;
#[doc(hidden)]
pub const LARGE_MASKS: u32 = 5;
#[doc(hidden)]
pub const FIRST_PART: u32 = 6;

/// The rows of an invocation of the broad phase that compares all pairs, and so tiles of rows of a workgroup.
#[doc(hidden)]
pub const ROWS_EACH: u32 = 4;

/// The rows of a dispatch of the sorted broad phase, and the tests of a dispatch of all pairs: about a second on a slow GPU where all bodies
/// are on one spot.
const ROWS_AT_ONCE: u32 = 1 << 17;
const TESTS_AT_ONCE: u32 = u32::MAX;
/// The workgroups that are room enough for a large GPU.
const MANY_GROUPS: u64 = 2048;

/// The parts of a list of so many candidates.
pub(super) fn parts_of(capacity: u32) -> u32 {
    capacity.div_ceil(AT_ONCE)
}

/// The tiles of columns of a workgroup that compares all pairs: a ballot tells of so many, and each may take 9 iterations a column, of which
/// lavapipe lets an invocation have 65,535 in sum. Fewer where bodies are few, so that no part of the GPU goes without.
pub(super) fn columns_each(bodies: u32) -> u32 {
    let [rows, columns] = [bodies.div_ceil(ROWS_EACH * TILE), bodies.div_ceil(TILE)].map(u64::from);
    (rows * columns / MANY_GROUPS).clamp(1, TILE.into()) as u32
}

/// Records the stages of a step, with what all its dispatches are told.
#[derive(Debug)]
pub(super) struct Stages<'a> {
    pub(super) recording: Recording<'a>,
    passes: &'a Passes,
    params: Params,
}

impl<'a> Stages<'a> {
    pub(super) fn new(passes: &'a Passes, params: Params) -> Self {
        Self { recording: Recording::default(), passes, params }
    }

    /// Puts so many bodies that have changed in their places; lands all and gives them their order, with the bounds of tiles of it.
    pub(super) fn pose(&mut self, changed: u32) {
        let Self { recording: to, passes, params } = self;
        let tiles = params.bodies.div_ceil(TILE);
        to.clear(HEADER, size_of::<Header>() as u64);
        to.stage("land");
        if changed > 0 {
            to.dispatch(&passes.update, Groups::Of(changed.div_ceil(GROUP)), Params { count: changed, ..*params });
        }
        to.dispatch(&passes.land, Groups::Of(params.bodies.div_ceil(GROUP)), *params);
        to.stage("sort");
        if params.sorted == 1 {
            sort::record(to, passes, *params);
        }
        to.dispatch(&passes.bound_tiles, Groups::Of(tiles), *params);
        if params.sorted == 1 {
            to.dispatch(&passes.bound_blocks, Groups::Of(tiles.div_ceil(TILE)), *params);
        }
    }

    /// Lists the candidates of some rows, where bodies are sorted in `rounds` dispatches of each, and paints their sprites.
    pub(super) fn sweep(&mut self, rounds: u32) {
        self.recording.clear(MARKED, 0);
        if self.params.sorted == 1 {
            self.sweep_sorted(rounds);
        } else {
            self.sweep_all();
        }
        let Self { recording: to, passes, params } = self;
        to.dispatch(&passes.plan_candidates, Groups::Of(1), *params);
        if params.paints == 1 {
            to.stage("paint");
            to.dispatch(&passes.pick_sprites, Groups::Of(params.bodies.div_ceil(GROUP)), *params);
            to.dispatch(&passes.plan_paintings, Groups::Of(1), *params);
            to.dispatch_long(&passes.paint, Groups::Planned(PAINTINGS), *params);
        }
    }

    fn sweep_sorted(&mut self, rounds: u32) {
        let Self { recording: to, passes, params } = self;
        to.clear(SWEPT, 0);
        to.stage("sweep");
        for first_row in (params.first_row / TILE * TILE..params.last_row).step_by(ROWS_AT_ONCE as usize) {
            let rows = (params.last_row - first_row).min(ROWS_AT_ONCE);
            for _ in 0..rounds {
                let params = Params { first: first_row / TILE, ..*params };
                to.dispatch_long(&passes.sweep, Groups::Of(rows.div_ceil(TILE)), params);
            }
        }
    }

    fn sweep_all(&mut self) {
        let Self { recording: to, passes, params } = self;
        to.stage("sweep");
        let rows = ROWS_EACH * TILE;
        let columns = params.bodies.div_ceil(TILE).div_ceil(params.tiles);
        let at_once = (TESTS_AT_ONCE / rows / params.bodies).max(1);
        let end = params.last_row.div_ceil(rows);
        for first in (params.first_row / rows..end).step_by(at_once as usize) {
            let groups = Groups::Grid(columns, at_once.min(end - first));
            to.dispatch_long(&passes.sweep_all, groups, Params { first, ..*params });
        }
    }

    /// Gives the candidates their verdicts.
    pub(super) fn judge(&mut self) {
        let Self { recording: to, passes, params } = self;
        let parts = parts_of(params.capacity);
        to.stage("judge");
        to.dispatch(&passes.sieve, Groups::Planned(LISTED), *params);
        to.dispatch(&passes.plan_verdicts, Groups::Of(1), Params { count: parts, ..*params });
        to.dispatch(&passes.judge_small, Groups::Planned(SMALL_MASKS), *params);
        to.dispatch_long(&passes.judge_large, Groups::Planned(LARGE_MASKS), *params);
        self.judge_others(false);
    }

    /// Gives those candidates their verdicts that take more than bounds or words; where `resume` says so, those that are without.
    pub(super) fn judge_others(&mut self, resume: bool) {
        let Self { recording: to, passes, params } = self;
        to.stage("judge");
        for part in 0..parts_of(params.capacity) {
            let params = Params { first: part * AT_ONCE, resume: resume.into(), ..*params };
            to.dispatch_long(&passes.judge, Groups::Planned(FIRST_PART + part), params);
        }
    }

    /// Puts the candidates that hit in order, if pairs are asked for; with what they carry, if there is room for `details`. Last of all tells on
    /// the GPU whether the answer there is complete.
    pub(super) fn order(&mut self, ask: Ask, details: u32) {
        if ask > Ask::Flags {
            self.order_pairs(ask, details);
        }
        let capacity = if ask == Ask::Details { details } else { self.params.capacity };
        self.recording.dispatch(&self.passes.conclude, Groups::Of(1), Params { capacity, ..self.params });
    }

    fn order_pairs(&mut self, ask: Ask, details: u32) {
        let Self { recording: to, passes, params } = self;
        to.clear(ROWS, 0);
        to.stage("order");
        to.dispatch(&passes.count_hits, Groups::Planned(LISTED), *params);
        scan::record(to, passes, ROWS, Params { count: params.bodies, ..*params });
        to.dispatch(&passes.scatter_hits, Groups::Planned(LISTED), *params);
        to.dispatch(&passes.sort_rows, Groups::Of(params.bodies.div_ceil(GROUP)), *params);
        to.dispatch(&passes.plan_long_rows, Groups::Of(1), *params);
        to.dispatch(&passes.sort_long_rows, Groups::Planned(LONG_ROWS), *params);
        let told = Params { capacity: details, first: 0, ..*params };
        to.dispatch(&passes.plan_pairs, Groups::Of(1), told);
        if ask == Ask::Details {
            to.stage("details");
            to.dispatch_long(&passes.detail_pairs, Groups::Planned(PAIRS), told);
        }
    }

    /// Gathers what the pairs from `first` on carry, as many as there is room for.
    pub(super) fn detail(&mut self, first: u32, count: u32, resume: bool) {
        let params = Params { first, capacity: count, resume: resume.into(), ..self.params };
        self.recording.stage("details");
        self.recording.dispatch_long(&self.passes.detail_pairs, Groups::Of(count.div_ceil(GROUP)), params);
        self.recording.dispatch(&self.passes.conclude, Groups::Of(1), params);
    }
}
