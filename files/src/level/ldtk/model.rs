//! The content of an LDtk project, by its published schema. Fields that are not here are ignored.

use serde::Deserialize;
use serde_json::Value as Json;

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Project {
    pub(super) defs: Definitions,
    pub(super) levels: Vec<Level>,
    pub(super) world_layout: Option<String>,
    pub(super) worlds: Vec<World>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct World {
    pub(super) levels: Vec<Level>,
    pub(super) world_layout: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Definitions {
    pub(super) tilesets: Vec<Tileset>,
    pub(super) layers: Vec<LayerDefinition>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Tileset {
    pub(super) uid: i64,
    pub(super) identifier: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: u32,
    #[serde(rename = "__cHei")]
    pub(super) rows: u32,
    pub(super) px_wid: u32,
    pub(super) px_hei: u32,
    pub(super) rel_path: Option<String>,
    pub(super) tile_grid_size: u32,
    pub(super) spacing: u32,
    pub(super) padding: u32,
    pub(super) custom_data: Vec<CustomData>,
    pub(super) enum_tags: Vec<EnumTag>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CustomData {
    pub(super) tile_id: u32,
    pub(super) data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EnumTag {
    pub(super) enum_value_id: String,
    pub(super) tile_ids: Vec<u32>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct LayerDefinition {
    pub(super) uid: i64,
    pub(super) identifier: String,
    pub(super) grid_size: u32,
    pub(super) int_grid_values: Vec<IntGridValue>,
}

#[derive(Deserialize)]
pub(super) struct IntGridValue {
    pub(super) value: u32,
    pub(super) identifier: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Level {
    pub(super) identifier: String,
    pub(super) world_x: i32,
    pub(super) world_y: i32,
    pub(super) world_depth: i32,
    pub(super) px_wid: u32,
    pub(super) px_hei: u32,
    pub(super) field_instances: Vec<Field>,
    /// `None` if the level has a file of its own.
    pub(super) layer_instances: Option<Vec<Layer>>,
    pub(super) external_rel_path: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Layer {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(rename = "__type")]
    pub(super) kind: String,
    #[serde(rename = "__cWid")]
    pub(super) columns: u32,
    #[serde(rename = "__cHei")]
    pub(super) rows: u32,
    #[serde(rename = "__gridSize")]
    pub(super) grid_size: u32,
    #[serde(rename = "__opacity")]
    pub(super) opacity: f64,
    #[serde(rename = "__pxTotalOffsetX")]
    pub(super) offset_x: i32,
    #[serde(rename = "__pxTotalOffsetY")]
    pub(super) offset_y: i32,
    #[serde(rename = "__tilesetDefUid")]
    pub(super) tileset: Option<i64>,
    #[serde(rename = "layerDefUid")]
    pub(super) definition: i64,
    pub(super) visible: bool,
    pub(super) int_grid_csv: Vec<u32>,
    pub(super) auto_layer_tiles: Vec<Tile>,
    pub(super) grid_tiles: Vec<Tile>,
    pub(super) entity_instances: Vec<Entity>,
}

#[derive(Deserialize)]
pub(super) struct Tile {
    /// The pixel of its top-left corner in the layer.
    pub(super) px: [i32; 2],
    /// Bit 0 flips x, bit 1 flips y.
    #[serde(default)]
    pub(super) f: u32,
    /// Its number.
    pub(super) t: u32,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Entity {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    pub(super) iid: String,
    #[serde(rename = "__pivot")]
    pub(super) pivot: [f64; 2],
    #[serde(rename = "__tags")]
    pub(super) tags: Vec<String>,
    pub(super) px: [i32; 2],
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) field_instances: Vec<Field>,
}

#[derive(Deserialize)]
pub(super) struct Field {
    #[serde(rename = "__identifier")]
    pub(super) identifier: String,
    #[serde(default, rename = "__type")]
    pub(super) kind: String,
    #[serde(default, rename = "__value")]
    pub(super) value: Json,
}
