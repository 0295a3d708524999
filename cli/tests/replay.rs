//! `hitmask replay`.

mod common;

use common::Folder;

const WORLD: &str = r#####"{"shapes": {"ball": {"circle": 2}, "cave": {"sprite": {"rows": ["####", "####"]}}}, "bodies": [{"shape": "ball", "at": [0, 0], "name": "ship"}]}
{"add": [{"shape": "ball", "at": [8, 0], "move": [-6, 0], "name": "shot"}], "advance": true}

{"set": [{"shape": "ball", "at": [40, 1], "name": "ship"}], "add": [{"shape": "cave", "at": [38, 0], "name": "wall"}]}
{"remove": ["shot"], "masks": [{"shape": "cave", "erase": {"rows": ["####", "####"]}, "at": [0, 0]}]}
"#####;

#[test]
fn a_step_is_a_line() {
    let folder = Folder::with(&[("world.jsonl", WORLD)]);
    let expected = r#"{"step":1,"bodies":2,"pairs":[["ship","shot"]],"began":[["ship","shot"]],"ended":[]}
{"step":2,"bodies":3,"pairs":[["ship","wall"]],"began":[["ship","wall"]],"ended":[["ship","shot"]]}
{"step":3,"bodies":2,"pairs":[],"began":[],"ended":[["ship","wall"]]}
"#;
    for backend in ["cpu", "reference"] {
        let ran = folder.run(&["replay", "world.jsonl", "--backend", backend]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(0), expected), "{}", ran.err);
    }
}

/// A few bodies are too little work for a GPU.
#[test]
fn auto_says_which_engine_it_took_and_why() {
    let folder = Folder::with(&[("world.jsonl", WORLD)]);
    let [auto, cpu] = ["auto", "cpu"].map(|backend| folder.run(&["replay", "world.jsonl", "--backend", backend]));
    assert_eq!((auto.status, &auto.out), (Some(0), &cpu.out));
    assert!(auto.err.contains("the engine is cpu (") && auto.err.contains("at the last step: "), "{}", auto.err);
    assert!(cpu.err.is_empty(), "{}", cpu.err);
}

/// An error names the file, the line, the key and the problem, and nothing is printed.
#[test]
fn what_is_wrong_is_named() {
    let scene = r#"{"shapes": {"ball": {"circle": 2}}, "bodies": [{"shape": "ball", "at": [0, 0], "name": "a"}]}"#;
    for (line, wrong) in [
        (r#"{"remove": ["b"]}"#, "line 2: `remove[0]`: there is no body `b`"),
        (
            r#"{"add": [{"shape": "ball", "at": [0, 0], "name": "a"}]}"#,
            "line 2: `add[0]`: `name` is `a`, which another body has",
        ),
        (r#"{"add": [{"shape": "ball", "at": [0, 0]}]}"#, "line 2: `add[0]`: `name` is missing"),
        (r#"{"set": [{"shape": "cube", "at": [0, 0], "name": "a"}]}"#, "line 2: `set[0]`: there is no shape `cube`"),
        (
            r#"{"set": [{"shape": "ball", "at": [1e9, 0], "name": "a"}]}"#,
            "line 2: `set[0]`: body `a`: `at.x` is 1000000000",
        ),
        (
            r##"{"masks": [{"shape": "ball", "at": [0, 0], "erase": {"rows": ["#"]}}]}"##,
            "line 2: `masks[0]`: shape `ball`: `shape` is a box, circle, capsule or polygon; it must be a sprite",
        ),
        (
            r#"{"set": [{"shape": "ball", "at": [2e6, 0], "move": [5e4, 0], "name": "a"}], "advance": true}"#,
            "line 2: `advance`: body `a`: ",
        ),
        (r#"{"masks": [{"shape": "ball", "at": [0, 0]}]}"#, "line 2: "),
        (r#"{"gone": 1}"#, "line 2: "),
        ("{", "line 2: "),
    ] {
        let text = format!("{scene}\n{line}\n");
        let folder = Folder::with(&[("world.jsonl", &text)]);
        let ran = folder.run(&["replay", "world.jsonl", "--backend", "cpu"]);
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{line}");
        assert!(ran.err.contains("world.jsonl") && ran.err.contains(wrong), "{line}: {}", ran.err);
    }
    let unnamed = scene.replace(r#", "name": "a""#, "");
    let ran = Folder::with(&[("world.jsonl", &unnamed)]).run(&["replay", "world.jsonl", "--backend", "cpu"]);
    assert!(ran.status == Some(2) && ran.err.contains("`name` is missing"), "{}", ran.err);
}
