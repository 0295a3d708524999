//! The buffers, by the numbers that shaders bind them under.

use std::collections::HashMap;

use crate::ground::error::{Error, Result};

use super::params::Params;
use super::pass::Pass;

pub(super) const PARAMS: u32 = 0;
pub(super) const BODIES: u32 = 1;
pub(super) const SHAPES: u32 = 2;
pub(super) const ATLAS: u32 = 3;
pub(super) const LANDED: u32 = 4;
pub(super) const BOUNDS: u32 = 5;
pub(super) const ROWS: u32 = 6;
pub(super) const CANDIDATES: u32 = 7;
/// What a scan goes over: another of these.
pub(super) const VALUES: u32 = 8;
pub(super) const SUMS: u32 = 9;
pub(super) const VERDICTS: u32 = 10;
/// How many workgroups dispatches have that are planned on the GPU.
pub(super) const DISPATCHES: u32 = 11;
pub(super) const PAIRS: u32 = 12;
pub(super) const DETAILS: u32 = 13;
pub(super) const PROGRESS: u32 = 14;
/// What is counted, and behind it the flags.
pub(super) const HEADER: u32 = 15;
pub(super) const TILES: u32 = 16;
pub(super) const ELEMENTS: u32 = 17;
pub(super) const BOXES: u32 = 18;
pub(super) const FILTERS: u32 = 19;
pub(super) const MARKED: u32 = 20;
pub(super) const SWEPT: u32 = 21;
pub(super) const DIGIT_COUNTS: u32 = 22;
pub(super) const PICKED: u32 = 23;

/// Bodies that are to be put in their places.
pub(super) const CHANGED: u32 = 24;

/// The numbers that there are.
pub(super) const BINDINGS: usize = 25;

/// What each number holds, for people.
const NAMES: [&str; BINDINGS] = [
    "the dispatches' parameters",
    "the bodies",
    "the shapes",
    "the masks and vertices",
    "the landed vertices and painted masks",
    "the bounds",
    "the rows",
    "the candidate pairs",
    "the scanned values",
    "the sums",
    "the verdicts",
    "the planned dispatches",
    "the pairs",
    "the details",
    "how far pairs are",
    "the counts and flags",
    "the bounds of tiles",
    "what is sorted",
    "the bounds in order",
    "the filters in order",
    "the marks of what is painted",
    "how far the broad phase is",
    "the counts of digits",
    "the bodies picked for a stage",
    "the bodies that changed",
];

/// Buffers that grow as they must, and stay; bound as passes have asked for them.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    held: Vec<wgpu::Buffer>,
    /// By a pass's entry point and what it scans. Of `held`, each.
    bound: HashMap<(&'static str, Option<u32>), wgpu::BindGroup>,
    /// The largest that a binding may be, in bytes.
    limit: u64,
}

impl Buffers {
    /// Small buffers, none less than what some shader binds at least.
    pub(super) fn new(device: &wgpu::Device) -> Self {
        let limit = Self::limit_of(&device.limits());
        Self { held: (0..BINDINGS).map(|binding| create(device, binding, 512)).collect(), bound: HashMap::new(), limit }
    }

    /// The largest that a buffer may be that shaders bind, in bytes.
    pub(super) fn limit_of(limits: &wgpu::Limits) -> u64 {
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    pub(super) fn get(&self, binding: u32) -> &wgpu::Buffer {
        &self.held[binding as usize]
    }

    /// What a pass reads and writes; `values` stands for what it scans. Made once, until a buffer is replaced: making it costs as much as
    /// all else that a dispatch takes to record.
    pub(super) fn bound(&mut self, device: &wgpu::Device, pass: &Pass, values: Option<u32>) -> &wgpu::BindGroup {
        let held = &self.held;
        self.bound.entry((pass.entry(), values)).or_insert_with(|| {
            let entry = |&binding: &u32| {
                let scanned = values.filter(|_| binding == VALUES);
                let buffer = &held[scanned.unwrap_or(binding) as usize];
                let size = (binding == PARAMS).then_some(size_of::<Params>() as u64).and_then(wgpu::BufferSize::new);
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
                wgpu::BindGroupEntry { binding, resource }
            };
            pass.bind(device, &pass.bindings().iter().map(entry).collect::<Vec<_>>())
        })
    }

    /// The bytes of all that are not the world's own (bodies, shapes, atlas) nor the answer (pairs, details).
    pub(super) fn bytes(&self) -> u64 {
        let theirs = [BODIES, SHAPES, ATLAS, PAIRS, DETAILS];
        let ours = self.held.iter().zip(0..).filter(|(_, binding)| !theirs.contains(binding));
        ours.map(|(buffer, _)| buffer.size()).sum()
    }

    /// The largest that a buffer may be, in bytes.
    pub(super) fn limit(&self) -> u64 {
        self.limit
    }

    /// Sees that a buffer has at least `bytes`; what it held is lost where it grows.
    pub(super) fn ensure(&mut self, device: &wgpu::Device, binding: u32, bytes: u64) -> Result<()> {
        let limit = self.limit;
        if bytes > limit {
            return Err(Error::Capacity {
                what: NAMES[binding as usize].into(),
                needed: bytes,
                limit: "max_storage_buffer_binding_size",
                available: limit,
                advice: "use the CPU engine, a GPU with a larger limit, or several worlds",
            });
        }
        let held = &mut self.held[binding as usize];
        if held.size() < bytes {
            // Half as much again, so that a growing world does not reallocate at every step.
            let size = (bytes + bytes / 2).next_multiple_of(16).min(limit).max(bytes);
            *held = create(device, binding as usize, size.next_multiple_of(4));
            self.bound.clear();
        }
        Ok(())
    }

    /// Sees that a buffer holds `data`, of which it has held the first `held` elements; their number then.
    pub(super) fn append<T: bytemuck::Pod>(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        binding: u32,
        data: &[T],
        held: &mut usize,
    ) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        if self.get(binding).size() < bytes.len() as u64 {
            *held = 0;
        }
        self.ensure(device, binding, bytes.len() as u64)?;
        let there = *held * size_of::<T>();
        if there < bytes.len() {
            queue.write_buffer(self.get(binding), there as u64, &bytes[there..]);
        }
        *held = data.len();
        Ok(())
    }

    /// Sees that a buffer holds `count` elements, which come in parts, so that no copy of all is made.
    pub(super) fn write_parts<T: bytemuck::Pod>(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        binding: u32,
        count: usize,
        parts: impl Iterator<Item = Vec<T>>,
    ) -> Result<()> {
        let bytes = (count * size_of::<T>()) as u64;
        self.ensure(device, binding, bytes)?;
        let Some(size) = wgpu::BufferSize::new(bytes) else { return Ok(()) };
        // Where there is no memory for it, the device tells.
        if let Some(mut view) = queue.write_buffer_with(self.get(binding), 0, size) {
            let mut at = 0;
            for part in parts {
                let bytes: &[u8] = bytemuck::cast_slice(&part);
                view.slice(at..at + bytes.len()).copy_from_slice(bytes);
                at += bytes.len();
            }
        }
        Ok(())
    }

    /// Sees that a buffer holds `data`.
    pub(super) fn write<T: bytemuck::Pod>(
        &mut self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        binding: u32,
        data: &[T],
    ) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.ensure(device, binding, bytes.len() as u64)?;
        if !bytes.is_empty() {
            queue.write_buffer(self.get(binding), 0, bytes);
        }
        Ok(())
    }
}

fn create(device: &wgpu::Device, binding: usize, size: u64) -> wgpu::Buffer {
    let kind = match binding as u32 {
        PARAMS => wgpu::BufferUsages::UNIFORM,
        DISPATCHES => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT,
        // A host may draw an instance for each.
        PAIRS => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
        _ => wgpu::BufferUsages::STORAGE,
    };
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(NAMES[binding]),
        size,
        usage: kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}
