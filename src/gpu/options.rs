//! How a GPU is chosen and opened, and how the engine works on it.

use crate::broad::Broad;

/// How a GPU is chosen and opened, and how the engine works on it. Begins as [`Options::default`]; each method changes
/// one thing.
///
/// ```
/// use hitmask::gpu::{Broad, Options};
///
/// let options = Options::default().broad(Broad::Sorted).frames(3);
/// assert_eq!((options.broad, options.frames, options.timestamps), (Broad::Sorted, Some(3), false));
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is a choice by itself")]
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// See [`Options::name()`].
    pub name: Option<String>,
    /// See [`Options::hardware()`].
    pub hardware: bool,
    /// See [`Options::limits()`].
    pub limits: Option<wgpu::Limits>,
    /// See [`Options::candidates()`].
    pub candidates: Option<u32>,
    /// See [`Options::broad()`].
    pub broad: Broad,
    /// See [`Options::frames()`].
    pub frames: Option<u32>,
    /// See [`Options::timestamps()`].
    pub timestamps: bool,
    /// See [`Options::dispatches()`].
    pub dispatches: bool,
    /// See [`Options::trusted()`].
    pub trusted: bool,
    /// See [`Options::int64()`].
    pub int64: Option<bool>,
    /// See [`Options::loop_checks()`].
    pub loop_checks: bool,
    /// Whether no pipeline is made before a step needs it: for whoever makes them all at once, and for tests, which
    /// count them.
    pub(super) lazy: bool,
    /// Whether the sorted broad phase looks columns up in tables, and pairs of turned sprites are sampled, as on
    /// hardware: for tests, in software.
    pub(crate) as_hardware: Option<bool>,
}

impl Options {
    /// A part of the GPU's name, in whatever case. Without one, the environment's `WGPU_ADAPTER_NAME` counts, and
    /// without that the most powerful GPU is taken.
    ///
    /// ```
    /// let options = hitmask::gpu::Options::default().name(Some("radeon"));
    /// assert_eq!(options.name.as_deref(), Some("radeon"));
    /// ```
    #[must_use]
    pub fn name(self, name: Option<&str>) -> Self {
        Self { name: name.map(str::to_owned), ..self }
    }

    /// Whether a driver that computes in software is refused. By default it is taken where nothing else is there, or
    /// its name is asked for.
    ///
    /// ```
    /// use hitmask::gpu::{Engine, Options};
    ///
    /// if let Ok(engine) = Engine::with(&Options::default().hardware(true)) {
    ///     assert!(!engine.info().software);
    /// }
    /// ```
    #[must_use]
    pub fn hardware(self, hardware: bool) -> Self {
        Self { hardware, ..self }
    }

    /// The limits that the GPU is opened with. By default, or with `None`, those of [`limits_of`](super::limits_of).
    ///
    /// ```
    /// use hitmask::{gpu, wgpu};
    ///
    /// let limits = wgpu::Limits { max_buffer_size: 1 << 20, ..wgpu::Limits::default() };
    /// assert_eq!(gpu::Options::default().limits(limits.clone()).limits, Some(limits));
    /// ```
    #[must_use]
    pub fn limits(self, limits: impl Into<Option<wgpu::Limits>>) -> Self {
        Self { limits: limits.into(), ..self }
    }

    /// The most candidate pairs that are held at once, at least 1; where there are more, a step takes several runs. By
    /// default, or with `None`, as many as a buffer holds.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().candidates(1 << 20).candidates, Some(1 << 20));
    /// ```
    #[must_use]
    pub fn candidates(self, candidates: impl Into<Option<u32>>) -> Self {
        Self { candidates: candidates.into(), ..self }
    }

    /// How candidate pairs are found. By default bodies are sorted from 4,096 on.
    ///
    /// ```
    /// use hitmask::gpu::{self, Broad};
    ///
    /// assert_eq!(gpu::Options::default().broad(Broad::AllPairs).broad, Broad::AllPairs);
    /// ```
    #[must_use]
    pub fn broad(self, broad: Broad) -> Self {
        Self { broad, ..self }
    }

    /// The steps that may be in flight at once, at least 1, each with buffers of its own. By default, or with `None`,
    /// 2.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().frames(1).frames, Some(1));
    /// ```
    #[must_use]
    pub fn frames(self, frames: impl Into<Option<u32>>) -> Self {
        Self { frames: frames.into(), ..self }
    }

    /// Whether the stages of a step are timed on the GPU, where it can do that: see
    /// [`Engine::profile`](super::Engine::profile). A host's own device needs the feature `TIMESTAMP_QUERY` for it. By
    /// default they are not.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().timestamps(true).timestamps);
    /// ```
    #[must_use]
    pub fn timestamps(self, timestamps: bool) -> Self {
        Self { timestamps, ..self }
    }

    /// Whether each dispatch is timed, which tells the longest: [`Profile::longest`](crate::profile::Profile). Drivers
    /// kill a dispatch of some seconds. That needs what [`Options::timestamps()`] needs, and takes a little longer. By
    /// default they are not.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().dispatches(true).dispatches);
    /// ```
    #[must_use]
    pub fn dispatches(self, dispatches: bool) -> Self {
        Self { dispatches, ..self }
    }

    /// Whether the GPU is trusted, and not asked for its arithmetic when an engine is made on it. By default it is
    /// asked, and one that answers wrongly refused as [`Error::GpuWrong`](crate::Error::GpuWrong). On a GPU in software
    /// (lavapipe) that takes 0.1 s, a tenth of the time from nothing to a first answer.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().trusted(true).trusted);
    /// ```
    #[must_use]
    pub fn trusted(self, trusted: bool) -> Self {
        Self { trusted, ..self }
    }

    /// Whether shaders compute with the GPU's own integers of 64 bits, where it has these: wgpu's feature
    /// `SHADER_INT64`, for which a host has to open its device. Else they make such integers of words of 32 bits, as
    /// everything that knows WebGPU can; answers are the same. By default, or with `None`, they do.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().int64(false).int64, Some(false));
    /// ```
    #[must_use]
    pub fn int64(self, int64: impl Into<Option<bool>>) -> Self {
        Self { int64: int64.into(), ..self }
    }

    /// Whether shaders count the turns of each of their loops, to end those that would not end, as wgpu has it of
    /// shaders that it does not know. The engine's loops all end by themselves, which its own tests see to. By default
    /// they are not counted on hardware; on GPUs in software and in browsers they always are.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().loop_checks(true).loop_checks);
    /// ```
    #[must_use]
    pub fn loop_checks(self, loop_checks: bool) -> Self {
        Self { loop_checks, ..self }
    }
}
