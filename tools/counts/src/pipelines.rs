//! The compilation of the engine's pipelines, and the size of the result.

#![allow(unsafe_code, reason = "pipelines are made below wgpu's checks, which ask for memory that is not there")]

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context;
use hitmask::wgpu::hal::Device;
use hitmask::wgpu::hal::vulkan::{Api, Device as Vulkan};
use hitmask::wgpu::naga::valid::{Capabilities, ValidationFlags, Validator};
use hitmask::wgpu::naga::{self, AddressSpace, StorageAccess};
use hitmask::wgpu::{self, ShaderRuntimeChecks, hal};
use serde::{Deserialize, Serialize};

use crate::device::Driver;
use crate::seen::{Statistics, seen};

/// The engine's compiled pipelines, for a GPU and a version of its driver.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Pipelines {
    pub(crate) gpu: String,
    pub(crate) driver: String,
    /// The pipelines by entry point.
    pub(crate) compiled: BTreeMap<String, Compiled>,
}

impl Pipelines {
    /// Returns a pipeline as compiled for a GPU with 64-bit integers, which nearly all have.
    pub(crate) fn on_hardware(&self, pass: &str) -> Option<&Compiled> {
        self.compiled.get(&format!("{pass}{INT64}")).or_else(|| self.compiled.get(pass))
    }
}

/// A module to compile.
pub(crate) struct Source {
    name: String,
    text: String,
    /// The suffix of the names of its entry points.
    variant: &'static str,
}

impl Source {
    /// Returns the engine's modules, then those that differ if the GPU has 64-bit integers.
    pub(crate) fn all() -> Vec<Self> {
        let of = |variant| move |(name, text): (&str, String)| Self { name: name.to_owned(), text, variant };
        hitmask::internals::shaders().map(of("")).chain(hitmask::internals::int64_shaders().map(of(INT64))).collect()
    }

    /// Reads a module from a file.
    pub(crate) fn read(file: &Path) -> anyhow::Result<Self> {
        Ok(Self { name: file.display().to_string(), text: std::fs::read_to_string(file)?, variant: "" })
    }
}

/// The suffix of the name of a pipeline that uses 64-bit integers.
pub(crate) const INT64: &str = " (int64)";

/// The size of a compiled pipeline.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Compiled {
    pub(crate) instructions: u64,
    pub(crate) code_bytes: u64,
    /// Number of vector registers of a lane.
    pub(crate) registers: u64,
    /// Number of registers that did not fit and lie in memory.
    pub(crate) spilled: u64,
    /// Bytes of workgroup memory.
    pub(crate) shared_bytes: u64,
    /// Number of waves that a SIMD can hold at once, at most 32.
    pub(crate) waves: u64,
    /// Number of cycles for which a wave keeps its units busy, by Mesa's estimate: a loop runs 8 times, an inner one 4.
    pub(crate) busy_cycles: u64,
}

/// Compiles the pipelines of modules: as the engine does, or with wgpu's loop counters.
pub(crate) fn compile(modules: &[Source], checked: bool) -> anyhow::Result<Pipelines> {
    let found = Driver::Radv.find()?;
    let [gpu, driver] = found.names();
    let opened = found.compiler()?;
    let checks = ShaderRuntimeChecks { force_loop_bounding: checked, ..ShaderRuntimeChecks::checked() };
    let mut compiled = BTreeMap::new();
    for Source { name, text, variant } in modules {
        let module = naga::front::wgsl::parse_str(text).with_context(|| format!("the module `{name}`"))?;
        for entry in module.entry_points.iter().map(|entry| &entry.name) {
            let told =
                make(&opened.device, &module, entry, checks).with_context(|| format!("the pipeline `{entry}`"))?;
            let of_entry = Compiled::of(&told).with_context(|| format!("the pipeline `{entry}`"))?;
            compiled.insert(format!("{entry}{variant}"), of_entry);
        }
    }
    Ok(Pipelines { gpu, driver, compiled })
}

/// Creates the pipeline of an entry point as wgpu does, and returns its statistics.
fn make(
    device: &Vulkan,
    module: &naga::Module,
    entry: &str,
    runtime_checks: ShaderRuntimeChecks,
) -> anyhow::Result<Statistics> {
    let info = Validator::new(ValidationFlags::all(), Capabilities::SHADER_INT64).validate(module)?;
    let entries: Vec<_> = module.global_variables.iter().filter_map(|(_, variable)| layout_entry(variable)).collect();
    // SAFETY: all objects are of this device, and naga has validated the shader.
    unsafe {
        let group = device.create_bind_group_layout(&hal::BindGroupLayoutDescriptor {
            label: None,
            flags: hal::BindGroupLayoutFlags::empty(),
            entries: &entries,
        })?;
        let layout = device.create_pipeline_layout(&hal::PipelineLayoutDescriptor {
            label: None,
            flags: hal::PipelineLayoutFlags::empty(),
            bind_group_layouts: &[Some(&group)],
            immediate_size: 0,
        })?;
        let shader = hal::NagaShader { module: std::borrow::Cow::Owned(module.clone()), info, debug_source: None };
        let descriptor = hal::ShaderModuleDescriptor { label: None, runtime_checks };
        let shader = device.create_shader_module(&descriptor, hal::ShaderInput::Naga(shader))?;
        let pipeline = device.create_compute_pipeline(&hal::ComputePipelineDescriptor {
            label: None,
            layout: &layout,
            stage: hal::ProgrammableStage {
                module: &shader,
                entry_point: entry,
                constants: &naga::back::PipelineConstants::default(),
                zero_initialize_workgroup_memory: true,
            },
            cache: None::<&<Api as hal::Api>::PipelineCache>,
        })?;
        device.destroy_compute_pipeline(pipeline);
        device.destroy_shader_module(shader);
        device.destroy_pipeline_layout(layout);
        device.destroy_bind_group_layout(group);
    }
    seen().compiled.take().context("the driver was not asked for any pipeline")
}

/// Returns the binding of a buffer that a module declares, as the engine binds it; `None` for other variables.
fn layout_entry(variable: &naga::GlobalVariable) -> Option<wgpu::BindGroupLayoutEntry> {
    let ty = match variable.space {
        AddressSpace::Uniform => wgpu::BufferBindingType::Uniform,
        AddressSpace::Storage { access } => {
            wgpu::BufferBindingType::Storage { read_only: !access.contains(StorageAccess::STORE) }
        }
        _ => return None,
    };
    let has_dynamic_offset = ty == wgpu::BufferBindingType::Uniform;
    Some(wgpu::BindGroupLayoutEntry {
        binding: variable.binding.as_ref()?.binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer { ty, has_dynamic_offset, min_binding_size: None },
        count: None,
    })
}

impl Compiled {
    fn of(told: &Statistics) -> anyhow::Result<Self> {
        let get = |name: &str| {
            told.get(name).copied().with_context(|| format!("the driver reports no `{name}`, only {told:?}"))
        };
        Ok(Self {
            instructions: get("Instructions")?,
            code_bytes: get("Code size")?,
            registers: get("VGPRs")?,
            spilled: get("Spilled SGPRs")? + get("Spilled VGPRs")?,
            shared_bytes: get("LDS size")?,
            waves: get("Subgroups per SIMD")?,
            busy_cycles: get("Inverse Throughput")?,
        })
    }
}
