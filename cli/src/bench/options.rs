//! The options of `hitmask bench`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::builder::ArgPredicate;
use clap::{ArgGroup, Args, ValueEnum};
use hitmask::Ask;
use hitmask::cpu::{Broad, Simd};
#[cfg(feature = "gpu")]
use hitmask::gpu;

use super::gate::Limits;
use super::size::Size;
use crate::engines::Backend;

/// The arguments that a suite does not take.
const NOT_WITH_SUITE: [&str; 17] = [
    "inputs",
    "sizes",
    "broad",
    "ask",
    "steady",
    "moving",
    "threads",
    "simd",
    "gpu_path",
    "roofs",
    "dispatches",
    "runs",
    "warm_up",
    "budget",
    "plot",
    "instructions",
    "ci_instructions",
];

// clap no longer requires an option if one is given that the required one excludes. An option that requires another
// therefore excludes all that the other does.
#[derive(Args)]
#[command(group = ArgGroup::new("gate").args(["ci", "ci_instructions"]).multiple(true))]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Options {
    /// Workloads and scene files to measure (default: boxes, circles, sprites, turned, bullets)
    #[arg(value_name = "WORKLOAD|SCENE")]
    pub(super) inputs: Vec<OsString>,
    /// Run the suite `hitmask-1` instead, whose parts are fixed, and score each engine
    #[arg(long, conflicts_with_all = NOT_WITH_SUITE)]
    pub(super) suite: bool,
    /// Run only these parts of the suite, without a score
    #[arg(long, requires = "suite", conflicts_with_all = NOT_WITH_SUITE, value_delimiter = ',', value_name = "PARTS")]
    pub(super) only: Vec<String>,
    /// Numbers of bodies for workloads; a scene has its own (default: 1k,10k,100k)
    #[arg(long, value_delimiter = ',', value_name = "LIST")]
    pub(super) sizes: Vec<Size>,
    /// Engines to measure (default: cpu; also gpu if there is a hardware GPU or with --gpu)
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    pub(super) backends: Vec<Backend>,
    /// How to find candidate pairs; the reference always compares all pairs
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST", default_value = "auto")]
    pub(super) broad: Vec<BroadName>,
    /// Answers to request of each step
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST", default_value = "pairs")]
    pub(super) ask: Vec<AskName>,
    /// Thousandths of the bodies that move from frame to frame, such as 10 for a steady scene
    #[arg(long, value_name = "PERMILLE", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(super) steady: u32,
    /// Also move bodies within the step, to where the next step has them, by up to 4 units
    #[arg(long)]
    pub(super) moving: bool,
    /// Threads of the CPU engine (default: one per core)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(super) threads: Option<u16>,
    /// Vector instructions of the CPU engine
    #[arg(long, value_enum, default_value_t = SimdName::Best)]
    pub(super) simd: SimdName,
    /// Use the first GPU whose name contains NAME, ignoring case (default: `WGPU_ADAPTER_NAME` of the environment)
    #[arg(long, value_name = "NAME")]
    pub(super) gpu: Option<String>,
    /// Switch off one optimization of the GPU engine, to measure its gain
    #[arg(long, value_enum, default_value_t = PathName::Best, value_name = "NAME")]
    pub(super) gpu_path: PathName,
    /// Also measure the limits of the GPU: memory, arithmetic, atomics, transfers, dispatches
    #[arg(long)]
    pub(super) roofs: bool,
    /// Time each GPU dispatch and report the longest; drivers kill dispatches that take seconds
    #[arg(long)]
    pub(super) dispatches: bool,
    /// Also count the instructions of a frame of the CPU engine on one thread, by valgrind: the same on a busy machine
    #[arg(long)]
    pub(super) instructions: bool,
    /// Number of timed frames; with five or more, a slow one does not move the median; with --ci 15 by default
    #[arg(long, value_name = "N", default_value_t = 7, default_value_if("ci", ArgPredicate::IsPresent, "15"),
        value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) runs: u32,
    /// Minimum number of frames before the timed ones, the first of which has the world in its initial state; more run
    /// while each is faster than all before, up to eight times as many, or while `auto` chooses its engine
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) warm_up: u32,
    /// Time limit for a case; once it is spent no frame begins, except that one is always timed. A GPU that counts its
    /// energy takes two seconds more
    #[arg(long, value_name = "SECONDS", default_value = "10", value_parser = seconds)]
    pub(super) budget: f64,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(super) format: Format,
    /// Write the results to FILE, and to standard output as text
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Plot time over number of bodies to an SVG file
    #[arg(long, value_name = "FILE.svg", value_parser = svg)]
    pub(super) plot: Option<PathBuf>,
    /// Write a web page that shows the results to FILE
    #[arg(long, value_name = "FILE.html")]
    pub(super) html: Option<PathBuf>,
    /// Measure nothing, and show these records, made with --format json, on the page of --html
    #[arg(long, value_delimiter = ',', value_name = "LIST", requires = "html", conflicts_with_all = NOT_WITH_SUITE,
        conflicts_with_all = ["suite", "only", "backends", "gpu", "format", "out", "compare", "ci", "junit", "commit"])]
    pub(super) records: Vec<PathBuf>,
    /// Compare with an earlier record, made with --format json
    #[arg(long, value_name = "OLD.json")]
    pub(super) compare: Option<PathBuf>,
    /// Exit with status 1 if a case is slower than in the record of --compare by more than PERCENT, beyond the noise
    #[arg(long, value_name = "PERCENT", requires = "compare", value_parser = percent)]
    pub(super) ci: Option<f64>,
    /// Exit with status 1 if a case takes more instructions than in the record of --compare, by more than PERCENT
    #[arg(long, value_name = "PERCENT", requires_all = ["compare", "instructions"], value_parser = percent)]
    pub(super) ci_instructions: Option<f64>,
    /// Write the verdicts of --ci and --ci-instructions to FILE, in the XML of `JUnit`
    #[arg(long, value_name = "FILE.xml", requires = "gate")]
    pub(super) junit: Option<PathBuf>,
    /// The commit to name in the record (default: that of the hitmask checkout in which this runs)
    #[arg(long, value_name = "HASH")]
    pub(super) commit: Option<String>,
}

impl Options {
    /// Returns the limits of the gate, if there is one.
    pub(super) fn limits(&self) -> Option<Limits> {
        let limits = Limits { time: self.ci, instructions: self.ci_instructions };
        (limits.time.is_some() || limits.instructions.is_some()).then_some(limits)
    }

    /// Returns the files to write, each with its option.
    pub(super) fn written(&self) -> Vec<(&'static str, &Path)> {
        let files = [("--out", &self.out), ("--plot", &self.plot), ("--html", &self.html), ("--junit", &self.junit)];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?))).collect()
    }
}

/// The format of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// Plain text
    Text,
    /// JSON with all samples, the machine and the answers, which --compare reads
    Json,
    /// CSV with a row for each frame, step and stage
    Csv,
    /// Markdown tables
    Markdown,
    /// A line `name = value unit` for each case
    Line,
}

/// A broad phase, as named by `--broad`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BroadName {
    /// Choose by the number of bodies
    Auto,
    /// Compare every body with every later one
    AllPairs,
    /// Sort bodies by position
    Sorted,
}

impl From<BroadName> for Broad {
    fn from(name: BroadName) -> Self {
        match name {
            BroadName::Auto => Self::Auto,
            BroadName::AllPairs => Self::AllPairs,
            BroadName::Sorted => Self::Sorted,
        }
    }
}

/// A kind of answer; each includes the previous one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
pub(super) enum AskName {
    /// The bodies that hit
    Flags,
    /// All pairs that hit
    Pairs,
    /// All pairs that hit, with their details
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

/// Vector instructions, as named by `--simd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum SimdName {
    /// The widest that this machine supports
    Best,
    /// Only those that the compiler chooses
    Plain,
    /// 8 lanes
    Avx2,
    /// 16 lanes
    Avx512,
    /// 4 lanes
    Neon,
}

impl SimdName {
    /// Returns the vector instructions, or `None` to let the engine choose.
    pub(super) fn simd(self) -> Option<Simd> {
        match self {
            Self::Best => None,
            Self::Plain => Some(Simd::Scalar),
            Self::Avx2 => Some(Simd::Avx2),
            Self::Avx512 => Some(Simd::Avx512),
            Self::Neon => Some(Simd::Neon),
        }
    }
}

/// The code path of the GPU engine, as named by `--gpu-path`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum PathName {
    /// All optimizations that suit the GPU
    Best,
    /// No native 64-bit integers: they are built from 32-bit words
    Words,
    /// Keep wgpu's loop counters
    LoopChecks,
    /// No tables in the sorted broad phase: it compares all columns
    NoTables,
    /// Paint turned sprites, sample none
    NoSamples,
}

#[cfg(feature = "gpu")]
impl PathName {
    /// Returns options of an engine on this path.
    pub(super) fn of(self, options: gpu::Options) -> gpu::Options {
        match self {
            Self::Best => options,
            Self::Words => options.int64(false),
            Self::LoopChecks => options.loop_checks(true),
            Self::NoTables => hitmask::internals::without_tables(options),
            Self::NoSamples => hitmask::internals::without_samples(options),
        }
    }
}

/// Returns the name of a value on the command line.
pub(super) fn name_of(value: &impl ValueEnum) -> String {
    value.to_possible_value().map_or(String::new(), |value| value.get_name().to_owned())
}

fn svg(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    is_svg.then_some(path).ok_or_else(|| "a plot is an SVG file, whose name ends in .svg".into())
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| seconds.is_finite() && *seconds > 0.0);
    seconds.ok_or_else(|| "a budget is a number of seconds above 0".into())
}

fn percent(text: &str) -> Result<f64, String> {
    let percent = text.parse().ok().filter(|percent: &f64| percent.is_finite() && *percent >= 0.0);
    percent.ok_or_else(|| "a limit is a number of percent, 0 or more".into())
}
