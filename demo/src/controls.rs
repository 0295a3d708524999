//! The user's choices. Keys, the panel and arguments change them; the game and the view put them into effect.

use std::path::PathBuf;

use clap::ValueEnum;
use hitmask::Touch;
use hitmask::cpu::Broad;

use crate::scenes::Kind;

/// The engine that answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// The GPU that also draws
    Gpu,
    /// All CPU cores
    Cpu,
    /// The CPU, or a hardware GPU of its own while that is faster
    Auto,
    /// The reference: the definition of a hit, written out; slow
    Reference,
}

impl Backend {
    pub(crate) const ALL: [Self; 4] = [Self::Gpu, Self::Cpu, Self::Auto, Self::Reference];

    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Gpu => "GPU",
            Self::Cpu => "CPU",
            Self::Auto => "auto",
            Self::Reference => "reference",
        }
    }
}

/// The engine that answers, and its broad phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) backend: Backend,
    pub(crate) broad: Broad,
}

/// The maximum number of bodies for the reference, which compares all pairs, pixel by pixel.
pub(crate) const REFERENCE_BODIES: usize = 3_000;

/// The source of the bodies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Kind(Kind),
    /// A scene file, which is reloaded when it changes.
    File(PathBuf),
}

/// The choices.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Controls {
    pub(crate) source: Source,
    /// The requested number of bodies; a scene file has its own.
    pub(crate) bodies: usize,
    pub(crate) choice: Choice,
    pub(crate) touch: Touch,
    /// Whether motions are swept within the step.
    pub(crate) swept: bool,
    pub(crate) paused: bool,
    /// Extras to draw: pixels that two bodies share, bounds, pairs whose bounds overlap, and paths.
    pub(crate) lit: bool,
    pub(crate) bounds: bool,
    pub(crate) candidates: bool,
    pub(crate) paths: bool,
    /// Whether to show the panel.
    pub(crate) panel: bool,
}

impl Controls {
    /// Chooses another scene, with its defaults.
    pub(crate) fn open(&mut self, source: Source, software: bool) {
        if let Source::Kind(kind) = source {
            self.bodies = kind.bodies(software);
            self.swept = kind.sweeps();
            self.paths = kind.sweeps();
        } else {
            self.swept = true;
            self.paths = true;
        }
        self.source = source;
    }

    /// Returns an error if there are more bodies than the engine should have.
    pub(crate) fn check(&self) -> anyhow::Result<()> {
        let is_slow = self.choice.backend == Backend::Reference && self.bodies > REFERENCE_BODIES;
        anyhow::ensure!(!is_slow, "the reference is slow: at most {REFERENCE_BODIES} bodies");
        Ok(())
    }
}
