//! What the user wants: changed by keys, by the panel and by arguments, made true by the game and the view.

use std::path::PathBuf;

use clap::ValueEnum;
use hitmask::Touch;
use hitmask::cpu::Broad;

use crate::scenes::Kind;

/// Which engine answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Backend {
    /// The GPU that also draws
    Gpu,
    /// All cores of the CPU
    Cpu,
    /// The CPU, or a hardware GPU of its own where that is cheaper
    Auto,
    /// The definition of a hit, spelled out; slow
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

/// The most bodies that the reference is asked about: it looks at all pairs, pixel by pixel.
pub(crate) const REFERENCE_BODIES: usize = 3_000;

/// Where bodies come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    Kind(Kind),
    /// A scene file, read again where it changes.
    File(PathBuf),
}

/// What there is to be.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub(crate) struct Controls {
    pub(crate) source: Source,
    /// How many bodies; that of a scene file is its own.
    pub(crate) bodies: usize,
    pub(crate) backend: Backend,
    pub(crate) broad: Broad,
    pub(crate) touch: Touch,
    /// Whether motions are swept.
    pub(crate) swept: bool,
    pub(crate) paused: bool,
    /// What is drawn beside the bodies: the pixels that two share, bounds, pairs whose bounds meet, ways.
    pub(crate) lit: bool,
    pub(crate) bounds: bool,
    pub(crate) candidates: bool,
    pub(crate) paths: bool,
    /// Whether the panel is there.
    pub(crate) panel: bool,
}

impl Controls {
    /// Takes another scene, as it is by default.
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
}
