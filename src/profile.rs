//! What the last step of an engine cost, stage by stage.

use std::time::{Duration, Instant};

/// What measures a [`Stage`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    /// The host's clock, from before the stage to behind it.
    Host,
    /// The GPU's own timestamps.
    Gpu,
}

/// A stage of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stage {
    /// Its name: the same in every step, on the CPU and on the GPU where both have it.
    pub name: &'static str,
    /// What it took.
    pub time: Duration,
    /// By which clock.
    pub clock: Clock,
}

/// The stages of a step, in their order; a stage that a step does not need is not there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// The stages. Those of [`Clock::Gpu`] run while the host waits in others.
    pub stages: Vec<Stage>,
    /// The pairs that the broad phase left to the narrow phase.
    pub candidates: u64,
    /// The dispatch that took the GPU longest, by its entry point, where `gpu::Options::dispatches` has each timed.
    pub longest: Option<Stage>,
}

impl Profile {
    /// Forgets all, but keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.stages.clear();
        (self.candidates, self.longest) = (0, None);
    }

    /// Adds to the stage `name` of the host the time since `start`, and gives the time now.
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

    /// Notes of a dispatch what it took.
    #[cfg(feature = "gpu")]
    pub(crate) fn dispatch(&mut self, name: &'static str, time: Duration) {
        if self.longest.is_none_or(|longest| longest.time < time) {
            self.longest = Some(Stage { name, time, clock: Clock::Gpu });
        }
    }
}
