//! Sizes and limits that steps learn from earlier steps.

use super::frame::{Frame, Readback};
use super::header::Header;
use super::params::Params;
use super::record::order::{FEW_BODIES, FEW_CANDIDATES};
use super::record::plan;
use super::record::stages::TILE;
use super::whole::Whole;

/// The least fuel that is still reduced for another try after loops were cut.
const LEAST_FUEL: i32 = 300;

/// Returns the fuel to try next if loops were cut with `fuel`; `None` if that was too little already.
pub(super) fn less_fuel(fuel: i32) -> Option<i32> {
    (fuel >= LEAST_FUEL).then_some(fuel / 4)
}

/// The least number of rounds to record beyond the first after a step that left pairs unfinished: enough for the next
/// step to find out how many it takes.
const EXPLORED: u32 = 64;
/// The maximum number of rounds to record beyond the first: for pairs that take more, the host submits further ones.
const MOST_ROUNDS: u32 = 256;
/// The number of steps for which pairs are sorted after one that had a long row.
const LONG_FOR: u32 = 64;

/// The number of rounds beyond the first in which dispatches of a kind finish their work.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Rounds {
    needed: u32,
    /// Whether the last step left work unfinished in its rounds.
    open: bool,
}

impl Rounds {
    /// Returns the number of rounds to record: enough for twice the work, because worlds grow; at least [`EXPLORED`] if
    /// the need is unknown.
    pub(super) fn recorded(self) -> u32 {
        let least = if self.open { EXPLORED } else { 0 };
        let twice = if self.needed == 0 { 0 } else { 2 * self.needed + 1 };
        twice.clamp(least, MOST_ROUNDS)
    }

    /// Returns the rounds that a step has recorded in vain, if it left work unfinished.
    pub(super) fn tried(self) -> u32 {
        if self.open { self.needed } else { 0 }
    }

    /// Records the last round in which a step finished something, and whether work is left unfinished: then it needs
    /// more rounds than were recorded. Earlier needs decay by half.
    fn note(&mut self, last: u32, open: bool) {
        let needed = if open { last.max(self.recorded()) } else { last };
        *self = Self { needed: needed.max(self.needed / 2), open };
    }
}

/// The sizes with which a step begins, learnt from the needs of earlier steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Learnt {
    /// The room for candidates.
    pub(super) candidates: u32,
    /// The number of pairs that are read back together with the counts.
    pub(super) pairs: u32,
    /// The number of dispatches of the sorted broad phase after which all tiles are compared.
    pub(super) rounds: u32,
    /// The number of sort passes that the bodies' keys need.
    pub(super) key_passes: u32,
    /// Whether a world of few bodies had more candidates than one workgroup can order.
    pub(super) crowded: bool,
    /// The rounds in which candidates are judged.
    pub(super) judging: Rounds,
    /// The rounds in which details are gathered.
    pub(super) detailing: Rounds,
    /// The rounds in which ways out are found.
    pub(super) contacting: Rounds,
    /// The number of steps for which pairs are still to be sorted, after one that had a row too long for a workgroup.
    pub(super) long_rows: u32,
    /// The fuel of an invocation of the narrow phase in a dispatch.
    pub(super) fuel: i32,
    /// If a step has its own forms, the number of units to land in.
    pub(super) landed: u32,
    /// If a step has its own forms, the maximum number of units for a sprite that is painted ahead.
    pub(super) paint_most: u32,
}

/// The parameters with which a run of rows began.
#[derive(Clone, Copy, Debug)]
pub(super) struct Begun {
    pub(super) params: Params,
    /// The number of dispatches of the sorted broad phase.
    pub(super) rounds: u32,
    /// Whether the run also lands and sorts the bodies, as the first run of a step does.
    pub(super) poses: bool,
    /// The maximum room for candidates.
    pub(super) most: u32,
    /// The maximum number of units to land in.
    pub(super) most_landed: u32,
    /// Whether to make room for twice the work, because the host sees a step's counts only later.
    pub(super) spare: bool,
}

impl Begun {
    /// Returns the number of dispatches of the broad phase to try next, if there were too few.
    pub(super) fn more_rounds(&self, header: &Header) -> Option<u32> {
        let Params { sorted, first_row, end_row, .. } = self.params;
        let all = sorted == 0 || header.swept >= end_row.div_ceil(TILE) - first_row / TILE;
        (!all).then(|| (2 * self.rounds).min(plan::all_rounds(self.params)))
    }

    /// Returns the room for candidates to try next, if it was too small and can grow.
    pub(super) fn more_room(&self, header: &Header) -> Option<u32> {
        let (candidates, room) = (header.all_candidates(), self.params.candidate_room);
        let more = if self.spare { 2 * candidates } else { candidates + candidates / 4 };
        (candidates > room.into() && room < self.most).then_some(more.min(self.most.into()) as u32)
    }

    /// Returns the number of units to land in to try next, and the maximum for a sprite that is painted ahead, if there
    /// were too few.
    pub(super) fn more_landed(&self, header: &Header) -> Option<(u32, u32)> {
        let (landed, Params { landed_room, paint_most, .. }) = (header.all_landed(), self.params);
        let more = if self.spare { 2 * landed } else { landed + landed / 4 };
        // If not all sprites can be painted ahead, only small ones are.
        let most = if landed > self.most_landed.into() { paint_most / 4 } else { paint_most };
        (landed > landed_room.into()).then_some((more.min(self.most_landed.into()) as u32, most))
    }
}

impl Learnt {
    /// Learns from the counts of a run what it should have begun with.
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
            self.explore();
            return;
        }
        self.rounds = begun.more_rounds(header).unwrap_or(self.rounds);
        let spare = if begun.spare { (2 * header.all_candidates()).min(begun.most.into()) as u32 } else { 0 };
        self.candidates = self.candidates.max(spare).max(begun.more_room(header).unwrap_or(0));
        if begun.more_rounds(header).is_some() || begun.more_room(header).is_some() {
            // Nothing was judged: the next step finds out how many rounds it takes.
            self.explore();
        }
        if begun.more_rounds(header).is_some() || header.all_candidates() > begun.params.candidate_room.into() {
            return;
        }
        self.learn_judging(header);
        self.learn_ends(Whole::of_bits(begun.params.asked), header);
        self.detailing.open |= header.unjudged > 0 || header.long_rows > 0;
        self.contacting.open |= self.detailing.open;
    }

    /// Has the next step find out how many rounds everything takes.
    fn explore(&mut self) {
        for rounds in [&mut self.judging, &mut self.detailing, &mut self.contacting] {
            rounds.open = true;
        }
    }

    /// Learns how many rounds it takes to judge.
    pub(super) fn learn_judging(&mut self, header: &Header) {
        self.judging.note(header.judge_rounds, header.unjudged > 0);
    }

    /// Learns whether rows are long and how many rounds it takes to gather details and to find ways out, as far as
    /// these were requested.
    pub(super) fn learn_ends(&mut self, asked: Whole, header: &Header) {
        if asked.contains(Whole::ORDER) {
            self.long_rows = if header.long_rows > 0 { LONG_FOR } else { self.long_rows.saturating_sub(1) };
        }
        if asked.contains(Whole::DETAILS) {
            self.detailing.note(header.detail_rounds, header.undetailed > 0);
        }
        if asked.contains(Whole::CONTACTS) {
            self.contacting.note(header.contact_rounds, header.contacted < header.pairs);
        }
    }
}

/// A run whose ticket was dropped before its counts arrived. Later steps still learn from the counts: otherwise a game
/// that drops all its tickets would never have enough room.
#[derive(Debug)]
pub(super) struct Unasked {
    begun: Begun,
    /// The readback, which begins with the header.
    readback: Readback,
    /// The frame, if only the caller's encoder holds the run: no other step may use it until the encoder has run, or
    /// never will.
    frame: Option<Frame>,
}

impl Unasked {
    pub(super) fn new(begun: Begun, readback: Readback, frame: Option<Frame>) -> Self {
        Self { begun, readback, frame }
    }

    /// Passes its counts to `learnt` if they have arrived. Returns whether they are still in flight.
    pub(super) fn teach(&mut self, learnt: &mut Learnt) -> bool {
        let Ok(arrived) = self.readback.has_arrived() else { return false };
        if arrived {
            let header = self.readback.take(|bytes| bytes.get(..size_of::<Header>()).map(bytemuck::pod_read_unaligned));
            // Counts that cannot be read teach nothing.
            if let Ok(Some(header)) = header {
                self.learn(learnt, &header);
            }
        }
        !arrived
    }

    fn learn(&mut self, learnt: &mut Learnt, header: &Header) {
        if let Some(frame) = &mut self.frame {
            frame.sent();
        }
        if header.cut == 0 {
            learnt.learn(&self.begun, header);
        } else if let Some(less) = less_fuel(self.begun.params.fuel) {
            learnt.fuel = learnt.fuel.min(less);
        }
    }

    /// Returns the frame, once the counts are no longer in flight.
    pub(super) fn frame(&mut self) -> Option<Frame> {
        let mut frame = self.frame.take()?;
        frame.readback = std::mem::take(&mut self.readback);
        Some(frame)
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
        // Seven dispatches, the first and six rounds: twice that is the first and thirteen rounds.
        rounds.note(6, false);
        assert_eq!(rounds.recorded(), 13);
        for recorded in [7, 3, 0] {
            rounds.note(0, false);
            assert_eq!(rounds.recorded(), recorded);
        }
        rounds.note(200, true);
        assert_eq!(rounds.recorded(), MOST_ROUNDS);
        // Some work is done at once and some takes very long: each step tries more rounds than the one before.
        let mut rounds = Rounds::default();
        for recorded in [EXPLORED, 2 * EXPLORED + 1, MOST_ROUNDS] {
            rounds.note(0, true);
            assert_eq!(rounds.recorded(), recorded);
        }
    }
}
