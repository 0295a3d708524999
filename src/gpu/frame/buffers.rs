//! The buffers of a frame.

use std::collections::HashMap;
use std::ops::Range;

use crate::gpu::binding::Binding;
use crate::gpu::device::Gpu;
use crate::gpu::params::Params;
use crate::gpu::pass::Pass;
use crate::gpu::pipelines::{self, Pipelines};
use crate::gpu::stream::{Own, Window};
use crate::ground::error::{Error, Result};

/// The initial size of a buffer in bytes: at least the smallest size that any shader binds.
pub(in crate::gpu) const LEAST: u64 = 1024;
/// Returns the number of [`Binding::Bodies`] elements a body takes when the step has this much data of its own.
fn quads(own: Own) -> u64 {
    match own {
        Own::Nothing => 5,
        Own::Placements => 6,
        Own::Forms => 10,
    }
}

/// One buffer for each [`Binding`], which grows when needed and never shrinks; and the bind groups of the passes.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Buffers {
    /// Indexed by binding number.
    held: Vec<wgpu::Buffer>,
    /// Cleared when one of `held` is replaced.
    bind_groups: HashMap<Pass, wgpu::BindGroup>,
    /// The ranges of the host's buffers that replace some of `held`.
    windows: HashMap<Binding, Window>,
    /// The per-step body data that the buffer has room for.
    own: Own,
    /// The largest size of a buffer in bytes.
    limit: u64,
}

impl Buffers {
    pub(super) fn new(device: &wgpu::Device) -> Self {
        Self {
            held: Binding::ALL.iter().map(|&binding| create(device, binding, LEAST)).collect(),
            bind_groups: HashMap::new(),
            windows: HashMap::new(),
            own: Own::Nothing,
            limit: Self::limit_of(&device.limits()),
        }
    }

    /// Returns the largest size in bytes of a buffer that shaders bind on a device with these limits, in whole words;
    /// drivers report limits such as 2^31 - 1. Twice its number of words still fits into 32 bits.
    pub(in crate::gpu) fn limit_of(limits: &wgpu::Limits) -> u64 {
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size).min(1 << 33) / 4 * 4
    }

    pub(in crate::gpu) fn get(&self, binding: Binding) -> &wgpu::Buffer {
        &self.held[binding as usize]
    }

    /// Returns a pass's bind group. Cached, because creating one takes as long as the rest of recording a dispatch.
    pub(in crate::gpu) fn bind_group(
        &mut self,
        device: &wgpu::Device,
        pipelines: &Pipelines,
        pass: Pass,
    ) -> &wgpu::BindGroup {
        let Self { held, windows, .. } = self;
        self.bind_groups.entry(pass).or_insert_with(|| {
            let entries = pipelines::bound(pass).map(|(binding, _)| {
                let (buffer, offset, size) = match (windows.get(&binding), &held[binding as usize]) {
                    (Some(window), _) => (&window.buffer, window.offset, Some(window.size)),
                    (None, buffer) if binding == Binding::Params => (buffer, 0, Some(size_of::<Params>() as u64)),
                    (None, buffer) => (buffer, 0, None),
                };
                let size = size.and_then(wgpu::BufferSize::new);
                let resource = wgpu::BindingResource::Buffer(wgpu::BufferBinding { buffer, offset, size });
                wgpu::BindGroupEntry { binding: binding as u32, resource }
            });
            device.create_bind_group(&wgpu::BindGroupDescriptor {
                label: Some(pass.entry()),
                layout: &pipelines.get(pass).layout,
                entries: &entries.collect::<Vec<_>>(),
            })
        })
    }

    /// Returns the total bytes of all buffers except those of the world (bodies, linear parts, shapes, atlas) and of
    /// the answer (pairs, details).
    pub(in crate::gpu) fn bytes(&self) -> u64 {
        use Binding::{Atlas, Bodies, Details, Linears, Pairs, Shapes};
        let theirs = [Bodies, Linears, Shapes, Atlas, Pairs, Details];
        let ours = Binding::ALL.iter().zip(&self.held).filter(|(binding, _)| !theirs.contains(binding));
        ours.map(|(_, buffer)| buffer.size()).sum()
    }

    /// Returns the largest size of a buffer in bytes.
    pub(in crate::gpu) fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns how many bodies fit into [`Binding::Bodies`]. See `shaders/shared/bodies.wgsl` for its layout.
    pub(in crate::gpu) fn body_room(&self) -> u32 {
        (self.get(Binding::Bodies).size() / Binding::Bodies.bytes(quads(self.own))) as u32
    }

    /// Makes room for this many bodies, and for the step's `own` data. Returns whether there already was room;
    /// otherwise the bodies held so far are lost.
    pub(super) fn make_body_room(&mut self, device: &wgpu::Device, bodies: usize, own: Own) -> Result<bool> {
        let fits = |own| Binding::Bodies.bytes(quads(own) * bodies as u64) <= self.limit;
        // Keep the room for an earlier step's own data: a later step may need it again.
        let own = if self.own > own && fits(self.own) { self.own } else { own };
        let kept = own == self.own && self.body_room() as usize >= bodies;
        self.own = own;
        self.ensure(device, Binding::Bodies, quads(own) * bodies as u64)?;
        Ok(kept)
    }

    /// Makes shaders read a range of a host buffer in place of the frame's own buffer, or the frame's own again if
    /// `None`, until the next call.
    pub(super) fn lend(&mut self, binding: Binding, window: Option<Window>) {
        match window {
            Some(window) => drop(self.windows.insert(binding, window)),
            None => drop(self.windows.remove(&binding)),
        }
        for pass in [Pass::Pose, Pass::Allot, Pass::Place] {
            self.bind_groups.remove(&pass);
        }
    }

    /// Makes room for this many elements in a buffer; its contents are lost if it grows.
    pub(in crate::gpu) fn ensure(&mut self, device: &wgpu::Device, binding: Binding, elements: u64) -> Result<()> {
        self.ensure_bytes(device, binding, binding.bytes(elements))
    }

    /// Makes a buffer at least `bytes` long; its contents are lost if it grows.
    pub(in crate::gpu) fn ensure_bytes(&mut self, device: &wgpu::Device, binding: Binding, bytes: u64) -> Result<()> {
        let limit = self.limit;
        if bytes > limit {
            return Err(Error::Capacity {
                what: format!("the buffer for {}", binding.purpose()),
                needed: bytes,
                limit: "max_storage_buffer_binding_size",
                available: limit,
                advice: "use the CPU engine, a GPU with a larger limit, or several worlds",
            });
        }
        let held = &mut self.held[binding as usize];
        if held.size() < bytes {
            // Allocate half as much again, so that a growing world does not need a new buffer every step.
            let size = (bytes + bytes / 2).next_multiple_of(16).min(limit).max(bytes);
            *held = create(device, binding, size.next_multiple_of(4));
            self.bind_groups.clear();
        }
        Ok(())
    }

    /// Makes a buffer hold `data`, where only the ranges `changed` differ from what it already holds. Writes everything
    /// if `changed` is `None` or the buffer is too small.
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
            // Skip elements that no longer exist.
            let part = &data[start.min(data.len())..end.min(data.len())];
            if !part.is_empty() {
                let start = (start * size_of::<T>()) as u64;
                gpu.queue.write_buffer(self.get(binding), start, bytemuck::cast_slice(part));
            }
        }
        Ok(())
    }

    /// Lets `fill` write the first `bytes` bytes of a buffer that is large enough.
    pub(super) fn write_with(
        &self,
        gpu: &Gpu,
        binding: Binding,
        bytes: u64,
        fill: impl FnOnce(wgpu::WriteOnly<'_, [u8]>),
    ) {
        let size = wgpu::BufferSize::new(bytes);
        // There is no view if memory is short; the device reports that itself.
        if let Some(mut view) = size.and_then(|size| gpu.queue.write_buffer_with(self.get(binding), 0, size)) {
            fill(view.slice(..));
        }
    }

    /// Makes a buffer hold `data`.
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
        // A host may use the pairs as per-instance vertex data.
        Binding::Pairs => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::VERTEX,
        // It holds the arguments for indirect dispatches and draws.
        Binding::Header => wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::INDIRECT,
        _ => wgpu::BufferUsages::STORAGE,
    };
    device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(binding.name()),
        size,
        usage: kind | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC,
        mapped_at_creation: false,
    })
}
