//! A level as JSON.

use hitmask_files::level::{
    Cells, Content, Form, Layer, Level, Object, Properties, Room, Tile, TileInfo, Tileset, Value,
};
use serde::{Serialize, Serializer};

use super::super::level::{Bodies, form_name};
use super::is_empty;

#[derive(Serialize)]
struct LevelJson<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "is_empty")]
    class: &'a str,
    rooms: Vec<RoomJson<'a>>,
    tilesets: Vec<TilesetJson<'a>>,
    layers: Vec<LayerJson<'a>>,
    bodies: usize,
    /// The bodies lie within `[left, top, right, bottom]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    bounds: Option<[f64; 4]>,
    /// The level becomes no bodies, for this reason.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct RoomJson<'a> {
    #[serde(skip_serializing_if = "is_empty")]
    name: &'a str,
    at: [f64; 2],
    size: [f64; 2],
    depth: i32,
    #[serde(skip_serializing_if = "PropertiesJson::is_empty")]
    properties: PropertiesJson<'a>,
}

#[derive(Serialize)]
struct TilesetJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    class: &'a str,
    tile_size: [u32; 2],
    #[serde(skip_serializing_if = "PropertiesJson::is_empty")]
    properties: PropertiesJson<'a>,
    /// The tiles that have a class, properties, shapes or images of their own.
    tiles: Vec<TileInfoJson<'a>>,
}

#[derive(Serialize)]
struct TileInfoJson<'a> {
    id: u32,
    #[serde(skip_serializing_if = "is_empty")]
    class: &'a str,
    #[serde(skip_serializing_if = "PropertiesJson::is_empty")]
    properties: PropertiesJson<'a>,
    shapes: Vec<ObjectJson<'a>>,
}

#[derive(Serialize)]
struct LayerJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    class: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<&'a str>,
    room: usize,
    visible: bool,
    opacity: f64,
    offset: [f64; 2],
    #[serde(skip_serializing_if = "PropertiesJson::is_empty")]
    properties: PropertiesJson<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_size: Option<[u32; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tiles: Option<CellsJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    objects: Option<Vec<ObjectJson<'a>>>,
}

/// The tiles of a layer, which may be millions.
struct CellsJson<'a>(&'a Cells);

#[derive(Serialize)]
struct CellJson {
    cell: [i32; 2],
    #[serde(flatten)]
    tile: TileJson,
}

#[derive(Serialize)]
struct TileJson {
    tileset: u16,
    id: u32,
    /// Some of `d` (x and y exchanged first), `x` and `y`.
    #[serde(skip_serializing_if = "String::is_empty")]
    flips: String,
}

#[derive(Serialize)]
struct ObjectJson<'a> {
    id: u32,
    #[serde(skip_serializing_if = "is_empty")]
    name: &'a str,
    #[serde(skip_serializing_if = "is_empty")]
    class: &'a str,
    form: &'static str,
    at: [f64; 2],
    size: [f64; 2],
    rotation: f64,
    visible: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<&'a [[f64; 2]]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tile: Option<TileJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
    #[serde(skip_serializing_if = "PropertiesJson::is_empty")]
    properties: PropertiesJson<'a>,
}

struct PropertiesJson<'a>(&'a Properties);

struct ValueJson<'a>(&'a Value);

/// Returns a level and its bodies as JSON.
pub(in super::super) fn json<'a>(level: &'a Level, bodies: &'a Bodies) -> impl Serialize + 'a {
    LevelJson {
        kind: "level",
        class: &level.class,
        rooms: level.rooms.iter().map(room).collect(),
        tilesets: level.tilesets.iter().map(tileset).collect(),
        layers: level.layers.iter().map(layer).collect(),
        bodies: bodies.count,
        bounds: bodies.bounds,
        error: bodies.error.as_deref(),
    }
}

fn room(room: &Room) -> RoomJson<'_> {
    RoomJson {
        name: &room.name,
        at: room.at,
        size: room.size,
        depth: room.depth,
        properties: PropertiesJson(&room.properties),
    }
}

fn tileset(tileset: &Tileset) -> TilesetJson<'_> {
    TilesetJson {
        name: &tileset.name,
        class: &tileset.class,
        tile_size: tileset.tile_size,
        properties: PropertiesJson(&tileset.properties),
        tiles: tileset.tiles.iter().map(|(id, info)| tile_info(*id, info)).collect(),
    }
}

fn tile_info(id: u32, info: &TileInfo) -> TileInfoJson<'_> {
    TileInfoJson {
        id,
        class: &info.class,
        properties: PropertiesJson(&info.properties),
        shapes: info.shapes.iter().map(object).collect(),
    }
}

fn layer(layer: &Layer) -> LayerJson<'_> {
    let cells = layer.cells();
    LayerJson {
        name: &layer.name,
        class: &layer.class,
        groups: layer.groups.iter().map(|group| &*group.name).collect(),
        room: layer.room,
        visible: layer.visible,
        opacity: layer.opacity,
        offset: layer.offset,
        properties: PropertiesJson(&layer.properties),
        cell_size: cells.map(|cells| cells.size),
        tiles: cells.map(CellsJson),
        objects: match &layer.content {
            Content::Objects(objects) => Some(objects.iter().map(object).collect()),
            _ => None,
        },
    }
}

fn tile(Tile { tileset, id, flips }: Tile) -> TileJson {
    let flips = [(flips.diagonal, "d"), (flips.x, "x"), (flips.y, "y")];
    TileJson { tileset, id, flips: flips.into_iter().filter_map(|(is, name)| is.then_some(name)).collect() }
}

fn object(object: &Object) -> ObjectJson<'_> {
    let (mut points, mut shown, mut text) = (None, None, None);
    match &object.form {
        Form::Polygon(all) | Form::Polyline(all) => points = Some(&all[..]),
        Form::Tile(own) => shown = Some(tile(*own)),
        Form::Text(own) => text = Some(&**own),
        _ => {}
    }
    ObjectJson {
        id: object.id,
        name: &object.name,
        class: &object.class,
        form: form_name(&object.form),
        at: object.at,
        size: object.size,
        rotation: object.rotation,
        visible: object.visible,
        points,
        tile: shown,
        text,
        properties: PropertiesJson(&object.properties),
    }
}

impl Serialize for CellsJson<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_seq(self.0.iter().map(|(cell, own)| CellJson { cell, tile: tile(own) }))
    }
}

impl PropertiesJson<'_> {
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for PropertiesJson<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_map(self.0.iter().map(|(name, value)| (name, ValueJson(value))))
    }
}

impl Serialize for ValueJson<'_> {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Bool(value) => s.serialize_bool(*value),
            Value::Int(value) | Value::Object(value) => s.serialize_i64(*value),
            Value::Float(value) => s.serialize_f64(*value),
            Value::Text(value) | Value::File(value) => s.serialize_str(value),
            Value::Class(members) => PropertiesJson(members).serialize(s),
            Value::List(items) => s.collect_seq(items.iter().map(ValueJson)),
            _ => s.serialize_unit(),
        }
    }
}
