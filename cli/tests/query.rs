//! `hitmask query`: output with each engine, and errors.

mod common;

use common::Folder;
use serde_json::{Value, json};

const SCENE: &str = r##"{
  "shapes": { "crate": { "box": [4, 4] }, "ball": { "circle": 2 }, "dot": { "sprite": { "rows": ["#.", ".#"] } } },
  "bodies": [
    { "shape": "ball", "at": [0, 0], "name": "player", "move": [50, 0] },
    { "shape": "crate", "at": [10, -2], "layer": 2 },
    { "shape": "dot", "at": [20, 0] }
  ],
  "queries": [
    { "point": [1, 1] },
    { "point": [20.5, 1.5] },
    { "ray": [[-10, 0.5], [30, 0.5]], "hits": 2 },
    { "ray": [[-10, 50], [30, 50]] },
    { "nearest": [17, 0], "within": 3, "count": 5 },
    { "body": { "shape": "dot", "at": [15, 0], "move": [8, 0] } },
    { "body": { "shape": "ball", "at": [0, 3] } }
  ]
}"##;

#[test]
fn the_cpu_answers_and_no_gpu() {
    let folder = Folder::with(&[("scene.json", SCENE)]);
    let ran = folder.run(&["query", "scene.json"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.starts_with("7 queries; engine cpu ("), "{}", ran.out);
    let refused = folder.run(&["query", "scene.json", "--backend", "gpu"]);
    assert_eq!((refused.status, refused.out.as_str()), (Some(2), ""));
    assert!(refused.err.contains("invalid value 'gpu'") && refused.err.contains("cpu, reference"), "{}", refused.err);
}

#[test]
fn each_engine_answers_alike() {
    let folder = Folder::with(&[("scene.json", SCENE)]);
    for backend in ["cpu", "reference"] {
        let ran = folder.run(&["query", "scene.json", "--backend", backend, "--format", "json"]);
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let answer: Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(answer["backend"], backend);
        let time = |tick: u32| json!([tick, 65536]);
        let tick = answer["answers"][2]["time"][0].as_u64().unwrap();
        assert!((tick as f64 / 65536.0 - 0.5).abs() < 1e-3);
        let cast = answer["answers"][5]["bodies"][0]["time"][0].as_u64().unwrap() as u32;
        assert_eq!(
            answer["answers"],
            json!([
                { "bodies": [0] },
                { "bodies": [] },
                { "body": 1, "time": time(tick as u32) },
                {},
                { "bodies": [{ "body": 1, "distance": 3.0 }, { "body": 2, "distance": 3.0 }] },
                { "bodies": [{ "body": 2, "time": time(cast), "area": 2, "bounds": [20, 0, 2, 2], "first": [20, 0],
                    "sums": [41, 1] }], "first": 2 },
                { "bodies": [{ "body": 0 }], "first": 0 },
            ])
        );
    }
}

#[test]
fn text_tells_each_question_and_who_is_found() {
    let folder = Folder::with(&[("scene.json", SCENE)]);
    let ran = folder.run(&["query", "scene.json", "--backend", "reference"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    for words in [
        "7 queries; engine reference (1 thread)",
        "query 0: at the point (1, 1)\n    0 `player` (ball)\n",
        "query 3: a ray from (-10, 50) to (30, 50)\n    none\n",
        "    1 (crate), 3 units away\n",
        ", 2 pixels, first\n",
    ] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let refused = |query: &str, words: &[&str]| {
        let scene =
            format!(r#"{{ "shapes": {{ "s": {{ "circle": 1 }} }}, "queries": [{{ "point": [0, 0] }}, {query}] }}"#);
        let folder = Folder::with(&[("bad.json", &scene)]);
        let ran = folder.run(&["query", "bad.json", "--backend", "cpu"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{query}: {}", ran.err);
        for word in words.iter().chain(&["error: bad.json: "]) {
            assert!(ran.err.contains(word), "{query}: `{word}` is not said: {}", ran.err);
        }
    };
    refused(r#"{ "ray": [[0, 0], [3e6, 0]] }"#, &["query 1: `ray[1].x` is 3000000"]);
    refused(r#"{ "ray": [[0, 0], [2e6, 0]] }"#, &["query 1: `ray[1].x` is 2000000", "1048576"]);
    refused(r#"{ "ray": [[0, 0]] }"#, &["queries[1]", "a list of 2"]);
    refused(r#"{ "point": [3e6, 0] }"#, &["query 1: `point.x` is 3000000"]);
    refused(r#"{ "nearest": [0, -3e6] }"#, &["query 1: `nearest.y` is -3000000"]);
    refused(r#"{ "nearest": [0, 0], "within": -1 }"#, &["query 1: `within` is -1; it must be 0 or more"]);
    refused(r#"{ "body": { "shape": "none", "at": [0, 0] } }"#, &["query 1: there is no shape `none`"]);
    refused(r#"{ "body": { "shape": "s", "at": [0, 0], "move": [1e6, 0] } }"#, &["query 1: `move.x` is 1000000"]);
    refused(r#"{ "body": { "shape": "s", "at": [0, 0], "scale": [1, 2] } }"#, &["query 1: `scale` is [1, 2]"]);
    refused(r#"{ "point": [0, 0], "ray": [[0, 0], [1, 1]] }"#, &["exactly one of", "`point` and `ray`"]);
    refused("{}", &["exactly one of", "none"]);
    refused(r#"{ "point": [0, 0], "count": 3 }"#, &["`count` goes with `nearest`; this is a `point`"]);
    refused(r#"{ "body": { "shape": "s", "at": [0, 0] }, "hits": 3 }"#, &["`hits` of a `body` goes inside it"]);
    refused(r#"{ "point": [0, 0], "hits": -1 }"#, &["queries[1].hits", "0 to 4294967295"]);
}
