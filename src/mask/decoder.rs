//! Decoders of image files: the format of a file, from its content, and a guard against their panics.

use std::io::{BufReader, Read, Seek};
use std::panic::{AssertUnwindSafe, catch_unwind};

use ::image::error::{ImageError, ImageResult};
use ::image::{ImageFormat, ImageReader, guess_format};

use super::png;

/// The bytes by which a format is recognised: the header of a TGA file. Other formats need fewer.
const HEADER: usize = 18;

/// Returns a reader of an image file in the format of its content, or the problem: a format that is unknown or not
/// enabled, or a palette that would make the decoder panic.
pub fn image_reader<R: Read + Seek>(mut content: BufReader<R>) -> Result<ImageReader<BufReader<R>>, String> {
    let unread = |error: std::io::Error| error.to_string();
    if let Some(problem) = png::palette_problem(&mut content) {
        return Err(problem);
    }
    content.rewind().map_err(unread)?;
    let mut header = Vec::with_capacity(HEADER);
    content.by_ref().take(HEADER as u64).read_to_end(&mut header).map_err(unread)?;
    content.rewind().map_err(unread)?;
    let format = guess_format(&header).ok().or_else(|| is_tga(&header).then_some(ImageFormat::Tga));
    let format = format.ok_or("not an image in a known format")?;
    if let Some((name, feature)) = named(format)
        && !format.reading_enabled()
    {
        return Err(format!("a {name} image, for which hitmask needs its feature `{feature}`"));
    }
    Ok(ImageReader::with_format(content, format))
}

/// Returns the name of a format that a feature of this crate enables, and that feature.
fn named(format: ImageFormat) -> Option<(&'static str, &'static str)> {
    Some(match format {
        ImageFormat::Bmp => ("BMP", "bmp"),
        ImageFormat::Gif => ("GIF", "gif"),
        ImageFormat::Qoi => ("QOI", "qoi"),
        ImageFormat::Tga => ("TGA", "tga"),
        ImageFormat::WebP => ("WebP", "webp"),
        _ => return None,
    })
}

/// Returns whether a file begins with the header of a TGA image ("Truevision TGA File Format Specification", version
/// 2.0, 1991). The format has no signature, so the header counts as one if its fields fit together.
fn is_tga(header: &[u8]) -> bool {
    let Ok([_, map, kind, _, _, _, _, entry, _, _, _, _, w0, w1, h0, h1, depth, flags]) =
        <[u8; HEADER]>::try_from(header)
    else {
        return false;
    };
    // Kinds from 9 on are run-length encoded.
    let fits = match kind {
        1 | 9 => map == 1 && matches!(entry, 15 | 16 | 24 | 32) && matches!(depth, 8 | 16),
        2 | 10 => map <= 1 && matches!(depth, 15 | 16 | 24 | 32),
        3 | 11 => map <= 1 && matches!(depth, 8 | 16),
        _ => false,
    };
    fits && [w0, w1] != [0; 2] && [h0, h1] != [0; 2] && flags < 64
}

/// Runs a decoder. Returns its error as `explain` words it, and its panic as an error too. Decoders are large and read
/// untrusted files: if one panics, a game that loads a mod's image should go on. The decoder's state is dropped, so
/// nothing half done is seen. This does not help a program that is built to abort on a panic, so
/// `png::palette_problem` prevents the one known panic beforehand.
pub fn guarded<T>(
    decode: impl FnOnce() -> ImageResult<T>,
    explain: impl FnOnce(&ImageError) -> String,
) -> Result<T, String> {
    let result = catch_unwind(AssertUnwindSafe(decode)).map_err(|panic| {
        let message = panic.downcast_ref::<&str>().copied();
        let message = message.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message");
        format!("its decoder panicked: {message}")
    })?;
    result.map_err(|error| explain(&error))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Mask;

    /// A picture of `ROWS` in each format that has a feature, written by Pillow 13, the BMP by hand from the format's
    /// description. The GIF has a second frame, which is full.
    const FILES: [(&str, bool, &[u8]); 6] = [
        ("BMP", cfg!(feature = "bmp"), include_bytes!("../../assets/formats/ship.bmp")),
        ("GIF", cfg!(feature = "gif"), include_bytes!("../../assets/formats/ship.gif")),
        ("QOI", cfg!(feature = "qoi"), include_bytes!("../../assets/formats/ship.qoi")),
        ("TGA", cfg!(feature = "tga"), include_bytes!("../../assets/formats/ship.tga")),
        ("TGA", cfg!(feature = "tga"), include_bytes!("../../assets/formats/ship-rle.tga")),
        ("WebP", cfg!(feature = "webp"), include_bytes!("../../assets/formats/ship.webp")),
    ];
    const ROWS: [&str; 3] = ["#.##.", "..#.#", "####."];

    #[test]
    fn a_format_is_read_if_its_feature_is_enabled() {
        for (name, is_enabled, file) in FILES {
            match Mask::decode(file, 128, None) {
                Ok(mask) => assert_eq!(mask.to_rows(), ROWS, "{name}"),
                Err(error) => {
                    let feature = name.to_lowercase();
                    let expected =
                        format!("the image: a {name} image, for which hitmask needs its feature `{feature}`");
                    assert_eq!(error.to_string(), expected);
                    assert!(!is_enabled, "{name}");
                }
            }
        }
    }

    #[test]
    fn a_file_that_ends_early_is_an_error() {
        for (name, is_enabled, file) in FILES {
            // The header, and no pixel.
            let error = Mask::decode(&file[..18], 128, None).unwrap_err().to_string();
            assert!(!is_enabled || !error.contains("feature"), "{name}: {error}");
            for length in 0..file.len() {
                if let Err(error) = Mask::decode(&file[..length], 128, None) {
                    assert!(!error.to_string().contains("panicked"), "{name}, {length} bytes: {error}");
                }
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn no_byte_makes_a_decoder_panic(file in 0..FILES.len(), bytes in prop::collection::vec((0_usize..200, any::<u8>()), 1..4)) {
            let (name, _, file) = FILES[file];
            let mut file = file.to_vec();
            for (at, byte) in bytes {
                let at = at % file.len();
                file[at] = byte;
            }
            if let Err(error) = Mask::decode(&file, 128, None) {
                prop_assert!(!error.to_string().contains("panicked"), "{}: {}", name, error);
            }
        }
    }

    #[test]
    fn only_a_header_whose_fields_fit_is_one_of_a_tga() {
        let tga = FILES[3].2;
        let with = |at: usize, byte: u8| {
            let mut header = tga[..HEADER].to_vec();
            header[at] = byte;
            is_tga(&header)
        };
        assert!(is_tga(&tga[..HEADER]) && !is_tga(&tga[..17]) && !is_tga(&[0; HEADER]));
        // A map, a kind, a map's entries, no columns, no rows, a depth, flags.
        for (at, byte) in [(1, 2), (2, 0), (2, 1), (2, 4), (12, 0), (14, 0), (16, 33), (17, 64)] {
            assert!(!with(at, byte), "byte {at} is {byte}");
        }
        for (at, byte) in [(0, 9), (1, 1), (2, 10), (8, 7), (13, 1), (16, 16), (17, 0)] {
            assert!(with(at, byte), "byte {at} is {byte}");
        }
        assert!(!is_tga(b"a text of any kind, as long as one likes"[..HEADER].try_into().unwrap()));
    }

    #[test]
    fn a_decoder_that_panics_gives_an_error() {
        let say = ToString::to_string;
        let panicked = [
            guarded::<()>(|| panic!("index out of bounds"), say),
            guarded(|| panic!("{} of {}", 4, 3), say),
            guarded(|| std::panic::panic_any(7), say),
        ];
        let expected = ["index out of bounds", "4 of 3", "no message"];
        assert_eq!(panicked, expected.map(|message| Err(format!("its decoder panicked: {message}"))));
        assert_eq!(guarded(|| Ok(5), say), Ok(5));
    }
}
