//! Functions that stand in front of the driver's: each records its call in [`seen`] and calls the driver's function.
//!
//! So the counts cover what wgpu really does, including its own work, and the driver compiles exactly the SPIR-V that
//! wgpu emits. A process opens one device only, as the driver's functions are kept in statics.

#![allow(unsafe_code, reason = "functions of Vulkan are called, and stood in for, by pointers")]

use std::ffi::{CStr, c_char, c_void};
use std::sync::OnceLock;

use anyhow::Context;
use ash::khr::pipeline_executable_properties as executables;
use ash::vk;

use crate::seen::{Statistics, seen};

/// Vulkan's loader, which stays loaded.
static LOADER: OnceLock<ash::Entry> = OnceLock::new();
/// The loader's function that returns those of a device.
static GET: OnceLock<vk::PFN_vkGetDeviceProcAddr> = OnceLock::new();
/// The functions of the device's driver.
static DRIVER: OnceLock<Driver> = OnceLock::new();

struct Driver {
    device: ash::DeviceFnV1_0,
    /// The functions that return statistics of pipelines, if the device was opened with that extension.
    statistics: Option<executables::DeviceFn>,
}

/// Returns Vulkan's entry, through which all functions are looked up here.
pub(crate) fn entry() -> anyhow::Result<ash::Entry> {
    // SAFETY: the library is Vulkan's loader, which wgpu loads too, and it is never unloaded.
    let loader = unsafe { ash::Entry::load() }.context("Vulkan is not available")?;
    LOADER.get_or_init(|| loader);
    // SAFETY: the function returns the loader's functions, or ones that call them.
    Ok(unsafe { ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr }) })
}

/// Casts a function of Vulkan to the untyped function pointer.
macro_rules! untyped {
    ($function:ident: $ty:ident) => {
        std::mem::transmute::<vk::$ty, vk::PFN_vkVoidFunction>($function)
    };
}

unsafe extern "system" fn get_instance_proc_addr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the loader's function is called with the caller's arguments; `name` ends in a zero. Functions are
    // returned as untyped pointers, and called with the type that belongs to their name.
    unsafe {
        let real = (LOADER.get()?.static_fn().get_instance_proc_addr)(instance, name)?;
        if CStr::from_ptr(name) != c"vkGetDeviceProcAddr" {
            return Some(real);
        }
        GET.get_or_init(|| std::mem::transmute::<unsafe extern "system" fn(), vk::PFN_vkGetDeviceProcAddr>(real));
        untyped!(get_device_proc_addr: PFN_vkGetDeviceProcAddr)
    }
}

unsafe extern "system" fn get_device_proc_addr(device: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    // SAFETY: as in `get_instance_proc_addr`. The device is wgpu's, and is open.
    unsafe {
        let get = GET.get()?;
        DRIVER.get_or_init(|| Driver::of(device, *get));
        match CStr::from_ptr(name).to_bytes() {
            b"vkCreateBuffer" => untyped!(create_buffer: PFN_vkCreateBuffer),
            b"vkCreateComputePipelines" => untyped!(create_compute_pipelines: PFN_vkCreateComputePipelines),
            b"vkCmdBindPipeline" => untyped!(bind_pipeline: PFN_vkCmdBindPipeline),
            b"vkCmdDispatch" => untyped!(dispatch: PFN_vkCmdDispatch),
            b"vkCmdDispatchIndirect" => untyped!(dispatch_indirect: PFN_vkCmdDispatchIndirect),
            b"vkCmdFillBuffer" => untyped!(fill_buffer: PFN_vkCmdFillBuffer),
            b"vkCmdCopyBuffer" => untyped!(copy_buffer: PFN_vkCmdCopyBuffer),
            b"vkCmdPipelineBarrier" => untyped!(pipeline_barrier: PFN_vkCmdPipelineBarrier),
            b"vkQueueSubmit" => untyped!(queue_submit: PFN_vkQueueSubmit),
            _ => get(device, name),
        }
    }
}

impl Driver {
    /// Loads the functions of an open device.
    ///
    /// # Safety
    ///
    /// `get` must return the functions of this device.
    unsafe fn of(device: vk::Device, get: vk::PFN_vkGetDeviceProcAddr) -> Self {
        let named = |name: &CStr| {
            // SAFETY: the caller guarantees that `get` is of this device, and the name ends in a zero.
            unsafe { get(device, name.as_ptr()) }.map_or(std::ptr::null(), |function| function as *const c_void)
        };
        let tells = !named(c"vkGetPipelineExecutableStatisticsKHR").is_null();
        Self { device: ash::DeviceFnV1_0::load(named), statistics: tells.then(|| executables::DeviceFn::load(named)) }
    }

    fn open() -> &'static Self {
        DRIVER.get().expect("its functions were asked for before they are called")
    }

    /// Returns the driver's statistics of a compiled pipeline.
    ///
    /// # Safety
    ///
    /// The pipeline must be the device's, and must have been created to capture statistics.
    unsafe fn statistics(&self, device: vk::Device, pipeline: vk::Pipeline) -> Statistics {
        let Some(tell) = &self.statistics else { return Statistics::default() };
        // A compute pipeline is one executable.
        let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(0);
        let mut count = 0;
        let tell = tell.get_pipeline_executable_statistics_khr;
        // SAFETY: the first call returns the count, and the second fills that many elements.
        let told = unsafe {
            let _ = tell(device, &raw const info, &raw mut count, std::ptr::null_mut());
            let mut told = vec![vk::PipelineExecutableStatisticKHR::default(); count as usize];
            let _ = tell(device, &raw const info, &raw mut count, told.as_mut_ptr());
            told
        };
        let numbers = told.iter().filter(|one| one.format == vk::PipelineExecutableStatisticFormatKHR::UINT64);
        // SAFETY: the format says which field of the union is set.
        let named = numbers.map(|one| (text(one.name_as_c_str()), unsafe { one.value.u64 }));
        named.collect()
    }
}

fn text(name: Result<&CStr, impl Sized>) -> String {
    name.map_or_else(|_| String::new(), |name| name.to_string_lossy().into_owned())
}

// The functions in front of the driver's. Each calls the driver's function with its own arguments.

unsafe extern "system" fn create_buffer(
    device: vk::Device,
    info: *const vk::BufferCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    buffer: *mut vk::Buffer,
) -> vk::Result {
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe {
        let result = (Driver::open().device.create_buffer)(device, info, allocator, buffer);
        if result == vk::Result::SUCCESS {
            seen().buffer(*buffer, (*info).usage);
        }
        result
    }
}

unsafe extern "system" fn create_compute_pipelines(
    device: vk::Device,
    cache: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo<'_>,
    allocator: *const vk::AllocationCallbacks<'_>,
    pipelines: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: the driver's function is called with the arguments that the caller passes for it, except that copies of
    // the infos capture statistics, if the device was opened with that extension.
    unsafe {
        let driver = Driver::open();
        let mut infos = std::slice::from_raw_parts(infos, count as usize).to_vec();
        if driver.statistics.is_some() {
            for info in &mut infos {
                info.flags |= vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR;
            }
        }
        let create = driver.device.create_compute_pipelines;
        let result = create(device, cache, count, infos.as_ptr(), allocator, pipelines);
        if result == vk::Result::SUCCESS {
            for (info, &pipeline) in infos.iter().zip(std::slice::from_raw_parts(pipelines, count as usize)) {
                let entry = CStr::from_ptr(info.stage.p_name).to_string_lossy().into_owned();
                seen().pipeline(pipeline, entry, driver.statistics(device, pipeline));
            }
        }
        result
    }
}

unsafe extern "system" fn bind_pipeline(to: vk::CommandBuffer, point: vk::PipelineBindPoint, pipeline: vk::Pipeline) {
    seen().bind(to, pipeline);
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { (Driver::open().device.cmd_bind_pipeline)(to, point, pipeline) }
}

unsafe extern "system" fn dispatch(to: vk::CommandBuffer, x: u32, y: u32, z: u32) {
    seen().dispatch(to, false);
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { (Driver::open().device.cmd_dispatch)(to, x, y, z) }
}

unsafe extern "system" fn dispatch_indirect(to: vk::CommandBuffer, groups: vk::Buffer, offset: vk::DeviceSize) {
    seen().dispatch(to, true);
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { (Driver::open().device.cmd_dispatch_indirect)(to, groups, offset) }
}

unsafe extern "system" fn fill_buffer(
    to: vk::CommandBuffer,
    buffer: vk::Buffer,
    offset: vk::DeviceSize,
    size: vk::DeviceSize,
    data: u32,
) {
    seen().fill();
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { (Driver::open().device.cmd_fill_buffer)(to, buffer, offset, size, data) }
}

unsafe extern "system" fn copy_buffer(
    to: vk::CommandBuffer,
    source: vk::Buffer,
    sink: vk::Buffer,
    count: u32,
    regions: *const vk::BufferCopy,
) {
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe {
        let bytes = std::slice::from_raw_parts(regions, count as usize).iter().map(|region| region.size).sum();
        seen().copy(source, sink, bytes);
        (Driver::open().device.cmd_copy_buffer)(to, source, sink, count, regions);
    }
}

unsafe extern "system" fn pipeline_barrier(
    to: vk::CommandBuffer,
    before: vk::PipelineStageFlags,
    behind: vk::PipelineStageFlags,
    flags: vk::DependencyFlags,
    memories: u32,
    memory: *const vk::MemoryBarrier<'_>,
    buffers: u32,
    buffer: *const vk::BufferMemoryBarrier<'_>,
    images: u32,
    image: *const vk::ImageMemoryBarrier<'_>,
) {
    seen().barrier();
    let barrier = Driver::open().device.cmd_pipeline_barrier;
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { barrier(to, before, behind, flags, memories, memory, buffers, buffer, images, image) }
}

unsafe extern "system" fn queue_submit(
    queue: vk::Queue,
    count: u32,
    infos: *const vk::SubmitInfo<'_>,
    fence: vk::Fence,
) -> vk::Result {
    seen().submit();
    // SAFETY: the driver's function is called with the arguments that the caller passes for it.
    unsafe { (Driver::open().device.queue_submit)(queue, count, infos, fence) }
}
