//! Tests of the editor as a person uses it: what is drawn, painted and typed is in the file that is saved.

use std::fs;
use std::path::{Path, PathBuf};

use egui::{Key, Modifiers, Pos2};
use hitmask::Mask;
use hitmask_files::{Import, Kind, Mark, Marks, NamedBox, Retouch, Sheet};
use tempfile::{TempDir, tempdir};

use super::work::Work;
use super::{SheetEditor, Tool};
use crate::document::person::Person;
use crate::document::{Document, Leave};
use crate::random::Random;

/// Makes a folder with the hero: 6 frames of 12 x 16 pixels, and the tags stand, walk and jump.
fn hero() -> (TempDir, PathBuf) {
    let folder = tempdir().unwrap();
    let path = folder.path().join("hero.aseprite");
    fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("../files/assets/hero.aseprite"), &path).unwrap();
    (folder, path)
}

/// Returns the path of the changes to a file.
fn changes(path: &Path) -> PathBuf {
    path.with_file_name(format!("{}.hitmask.json", path.file_name().unwrap().to_str().unwrap()))
}

fn editor(person: &Person) -> &SheetEditor {
    match &person.document {
        Document::Sheet(editor) => editor,
        Document::Level(_) => panic!("a level"),
    }
}

/// Returns where the middle of a pixel of the frame is in the window.
fn pixel(person: &Person, [x, y]: [i32; 2]) -> Pos2 {
    point(person, [f64::from(x) + 0.5, f64::from(y) + 0.5])
}

fn point(person: &Person, point: [f64; 2]) -> Pos2 {
    editor(person).canvas.shown.as_ref().expect("it is shown").pos(point)
}

fn drags(person: &mut Person, from: [i32; 2], to: [i32; 2]) {
    let [from, to] = [from, to].map(|at| pixel(person, at));
    person.drags(from, to);
}

fn boxes(path: &Path, frame: usize) -> Vec<(String, [i32; 4])> {
    let sheet = Sheet::open(path).unwrap();
    sheet.frames[frame].boxes.iter().map(|named| (named.name.to_string(), named.bounds)).collect()
}

/// The box that the artist has drawn in the frame 0.
fn hurt() -> (String, [i32; 4]) {
    ("hurt".into(), [3, 1, 6, 14])
}

#[test]
fn a_box_is_drawn_named_saved_and_opened_again() {
    let (_folder, path) = hero();
    let before = fs::read(&path).unwrap();
    let mut person = Person::opens(&path);
    assert_eq!(person.reads("frame"), "0 of 6, 100 ms");
    drags(&mut person, [9, 3], [11, 6]);
    // The name has the keyboard, and its letters choose no tool.
    person.types("fist vpe");
    person.key(Key::Enter);
    assert!(person.sees("fist vpe"));
    assert!(!changes(&path).exists() && editor(&person).is_unsaved());
    person.command(Key::S);
    assert!(person.sees("saved ") && !editor(&person).is_unsaved());
    assert_eq!(boxes(&changes(&path), 0), [hurt(), ("fist vpe".into(), [9, 3, 3, 4])]);
    assert_eq!(fs::read(&path).unwrap(), before);
    // Both the artist's file and the file with the changes open them.
    for path in [&path, &changes(&path)] {
        let mut person = Person::opens(path);
        assert!(person.sees("fist vpe") && !editor(&person).is_unsaved());
        assert_eq!(person.reads("fist vpe"), "9, 3, 3 x 4");
        person.clicks_in_panel("fist vpe");
        person.key(Key::Delete);
        assert!(!person.sees("fist vpe") && editor(&person).is_unsaved());
        person.command(Key::Z);
        assert!(person.sees("fist vpe") && !editor(&person).is_unsaved());
    }
}

#[test]
fn a_drag_within_a_frame_is_one() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let [from, to] = [[9, 3], [11, 6]].map(|at| pixel(&person, at));
    person.dashes(from, to, "", &[]);
    person.types("fist");
    person.key(Key::Enter);
    assert_eq!(person.reads("fist"), "9, 3, 3 x 4");
    person.key(Key::P);
    person.dashes(from, to, "", &[]);
    let marks = editor(&person).work.retouch().frames[&0].marks.as_ref().unwrap();
    assert!([[9, 3], [11, 6]].into_iter().all(|at| marks.get(at) == Mark::Solid));
}

#[test]
fn keys_within_a_frame_do_what_they_do_in_several() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let [from, to] = [[9, 3], [11, 6]].map(|at| pixel(&person, at));
    // The name takes the letters, and gives the keyboard back before the keys after it.
    person.dashes(from, to, "vpe", &[Key::Enter, Key::ArrowRight, Key::ArrowDown]);
    assert_eq!(person.reads("vpe"), "10, 4, 3 x 4");
    person.key(Key::Delete);
    assert!(!editor(&person).is_unsaved());
    person.dashes(from, to, "vpe", &[Key::Enter, Key::Delete]);
    assert!(!editor(&person).is_unsaved() && !person.sees("vpe"));
    person.command(Key::Z);
    assert_eq!(person.reads("vpe"), "9, 3, 3 x 4");
}

#[test]
fn boxes_are_moved_resized_and_deleted() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let bounds = |person: &Person| editor(person).work.boxes(0).iter().map(|named| named.bounds).collect::<Vec<_>>();
    drags(&mut person, [5, 5], [7, 4]);
    assert_eq!(bounds(&person), [[5, 0, 6, 14]]);
    // By its lower right corner, and beyond the other one.
    let corner = point(&person, [10.9, 13.9]);
    let to = pixel(&person, [6, 20]);
    person.drags(corner, to);
    assert_eq!(bounds(&person), [[5, 0, 2, 21]]);
    person.key(Key::ArrowLeft);
    person.presses(Key::ArrowUp, Modifiers::SHIFT);
    assert_eq!(bounds(&person), [[4, 0, 2, 20]]);
    // A drag is undone at once; the keys together are one more change.
    person.command(Key::Z);
    assert_eq!(bounds(&person), [[5, 0, 2, 21]]);
    person.command(Key::Z);
    person.command(Key::Z);
    assert_eq!(bounds(&person), [[3, 1, 6, 14]]);
    assert!(!editor(&person).is_unsaved());
    for _ in 0..3 {
        person.presses(Key::Z, Modifiers::COMMAND | Modifiers::SHIFT);
    }
    assert_eq!(bounds(&person), [[4, 0, 2, 20]]);
    person.clicks_in_panel("hurt");
    person.key(Key::Delete);
    assert!(bounds(&person).is_empty());
    person.command(Key::S);
    assert!(boxes(&path.with_file_name("hero.aseprite.hitmask.json"), 0).is_empty());
    // A click makes no box.
    let nowhere = pixel(&person, [1, 1]);
    person.clicks_at(nowhere);
    assert!(bounds(&person).is_empty());
}

#[test]
fn a_box_is_copied_to_the_frames_of_a_tag() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let walk = editor(&person).work.art().tag("walk").unwrap().frames.clone();
    person.clicks("walk");
    person.key(Key::Space);
    assert!(walk.contains(&editor(&person).player.frame()));
    drags(&mut person, [0, 0], [1, 1]);
    person.types("foot");
    person.clicks("Copy to all frames of walk");
    person.command(Key::S);
    for frame in 0..6 {
        let has = boxes(&changes(&path), frame).contains(&("foot".into(), [0, 0, 2, 2]));
        assert_eq!(has, walk.contains(&frame), "{frame}");
    }
    person.command(Key::Z);
    person.command(Key::S);
    let count = (0..6).filter(|&frame| boxes(&changes(&path), frame).iter().any(|(name, _)| name == "foot")).count();
    assert_eq!(count, 1);
}

#[test]
fn a_box_that_is_copied_replaces_no_other_box_of_its_frame_and_without_a_name_none() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let [first, second] = [[0, 0, 2, 2], [9, 3, 3, 2]];
    for [x, y, width, height] in [first, second] {
        drags(&mut person, [x, y], [x + width - 1, y + height - 1]);
        person.key(Key::Enter);
    }
    // Twice is as good as once.
    person.clicks("Copy to all frames");
    person.clicks("Copy to all frames");
    let of = |person: &Person, frame: usize| -> Vec<[i32; 4]> {
        let boxes = editor(person).work.boxes(frame).iter();
        boxes.filter(|named| &*named.name != "hurt").map(|named| named.bounds).collect()
    };
    assert_eq!(of(&person, 0), [first, second]);
    assert_eq!(of(&person, 3), [second]);
    // The first box does not replace the copy of the second.
    person.key(Key::Escape);
    drags(&mut person, [0, 0], [0, 0]);
    person.clicks("Copy to all frames");
    assert_eq!(of(&person, 3), [second, first]);
    // With a name, it replaces the box of that name elsewhere.
    for frame in [1, 0] {
        person.key(Key::Escape);
        person.key(if frame == 1 { Key::Period } else { Key::Comma });
        drags(&mut person, [0, 14], [if frame == 1 { 3 } else { 1 }, 15]);
        person.types("foot");
        person.key(Key::Enter);
    }
    person.clicks("Copy to all frames");
    assert_eq!(of(&person, 0), [first, second, [0, 14, 2, 2]]);
    assert_eq!(of(&person, 1), [second, first, [0, 14, 2, 2]]);
}

#[test]
fn letters_choose_tools_also_after_tab_has_reached_a_button() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    person.key(Key::Tab);
    person.key(Key::E);
    assert!(matches!(editor(&person).tool, Tool::Brush(Mark::Empty)));
    // What Tab has reached is pressed by Space, which does not play then.
    person.key(Key::Space);
    assert!(!editor(&person).player.playing);
    // From the name of a box, Tab goes to the data.
    let mut person = Person::opens(&path);
    drags(&mut person, [9, 3], [11, 6]);
    person.types("fist");
    person.key(Key::Tab);
    person.types("e=2");
    let named = editor(&person).work.boxes(0).last().unwrap().clone();
    assert_eq!((&*named.name, &*named.data), ("fist", "e=2"));
    assert_eq!(editor(&person).tool, Tool::Boxes);
}

#[test]
fn a_tag_with_a_long_name_leaves_the_panel_in_its_place() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("long.json");
    image::RgbaImage::from_pixel(8, 8, image::Rgba([255; 4])).save(folder.path().join("long.png")).unwrap();
    let name = format!("Walk with sword and\nshield {}", "and so on ".repeat(500));
    let sheet = serde_json::json!({
        "frames": [{ "filename": "0", "frame": { "x": 0, "y": 0, "w": 8, "h": 8 }, "duration": 100 }],
        "meta": { "image": "long.png", "frameTags": [{ "name": name, "from": 0, "to": 0, "direction": "forward" }] } });
    fs::write(&path, sheet.to_string()).unwrap();
    let mut person = Person::opens(&path);
    let places = |person: &Person| ["Save", "Scenes", "threshold"].map(|text| person.where_is(text));
    let before = places(&person);
    // Its bar is short: the text goes on behind its end.
    let bar = person.where_is(super::short(&name).trim());
    person.clicks_at(Pos2::new(30.0, bar.y));
    assert!(editor(&person).player.tag().is_some());
    assert_eq!(places(&person), before);
    drags(&mut person, [1, 1], [4, 4]);
    person.waits(0.1);
    assert!(person.sees("Copy to all frames of Walk"));
    assert_eq!(places(&person), before);
}

#[test]
fn texels_are_painted_and_erased_and_stay_so_at_any_threshold() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("ramp.png");
    // The alpha of a column is 40 times its number.
    let image = image::RgbaImage::from_fn(6, 4, |x, _| image::Rgba([200, 90, 40, 40 * x as u8]));
    image.save(&path).unwrap();
    let mut person = Person::opens(&path);
    assert_eq!(person.reads("solid texels"), "8 of 24");
    person.key(Key::P);
    drags(&mut person, [0, 0], [3, 3]);
    person.key(Key::E);
    drags(&mut person, [5, 0], [5, 2]);
    let expected = ["#...#.", ".#..#.", "..#.#.", "...###"];
    let rows = |person: &mut Person| match &mut person.document {
        Document::Sheet(editor) => editor.work.mask(0).unwrap().0.to_rows(),
        Document::Level(_) => panic!("a level"),
    };
    assert_eq!(rows(&mut person), expected);
    // A stroke is undone at once.
    person.command(Key::Z);
    assert_eq!(rows(&mut person), ["#...##", ".#..##", "..#.##", "...###"]);
    person.command(Key::Y);
    assert_eq!(rows(&mut person), expected);
    person.command(Key::S);
    assert_eq!(Sheet::open(changes(&path)).unwrap().frames[0].mask.to_rows(), expected);
    match &mut person.document {
        Document::Sheet(editor) => editor.work.set_threshold(41),
        Document::Level(_) => panic!("a level"),
    }
    assert_eq!(rows(&mut person), ["#.###.", ".####.", "..###.", "..####"]);
    // As the alpha says.
    person.key(Key::A);
    drags(&mut person, [0, 0], [5, 0]);
    assert_eq!(rows(&mut person)[0], "..####");
    person.command(Key::S);
    let sheet = Sheet::open(changes(&path)).unwrap();
    assert_eq!(sheet.frames[0].mask.to_rows(), rows(&mut person));
    assert_eq!(Person::opens(&path).reads("solid texels"), format!("{} of 24", sheet.frames[0].mask.count()));
}

/// Compares random strokes, undone and made again, with marks that are kept whole after each.
#[test]
fn strokes_are_undone_as_if_all_marks_were_kept() {
    const SIZE: [u32; 2] = [600, 300];
    let mut png = std::io::Cursor::new(Vec::new());
    let image = image::RgbaImage::from_fn(SIZE[0], SIZE[1], |x, y| image::Rgba([0, 0, 0, (x * 7 + y * 3) as u8]));
    image.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let art = Import::default().read_image(png.get_ref()).unwrap();
    let plain = (*art.frames[0].mask).clone();
    let mut work = Work::new(art, Retouch::new("a.png"));
    let mut random = Random::new(7);
    let mut states = vec![Marks::new(SIZE).unwrap()];
    let (mut now, mut saved) = (0, 0);
    for _ in 0..300 {
        match random.below(8) {
            0 | 1 if now > 0 => {
                now -= 1;
                assert_eq!(work.undo(false).unwrap(), Some(0));
            }
            2 if now + 1 < states.len() => {
                now += 1;
                assert_eq!(work.undo(true).unwrap(), Some(0));
            }
            3 => {
                saved = now;
                work.saved();
            }
            _ => {
                let mark = [Mark::Solid, Mark::Empty, Mark::Alpha, Mark::Alpha][random.below(4)];
                let brush = super::brush::round(1 + random.below(64) as u32).unwrap();
                let mut marks = states[now].clone();
                let mut at = || [-40 + random.below(680) as i32, -40 + random.below(380) as i32];
                let mut from = at();
                for _ in 0..3 {
                    let to = at();
                    let line: Vec<_> = super::brush::line(std::mem::replace(&mut from, to), to).collect();
                    work.mark(0, &brush, line.iter().copied(), mark).unwrap();
                    for &offset in &line {
                        marks.set(&brush, offset, mark);
                    }
                }
                work.seal();
                if marks != states[now] {
                    states.truncate(now + 1);
                    states.push(marks);
                    now += 1;
                    saved = if saved < now { saved } else { usize::MAX };
                }
            }
        }
        let mut expected = plain.clone();
        states[now].apply(&mut expected);
        let (mask, marks) = work.mask(0).unwrap();
        assert!(*mask == expected && marks.map_or(states[now].is_empty(), |marks| *marks == states[now]));
        let differs = states.get(saved).is_none_or(|saved| *saved != states[now]);
        assert!(saved == usize::MAX || work.is_unsaved() == differs);
    }
    assert!(states.len() > 20);
}

#[test]
fn the_slider_moves_the_threshold() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let image = editor(&person).work.art().frames[0].image.clone();
    // The slider is 150 points wide, at the left of the panel.
    let y = person.where_is("threshold").y;
    let left = 1280.0 - crate::panel::WIDTH + 12.0;
    person.drags(Pos2::new(left + 75.0, y), Pos2::new(left + 150.0, y));
    let threshold = editor(&person).work.retouch().threshold;
    assert!(threshold > 240, "{threshold}");
    let expected = Mask::from_rgba(image.as_raw(), 12, 16, threshold).unwrap();
    assert_eq!(person.reads("solid texels"), format!("{} of 192", expected.count()));
    // A drag is undone at once.
    person.command(Key::Z);
    assert_eq!(editor(&person).work.retouch().threshold, 128);
    assert!(!editor(&person).is_unsaved());
}

#[test]
fn frames_are_stepped_through_played_and_chosen() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    let frame = |person: &Person| editor(person).player.frame();
    person.key(Key::Period);
    person.key(Key::ArrowRight);
    assert_eq!(frame(&person), 2);
    for _ in 0..3 {
        person.key(Key::Comma);
    }
    assert_eq!(frame(&person), 5);
    person.clicks("3");
    assert_eq!(frame(&person), 3);
    // The tag walk is a ping-pong of the frames 1 to 4, 100 ms each.
    person.clicks("walk");
    let mut seen = vec![frame(&person)];
    for _ in 0..70 {
        person.waits(0.01);
        if seen.last() != Some(&frame(&person)) {
            seen.push(frame(&person));
        }
    }
    assert_eq!(seen, [1, 2, 3, 4, 3, 2, 1, 2][..seen.len()]);
    assert!(seen.len() >= 7);
    // A box that is selected belongs to its frame.
    person.clicks_in_panel("hurt");
    assert!(editor(&person).selected.is_some());
    person.waits(0.1);
    assert!(editor(&person).selected.is_none());
    person.key(Key::Space);
    let held = frame(&person);
    person.waits(1.0);
    assert_eq!(frame(&person), held);
}

#[test]
fn the_pivot_is_set_in_halves_of_a_pixel() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    person.key(Key::O);
    let [from, to] = [[2.0, 2.0], [6.4, 15.9]].map(|at| point(&person, at));
    person.drags(from, to);
    assert_eq!(person.reads("pivot"), "6.5, 16");
    person.clicks("Save");
    let sheet = Sheet::open(changes(&path)).unwrap();
    assert_eq!((sheet.frames[0].pivot, sheet.frames[1].pivot), (Some([6.5, 16.0]), editor(&person).work.pivot(1)));
}

#[test]
fn no_other_file_is_ever_overwritten() {
    let (folder, path) = hero();
    let change = |person: &mut Person| {
        drags(person, [0, 0], [1, 1]);
        person.types("a");
        person.clicks("Save");
    };
    // A file of the same name that is something else.
    fs::write(changes(&path), "my notes").unwrap();
    let mut person = Person::opens(&path);
    assert!(person.sees("was not used"));
    change(&mut person);
    assert!(person.sees("there is another file of this name; it stays as it is") && editor(&person).is_unsaved());
    assert_eq!(fs::read(changes(&path)).unwrap(), b"my notes");
    person.clicks("Save a copy");
    let copy = folder.path().join("hero.aseprite.2.hitmask.json");
    assert_eq!(boxes(&copy, 0), [hurt(), ("a".into(), [0, 0, 2, 2])]);
    // A copy of the copy has the next number.
    person.clicks("Save a copy");
    assert_eq!(boxes(&folder.path().join("hero.aseprite.3.hitmask.json"), 0).len(), 2);

    // Changes to another sheet, and changes that no longer fit.
    let other = Retouch::new("other.aseprite").to_json().unwrap();
    fs::write(changes(&path), &other).unwrap();
    let mut person = Person::opens(&path);
    assert!(person.sees("was not used: it changes \"other.aseprite\""));
    change(&mut person);
    assert_eq!(fs::read_to_string(changes(&path)).unwrap(), other);
    let smaller = r#"{"hitmask-sheet":1,"sheet":"hero.aseprite","threshold":128,"frames":[{"frame":1,"mask":["~"]}]}"#;
    fs::write(changes(&path), smaller).unwrap();
    let mut person = Person::opens(&path);
    assert!(person.sees("frame 1: a mask of 1 x 1 texels; the frame has 12 x 16"));
    change(&mut person);
    assert_eq!(fs::read_to_string(changes(&path)).unwrap(), smaller);

    // One that another program has written meanwhile, or removed.
    fs::remove_file(changes(&path)).unwrap();
    let mut person = Person::opens(&path);
    change(&mut person);
    let own = fs::read(changes(&path)).unwrap();
    fs::write(changes(&path), "newer").unwrap();
    change(&mut person);
    assert!(person.sees("another program has changed it since it was opened; it stays as it is"));
    assert_eq!(fs::read(changes(&path)).unwrap(), b"newer");
    fs::write(changes(&path), own).unwrap();
    person.clicks("Save");
    assert!(!editor(&person).is_unsaved());
    assert_eq!(Kind::of(&fs::read(changes(&path)).unwrap()), Some(Kind::Retouch));
    // No file is left behind.
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name()).collect();
    assert_eq!(names.len(), 4, "{names:?}");
}

#[test]
fn unsaved_changes_ask_before_they_are_left() {
    let (_folder, path) = hero();
    let mut person = Person::opens(&path);
    person.document.leave(Leave::Quit);
    person.waits(0.1);
    assert_eq!(person.left, Some(Leave::Quit));
    let mut person = Person::opens(&path);
    drags(&mut person, [0, 0], [1, 1]);
    person.types("a");
    person.key(Key::Enter);
    person.document.leave(Leave::Quit);
    person.waits(0.1);
    assert!(person.sees("Unsaved changes") && person.left.is_none());
    person.clicks("Cancel");
    assert!(!person.sees("Unsaved changes") && person.left.is_none());
    // Escape lets go of the box, then asks.
    person.key(Key::Escape);
    assert!(!person.sees("Unsaved changes"));
    person.key(Key::Escape);
    person.waits(0.1);
    assert!(person.sees("Unsaved changes"));
    person.clicks("Discard");
    assert_eq!(person.left, Some(Leave::Close));
    assert!(!changes(&path).exists());

    let mut person = Person::opens(&path);
    drags(&mut person, [0, 0], [1, 1]);
    person.document.leave(Leave::Close);
    person.waits(0.1);
    // The panel has a button of the same name, below the question.
    person.clicks("Save");
    assert_eq!(person.left, Some(Leave::Close));
    assert_eq!(boxes(&changes(&path), 0).len(), 2);
}

#[test]
fn what_cannot_be_opened_is_told_by_name() {
    let (folder, path) = hero();
    let error = |name: &str, content: &[u8], grid: Option<[u32; 2]>| {
        let path = folder.path().join(name);
        fs::write(&path, content).unwrap();
        format!("{:#}", Document::open(&path, grid).err().expect("it fails"))
    };
    let mut short = fs::read(&path).unwrap();
    short.truncate(200);
    let text = error("short.aseprite", &short, None);
    assert!(text.contains("short.aseprite: "), "{text}");
    let text = error("a.json", br#"{"hitmask-sheet": 1, "sheet": "none.png", "threshold": 1, "frames": []}"#, None);
    assert!(text.contains("none.png: "), "{text}");
    let text = error("b.png", b"\x89PNG\r\n\x1a\nnonsense", None);
    assert!(text.contains("b.png: "), "{text}");
    let text = error("c.tmx", b"<map", None);
    assert!(text.contains("c.tmx: "), "{text}");
    let text = error("d.aseprite", &fs::read(&path).unwrap(), Some([4, 4]));
    assert!(text.ends_with("d.aseprite: --grid cuts an image into frames, and this is no image"), "{text}");
    // A scene is no document, nor is a file that is not there.
    for name in ["scene.json", "none.json"] {
        if name == "scene.json" {
            fs::write(folder.path().join(name), r#"{ "bodies": [] }"#).unwrap();
        }
        assert!(Document::open(&folder.path().join(name), None).unwrap().is_none());
    }
}

#[test]
fn an_image_has_the_frames_of_its_grid() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("walk.png");
    image::RgbaImage::from_pixel(8, 4, image::Rgba([255; 4])).save(&path).unwrap();
    let document = Document::open(&path, Some([4, 4])).unwrap().expect("an image");
    let mut person = Person::with(document);
    assert_eq!(person.reads("frame"), "0 of 2, 100 ms");
    person.key(Key::Period);
    drags(&mut person, [1, 1], [2, 2]);
    person.types("a");
    person.command(Key::S);
    assert_eq!(boxes(&changes(&path), 1), [("a".into(), [1, 1, 2, 2])]);
    // The file with the changes knows the grid.
    assert_eq!(Person::opens(&path).reads("frame"), "0 of 2, 100 ms");
    let other = Person::with(Document::open(&path, Some([2, 2])).unwrap().expect("an image"));
    assert!(other.sees("was not used: its frames lie in another grid"));
    assert_eq!(NamedBox::new("a", [1, 1, 2, 2]), editor(&Person::opens(&path)).work.boxes(1)[0]);
}
