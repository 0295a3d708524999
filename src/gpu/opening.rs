//! Opening engines and compiling shaders without blocking the caller's thread.

use super::options::Options;
use super::{Engine, ahead};
use crate::ground::error::Result;

impl Engine {
    /// Opens a GPU as [`Engine::with`] does, without blocking the thread: natively another thread opens it, in a
    /// browser the event loop. In a browser this is the GPU that the page is given; [`Options::name`] is ignored, and
    /// without WebGPU there is an [`Error::Gpu`](crate::Error::Gpu).
    ///
    /// Dropping the future before it is ready waits, natively, until the GPU is open.
    ///
    /// ```
    /// use hitmask::{Ask, World, gpu};
    ///
    /// # pollster::block_on(async {
    /// let mut engine = gpu::Engine::open(&gpu::Options::default()).await?;
    /// assert!(engine.run_async(&World::default(), Ask::Pairs).await?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub async fn open(options: &Options) -> Result<Self> {
        #[cfg(target_family = "wasm")]
        return Self::opened(super::device::request(options).await?, options, false).await;
        #[cfg(not(target_family = "wasm"))]
        {
            let options = options.clone();
            native::elsewhere(move || Self::with(&options)).await
        }
    }

    /// Creates an engine on a device that the host program opened, as [`Engine::on`] does, without blocking the thread:
    /// see [`Engine::open`].
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// # let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle_from_env());
    /// # let wanted = wgpu::RequestAdapterOptions::default();
    /// # pollster::block_on(async {
    /// # let adapter = instance.request_adapter(&wanted).await.expect("a GPU");
    /// let opened = adapter.request_device(&wgpu::DeviceDescriptor::default()).await;
    /// let (device, queue) = opened.expect("it opens");
    /// let engine = gpu::Engine::open_on(device.clone(), queue.clone(), &gpu::Options::default()).await?;
    /// assert_eq!(engine.limits(), device.limits());
    /// # Ok::<(), hitmask::Error>(())
    /// # })?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub async fn open_on(device: wgpu::Device, queue: wgpu::Queue, options: &Options) -> Result<Self> {
        #[cfg(target_family = "wasm")]
        return Self::hosted(device, queue, options).await;
        #[cfg(not(target_family = "wasm"))]
        {
            let options = options.clone();
            native::elsewhere(move || Self::on(device, queue, &options)).await
        }
    }

    /// Compiles the shaders that [`Engine::compile`] does, one at a time. In a browser it returns to the event loop in
    /// between, and an error is known only here; natively each shader blocks the thread.
    ///
    /// ```no_run
    /// # async fn load(engine: &hitmask::gpu::Engine) -> hitmask::Result<()> {
    /// engine.compile_async(|done, all| println!("shaders: {done} of {all}")).await
    /// # }
    /// ```
    pub async fn compile_async(&self, mut progress: impl FnMut(usize, usize)) -> Result<()> {
        let (pipelines, gpu) = (&self.shared.pipelines, &self.shared.gpu);
        let passes: Vec<_> = ahead::needed(pipelines).collect();
        progress(0, passes.len());
        for (done, &pass) in passes.iter().enumerate() {
            pipelines.make(&[pass]).map_err(|error| gpu.cause(error))?;
            gpu.settle().await?;
            progress(done + 1, passes.len());
        }
        Ok(())
    }
}

#[cfg(not(target_family = "wasm"))]
mod native {
    //! Opening on another thread.

    use std::future::poll_fn;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicBool;

    use super::{Engine, Options, Result, ahead};
    use crate::ground::arrival::Arrival;
    use crate::ground::background::Background;
    use crate::ground::error::Error;

    /// Opens an engine on another thread.
    pub(super) async fn elsewhere(open: impl FnOnce() -> Result<Engine> + Send + 'static) -> Result<Engine> {
        let arrival = Arrival::new();
        let sender = arrival.clone();
        let _thread = Background::start("hitmask opening", move |_| {
            let panicked = |_| Err(Error::Gpu { problem: "wgpu panicked while opening it".into() });
            sender.deliver(catch_unwind(AssertUnwindSafe(open)).unwrap_or_else(panicked));
        })
        .map_err(|error| Error::Gpu { problem: format!("cannot start a thread to open it on: {error}") })?;
        poll_fn(|context| arrival.poll(context, Option::take)).await
    }

    impl Engine {
        /// As [`Engine::with`], but compiles every shader that a step without contacts may need before it returns,
        /// unless `stop` is set meanwhile.
        pub(crate) fn compiled(options: &Options, stop: &AtomicBool) -> Result<Self> {
            Self::with(&Options { lazy: true, ..options.clone() }).map(|engine| engine.all_made(stop))
        }

        /// As [`Engine::on`], but compiles every shader that a step without contacts may need before it returns,
        /// unless `stop` is set meanwhile.
        pub(crate) fn compiled_on(
            device: wgpu::Device,
            queue: wgpu::Queue,
            options: &Options,
            stop: &AtomicBool,
        ) -> Result<Self> {
            Self::on(device, queue, &Options { lazy: true, ..options.clone() }).map(|engine| engine.all_made(stop))
        }

        fn all_made(self, stop: &AtomicBool) -> Self {
            ahead::make_all(&self.shared.pipelines, stop);
            self
        }
    }
}

/// As the functions of the same name that other threads call natively.
#[cfg(target_family = "wasm")]
impl Engine {
    /// Opens a GPU, and compiles every shader that a step without contacts may need.
    pub(crate) async fn compiled(options: Options) -> Result<Self> {
        let engine = Self::open(&Options { lazy: true, ..options }).await?;
        engine.all_made().await
    }

    /// Creates an engine on an open device, and compiles every shader that a step without contacts may need.
    pub(crate) async fn compiled_on(device: wgpu::Device, queue: wgpu::Queue, options: Options) -> Result<Self> {
        let engine = Self::open_on(device, queue, &Options { lazy: true, ..options }).await?;
        engine.all_made().await
    }

    async fn all_made(self) -> Result<Self> {
        self.compile_async(|_, _| ()).await?;
        Ok(self)
    }
}
