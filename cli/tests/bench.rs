//! `hitmask bench`: measurements, output files and errors. Tests assert that there are times, not how long they are.

mod common;

use common::{Folder, Ran, hitmask};
use serde_json::Value;

/// Arguments that measure a few steps of a small world on the CPU.
const QUICK: [&str; 9] = ["bench", "boxes", "--sizes", "1k", "--backends", "cpu", "--runs", "3", "--commit=0123abcd"];

fn quick(folder: &Folder, more: &[&str]) -> Ran {
    let ran = folder.run(&[&QUICK[..], more].concat());
    assert_eq!(ran.status, Some(0), "{more:?}: {ran:?}");
    ran
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// Asserts that the text is well-formed XML, as far as this program writes any: elements that nest, attributes in
/// quotes, no bare `&` or `<`.
fn assert_xml(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let between = &rest[..start];
        assert!(between.split('&').skip(1).all(|entity| entity.contains(';')), "{between}");
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!tag.contains('<'), "{tag}");
        match (tag.strip_prefix('/'), tag.strip_suffix('/')) {
            (Some(name), _) => assert_eq!(open.pop(), Some(name)),
            (None, Some(_)) => {}
            (None, None) => open.push(tag.split(' ').next().unwrap_or(tag)),
        }
        rest = &rest[end + 1..];
    }
    assert!(open.is_empty() && rest.trim().is_empty(), "{open:?} {rest}");
}

#[test]
fn auto_is_measured_as_any_engine_and_tells_which_it_was() {
    let ran = Folder::with(&[]).run(&["bench", "boxes", "--sizes", "100", "--backends", "cpu,auto", "--runs", "20"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains(" auto "), "{}", ran.out);
    assert!(ran.err.contains("the engine is cpu (") && ran.err.contains("its steps are too short"), "{}", ran.err);
}

#[test]
fn json_has_all_that_a_time_is_judged_by() {
    let ran =
        quick(&Folder::with(&[]), &["--format", "json", "--threads", "2", "--simd", "plain", "--ask", "flags,pairs"]);
    let record = json(&ran.out);
    assert_eq!((&record["schema"], &record["commit"]), (&2.into(), &"0123abcd".into()));
    assert_eq!(record["hitmask"], env!("CARGO_PKG_VERSION"));
    assert!(record["date"].as_str().unwrap().ends_with('Z'));
    for key in ["cpu", "cores", "os", "arch"] {
        assert!(record["machine"].as_object().unwrap().contains_key(key), "{key}");
    }
    let engine = &record["engines"][0];
    assert_eq!((&engine["backend"], &engine["threads"], &engine["simd"]), (&"cpu".into(), &2.into(), &"plain".into()));
    let [flags, pairs] = record["cases"].as_array().unwrap().as_slice() else { panic!("two cases: {record}") };
    assert_eq!((&flags["ask"], &pairs["ask"]), (&"flags".into(), &"pairs".into()));
    assert_eq!((&flags["pairs_per_second"], &flags["answers"][0]["pairs"]), (&Value::Null, &Value::Null));
    assert_eq!(pairs["answers"][0]["pairs"]["count"], 2039);
    assert_eq!(
        pairs["answers"].as_array().unwrap().iter().map(|answer| &answer["step"]).collect::<Vec<_>>(),
        [0, 1, 2]
    );
    for (key, value) in [("workload", "boxes"), ("backend", "cpu"), ("broad", "auto")] {
        assert_eq!(pairs[key], value);
    }
    let numbers = [("number", 1), ("n", 1000), ("bodies", 1000), ("moved_permille", 1000), ("runs_asked", 3)];
    for (key, value) in numbers.into_iter().chain([("seed", 1_000_001_007)]) {
        assert_eq!(pairs[key], value, "{key}");
    }
    assert_eq!(pairs["samples_ns"].as_array().unwrap().len(), 3);
    for key in ["median_ns", "mad_ns", "min_ns", "max_ns"] {
        assert!(pairs["time"][key].is_u64(), "{key}");
        assert!(pairs["stages"][0][key].is_u64(), "{key} of a stage");
    }
    assert!(pairs["stages"][0]["name"].is_string() && pairs["stages"][0]["clock"].is_string());
    for key in ["candidates", "bytes", "bytes_per_body", "frames_per_second", "pairs_per_second", "tests_per_second"] {
        assert!(pairs[key].is_number(), "{key}");
    }
}

#[test]
fn the_suite_measures_its_parts_in_processes_of_their_own_and_scores_only_the_whole() {
    let folder = Folder::with(&[]);
    let suite = ["bench", "--suite", "--only", "boxes-10k,turned-10k-moving", "--backends", "cpu"];
    let lost = folder.run(&["bench", "--suite", "--only", "boxes-10k", "--backends", "gpu", "--gpu", "no such GPU"]);
    assert_eq!(lost.status, Some(2), "{}", lost.out);
    assert!(lost.out.contains("boxes-10k on gpu: not run: ") && lost.out.contains("score, gpu: none"), "{}", lost.out);
    let ran = folder.run(&[&suite[..], &["--out", "suite.json", "--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("hitmask-1 score, cpu: none, as 2 of 13 parts were measured"), "{}", ran.out);
    let record: Value = serde_json::from_str(&std::fs::read_to_string(folder.at("suite.json")).unwrap()).unwrap();
    assert_eq!(record["suite"]["name"], "hitmask-1");
    for (part, name) in ["boxes-10k", "turned-10k-moving"].iter().enumerate() {
        let told = &record["suite"]["parts"][part];
        assert_eq!((&told["part"], &told["backend"]), (&(*name).into(), &"cpu".into()));
        let [case, base] = [&record["cases"][part]["time"]["median_ns"], &told["ratio"]].map(|v| v.as_f64().unwrap());
        assert!(case > 0.0 && base > 0.0);
    }
    assert_eq!((&record["cases"][1]["moving"], &record["cases"][1]["n"]), (&true.into(), &10_000.into()));
    assert_eq!(record["suite"]["scores"][0]["points"], Value::Null);

    // The gate passes against the same times, and fails against times that no machine has.
    let lines = |compared: &str| {
        let gate = ["--compare", compared, "--ci", "900", "--junit", "verdicts.xml", "--format", "line"];
        folder.run(&[&suite[..], &gate].concat())
    };
    let passed = lines("suite.json");
    assert_eq!(passed.status, Some(0), "{}", passed.err);
    let line = passed.out.lines().next().unwrap();
    let value = line.strip_prefix("hitmask-1.cpu.boxes-10k = ").and_then(|rest| rest.strip_suffix(" ms"));
    assert!(value.unwrap().parse::<f64>().unwrap() > 0.0, "{line}");
    let mut fast = record;
    for sample in fast["cases"][0]["samples_ns"].as_array_mut().unwrap() {
        *sample = 1.into();
    }
    std::fs::write(folder.at("fast.json"), fast.to_string()).unwrap();
    let failed = lines("fast.json");
    assert_eq!(failed.status, Some(1), "{}", failed.err);
    assert!(failed.err.contains("failed: hitmask-1.cpu.boxes-10k: slower by at least"), "{}", failed.err);
    let verdicts = std::fs::read_to_string(folder.at("verdicts.xml")).unwrap();
    assert!(verdicts.contains("tests=\"2\" failures=\"1\" skipped=\"0\""), "{verdicts}");
}

#[test]
fn instructions_are_the_same_in_each_run_and_gate() {
    let folder = Folder::with(&[("-%p.json", r#"{"shapes":{"a":{"circle":2}},"bodies":[{"shape":"a","at":[0,0]}]}"#)]);
    let bench = ["bench", "boxes", "--sizes", "500", "--backends", "cpu", "--runs", "1", "--instructions"];
    let counted = |more: &[&str]| folder.run(&[&bench, more].concat());
    let ran = counted(&["--format", "json", "--out", "old.json"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains(" instructions on one thread ("), "{}", ran.out);
    let mut record: Value = serde_json::from_str(&std::fs::read_to_string(folder.at("old.json")).unwrap()).unwrap();
    let count = record["cases"][0]["instructions"]["per_frame"].as_u64().unwrap();
    // Moving a body takes some instructions, whatever the optimisation; a thousand would be a count of something else.
    assert!((5_000..5_000_000).contains(&count), "{count}");
    let gate = |old| counted(&["--compare", old, "--ci-instructions", "1", "--junit", "verdicts.xml"]);
    let passed = gate("old.json");
    assert_eq!(passed.status, Some(0), "{}", passed.err);
    record["cases"][0]["instructions"]["per_frame"] = (count * 9 / 10).into();
    std::fs::write(folder.at("fewer.json"), record.to_string()).unwrap();
    let failed = gate("fewer.json");
    assert_eq!(failed.status, Some(1), "{}", failed.err);
    assert!(failed.err.contains("failed: boxes.500.cpu.auto.pairs.instructions: takes 1"), "{}", failed.err);
    let verdicts = std::fs::read_to_string(folder.at("verdicts.xml")).unwrap();
    assert!(verdicts.contains("tests=\"1\" failures=\"1\" skipped=\"0\""), "{verdicts}");

    // A scene may be named like an option, and the folder for temporary files like a pattern of valgrind.
    let temporary = folder.at("%p");
    std::fs::create_dir(&temporary).unwrap();
    let scene = ["bench", "--backends", "cpu", "--runs", "1", "--instructions", "--", "-%p.json"];
    let ran = Ran::from(hitmask(&folder.at(""), &scene).env("TMPDIR", &temporary).output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains(" instructions on one thread ("), "{}", ran.out);
    assert_eq!(std::fs::read_dir(temporary).unwrap().count(), 0, "nothing is left");
}

#[test]
fn a_page_shows_records_and_measures_nothing() {
    let folder = Folder::with(&[("bad.json", "{}")]);
    quick(&folder, &["--format", "json", "--out", "here.json", "--html", "one.html"]);
    let one = std::fs::read_to_string(folder.at("one.html")).unwrap();
    assert!(one.contains("\"name\":\"this run\""), "the page has this run");
    let ran = folder.run(&["bench", "--html", "two.html", "--records", "here.json,here.json"]);
    assert_eq!((ran.status, ran.out.as_str(), ran.err.as_str()), (Some(0), "", ""));
    let two = std::fs::read_to_string(folder.at("two.html")).unwrap();
    assert_eq!(two.matches("\"name\":\"here\"").count(), 2);
    for (arguments, words) in [
        (&["--html", "p.html", "--records", "bad.json"][..], "bad.json: not a record"),
        (&["--html", "here.json", "--records", "here.json"], "here.json: this is an input"),
        (&["--records", "here.json"], "--html"),
        (&["boxes", "--html", "p.html", "--records", "here.json"], "cannot be used with"),
    ] {
        let ran = folder.run(&[&["bench"], arguments].concat());
        assert_eq!(ran.status, Some(2), "{arguments:?}");
        assert!(ran.err.contains(words), "{arguments:?}: {}", ran.err);
    }
    assert!(!folder.at("p.html").exists());
}

#[test]
fn text_markdown_and_csv_have_a_row_for_each_case() {
    let folder = Folder::with(&[]);
    let broad = ["--broad", "auto,sorted,auto", "--steady", "10"];
    let text = quick(&folder, &broad).out;
    assert!(text.starts_with("hitmask ") && text.contains("\nboxes: 10 of 1000 bodies move\nBODIES  ENGINE"), "{text}");
    let rows = text.lines().filter(|line| line.starts_with("    1k  cpu ") && line.contains(" 2039 "));
    assert_eq!(rows.count(), 2, "{text}");
    let markdown = quick(&folder, &[&broad[..], &["--format", "markdown"]].concat()).out;
    assert_eq!(markdown.lines().filter(|line| line.starts_with("| 1k | cpu |")).count(), 2, "{markdown}");
    let csv = quick(&folder, &[&broad[..], &["--format", "csv"]].concat()).out;
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    assert!(rows.headers().unwrap().iter().any(|head| head == "median_ns"));
    let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
    assert_eq!(rows.iter().filter(|row| &row[7] == "frame").count(), 2, "{csv}");
    assert!(rows.iter().all(|row| &row[0] == "boxes" && row[9].parse::<u64>().is_ok()), "{csv}");
}

#[test]
fn bodies_that_move_within_the_step_are_another_case() {
    let folder = Folder::with(&[]);
    let text = quick(&folder, &["--moving"]).out;
    assert!(text.contains("\nboxes: all bodies move, also within the step\nBODIES"), "{text}");
    quick(&folder, &["--moving", "--format", "json", "--out", "moving.json"]);
    let record = json(&std::fs::read_to_string(folder.at("moving.json")).unwrap());
    assert_eq!(record["cases"][0]["moving"], true);
    assert!(record["cases"][0]["answers"][0]["pairs"]["count"].as_u64().unwrap() > 2039, "they reach further");
    let text = quick(&folder, &["--compare", "moving.json"]).out;
    assert!(text.contains("only in the old record: boxes 1k 1000‰, moving cpu"), "{text}");
}

#[test]
fn a_record_is_compared_with_an_older_one() {
    let folder = Folder::with(&[]);
    let first = quick(&folder, &["--format", "json", "--out", "old.json"]);
    assert!(first.out.starts_with("hitmask "), "text beside the file: {}", first.out);
    assert_eq!(json(&std::fs::read_to_string(folder.at("old.json")).unwrap())["schema"], 2);
    let text = quick(&folder, &["--compare", "old.json"]).out;
    let at = text.find("\nSince hitmask ").unwrap_or_else(|| panic!("{text}"));
    let row = text[at..].lines().find(|line| line.starts_with("boxes ")).unwrap();
    assert!(row.contains("1k  1000‰  cpu ") && row.ends_with('%'), "{row}");
    // With `--format json`, the comparison goes to standard error.
    let ran = quick(&folder, &["--format", "json", "--compare", "old.json", "--sizes", "2k"]);
    assert_eq!(json(&ran.out)["cases"].as_array().unwrap().len(), 2);
    assert!(ran.err.contains("Since hitmask ") && ran.err.contains("only in the new record: boxes 2k"), "{}", ran.err);
}

#[cfg(unix)]
#[test]
fn a_run_that_is_interrupted_leaves_no_file() {
    let folder = Folder::with(&[]);
    let mut child =
        hitmask(&folder.at(""), &["bench", "boxes", "--sizes", "1k", "--runs", "1000000", "--out", "new.json"])
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!folder.at("new.json").exists());
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    const SCENE: &str = r#"{"shapes": {"a": {"circle": 2}}, "bodies_csv": "bodies.csv"}"#;
    const ROWS: &str = "shape,x,y\na,0,0\n";
    let folder = Folder::with(&[("scene.json", SCENE), ("bodies.csv", ROWS)]);
    quick(&folder, &["--format", "json", "--out", "old.json"]);
    let old = std::fs::read_to_string(folder.at("old.json")).unwrap();
    let absolute = folder.at("new.svg");
    let absolute = absolute.to_str().unwrap();
    for (options, words) in [
        (&["--out", "scene.json"][..], "scene.json: this is an input"),
        (&["--out", "bodies.csv"], "bodies.csv: this is an input"),
        (&["--html", "./scene.json"], "./scene.json: this is an input"),
        (&["--compare", "old.json", "--out", "old.json"], "old.json: this is an input"),
        (&["--out", "new.svg", "--plot", "new.svg"], "--out and --plot name the same file"),
        (&["--out", "new.svg", "--html", "./new.svg"], "--out and --html name the same file"),
        (&["--html", absolute, "--plot", "new.svg"], "--plot and --html name the same file"),
    ] {
        let ran = folder.run(&[&["bench", "scene.json", "--backends", "cpu", "--runs", "1"], options].concat());
        assert_eq!(ran.status, Some(2), "{options:?}");
        assert!(ran.err.contains(words), "{options:?}: {}", ran.err);
    }
    for (name, text) in [("scene.json", SCENE), ("bodies.csv", ROWS), ("old.json", &old)] {
        assert_eq!(std::fs::read_to_string(folder.at(name)).unwrap(), text, "{name}");
    }
    assert!(!folder.at("new.svg").exists());
}

#[test]
fn an_older_record_turns_no_text() {
    let folder = Folder::with(&[]);
    quick(&folder, &["--format", "json", "--out", "old.json"]);
    let old = std::fs::read_to_string(folder.at("old.json")).unwrap();
    let long = "é".repeat(100_000);
    let hostile = old.replace("\"boxes\"", &format!("\"a\u{202e}\\u001b[2J\\n9 passed{long}\""));
    std::fs::write(folder.at("hostile.json"), hostile).unwrap();
    let ran = folder.run(&[&QUICK[..8], &["--compare", "hostile.json", "--ci=9", "--commit=\u{1b}[2J"]].concat());
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.out.contains(r"only in the old record: a\u{202e}\u{1b}[2J\n9 passedé"), "{}", ran.out);
    assert!(ran.err.contains(r"failed: a\u{202e}\u{1b}[2J\n9 passedé"), "{}", ran.err);
    assert!(ran.out.contains(r" at \u{1b}[2J, "), "{}", ran.out);
    for text in [ran.out, ran.err] {
        assert!(!text.contains(['\u{202e}', '\u{1b}']) && !text.contains("\n9 passed"), "{text}");
    }
}

#[test]
fn a_plot_is_well_formed() {
    let folder = Folder::with(&[(
        "<&>.json",
        r#"{ "shapes": { "s": { "circle": 1 } }, "bodies": [{ "shape": "s", "at": [0, 0] }] }"#,
    )]);
    quick(&folder, &["circles", "<&>.json", "--sizes", "300", "--broad", "auto,all-pairs", "--plot", "plot.svg"]);
    let svg = std::fs::read_to_string(folder.at("plot.svg")).unwrap();
    assert_xml(&svg);
    for text in [
        "<svg xmlns=\"http://www.w3.org/2000/svg\"",
        ">boxes<",
        ">circles<",
        ">&lt;&amp;&gt;.json<",
        ">cpu all-pairs<",
        ">1k<",
    ] {
        assert!(svg.contains(text), "{text} is not in {svg}");
    }
}

#[test]
fn scenes_are_measured_as_they_are() {
    let scene = r#"{ "shapes": { "s": { "box": [2, 2] } },
        "bodies": [{ "shape": "s", "at": [0, 0] }, { "shape": "s", "at": [1, 1] }, { "shape": "s", "at": [100, 1] }] }"#;
    let folder = Folder::with(&[("three.json", scene), ("empty.json", "{}")]);
    let arguments =
        ["bench", "three.json", "empty.json", "--backends", "cpu,reference", "--ask", "details", "--runs", "1"];
    let ran = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let record = json(&ran.out);
    let told = |case: usize, key: &str| record["cases"][case][key].clone();
    assert_eq!([told(0, "bodies"), told(0, "seed")], [Value::from(3), Value::Null]);
    assert_eq!(told(0, "answers")[0]["details"]["count"], 1);
    assert_eq!(told(0, "answers"), told(1, "answers"), "cpu and reference");
    assert_eq!([told(2, "bodies"), told(3, "backend")], [Value::from(0), "reference".into()]);
}

#[cfg(unix)]
#[test]
fn a_scene_may_have_a_name_that_is_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let (folder, name) = (Folder::with(&[]), std::ffi::OsStr::from_bytes(b"\xff.json"));
    std::fs::write(folder.at("").join(name), "{}").unwrap();
    let arguments = ["bench", "--backends", "cpu", "--runs", "1"];
    let ran = Ran::from(hitmask(&folder.at(""), &arguments).arg(name).output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.contains("\n\u{fffd}.json: all bodies move"), "{}", ran.out);
}

#[test]
fn a_spent_budget_is_told() {
    let arguments = ["bench", "boxes", "--sizes", "1k", "--backends", "cpu", "--budget", "0.05"];
    for (more, frames) in [(["--runs", "1000000"], 1_000_000), (["--warm-up", "4294967295"], 7)] {
        let ran = Folder::with(&[]).run(&[&arguments[..], &more].concat());
        assert_eq!(ran.status, Some(0), "{ran:?}");
        let told = format!("the budget was spent before {frames} frames were timed");
        assert!(ran.out.contains(&told), "{}", ran.out);
    }
}

#[cfg(feature = "gpu")]
#[test]
fn a_gpu_answers_as_the_cpu_does() {
    let folder = Folder::with(&[]);
    let arguments =
        ["bench", "sprites", "--sizes", "1k", "--backends", "cpu,gpu", "--broad", "auto,sorted", "--runs", "2"];
    let ran = folder.run(&[&arguments[..], &["--format", "json"]].concat());
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let record = json(&ran.out);
    assert_eq!(record["cases"].as_array().unwrap().len(), 4);
    let adapter = &record["engines"][1]["adapter"];
    assert!(
        adapter["name"].is_string() && adapter["driver"].is_string() && adapter["software"].is_boolean(),
        "{adapter}"
    );
    for limit in ["max_buffer_size", "max_storage_buffer_binding_size", "max_compute_workgroups_per_dimension"] {
        assert!(adapter["limits"][limit].is_u64(), "{limit}");
    }
}

/// Each way to compute gives the answers that the CPU gives, or `bench` would fail; the record names the way.
#[test]
fn a_gpu_is_measured_on_each_path() {
    let folder = Folder::with(&[]);
    let run = |path: &[&str]| {
        let run =
            ["bench", "boxes", "turned", "--sizes", "300", "--broad", "sorted", "--runs", "1", "--format", "json"];
        let ran = folder.run(&[&run[..], &["--backends", "gpu", "--gpu", "llvmpipe"], path].concat());
        assert_eq!(ran.status, Some(0), "{path:?}: {}", ran.err);
        json(&ran.out)
    };
    for path in ["words", "loop-checks", "no-tables", "no-samples"] {
        assert_eq!(run(&["--gpu-path", path])["engines"][0]["path"], path);
    }
    let refused = folder.run(&["bench", "boxes", "--backends", "cpu", "--gpu-path", "words"]);
    assert_eq!(refused.status, Some(2));
    assert!(
        refused.err.contains("--gpu-path words applies to the engines gpu and auto; --backends"),
        "{}",
        refused.err
    );
    let record = run(&["--roofs"]);
    assert_eq!(record["engines"][0]["path"], Value::Null);
    // Stages by the GPU's clock come from frames of their own.
    let clocks = record["cases"][0]["stages"].as_array().unwrap().iter().map(|stage| stage["clock"].as_str().unwrap());
    assert!(clocks.eq(["host"; 5].into_iter().chain(["gpu"; 4])), "{}", record["cases"][0]["stages"]);
    let roofs = record["roofs"].as_array().unwrap();
    assert!(roofs.len() >= 11, "{roofs:?}");
    for roof in roofs {
        assert!(roof["value"].as_f64().is_some_and(|value| value > 0.0 && value.is_finite()), "{roof}");
    }
}

#[test]
fn what_cannot_be_measured_is_refused_before_anything_is() {
    let folder = Folder::with(&[("new.json", r#"{ "schema": 99 }"#), ("scene.json", "{}"), ("bad.json", "{")]);
    let refused = |arguments: &[&str], words: &[&str]| {
        let ran = folder.run(&[&["bench"], arguments].concat());
        assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {}", ran.err);
        for word in words {
            assert!(ran.err.contains(word), "{arguments:?}: `{word}` is not said: {}", ran.err);
        }
    };
    refused(&["bocks"], &["`bocks` is neither a scene file nor a workload", "boxes, circles, sprites"]);
    refused(&["bad.json"], &["bad.json: "]);
    refused(&["boxes", "--sizes", "1x"], &["--sizes", "1000, 1k, 2.5k or 1M"]);
    refused(&["boxes", "--sizes", "1k,0"], &["from 1 to 4294967294"]);
    refused(&["scene.json", "--sizes", "1k"], &["a scene has its own size"]);
    refused(&["boxes", "spot", "--sizes", "1k,10k"], &["--sizes 10k", "spot", "at most 4096 bodies"]);
    if cfg!(target_os = "linux") {
        refused(
            &["boxes", "--sizes", "4000M"],
            &["--sizes 4000M of the workload boxes needs about 1.20 TB", "is free"],
        );
    }
    refused(&["boxes", "--backends", "abacus"], &["reference, cpu, gpu"]);
    refused(&["boxes", "--backends", "cpu", "--gpu", "x"], &["--gpu x", "--backends names none"]);
    refused(&["boxes", "--backends", "gpu", "--gpu", "no such gpu"], &["GPU"]);
    for (backends, option, words) in [
        ("cpu,auto", &["--dispatches"][..], "--dispatches applies to the engine gpu; --backends does not name it"),
        ("cpu,auto", &["--roofs"], "--roofs applies to the engine gpu; --backends"),
        (
            "reference,gpu",
            &["--threads", "3"],
            "--threads 3 applies to the engines cpu and auto; --backends names none",
        ),
        ("reference,gpu", &["--simd", "plain"], "--simd plain applies to the engines cpu and auto; --backends"),
        ("auto,gpu", &["--instructions"], "--instructions applies to the engine cpu; --backends"),
    ] {
        refused(&[&["boxes", "--sizes", "10", "--runs", "1", "--backends", backends], option].concat(), &[words]);
    }
    refused(&["boxes", "--broad", "narrow"], &["auto, all-pairs, sorted"]);
    refused(&["boxes", "--ask", "nicely"], &["flags, pairs, details"]);
    refused(&["boxes", "--runs", "0"], &["--runs"]);
    refused(&["boxes", "--suite"], &["--suite", "cannot be used with"]);
    refused(&["--suite", "--runs", "3"], &["--suite", "--runs"]);
    refused(&["--suite", "--only", "boxes"], &["--only boxes", "its parts are boxes-10k, boxes-1M"]);
    refused(&["--suite", "--backends", "auto"], &["the engines cpu and gpu", "auto"]);
    refused(&["--only", "boxes-10k"], &["--suite"]);
    for with in [&["boxes"][..], &["--sizes", "10"], &["--records", "new.json", "--html", "page.html"]] {
        refused(
            &[&["--only", "boxes-10k", "--backends", "cpu", "--runs", "1"], with].concat(),
            &["--only", "cannot be"],
        );
    }
    for gate in ["--ci", "--ci-instructions"] {
        refused(&["--records", "new.json", "--html", "page.html", gate, "5"], &[gate, "cannot be used with"]);
    }
    refused(&["--suite", "--compare", "new.json", "--ci-instructions", "5"], &["--suite", "cannot be used with"]);
    refused(&["boxes", "--ci", "10"], &["--compare"]);
    refused(&["boxes", "--compare", "new.json", "--ci", "nan"], &["0 or more"]);
    refused(&["boxes", "--compare", "new.json", "--ci-instructions", "2"], &["--instructions"]);
    refused(&["boxes", "--junit", "verdicts.xml"], &["--ci", "--ci-instructions"]);
    refused(&["boxes", "--backends", "reference", "--instructions"], &["--instructions", "--backends"]);
    refused(&["boxes", "--warm-up", "0"], &["--warm-up"]);
    refused(&["boxes", "--steady", "1001"], &["--steady", "0..=1000"]);
    refused(&["boxes", "--threads", "0"], &["--threads"]);
    refused(&["boxes", "--budget", "nan"], &["a number of seconds above 0"]);
    refused(&["boxes", "--simd", "mmx"], &["avx512, neon"]);
    let other = if cfg!(target_arch = "aarch64") { "avx2" } else { "neon" };
    refused(&["boxes", "--backends", "cpu", "--simd", other], &["simd", other]);
    refused(&["boxes", "--backends", "cpu", "--compare", "none.json"], &["none.json: No such file"]);
    refused(
        &["boxes", "--backends", "cpu", "--compare", "new.json"],
        &["new.json: the record has schema 99", "schema 2"],
    );
    refused(
        &["boxes", "--backends", "cpu", "--compare", "scene.json"],
        &["scene.json: not a record of `hitmask bench"],
    );
    refused(&["boxes", "--backends", "cpu", "--out", "none/out.json"], &["none/out.json: No such file"]);
    refused(&["boxes", "--backends", "cpu", "--html", "."], &["error: .: "]);
    refused(&["boxes", "--backends", "cpu", "--plot", "plot.png"], &["--plot", "whose name ends in .svg"]);
}

#[test]
fn the_phoronix_profile_reads_the_lines_of_the_suite() {
    let profile = concat!(env!("CARGO_MANIFEST_DIR"), "/../bench/phoronix/hitmask-1.0.0");
    let [test, results] = ["test-definition.xml", "results-definition.xml"]
        .map(|name| std::fs::read_to_string(format!("{profile}/{name}")).unwrap());
    let [test, results] = [&test, &results].map(|text| roxmltree::Document::parse(text).unwrap());
    let all = |document: &roxmltree::Document<'_>, tag: &str| -> Vec<String> {
        let found = document.descendants().filter(|node| node.has_tag_name(tag));
        found.map(|node| node.text().unwrap_or_default().to_owned()).collect()
    };
    // `cli/src/bench/line.rs` tests that the program prints such lines.
    let expected = ["cpu", "gpu"].map(|engine| format!("hitmask-1.{engine}.score = #_RESULT_# points"));
    assert_eq!(all(&results, "OutputTemplate"), expected);
    assert_eq!(all(&results, "MatchToTestArguments"), all(&test, "Value"), "an engine of the menu for each result");
    let arguments = all(&test, "Arguments").concat();
    let folder = Folder::with(&[]);
    for engine in all(&test, "Value").iter().filter(|value| value.ends_with("cpu")) {
        let line = format!("{arguments} {engine} --only boxes-10k");
        let ran = folder.run(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        assert!(ran.out.starts_with("hitmask-1.cpu.boxes-10k = "), "{}", ran.out);
    }
}
