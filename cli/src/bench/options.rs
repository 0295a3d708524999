//! What `hitmask bench` is asked for.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hitmask::Ask;
use hitmask::cpu::{Broad, Simd};

use super::size::Size;
use crate::engines::Name;

#[derive(Args)]
pub(crate) struct Options {
    /// Standard workloads and scene files; by default boxes, circles, sprites, turned and bullets
    #[arg(value_name = "WORKLOAD|SCENE")]
    pub(super) inputs: Vec<String>,
    /// The numbers of bodies of a workload, by default 1k, 10k and 100k; a scene has its own
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub(super) sizes: Vec<Size>,
    /// The engines; by default cpu, and gpu where there is a hardware GPU or --gpu names one
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(super) backends: Vec<Name>,
    /// How candidate pairs are found; the reference always compares all pairs
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST", default_value = "auto")]
    pub(super) broad: Vec<BroadName>,
    /// What is asked of a step
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST", default_value = "pairs")]
    pub(super) ask: Vec<AskName>,
    /// How many thousandths of the bodies move from frame to frame: 10 for a steady scene
    #[arg(long, value_name = "PERMILLE", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) steady: u32,
    /// Let bodies move within the step as well, each on to where the next step has it: by up to 4 units
    #[arg(long)]
    pub(super) moving: bool,
    /// The threads of the CPU engine; by default one for each core
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    /// The vector instructions of the CPU engine
    #[arg(long, value_enum, default_value_t = SimdName::Best)]
    pub(super) simd: SimdName,
    /// A part of the GPU's name, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`
    #[arg(long, value_name = "NAME")]
    pub(super) gpu: Option<String>,
    /// Time each dispatch on the GPU by itself, and tell the longest: drivers kill one of some seconds
    #[arg(long)]
    pub(super) dispatches: bool,
    /// How many frames are timed; five at least make a median that one slow run does not move
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// How many frames come before them, the first of which is the world as it comes
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) warm_up: u32,
    /// The seconds for a case: once they are spent no more frames are begun, but for one that is timed
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(super) budget: f64,
    /// How the results are written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Write the results to this file; standard output then has them as text
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Draw time over bodies into this SVG file
    #[arg(long, value_name = "FILE.svg")]
    pub(super) plot: Option<PathBuf>,
    /// Say how times have changed since this record, made with `--format json`
    #[arg(long, value_name = "OLD.json")]
    pub(super) compare: Option<PathBuf>,
    /// The commit that the record names; by default that of the checkout of hitmask in which this runs, if it does
    #[arg(long, value_name = "HASH")]
    pub(super) commit: Option<String>,
}

/// How results are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// For people
    Text,
    /// For programs, and for --compare: all samples, the machine, the answers
    Json,
    /// A row for each frame, step and stage
    Csv,
    /// A table for a document
    Markdown,
}

/// A broad phase as it is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BroadName {
    /// Chosen by the number of bodies
    Auto,
    /// Every body against every later one
    AllPairs,
    /// Bodies sorted by place
    Sorted,
}

impl From<BroadName> for Broad {
    fn from(name: BroadName) -> Self {
        match name {
            BroadName::Auto => Self::ByNumber,
            BroadName::AllPairs => Self::AllPairs,
            BroadName::Sorted => Self::Sorted,
        }
    }
}

/// What is asked of a step, each more than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum AskName {
    /// Which bodies hit
    Flags,
    /// All pairs
    Pairs,
    /// All pairs, and what each carries
    Details,
}

impl From<AskName> for Ask {
    fn from(name: AskName) -> Self {
        match name {
            AskName::Flags => Self::Flags,
            AskName::Pairs => Self::Pairs,
            AskName::Details => Self::Details,
        }
    }
}

/// Vector instructions as they are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SimdName {
    /// The widest that this machine has
    Best,
    /// None but those that the compiler finds
    Plain,
    /// 8 lanes
    Avx2,
    /// 16 lanes
    Avx512,
    /// 4 lanes
    Neon,
}

impl SimdName {
    /// Nothing where the engine is to choose.
    pub(super) fn simd(self) -> Option<Simd> {
        match self {
            Self::Best => None,
            Self::Plain => Some(Simd::Plain),
            Self::Avx2 => Some(Simd::Avx2),
            Self::Avx512 => Some(Simd::Avx512),
            Self::Neon => Some(Simd::Neon),
        }
    }
}

/// The name of a value of the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| "a budget is a number of seconds above 0".into())
}
