//! The device that draws, which the engine shares.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::Context;
use hitmask::{gpu, internals, wgpu};
use winit::event_loop::OwnedDisplayHandle;
use winit::window::Window;

use crate::platform;

/// Errors of the device that no call returned.
#[derive(Default)]
pub(crate) struct Faults {
    /// Whether there was any error that no scope caught: of validation, memory or the driver.
    any: AtomicBool,
    /// The reason why the device was lost.
    lost: Mutex<Option<String>>,
}

impl Faults {
    pub(crate) fn any(&self) -> bool {
        self.any.load(Ordering::Relaxed)
    }

    pub(crate) fn lost(&self) -> Option<String> {
        self.lost.lock().ok().and_then(|lost| lost.clone())
    }
}

/// A device that can draw.
pub(crate) struct Host {
    pub(crate) adapter: wgpu::Adapter,
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    /// Whether it can compute as the engine requires.
    pub(crate) computes: bool,
    pub(crate) faults: Arc<Faults>,
}

impl Host {
    /// Opens an adapter that needs no window.
    pub(crate) fn headless() -> anyhow::Result<Self> {
        pollster::block_on(first(async |backends| Self::open(&instance(backends, None).await, None).await))
    }

    /// Opens an adapter that can draw in a window, and the window's surface.
    pub(crate) async fn in_window(
        display: &OwnedDisplayHandle,
        window: &Arc<Window>,
    ) -> anyhow::Result<(Self, wgpu::Instance, wgpu::Surface<'static>)> {
        first(async |backends| {
            let instance = instance(backends, Some(Box::new(display.clone()))).await;
            let surface = instance.create_surface(Arc::clone(window)).context(platform::NO_SURFACE)?;
            let host = Self::open(&instance, Some(&surface)).await?;
            Ok((host, instance, surface))
        })
        .await
    }

    /// Opens the best adapter: one whose name matches the environment's `WGPU_ADAPTER_NAME`, if set; among these one
    /// that can compute, then hardware before software. It must be able to draw on `surface`.
    async fn open(instance: &wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> anyhow::Result<Self> {
        let mut adapters = platform::adapters(instance, surface).await;
        if let Some(surface) = surface {
            adapters.retain(|adapter| adapter.is_surface_supported(surface));
        }
        let names: Vec<String> = adapters.iter().map(|adapter| adapter.get_info().name).collect();
        let wanted = internals::wanted(None);
        if let Some(wanted) = &wanted {
            let fits = |name: &str| name.to_lowercase().contains(&wanted.to_lowercase());
            adapters.retain(|adapter| fits(&adapter.get_info().name));
        }
        let computes = |adapter: &wgpu::Adapter| {
            adapter.get_downlevel_capabilities().flags.contains(gpu::NEEDED)
                && wgpu::Limits::default().check_limits(&adapter.limits())
        };
        let best =
            adapters.into_iter().min_by_key(|adapter| (!computes(adapter), internals::preference(&adapter.get_info())));
        let adapter = best.with_context(|| match &wanted {
            Some(wanted) if names.is_empty() => format!("no GPU can draw here, but `{wanted}` was requested"),
            Some(wanted) => {
                format!("no GPU that can draw here has `{wanted}` in its name; available: {}", names.join(", "))
            }
            None => platform::NO_GPU.into(),
        })?;
        let computes = computes(&adapter);
        Self::on(adapter, computes).await
    }

    async fn on(adapter: wgpu::Adapter, computes: bool) -> anyhow::Result<Self> {
        let required_limits = if computes { gpu::limits_of(&adapter) } else { adapter.limits() };
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("hitmask-demo"),
            required_limits,
            // To measure the engine's stages.
            required_features: adapter.features() & wgpu::Features::TIMESTAMP_QUERY,
            ..Default::default()
        });
        let name = adapter.get_info().name;
        let (device, queue) = request.await.with_context(|| format!("{name} could not be opened"))?;
        let faults = Arc::new(Faults::default());
        let seen = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            seen.any.store(true, Ordering::Relaxed);
            platform::complain(&format!("error: {error}"));
        }));
        let seen = Arc::clone(&faults);
        device.set_device_lost_callback(move |reason, message| {
            // The callback is also called when the device is dropped.
            if reason != wgpu::DeviceLostReason::Destroyed
                && let Ok(mut lost) = seen.lost.lock()
            {
                *lost = Some(message);
            }
        });
        Ok(Self { adapter, device, queue, computes, faults })
    }

    /// Returns the adapter's name.
    pub(crate) fn name(&self) -> String {
        self.adapter.get_info().name
    }

    /// Returns whether scenes start with few bodies: on a software GPU, or where the CPU engine has one thread.
    pub(crate) fn is_slow(&self) -> bool {
        platform::IS_SLOW || self.adapter.get_info().device_type == wgpu::DeviceType::Cpu
    }
}

/// Tries the primary interfaces, then OpenGL, which complains on standard error if there is no display.
async fn first<T>(open: impl AsyncFn(wgpu::Backends) -> anyhow::Result<T>) -> anyhow::Result<T> {
    match open(wgpu::Backends::PRIMARY).await {
        Ok(opened) => Ok(opened),
        Err(error) => open(wgpu::Backends::SECONDARY).await.map_err(|_| error),
    }
}

/// Creates an instance for some interfaces, out of those that the environment's `WGPU_BACKEND` allows.
async fn instance(
    backends: wgpu::Backends,
    display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>,
) -> wgpu::Instance {
    let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
    descriptor.backends &= backends;
    descriptor.display = display;
    // A canvas on which WebGPU has failed cannot be used for WebGL. Natively this is `wgpu::Instance::new`.
    wgpu::util::new_instance_with_webgpu_detection(descriptor).await
}
