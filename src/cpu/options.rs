//! How the CPU engine works.

use crate::broad::Broad;
use crate::simd::Simd;

/// How the CPU engine works. Begins as [`Options::default`]; each method changes one thing.
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
    /// The number of threads, with the caller's, at most [`MOST_THREADS`](super::MOST_THREADS); by default 0, which
    /// stands for one for each core. Where the system starts fewer, the engine works on those: see
    /// [`Engine::threads`](super::Engine::threads).
    ///
    /// On a machine that is busy with other work, a step does not wait for threads that the system has put to sleep:
    /// the caller does most steps alone then, and tries again from time to time. A game that keeps all cores busy
    /// itself, with a pool of its own, is best off with 1: a step then costs what one thread takes, and never waits.
    ///
    /// ```
    /// assert_eq!(hitmask::cpu::Options::default().threads(2).threads, 2);
    /// ```
    #[must_use]
    pub fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// How candidate pairs are found. By default bodies are sorted where there are more than 64.
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

    /// The vector instructions. By default, or with `None`, the widest that the machine has.
    ///
    /// ```
    /// use hitmask::cpu::{Simd, self};
    ///
    /// assert_eq!(cpu::Options::default().simd(Simd::Plain).simd, Some(Simd::Plain));
    /// ```
    #[must_use]
    pub fn simd(self, simd: impl Into<Option<Simd>>) -> Self {
        Self { simd: simd.into(), ..self }
    }
}
