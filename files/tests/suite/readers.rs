//! Two other readers of Aseprite's files, on random files of the kind that they draw as Aseprite does.
//!
//! This crate follows Aseprite's source, of August 2026, which the two do not in these cases:
//!
//! | file | `asefile` 0.3.8 | `aseprite-loader` 0.4.2 |
//! |---|---|---|
//! | cels with a z-index | ignored | ignored |
//! | groups with blend mode or opacity | ignored | ignored |
//! | opacity of cels | as here | ignored |
//! | layers in a hidden group | as here | drawn |
//! | reference layers | drawn | drawn |
//! | tilemaps | without flips | refused |
//! | palettes that change | the last is used | mixed; refused if in part |
//! | hue, saturation | by a sort that Aseprite has mended | wrong, panics |
//! | colour, luminosity | as here | wrong, panics |
//! | soft light | as here | blue is wrong |
//! | invisible pixels | may have other colours | may have other colours |

use aseprite_loader::loader::{AsepriteFile, LayerSelection};
use hitmask_files::{Import, Sheet};
use proptest::prelude::*;

use crate::ase::{self, Ase, Cel, Layer};

/// The modes that `aseprite-loader` computes as Aseprite does: all but soft light, hue, saturation, colour, luminosity.
const LOADER_MODES: &[u16] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 16, 17, 18];

/// The modes that `asefile` computes as Aseprite does: all but hue and saturation.
const ASEFILE_MODES: &[u16] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 15, 16, 17, 18];

/// A layer and its cel in each of two frames.
#[derive(Clone, Debug)]
struct Drawn {
    is_visible: bool,
    mode: u16,
    opacity: u8,
    cel_opacity: u8,
    at: [i16; 2],
    pixels: Vec<u8>,
    is_linked: bool,
}

const SIZE: [u16; 2] = [5, 4];

fn drawn(bits: u16, modes: &'static [u16]) -> impl Strategy<Value = Drawn> {
    let byte = || prop_oneof![2 => any::<u8>(), 1 => Just(0_u8), 1 => Just(255_u8)];
    let opacity = || prop_oneof![Just(255_u8), any::<u8>()];
    let pixels = proptest::collection::vec(byte(), usize::from(bits) / 8 * 20);
    let at = (-3_i16..4, -3_i16..4).prop_map(|(x, y)| [x, y]);
    (proptest::bool::weighted(0.8), proptest::sample::select(modes), opacity(), opacity(), at, pixels, any::<bool>())
        .prop_map(|(is_visible, mode, opacity, cel_opacity, at, pixels, is_linked)| Drawn {
            is_visible,
            mode,
            opacity,
            cel_opacity,
            at,
            pixels,
            is_linked,
        })
}

fn file(bits: u16, layers: &[Drawn], colours: &[[u8; 4]]) -> Ase {
    let mut file = Ase { bits, transparent: 2, ..Ase::new(SIZE, 2) }.add(0, ase::palette(256, 0, colours));
    for layer in layers {
        let flags = if layer.is_visible { ase::VISIBLE } else { 0 };
        file = file.add(0, ase::layer(&Layer { flags, mode: layer.mode, opacity: layer.opacity, ..Layer::default() }));
    }
    for frame in [0, 1] {
        for (k, Drawn { at, cel_opacity, pixels, is_linked, .. }) in layers.iter().enumerate() {
            let mut pixels = pixels.clone();
            pixels.rotate_left(frame * 7 * usize::from(bits) / 8);
            let cel = Cel { layer: k as u16, at: *at, opacity: *cel_opacity, size: SIZE, pixels: &pixels, z: 0 };
            file = file.add(frame, if *is_linked && frame == 1 { ase::linked(&cel, 0) } else { ase::cel(&cel) });
        }
    }
    file
}

pub(crate) fn ours(file: &[u8]) -> Vec<Vec<u8>> {
    let sheet: Sheet = Import::default().read_aseprite(file).unwrap();
    sheet.frames.iter().map(|frame| frame.image.as_raw().clone()).collect()
}

pub(crate) fn asefile(file: &[u8]) -> Vec<Vec<u8>> {
    let file = asefile::AsepriteFile::read(file).unwrap();
    (0..file.num_frames()).map(|frame| file.frame(frame).image().into_raw()).collect()
}

pub(crate) fn aseprite_loader(file: &[u8]) -> Vec<Vec<u8>> {
    let file = AsepriteFile::load(file).unwrap();
    let (width, height) = file.size();
    let draw = |frame| {
        let mut pixels = vec![0; 4 * usize::from(width) * usize::from(height)];
        file.render_frame(frame, &mut pixels, &LayerSelection::Visible).unwrap();
        pixels
    };
    (0..file.frames().len()).map(draw).collect()
}

/// Returns the first pixel that differs, unless both are fully transparent.
pub(crate) fn difference(ours: &[Vec<u8>], theirs: &[Vec<u8>]) -> Option<String> {
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).enumerate().find_map(|(frame, (ours, theirs))| {
        let pixels = ours.as_chunks::<4>().0.iter().zip(theirs.as_chunks::<4>().0).enumerate();
        let (k, (ours, theirs)) =
            pixels.into_iter().find(|(_, (ours, theirs))| ours != theirs && [ours[3], theirs[3]] != [0; 2])?;
        Some(format!("frame {frame}, pixel {k}: {ours:?} is not {theirs:?}"))
    })
}

fn colours() -> impl Strategy<Value = Vec<[u8; 4]>> {
    proptest::collection::vec(any::<[u8; 3]>().prop_map(|[r, g, b]| [r, g, b, 255]), 256)
}

fn files(modes: &'static [u16]) -> impl Strategy<Value = Ase> {
    let files = |bits| {
        let layers = proptest::collection::vec(drawn(bits, modes), 1..5);
        (layers, colours()).prop_map(move |(layers, colours)| file(bits, &layers, &colours))
    };
    prop_oneof![files(32), files(16), files(8)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn frames_are_those_of_asefile(file in files(ASEFILE_MODES)) {
        let file = file.bytes();
        prop_assert_eq!(difference(&ours(&file), &asefile(&file)), None);
    }

    #[test]
    fn frames_are_those_of_aseprite_loader(file in files(LOADER_MODES)) {
        let mut file = file;
        // It ignores the opacity of cels, byte 12 of the chunk.
        for (_, chunks) in &mut file.frames {
            chunks.iter_mut().filter(|chunk| chunk[4..6] == [0x05, 0x20]).for_each(|chunk| chunk[12] = 255);
        }
        let file = file.bytes();
        prop_assert_eq!(difference(&ours(&file), &aseprite_loader(&file)), None);
    }
}

#[test]
fn an_aseprite_file_of_any_length_is_a_sheet() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("hero.aseprite");
    for first in [b'<', b'{', b' ', 0xef] {
        let mut file = include_bytes!("../../assets/hero.aseprite").to_vec();
        file[0] = first; // of the file's length
        std::fs::write(&path, file).unwrap();
        let art = hitmask_files::Import::default().open_art(&path).unwrap();
        assert!(matches!(art, hitmask_files::Art::Sheet(sheet) if sheet.frames.len() == 6), "{first}");
    }
    let level = hitmask_files::Import::default().open_art("assets/cave.tmx").unwrap();
    assert!(matches!(level, hitmask_files::Art::Level(_)));
}
