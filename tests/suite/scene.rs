//! Scene files: every key, every default, CSV, images; and scenes that are written and read again unchanged.

use std::path::Path;

use hitmask::geometry::Flip;
use hitmask::scene::{BodySpec, Form, Pose, Scene};
use hitmask::{Ask, Engine, Touch};

/// A scene of every kind of shape, and bodies with every key.
const EVERYTHING: &str = r#"{
  "version": 1,
  "touch": "included",
  "shapes": {
    "crate": { "box": [32, 20], "anchor": [16, 10] },
    "ball": { "circle": 8.5 },
    "laser": { "capsule": { "from": [0, 0], "to": [100, 0], "radius": 0.5 } },
    "rock": { "polygon": [[0, 0], [12, 3], [6, 5], [4, 14]], "holes": [], "radius": 0 },
    "ring": { "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[3, 3], [6, 3], [6, 6], [3, 6]]] },
    "soft": { "polygon": [[0, 0], [9, 0], [0, 9]], "radius": 1.25 },
    "arrow": { "sprite": { "rows": ["..#..", ".###.", ".####"] }, "threshold": 1, "region": [1, 0, 3, 2], "anchor": [1.5, 1] },
    "fighter": { "parts": [{ "shape": { "circle": 4 }, "at": [0, -12], "tag": 7 }, { "shape": { "box": [9, 9] } }] }
  },
  "bodies": [
    { "shape": "crate", "at": [100.5, 20], "angle": 30, "scale": 1.5, "flip": "x", "move": [4, 0], "layer": 1, "hits": 6, "name": "player" },
    { "shape": "ball", "at": [-3, 0], "scale": -2 },
    { "shape": "laser", "at": [1e1, -0.5], "flip": "xy", "layer": 4294967295, "hits": 0 },
    { "shape": "rock", "at": [0, 0], "matrix": [[1, 0.5], [0, 1]], "detector": true },
    { "shape": "ring", "at": [0, 0], "scale": [2, -1], "flip": "", "detector": false },
    { "shape": "soft", "at": [0, 0], "flip": "y", "name": "" },
    { "shape": "arrow", "at": [0, 0], "angle": -450 }
  ]
}"#;

fn parse(json: &str) -> Scene {
    Scene::parse(json, Path::new(".")).unwrap()
}

fn pairs(scene: &Scene) -> Vec<[u32; 2]> {
    Engine::reference().run(&scene.world().unwrap(), Ask::Pairs).unwrap().pairs
}

#[test]
fn every_key_is_read() {
    let scene = parse(EVERYTHING);
    assert_eq!(scene.touch, Touch::Included);
    let names: Vec<&str> = scene.shapes.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["crate", "ball", "laser", "rock", "ring", "soft", "arrow", "fighter"], "in the file's order");
    let player = &scene.bodies[0];
    let turned = Pose::Turned { angle: 30.0, scale: [1.5; 2], flip: Flip { x: true, y: false } };
    assert_eq!((player.pose, player.motion, player.layers, player.mask), (turned, [4.0, 0.0], 1, 6));
    assert_eq!((scene.bodies[2].layers, scene.bodies[2].mask), (u32::MAX, 0));
    let detectors: Vec<usize> = (0..scene.bodies.len()).filter(|&k| scene.bodies[k].detector).collect();
    assert_eq!(detectors, [3]);
    assert_eq!(scene.bodies[1], BodySpec { pose: scene.bodies[1].pose, ..BodySpec::new("ball", [-3.0, 0.0]) });
    let world = scene.world().unwrap();
    assert_eq!((world.len(), world.shapes().count()), (7, 8));
    assert!(world.shapes().nth(7).unwrap().1.part_tags().eq([7, 0]));
    assert_eq!(
        world.shapes().nth(6).unwrap().1.mask().unwrap().to_rows(),
        [".#.", "###"],
        "rows are cut to the region"
    );
}

#[test]
fn bodies_have_labels() {
    let scene = parse(EVERYTHING);
    assert_eq!(scene.label(0), "0 `player` (crate)");
    assert_eq!(scene.label(1), "1 (ball)");
    assert_eq!(scene.label(5), "5 (soft)", "an empty name is none");
    assert_eq!(scene.label(7), "7");
    let named = r#"{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0], "name": "a\u001b[2Jb é" }] }"#;
    assert_eq!(parse(named).label(0), r"0 `a\u{1b}[2Jb é` (s)", "a name moves no cursor");
}

#[test]
fn what_is_written_is_read_again() {
    let scene = parse(EVERYTHING);
    let again = parse(&scene.to_json().unwrap());
    assert_eq!(again.touch, scene.touch);
    assert_eq!(again.shapes, scene.shapes);
    assert_eq!(again.bodies, scene.bodies);
    assert_eq!(again.to_json().unwrap(), scene.to_json().unwrap());
}

#[test]
fn floats_keep_every_bit() {
    // By default, serde_json reads these one ulp off.
    for number in [18.814_885_767_441_282, -365.901_201_832_783_16, 959.243_191_301_371_7, 0.1 + 0.2, 5e-324] {
        let json = format!(r#"{{ "bodies": [{{ "shape": "s", "at": [{number:e}, {number}] }}] }}"#);
        assert_eq!(parse(&json).bodies[0].at, [number; 2]);
    }
}

#[test]
fn a_scene_may_be_empty() {
    for json in ["{}", "\u{feff}{}", r#"{ "bodies": [], "shapes": {} }"#] {
        let scene = parse(json);
        assert_eq!((scene.touch, scene.world().unwrap().len()), (Touch::Excluded, 0));
    }
}

#[test]
fn scale_flip_and_matrix_mean_what_the_format_says() {
    // A 4 x 1 box anchored at its left end, posed so that it covers [-4, 0] x [-1, 0], where the probe is.
    for pose in [
        r#""angle": 180"#,
        r#""scale": -1"#,
        r#""flip": "xy""#,
        r#""scale": [-1, 1], "flip": "y""#,
        r#""flip": "x", "angle": 180, "scale": [-1, 1]"#,
        r#""matrix": [[-1, 0], [0, -1]]"#,
    ] {
        let json = format!(
            r#"{{ "shapes": {{ "bar": {{ "box": [4, 1] }}, "probe": {{ "box": [0.5, 0.5] }} }},
                 "bodies": [{{ "shape": "bar", "at": [0, 0], {pose} }}, {{ "shape": "probe", "at": [-4, -1] }},
                            {{ "shape": "probe", "at": [-0.5, -0.5] }}, {{ "shape": "probe", "at": [0, 0] }}] }}"#
        );
        assert_eq!(pairs(&parse(&json)), [[0, 1], [0, 2]], "{pose}");
    }
}

#[test]
fn what_lands_on_a_line_has_no_interior() {
    // A box that is rotated and snapped to the diagonal of its bounds. It does not cover those bounds.
    let json = r#"{ "shapes": { "thin": { "box": [0.00390625, 8] }, "dot": { "box": [1, 1] } },
        "bodies": [{ "shape": "thin", "at": [0, 0], "angle": 135, "scale": 0.5 }, { "shape": "dot", "at": [-2, -2] },
                   { "shape": "thin", "at": [0, 0], "angle": 135, "scale": 0.5 }] }"#;
    assert_eq!(pairs(&parse(json)), [[0_u32; 2]; 0]);
    assert_eq!(Engine::cpu().unwrap().run(&parse(json).world().unwrap(), Ask::Pairs).unwrap().pairs, [[0_u32; 2]; 0]);
}

#[test]
fn rows_of_a_csv_file_come_after_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let csv = "\u{feff} y , shape, x,scale,flip,angle , layer,hits,move_x,move_y\r\n\
               \r\n\
               1, dot ,2,,,,,,,\r\n\
               \"-4\",dot,3,2 -1,xy,90.5,4294967295,0,-1e3,.5\r\n\
               0,dot,0,3,y,,,,,\r\n";
    std::fs::write(folder.path().join("dots.csv"), csv).unwrap();
    let json = r#"{ "bodies_csv": "dots.csv", "shapes": { "dot": { "box": [1, 1] } }, "bodies": [{ "shape": "dot", "at": [9, 9] }] }"#;
    let path = folder.path().join("scene.json");
    std::fs::write(&path, json).unwrap();
    let scene = Scene::open(&path).unwrap();
    let turned = |angle, scale, x, y| Pose::Turned { angle, scale, flip: Flip { x, y } };
    let expected = [
        BodySpec::new("dot", [9.0, 9.0]),
        BodySpec::new("dot", [2.0, 1.0]),
        BodySpec {
            pose: turned(90.5, [2.0, -1.0], true, true),
            motion: [-1000.0, 0.5],
            layers: u32::MAX,
            mask: 0,
            ..BodySpec::new("dot", [3.0, -4.0])
        },
        BodySpec { pose: turned(0.0, [3.0; 2], false, true), ..BodySpec::new("dot", [0.0, 0.0]) },
    ];
    assert_eq!(scene.bodies, expected);
    assert_eq!(scene.world().unwrap().len(), 4);
    assert_eq!(parse(&scene.to_json().unwrap()).bodies, expected, "written out, they are bodies as any");
}

#[test]
fn a_row_may_be_a_detector() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("zones.csv"), "shape,x,y,detector\ns,0,0,true\ns,0,0,false\ns,0,0,\n").unwrap();
    let scene = Scene::parse(r#"{ "bodies_csv": "zones.csv" }"#, folder.path()).unwrap();
    assert_eq!(scene.bodies.iter().map(|body| body.detector).collect::<Vec<_>>(), [true, false, false]);
}

#[test]
fn only_a_header_is_no_body() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("none.csv"), "shape,x,y\n").unwrap();
    let scene = Scene::parse(r#"{ "bodies_csv": "none.csv" }"#, folder.path()).unwrap();
    assert!(scene.bodies.is_empty());
}

/// Writes an image of 4 x 2 pixels: the alphas of the first row are 0, 100, 128 and 255, those of the second 255.
fn sheet(path: &Path) {
    let alpha = |x, y| if y == 1 { 255 } else { [0, 100, 128, 255][x as usize] };
    image::RgbaImage::from_fn(4, 2, |x, y| image::Rgba([9, 9, 9, alpha(x, y)])).save(path).unwrap();
}

#[test]
fn images_are_cut_by_threshold_and_region() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("art")).unwrap();
    sheet(&folder.path().join("art/sheet.png"));
    let json = r#"{ "shapes": {
        "whole": { "sprite": "art/sheet.png" },
        "faint": { "sprite": "art/sheet.png", "threshold": 100 },
        "right": { "sprite": "art/sheet.png", "region": [2, 0, 2, 1], "threshold": 255 },
        "again": { "sprite": "art/sheet.png", "threshold": 128 } } }"#;
    let world = Scene::parse(json, folder.path()).unwrap().world().unwrap();
    let masks: Vec<_> = world.shapes().map(|(_, shape)| shape.mask().unwrap()).collect();
    assert_eq!(masks[0].to_rows(), ["..##", "####"]);
    assert_eq!(masks[1].to_rows(), [".###", "####"]);
    assert_eq!(masks[2].to_rows(), [".#"]);
    assert!(std::ptr::eq(masks[0], masks[3]), "the same mask is made once");
}

#[test]
fn a_report_stands_on_its_own() {
    let folder = tempfile::tempdir().unwrap();
    sheet(&folder.path().join("sheet.png"));
    let json = r#"{ "touch": "included",
        "shapes": { "ship": { "sprite": "sheet.png" }, "ball": { "circle": 1 } },
        "bodies": [{ "shape": "ball", "at": [0, 0] }, { "shape": "ship", "at": [0, 0] }, { "shape": "ship", "at": [1, 1] }] }"#;
    let scene = Scene::parse(json, folder.path()).unwrap();
    let report = scene.with_bodies(scene.bodies[1..].to_vec());
    assert_eq!(report.shapes.len(), 1, "a shape that no body has is left out");
    let elsewhere = Scene::parse(&report.to_json().unwrap(), Path::new("/")).unwrap();
    assert_eq!(pairs(&elsewhere), [[0, 1]]);
    assert!(matches!(elsewhere.shapes[0].1.form, Form::Sprite { .. }));
}

#[test]
fn a_report_of_a_scene_in_the_current_folder_is_read_elsewhere() {
    let image = "assets/ship.png";
    let json = format!(
        r#"{{ "shapes": {{ "it": {{ "sprite": "{image}" }} }}, "bodies": [{{ "shape": "it", "at": [0, 0] }}] }}"#
    );
    for folder in ["", "."] {
        let scene = Scene::parse(&json, Path::new(folder)).unwrap();
        let report = scene.with_bodies(scene.bodies.clone()).to_json().unwrap();
        assert_eq!(Scene::parse(&report, Path::new("/")).unwrap().world().unwrap().len(), 1, "{report}");
    }
}

#[test]
fn a_hundred_thousand_bodies_load() {
    let bodies: Vec<String> =
        (0..100_000).map(|i| format!(r#"{{"shape":"dot","at":[{i},{}.25],"angle":30}}"#, i % 1000)).collect();
    let json = format!(r#"{{"shapes":{{"dot":{{"box":[1,1]}}}},"bodies":[{}]}}"#, bodies.join(","));
    assert_eq!(parse(&json).world().unwrap().len(), 100_000);
}
