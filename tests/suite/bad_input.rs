//! Invalid input and its error messages: each names what is wrong, where it is, and the limit.

use std::fs;
use std::path::Path;

use hitmask::query::{Queries, RayCast};
use hitmask::response::{Events, TaggedPair};
use hitmask::scene::{Replay, Scene, SceneQuery};
use hitmask::{Ask, Body, Detail, Engine, Hits, Linear, Mask, Shape, World};

/// Returns the error message of a scene that is not a valid world.
fn refusal(json: &str) -> String {
    refusal_in(json, Path::new("."))
}

fn refusal_in(json: &str, folder: &Path) -> String {
    match Scene::parse(json, folder).and_then(|scene| scene.world()) {
        Ok(_) => panic!("not refused: {json}"),
        Err(error) => error.to_string(),
    }
}

/// Returns a scene of two bodies: a box, and one called `bad`, a box, a ball or a sprite of one texel, with the given
/// keys.
fn scene_of(shape: &str, keys: &str) -> String {
    format!(
        r##"{{ "shapes": {{ "box": {{ "box": [2, 1] }}, "ball": {{ "circle": 1 }}, "dot": {{ "sprite": {{ "rows": ["#"] }} }} }},
             "bodies": [{{ "shape": "box", "at": [0, 0] }}, {{ "shape": "{shape}", "name": "bad", {keys} }}] }}"##
    )
}

/// Asserts that an error message has all of these words.
fn says(refusal: &str, words: &[&str]) {
    for word in words {
        assert!(refusal.contains(word), "`{word}` is not said of it: {refusal}");
    }
}

/// Returns the error message of a shape `s`.
fn shape(shape: &str) -> String {
    refusal(&format!(r#"{{ "shapes": {{ "s": {shape} }} }}"#))
}

/// Returns the error message of the second body of [`scene_of`].
fn body(shape: &str, keys: &str) -> String {
    refusal(&scene_of(shape, keys))
}

#[test]
fn not_json() {
    says(&refusal(""), &["the scene: ", "EOF", "line 1 column 0"]);
    says(&refusal("{\n  \"shapes\": {},\n  nonsense\n}"), &["line 3 column 3"]);
    says(&refusal("{} {}"), &["trailing characters", "line 1 column 4"]);
    says(&refusal(r#"{ "shapes": {}, }"#), &["trailing comma", "line 1 column 17"]);
    says(&refusal("[]"), &["the scene: invalid type: sequence, expected an object at line 1"]);
    says(&refusal(r#"{ "bodies": [{ "shape": "s", "at": [NaN, 0] }] }"#), &["bodies[0].at", "line 1"]);
}

/// A scene has only as many levels as its keys, so lists in lists are refused at the first that has no place there,
/// and not by how many follow.
#[test]
fn lists_in_lists() {
    let deep = "[".repeat(100_000);
    let place = |before: &str| refusal(&format!("{before}{deep}"));
    says(&place(""), &["the scene: invalid type: sequence, expected an object at line 1 column 1"]);
    says(&place("\n\n"), &["expected an object at line 3 column 1"]);
    says(&place("{ \"bodies\":\n"), &["bodies[0]: invalid type: sequence, expected an object at line 2 column 2"]);
    says(&place("{ \"bodies\": "), &["bodies[0]: ", "expected an object at line 1 column 14"]);
    says(&place("{\n\"shapes\":"), &["shapes: ", "expected an object of shapes by name at line 2 column 10"]);
    says(&body("box", &format!("\"at\":\n{deep}")), &["bodies[1].at[0]: ", "expected a number at line 3 column 2"]);
    // Elements behind the two numbers are only skipped, so the first wrong place is behind the brackets.
    says(&body("box", &format!("\"at\": [0, 1, {deep}")), &["bodies[1].at[2]: expected value at line 2 column 100106"]);
    says(&refusal("{ \"touch\":\n{} }"), &["touch: ", "line 2 column 1"]);
}

#[test]
fn unknown_and_repeated_keys() {
    says(&refusal("{\n\"colour\": 1 }"), &["unknown field `colour`", "`bodies_csv`", "line 2 column 8"]);
    says(&shape(r#"{ "box": [1, 1], "colour": 1 }"#), &["shapes.s", "unknown field `colour`", "line 1"]);
    says(
        &shape(r#"{ "capsule": { "from": [0, 0], "to": [1, 1], "radius": 1, "r": 2 } }"#),
        &["shapes.s.capsule", "unknown field `r`"],
    );
    says(
        &shape(r#"{ "sprite": { "rows": ["."], "threshold": 1 } }"#),
        &["shapes.s.sprite", "unknown field `threshold`"],
    );
    says(&body("box", r#""at": [0, 0], "colour": 1"#), &["bodies[1]", "unknown field `colour`", "line 2"]);
    says(&body("box", r#""at": [0, 0], "at": [1, 1]"#), &["bodies[1]", "duplicate field `at`"]);
    says(&refusal(r#"{ "bodies": [], "bodies": [] }"#), &["duplicate field `bodies`"]);
    says(&refusal(r#"{ "shapes": { "s": { "circle": 1 }, "s": { "circle": 1 } } }"#), &["the shape `s` appears twice"]);
}

#[test]
fn wrong_types() {
    says(&refusal(r#"{ "version": 2 }"#), &["version", "integer `2`", "expected version 1"]);
    says(&refusal(r#"{ "version": "1" }"#), &["version", "string \"1\""]);
    says(
        &refusal(r#"{ "touch": "maybe" }"#),
        &["touch: invalid value: string \"maybe\"", r#"one of "excluded", "included""#],
    );
    says(&refusal(r#"{ "shapes": [] }"#), &["shapes: invalid type: sequence"]);
    says(&refusal(r#"{ "shapes": null }"#), &["shapes: invalid type: null"]);
    says(&refusal(r#"{ "bodies": {} }"#), &["bodies: invalid type: map"]);
    says(&refusal(r#"{ "bodies_csv": null }"#), &["bodies_csv: invalid type: null"]);
    says(&refusal(r#"{ "touch": { "excluded": null } }"#), &["touch: invalid type: map"]);
    says(&refusal(r#"{ "bodies": [["s", [0, 0]]] }"#), &["bodies[0]: invalid type: sequence, expected an object"]);
    says(&shape("[[1, 1]]"), &["shapes.s: invalid type: sequence, expected an object"]);
    says(&shape(r#"{ "capsule": [[0, 0], [1, 1], 1] }"#), &["shapes.s.capsule: invalid type: sequence"]);
    says(&shape(r#"{ "sprite": [["."]] }"#), &["shapes.s.sprite: invalid type: sequence"]);
    says(&shape("5"), &["shapes.s: invalid type: integer `5`"]);
    says(&shape(r#"{ "box": [1] }"#), &["shapes.s.box: invalid length 1, expected a list of 2"]);
    says(&shape(r#"{ "box": [1, 2, 3] }"#), &["shapes.s.box: invalid length 3, expected a list of 2"]);
    says(&shape(r#"{ "circle": null }"#), &["shapes.s.circle: invalid type: null"]);
    says(&shape(r#"{ "circle": "1" }"#), &["shapes.s.circle: invalid type: string \"1\""]);
    says(&shape(r#"{ "polygon": [[0, 0], [1, 0], 5] }"#), &["shapes.s.polygon[2]: invalid type: integer `5`"]);
    says(
        &shape(r#"{ "polygon": [[0, 0], [1, 0], [0, true]] }"#),
        &["shapes.s.polygon[2][1]: invalid type: boolean `true`"],
    );
    says(&shape(r#"{ "capsule": { "from": [0, 0], "to": [1, 1] } }"#), &["shapes.s.capsule", "missing field `radius`"]);
    says(&shape(r#"{ "sprite": 5 }"#), &["shapes.s.sprite: invalid type: integer `5`", "rows"]);
    says(&body("box", r#""at": 5"#), &["bodies[1].at: invalid type: integer `5`, expected a list of 2"]);
    says(&body("box", r#""layer": 1"#), &["bodies[1]", "missing field `at`"]);
    says(&body("box", r#""at": [0, 0], "angle": null"#), &["bodies[1].angle: invalid type: null"]);
    says(
        &body("box", r#""at": [0, 0], "scale": "2""#),
        &["bodies[1].scale: invalid type: string \"2\"", "a number or a list of 2"],
    );
    says(&body("box", r#""at": [0, 0], "scale": [1, 2, 3]"#), &["bodies[1].scale: invalid length 3"]);
    says(&body("box", r#""at": [0, 0], "flip": "yx""#), &["bodies[1].flip", "\"yx\"", r#"one of "", "x", "y", "xy""#]);
    says(&body("box", r#""at": [0, 0], "matrix": [[1, 0]]"#), &["bodies[1].matrix: invalid length 1"]);
    says(
        &body("box", r#""at": [0, 0], "layer": -1"#),
        &["bodies[1].layer", "`-1`", "a whole number from 0 to 4294967295"],
    );
    says(
        &body("box", r#""at": [0, 0], "hits": 4294967296"#),
        &["bodies[1].hits", "`4294967296`", "a whole number from 0 to 4294967295"],
    );
    says(&body("box", r#""at": [0, 0], "hits": 1.5"#), &["bodies[1].hits", "floating point `1.5`", "a whole number"]);
    for (detector, found) in [("1", "integer `1`"), (r#""true""#, "string \"true\""), ("null", "null")] {
        let error = format!("bodies[1].detector: invalid type: {found}, expected a boolean");
        says(&body("box", &format!(r#""at": [0, 0], "detector": {detector}"#)), &[&error]);
    }
}

#[test]
fn a_shape_is_one_thing() {
    says(&shape("{}"), &["shapes.s: a shape has exactly one of `box`,", "this one has none"]);
    says(&shape(r#"{ "anchor": [0, 0] }"#), &["this one has none"]);
    says(&shape(r#"{ "box": [1, 1], "circle": 1 }"#), &["shapes.s: ", "this one has `box` and `circle`"]);
    says(&shape(r#"{ "box": [1, 1], "radius": 1 }"#), &["shapes.s: `radius` goes with `polygon`; this is a `box`"]);
    says(&shape(r#"{ "circle": 1, "holes": [] }"#), &["`holes` goes with `polygon`; this is a `circle`"]);
    says(&shape(r#"{ "circle": 1, "threshold": 1 }"#), &["`threshold` goes with `sprite`; this is a `circle`"]);
    says(
        &shape(r#"{ "polygon": [[0, 0], [1, 0], [0, 1]], "region": [0, 0, 1, 1] }"#),
        &["`region` goes with `sprite`"],
    );
}

#[test]
fn sizes_without_area_or_beyond_the_limit() {
    says(&shape(r#"{ "box": [0, 5] }"#), &["shape `s`: `box` is [0, 5]", "greater than 0"]);
    says(&shape(r#"{ "box": [-5, 5] }"#), &["shape `s`: `box` is [-5, 5]"]);
    says(&shape(r#"{ "box": [3000000, 5] }"#), &["shape `s`: `box", "3000000", "±2097151.996"]);
    says(&shape(r#"{ "circle": 0 }"#), &["shape `s`: `circle` is 0"]);
    says(&shape(r#"{ "circle": -1 }"#), &["shape `s`: `circle` is -1"]);
    says(&shape(r#"{ "circle": 20000 }"#), &["shape `s`: `circle` is 20000", "1/256 to 16384"]);
    says(
        &shape(r#"{ "capsule": { "from": [0, 0], "to": [5, 0], "radius": -1 } }"#),
        &["shape `s`: `capsule.radius` is -1"],
    );
    says(&shape(r#"{ "parts": [] }"#), &["shape `s`: `parts` is 0; it must be 1 to"]);
    says(&shape(r#"{ "parts": [{ "shape": { "circle": 1 }, "x": 1 }] }"#), &["shapes.s.parts[0]", "unknown field `x`"]);
    says(&shape(r#"{ "parts": [{ "shape": { "circle": 0 } }] }"#), &["shape `s`: parts[0]: `circle` is 0"]);
    says(&shape(r#"{ "parts": [{ "shape": { "circle": 1 }, "tag": -1 }] }"#), &["shapes.s.parts[0].tag", "-1"]);
    says(&shape(r#"{ "capsule": { "from": [0, 3e6], "to": [5, 0], "radius": 1 } }"#), &["`capsule.from.y` is 3000000"]);
    says(&shape(r#"{ "box": [1, 1], "anchor": [0, 16385] }"#), &["shape `s`: `anchor.y` is 16385", "±16384"]);
}

#[test]
fn polygons_that_are_none() {
    says(&shape(r#"{ "polygon": [] }"#), &["shape `s`: ", "no area"]);
    says(&shape(r#"{ "polygon": [[0, 0], [1, 1], [2, 2]] }"#), &["shape `s`: ", "the outline has no area"]);
    let bow_tie = shape(r#"{ "polygon": [[0, 0], [4, 4], [4, 0], [0, 4]] }"#);
    says(&bow_tie, &["shape `s`: ", "edge 0 of the outline", "edge 2 of the outline", "cross", "(2, 2)"]);
    let outside = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[20, 20], [22, 20], [20, 22]]] }"#;
    says(&shape(outside), &["shape `s`: ", "hole 0"]);
    let crossing = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[5, 5], [12, 5], [5, 7]]] }"#;
    says(&shape(crossing), &["shape `s`: ", "of hole 0", "of the outline"]);
    let flat = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[5, 5], [6, 5]]] }"#;
    says(&shape(flat), &["shape `s`: ", "hole 0 of 2 points has no area"]);
}

#[test]
fn roundings_that_are_none() {
    let rounded = |outline: &str, radius: &str| shape(&format!(r#"{{ "polygon": {outline}, "radius": {radius} }}"#));
    says(&rounded("[[0, 0], [4, 4], [8, 0], [4, 9]]", "1"), &["shape `s`: `radius` is 1", "concave"]);
    says(&rounded("[[0, 0], [4, 0], [0, 4]]", "-1"), &["shape `s`: `radius` is -1", "0 to 16384"]);
    says(&rounded("[[0, 0], [4, 0], [0, 4]]", "16385"), &["shape `s`: `radius` is 16385", "0 to 16384"]);
    let holed = r#"{ "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[5, 5], [6, 5], [5, 6]]], "radius": 1 }"#;
    says(&shape(holed), &["shape `s`: `radius` is 1", "holes"]);
}

#[test]
fn numbers_that_are_none() {
    says(&shape(r#"{ "circle": 1e999 }"#), &["shapes.s.circle: number out of range", "line 1 column"]);
    says(&body("box", r#""at": [0, -1e999]"#), &["bodies[1].at[1]: number out of range", "line 2 column"]);
    says(&body("box", r#""at": [0, 1e999], "angle": 1e999"#), &["number out of range"]);
    says(&body("box", r#""at": [0, 0], "angle": 1e999"#), &["bodies[1].angle: number out of range"]);
}

#[test]
fn numbers_that_only_a_program_can_write() {
    use hitmask::Touch;
    use hitmask::scene::{BodySpec, Form, Pose, ShapeSpec};
    let says_of = |body: BodySpec, words: &[&str]| {
        let shapes = vec![("s".to_owned(), ShapeSpec::new(Form::Circle(1.0)))];
        says(&Scene::new(Touch::Excluded, shapes, vec![body]).world().unwrap_err().to_string(), words);
    };
    let turned = |angle, scale| Pose::Turned { angle, scale, flip: hitmask::geometry::Flip::default() };
    let at_origin = || BodySpec::new("s", [0.0; 2]);
    says_of(BodySpec::new("s", [f64::NAN, 0.0]), &["body 0 (s): `at.x` is NaN"]);
    says_of(BodySpec { pose: turned(f64::NAN, [1.0; 2]), ..at_origin() }, &["body 0 (s): `angle` is NaN", "finite"]);
    says_of(BodySpec { pose: turned(f64::INFINITY, [1.0; 2]), ..at_origin() }, &["`angle` is inf"]);
    says_of(BodySpec { pose: turned(0.0, [f64::NAN, 1.0]), ..at_origin() }, &["`scale` is [NaN, 1]"]);
    says_of(BodySpec { motion: [0.0, f64::INFINITY], ..at_origin() }, &["`move.y` is inf"]);
}

#[test]
fn outside_the_world() {
    says(&body("box", r#""at": [3e6, 0]"#), &["body 1 `bad` (box): `at.x` is 3000000", "±2097151.996"]);
    says(&body("box", r#""at": [0, -2097152]"#), &["body 1 `bad` (box): `at.y` is -2097152"]);
    says(&body("box", r#""at": [2097151, 0]"#), &["body 1 `bad` (box): `at`", "the whole body"]);
    says(&body("box", r#""at": [2097000, 0], "move": [1000, 0]"#), &["body 1 `bad` (box): `at`", "motion included"]);
    says(
        &body("box", r#""at": [2097151, 0], "scale": 0, "move": [1, 0]"#),
        &["body 1 `bad` (box): `at`", "its position, motion included"],
    );
    says(&body("box", r#""at": [0, 0], "move": [0, 7e4]"#), &["body 1 `bad` (box): `move.y` is 70000", "±65536 units"]);
    says(&body("dot", r#""at": [-2097151.99, 0], "angle": 45"#), &["body 1 `bad` (dot): `at`"]);
}

/// A body without extent is no error, since things may grow from nothing. It hits nothing and has no bounds.
#[test]
fn poses_that_make_a_body_empty_are_taken() {
    let posed = |shape: &str, keys: &str| {
        let json = scene_of(shape, &format!(r#""at": [0, 0], {keys}"#));
        let world = Scene::parse(&json, Path::new(".")).and_then(|scene| scene.world()).unwrap();
        let pairs = Engine::reference().run(&world, Ask::Pairs).unwrap().pairs;
        let id = world.id(1).unwrap();
        let bounds = [world.bounds(id), world.swept_bounds(id)];
        assert_eq!(bounds.map(|bounds| bounds.is_some()), [!pairs.is_empty(); 2], "{shape}, {keys}");
        pairs
    };
    for shape in ["box", "ball", "dot"] {
        assert_eq!(posed(shape, r#""scale": 1"#), [[0, 1]], "{shape}");
        assert_eq!(posed(shape, r#""scale": 0.015"#).is_empty(), shape == "dot");
        for keys in [r#""scale": 0"#, r#""scale": 1e-200"#, r#""matrix": [[0, 0], [0, 0]]"#] {
            assert_eq!(posed(shape, keys), [[0; 2]; 0], "{shape}, {keys}");
        }
    }
    for keys in [r#""scale": [1, -0.0]"#, r#""matrix": [[1, 2], [2, 4]]"#] {
        assert_eq!(posed("box", keys), [[0; 2]; 0], "{keys}");
        assert_eq!(posed("dot", keys), [[0; 2]; 0], "{keys}");
    }
    // A sprite scaled below 1/64 has an inverse beyond 64.
    assert_eq!(posed("dot", r#""scale": 0.01"#), [[0; 2]; 0]);
}

#[test]
fn poses_that_are_none() {
    let at = |keys: &str| format!(r#""at": [0, 0], {keys}"#);
    says(&body("box", &at(r#""scale": 128"#)), &["body 1 `bad` (box): `scale` is 128", "±127"]);
    says(
        &body("box", &at(r#""matrix": [[128, 0], [0, 1]]"#)),
        &["body 1 `bad` (box): `matrix` is [[128, 0], [0, 1]]", "±127"],
    );
    says(&body("ball", &at(r#""scale": [2, 1]"#)), &["body 1 `bad` (ball): `scale` is [2, 1]", "similarity", "radius"]);
    says(&body("ball", &at(r#""matrix": [[1, 1], [0, 1]]"#)), &["`matrix` is [[1, 1], [0, 1]]", "similarity"]);
    for (key, value) in [("angle", "0"), ("scale", "1"), ("flip", r#""""#)] {
        let both = body("box", &at(&format!(r#""matrix": [[1, 0], [0, 1]], "{key}": {value}"#)));
        says(&both, &["bodies[1]: `matrix` replaces", &format!("`{key}`"), "`bad`", "line 2"]);
    }
}

#[test]
fn shapes_that_are_not_there() {
    says(&body("blob", r#""at": [0, 0]"#), &["body 1 `bad` (blob): there is no shape `blob`"]);
    says(&refusal(r#"{ "bodies": [{ "at": [0, 0] }] }"#), &["bodies[0]", "missing field `shape`"]);
}

#[test]
fn rows_that_are_no_mask() {
    let rows = |rows: &str| shape(&format!(r#"{{ "sprite": {{ "rows": {rows} }} }}"#));
    says(&rows("[]"), &["shape `s`: ", "`rows` is empty"]);
    says(&rows(r#"[""]"#), &["shape `s`: ", "`rows`", "0 x 1"]);
    says(&rows(r##"["#.", "#"]"##), &["shape `s`: ", "`rows`: the length of row 1 is 1"]);
    says(&rows(r##"["#x"]"##), &["shape `s`: ", "row 0, column 1 is 'x'"]);
    says(&rows("5"), &["shapes.s.sprite.rows: invalid type"]);
    let wide = format!(r#"["{}"]"#, ".".repeat(8193));
    says(&rows(&wide), &["8193 x 1", "8192"]);
    let cut = |region: &str| shape(&format!(r#"{{ "sprite": {{ "rows": [".#", ".."] }}, "region": {region} }}"#));
    says(&cut("[1, 1, 2, 1]"), &["shape `s`: `region` is [1, 1, 2, 1]", "2 x 2"]);
    says(&cut("[0, 0, 0, 1]"), &["shape `s`: `region` is [0, 0, 0, 1]"]);
    says(&cut("[4294967295, 0, 1, 1]"), &["shape `s`: `region` is [4294967295, 0, 1, 1]"]);
    says(&cut("[-1, 0, 1, 1]"), &["shapes.s.region[0]: invalid value: integer `-1`"]);
    says(&cut("[0, 0, 1]"), &["shapes.s.region: invalid length 3, expected a list of 4"]);
    for threshold in ["0", "256", "1.5", "-1"] {
        let json = format!(r##"{{ "sprite": {{ "rows": ["#"] }}, "threshold": {threshold} }}"##);
        says(&shape(&json), &["shapes.s.threshold: invalid", threshold, "a whole number from 1 to 255"]);
    }
}

/// Returns the header of a PNG that claims this size.
fn claims(width: u32, height: u32) -> Vec<u8> {
    fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
        let mut crc = u32::MAX;
        for byte in kind.iter().chain(data) {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        [&(data.len() as u32).to_be_bytes()[..], &kind, data, &(!crc).to_be_bytes()].concat()
    }
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(*b"IHDR", &header), chunk(*b"IDAT", &[0x78, 0x9c]), chunk(*b"IEND", &[])]
        .concat()
}

#[test]
fn images_that_are_none() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let image = image::RgbaImage::from_pixel(64, 64, image::Rgba([1, 2, 3, 255]));
    image.save(at("whole.png")).unwrap();
    let bytes = fs::read(at("whole.png")).unwrap();
    fs::write(at("half.png"), &bytes[..bytes.len() / 2]).unwrap();
    fs::write(at("huge.png"), claims(60_000, 60_000)).unwrap();
    fs::write(at("text.png"), "not an image").unwrap();
    fs::write(at("empty.png"), "").unwrap();
    let sprite = |keys: &str| {
        let json = format!(r#"{{ "shapes": {{ "ok": {{ "sprite": "whole.png" }}, "s": {{ "sprite": {keys} }} }} }}"#);
        refusal_in(&json, folder.path())
    };
    says(&sprite(r#""none.png""#), &["shape `s`: ", "none.png", "No such file"]);
    says(&sprite(r#""""#), &["shape `s`: "]);
    says(&sprite(r#""half.png""#), &["shape `s`: ", "half.png: "]);
    says(&sprite(r#""huge.png""#), &["shape `s`: ", "huge.png: ", "16384"]);
    says(&sprite(r#""text.png""#), &["shape `s`: ", "text.png: ", "not an image"]);
    says(&sprite(r#""empty.png""#), &["shape `s`: ", "empty.png: "]);
    says(
        &sprite(r#""whole.png", "region": [1, 0, 64, 64]"#),
        &["shape `s`: ", "whole.png: `region` is [1, 0, 64, 64]", "64 x 64"],
    );
}

#[test]
fn rows_of_csv_that_are_no_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let csv = |text: &str| {
        fs::write(folder.path().join("some.csv"), text).unwrap();
        let json = r#"{ "shapes": { "s": { "box": [1, 1] }, "ball": { "circle": 1 } },
                        "bodies": [{ "shape": "s", "at": [0, 0] }], "bodies_csv": "some.csv" }"#;
        refusal_in(json, folder.path())
    };
    says(&csv(""), &["some.csv: there is no header", "`shape`, `x`, `y`"]);
    says(&csv("shape,x\n"), &["some.csv: line 1: there is no column `y`"]);
    says(&csv("shape,x,y,z\n"), &["some.csv: line 1: unknown column `z`", "`move_x`"]);
    says(&csv("shape,x,y,x\n"), &["some.csv: line 1: the column `x` appears twice"]);
    says(&csv("Shape,x,y\n"), &["some.csv: line 1: unknown column `Shape`"]);
    says(&csv("shape,x,y\ns,0,0\ns,1\n"), &["some.csv: line 3: 2 fields; there must be 3"]);
    says(
        &csv("shape,x,y\r\n\r\ns,0,0\r\n\r\ns,zero,0\r\n"),
        &["some.csv: line 5 (body 2), column `x`: \"zero\" is not a finite number"],
    );
    says(&csv("shape,x,y\rs,0,0\r\r\ns,zero,0\r"), &["some.csv: line 4 (body 2), column `x`: \"zero\""]);
    says(&csv("shape,x,y\ns,0,nan\n"), &["some.csv: line 2 (body 1), column `y`: \"nan\" is not a finite number"]);
    says(&csv("shape,x,y\ns,-inf,0\n"), &["some.csv: line 2 (body 1), column `x`: \"-inf\" is not a finite number"]);
    says(&csv("shape,x,y\ns,1e999,0\n"), &["some.csv: line 2 (body 1), column `x`: \"1e999\" is not a finite number"]);
    says(&csv("shape,x,y\ns,,0\n"), &["some.csv: line 2 (body 1), column `x`: there is no value"]);
    says(&csv("shape,x,y\n,0,0\n"), &["some.csv: line 2 (body 1), column `shape`: there is no value"]);
    says(
        &csv("shape,x,y,flip\ns,0,0,z\n"),
        &["some.csv: line 2 (body 1), column `flip`: \"z\" is not x, y, xy or empty"],
    );
    says(
        &csv("shape,x,y,detector\ns,0,0,1\n"),
        &["some.csv: line 2 (body 1), column `detector`: \"1\" is not true, false or empty"],
    );
    says(&csv("shape,x,y,scale\ns,0,0,1 2 3\n"), &["some.csv: line 2 (body 1), column `scale`: \"1 2 3\" is not"]);
    says(
        &csv("shape,x,y,layer\ns,0,0,-1\n"),
        &["some.csv: line 2 (body 1), column `layer`: \"-1\"", "0 to 4294967295"],
    );
    says(&csv("shape,x,y,hits\ns,0,0,4294967296\n"), &["some.csv: line 2 (body 1), column `hits`: \"4294967296\""]);
    says(&csv("shape,x,y\n\"s\n\",0,0\ns,0,\u{0}\n"), &["some.csv: line 4 (body 2), column `y`"]);
    // Errors that only the world finds.
    says(&csv("shape,x,y\ns,0,0\nblob,0,0\n"), &["some.csv: line 3 (body 2 (blob)): there is no shape `blob`"]);
    says(&csv("y,x,shape\n0,3e6,s\n"), &["some.csv: line 2 (body 1 (s)): `x` is 3000000", "±2097151.996"]);
    says(&csv("y,x,shape,move_y\n0,0,s,7e4\n"), &["some.csv: line 2 (body 1 (s)): `move_y` is 70000", "±65536 units"]);
    says(&csv("shape,x,y,scale\ns,0,0,128\n"), &["some.csv: line 2 (body 1 (s)): `scale` is 128"]);
    says(
        &csv("shape,x,y,scale\nball,0,0,2 1\n"),
        &["some.csv: line 2 (body 1 (ball)): `scale` is [2, 1]", "similarity"],
    );
    let missing = refusal_in(r#"{ "bodies_csv": "none.csv" }"#, folder.path());
    says(&missing, &["`bodies_csv`: ", "none.csv: ", "No such file"]);
    let empty = refusal_in(r#"{ "bodies_csv": "" }"#, folder.path());
    assert_eq!(empty, "`bodies_csv` is \"\"; it must be the path of a file");
    says(&refusal(r#"{ "shapes": { "s?": { "circle": true } } }"#), &["shapes.s?.circle: ", "expected a number"]);
    says(&refusal(r#"{ "shapes": { 3: { "circle": 1 } } }"#), &["shapes: key must be a string"]);
    fs::write(folder.path().join("latin.csv"), b"shape,x,y\ns\xe9,0,0\n").unwrap();
    says(&refusal_in(r#"{ "bodies_csv": "latin.csv" }"#, folder.path()), &["latin.csv: line 2: not UTF-8"]);
}

#[test]
fn every_refusal_of_a_file_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("scene.json");
    let named = format!("{}: ", path.display());
    let open = |json: &[u8]| {
        fs::write(&path, json).unwrap();
        let refused = Scene::open(&path).and_then(|scene| scene.world()).unwrap_err().to_string();
        assert!(refused.starts_with(&named), "{refused}");
        assert_eq!(refused.matches(&named).count(), 1, "{refused}");
        refused
    };
    says(&open(b"{"), &["EOF", "line 1 column 1"]);
    says(&open(b"{\n\"bodies\": [{ \"shape\": \"\xff\" }] }"), &["not UTF-8", "line 2"]);
    says(&open(br#"{ "shapes": { "s": { "circle": 0 } } }"#), &["shape `s`: `circle` is 0"]);
    says(&open(br#"{ "bodies": [{ "shape": "s", "at": [0, 0] }] }"#), &["body 0 (s): there is no shape `s`"]);
    let missing = Scene::open(folder.path().join("none.json")).unwrap_err().to_string();
    says(&missing, &["none.json: ", "No such file"]);
    says(&Scene::open(folder.path()).unwrap_err().to_string(), &["directory"]);
}

#[test]
fn queries_that_are_none() {
    let query = |query: &str| refusal(&format!(r#"{{ "queries": [{query}] }}"#));
    let one = "queries[0]: a query has exactly one of `point`, `body`, `ray`, `nearest`; this one has ";
    says(&query("{}"), &[one, "has none"]);
    says(&query(r#"{ "point": [0, 0], "ray": [[0, 0], [1, 1]] }"#), &[one, "has `point` and `ray`"]);
    says(&query(r#"{ "point": [0, 0], "count": 1 }"#), &["queries[0]: `count` goes with `nearest`; this is a `point`"]);
    says(&query(r#"{ "ray": [[0, 0], [1, 1]], "within": 1 }"#), &["`within` goes with `nearest`; this is a `ray`"]);
    let body = query(r#"{ "body": { "shape": "s", "at": [0, 0] }, "hits": 1 }"#);
    says(&body, &["queries[0]: the `hits` of a `body` goes inside it"]);
}

/// Refused by the world, not by the text: the message names the keys of the file.
#[test]
fn queries_outside_the_world() {
    let json = r#"{ "shapes": { "s": { "circle": 1 } }, "queries": [
        { "point": [3e6, 0] }, { "ray": [[0, -3e6], [0, 0]] }, { "ray": [[0, 0], [3e6, 0]] }, { "nearest": [0, 3e6] },
        { "nearest": [0, 0], "within": -1 }, { "body": { "shape": "s", "at": [3e6, 0] } }] }"#;
    let scene = Scene::parse(json, ".".as_ref()).unwrap();
    let world = scene.world().unwrap();
    let mut engine = Queries::new();
    let search = engine.on(&world);
    let fields = ["point.x", "ray[0].y", "ray[1].x", "nearest.y", "within", "at.x"];
    for (index, (query, field)) in scene.prepare_queries(&world).unwrap().iter().zip(fields).enumerate() {
        let error = match query {
            SceneQuery::Point(point) => search.all(point, &mut Vec::new()).unwrap_err(),
            SceneQuery::Ray(ray) => search.first(ray).unwrap_err(),
            SceneQuery::Nearest(nearest) => search.all(nearest, &mut Vec::new()).unwrap_err(),
            SceneQuery::Body(body) => search.all(body, &mut Vec::new()).unwrap_err(),
        };
        let told = scene.blame_query(index, error).to_string();
        says(&told, &[&format!("query {index}: `{field}` is ")]);
    }
    let unknown = Scene::parse(r#"{ "queries": [{ "body": { "shape": "s", "at": [0, 0] } }] }"#, ".".as_ref()).unwrap();
    let refused = unknown.prepare_queries(&World::default()).unwrap_err().to_string();
    assert_eq!(refused, "query 0: there is no shape `s`");
}

/// A line of a replay that is refused names its line, its key and the body, and changes nothing.
#[test]
fn edits_of_a_replay_that_are_none() {
    let scene = r##"{ "shapes": { "dot": { "sprite": { "rows": ["#......."] } } },
        "bodies": [{ "shape": "dot", "at": [2097148, 0], "name": "ship" }] }"##
        .replace('\n', "");
    let edit = |line: &str| {
        let replay = Replay::parse(&format!("{scene}\n\n{line}"), ".".as_ref()).unwrap();
        let mut play = replay.play().unwrap();
        let before = play.world().clone();
        let refused = play.edit().unwrap_err().to_string();
        assert!(*play.world() == before, "{refused}");
        refused
    };
    for (line, words) in [
        (r#"{ "remove": ["shot"] }"#, "line 3: `remove[0]`: there is no body `shot`"),
        (r#"{ "add": [{ "shape": "s", "at": [0, 0], "name": "b" }] }"#, "line 3: `add[0]`: there is no shape `s`"),
        (r#"{ "add": [{ "shape": "dot", "at": [0, 0] }] }"#, "`name` is missing; it must be present"),
        (
            r#"{ "add": [{ "shape": "dot", "at": [0, 0], "name": "ship" }] }"#,
            "`name` is `ship`, which another body has",
        ),
        (r#"{ "add": [{ "shape": "dot", "at": [3e6, 0], "name": "b" }] }"#, "line 3: `add[0]`: body `b`: `at.x` is"),
        (r#"{ "set": [{ "shape": "dot", "at": [0, 3e6], "name": "ship" }] }"#, "`set[0]`: body `ship`: `at.y` is"),
        (
            r##"{ "masks": [{ "shape": "dot", "draw": { "rows": ["#"] }, "at": [7, 0] }] }"##,
            "line 3: `masks[0]`: shape `dot`: body `ship`: ",
        ),
    ] {
        says(&edit(line), &[words]);
    }
    let no_stamp = format!("{scene}\n{{ \"masks\": [{{ \"shape\": \"dot\", \"at\": [0, 0] }}] }}");
    says(&Replay::parse(&no_stamp, ".".as_ref()).unwrap_err().to_string(), &["line 2: ", "either `draw` or `erase`"]);
    says(&Replay::parse("\n", ".".as_ref()).unwrap_err().to_string(), &["line 1: there is no scene"]);
    says(&Replay::open("none.jsonl").unwrap_err().to_string(), &["none.jsonl: ", "No such file"]);
}

#[test]
fn numbers_and_names_are_told_in_few_words() {
    let at = |keys: &str| body("box", &format!(r#""at": [0, 0], {keys}"#));
    says(&at(r#""scale": [1e-300, 1e300]"#), &["`scale` is [1e-300, 1e300];"]);
    says(&at(r#""matrix": [[1e300, 0], [0, 1e-300]]"#), &["`matrix` is [[1e300, 0], [0, 1e-300]];"]);
    says(&at(r#""move": [-1e300, 0]"#), &["`move.x` is -1e300;"]);
    says(&body("box", r#""at": [1e300, 0]"#), &["`at.x` is 1e300;"]);
    says(&shape(r#"{ "circle": 1e-300 }"#), &["`circle` is 1e-300;"]);
    says(&shape(r#"{ "circle": 1e300 }"#), &["`circle` is 1e300;"]);
    says(&shape(r#"{ "box": [1e-300, 1] }"#), &["`box` is [1e-300, 1];"]);
    says(&shape(r#"{ "polygon": [[0, 0], [4, 0], [0, 4]], "radius": -1e300 }"#), &["`radius` is -1e300;"]);
    says(&shape(r#"{ "polygon": [[0, 0], [4, 0], [0, 1e300]] }"#), &["`polygon[2].y` is 1e300;"]);
    says(&shape(r#"{ "sprite": 1e300 }"#), &["shapes.s.sprite: invalid type: floating point `1e300`, expected"]);
    says(&at(r#""hits": -1e-300"#), &["bodies[1].hits: invalid type: floating point `-1e-300`, expected"]);

    let long = "n".repeat(1 << 20);
    for refusal in [
        shape(&format!(r#"{{ "{long}": 1 }}"#)),
        shape(&format!(r#"{{ "sprite": {{ "rows": "{long}" }} }}"#)),
        refusal(&format!(r#"{{ "{long}": 1 }}"#)),
        refusal(&format!(r#"{{ "touch": "{long}" }}"#)),
        refusal(&format!(r#"{{ "shapes": {{ "{long}": {{ "circle": 0 }} }} }}"#)),
        refusal(&format!(r#"{{ "shapes": {{ "{long}": {{}} }} }}"#)),
        refusal(&format!(r#"{{ "shapes": {{ "{long}": {{ "circle": 1 }}, "{long}": {{ "circle": 1 }} }} }}"#)),
        refusal(&format!(r#"{{ "bodies": [{{ "shape": "{long}", "at": [0, 0], "name": "{long}" }}] }}"#)),
        refusal(&format!(
            r#"{{ "bodies": [{{ "name": "{long}", "shape": "s", "at": [0, 0], "angle": 1, "matrix": [[1, 0], [0, 1]] }}] }}"#
        )),
    ] {
        assert!(refusal.len() < 1500, "{} bytes: {}", refusal.len(), &refusal[..1500]);
    }
}

#[test]
fn a_refusal_moves_no_cursor() {
    let json = r#"{ "bodies": [{ "shape": "\u001b[2J", "at": [0, 0], "name": "\u0007" }] }"#;
    assert!(!refusal(json).contains(char::is_control));
    let json = r#"{ "shapes": { "\u001b[2J": { "\u001b[2J": 1 } } }"#;
    assert!(!refusal(json).contains(char::is_control), "{}", refusal(json));
    // A right-to-left override would reorder the text after it.
    for json in [
        r#"{ "bodies": [{ "shape": "s\u202e\u2066", "at": [0, 0], "name": "\u200f" }] }"#,
        r#"{ "shapes": { "a\u202e\u2028": { "circle": 0 } } }"#,
        r#"{ "shapes": { "s": { "a\u202e\u200b": 1 } } }"#,
        r#"{ "touch": "a\u202e\ufeff" }"#,
    ] {
        assert!(refusal(json).is_ascii() && refusal(json).contains("\\u{2"), "{}", refusal(json));
    }
}

#[test]
fn an_answer_to_less_than_is_needed_and_a_body_that_is_gone() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let [a, b, gone] = [0, 1, 9].map(|x| world.add(&Body::new(ball, [x, 0])).unwrap());
    let (mut engine, mut events, mut queries) = (Engine::cpu().unwrap(), Events::default(), Queries::new());
    let ray = RayCast::new([5, 0], [20, 0]);
    let hit = queries.on(&world).first(&ray).unwrap().expect("the last");
    world.remove(gone).unwrap();
    let [flags, pairs, details] = [Ask::Flags, Ask::Pairs, Ask::Details].map(|ask| engine.run(&world, ask).unwrap());
    for (hits, what) in [(&flags, "without pairs"), (&pairs, "without details")] {
        for error in [
            world.impacts(a, hits).map(drop).unwrap_err(),
            world.stop(a, hits, |_| true).unwrap_err(),
            world.pushed_out(a, hits, |_| true).unwrap_err(),
        ] {
            says(&error.to_string(), &["`hits` is", what, "of a step that asks for"]);
        }
    }
    events.update(&world, &details).unwrap();
    says(
        &events.update(&world, &flags).unwrap_err().to_string(),
        &["`hits` is without pairs", "asks for pairs or details"],
    );
    assert_eq!(events.began()[0].pair, [a, b], "nothing has changed");
    for error in [
        world.impacts(gone, &details).map(drop).unwrap_err(),
        world.stop(gone, &details, |_| true).unwrap_err(),
        world.pushed_out(gone, &details, |_| true).unwrap_err(),
        queries.on(&world).except(&[a, gone]).unwrap_err(),
        world.ray_contact(&ray, &hit).unwrap_err(),
    ] {
        says(&error.to_string(), &["body 2 was removed"]);
    }
    world.check_hits(&details).unwrap();
    let mut later = world.clone();
    later.add(&Body::new(ball, [50, 0])).unwrap(); // takes the index of the one that is gone
    for world in [&later, &World::default()] {
        says(&world.check_hits(&details).unwrap_err().to_string(), &["`hits` is the answer of another world"]);
    }
    let nothing = engine.run(&World::default(), Ask::Flags).unwrap();
    events.update(&World::default(), &nothing).unwrap();
    assert_eq!(events.ended(), [TaggedPair { pair: [a, b], tags: [0, 0] }], "of no hits all is told");
}

/// Answers that no engine gives: nothing panics, and every normal has length 1.
#[test]
fn a_forged_answer_does_no_harm() {
    let mut world = World::default();
    let mask = Mask::from_rows(&["##", "##"]).unwrap();
    let shapes = [
        Shape::circle(1.0).unwrap(),
        Shape::rect(2.0, 3.0).unwrap(),
        Shape::polygon(&[[0, 0], [4, 0], [4, 4], [2, 1]]).unwrap(),
        Shape::sprite(mask),
        Shape::sprite(Mask::new(3, 3).unwrap()),
    ];
    let mut ids = Vec::new();
    for shape in shapes {
        let shape = world.add_shape(shape).unwrap();
        for (at, motion, scale) in [
            ([0.0; 2], [0.0; 2], 1.0),
            ([3.5, 0.0], [-60_000.0, 7.25], 1.0),
            ([-3.5, 0.0], [60_000.0, 7.25], 1.0),
            ([1e6; 2], [9.0; 2], 0.0),
        ] {
            ids.push(world.add(&Body::new(shape, at).posed(Linear::scaled(scale)).moving(motion)).unwrap());
        }
    }
    for tick in [0, 1, 500, 65_536, u32::MAX] {
        for (k, &a) in ids.iter().enumerate() {
            for &b in &ids[k + 1..] {
                let (mut detail, mut hits) = (Detail::default(), Hits::default());
                (detail.time, detail.area) = (Some([tick, 65_536]), Some(3));
                (hits.flags, hits.pairs, hits.details) = (vec![3], vec![[a.index(), b.index()]], vec![detail]);
                for id in [a, b] {
                    for impact in world.impacts(id, &hits).unwrap() {
                        // There is no side if they overlap from the start, or if nothing moves.
                        let none = impact.tick == 0 || impact.approach == [0.0; 2];
                        let length = if none { 0.0 } else { 1.0 };
                        let [x, y] = impact.normal;
                        assert!((x * x + y * y - length).abs() < 1e-9, "{a:?} {b:?} {tick}: {impact:?}");
                    }
                    let stop = world.stop(id, &hits, |_| true).unwrap().expect("it is hit");
                    assert!(stop.at.x.is_finite() && stop.slide().x.is_finite());
                    assert!(world.before(id, hits.pairs[0], &detail).is_none_or(|at| at.x.is_finite()));
                }
                assert!(world.contact(hits.pairs[0], &detail).depth.is_finite());
                let _ = world.parts_hit(hits.pairs[0], &detail);
                let _ = world.overlap_mask(hits.pairs[0], &detail);
            }
        }
    }
}
