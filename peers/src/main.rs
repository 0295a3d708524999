//! Compares hitmask with its peers: same input, same process, same number of threads. Answers are checked to be equal
//! before a time is reported.
//!
//! There are two tables: one compiled for the baseline of the architecture, as programs are shipped, and one compiled
//! for this machine. `Box2D` is in C and does not see rustc's `target-cpu`, so `CFLAGS` sets the same for its compiler.
//! Without `-DNDEBUG` it would be measured with its assertions.
//!
//! ```sh
//! CFLAGS="-O3 -DNDEBUG" cargo run --release -p hitmask-peers --features box2d -- --out bench/PEERS.md
//! RUSTFLAGS="-C target-cpu=native" CFLAGS="-O3 -DNDEBUG -march=native" \
//!   cargo run --release -p hitmask-peers --features box2d -- --out bench/PEERS-native.md
//! ```

mod contenders;
mod contest;
mod cores;
mod machine;
mod masks;
mod order;
mod peers;
mod queries;
mod report;
mod rows;
mod scene;
mod section;
mod texels;

use std::fmt::Write;
use std::fs::File;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, ValueEnum};

use report::count;
use section::{STEADY, Section};

/// Compares hitmask on the CPU with its peers, and writes tables in Markdown
#[derive(Parser)]
#[command(name = "hitmask-peers", version, after_help = EXAMPLES)]
struct Options {
    /// Use few bodies and runs, to check that everything works
    #[arg(long)]
    quick: bool,
    /// The file to write the tables to [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Run only these parts
    #[arg(long, value_delimiter = ',', value_name = "PARTS")]
    only: Vec<Section>,
    /// Use only these numbers of bodies, in each part but masks and queries, which have their own
    #[arg(long, value_delimiter = ',', value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2_000_000))]
    sizes: Vec<u32>,
    /// Number of runs from which the median is taken [default: 7; 3 with --quick]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..))]
    runs: Option<u16>,
    /// Number of threads of each contender
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
}

impl Options {
    /// Returns the parts to run, in order.
    fn sections(&self) -> impl Iterator<Item = Section> {
        let wanted = |section: &Section| self.only.is_empty() || self.only.contains(section);
        Section::value_variants().iter().copied().filter(wanted)
    }

    /// Returns the numbers of bodies to measure in a part, each once.
    fn sizes(&self, section: Section) -> Vec<u32> {
        let sizes = if self.sizes.is_empty() { section.sizes(self.quick) } else { &self.sizes };
        let once = sizes.iter().enumerate().filter(|(index, n)| !sizes[..*index].contains(n));
        once.map(|(_, &n)| n).collect()
    }
}

const EXAMPLES: &str = "\
Examples:
  cargo run --release -p hitmask-peers -- --out bench/PEERS.md      all parts, in a few minutes
  RUSTFLAGS=\"-C target-cpu=native\" cargo run --release -p hitmask-peers -- --out bench/PEERS-native.md
  cargo run --release -p hitmask-peers -- --only boxes,turned --sizes 100000

Exit status: 0 measured, 1 an error, or an answer that differs, 2 invalid options.";

/// The part of the preface about `Box2D`.
const BOX2D: &str = if cfg!(feature = "box2d") {
    "

Box2D has its dynamic tree on one thread, kept from step to step, and is then queried with each box. *Rebuilt*: leaves
are set to their boxes, and everything above them is rebuilt. *Incremental*: each leaf is removed and inserted again."
} else {
    ""
};

fn main() -> ExitCode {
    let options = Options::parse();
    if !options.sizes.is_empty() && options.sections().all(|section| section.workload().is_none()) {
        let problem = "--sizes does not apply to the parts masks and queries, which have numbers of their own";
        Options::command().error(ErrorKind::ArgumentConflict, problem).exit();
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> anyhow::Result<()> {
    let Some(path) = &options.out else {
        print!("{}", report(options)?);
        return Ok(());
    };
    let name = || path.display().to_string();
    // Fails now, not minutes later, if the file cannot be written; keeps its content until then, and leaves no new one.
    let is_new = path.symlink_metadata().is_err();
    File::options().append(true).create(true).open(path).with_context(name)?;
    if is_new {
        std::fs::remove_file(path).with_context(name)?;
    }
    std::fs::write(path, report(options)?).with_context(name)
}

fn report(options: &Options) -> anyhow::Result<String> {
    let runs = usize::from(options.runs.unwrap_or(if options.quick { 3 } else { 7 }));
    cores::own_core();
    let pool = cores::own_cores(false, || rayon::ThreadPoolBuilder::new().num_threads(options.threads.into()).build())?;
    let mut out = preface(options, runs)?;
    for section in options.sections() {
        let name = section.to_possible_value().map_or_else(String::new, |value| value.get_name().to_string());
        let Some(workload) = section.workload() else {
            eprintln!("{name} ...");
            let tables = match section {
                Section::Queries => report::queries_table(&queries::contest(runs, options.quick, &pool)?),
                _ => report::masks_table(&masks::contest(runs)?),
            };
            write!(out, "\n## {name}\n\n{tables}")?;
            continue;
        };
        write!(out, "\n## {name}\n")?;
        for n in options.sizes(section) {
            let title = format!("{name}, {}", count(n.into(), "body", "bodies"));
            eprintln!("{title} ...");
            write!(out, "\n{}", report::table(&title, &section.run(workload, n, runs, &pool)?))?;
        }
    }
    Ok(out)
}

/// Returns the preface of the report: what was measured, where, and how.
fn preface(options: &Options, runs: usize) -> anyhow::Result<String> {
    let options_given = std::env::args().skip(1).collect::<Vec<_>>().join(" ");
    let commit = machine::commit().unwrap_or_else(|| "unknown".into());
    let rustc = machine::rustc().unwrap_or_else(|| "unknown".into());
    let simd = hitmask::cpu::Engine::new()?.simd().name();
    Ok(format!(
        "# hitmask and its peers

Written by `{} -- {options_given}`.

- CPU: {}, {} threads for each contender
- Compiled for {}; hitmask chooses its instructions at run time, and uses {simd}
- {}; {rustc}; commit {commit}
- Medians of {}, more for few bodies and queries; all contenders in turn in one process, each thread on a
  core of its own; before a run that counts a contender has answered for other positions, as in a game frame follows
  frame

The input is that of the workloads of `workbench/`. A run begins with changed positions in memory (every body moved
by up to two units; in a steady scene {STEADY} of a thousand) as boxes in integers, and ends with all pairs in
memory, lower index first, in ascending order. Peers build what they need from the boxes within that time; hitmask
places its bodies by their positions within it. Pairs that come in any order are sorted by rayon's
`par_sort_unstable_by_key`, and the time without sorting is given too. All answers were compared by count and checksum
before a time was reported, and the numbers of pairs with those that other programs found. *times ours*: how many
times as long as hitmask takes in order.

Threads: *all* where the peer has a parallel version of each part; *one builds, all ask* where the library builds on
one thread by nature, and its queries are given to all threads, row by row. *all pairs*, the plain loop, is left out
where it takes seconds. `parry2d` keeps its tree where it is *refitted*: it was built once, for places at most two
units away, which is the best case for it; bodies that go further make it worse from step to step, until it is
*rebuilt*.{BOX2D}
",
        machine::command(),
        machine::cpu(),
        options.threads,
        machine::instructions(),
        machine::versions(),
        count(runs as u64, "run", "runs"),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_measured_once() {
        let options = Options::parse_from(["hitmask-peers", "--only", "turned,boxes", "--sizes", "50,20,50"]);
        assert!(options.sections().eq([Section::Boxes, Section::Turned]));
        assert_eq!(options.sizes(Section::Boxes), [50, 20]);
    }
}
