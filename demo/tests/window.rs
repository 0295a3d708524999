//! Tests with a real window on a virtual display: it starts, plays every scene, obeys keys and mouse, and ends.

mod common;

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use common::{Display, Window, assert_same, asset, numbers, open_image, succeed, wait};
use hitmask::scene::{BodySpec, Replay, Scene};
use tempfile::{TempDir, tempdir};

fn folder() -> TempDir {
    tempdir().expect("a folder")
}

/// Plays a scene for 120 frames in a window, and compares the last with the committed picture. `UPDATE_PICTURES=1`
/// writes that picture anew.
fn plays(name: &str, scene: &str, arguments: &[&str]) {
    let folder = folder();
    let display = Display::open(folder.path());
    let shot = folder.path().join("last.png");
    let mut demo = display.demo(folder.path());
    demo.args([scene, "--frames", "120", "--size", "480x320", "--bounds", "--candidates", "--screenshot"]);
    let stdout = succeed(demo.arg(&shot).args(arguments));
    let [frames, steps] = numbers(&stdout);
    assert!(frames >= 120 && steps == 119, "{stdout}");
    let got = open_image(&shot);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        got.save(&committed).expect("it can be written");
    }
    assert_same(&got, &open_image(&committed), name);
}

#[test]
fn bullet_hell_plays() {
    plays("bullet-hell", "bullet-hell", &["--lit", "--bodies", "400", "--view", "80,40,2"]);
}

#[test]
fn asteroids_plays() {
    // The answer is never read back: bodies are tinted by the flags on the GPU.
    plays("asteroids", "asteroids", &["--bodies", "60", "--view", "230,90,2"]);
}

#[test]
fn pinball_plays() {
    plays("pinball", "pinball", &["--lit", "--bodies", "50", "--view", "-20,40,2"]);
}

#[test]
fn letters_plays() {
    plays("letters", "letters", &["--lit", "--bodies", "24", "--view", "-2,0,2"]);
}

#[test]
fn tunnelling_plays() {
    plays("tunnelling", "tunnelling", &["--lit", "--bodies", "30", "--view", "0,130,2"]);
}

#[test]
fn a_scene_file_plays() {
    let scene = asset("tunnel.json");
    plays("file", scene.to_str().expect("a path"), &["--lit", "--view", "-10,-10,2"]);
}

#[test]
fn cave_plays() {
    plays("cave", "cave", &["--view", "0,0,1"]);
}

#[test]
fn laser_plays() {
    plays("laser", "laser", &["--view", "-20,0,1"]);
}

/// Arguments of a paused window, with 4 window pixels per world pixel.
const STILL: [&str; 8] = ["--paused", "--no-panel", "--size", "480x320", "--view", "0,0,4", "--scene", "scene.json"];

/// Two sprites, the upper with a hole above the lower, and a circle.
const SCENE: &str = include_str!("still.json");

fn bodies(json: &str) -> Vec<BodySpec> {
    Scene::parse(json, Path::new("")).expect("a scene").bodies
}

#[test]
fn a_drag_moves_the_body_under_the_pointer_to_the_pixel() {
    let folder = folder();
    let display = Display::open(folder.path());
    fs::write(folder.path().join("scene.json"), SCENE).expect("it can be written");
    let window = Window::open(&display, folder.path(), &STILL);
    let before = bodies(&window.scene());
    // The ring's left edge; the tile that was under it; the ball; nothing.
    let drags: [([u32; 2], [u32; 2], Option<usize>); 4] = [
        ([82, 90], [82 + 40, 90 + 24], Some(1)),
        ([99, 91], [99 - 44, 91 + 13], Some(0)),
        ([243, 130], [243 + 101, 130 + 57], Some(2)),
        ([20, 280], [90, 200], None),
    ];
    let mut expected = before.clone();
    for (from, to, body) in drags {
        window.drag("1", from, to);
        if let Some(body) = body {
            for axis in 0..2 {
                expected[body].at[axis] += (f64::from(to[axis]) - f64::from(from[axis])) / 4.0;
            }
        }
        let after = bodies(&window.scene());
        assert_eq!(after, expected, "dragged from {from:?} to {to:?}");
    }
    // Through the hole, where the upper sprite has no pixel.
    fs::write(folder.path().join("scene.json"), SCENE.replace("[60.5, 30.25]", "[60.5, 30.5]"))
        .expect("it can be written");
    wait("the file", || bodies(&window.scene())[2].at == [60.5, 30.5]);
    window.drag("1", [24 * 4, 22 * 4 + 3], [24 * 4 + 8, 22 * 4 + 3]);
    let after = bodies(&window.scene());
    assert_eq!([after[0].at, after[1].at], [[24.0, 21.0], [20.0, 20.0]]);
    window.quit();
}

#[test]
fn a_scene_file_is_read_again_and_a_bad_one_is_not() {
    let folder = folder();
    let display = Display::open(folder.path());
    let file = folder.path().join("scene.json");
    fs::write(&file, SCENE).expect("it can be written");
    let window = Window::open(&display, folder.path(), &STILL);
    fs::write(&file, "{ \"bodies\": [ nonsense").expect("it can be written");
    sleep(Duration::from_millis(700));
    assert_eq!(bodies(&window.scene()).len(), 3);
    fs::write(&file, SCENE.replace("\"ball\", \"at\"", "\"tile\", \"at\"")).expect("it can be written");
    wait("the file", || bodies(&window.scene())[2].shape == "tile");
    // The key 8 chooses it again, without a panel too.
    window.key("2");
    assert!(bodies(&window.scene()).len() > 3);
    window.key("8");
    assert_eq!(bodies(&window.scene()).len(), 3);
    window.quit();
}

#[test]
fn a_scene_is_read_again_when_its_level_changes() {
    let folder = folder();
    let display = Display::open(folder.path());
    for name in ["cave.json", "cave.tmx", "cave.png", "hero.aseprite"] {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/assets").join(name);
        fs::copy(file, folder.path().join(name)).expect("it can be copied");
    }
    let window = Window::open(&display, folder.path(), &["cave.json", "--paused", "--size", "400x300"]);
    let names = || bodies(&window.scene()).into_iter().filter_map(|body| body.name).collect::<Vec<_>>();
    assert_eq!(names()[..3], ["hero", "hurt", "cave.tmx/ground/0"]);
    let level = folder.path().join("cave.tmx");
    let text = fs::read_to_string(&level).expect("a map").replace("\"ground\"", "\"floor\"");
    fs::write(&level, text).expect("it can be written");
    wait("the level", || names()[2] == "cave.tmx/floor/0");
    window.quit();
}

#[test]
fn a_window_ends_after_its_frames_if_nothing_moves() {
    let folder = folder();
    let display = Display::open(folder.path());
    let art = |name: &str| format!("{}/../files/assets/{name}", env!("CARGO_MANIFEST_DIR"));
    for arguments in [&["pinball", "--paused"][..], &[&art("cave.tmx")], &[&art("hero.aseprite"), "--paused"]] {
        let mut demo = display.demo(folder.path());
        let [frames, steps] = numbers(&succeed(demo.args(arguments).args(["--frames", "9", "--size", "400x300"])));
        assert_eq!((frames, steps), (9, 0), "{arguments:?}");
    }
}

#[test]
fn the_window_shows_what_a_picture_has() {
    let folder = folder();
    let display = Display::open(folder.path());
    fs::write(folder.path().join("scene.json"), SCENE).expect("it can be written");
    let window = Window::open(&display, folder.path(), &STILL);
    window.key("l");
    let picture = window.picture();
    // Without a window manager the window is in the screen's corner.
    wait("the picture on the screen", || {
        let screen = display.screen();
        picture.enumerate_pixels().all(|(x, y, pixel)| screen.get_pixel(x, y) == pixel)
    });
    // Resize it; the middle stays where it was.
    display.xdotool(&["windowsize", "--sync", window.id(), "600", "400"]);
    wait("the larger picture", || window.picture().dimensions() == (600, 400));
    let larger = window.picture();
    let at = |x: u32, y: u32| larger.get_pixel(x + 60, y + 40);
    assert!(picture.enumerate_pixels().all(|(x, y, pixel)| at(x, y) == pixel), "the view has moved");
    // Hide it, and show it again.
    display.xdotool(&["windowunmap", "--sync", window.id()]);
    sleep(Duration::from_millis(300));
    display.xdotool(&["windowmap", "--sync", window.id()]);
    display.xdotool(&["windowfocus", "--sync", window.id()]);
    wait("the picture on the screen", || {
        let screen = display.screen();
        larger.enumerate_pixels().all(|(x, y, pixel)| screen.get_pixel(x, y) == pixel)
    });
    window.quit();
}

#[test]
fn the_panel_is_hidden_and_comes_back() {
    let folder = folder();
    let display = Display::open(folder.path());
    fs::write(folder.path().join("scene.json"), SCENE).expect("it can be written");
    let still: Vec<&str> = STILL.into_iter().filter(|&argument| argument != "--no-panel").collect();
    let window = Window::open(&display, folder.path(), &still);
    let mut expected = bodies(&window.scene());
    // The panel's button `Asteroids`. The pointer is there when the panel is hidden, and the ball was under the panel.
    let asteroids = [270, 66];
    display.xdotool(&["mousemove", "--window", window.id(), "270", "66"]);
    let look = || sleep(Duration::from_millis(300));
    look();
    window.key("Tab");
    window.drag("1", [243, 130], [263, 142]);
    expected[2].at = [expected[2].at[0] + 5.0, expected[2].at[1] + 3.0];
    assert_eq!(bodies(&window.scene()), expected);
    // A click on the ground does not press a button of the panel when it comes back.
    window.click(asteroids);
    look();
    window.key("Tab");
    look();
    assert_eq!(bodies(&window.scene()), expected);
    look();
    // A choice in the panel is drawn at once, though nothing else happens.
    let left = || image::imageops::crop_imm(&display.screen(), 0, 0, 140, 320).to_image();
    let before = left();
    window.click(asteroids);
    wait("the asteroids on the screen", || left() != before);
    assert!(bodies(&window.scene()).iter().any(|body| body.shape == "asteroid"));
    window.quit();
}

/// Returns the scene after that many steps, without a window.
fn headless(folder: &Path, arguments: &[&str], steps: u64) -> String {
    let (shot, saved) = (folder.join("headless.png"), folder.join("headless.json"));
    let mut demo = common::demo(folder);
    demo.args(["--headless", "--size", "64x64", "--frames", &(steps + 1).to_string()]).args(arguments);
    succeed(demo.arg("--screenshot").arg(shot).arg("--save-scene").arg(&saved));
    fs::read_to_string(saved).expect("a scene")
}

#[test]
fn keys_pause_and_step_and_nothing_spins() {
    let folder = folder();
    let display = Display::open(folder.path());
    let scene = ["pinball", "--bodies", "40"];
    let window = Window::open(&display, folder.path(), &[&scene[..], &["--paused", "--size", "400x300"]].concat());
    for _ in 0..3 {
        window.key("period");
    }
    assert_eq!(window.scene(), headless(folder.path(), &scene, 3));
    sleep(Duration::from_secs(2));
    let [frames, steps] = window.quit();
    // There is a frame for each key, and some for messages of the window system.
    assert!(frames < 40, "{frames} frames were drawn while nothing happened");
    assert_eq!(steps, 3);

    fs::remove_file(folder.path().join("hitmask-picture-1.png")).expect("it was there");
    let window = Window::open(&display, folder.path(), &[&scene[..], &["--size", "400x300"]].concat());
    window.key("space");
    let saved = window.scene();
    assert_eq!(saved, window.scene(), "it goes on while it is paused");
    // A key that is held writes one file.
    let count = || fs::read_dir(folder.path()).expect("a folder").count();
    let before = count();
    display.xdotool(&["keydown", "s", "sleep", "1", "keyup", "s"]);
    wait("the file", || count() > before);
    sleep(Duration::from_millis(300));
    assert_eq!(count(), before + 1);
    let [_, steps] = window.quit();
    assert!(steps > 0);
    assert_eq!(saved, headless(folder.path(), &scene, steps));
}

#[test]
fn a_player_plays_and_it_is_recorded() {
    let folder = folder();
    let display = Display::open(folder.path());
    let window = Window::open(&display, folder.path(), &["cave", "--paused", "--size", "400x300"]);
    let hero = || bodies(&window.scene()).into_iter().find(|body| body.shape == "hero").expect("there is one").at;
    let steps = |count: usize| (0..count).for_each(|_| window.key("period"));
    let before = hero();
    // Hold the key, also while the scene is paused.
    window.key("o");
    display.xdotool(&["keydown", "Left"]);
    steps(10);
    display.xdotool(&["keyup", "Left"]);
    let after = hero();
    assert!((before[0] - after[0] - 14.0).abs() < 0.5, "from {before:?} to {after:?}");
    steps(5);
    assert_eq!(hero()[0], after[0]);
    window.key("x");
    window.key("o");
    let replay = folder.path().join("hitmask-replay-1.jsonl");
    wait("the replay", || Replay::open(&replay).is_ok_and(|replay| replay.steps.len() == 16));
    window.quit();
}
