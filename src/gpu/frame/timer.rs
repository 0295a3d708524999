//! The times of stages on the GPU's own clock.

use std::time::Duration;

use crate::gpu::device::Gpu;
use crate::gpu::record::Stage;
use crate::profile::{Clock, Profile};

/// The most compute passes of a submission that are timed.
const TIMED: usize = 64;

/// Timestamps at the beginning and the end of compute passes.
#[derive(Debug)]
pub(in crate::gpu) struct Timer {
    pub(in crate::gpu) queries: wgpu::QuerySet,
    pub(in crate::gpu) resolved: wgpu::Buffer,
    /// Nanoseconds of a tick.
    period: f32,
}

impl Timer {
    pub(super) fn new(Gpu { device, queue }: &Gpu) -> Self {
        Self {
            queries: device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("stages"),
                ty: wgpu::QueryType::Timestamp,
                count: 2 * TIMED as u32,
            }),
            resolved: device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("timestamps"),
                size: Self::bytes(TIMED),
                usage: wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC,
                mapped_at_creation: false,
            }),
            period: queue.get_timestamp_period(),
        }
    }

    /// Whether another pass can be timed after so many.
    pub(in crate::gpu) fn has_room(timed: usize) -> bool {
        timed < TIMED
    }

    /// The bytes of the two timestamps of each of so many passes.
    pub(in crate::gpu) fn bytes(passes: usize) -> u64 {
        passes as u64 * 2 * u64::from(wgpu::QUERY_SIZE)
    }

    /// Adds the times of passes to those of their stages.
    pub(in crate::gpu) fn add_to(&self, profile: &mut Profile, passes: &[Stage], stamps: &[u8]) {
        let ticks: Vec<u64> = bytemuck::pod_collect_to_vec(stamps);
        for (stage, ticks) in passes.iter().zip(ticks.chunks_exact(2)) {
            let time = ticks[1].saturating_sub(ticks[0]) as f64 * f64::from(self.period);
            profile.add(stage.name(), Duration::from_nanos(time as u64), Clock::Gpu);
        }
    }
}
