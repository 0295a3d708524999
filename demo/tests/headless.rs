//! Runs without a window: lit pixels are those of the answer, and errors say why nothing can be drawn.

mod common;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use common::{asset, demo, finish, open_image, succeed};
use hitmask::scene::{Replay, Scene};
use hitmask::{Ask, Engine};
use image::Rgba;
use tempfile::tempdir;

/// The colour of pixels that two bodies share; nothing else has it.
const LIT: Rgba<u8> = Rgba([255, 255, 226, 255]);
/// The size of the picture, and its zoom.
const SIZE: [u32; 2] = [900, 600];
const ZOOM: u32 = 2;

/// Asserts that the lit pixels of a picture are those of the answer to the same step. Returns their number.
fn lit(scene: &str, arguments: &[&str], corner: [i32; 2]) -> usize {
    let folder = tempdir().expect("a folder");
    let (shot, saved) = (folder.path().join("shot.png"), folder.path().join("saved.json"));
    let view = format!("{},{},{ZOOM}", corner[0], corner[1]);
    let size = format!("{}x{}", SIZE[0], SIZE[1]);
    let mut command = demo(folder.path());
    command.args([scene, "--headless", "--lit", "--no-panel", "--size", &size, "--view", &view]).args(arguments);
    succeed(command.arg("--screenshot").arg(&shot).arg("--save-scene").arg(&saved));

    let world = Scene::open(&saved).and_then(|scene| scene.world()).expect("the saved scene is one");
    // `hitmask check --details` gives this answer, with any engine.
    let hits = Engine::cpu().and_then(|mut engine| engine.run(&world, Ask::Details)).expect("an answer");
    assert!(!hits.pairs.is_empty(), "{scene}: nothing hits");
    let inside = |[x, y]: [i32; 2]| {
        let end = SIZE.map(|side| (side / ZOOM) as i32);
        (corner[0]..corner[0] + end[0]).contains(&x) && (corner[1]..corner[1] + end[1]).contains(&y)
    };
    let mut expected = HashSet::new();
    for (&pair, detail) in hits.pairs.iter().zip(&hits.details) {
        let Some((mask, [left, top])) = world.overlap_mask(pair, detail) else {
            assert!(detail.area.is_none_or(|area| area == 0));
            continue;
        };
        assert_eq!(Some(mask.count()), detail.area);
        let texels = (0..mask.height()).flat_map(|y| (0..mask.width()).map(move |x| (x, y)));
        let solid = texels.filter(|&(x, y)| mask.get(x, y));
        expected.extend(solid.map(|(x, y)| [left + x as i32, top + y as i32]).filter(|&pixel| inside(pixel)));
    }
    for (x, y, pixel) in open_image(&shot).enumerate_pixels() {
        let at = [corner[0] + (x / ZOOM) as i32, corner[1] + (y / ZOOM) as i32];
        assert_eq!(*pixel == LIT, expected.contains(&at), "{scene}: the world pixel {at:?} at ({x}, {y})");
    }
    expected.len()
}

#[test]
fn the_lit_pixels_of_bullet_hell_are_those_of_the_answer() {
    assert!(lit("bullet-hell", &["--bodies", "600", "--frames", "90"], [100, 60]) > 100);
}

#[test]
fn the_lit_pixels_of_asteroids_are_those_of_the_answer() {
    assert!(lit("asteroids", &["--bodies", "80", "--frames", "60"], [40, 20]) > 300);
    assert!(lit("asteroids", &["--bodies", "80", "--frames", "30", "--backend", "cpu"], [-40, 20]) > 300);
}

#[test]
fn the_lit_pixels_of_pinball_are_those_of_the_answer() {
    // There are no sprites, so no overlap has pixels.
    assert_eq!(lit("pinball", &["--bodies", "100", "--frames", "40"], [0, 0]), 0);
}

#[test]
fn the_lit_pixels_of_letters_are_those_of_the_answer() {
    assert!(lit("letters", &["--bodies", "48", "--frames", "130"], [0, 0]) > 0);
}

#[test]
fn the_lit_pixels_of_tunnelling_are_those_of_the_answer() {
    assert!(lit("tunnelling", &["--bodies", "60", "--frames", "9"], [10, 90]) > 0);
}

#[test]
fn the_lit_pixels_of_scene_files_are_those_of_the_answer() {
    for (name, some) in
        [("gears.json", true), ("platformer.json", true), ("tunnel.json", true), ("corners-touch.json", false)]
    {
        let lit = lit(asset(name).to_str().expect("a path"), &["--frames", "1"], [-20, -20]);
        assert_eq!(lit > 0, some, "{name}");
    }
}

#[test]
fn a_step_is_the_same_on_every_engine() {
    let folder = tempdir().expect("a folder");
    for scene in ["pinball", "tunnelling", "cave", "laser"] {
        let saved = |backend: &str| {
            let path = folder.path().join(format!("{backend}.json"));
            let mut command = demo(folder.path());
            command.args([
                scene,
                "--bodies",
                "40",
                "--headless",
                "--frames",
                "60",
                "--size",
                "64x64",
                "--backend",
                backend,
            ]);
            succeed(command.args(["--screenshot", "shot.png", "--save-scene"]).arg(&path));
            std::fs::read_to_string(path).expect("a scene")
        };
        let [gpu, cpu, auto, reference] = ["gpu", "cpu", "auto", "reference"].map(saved);
        assert!(gpu == cpu && cpu == auto && auto == reference, "{scene}");
    }
}

#[test]
fn a_record_of_sixty_steps_ends_as_the_step_that_is_saved() {
    let folder = tempdir().expect("a folder");
    let (recorded, saved) = (folder.path().join("played.jsonl"), folder.path().join("saved.json"));
    for scene in ["bullet-hell", "cave", "laser"] {
        let mut command = demo(folder.path());
        command.args([scene, "--headless", "--frames", "61", "--size", "64x64", "--screenshot", "shot.png"]);
        succeed(command.arg("--record").arg(&recorded).arg("--save-scene").arg(&saved));
        let replay = Replay::open(&recorded).expect("a replay");
        // 60 steps, and one line for the beginning.
        assert_eq!(replay.steps.len(), 61, "{scene}");
        let (mut play, mut engine) = (replay.play().expect("a world"), Engine::cpu().expect("an engine"));
        let mut last = None;
        while play.edit().expect("a step") {
            let hits = engine.run(play.world(), Ask::Pairs).expect("an answer");
            last = Some(play.take(&hits).expect("a step"));
        }
        let world = Scene::open(&saved).and_then(|scene| scene.world()).expect("the saved scene is one");
        let hits = engine.run(&world, Ask::Pairs).expect("an answer");
        let last = last.expect("there are steps");
        assert_eq!((last.bodies, last.pairs.len()), (world.len(), hits.pairs.len()), "{scene}");
    }
}

/// Returns the files of a scene with a sheet and a level, in a folder.
fn cave(folder: &Path) -> [PathBuf; 4] {
    ["cave.json", "cave.tmx", "cave.png", "hero.aseprite"].map(|name| {
        let file = folder.join(name);
        std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/assets").join(name), &file).expect("a file");
        file
    })
}

#[test]
fn a_scene_of_sheets_and_levels_is_drawn_saved_and_recorded() {
    let folder = tempdir().expect("a folder");
    let [scene, ..] = cave(folder.path());
    let arguments = ["--headless", "--frames", "2", "--screenshot", "out.png", "--save-scene", "out.json"];
    succeed(demo(folder.path()).arg(&scene).args(arguments).args(["--record", "out.jsonl"]));
    let (scene, _) = hitmask_files::scene::open(&scene).expect("a scene");
    let saved = Scene::open(folder.path().join("out.json")).expect("a scene without sheets and levels");
    assert_eq!(saved.world().expect("a world"), scene.world().expect("a world"));
    let replay = Replay::open(folder.path().join("out.jsonl")).expect("a replay");
    assert_eq!((replay.steps.len(), replay.scene.bodies.len()), (2, scene.bodies.len()));
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    let files = cave(folder);
    std::fs::copy(asset("../ship.png"), folder.join("ship.png")).expect("a file");
    let sprite = r#"{ "shapes": { "ship": { "sprite": "ship.png" } }, "bodies": [{ "shape": "ship", "at": [0, 0] }] }"#;
    std::fs::write(folder.join("ship.json"), sprite).expect("it can be written");
    let read = || files.clone().map(|file| std::fs::read(file).expect("a file"));
    let before = read();
    let is_read = "this is an input; the output must be another file";
    for (arguments, words) in [
        (&["ship.json", "--record", "ship.json"][..], is_read),
        (&["ship.json", "--save-scene", "./ship.json"], is_read),
        (&["ship.json", "--screenshot", "ship.png"], is_read),
        (&["cave.json", "--save-scene", "hero.aseprite"], is_read),
        (&["cave.json", "--record", "cave.tmx"], is_read),
        (&["cave.json", "--screenshot", "cave.png"], is_read),
        (&["cave.tmx", "--screenshot", "cave.png"], is_read),
        (&["ship.png", "--screenshot", "ship.png"], is_read),
        (
            &["pinball", "--record", "a.json", "--save-scene", "./a.json"],
            "--record and --save-scene name the same file",
        ),
        (&["pinball", "--save-scene", "out.png"], "--save-scene and --screenshot name the same file"),
    ] {
        let shot: &[&str] = if arguments.contains(&"--screenshot") { &[] } else { &["--screenshot", "out.png"] };
        let error = fails(folder, &[arguments, shot, &["--headless", "--frames", "1"]].concat(), &[]);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    assert_eq!(read(), before);
    assert_eq!(std::fs::read_to_string(folder.join("ship.json")).ok().as_deref(), Some(sprite));
    assert!(!folder.join("a.json").exists() && !folder.join("out.png").exists());
}

#[test]
fn a_paused_scene_stands_still() {
    let folder = tempdir().expect("a folder");
    let saved = |arguments: &[&str]| {
        let mut command = demo(folder.path());
        command.args([
            "pinball",
            "--headless",
            "--size",
            "64x64",
            "--screenshot",
            "out.png",
            "--save-scene",
            "out.json",
        ]);
        succeed(command.args(arguments));
        std::fs::read_to_string(folder.path().join("out.json")).expect("a scene")
    };
    assert_eq!(saved(&["--frames", "9", "--paused"]), saved(&["--frames", "1"]));
}

#[test]
fn a_gif_has_its_frames() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.gif");
    let mut command = demo(folder.path());
    command.args(["letters", "--bodies", "8", "--headless", "--frames", "9", "--every", "4", "--size", "160x100"]);
    succeed(command.arg("--screenshot").arg(&out));
    let file = std::io::BufReader::new(std::fs::File::open(out).expect("it was written"));
    let gif = image::codecs::gif::GifDecoder::new(file).expect("a GIF");
    let frames = image::AnimationDecoder::into_frames(gif).collect_frames().expect("frames");
    assert_eq!(frames.len(), 3);
    assert_eq!(frames[0].buffer().dimensions(), (160, 100));
}

/// Asserts that a run fails, and returns its standard error.
fn fails(folder: &Path, arguments: &[&str], environment: &[(&str, &str)]) -> String {
    let mut command = demo(folder);
    command.args(arguments).envs(environment.iter().copied());
    let output = finish(&mut command);
    assert_eq!(output.status.code(), Some(2), "{command:?}");
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn what_cannot_be_is_told() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    let shot = ["--headless", "--frames", "1", "--screenshot", "shot.png"];
    let nobody = fails(folder, &shot, &[("WGPU_ADAPTER_NAME", "nobody")]);
    assert!(nobody.contains("no GPU that can draw here has `nobody` in its name"), "{nobody}");
    let none = [
        ("WGPU_ADAPTER_NAME", ""),
        ("WGPU_BACKEND", "vulkan"),
        ("VK_DRIVER_FILES", "none"),
        ("VK_ICD_FILENAMES", "none"),
    ];
    let nothing = fails(folder, &shot, &none);
    assert!(nothing.contains("no GPU can draw here: install a driver"), "{nothing}");
    let no_window = fails(folder, &[], &[]);
    assert!(no_window.contains("no window can be opened here (--headless needs none)"), "{no_window}");
    let no_file = fails(folder, &[&["none.json"][..], &shot].concat(), &[]);
    assert!(no_file.contains("none.json"), "{no_file}");
    let no_zoom = fails(folder, &[&shot[..], &["--view", "0,0,7"]].concat(), &[]);
    assert!(no_zoom.contains("two whole numbers and a zoom of"), "{no_zoom}");
    let no_format = fails(folder, &["--headless", "--frames", "1", "--screenshot", "shot.bmp"], &[]);
    assert!(no_format.contains("a picture's name must end in .png or .gif"), "{no_format}");
    let no_frame = fails(folder, &["--headless", "--frames", "0", "--screenshot", "shot.png"], &[]);
    assert!(no_frame.contains("--frames"), "{no_frame}");
    let too_many = fails(folder, &[&shot[..], &["--backend", "reference", "--bodies", "3001"]].concat(), &[]);
    assert!(too_many.contains("the reference is slow: at most 3000 bodies"), "{too_many}");
    let no_still = fails(folder, &["--frames", "9", "--screenshot", "shot.gif"], &[]);
    assert!(no_still.contains("an animated picture needs --headless"), "{no_still}");
}
