//! Random scenes of all families: every engine against the reference. A mismatch is made as small as it gets and written as a scene file.

mod common;

use hitmask::verify::{compare, random_scene, shrink};

/// Scenes; `hitmask verify --random N` compares any number.
const SCENES: u64 = 2_000;

#[test]
fn engines_agree_on_random_scenes() {
    let mut engines: Vec<_> = common::runners()
        .into_iter()
        .filter(|runner| ["reference", "cpu, 3 threads", "gpu"].contains(&runner.name))
        .map(|runner| runner.engine)
        .collect();
    assert_eq!(engines.len(), 3);
    let mut pairs = 0;
    for seed in 0..SCENES {
        let scene = random_scene(seed);
        let world = scene.world().unwrap_or_else(|error| panic!("scene {seed}: {error}"));
        if let Some(mismatch) = compare(&world, &mut engines).unwrap_or_else(|error| panic!("scene {seed}: {error}")) {
            let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mismatch-{seed}.json"));
            let small = shrink(&scene, &mismatch, &mut engines);
            std::fs::write(&file, small.to_json().unwrap()).unwrap();
            panic!("scene {seed}: {mismatch}\nreplay it: hitmask verify {}", file.display());
        }
        pairs += engines[1].run(&world, hitmask::Ask::Pairs).unwrap().pairs.len();
    }
    assert!(pairs > 10 * SCENES as usize, "{pairs} pairs are too few to tell anything");
}
