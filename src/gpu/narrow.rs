//! What a step rarely needs: pairs that are not done in one dispatch, and more pairs or details than come back at once.

use std::mem::offset_of;
use std::sync::Arc;

use crate::ground::error::Result;
use crate::hits::Ask;

use super::PROGRESS_SIZE;
use super::buffers::{DETAILS, HEADER, PAIRS, PROGRESS};
use super::params::{Header, Params, RawDetail};
use super::shared::Frame;
use super::stages::Stages;
use super::step::{Run, Step};

impl Step {
    /// Completes what a run of rows has left: verdicts, pairs, details.
    pub(super) async fn finish_run(&mut self, params: Params, mut run: Run) -> Result<Run> {
        if run.header.unjudged > 0 {
            run = self.finish_judging(params).await?;
        }
        let pairs = if self.ask == Ask::Flags { 0 } else { run.header.pairs };
        let ordered = run.header.longest_rows == 0;
        // Of several runs, the host puts the pairs in order.
        if !ordered && params.last_row - params.first_row == params.bodies && self.sort_pairs(params, pairs).await? {
            run.pairs.clear();
            run.header.longest_rows = 0;
        }
        // A few more than now, so that a growing world does not need a second copy at every step.
        self.shared.learn(|learnt| learnt.pairs = pairs.saturating_add(pairs / 8 + 64));
        let missing = pairs as usize - run.pairs.len();
        self.read(PAIRS, run.pairs.len() as u64 * 8, missing, &mut run.pairs).await?;
        if self.ask < Ask::Details || self.cut {
            return Ok(run);
        }
        let at_once = self.details_at_once(params);
        if ordered && run.header.undetailed == 0 && pairs <= at_once {
            let there = run.details.len();
            self.read(DETAILS, (there * size_of::<RawDetail>()) as u64, pairs as usize - there, &mut run.details)
                .await?;
            return Ok(run);
        }
        run.details.clear();
        for first in (0..pairs).step_by(at_once as usize) {
            let count = (pairs - first).min(at_once);
            self.finish_details(params, first, count).await?;
            self.read(DETAILS, 0, count as usize, &mut run.details).await?;
        }
        Ok(run)
    }

    /// Judges until all candidates have a verdict; then orders those that hit.
    async fn finish_judging(&mut self, params: Params) -> Result<Run> {
        let passes = Arc::clone(&self.shared.passes);
        // Where there was no room for how far each pair was, they begin anew.
        let mut resume = self.keep_progress(params)?;
        loop {
            self.reset(offset_of!(Header, unjudged));
            let mut stages = Stages::new(&passes, params);
            stages.judge_others(resume);
            let header = self.finish_header(&stages).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.unjudged == 0 {
                break;
            }
            resume = true;
        }
        // Rows that were picked when few pairs had a verdict would be sorted twice at once.
        self.reset(offset_of!(Header, long_rows));
        self.reset(offset_of!(Header, longest_rows));
        let mut stages = Stages::new(&passes, params);
        stages.order(self.ask, self.details_at_once(params));
        let run = self.finish_with_pairs(&stages.recording, params).await?;
        self.cut |= run.header.cut != 0;
        Ok(run)
    }

    /// Gathers what `count` pairs from `first` on carry until all are done.
    async fn finish_details(&mut self, params: Params, first: u32, count: u32) -> Result<()> {
        let passes = Arc::clone(&self.shared.passes);
        self.keep_progress(params)?;
        let mut resume = false;
        loop {
            self.reset(offset_of!(Header, undetailed));
            let mut stages = Stages::new(&passes, params);
            stages.detail(first, count, resume);
            let header = self.finish_header(&stages).await?;
            self.cut |= header.cut != 0;
            if self.cut || header.undetailed == 0 {
                return Ok(());
            }
            resume = true;
        }
    }

    /// Sees that there is room for how far each pair is; whether there was.
    fn keep_progress(&mut self, params: Params) -> Result<bool> {
        self.shared.learn(|learnt| learnt.unfinished = true);
        let Frame { buffers, .. } = &mut self.frame;
        let bytes = u64::from(params.capacity) * PROGRESS_SIZE;
        let kept = buffers.get(PROGRESS).size() >= bytes;
        buffers.ensure(&self.shared.device, PROGRESS, bytes)?;
        Ok(kept)
    }

    /// Makes a counter zero.
    pub(super) fn reset(&self, counter: usize) {
        self.shared.queue.write_buffer(self.frame.buffers.get(HEADER), counter as u64, &[0; 4]);
    }

    async fn finish_header(&mut self, stages: &Stages<'_>) -> Result<Header> {
        self.finish(&stages.recording, &[(HEADER, 0, size_of::<Header>() as u64)], bytemuck::pod_read_unaligned).await
    }
}
