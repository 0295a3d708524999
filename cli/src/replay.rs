//! `hitmask replay`.

use std::path::{Path, PathBuf};

use clap::Args;
use hitmask::Ask;
use hitmask::internals::read_file;
use hitmask::scene::{Moment, Play, Replay};

use crate::engines::{Choice, Work, tell_of};
use crate::save;

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask replay world.jsonl
  hitmask replay world.jsonl --backend cpu | jq -c '.began'
  hitmask replay world.jsonl --save-at 500 step-500.world
  hitmask replay world.jsonl --from step-500.world
  hitmask diff here/step-500.world there/step-500.world

A replay file is JSON lines: a scene whose bodies all have names, then a line for each step, with the keys remove, \
shapes, add, set, masks and advance, all optional, applied in this order before the step (advance after it). Each step \
prints one line of JSON: its number, the number of bodies, the pairs, and the pairs that began and that ended, by name.
Its scene may name levels, and its shapes sheets: see hitmask check --help.
The first line may also be {\"saved\": FILE}, with a world that a game saved: its bodies are named by their indices.

Exit status: 0 answered, 2 an error, with nothing on standard output.";

#[derive(Args)]
pub(crate) struct Options {
    /// The replay file to play
    replay: PathBuf,
    /// Save the state after step STEP to the file OUT (0: before the first step), once the replay has played to its end
    #[arg(long, num_args = 2, value_names = ["STEP", "OUT"])]
    save_at: Option<Vec<String>>,
    /// Resume from a state that --save-at has saved: skip the steps up to it
    #[arg(long, value_name = "SAVED")]
    from: Option<PathBuf>,
    #[command(flatten)]
    engine: Choice,
}

/// The step after which to save, and the file to save to.
struct SaveAt<'a> {
    step: usize,
    out: &'a Path,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<String> {
    let (replay, files) = hitmask_files::scene::open_replay(&options.replay)?;
    let mut play = match &options.from {
        Some(from) => resume(&replay, from)?,
        None => replay.play()?,
    };
    let save_at = options.save_at.as_deref().map(|words| save_at(options, words)).transpose()?;
    if let Some(SaveAt { step, out }) = save_at {
        save::check_apart(out, replay.files().chain(files))?;
        let (first, last) = (play.moment().step(), replay.steps.len());
        anyhow::ensure!((first..=last).contains(&step), "--save-at {step}: the steps are {first} to {last}");
    }
    let mut engine = options.engine.open(Work::Steps)?;
    let (mut text, mut saved) = (String::new(), None);
    loop {
        if save_at.as_ref().is_some_and(|save| save.step == play.moment().step()) {
            saved = Some(play.moment().save()?);
        }
        if !play.edit()? {
            break;
        }
        let hits = engine.run(play.world(), Ask::Pairs)?;
        text += &serde_json::to_string(&play.take(&hits)?)?;
        text.push('\n');
    }
    if let Some((SaveAt { out, .. }, bytes)) = save_at.zip(saved) {
        save::whole(out, &bytes)?;
    }
    tell_of(&engine);
    Ok(text)
}

fn resume<'a>(replay: &'a Replay, from: &Path) -> hitmask::Result<Play<'a>> {
    let file = read_file(from)?;
    let resumed = Moment::load(&file).and_then(|moment| replay.resume(moment));
    resumed.map_err(|error| error.of(from.display().to_string()))
}

/// Reads the two words of `--save-at`, and checks that the file can be written.
fn save_at<'a>(options: &'a Options, words: &'a [String]) -> anyhow::Result<SaveAt<'a>> {
    let [step, out] = words else { anyhow::bail!("--save-at takes a step and a file") };
    let step = step.parse().map_err(|_| anyhow::anyhow!("--save-at {step}: not the number of a step"))?;
    let out = Path::new(out);
    save::check(out)?;
    save::check_apart(out, [Some(&options.replay), options.from.as_ref()].into_iter().flatten().cloned())?;
    Ok(SaveAt { step, out })
}
