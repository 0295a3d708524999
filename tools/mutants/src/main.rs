//! Changes the shaders one operator, constant or statement at a time, and counts the changes that the tests notice.
//!
//! A change that no test notices is either a gap in the tests, or changes no answer: a bound that costs time alone, or
//! room to spare. `accepted.csv` lists those, with reasons. `cargo mutants` does the same for Rust; this is its
//! counterpart for WGSL, which needs no build for a mutant.
//!
//! ```sh
//! hitmask-mutants list shared/wide                        # the mutants of a file
//! hitmask-mutants run --units U --suite S --sample 300    # judges a sample, by these two test programs
//! ```

mod accepted;
mod battery;
mod campaign;
mod file;
mod judge;
mod mutant;
mod order;
mod token;

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Args, Parser, Subcommand};

use accepted::Accepted;
use campaign::Plan;
use file::File;
use judge::{Judges, Programs};
use mutant::Mutant;
use order::Shard;

/// Changes the shaders one operator, constant or statement at a time, and counts the changes that the tests notice
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
    /// Judge mutants in random order, and count
    Run(Run),
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
    /// Files such as `shared/wide` (default: all)
    files: Vec<String>,
    /// Files to leave out
    #[arg(long, value_name = "FILE")]
    skip: Vec<String>,
}

#[derive(Args)]
struct Run {
    #[command(flatten)]
    files: Files,
    /// The program of the library's unit tests
    #[arg(long, value_name = "PROGRAM")]
    units: PathBuf,
    /// The program of the suite
    #[arg(long, value_name = "PROGRAM")]
    suite: PathBuf,
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

impl Files {
    /// Reads the files.
    fn read(&self) -> anyhow::Result<Vec<File>> {
        let mut files = File::all()?;
        if let Some(name) =
            self.files.iter().chain(&self.skip).find(|name| files.iter().all(|file| file.name != **name))
        {
            bail!("there is no file `{name}`; they are called `shared/wide` or `stages/land`");
        }
        files.retain(|file| {
            (self.files.is_empty() || self.files.contains(&file.name)) && !self.skip.contains(&file.name)
        });
        Ok(files)
    }
}

fn all(files: &[File]) -> Vec<Mutant> {
    files.iter().flat_map(|file| Mutant::all(&file.name, &file.text)).collect()
}

fn main() -> anyhow::Result<ExitCode> {
    match Options::parse().what {
        What::List(files) => {
            for mutant in all(&files.read()?) {
                println!("{mutant}");
            }
            Ok(ExitCode::SUCCESS)
        }
        What::Run(options) => run(&options),
        What::Battery { file, validate } => battery::run(&std::fs::read_to_string(file)?, validate),
    }
}

fn run(options: &Run) -> anyhow::Result<ExitCode> {
    if cfg!(not(debug_assertions)) {
        bail!("build this program with debug assertions; without them, no shader can be replaced");
    }
    let files = options.files.read()?;
    let accepted = Accepted::all(&all(&File::all()?))?;
    let mut mutants = all(&files);
    let possible = mutants.len();
    if options.accepted {
        mutants.retain(|mutant| accepted.iter().any(|entry| entry.names(mutant)));
    }
    order::shuffle(&mut mutants, options.seed);
    mutants.truncate(options.sample.unwrap_or(usize::MAX));
    if let Some(shard) = options.shard {
        mutants = shard.take(mutants);
    }
    let programs =
        Programs { own: std::env::current_exe()?, units: options.units.clone(), suite: options.suite.clone() };
    let judges = Judges::new(programs, file::root().join("target/mutants"));
    println!("{} of {possible} mutants", mutants.len());
    let plan = Plan {
        judges: &judges,
        files: &files,
        accepted: &accepted,
        jobs: options.jobs,
        limit: Duration::from_secs(options.seconds),
        is_verbose: options.verbose,
    };
    let outcome = plan.run(&mutants)?;
    print!("{outcome}");
    for mutant in &outcome.stale {
        println!("accepted.csv lists {mutant}, which is caught");
    }
    let is_enough = outcome.all.percent() >= options.least && outcome.stale.is_empty();
    Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
