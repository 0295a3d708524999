//! The content of Tiled's files, as read from XML or from JSON. Fields that are not here are ignored.

use serde::Deserialize;

use super::json;
use crate::level::properties::Properties;

/// A map.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Map {
    pub(super) orientation: String,
    pub(super) infinite: bool,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) class: String,
    #[serde(deserialize_with = "json::properties")]
    pub(super) properties: Properties,
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<Layer>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Tileset {
    pub(super) firstgid: u32,
    /// The path of a tileset in a file of its own.
    pub(super) source: Option<String>,
    pub(super) name: String,
    pub(super) class: String,
    pub(super) tilewidth: u32,
    pub(super) tileheight: u32,
    pub(super) margin: u32,
    pub(super) spacing: u32,
    pub(super) tilecount: Option<u32>,
    pub(super) columns: Option<u32>,
    #[serde(flatten)]
    pub(super) image: Image,
    pub(super) tileoffset: Offset,
    pub(super) objectalignment: Option<String>,
    pub(super) tilerendersize: Option<String>,
    pub(super) fillmode: Option<String>,
    #[serde(deserialize_with = "json::properties")]
    pub(super) properties: Properties,
    pub(super) tiles: Vec<TileInfo>,
}

/// An image. In JSON its fields are those of what has it.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Image {
    #[serde(rename = "image")]
    pub(super) source: Option<String>,
    #[serde(rename = "imagewidth")]
    pub(super) width: Option<u32>,
    #[serde(rename = "imageheight")]
    pub(super) height: Option<u32>,
    /// The colour of transparent pixels.
    #[serde(rename = "transparentcolor")]
    pub(super) key: Option<String>,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Offset {
    pub(super) x: i32,
    pub(super) y: i32,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct TileInfo {
    pub(super) id: u32,
    #[serde(rename = "type", alias = "class")]
    pub(super) class: String,
    #[serde(flatten)]
    pub(super) image: Image,
    /// The part of the image.
    pub(super) x: Option<u32>,
    pub(super) y: Option<u32>,
    pub(super) width: Option<u32>,
    pub(super) height: Option<u32>,
    #[serde(deserialize_with = "json::properties")]
    pub(super) properties: Properties,
    pub(super) objectgroup: Shapes,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Shapes {
    pub(super) objects: Vec<Object>,
}

#[derive(Deserialize)]
#[serde(default)]
pub(super) struct Layer {
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) name: String,
    pub(super) class: String,
    pub(super) visible: bool,
    pub(super) opacity: f64,
    pub(super) offsetx: f64,
    pub(super) offsety: f64,
    #[serde(deserialize_with = "json::properties")]
    pub(super) properties: Properties,
    /// The size in cells of a layer of tiles.
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Option<Data>,
    pub(super) encoding: Option<String>,
    pub(super) compression: Option<String>,
    pub(super) chunks: Vec<Chunk>,
    /// The objects of a layer of objects.
    pub(super) objects: Vec<Object>,
    /// The layers of a group.
    pub(super) layers: Vec<Layer>,
}

impl Default for Layer {
    fn default() -> Self {
        Self {
            kind: String::new(),
            name: String::new(),
            class: String::new(),
            visible: true,
            opacity: 1.0,
            offsetx: 0.0,
            offsety: 0.0,
            properties: Properties::default(),
            width: 0,
            height: 0,
            data: None,
            encoding: None,
            compression: None,
            chunks: Vec::new(),
            objects: Vec::new(),
            layers: Vec::new(),
        }
    }
}

/// The tiles of a layer or a chunk.
pub(super) enum Data {
    /// Their numbers.
    Numbers(Vec<u32>),
    /// Their numbers in base64, maybe compressed.
    Text(String),
}

#[derive(Deserialize)]
pub(super) struct Chunk {
    pub(super) x: i32,
    pub(super) y: i32,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) data: Data,
}

/// An object. An instance of a template has only the fields that differ from it.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Object {
    pub(super) id: u32,
    pub(super) template: Option<String>,
    pub(super) name: Option<String>,
    #[serde(rename = "type", alias = "class")]
    pub(super) class: Option<String>,
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: Option<f64>,
    pub(super) height: Option<f64>,
    pub(super) rotation: Option<f64>,
    pub(super) visible: Option<bool>,
    pub(super) gid: Option<u32>,
    pub(super) ellipse: bool,
    pub(super) capsule: bool,
    pub(super) point: bool,
    pub(super) polygon: Option<Vec<Point>>,
    pub(super) polyline: Option<Vec<Point>>,
    pub(super) text: Option<Text>,
    #[serde(deserialize_with = "json::properties")]
    pub(super) properties: Properties,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub(super) struct Text {
    pub(super) text: String,
}

/// An object in a file of its own, with the tileset of its tile.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Template {
    pub(super) tileset: Option<Tileset>,
    pub(super) object: Object,
}
