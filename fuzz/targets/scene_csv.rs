//! Any bytes as the bodies of a scene: an error or a scene, which is written as JSON and read again as the same.
#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use hitmask::scene::Scene;
use libfuzzer_sys::fuzz_target;

const SCENE: &str = r#"{"shapes":{"a":{"box":[1,1]},"b":{"circle":2}},"bodies_csv":"bodies.csv"}"#;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(hitmask_fuzz::folder);

fuzz_target!(|bytes: &[u8]| {
    std::fs::write(FOLDER.join("bodies.csv"), bytes).expect("a file is written");
    let Ok(scene) = Scene::parse(SCENE, &FOLDER) else { return };
    let written = scene.to_json().expect("what was read can be written");
    let again = Scene::parse(&written, &FOLDER).expect("what was written can be read");
    assert_eq!(again.bodies, scene.bodies);
    if let Ok(world) = scene.world() {
        assert_eq!(world.len(), scene.bodies.len());
    }
});
