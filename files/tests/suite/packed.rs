//! Packed sheets: Aseprite's and TexturePacker's JSON, and what is refused.

use std::fs;
use std::io::Cursor;
use std::num::NonZeroU32;
use std::path::Path;

use hitmask_files::{Art, Direction, Import, Problem, Result, Sheet};
use image::{ImageFormat, Rgba, RgbaImage};
use proptest::prelude::*;
use serde_json::{Value, json};

/// Makes an image whose pixels all differ.
fn atlas(width: u32, height: u32) -> RgbaImage {
    RgbaImage::from_fn(width, height, |x, y| Rgba([x as u8, y as u8, 7, 255 - (x + 3 * y) as u8]))
}

fn png(image: &RgbaImage) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

fn read(json: &Value, image: &RgbaImage) -> Result<Sheet> {
    Import::default().read_packed(json.to_string().as_bytes(), &png(image))
}

fn message(json: &Value) -> String {
    read(json, &atlas(16, 16)).unwrap_err().to_string()
}

/// Returns a frame of `[x, y, w, h]`, neither trimmed nor rotated.
fn frame([x, y, w, h]: [u32; 4]) -> Value {
    json!({ "frame": { "x": x, "y": y, "w": w, "h": h }, "rotated": false, "trimmed": false,
        "spriteSourceSize": { "x": 0, "y": 0, "w": w, "h": h }, "sourceSize": { "w": w, "h": h } })
}

/// Returns a frame with some of its fields changed.
fn changed(fields: &Value) -> Value {
    let mut frame = frame([2, 3, 4, 5]);
    frame.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    frame
}

/// A file as Aseprite 1.3 writes it, with all that can be listed.
const ASEPRITE: &str = r##"{ "frames": {
   "hero 0.aseprite": {
    "frame": { "x": 1, "y": 2, "w": 3, "h": 4 },
    "rotated": false,
    "trimmed": true,
    "spriteSourceSize": { "x": 5, "y": 1, "w": 3, "h": 4 },
    "sourceSize": { "w": 9, "h": 7 },
    "duration": 150
   },
   "hero 1.aseprite": {
    "frame": { "x": 8, "y": 8, "w": 5, "h": 6 },
    "rotated": false,
    "trimmed": true,
    "spriteSourceSize": { "x": 0, "y": 0, "w": 3, "h": 4 },
    "sourceSize": { "w": 9, "h": 7 },
    "duration": 50
   }
 },
 "meta": {
  "app": "https://www.aseprite.org/",
  "version": "1.3.9-x64",
  "image": "hero.png",
  "format": "RGBA8888",
  "size": { "w": 16, "h": 16 },
  "scale": "1",
  "frameTags": [
   { "name": "walk", "from": 0, "to": 1, "direction": "pingpong_reverse", "repeat": "3",
     "color": "#000000ff", "data": "fast" },
   { "name": "stand", "from": 1, "to": 1, "direction": "forward", "color": "#000000ff" }
  ],
  "layers": [ { "name": "body", "opacity": 255, "blendMode": "normal" } ],
  "slices": [
   { "name": "hurt", "color": "#0000ffff", "data": "damage=2", "keys": [
    { "frame": 0, "bounds": {"x": -1, "y": 2, "w": 3, "h": 4 },
      "center": {"x": 1, "y": 1, "w": 1, "h": 1 }, "pivot": {"x": 2, "y": 0 } },
    { "frame": 1, "bounds": {"x": 0, "y": 0, "w": 9, "h": 7 } } ] }
  ]
 }
}"##;

#[test]
fn aseprites_json_has_tags_slices_and_durations() {
    let image = atlas(16, 16);
    let sheet = Import::default().read_packed(ASEPRITE.as_bytes(), &png(&image)).unwrap();
    assert_eq!((sheet.size, sheet.frames.len()), ([9, 7], 2));
    let [first, second] = [&sheet.frames[0], &sheet.frames[1]];
    assert_eq!((&*first.name, first.duration.as_millis(), second.duration.as_millis()), ("hero 0.aseprite", 150, 50));
    for (x, y, pixel) in first.image.enumerate_pixels() {
        let within = (5..8).contains(&x) && (1..5).contains(&y);
        assert_eq!(*pixel, if within { *image.get_pixel(x - 5 + 1, y - 1 + 2) } else { Rgba([0; 4]) });
    }
    // The second has an inner padding of 1 pixel: `frame` is larger than what it shows.
    assert_eq!(second.image.get_pixel(0, 0), image.get_pixel(9, 9));
    assert_eq!(second.image.get_pixel(2, 3), image.get_pixel(11, 12));
    assert_eq!(second.image.get_pixel(3, 3), &Rgba([0; 4]));
    let solid = |x, y| first.image.get_pixel(x, y)[3] >= 128;
    assert!((0..9).all(|x| (0..7).all(|y| first.mask.get(x, y) == solid(x, y))));
    let walk = sheet.tag("walk").unwrap();
    assert_eq!((walk.frames.clone(), walk.direction, &*walk.data), (0..2, Direction::PingPongReverse, "fast"));
    assert_eq!([walk.repeat.map(NonZeroU32::get), sheet.tags[1].repeat.map(NonZeroU32::get)], [Some(3), None]);
    let hurt = first.boxes("hurt").next().unwrap();
    assert_eq!((hurt.bounds, hurt.centre, hurt.pivot), ([-1, 2, 3, 4], Some([0, 3, 1, 1]), Some([1, 2])));
    assert_eq!((first.pivot, &*hurt.data), (Some([1.0, 2.0]), "damage=2"));
    assert_eq!((second.boxes[0].bounds, second.pivot), ([0, 0, 9, 7], None));
}

#[test]
fn a_hash_and_an_array_are_the_same_in_the_order_of_the_text() {
    let names = ["b", "a", "c", "a"];
    let regions = [[0, 0, 4, 4], [4, 0, 4, 4], [0, 4, 4, 4], [4, 4, 4, 4]];
    // Written by hand: a hash may have a key twice, as Aseprite writes it for some patterns of names.
    let hash: Vec<String> =
        names.iter().zip(regions).map(|(name, region)| format!("{name:?}: {}", frame(region))).collect();
    let hash = format!("{{ \"frames\": {{ {} }} }}", hash.join(", "));
    let array: Vec<Value> = names
        .iter()
        .zip(regions)
        .map(|(name, region)| {
            let mut frame = frame(region);
            frame["filename"] = json!(name);
            frame
        })
        .collect();
    let image = png(&atlas(8, 8));
    let sheet = Import::default().read_packed(hash.as_bytes(), &image).unwrap();
    assert_eq!(
        sheet,
        Import::default().read_packed(json!({ "frames": array }).to_string().as_bytes(), &image).unwrap()
    );
    assert_eq!(sheet.frames.iter().map(|frame| &*frame.name).collect::<Vec<_>>(), names);
    assert_eq!(sheet.frame("c").unwrap().image.get_pixel(0, 0)[1], 4);
    assert_eq!(sheet.frames[0].duration.as_millis(), 100);
    let short = json!({ "frames": [changed(&json!({ "duration": 0 }))] });
    assert_eq!(read(&short, &atlas(8, 8)).unwrap().frames[0].duration.as_millis(), 1);
    let differ = json!({ "frames": [frame([0, 0, 2, 7]), frame([0, 0, 8, 3])] });
    assert_eq!(read(&differ, &atlas(8, 8)).unwrap().size, [8, 7]);
}

#[test]
fn a_pivot_is_a_part_of_the_untrimmed_size() {
    let json = json!({ "frames": [changed(&json!({
        "spriteSourceSize": { "x": 1, "y": 1, "w": 4, "h": 5 }, "sourceSize": { "w": 10, "h": 8 },
        "pivot": { "x": 0.5, "y": 1 },
    }))] });
    assert_eq!(read(&json, &atlas(16, 16)).unwrap().frames[0].pivot, Some([5.0, 8.0]));
    let both = json!({ "frames": [
        changed(&json!({ "anchor": { "x": 0.5, "y": 1 } })),
        changed(&json!({ "anchor": { "x": 0.5, "y": 1 }, "pivot": { "x": 0, "y": 0 } })),
    ] });
    let frames = read(&both, &atlas(16, 16)).unwrap().frames;
    assert_eq!([frames[0].pivot, frames[1].pivot], [Some([2.0, 5.0]), Some([0.0, 0.0])]);
    let far = json!({ "frames": [changed(&json!({ "pivot": { "x": 1e308, "y": 1 } }))] });
    assert_eq!(message(&far), "the file: frame 0: its pivot is infinite");
}

proptest! {
    #[test]
    fn frames_are_untrimmed_and_turned_upright(
        at in [0_u32..20, 0..20], size in [1_u32..9, 1..9], lead in [0_u32..5, 0..5], trail in [0_u32..5, 0..5],
        is_rotated: bool,
    ) {
        let upright = atlas(size[0], size[1]);
        let packed = if is_rotated { image::imageops::rotate90(&upright) } else { upright.clone() };
        let mut image = RgbaImage::from_pixel(32, 32, Rgba([99; 4]));
        image::imageops::replace(&mut image, &packed, at[0].into(), at[1].into());
        let source = [0, 1].map(|axis| lead[axis] + size[axis] + trail[axis]);
        let json = json!({ "frames": { "a": {
            "frame": { "x": at[0], "y": at[1], "w": size[0], "h": size[1] }, "rotated": is_rotated,
            "spriteSourceSize": { "x": lead[0], "y": lead[1], "w": size[0], "h": size[1] },
            "sourceSize": { "w": source[0], "h": source[1] },
        } } });
        let mut expected = RgbaImage::new(source[0], source[1]);
        image::imageops::replace(&mut expected, &upright, lead[0].into(), lead[1].into());
        prop_assert_eq!(&*read(&json, &image).unwrap().frames[0].image, &expected);
    }
}

#[test]
fn contradictions_are_refused_with_the_frame() {
    for (fields, expected) in [
        (
            json!({ "frame": { "x": 13, "y": 3, "w": 4, "h": 5 } }),
            "it is at [13, 3, 4, 5]; the image has 16 x 16 pixels",
        ),
        (
            json!({ "frame": { "x": 4_294_967_295_u32, "y": 3, "w": 4, "h": 5 } }),
            "it is at [4294967295, 3, 4, 5]; the image",
        ),
        (
            json!({ "frame": { "x": 2, "y": 12, "w": 4, "h": 5 } }),
            "it is at [2, 12, 4, 5]; the image has 16 x 16 pixels",
        ),
        (
            json!({ "frame": { "x": 2, "y": 12, "w": 5, "h": 4 }, "rotated": true,
                "spriteSourceSize": null, "sourceSize": null }),
            "it is at [2, 12, 4, 5]; the image has 16 x 16 pixels",
        ),
        (
            json!({ "frame": { "x": 2, "y": 3, "w": 5, "h": 4 }, "rotated": true }),
            "`frame` has 5 x 4 pixels, but `spriteSourceSize` 4 x 5",
        ),
        (
            json!({ "spriteSourceSize": { "x": 0, "y": 0, "w": 5, "h": 5 } }),
            "`frame` has 4 x 5 pixels, but `spriteSourceSize` 5 x 5",
        ),
        (
            json!({ "frame": { "x": 2, "y": 3, "w": 5, "h": 6 } }),
            "`frame` has 5 x 6 pixels, but `spriteSourceSize` 4 x 5",
        ),
        (json!({ "sourceSize": { "w": 4, "h": 4 } }), "`spriteSourceSize` is [0, 0, 4, 5], but `sourceSize` 4 x 4"),
        (
            json!({ "frame": { "x": 0, "y": 0, "w": 0, "h": 0 }, "spriteSourceSize": null, "sourceSize": null }),
            "it is at [0, 0, 0, 0]",
        ),
    ] {
        let message = message(&json!({ "frames": { "ok": frame([0, 0, 1, 1]), "x\u{202e}": changed(&fields) } }));
        assert!(message.starts_with(&format!("the file: frame 1 (\"x\\u{{202e}}\"): {expected}")), "{message}");
    }
    assert_eq!(message(&json!({ "frames": {} })), "the file: there are no frames");
    let other = json!({ "frames": [frame([0, 0, 1, 1])], "meta": { "size": { "w": 16, "h": 8 } } });
    assert_eq!(message(&other), "the file: meta: size: 16 x 8 pixels; the image has 16 x 16");
    let tag = json!({ "frames": [frame([0, 0, 1, 1])],
        "meta": { "frameTags": [{ "name": "walk", "from": 4, "to": 7, "direction": "forward" }] } });
    assert_eq!(message(&tag), "the file: tag \"walk\": frames 4 to 7; the file has the frames 0 to 0");
    let repeat = json!({ "frames": [frame([0, 0, 1, 1])],
        "meta": { "frameTags": [{ "name": "walk", "from": 0, "to": 0, "direction": "forward", "repeat": "often" }] } });
    assert_eq!(message(&repeat), "the file: tag \"walk\": `repeat` is \"often\", not a number of passes");
}

#[test]
fn polygons_several_images_and_layers_are_refused_by_name() {
    let kind = |json: &Value| match read(json, &atlas(16, 16)).unwrap_err().problem {
        Problem::Unsupported(problem) => problem,
        other => panic!("{other}"),
    };
    let polygon = changed(&json!({ "vertices": [[0, 0], [4, 0], [0, 5]], "triangles": [[0, 1, 2]] }));
    assert!(kind(&json!({ "frames": [polygon] })).contains("`vertices`"));
    let one = json!([frame([0, 0, 1, 1])]);
    let several = json!({ "frames": one, "meta": { "related_multi_packs": ["sheet-1.json"] } });
    assert!(kind(&several).contains("multipack"));
    let texture = json!({ "image": "a.png", "frames": one });
    assert!(kind(&json!({ "textures": [texture, texture] })).contains("multipack"));
    let alone = json!({ "frames": [changed(&json!({ "vertices": [] }))], "meta": { "related_multi_packs": [] } });
    assert!(read(&alone, &atlas(16, 16)).is_ok());
    let json = json!({ "frames": one }).to_string();
    let error = Import::default().layers(["body"]).read_packed(json.as_bytes(), &png(&atlas(1, 1))).unwrap_err();
    assert!(matches!(error.problem, Problem::Unsupported(_)), "{error}");
}

#[test]
fn wrong_json_is_placed_by_line_and_column() {
    for (json, expected) in [
        ("{\n  \"frames\": [}", "expected value, at line 2, column 14"),
        (
            "{\n\"frames\": {\"a\": {\"frame\": {\"x\": -1, \"y\": 0, \"w\": 1, \"h\": 1}}}}",
            "invalid value: integer `-1`, expected u32, at line 2, column 34",
        ),
        ("{\"frames\": [{}]}", "missing field `frame`, at line 1, column 14"),
        (
            "{\"frames\": 3}",
            "invalid type: integer `3`, expected the frames, as an array or as a hash, at line 1, column 12",
        ),
        ("{\"frames\": []} x", "trailing characters, at line 1, column 16"),
        ("", "EOF while parsing a value, at line 1, column 0"),
    ] {
        let error = Import::default().read_packed(json.as_bytes(), &[]).unwrap_err();
        assert_eq!(error.to_string(), format!("the file: {expected}"));
        assert!(matches!(error.problem, Problem::Json { .. }));
    }
    let long = format!(
        "{{\"meta\": {{\"frameTags\": [{{\"name\": \"\", \"from\": 0, \"to\": 0, \"direction\": \"\u{202e}{}\"}}]}}}}",
        "x".repeat(9999)
    );
    let message = Import::default().read_packed(long.as_bytes(), &[]).unwrap_err().to_string();
    assert!(message.len() < 999 && message.contains("unknown variant"), "{message}");
    assert!(!message.contains('\u{202e}'), "{message:?}");
}

#[test]
fn claims_beyond_the_limit_are_refused_by_size_and_limit() {
    let refused = |json: &Value, image: &RgbaImage, limit| match Import::default()
        .limit(limit)
        .read_packed(json.to_string().as_bytes(), &png(image))
        .unwrap_err()
        .problem
    {
        Problem::TooLarge { what, size, limit } => (what, size, limit),
        other => panic!("{other}"),
    };
    let huge = changed(&json!({ "sourceSize": { "w": u32::MAX, "h": u32::MAX } }));
    let area = u64::from(u32::MAX).pow(2);
    assert_eq!(refused(&json!({ "frames": [huge] }), &atlas(16, 16), 1 << 28), ("pixels in all frames", area, 1 << 28));
    assert_eq!(refused(&json!({ "frames": [huge, huge] }), &atlas(16, 16), 1 << 28).1, u64::MAX);
    assert_eq!(refused(&json!({ "frames": [] }), &atlas(16, 16), 255), ("pixels in one image", 256, 255));
    // A frame larger than a mask can be, within the limit.
    let wide = json!({ "frames": [changed(&json!({ "sourceSize": { "w": 8193, "h": 5 } }))] });
    assert!(message(&wide).contains("frame 0: a mask cannot have 8193 x 5 texels"), "{}", message(&wide));
    let long = Import::default().read_packed(&vec![b' '; (1 << 26) + 1], &[]).unwrap_err().to_string();
    assert_eq!(long, "the file: 67108865 bytes of JSON; the limit is 67108864");
    let many = format!("{{\"frames\": [{}]}}", vec![frame([0, 0, 1, 1]).to_string(); 65537].join(","));
    let error = Import::default().read_packed(many.as_bytes(), &[]).unwrap_err().to_string();
    assert!(error.contains("more than 65536 frames, the limit, at line 1"), "{error}");
}

/// Writes a packed sheet that names an image, and opens it.
fn open(folder: &Path, image: &str) -> Result<Sheet> {
    let json = json!({ "frames": [frame([0, 0, 8, 8])], "meta": { "image": image } });
    let path = folder.join("hero.json");
    fs::write(&path, json.to_string()).unwrap();
    let packed = Import::default().open_packed(&path);
    let opened = Sheet::open(&path);
    assert_eq!(packed.as_ref().map_err(ToString::to_string), opened.as_ref().map_err(ToString::to_string));
    opened
}

#[test]
fn the_image_is_opened_from_the_folder_of_the_file() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("inside");
    fs::create_dir_all(folder.join("art")).unwrap();
    for path in [dir.path().join("secret.png"), folder.join("hero.png"), folder.join("art/hero.png")] {
        atlas(8, 8).save(path).unwrap();
    }
    for name in ["hero.png", "art/hero.png", "./hero.png"] {
        assert_eq!(open(&folder, name).unwrap().frames.len(), 1);
    }
    let absolute = dir.path().join("secret.png");
    for name in ["../secret.png", "art/../../secret.png", "..\\secret.png", absolute.to_str().unwrap(), "C:/secret.png"]
    {
        let error = open(&folder, name).unwrap_err();
        assert!(matches!(error.problem, Problem::Outside { .. }), "{error}");
        assert!(error.file.ends_with("hero.json"), "{error}");
    }
    fs::write(folder.join("broken.png"), b"no image").unwrap();
    let broken = open(&folder, "broken.png").unwrap_err().to_string();
    assert!(broken.ends_with("broken.png: not an image in a known format"), "{broken}");
    assert!(open(&folder, "none.png").unwrap_err().file.ends_with("none.png"));
    assert!(matches!(open(&folder, "art").unwrap_err().problem, Problem::Unreadable(_)));
    fs::write(folder.join("alone.json"), json!({ "frames": [] }).to_string()).unwrap();
    let error = Sheet::open(folder.join("alone.json")).unwrap_err().to_string();
    assert!(error.ends_with("alone.json: meta: `image`, the name of the image, is missing"), "{error}");
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let dir = tempfile::tempdir().unwrap();
    atlas(8, 8).save(dir.path().join("hero.png")).unwrap();
    let packed = json!({ "frames": [frame([0, 0, 8, 8])], "meta": { "image": "hero.png" } });
    let retouch = json!({ "hitmask-sheet": 1, "sheet": "hero.png", "threshold": 128, "frames": [] });
    for json in [packed, retouch] {
        let path = dir.path().join("hero.json");
        fs::write(&path, format!("\u{feff}{json}")).unwrap();
        assert_eq!(Sheet::open(&path).unwrap().frames.len(), 1);
    }
}

#[test]
fn the_kind_is_detected_by_content() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        fs::write(&path, bytes).unwrap();
        Sheet::open(path)
    };
    let hero = include_bytes!("../../assets/hero.aseprite");
    assert_eq!(at("hero.json", hero).unwrap().frames.len(), 6);
    atlas(16, 16).save(dir.path().join("hero.png")).unwrap();
    assert_eq!(at("hero.ase", format!(" \n{ASEPRITE}").as_bytes()).unwrap().frames.len(), 2);
    let image = png(&atlas(2, 2));
    for (bytes, problem) in [
        (&b""[..], "neither an Aseprite file nor JSON"),
        (b"hero", "neither an Aseprite file nor JSON"),
        (&image, "an image does not say where its frames are; it needs a grid"),
    ] {
        let error = at("hero.aseprite", bytes).unwrap_err().to_string();
        assert!(error.ends_with(&format!("hero.aseprite: {problem}")), "{error}");
    }
    let missing = Sheet::open(dir.path().join("none.aseprite")).unwrap_err();
    assert!(matches!(missing.problem, Problem::Unreadable(_)) && missing.file.ends_with("none.aseprite"));
    let folder = Sheet::open(dir.path()).unwrap_err().to_string();
    assert!(folder.ends_with("not a regular file, but a folder"), "{folder}");
    let large = fs::File::create(dir.path().join("large")).unwrap();
    large.set_len((1 << 28) + 1).unwrap();
    let error = Sheet::open(dir.path().join("large")).unwrap_err().to_string();
    assert!(error.ends_with("268435457 bytes; the limit is 268435456"), "{error}");
}

#[test]
fn a_sheet_for_phaser_has_its_frames_in_its_only_texture() {
    let frames = json!([changed(&json!({ "filename": "a.png" })), changed(&json!({ "filename": "b.png" }))]);
    let texture = json!({ "image": "hero.png", "format": "RGBA8888", "size": { "w": 16, "h": 16 }, "scale": 1,
        "frames": frames });
    let meta = json!({ "app": "https://www.codeandweb.com/texturepacker", "version": "3.0" });
    let phaser = json!({ "textures": [texture], "meta": meta });
    let plain = json!({ "frames": frames, "meta": { "image": "hero.png", "size": { "w": 16, "h": 16 } } });
    let image = atlas(16, 16);
    assert_eq!(read(&phaser, &image).unwrap(), read(&plain, &image).unwrap());
    // As a file, whose image is found by its name.
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hero.json");
    image.save(dir.path().join("hero.png")).unwrap();
    fs::write(&path, phaser.to_string()).unwrap();
    let Art::Sheet(sheet) = Import::default().open_art(&path).unwrap() else { panic!("no sheet") };
    assert_eq!(sheet, Sheet::open(&path).unwrap());
    assert_eq!(sheet.frames.iter().map(|frame| &*frame.name).collect::<Vec<_>>(), ["a.png", "b.png"]);
    let empty = read(&json!({ "textures": [] }), &image).unwrap_err().to_string();
    assert!(empty.contains("there are no frames"), "{empty}");
    // A JSON file that is neither a sheet nor a level is refused by a message that says so.
    for (text, problem) in [(r#"{ "bodies": [] }"#, "neither a sheet"), ("{ \"a\": ", "line 1, column 7")] {
        fs::write(&path, text).unwrap();
        let error = Import::default().open_art(&path).unwrap_err().to_string();
        assert!(error.contains("hero.json: ") && error.contains(problem), "{error}");
    }
}
