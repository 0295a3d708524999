//! Dispatches, recorded in their order and sent off together.

use std::time::{Duration, Instant};

use crate::ground::error::Result;
use crate::profile::{Clock, Profile};

use super::buffers::{DISPATCHES, PARAMS};
use super::params::Params;
use super::pass::{PARAMS_STRIDE, Pass};
use super::readback::lock;
use super::shared::{Frame, Shared};
use super::step::Step;

/// The most long dispatches in a submission: drivers kill what takes two seconds.
const LONG_AT_ONCE: usize = 3;
/// The distance of two planned dispatches in their buffer, in bytes.
pub(super) const DISPATCH_STRIDE: u64 = 16;
/// The most stages of a submission that are timed.
pub(super) const TIMED: u32 = 64;

/// The workgroups of a dispatch.
#[derive(Clone, Copy, Debug)]
pub(super) enum Groups {
    /// So many.
    Of(u32),
    /// So many in each of two dimensions.
    Grid(u32, u32),
    /// As many as an earlier dispatch has put down in this slot.
    Planned(u32),
}

#[derive(Debug)]
struct Dispatch<'a> {
    pass: &'a Pass,
    groups: Groups,
    params: Params,
    /// What a scan goes over.
    values: Option<u32>,
    /// Whether it may take long.
    long: bool,
}

#[derive(Debug)]
enum Command<'a> {
    /// What follows belongs to the stage of that name.
    Stage(&'static str),
    /// Makes a buffer zero, from a byte on.
    Clear(u32, u64),
    /// Copies from a buffer to another so many bytes, from the first on.
    Copy(u32, u32, u64),
    Dispatch(Dispatch<'a>),
}

/// What is to be done on the GPU, in this order.
#[derive(Debug, Default)]
pub(super) struct Recording<'a>(Vec<Command<'a>>);

impl<'a> Recording<'a> {
    pub(super) fn stage(&mut self, name: &'static str) {
        self.0.push(Command::Stage(name));
    }

    /// Makes a buffer zero, from byte `offset` on.
    pub(super) fn clear(&mut self, binding: u32, offset: u64) {
        self.0.push(Command::Clear(binding, offset));
    }

    /// Copies the first `bytes` bytes of a buffer to another.
    pub(super) fn copy(&mut self, from: u32, to: u32, bytes: u64) {
        self.0.push(Command::Copy(from, to, bytes));
    }

    pub(super) fn dispatch(&mut self, pass: &'a Pass, groups: Groups, params: Params) {
        self.0.push(Command::Dispatch(Dispatch { pass, groups, params, values: None, long: false }));
    }

    /// A dispatch that may take long, so that only few go in a submission.
    pub(super) fn dispatch_long(&mut self, pass: &'a Pass, groups: Groups, params: Params) {
        self.0.push(Command::Dispatch(Dispatch { pass, groups, params, values: None, long: true }));
    }

    /// A dispatch of a scan over `values`.
    pub(super) fn dispatch_over(&mut self, values: u32, pass: &'a Pass, groups: u32, params: Params) {
        let values = Some(values);
        self.0.push(Command::Dispatch(Dispatch { pass, groups: Groups::Of(groups), params, values, long: false }));
    }

    /// What each dispatch is told, one behind the other.
    fn params(&self) -> Vec<u8> {
        let mut told = Vec::new();
        for command in &self.0 {
            if let Command::Dispatch(dispatch) = command {
                told.extend_from_slice(bytemuck::bytes_of(&dispatch.params));
                told.resize(told.len().next_multiple_of(PARAMS_STRIDE as usize), 0);
            }
        }
        told
    }
}

/// A part of a buffer that comes back to the host: its binding, the first byte and their number.
pub(super) type Part = (u32, u64, u64);

/// Timestamps at the beginning and the end of stages.
#[derive(Debug)]
pub(super) struct Timer {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    /// Nanoseconds of a tick.
    period: f32,
}

impl Timer {
    pub(super) fn new(device: &wgpu::Device, queue: &wgpu::Queue) -> Self {
        let bytes = Self::bytes(TIMED as usize);
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stages"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * TIMED,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: bytes,
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            period: queue.get_timestamp_period(),
        }
    }

    /// The bytes of two timestamps for each of so many stages.
    fn bytes(stages: usize) -> u64 {
        stages as u64 * 16
    }

    /// Adds the times of stages, which have run, to a profile.
    fn tell(&self, stages: &[&'static str], stamps: &[u8], profile: &mut Profile) {
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(stamps);
        for (name, ticks) in stages.iter().zip(ticks.chunks_exact(2)) {
            let time = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.period);
            profile.add(name, Duration::from_nanos(time as u64), Clock::Gpu);
        }
    }
}

impl Step {
    /// Does what is recorded and waits for `parts` of buffers, which `take` is given one behind the other.
    pub(super) async fn finish<R>(
        &mut self,
        recording: &Recording<'_>,
        parts: &[Part],
        take: impl FnOnce(&[u8]) -> R,
    ) -> Result<R> {
        let mut start = Instant::now();
        let timed = self.send(recording, parts)?;
        start = self.profile.lap("submit", start);
        self.frame.readback.arrived().await?;
        start = self.profile.lap("wait", start);
        let Self { frame: Frame { readback, timer, .. }, profile, .. } = self;
        let taken = readback.take(|bytes| {
            let (bytes, stamps) = bytes.split_at(bytes.len() - Timer::bytes(timed.len()) as usize);
            if let Some(timer) = timer {
                timer.tell(&timed, stamps, profile);
            }
            take(bytes)
        })?;
        self.profile.lap("readback", start);
        Ok(taken)
    }

    /// Sends off what is recorded, and behind it copies of `parts` and of timestamps; the stages that are timed.
    fn send(&mut self, recording: &Recording<'_>, parts: &[Part]) -> Result<Vec<&'static str>> {
        let Self { shared, frame, .. } = self;
        // Each dispatch is told its own, at its own place: a buffer written between two passes would change for both.
        frame.buffers.write((&shared.device, &shared.queue), PARAMS, &recording.params())?;
        let encoder = || shared.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let (mut open, mut pass) = (encoder(), None);
        let (mut stage, mut timed) = ("", Vec::new());
        let (mut told, mut long) = (0, 0);
        for command in &recording.0 {
            match command {
                Command::Stage(name) => (stage, pass) = (*name, None),
                Command::Clear(binding, offset) => {
                    pass = None;
                    open.clear_buffer(frame.buffers.get(*binding), *offset, None);
                }
                Command::Copy(from, to, bytes) => {
                    pass = None;
                    open.copy_buffer_to_buffer(frame.buffers.get(*from), 0, frame.buffers.get(*to), 0, *bytes);
                }
                Command::Dispatch(dispatch) => {
                    let pass_now = pass.get_or_insert_with(|| frame.begin(&mut open, stage, &mut timed));
                    frame.encode(shared, pass_now, dispatch, told * PARAMS_STRIDE as u32);
                    told += 1;
                    long += usize::from(dispatch.long);
                    if long == LONG_AT_ONCE {
                        (pass, long) = (None, 0);
                        shared.queue.submit([std::mem::replace(&mut open, encoder()).finish()]);
                    }
                }
            }
        }
        drop(pass);
        let Frame { buffers, readback, timer, held, .. } = frame;
        let stamps = timer.as_ref().filter(|_| !timed.is_empty());
        if let Some(timer) = stamps {
            open.resolve_query_set(&timer.queries, 0..2 * timed.len() as u32, &timer.resolved, 0);
        }
        let parts = parts.iter().map(|&(binding, at, bytes)| (buffers.get(binding), at, bytes));
        let parts: Vec<_> = parts.chain(stamps.map(|timer| (&timer.resolved, 0, Timer::bytes(timed.len())))).collect();
        let bytes = parts.iter().map(|part| part.2).sum();
        readback.ensure(&shared.device, bytes);
        readback.copy(&mut open, &parts);
        let submission = shared.queue.submit([open.finish()]);
        readback.ask(bytes);
        held.sent();
        lock(&self.told).submission = Some(submission);
        Ok(timed)
    }
}

impl Frame {
    /// Begins a pass of a stage, with timestamps where there is a timer and room for them.
    fn begin(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        stage: &'static str,
        timed: &mut Vec<&'static str>,
    ) -> wgpu::ComputePass<'static> {
        let first = 2 * timed.len() as u32;
        let timer = self.timer.as_ref().filter(|_| first < 2 * TIMED);
        timed.extend(timer.map(|_| stage));
        let timestamp_writes = timer.map(|timer| wgpu::ComputePassTimestampWrites {
            query_set: &timer.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        });
        let descriptor = wgpu::ComputePassDescriptor { label: Some(stage), timestamp_writes };
        encoder.begin_compute_pass(&descriptor).forget_lifetime()
    }

    fn encode(&mut self, shared: &Shared, pass: &mut wgpu::ComputePass<'_>, dispatch: &Dispatch<'_>, told: u32) {
        pass.set_pipeline(dispatch.pass.pipeline());
        pass.set_bind_group(0, self.buffers.bound(&shared.device, dispatch.pass, dispatch.values), &[told]);
        match dispatch.groups {
            Groups::Of(groups) => {
                // More groups than a dimension takes are folded into two.
                let wide = groups.clamp(1, shared.most_groups);
                pass.dispatch_workgroups(wide, groups.div_ceil(wide), 1);
            }
            Groups::Grid(x, y) => pass.dispatch_workgroups(x, y, 1),
            Groups::Planned(slot) => {
                pass.dispatch_workgroups_indirect(self.buffers.get(DISPATCHES), u64::from(slot) * DISPATCH_STRIDE);
            }
        }
    }
}
