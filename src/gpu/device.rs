//! Listing, choosing and opening GPUs.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use super::doubt::Doubts;
use super::lock::lock;
use super::modules::Wide;
use super::options::Options;
use crate::ground::error::{Error, Result};

/// An open GPU.
#[derive(Clone, Debug)]
pub(super) struct Gpu {
    pub(super) device: wgpu::Device,
    pub(super) queue: wgpu::Queue,
    /// The 64-bit integers that its shaders use.
    pub(super) wide: Wide,
    /// Whether its shaders keep wgpu's loop counters.
    counts_loops: bool,
    /// The acts whose errors a browser has not told yet. Natively there are none.
    pub(super) doubts: Arc<Mutex<Doubts>>,
    /// True once a browser has reported the device's loss. Not used natively.
    pub(super) lost: Arc<AtomicBool>,
}

impl Gpu {
    /// Wraps an open device, with the given options as far as the device supports them.
    pub(super) fn new(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Self {
        let native = options.int64 != Some(false) && device.features().contains(wgpu::Features::SHADER_INT64);
        let wide = if native { Wide::Native } else { Wide::Words };
        // Lavapipe ends loops early, which `loops_were_cut` notices only with loop counters.
        let software = device.adapter_info().device_type == wgpu::DeviceType::Cpu;
        let counts_loops = software || options.loop_checks;
        let lost = Arc::new(AtomicBool::new(false));
        if cfg!(target_family = "wasm") {
            let lost = Arc::clone(&lost);
            device.set_device_lost_callback(move |_, _| lost.store(true, Ordering::Relaxed));
        }
        Self { device, queue, wide, counts_loops, doubts: Arc::default(), lost }
    }

    /// Returns whether its 64-bit integers are native; tests of native integers skip devices without. On lavapipe,
    /// which has them, it panics if they are not.
    #[cfg(test)]
    pub(super) fn is_native(&self) -> bool {
        let (native, info) = (self.wide == Wide::Native, self.device.adapter_info());
        assert!(native || info.driver != "llvmpipe" || info.backend != wgpu::Backend::Vulkan, "{info:?} has them");
        native
    }

    /// Drops the loop counters, also in software: for functions whose loops are short.
    #[cfg(test)]
    pub(super) fn without_loop_checks(self) -> Self {
        Self { counts_loops: false, ..self }
    }

    /// Creates a shader module from source of the engine.
    pub(super) fn shader(&self, label: &str, source: String) -> wgpu::ShaderModule {
        let descriptor =
            wgpu::ShaderModuleDescriptor { label: Some(label), source: wgpu::ShaderSource::Wgsl(source.into()) };
        if self.counts_loops {
            return self.device.create_shader_module(descriptor);
        }
        let checks = wgpu::ShaderRuntimeChecks { force_loop_bounding: false, ..wgpu::ShaderRuntimeChecks::checked() };
        // SAFETY: the only check that is left out terminates loops that do not terminate by themselves. All modules are
        // the engine's own, and all their loops terminate: the tests of `loops.rs` look at every loop, and no module is
        // created here that they do not see. Accesses are still kept within buffers, and divisions by zero are still
        // defined.
        #[expect(unsafe_code, reason = "wgpu has no other way to leave out this check")]
        unsafe {
            self.device.create_shader_module_trusted(descriptor, checks)
        }
    }
}

/// A description of a GPU, or of a driver that computes in software.
///
/// ```
/// let names: Vec<String> = hitmask::gpu::list().iter().map(ToString::to_string).collect();
/// println!("{}", names.join("\n")); // llvmpipe (LLVM 15.0.6, 256 bits) (vulkan, software)
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct GpuInfo {
    /// The name that the driver reports.
    pub name: String,
    /// "discrete", "integrated", "virtual", "software" or "other".
    pub kind: &'static str,
    /// The graphics API: "vulkan", "metal", "dx12", "gl", "webgpu".
    pub backend: String,
    /// The driver and its version.
    pub driver: String,
    /// Whether the driver computes in software.
    pub software: bool,
    /// The address of the card on the PCI bus, such as "0000:01:00.0"; `None` if the driver does not report it. On
    /// DirectX 12, cards of the same model all have the address of one of them.
    pub pci_address: Option<String>,
}

impl std::fmt::Display for GpuInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({}, {})", self.name, self.backend, self.kind)
    }
}

impl GpuInfo {
    pub(super) fn new(info: &wgpu::AdapterInfo) -> Self {
        let kind = match info.device_type {
            wgpu::DeviceType::DiscreteGpu => "discrete",
            wgpu::DeviceType::IntegratedGpu => "integrated",
            wgpu::DeviceType::VirtualGpu => "virtual",
            wgpu::DeviceType::Cpu => "software",
            wgpu::DeviceType::Other => "other",
        };
        Self {
            name: info.name.clone(),
            kind,
            backend: info.backend.to_string(),
            driver: format!("{} {}", info.driver, info.driver_info).trim().to_owned(),
            software: info.device_type == wgpu::DeviceType::Cpu,
            pci_address: Some(info.device_pci_bus_id.clone()).filter(|address| !address.is_empty()),
        }
    }
}

/// Returns the GPUs that the engine can use: discrete ones first, then integrated, virtual and other ones, and those
/// that compute in software last. None in a browser, which gives a GPU out only to [`Engine::open`].
///
/// [`Engine::open`]: super::Engine::open
///
/// ```
/// let gpus = hitmask::gpu::list();
/// assert!(gpus.is_sorted_by_key(|gpu| gpu.software), "{gpus:?}");
/// ```
#[must_use]
pub fn list() -> Vec<GpuInfo> {
    let mut found = [adapters(&DRIVERS), adapters(&OPENGL)].concat();
    found.sort_by_key(|adapter| preference(&adapter.get_info()));
    found.iter().map(|adapter| GpuInfo::new(&adapter.get_info())).collect()
}

/// Returns the name of the GPU to look for: `name`, else the environment variable `WGPU_ADAPTER_NAME`; `None` if it is
/// blank.
pub(crate) fn wanted(name: Option<&str>) -> Option<String> {
    let name = name.map(str::to_owned).or_else(|| std::env::var("WGPU_ADAPTER_NAME").ok());
    name.filter(|name| !name.trim().is_empty())
}

/// The downlevel capabilities that the engine needs of an adapter. A browser's WebGPU has all of them; OpenGL on old
/// hardware does not.
///
/// ```
/// use hitmask::{gpu, wgpu};
///
/// let usable = |adapter: &wgpu::Adapter| adapter.get_downlevel_capabilities().flags.contains(gpu::NEEDED);
/// # let _ = usable;
/// ```
pub const NEEDED: wgpu::DownlevelFlags = wgpu::DownlevelFlags::COMPUTE_SHADERS;

/// Returns a key by which to sort adapters: discrete GPUs first, then integrated, virtual and other ones, and those
/// that compute in software last; among equals, OpenGL last.
pub(crate) fn preference(info: &wgpu::AdapterInfo) -> impl Ord + use<> {
    let power = match info.device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    };
    (power, info.backend == wgpu::Backend::Gl)
}

/// Returns the limits with which the engine opens an adapter: wgpu's defaults, with the largest buffers that the
/// adapter allows.
///
/// ```
/// use hitmask::{gpu, wgpu};
///
/// let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
/// for adapter in pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all())) {
///     let limits = gpu::limits_of(&adapter);
///     assert_eq!(limits.max_storage_buffers_per_shader_stage, 8);
///     assert!(limits.max_buffer_size >= adapter.limits().max_buffer_size);
/// }
/// ```
#[must_use]
pub fn limits_of(adapter: &wgpu::Adapter) -> wgpu::Limits {
    let (there, usual) = (adapter.limits(), wgpu::Limits::default());
    wgpu::Limits {
        max_buffer_size: there.max_buffer_size.max(usual.max_buffer_size),
        max_storage_buffer_binding_size: there
            .max_storage_buffer_binding_size
            .max(usual.max_storage_buffer_binding_size),
        ..usual
    }
}

/// Drivers of some backends, loaded when first needed. They stay loaded, unless no GPU can be opened with them:
/// NVIDIA's driver for Linux can be loaded only some sixty times in a process, because each time takes a part of the
/// memory that the system reserves for thread-local variables.
struct Drivers {
    backends: wgpu::Backends,
    instance: Mutex<Option<wgpu::Instance>>,
}

impl Drivers {
    const fn new(backends: wgpu::Backends) -> Self {
        Self { backends, instance: Mutex::new(None) }
    }

    /// Returns the drivers' instance. OpenGL has a new one for each caller, because the adapters of an instance share a
    /// context, which only one thread may use at a time; wgpu 30 panics if two do.
    fn instance(&self) -> wgpu::Instance {
        let mut kept = lock(&self.instance);
        if self.backends.contains(wgpu::Backends::GL) {
            *kept = Some(self.load());
        }
        kept.get_or_insert_with(|| self.load()).clone()
    }

    fn load(&self) -> wgpu::Instance {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle_from_env();
        descriptor.backends &= self.backends;
        wgpu::Instance::new(descriptor)
    }

    /// Loads the drivers anew when they are next needed: some see a GPU that was added or replaced only then.
    fn forget(&self) {
        *lock(&self.instance) = None;
    }
}

/// The drivers that are tried first.
static DRIVERS: Drivers = Drivers::new(wgpu::Backends::PRIMARY);
/// OpenGL is tried only if nothing else fits: without a display, it prints a complaint to standard error.
static OPENGL: Drivers = Drivers::new(wgpu::Backends::SECONDARY);

/// Returns the adapters that the engine can use, of those backends that the environment variable `WGPU_BACKEND` allowed
/// when the drivers were loaded, in order of [`preference`].
fn adapters(drivers: &Drivers) -> Vec<wgpu::Adapter> {
    if cfg!(target_family = "wasm") {
        return Vec::new();
    }
    let instance = drivers.instance();
    let mut adapters = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::all()));
    adapters.retain(|adapter| adapter.get_downlevel_capabilities().flags.contains(NEEDED));
    adapters.sort_by_key(|adapter| preference(&adapter.get_info()));
    if adapters.is_empty() {
        drivers.forget();
    }
    adapters
}

/// Finds the adapter that `options` select.
pub(crate) fn find(options: &Options) -> Result<wgpu::Adapter> {
    let wanted = wanted(options.name.as_deref());
    let fits = |adapter: &wgpu::Adapter| {
        let name = adapter.get_info().name.to_lowercase();
        wanted.as_ref().is_none_or(|wanted| name.contains(&wanted.to_lowercase()))
    };
    let first = |drivers| adapters(drivers).into_iter().find(fits);
    let Some(adapter) = first(&DRIVERS).or_else(|| first(&OPENGL)) else {
        let names: Vec<String> = list().iter().map(GpuInfo::to_string).collect();
        let problem = match wanted {
            Some(name) if names.is_empty() => format!("none found, but `{name}` was requested"),
            Some(name) => format!("none has `{name}` in its name; available: {}", names.join(", ")),
            None => "none found that can compute; install a driver (in software: `mesa-vulkan-drivers`), \
                     or use the CPU engine"
                .into(),
        };
        return Err(Error::Gpu { problem });
    };
    check_hardware(&adapter, options)?;
    Ok(adapter)
}

/// Returns an error if the options want hardware and the adapter is software.
fn check_hardware(adapter: &wgpu::Adapter, options: &Options) -> Result<()> {
    let info = GpuInfo::new(&adapter.get_info());
    if options.hardware && info.software {
        return Err(Error::Gpu { problem: format!("none in hardware, only {info}") });
    }
    Ok(())
}

/// Opens a GPU.
pub(super) fn open(options: &Options) -> Result<Gpu> {
    let adapter = find(options)?;
    let descriptor = descriptor(&adapter, options);
    let opened = opened(|| pollster::block_on(adapter.request_device(&descriptor)));
    let (device, queue) = opened.map_err(|error| {
        DRIVERS.forget();
        OPENGL.forget();
        closed(&adapter, &error)
    })?;
    Ok(Gpu::new(device, queue, options))
}

/// Opens the GPU that the browser gives out.
#[cfg(target_family = "wasm")]
pub(super) async fn request(options: &Options) -> Result<Gpu> {
    // Without a page or a worker, such as in Node, wgpu would panic.
    if !wgpu::util::is_browser_webgpu_supported().await {
        return Err(Error::Gpu { problem: "the browser gives none out".into() });
    }
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
    let wanted =
        wgpu::RequestAdapterOptions { power_preference: wgpu::PowerPreference::HighPerformance, ..Default::default() };
    let refused = |error| Error::Gpu { problem: format!("the browser gives none out: {error}") };
    let adapter = instance.request_adapter(&wanted).await.map_err(refused)?;
    check_hardware(&adapter, options)?;
    let opened = adapter.request_device(&descriptor(&adapter, options)).await;
    let (device, queue) = opened.map_err(|error| closed(&adapter, &error))?;
    Ok(Gpu::new(device, queue, options))
}

/// Returns the request for a device of an adapter.
fn descriptor(adapter: &wgpu::Adapter, options: &Options) -> wgpu::DeviceDescriptor<'static> {
    wgpu::DeviceDescriptor {
        label: Some("hitmask"),
        required_limits: options.limits.clone().unwrap_or_else(|| limits_of(adapter)),
        required_features: adapter.features() & wanted_features(options),
        ..Default::default()
    }
}

/// Returns the error of an adapter that could not be opened.
fn closed(adapter: &wgpu::Adapter, error: &dyn std::fmt::Display) -> Error {
    let info = GpuInfo::new(&adapter.get_info());
    Error::Gpu { problem: format!("{info} could not be opened: {error}") }
}

/// Returns the features to open a device with, as far as the adapter has them.
fn wanted_features(options: &Options) -> wgpu::Features {
    let mut features = wgpu::Features::empty();
    features.set(wgpu::Features::TIMESTAMP_QUERY, options.timestamps || options.dispatches);
    features.set(wgpu::Features::SHADER_INT64, options.int64 != Some(false));
    features
}

/// Opens a device, and turns a panic into an error: if the driver has no memory for wgpu's own objects, wgpu 30 panics
/// while it cleans up.
fn opened<R>(
    open: impl FnOnce() -> std::result::Result<R, wgpu::RequestDeviceError>,
) -> std::result::Result<R, String> {
    match catch_unwind(AssertUnwindSafe(open)) {
        Ok(opened) => opened.map_err(|error| error.to_string()),
        Err(panic) => Err(text(&*panic).unwrap_or("wgpu panicked").into()),
    }
}

/// Returns the message of a panic.
pub(super) fn text(panic: &(dyn Any + Send)) -> Option<&str> {
    panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_stay_loaded_unless_they_have_no_gpu() {
        let is_loaded_after = |backends| {
            let drivers = Drivers::new(backends);
            adapters(&drivers);
            lock(&drivers.instance).is_some()
        };
        assert!(is_loaded_after(wgpu::Backends::PRIMARY), "a GPU; `./test --setup` installs one in software");
        assert!(!is_loaded_after(wgpu::Backends::empty()));
    }

    /// Threads list, open, use and close OpenGL's adapters at once, unless `WGPU_BACKEND` chooses other backends.
    #[test]
    #[cfg(target_os = "linux")]
    fn threads_may_use_opengl_at_once() {
        let is_allowed = wgpu::Backends::from_env().is_none_or(|backends| backends.contains(wgpu::Backends::GL));
        let write = |adapter: &wgpu::Adapter| {
            let opened = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor::default()));
            let (device, queue) = opened.unwrap();
            let usage = wgpu::BufferUsages::COPY_DST;
            let descriptor = wgpu::BufferDescriptor { label: None, size: 4096, usage, mapped_at_creation: false };
            queue.write_buffer(&device.create_buffer(&descriptor), 0, &[1; 4096]);
            queue.submit([]);
        };
        let work = || {
            for _ in 0..25 {
                let found = adapters(&OPENGL);
                assert_eq!(!found.is_empty(), is_allowed, "OpenGL; `./test --setup` installs it in software");
                found.iter().for_each(write);
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(work);
            }
        });
    }

    #[test]
    fn a_card_has_its_address_if_the_driver_reports_it() {
        let told = |address: &str| {
            let mut info = wgpu::AdapterInfo::new(wgpu::DeviceType::DiscreteGpu, wgpu::Backend::Vulkan);
            info.device_pci_bus_id = address.to_owned();
            GpuInfo::new(&info).pci_address
        };
        assert_eq!(["", "0000:01:00.0"].map(told), [None, Some("0000:01:00.0".to_owned())]);
    }

    /// A device uses native integers if it was opened with them and the options do not turn them off.
    #[test]
    fn a_device_has_the_integers_that_it_was_opened_with() {
        let opened = |options: &Options| open(options).expect("a GPU; `./test --setup` installs one in software");
        let wide_on = |Gpu { device, queue, .. }: &Gpu, int64| {
            Gpu::new(device.clone(), queue.clone(), &Options::default().int64(int64)).wide
        };
        let without = opened(&Options::default().int64(false));
        assert_eq!(without.device.features(), wgpu::Features::empty());
        assert_eq!([None, Some(true)].map(|int64| wide_on(&without, int64)), [Wide::Words; 2]);
        let with = opened(&Options::default().int64(true));
        if with.is_native() {
            assert_eq!([Some(false), Some(true)].map(|int64| wide_on(&with, int64)), Wide::ALL);
        }
    }
}
