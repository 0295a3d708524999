//! Levels that Tiled and LDtk have written, from the packages of other readers, and maps of this suite's own: as
//! another reader of Tiled's maps reads them, and as a plain walk over LDtk's JSON finds them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hitmask_files::Level;
use hitmask_files::level::{Cells, Content, Form, Layer, Object};
use proptest::prelude::*;
use serde_json::Value as Json;
use tiled::{LayerData, LayerTile, ObjectShape};

use super::tmx::{self, FORMATS};
use crate::packages;

/// A tile in a cell: tileset, number, diagonal flip, flip in x and in y.
type Placed = (usize, u32, [bool; 3]);

fn ours(layer: &Layer) -> BTreeMap<[i32; 2], Placed> {
    let cells = layer.cells().unwrap().iter();
    cells
        .map(|(cell, tile)| (cell, (tile.tileset.into(), tile.id, [tile.flips.diagonal, tile.flips.x, tile.flips.y])))
        .collect()
}

fn theirs(map: &tiled::Map, layer: &tiled::Layer) -> BTreeMap<[i32; 2], Placed> {
    let mut cells = BTreeMap::new();
    let mut add = |[left, top]: [i32; 2], rows: &[Vec<LayerTile>]| {
        for (y, row) in (top..).zip(rows) {
            for (x, tile) in (left..).zip(row).filter(|(_, tile)| tile.gid != 0) {
                let tileset = map.tilesets.iter().rposition(|tileset| tileset.first_gid <= tile.gid).unwrap();
                let id = tile.gid - map.tilesets[tileset].first_gid;
                cells.insert([x, y], (tileset, id, [tile.flip_d, tile.flip_h, tile.flip_v]));
            }
        }
    };
    match &layer.tiles {
        LayerData::Finite(rows) => add([0, 0], rows),
        LayerData::Infinite(chunks) => chunks.values().for_each(|chunk| add([chunk.x, chunk.y], &chunk.tiles)),
    }
    cells
}

fn wide(v: [f32; 2]) -> [f64; 2] {
    v.map(f64::from)
}

/// Checks an object other than a tile, and returns whether it is one of the other reader's.
fn is_same(ours: &Object, theirs: &tiled::Object) -> bool {
    let points = |points: &[(f32, f32)]| points.iter().map(|&(x, y)| wide([x, y])).collect::<Vec<_>>();
    let form = match &theirs.shape {
        ObjectShape::Rect { .. } => Form::Rect,
        ObjectShape::Ellipse { .. } => Form::Ellipse,
        ObjectShape::Point(..) => Form::Point,
        ObjectShape::Polygon { points: all } => Form::Polygon(points(all)),
        ObjectShape::Polyline { points: all } => Form::Polyline(points(all)),
    };
    let names = (ours.id, &ours.name, &ours.class) == (theirs.id, &theirs.name, &theirs.obj_type);
    let place = (ours.at, ours.size) == (wide([theirs.x, theirs.y]), wide([theirs.width, theirs.height]));
    names && place && (ours.rotation, ours.visible) == (theirs.rotation.into(), theirs.visible) && ours.form == form
}

/// Compares a level with what the other reader has found; returns the number of tiles and of objects.
fn compare(level: &Level, map: &tiled::Map) -> [usize; 2] {
    let is_tiles = |layer: &&Layer| layer.cells().is_some();
    let layers: Vec<&Layer> = level.layers.iter().filter(is_tiles).collect();
    assert_eq!(layers.len(), map.layers.len());
    let mut tiles = 0;
    for (layer, other) in layers.iter().zip(&map.layers) {
        let head = (&layer.name, layer.visible, layer.opacity, layer.offset);
        let offset = wide([other.offset_x, other.offset_y]);
        assert_eq!(head, (&other.name, other.visible, other.opacity.into(), offset));
        assert_eq!(ours(layer), theirs(map, other), "layer {}", layer.name);
        assert_eq!(layer.properties.len(), other.properties.len());
        assert!(other.properties.keys().all(|name| layer.properties.get(name).is_some()));
        tiles += ours(layer).len();
    }
    let groups: Vec<&Layer> =
        level.layers.iter().filter(|layer| matches!(layer.content, Content::Objects(_))).collect();
    assert_eq!(groups.len(), map.object_groups.len());
    let mut objects = 0;
    for (layer, other) in groups.iter().zip(&map.object_groups) {
        assert_eq!((&layer.name, layer.visible), (&other.name, other.visible));
        assert_eq!(layer.objects().len(), other.objects.len());
        for (object, other) in layer.objects().iter().zip(&other.objects) {
            assert!(is_same(object, other), "{object:?} is not {other:?}");
            objects += 1;
        }
    }
    let sets = |level: &Level| level.tilesets.iter().map(|set| (set.name.clone(), set.tile_size)).collect::<Vec<_>>();
    let theirs = map.tilesets.iter().map(|set| (set.name.clone(), [set.tile_width, set.tile_height]));
    assert_eq!(sets(level), theirs.collect::<Vec<_>>());
    [tiles, objects]
}

#[test]
fn maps_of_tiled_are_read_as_by_another_reader() {
    let mut files = packages::files("tiled", "assets", "tmx");
    assert_eq!(files.len(), 11);
    let zstd = files.iter().position(|file| file.ends_with("tiled_base64_zstandard.tmx")).unwrap();
    let zstd = Level::open(files.remove(zstd)).unwrap();
    // The other reader does not read tiles as elements, of which this file has one a line.
    let elements = files.remove(files.iter().position(|file| file.ends_with("tiled_xml.tmx")).unwrap());
    let level = Level::open(&elements).unwrap();
    let text = fs::read_to_string(&elements).unwrap();
    let tiles = text.lines().map(str::trim).filter(|line| *line == "<tile/>" || line.starts_with("<tile gid="));
    for (k, line) in (0..).zip(tiles) {
        let id = level.layers[0].cells().unwrap().get([k % 100, k / 100]).map(|tile| tile.id + 1);
        assert_eq!(id.map_or("<tile/>".into(), |gid| format!("<tile gid=\"{gid}\"/>")), line, "tile {k}");
    }
    files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/cave.tmx"));
    let mut sums = [0; 2];
    for file in &files {
        println!("{}", file.display());
        let level = Level::open(file).unwrap();
        let [tiles, objects] = compare(&level, &tiled::parse_file(file).unwrap());
        sums = [sums[0] + tiles, sums[1] + objects];
        // The map has been saved in other encodings too.
        if file.ends_with("tiled_base64.tmx") {
            assert_eq!(tiles, 161);
            assert_eq!(ours(&zstd.layers[0]), ours(&level.layers[0]));
        }
    }
    assert!(sums[0] > 1000 && sums[1] > 5, "{sums:?}");
}

/// An object: place, size, rotation and the number of its form.
type Drawn = ([i32; 2], [i32; 2], i32, i32);

fn gid() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(0), 3 => (1_u32..33, 0_u32..8).prop_map(|(gid, flips)| gid | flips << 29)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// The other reader takes a row of CSV from each line, reads no elements, and needs a C library for zstd.
    #[test]
    fn maps_that_are_written_here_are_read_as_by_another_reader(
        columns in 1_u32..9, gids in proptest::collection::vec(gid(), 72),
        format in proptest::sample::select(&FORMATS[2..5]),
        objects in proptest::collection::vec(([-40_i32..400, -40..400], [0_i32..90, 0..90], -180_i32..180, 0..5), 0..5),
    ) {
        let rows = 72 / columns;
        let gids = &gids[..(columns * rows) as usize];
        let object = |(id, drawn): (usize, &Drawn)| {
            let ([x, y], [width, height], turn, form) = drawn;
            let size = format!(" width=\"{width}.5\" height=\"{height}\"");
            let (size, form) = match form {
                0 => (size, ""),
                1 => (size, "<ellipse/>"),
                2 => (String::new(), "<point/>"),
                3 => (String::new(), "<polygon points=\"0,0 8,0.5 4,-7.25\"/>"),
                _ => (String::new(), "<polyline points=\"0,0 8,3\"/>"),
            };
            format!("<object id=\"{id}\" name=\"n{id}\" type=\"t\" x=\"{x}.25\" y=\"{y}\"{size} rotation=\"{turn}\">{form}</object>")
        };
        let objects: Vec<String> = objects.iter().enumerate().map(object).collect();
        let sets = [tmx::tileset(1, 16, ""), tmx::tileset(17, 16, "")].concat();
        let layers = ["ground", "above"].map(|name| tmx::layer(name, columns, rows, gids, format)).concat();
        let group = format!("<objectgroup id=\"3\" name=\"things\">{}</objectgroup>", objects.concat());
        let text = tmx::map(columns, rows, &(sets + &layers + &group));
        let level = tmx::files(text.clone()).read("a.tmx").unwrap();
        compare(&level, &tiled::parse(text.as_bytes()).unwrap());
    }
}

/// Tiles of a project by the room, the layer, the kind of layer and the place in the layer, in pixels, the lowest
/// first: tileset, number, and flips in x and in y.
type Tiles = BTreeMap<(String, String, &'static str, [i64; 2]), Vec<(String, i64, i64)>>;

/// Entities by the room, the layer, the identifier and the place of the upper left corner in the room.
type Entities = Vec<(String, String, String, [i64; 2], [i64; 2])>;

fn text(json: &Json) -> String {
    json.as_str().unwrap().to_owned()
}

fn int(json: &Json) -> i64 {
    json.as_i64().unwrap()
}

fn list(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

/// Finds tiles and entities by the published schema of the format.
fn walk(project: &Json, folder: &Path) -> (Tiles, Entities) {
    let (mut tiles, mut entities) = (Tiles::new(), Entities::new());
    let named = |list: &Json, uid: &Json| {
        let found = list.as_array().unwrap().iter().find(|definition| definition["uid"] == *uid);
        found.map_or(String::new(), |found| text(&found["identifier"]))
    };
    for level in list(&project["levels"]) {
        let outside;
        let level = if project["externalLevels"] == true {
            let file = folder.join(level["externalRelPath"].as_str().unwrap());
            outside = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
            &outside
        } else {
            level
        };
        let room = text(&level["identifier"]);
        for layer in list(&level["layerInstances"]) {
            let (name, side) = (text(&layer["__identifier"]), int(&layer["__gridSize"]));
            for (k, value) in (0..).zip(list(&layer["intGridCsv"])).filter(|(_, value)| int(value) != 0) {
                let columns = int(&layer["__cWid"]);
                let at = [k % columns * side, k / columns * side];
                let values = named(&project["defs"]["layers"], &layer["layerDefUid"]);
                tiles.entry((room.clone(), name.clone(), "IntGrid", at)).or_default().push((values, int(value), 0));
            }
            for (kind, field) in [("AutoLayer", "autoLayerTiles"), ("Tiles", "gridTiles")] {
                for tile in list(&layer[field]) {
                    let at = [0, 1].map(|axis| int(&tile["px"][axis]));
                    let set = named(&project["defs"]["tilesets"], &layer["__tilesetDefUid"]);
                    let key = (room.clone(), name.clone(), kind, at);
                    tiles.entry(key).or_default().push((set, int(&tile["t"]), int(&tile["f"])));
                }
            }
            for entity in list(&layer["entityInstances"]) {
                let size = ["width", "height"].map(|side| int(&entity[side]));
                let at = [0, 1]
                    .map(|k| int(&entity["px"][k]) - (entity["__pivot"][k].as_f64().unwrap() * size[k] as f64) as i64);
                entities.push((room.clone(), name.clone(), text(&entity["__identifier"]), at, size));
            }
        }
    }
    entities.sort();
    (tiles, entities)
}

/// Returns what a level that was read has.
fn found(level: &Level) -> (Tiles, Entities) {
    let (mut tiles, mut entities) = (Tiles::new(), Entities::new());
    for layer in &level.layers {
        let room = level.rooms[layer.room].name.clone();
        let kind =
            ["IntGrid", "AutoLayer", "Tiles", "Entities"].into_iter().find(|kind| **kind == layer.class).unwrap();
        let placed = |tile: hitmask_files::level::Tile| {
            let name = level.tilesets[usize::from(tile.tileset)].name.clone();
            (name, tile.id.into(), i64::from(tile.flips.x) + 2 * i64::from(tile.flips.y))
        };
        for (cell, tile) in layer.cells().into_iter().flat_map(Cells::iter) {
            let size = layer.cells().unwrap().size;
            let at = [0, 1].map(|k| i64::from(cell[k]) * i64::from(size[k]));
            tiles.entry((room.clone(), layer.name.clone(), kind, at)).or_default().push(placed(tile));
        }
        for object in layer.objects() {
            let [at, size] = [object.at, object.size].map(|v| v.map(|v| v as i64));
            match object.form {
                Form::Tile(tile) => {
                    tiles.entry((room.clone(), layer.name.clone(), kind, at)).or_default().push(placed(tile));
                }
                _ => entities.push((room.clone(), layer.name.clone(), object.class.clone(), at, size)),
            }
        }
    }
    entities.sort();
    (tiles, entities)
}

#[test]
fn projects_of_ldtk_have_the_tiles_and_entities_of_their_json() {
    let files = packages::files("ldtk_rust", "assets", "ldtk");
    assert_eq!(files.len(), 8);
    let mut counts = BTreeMap::new();
    for file in &files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        // Their schema is another one.
        if let Some(version) = ["0-7-2", "0-8-1"].into_iter().find(|version| name.contains(version)) {
            let error = Level::open(file).unwrap_err().to_string();
            let expected =
                format!("a project of LDtk {}; projects of LDtk 0.9 or later are read", version.replace('-', "."));
            assert!(error.ends_with(&expected), "{error}");
            continue;
        }
        let project: Json = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
        let level = Level::open(file).unwrap_or_else(|error| panic!("{error}"));
        let (tiles, entities) = walk(&project, file.parent().unwrap());
        assert_eq!(found(&level), (tiles.clone(), entities.clone()), "{name}");
        let rooms: Vec<&str> =
            list(&project["levels"]).iter().map(|level| level["identifier"].as_str().unwrap()).collect();
        assert_eq!(level.rooms.iter().map(|room| &*room.name).collect::<Vec<_>>(), rooms);
        counts.insert(name, [tiles.len(), tiles.values().map(Vec::len).max().unwrap_or(0), entities.len()]);
    }
    // Stacked tiles and entities are among them.
    assert_eq!(counts.values().filter(|counts| **counts == [3403, 2, 9]).count(), 5, "{counts:?}");
    assert_eq!(counts["SeparateLevelFiles.ldtk"], [51, 1, 0]);
}
