//! `hitmask check`.

use std::path::PathBuf;

use clap::Args;
use hitmask::Ask;
use hitmask::scene::Scene;

use crate::answer::Answer;
use crate::engines::Choice;
use crate::{Format, Output, text};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask check scene.json
  hitmask check scene.json --details
  hitmask check scene.json --backend cpu --format json | jq '.pairs | length'
  hitmask check scene.json --gpu nvidia

A body is told by its index, its name if it has one, and its shape: 3 `player` (ship).
Pixels of details are the world's, as both are seen at the tick of the hit: a step has 65536 ticks.

Exit status: 0 answered, whether or not anything hits; 2 an error, with nothing on standard output.";

#[derive(Args)]
pub(crate) struct Options {
    /// The scene file
    scene: PathBuf,
    #[command(flatten)]
    engine: Choice,
    /// Also say for each pair when it hits, which pixels overlap, and the shortest way out
    #[arg(long)]
    details: bool,
    /// How the answer is written
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let scene = Scene::open(&options.scene)?;
    let world = scene.world()?;
    let mut engine = options.engine.open()?;
    let hits = engine.run(&world, if options.details { Ask::Details } else { Ask::Pairs })?;
    let engine = [engine.name().to_owned(), engine.device()];
    let answer = Answer { scene, world, hits, engine, details: options.details };
    Ok(match options.format {
        Format::Text => Output::written(move |out| text::answer(&answer, out)),
        Format::Json => Output::written(move |out| answer.json(out)),
    })
}
