//! `hitmask check` and related commands: output and exit status.

mod common;

use std::process::Stdio;

use common::{Folder, hitmask};
use serde_json::{Value, json};

/// A ball, a crate that it overlaps, a sprite that flies into the crate, and a box far away.
const SCENE: &str = r##"{
  "shapes": { "crate": { "box": [4, 4] }, "ball": { "circle": 2 }, "dot": { "sprite": { "rows": ["#.", ".#"] } } },
  "bodies": [
    { "shape": "ball", "at": [0, 0], "name": "player" },
    { "shape": "crate", "at": [1.5, -2] },
    { "shape": "dot", "at": [9, 0], "move": [-6, 0], "name": "shot" },
    { "shape": "crate", "at": [50, 50] }
  ]
}"##;

fn scene() -> Folder {
    Folder::with(&[("scene.json", SCENE)])
}

fn json_of(arguments: &[&str]) -> Value {
    let ran = scene().run(arguments);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    serde_json::from_str(&ran.out).unwrap()
}

#[test]
fn json_is_one_object_of_the_keys_that_the_format_names() {
    for backend in ["cpu", "reference"] {
        let answer = json_of(&["check", "scene.json", "--backend", backend, "--format", "json"]);
        assert_eq!(answer["backend"], backend);
        assert!(answer["device"].as_str().unwrap().contains("thread"));
        assert_eq!(answer["bodies"], 4);
        assert_eq!(answer["pairs"], json!([[0, 1], [1, 2]]));
        let keys: Vec<&String> = answer.as_object().unwrap().keys().collect();
        assert_eq!(keys.len(), 4, "{keys:?}: details only where they are asked for");
    }
}

#[test]
fn details_have_the_keys_that_have_a_value() {
    let answer = json_of(&["check", "scene.json", "--backend", "cpu", "--format", "json", "--details"]);
    assert_eq!(
        answer["details"],
        json!([
            { "pair": [0, 1], "normal": [-1.0, 0.0], "depth": 0.5, "push": [-0.5, 0.0] },
            // The sprite has moved by four pixels at the first tick at which its motion reaches 768.5 of 1,536 lattice
            // steps.
            { "pair": [1, 2], "time": [32790, 65536], "area": 1, "bounds": [5, 0, 1, 1], "first": [5, 0],
              "sums": [5, 0], "normal": [-1.0, 0.0], "depth": 1.0, "push": [-1.0, 0.0] },
        ])
    );
}

#[test]
fn text_names_bodies_and_counts_them() {
    let ran = scene().run(&["check", "scene.json", "--backend", "reference"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let expected = "4 bodies, 2 pairs, 3 of the bodies in a pair; engine reference (1 thread)\n\n\
                    0 `player` (ball)  hits  1 (crate)\n\
                    1 (crate)          hits  2 `shot` (dot)\n";
    assert_eq!(ran.out, expected);
    let ran = scene().run(&["check", "scene.json", "--backend", "reference", "--details"]);
    for line in [
        "    time    tick 32790 of 65536",
        "    area    1 pixel",
        "    bounds  1 x 1 pixels from (5, 0)",
        "    first   pixel (5, 0)",
        "    sums    x 5, y 0",
        "    way out 0.5 units along (-1, 0)",
        "    push    (-0.5, 0) units",
    ] {
        assert!(ran.out.lines().any(|there| there == line), "{line:?} is not in:\n{}", ran.out);
    }
}

#[test]
fn nothing_is_no_error() {
    let folder = Folder::with(&[("empty.json", "{}")]);
    let ran = folder.run(&["check", "empty.json", "--backend", "cpu", "--format", "json", "--details"]);
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.status, &answer["pairs"], &answer["details"]), (Some(0), &json!([]), &json!([])));
    let ran = folder.run(&["check", "empty.json", "--backend", "cpu"]);
    assert!(ran.out.starts_with("0 bodies, 0 pairs, 0 of the bodies in a pair; engine cpu ("), "{}", ran.out);
}

#[test]
fn auto_says_which_engine_it_took_on_standard_error() {
    let ran = scene().run(&["check", "scene.json", "--format", "json"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let answer: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(ran.err.contains(answer["backend"].as_str().unwrap()), "{}", ran.err);
    assert!(ran.err.contains(answer["device"].as_str().unwrap()), "{}", ran.err);
}

#[test]
fn a_list_is_complete_however_long() {
    let bodies: Vec<Value> = (0..3000).map(|i| json!({ "shape": "s", "at": [i, 0] })).collect();
    let scene = json!({ "touch": "included", "shapes": { "s": { "box": [1, 1] } }, "bodies": bodies });
    let folder = Folder::with(&[("row.json", &scene.to_string())]);
    let ran = folder.run(&["check", "row.json", "--backend", "cpu"]);
    assert_eq!(ran.out.lines().filter(|line| line.contains("hits")).count(), 2999);
}

#[test]
fn a_reader_that_leaves_is_no_error() {
    let folder = scene();
    let mut child = hitmask(&folder.at(""), &["check", "scene.json", "--backend", "cpu"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), [].as_slice()));
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_an_error() {
    let folder = scene();
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    for arguments in
        [&["check", "scene.json", "--backend", "cpu"][..], &["--help"], &["--version"], &["bench", "--help"]]
    {
        let output = hitmask(&folder.at(""), arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("standard output"), "{arguments:?}");
    }
}

#[test]
fn help_has_examples_for_each_command() {
    let folder = Folder::with(&[]);
    for command in [
        vec!["--help"],
        vec!["check", "--help"],
        vec!["render", "--help"],
        vec!["verify", "--help"],
        vec!["bench", "--help"],
        vec!["list-gpus", "--help"],
    ] {
        let ran = folder.run(&command);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        assert!(ran.out.contains("Examples:\n  hitmask "), "{command:?}: {}", ran.out);
    }
    assert_eq!(folder.run(&["--version"]).out, format!("hitmask {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn help_names_engines_and_workloads() {
    let folder = Folder::with(&[]);
    let help = |command| folder.run(&[command, "--help"]).out.split_whitespace().collect::<Vec<_>>().join(" ");
    let check = help("check");
    for says in [
        "Possible values: - auto: Choose by task, and report the choice on standard error.",
        "- gpu: A GPU; a software driver if there is no hardware - cpu: All CPU cores - reference: The reference: the",
        "[default: auto]",
    ] {
        assert!(check.contains(says), "{says}: {check}");
    }
    let bench = help("bench");
    for says in [
        "Workloads: boxes, circles, sprites, turned, bullets, clustered; and the worst cases of some phase: row, column, ",
        "hills. Exit status: 0 measured",
        "- reference: The reference: the definition of a hit, written out; slow - cpu: All CPU cores - gpu: A GPU - auto:",
    ] {
        assert!(bench.contains(says), "{says}: {bench}");
    }
}

#[cfg(feature = "gpu")]
#[test]
fn gpus_are_listed_with_all_that_is_known_of_them() {
    let gpus = json_of(&["list-gpus", "--format", "json"]);
    assert!(!gpus.as_array().unwrap().is_empty());
    for gpu in gpus.as_array().unwrap() {
        for key in ["name", "kind", "backend", "driver"] {
            assert!(gpu[key].is_string(), "{key}: {gpu}");
        }
        let address = gpu.get("pci_address").unwrap();
        // A driver that computes in software has no card.
        assert!(address.is_null() || address.is_string() && gpu["software"] == false, "{gpu}");
    }
}

#[test]
fn completions_are_printed_for_each_shell() {
    let folder = Folder::with(&[]);
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ran = folder.run(&["completions", shell]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
        assert!(
            ran.out.contains("list-gpus")
                && ran.out.contains("region")
                && ran.out.contains("--details") | ran.out.contains("-l details"),
            "{shell}"
        );
    }
}

#[test]
fn equal_engines_verify() {
    let ran = scene().run(&["verify", "scene.json", "--engines", "reference,cpu"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.starts_with("Equal on reference (1 thread), cpu (") && ran.out.ends_with(": 4 bodies\n"),
        "{}",
        ran.out
    );
    let ran = scene().run(&["verify", "--random", "20", "--seed", "5", "--engines", "cpu,reference"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.ends_with("20 random scenes, seeds 5 to 24\n"), "{}", ran.out);
}

#[test]
fn names_turn_no_text_and_do_not_widen_it() {
    let long = "é".repeat(100_000);
    let body = |x: i32, name: &str| json!({ "shape": "s\u{202e}", "at": [x, 0], "name": name });
    let bodies = [body(0, "gpj.\u{202e}evil"), body(1, "\u{2066}\u{200b}\u{2028}b"), body(50, &long), body(51, "near")];
    let scene = json!({ "shapes": { "s\u{202e}": { "box": [9, 9] } }, "bodies": bodies }).to_string();
    let folder = Folder::with(&[("scene.json", &scene)]);
    let ran = folder.run(&["check", "scene.json", "--backend", "cpu"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    let lines: Vec<&str> = ran.out.lines().skip(2).collect();
    let label = r"0 `gpj.\u{202e}evil` (s\u{202e})";
    let other = r"1 `\u{2066}\u{200b}\u{2028}b` (s\u{202e})";
    assert_eq!(lines[0], format!("{label:60}  hits  {other}"));
    assert_eq!(lines[1], format!(r"2 `{}…` (s\u{{202e}})  hits  3 `near` (s\u{{202e}})", "é".repeat(200)));
    assert_eq!(lines.len(), 2);
    // Arguments that an error message quotes.
    for arguments in [&["check", "none\u{202e}\n.json"][..], &["check", "scene.json", "--backend", "cpu\u{202e}"]] {
        let ran = folder.run(arguments);
        assert!(ran.status == Some(2) && ran.err.contains(r"\u{202e}") && !ran.err.contains('\u{202e}'), "{}", ran.err);
    }
}
