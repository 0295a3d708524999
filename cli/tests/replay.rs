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
    let unnamed = format!("\n\n{}", scene.replace(r#", "name": "a""#, ""));
    let ran = Folder::with(&[("world.jsonl", &unnamed)]).run(&["replay", "world.jsonl", "--backend", "cpu"]);
    let wrong = "error: world.jsonl: body 0 (ball): `name` is missing";
    assert!(ran.status == Some(2) && ran.err.starts_with(wrong), "{}", ran.err);
}

/// A replay that is cut in two after any step prints the lines of the whole; the saved moment is a scene too.
#[test]
fn a_replay_cut_in_two_prints_the_same_lines() {
    let folder = Folder::with(&[("world.jsonl", WORLD)]);
    let whole = folder.run(&["replay", "world.jsonl", "--backend", "cpu"]).out;
    for step in 0..=3 {
        let at = step.to_string();
        for backend in ["cpu", "reference"] {
            let first = folder.run(&["replay", "world.jsonl", "--save-at", &at, "cut.world", "--backend", backend]);
            assert_eq!((first.status, &first.out), (Some(0), &whole), "{}", first.err);
            let second = folder.run(&["replay", "world.jsonl", "--from", "cut.world", "--backend", backend]);
            let rest: String = whole.split_inclusive('\n').skip(step).collect();
            assert_eq!((second.status, second.out), (Some(0), rest), "{}", second.err);
        }
    }
    folder.run(&["replay", "world.jsonl", "--save-at", "1", "cut.world", "--backend", "cpu"]);
    let check = folder.run(&["check", "cut.world", "--backend", "cpu"]);
    assert!(check.status == Some(0) && check.out.contains("`ship` (ball)"), "{check:?}");
}

#[test]
fn what_is_wrong_with_a_cut_is_told() {
    let folder = Folder::with(&[("world.jsonl", WORLD), ("text.world", "hello")]);
    folder.run(&["replay", "world.jsonl", "--save-at", "3", "end.world", "--backend", "cpu"]);
    let short: String = WORLD.split_inclusive('\n').take(2).collect();
    std::fs::write(folder.at("short.jsonl"), short).unwrap();
    // An image that a step names is an input.
    std::fs::write(folder.at("images.jsonl"), "{}\n{\"shapes\": {\"ship\": {\"sprite\": \"ship.png\"}}}\n").unwrap();
    std::fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../assets/ship.png"), folder.at("ship.png")).unwrap();
    for (arguments, wrong) in [
        (vec!["world.jsonl", "--save-at", "4", "out.world"], "--save-at 4: the steps are 0 to 3"),
        (vec!["world.jsonl", "--save-at", "x", "out.world"], "--save-at x: not the number of a step"),
        (vec!["world.jsonl", "--save-at", "1", "world.jsonl"], "this is an input"),
        (vec!["images.jsonl", "--save-at", "1", "ship.png"], "ship.png: this is an input"),
        (vec!["world.jsonl", "--save-at", "1", "none/out.world"], "none/out.world"),
        (vec!["world.jsonl", "--save-at", "1", ""], "this is not the name of a file"),
        (vec!["world.jsonl", "--from", "none.world"], "none.world"),
        (vec!["world.jsonl", "--from", "text.world"], "text.world: saved file: it does not begin as"),
        (vec!["short.jsonl", "--from", "end.world"], "end.world: `step` is 3; it must lie within the 1 steps"),
        (vec!["world.jsonl", "--from", "end.world", "--save-at", "1", "out.world"], "the steps are 3 to 3"),
    ] {
        let ran = folder.run(&[&["replay"], &arguments[..], &["--backend", "cpu"]].concat());
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(ran.err.contains(wrong), "{arguments:?}: {}", ran.err);
    }
    assert!(!folder.at("out.world").exists());
}
