//! The keys of a shape from a sheet, and of a level.

use std::num::{NonZeroU8, NonZeroU32};

use serde::{Deserialize, Deserializer};

use crate::filter::Filter;
use crate::terrain::{Merge, Source};

/// A shape that is a frame of a sheet, or a slice in it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SheetKeys {
    pub(super) sheet: String,
    #[serde(default, deserialize_with = "some")]
    pub(super) threshold: Option<NonZeroU8>,
    #[serde(default, deserialize_with = "some")]
    pub(super) layers: Option<Vec<String>>,
    #[serde(default, deserialize_with = "some")]
    pub(super) grid: Option<[NonZeroU32; 2]>,
    #[serde(default, deserialize_with = "some")]
    pub(super) tag: Option<String>,
    #[serde(default, deserialize_with = "some")]
    pub(super) frame: Option<Which>,
    #[serde(default, deserialize_with = "some")]
    pub(super) slice: Option<String>,
    #[serde(default, deserialize_with = "some")]
    pub(super) anchor: Option<[f64; 2]>,
}

/// A frame of a sheet or of a tag.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected the number of a frame, from 0, or its name")]
pub(super) enum Which {
    Number(usize),
    Name(String),
}

/// A level, which becomes bodies.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LevelKeys {
    #[serde(default, deserialize_with = "some")]
    pub(super) tiled: Option<String>,
    #[serde(default, deserialize_with = "some")]
    pub(super) ldtk: Option<String>,
    #[serde(default, deserialize_with = "some")]
    pub(super) level: Option<String>,
    #[serde(default, deserialize_with = "some")]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) at: [f64; 2],
    #[serde(default = "layer")]
    pub(super) layer: u32,
    #[serde(default = "hits")]
    pub(super) hits: u32,
    #[serde(default)]
    pub(super) detector: bool,
    #[serde(default = "group")]
    pub(super) group: u32,
    #[serde(default, with = "Sources")]
    pub(super) solid: Source,
    #[serde(default = "polygons", with = "Merges")]
    pub(super) merge: Merge,
    #[serde(default, deserialize_with = "some")]
    pub(super) threshold: Option<NonZeroU8>,
}

/// The names of [`Source`].
#[derive(Deserialize)]
#[serde(remote = "Source", rename_all = "lowercase")]
enum Sources {
    Shapes,
    Pixels,
    Boxes,
}

/// The names of [`Merge`].
#[derive(Deserialize)]
#[serde(remote = "Merge", rename_all = "lowercase")]
enum Merges {
    Masks,
    Polygons,
    None,
}

/// Reads a value that is given; `null` is of a wrong type, not absent.
fn some<'de, D: Deserializer<'de>, T: Deserialize<'de>>(d: D) -> Result<Option<T>, D::Error> {
    T::deserialize(d).map(Some)
}

fn layer() -> u32 {
    Filter::default().layers
}

fn hits() -> u32 {
    Filter::default().mask
}

fn group() -> u32 {
    Filter::default().group
}

/// The bodies that `hitmask inspect` lists.
fn polygons() -> Merge {
    Merge::Polygons
}
