//! `hitmask replay`.

use std::path::PathBuf;

use clap::Args;
use hitmask::Ask;
use hitmask::scene::Replay;

use crate::engines::{Choice, Work, tell_of};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask replay world.jsonl
  hitmask replay world.jsonl --backend cpu | jq -c '.began'

A replay file is JSON lines: a scene whose bodies all have names, then a line for each step, with the keys remove, \
shapes, add, set, masks and advance, all optional, applied in this order before the step (advance after it). Each step \
prints one line of JSON: its number, the number of bodies, the pairs, and the pairs that began and that ended, by name.

Exit status: 0 answered, 2 an error, with nothing on standard output.";

#[derive(Args)]
pub(crate) struct Options {
    /// The replay file to play
    replay: PathBuf,
    #[command(flatten)]
    engine: Choice,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let replay = Replay::open(&options.replay)?;
    let mut play = replay.play()?;
    let mut engine = options.engine.open(Work::Steps)?;
    let mut text = String::new();
    while play.edit()? {
        let hits = engine.run(play.world(), Ask::Pairs)?;
        text += &serde_json::to_string(&play.take(&hits)?)?;
        text.push('\n');
    }
    tell_of(&engine);
    Ok(text)
}
