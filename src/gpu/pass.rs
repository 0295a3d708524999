//! Pipelines. What each binds is read off its shader, where it is declared, once.

use crate::ground::error::{Error, Result};

use super::modules::{self, Module};

/// The distance of two dispatches' parameters, in bytes: wgpu's default `min_uniform_buffer_offset_alignment`.
pub(super) const PARAMS_STRIDE: u64 = 256;

/// An entry point of a shader.
#[derive(Debug)]
pub(super) struct Pass {
    entry: &'static str,
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: Vec<u32>,
}

/// All entry points.
#[derive(Debug)]
pub(super) struct Passes {
    pub(super) update: Pass,
    pub(super) land: Pass,
    pub(super) measure: Pass,
    pub(super) plan_keys: Pass,
    pub(super) make_keys: Pass,
    pub(super) count_digits: Pass,
    pub(super) scatter_digits: Pass,
    pub(super) bound_tiles: Pass,
    pub(super) bound_blocks: Pass,
    pub(super) sweep: Pass,
    pub(super) sweep_all: Pass,
    pub(super) plan_candidates: Pass,
    pub(super) pick_sprites: Pass,
    pub(super) plan_paintings: Pass,
    pub(super) paint: Pass,
    pub(super) sieve: Pass,
    pub(super) plan_verdicts: Pass,
    pub(super) judge_small: Pass,
    pub(super) judge_large: Pass,
    pub(super) judge: Pass,
    pub(super) count_hits: Pass,
    pub(super) scatter_hits: Pass,
    pub(super) sort_rows: Pass,
    pub(super) plan_long_rows: Pass,
    pub(super) sort_long_rows: Pass,
    pub(super) plan_pairs: Pass,
    pub(super) detail_pairs: Pass,
    pub(super) conclude: Pass,
    pub(super) scan_blocks: Pass,
    pub(super) scan_sums: Pass,
    pub(super) add_sums: Pass,
}

impl Passes {
    pub(super) fn new(device: &wgpu::Device) -> Result<Self> {
        let pass = |module, entry| Pass::new(device, module, entry);
        Ok(Self {
            update: pass(&modules::UPDATE, "update")?,
            land: pass(&modules::LAND, "land")?,
            measure: pass(&modules::KEYS, "measure")?,
            plan_keys: pass(&modules::KEYS, "plan_keys")?,
            make_keys: pass(&modules::KEYS, "make_keys")?,
            count_digits: pass(&modules::SORT, "count_digits")?,
            scatter_digits: pass(&modules::SORT, "scatter_digits")?,
            bound_tiles: pass(&modules::TILES, "bound_tiles")?,
            bound_blocks: pass(&modules::TILES, "bound_blocks")?,
            sweep: pass(&modules::BROAD, "sweep")?,
            sweep_all: pass(&modules::ALL_PAIRS, "sweep_all")?,
            plan_candidates: pass(&modules::PLAN, "plan_candidates")?,
            pick_sprites: pass(&modules::PAINT, "pick_sprites")?,
            plan_paintings: pass(&modules::PLAN, "plan_paintings")?,
            paint: pass(&modules::PAINT, "paint")?,
            sieve: pass(&modules::SIEVE, "sieve")?,
            plan_verdicts: pass(&modules::PLAN, "plan_verdicts")?,
            judge_small: pass(&modules::MASKS, "judge_small")?,
            judge_large: pass(&modules::MASKS, "judge_large")?,
            judge: pass(&modules::VERDICT, "judge")?,
            count_hits: pass(&modules::ORDER, "count_hits")?,
            scatter_hits: pass(&modules::ORDER, "scatter_hits")?,
            sort_rows: pass(&modules::ORDER, "sort_rows")?,
            plan_long_rows: pass(&modules::PLAN, "plan_long_rows")?,
            sort_long_rows: pass(&modules::ORDER, "sort_long_rows")?,
            plan_pairs: pass(&modules::PLAN, "plan_pairs")?,
            detail_pairs: pass(&modules::DETAILS, "detail_pairs")?,
            conclude: pass(&modules::PLAN, "conclude")?,
            scan_blocks: pass(&modules::SCAN, "scan_blocks")?,
            scan_sums: pass(&modules::SCAN, "scan_sums")?,
            add_sums: pass(&modules::SCAN, "add_sums")?,
        })
    }
}

impl Pass {
    fn new(device: &wgpu::Device, module: &Module, entry: &'static str) -> Result<Self> {
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
            None => Ok(Self { entry, pipeline, layout, bindings: entries.iter().map(|entry| entry.binding).collect() }),
        }
    }

    /// Its entry point, which no other pass has.
    pub(super) fn entry(&self) -> &'static str {
        self.entry
    }

    /// The numbers of what it binds.
    pub(super) fn bindings(&self) -> &[u32] {
        &self.bindings
    }

    /// Binds what its numbers stand for.
    pub(super) fn bind(&self, device: &wgpu::Device, entries: &[wgpu::BindGroupEntry<'_>]) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: Some(self.entry), layout: &self.layout, entries })
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
