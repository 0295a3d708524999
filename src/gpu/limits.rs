//! What the engine needs of a device: not more than wgpu's default limits.

use crate::ground::error::{Error, Result};

use super::buffers::BINDINGS;
use super::params::Params;
use super::pass::PARAMS_STRIDE;

/// The bytes of workgroup memory that a shader takes at most.
#[doc(hidden)]
pub const SHARED: u32 = 11 << 10;
/// The storage buffers that a shader binds at most.
#[doc(hidden)]
pub const STORAGE: u32 = 8;
/// The invocations of a workgroup at most.
#[doc(hidden)]
pub const INVOCATIONS: u32 = 256;
/// The workgroups in a dimension: with fewer, two dimensions of them would not take what buffers hold.
const GROUPS: u32 = 65_535;
/// The least that a buffer and its binding may be, in bytes: nine hundred bodies.
const BYTES: u64 = 1 << 16;

/// Sees that a device was opened with all that is needed; whatever lacks is named, with what is there.
pub(super) fn check(limits: &wgpu::Limits) -> Result<()> {
    let wide = u64::from;
    let at_least = [
        ("max_bind_groups", wide(limits.max_bind_groups), 1),
        ("max_bindings_per_bind_group", wide(limits.max_bindings_per_bind_group), BINDINGS as u64),
        ("max_storage_buffers_per_shader_stage", wide(limits.max_storage_buffers_per_shader_stage), wide(STORAGE)),
        ("max_uniform_buffers_per_shader_stage", wide(limits.max_uniform_buffers_per_shader_stage), 1),
        (
            "max_dynamic_uniform_buffers_per_pipeline_layout",
            wide(limits.max_dynamic_uniform_buffers_per_pipeline_layout),
            1,
        ),
        ("max_uniform_buffer_binding_size", limits.max_uniform_buffer_binding_size, size_of::<Params>() as u64),
        ("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size, BYTES),
        ("max_buffer_size", limits.max_buffer_size, BYTES),
        ("max_compute_workgroup_storage_size", wide(limits.max_compute_workgroup_storage_size), wide(SHARED)),
        (
            "max_compute_invocations_per_workgroup",
            wide(limits.max_compute_invocations_per_workgroup),
            wide(INVOCATIONS),
        ),
        ("max_compute_workgroup_size_x", wide(limits.max_compute_workgroup_size_x), wide(INVOCATIONS)),
        ("max_compute_workgroup_size_y", wide(limits.max_compute_workgroup_size_y), 1),
        ("max_compute_workgroup_size_z", wide(limits.max_compute_workgroup_size_z), 1),
        ("max_compute_workgroups_per_dimension", wide(limits.max_compute_workgroups_per_dimension), wide(GROUPS)),
    ];
    let refuse = |name: &str, there: u64, needed: String| Error::Gpu {
        problem: format!(
            "the device was opened with `{name}` = {there}, and the engine needs {needed}: open it with \
             `wgpu::Limits::default()` or more, or take the CPU engine"
        ),
    };
    if let Some((name, there, needed)) = at_least.into_iter().find(|(_, there, needed)| there < needed) {
        return Err(refuse(name, there, format!("at least {needed}")));
    }
    // Every dispatch is told at a multiple of this, and results begin at one.
    let at_most = [
        ("min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment),
        ("min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment),
    ];
    match at_most.into_iter().find(|(_, there)| !PARAMS_STRIDE.is_multiple_of(u64::from(*there))) {
        Some((name, there)) => Err(refuse(name, there.into(), format!("{PARAMS_STRIDE} or a part of it"))),
        None => Ok(()),
    }
}
