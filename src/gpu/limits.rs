//! The limits that the engine needs of a device: at most wgpu's defaults.

use crate::ground::error::{Error, Result};

use super::binding::Binding;
use super::params::{PARAMS_STRIDE, Params};

/// The maximum workgroup memory of a shader, in bytes.
pub(super) const SHARED: u32 = 11 << 10;
/// The maximum number of storage buffers that a shader binds.
pub(super) const STORAGE: u32 = 8;
/// The maximum number of invocations of a workgroup.
pub(super) const INVOCATIONS: u32 = 256;
/// The workgroups needed per dimension. With fewer, two dimensions are too few for a dispatch over the largest buffer.
const GROUPS: u32 = 65_535;
/// The smallest accepted limit on the bytes of buffers and bindings: enough for nine hundred bodies.
pub(super) const BYTES: u64 = 1 << 16;

/// Checks that a device was opened with the limits that the engine needs. An error names the first limit that is too
/// low, with its value.
pub(super) fn check(limits: &wgpu::Limits) -> Result<()> {
    let wide = u64::from;
    let at_least = [
        ("max_bind_groups", wide(limits.max_bind_groups), 1),
        ("max_bindings_per_bind_group", wide(limits.max_bindings_per_bind_group), Binding::ALL.len() as u64),
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
            "the device was opened with `{name}` = {there}, but the engine needs {needed}: open it with \
             `wgpu::Limits::default()` or higher limits, or use the CPU engine"
        ),
    };
    if let Some((name, there, needed)) = at_least.into_iter().find(|(_, there, needed)| there < needed) {
        return Err(refuse(name, there, format!("at least {needed}")));
    }
    // The parameters of dispatches and the bindings of results begin at multiples of `PARAMS_STRIDE`.
    let at_most = [
        ("min_uniform_buffer_offset_alignment", limits.min_uniform_buffer_offset_alignment),
        ("min_storage_buffer_offset_alignment", limits.min_storage_buffer_offset_alignment),
    ];
    match at_most.into_iter().find(|(_, there)| !PARAMS_STRIDE.is_multiple_of(u64::from(*there))) {
        Some((name, there)) => Err(refuse(name, there.into(), format!("{PARAMS_STRIDE} or a divisor of it"))),
        None => Ok(()),
    }
}
