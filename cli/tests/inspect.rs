//! `hitmask inspect`.

mod common;

use common::Folder;
use hitmask::Mask;
use serde_json::{Value, json};

const MAP: &str = r#"<map orientation="orthogonal" width="3" height="2" tilewidth="16" tileheight="16">
<properties><property name="gravity" type="float" value="9.5"/></properties>
<tileset firstgid="1" name="rocks" tilewidth="16" tileheight="16" tilecount="2">
 <image source="rocks.png" width="32" height="16"/>
 <tile id="0"><objectgroup><object width="16" height="16"/></objectgroup></tile>
</tileset>
<layer name="ground" class="solid" width="3" height="2"><data encoding="csv">0,0,2,1,1,2</data></layer>
<layer name="secret" visible="0" width="3" height="2"><data encoding="csv">0,0,0,0,0,0</data></layer>
<objectgroup name="things">
 <object id="4" name="door" type="exit" x="8" y="9" width="16" height="7" rotation="45"/>
 <object id="5" x="1" y="2"><point/></object>
</objectgroup>
</map>"#;

const LISTED: &str = r#"level: 1 room, 1 tileset, 3 layers
room: 48 x 32 pixels at 0, 0, properties "gravity"
tileset "rocks": tiles of 16 x 16 pixels, 1 tile with shapes
layer "ground" of class "solid": 4 tiles in cells [0, 0, 3, 2]
layer "secret": no tiles, hidden
layer "things": 2 objects
  rectangle 4 "door" of class "exit": 16 x 7 at 8, 9, turned 45 degrees
  point 5: 0 x 0 at 1, 2
1 body, from 0, 16 to 32, 32
"#;

fn level() -> Folder {
    let folder = Folder::with(&[("a.tmx", MAP)]);
    let rocks = Mask::from_fn(32, 16, |x, y| (x / 4 + y / 4) % 2 == 0).unwrap();
    rocks.to_image([255; 4], [0; 4]).save(folder.at("rocks.png")).unwrap();
    folder
}

#[test]
fn a_level_is_listed_and_drawn() {
    let folder = level();
    let ran = folder.run(&["inspect", "a.tmx"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), LISTED), "{}", ran.err);
    let ran = folder.run(&["inspect", "a.tmx", "-o", "a.png", "--zoom", "2", "--solid", "boxes"]);
    assert_eq!((ran.status, ran.out.lines().last()), (Some(0), Some("1 body, from 0, 0 to 48, 32")), "{}", ran.err);
    let [width, height] = image::open(folder.at("a.png")).map(|image| [image.width(), image.height()]).unwrap();
    assert!(width >= 96 && height >= 64, "{width} x {height}");
    let ran = folder.run(&["inspect", "a.tmx", "-o", "a.svg", "--solid", "pixels", "--merge", "masks"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(roxmltree::Document::parse(&std::fs::read_to_string(folder.at("a.svg")).unwrap()).is_ok());
    let ran = folder.run(&["inspect", "a.tmx", "--merge", "none"]);
    assert!(ran.out.ends_with("2 bodies, from 0, 16 to 32, 32\n"), "{}", ran.out);
}

#[test]
fn a_sheet_is_listed_and_drawn() {
    let hero = concat!(env!("CARGO_MANIFEST_DIR"), "/../files/assets/hero.aseprite");
    let folder = Folder::with(&[]);
    let ran = folder.run(&["inspect", hero, "-o", "hero.png"]);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert_eq!(
        lines[..3],
        [
            "sheet: 6 frames of 12 x 16 pixels, 3 tags",
            "frame 0: 100 ms, 62 solid pixels in [2, 1, 8, 15], pivot [6.0, 15.0]",
            "  box \"hurt\": [3, 1, 6, 14], pivot [6, 15], data \"damage=2\"",
        ]
    );
    assert_eq!(
        lines[13..],
        [
            "tag \"stand\": frames 0 to 0, forward, forever",
            "tag \"walk\": frames 1 to 4, ping-pong, forever, data \"speed=40\"",
            "tag \"jump\": frames 5 to 5, forward, 1 time",
        ]
    );
    assert!(image::open(folder.at("hero.png")).is_ok());
}

#[test]
fn a_sheet_is_listed_as_json() {
    let hero = concat!(env!("CARGO_MANIFEST_DIR"), "/../files/assets/hero.aseprite");
    let ran = Folder::with(&[]).run(&["inspect", hero, "--format", "json"]);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 1), "{}", ran.err);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((&told["kind"], &told["size"]), (&json!("sheet"), &json!([12, 16])));
    assert_eq!(told["frames"].as_array().unwrap().len(), 6);
    let hurt = json!({ "name": "hurt", "bounds": [3, 1, 6, 14], "pivot": [6, 15], "data": "damage=2" });
    assert_eq!(
        told["frames"][0],
        json!({
            "duration_ms": 100, "solid_pixels": 62, "bounds": [2, 1, 8, 15], "pivot": [6.0, 15.0], "boxes": [hurt]
        })
    );
    assert_eq!(
        told["tags"],
        json!([
            { "name": "stand", "frames": [0, 0], "direction": "forward" },
            { "name": "walk", "frames": [1, 4], "direction": "pingpong", "data": "speed=40" },
            { "name": "jump", "frames": [5, 5], "direction": "forward", "repeat": 1 },
        ])
    );
}

fn layer(name: &str, visible: bool) -> Value {
    json!({ "name": name, "room": 0, "visible": visible, "opacity": 1.0, "offset": [0.0, 0.0] })
}

fn object(id: u32, form: &str, [at, size]: [[f64; 2]; 2], rotation: f64) -> Value {
    json!({ "id": id, "form": form, "at": at, "size": size, "rotation": rotation, "visible": true })
}

#[test]
fn a_level_is_listed_as_json() {
    let folder = level();
    let ran = folder.run(&["inspect", "a.tmx", "--format", "json", "-o", "a.png"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{}", ran.err));
    assert!(folder.at("a.png").exists());
    let with = |mut value: Value, more: Value| {
        value.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        value
    };
    let cell = |cell: [i32; 2], id: u32| json!({ "cell": cell, "tileset": 0, "id": id });
    let tiles = [cell([2, 0], 1), cell([0, 1], 0), cell([1, 1], 0), cell([2, 1], 1)];
    let door = object(4, "rectangle", [[8.0, 9.0], [16.0, 7.0]], 45.0);
    let expected = json!({
        "kind": "level",
        "rooms": [{ "at": [0.0, 0.0], "size": [48.0, 32.0], "depth": 0, "properties": { "gravity": 9.5 } }],
        "tilesets": [{ "name": "rocks", "tile_size": [16, 16], "tiles": [
            { "id": 0, "shapes": [object(0, "rectangle", [[0.0, 0.0], [16.0, 16.0]], 0.0)] }
        ] }],
        "layers": [
            with(layer("ground", true), json!({ "class": "solid", "cell_size": [16, 16], "tiles": tiles })),
            with(layer("secret", false), json!({ "cell_size": [16, 16], "tiles": [] })),
            with(layer("things", true), json!({ "objects": [
                with(door, json!({ "name": "door", "class": "exit" })),
                object(5, "point", [[1.0, 2.0], [0.0, 0.0]], 0.0),
            ] })),
        ],
        "bodies": 1,
        "bounds": [0.0, 16.0, 32.0, 32.0],
    });
    assert_eq!(told, expected, "{}", ran.out);
}

#[test]
fn a_level_that_becomes_no_bodies_is_listed() {
    let folder = level();
    std::fs::write(folder.at("far.tmx"), MAP.replace("class=\"solid\"", "class=\"solid\" offsetx=\"9000000\""))
        .unwrap();
    let ran = folder.run(&["inspect", "far.tmx"]);
    let last = ran.out.lines().last().unwrap_or_default();
    assert_eq!((ran.status, ran.out.lines().count()), (Some(0), LISTED.lines().count()), "{}", ran.err);
    assert!(last.starts_with("no bodies: layer \"ground\": "), "{last}");
    let ran = folder.run(&["inspect", "far.tmx", "--format", "json"]);
    let told: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(told["error"], last["no bodies: ".len()..], "{}", ran.out);
    let ran = folder.run(&["inspect", "far.tmx", "-o", "far.png"]);
    assert!(ran.status == Some(2) && ran.out.is_empty() && ran.err.contains("layer \"ground\""), "{}", ran.err);
}

#[test]
fn an_image_needs_a_grid() {
    let folder = level();
    let ran = folder.run(&["inspect", "rocks.png"]);
    assert!(ran.status == Some(2) && ran.err.contains("rocks.png: an image does not say where"), "{}", ran.err);
    let ran = folder.run(&["inspect", "rocks.png", "--grid", "16x16"]);
    assert!(ran.out.starts_with("sheet: 2 frames of 16 x 16 pixels, 0 tags\n"), "{}{}", ran.out, ran.err);
    let args = ["inspect", "rocks.png", "--grid", "16x15", "--allow-remainder"];
    let ran = folder.run(&args[..4]);
    assert!(ran.status == Some(2) && ran.err.contains("unless a remainder is allowed"), "{}", ran.err);
    let ran = folder.run(&args);
    assert!(ran.out.starts_with("sheet: 2 frames of 16 x 15 pixels, 0 tags\n"), "{}{}", ran.out, ran.err);
    for grid in ["16", "0x4", "axb"] {
        assert_eq!(folder.run(&["inspect", "rocks.png", "--grid", grid]).status, Some(2), "{grid}");
    }
}

#[test]
fn errors_name_the_file_and_leave_the_picture() {
    let folder = level();
    std::fs::write(folder.at("b.tmx"), MAP.replace("rocks.png", "../rocks.png")).unwrap();
    let ran = folder.run(&["inspect", "b.tmx", "-o", "b.png"]);
    assert_eq!(ran.status, Some(2));
    assert!(ran.err.contains("b.tmx: tileset \"rocks\": the file \"../rocks.png\" leaves the folder"), "{}", ran.err);
    assert!(!folder.at("b.png").exists());
    let ran = folder.run(&["inspect", "a.tmx", "-o", "a.tmx"]);
    assert!(ran.status == Some(2) && ran.out.is_empty(), "{}", ran.out);
    let ran = folder.run(&["inspect", "a.tmx", "-o", "rocks.gif"]);
    assert!(ran.err.contains("it must be .png or .svg"), "{}", ran.err);
}

#[test]
fn options_that_change_nothing_are_refused() {
    let hero = concat!(env!("CARGO_MANIFEST_DIR"), "/../files/assets/hero.aseprite");
    let folder = level();
    std::fs::create_dir(folder.at("sub")).unwrap();
    std::fs::write(folder.at("empty.tmx"), "").unwrap();
    let wide = format!("\u{feff}{MAP}").encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    std::fs::write(folder.at("wide.tmx"), wide).unwrap();
    for (arguments, words) in [
        (&[hero, "--solid", "boxes"][..], "--solid is for levels; this is a sheet"),
        (&[hero, "--merge", "masks"], "--merge is for levels; this is a sheet"),
        (&["a.tmx", "--zoom", "2"], "--out <OUT>"),
        (&["a.tmx", "--folder", "sub"], "a.tmx: the file \"a.tmx\" lies outside the folder \"sub\""),
        (&["empty.tmx"], "empty.tmx: neither an Aseprite file, nor JSON, nor XML in UTF-8"),
        (&["wide.tmx"], "wide.tmx: neither an Aseprite file, nor JSON, nor XML in UTF-8"),
    ] {
        let ran = folder.run(&[&["inspect"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn images_of_each_format_are_sheets_sprites_and_tilesets() {
    let folder = Folder::with(&[]);
    let formats = concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/formats");
    for name in ["ship.bmp", "ship.gif", "ship.qoi", "ship.tga", "ship-rle.tga", "ship.webp"] {
        let file = format!("{formats}/{name}");
        std::fs::copy(&file, folder.at(name)).unwrap();
        let ran = folder.run(&["inspect", name, "--grid", "5x3"]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.err);
        assert!(ran.out.contains("1 frame"), "{name}: {}", ran.out);
        let bodies = json!([{ "shape": "ship", "at": [0, 0] }, { "shape": "dot", "at": [4, 1] }, { "shape": "dot", "at": [1, 0] }]);
        let shapes = json!({ "ship": { "sprite": name }, "dot": { "box": [1, 1] } });
        std::fs::write(folder.at("a.json"), json!({ "shapes": shapes, "bodies": bodies }).to_string()).unwrap();
        // The ship has a pixel at (4, 1), and none at (1, 0).
        let ran = folder.run(&["check", "a.json", "--backend", "cpu", "--format", "json"]);
        let answer: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{name}: {}{}", ran.out, ran.err));
        assert_eq!(answer["pairs"].as_array().map(Vec::len), Some(1), "{name}: {answer}");
        let ran = folder.run(&["render", "a.json", "-o", "a.png"]);
        assert_eq!(ran.status, Some(0), "{name}: {}", ran.err);
    }
    let map = MAP
        .replace("rocks.png\" width=\"32\" height=\"16\"", "ship.webp\" width=\"5\" height=\"3\"")
        .replace("\"16\"", "\"1\"");
    std::fs::write(folder.at("a.tmx"), map.replace("tilecount=\"2\"", "tilecount=\"15\"")).unwrap();
    let ran = folder.run(&["inspect", "a.tmx", "--solid", "pixels"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}
