//! The examples run to their ends, pass their own checks, and print the texts committed in `tests/examples/`. After an
//! intended change of behaviour, `HITMASK_BLESS=1` rewrites these texts.

#![allow(clippy::duplicate_mod, reason = "each game draws with the same module")]

#[path = "../examples/assets.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod assets;
#[path = "../examples/asteroids.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod asteroids;
#[path = "../examples/bullet_hell.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod bullet_hell;
#[path = "../examples/cave.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod cave;
#[path = "../examples/platformer.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod platformer;
#[path = "../examples/rollback.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod rollback;
#[path = "../examples/walkers.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod walkers;

#[cfg(feature = "gpu")]
#[path = "../examples/resident.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod resident;
#[cfg(feature = "gpu")]
#[path = "../examples/wgpu_loop.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod wgpu_loop;

use std::error::Error;
use std::path::Path;

#[cfg(feature = "gpu")]
use hitmask_workbench::workloads::Workload;

/// Asserts that an example prints its text.
fn prints(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples").join(name).with_extension("txt");
    let text = format!("{text}\n");
    if std::env::var_os("HITMASK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    // Git may have checked it out with Windows line ends.
    let right = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(text, right, "{name} prints something else than {}", path.display());
}

/// Runs a game to its end. Asserts its text, and that its picture has the given size and more than one colour.
fn plays(name: &str, game: impl Fn(Option<&Path>) -> Result<String, Box<dyn Error>>, size: [u32; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    prints(name, &game(Some(&path)).unwrap());
    let picture = image::open(&path).unwrap().into_rgb8();
    assert_eq!([picture.width(), picture.height()], size);
    assert!(picture.pixels().any(|pixel| pixel != picture.get_pixel(0, 0)));
}

/// Every machine draws the sprites that are committed, to the bit.
#[test]
fn assets_are_drawn_as_committed() {
    for (name, picture) in assets::pictures() {
        let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
        assert!(image::open(&committed).unwrap().into_rgba8() == picture, "{}", committed.display());
    }
}

#[test]
fn asteroids_plays() {
    plays("asteroids", asteroids::run, [960, 540]);
}

#[test]
fn bullet_hell_plays() {
    plays("bullet_hell", bullet_hell::run, [1920, 1080]);
}

#[test]
fn cave_plays() {
    plays("cave", cave::run, [960, 240]);
}

#[test]
fn platformer_plays() {
    prints("platformer", &platformer::run().unwrap());
}

#[test]
fn rollback_plays() {
    prints("rollback", &rollback::run().unwrap());
}

/// Walkers end up at the same places on every machine.
#[test]
fn walkers_walk() {
    let texts: Vec<String> = walkers::run(30).unwrap().into_iter().map(|(text, _)| text).collect();
    prints("walkers", &texts.join("\n"));
}

/// The example compares all flags with those of the CPU engine, and wants them complete in the frame.
#[cfg(feature = "gpu")]
#[test]
fn resident_frames_have_the_flags_of_the_cpu() {
    for workload in [Workload::Boxes, Workload::Turned] {
        let table = resident::run(workload, &[100, 300]).unwrap();
        assert_eq!(table.lines().count(), 3, "{table}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn wgpu_loop_plays() {
    plays("wgpu_loop", wgpu_loop::run, [512, 512]);
}
