//! `hitmask diff`.

mod common;

use common::Folder;
use hitmask::{Body, Save, Shape, World};

const WORLD: &str = r#"{"shapes": {"ball": {"circle": 2}}, "bodies": [{"shape": "ball", "at": [0, 0], "name": "ship"}]}
{"add": [{"shape": "ball", "at": [8, 0], "name": "shot"}]}
"#;

#[test]
fn differences_are_lines_and_exit_status_1() {
    let mut here = World::default();
    let ball = here.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let ids = [0, 9].map(|x| here.add(&Body::new(ball, [x, 0])).unwrap());
    let mut there = here.clone();
    there.set(ids[1], &Body::new(ball, [9.0, 0.5]).tagged(7)).unwrap();
    let folder = Folder::with(&[]);
    for (name, world) in [("here.world", &here), ("there.world", &there)] {
        std::fs::write(folder.at(name), world.save(Save::Whole).unwrap()).unwrap();
    }
    let same = folder.run(&["diff", "here.world", "here.world"]);
    assert_eq!((same.status, same.out.as_str()), (Some(0), "Equal: 2 bodies\n"));
    let ran = folder.run(&["diff", "here.world", "there.world"]);
    let expected = "body 1: `at` is [9, 0] in the first world, [9, 0.5] in the second\n\
                    body 1: `tag` is 0 in the first world, 7 in the second\n";
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), expected));
    let json = folder.run(&["diff", "here.world", "there.world", "--format", "json"]);
    let expected = "{\"body\":1,\"field\":\"at\",\"values\":[\"[9, 0]\",\"[9, 0.5]\"]}\n\
                    {\"body\":1,\"field\":\"tag\",\"values\":[\"0\",\"7\"]}\n";
    assert_eq!((json.status, json.out.as_str()), (Some(1), expected));
    assert_eq!(folder.run(&["diff", "here.world", "here.world", "--format", "json"]).out, "");
}

/// The bodies of a saved moment have names.
#[test]
fn moments_of_replays_are_compared_by_name() {
    let moved = WORLD.replace("[8, 0]", "[8, 1]");
    let folder = Folder::with(&[("a.jsonl", WORLD), ("b.jsonl", &moved)]);
    for replay in ["a", "b"] {
        let [file, out] = ["jsonl", "world"].map(|end| format!("{replay}.{end}"));
        let ran = folder.run(&["replay", &file, "--save-at", "1", &out, "--backend", "cpu"]);
        assert_eq!(ran.status, Some(0), "{}", ran.err);
    }
    let ran = folder.run(&["diff", "a.world", "b.world"]);
    let at = "body 1 `shot`: `at` is [8, 0] in the first world, [8, 1] in the second\n";
    assert!(ran.status == Some(1) && ran.out.contains(at), "{ran:?}");
    assert!(ran.out.contains("`body history`") && ran.out.contains("body 1 `shot`: `handle`"), "{ran:?}");
}

#[test]
fn what_is_wrong_is_named() {
    let folder = Folder::with(&[("text.world", "hello")]);
    std::fs::write(folder.at("good.world"), World::default().save(Save::Whole).unwrap()).unwrap();
    std::fs::write(folder.at("state.world"), World::default().save(Save::State).unwrap()).unwrap();
    for (other, wrong) in [
        ("none.world", "none.world: "),
        ("text.world", "text.world: saved file: it does not begin as a file that hitmask saved"),
        ("state.world", "state.world: saved file: it is a state"),
    ] {
        let ran = folder.run(&["diff", "good.world", other]);
        assert!(ran.status == Some(2) && ran.out.is_empty() && ran.err.contains(wrong), "{other}: {ran:?}");
    }
}
