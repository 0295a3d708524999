//! The buffers of a frame.

use std::collections::HashMap;
use std::ops::Range;

use crate::gpu::binding::Binding;
use crate::gpu::device::Gpu;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;
use crate::gpu::pipelines::{self, Pipelines};
use crate::ground::error::{Error, Result};

/// The bytes of a buffer to begin with: none less than what some shader binds at least.
pub(in crate::gpu) const LEAST: u64 = 512;

/// A buffer for each [`Binding`], which grows as it must and stays; and the bind groups of passes.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Buffers {
    /// By number.
    held: Vec<wgpu::Buffer>,
    /// Emptied when one of `held` is replaced.
    bind_groups: HashMap<Pass, wgpu::BindGroup>,
    /// The most bytes of a buffer.
    limit: u64,
}

impl Buffers {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            held: Binding::ALL.iter().map(|&binding| create(device, binding, LEAST)).collect(),
            bind_groups: HashMap::new(),
            limit: Self::limit_of(&device.limits()),
        }
    }

    /// The most bytes of a buffer that shaders bind, on a device with these limits.
    pub(in crate::gpu) fn limit_of(limits: &wgpu::Limits) -> u64 {
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    pub(in crate::gpu) fn get(&self, binding: Binding) -> &wgpu::Buffer {
        &self.held[binding as usize]
    }

    /// What a pass binds. Kept, since making it takes as long as all else that recording a dispatch does.
    pub(in crate::gpu) fn bind_group(
        &mut self,
        device: &wgpu::Device,
        pipelines: &Pipelines,
        pass: Pass,
    ) -> &wgpu::BindGroup {
        let held = &self.held;
        self.bind_groups.entry(pass).or_insert_with(|| {
            let entries = pipelines::bound(pass).map(|(binding, _)| {
                let buffer = &held[binding as usize];
                let size = (binding == Binding::Params).then_some(size_of::<Params>() as u64);
                let size = size.and_then(wgpu::BufferSize::new);
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset: 0, size });
                wgpu::BindGroupEntry { binding: binding as u32, resource }
            });
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(pass.entry()),
                layout: &pipelines.get(pass).layout,
                entries: &entries.collect::<Vec<_>>(),
            })
        })
    }

    /// The bytes of all buffers but the world's own (bodies, shapes, atlas) and the answer's (pairs, details).
    pub(in crate::gpu) fn bytes(&self) -> u64 {
        use Binding::{Atlas, Bodies, Details, Pairs, Shapes};
        let theirs = [Bodies, Shapes, Atlas, Pairs, Details];
        let ours = Binding::ALL.iter().zip(&self.held).filter(|(binding, _)| !theirs.contains(binding));
        ours.map(|(_, buffer)| buffer.size()).sum()
    }

    /// The most bytes of a buffer.
    pub(in crate::gpu) fn limit(&self) -> u64 {
        self.limit
    }

    /// Sees that a buffer has room for so many elements; what it held is lost where it grows.
    pub(in crate::gpu) fn ensure(&mut self, device: &wgpu::Device, binding: Binding, elements: u64) -> Result<()> {
        self.ensure_bytes(device, binding, binding.bytes(elements))
    }

    /// Sees that a buffer has at least `bytes`; what it held is lost where it grows.
    pub(in crate::gpu) fn ensure_bytes(&mut self, device: &wgpu::Device, binding: Binding, bytes: u64) -> Result<()> {
        let limit = self.limit;
        if bytes > limit {
            return Err(Error::Capacity {
                what: binding.purpose().into(),
                needed: bytes,
                limit: "max_storage_buffer_binding_size",
                available: limit,
                advice: "use the CPU engine, a GPU with a larger limit, or several worlds",
            });
        }
        let held = &mut self.held[binding as usize];
        if held.size() < bytes {
            // Half as much again, so that a growing world does not need a new buffer at every step.
            let size = (bytes + bytes / 2).next_multiple_of(16).min(limit).max(bytes);
            *held = create(device, binding, size.next_multiple_of(4));
            self.bind_groups.clear();
        }
        Ok(())
    }

    /// Sees that a buffer holds `data`, of which it has held all but what is in the ranges `changed`; where nothing is
    /// known of that, all is written.
    pub(super) fn renew<T: bytemuck::Pod>(
        &mut self,
        gpu: &Gpu,
        binding: Binding,
        data: &[T],
        changed: Option<impl Iterator<Item = Range<usize>>>,
    ) -> Result<()> {
        let bytes = size_of_val(data) as u64;
        let Some(changed) = changed.filter(|_| self.get(binding).size() >= bytes) else {
            return self.write(gpu, binding, data);
        };
        for Range { start, end } in changed {
            // What is no longer there needs no room.
            let part = &data[start.min(data.len())..end.min(data.len())];
            if !part.is_empty() {
                let start = (start * size_of::<T>()) as u64;
                gpu.queue.write_buffer(self.get(binding), start, bytemuck::cast_slice(part));
            }
        }
        Ok(())
    }

    /// Sees that a buffer holds `count` elements, which come in parts, so that no copy of all is made.
    pub(super) fn write_parts<T: bytemuck::Pod>(
        &mut self,
        gpu: &Gpu,
        binding: Binding,
        count: usize,
        parts: impl Iterator<Item = Vec<T>>,
    ) -> Result<()> {
        let bytes = (count * size_of::<T>()) as u64;
        self.ensure_bytes(&gpu.device, binding, bytes)?;
        let Some(size) = wgpu::BufferSize::new(bytes) else { return Ok(()) };
        // There is no view where memory is short, of which the device tells by itself.
        if let Some(mut view) = gpu.queue.write_buffer_with(self.get(binding), 0, size) {
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
    pub(in crate::gpu) fn write<T: bytemuck::Pod>(&mut self, gpu: &Gpu, binding: Binding, data: &[T]) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.ensure_bytes(&gpu.device, binding, bytes.len() as u64)?;
        if !bytes.is_empty() {
            gpu.queue.write_buffer(self.get(binding), 0, bytes);
        }
        Ok(())
    }
}

fn create(device: &wgpu::Device, binding: Binding, size: u64) -> wgpu::Buffer {
    let kind = match binding {
        Binding::Params => wgpu::BufferUsages::UNIFORM,
        // A host may draw an instance for each.
        Binding::Pairs => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
        _ => wgpu::BufferUsages::STORAGE,
    };
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(binding.name()),
        size,
        usage: kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}
