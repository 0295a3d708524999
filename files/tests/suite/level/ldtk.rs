//! LDtk's projects.

use hitmask::{Ask, Body, Engine, Mask, Shape, World};
use hitmask_files::Filter;
use hitmask_files::level::{Content, Flips, Form, Tile, Value};
use hitmask_files::terrain::{Solids, Source};
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::tmx::{self, Files};

fn definitions() -> Json {
    json!({
        "tilesets": [ { "uid": 5, "identifier": "Rocks", "__cWid": 4, "__cHei": 4, "pxWid": 64, "pxHei": 64,
            "relPath": "a.png", "tileGridSize": 16, "spacing": 0, "padding": 0,
            "customData": [ { "tileId": 2, "data": "{\"hp\": 3}" } ],
            "enumTags": [ { "enumValueId": "Lava", "tileIds": [2, 3] } ] } ],
        "layers": [ { "uid": 7, "identifier": "Ground", "gridSize": 16, "intGridValues": [
            { "value": 1, "identifier": "wall" }, { "value": 3, "identifier": null } ] } ]
    })
}

fn layer(kind: &str, columns: u32, rows: u32) -> Json {
    json!({ "__identifier": "Ground", "__type": kind, "__cWid": columns, "__cHei": rows, "__gridSize": 16,
        "__opacity": 0.5, "__pxTotalOffsetX": 2, "__pxTotalOffsetY": -3, "__tilesetDefUid": 5, "layerDefUid": 7,
        "visible": true, "iid": "a", "intGridCsv": [], "autoLayerTiles": [], "gridTiles": [], "entityInstances": [] })
}

fn level(name: &str, at: [i32; 2], layers: &Json) -> Json {
    json!({ "identifier": name, "iid": "x", "uid": 1, "worldX": at[0], "worldY": at[1], "worldDepth": 1, "pxWid": 32,
        "pxHei": 48, "layerInstances": layers, "externalRelPath": null, "fieldInstances": [
            { "__identifier": "music", "__type": "FilePath", "__value": "a.ogg" } ] })
}

fn project(levels: &Json) -> Json {
    json!({ "__header__": { "app": "LDtk" }, "jsonVersion": "1.5.3", "worldLayout": "Free", "externalLevels": false,
        "defs": definitions(), "levels": levels, "worlds": [] })
}

fn files(project: &Json) -> Files {
    Files::default().add("a.ldtk", project.to_string()).add("a.png", tmx::png(&tmx::atlas()))
}

fn refused(project: &Json) -> String {
    files(project).read("a.ldtk").unwrap_err().to_string()
}

/// A project with a bit of everything.
fn rich() -> Json {
    let mut ground = layer("IntGrid", 2, 3);
    ground["intGridCsv"] = json!([0, 1, 1, 3, 0, 0]);
    ground["autoLayerTiles"] = json!([
        { "px": [0, 16], "src": [0, 0], "f": 0, "t": 2, "a": 1 },
        { "px": [0, 16], "src": [0, 0], "f": 3, "t": 6, "a": 1 },
        { "px": [5, 16], "src": [0, 0], "f": 1, "t": 7, "a": 1 },
        { "px": [16, 32], "src": [0, 0], "f": 2, "t": 8, "a": 1 },
    ]);
    let mut things = layer("Entities", 2, 3);
    things["__identifier"] = json!("Things");
    things["entityInstances"] = json!([ { "__identifier": "Door", "iid": "d-1", "__pivot": [0.5, 1.0],
        "__tags": ["exit"], "px": [16, 40], "width": 8, "height": 20, "fieldInstances": [
            { "__identifier": "speed", "__type": "Float", "__value": 2 },
            { "__identifier": "count", "__type": "Int", "__value": 2 },
            { "__identifier": "open", "__type": "Bool", "__value": true },
            { "__identifier": "kind", "__type": "LocalEnum.Kind", "__value": "Wood" },
            { "__identifier": "sounds", "__type": "Array<FilePath>", "__value": ["a.ogg"] },
            { "__identifier": "to", "__type": "EntityRef", "__value": { "entityIid": "d-2" } },
            { "__identifier": "none", "__type": "String", "__value": null } ] } ]);
    project(&json!([level("Cave", [100, -50], &json!([things, ground])), level("Sky", [132, -50], &json!([]))]))
}

pub(super) fn everything() -> String {
    rich().to_string()
}

#[test]
fn a_project_is_read_in_full() {
    let level = files(&rich()).read("a.ldtk").unwrap();

    let rooms: Vec<_> = level.rooms.iter().map(|room| (&*room.name, room.at, room.size, room.depth)).collect();
    assert_eq!(rooms, [("Cave", [100.0, -50.0], [32.0, 48.0], 1), ("Sky", [132.0, -50.0], [32.0, 48.0], 1),]);
    assert_eq!(level.properties().get("music"), Some(&Value::File("a.ogg".into())));
    let layers: Vec<_> = level.layers.iter().map(|layer| (&*layer.name, &*layer.class)).collect();
    let ground = [("Ground", "IntGrid"), ("Ground", "AutoLayer"), ("Ground", "AutoLayer"), ("Ground", "AutoLayer")];
    assert_eq!(layers, [&ground[..], &[("Things", "Entities")]].concat());
    assert!(level.layers.iter().all(|layer| layer.offset == [102.0, -53.0] && layer.opacity == 0.5 && layer.room == 0));

    let values = level.layers[0].cells().unwrap();
    let wall = values.get([1, 0]).unwrap();
    assert_eq!((wall, values.get([0, 0]), values.len()), (Tile::new(1, 1), None, 3));
    assert_eq!((&*level.tile(wall).class, level.tile(wall).properties.int("value")), ("wall", Some(1)));
    assert_eq!(level.tilesets[1].name, "Ground");

    let tile = |layer: usize, cell| level.layers[layer].cells().unwrap().get(cell);
    let flipped = |id, x, y| Some(Tile { flips: Flips { diagonal: false, x, y }, ..Tile::new(0, id) });
    assert_eq!((tile(1, [0, 1]), tile(2, [0, 1])), (flipped(2, false, false), flipped(6, true, true)));
    assert_eq!((tile(1, [1, 2]), tile(2, [1, 2])), (flipped(8, false, true), None));
    let Content::Objects(others) = &level.layers[3].content else { panic!("no objects") };
    assert_eq!((others[0].at, &others[0].form), ([5.0, 16.0], &Form::Tile(flipped(7, true, false).unwrap())));
    let lava = &level.tilesets[0].tile(2).properties;
    assert_eq!((lava.text("data"), lava.bool("Lava")), (Some("{\"hp\": 3}"), Some(true)));

    let door = level.layer("Things").unwrap().object("d-1").unwrap();
    assert_eq!((&*door.class, door.at, door.size, &door.form), ("Door", [12.0, 20.0], [8.0, 20.0], &Form::Rect));
    assert_eq!((door.properties.get("speed"), door.properties.int("count")), (Some(&Value::Float(2.0)), Some(2)));
    assert_eq!((door.properties.bool("open"), door.properties.text("kind")), (Some(true), Some("Wood")));
    assert_eq!(door.properties.get("sounds"), Some(&Value::List(vec![Value::File("a.ogg".into())])));
    let to = [("entityIid".to_owned(), Value::Text("d-2".into()))].into_iter().collect();
    assert_eq!((door.properties.get("to"), door.properties.get("none")), (Some(&Value::Class(to)), Some(&Value::Null)));
    assert_eq!(door.properties.get("__tags"), Some(&Value::List(vec![Value::Text("exit".into())])));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn values_and_tiles_are_those_that_were_written(
        (columns, values) in (1_u32..20, 1_u32..20).prop_flat_map(|(columns, rows)| {
            (Just(columns), proptest::collection::vec(proptest::sample::select(vec![0_u32, 1, 3]), (columns * rows) as usize))
        }),
        tiles in proptest::collection::btree_map((0_i32..20, -3_i32..20), (0_u32..16, 0_u32..4), 0..50),
    ) {
        let mut ground = layer("IntGrid", columns, values.len() as u32 / columns);
        ground["intGridCsv"] = json!(values);
        let written: Vec<_> = tiles.iter().map(|((x, y), (t, f))| json!({ "px": [x * 16, y * 16], "f": f, "t": t })).collect();
        ground["autoLayerTiles"] = json!(written);
        let level = files(&project(&json!([level("a", [0, 0], &json!([ground]))]))).read("a.ldtk").unwrap();
        let cells = level.layers[0].cells().unwrap();
        for (k, value) in values.iter().enumerate() {
            let cell = [k as i32 % columns as i32, k as i32 / columns as i32];
            prop_assert_eq!(cells.get(cell), (*value != 0).then(|| Tile::new(1, *value)));
        }
        for ((x, y), (t, f)) in &tiles {
            let flips = Flips { diagonal: false, x: f & 1 == 1, y: f & 2 == 2 };
            prop_assert_eq!(level.layers[1].cells().unwrap().get([*x, *y]), Some(Tile { flips, ..Tile::new(0, *t) }));
        }
    }
}

#[test]
fn levels_lie_side_by_side_as_the_layout_says() {
    let levels =
        json!([level("a", [7, 9], &json!([])), level("b", [-1, -1], &json!([])), level("c", [-1, -1], &json!([]))]);
    for (layout, places) in [
        ("Free", [[7.0, 9.0], [-1.0, -1.0], [-1.0, -1.0]]),
        ("GridVania", [[7.0, 9.0], [-1.0, -1.0], [-1.0, -1.0]]),
        ("LinearHorizontal", [[0.0, 0.0], [32.0, 0.0], [64.0, 0.0]]),
        ("LinearVertical", [[0.0, 0.0], [0.0, 48.0], [0.0, 96.0]]),
    ] {
        let mut project = project(&levels);
        project["worldLayout"] = json!(layout);
        let level = files(&project).read("a.ldtk").unwrap();
        assert_eq!(level.rooms.iter().map(|room| room.at).collect::<Vec<_>>(), places, "{layout}");
        // A project of worlds has its levels in the only one.
        project["levels"] = json!([]);
        project["worlds"] = json!([{ "levels": levels, "worldLayout": layout }]);
        assert_eq!(files(&project).read("a.ldtk").unwrap(), level);
    }
}

#[test]
fn levels_in_files_of_their_own_are_the_same() {
    let mut ground = layer("Tiles", 2, 3);
    ground["gridTiles"] = json!([{ "px": [16, 0], "f": 1, "t": 9 }]);
    let inside = level("a", [3, 4], &json!([ground]));
    let mut outside = inside.clone();
    outside["layerInstances"] = Json::Null;
    outside["externalRelPath"] = json!("a/b.ldtkl");
    let whole = files(&project(&json!([inside]))).read("a.ldtk").unwrap();
    let apart = files(&project(&json!([outside])));
    assert_eq!(apart.clone().add("a/b.ldtkl", inside.to_string()).read("a.ldtk").unwrap(), whole);
    let error = apart.clone().read("a.ldtk").unwrap_err().to_string();
    assert_eq!(error, "a/b.ldtkl: level \"a\": there is no such file");
    let error = apart.add("a/b.ldtkl", "{").read("a.ldtk").unwrap_err().to_string();
    assert!(error.starts_with("a/b.ldtkl: level \"a\": EOF"), "{error}");
    outside["externalRelPath"] = json!("../b.ldtkl");
    let error = refused(&project(&json!([outside])));
    assert_eq!(error, "a.ldtk: level \"a\": the file \"../b.ldtkl\" leaves the folder by `..`");
}

#[test]
fn values_are_solid_and_tell_their_names() {
    let mut ground = layer("IntGrid", 2, 3);
    ground["intGridCsv"] = json!([0, 1, 1, 3, 0, 0]);
    let level = files(&project(&json!([level("a", [100, 0], &json!([ground]))]))).read("a.ldtk").unwrap();
    let solids = Solids::default().rule(|subject| {
        let is_wall = subject.class == "wall";
        Some(Filter { layers: if is_wall { 1 } else { 2 }, detector: !is_wall, ..Filter::default() })
    });
    let mut world = World::default();
    let terrain = level.add_to(&mut world, &solids).unwrap();
    assert_eq!(world.len(), 2);
    assert_eq!([0, 1].map(|k| world.body(world.id(k).unwrap()).unwrap().detector), [false, true]);
    let dot = world.add_shape(Shape::rect(1.0, 1.0).unwrap()).unwrap();
    world.add(&Body::new(dot, [100 + 2 + 20, 5 - 3]).filtered(4, 1)).unwrap();
    let hits = Engine::reference().run(&world, Ask::Pairs).unwrap();
    let found = terrain.tiles_hit(&level, &world, hits.pairs[0]).unwrap();
    assert_eq!((found[0].cell, &*found[0].info(&level).class), ([1, 0], "wall"));
}

#[test]
fn a_level_without_its_project_is_refused_by_name() {
    let alone = level("a", [0, 0], &json!([])).to_string();
    let error = Files::default().add("a.ldtkl", alone).read("a.ldtkl").unwrap_err().to_string();
    assert_eq!(error, "a.ldtkl: a level of an LDtk project; open the project, the file that ends in .ldtk");
}

#[test]
fn a_tile_far_beyond_its_picture_has_an_empty_mask() {
    let mut text = project(&json!([]));
    text["defs"]["tilesets"][0]["__cWid"] = json!(1);
    text["defs"]["tilesets"][0]["__cHei"] = json!((1 << 28) - 1);
    text["defs"]["tilesets"][0]["spacing"] = json!(8192);
    let level = files(&text).read("a.ldtk").unwrap();
    for id in [9, (1 << 28) - 2] {
        assert_eq!(level.mask(Tile::new(0, id)).unwrap().unwrap().count(), 0, "{id}");
    }
}

#[test]
fn enum_values_that_many_tiles_repeat_are_limited() {
    let mut text = project(&json!([]));
    text["defs"]["tilesets"][0]["enumTags"] =
        json!([{ "enumValueId": "x".repeat(1 << 20), "tileIds": (0..300).collect::<Vec<_>>() }]);
    let error = refused(&text);
    assert!(error.contains("tileset \"Rocks\": 67117056 bytes of the enum values of tiles; the limit is"), "{error}");
}

#[test]
fn an_aseprite_file_is_a_picture_too() {
    let mut text = project(&json!([]));
    let hero = include_bytes!("../../../assets/hero.aseprite");
    text["defs"]["tilesets"][0]["relPath"] = json!("hero.aseprite");
    text["defs"]["tilesets"][0]["pxWid"] = json!(12);
    let error = files(&text).add("hero.aseprite", &hero[..]).read("a.ldtk").unwrap_err().to_string();
    assert_eq!(error, "a.ldtk: tileset \"Rocks\": 12 x 64 pixels; the image has 12 x 16");
    text["defs"]["tilesets"][0]["pxHei"] = json!(16);
    let level = files(&text).add("hero.aseprite", &hero[..]).read("a.ldtk").unwrap();
    // Tiles of 16 pixels reach beyond it.
    let mask = level.mask(Tile::new(0, 0)).unwrap().unwrap();
    assert!(mask.count() > 0 && mask.size() == [16, 16] && mask.count_in([12, 0, 4, 16]) == 0);
}

#[test]
fn the_edge_of_a_picture_may_cut_a_tile() {
    let mut text = project(&json!([]));
    text["defs"]["tilesets"][0]["pxWid"] = json!(60);
    let picture = Mask::from_fn(60, 64, |_, _| true).unwrap();
    let level = files(&text).add("a.png", tmx::png(&picture)).read("a.ldtk").unwrap();
    let count = |id| level.mask(Tile::new(0, id)).unwrap().unwrap().count();
    assert_eq!((count(2), count(3)), (256, 12 * 16));
    let solids = Solids::default().source(Source::Pixels);
    assert_eq!(level.add_to(&mut World::default(), &solids).unwrap().bodies().count(), 0);
}

#[test]
fn projects_that_contradict_themselves_are_errors_by_name() {
    let one = |layer: Json| project(&json!([level("a", [0, 0], &json!([layer]))]));
    let mut ground = layer("IntGrid", 2, 3);
    ground["intGridCsv"] = json!([0, 1]);
    assert_eq!(
        refused(&one(ground.clone())),
        "a.ldtk: level \"a\": layer \"Ground\": 2 values of an IntGrid, where 6 must be"
    );
    ground["intGridCsv"] = json!([0, 1, 2, 0, 0, 0]);
    assert_eq!(refused(&one(ground)), "a.ldtk: level \"a\": layer \"Ground\": cell 0, 1: the value 2 is not defined");
    let mut tiles = layer("Tiles", 2, 3);
    tiles["gridTiles"] = json!([{ "px": [0, 0], "f": 0, "t": 16 }]);
    assert_eq!(
        refused(&one(tiles.clone())),
        "a.ldtk: level \"a\": layer \"Ground\": tile 0: the tile 16 is in no tileset"
    );
    tiles["gridTiles"] = json!(vec![json!({ "px": [0, 0], "f": 0, "t": 1 }); 65]);
    assert_eq!(
        refused(&one(tiles.clone())),
        "a.ldtk: level \"a\": layer \"Ground\": 65 tiles stacked in a cell; the limit is 64"
    );
    tiles["gridTiles"] = json!([{ "px": [2_147_483_632, 0], "f": 0, "t": 1 }]);
    assert!(refused(&one(tiles)).contains("the cell 134217727, 0; columns and rows are"));
    assert!(refused(&one(layer("Fog", 1, 1))).contains("the kind of layer \"Fog\""));
    let mut huge = layer("Tiles", 1, 1);
    huge["__gridSize"] = json!(0);
    assert!(refused(&one(huge)).contains("it may be 1 to 8192"));
    let mut worlds = project(&json!([]));
    worlds["worlds"] = json!([{}, {}]);
    assert_eq!(refused(&worlds), "a.ldtk: 2 worlds in one project; only one is read");
    worlds["worlds"] = json!([]);
    worlds["defs"]["tilesets"][0]["relPath"] = json!("/etc/passwd");
    assert_eq!(refused(&worlds), "a.ldtk: tileset \"Rocks\": the file \"/etc/passwd\" is an absolute path");
    worlds["defs"]["tilesets"][0]["relPath"] = json!(null);
    worlds["defs"]["tilesets"][0]["__cWid"] = json!(4_000_000_000_u32);
    assert_eq!(refused(&worlds), "a.ldtk: tileset \"Rocks\": 4000000000 x 4 tiles");
}

#[test]
fn tiles_off_the_grid_are_solid_as_those_in_cells_are() {
    // A tile in a cell, one between cells, and a layer whose cells have half the size of its tiles.
    let mut ground = layer("Tiles", 4, 3);
    ground["gridTiles"] = json!([{ "px": [0, 0], "f": 0, "t": 1 }, { "px": [21, 3], "f": 0, "t": 2 }]);
    let mut fine = layer("Tiles", 8, 6);
    fine["__gridSize"] = json!(8);
    fine["gridTiles"] = json!([{ "px": [8, 40], "f": 0, "t": 1 }]);
    let mut things = layer("Entities", 2, 3);
    things["entityInstances"] = rich()["levels"][0]["layerInstances"][0]["entityInstances"].clone();
    let level = files(&project(&json!([level("a", [0, 0], &json!([things, ground, fine]))]))).read("a.ldtk").unwrap();
    let [left, top] = level.layers.iter().find(|layer| layer.class == "Tiles").unwrap().offset;
    for source in [Source::Boxes, Source::Pixels] {
        let mut world = World::default();
        let terrain = level.add_to(&mut world, &Solids::default().source(source)).unwrap();
        assert_eq!(world.len(), 3, "no entity among them");
        let mut corners: Vec<[f64; 2]> = world.ids().map(|id| world.body(id).unwrap().at.into()).collect();
        corners.sort_unstable_by(|a, b| a[0].total_cmp(&b[0]));
        if source == Source::Pixels {
            assert_eq!(corners, [[left, top], [left + 8.0, top + 40.0], [left + 21.0, top + 3.0]]);
        }
        let is_solid = |x: f64, y: f64| !world.bodies_at([left + x, top + y]).unwrap().is_empty();
        if source == Source::Boxes {
            let probes = [(1.0, 1.0), (22.0, 4.0), (36.0, 18.0), (9.0, 41.0), (23.0, 55.0), (20.0, 4.0), (38.0, 4.0)];
            assert_eq!(probes.map(|(x, y)| is_solid(x, y)), [true, true, true, true, true, false, false]);
        }
        assert_eq!(terrain.bodies().filter(|&body| terrain.object(&level, body).is_some()).count(), 2);
    }
    // A rule sees the class and the properties of the tile.
    let lava = Solids::default().source(Source::Boxes).rule(|subject| {
        let is_lava = subject.is_tile() && subject.properties.bool("Lava") == Some(true);
        is_lava.then(Filter::default)
    });
    let mut world = World::default();
    level.add_to(&mut world, &lava).unwrap();
    assert_eq!(world.len(), 1);
    assert_eq!(world.bodies_at([left + 22.0, top + 4.0]).unwrap().len(), 1);
}
