//! Changes the shaders, or the library's Rust, one operator, constant or statement at a time, and counts the changes
//! that the tests notice.
//!
//! A change that no test notices is either a gap in the tests, or changes no answer: a bound that costs time alone, or
//! room to spare. `accepted.csv` lists those, with reasons. No mutant needs a build of its own: the text of a shader is
//! replaced at run time, and all mutants of Rust are in one build, each behind a switch.
//!
//! ```sh
//! hitmask-mutants list shared/wide.wgsl                       # the mutants of a file
//! hitmask-mutants shaders --units U --suite S --sample 300    # judges a sample, by these two test programs
//! hitmask-mutants sources src/world --sample 1000             # builds and judges a sample
//! ```

mod accepted;
mod campaign;
mod mutant;
mod number;
mod operator;
mod order;
mod process;
mod shaders;
mod sources;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::{Args, Parser, Subcommand};

use accepted::Accepted;
use campaign::{Judge, Plan};
use mutant::Mutant;
use order::Shard;
use shaders::File;
use sources::Source;

/// Changes the shaders, or the library's Rust, one operator, constant or statement at a time, and counts the changes
/// that the tests notice
#[derive(Parser)]
#[command(name = "hitmask-mutants", version)]
struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// List the mutants
    List(Files),
    /// Judge mutants of shaders in random order, and count
    Shaders(Shaders),
    /// Build mutants of the library's Rust, judge them in random order, and count
    Sources(Campaign),
    /// Judge the shader that `HITMASK_SHADER` replaces, in this process
    #[command(hide = true)]
    Battery {
        file: PathBuf,
        /// Only check that the modules are valid
        #[arg(long)]
        validate: bool,
    },
}

#[derive(Args)]
struct Files {
    /// Files or folders such as `shared/wide.wgsl` or `src/world` (default: all)
    files: Vec<String>,
    /// Files or folders to leave out
    #[arg(long, value_name = "FILE")]
    skip: Vec<String>,
}

#[derive(Args)]
struct Shaders {
    #[command(flatten)]
    campaign: Campaign,
    /// The program of the library's unit tests
    #[arg(long, value_name = "PROGRAM")]
    units: PathBuf,
    /// The program of the suite
    #[arg(long, value_name = "PROGRAM")]
    suite: PathBuf,
}

#[derive(Args)]
struct Campaign {
    #[command(flatten)]
    files: Files,
    /// Number of mutants (default: all)
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed of the random order
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// The part of the mutants to judge, such as 2/5, the second of five
    #[arg(long, value_name = "K/N", value_parser = Shard::parse)]
    shard: Option<Shard>,
    /// Only those mutants that `accepted.csv` lists
    #[arg(long)]
    accepted: bool,
    /// Begin no mutant after this many seconds
    #[arg(long, value_name = "S", default_value_t = u64::MAX)]
    seconds: u64,
    /// Number of mutants judged at a time
    #[arg(long, value_name = "N", default_value_t = 2)]
    jobs: usize,
    /// Fail if less than this part is caught, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0)]
    least: f64,
    /// Print each verdict, not only the mutants that are missed
    #[arg(long)]
    verbose: bool,
}

/// Returns the root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

impl Files {
    /// Keeps the mutants of the files. An error names a file or folder that has none.
    fn of(&self, mut mutants: Vec<Mutant>) -> anyhow::Result<Vec<Mutant>> {
        let is_in = |mutant: &Mutant, name: &str| {
            mutant
                .file
                .strip_prefix(name.trim_end_matches('/'))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let names = || self.files.iter().chain(&self.skip);
        if let Some(name) = names().find(|name| !mutants.iter().any(|mutant| is_in(mutant, name))) {
            bail!(
                "`{name}` has no mutants; files are called `shared/wide.wgsl`, `stages/land.wgsl` or `src/queries.rs`"
            );
        }
        mutants.retain(|mutant| {
            let is_one_of = |names: &[String]| names.iter().any(|name| is_in(mutant, name));
            (self.files.is_empty() || is_one_of(&self.files)) && !is_one_of(&self.skip)
        });
        Ok(mutants)
    }
}

impl Campaign {
    /// Returns the mutants to judge, in their order.
    fn choose(&self, all: &[Mutant], accepted: &[Accepted]) -> anyhow::Result<Vec<Mutant>> {
        let mut mutants = self.files.of(all.to_vec())?;
        let possible = mutants.len();
        if self.accepted {
            mutants.retain(|mutant| accepted.iter().any(|entry| entry.names(mutant)));
        }
        order::shuffle(&mut mutants, self.seed);
        mutants.truncate(self.sample.unwrap_or(usize::MAX));
        if let Some(shard) = self.shard {
            mutants = shard.take(mutants);
        }
        println!("{} of {possible} mutants", mutants.len());
        Ok(mutants)
    }

    /// Has mutants judged, and prints the outcome.
    fn judge(
        &self,
        judge: &dyn Judge,
        mutants: &[Mutant],
        accepted: &[Accepted],
        begun: Instant,
    ) -> anyhow::Result<ExitCode> {
        let limit = Duration::from_secs(self.seconds).saturating_sub(begun.elapsed());
        let plan = Plan { judge, accepted, jobs: self.jobs, limit, is_verbose: self.verbose };
        let outcome = plan.run(mutants)?;
        print!("{outcome}");
        for mutant in &outcome.stale {
            println!("accepted.csv lists {mutant}, which is caught");
        }
        let is_enough = outcome.all.percent() >= self.least && outcome.stale.is_empty();
        Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The files, their mutants, and the list of accepted ones.
struct All {
    shaders: Vec<File>,
    sources: Vec<Source>,
    accepted: Vec<Accepted>,
}

impl All {
    fn read() -> anyhow::Result<Self> {
        let (shaders, sources) = (File::all()?, Source::all()?);
        let mut all = Self { shaders, sources, accepted: Vec::new() };
        all.accepted = Accepted::all(&[all.of_shaders(), all.of_sources()].concat())?;
        Ok(all)
    }

    fn of_shaders(&self) -> Vec<Mutant> {
        self.shaders.iter().flat_map(File::mutants).collect()
    }

    fn of_sources(&self) -> Vec<Mutant> {
        self.sources.iter().flat_map(Source::mutants).collect()
    }
}

fn main() -> anyhow::Result<ExitCode> {
    match Options::parse().what {
        What::List(files) => {
            let all = All::read()?;
            for mutant in files.of([all.of_shaders(), all.of_sources()].concat())? {
                println!("{mutant}");
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Shaders(options) => judge_shaders(options),
        What::Sources(options) => judge_sources(&options),
        What::Battery { file, validate } => shaders::battery::run(&std::fs::read_to_string(file)?, validate),
    }
}

fn judge_shaders(options: Shaders) -> anyhow::Result<ExitCode> {
    if cfg!(not(debug_assertions)) {
        bail!("build this program with debug assertions; without them, no shader can be replaced");
    }
    let (begun, all, campaign) = (Instant::now(), All::read()?, options.campaign);
    let mutants = campaign.choose(&all.of_shaders(), &all.accepted)?;
    let programs = shaders::Programs { own: std::env::current_exe()?, units: options.units, suite: options.suite };
    let judges = shaders::Judges::new(all.shaders, programs, root().join("target/mutants/shaders"));
    campaign.judge(&judges, &mutants, &all.accepted, begun)
}

fn judge_sources(campaign: &Campaign) -> anyhow::Result<ExitCode> {
    let (begun, all) = (Instant::now(), All::read()?);
    let mutants = campaign.choose(&all.of_sources(), &all.accepted)?;
    let number = |mutant: &Mutant| mutants.iter().position(|chosen| chosen == mutant);
    let numbers = all.sources.iter().map(|source| source.mutants().map(|mutant| number(&mutant)).collect()).collect();
    let folder = root().join("target/mutants/sources");
    let (programs, refused) = sources::Tree::new(folder.join("tree"), mutants.len())?.build(&all.sources, numbers)?;
    println!("built after {} s; {} mutants do not compile", begun.elapsed().as_secs(), refused.len());
    let tests = sources::Tests::new(programs, mutants.len(), &folder, campaign.jobs)?;
    println!(
        "{} tests ran after {} s; {} fail without a mutant",
        tests.all.len(),
        begun.elapsed().as_secs(),
        tests.unfit.len()
    );
    for name in &tests.unfit {
        println!("  {name}");
    }
    let judges = sources::Judges::new(tests, folder, mutants.clone(), refused);
    campaign.judge(&judges, &mutants, &all.accepted, begun)
}
