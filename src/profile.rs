//! The cost of the last step of an engine, stage by stage.

use std::time::Duration;

use crate::ground::clock::Instant;

/// The clock that measures a [`Stage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The host's clock, from before the stage to after it.
    Host,
    /// The GPU's own timestamps.
    Gpu,
}

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The name: the same in every step, and on the CPU and the GPU if both have the stage.
    pub name: &'static str,
    /// The time that it took.
    pub time: Duration,
    /// The clock that measured it.
    pub clock: Clock,
}

/// The stages of a step, in order. Stages that a step does not need are absent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Profile {
    /// The stages. Those of [`Clock::Gpu`] run while the host waits in other stages.
    pub stages: Vec<Stage>,
    /// The pairs that the broad phase left to the narrow phase.
    pub candidates: u64,
    /// The dispatch that took the GPU longest, named by its entry point. `None` unless `gpu::Options::dispatches` is
    /// on, which times each dispatch.
    pub longest: Option<Stage>,
}

impl Profile {
    /// Clears the profile, keeping its memory.
    pub(crate) fn clear(&mut self) {
        self.stages.clear();
        (self.candidates, self.longest) = (0, None);
    }

    /// Adds the time since `start` to the host's stage `name`, and returns the current time.
    pub(crate) fn lap(&mut self, name: &'static str, start: Instant) -> Instant {
        let now = Instant::now();
        self.add(name, now - start, Clock::Host);
        now
    }

    /// Adds to the stage `name`.
    pub(crate) fn add(&mut self, name: &'static str, time: Duration, clock: Clock) {
        match self.stages.iter_mut().find(|stage| stage.name == name && stage.clock == clock) {
            Some(stage) => stage.time += time,
            None => self.stages.push(Stage { name, time, clock }),
        }
    }

    /// Records the time of a dispatch.
    #[cfg(feature = "gpu")]
    pub(crate) fn dispatch(&mut self, name: &'static str, time: Duration) {
        if self.longest.is_none_or(|longest| longest.time < time) {
            self.longest = Some(Stage { name, time, clock: Clock::Gpu });
        }
    }
}
