//! Options of the GPU engine.

use crate::broad::Broad;
use crate::ground::error::{Error, Result};

/// Options for choosing and opening a GPU, and for the engine that runs on it. Start from [`Options::default`];
/// each method changes one option.
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
    /// Whether to leave out the thread that compiles pipelines ahead: for callers that compile all of them at once, and
    /// for tests that count them.
    pub(crate) lazy: bool,
    /// Whether to look columns up in tables in the sorted broad phase. Default, also for `None`: only on hardware.
    pub(crate) tables: Option<bool>,
    /// Whether to sample pairs of small turned sprites, not paint them. Default, also for `None`: only on hardware.
    pub(crate) samples: Option<bool>,
}

impl Options {
    /// Selects the GPU whose name contains `name`, ignoring case. Without a name, the environment variable
    /// `WGPU_ADAPTER_NAME` selects it, and without that it is the most powerful GPU.
    ///
    /// ```
    /// let options = hitmask::gpu::Options::default().name(Some("radeon"));
    /// assert_eq!(options.name.as_deref(), Some("radeon"));
    /// ```
    #[must_use]
    pub fn name(self, name: Option<&str>) -> Self {
        Self { name: name.map(str::to_owned), ..self }
    }

    /// Sets whether to reject drivers that compute in software. By default one is used if there is nothing else, or if
    /// its name is given.
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

    /// Sets the limits with which the GPU is opened. Default, also for `None`: [`limits_of`](super::limits_of) its
    /// adapter.
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

    /// Sets the maximum number of candidate pairs in memory at once, at least 1; a step with more takes several runs.
    /// Default, also for `None`: as many as fit in a buffer.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().candidates(1 << 20).candidates, Some(1 << 20));
    /// ```
    #[must_use]
    pub fn candidates(self, candidates: impl Into<Option<u32>>) -> Self {
        Self { candidates: candidates.into(), ..self }
    }

    /// Sets how candidate pairs are found. By default bodies are sorted if there are 4,096 or more.
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

    /// Sets the maximum number of steps in flight, at least 1, each with its own buffers. As many worlds can take turns
    /// on the engine without being uploaded anew. Default, also for `None`: 2.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().frames(1).frames, Some(1));
    /// ```
    #[must_use]
    pub fn frames(self, frames: impl Into<Option<u32>>) -> Self {
        Self { frames: frames.into(), ..self }
    }

    /// Sets whether to time the stages of a step on the GPU, if it supports that: see
    /// [`Engine::profile`](super::Engine::profile). A device that the host program opens needs the feature
    /// `TIMESTAMP_QUERY` for it. Default: false.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().timestamps(true).timestamps);
    /// ```
    #[must_use]
    pub fn timestamps(self, timestamps: bool) -> Self {
        Self { timestamps, ..self }
    }

    /// Sets whether to time each dispatch, to find the longest: [`Profile::longest`](crate::profile::Profile). (Drivers
    /// kill a dispatch that takes a few seconds.) It needs the same feature as [`Options::timestamps()`], and makes
    /// steps a little slower. Default: false.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().dispatches(true).dispatches);
    /// ```
    #[must_use]
    pub fn dispatches(self, dispatches: bool) -> Self {
        Self { dispatches, ..self }
    }

    /// Sets whether to skip the self-test of the GPU. By default, creating an engine tests the GPU's integer arithmetic
    /// against known answers, and a GPU that computes wrongly is an [`Error::GpuWrong`](crate::Error::GpuWrong). In
    /// software (lavapipe) the test takes 0.1 s, a tenth of the time to the first answer.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().trusted(true).trusted);
    /// ```
    #[must_use]
    pub fn trusted(self, trusted: bool) -> Self {
        Self { trusted, ..self }
    }

    /// Sets whether shaders use native 64-bit integers if the device has wgpu's feature `SHADER_INT64`; a host program
    /// that opens the device has to request it. Otherwise shaders build 64-bit integers from 32-bit words, which works
    /// on every WebGPU device, with the same answers. Default, also for `None`: true.
    ///
    /// ```
    /// assert_eq!(hitmask::gpu::Options::default().int64(false).int64, Some(false));
    /// ```
    #[must_use]
    pub fn int64(self, int64: impl Into<Option<bool>>) -> Self {
        Self { int64: int64.into(), ..self }
    }

    /// Sets whether to keep wgpu's loop counters, which force every shader loop to terminate. All loops of the engine
    /// terminate by themselves; its tests check each one. Default: off on hardware. Software GPUs and browsers always
    /// have the counters.
    ///
    /// ```
    /// assert!(hitmask::gpu::Options::default().loop_checks(true).loop_checks);
    /// ```
    #[must_use]
    pub fn loop_checks(self, loop_checks: bool) -> Self {
        Self { loop_checks, ..self }
    }

    /// Returns an error if an option has a value with which no step could run.
    pub(crate) fn check(&self) -> Result<()> {
        let zero = [("frames", self.frames), ("candidates", self.candidates)].into_iter().find(|at| at.1 == Some(0));
        zero.map_or(Ok(()), |(field, _)| Err(Error::value(field, 0, "be at least 1")))
    }
}
