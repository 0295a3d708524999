//! The pipelines of all passes, and what they bind.

use crate::ground::error::{Error, Result};

use super::binding::Binding;
use super::pass::Pass;

/// A pipeline for each [`Pass`].
#[derive(Debug)]
pub(super) struct Pipelines(Vec<Pipeline>);

/// The pipeline of a pass, with the layout of what it binds.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) pipeline: wgpu::ComputePipeline,
    pub(super) layout: wgpu::BindGroupLayout,
}

impl Pipelines {
    /// Compiles all shaders. An error names the module that the driver refused.
    pub(super) fn new(device: &wgpu::Device) -> Result<Self> {
        Pass::ALL.iter().map(|&pass| Pipeline::new(device, pass)).collect::<Result<_>>().map(Self)
    }

    pub(super) fn get(&self, pass: Pass) -> &Pipeline {
        &self.0[pass as usize]
    }
}

impl Pipeline {
    fn new(device: &wgpu::Device, pass: Pass) -> Result<Self> {
        let (module, entry) = (pass.module(), pass.entry());
        let scope = device.push_error_scope(wgpu::ErrorFilter::Validation);
        let shader = device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(module.name),
            source: wgpu::ShaderSource::Wgsl(module.source().into()),
        });
        let entries: Vec<_> = bound(pass).map(|(binding, ty)| layout_entry(binding, ty)).collect();
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
            // With these, workgroup memory begins as zeros, which the shaders rely on.
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        match pollster::block_on(scope.pop()) {
            Some(error) => {
                Err(Error::Gpu { problem: format!("the driver refused the shader `{}`: {error}", module.name) })
            }
            None => Ok(Self { pipeline, layout }),
        }
    }
}

/// All that a pass binds, and as what: the same for all passes of a module.
pub(super) fn bound(pass: Pass) -> impl Iterator<Item = (Binding, wgpu::BufferBindingType)> {
    let module = pass.module();
    let storage = |read_only| move |&binding| (binding, wgpu::BufferBindingType::Storage { read_only });
    let uniform = [(Binding::Params, wgpu::BufferBindingType::Uniform)].into_iter();
    uniform.chain(module.reads.iter().map(storage(true))).chain(module.writes.iter().map(storage(false)))
}

fn layout_entry(binding: Binding, ty: wgpu::BufferBindingType) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding: binding as u32,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty,
            // Each dispatch is told where its own parameters lie.
            has_dynamic_offset: ty == wgpu::BufferBindingType::Uniform,
            min_binding_size: None,
        },
        count: None,
    }
}
