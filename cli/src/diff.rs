//! `hitmask diff`.

use std::path::{Path, PathBuf};

use clap::Args;
use hitmask::World;
use hitmask::debug::{Difference, Subject};
use hitmask::internals::{printable, read_file};
use hitmask::scene::Moment;
use serde::Serialize;

use crate::{Format, Output};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask diff here.world there.world
  hitmask diff here.world there.world --format json | jq -c 'select(.field == \"at\")'

Each file is a world that `World::save` saved whole, or a state that `hitmask replay --save-at` saved, of which the \
world is compared. A difference is a line: the body or shape by its index (and its name in the first file that has one), \
the property, and its value in both worlds. Handles and histories are compared too, because they decide which handles \
later bodies get.

Exit status: 0 the worlds are equal, 1 they differ, 2 an error.";

#[derive(Args)]
pub(crate) struct Options {
    /// The first saved world
    first: PathBuf,
    /// The second saved world
    second: PathBuf,
    /// Output format; JSON has a line for each difference
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A difference as JSON.
#[derive(Serialize)]
struct Json<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    body: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    field: &'a str,
    values: &'a [Option<String>; 2],
}

/// A world from a file, in a moment of a replay if it is of one: that has the names of its bodies.
enum Saved {
    World(Box<World>),
    Moment(Box<Moment>),
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let worlds = [Saved::open(&options.first)?, Saved::open(&options.second)?];
    let differences = worlds[0].world().differences(worlds[1].world());
    let mut text = String::new();
    for difference in &differences {
        let name = worlds.iter().find_map(|saved| saved.name(difference));
        text += &match options.format {
            Format::Text => line(difference, name),
            Format::Json => serde_json::to_string(&json(difference, name))?,
        };
        text.push('\n');
    }
    if differences.is_empty() && options.format == Format::Text {
        text = format!("Equal: {} bodies\n", worlds[0].world().len());
    }
    Ok(Output { status: u8::from(!differences.is_empty()), ..text.into() })
}

impl Saved {
    fn open(path: &Path) -> hitmask::Result<Self> {
        let file = read_file(path)?;
        // For any other file the error is that of a world.
        match Moment::load(&file) {
            Ok(moment) => Ok(Self::Moment(moment.into())),
            Err(_) => World::load(&file).map(|world| Self::World(world.into())),
        }
        .map_err(|error| error.of(path.display().to_string()))
    }

    fn world(&self) -> &World {
        match self {
            Self::World(world) => world,
            Self::Moment(moment) => moment.world(),
        }
    }

    /// Returns the name of the body that a difference is about.
    fn name(&self, difference: &Difference) -> Option<&str> {
        match (self, difference.subject) {
            (Self::Moment(moment), Subject::Body(index)) => moment.name(moment.world().id(index)?),
            _ => None,
        }
    }
}

fn line(difference: &Difference, name: Option<&str>) -> String {
    let (line, subject) = (difference.to_string(), difference.subject.to_string());
    match (name, line.strip_prefix(&subject)) {
        (Some(name), Some(rest)) => format!("{subject} `{}`{rest}", printable(name)),
        _ => line,
    }
}

fn json<'a>(difference: &'a Difference, name: Option<&'a str>) -> Json<'a> {
    let (body, shape) = match difference.subject {
        Subject::Body(index) => (Some(index), None),
        Subject::Shape(index) => (None, Some(index)),
        _ => (None, None),
    };
    Json { body, shape, name, field: difference.field, values: &difference.values }
}
