//! `hitmask replay`.

use std::path::PathBuf;

use clap::Args;
use hitmask::Ask;
use hitmask::scene::Replay;

use crate::engines::{self, Backend};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask replay world.jsonl
  hitmask replay world.jsonl --backend cpu | jq -c '.began'

A replay is JSON lines: a scene, all of whose bodies have names, then a line for each step, with the keys remove, shapes, add, set, masks and
advance, done in this order before the step (advance after it); all may be left out. For each step there is one line of JSON: its number, the number of
bodies, the pairs, those that began to hit and those that ceased to, by name.

Exit status: 0 answered, 2 an error, with nothing on standard output.";

#[derive(Args)]
pub(crate) struct Options {
    /// The replay file
    replay: PathBuf,
    /// The engine; all give the same answer
    #[arg(long, value_enum, default_value_t = Backend::Auto)]
    backend: Backend,
    /// A part of the GPU's name, in whatever case; by default the environment's `WGPU_ADAPTER_NAME`
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let replay = Replay::open(&options.replay)?;
    let mut play = replay.play()?;
    let mut engine = engines::open(options.backend, options.gpu.as_deref())?;
    let mut text = String::new();
    while play.edit()? {
        let hits = engine.run(play.world(), Ask::Pairs)?;
        text += &serde_json::to_string(&play.take(&hits)?)?;
        text.push('\n');
    }
    Ok(text)
}
