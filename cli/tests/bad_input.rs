//! Bad input of any kind: exit status 2, the reason on standard error, and nothing on standard output.

mod common;

use common::Folder;

/// Asserts that the program refuses these arguments, with these words in its message.
fn refused(folder: &Folder, arguments: &[&str], words: &[&str]) {
    let ran = folder.run(arguments);
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "{arguments:?}: `{word}` is not said: {}", ran.err);
    }
    assert!(!ran.err.contains("panicked"), "{}", ran.err);
}

/// Asserts that `check` refuses this scene in either format, with these words in its message.
fn scene_refused(json: &str, words: &[&str]) {
    let folder = Folder::with(&[("bad.json", json)]);
    for format in ["text", "json"] {
        refused(&folder, &["check", "bad.json", "--backend", "cpu", "--details", "--format", format], words);
    }
    refused(&folder, &["check", "bad.json", "--backend", "cpu"], &["error: bad.json: "]);
    refused(&folder, &["verify", "bad.json", "--engines", "cpu,reference"], words);
}

#[test]
fn scenes() {
    scene_refused("", &["EOF", "line 1 column 0"]);
    scene_refused("{\n  \"colour\": 1\n}", &["unknown field `colour`", "line 2"]);
    scene_refused(r#"{ "version": 2 }"#, &["version"]);
    scene_refused(r#"{ "bodies": [{ "shape": "s", "at": [0, 0] }] }"#, &["body 0 (s): there is no shape `s`"]);
    scene_refused(r#"{ "shapes": { "s": { "circle": 1e999 } } }"#, &["shapes.s.circle", "out of range"]);
    scene_refused(r#"{ "shapes": { "s": { "circle": 0 } } }"#, &["shape `s`: `circle` is 0"]);
    scene_refused(
        r#"{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [3e6, 0], "name": "far" }] }"#,
        &["body 0 `far` (s): `at.x` is 3000000", "±2097151.996"],
    );
    scene_refused(r#"{ "shapes": { "s": { "sprite": "none.png" } } }"#, &["shape `s`: ", "none.png", "No such file"]);
}

#[test]
fn rows_of_csv() {
    let scene = r#"{ "shapes": { "s": { "circle": 1 } }, "bodies_csv": "rows.csv" }"#;
    let folder = Folder::with(&[("bad.json", scene), ("rows.csv", "shape,x,y\ns,0,0\ns,nan,0\n")]);
    refused(&folder, &["check", "bad.json", "--backend", "cpu"], &["rows.csv: line 3 (body 1), column `x`: \"nan\""]);
}

#[test]
fn files() {
    let folder = Folder::with(&[]);
    refused(&folder, &["check", "none.json", "--backend", "cpu"], &["none.json: ", "No such file"]);
    refused(&folder, &["check", ".", "--backend", "cpu"], &["directory"]);
    refused(&folder, &["verify", "none.json", "--engines", "cpu,reference"], &["none.json: "]);
}

#[test]
fn usage() {
    let folder = Folder::with(&[("empty.json", "{}")]);
    refused(&folder, &[], &["Usage"]);
    refused(&folder, &["colour"], &["unrecognized subcommand"]);
    refused(&folder, &["check"], &["<SCENE>"]);
    refused(&folder, &["check", "empty.json", "--backend", "quantum"], &["auto, gpu, cpu, reference"]);
    refused(&folder, &["check", "empty.json", "--format", "xml"], &["text, json"]);
    refused(&folder, &["check", "empty.json", "--backend", "cpu", "--gpu", "x"], &["--gpu x"]);
    refused(&folder, &["verify", "empty.json", "--random", "5"], &["cannot be used with"]);
    refused(&folder, &["verify", "--random", "0"], &["--random"]);
    refused(&folder, &["verify", "--random", "5", "--engines", "cpu"], &["two different engines"]);
    refused(&folder, &["verify", "--random", "5", "--engines", "cpu,cpu"], &["two different engines"]);
    refused(&folder, &["verify", "--random", "5", "--engines", "cpu,reference,cpu"], &["two different engines"]);
    refused(&folder, &["verify", "--random", "5", "--engines", "cpu,abacus"], &["abacus"]);
    refused(&folder, &["verify", "--engines", "cpu,reference", "--gpu", "x"], &["--engines names none"]);
    refused(&folder, &["completions", "dos"], &["bash"]);
}

#[test]
fn a_gpu_that_is_not_there() {
    let folder = Folder::with(&[("empty.json", "{}")]);
    refused(&folder, &["check", "empty.json", "--gpu", "no such gpu"], &["GPU", "no such gpu"]);
    refused(&folder, &["check", "empty.json", "--backend", "gpu", "--gpu", "no such gpu"], &["GPU"]);
}

/// The playground's tests read the same file: it shows the same words.
#[test]
fn scenes_of_the_playground() {
    let list = concat!(env!("CARGO_MANIFEST_DIR"), "/../web/tests/scenes/refused.json");
    let list: serde_json::Value = serde_json::from_slice(&std::fs::read(list).unwrap()).unwrap();
    for refused in list.as_array().unwrap() {
        let (scene, error) = (refused["scene"].as_str().unwrap(), refused["error"].as_str().unwrap());
        let ran = Folder::with(&[("bad.json", scene)]).run(&["check", "bad.json", "--backend", "cpu"]);
        assert_eq!((ran.status, ran.err), (Some(2), format!("error: bad.json: {error}\n")), "{scene}");
    }
}
