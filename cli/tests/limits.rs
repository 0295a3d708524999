//! Little memory, few threads, and paths that are no regular files: exit status 2 and the reason, but never an abort, a
//! hang, or a wrong answer.
#![cfg(target_os = "linux")]

mod common;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use common::{Folder, Ran};

/// Runs the program with limits in the syntax of bash's `ulimit`.
fn limited(folder: &Folder, limits: &str, arguments: &[&str]) -> Ran {
    command(folder, limits, arguments).output().expect("bash starts").into()
}

fn command(folder: &Folder, limits: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new("bash");
    command.args(["-c", &format!("ulimit {limits} && exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_hitmask")]);
    command.args(arguments).current_dir(folder.at("")).env_remove("WGPU_ADAPTER_NAME").stdin(Stdio::null());
    command
}

/// Asserts that a run failed, with these words in its message.
fn refused(ran: &Ran, words: &[&str]) {
    assert_eq!((ran.status, ran.out.as_str()), (Some(2), ""), "{}", ran.err);
    for word in words {
        assert!(ran.err.contains(word), "`{word}` is not said: {}", ran.err);
    }
    assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
}

/// Lengthens a file by zeros that take no space on the disk.
fn lengthen(folder: &Folder, name: &str, bytes: u64) {
    fs::OpenOptions::new().write(true).open(folder.at(name)).unwrap().set_len(bytes).unwrap();
}

/// Returns a scene of unit boxes at the same place.
fn spot(bodies: usize) -> String {
    let body = r#"{"shape":"s","at":[0,0]}"#;
    format!(r#"{{"shapes":{{"s":{{"box":[1,1]}}}},"bodies":[{}]}}"#, vec![body; bodies].join(","))
}

/// An address space, in KiB, that suffices for a scene of a few bodies.
const SPACE: u32 = 400 << 10;

#[test]
fn a_scene_within_the_limits_is_answered() {
    let folder = Folder::with(&[("few.json", &spot(500))]);
    let ran = limited(&folder, &format!("-v {SPACE}"), &["check", "few.json", "--backend", "cpu"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("500 bodies, 124750 pairs"), "{}", ran.out);
}

#[test]
fn more_pairs_than_memory() {
    let folder = Folder::with(&[("spot.json", &spot(12_000))]);
    for arguments in [
        &["render", "spot.json", "--backend", "cpu", "-o", "out.png"][..],
        &["bench", "spot.json", "--backends", "cpu", "--broad", "sorted"],
    ] {
        let ran = limited(&folder, &format!("-v {SPACE}"), arguments);
        refused(&ran, &["list of pairs", " needs ", " bytes, but the ", " memory", "layers"]);
    }
    assert!(!folder.at("out.png").exists());
}

/// Pairs that do not fit into memory are written as they are found.
#[test]
fn an_answer_larger_than_memory_is_an_answer() {
    let bodies = 7_000;
    let pairs = bodies * (bodies - 1) / 2;
    let folder = Folder::with(&[("spot.json", &spot(bodies))]);
    let start = |format: &str| {
        let arguments = ["check", "spot.json", "--backend", "cpu", "--format", format];
        let mut command = command(&folder, &format!("-v {SPACE}"), &arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };

    let mut json = start("json");
    let mut out = BufReader::new(json.stdout.take().unwrap());
    let mut text = Vec::new();
    out.read_until(b':', &mut text).unwrap();
    // After the key comes `[0,1],[0,2],` and so on.
    while !text.ends_with(b"\"pairs\":[") {
        assert_ne!(out.read_until(b'[', &mut text).unwrap(), 0, "there are pairs");
    }
    let mut expected = (0..bodies).flat_map(|i| (i + 1..bodies).map(move |j| [i, j]));
    let mut told = 0;
    loop {
        text.clear();
        out.read_until(b']', &mut text).unwrap();
        let Some(pair) = text.strip_suffix(b"]").filter(|pair| !pair.is_empty()) else { break };
        let pair = std::str::from_utf8(pair).unwrap().trim_start_matches([',', '[']);
        let (i, j) = pair.split_once(',').unwrap();
        assert_eq!(Some([i.parse().unwrap(), j.parse().unwrap()]), expected.next());
        told += 1;
    }
    assert_eq!(told, pairs);
    let ran = Ran::from(json.wait_with_output().unwrap());
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.err.contains("larger than memory"), "{}", ran.err);

    let mut text = start("text");
    let mut first = String::new();
    BufReader::new(text.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with(&format!("{bodies} bodies, {pairs} pairs, {bodies} of the bodies in a pair")), "{first}");
    assert_eq!(text.wait().unwrap().code(), Some(0), "a reader that has heard enough is no error");
}

#[test]
fn more_text_than_memory() {
    let folder = Folder::with(&[
        ("long.json", &spot(1)),
        ("csv.json", r#"{"shapes":{"s":{"box":[1,1]}},"bodies_csv":"long.csv"}"#),
        ("long.csv", "shape,x,y\n"),
    ]);
    let limit = format!("-v {SPACE}");
    for (scene, long) in [("long.json", "long.json"), ("csv.json", "long.csv")] {
        lengthen(&folder, long, 200 << 20);
        let ran = limited(&folder, &limit, &["check", scene, "--backend", "cpu"]);
        refused(&ran, &[&format!("{long}: "), "a file's text needs 6291", " bytes, but the free memory"]);
    }
}

#[test]
fn more_bodies_than_memory() {
    let mut rows = "shape,x,y\n".to_owned();
    (0..1_500_000).for_each(|x| writeln!(rows, "s,{x},0").unwrap());
    let folder = Folder::with(&[("rows.csv", &rows)]);
    let scene = r#"{"shapes":{"s":{"box":[1,1]}},"bodies_csv":"rows.csv"}"#;
    too_many(&folder, scene, ["rows.csv: line ", "the list of bodies needs "]);
}

#[test]
fn a_scene_of_more_than_memory() {
    let shapes = (0..2_000_000).fold(String::new(), |mut shapes, k| {
        write!(shapes, r#""{k}":{{"circle":1}},"#).unwrap();
        shapes
    });
    let outline = "[0,0],".repeat(8_000_000);
    let pixels = r##""#","##.repeat(6_000_000);
    for (scene, words) in [
        (spot(2_500_000), ["bodies", "the list of bodies needs "]),
        (spot(1_200_000), ["scene.json: body ", "the list of the world's bodies needs "]),
        (format!(r#"{{"shapes":{{{shapes}"s":{{"circle":1}}}}}}"#), ["shapes", "the list of shapes needs "]),
        (format!(r#"{{"shapes":{{"s":{{"polygon":[{outline}[1,1]]}}}}}}"#), ["shapes.s.polygon", "a list needs "]),
        (
            format!(r##"{{"shapes":{{"s":{{"sprite":{{"rows":[{pixels}"#"]}}}}}}}}"##),
            ["shapes.s.sprite.rows", "a list needs "],
        ),
    ] {
        // One at a time: together they would take 250 MB of the disk.
        too_many(&Folder::with(&[]), &scene, words);
    }
}

/// Asserts that this scene needs more memory than there is, with these words in the message.
fn too_many(folder: &Folder, scene: &str, words: [&str; 2]) {
    fs::write(folder.at("scene.json"), scene).expect("a file is written");
    let ran = limited(folder, &format!("-v {SPACE}"), &["check", "scene.json", "--backend", "cpu"]);
    refused(&ran, &[&words[..], &[" bytes, but the ", " memory"]].concat());
}

#[test]
fn files_that_are_none() {
    let folder = Folder::with(&[
        ("zero.json", r#"{"bodies_csv":"/dev/zero"}"#),
        ("pipe.json", r#"{"bodies_csv":"pipe"}"#),
        ("grows.json", r#"{"bodies_csv":"/proc/self/status"}"#),
        ("saved.json", r#"{"saved":"pipe"}"#),
        ("world.jsonl", "{}\n{}\n"),
    ]);
    assert!(Command::new("mkfifo").arg(folder.at("pipe")).status().unwrap().success());
    std::os::unix::net::UnixListener::bind(folder.at("socket")).unwrap();
    for (file, words) in [
        ("/dev/zero", ["/dev/zero: ", "a device; it must be a regular file"]),
        ("pipe", ["pipe: ", "a pipe; it must be a regular file"]),
        ("socket", ["socket: ", "a socket; it must be a regular file"]),
        (".", [".: ", "a directory; it must be a regular file"]),
        ("/proc/self/status", ["/proc/self/status: ", "more than the 0 bytes"]),
        ("zero.json", ["/dev/zero: ", "a device"]),
        ("pipe.json", ["pipe: ", "a pipe"]),
        ("saved.json", ["pipe: ", "a pipe"]),
        ("grows.json", ["/proc/self/status: ", "it is growing"]),
    ] {
        refused(&folder.run(&["check", file, "--backend", "cpu"]), &words);
        refused(&folder.run(&["verify", file, "--engines", "cpu,reference"]), &words);
        refused(&folder.run(&["render", file, "--backend", "cpu", "-o", "out.svg"]), &words);
    }
    for file in ["/dev/zero", "pipe"] {
        let arguments = ["bench", "boxes", "--sizes", "1k", "--backends", "cpu", "--compare", file];
        refused(&folder.run(&arguments), &[file, "a regular file"]);
        refused(&folder.run(&["diff", file, file]), &[file, "a regular file"]);
        refused(&folder.run(&["replay", "world.jsonl", "--from", file]), &[file, "a regular file"]);
    }
    fs::File::create(folder.at("large.json")).unwrap();
    lengthen(&folder, "large.json", 5 << 30);
    refused(&folder.run(&["check", "large.json"]), &["large.json: 5368709120 bytes; the limit is 4294967296"]);
}

#[test]
fn an_image_without_the_memory_to_decode_it() {
    let folder = Folder::with(&[(
        "image.json",
        r#"{"shapes":{"a":{"sprite":"large.png","region":[0,0,8,8]},"b":{"sprite":"large.png","region":[8,8,8,8]}}}"#,
    )]);
    fs::write(folder.at("large.png"), common::claims(16_384, 16_384)).unwrap();
    let ran = limited(&folder, &format!("-v {SPACE}"), &["check", "image.json", "--backend", "cpu"]);
    refused(&ran, &["shape `a`: ", "large.png: ", "the decoded image needs 1073741824 bytes, but the free memory"]);
}

/// Two sprites from each of eight sheets, in two rounds: all sheets at once would take 512 MiB.
#[test]
fn images_of_a_scene_are_decoded_one_by_one() {
    let folder = Folder::with(&[]);
    image::RgbaImage::from_pixel(4096, 4096, image::Rgba([9, 9, 9, 200])).save(folder.at("0.png")).unwrap();
    for k in 1..8 {
        fs::copy(folder.at("0.png"), folder.at(&format!("{k}.png"))).unwrap();
    }
    let shape = |k: u32, part: u32| {
        format!(r#""{part}{k}":{{"sprite":"{k}.png","region":[{part},0,8,8],"threshold":{}}}"#, 100 + part)
    };
    let shapes: Vec<String> = (0..2).flat_map(|part| (0..8).map(move |k| shape(k, part))).collect();
    let bodies: Vec<String> =
        (0..16).map(|k| format!(r#"{{"shape":"{}{}","at":[{},0]}}"#, k / 8, k % 8, 4 * k)).collect();
    let scene = format!(r#"{{"shapes":{{{}}},"bodies":[{}]}}"#, shapes.join(","), bodies.join(","));
    fs::write(folder.at("sheets.json"), scene).unwrap();
    let limit = format!("-v {SPACE}");
    let ran = limited(&folder, &limit, &["check", "sheets.json", "--backend", "cpu"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("16 bodies, 15 pairs"), "{}", ran.out);
    let ran = limited(&folder, &limit, &["render", "sheets.json", "--backend", "cpu", "-o", "sheets.png"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
}

#[test]
fn threads_have_a_limit() {
    let folder = Folder::with(&[]);
    let bench = |threads: &str| {
        folder.run(&["bench", "boxes", "--sizes", "1k", "--backends", "cpu", "--runs", "1", "--threads", threads])
    };
    refused(&bench("60000"), &["`threads` is 60000; it must be at most 1024"]);
    assert_eq!(bench("40").status, Some(0));
}

/// If the system starts no thread, the caller's thread does all work.
#[test]
fn no_thread_to_be_had() {
    let folder = Folder::with(&[("few.json", &spot(5_000))]);
    let mut command = command(&folder, "-u 1", &["check", "few.json", "--backend", "cpu", "--format", "json"]);
    // The limit is per user, and does not apply to root.
    let root = Command::new("id").arg("-u").output().unwrap().stdout == b"0\n";
    if root {
        open_to_all(&folder);
        command.uid(65_534);
    }
    let ran = Ran::from(command.output().expect("bash starts"));
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(
        ran.out.starts_with(r#"{"backend":"cpu","device":"1 thread, "#)
            && ran.out.contains(r#","bodies":5000,"pairs":[[0,1],"#),
        "{:.99}",
        ran.out
    );
    let commas = ran.out.matches("],[").count();
    assert_eq!(commas + 1, 5_000 * 4_999 / 2);
}

fn open_to_all(folder: &Folder) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder.at(""), fs::Permissions::from_mode(0o755)).unwrap();
}
