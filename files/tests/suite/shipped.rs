//! Files that Aseprite has written, from the packages of other readers: each frame is that of the others, and that
//! which Aseprite itself has exported.

use std::fs;
use std::path::Path;

use hitmask_files::{Import, Sheet};

use crate::packages;
use crate::readers::{asefile, aseprite_loader, difference, ours};

#[test]
fn files_of_aseprite_have_the_frames_of_two_other_readers() {
    let mut files = packages::files("aseprite-loader", "tests", "aseprite");
    assert_eq!(files.len(), 7);
    files.extend(packages::files("aseprite", "examples", "ase"));
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    files.extend(["hero.aseprite", "fighter.aseprite"].map(|name| own.join(name)));
    let mut frames = 0;
    for file in files {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let bytes = fs::read(&file).unwrap();
        let ours = ours(&bytes);
        frames += ours.len();
        assert_eq!(difference(&ours, &asefile(&bytes)), None, "{name}, by asefile");
        assert_eq!(difference(&ours, &aseprite_loader(&bytes)), None, "{name}, by aseprite-loader");
    }
    assert!(frames > 20, "{frames} frames");
}

#[test]
fn a_file_of_aseprite_has_the_frames_that_aseprite_has_exported() {
    let folder = packages::source("aseprite").join("examples");
    let sheet = Sheet::open(folder.join("boonga.ase")).unwrap();
    let exported = image::open(folder.join("boonga.png")).unwrap().into_rgba8();
    let packed = Import::default().open_packed(folder.join("boonga.json")).unwrap();
    assert_eq!((sheet.frames.len(), packed.frames.len()), (2, 2));
    for (k, (frame, packed)) in sheet.frames.iter().zip(&packed.frames).enumerate() {
        // As the JSON says: 16 x 16 pixels each, side by side.
        let part = image::imageops::crop_imm(&exported, 16 * k as u32, 0, 16, 16).to_image();
        assert_eq!(difference(&[frame.image.as_raw().clone()], &[part.into_raw()]), None, "frame {k}");
        assert_eq!((&frame.mask, frame.duration), (&packed.mask, packed.duration), "frame {k}");
        assert!(frame.mask.count() > 0);
    }
}
