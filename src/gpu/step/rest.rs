//! What a step rarely needs: pairs that take more than one dispatch, more pairs than one workgroup puts in order, rows
//! of pairs that are too long for a workgroup, and more pairs or details than come back at once.

use std::mem::offset_of;

use super::play::Part;
use super::{Run, Step};
use crate::gpu::binding::Binding;
use crate::gpu::header::Header;
use crate::gpu::params::Params;
use crate::gpu::record::{Recording, order, sort, stages};
use crate::ground::error::Result;
use crate::hits::Ask;

impl Step {
    /// Completes what a run of rows has left: verdicts, pairs, details.
    pub(super) async fn finish_run(&mut self, params: Params, mut run: Run) -> Result<Run> {
        if run.header.unjudged > 0 {
            run = self.finish_judging(params).await?;
        }
        if run.header.too_many > 0 {
            run = self.order_many(params).await?;
        }
        let pairs = if self.ask == Ask::Flags { 0 } else { run.header.pairs };
        let ordered = run.header.long_rows == 0;
        // Where there are several runs, the host puts all pairs in order at the end.
        if !ordered && params.end_row - params.first_row == params.bodies && self.sort_pairs(params, pairs).await? {
            run.pairs.clear();
            run.header.long_rows = 0;
        }
        // A few more than now, so that a growing world does not need a second readback at every step.
        self.shared.learn(|learnt| learnt.pairs = pairs.saturating_add(pairs / 8 + 64));
        if !self.resident {
            let there = run.pairs.len() as u32;
            self.read(Binding::Pairs, there, pairs - there, &mut run.pairs).await?;
        }
        if self.ask < Ask::Details || self.cut {
            return Ok(run);
        }
        let at_once = params.detail_room;
        if ordered && run.header.undetailed == 0 && pairs <= at_once {
            if self.resident {
                return Ok(run);
            }
            let there = run.details.len() as u32;
            self.read(Binding::Details, there, pairs - there, &mut run.details).await?;
            return Ok(run);
        }
        run.details.clear();
        for first in (0..pairs).step_by(at_once as usize) {
            let count = (pairs - first).min(at_once);
            self.finish_details(params, first, count).await?;
            if self.resident {
                // There is no room for those of more pairs.
                break;
            }
            self.read(Binding::Details, 0, count, &mut run.details).await?;
        }
        Ok(run)
    }

    /// Judges until all candidates have a verdict; then orders those that hit.
    async fn finish_judging(&mut self, params: Params) -> Result<Run> {
        // Where there was no room for how far each pair was, they begin anew.
        let mut resume = self.make_progress_room(params)?;
        loop {
            self.reset(offset_of!(Header, unjudged));
            let mut recording = Recording::default();
            stages::judge_on(&mut recording, self.kinds, resume, params);
            let header = self.play_counting(&recording).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.unjudged == 0 {
                break;
            }
            resume = true;
        }
        self.order_many(params).await
    }

    /// Orders the candidates that hit, once all have a verdict.
    async fn order_many(&mut self, params: Params) -> Result<Run> {
        // What was counted when some pairs had no verdict does not count.
        for counter in [offset_of!(Header, long_rows), offset_of!(Header, too_many), offset_of!(Header, undetailed)] {
            self.reset(counter);
        }
        let mut recording = Recording::default();
        order::order(&mut recording, self.ask, false, self.kinds, params);
        let run = self.play_run(&recording, params).await?;
        self.cut |= run.header.cut != 0;
        Ok(run)
    }

    /// Puts all pairs in order by the radix sort, if they fit twice in a buffer; whether they do. The order of the
    /// bodies, which the same buffer held, is lost.
    async fn sort_pairs(&mut self, params: Params, count: u32) -> Result<bool> {
        if Binding::Elements.bytes(sort::halves(count)) > self.frame.buffers.limit() {
            return Ok(false);
        }
        self.make_sorting_room(count)?;
        self.reset(offset_of!(Header, long_rows));
        let mut recording = Recording::default();
        order::sort_pairs(&mut recording, count, self.ask, params);
        self.play_counting(&recording).await?;
        Ok(true)
    }

    /// Gathers what `count` pairs from `first` on carry until all are done.
    async fn finish_details(&mut self, params: Params, first: u32, count: u32) -> Result<()> {
        self.make_progress_room(params)?;
        let mut resume = false;
        loop {
            self.reset(offset_of!(Header, undetailed));
            let mut recording = Recording::default();
            order::detail(&mut recording, self.kinds, first, count, resume, params);
            let header = self.play_counting(&recording).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.undetailed == 0 {
                return Ok(());
            }
            resume = true;
        }
    }

    /// Plays a recording, and brings back the counts.
    async fn play_counting(&mut self, recording: &Recording) -> Result<Header> {
        let counts = Part { buffer: Binding::Header, start: 0, bytes: Header::BYTES };
        let header: Header = self.play(recording, &[counts], bytemuck::pod_read_unaligned).await?;
        self.counts.complete = header.complete == 1;
        Ok(header)
    }
}
