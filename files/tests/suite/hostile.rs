//! Random bytes, and valid files with some bytes changed: an error or a sheet, never a panic.

use std::fs;
use std::path::Path;

use hitmask::mask::Grid;
use hitmask_files::{Import, Result, Sheet};
use proptest::prelude::*;

use crate::ase::{self, Ase, Cel, Layer};

/// A file with every kind of chunk.
fn file() -> Ase {
    let cel = Cel { size: [3, 2], pixels: &[1, 0, 2, 3, 1, 1], ..Cel::default() };
    let tiles: Vec<u8> = (0..12).map(|k| k % 4).collect();
    Ase { bits: 8, flags: 3, ..Ase::new([4, 4], 2) }
        .add(0, ase::palette(4, 0, &[[0; 4], [9, 0, 0, 255], [0, 9, 0, 255], [0, 0, 9, 99]]))
        .add(0, ase::old_palette(0x0004, 0, &[[1; 3]; 4]))
        .add(0, ase::tileset(0, 6, 3, [2, 2], &tiles))
        .add(0, ase::tags(&[("a", [0, 1], 2, 3), ("b", [1, 1], 0, 0)]))
        .add(0, ase::user_data(Some("text")))
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::layer(&Layer { kind: 1, name: "group", mode: 12, opacity: 200, ..Layer::default() }))
        .add(0, ase::layer(&Layer { level: 1, mode: 9, ..Layer::default() }))
        .add(0, ase::layer(&Layer { kind: 2, ..Layer::default() }))
        .add(0, ase::cel(&cel))
        .add(0, ase::raw(&Cel { layer: 2, at: [1, -1], z: 1, ..cel.clone() }))
        .add(0, ase::tilemap(&Cel { layer: 3, size: [2, 2], ..Cel::default() }, &[1, 2 | 1 << 31, 0, 1 | 7 << 29]))
        .add(0, ase::slice("box", 3, &[&[0, 0, 0, 2, 2, 0, 0, 1, 1, 1, 1]]))
        .add(1, ase::linked(&Cel { opacity: 90, ..cel }, 0))
}

/// Reads with a limit that keeps a test short.
fn import() -> Import {
    Import::default().limit(1 << 16)
}

/// Checks what must hold for any sheet.
fn check(sheet: Result<Sheet>) {
    let Ok(sheet) = sheet else { return };
    assert!(!sheet.frames.is_empty());
    let pixels: u64 = sheet.frames.iter().map(|frame| frame.image.pixels().len() as u64).sum();
    assert!(pixels <= 1 << 16);
    for frame in &sheet.frames {
        assert_eq!(frame.mask.size(), <[u32; 2]>::from(frame.image.dimensions()));
        assert!(!frame.duration.is_zero());
    }
    for tag in &sheet.tags {
        for elapsed in [std::time::Duration::ZERO, std::time::Duration::MAX] {
            assert!(sheet.frame_at(tag, elapsed).is_some_and(|frame| tag.frames.contains(&frame)));
        }
    }
}

/// Changes bytes of a file: sets some, cuts it, and repeats a part.
fn changed(mut bytes: Vec<u8>, edits: &[(prop::sample::Index, u8)], cut: Option<prop::sample::Index>) -> Vec<u8> {
    for (at, value) in edits {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len() + 1));
    }
    bytes
}

fn edits() -> impl Strategy<Value = Vec<(prop::sample::Index, u8)>> {
    let value = prop_oneof![any::<u8>(), Just(0_u8), Just(1_u8), Just(127_u8), Just(128_u8), Just(255_u8)];
    proptest::collection::vec((any::<prop::sample::Index>(), value), 0..6)
}

fn json() -> String {
    serde_json::json!({
        "frames": { "a": { "frame": { "x": 1, "y": 0, "w": 2, "h": 3 }, "rotated": true, "duration": 70,
            "spriteSourceSize": { "x": 1, "y": 0, "w": 2, "h": 3 }, "sourceSize": { "w": 4, "h": 3 },
            "pivot": { "x": 0.5, "y": 0.5 } } },
        "meta": { "image": "a.png", "size": { "w": 6, "h": 4 }, "frameTags": [
            { "name": "t", "from": 0, "to": 0, "direction": "pingpong", "repeat": "2" } ],
            "slices": [ { "name": "s", "keys": [ { "frame": 0, "bounds": { "x": 0, "y": 0, "w": 1, "h": 1 } } ] } ] },
    })
    .to_string()
}

fn png() -> Vec<u8> {
    let image = image::RgbaImage::from_fn(6, 4, |x, y| image::Rgba([x as u8, y as u8, 0, 200]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    image.write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

#[test]
#[ignore = "writes fuzz/seeds/sheet"]
fn write_seeds() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/seeds/sheet");
    fs::create_dir_all(&seeds).unwrap();
    fs::write(seeds.join("aseprite"), file().bytes()).unwrap();
    fs::write(seeds.join("packed"), [json().as_bytes(), &[0], &png()].concat()).unwrap();
}

#[test]
fn the_files_that_are_changed_are_valid() {
    assert_eq!(import().read_aseprite(&file().bytes()).unwrap().frames.len(), 2);
    assert_eq!(import().read_packed(json().as_bytes(), &png()).unwrap().frames.len(), 1);
    assert_eq!(import().read_grid(&png(), Grid::new([3, 2])).unwrap().frames.len(), 4);
}

#[test]
fn every_beginning_of_a_file_is_an_error() {
    let (file, json, png) = (file().bytes(), json(), png());
    for end in 0..file.len() {
        assert!(import().read_aseprite(&file[..end]).is_err(), "{end}");
    }
    for end in 0..json.len() {
        assert!(import().read_packed(&json.as_bytes()[..end], &png).is_err(), "{end}");
    }
    for end in 0..png.len() {
        check(import().read_packed(json.as_bytes(), &png[..end]));
    }
}

#[test]
fn deep_nesting_is_an_error() {
    for open in ["[", "{\"a\":"] {
        let deep = format!("{{\"frames\": {}", open.repeat(1 << 20));
        assert!(import().read_packed(deep.as_bytes(), &[]).is_err());
        let other = format!("{{\"other\": {}", open.repeat(1 << 20));
        assert!(import().read_packed(other.as_bytes(), &[]).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn changed_aseprite_files_are_read_or_refused(edits in edits(), cut in any::<Option<prop::sample::Index>>()) {
        check(import().read_aseprite(&changed(file().bytes(), &edits, cut.filter(|_| edits.len() < 2))));
    }

    #[test]
    fn changed_json_is_read_or_refused(edits in edits(), image in edits()) {
        let json = changed(json().into_bytes(), &edits, None);
        check(import().read_packed(&json, &changed(png(), &image, None)));
    }

    #[test]
    fn random_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut file = file().bytes()[..128].to_vec();
        file.extend(&bytes);
        for bytes in [&bytes, &file] {
            check(import().read_aseprite(bytes));
            check(import().read_packed(bytes, &png()));
            check(import().read_packed(json().as_bytes(), bytes));
            check(import().read_grid(bytes, Grid::new([1, 1])));
        }
    }
}
