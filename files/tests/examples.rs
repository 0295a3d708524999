//! The examples run to their ends and print the texts committed in `tests/examples/`. After an intended change of
//! behaviour, `HITMASK_BLESS=1` rewrites them.

#[path = "../examples/fighter.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod fighter;
#[path = "../examples/level.rs"]
#[allow(dead_code, reason = "its main function is the example's")]
mod level;

use std::path::Path;

use hitmask::debug::Palette;

/// Asserts that an example prints its text.
fn prints(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/examples").join(name).with_extension("txt");
    let text = format!("{text}\n");
    if std::env::var_os("HITMASK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &text).unwrap();
    }
    // Git may have checked it out with Windows line ends.
    let kept = std::fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    assert_eq!(text, kept, "{name} prints something else than {}", path.display());
}

#[test]
fn level_prints_its_text() {
    prints("level", &level::play().unwrap());
}

/// The picture shows blue's and red's shirts, boxes that hit, and others.
#[test]
fn fighter_prints_its_text_and_draws_the_last_blow() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("picture.png");
    prints("fighter", &fighter::run(Some(&path)).unwrap());
    let picture = image::open(&path).unwrap().into_rgb8();
    assert_eq!([picture.width(), picture.height()], [960, 480]);
    let Palette { rest, hit, .. } = Palette::default();
    for colour in [[60, 90, 200], [200, 90, 60], [rest[0], rest[1], rest[2]], [hit[0], hit[1], hit[2]]] {
        let pixels = picture.pixels().filter(|pixel| pixel.0 == colour).count();
        assert!(pixels > 200, "{pixels} pixels of {colour:?}");
    }
}
