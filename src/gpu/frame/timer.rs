//! Times of stages and dispatches, by the GPU's own clock.

use std::time::Duration;

use crate::gpu::device::Gpu;
use crate::gpu::record::Stage;
use crate::profile::{Clock, Profile};

/// The granularity of the timing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::gpu) enum Timing {
    /// Each run of dispatches of a stage.
    Stages,
    /// Each dispatch, in a compute pass of its own.
    Dispatches,
}

/// A timed compute pass: its stage, and the entry point of its first dispatch.
#[derive(Clone, Copy, Debug)]
pub(in crate::gpu) struct Timed {
    pub(in crate::gpu) stage: Stage,
    pub(in crate::gpu) entry: &'static str,
}

/// Timestamps at the beginning and the end of compute passes.
#[derive(Debug)]
pub(in crate::gpu) struct Timer {
    pub(in crate::gpu) timing: Timing,
    pub(in crate::gpu) queries: wgpu::QuerySet,
    pub(in crate::gpu) resolved: wgpu::Buffer,
    /// Nanoseconds per clock tick.
    period: f32,
}

impl Timer {
    pub(super) fn new(Gpu { device, queue, .. }: &Gpu, timing: Timing) -> Self {
        let passes = Self::most(timing);
        Self {
            timing,
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stages"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * passes as u32,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: Self::bytes(passes),
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            period: queue.get_timestamp_period(),
        }
    }

    /// Returns the most compute passes that are timed in a submission.
    fn most(timing: Timing) -> usize {
        match timing {
            Timing::Stages => 64,
            Timing::Dispatches => wgpu::QUERY_SET_MAX_QUERIES as usize / 2,
        }
    }

    /// Returns whether another pass can be timed after this many.
    pub(in crate::gpu) fn has_room(&self, timed: usize) -> bool {
        timed < Self::most(self.timing)
    }

    /// Returns the bytes of the two timestamps of each of this many passes.
    pub(in crate::gpu) fn bytes(passes: usize) -> u64 {
        passes as u64 * 2 * u64::from(wgpu::QUERY_SIZE)
    }

    /// Adds the times of passes to those of their stages.
    pub(in crate::gpu) fn add_to(&self, profile: &mut Profile, passes: &[Timed], stamps: &[u8]) {
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(stamps);
        for (Timed { stage, entry }, ticks) in passes.iter().zip(ticks.chunks_exact(2)) {
            let nanoseconds = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.period);
            let time = Duration::from_nanos(nanoseconds as u64);
            profile.add(stage.name(), time, Clock::Gpu);
            if self.timing == Timing::Dispatches {
                profile.dispatch(entry, time);
            }
        }
    }
}
