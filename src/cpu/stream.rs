//! Steps whose pairs do not fit into memory: rows are processed in runs, each with as many rows as fit.
//!
//! ```text
//! all bodies, sorted once ──┐
//! the bodies of some rows ──┴─> join ─> narrow ─> order ─> details ─┐
//!        ^                        └─ too many: fewer rows           │
//!        └────────────── the rows behind them <─────────────────────┘
//! ```
//!
//! The number of pairs in a row is not known until they are found. A run that finds more than there is room for is
//! abandoned and retried with half its rows. So the runs do not depend on the number of threads.

use std::ops::{ControlFlow, Range};

use super::broad::found::Found;
use super::broad::join::{Budget, Join, List};
use super::broad::strips::Strips;
use super::flags::Flags;
use super::means::{Means, STRIPS};
use super::narrow::posed::TOGETHER;
use super::order::Answer;
use super::step::{Common, Step};
use super::team::Parts;
use crate::ground::clock::Instant;
use crate::ground::error::Result;
use crate::hits::{Ask, Detail, Hits};

/// The most bytes that a pair takes while its run is made: as it is found, judged, dealt, and ordered. Growing lists
/// double their length and are held twice meanwhile.
const BYTES_OF_A_PAIR: u64 = 64;
/// Minimum room, in pairs, for each row of a run: rows take memory too.
const PAIRS_OF_A_ROW: usize = 4;
/// Bytes of memory for each pair whose details are held at a time: details are made for a part of a run at a time.
const BYTES_OF_A_DETAIL: u64 = 1 << 10;
/// The most tasks of a run per thread. Each task gathers some pairs before it counts them.
const TASKS: usize = 2;
/// Bytes for the pairs of a run if only flags are wanted: few pairs are listed then.
const FLAG_BYTES: u64 = 1 << 26;

/// The state from which runs of rows are made.
struct Rows {
    /// The bodies of the rows.
    bodies: Vec<u32>,
    strips: Strips,
    /// The most pairs of a run, unless it is a single row.
    most: usize,
}

impl Step {
    /// Passes all pairs to `each`, in order. On an error, frees the memory that was filled on the way.
    pub(super) fn stream<B>(
        &mut self,
        ask: Ask,
        memory: u64,
        common: Common<'_>,
        mut each: impl FnMut(&[[u32; 2]], &[Detail]) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>> {
        let mut hits = Hits::default();
        let (pairs_each, bodies) = ((memory / BYTES_OF_A_DETAIL).max(TOGETHER as u64) as usize, common.packed.len());
        let streamed = self.runs(memory, common, None, |step, rows| {
            step.narrow(common, Instant::now())?;
            let mut answer = Answer { hits: &mut hits, details: false };
            step.order.order(&step.found, rows, bodies, &mut answer, common.means)?;
            if ask < Ask::Details {
                return Ok(if hits.pairs.is_empty() { ControlFlow::Continue(()) } else { each(&hits.pairs, &[]) });
            }
            for pairs in hits.pairs.chunks(pairs_each) {
                step.details(common, pairs, &mut hits.details)?;
                if let stopped @ ControlFlow::Break(_) = each(pairs, &hits.details) {
                    return Ok(stopped);
                }
            }
            Ok(ControlFlow::Continue(()))
        });
        streamed.inspect_err(|_| self.give_back())
    }

    /// Returns a bit for each body, set if the body hits another, without a list of all pairs.
    pub(super) fn stream_flags(&mut self, common: Common<'_>) -> Result<Vec<u32>> {
        let flags = Flags::new(common.packed.len());
        let streamed = self.runs(FLAG_BYTES, common, Some(&flags), |step, _| {
            step.judge_flags(common, &flags).map(ControlFlow::<()>::Continue)
        });
        streamed.inspect_err(|_| self.give_back()).map(|_| flags.finish())
    }

    /// Calls `work` with the candidates of all rows, in runs of ascending rows, until it breaks.
    fn runs<B>(
        &mut self,
        memory: u64,
        common: Common<'_>,
        flags: Option<&Flags>,
        mut work: impl FnMut(&mut Self, Range<usize>) -> Result<ControlFlow<B>>,
    ) -> Result<ControlFlow<B>> {
        let Common { packed, means, .. } = common;
        self.profile.clear();
        // The strips are sorted anew, which invalidates what the step before has kept with its own.
        self.steady = false;
        self.strips.sort(packed, means)?;
        let most = usize::try_from(memory / BYTES_OF_A_PAIR).unwrap_or(usize::MAX);
        let mut run = Rows { bodies: Vec::new(), strips: Strips::default(), most };
        let (bodies, most_rows) = (packed.len(), (most / PAIRS_OF_A_ROW).max(1));
        let mut rows = 0..bodies.min(most_rows);
        while rows.start < bodies {
            let budget = Budget::new(if rows.len() == 1 { usize::MAX } else { run.most });
            self.join(&mut run, rows.clone(), &budget, flags, common)?;
            if budget.is_over() {
                rows.end = rows.start + rows.len() / 2;
                continue;
            }
            self.profile.candidates += budget.found() as u64;
            if let stopped @ ControlFlow::Break(_) = work(self, rows.clone())? {
                return Ok(stopped);
            }
            // If much room was left, take more rows; but the rows to come may be more crowded.
            let fits = rows.len().saturating_mul(run.most) / (budget.found() + 1);
            let next = (fits - fits / 4).clamp(1, 4 * rows.len()).min(most_rows);
            rows = rows.end..bodies.min(rows.end + next);
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Finds the pairs of some rows.
    fn join(
        &mut self,
        Rows { bodies, strips: sorted, .. }: &mut Rows,
        rows: Range<usize>,
        budget: &Budget,
        flags: Option<&Flags>,
        Common { packed, touch, means }: Common<'_>,
    ) -> Result<()> {
        let Means { simd, team, room } = means;
        bodies.clear();
        room.reserve(bodies, rows.len(), STRIPS)?;
        bodies.extend(rows.map(|row| row as u32));
        let all = &self.strips;
        sorted.sort_into(packed, bodies, all.cut(), means)?;
        let (rows, tasks) = (&*sorted, TASKS * team.threads());
        let (of_rows, of_all) = (Parts::new(rows.len(), tasks), Parts::new(all.len(), tasks));
        self.found.clear();
        self.found.resize_with(of_rows.count() + of_all.count(), Found::default);
        team.try_each_mut(&mut self.found, |task, found| {
            found.clear();
            let (list, range) = match task.checked_sub(of_rows.count()) {
                None => (List::Rows, of_rows.part(task)),
                Some(task) => (List::All, of_all.part(task)),
            };
            simd.run(Join { packed, touch, rows, all, list, range, found, flags, budget, room })
        })
    }
}
