//! What steps learn from those before them.

use super::frame::Readback;
use super::header::Header;
use super::params::Params;
use super::record::order::{FEW_BODIES, FEW_CANDIDATES};
use super::record::plan;
use super::record::stages::TILE;
use super::whole::Whole;

/// The least fuel with which a step is done again with less, after loops were cut.
const LEAST_FUEL: i32 = 300;

/// The fuel to try next where loops were cut with so much; nothing where that was too little already.
pub(super) fn less_fuel(fuel: i32) -> Option<i32> {
    (fuel >= LEAST_FUEL).then_some(fuel / 4)
}

/// The rounds beyond the first that are recorded where a step has left some pairs undone, and nobody has done them: so
/// that the next one finds out how many it takes.
const EXPLORED: u32 = 64;
/// The most rounds that are recorded, beyond the first: pairs that take more are the host's to go on with.
const MOST_ROUNDS: u32 = 256;
/// The steps for which pairs are sorted after one that had a long row.
const LONG_FOR: u32 = 64;

/// The rounds beyond the first in which some dispatches do all that there is to do.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rounds {
    needed: u32,
    /// True if the last step left something undone in the rounds that it had.
    open: bool,
}

impl Rounds {
    /// Returns the rounds to record: enough for twice the work, as worlds grow; many, where it is not known how many it
    /// takes.
    pub(super) fn recorded(self) -> u32 {
        let least = if self.open { EXPLORED } else { 0 };
        let twice = if self.needed == 0 { 0 } else { 2 * self.needed + 1 };
        twice.clamp(least, MOST_ROUNDS)
    }

    /// Takes note of how many a step has needed, and whether something is left undone. Forgets by and by.
    fn note(&mut self, needed: u32, open: bool) {
        *self = Self { needed: needed.max(self.needed / 2), open };
    }
}

/// What a step begins with: what earlier steps have found out that they need.
#[derive(Clone, Copy, Debug)]
pub(super) struct Learnt {
    /// Room for candidates.
    pub(super) candidates: u32,
    /// The pairs that come back together with the counts.
    pub(super) pairs: u32,
    /// The dispatches of the sorted broad phase after which all tiles are compared.
    pub(super) rounds: u32,
    /// The passes of the sort by keys that bodies ask for.
    pub(super) key_passes: u32,
    /// Whether few bodies had more candidates than one workgroup puts in order.
    pub(super) crowded: bool,
    /// The rounds in which candidates are judged.
    pub(super) judging: Rounds,
    /// The rounds in which details are gathered.
    pub(super) detailing: Rounds,
    /// The steps for which pairs are still to be sorted, as one had a row that is too long for a workgroup.
    pub(super) long_rows: u32,
    /// What an invocation of the narrow phase may do in a dispatch.
    pub(super) fuel: i32,
    /// Where forms are a step's own: the units to land in, and the most of them for a sprite that is painted ahead.
    pub(super) landed: u32,
    pub(super) paint_most: u32,
}

/// What a run of rows was begun with.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) params: Params,
    /// The dispatches of the sorted broad phase.
    pub(super) rounds: u32,
    /// Whether it also lands and sorts the bodies, as the first run of a step does.
    pub(super) poses: bool,
    /// The most candidates that there may be room for.
    pub(super) most: u32,
    /// The most units to land in that there may be.
    pub(super) most_landed: u32,
    /// Whether there is to be room for twice the work: where the host sees a step's counts only later.
    pub(super) spare: bool,
}

impl Begun {
    /// The dispatches of the broad phase to try next, where these were too few.
    pub(super) fn more_rounds(&self, header: &Header) -> Option<u32> {
        let Params { sorted, first_row, end_row, .. } = self.params;
        let all = sorted == 0 || header.swept >= end_row.div_ceil(TILE) - first_row / TILE;
        (!all).then(|| (2 * self.rounds).min(plan::all_rounds(self.params)))
    }

    /// The room for candidates to try next, where it was too small and there may be more.
    pub(super) fn more_room(&self, header: &Header) -> Option<u32> {
        let (candidates, room) = (header.all_candidates(), self.params.candidate_room);
        let more = if self.spare { 2 * candidates } else { candidates + candidates / 4 };
        (candidates > room.into() && room < self.most).then_some(more.min(self.most.into()) as u32)
    }

    /// The units to land in to try next, and the most of them for a sprite that is painted ahead, where there were too
    /// few.
    pub(super) fn more_landed(&self, header: &Header) -> Option<(u32, u32)> {
        let (landed, Params { landed_room, paint_most, .. }) = (header.all_landed(), self.params);
        let more = if self.spare { 2 * landed } else { landed + landed / 4 };
        // Where not all sprites can be painted ahead, only small ones are.
        let most = if landed > self.most_landed.into() { paint_most / 4 } else { paint_most };
        (landed > landed_room.into()).then_some((more.min(self.most_landed.into()) as u32, most))
    }
}

impl Learnt {
    /// Has later steps begin with what a run would better have begun with.
    pub(super) fn learn(&mut self, begun: &Begun, header: &Header) {
        let Params { bodies, sorted, .. } = begun.params;
        if begun.poses && sorted == 1 {
            self.key_passes = header.key_passes;
        }
        if begun.poses && bodies <= FEW_BODIES {
            self.crowded = header.all_candidates() > FEW_CANDIDATES.into();
        }
        if let Some((landed, paint_most)) = begun.more_landed(header) {
            (self.landed, self.paint_most) = (landed, paint_most);
            (self.judging.open, self.detailing.open) = (true, true);
            return;
        }
        self.rounds = begun.more_rounds(header).unwrap_or(self.rounds);
        let spare = if begun.spare { (2 * header.all_candidates()).min(begun.most.into()) as u32 } else { 0 };
        self.candidates = self.candidates.max(spare).max(begun.more_room(header).unwrap_or(0));
        if begun.more_rounds(header).is_some() || begun.more_room(header).is_some() {
            // Nothing was judged: the next step finds out.
            (self.judging.open, self.detailing.open) = (true, true);
        }
        if begun.more_rounds(header).is_some() || header.all_candidates() > begun.params.candidate_room.into() {
            return;
        }
        self.learn_judging(header);
        self.learn_ends(Whole::of_bits(begun.params.asked), header);
        self.detailing.open |= header.unjudged > 0 || header.long_rows > 0;
    }

    /// Has later steps judge in as many rounds as it takes.
    pub(super) fn learn_judging(&mut self, header: &Header) {
        self.judging.note(header.judge_rounds, header.unjudged > 0);
    }

    /// Has later steps sort long rows, and gather details in as many rounds as it takes, if so much was asked for.
    pub(super) fn learn_ends(&mut self, asked: Whole, header: &Header) {
        if asked.contains(Whole::ORDER) {
            self.long_rows = if header.long_rows > 0 { LONG_FOR } else { self.long_rows.saturating_sub(1) };
        }
        if asked.contains(Whole::DETAILS) {
            self.detailing.note(header.detail_rounds, header.undetailed > 0);
        }
    }
}

/// A run whose ticket was dropped before its counts were there. They still come, and later steps learn from them: else
/// a game that drops all its tickets would never have enough room.
#[derive(Debug)]
pub(super) struct Unasked {
    begun: Begun,
    /// The header comes first.
    readback: Readback,
}

impl Unasked {
    pub(super) fn new(begun: Begun, readback: Readback) -> Self {
        Self { begun, readback }
    }

    /// Teaches what it has counted, if that is there; whether that is still on its way.
    pub(super) fn teach(&mut self, learnt: &mut Learnt) -> bool {
        let Ok(arrived) = self.readback.has_arrived() else { return false };
        if arrived {
            // Counts that cannot be read teach nothing.
            let _ = self.readback.take(|bytes| {
                let Some(header) = bytes.get(..size_of::<Header>()) else { return };
                let header: Header = bytemuck::pod_read_unaligned(header);
                if header.cut == 0 {
                    learnt.learn(&self.begun, &header);
                } else if let Some(less) = less_fuel(self.begun.params.fuel) {
                    learnt.fuel = learnt.fuel.min(less);
                }
            });
        }
        !arrived
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_do_for_twice_the_work_and_are_forgotten_by_and_by() {
        let mut rounds = Rounds::default();
        assert_eq!(rounds.recorded(), 0);
        rounds.note(0, true);
        assert_eq!(rounds.recorded(), EXPLORED);
        // The first dispatch and six rounds are half of the first and thirteen.
        rounds.note(6, false);
        assert_eq!(rounds.recorded(), 13);
        for recorded in [7, 3, 0] {
            rounds.note(0, false);
            assert_eq!(rounds.recorded(), recorded);
        }
        rounds.note(200, true);
        assert_eq!(rounds.recorded(), MOST_ROUNDS);
    }
}
