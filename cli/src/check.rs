//! `hitmask check`.

use std::cell::RefCell;
use std::path::PathBuf;

use clap::Args;
use hitmask::Ask;

use crate::answer::{Answer, Pairs};
use crate::engines::{Choice, Work};
use crate::{Format, Output, tell, text};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask check scene.json
  hitmask check scene.json --details
  hitmask check scene.json --backend cpu --format json | jq '.pairs | length'
  hitmask check scene.json --gpu nvidia

A body is printed as its index, its name if it has one, and its shape: 3 `player` (ship).
A shape may be a frame of a sheet, or a slice in it, and levels become bodies:
  \"shapes\": { \"kick\": { \"sheet\": \"ken.aseprite\", \"tag\": \"kick\", \"frame\": 3 } },
  \"levels\": [{ \"tiled\": \"cave.tmx\" }, { \"ldtk\": \"world.ldtk\", \"level\": \"Entrance\" }]
Pixels in details are world pixels, at the tick of the hit: a step has 65536 ticks.
An answer larger than memory is computed in parts by the CPU, and written as it is found.

Exit status: 0 answered, whether or not anything hits; 2 an error, with nothing on standard output.";

#[derive(Args)]
pub(crate) struct Options {
    /// The scene file to check
    scene: PathBuf,
    #[command(flatten)]
    engine: Choice,
    /// Also print when each pair first hits, which pixels overlap, and the shortest push that separates it
    #[arg(long)]
    details: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let (scene, _) = hitmask_files::scene::open(&options.scene)?;
    let world = scene.world()?;
    let mut engine = options.engine.open(Work::Step)?;
    let name = [engine.name().to_owned(), engine.device()];
    let pairs = match engine.run(&world, if options.details { Ask::Details } else { Ask::Pairs }) {
        Ok(hits) => Pairs::Held(hits),
        Err(hitmask::Error::Capacity { .. }) => {
            tell("the answer is larger than memory: it is computed in parts, as it is written");
            Pairs::Streamed(RefCell::new(engine))
        }
        Err(error) => return Err(error.into()),
    };
    let answer = Answer { scene, world, pairs, engine: name, details: options.details };
    // Also for JSON, so that an engine's error comes before anything is written.
    let summary = text::Summary::new(&answer)?;
    Ok(match options.format {
        Format::Text => Output::written(move |out| text::answer(&answer, &summary, out)),
        Format::Json => Output::written(move |out| answer.json(out)),
    })
}
