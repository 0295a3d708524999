//! `hitmask render`: pictures have the pixels of the answer and the outlines of the shapes; a failure leaves the file
//! as it was.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::{Folder, hitmask};
use hitmask::scene::Scene;
use hitmask::{Ask, Engine};
use image::RgbImage;
use roxmltree::{Document, Node};
use serde_json::{Value, json};

/// The colour of pixels that two bodies share.
const SHARED: [u8; 3] = [255, 255, 226];

type Pixels = BTreeSet<[i32; 2]>;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Returns the files of all scenes of the assets, and of some conformance scenes with sprites, written to `folder`.
fn scenes(folder: &Folder) -> Vec<PathBuf> {
    let files = std::fs::read_dir(root().join("assets/scenes")).unwrap().map(|entry| entry.unwrap().path());
    let mut scenes: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|e| e == "json")).collect();
    assert!(scenes.len() >= 9);
    for family in ["sprites", "turned", "moving-sprites", "mixed", "moving-mixed"] {
        let lines = std::fs::read_to_string(root().join(format!("tests/conformance/{family}.jsonl"))).unwrap();
        for line in lines.lines().step_by(2) {
            let case: Value = serde_json::from_str(line).unwrap();
            let file = folder.at(&format!("{}.json", case["name"].as_str().unwrap().replace('/', "-")));
            std::fs::write(&file, case["scene"].to_string()).unwrap();
            scenes.push(file);
        }
    }
    scenes
}

/// Returns the bounds of a scene's bodies, in pixels: left, top, width, height.
fn region(scene: &Path) -> [i32; 4] {
    let world = Scene::open(scene).unwrap().world().unwrap();
    let bounds = || world.ids().filter_map(|id| world.swept_bounds(id));
    let [left, top] = [bounds().map(|b| b.min.x).min(), bounds().map(|b| b.min.y).min()].map(|v| v.unwrap_or(0) >> 8);
    let [right, bottom] =
        [bounds().map(|b| b.max.x).max(), bounds().map(|b| b.max.y).max()].map(|v| v.unwrap_or(0) >> 8);
    [left - 2, top - 2, right - left + 5, bottom - top + 5]
}

/// Returns the pixels that the two bodies of any pair share, and the sum of all pairs' areas.
fn shared(scene: &Path) -> (Pixels, u64) {
    let world = Scene::open(scene).unwrap().world().unwrap();
    let hits = Engine::reference().run(&world, Ask::Details).unwrap();
    let (mut pixels, mut sum) = (Pixels::new(), 0);
    for (pair, detail) in hits.pairs.iter().zip(&hits.details) {
        if let Some((mask, [left, top])) = world.overlap_mask(*pair, detail) {
            sum += mask.count();
            let all = (0..mask.height()).flat_map(|y| (0..mask.width()).map(move |x| [x, y]));
            let solid = all.filter(|&[x, y]| mask.get(x, y));
            pixels.extend(solid.map(|[x, y]| [left + x as i32, top + y as i32]));
        }
    }
    (pixels, sum)
}

/// Draws a scene, and asserts that nothing is printed.
fn render(folder: &Folder, scene: &Path, out: &str, more: &[&str]) -> Vec<u8> {
    let arguments = [&["render", scene.to_str().unwrap(), "-o", out, "--backend", "cpu"], more].concat();
    let ran = folder.run(&arguments);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""), "{arguments:?}");
    std::fs::read(folder.at(out)).unwrap()
}

fn png(folder: &Folder, scene: &Path, more: &[&str]) -> RgbImage {
    image::load_from_memory(&render(folder, scene, "out.png", more)).unwrap().into_rgb8()
}

fn svg(folder: &Folder, scene: &Path, more: &[&str]) -> String {
    String::from_utf8(render(folder, scene, "out.svg", more)).unwrap()
}

fn comma([a, b, c, d]: [i32; 4]) -> String {
    format!("{a},{b},{c},{d}")
}

#[test]
fn lit_pixels_are_those_of_all_overlaps() {
    let folder = Folder::with(&[]);
    let (mut lit, mut exact) = (0, 0);
    for scene in scenes(&folder) {
        let [left, top, width, height] = region(&scene);
        if i64::from(width) * i64::from(height) > 1 << 20 {
            continue;
        }
        let (expected, sum) = shared(&scene);
        let view = comma([left, top, width, height]);
        let picture = png(&folder, &scene, &["--no-legend", "--zoom", "3", "--region", &view]);
        assert_eq!(picture.dimensions(), (3 * width as u32, 3 * height as u32));
        for (x, y, pixel) in picture.enumerate_pixels() {
            let world = [left + x as i32 / 3, top + y as i32 / 3];
            assert_eq!(pixel.0 == SHARED, expected.contains(&world), "{} at {world:?}", scene.display());
        }
        let text = svg(&folder, &scene, &["--no-legend", "--region", &view]);
        let document = Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", scene.display()));
        let runs =
            of_class(&document, "overlap").flat_map(|layer| layer.children().filter_map(|path| path.attribute("d")));
        assert_eq!(runs.flat_map(pixels_of).collect::<Pixels>(), expected, "{}", scene.display());

        let checked =
            folder.run(&["check", scene.to_str().unwrap(), "--backend", "cpu", "--details", "--format", "json"]);
        let answer: Value = serde_json::from_str(&checked.out).unwrap();
        let areas: u64 =
            answer["details"].as_array().unwrap().iter().filter_map(|detail| detail["area"].as_u64()).sum();
        assert_eq!(areas, sum, "{}", scene.display());
        lit += expected.len();
        exact += usize::from(sum > 0 && expected.len() as u64 == sum);
    }
    assert!(lit > 1_000 && exact > 20, "{lit} pixels in common, {exact} scenes where no two pairs share any");
}

/// Returns the pixels of a path of runs.
fn pixels_of(path: &str) -> Vec<[i32; 2]> {
    let mut pixels = Vec::new();
    for run in path.split('M').skip(1) {
        let numbers: Vec<i32> =
            run.split(|c: char| c != '-' && !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        let [x, y, length, 1, back] = numbers[..] else { panic!("{run} is no run") };
        assert_eq!(back, -length);
        pixels.extend((x..x + length).map(|x| [x, y]));
    }
    pixels
}

fn of_class<'a>(document: &'a Document<'a>, class: &'a str) -> impl Iterator<Item = Node<'a, 'a>> {
    document.descendants().filter(move |node| node.attribute("class") == Some(class))
}

#[test]
fn a_zoomed_pixel_is_a_square() {
    let (folder, scene) = (Folder::with(&[]), root().join("assets/scenes/letters.json"));
    let once = png(&folder, &scene, &["--no-legend", "--zoom", "1", "--region", "-8,0,90,70"]);
    assert_eq!(once.dimensions(), (90, 70));
    for zoom in [2, 7] {
        let picture = png(&folder, &scene, &["--no-legend", "--zoom", &zoom.to_string(), "--region", "-8,0,90,70"]);
        assert_eq!(picture.dimensions(), (90 * zoom, 70 * zoom));
        assert!(picture.enumerate_pixels().all(|(x, y, pixel)| pixel == once.get_pixel(x / zoom, y / zoom)), "{zoom}");
    }
    // From zoom 8 on, a line at the upper and left side of each pixel separates it from the others.
    let picture = png(&folder, &scene, &["--no-legend", "--zoom", "8", "--region", "-8,0,90,70"]);
    for (x, y, pixel) in picture.enumerate_pixels() {
        assert_eq!(x % 8 > 0 && y % 8 > 0, pixel == once.get_pixel(x / 8, y / 8), "{x}, {y}");
    }
}

/// A box, a ball that flies at it, a mirrored capsule, a polygon with a hole, and a sprite. A name has characters that
/// XML must escape.
const SCENE: &str = r##"{
  "shapes": {
    "box": { "box": [4, 36] }, "ball": { "circle": 5 },
    "pill": { "capsule": { "from": [0, 0], "to": [8, 0], "radius": 1.5 } },
    "frame": { "polygon": [[0, 0], [9, 0], [9, 9], [0, 9]], "holes": [[[3, 3], [6, 3], [6, 6], [3, 6]]] },
    "dot": { "sprite": { "rows": ["#.", ".#"] } }
  },
  "bodies": [
    { "shape": "ball", "at": [10, 30], "move": [80, 0] },
    { "shape": "box", "at": [60, 12] },
    { "shape": "pill", "at": [20.5, 60], "scale": [-1, 1], "name": "<&\"\u0001>" },
    { "shape": "frame", "at": [80, 60] },
    { "shape": "dot", "at": [0, 0], "move": [0, 7] }
  ]
}"##;

fn scene() -> Folder {
    Folder::with(&[("scene.json", SCENE)])
}

#[test]
fn outlines_are_those_of_the_shapes() {
    let folder = scene();
    let text = svg(&folder, &folder.at("scene.json"), &[]);
    let document = Document::parse(&text).unwrap();
    let layer = |class| of_class(&document, class).next().unwrap();
    let paths = |class| layer(class).descendants().filter_map(|node| node.attribute("d")).collect::<Vec<_>>();
    let ball = |x: i32| format!("M{} 30A5 5 0 0 1 {} 30A5 5 0 0 1 {} 30Z", x + 5, x - 5, x + 5);
    let outlines = [
        ball(10),
        "M60 12L64 12L64 48L60 48Z".into(),
        "M20.5 61.5L12.5 61.5A1.5 1.5 0 0 1 12.5 58.5L20.5 58.5A1.5 1.5 0 0 1 20.5 61.5Z".into(),
    ];
    assert_eq!(paths("outlines")[..3], outlines);
    let frame = paths("outlines")[3];
    assert!(
        frame.matches('M').count() == 2 && frame.matches('Z').count() == 2 && frame.matches('L').count() == 6,
        "{frame}"
    );
    assert_eq!(paths("ghosts").len(), 2, "the ball where it meets the box, the dot where it ends");
    // The ghost is drawn at the first tick at which the ball is within the box.
    let start: f64 = paths("ghosts")[0][1..].split(' ').next().unwrap().parse().unwrap();
    assert!((start - 60.0).abs() < 0.01, "{start}");
    assert_eq!(pixels_of(paths("ghosts")[1]), [[0, 7], [1, 8]]);
    assert_eq!(pixels_of(paths("sprites")[0]), [[0, 0], [1, 1]]);
    let titles: Vec<_> = layer("outlines").descendants().filter(|node| node.has_tag_name("title")).collect();
    assert_eq!(titles[2].text(), Some("2 `<&\"\\u{1}>` (pill)"));
    let colour = |index: usize| titles[index].next_sibling_element().unwrap().attribute("stroke").unwrap();
    assert_eq!([colour(0), colour(1), colour(2), colour(3)], ["#ff7a59", "#ffa43e", "#7c80ce", "#62a09a"]);
}

#[test]
fn outlines_are_smooth_and_in_their_place() {
    let folder = scene();
    let picture = png(&folder, &folder.at("scene.json"), &["--no-legend", "--zoom", "4", "--region", "0,20,70,40"]);
    let at = |x: f64, y: f64| picture.get_pixel((4.0 * x) as u32, (4.0 * (y - 20.0)) as u32).0;
    // The ball's line is half a unit wide, at all angles but those where the way leaves it, to the right.
    for step in 3..62 {
        let (sin, cos) = (f64::from(step) * 0.1).sin_cos();
        let [r, g, b] = at(10.0 + 5.0 * cos, 30.0 + 5.0 * sin);
        assert!(r > 180 && g > 70 && b < 100, "{r} {g} {b} at {step}");
        let [r, ..] = at(10.0 + 6.0 * cos, 30.0 + 6.0 * sin);
        assert!(r < 30, "{r} at {step}");
    }
}

/// Holes stay empty, and parts that overlap stay filled.
#[test]
fn overlapping_parts_are_filled() {
    let bar = |width, height| json!({ "box": [width, height] });
    let parts = [json!({ "shape": bar(30, 10), "at": [0, 10] }), json!({ "shape": bar(10, 30), "at": [10, 0] })];
    let frame = json!({ "polygon": [[0, 0], [30, 0], [30, 30], [0, 30]],
        "holes": [[[10, 10], [20, 10], [20, 20], [10, 20]]] });
    let scene = json!({
        "shapes": { "cross": { "parts": parts }, "frame": frame },
        "bodies": [{ "shape": "cross", "at": [0, 0] }, { "shape": "frame", "at": [40, 0] }],
    });
    let folder = Folder::with(&[("scene.json", &scene.to_string())]);
    let picture = png(&folder, &folder.at("scene.json"), &["--no-legend", "--zoom", "1", "--region", "-2,-2,76,36"]);
    let at = |x: u32, y: u32| picture.get_pixel(x + 2, y + 2).0;
    // Of two colours, in squares.
    let ground: BTreeSet<[u8; 3]> = (0..34).flat_map(|y| [at(35, y), at(73, y)]).collect();
    let filled = at(5, 15);
    assert!(ground.len() == 2 && !ground.contains(&filled), "{ground:?}");
    assert_eq!(at(15, 15), filled, "the middle of the cross");
    assert!(ground.contains(&at(55, 15)), "the hole of the frame");
    let paths = svg(&folder, &folder.at("scene.json"), &[]);
    assert!(!paths.contains("evenodd"), "{paths}");
}

#[test]
fn the_legend_says_what_was_counted() {
    let folder = scene();
    let text = svg(&folder, &folder.at("scene.json"), &[]);
    let document = Document::parse(&text).unwrap();
    let texts: Vec<_> =
        document.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
    for expected in ["scene.json", "5 bodies, 1 pair", "touch excluded", "engine cpu", "hits", "hits nothing"] {
        assert!(texts.contains(&expected), "{expected}: {texts:?}");
    }
    assert!(!texts.iter().any(|text| text.contains("in common")), "no pair has a sprite: {texts:?}");
    for without in [&["--no-legend"][..], &["--legend", "--no-legend"]] {
        assert!(!svg(&folder, &folder.at("scene.json"), without).contains("<text"));
    }
    assert!(svg(&folder, &folder.at("scene.json"), &["--no-legend", "--legend"]).contains("<text"));
    let [with, without] = [&["--zoom", "1"][..], &["--zoom", "1", "--no-legend"]];
    let [with, without] = [with, without].map(|more| png(&folder, &folder.at("scene.json"), more));
    assert!(with.width() >= 360 && with.height() > without.height() + 50);
    // The world is centred above its legend.
    let left = (with.width() - without.width()) / 2;
    assert!(without.enumerate_pixels().all(|(x, y, pixel)| with.get_pixel(left + x, y) == pixel));
}

#[test]
fn nothing_is_drawn_as_nothing() {
    let folder = Folder::with(&[("empty.json", "{}")]);
    assert!(png(&folder, &folder.at("empty.json"), &[]).width() > 0);
    let text = svg(&folder, &folder.at("empty.json"), &[]);
    assert!(text.contains("0 bodies, 0 pairs"));
    Document::parse(&text).unwrap();
}

#[test]
fn a_far_view_of_large_bodies() {
    let far = r##"{ "shapes": { "wall": { "box": [2000000, 3] }, "disc": { "circle": 16000 }, "dot": { "sprite": { "rows": ["#"] } } },
        "bodies": [{ "shape": "wall", "at": [-999990, 30] }, { "shape": "disc", "at": [16010, 20] },
                   { "shape": "dot", "at": [1000000, -1000000], "scale": 60, "move": [4, 5] }] }"##;
    let folder = Folder::with(&[("far.json", far)]);
    let picture = png(&folder, &folder.at("far.json"), &["--no-legend", "--zoom", "4", "--region", "-20,0,60,40"]);
    let warm = |x: u32, y: u32| picture.get_pixel(x, y).0[0] > 200;
    assert!((1..239).all(|x| warm(x, 120) || warm(x, 119)), "the upper edge of the wall, from side to side");
    assert!((2..110).all(|y| warm(4 * 30 - 1, y) || warm(4 * 30, y)), "the disc's left side");
    let at = ["--region", "999990,-999990,30,20", "--no-legend", "--zoom", "2"];
    assert!(png(&folder, &folder.at("far.json"), &at).pixels().any(|pixel| pixel.0[2] > 200));
}

/// Asserts that drawing fails with these words in its message, and leaves the folder as it was.
fn refused(folder: &Folder, arguments: &[&str], words: &[&str]) {
    let names =
        || std::fs::read_dir(folder.at("")).unwrap().map(|entry| entry.unwrap().file_name()).collect::<BTreeSet<_>>();
    let before = names();
    let ran = folder.run(&[&["render", "--backend", "cpu"], arguments].concat());
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{arguments:?}: `{word}` is not said: {}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
    assert_eq!(names(), before, "{arguments:?}");
}

#[test]
fn what_cannot_be_drawn_is_an_error() {
    let folder = Folder::with(&[
        ("scene.json", SCENE),
        ("bad.json", "{ \"bodies\": 3 }"),
        (
            "wide.json",
            r#"{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0] }, { "shape": "s", "at": [20000, 0] }] }"#,
        ),
        ("kept.png", "as it was"),
    ]);
    refused(&folder, &["scene.json"], &["--out"]);
    refused(&folder, &["scene.json", "-o", "out.gif"], &["out.gif", "`.gif`", ".png or .svg"]);
    refused(&folder, &["scene.json", "-o", "out"], &["out: ", ".png or .svg"]);
    refused(&folder, &["none.json", "-o", "out.png"], &["none.json", "No such file"]);
    refused(&folder, &["bad.json", "-o", "kept.png"], &["bad.json", "line 1"]);
    refused(&folder, &["wide.json", "-o", "kept.png"], &["20014 x 14 pixels", "16384 a side", "--region"]);
    refused(&folder, &["scene.json", "-o", "kept.png", "--zoom", "256"], &["16384 a side", "smaller --zoom"]);
    refused(&folder, &["scene.json", "-o", "out.svg", "--region", "0,0,16000,16000"], &["67108864 in all"]);
    refused(&folder, &["scene.json", "-o", "out.png", "--zoom", "0"], &["--zoom"]);
    for region in ["1,2,3", "0,0,0,5", "0,0,5,-5", "a,b,c,d", "0,0,4e9,1", "3000000,0,5,5", "1,2,3,4,5", ""] {
        refused(&folder, &["scene.json", "-o", "out.png", "--region", region], &["--region", "X,Y,WIDTH,HEIGHT"]);
    }
    refused(&folder, &["scene.json", "-o", "none/out.png"], &["none/out.png: ", "No such file"]);
    std::fs::create_dir(folder.at("folder.png")).unwrap();
    refused(&folder, &["scene.json", "-o", "folder.png"], &["folder.png: ", "directory"]);
    assert_eq!(std::fs::read_to_string(folder.at("kept.png")).unwrap(), "as it was");
    render(&folder, &folder.at("scene.json"), "kept.png", &[]);
    assert!(image::open(folder.at("kept.png")).is_ok());
}

#[test]
fn the_engine_is_told_as_elsewhere() {
    let folder = scene();
    let output = hitmask(&folder.at(""), &["render", "scene.json", "-o", "out.PNG"]).output().unwrap();
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), [].as_slice()));
    assert!(String::from_utf8_lossy(&output.stderr).contains("the engine is "));
    let ran = folder.run(&["render", "scene.json", "-o", "none.png", "--backend", "cpu", "--gpu", "x"]);
    assert!(ran.status == Some(2) && ran.err.contains("--gpu x") && !folder.at("none.png").exists());
}

/// A link stays a link, its target is written, and nothing else is left behind.
#[cfg(unix)]
#[test]
fn a_picture_goes_where_links_lead() {
    use std::fs;
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = scene();
    fs::create_dir(folder.at("far")).unwrap();
    fs::write(folder.at("far/old.png"), "as it was").unwrap();
    fs::set_permissions(folder.at("far/old.png"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("far/old.png", folder.at("link.png")).unwrap();
    symlink("link.png", folder.at("twice.png")).unwrap();
    symlink("far/new.png", folder.at("dangling.png")).unwrap();
    for (link, file) in [("link.png", "far/old.png"), ("twice.png", "far/old.png"), ("dangling.png", "far/new.png")] {
        let _ = fs::write(folder.at("far/old.png"), "as it was");
        render(&folder, &folder.at("scene.json"), link, &[]);
        assert!(fs::symlink_metadata(folder.at(link)).unwrap().is_symlink(), "{link}");
        assert!(image::open(folder.at(file)).is_ok(), "{link}");
    }
    assert_eq!(fs::metadata(folder.at("far/old.png")).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(fs::read_dir(folder.at("far")).unwrap().count(), 2);

    // The input itself, also by another path.
    fs::copy(folder.at("scene.json"), folder.at("scene.png")).unwrap();
    symlink("../scene.png", folder.at("far/link.png")).unwrap();
    for out in ["scene.png", "./scene.png", "far/link.png"] {
        refused(&folder, &["scene.png", "-o", out], &[out, "this is an input"]);
    }
    // An image that the scene names.
    fs::write(folder.at("sprite.json"), r#"{"shapes": {"a": {"sprite": "scene.png"}}}"#).unwrap();
    refused(&folder, &["sprite.json", "-o", "scene.png"], &["scene.png", "this is an input"]);
    assert_eq!(fs::read(folder.at("scene.png")).unwrap(), fs::read(folder.at("scene.json")).unwrap());

    // A link to itself, and links to what is missing or no file.
    symlink("round.png", folder.at("round.png")).unwrap();
    symlink("none/out.png", folder.at("away.png")).unwrap();
    symlink("far", folder.at("far.png")).unwrap();
    refused(&folder, &["scene.json", "-o", "round.png"], &["round.png: ", "too many symbolic links"]);
    refused(&folder, &["scene.json", "-o", "away.png"], &["away.png: ", "No such file"]);
    refused(&folder, &["scene.json", "-o", "far.png"], &["far.png: ", "directory"]);
    #[cfg(target_os = "linux")]
    {
        symlink("/dev/full", folder.at("full.png")).unwrap();
        symlink("/dev/null", folder.at("null.png")).unwrap();
        refused(&folder, &["scene.json", "-o", "full.png"], &["full.png: ", "No space left"]);
        render(&folder, &folder.at("scene.json"), "null.png", &[]);
        assert!(fs::symlink_metadata(folder.at("null.png")).unwrap().is_symlink());
    }
}
