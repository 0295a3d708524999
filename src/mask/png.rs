//! Detection of malformed PNG palettes that make the decoder panic: the `png` crate, 0.18.1, assumes without a check
//! that a palette holds whole colours.

use std::io::{BufReader, Read, Seek};

const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The colour type of indices into a palette (PNG specification, third edition, section 11.2.1).
const INDEXED: u8 = 3;

/// Reads a file's chunks from its beginning up to its pixels, and returns what is wrong with its palette. Returns
/// `None` if nothing is, if the file is not a PNG, or if it ends early, which the decoder reports.
pub(super) fn palette_problem<R: Read + Seek>(content: &mut BufReader<R>) -> Option<String> {
    if read(content)? != SIGNATURE {
        return None;
    }
    loop {
        let (length, kind) = (u32::from_be_bytes(read(content)?), read(content)?);
        match &kind {
            b"IHDR" => {
                let [.., colour, _, _, _]: [u8; 13] = read(content)?;
                if length != 13 || colour != INDEXED {
                    return None;
                }
            }
            b"PLTE" if length % 3 != 0 || !(3..=768).contains(&length) => {
                return Some(format!("the palette has {length} bytes; it must have 3 for each of 1 to 256 colours"));
            }
            b"PLTE" | b"IDAT" | b"IEND" => return None,
            _ => content.seek_relative(length.into()).ok()?,
        }
        let _crc: [u8; 4] = read(content)?;
    }
}

fn read<const N: usize>(content: &mut impl Read) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    content.read_exact(&mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::super::samples::{header, png_of, zlib};
    use crate::Mask;

    /// Opens an image of one pixel, with a palette of `palette` bytes and the chunks `before` it. Returns the file's
    /// size too.
    fn open(colour: u8, palette: usize, before: &[(&[u8; 4], Vec<u8>)]) -> (usize, Result<Mask, String>) {
        let pixel = if colour == 3 { &[0, 0][..] } else { &[0, 9, 9, 9] };
        let start = [(b"IHDR", header(1, 1, 8, colour))];
        let end = [(b"PLTE", vec![7; palette]), (b"IDAT", zlib(pixel)), (b"IEND", vec![])];
        let png = png_of(&[&start, before, &end].concat());
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("ship.png");
        fs::write(&path, &png).unwrap();
        let mask = Mask::open(&path, 128, None).map_err(|error| {
            let message = error.to_string();
            message.strip_prefix(&format!("{}: ", path.display())).expect("the file's name").to_owned()
        });
        (png.len(), mask)
    }

    #[test]
    fn a_palette_of_broken_colours_is_refused_by_name() {
        for length in [0, 1, 2, 4, 5, 250, 254, 766, 767, 769, 771, 1000] {
            let (size, mask) = open(3, length, &[]);
            let expected = format!("the palette has {length} bytes; it must have 3 for each of 1 to 256 colours");
            assert_eq!(mask.unwrap_err(), expected);
            assert!(length != 4 || size < 90, "{size} bytes are enough");
            let text = (b"tEXt", b"PLTE is what comes next".to_vec());
            assert_eq!(open(3, length, &[text]).1.unwrap_err(), expected);
        }
    }

    #[test]
    fn whole_palettes_are_read() {
        for length in [3, 6, 249, 252, 765, 768] {
            assert_eq!(open(3, length, &[]).1.unwrap().to_rows(), ["#"]);
            assert_eq!(open(3, length, &[(b"tIME", vec![0; 7])]).1.unwrap().to_rows(), ["#"]);
        }
        // For a colour type without a palette, the chunk is only a suggestion that no decoder needs.
        for length in [3, 4, 767] {
            assert_eq!(open(2, length, &[]).1.unwrap().to_rows(), ["#"]);
        }
    }

    #[test]
    fn what_ends_early_is_left_to_the_decoder() {
        let png = png_of(&[(b"IHDR", header(1, 1, 8, 3)), (b"tEXt", vec![7; 99]), (b"PLTE", vec![7; 4])]);
        for length in 0..png.len() - 8 {
            let mut content = std::io::BufReader::new(std::io::Cursor::new(&png[..length]));
            assert_eq!(super::palette_problem(&mut content), None, "{length}");
        }
        assert!(super::palette_problem(&mut std::io::BufReader::new(std::io::Cursor::new(png))).is_some());
    }
}
