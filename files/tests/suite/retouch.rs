//! Retouches: what is written is read again, and what cannot be is refused by name.

use std::fs;
use std::path::Path;

use hitmask::Mask;
use hitmask_files::{FrameGrid, FrameRetouch, Import, Mark, Marks, NamedBox, Retouch, Sheet};
use proptest::prelude::*;
use serde_json::{Value, json};
use tempfile::{TempDir, tempdir};

/// Makes a folder with an image of 4 x 2 pixels, whose alpha is 60 times the column.
fn folder() -> TempDir {
    let folder = tempdir().unwrap();
    let image = image::RgbaImage::from_fn(4, 2, |x, y| image::Rgba([x as u8, y as u8, 9, 60 * x as u8]));
    image.save(folder.path().join("walk.png")).unwrap();
    fs::copy("assets/hero.aseprite", folder.path().join("hero.aseprite")).unwrap();
    folder
}

/// Writes a retouch, and returns the error with which it is opened.
fn error(folder: &Path, json: &Value) -> String {
    let path = folder.join("a.json");
    fs::write(&path, json.to_string()).unwrap();
    let error = Sheet::open(&path).unwrap_err().to_string();
    error.replace(&*folder.to_string_lossy(), "FOLDER")
}

/// Returns a retouch with some of its keys changed.
fn changed(keys: &Value) -> Value {
    let mut json = json!({ "hitmask-sheet": 1, "sheet": "walk.png", "threshold": 120, "frames": [] });
    json.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    json
}

#[test]
fn marks_pivots_and_boxes_are_read_as_written() {
    let folder = folder();
    let path = folder.path().join("walk.png.hitmask.json");
    let mut retouch = Retouch::new("walk.png");
    (retouch.threshold, retouch.grid) = (120, Some(FrameGrid::new([2, 2])));
    let mut marks = Marks::new([2, 2]).unwrap();
    marks.set(&Mask::from_rows(&["#"]).unwrap(), [0, 0], Mark::Solid);
    marks.set(&Mask::from_rows(&["#"]).unwrap(), [1, 1], Mark::Empty);
    let mut fist = NamedBox::new("fist \"1\"\n", [-1, 0, 2, 1]);
    (fist.pivot, fist.centre, fist.data) = (Some([0, -3]), Some([0, 0, 1, 1]), "damage=2".into());
    let boxes = Some(vec![fist.clone(), NamedBox::new("", [i32::MIN, 0, i32::MAX, 1])]);
    retouch.frames.insert(0, FrameRetouch { marks: Some(marks.clone()), ..FrameRetouch::default() });
    retouch.frames.insert(1, FrameRetouch { marks: Some(marks), pivot: Some([0.1, -7.0]), boxes });
    let text = retouch.to_json().unwrap();
    fs::write(&path, &text).unwrap();
    assert_eq!(Retouch::parse(text.as_bytes()).unwrap(), retouch);

    let sheet = Sheet::open(&path).unwrap();
    // Alphas of 0, 60, 120 and 180: of the first frame no texel is solid, of the second all.
    assert_eq!([&sheet.frames[0], &sheet.frames[1]].map(|frame| frame.mask.to_rows()), [["#.", ".."], ["##", "#."]]);
    assert_eq!((sheet.frames[0].pivot, sheet.frames[1].pivot), (None, Some([0.1, -7.0])));
    assert_eq!((sheet.frames[0].boxes.len(), &sheet.frames[1].boxes[0]), (0, &fist));
    // The threshold is that of the file.
    assert_eq!(Import::default().threshold(1).open(&path).unwrap(), sheet);
    let (art, again) = Import::default().open_retouch(&path).unwrap();
    assert_eq!((art.frames[0].mask.count(), again), (0, retouch));
    // A tool finds all files that were read.
    let (_, mut files) = Import::default().open_art_with_files(&path).unwrap();
    files.sort();
    assert_eq!(files, [folder.path().join("walk.png"), path]);
}

#[test]
fn a_change_of_a_frame_changes_its_lines_only() {
    let mut retouch = Retouch::new("hero.aseprite");
    let mut marks = Marks::new([3, 2]).unwrap();
    marks.set(&Mask::from_rows(&["#"]).unwrap(), [1, 0], Mark::Solid);
    let fist = NamedBox::new("fist", [1, 2, 3, 4]);
    retouch.frames.insert(2, FrameRetouch { marks: Some(marks), pivot: Some([6.0, 16.5]), boxes: Some(vec![fist]) });
    retouch.frames.insert(3, FrameRetouch::default());
    retouch.frames.insert(4, FrameRetouch { boxes: Some(Vec::new()), ..FrameRetouch::default() });
    let expected = r#"{
  "hitmask-sheet": 1,
  "sheet": "hero.aseprite",
  "threshold": 128,
  "frames": [
    { "frame": 2,
      "mask": [
        "~#~",
        "~~~" ],
      "pivot": [6.0,16.5],
      "boxes": [
        {"name":"fist","bounds":[1,2,3,4]} ] },
    { "frame": 4,
      "boxes": [ ] }
  ]
}
"#;
    assert_eq!(retouch.to_json().unwrap(), expected);
}

#[test]
fn the_other_frames_follow_the_artists_file() {
    let folder = folder();
    let path = folder.path().join("hero.json");
    let boxes = json!([{ "name": "fist", "bounds": [9, 3, 3, 4] }]);
    let json = json!({ "hitmask-sheet": 1, "sheet": "hero.aseprite", "threshold": 128,
        "frames": [{ "frame": 2, "boxes": boxes }] });
    fs::write(&path, json.to_string()).unwrap();
    let mut expected = Sheet::open("assets/hero.aseprite").unwrap();
    expected.frames[2].boxes = vec![NamedBox::new("fist", [9, 3, 3, 4])];
    assert_eq!(Sheet::open(&path).unwrap(), expected);
}

#[test]
fn a_file_that_is_wrong_is_refused_by_name() {
    let folder = folder();
    let error = |keys: Value| error(folder.path(), &changed(&keys));
    let frames = |entry: Value| error(json!({ "frames": [entry] }));
    let place = "FOLDER/a.json: ";
    for (found, expected) in [
        (error(json!({ "hitmask-sheet": 2 })), "hitmask-sheet: version 2 of the format; this program reads version 1"),
        (error(json!({ "threshold": 0 })), "threshold: 0; it may be 1 to 255"),
        (error(json!({ "threshold": 256 })), "threshold: 256; it may be 1 to 255"),
        (frames(json!({ "frame": 1 })), "frame 1: \"walk.png\" has the frames 0 to 0"),
        (frames(json!({ "frame": 0, "mask": ["~~~~"] })), "frame 0: a mask of 4 x 1 texels; the frame has 4 x 2"),
        (
            frames(json!({ "frame": 0, "mask": ["~~~~", "~~~"] })),
            "frame 0: mask: row 1: 3 characters; the first row has 4",
        ),
        (
            frames(json!({ "frame": 0, "mask": ["~~~~", "~~x~"] })),
            "frame 0: mask: row 1: the character \"x\" in column 2; it may be `#`, `.` or `~`",
        ),
        (
            frames(json!({ "frame": 0, "boxes": [{ "name": "a", "bounds": [0, 0, 0, 4] }] })),
            "frame 0: box 0 (\"a\"): 0 x 4 pixels; it must have at least 1 x 1",
        ),
        (
            frames(json!({ "frame": 0, "boxes": [{ "name": "a", "bounds": [i32::MAX, 0, 1, 4] }] })),
            "frame 0: box 0 (\"a\"): [2147483647, 0, 1, 4] reaches beyond the coordinates of pixels",
        ),
        (error(json!({ "frames": [{ "frame": 0 }, { "frame": 0 }] })), "frame 0: it is listed twice"),
        (
            error(json!({ "sheet": "hero.aseprite", "grid": { "size": [2, 2] } })),
            "grid: \"hero.aseprite\" is no image; only an image has a grid",
        ),
        (error(json!({ "sheet": "../walk.png" })), "the file \"../walk.png\" leaves the folder by `..`"),
    ] {
        assert_eq!(found, format!("{place}{expected}"));
    }
    for (found, words) in [
        (error(json!({ "frame": [] })), "unknown field `frame`"),
        (frames(json!({ "frame": 0, "masks": [] })), "unknown field `masks`"),
        (frames(json!({ "frame": 0, "boxes": [{ "name": "a" }] })), "missing field `bounds`"),
        (error(json!({ "grid": { "size": [3, 2] } })), "1 are left over at the right"),
        (error(json!({ "sheet": "none.png" })), "none.png"),
        (error(json!({ "sheet": "a.json" })), "it changes another file; `sheet` must name the artist's"),
    ] {
        assert!(found.starts_with("FOLDER/") && found.contains(words), "{found}");
    }
}

/// Any changes to a frame of 5 x 3 texels that can be written.
fn change() -> impl Strategy<Value = FrameRetouch> {
    let named = (".{0,9}", any::<[i16; 2]>(), [1..9_i32, 1..9], proptest::option::of(any::<[i32; 2]>()), ".{0,9}");
    let named = named.prop_map(|(name, [x, y], [width, height], pivot, data)| {
        let mut named = NamedBox::new(name, [x.into(), y.into(), width, height]);
        (named.pivot, named.data) = (pivot, data.into());
        named.centre = pivot.map(|_| [0, 0, width, height]);
        named
    });
    let marks = proptest::collection::vec("[#.~]{5}", 3).prop_map(|rows| Marks::from_rows(&rows).unwrap());
    let marks = marks.prop_map(|marks| Some(marks).filter(|marks| !marks.is_empty()));
    let pivot = proptest::option::of([-1e6..1e6, -1e6..1e6]);
    let boxes = proptest::option::of(proptest::collection::vec(named, 0..4));
    (marks, pivot, boxes).prop_map(|(marks, pivot, boxes)| FrameRetouch { marks, pivot, boxes })
}

proptest! {
    #[test]
    fn any_retouch_is_read_as_written(
        sheet in ".{0,20}",
        threshold in 1..=255_u8,
        grid in proptest::option::of((any::<[u32; 2]>(), any::<[u32; 2]>(), any::<bool>())),
        frames in proptest::collection::btree_map(0..70_000_usize, change(), 0..5),
    ) {
        let mut retouch = Retouch::new(sheet);
        retouch.grid = grid.map(|(size, [margin, spacing], remainder)| FrameGrid { size, margin, spacing, remainder });
        retouch.threshold = threshold;
        retouch.frames = frames;
        retouch.frames.retain(|_, change| !change.is_empty());
        let text = retouch.to_json().unwrap();
        prop_assert_eq!(Retouch::parse(text.as_bytes()).unwrap(), retouch);
    }

    /// A text in which some bytes are others gives an error or a retouch, never a panic.
    #[test]
    fn a_damaged_file_is_an_error(places in proptest::collection::vec((0..600_usize, any::<u8>()), 1..6)) {
        let mut retouch = Retouch::new("walk.png");
        let mut marks = Marks::new([4, 2]).unwrap();
        marks.set(&Mask::from_rows(&["#"]).unwrap(), [1, 0], Mark::Solid);
        let boxes = Some(vec![NamedBox::new("fist", [1, 2, 3, 4])]);
        retouch.frames.insert(0, FrameRetouch { marks: Some(marks), pivot: Some([1.5, 2.0]), boxes });
        let mut text = retouch.to_json().unwrap().into_bytes();
        for (place, byte) in places {
            let place = place % text.len();
            text[place] = byte;
        }
        let image = image::RgbaImage::new(4, 2);
        let mut png = std::io::Cursor::new(Vec::new());
        image.write_to(&mut png, image::ImageFormat::Png).unwrap();
        let mut sheet = Import::default().read_image(png.get_ref()).unwrap();
        if let Ok(retouch) = Retouch::parse(&text) {
            let before = sheet.clone();
            if retouch.apply(&mut sheet).is_err() {
                prop_assert_eq!(sheet, before);
            }
        }
    }
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let mut retouch = Retouch::new("walk.png");
    retouch.threshold = 0;
    assert_eq!(retouch.to_json().unwrap_err().to_string(), "threshold: 0; it may be 1 to 255");
    retouch.threshold = 1;
    let mut set = |change| {
        retouch.frames.insert(7, change);
        retouch.to_json().unwrap_err().to_string()
    };
    let boxes = Some(vec![NamedBox::new("a", [0, 0, 1, -1])]);
    let empty = set(FrameRetouch { boxes, ..FrameRetouch::default() });
    assert_eq!(empty, "frame 7: box 0 (\"a\"): 1 x -1 pixels; it must have at least 1 x 1");
    let infinite = set(FrameRetouch { pivot: Some([0.0, f64::INFINITY]), ..FrameRetouch::default() });
    assert_eq!(infinite, "frame 7: its pivot is not finite");
}
