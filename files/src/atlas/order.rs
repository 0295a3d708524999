//! The frames of the JSON in the order of the text, from an array or from a hash.

use std::fmt;

use serde::Deserializer;
use serde::de::{Deserialize, Error, MapAccess, SeqAccess, Visitor};

use super::model::Entry;
use crate::budget::MAX_FRAMES;

/// The frames in the order of the text. In a hash several may have the same key: Aseprite writes such files, and its
/// tags count the frames by their order.
#[derive(Default)]
pub(super) struct Frames(pub(super) Vec<Entry>);

impl<'de> Deserialize<'de> for Frames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Listed)
    }
}

struct Listed;

impl<'de> Visitor<'de> for Listed {
    type Value = Frames;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the frames, as an array or as a hash")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Frames, A::Error> {
        let mut frames = Vec::new();
        while let Some(entry) = seq.next_element()? {
            add(&mut frames, entry)?;
        }
        Ok(Frames(frames))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Frames, A::Error> {
        let mut frames = Vec::new();
        while let Some((name, entry)) = map.next_entry::<String, Entry>()? {
            add(&mut frames, Entry { name, ..entry })?;
        }
        Ok(Frames(frames))
    }
}

fn add<E: Error>(frames: &mut Vec<Entry>, entry: Entry) -> Result<(), E> {
    if frames.len() == MAX_FRAMES {
        return Err(E::custom(format!("more than {MAX_FRAMES} frames, the limit")));
    }
    frames.push(entry);
    Ok(())
}
