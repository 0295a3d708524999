//! The program `hitmask`: checks scenes, asks them, plays replays, draws scenes, compares engines, measures them,
//! lists GPUs.
//!
//! A command has its answer before any of it is written, so that an error leaves standard output empty.

mod answer;
mod bench;
mod check;
mod engines;
mod gpus;
mod query;
mod render;
mod replay;
mod save;
mod text;
mod verify;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use hitmask::scene::printable;

/// Pixel-perfect and exact 2D collision for whole scenes, with the same answer on every GPU and CPU.
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
  hitmask verify --random 1000                        compare all engines on a thousand random scenes
  hitmask bench                                       measure how long a step takes here
  hitmask list-gpus                                   list the usable GPUs

Exit status: 0 answered, 1 engines differ (verify, bench), 2 an error.";

#[derive(Subcommand)]
enum Command {
    /// Say which bodies of a scene hit which
    #[command(after_help = check::EXAMPLES)]
    Check(check::Options),
    /// Answer the questions of a scene: what lies at a point, what a ray meets, what a body would hit, what is nearest
    #[command(after_help = query::EXAMPLES)]
    Query(query::Options),
    /// Draw a scene and its hits, as PNG or SVG
    #[command(after_help = render::EXAMPLES)]
    Render(render::Options),
    /// Play a world that lives: who hits whom, began to and ceased to, step by step
    #[command(after_help = replay::EXAMPLES)]
    Replay(replay::Options),
    /// Compare engines on a scene, or on random scenes
    #[command(after_help = verify::EXAMPLES)]
    Verify(verify::Options),
    /// Measure how long a step takes: standard workloads or scenes, on each engine, its answers checked
    #[command(after_help = bench::EXAMPLES)]
    Bench(bench::Options),
    /// List the GPUs that can be used, the one that is taken by default first
    #[command(after_help = gpus::EXAMPLES)]
    ListGpus(gpus::Options),
    /// Print completions for a shell
    #[command(after_help = "\
Examples:
  hitmask completions bash > ~/.local/share/bash-completion/completions/hitmask
  hitmask completions fish > ~/.config/fish/completions/hitmask.fish
  hitmask completions zsh > \"${fpath[1]}/_hitmask\"")]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

/// How an answer is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// For programs
    Json,
}

/// Writes an answer.
type Writer = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()>>;

/// What a command has to say on standard output, and its exit status.
struct Output {
    write: Writer,
    status: u8,
}

impl Output {
    /// An answer, which is written as it goes: as text it may take more memory than there is.
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
            // What a file says may be part of it.
            tell(&printable(&format!("error: {error}")));
            2.into()
        }
    }
}

/// What is asked for; where that is not understood, an error, and the end.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|error| {
        // It quotes what was given, in lines of its own.
        let plain = error.to_string();
        let printable = text::printable_lines(&plain);
        if error.use_stderr() && printable != plain {
            tell(printable.trim_end());
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}

fn run(command: Command) -> anyhow::Result<Output> {
    match command {
        Command::Check(options) => check::run(&options),
        Command::Query(options) => query::run(&options),
        Command::Render(options) => render::run(&options).map(|()| Output::from(String::new())),
        Command::Replay(options) => replay::run(&options).map(Output::from),
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

/// Prints the output; a reader that has heard enough is no error.
fn print(Output { write, status }: Output) -> anyhow::Result<u8> {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => anyhow::bail!("standard output: {error}"),
        _ => Ok(status),
    }
}

/// Says something beside the answer; where nobody can hear it, that is no reason to stop.
fn tell(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
