//! Scenes that name sheets and levels: their answers and pictures are those of the same world built by hand.

mod common;

use std::path::PathBuf;

use common::{Folder, Ran};
use hitmask::scene::{Form, Image, Replay, Scene};
use hitmask::{Ask, Body, Engine, Mask, Part, Shape, World};
use hitmask_files::terrain::{Merge, Source};
use hitmask_files::{Filter, Import, Level, Sheet, Solids};
use serde_json::{Value, json};

/// A walking hero with her hurt box, in a cave: the hero stands in the rock, and falls.
const SCENE: &str = r#"{
  "shapes": {
    "hero": { "sheet": "art/hero.aseprite", "tag": "walk", "frame": 1 },
    "dot": { "circle": 3 },
    "hurt": { "slice": "hurt", "sheet": "art/hero.aseprite", "frame": 2 }
  },
  "bodies": [
    { "shape": "hero", "at": [40, 130], "name": "player" },
    { "shape": "hurt", "at": [112, 90], "move": [0, 30] },
    { "shape": "dot", "at": [40, 124.5], "layer": 2 }
  ],
  "levels": [{ "tiled": "art/cave.tmx", "at": [0.5, 2] }],
  "queries": [{ "point": [40, 130.5] }]
}"#;

/// A folder with the project's own sheet and level in `art`.
fn folder(files: &[(&str, &str)]) -> Folder {
    let folder = Folder::with(&[]);
    std::fs::create_dir(folder.at("art")).unwrap();
    for name in ["hero.aseprite", "cave.tmx", "cave.png"] {
        std::fs::copy(asset(name), folder.at("art").join(name)).unwrap();
    }
    for (name, text) in files {
        std::fs::write(folder.at(name), text).unwrap();
    }
    folder
}

fn asset(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../files/assets")).join(name)
}

fn hero() -> Sheet {
    Sheet::open(asset("hero.aseprite")).unwrap()
}

/// The world of [`SCENE`], built with the library alone.
fn by_hand() -> World {
    let (mut world, hero) = (World::default(), hero());
    let walk = &hero.frames[hero.tag("walk").unwrap().frames.start + 1];
    let walk = Shape::sprite(walk.mask.clone()).anchored(walk.pivot.unwrap()).unwrap();
    let [x, y, width, height] = hero.frames[2].boxes("hurt").next().unwrap().bounds.map(f64::from);
    let [pivot_x, pivot_y] = hero.frames[2].pivot.unwrap();
    let hurt = Shape::rect(width, height).unwrap().anchored([pivot_x - x, pivot_y - y]).unwrap();
    let [walk, hurt, dot] = [walk, hurt, Shape::circle(3.0).unwrap()].map(|shape| world.add_shape(shape).unwrap());
    world.add(&Body::new(walk, [40.0, 130.0])).unwrap();
    world.add(&Body::new(hurt, [112, 90]).moving([0, 30])).unwrap();
    world.add(&Body::new(dot, [40.0, 124.5]).filtered(2, u32::MAX)).unwrap();
    let level = Level::open(asset("cave.tmx")).unwrap();
    let mut cave = World::default();
    level.add_to(&mut cave, &Solids::default().merge(Merge::Polygons)).unwrap();
    for id in cave.ids() {
        let body = cave.body(id).unwrap();
        let shape = world.add_shape(cave.shape(body.shape).unwrap().clone()).unwrap();
        let at = [body.at.x + 0.5, body.at.y + 2.0];
        world.add(&Body { shape, at: at.into(), ..body }).unwrap();
    }
    world
}

fn answer(ran: &Ran) -> Value {
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn pairs_are_those_of_the_world_built_by_hand() {
    let (folder, world) = (folder(&[("a.json", SCENE)]), by_hand());
    let hits = Engine::reference().run(&world, Ask::Details).unwrap();
    assert_eq!(hits.pairs, [[0, 2], [0, 3], [1, 3]]);
    for backend in ["cpu", "reference"] {
        let told = answer(&folder.run(&["check", "a.json", "--backend", backend, "--details", "--format", "json"]));
        assert_eq!(told["bodies"], world.len());
        assert_eq!(told["pairs"], json!(hits.pairs));
        for (detail, told) in hits.details.iter().zip(told["details"].as_array().unwrap()) {
            let own = [json!(detail.time), json!(detail.area), json!(detail.overlap.map(|overlap| overlap.bounds))];
            assert_eq!(["time", "area", "bounds"].map(|key| told.get(key).cloned().unwrap_or_default()), own);
        }
    }
    let ran = folder.run(&["check", "a.json", "--backend", "cpu"]);
    assert!(ran.out.contains("0 `player` (hero)"), "{}", ran.out);
    assert!(ran.out.contains("`art/cave.tmx/ground/0` (art/cave.tmx/polygon 0)"), "{}", ran.out);
    let told = answer(&folder.run(&["query", "a.json", "--backend", "cpu", "--format", "json"]));
    assert_eq!(told["answers"][0]["bodies"], json!([0, 3]));
    let ran = folder.run(&["verify", "a.json", "--engines", "cpu,reference"]);
    assert!(ran.status == Some(0) && ran.out.starts_with("Equal on "), "{}{}", ran.out, ran.err);
}

#[test]
fn the_picture_is_that_of_the_world_built_by_hand() {
    let plain = Scene::of_world(&by_hand()).to_json().unwrap();
    let folder = folder(&[("a.json", SCENE), ("plain.json", &plain)]);
    let [own, plain] = ["a.json", "plain.json"].map(|scene| {
        let out = scene.replace("json", "png");
        let ran = folder.run(&["render", scene, "-o", &out, "--backend", "cpu", "--no-legend"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
        image::open(folder.at(&out)).unwrap().into_rgb8()
    });
    assert!(own.width() > 100 && own == plain);
}

/// The example of the documentation.
#[test]
fn the_scene_of_the_assets_is_checked() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["check", asset("cave.json").to_str().unwrap(), "--backend", "cpu"]);
    assert!(ran.status == Some(0) && ran.out.contains("0 `hero` (hero)"), "{}{}", ran.out, ran.err);
}

fn shape(scene: &Scene, name: &str) -> Shape {
    let (_, spec) = scene.shapes.iter().find(|(own, _)| own == name).unwrap();
    let scene = Scene::new(scene.touch, vec![(name.into(), spec.clone())], vec![]);
    let world = scene.world().unwrap();
    let (_, shape) = world.shapes().next().unwrap();
    shape.clone()
}

#[test]
fn each_key_of_a_sheet_means_what_the_library_does() {
    let packed = json!({
        "frames": {
            "run/1": { "frame": { "x": 0, "y": 0, "w": 4, "h": 4 } },
            "run/2": { "frame": { "x": 4, "y": 0, "w": 4, "h": 4 } }
        },
        "meta": { "image": "run.png" }
    });
    let boxes = json!({
        "frames": [{ "frame": { "x": 0, "y": 0, "w": 4, "h": 4 } }],
        "meta": { "image": "run.png", "slices": [
            { "name": "hit", "keys": [{ "frame": 0, "bounds": { "x": 0, "y": 1, "w": 2, "h": 2 } }] },
            { "name": "hit", "keys": [{ "frame": 0, "bounds": { "x": 3, "y": -1, "w": 1, "h": 4 } }] }
        ] }
    });
    let scene = json!({ "shapes": {
        "first": { "sheet": "art/hero.aseprite" },
        "last": { "sheet": "art/hero.aseprite", "frame": 5, "anchor": [1, 2.5] },
        "jump": { "sheet": "art/hero.aseprite", "tag": "jump" },
        "arms": { "sheet": "art/hero.aseprite", "layers": ["arm"] },
        "faint": { "sheet": "run.png", "grid": [4, 4], "frame": 1, "threshold": 26 },
        "second": { "sheet": "run.json", "frame": "run/2" },
        "hits": { "sheet": "boxes.json", "slice": "hit", "anchor": [1, 1] }
    } });
    let folder = folder(&[
        ("a.json", &scene.to_string()),
        ("run.json", &packed.to_string()),
        ("boxes.json", &boxes.to_string()),
    ]);
    let run = image::RgbaImage::from_fn(8, 4, |x, y| image::Rgba([9, 9, 9, (40 * x) as u8 + y as u8]));
    run.save(folder.at("run.png")).unwrap();
    let (scene, files) = hitmask_files::scene::open(folder.at("a.json")).unwrap();
    let names = ["art/hero.aseprite", "boxes.json", "run.json", "run.png"];
    assert_eq!(files, names.map(|name| folder.at(name)));

    let hero = hero();
    let masked =
        |frame: usize, anchor: [f64; 2]| Shape::sprite(hero.frames[frame].mask.clone()).anchored(anchor).unwrap();
    assert_eq!(shape(&scene, "first"), masked(0, hero.frames[0].pivot.unwrap()));
    assert_eq!(shape(&scene, "last"), masked(5, [1.0, 2.5]));
    assert_eq!(shape(&scene, "jump"), masked(5, hero.frames[5].pivot.unwrap()));
    let arms = Import::default().layers(["arm"]).open(asset("hero.aseprite")).unwrap();
    assert!(arms.frames[0].mask != hero.frames[0].mask);
    let arms = Shape::sprite(arms.frames[0].mask.clone()).anchored(arms.frames[0].pivot.unwrap()).unwrap();
    assert_eq!(shape(&scene, "arms"), arms);
    let cut = |threshold: u8| Mask::from_image(&run.clone().into(), threshold, Some([4, 0, 4, 4])).unwrap();
    assert_eq!(shape(&scene, "faint"), Shape::sprite(cut(26)));
    assert_eq!(shape(&scene, "second"), Shape::sprite(cut(128)));
    assert_ne!(cut(26), cut(128));
    let boxes = [([2.0, 2.0], [0.0, 1.0]), ([1.0, 4.0], [3.0, -1.0])];
    let parts = boxes.map(|([width, height], at)| Part::new(Shape::rect(width, height).unwrap(), at));
    assert_eq!(shape(&scene, "hits"), Shape::parts(&parts).unwrap().anchored([1.0, 1.0]).unwrap());
}

/// A project with two levels side by side.
fn project() -> Value {
    let level = |name: &str, x: i32, cells: [u32; 4]| {
        json!({ "identifier": name, "iid": name, "uid": 1, "worldX": x, "worldY": 8, "worldDepth": 0, "pxWid": 32,
            "pxHei": 32, "externalRelPath": null, "fieldInstances": [], "layerInstances": [ { "__identifier": "Ground",
            "__type": "IntGrid", "__cWid": 2, "__cHei": 2, "__gridSize": 16, "__opacity": 1, "__pxTotalOffsetX": 0,
            "__pxTotalOffsetY": 0, "__tilesetDefUid": null, "layerDefUid": 7, "visible": true, "iid": "a",
            "intGridCsv": cells, "autoLayerTiles": [], "gridTiles": [], "entityInstances": [] } ] })
    };
    json!({ "jsonVersion": "1.5.3", "worldLayout": "Free", "worlds": [],
        "defs": { "tilesets": [], "layers": [ { "uid": 7, "identifier": "Ground", "gridSize": 16,
            "intGridValues": [ { "value": 1, "identifier": "wall" } ] } ] },
        "levels": [level("Hall", 100, [0, 0, 1, 1]), level("Sky", 132, [1, 0, 0, 1])] })
}

#[test]
fn each_key_of_a_level_means_what_the_library_does() {
    let levels = json!([
        { "ldtk": "world.ldtk", "level": "Sky", "at": [-2, 0.25], "layer": 4, "hits": 6, "group": 0,
            "detector": true },
        { "ldtk": "world.ldtk", "merge": "none", "name": "all" },
        { "tiled": "art/cave.tmx", "solid": "pixels", "merge": "masks", "threshold": 1 },
        { "tiled": "art/cave.tmx", "solid": "boxes", "name": "boxes" }
    ]);
    let scene = json!({ "levels": levels });
    let folder = folder(&[("a.json", &scene.to_string()), ("world.ldtk", &project().to_string())]);
    let (scene, files) = hitmask_files::scene::open(folder.at("a.json")).unwrap();
    assert_eq!(files, ["art/cave.png", "art/cave.tmx", "world.ldtk"].map(|name| folder.at(name)));
    let world = scene.world().unwrap();

    let mut own = World::default();
    let mut sky = Level::open(folder.at("world.ldtk")).unwrap();
    sky.layers.retain(|layer| layer.room == 1);
    let filter = Filter { layers: 4, mask: 6, detector: true, group: 0, tag: 0 };
    let rule = Solids::default().merge(Merge::Polygons).rule(move |_| Some(filter));
    sky.add_to(&mut own, &rule).unwrap();
    for id in own.ids().collect::<Vec<_>>() {
        let body = own.body(id).unwrap();
        let at = [body.at.x - 2.0, body.at.y + 0.25];
        own.set(id, &Body { at: at.into(), ..body }).unwrap();
    }
    Level::open(folder.at("world.ldtk")).unwrap().add_to(&mut own, &Solids::default().merge(Merge::None)).unwrap();
    let faint = Import::default().threshold(1).open_level(asset("cave.tmx")).unwrap();
    faint.add_to(&mut own, &Solids::default().source(Source::Pixels)).unwrap();
    let boxes = Solids::default().source(Source::Boxes).merge(Merge::Polygons);
    Level::open(asset("cave.tmx")).unwrap().add_to(&mut own, &boxes).unwrap();

    let listed = |world: &World| -> Vec<_> {
        world
            .ids()
            .map(|id| (world.body(id).unwrap(), world.body(id).and_then(|b| world.shape(b.shape).cloned())))
            .collect()
    };
    let [told, own] = [listed(&world), listed(&own)];
    assert_eq!(told.len(), own.len());
    for ((told, told_shape), (own, own_shape)) in told.iter().zip(&own) {
        let filter = |body: &Body| (body.layers, body.mask, body.detector, body.group);
        assert_eq!((told.at, filter(told)), (own.at, filter(own)));
        assert_eq!(told_shape, own_shape);
    }
    let names: Vec<_> = scene.bodies.iter().filter_map(|body| body.name.as_deref()).collect();
    assert_eq!(names[..3], ["Sky/Ground/0", "Sky/Ground/1", "all/Ground/0"]);
}

/// A body with a sheet's frame and a level that it does not hit: either may be the detector.
#[test]
fn sheets_and_levels_are_detectors() {
    for (hero, level) in [(true, false), (false, true), (false, false)] {
        let (hits_of_hero, hits_of_level) = (if hero { 2 } else { 0 }, if level { 4 } else { 0 });
        let scene = json!({
            "shapes": { "hero": { "sheet": "art/hero.aseprite", "tag": "walk", "frame": 1 } },
            "bodies": [
                { "shape": "hero", "at": [40, 130], "layer": 4, "hits": hits_of_hero, "detector": hero }
            ],
            "levels": [{ "tiled": "art/cave.tmx", "layer": 2, "hits": hits_of_level, "detector": level }]
        });
        let folder = folder(&[("a.json", &scene.to_string())]);
        let told = answer(&folder.run(&["check", "a.json", "--backend", "cpu", "--format", "json"]));
        assert_eq!(told["pairs"], if hero || level { json!([[0, 1]]) } else { json!([]) }, "{hero} {level}");
        let (scene, _) = hitmask_files::scene::open(folder.at("a.json")).unwrap();
        assert!(scene.bodies[1..].iter().all(|body| body.detector == level) && scene.bodies[0].detector == hero);
        let again = Scene::parse(&scene.to_json().unwrap(), folder.at("nowhere").as_path()).unwrap();
        assert_eq!(again.bodies, scene.bodies);
    }
}

/// Steps of a replay add shapes of sheets, and the bodies of its level have names.
#[test]
fn a_replay_has_sheets_and_levels() {
    let hurt = json!({ "sheet": "art/hero.aseprite", "tag": "jump", "slice": "hurt" });
    let scene = json!({
        "levels": [{ "ldtk": "world.ldtk", "name": "w" }],
        "shapes": { "a": { "sheet": "art/hero.aseprite" } },
        "bodies": [{ "shape": "a", "at": [110, 40], "name": "hero" }]
    });
    let steps = [
        json!({ "shapes": { "b": { "box": [1, 1] }, "a": hurt },
            "set": [{ "shape": "a", "at": [140, 22], "name": "hero" }] }),
        json!({ "remove": ["w/Ground/1"], "add": [{ "shape": "b", "at": [138, 12], "name": "dot" }] }),
    ];
    let replay = format!("{scene}\n\n{}\n{}\n", steps[0], steps[1]);
    let folder = folder(&[("a.jsonl", &replay), ("world.ldtk", &project().to_string())]);
    let ran = folder.run(&["replay", "a.jsonl", "--backend", "cpu"]);
    let lines: Vec<Value> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(lines[0]["began"], json!([["hero", "w/Ground/1"]]), "{}", ran.out);
    assert_eq!((&lines[1]["bodies"], &lines[1]["began"]), (&json!(4), &json!([["dot", "hero"]])), "{}", ran.out);

    // What was resolved can be written, and read without the art.
    let (replay, files) = hitmask_files::scene::open_replay(folder.at("a.jsonl")).unwrap();
    assert_eq!(files.len(), 2);
    let written = replay.to_json().unwrap();
    let again = Replay::parse(&written, folder.at("nowhere").as_path()).unwrap();
    assert_eq!((again.steps, again.scene.bodies), (replay.steps, replay.scene.bodies));
}

fn refused(folder: &Folder, scene: &str, words: &[&str]) {
    std::fs::write(folder.at("bad.json"), scene).unwrap();
    for command in
        [&["check", "bad.json", "--backend", "cpu"][..], &["verify", "bad.json", "--engines", "cpu,reference"]]
    {
        let ran = folder.run(command);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{scene}: {}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{scene}: `{word}` is not said: {}", ran.err);
        }
        assert!(ran.err.starts_with("error: bad.json: ") && !ran.err.contains("panicked"), "{}", ran.err);
    }
}

#[test]
fn bad_sheets_are_refused_by_name() {
    let folder = folder(&[("a.json", "{}"), ("art/empty.ase", "")]);
    std::fs::write(folder.at("outside.aseprite"), []).unwrap();
    for (keys, words) in [
        (r#""sheet": "art/none.ase""#, &["shape \"s\": art/none.ase: ", "No such file"][..]),
        (r#""sheet": """#, &["shape \"s\": the file \"\" has no name"]),
        (r#""sheet": "../a.ase""#, &["shape \"s\": the file \"../a.ase\" leaves the folder by `..`"]),
        (r#""sheet": "/a.ase""#, &["is an absolute path"]),
        (r#""sheet": "art""#, &["art: not a regular file, but a folder"]),
        (r#""sheet": "art/empty.ase""#, &["art/empty.ase: neither an Aseprite file nor JSON"]),
        (r#""sheet": "art/cave.tmx""#, &["art/cave.tmx: neither an Aseprite file nor JSON"]),
        (
            r#""sheet": "art/hero.aseprite", "tag": "kick""#,
            &["art/hero.aseprite: there is no tag \"kick\"; the tags are \"stand\", \"walk\", \"jump\""],
        ),
        (
            r#""sheet": "art/hero.aseprite", "tag": "walk", "frame": 4"#,
            &["`frame` is 4; tag \"walk\" has the frames 0 to 3"],
        ),
        (r#""sheet": "art/hero.aseprite", "frame": 6"#, &["`frame` is 6; the sheet has the frames 0 to 5"]),
        (r#""sheet": "art/hero.aseprite", "frame": "run""#, &["there is no frame \"run\""]),
        (
            r#""sheet": "art/hero.aseprite", "frame": "a", "tag": "walk""#,
            &["`frame` is \"a\"; with a `tag` it must be a number"],
        ),
        (r#""sheet": "art/hero.aseprite", "frame": -1"#, &["expected the number of a frame", "at line 1, column "]),
        (
            r#""sheet": "art/hero.aseprite", "slice": "hit""#,
            &["art/hero.aseprite: frame 0: there is no slice \"hit\"; its slices are \"hurt\""],
        ),
        (r#""sheet": "art/hero.aseprite", "layers": ["wing"]"#, &["art/hero.aseprite: ", "wing"]),
        (r#""sheet": "art/hero.aseprite", "threshold": 0"#, &["shape \"s\": ", "nonzero u8", "line 1, column "]),
        (r#""sheet": "art/hero.aseprite", "grid": [5, 16]"#, &["art/hero.aseprite: "]),
        (r#""sheet": "art/cave.png", "grid": [15, 16]"#, &["art/cave.png: ", "64"]),
        (r#""sheet": "art/hero.aseprite", "circle": 1"#, &["unknown field `circle`", "expected one of `sheet`"]),
        (r#""sheet": "art/hero.aseprite", "anchor": [1e9, 0]"#, &["shape `s`: `anchor"]),
        (r#""sheet": "art/hero.aseprite", "tag": null"#, &["invalid type: null"]),
        (r#""sheet": 3"#, &["shape \"s\": invalid type: integer `3`, expected a string, at line 1, column 31"]),
    ] {
        refused(&folder, &format!("{{ \"shapes\": {{ \"s\": {{ {keys} }} }} }}"), words);
    }
}

#[test]
fn bad_levels_are_refused_by_name() {
    let empty = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16"/>"#;
    let bare = r#"<map orientation="orthogonal" width="1" height="1" tilewidth="16" tileheight="16">
        <layer name="ground" width="1" height="1"><data encoding="csv">0</data></layer></map>"#;
    let climbing = std::fs::read_to_string(asset("cave.tmx")).unwrap();
    let folder = folder(&[
        ("empty.tmx", empty),
        ("bare.tmx", bare),
        ("world.ldtk", &project().to_string()),
        ("art/climbing.tmx", &climbing.replace("cave.png", "../../cave.png")),
        ("art/other.tmx", &climbing.replace("cave.png", "../art/cave.png")),
    ]);
    for (level, words) in [
        (r#"{ "tiled": "none.tmx" }"#, &["levels[0]: none.tmx: No such file"][..]),
        (r#"{ "tiled": "../a.tmx" }"#, &["levels[0]: the file \"../a.tmx\" leaves the folder by `..`"]),
        (r#"{ "tiled": "empty.tmx" }"#, &["levels[0]: empty.tmx: the level has no layers"]),
        (r#"{ "tiled": "bare.tmx" }"#, &["bare.tmx: no tile of a visible layer has a collision shape"]),
        (r#"{ "tiled": "bare.tmx", "solid": "boxes" }"#, &["bare.tmx: no visible layer has a solid tile"]),
        (r#"{ "tiled": "world.ldtk" }"#, &["world.ldtk: this is a project of LDtk: name it as `ldtk`"]),
        (r#"{ "ldtk": "art/cave.tmx" }"#, &["art/cave.tmx: this is a map of Tiled: name it as `tiled`"]),
        (r#"{ "ldtk": "art/hero.aseprite" }"#, &["art/hero.aseprite: this is a sheet, and no level"]),
        (
            r#"{ "ldtk": "world.ldtk", "level": "Pit" }"#,
            &["there is no level \"Pit\"; the levels are \"Hall\", \"Sky\""],
        ),
        (r#"{ "tiled": "art/cave.tmx", "level": "a" }"#, &["`level` goes with `ldtk`"]),
        (r#"{ "tiled": "a.tmx", "ldtk": "b.ldtk" }"#, &["levels[0]: a level has either `tiled` or `ldtk`"]),
        (r"{ }", &["levels[0]: a level has either `tiled` or `ldtk`"]),
        (r#"{ "tiled": "a.tmx", "shape": "a" }"#, &["levels[0]: unknown field `shape`", "line 1, column "]),
        (r#"{ "tiled": "a.tmx", "solid": "air" }"#, &["unknown variant `air`, expected one of `shapes`"]),
        (r#"{ "tiled": "a.tmx", "at": [1] }"#, &["invalid length 1"]),
        (
            r#"{ "tiled": "a.tmx", "detector": 1 }"#,
            &["levels[0]: invalid type: integer `1`, expected a boolean, at line 1, column "],
        ),
        (
            r#"{ "tiled": "art/climbing.tmx" }"#,
            &["art/climbing.tmx: tileset \"cave\": the file \"../../cave.png\" leaves"],
        ),
        (
            r#"{ "tiled": "art/cave.tmx" }, { "tiled": "art/cave.tmx" }"#,
            &["levels[1]: another level has the name \"art/cave.tmx\"; give one of them a `name`"],
        ),
        (r#"{ "tiled": "art/cave.tmx", "at": [3e6, 0] }"#, &["body 0 `art/cave.tmx/ground/0`", "`at.x` is 3000000"]),
    ] {
        refused(&folder, &format!("{{ \"levels\": [{level}] }}"), words);
    }
    refused(&folder, r#"{ "levels": {} }"#, &["`levels` must be a list of levels, at line 1, column 13"]);
    refused(&folder, r#"{ "levels": [3] }"#, &["levels[0]: invalid type: integer `3`"]);
    refused(
        &folder,
        r#"{ "levels": [{ "tiled": "art/cave.tmx" }], "levels": [] }"#,
        &["`levels` appears twice, at line 1, column 54"],
    );
    let many = vec![r#"{ "tiled": "art/cave.tmx" }"#; 257].join(",");
    refused(&folder, &format!("{{ \"levels\": [{many}] }}"), &["levels: 257 levels in a scene; the limit is 256"]);
    // The scene's folder is that of the project.
    std::fs::write(folder.at("bad.json"), r#"{ "levels": [{ "tiled": "art/other.tmx" }] }"#).unwrap();
    assert_eq!(folder.run(&["check", "bad.json", "--backend", "cpu"]).status, Some(0));
}

/// A small scene that names a large sheet again and again is refused before its masks fill the memory.
/// A sheet may name a file beside its own folder, within that of the scene, as a level may.
#[test]
fn a_sheet_names_files_within_the_folder_of_the_scene() {
    let json =
        r#"{ "frames": [{ "frame": { "x": 0, "y": 0, "w": 16, "h": 16 } }], "meta": { "image": "../art/cave.png" } }"#;
    let scene = r#"{ "shapes": { "s": { "sheet": "sheets/cave.json" } } }"#;
    let folder = folder(&[("a.json", scene)]);
    std::fs::create_dir(folder.at("sheets")).unwrap();
    std::fs::write(folder.at("sheets/cave.json"), json).unwrap();
    let (_, files) = hitmask_files::scene::open(folder.at("a.json")).unwrap();
    assert_eq!(files, ["art/cave.png", "sheets/cave.json"].map(|file| folder.at(file)));
    std::fs::write(folder.at("sheets/cave.json"), json.replace("../art", "../../art")).unwrap();
    refused(&folder, scene, &["sheets/cave.json: the file \"../../art/cave.png\" leaves the folder by `..`"]);
}

#[test]
fn the_masks_of_a_scene_have_a_limit() {
    let shapes: Vec<String> =
        (0..300).map(|k| format!(r#""s{k}": {{ "sheet": "a.png", "grid": [1024, 1024] }}"#)).collect();
    let folder = Folder::with(&[("a.json", &format!("{{ \"shapes\": {{ {} }} }}", shapes.join(", ")))]);
    Mask::new(1024, 1024).unwrap().to_image([255; 4], [0; 4]).save(folder.at("a.png")).unwrap();
    let ran = folder.run(&["check", "a.json", "--backend", "cpu"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("bytes for all masks from sheets and levels; the limit is 268435456"), "{}", ran.err);
}

/// A short scene cannot name any number of sheets, shapes and levels.
#[test]
fn the_numbers_of_sheets_and_levels_have_limits() {
    let levels = vec!["{}"; 257].join(",");
    let sheets: Vec<String> = (0..257).map(|k| format!(r#""s{k}": {{ "sheet": "art/x{k}.png" }}"#)).collect();
    let frames: Vec<String> = (0..65_537).map(|k| format!(r#""s{k}": {{ "sheet": "art/x.png" }}"#)).collect();
    let folder = folder(&[]);
    for (scene, words) in [
        (format!(r#"{{ "levels": [{levels}] }}"#), "257 levels in a scene; the limit is 256"),
        (format!(r#"{{ "shapes": {{ {} }} }}"#, sheets.join(",")), "257 sheets in a scene; the limit is 256"),
        (
            format!(r#"{{ "shapes": {{ {} }} }}"#, frames.join(",")),
            "65537 shapes from sheets in a scene; the limit is 65536",
        ),
    ] {
        refused(&folder, &scene, &[words]);
    }
}

/// Errors in the rest of a scene are placed as if the sheets and levels were plain shapes.
#[test]
fn errors_in_the_rest_have_their_own_place() {
    let folder = folder(&[]);
    for (scene, words) in [
        (
            "{ \"levels\": [\n { \"tiled\": \"art/cave.tmx\" }\n], \"shapes\": { \"a\": {\n\"sheet\":\n\
             \"art/hero.aseprite\" }, \"b\": { \"circle\": \"x\" } } }",
            &["shapes.b.circle: ", " at line 5 column 43"][..],
        ),
        (
            "{ \"shapes\": { \"a\": { \"sheet\": \"art/größe.ase\" } }, \"bodies\": [{ \"shape\": \"a\" }],\
             \"levels\": [] }",
            &["bodies[0]: missing field `at` at line 1 column 80"],
        ),
        ("{ \"levels\": [],\n \"colour\": 1 }", &["colour: unknown field `colour`", "at line 2 column 9"]),
        ("{ \"levels\": [ }", &["line 1, column 15"]),
        ("\u{feff}{ \"levels\": [ }", &["line 1, column 15"]),
        (
            "{ \"levels\": [], \"levels\": [{ \"tiled\": \"art/cave.tmx\" }] }",
            &["`levels` appears twice, at line 1, column 27"],
        ),
        (
            "{ \"saved\": \"a.world\", \"levels\": [{ \"tiled\": \"art/cave.tmx\" }] }",
            &["`levels` cannot stand beside `saved`, at line 1, column 33"],
        ),
        ("{ \"shapes\": { \"a\": { \"sheet\": \"art/hero.aseprite\" } ]\n}", &["line 1, column 53"]),
        (
            "{ \"shapes\": { \"a\": { \"sheet\": \"art/hero.aseprite\" }, \"a\": { \"circle\": 1 } } }",
            &["the shape `a` appears twice"],
        ),
        ("[{ \"levels\": [] }]", &["invalid type: sequence"]),
    ] {
        refused(&folder, scene, words);
    }
    let lines = "{\"shapes\": {\"a\": {\"sheet\": \"art/hero.aseprite\"}}}\n\n\
                 {\"shapes\": {\"b\": {\"sheet\": \"art/hero.aseprite\", \"frame\": 9}}}\n";
    for (text, words) in [
        (lines.to_owned(), "bad.jsonl: line 3: shape \"b\": art/hero.aseprite: `frame` is 9"),
        (lines.replace("9}", "9, \"x\": 1}"), "bad.jsonl: line 3: shape \"b\": unknown field `x`, expected one of"),
        (lines.replace("9}}}", "2}}, \"levels\": []}"), "bad.jsonl: line 3: levels: unknown field `levels`"),
        (lines.replace("9}}}", "2}}, \"remove\": [1]}"), "bad.jsonl: line 3: remove[0]: "),
        (lines.replace("9}}}", "9}}"), "bad.jsonl: EOF while parsing an object, at line 3, column 60"),
    ] {
        std::fs::write(folder.at("bad.jsonl"), &text).unwrap();
        let ran = folder.run(&["replay", "bad.jsonl", "--backend", "cpu"]);
        assert!(ran.status == Some(2) && ran.out.is_empty() && ran.err.contains(words), "{text}: {}", ran.err);
    }
}

/// Names that look like keys of art are names.
#[test]
fn scenes_without_art_are_read_as_before() {
    let text = "\u{feff}{ \"shapes\": { \"sheet\": { \"circle\": 2 }, \"levels\": { \"box\": [1, 1] } },\r\n\
                \"bodies\": [{ \"shape\": \"sheet\", \"at\": [0, 0], \"name\": \"\\\"levels\\\"\" }] }";
    let folder = Folder::with(&[("a.json", text)]);
    let ran = folder.run(&["check", "a.json", "--backend", "cpu"]);
    assert!(ran.status == Some(0) && ran.out.starts_with("1 body, 0 pairs"), "{}{}", ran.out, ran.err);
    let wrong = text.replace("\"box\"", "\"bax\"");
    std::fs::write(folder.at("b.json"), &wrong).unwrap();
    let [own, plain] = [
        hitmask_files::scene::open(folder.at("b.json")).unwrap_err().to_string(),
        Scene::open(folder.at("b.json")).unwrap_err().to_string(),
    ];
    assert!(own == plain && own.contains("unknown field `bax`"), "{own} / {plain}");
}

/// Only the program reads sheets and levels; the library by itself refuses them.
#[test]
fn the_library_alone_refuses_sheets_and_levels() {
    for (text, words) in [
        (
            r#"{ "shapes": { "a": { "sheet": "a.ase" } } }"#,
            "shapes.a.sheet: unknown field `sheet`, expected one of `box`",
        ),
        (r#"{ "levels": [] }"#, "levels: unknown field `levels`, expected one of `version`"),
    ] {
        let error = Scene::parse(text, "".as_ref()).unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn the_output_is_no_file_of_the_art() {
    let scene = SCENE.replace("art/cave.tmx", "art/pictured.tmx");
    let map = std::fs::read_to_string(asset("cave.tmx")).unwrap().replace("cave.png", "pictured.png");
    let folder = folder(&[("a.json", &scene), ("art/pictured.tmx", &map)]);
    std::fs::copy(asset("cave.png"), folder.at("art/pictured.png")).unwrap();
    for arguments in [
        &["render", "a.json", "-o", "art/pictured.png", "--backend", "cpu"][..],
        &["verify", "a.json", "--engines", "cpu,reference", "--out", "art/hero.aseprite"],
        &["inspect", "art/pictured.tmx", "-o", "art/pictured.png"],
        &["bench", "a.json", "--backends", "cpu", "--runs", "1", "--out", "art/hero.aseprite"],
    ] {
        let ran = folder.run(arguments);
        assert!(ran.status == Some(2) && ran.err.contains("this is an input"), "{arguments:?}: {}", ran.err);
    }
    assert_eq!(std::fs::read(folder.at("art/pictured.png")).unwrap(), std::fs::read(asset("cave.png")).unwrap());
}

/// A mask of a sheet is written out, so that the report of `verify` needs no art.
#[test]
fn shapes_of_sheets_are_rows() {
    let folder = folder(&[("a.json", SCENE)]);
    let (scene, _) = hitmask_files::scene::open(folder.at("a.json")).unwrap();
    assert!(matches!(&scene.shapes[0].1.form, Form::Sprite { image: Image::Rows(rows), .. } if rows.len() == 16));
    let again = Scene::parse(&scene.to_json().unwrap(), "/nowhere".as_ref()).unwrap();
    assert_eq!(again.world().unwrap(), scene.world().unwrap());
}
