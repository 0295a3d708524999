//! The drawing of Aseprite files, their slices and tags, and the files that are refused.

use std::num::NonZeroU32;

use hitmask_files::{Direction, Frame, Import, Problem, Result, Sheet};

use crate::ase::{self, Ase, BACKGROUND, Cel, Layer, REFERENCE, VISIBLE};

const RED: [u8; 4] = [255, 0, 0, 255];
const GREEN: [u8; 4] = [0, 255, 0, 255];
const BLUE: [u8; 4] = [0, 0, 255, 255];
const NONE: [u8; 4] = [0; 4];

fn read(file: &Ase) -> Result<Sheet> {
    Import::default().read_aseprite(&file.bytes())
}

fn message(file: &Ase) -> String {
    read(file).unwrap_err().to_string()
}

fn pixels(frame: &Frame) -> &[[u8; 4]] {
    frame.image.as_raw().as_chunks().0
}

/// Returns the first pixel of the first frame, of the layers with these names if there are any.
fn first(file: &Ase, names: &[&str]) -> [u8; 4] {
    let import = Import::default();
    let import = if names.is_empty() { import } else { import.layers(names.iter().copied()) };
    pixels(&import.read_aseprite(&file.bytes()).unwrap().frames[0])[0]
}

fn group(name: &str, flags: u16, level: u16) -> Layer<'_> {
    Layer { name, flags, kind: 1, level, ..Layer::default() }
}

fn image(name: &str, flags: u16, level: u16) -> Layer<'_> {
    Layer { name, flags, level, ..Layer::default() }
}

/// Makes a file of one pixel with these layers, and a cel of a colour for some of them.
fn pixel(layers: &[Layer<'_>], cels: &[(u16, [u8; 4], i16)]) -> Ase {
    let file = layers.iter().fold(Ase::new([1, 1], 1), |file, layer| file.add(0, ase::layer(layer)));
    cels.iter().fold(file, |file, (layer, pixels, z)| {
        file.add(0, ase::cel(&Cel { layer: *layer, pixels, z: *z, ..Cel::default() }))
    })
}

#[test]
fn a_hidden_group_hides_its_layers_and_reference_layers_are_never_drawn() {
    let layers = |inner: u16, outer: u16| {
        [image("base", VISIBLE, 0), group("outer", outer, 0), group("inner", inner, 1), image("leaf", VISIBLE, 2)]
    };
    let cels = [(0, RED, 0), (3, GREEN, 0)];
    assert_eq!(first(&pixel(&layers(VISIBLE, VISIBLE), &cels), &[]), GREEN);
    assert_eq!(first(&pixel(&layers(0, VISIBLE), &cels), &[]), RED);
    assert_eq!(first(&pixel(&layers(VISIBLE, 0), &cels), &[]), RED);
    // A layer after the group is not in it.
    let after = [group("group", 0, 0), image("in", VISIBLE, 1), image("after", VISIBLE, 0)];
    assert_eq!(first(&pixel(&after, &[(1, RED, 0), (2, GREEN, 0)]), &[]), GREEN);
    let reference = [image("base", VISIBLE, 0), image("photo", VISIBLE | REFERENCE, 0)];
    let file = pixel(&reference, &[(0, RED, 0), (1, GREEN, 0)]);
    assert_eq!((first(&file, &[]), first(&file, &["photo"])), (RED, NONE));
}

#[test]
fn layers_are_chosen_by_name() {
    let layers = [
        image("art", VISIBLE, 0),
        image("hitbox", 0, 0),
        group("parts", 0, 0),
        image("arm", VISIBLE, 1),
        image("sketch", 0, 1),
    ];
    let cels = [(0, RED, 0), (1, GREEN, 0), (3, BLUE, 0), (4, [9, 9, 9, 255], 0)];
    for flags in [1, 3] {
        let file = Ase { flags, ..pixel(&layers, &cels) };
        assert_eq!(first(&file, &[]), RED);
        assert_eq!(first(&file, &["hitbox"]), GREEN, "a hidden layer");
        assert_eq!(first(&file, &["parts"]), BLUE, "a group, without its hidden layer");
        assert_eq!(first(&file, &["sketch"]), [9, 9, 9, 255], "a layer of a group that is not chosen");
        assert_eq!(first(&file, &["arm", "art"]), BLUE);
        let error = Import::default().layers(["hitbx"]).read_aseprite(&file.bytes()).unwrap_err().to_string();
        assert_eq!(
            error,
            "the file: there is no layer \"hitbx\"; the first are: \"art\", \"hitbox\", \"parts\", \"arm\", \"sketch\""
        );
    }
}

#[test]
fn a_cel_is_drawn_as_many_layers_later_as_its_z_index_says() {
    let layers = [image("a", VISIBLE, 0), image("b", VISIBLE, 0), image("c", VISIBLE, 0)];
    let top = |z: [i16; 3]| first(&pixel(&layers, &[(0, RED, z[0]), (1, GREEN, z[1]), (2, BLUE, z[2])]), &[]);
    assert_eq!(top([0, 0, 0]), BLUE);
    assert_eq!(top([2, 0, 0]), RED, "at the place of c, but with a higher z-index");
    assert_eq!(top([1, 0, 0]), BLUE);
    assert_eq!(top([0, 0, -2]), GREEN);
    assert_eq!(top([3, 2, 0]), RED, "both at place 3: the higher z-index later");
    assert_eq!(top([0, i16::MAX, 0]), GREEN);
    // Hidden layers and groups count as places.
    let hidden = [image("a", VISIBLE, 0), image("b", 0, 0), group("g", VISIBLE, 0), image("c", VISIBLE, 1)];
    let top = |z| first(&pixel(&hidden, &[(0, RED, z), (3, BLUE, 0)]), &[]);
    assert_eq!([top(2), top(3)], [BLUE, RED]);
    // In a group that is composed, only its own layers are places.
    let composed = |z| {
        let layers = [group("g", VISIBLE, 0), image("a", VISIBLE, 1), image("b", VISIBLE, 1), image("c", VISIBLE, 0)];
        first(&Ase { flags: 3, ..pixel(&layers, &[(1, RED, z), (2, GREEN, 0), (3, [0; 4], 0)]) }, &[])
    };
    assert_eq!([composed(0), composed(1)], [GREEN, RED]);
    let layers = [group("g", VISIBLE, 0), image("a", VISIBLE, 1), image("c", VISIBLE, 0)];
    let file = |flags| Ase { flags, ..pixel(&layers, &[(1, RED, 9), (2, BLUE, 0)]) };
    assert_eq!([first(&file(1), &[]), first(&file(3), &[])], [RED, BLUE]);
}

#[test]
fn groups_are_composed_if_the_file_says_so() {
    let half = Layer { opacity: 128, mode: 1, ..group("g", VISIBLE, 0) };
    let layers = [image("base", VISIBLE, 0), half, image("a", VISIBLE, 1), image("b", VISIBLE, 1)];
    let cels = [(0, [200, 200, 200, 255], 0), (2, [9, 9, 9, 255], 0), (3, [100, 0, 0, 255], 0)];
    let file = |flags| Ase { flags, ..pixel(&layers, &cels) };
    assert_eq!(first(&file(1), &[]), [100, 0, 0, 255], "the group's mode and opacity are not valid");
    // Multiplied: 200 * 100 / 255 = 78 and 0; at 128 of 255: 200 - 122 * 128 / 255 = 139, 200 - 200 * 128 / 255 = 100.
    assert_eq!(first(&file(3), &[]), [139, 100, 100, 255]);
    assert_eq!(first(&file(2), &[]), [78, 0, 0, 255], "without valid opacities all layers are opaque");
    assert_eq!(first(&file(3), &["a"]), [9, 9, 9, 128], "over nothing, only the opacity counts");
}

#[test]
fn hue_and_saturation_are_those_of_aseprite_today() {
    let mode = |mode, back: [u8; 3], front: [u8; 3]| {
        let layers = [image("back", VISIBLE, 0), Layer { mode, ..image("front", VISIBLE, 0) }];
        let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
        first(&pixel(&layers, &[(0, opaque(back), 0), (1, opaque(front), 0)]), &[])
    };
    // Two equal channels, which older versions sorted wrongly. The saturation of the backdrop is 1/5, its luminosity
    // 0.3 * 0.6 + 0.59 * 0.4 + 0.11 * 0.4 = 0.46.
    // Hue of blue: (0, 0, 0.2) + 0.46 - 0.022 = (0.438, 0.438, 0.638).
    assert_eq!(mode(12, [153, 102, 102], [0, 0, 255]), [111, 111, 162, 255]);
    // Saturation 1 of blue: (1, 0, 0) + 0.46 - 0.3 = (1.16, 0.16, 0.16), clipped at 1 towards the luminosity.
    assert_eq!(mode(13, [153, 102, 102], [0, 0, 255]), [255, 58, 58, 255]);
}

#[test]
fn linked_cels_have_a_place_and_an_opacity_of_their_own() {
    let cel = Cel { pixels: &[RED, GREEN].concat(), size: [2, 1], ..Cel::default() };
    let file = Ase::new([2, 1], 3)
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::cel(&cel))
        .add(1, ase::linked(&Cel { at: [1, 0], ..cel.clone() }, 0))
        .add(2, ase::linked(&Cel { at: [-1, 0], opacity: 100, ..cel.clone() }, 1));
    let frames = read(&file).unwrap().frames;
    assert_eq!([pixels(&frames[1]), pixels(&frames[2])], [[NONE, RED], [[0, 255, 0, 100], NONE]]);
    let lost = Ase::new([2, 1], 2).add(0, ase::layer(&Layer::default())).add(0, ase::linked(&cel, 1));
    assert_eq!(
        message(&lost),
        "the file: frame 0: chunk 1: layer \"layer\": its cel is that of frame 1, which has none before"
    );
}

#[test]
fn palettes_change_from_frame_to_frame() {
    let cel = Cel { pixels: &[1, 2, 3], size: [3, 1], ..Cel::default() };
    let file = Ase { bits: 8, ..Ase::new([3, 1], 3) }
        .add(0, ase::palette(3, 0, &[BLUE, RED, GREEN]))
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::cel(&cel))
        .add(1, ase::palette(3, 2, &[BLUE]))
        .add(1, ase::linked(&cel, 0))
        .add(2, ase::raw(&cel));
    let frames = read(&file).unwrap().frames;
    assert_eq!(pixels(&frames[0]), [RED, GREEN, NONE], "a colour that the palette does not have is transparent");
    assert_eq!(pixels(&frames[1]), [RED, BLUE, NONE]);
    assert_eq!(pixels(&frames[2]), pixels(&frames[1]), "a palette stays");
}

#[test]
fn old_palettes_count_without_a_new_one() {
    let file = |kind, with_new: bool| {
        let cel = Cel { pixels: &[3], ..Cel::default() };
        let mut file = Ase { bits: 8, ..Ase::new([1, 1], 1) };
        if with_new {
            file = file.add(0, ase::palette(9, 3, &[GREEN]));
        }
        file.add(0, ase::old_palette(kind, 2, &[[9, 9, 9], [63, 1, 200]]))
            .add(0, ase::layer(&Layer::default()))
            .add(0, ase::cel(&cel))
    };
    assert_eq!(first(&file(0x0004, false), &[]), [63, 1, 200, 255]);
    assert_eq!(first(&file(0x0011, false), &[]), [255, 4, 255, 255], "6 bits a channel");
    assert_eq!(first(&file(11, false), &[]), [255, 4, 255, 255]);
    assert_eq!(first(&file(0x0004, true), &[]), GREEN);
}

#[test]
fn a_background_is_below_all_and_shows_its_transparent_colour() {
    let file = |flags| {
        Ase { bits: 8, transparent: 1, ..Ase::new([2, 1], 1) }
            .add(0, ase::palette(3, 0, &[BLUE, RED, GREEN]))
            .add(0, ase::layer(&image("a", flags, 0)))
            .add(0, ase::cel(&Cel { pixels: &[1, 2], size: [2, 1], ..Cel::default() }))
    };
    assert_eq!(pixels(&read(&file(VISIBLE | BACKGROUND)).unwrap().frames[0]), [RED, GREEN]);
    assert_eq!(pixels(&read(&file(VISIBLE)).unwrap().frames[0]), [NONE, GREEN]);
    assert_eq!(pixels(&read(&file(BACKGROUND)).unwrap().frames[0]), [NONE, NONE]);
    // It is drawn before all other layers, whatever its z-index.
    let layers = [image("a", VISIBLE | BACKGROUND, 0), image("b", VISIBLE, 0)];
    assert_eq!(first(&pixel(&layers, &[(0, RED, 5), (1, GREEN, 0)]), &[]), GREEN);
}

#[test]
fn tiles_are_flipped_in_x_then_in_y_then_along_the_diagonal() {
    let tile = [RED, GREEN, BLUE, [9, 9, 9, 255]];
    let [a, b, c, d] = tile;
    let file = |flags: u32, word: u32| {
        let tiles = [[NONE; 4], tile].concat();
        Ase::new([4, 2], 1)
            .add(0, ase::tileset(7, flags, 2, [2, 2], tiles.as_flattened()))
            .add(0, ase::layer(&Layer { kind: 2, tileset: 7, ..Layer::default() }))
            .add(0, ase::tilemap(&Cel { size: [1, 1], at: [1, 0], ..Cel::default() }, &[word]))
    };
    let square = |word| {
        let sheet = read(&file(6, word)).unwrap();
        let shown = pixels(&sheet.frames[0]).to_vec();
        assert_eq!([shown[0], shown[3], shown[4], shown[7]], [NONE; 4], "beside the tile");
        [shown[1], shown[2], shown[5], shown[6]]
    };
    assert_eq!(square(1), [a, b, c, d]);
    assert_eq!(square(1 | 1 << 31), [b, a, d, c]);
    assert_eq!(square(1 | 1 << 30), [c, d, a, b]);
    assert_eq!(square(1 | 1 << 29), [a, c, b, d]);
    assert_eq!(square(1 | 5 << 29), [c, a, d, b], "mirrored and along the diagonal: a quarter turn");
    assert_eq!([square(0), square(2), square(0x1fff_ffff)], [[NONE; 4]; 3], "empty, and tiles that are not there");
    // In older files tile 0 is like any other, and the empty word has all bits, also if they name a tile.
    let full = |flags, word: u32, mask: u32| {
        let mut tilemap = ase::tilemap(&Cel { size: [1, 1], ..Cel::default() }, &[word]);
        tilemap[28..32].copy_from_slice(&mask.to_le_bytes());
        let file = Ase::new([2, 2], 1)
            .add(0, ase::tileset(0, flags, 2, [2, 2], [tile, [RED; 4]].concat().as_flattened()))
            .add(0, ase::layer(&Layer { kind: 2, ..Layer::default() }))
            .add(0, tilemap);
        pixels(&read(&file).unwrap().frames[0]).to_vec()
    };
    assert_eq!([full(6, 0, 1), full(6, 1 << 31, 1), full(6, 1, 1)], [[NONE; 4], [b, a, d, c], [RED; 4]]);
    assert_eq!([full(2, 0, 1), full(2, 1, 1), full(2, u32::MAX, 1)], [tile, [RED; 4], [NONE; 4]]);
    assert_eq!(full(6, 0x30, 0x10), [RED; 4], "the mask of the index is shifted");
    assert!(message(&file(4, 1)).ends_with("frame 0: layer \"layer\": the tiles are in another file"));
    let orphan = file(6, 1);
    let orphan = Ase { frames: vec![(100, orphan.frames[0].1[1..].to_vec())], ..orphan };
    assert!(message(&orphan).ends_with("layer \"layer\": there is no tileset 7"), "{}", message(&orphan));
}

#[test]
fn a_tile_that_is_not_square_is_cut_and_clears_what_it_leaves_along_the_diagonal() {
    let file = Ase::new([3, 1], 1)
        .add(0, ase::tileset(0, 6, 2, [3, 1], [[NONE; 3], [RED, GREEN, BLUE]].concat().as_flattened()))
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::layer(&Layer { kind: 2, ..Layer::default() }))
        .add(0, ase::cel(&Cel { pixels: &[GREEN; 3].concat(), size: [3, 1], ..Cel::default() }))
        .add(0, ase::tilemap(&Cel { layer: 1, ..Cel::default() }, &[1 | 1 << 29]));
    assert_eq!(pixels(&read(&file).unwrap().frames[0]), [RED, NONE, NONE]);
}

#[test]
fn slices_have_keys_pivots_centres_and_user_data() {
    let file = Ase::new([8, 8], 4)
        .add(
            0,
            ase::slice("hand", 3, &[&[1, 1, 2, 3, 4, /**/ 1, 1, 1, 2, /**/ 2, 0], &[3, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]),
        )
        .add(0, ase::user_data(Some("left")))
        .add(0, ase::slice("body", 0, &[&[2, -1, -2, 9, 9], &[0, 0, 0, 8, 8]]));
    let frames = read(&file).unwrap().frames;
    let names = |frame: &Frame| frame.boxes.iter().map(|named| named.name.to_string()).collect::<Vec<_>>();
    assert_eq!(
        frames.iter().map(names).collect::<Vec<_>>(),
        [vec!["body"], vec!["hand", "body"], vec!["hand", "body"], vec!["body"]]
    );
    let hand = frames[1].boxes("hand").next().unwrap();
    assert_eq!(
        (hand.bounds, hand.centre, hand.pivot, &*hand.data),
        ([1, 2, 3, 4], Some([2, 3, 1, 2]), Some([3, 2]), "left")
    );
    assert_eq!(
        [0, 1, 2, 3].map(|k| frames[k].boxes("body").next().unwrap().bounds[0]),
        [0, 0, -1, -1],
        "keys are sorted"
    );
    assert_eq!(frames[1].boxes[1].data.len(), 0);
    assert_eq!(
        frames.iter().map(|frame| frame.pivot).collect::<Vec<_>>(),
        [None, Some([3.0, 2.0]), Some([3.0, 2.0]), None]
    );
    let far = Ase::new([8, 8], 1).add(0, ase::slice("far", 0, &[&[0, i32::MAX, 0, 1, 1]]));
    assert_eq!(message(&far), "the file: slice \"far\": frame 0: 2147483648 is no coordinate of a pixel");
}

#[test]
fn tags_have_directions_passes_and_user_data() {
    let tags =
        [("a", [0, 2], 0, 0), ("b", [1, 1], 1, 1), ("c", [0, 1], 2, 2), ("d", [0, 1], 3, 65535), ("e", [0, 0], 4, 0)];
    let file =
        Ase::new([1, 1], 3).add(0, ase::tags(&tags)).add(0, ase::user_data(Some("first"))).add(0, ase::user_data(None));
    let file = file
        .add(0, ase::user_data(Some("third")))
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::user_data(Some("the layer's")));
    let read = read(&file).unwrap();
    let all: Vec<_> = read
        .tags
        .iter()
        .map(|tag| (tag.frames.clone(), tag.direction, tag.repeat.map_or(0, NonZeroU32::get), &*tag.data))
        .collect();
    let expected = [
        (0..3, Direction::Forward, 0, "first"),
        (1..2, Direction::Reverse, 1, ""),
        (0..2, Direction::PingPong, 2, "third"),
        (0..2, Direction::PingPongReverse, 65535, ""),
        (0..1, Direction::Forward, 0, ""),
    ];
    assert_eq!(all, expected);
    for range in [[0, 3], [2, 1]] {
        let error = message(&Ase::new([1, 1], 3).add(0, ase::tags(&[("walk", range, 0, 0)])));
        let [from, to] = range;
        assert_eq!(
            error,
            format!("the file: frame 0: chunk 0: tag \"walk\": frames {from} to {to}; the file has the frames 0 to 2")
        );
    }
}

#[test]
fn durations_are_those_of_the_frame_or_the_file_and_at_least_1_ms() {
    let durations = |speed| {
        let file = Ase { speed, frames: vec![(70, vec![]), (0, vec![])], ..Ase::new([1, 1], 0) };
        read(&file).unwrap().frames.iter().map(|frame| frame.duration.as_millis()).collect::<Vec<_>>()
    };
    assert_eq!([durations(40), durations(0)], [[70, 40], [70, 1]]);
}

#[test]
fn frames_with_equal_images_share_image_and_mask() {
    let cel = Cel { pixels: &RED, ..Cel::default() };
    let file = Ase::new([1, 1], 3).add(0, ase::layer(&Layer::default())).add(0, ase::cel(&cel)).add(2, ase::raw(&cel));
    let frames = read(&file).unwrap().frames;
    assert!(std::sync::Arc::ptr_eq(&frames[0].image, &frames[2].image));
    assert!(std::sync::Arc::ptr_eq(&frames[0].mask, &frames[2].mask));
    assert_ne!(frames[0].image, frames[1].image);
}

#[test]
fn the_threshold_decides_what_is_solid() {
    let cel = Cel { pixels: &[0, 0, 0, 100, 0, 0, 0, 101], size: [2, 1], ..Cel::default() };
    let file = Ase::new([2, 1], 1).add(0, ase::layer(&Layer::default())).add(0, ase::cel(&cel)).bytes();
    let rows = |import: Import| import.read_aseprite(&file).unwrap().frames[0].mask.to_rows();
    assert_eq!([rows(Import::default()), rows(Import::default().threshold(101))], [[".."], [".#"]]);
    let error = Import::default().threshold(0).read_aseprite(&file).unwrap_err();
    assert!(matches!(error.problem, Problem::Mask(_)), "{error}");
}

#[test]
fn claims_beyond_the_limit_are_refused_by_size_and_limit() {
    let refused =
        |file: &Ase, limit| match Import::default().limit(limit).read_aseprite(&file.bytes()).unwrap_err().problem {
            Problem::TooLarge { what, size, limit } => (what, size, limit),
            other => panic!("{other}"),
        };
    let large = Ase::new([65535, 65535], 3);
    assert_eq!(refused(&large, 1 << 28), ("pixels in all frames", 3 * 65535 * 65535, 1 << 28));
    let exact = Ase::new([10, 10], 3);
    assert_eq!(refused(&exact, 299), ("pixels in all frames", 300, 299));
    assert!(Import::default().limit(300).read_aseprite(&exact.bytes()).is_ok());
    let cel = Ase::new([1, 1], 1)
        .add(0, ase::layer(&Layer::default()))
        .add(0, ase::cel(&Cel { size: [300, 100], ..Cel::default() }));
    assert_eq!(refused(&cel, 999), ("pixels in one image", 30_000, 999));
    let tiles = Ase::new([1, 1], 1).add(0, ase::tileset(0, 2, 1 << 20, [64, 64], &[]));
    assert_eq!(refused(&tiles, 1 << 28), ("pixels in one image", 1 << 32, 1 << 28));
    let linked = Cel { size: [30, 30], pixels: &[7; 3600], ..Cel::default() };
    let start = Ase::new([1, 1], 100).add(0, ase::layer(&Layer::default())).add(0, ase::cel(&linked));
    let drawn = (1..100).fold(start, |file, frame| file.add(frame, ase::linked(&linked, 0)));
    assert_eq!(refused(&drawn, 900), ("pixels in all layers of all frames", 90_000, 57_600));
    let tiles = Cel { size: [1, 1], ..Cel::default() };
    let start = Ase::new([1, 1], 100)
        .add(0, ase::tileset(0, 6, 30, [30, 1], &[7; 3600]))
        .add(0, ase::layer(&Layer { kind: 2, ..Layer::default() }));
    let drawn = (0..100).fold(start, |file, frame| file.add(frame, ase::tilemap(&tiles, &[1])));
    assert_eq!(refused(&drawn, 900), ("pixels in all layers of all frames", 93_000, 57_600));
    let keys: Vec<Vec<u8>> = (0..17).map(|_| ase::slice("", 0, &[&[0, 0, 0, 1, 1]])).collect();
    let many = Ase { frames: [vec![(1, keys)], vec![(1, vec![]); 65534]].concat(), ..Ase::new([1, 1], 0) };
    assert_eq!(refused(&many, 1 << 28), ("boxes in all frames", 17 * 65535, 1 << 20));
    let deep = (0..9)
        .fold(Ase { flags: 3, ..Ase::new([10, 10], 1) }, |file, k| file.add(0, ase::layer(&group("g", VISIBLE, k))));
    assert_eq!(refused(&deep, 899), ("pixels in all frames", 900, 899));
}

#[test]
fn damage_is_named_with_its_place() {
    let file = Ase::new([2, 2], 1).add(0, ase::layer(&image("body", VISIBLE, 0)));
    let with = |chunk: Vec<u8>| message(&file.clone().add(0, chunk));
    let cel = Cel { size: [2, 2], pixels: &[1; 15], ..Cel::default() };
    let ends = "the file: frame 0: layer \"body\": its pixels end early: 15 bytes where 16 must be";
    assert_eq!([with(ase::cel(&cel)), with(ase::raw(&cel))], [ends, ends]);
    let wide = Cel { size: [9999, 9999], pixels: &[1; 15], ..Cel::default() };
    assert!(
        with(ase::cel(&wide)).contains("bytes of deflated data cannot hold 399920004"),
        "{}",
        with(ase::cel(&wide))
    );
    let other = Cel { layer: 4, ..cel.clone() };
    assert_eq!(with(ase::cel(&other)), "the file: frame 0: chunk 1: a cel of layer 4; there are 1 layers so far");
    let whole = Cel { pixels: &[1; 16], ..cel };
    let twice = file.clone().add(0, ase::cel(&whole)).add(0, ase::cel(&whole));
    assert_eq!(message(&twice), "the file: frame 0: chunk 2: layer \"body\": it has two cels in this frame");
    assert!(
        with(ase::layer(&Layer { mode: 19, name: "m", ..Layer::default() })).ends_with("layer \"m\": blend mode 19")
    );
    assert!(with(ase::layer(&Layer { kind: 3, ..Layer::default() })).ends_with("layers of kind 3"));
    assert!(with(ase::layer(&image("x", VISIBLE, 1))).ends_with("layer \"x\": it lies in a layer that is not a group"));
    assert!(with(ase::chunk(0x2018, &[])).ends_with("chunk 1: it ends early: 0 bytes are left where 2 must be"));
    let empty = Ase { size: [0, 2], ..file.clone() };
    assert_eq!(message(&empty), "the file: header: 1 frames of 0 x 2 pixels; there must be at least 1 of 1 x 1");
    assert_eq!(
        message(&Ase { bits: 24, ..file.clone() }),
        "the file: header: 24 bits a pixel; there must be 8, 16 or 32"
    );
    let deep = (0..66).fold(Ase::new([1, 1], 1), |file, k| file.add(0, ase::layer(&group("g", VISIBLE, k))));
    assert!(message(&deep).ends_with("chunk 65: layer \"g\": it lies in more than 64 groups, the limit"));
}

#[test]
fn unknown_chunks_and_the_ratio_of_pixels_are_ignored() {
    let file = Ase::new([2, 1], 1).add(0, ase::chunk(0x7777, &[1, 2, 3]));
    let mut bytes = file.bytes();
    bytes[34] = 3; // pixels three times as wide as high
    let sheets = [&bytes, &file.bytes()].map(|bytes| Import::default().read_aseprite(bytes).unwrap());
    assert_eq!(sheets[0], sheets[1]);
}
