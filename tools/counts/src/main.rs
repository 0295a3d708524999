//! Counts the cost of the GPU engine's shaders and steps, without a GPU, and compares it with the records in
//! `bench/results/`.
//!
//! Times on software drivers say little about a GPU, and misjudge inner loops. So this tool counts what can be known
//! without a GPU: the code to which an AMD GPU's driver compiles the shaders, and all commands that a step gives to a
//! driver.
//!
//! ```sh
//! RADV_FORCE_FAMILY=navi21 hitmask-counts pipelines   # a table: instructions, registers, waves
//! hitmask-counts steps                                # a table: dispatches, bytes, lengths of lists
//! hitmask-counts steps --check                        # fails if something has grown since the record
//! hitmask-counts steps --renew                        # replaces the record
//! hitmask-counts times                                # times that a model derives from both records
//! ```

mod device;
mod front;
mod pipelines;
mod record;
mod seen;
mod steps;
mod table;
mod times;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Parser, Subcommand};
use serde::Serialize;

use pipelines::{Pipelines, Source};
use steps::Steps;

/// Counts the cost of the GPU engine's shaders and steps, without a GPU
#[derive(Parser)]
#[command(name = "hitmask-counts", version)]
struct Options {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Show the compiled size of each pipeline on RDNA2: needs Mesa's RADV, and `RADV_FORCE_FAMILY=navi21`
    Pipelines {
        #[command(flatten)]
        with: Record,
        /// Compile with wgpu's loop counters, which the engine switches off on hardware
        #[arg(long, conflicts_with_all = ["check", "renew"])]
        checked: bool,
        /// Use the pipelines of a module in a file instead, to try something without a build
        #[arg(long, value_name = "WGSL", conflicts_with_all = ["check", "renew"])]
        module: Option<PathBuf>,
    },
    /// Count the commands that a step of each workload gives to a driver: needs Mesa's lavapipe
    Steps {
        #[command(flatten)]
        with: Record,
    },
    /// Show the times that a model derives from both records, on an H100 and on a laptop's GPU
    Times,
}

#[derive(Args)]
struct Record {
    /// Compare with the record, and fail if something has grown
    #[arg(long)]
    check: bool,
    /// Replace the record
    #[arg(long, conflicts_with = "check")]
    renew: bool,
}

fn main() -> anyhow::Result<ExitCode> {
    match Options::parse().what {
        What::Pipelines { with, checked, module } => {
            let modules = match module {
                Some(file) => vec![Source::read(&file)?],
                None => Source::all(),
            };
            let now = pipelines::compile(&modules, checked)?;
            if with.check {
                let before: Pipelines = record::read(PIPELINES)?;
                if [&before.gpu, &before.driver] != [&now.gpu, &now.driver] {
                    println!(
                        "Pipelines are not compared: the record is of {} by {}, but this is {} by {}.",
                        before.gpu, before.driver, now.gpu, now.driver
                    );
                    return Ok(ExitCode::SUCCESS);
                }
                return check(PIPELINES, &before, &now);
            }
            with.keep(PIPELINES, &now)?;
            print!("{}", table::pipelines(&now));
        }
        What::Steps { with } => {
            let now = steps::count()?;
            if with.check {
                let before: Steps = record::read(STEPS)?;
                return check(STEPS, &before, &now);
            }
            with.keep(STEPS, &now)?;
            print!("{}", table::steps(&now));
        }
        What::Times => print!("{}", times::table(&record::read(PIPELINES)?, &record::read(STEPS)?)?),
    }
    Ok(ExitCode::SUCCESS)
}

/// The names of the two records.
const PIPELINES: &str = "gpu-pipelines";
const STEPS: &str = "gpu-steps";

impl Record {
    fn keep(&self, name: &str, counts: &impl Serialize) -> anyhow::Result<()> {
        if self.renew { record::write(name, counts) } else { Ok(()) }
    }
}

/// Prints how counts differ from a record, and fails if some are worse.
fn check<T: Serialize>(name: &str, before: &T, now: &T) -> anyhow::Result<ExitCode> {
    let record::Differences { worse, better } = record::compare(before, now)?;
    for line in &better {
        println!("better: {line}");
    }
    for line in &worse {
        println!("worse: {line}");
    }
    let renew = format!("`hitmask-counts {} --renew`", name.trim_start_matches("gpu-"));
    if !worse.is_empty() {
        println!(
            "If being worse than bench/results/{name}.json is worth it, say why, and renew the record with {renew}."
        );
        return Ok(ExitCode::FAILURE);
    }
    if !better.is_empty() {
        println!("Renew the record with {renew}, to hold the improvement.");
    }
    Ok(ExitCode::SUCCESS)
}
