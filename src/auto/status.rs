//! The status of the automatic engine: its current engine, and why.

use std::fmt;
use std::time::Duration;

use crate::ground::error::Error;

/// The engine that answered the last step, and why: from [`Engine::status`](super::Engine::status). It displays as one
/// readable line.
///
/// ```
/// let status = hitmask::auto::Engine::new()?.status();
/// assert_eq!(status.to_string(), "cpu: too few steps were measured");
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Status {
    /// The engine: "cpu" or "gpu"; before the first step, the one that will answer it.
    pub engine: &'static str,
    /// The reason why that engine answered.
    pub why: Why,
    /// The median time of recent steps of this kind on the CPU, if measured. If the GPU answers, it is from the last
    /// trial.
    pub cpu: Option<Duration>,
    /// The median time on the GPU, likewise. If the CPU answers, it is from the last trial.
    pub gpu: Option<Duration>,
}

/// The reason why an engine answers.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Why {
    /// Too few steps of this kind were measured.
    Unmeasured,
    /// The CPU takes less than a millisecond.
    Cheap,
    /// The CPU takes longer, and a GPU is being opened on a thread.
    Opening,
    /// This engine is being tried against the other one.
    Trial,
    /// The other engine was tried, and is not cheaper by a fifth.
    Cheaper,
    /// There is no GPU to try, it has failed, or a world of this kind does not fit on it, with this error.
    NoGpu(Error),
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.engine, self.why)?;
        let known = [("cpu", self.cpu), ("gpu", self.gpu)];
        let mut between = " (";
        for (name, time) in known.into_iter().filter_map(|(name, time)| time.map(|time| (name, time))) {
            write!(f, "{between}{name} {:.2} ms", 1e3 * time.as_secs_f64())?;
            between = ", ";
        }
        f.write_str(if between == ", " { " a step)" } else { "" })
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unmeasured => f.write_str("too few steps were measured"),
            Self::Cheap => f.write_str("its steps are too short to try a GPU"),
            Self::Opening => f.write_str("a GPU is being opened"),
            Self::Trial => f.write_str("it is being tried"),
            Self::Cheaper => f.write_str("the other engine is not clearly cheaper"),
            Self::NoGpu(error) => write!(f, "no GPU can be tried: {error}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_a_line() {
        let ms = |ms: f64| Some(Duration::from_secs_f64(ms / 1e3));
        let line = |why, cpu, gpu| Status { engine: "cpu", why, cpu, gpu }.to_string();
        assert_eq!(line(Why::Cheap, ms(0.25), None), "cpu: its steps are too short to try a GPU (cpu 0.25 ms a step)");
        let both = line(Why::Cheaper, ms(2.0), ms(3.25));
        assert_eq!(both, "cpu: the other engine is not clearly cheaper (cpu 2.00 ms, gpu 3.25 ms a step)");
        let none = Why::NoGpu(Error::Gpu { problem: "there is none".into() });
        assert_eq!(line(none, None, None), "cpu: no GPU can be tried: GPU: there is none");
    }
}
