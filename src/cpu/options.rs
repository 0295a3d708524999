//! The options of the CPU engine.

use crate::broad::Broad;
use crate::simd::Simd;

/// The options of the CPU engine. Start from [`Options::default`]; each method changes one option.
///
/// ```
/// use hitmask::cpu::{Broad, Options};
///
/// let options = Options::default().threads(2).broad(Broad::Sorted);
/// assert_eq!((options.threads, options.broad, options.simd), (2, Broad::Sorted, None));
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// See [`Options::threads()`].
    pub threads: usize,
    /// See [`Options::broad()`].
    pub broad: Broad,
    /// See [`Options::simd()`].
    pub simd: Option<Simd>,
}

impl Options {
    /// Sets the number of threads, including the caller's, at most [`MOST_THREADS`](super::MOST_THREADS). The default,
    /// 0, stands for one thread for each core. If the system starts fewer, the engine works with those: see
    /// [`Engine::threads`](super::Engine::threads).
    ///
    /// On a machine that is busy with other work, a step does not wait for threads that the system has put to sleep:
    /// the caller then does most steps alone, and tries the others again from time to time. If your game keeps all
    /// cores busy with a pool of its own, set this to 1: a step then takes single-threaded time but never waits.
    ///
    /// ```
    /// assert_eq!(hitmask::cpu::Options::default().threads(2).threads, 2);
    /// ```
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets how candidate pairs are found. By default bodies are sorted if there are more than 64.
    ///
    /// ```
    /// use hitmask::cpu::{Broad, self};
    ///
    /// assert_eq!(cpu::Options::default().broad(Broad::AllPairs).broad, Broad::AllPairs);
    /// ```
    #[must_use]
    pub fn broad(self, broad: Broad) -> Self {
        Self { broad, ..self }
    }

    /// Sets the vector instructions. The default, `None`, uses the widest that the machine has.
    ///
    /// ```
    /// use hitmask::cpu::{Simd, self};
    ///
    /// assert_eq!(cpu::Options::default().simd(Simd::Scalar).simd, Some(Simd::Scalar));
    /// ```
    #[must_use]
    pub fn simd(self, simd: impl Into<Option<Simd>>) -> Self {
        Self { simd: simd.into(), ..self }
    }
}
