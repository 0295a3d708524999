//! The answer to a scene as JSON.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::ControlFlow;

use hitmask::scene::Scene;
use hitmask::{Ask, Contact, Detail, Engine, Hits, World};
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};

/// The answer of `check`.
pub(crate) struct Answer {
    pub(crate) scene: Scene,
    pub(crate) world: World,
    pub(crate) pairs: Pairs,
    /// The engine's name and what it ran on.
    pub(crate) engine: [String; 2],
    /// Whether to include details.
    pub(crate) details: bool,
}

/// The pairs of an answer.
pub(crate) enum Pairs {
    /// All pairs, in memory.
    Held(Hits),
    /// More pairs than fit into memory. The engine finds them again, in batches, whenever they are needed.
    Streamed(RefCell<Engine>),
}

/// The memory for a batch of streamed pairs, in bytes.
const STREAM_BYTES: u64 = 1 << 26;

#[derive(Serialize)]
struct Json<'a> {
    backend: &'a str,
    device: &'a str,
    bodies: usize,
    pairs: Bare<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    details: Option<Details<'a>>,
}

/// All pairs, without details.
struct Bare<'a>(&'a Answer);

/// The details of all pairs, computed one by one as they are written.
struct Details<'a>(&'a Answer);

impl Serialize for Bare<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.0
            .each(false, S::Error::custom, |pairs, _| pairs.iter().try_for_each(|pair| list.serialize_element(pair)))?;
        list.end()
    }
}

impl Serialize for Details<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        self.0.each(true, S::Error::custom, |pairs, details| {
            pairs
                .iter()
                .zip(details)
                .try_for_each(|(&pair, detail)| list.serialize_element(&self.0.carry(pair, detail)))
        })?;
        list.end()
    }
}

/// The details of a pair, with a key for each value that is present.
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
    /// Calls `each` with all pairs in order, in batches, and with their details if `details` is set. `told` converts an
    /// engine's error into the caller's.
    pub(crate) fn each<E>(
        &self,
        details: bool,
        told: impl FnOnce(hitmask::Error) -> E,
        mut each: impl FnMut(&[[u32; 2]], &[Detail]) -> Result<(), E>,
    ) -> Result<(), E> {
        let engine = match &self.pairs {
            Pairs::Held(hits) => return each(&hits.pairs, if details { &hits.details } else { &[] }),
            Pairs::Streamed(engine) => engine,
        };
        let ask = if details { Ask::Details } else { Ask::Pairs };
        let each = |pairs: &[_], details: &[_]| match each(pairs, details) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => ControlFlow::Break(error),
        };
        match engine.borrow_mut().stream(&self.world, ask, STREAM_BYTES, each).map_err(told)? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(error) => Err(error),
        }
    }

    pub(crate) fn carry(&self, pair: [u32; 2], detail: &Detail) -> Carried {
        let Contact { normal, depth, push, .. } = self.world.contact(pair, detail);
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

    /// Writes the answer as one line of JSON.
    pub(crate) fn json(&self, out: &mut dyn Write) -> io::Result<()> {
        let [backend, device] = &self.engine;
        let details = self.details.then_some(Details(self));
        let json = Json { backend, device, bodies: self.world.len(), pairs: Bare(self), details };
        serde_json::to_writer(&mut *out, &json)?;
        out.write_all(b"\n")
    }
}
