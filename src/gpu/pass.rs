//! Pipelines. What each binds is read off its shader, where it is declared, once.

use crate::error::{Error, Result};

use super::buffers::{Buffers, PARAMS};
use super::modules::{self, Module};
use super::params::Params;

/// The distance of two dispatches' parameters, in bytes: wgpu's default `min_uniform_buffer_offset_alignment`.
pub(super) const PARAMS_STRIDE: u64 = 256;

/// An entry point of a shader.
#[derive(Debug)]
pub(super) struct Pass {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<u32>,
}

/// All entry points.
#[derive(Debug)]
pub(super) struct Passes {
    pub(super) land: Pass,
    pub(super) paint: Pass,
    pub(super) bound_tiles: Pass,
    pub(super) count_rows: Pass,
    pub(super) write_rows: Pass,
    pub(super) scan_blocks: Pass,
    pub(super) scan_sums: Pass,
    pub(super) add_sums: Pass,
    pub(super) judge: Pass,
    pub(super) order: Pass,
    pub(super) detail_pairs: Pass,
}

impl Passes {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self> {
        let pass = |module, entry| Pass::new(device, module, entry);
        Ok(Self {
            land: pass(&modules::LAND, "land")?,
            paint: pass(&modules::PAINT, "paint")?,
            bound_tiles: pass(&modules::TILES, "bound_tiles")?,
            count_rows: pass(&modules::BROAD, "count_rows")?,
            write_rows: pass(&modules::BROAD, "write_rows")?,
            scan_blocks: pass(&modules::SCAN, "scan_blocks")?,
            scan_sums: pass(&modules::SCAN, "scan_sums")?,
            add_sums: pass(&modules::SCAN, "add_sums")?,
            judge: pass(&modules::VERDICT, "judge")?,
            order: pass(&modules::ORDER, "order")?,
            detail_pairs: pass(&modules::DETAILS, "detail_pairs")?,
        })
    }
}

impl Pass {
    fn new(device: &wgpu::Device, module: &Module, entry: &str) -> Result<Self> {
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let source = module.source();
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(module.name),
            source: wgpu::ShaderSource::Wgsl(source.as_str().into()),
        });
        let entries: Vec<_> = declared(&source).map(|(binding, ty)| layout_entry(binding, ty)).collect();
        let layout =
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(entry), entries: &entries });
        let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(entry),
            layout: Some(&device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(entry),
                bind_group_layouts: &[Some(&layout)],
                immediate_size: 0,
            })),
            module: &shader,
            entry_point: Some(entry),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => {
                Err(Error::Gpu { problem: format!("the driver refused the shader `{}`: {error}", module.name) })
            }
            None => Ok(Self { pipeline, layout, bindings: entries.iter().map(|entry| entry.binding).collect() }),
        }
    }

    /// The buffers that this pass reads and writes; `values` stands for what it scans.
    pub(super) fn bind(&self, device: &wgpu::Device, buffers: &Buffers, values: Option<u32>) -> wgpu::BindGroup {
        let entry = |&binding: &u32| wgpu::BindGroupEntry {
            binding,
            resource: if binding == PARAMS {
                wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                    buffer: buffers.get(PARAMS),
                    offset: 0,
                    size: wgpu::BufferSize::new(size_of::<Params>() as u64),
                })
            } else {
                let scanned = values.filter(|_| binding == super::buffers::VALUES);
                buffers.get(scanned.unwrap_or(binding)).as_entire_binding()
            },
        };
        let entries: Vec<_> = self.bindings.iter().map(entry).collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &self.layout, entries: &entries })
    }

    pub(super) fn pipeline(&self) -> &wgpu::ComputePipeline {
        &self.pipeline
    }
}

/// The bindings that a shader declares: their numbers, and what stands between `var<` and `>`.
fn declared(source: &str) -> impl Iterator<Item = (u32, &str)> {
    source.split("@binding(").skip(1).filter_map(|rest| {
        let (number, rest) = rest.split_once(')')?;
        let (_, rest) = rest.split_once("var<")?;
        let (ty, _) = rest.split_once('>')?;
        Some((number.parse().ok()?, ty))
    })
}

fn layout_entry(binding: u32, ty: &str) -> wgpu::BindGroupLayoutEntry {
    let uniform = ty == "uniform";
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: if uniform {
                wgpu::BufferBindingType::Uniform
            } else {
                wgpu::BufferBindingType::Storage { read_only: ty == "storage, read" }
            },
            has_dynamic_offset: uniform,
            min_binding_size: None,
        },
        count: None,
    }
}
