//! The 600 scenes of `tests/conformance/`, whose answers come from an independent program, on every engine, to the last detail.

mod common;

use hitmask::{Detail, Scene};
use serde_json::Value;

/// A detail as a scene's answer writes it.
fn written(detail: &Detail) -> Value {
    let mut keys = serde_json::Map::new();
    if let Some(time) = detail.time {
        keys.insert("time".into(), time.to_vec().into());
    }
    if let Some(area) = detail.area {
        keys.insert("area".into(), area.into());
    }
    if let Some(overlap) = detail.overlap {
        keys.insert("bounds".into(), overlap.bounds.to_vec().into());
        keys.insert("first".into(), overlap.first.to_vec().into());
        keys.insert("sums".into(), overlap.sums.to_vec().into());
    }
    keys.into()
}

#[test]
fn every_engine_answers_every_scene() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut runners = common::runners();
    let mut scenes = 0;
    let mut files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    // Not yet: groups, queries, replays.
    let stem = |file: &std::path::PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    files.retain(|file| !["groups", "queries", "replays"].contains(&stem(file).as_str()));
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let expected: Value = serde_json::from_str(line).unwrap();
            let name = expected["name"].as_str().unwrap();
            let world = Scene::parse(&expected["scene"].to_string(), &folder).and_then(|scene| scene.world());
            let world = world.unwrap_or_else(|error| panic!("{name}: {error}"));
            for runner in &mut runners {
                let hits = runner.answer(&world, name);
                let pairs: Value = hits.pairs.iter().map(|pair| Value::from(pair.to_vec())).collect();
                assert_eq!(pairs, expected["pairs"], "{name} on {}: pairs", runner.setup);
                for (i, detail) in hits.details.iter().enumerate() {
                    let pair = hits.pairs[i];
                    assert_eq!(written(detail), expected["details"][i], "{name} on {}: pair {pair:?}", runner.setup);
                }
            }
            scenes += 1;
        }
    }
    assert_eq!(scenes, 600);
}
