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

A replay is JSON lines: a scene, all of whose bodies have names, then a line for each step, with the keys remove, \
shapes, add, set, masks and advance, done in this order before the step (advance after it); all may be left out. For \
each step there is one line of JSON: its number, the number of bodies, the pairs, those that began to hit and those \
that ceased to, by name.

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
