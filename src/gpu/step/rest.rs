//! The rare cases of a step: pairs that take more than one dispatch, more pairs than one workgroup orders, rows of
//! pairs too long for a workgroup, and more pairs or details than are read back at once.

use std::mem::offset_of;

use super::play::Part;
use super::{Run, Step};
use crate::gpu::binding::Binding;
use crate::gpu::detail::RawDetail;
use crate::gpu::header::Header;
use crate::gpu::params::Params;
use crate::gpu::record::order::EndRounds;
use crate::gpu::record::{Recording, order, stages};
use crate::gpu::whole::Whole;
use crate::ground::error::Result;
use crate::hits::Ask;

impl Step {
    /// Completes a run of rows: verdicts, pairs, details.
    pub(super) async fn finish_run(&mut self, mut params: Params, mut run: Run) -> Result<Run> {
        if run.header.unjudged > 0 {
            run = self.finish_judging(params, run.header.judge_rounds).await?;
        }
        if run.header.too_many > 0 {
            run = self.order_many(params).await?;
        }
        let pairs = if self.ask == Ask::Flags { 0 } else { run.header.pairs };
        // With several runs, the host sorts all pairs at the end.
        let alone = params.end_row - params.first_row == params.bodies;
        if !run.is_ordered && alone && self.sorts_pairs(params.candidate_room) {
            params.sorts_pairs = 1;
            run = self.sort_pairs(params).await?;
        }
        // Expect a few more than now, so that a growing world does not need a second readback every step.
        self.shared.learn(|learnt| learnt.pairs = pairs.saturating_add(pairs / 8 + 64));
        if !self.resident {
            let there = run.pairs.len() as u32;
            self.read(Binding::Pairs, there, pairs - there, &mut run.pairs, |pair| pair).await?;
        }
        if self.ask < Ask::Details || self.cut {
            return Ok(run);
        }
        let at_once = params.detail_room;
        if run.is_ordered && run.header.undetailed == 0 && pairs <= at_once {
            if alone {
                self.finish_contacts(params, &run.header).await?;
            }
            if self.resident || self.cut {
                return Ok(run);
            }
            let there = run.details.len() as u32;
            self.read(Binding::Details, there, pairs - there, &mut run.details, |raw: RawDetail| raw.into()).await?;
            return Ok(run);
        }
        // Some details are complete already, if all pairs have room.
        let done = (run.is_ordered && pairs <= at_once).then_some(run.header.detail_rounds);
        run.details.clear();
        for first in (0..pairs).step_by(at_once as usize) {
            let count = (pairs - first).min(at_once);
            let header = self.finish_details(params, first, count, done).await?;
            if alone && run.is_ordered && pairs <= at_once && !self.cut {
                self.finish_contacts(params, &header).await?;
            }
            if self.resident || self.cut {
                // There is no room for the details of more pairs.
                break;
            }
            self.read(Binding::Details, 0, count, &mut run.details, |raw: RawDetail| raw.into()).await?;
        }
        Ok(run)
    }

    /// Judges until all candidates have a verdict, after `rounds` earlier rounds; then orders those that hit.
    async fn finish_judging(&mut self, params: Params, rounds: u32) -> Result<Run> {
        // Without saved progress, all pairs start over.
        let mut round = if self.make_progress_room(params)? { rounds + 1 } else { 0 };
        loop {
            if round == 0 {
                self.reset(offset_of!(Header, unjudged));
            }
            let mut recording = Recording::default();
            stages::judge_on(&mut recording, self.kinds, round, params);
            let header = self.play_counting(&recording).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.unjudged == 0 {
                self.shared.learn(|learnt| learnt.learn_judging(&header));
                break;
            }
            round += 1;
        }
        self.order_many(params).await
    }

    /// Orders the candidates that hit, once all have a verdict.
    async fn order_many(&mut self, params: Params) -> Result<Run> {
        // Reset counters that were written while some pairs had no verdict.
        for counter in [offset_of!(Header, long_rows), offset_of!(Header, too_many), offset_of!(Header, undetailed)] {
            self.reset(counter);
        }
        let mut recording = Recording::default();
        order::order(&mut recording, self.ask, false, self.kinds, EndRounds::default(), params);
        self.play_end(&recording, params).await
    }

    /// Sorts all pairs, because some row is too long for a workgroup to sort. This overwrites the order of the bodies.
    async fn sort_pairs(&mut self, params: Params) -> Result<Run> {
        self.make_room(params, false)?;
        let mut recording = Recording::default();
        order::end(&mut recording, self.ask, self.kinds, EndRounds::default(), params);
        self.play_end(&recording, params).await
    }

    /// Plays a recording that ends a run of rows.
    async fn play_end(&mut self, recording: &Recording, params: Params) -> Result<Run> {
        let run = self.play_run(recording, params).await?;
        self.cut |= run.header.cut != 0;
        self.shared.learn(|learnt| learnt.learn_ends(self.asked, &run.header));
        Ok(run)
    }

    /// Gathers the details of `count` pairs from `first` on until all are complete. If some are `done`, that is the
    /// number of their rounds so far. Returns the counts.
    async fn finish_details(&mut self, params: Params, first: u32, count: u32, done: Option<u32>) -> Result<Header> {
        let there = self.make_progress_room(params)?;
        let mut round = done.filter(|_| there).map_or(0, |rounds| rounds + 1);
        loop {
            if round == 0 {
                self.reset(offset_of!(Header, undetailed));
            }
            let mut recording = Recording::default();
            order::detail(&mut recording, self.kinds, first, count, round, params);
            let header = self.play_counting(&recording).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.undetailed == 0 {
                self.shared.learn(|learnt| learnt.learn_ends(self.asked, &header));
                return Ok(header);
            }
            round += 1;
        }
    }

    /// Finds the ways out of all pairs, if requested, once the counts say that their details are complete.
    async fn finish_contacts(&mut self, params: Params, header: &Header) -> Result<()> {
        let mut header = *header;
        // If none was found, perhaps none was sought, because the details were incomplete then.
        let tried = self.shared.learnt().contacting.tried().max(header.contact_rounds);
        let mut round = if header.contacted > 0 { tried + 1 } else { 0 };
        while self.asked.contains(Whole::CONTACTS) && header.contacted < header.pairs {
            let mut recording = Recording::default();
            order::contact(&mut recording, self.kinds, round, params);
            header = self.play_counting(&recording).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.contacted == header.pairs {
                let asked = self.asked;
                self.shared.learn(|learnt| learnt.learn_ends(asked, &header));
                break;
            }
            round += 1;
        }
        Ok(())
    }

    /// Plays a recording and reads back the counts.
    async fn play_counting(&mut self, recording: &Recording) -> Result<Header> {
        let counts = Part { buffer: Binding::Header, start: 0, bytes: Header::BYTES };
        let header: Header = self.play(recording, &[counts], bytemuck::pod_read_unaligned).await?;
        self.note_whole(&header);
        Ok(header)
    }
}
