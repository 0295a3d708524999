//! `hitmask query`.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use hitmask::query::{BodyHit, NearestHit, Query, RayHit, Search};
use hitmask::scene::{Scene, SceneQuery};
use hitmask::{Engine, Error};
use serde::Serialize;

use crate::text::count;
use crate::{Format, Output};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask query scene.json
  hitmask query scene.json --backend reference --format json | jq '.answers[0]'

A scene's \"queries\" ask what lies at a point, what a body outside the scene would hit, what a ray meets first, and \
what is nearest:
  { \"point\": [4, 5] }, { \"body\": { \"shape\": \"ship\", \"at\": [1, 2], \"move\": [9, 0] } },
  { \"ray\": [[0, 0], [90, 9]], \"hits\": 6 }, { \"nearest\": [4, 5], \"within\": 100, \"count\": 3 }
Bodies are as they are at the start of the step, and do not move.

Exit status: 0 answered, whatever is found; 2 an error, with nothing on standard output.";

/// The engines that answer queries.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Backend {
    /// An index on the CPU
    Cpu,
    /// The definition: each body is tested
    Reference,
}

#[derive(Args)]
pub(crate) struct Options {
    /// The scene file whose queries to run
    scene: PathBuf,
    /// Engine to use; both give the same answers
    #[arg(long, value_enum, default_value_t = Backend::Cpu)]
    backend: Backend,
    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Serialize)]
struct Json<'a> {
    backend: &'a str,
    answers: &'a [Answer],
}

/// The answer to a query, with a key for each value that is present.
#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Point {
        bodies: Vec<u32>,
    },
    Body {
        bodies: Vec<Found>,
        #[serde(skip_serializing_if = "Option::is_none")]
        first: Option<u32>,
    },
    Ray {
        #[serde(flatten)]
        hit: Option<Found>,
    },
    Nearest {
        bodies: Vec<Found>,
    },
}

/// A body that was found.
#[derive(Default, Serialize)]
struct Found {
    body: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    area: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[i32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    first: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<[i64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    distance: Option<f64>,
}

impl From<BodyHit> for Found {
    fn from(BodyHit { body, detail, .. }: BodyHit) -> Self {
        Self {
            body: body.index(),
            time: detail.time,
            area: detail.area,
            bounds: detail.overlap.map(|overlap| overlap.bounds),
            first: detail.overlap.map(|overlap| overlap.first),
            sums: detail.overlap.map(|overlap| overlap.sums),
            distance: None,
        }
    }
}

impl From<RayHit> for Found {
    fn from(RayHit { body, tick, .. }: RayHit) -> Self {
        Self { body: body.index(), time: Some([tick, hitmask::geometry::TICKS]), ..Self::default() }
    }
}

impl From<NearestHit> for Found {
    fn from(NearestHit { body, distance, .. }: NearestHit) -> Self {
        Self { body: body.index(), distance: Some(distance), ..Self::default() }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let (scene, _) = hitmask_files::scene::open(&options.scene)?;
    let world = scene.world()?;
    let queries = scene.prepare_queries(&world)?;
    let engine = match options.backend {
        Backend::Cpu => Engine::cpu()?,
        Backend::Reference => Engine::reference(),
    };
    let mut index = engine.queries();
    let search = index.on(&world);
    let answers = queries
        .iter()
        .enumerate()
        .map(|(index, query)| answer(search, query).map_err(|error| scene.blame_query(index, error)));
    let answers = answers.collect::<hitmask::Result<Vec<_>>>()?;
    Ok(match options.format {
        Format::Text => text(&scene, &queries, &answers, &format!("{} ({})", engine.name(), engine.device())).into(),
        Format::Json => (serde_json::to_string(&Json { backend: engine.name(), answers: &answers })? + "\n").into(),
    })
}

fn answer(search: Search<'_>, query: &SceneQuery) -> hitmask::Result<Answer> {
    Ok(match query {
        SceneQuery::Point(point) => {
            Answer::Point { bodies: all(search, point)?.into_iter().map(hitmask::BodyId::index).collect() }
        }
        SceneQuery::Body(body) => Answer::Body {
            bodies: all(search, body)?.into_iter().map(Found::from).collect(),
            first: search.first(body)?.map(|hit| hit.body.index()),
        },
        SceneQuery::Ray(ray) => Answer::Ray { hit: search.first(ray)?.map(Found::from) },
        SceneQuery::Nearest(nearest) => {
            Answer::Nearest { bodies: all(search, nearest)?.into_iter().map(Found::from).collect() }
        }
    })
}

fn all<Q: Query>(search: Search<'_>, query: &Q) -> Result<Vec<Q::Answer>, Error> {
    let mut found = Vec::new();
    search.all(query, &mut found).map(|()| found)
}

/// Formats each query with the bodies that it found, for people.
fn text(scene: &Scene, queries: &[SceneQuery], answers: &[Answer], engine: &str) -> String {
    let mut text = format!("{}; engine {engine}\n", count(queries.len(), "query", "queries"));
    for (index, (query, answer)) in queries.iter().zip(answers).enumerate() {
        let at = |at: hitmask::geometry::Vec2| format!("({}, {})", at.x, at.y);
        let asked = match query {
            SceneQuery::Point(point) => format!("at the point {}", at(point.at)),
            SceneQuery::Body(body) => format!("a body at {}, moving by {}", at(body.at), at(body.motion)),
            SceneQuery::Ray(ray) => format!("a ray from {} to {}", at(ray.from), at(ray.to)),
            SceneQuery::Nearest(nearest) => format!("nearest to {}", at(nearest.at)),
        };
        let _ = writeln!(text, "\nquery {index}: {asked}");
        let mut lines = String::new();
        let mut found = |found: &Found, first: bool| {
            let mut line = scene.label(found.body as usize);
            if let Some([tick, ticks]) = found.time {
                let _ = write!(line, ", tick {tick} of {ticks}");
            }
            if let Some(area) = found.area {
                let _ = write!(line, ", {}", count(area, "pixel", "pixels"));
            }
            if let Some(distance) = found.distance {
                let _ = write!(line, ", {distance} units away");
            }
            let _ = writeln!(lines, "    {line}{}", if first { ", first" } else { "" });
        };
        match answer {
            Answer::Point { bodies } => {
                for &body in bodies {
                    found(&Found { body, ..Found::default() }, false);
                }
            }
            Answer::Body { bodies, first } => {
                for hit in bodies {
                    found(hit, Some(hit.body) == *first);
                }
            }
            Answer::Ray { hit } => {
                if let Some(hit) = hit {
                    found(hit, false);
                }
            }
            Answer::Nearest { bodies } => {
                for near in bodies {
                    found(near, false);
                }
            }
        }
        if lines.is_empty() {
            lines.push_str("    none\n");
        }
        text.push_str(&lines);
    }
    text
}
