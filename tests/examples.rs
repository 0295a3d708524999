//! The games in `examples/` come to their ends, and hold what they check of themselves.

#![allow(clippy::duplicate_mod, reason = "each game draws with the same module")]

#[path = "../examples/asteroids.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod asteroids;
#[path = "../examples/bullet_hell.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod bullet_hell;
#[path = "../examples/cave.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod cave;

#[cfg(feature = "gpu")]
#[path = "../examples/wgpu_loop.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod wgpu_loop;

use std::error::Error;
use std::path::Path;

/// Runs a game to its end; its picture is of this size, and not of one colour.
fn plays(game: impl Fn(Option<&Path>) -> Result<(), Box<dyn Error>>, size: [u32; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    game(Some(&path)).unwrap();
    let picture = image::open(&path).unwrap().into_rgb8();
    assert_eq!([picture.width(), picture.height()], size);
    assert!(picture.pixels().any(|pixel| pixel != picture.get_pixel(0, 0)));
}

#[test]
fn asteroids_plays() {
    plays(asteroids::run, [960, 540]);
}

#[test]
fn bullet_hell_plays() {
    plays(bullet_hell::run, [1920, 1080]);
}

#[test]
fn cave_plays() {
    plays(cave::run, [960, 240]);
}

#[cfg(feature = "gpu")]
#[test]
fn wgpu_loop_plays() {
    plays(wgpu_loop::run, [256, 256]);
}
