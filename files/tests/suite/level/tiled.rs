//! Tiled's maps in all their forms.

use hitmask_files::level::{Cells, Content, Flips, Form, Properties, Tile, Value};
use hitmask_files::{Import, Level};
use proptest::prelude::*;
use serde_json::json;

use super::tmx::{self, FORMATS, Files, Format, attributes, content, files, layer, map, tileset};

fn cells(level: &Level) -> &Cells {
    level.layers[0].cells().unwrap()
}

/// The tile of a number, with two tilesets of which the second begins at 17.
fn naive(gid: u32) -> Option<Tile> {
    let number = gid & 0x1fff_ffff;
    let (tileset, id) = if number >= 17 { (1, number - 17) } else { (0, number.checked_sub(1)?) };
    let flips = Flips { x: gid >> 31 & 1 == 1, y: gid >> 30 & 1 == 1, diagonal: gid >> 29 & 1 == 1 };
    Some(Tile { tileset, id, flips })
}

fn gid() -> impl Strategy<Value = u32> {
    prop_oneof![2 => Just(0), 3 => (1_u32..33, 0_u32..8).prop_map(|(number, flips)| number | flips << 29)]
}

/// A map as JSON, with the tiles of its layer.
fn json(columns: u32, rows: u32, gids: &[u32], compression: Option<&str>) -> String {
    let bytes: Vec<u8> = gids.iter().flat_map(|gid| gid.to_le_bytes()).collect();
    let data = match compression {
        None => json!(gids),
        Some(compression) => json!(tmx::base64(&tmx::compressed(&bytes, compression))),
    };
    let set = |first: u32| {
        json!({ "firstgid": first, "name": "set", "tilewidth": 16, "tileheight": 16, "tilecount": 16, "columns": 4,
            "image": "a.png", "imagewidth": 64, "imageheight": 64, "margin": 0, "spacing": 0 })
    };
    let mut layer = json!({ "type": "tilelayer", "name": "ground", "width": columns, "height": rows, "x": 0, "y": 0,
        "data": data, "opacity": 1, "visible": true });
    if let Some(compression) = compression {
        layer["encoding"] = json!("base64");
        layer["compression"] = json!(compression);
    }
    json!({ "type": "map", "orientation": "orthogonal", "infinite": false, "width": columns, "height": rows,
        "tilewidth": 16, "tileheight": 16, "tilesets": [set(1), set(17)], "layers": [layer] })
    .to_string()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn finite_maps_have_the_tiles_that_were_written(
        (columns, rows, gids) in (1_u32..40, 1_u32..40).prop_flat_map(|(columns, rows)| {
            (Just(columns), Just(rows), proptest::collection::vec(gid(), (columns * rows) as usize))
        }),
        format in proptest::sample::select(&FORMATS[..]),
        is_json in any::<bool>(),
    ) {
        let text = if is_json {
            let compression = if let Format::Base64(compression) = format { Some(compression) } else { None };
            json(columns, rows, &gids, compression)
        } else {
            let sets = [tileset(1, 16, ""), tileset(17, 16, "")].concat();
            map(columns, rows, &(sets + &layer("ground", columns, rows, &gids, format)))
        };
        let level = files(text).read("a.tmx").unwrap();
        for (k, gid) in gids.iter().enumerate() {
            let cell = [k as i32 % columns as i32, k as i32 / columns as i32];
            prop_assert_eq!(cells(&level).get(cell), naive(*gid), "{:?}", cell);
        }
        prop_assert_eq!(cells(&level).len(), gids.iter().filter(|gid| **gid != 0).count());
    }

    #[test]
    fn infinite_maps_have_the_tiles_that_were_written(
        chunks in proptest::collection::btree_map(
            (-4_i32..4, -4_i32..4), proptest::collection::vec(gid(), 16 * 8), 1..6),
        format in proptest::sample::select(&FORMATS[..]),
        is_json in any::<bool>(),
    ) {
        // Chunks of Tiled are 16 x 16 by default, and may have another size.
        let text = if is_json {
            let chunks: Vec<_> = chunks.iter().map(|((x, y), gids)| {
                json!({ "x": x * 16, "y": y * 8, "width": 16, "height": 8, "data": gids })
            }).collect();
            let mut map: serde_json::Value = serde_json::from_str(&json(1, 1, &[0], None)).unwrap();
            map["infinite"] = json!(true);
            map["layers"][0].as_object_mut().unwrap().remove("data");
            map["layers"][0]["chunks"] = json!(chunks);
            map.to_string()
        } else {
            let inner: Vec<String> = chunks.iter().map(|((x, y), gids)| format!(
                "<chunk x=\"{}\" y=\"{}\" width=\"16\" height=\"8\">{}</chunk>", x * 16, y * 8, content(gids, format)
            )).collect();
            let layer = format!("<layer name=\"ground\" width=\"16\" height=\"16\"><data{}>{}</data></layer>",
                attributes(format), inner.concat());
            let sets = [tileset(1, 16, ""), tileset(17, 16, "")].concat();
            map(16, 16, &(sets + &layer)).replace("infinite=\"0\"", "infinite=\"1\"")
        };
        let level = files(text).read("a.tmx").unwrap();
        let mut count = 0;
        for ((x, y), gids) in &chunks {
            for (k, gid) in gids.iter().enumerate() {
                let cell = [x * 16 + k as i32 % 16, y * 8 + k as i32 / 16];
                prop_assert_eq!(cells(&level).get(cell), naive(*gid), "{:?}", cell);
                count += usize::from(*gid != 0);
            }
        }
        prop_assert_eq!(cells(&level).len(), count);
    }
}

#[test]
fn a_layer_that_another_program_has_compressed_by_zstd_is_read() {
    // `zstd --no-check -19` of sixteen numbers, 1 to 16.
    let inner = format!(
        "{}<layer name=\"a\" width=\"4\" height=\"4\"><data encoding=\"base64\" compression=\"zstd\">{}</data></layer>",
        tileset(1, 16, ""),
        ZSTD
    );
    let level = files(map(4, 4, &inner)).read("a.tmx").unwrap();
    let ids: Vec<u32> = (0..16).map(|k| cells(&level).get([k % 4, k / 4]).unwrap().id).collect();
    assert_eq!(ids, (0..16).collect::<Vec<_>>());
}

const ZSTD: &str = "KLUv/QBo3QAAAsQFBRD4ch5Tf3dvZ19XT0c/Ny8nHxcPBwEA";

/// Layers, groups, objects and properties, as Tiled writes them.
const RICH: &str = r##"
<properties>
 <property name="gravity" type="float" value="9.5"/>
 <property name="title" value="Cave"/>
 <property name="note">two
lines</property>
</properties>
<tileset firstgid="1" source="sets/outer.tsx"/>
<tileset firstgid="100" name="collection" tilewidth="20" tileheight="12" tilecount="2" columns="0">
 <tile id="3" type="crate"><image source="b.png" width="8" height="6"/></tile>
 <tile id="7" x="2" y="1" width="5" height="4"><image source="b.png" width="8" height="6"/></tile>
</tileset>
<group id="9" name="outer" class="zone" offsetx="3" offsety="-2" opacity="0.5">
 <properties><property name="damp" type="bool" value="true"/></properties>
 <group id="8" name="inner" visible="0" opacity="0.5">
  <layer id="1" name="ground" class="solid" width="2" height="1" offsetx="0.25" offsety="4">
   <properties><property name="hits" type="int" value="-3"/></properties>
   <data encoding="csv">103,1073741826</data>
  </layer>
 </group>
</group>
<imagelayer id="5" name="sky"><image source="missing.png"/></imagelayer>
<objectgroup id="2" name="things">
 <object id="1" name="door" type="exit" x="10" y="20" width="16" height="32" rotation="90">
  <properties>
   <property name="to" type="object" value="4"/>
   <property name="colour" type="color" value="#ff00ff88"/>
   <property name="sound" type="file" value="door.ogg"/>
   <property name="lock" type="class" propertytype="Lock">
    <properties><property name="keys" type="int" value="2"/></properties>
   </property>
   <property name="list" type="list"><item type="int" value="1"/><item type="bool" value="true"/></property>
  </properties>
 </object>
 <object id="2" x="1" y="2" width="8" height="4"><ellipse/></object>
 <object id="3" x="1" y="2"><point/></object>
 <object id="4" x="5.5" y="6"><polygon points="0,0 8,0 4,7.25"/></object>
 <object id="5" x="5" y="6" visible="0"><polyline points="0,0 8,-3"/></object>
 <object id="6" gid="2147483751" x="50" y="60" width="10" height="8"/>
 <object id="7" x="0" y="0" width="40" height="10"><text wrap="1">Hello &amp; bye</text></object>
 <object id="8" x="1" y="2" width="8" height="4"><capsule/></object>
 <object id="9" template="templates/crate.tx" x="70" y="80"/>
 <object id="10" template="templates/crate.tx" name="own" x="90" y="80" width="16">
  <properties><property name="hp" type="int" value="9"/></properties>
 </object>
</objectgroup>"##;

const OUTER: &str = r#"<?xml version="1.0"?>
<tileset version="1.10" name="outer" class="rocks" tilewidth="16" tileheight="16" spacing="2" margin="1" tilecount="4"
 columns="2" objectalignment="center">
 <tileoffset x="1" y="-3"/>
 <properties><property name="by" value="me"/></properties>
 <image source="../pictures/rocks.png" trans="ff00ff" width="36" height="36"/>
 <tile id="1" class="lava">
  <properties><property name="damage" type="int" value="5"/></properties>
  <objectgroup draworder="index"><object id="1" x="0" y="8" width="16" height="8"/></objectgroup>
 </tile>
</tileset>"#;

const CRATE: &str = r#"<template>
 <tileset firstgid="1" source="../sets/outer.tsx"/>
 <object name="crate" type="box" gid="2" width="32" height="24" rotation="45">
  <properties><property name="hp" type="int" value="3"/><property name="wood" type="bool" value="true"/></properties>
 </object>
</template>"#;

fn rich() -> Files {
    let rocks = image::RgbaImage::from_fn(36, 36, |x, _| image::Rgba([255, 0, if x < 20 { 255 } else { 0 }, 255]));
    let mut png = std::io::Cursor::new(Vec::new());
    rocks.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let small = hitmask::Mask::from_fn(8, 6, |x, y| x == y).unwrap();
    Files::default()
        .add(
            "maps/rich.tmx",
            map(2, 1, RICH)
                .replace("sets/outer", "../sets/outer")
                .replace("\"b.png", "\"../b.png")
                .replace("\"templates", "\"../templates"),
        )
        .add("sets/outer.tsx", OUTER)
        .add("templates/crate.tx", CRATE)
        .add("pictures/rocks.png", png.into_inner())
        .add("b.png", tmx::png(&small))
}

#[test]
fn a_rich_map_is_read_in_full() {
    let level = rich().read("maps/rich.tmx").unwrap();
    assert_eq!(level.properties().float("gravity"), Some(9.5));
    assert_eq!(level.properties().text("title"), Some("Cave"));
    assert_eq!(level.properties().text("note"), Some("two\nlines"));
    let [outer, collection] = &level.tilesets[..] else { panic!("{} tilesets", level.tilesets.len()) };
    assert_eq!((&*outer.name, &*outer.class, outer.offset), ("outer", "rocks", [1, -3]));
    assert_eq!(outer.properties.text("by"), Some("me"));
    assert_eq!(outer.tile(1).properties.int("damage"), Some(5));
    assert_eq!((&*outer.tile(1).class, outer.tile(1).shapes.len()), ("lava", 1));
    assert_eq!((outer.tile(0), outer.contains(3), outer.contains(4)), (outer.tile(2), true, false));
    assert_eq!((&*collection.tile(3).class, collection.size_of(3), collection.size_of(7)), ("crate", [8, 6], [5, 4]));

    let [ground, sky, things] = &level.layers[..] else { panic!("{} layers", level.layers.len()) };
    assert_eq!((&*ground.name, &*ground.class, ground.visible, ground.opacity), ("ground", "solid", false, 0.25));
    assert_eq!((ground.offset, ground.properties.int("hits")), ([3.25, 2.0], Some(-3)));
    let groups: Vec<_> = ground.groups.iter().map(|group| (&*group.name, &*group.class)).collect();
    assert_eq!(groups, [("outer", "zone"), ("inner", "")]);
    assert_eq!(ground.groups[0].properties.bool("damp"), Some(true));
    let tile = |x| ground.cells().unwrap().get([x, 0]).unwrap();
    assert_eq!((tile(0).tileset, tile(0).id, tile(1).id), (1, 3, 1));
    assert_eq!(sky.content, Content::Image);

    let objects = things.objects();
    assert_eq!(things.object("door").map(|door| door.id), Some(1));
    let door = &objects[0];
    assert_eq!((&*door.class, door.at, door.size, door.rotation), ("exit", [10.0, 20.0], [16.0, 32.0], 90.0));
    assert_eq!(door.properties.get("to"), Some(&Value::Object(4)));
    assert_eq!(door.properties.text("colour"), Some("#ff00ff88"));
    assert_eq!(door.properties.get("sound"), Some(&Value::File("door.ogg".into())));
    let lock: Properties = [("keys".to_owned(), Value::Int(2))].into_iter().collect();
    assert_eq!(door.properties.get("lock"), Some(&Value::Class(lock)));
    assert_eq!(door.properties.get("list"), Some(&Value::List(vec![Value::Int(1), Value::Bool(true)])));
    let forms: Vec<&Form> = objects.iter().map(|object| &object.form).collect();
    assert_eq!((forms[0], forms[1], forms[2], forms[7]), (&Form::Rect, &Form::Ellipse, &Form::Point, &Form::Capsule));
    assert_eq!(forms[3], &Form::Polygon(vec![[0.0, 0.0], [8.0, 0.0], [4.0, 7.25]]));
    assert_eq!((forms[4], objects[4].visible), (&Form::Polyline(vec![[0.0, 0.0], [8.0, -3.0]]), false));
    let flipped = Tile { flips: Flips { x: true, ..Flips::default() }, ..Tile::new(1, 3) };
    assert_eq!((forms[5], objects[5].size), (&Form::Tile(flipped), [10.0, 8.0]));
    assert_eq!(forms[6], &Form::Text("Hello & bye".into()));

    let [plain, own] = &objects[8..] else { panic!("{} objects", objects.len()) };
    assert_eq!((&*plain.name, &*plain.class, plain.size, plain.rotation), ("crate", "box", [32.0, 24.0], 45.0));
    assert_eq!((&plain.form, plain.at), (&Form::Tile(Tile::new(0, 1)), [70.0, 80.0]));
    assert_eq!((&*own.name, own.size, own.properties.int("hp")), ("own", [16.0, 24.0], Some(9)));
    assert_eq!(own.properties.bool("wood"), Some(true));
}

#[test]
fn images_have_margins_spaces_a_transparent_colour_and_parts() {
    let level = rich().read("maps/rich.tmx").unwrap();
    let count = |tile: Tile| level.mask(tile).unwrap().unwrap().count();
    // Columns 1 to 16 of the image are transparent; 19 is the first of the second tile, and 20 to 34 are solid.
    assert_eq!((count(Tile::new(0, 0)), count(Tile::new(0, 1))), (0, 15 * 16));
    assert_eq!((count(Tile::new(1, 3)), count(Tile::new(1, 7))), (6, 3));
    let level = rich().read_with(&Import::default().images(false), "maps/rich.tmx").unwrap();
    assert_eq!(level.mask(Tile::new(0, 1)).unwrap(), None);
    assert_eq!(level.tilesets[1].size_of(7), [5, 4]);
}

#[test]
fn the_images_of_a_level_are_named_without_being_read() {
    let files = rich();
    let (mut texts, mut images) = (Vec::new(), Vec::new());
    let named = Import::default().level_images("maps/rich.tmx", |path| {
        texts.push(path.to_owned());
        files.get(path)
    });
    Import::default()
        .read_level("maps/rich.tmx", |path| {
            images.push(path.to_owned());
            files.get(path)
        })
        .unwrap();
    images.retain(|path| !texts.contains(path));
    images.sort();
    assert!(!images.is_empty());
    assert_eq!(named.unwrap(), images);
}

pub(super) const RICH_JSON: &str = r##"{ "type": "map", "orientation": "orthogonal", "infinite": false, "width": 2, "height": 1,
"tilewidth": 16, "tileheight": 16,
"properties": [ { "name": "gravity", "type": "float", "value": 9.5 },
    { "name": "title", "type": "string", "value": "Cave" },
    { "name": "note", "type": "string", "value": "two\nlines" } ],
"tilesets": [ { "firstgid": 1, "source": "../sets/outer.tsj" },
    { "firstgid": 100, "name": "collection", "tilewidth": 20, "tileheight": 12, "tilecount": 2, "columns": 0,
      "tiles": [ { "id": 3, "type": "crate", "image": "../b.png", "imagewidth": 8, "imageheight": 6 },
        { "id": 7, "x": 2, "y": 1, "width": 5, "height": 4, "image": "../b.png", "imagewidth": 8,
          "imageheight": 6 } ] } ],
"layers": [
    { "type": "group", "name": "outer", "class": "zone", "offsetx": 3, "offsety": -2, "opacity": 0.5,
      "visible": true, "properties": [ { "name": "damp", "type": "bool", "value": true } ], "layers": [
        { "type": "group", "name": "inner", "visible": false, "opacity": 0.5, "layers": [
            { "type": "tilelayer", "name": "ground", "class": "solid", "width": 2, "height": 1,
              "offsetx": 0.25, "offsety": 4, "properties": [ { "name": "hits", "type": "int", "value": -3 } ],
              "data": [103, 1073741826] } ] } ] },
    { "type": "imagelayer", "name": "sky", "image": "missing.png" },
    { "type": "objectgroup", "name": "things", "objects": [
        { "id": 1, "name": "door", "type": "exit", "x": 10, "y": 20, "width": 16, "height": 32, "rotation": 90,
          "properties": [ { "name": "to", "type": "object", "value": 4 },
            { "name": "colour", "type": "color", "value": "#ff00ff88" },
            { "name": "sound", "type": "file", "value": "door.ogg" },
            { "name": "lock", "type": "class", "propertytype": "Lock", "value": { "keys": 2 } },
            { "name": "list", "type": "list", "value": [ { "type": "int", "value": 1 },
                { "type": "bool", "value": true } ] } ] },
        { "id": 2, "x": 1, "y": 2, "width": 8, "height": 4, "ellipse": true },
        { "id": 3, "x": 1, "y": 2, "point": true },
        { "id": 4, "x": 5.5, "y": 6, "polygon": [ { "x": 0, "y": 0 }, { "x": 8, "y": 0 },
            { "x": 4, "y": 7.25 } ] },
        { "id": 5, "x": 5, "y": 6, "visible": false, "polyline": [ { "x": 0, "y": 0 }, { "x": 8, "y": -3 } ] },
        { "id": 6, "gid": 2147483751, "x": 50, "y": 60, "width": 10, "height": 8 },
        { "id": 7, "x": 0, "y": 0, "width": 40, "height": 10, "text": { "text": "Hello & bye" } },
        { "id": 8, "x": 1, "y": 2, "width": 8, "height": 4, "capsule": true },
        { "id": 9, "template": "../templates/crate.tj", "x": 70, "y": 80 },
        { "id": 10, "template": "../templates/crate.tj", "name": "own", "x": 90, "y": 80, "width": 16,
          "properties": [ { "name": "hp", "type": "int", "value": 9 } ] } ] } ] }"##;

#[test]
fn json_tells_the_same_as_xml() {
    let outer = json!({ "type": "tileset", "name": "outer", "class": "rocks", "tilewidth": 16, "tileheight": 16,
        "spacing": 2, "margin": 1, "tilecount": 4, "columns": 2, "objectalignment": "center",
        "tileoffset": { "x": 1, "y": -3 }, "properties": [ { "name": "by", "type": "string", "value": "me" } ],
        "image": "../pictures/rocks.png", "transparentcolor": "#ff00ff", "imagewidth": 36, "imageheight": 36,
        "tiles": [ { "id": 1, "type": "lava", "properties": [ { "name": "damage", "type": "int", "value": 5 } ],
            "objectgroup": { "type": "objectgroup", "draworder": "index",
                "objects": [ { "id": 1, "x": 0, "y": 8, "width": 16, "height": 8 } ] } } ] });
    let crate_ = json!({ "type": "template", "tileset": { "firstgid": 1, "source": "../sets/outer.tsj" },
        "object": { "name": "crate", "type": "box", "gid": 2, "width": 32, "height": 24, "rotation": 45,
            "properties": [ { "name": "hp", "type": "int", "value": 3 },
                { "name": "wood", "type": "bool", "value": true } ] } });
    let files = rich()
        .add("maps/rich.tmj", RICH_JSON)
        .add("sets/outer.tsj", outer.to_string())
        .add("templates/crate.tj", crate_.to_string());
    assert_eq!(files.read("maps/rich.tmj").unwrap(), files.read("maps/rich.tmx").unwrap());
}

#[test]
fn other_orientations_are_refused_by_name() {
    for orientation in ["isometric", "staggered", "hexagonal", "oblique"] {
        let text = map(1, 1, "").replace("orthogonal", orientation);
        let error = files(text).read("a.tmx").unwrap_err().to_string();
        assert_eq!(error, format!("a.tmx: the orientation \"{orientation}\"; only orthogonal maps are read"));
    }
}

#[test]
fn a_level_on_disk_has_its_files_in_its_folder_or_in_the_chosen_one() {
    let dir = tempfile::tempdir().unwrap();
    for (path, content) in rich().0 {
        let path = dir.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    let map = dir.path().join("maps/rich.tmx");
    let error = Level::open(&map).unwrap_err().to_string();
    assert!(error.ends_with("rich.tmx: the file \"../sets/outer.tsx\" leaves the folder by `..`"), "{error}");
    let level = Import::default().folder(dir.path()).open_level(&map).unwrap();
    assert_eq!(level, rich().read("maps/rich.tmx").unwrap());
    let error = Import::default().folder(dir.path().join("sets")).open_level(&map).unwrap_err().to_string();
    assert!(error.contains("rich.tmx\" lies outside the folder \""), "{error}");
}

#[test]
fn a_tileset_whose_tiles_use_templates_has_the_index_of_its_own() {
    let shape = "<tile id=\"0\"><objectgroup><object template=\"a.tx\"/></objectgroup></tile>";
    let template = "<template><tileset firstgid=\"1\" source=\"b.tsx\"/><object gid=\"1\"/></template>";
    let inner = "<tileset name=\"inner\" tilewidth=\"8\" tileheight=\"8\"><tile id=\"0\"/></tileset>";
    let text = map(1, 1, &(tileset(1, 16, shape) + &layer("a", 1, 1, &[1], Format::Csv)));
    let level = files(text).add("a.tx", template).add("b.tsx", inner).read("a.tmx").unwrap();
    let names: Vec<_> = level.tilesets.iter().map(|tileset| &*tileset.name).collect();
    let tile = cells(&level).get([0, 0]).unwrap();
    assert_eq!((names, tile.tileset), (vec!["inner", "set 1"], 1));
    assert_eq!(level.tile(tile).shapes[0].form, Form::Tile(Tile::new(0, 0)));
}

#[test]
fn a_template_may_have_tiles_that_are_drawn_at_the_size_of_cells() {
    let object = "<objectgroup><object template=\"a.tx\"/></objectgroup>";
    let template = "<template><tileset firstgid=\"1\" source=\"b.tsx\"/><object gid=\"1\"/></template>";
    let set = |side: u32| {
        format!("<tileset tilewidth=\"{side}\" tileheight=\"16\" tilerendersize=\"grid\"><tile id=\"0\"/></tileset>")
    };
    let read = |side| files(map(1, 1, object)).add("a.tx", template).add("b.tsx", set(side)).read("a.tmx");
    assert_eq!(read(16).unwrap().layers[0].objects()[0].size, [16.0, 16.0]);
    let error = read(8).unwrap_err().to_string();
    assert!(error.contains("drawn at the size of the map's cells, and have another"), "{error}");
}

#[test]
fn a_tile_that_keeps_its_ratio_is_refused_in_an_object_of_another() {
    let object = |size: &str| format!("<objectgroup><object id=\"7\" gid=\"1\" {size}/></objectgroup>");
    let set = |fill: &str| {
        format!(
            "<tileset firstgid=\"1\" tilewidth=\"8\" tileheight=\"16\" fillmode=\"{fill}\"><tile id=\"0\"/></tileset>"
        )
    };
    let read = |fill: &str, size: &str| files(map(1, 1, &(set(fill) + &object(size)))).read("a.tmx");
    for size in ["", "width=\"8\" height=\"16\"", "width=\"4\" height=\"8\"", "width=\"43.3333\" height=\"86.6667\""] {
        read("preserve-aspect-fit", size).unwrap();
    }
    read("stretch", "width=\"8\" height=\"8\"").unwrap();
    let error = read("preserve-aspect-fit", "width=\"8\" height=\"8\"").unwrap_err().to_string();
    assert!(error.contains("object 7: a tile object with the fill mode"), "{error}");
}
