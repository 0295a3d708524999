//! Plays recordings on the device.

use std::future::poll_fn;
use std::task::Poll;

use super::Step;
use crate::gpu::binding::Binding;
use crate::gpu::frame::{Frame, Readback, Timed, Timer, Timing, collect};
use crate::gpu::lock::lock;
use crate::gpu::params::PARAMS_STRIDE;
use crate::gpu::record::{Command, Dispatch, Recording, Stage};
use crate::gpu::shared::Shared;
use crate::ground::clock::Instant;
use crate::ground::error::Result;

/// The most long dispatches in a submission, on hardware and in software, where each is shorter. Drivers kill a
/// submission that takes two seconds.
const LONG_AT_ONCE: [usize; 2] = [3, 12];

/// A part of a buffer to read back, in bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) buffer: Binding,
    pub(super) start: u64,
    pub(super) bytes: u64,
}

impl Step {
    /// Plays a recording, waits for `parts` of buffers, and passes their bytes to `take`, one part after the other.
    pub(super) async fn play<R>(
        &mut self,
        recording: &Recording,
        parts: &[Part],
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<R> {
        let mut start = Instant::now();
        let timed = self.send(recording, parts).await?;
        start = self.profile.lap("submit", start);
        self.frame.readback.arrived().await?;
        start = self.profile.lap("wait", start);
        let Self { frame: Frame { readback, timer, .. }, profile, .. } = self;
        let taken = readback.take(|bytes| {
            let (bytes, stamps) = bytes.split_at(bytes.len() - Timer::bytes(timed.len()) as usize);
            if let Some(timer) = timer {
                timer.add_to(profile, &timed, stamps);
            }
            take(bytes)
        })?;
        // If the caller's encoder held the step, it has run by now.
        self.frame.sent();
        self.profile.lap("readback", start);
        Ok(taken)
    }

    /// Appends to `to` what `of` makes of the `count` elements of a buffer from `first` on.
    pub(super) async fn read<R: bytemuck::Pod, T: Send>(
        &mut self,
        buffer: Binding,
        first: u32,
        count: u32,
        to: &mut Vec<T>,
        of: fn(R) -> T,
    ) -> Result<()> {
        debug_assert_eq!(buffer.element_size(), size_of::<R>() as u64, "{buffer:?}");
        let [mut start, bytes] = [first, count].map(|elements| buffer.bytes(elements.into()));
        let end = start + bytes;
        to.reserve(count as usize);
        while start < end {
            // This is a whole number of elements, because their sizes are powers of two.
            let bytes = (end - start).min(Readback::most(&self.shared.gpu.device));
            let take = |bytes: &[u8]| {
                let mut more = Vec::new();
                collect(bytes, &mut more, of);
                to.append(&mut more);
            };
            self.play(&Recording::default(), &[Part { buffer, start, bytes }], take).await?;
            start += bytes;
        }
        Ok(())
    }

    /// Submits the recorded commands, followed by copies of `parts` and of timestamps. Returns the timed compute
    /// passes. If the caller lends an encoder, everything is created before that is awaited: an error then leaves the
    /// encoder as it was.
    async fn send(&mut self, recording: &Recording, parts: &[Part]) -> Result<Vec<Timed>> {
        let Self { shared, frame, status, .. } = self;
        let passes = recording.passes();
        shared.pipelines.make(&passes)?;
        // Each dispatch has its parameters at a place of their own: data written to a buffer between two dispatches of
        // a submission would be visible to both.
        frame.buffers.write(&shared.gpu, Binding::Params, &recording.params())?;
        let part_bytes = parts.iter().map(|part| part.bytes).sum::<u64>();
        let stamp_bytes = frame.timer.as_ref().map_or(0, |timer| timer.resolved.size());
        frame.readback.ensure(&shared.gpu.device, part_bytes + stamp_bytes);
        let is_lent = lock(status).lends;
        let lent = if is_lent {
            for pass in passes {
                frame.buffers.bind_group(&shared.gpu.device, &shared.pipelines, pass);
            }
            frame.readback.number(&shared.gpu);
            Some(poll_fn(|_| lock(status).encoder.take().map_or(Poll::Pending, Poll::Ready)).await)
        } else {
            None
        };
        let mut player = Player::new(shared, frame, lent);
        for command in recording.commands() {
            player.play(command);
        }
        let Player { encoder: mut open, timed, pass, .. } = player;
        // End the pass before the copies begin.
        drop(pass);
        let stamps = frame.timer.as_ref().filter(|_| !timed.is_empty());
        if let Some(timer) = stamps {
            open.resolve_query_set(&timer.queries, 0..2 * timed.len() as u32, &timer.resolved, 0);
        }
        let parts = parts.iter().map(|part| (frame.buffers.get(part.buffer), part.start, part.bytes));
        let parts: Vec<_> = parts.chain(stamps.map(|timer| (&timer.resolved, 0, Timer::bytes(timed.len())))).collect();
        let bytes = part_bytes + Timer::bytes(timed.len());
        frame.readback.copy(&mut open, &parts);
        let mut status = lock(status);
        status.sent += 1;
        if is_lent {
            frame.readback.request_on_submit(&mut open, bytes);
            (status.lends, status.encoder) = (false, Some(open));
        } else {
            status.submission = Some(shared.gpu.queue.submit([open.finish()]));
            frame.readback.request(bytes);
            frame.sent();
        }
        Ok(timed)
    }
}

/// Encodes commands, and submits them early if they contain many long dispatches.
struct Player<'a> {
    shared: &'a Shared,
    frame: &'a mut Frame,
    encoder: wgpu::CommandEncoder,
    /// The open compute pass.
    pass: Option<wgpu::ComputePass<'static>>,
    /// The stage of the commands that follow.
    stage: Option<Stage>,
    /// The timed compute passes.
    timed: Vec<Timed>,
    /// The number of dispatches so far.
    dispatches: u32,
    /// The number of long dispatches since the last submission.
    long: usize,
    /// Whether everything goes into one encoder, the caller's.
    is_lent: bool,
}

impl<'a> Player<'a> {
    fn new(shared: &'a Shared, frame: &'a mut Frame, lent: Option<wgpu::CommandEncoder>) -> Self {
        let is_lent = lent.is_some();
        let mut encoder = lent.unwrap_or_else(|| encoder(shared));
        frame.staging.encode(&mut encoder, &frame.buffers);
        Self { shared, frame, encoder, pass: None, stage: None, timed: Vec::new(), dispatches: 0, long: 0, is_lent }
    }

    fn play(&mut self, command: &Command) {
        match *command {
            Command::Stage(stage) => (self.stage, self.pass) = (Some(stage), None),
            Command::Clear { buffer, start } => {
                self.pass = None;
                self.encoder.clear_buffer(self.frame.buffers.get(buffer), start, None);
            }
            Command::Copy { from, to, bytes } => {
                self.pass = None;
                let [from, to] = [from, to].map(|buffer| self.frame.buffers.get(buffer));
                self.encoder.copy_buffer_to_buffer(from, 0, to, 0, bytes);
            }
            Command::Dispatch(ref dispatch) => {
                self.dispatch(dispatch);
                self.long += usize::from(dispatch.pass.is_long());
                if !self.is_lent && self.long == LONG_AT_ONCE[usize::from(self.shared.info.software)] {
                    (self.pass, self.long) = (None, 0);
                    let full = std::mem::replace(&mut self.encoder, encoder(self.shared));
                    self.shared.gpu.queue.submit([full.finish()]);
                }
            }
        }
    }

    fn dispatch(&mut self, dispatch: &Dispatch) {
        let Self { shared, frame, encoder, pass, stage, timed, .. } = self;
        let timer = frame.timer.as_ref();
        if timer.is_some_and(|timer| timer.timing == Timing::Dispatches) {
            *pass = None;
        }
        let entry = dispatch.pass.entry();
        let pass = pass.get_or_insert_with(|| begin(encoder, timer, *stage, entry, timed));
        pass.set_pipeline(&shared.pipelines.get(dispatch.pass).pipeline);
        let offset = self.dispatches * PARAMS_STRIDE as u32;
        self.dispatches += 1;
        let group = frame.buffers.bind_group(&shared.gpu.device, &shared.pipelines, dispatch.pass);
        pass.set_bind_group(0, group, &[offset]);
        let [x, y] = dispatch.groups.dimensions(shared.most_groups, shared.busy_groups(dispatch.pass));
        pass.dispatch_workgroups(x, y, 1);
    }
}

fn encoder(shared: &Shared) -> wgpu::CommandEncoder {
    shared.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default())
}

/// Begins a compute pass of a stage, with timestamps if there is a timer with room for them.
fn begin(
    encoder: &mut wgpu::CommandEncoder,
    timer: Option<&Timer>,
    stage: Option<Stage>,
    entry: &'static str,
    timed: &mut Vec<Timed>,
) -> wgpu::ComputePass<'static> {
    let first = 2 * timed.len() as u32;
    let stamped = timer.filter(|timer| timer.has_room(timed.len())).zip(stage);
    let timestamp_writes = stamped.map(|(timer, stage)| {
        timed.push(Timed { stage, entry });
        wgpu::ComputePassTimestampWrites {
            query_set: &timer.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        }
    });
    let descriptor = wgpu::ComputePassDescriptor { label: stage.map(Stage::name), timestamp_writes };
    encoder.begin_compute_pass(&descriptor).forget_lifetime()
}
