//! `hitmask verify --export`.

#![cfg(feature = "gpu")]

mod common;

use std::collections::BTreeSet;
use std::fs;

use common::Folder;
use serde_json::Value;

/// An exported folder is complete: the page, its script, and vectors with all that the manifest mentions.
#[test]
fn vectors_are_whole() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["verify", "--export", "out/vectors", "--random", "24"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(ran.out.starts_with("Written to out/vectors: 76 functions"), "{}", ran.out);
    let read = |name: &str| fs::read(folder.at("out/vectors").join(name)).expect("it is written");
    let page = String::from_utf8(read("verify.html")).unwrap();
    assert!(page.contains("src=\"verify.js\"") && !read("verify.js").is_empty());

    let manifest: Value = serde_json::from_slice(&read("vectors.json")).unwrap();
    let words = read("vectors.bin").len() as u64 / 4;
    assert_eq!(manifest["words"], words);
    let has = |part: &Value| part[0].as_u64().unwrap() + part[1].as_u64().unwrap() <= words;
    let list = |value: &Value| value.as_array().unwrap().clone();
    let functions = list(&manifest["functions"]["list"]);
    assert!(functions.len() > 40);
    for function in &functions {
        let cases = manifest["functions"]["cases"].as_u64().unwrap();
        assert_eq!(function["answers"][1], 4 * cases, "{}", function["name"]);
        assert!(has(&function["inputs"]) && has(&function["answers"]), "{}", function["name"]);
        assert!(function["module"].as_str().unwrap().contains("fn ask("), "{}", function["name"]);
    }
    let (mut run, mut pairs) = (BTreeSet::new(), 0);
    for step in list(&manifest["steps"]) {
        run.extend(list(&step["commands"]).iter().filter_map(|command| Some(command["dispatch"].as_str()?.to_owned())));
        assert!(list(&step["uploads"]).iter().all(|upload| has(&upload[1])), "{}", step["name"]);
        assert!(list(&step["expected"]).iter().all(|part| has(&part["words"])), "{}", step["name"]);
        pairs += list(&step["expected"])[2]["words"][1].as_u64().unwrap() / 2;
    }
    let entries = list(&manifest["modules"]).into_iter().flat_map(|module| list(&module["entries"]));
    assert_eq!(run, entries.map(|entry| entry.as_str().unwrap().to_owned()).collect());
    assert!(pairs > 50_000, "{pairs}");
}

#[test]
fn what_compares_here_is_not_exported() {
    let folder = Folder::with(&[]);
    for with in [["--engines", "cpu,gpu"], ["--gpu", "x"], ["--out", "y"]] {
        let ran = folder.run(&["verify", "--export", "out", with[0], with[1]]);
        assert_eq!(ran.status, Some(2));
        assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
    }
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    const SCENE: &str = r#"{"shapes": {"a": {"circle": 2}}, "bodies_csv": "vectors.bin"}"#;
    let folder = Folder::with(&[("mismatch.json", SCENE), ("vectors.json", "{}"), ("vectors.bin", "shape,x,y\n")]);
    for (options, words) in [
        (&["mismatch.json", "--engines", "cpu,reference"][..], "mismatch.json: this is an input"),
        (
            &["mismatch.json", "--engines", "cpu,reference", "--out", "./mismatch.json"],
            "mismatch.json: this is an input",
        ),
        (&["vectors.json", "--export", "."], "vectors.json: this is an input"),
        (&["mismatch.json", "--export", "."], "vectors.bin: this is an input"),
    ] {
        let ran = folder.run(&[&["verify"], options].concat());
        assert_eq!(ran.status, Some(2), "{options:?}: {}", ran.out);
        assert!(ran.err.contains(words), "{}", ran.err);
    }
    assert!(!folder.at("verify.html").exists());
    let ran = folder.run(&["verify", "mismatch.json", "--out", "other.json", "--engines", "cpu,reference"]);
    assert_eq!((ran.status, folder.at("other.json").exists()), (Some(0), false), "{}", ran.err);
}

/// `auto` may be the CPU, and is named as it was requested.
#[test]
fn auto_is_compared_with_another_engine_than_the_cpu() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["verify", "--random", "3", "--engines", "reference,auto", "--gpu", "llvmpipe"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("Equal on reference (1 thread), auto ("), "{}", ran.out);
    let ran = folder.run(&["verify", "--random", "3", "--engines", "auto,cpu"]);
    assert_eq!(ran.status, Some(2), "{}", ran.out);
    assert!(ran.err.contains("two different engines") && ran.err.contains("`auto` may be the CPU"), "{}", ran.err);
}

#[test]
fn a_swarm_is_of_random_scenes_alone() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["verify", "--swarm", "--random", "20", "--engines", "reference,cpu"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("20 random scenes, seeds 1 to 20"), "{}", ran.out);
    for arguments in [&["scene.json"][..], &["--export", "out"]] {
        let ran = folder.run(&[&["verify", "--swarm"], arguments].concat());
        assert_eq!(ran.status, Some(2), "{arguments:?}");
        assert!(ran.err.contains("cannot be used with"), "{arguments:?}: {}", ran.err);
    }
}

#[test]
fn a_soak_ends_with_its_time() {
    let folder = Folder::with(&[]);
    let ran = folder.run(&["verify", "--soak", "300ms", "--engines", "cpu,reference", "--seed", "5"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains(" random scene") && ran.out.contains(", seeds 5 to "), "{}", ran.out);
    for (arguments, words) in [
        (&["--soak", "soon"][..], "--soak"),
        (&["--soak", "1s", "--random", "5"], "cannot be used with"),
        (&["--soak", "1s", "scene.json"], "cannot be used with"),
    ] {
        let ran = folder.run(&[&["verify"], arguments].concat());
        assert_eq!(ran.status, Some(2), "{arguments:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
}
