//! The answer to a scene as JSON.

use std::io::{self, Write};

use hitmask::scene::Scene;
use hitmask::{Contact, Detail, Hits, World, contact};
use serde::{Serialize, Serializer};

/// What `check` found.
pub(crate) struct Answer {
    pub(crate) scene: Scene,
    pub(crate) world: World,
    pub(crate) hits: Hits,
    /// The engine's name and what it ran on.
    pub(crate) engine: [String; 2],
    /// Whether details were asked for.
    pub(crate) details: bool,
}

#[derive(Serialize)]
struct Json<'a> {
    backend: &'a str,
    device: &'a str,
    bodies: usize,
    pairs: &'a [[u32; 2]],
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details<'a>>,
}

/// What all pairs carry: made one by one, as they are written.
struct Details<'a>(&'a Answer);

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.carried())
    }
}

/// What a pair carries, a key for each value that it has.
#[derive(Serialize)]
pub(crate) struct Carried {
    pub(crate) pair: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) time: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) area: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) bounds: Option<[i32; 4]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) first: Option<[i32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) sums: Option<[i64; 2]>,
    pub(crate) normal: [f64; 2],
    pub(crate) depth: f64,
    pub(crate) push: [f64; 2],
}

impl Answer {
    /// What each pair carries, in order; nothing where details were not asked for.
    pub(crate) fn carried(&self) -> impl Iterator<Item = Carried> + '_ {
        self.hits.pairs.iter().zip(&self.hits.details).map(|(&pair, detail)| self.carry(pair, detail))
    }

    fn carry(&self, pair: [u32; 2], detail: &Detail) -> Carried {
        let Contact { normal, depth, push } = contact(&self.world, pair, detail);
        let overlap = detail.overlap;
        Carried {
            pair,
            time: detail.time,
            area: detail.area,
            bounds: overlap.map(|overlap| overlap.bounds),
            first: overlap.map(|overlap| overlap.first),
            sums: overlap.map(|overlap| overlap.sums),
            // Adding 0 turns -0 into 0.
            normal: normal.map(|v| v + 0.0),
            depth: depth + 0.0,
            push: push.units(),
        }
    }

    /// Writes it as one line of JSON.
    pub(crate) fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let [backend, device] = &self.engine;
        let details = self.details.then_some(Details(self));
        let json = Json { backend, device, bodies: self.world.len(), pairs: &self.hits.pairs, details };
        serde_json::to_writer(&mut *out, &json)?;
        out.write_all(b"\n")
    }
}
