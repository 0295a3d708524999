//! The program `hitmask`: checks, queries, draws and replays scenes, compares saved worlds, inspects sheets and levels,
//! compares and benchmarks engines, and lists GPUs.
//!
//! Commands find errors before they write anything, so that an error leaves standard output empty.

mod answer;
mod bench;
mod check;
mod diff;
mod engines;
mod gpus;
mod inspect;
mod progress;
mod query;
mod render;
mod replay;
mod save;
mod text;
mod verify;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use hitmask::internals::printable;

/// Exact, pixel-perfect 2D collision detection, with the same answer on every CPU and GPU
#[derive(Parser)]
#[command(name = "hitmask", version, arg_required_else_help = true, after_help = EXAMPLES)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  hitmask check scene.json                            find which bodies hit which
  hitmask check scene.json --details --format json    print times, areas, bounds and ways out as JSON
  hitmask query scene.json                            answer the scene's queries
  hitmask render scene.json -o scene.png              draw the scene and its hits
  hitmask replay world.jsonl                          play a changing world, step by step
  hitmask diff here.world there.world                 list the differences between two saved worlds
  hitmask inspect cave.tmx -o cave.png                list and draw what a level or a sheet has
  hitmask verify --random 1000                        compare all engines on a thousand random scenes
  hitmask bench                                       measure how long a step takes here
  hitmask list-gpus                                   list the usable GPUs

Exit status: 0 answered, 1 engines differ (verify, bench) or worlds (diff), 2 an error.";

#[derive(Subcommand)]
enum Command {
    /// Find all colliding pairs of a scene
    #[command(after_help = check::EXAMPLES)]
    Check(check::Options),
    /// Run a scene's queries: points, rays, bodies and nearest bodies
    #[command(after_help = query::EXAMPLES)]
    Query(query::Options),
    /// Draw a scene and its hits as PNG or SVG
    #[command(after_help = render::EXAMPLES)]
    Render(render::Options),
    /// Play a replay file and print the pairs of each step, and which of them began and ended
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::Options),
    /// List the differences between two saved worlds
    #[command(after_help = diff::EXAMPLES)]
    Diff(diff::Options),
    /// List the frames, tags and boxes of a sheet, or the layers and bodies of a level, and draw them
    #[command(after_help = inspect::EXAMPLES)]
    Inspect(inspect::Options),
    /// Check that engines give the same answer on a scene or on random scenes
    #[command(after_help = verify::EXAMPLES)]
    Verify(verify::Options),
    /// Benchmark engines on standard workloads or scenes
    #[command(after_help = bench::after_help())]
    Bench(Box<bench::Options>),
    /// List usable GPUs, the default one first
    #[command(after_help = gpus::EXAMPLES)]
    ListGpus(gpus::Options),
    /// Generate shell completions
    #[command(after_help = "\
Examples:
  hitmask completions bash > ~/.local/share/bash-completion/completions/hitmask
  hitmask completions fish > ~/.config/fish/completions/hitmask.fish
  hitmask completions zsh > \"${fpath[1]}/_hitmask\"")]
    Completions {
        /// The shell to generate completions for
        shell: clap_complete::Shell,
    },
}

/// The format of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Plain text
    Text,
    /// JSON
    Json,
}

/// A function that writes an answer.
type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()>>;

/// The output of a command, and its exit status.
struct Output {
    write: Writer,
    status: u8,
}

impl Output {
    /// Creates output that is written as it is computed: as text it may not fit into memory.
    fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()> + 'static) -> Self {
        Self { write: Box::new(write), status: 0 }
    }
}

impl<T: AsRef<[u8]> + 'static> From<T> for Output {
    fn from(text: T) -> Self {
        Self::written(move |out| out.write_all(text.as_ref()))
    }
}

fn main() -> ExitCode {
    match run(parse().command).and_then(print) {
        Ok(status) => status.into(),
        Err(error) => {
            // The message may quote a file.
            tell(&printable(&format!("error: {error}")));
            2.into()
        }
    }
}

/// Parses the command line. Exits after printing help, the version or an error.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        // The error quotes arguments, and has several lines.
        let plain = error.to_string();
        let printable = text::printable_lines(&plain);
        if error.use_stderr() && printable != plain {
            tell(printable.trim_end());
            std::process::exit(error.exit_code());
        }
        if error.use_stderr() {
            error.exit()
        }
        // Help or the version.
        match error.print().and_then(|()| io::stdout().flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                tell(&format!("error: standard output: {error}"));
                std::process::exit(2)
            }
            _ => std::process::exit(0),
        }
    })
}

fn run(command: Command) -> anyhow::Result<Output> {
    match command {
        Command::Check(options) => check::run(&options),
        Command::Query(options) => query::run(&options),
        Command::Render(options) => render::run(&options).map(|()| Output::from(String::new())),
        Command::Replay(options) => replay::run(&options).map(Output::from),
        Command::Diff(options) => diff::run(&options),
        Command::Inspect(options) => inspect::run(&options),
        Command::Verify(options) => verify::run(&options),
        Command::Bench(options) => bench::run(&options),
        Command::ListGpus(options) => gpus::run(&options).map(Output::from),
        Command::Completions { shell } => {
            let mut text = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "hitmask", &mut text);
            Ok(text.into())
        }
    }
}

/// Prints the output. It is not an error if the reader closes the pipe early.
fn print(Output { write, status }: Output) -> anyhow::Result<u8> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => anyhow::bail!("standard output: {error}"),
        _ => Ok(status),
    }
}

/// Prints a message to standard error, ignoring failures.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
