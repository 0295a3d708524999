//! Sheets and levels in the program: their pictures, the editor in a real window, and what is refused.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{Display, Window, assert_same, demo, finish, open_image, succeed, wait};
use hitmask_files::Sheet;
use tempfile::tempdir;

/// Returns the path of an artist's file.
fn art(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/assets").join(name)
}

/// Draws a document without a window, and compares it with the committed picture. `UPDATE_PICTURES=1` writes that
/// picture anew.
fn looks(name: &str, path: &Path, arguments: &[&str]) {
    let folder = tempdir().expect("a folder");
    let shot = folder.path().join("shot.png");
    let mut demo = demo(folder.path());
    demo.arg(path).args(["--headless", "--frames", "1", "--size", "800x560", "--screenshot"]).arg(&shot);
    succeed(demo.args(arguments));
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/pictures/{name}.png"));
    if std::env::var_os("UPDATE_PICTURES").is_some() {
        fs::copy(&shot, &committed).expect("it can be written");
    }
    assert_same(&open_image(&shot), &open_image(&committed), name);
}

#[test]
fn a_sheet_looks_as_committed() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("hero.aseprite");
    fs::copy(art("hero.aseprite"), &path).expect("it can be copied");
    // Texels that are painted and erased, a box that is added, and a pivot that is moved.
    let rows: Vec<String> = (0..16)
        .map(|y| {
            (0..12)
                .map(|x| {
                    if y == 7 && x < 3 {
                        '#'
                    } else if y == 2 && x > 4 {
                        '.'
                    } else {
                        '~'
                    }
                })
                .collect()
        })
        .collect();
    let changes = serde_json::json!({ "hitmask-sheet": 1, "sheet": "hero.aseprite", "threshold": 128, "frames": [
        { "frame": 0, "mask": rows, "pivot": [6, 16], "boxes": [
            { "name": "hurt", "bounds": [3, 1, 6, 14] }, { "name": "fist", "bounds": [9, 5, 3, 4] }] }] });
    fs::write(folder.path().join("hero.aseprite.hitmask.json"), changes.to_string()).expect("it can be written");
    looks("sheet", &path, &["--paused"]);
}

#[test]
fn a_level_looks_as_committed() {
    looks("level", &art("cave.tmx"), &[]);
}

#[test]
fn a_sheet_is_played_in_an_animation() {
    let folder = tempdir().expect("a folder");
    let out = folder.path().join("out.gif");
    let mut demo = demo(folder.path());
    demo.arg(art("hero.aseprite")).args(["--headless", "--frames", "13", "--every", "12", "--size", "480x320"]);
    succeed(demo.arg("--screenshot").arg(&out));
    let file = std::io::BufReader::new(fs::File::open(out).expect("it was written"));
    let gif = image::codecs::gif::GifDecoder::new(file).expect("a GIF");
    let frames = image::AnimationDecoder::into_frames(gif).collect_frames().expect("frames");
    // After 192 ms the second frame shows.
    assert!(frames.len() == 2 && frames[0].buffer() != frames[1].buffer());
}

#[test]
fn a_box_is_drawn_and_saved_in_a_window() {
    let folder = tempdir().expect("a folder");
    let display = Display::open(folder.path());
    fs::copy(art("hero.aseprite"), folder.path().join("hero.aseprite")).expect("it can be copied");
    let arguments = ["hero.aseprite", "--paused", "--size", "800x600"];
    let window = Window::open_document(&display, folder.path(), &arguments);
    // The canvas has 468 x 486 pixels, with the frame in its middle, 24 times as large.
    let pixel = |x: u32, y: u32| [90 + 24 * x + 12, 51 + 24 * y + 12];
    window.drag("1", pixel(9, 3), pixel(11, 6));
    // The keyboard changes hands from frame to frame.
    let look = || std::thread::sleep(std::time::Duration::from_millis(500));
    look();
    window.types("fist");
    window.key("Return");
    look();
    window.key("p");
    window.drag("1", pixel(0, 0), pixel(3, 0));
    look();
    window.key("ctrl+s");
    let changes = folder.path().join("hero.aseprite.hitmask.json");
    wait("the file", || changes.exists());
    let sheet = Sheet::open(&changes).expect("a sheet");
    let fist = sheet.frames[0].boxes("fist").next().expect("the box");
    assert_eq!(fist.bounds, [9, 3, 3, 4]);
    assert!((0..4).all(|x| sheet.frames[0].mask.get(x, 0)));
    assert_eq!(fs::read(folder.path().join("hero.aseprite")).ok(), fs::read(art("hero.aseprite")).ok());
    // Back to the scenes, where keys save scenes again.
    std::thread::sleep(std::time::Duration::from_secs(1));
    window.key("Escape");
    wait("the scene", || {
        window.key("s");
        std::thread::sleep(std::time::Duration::from_millis(200));
        folder.path().join("hitmask-scene-1.json").exists()
    });
    let [frames, steps] = window.quit();
    assert!(frames < 120, "{frames} frames were drawn while little happened");
    assert_eq!(steps, 0);
}

#[test]
fn what_cannot_be_is_told() {
    let folder = tempdir().expect("a folder");
    let folder = folder.path();
    let hero = art("hero.aseprite");
    let hero = hero.to_str().expect("a path");
    fs::write(folder.join("bad.aseprite"), &fs::read(hero).expect("a file")[..99]).expect("it can be written");
    fs::write(folder.join("bad.tmx"), "<map orientation=\"isometric\"/>").expect("it can be written");
    let fails = |arguments: &[&str]| {
        let mut command = demo(folder);
        command.args(["--headless", "--frames", "1", "--screenshot", "shot.png"]).args(arguments);
        let output = finish(&mut command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        String::from_utf8(output.stderr).expect("text")
    };
    for (arguments, words) in [
        (&[hero, "--record", "a.jsonl"][..], "--record is for scenes; this is a sheet or a level"),
        (&[hero, "--save-scene", "a.json"], "--save-scene is for scenes; this is a sheet or a level"),
        (&[hero, "--grid", "4x4"], "hero.aseprite: --grid cuts an image into frames, and this is no image"),
        (&["pinball", "--grid", "4x4"], "--grid cuts an image into frames; a scene is no image"),
        (&[hero, "--grid", "0x4"], "a width and a height, such as 32x48"),
        (&["bad.aseprite"], "bad.aseprite: "),
        (&["bad.tmx"], "bad.tmx: "),
    ] {
        let error = fails(arguments);
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
}
