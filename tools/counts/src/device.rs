//! The opening of Mesa's drivers on a machine without a GPU.

#![allow(unsafe_code, reason = "wgpu is given an instance of Vulkan that was made here")]

use std::ffi::CStr;

use anyhow::{Context, bail};
use ash::khr::pipeline_executable_properties as executables;
use ash::vk;
use hitmask::wgpu::hal::vulkan::{Api, Instance};
use hitmask::wgpu::hal::{ExposedAdapter, OpenDevice};
use hitmask::wgpu::{self, InstanceFlags};

use crate::front;

/// A driver of Mesa.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Driver {
    /// The driver that computes in software.
    Lavapipe,
    /// The driver for AMD's GPUs. Without a GPU it compiles, but cannot run anything.
    Radv,
}

/// A driver with its instance.
pub(crate) struct Found {
    instance: Instance,
    adapter: ExposedAdapter<Api>,
}

/// Returns whether an extension of an instance is only for windows.
fn is_for_surfaces(name: &CStr) -> bool {
    name.to_bytes().ends_with(b"_surface") || name == ash::ext::swapchain_colorspace::NAME
}

impl Driver {
    fn id(self) -> vk::DriverId {
        match self {
            Self::Lavapipe => vk::DriverId::MESA_LLVMPIPE,
            Self::Radv => vk::DriverId::MESA_RADV,
        }
    }

    /// Finds it among the installed drivers.
    pub(crate) fn find(self) -> anyhow::Result<Found> {
        let entry = front::entry()?;
        // Without the flags of debug builds, so that all builds count the same.
        let flags = InstanceFlags::empty();
        // SAFETY: the instance is created as wgpu requires, is passed on once, and not destroyed here.
        unsafe {
            let version = entry.try_enumerate_instance_version()?.unwrap_or(vk::API_VERSION_1_0);
            let mut extensions = Instance::desired_extensions(&entry, version, flags)?;
            // Nothing is shown. With a Wayland surface, Mesa's layers would look for a display, and complain if there
            // is no XDG_RUNTIME_DIR.
            extensions.retain(|name| !is_for_surfaces(name));
            let names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
            let application = vk::ApplicationInfo::default().api_version(version.min(vk::API_VERSION_1_3));
            let info = vk::InstanceCreateInfo::default().application_info(&application).enabled_extension_names(&names);
            let raw = entry.create_instance(&info, None)?;
            let is_wanted = |device: &vk::PhysicalDevice| {
                let mut driver = vk::PhysicalDeviceDriverProperties::default();
                let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut driver);
                raw.get_physical_device_properties2(*device, &mut properties);
                driver.driver_id == self.id()
            };
            let Some(device) = raw.enumerate_physical_devices()?.into_iter().find(is_wanted) else {
                bail!(
                    "there is no {self:?}: install `mesa-vulkan-drivers`; without a GPU, RADV needs RADV_FORCE_FAMILY, \
                     as in RADV_FORCE_FAMILY=navi21"
                );
            };
            let thresholds = wgpu::MemoryBudgetThresholds::default();
            let instance =
                Instance::from_raw(entry, raw, version, 0, None, extensions, flags, thresholds, false, None)?;
            let adapter = instance.expose_adapter(device).context("wgpu does not support this driver")?;
            Ok(Found { instance, adapter })
        }
    }
}

impl Found {
    /// Returns the names of the GPU and its driver, as reported by the driver.
    pub(crate) fn names(&self) -> [String; 2] {
        let info = &self.adapter.info;
        [info.name.clone(), format!("{} {}", info.driver, info.driver_info)]
    }

    /// Opens a device on which the engine can run, with the limits that it requests.
    pub(crate) fn device(self) -> anyhow::Result<(wgpu::Device, wgpu::Queue)> {
        // SAFETY: instance and adapter belong together, and are passed on once.
        let adapter = unsafe { wgpu::Instance::from_hal::<Api>(self.instance).create_adapter_from_hal(self.adapter) };
        let wanted =
            wgpu::DeviceDescriptor { required_limits: hitmask::gpu::limits_of(&adapter), ..Default::default() };
        Ok(pollster::block_on(adapter.request_device(&wanted))?)
    }

    /// Opens a device whose pipelines capture statistics, below wgpu's checks, which would allocate memory.
    pub(crate) fn compiler(&self) -> anyhow::Result<OpenDevice<Api>> {
        let mut told =
            vk::PhysicalDevicePipelineExecutablePropertiesFeaturesKHR::default().pipeline_executable_info(true);
        let (features, limits, hints) =
            (wgpu::Features::SHADER_INT64, wgpu::Limits::default(), wgpu::MemoryHints::default());
        // SAFETY: RADV has had the extension since Mesa 20; an older one fails to open the device.
        let opened = unsafe {
            self.adapter.adapter.open_with_callback(
                features,
                &limits,
                &hints,
                Some(Box::new(|asked| {
                    asked.extensions.push(executables::NAME);
                    *asked.create_info = std::mem::take(asked.create_info).push_next(&mut told);
                })),
            )
        };
        Ok(opened?)
    }
}
