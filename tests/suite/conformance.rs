//! Compares every engine with the 640 scenes and 60 replays of `tests/conformance/`, whose answers come from an
//! independent program, to the last detail.

use hitmask::scene::{Replay, Scene};
use hitmask::{Ask, Detail};
use serde_json::Value;

use crate::common;

/// Returns a detail as a scene file writes it.
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
    // These have tests of their own.
    let stem = |file: &std::path::PathBuf| file.file_stem().unwrap().to_str().unwrap().to_owned();
    files.retain(|file| !["queries", "replays"].contains(&stem(file).as_str()));
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "jsonl")) {
        for line in std::fs::read_to_string(file).unwrap().lines() {
            let expected: Value = serde_json::from_str(line).unwrap();
            let name = expected["name"].as_str().unwrap();
            let world = Scene::parse(&expected["scene"].to_string(), &folder).and_then(|scene| scene.world());
            let world = world.unwrap_or_else(|error| panic!("{name}: {error}"));
            for runner in common::in_turn(&mut runners, scenes) {
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
    assert_eq!(scenes, 640);
}

/// Each engine runs all steps on one world, so that engines which reuse earlier results do so.
#[test]
fn every_engine_plays_every_replay() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let (mut runners, mut replays, mut steps) = (common::runners(), 0, 0);
    for line in std::fs::read_to_string(folder.join("replays.jsonl")).unwrap().lines() {
        let expected: Value = serde_json::from_str(line).unwrap();
        let name = expected["name"].as_str().unwrap();
        let lines: Vec<String> = expected["lines"].as_array().unwrap().iter().map(Value::to_string).collect();
        let replay = Replay::parse(&lines.join("\n"), &folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        let again = Replay::parse(&replay.to_json().unwrap(), &folder).unwrap();
        assert_eq!((again.steps, again.scene.bodies), (replay.steps.clone(), replay.scene.bodies.clone()), "{name}");
        for runner in common::in_turn(&mut runners, replays) {
            let mut play = replay.play().unwrap_or_else(|error| panic!("{name}: {error}"));
            let answers = expected["answers"].as_array().unwrap();
            let mut told = Vec::new();
            while play.edit().unwrap_or_else(|error| panic!("{name}: {error}")) {
                let hits = runner.engine.run(play.world(), Ask::Pairs).unwrap();
                told.push(serde_json::to_value(play.take(&hits).unwrap()).unwrap());
            }
            assert_eq!(told.len(), answers.len(), "{name}");
            for (told, answer) in told.iter().zip(answers) {
                assert_eq!(told, answer, "{name} on {}", runner.setup);
            }
            steps += told.len();
        }
        replays += 1;
    }
    assert_eq!(replays, 60);
    assert!(steps > 1_000, "{steps}");
}
