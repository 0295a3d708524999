//! Masks from image files, within limits on what a file may claim.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::Path;

use ::image::error::{ImageError, LimitErrorKind};
use ::image::{DynamicImage, ImageDecoder, ImageReader, Limits};

use super::Mask;
use super::image::{check_region, check_threshold};
use crate::ground::error::{Error, Result};

/// Pixels a side of the largest image file that is decoded. A sheet may be larger than a mask.
const MAX_IMAGE_SIDE: u32 = 16_384;

/// MiB that decoding may take: the largest image in 8-bit RGBA, 1 GiB, and room for the decoder's rows.
const MAX_IMAGE_MIB: u64 = 1024 + 64;

impl Mask {
    /// From an image file, or from its `region`, as [`Mask::from_image`] makes it; PNG, and what else the program has
    /// enabled in the `image` crate. The content tells the format, not the name.
    ///
    /// An [`Error::File`] for a file that cannot be read or decoded, and for an image of more than 16,384 pixels a side or
    /// that takes more than 1088 MiB to decode. The errors of [`Mask::from_image`] come as an [`Error::In`] that names the
    /// file, before any pixel is decoded.
    ///
    /// ```no_run
    /// use hitmask::{Mask, mask::DEFAULT_THRESHOLD};
    ///
    /// let ship = Mask::open("sheet.png".as_ref(), DEFAULT_THRESHOLD, Some([0, 0, 32, 32]))?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn open(path: &Path, threshold: u8, region: Option<[u32; 4]>) -> Result<Self> {
        let within = |error: Error| error.of(path.display().to_string());
        check_threshold(threshold).map_err(within)?;
        let image = decode(path, |size| {
            let [_, _, width, height] = check_region(region, size)?;
            Self::new(width, height).map(drop)
        })?;
        Self::from_image(&image, threshold, region).map_err(within)
    }
}

/// The image of a file, of whose size `check` has approved; an error of `check` is returned as of the file.
pub(crate) fn decode(path: &Path, check: impl FnOnce([u32; 2]) -> Result<()>) -> Result<DynamicImage> {
    let file = |problem: String| Error::File { path: path.to_owned(), problem };
    let unread = |error: io::Error| file(error.to_string());
    let undecoded = |error: ImageError| file(explain(&error));

    let mut limits = Limits::no_limits();
    limits.max_image_width = Some(MAX_IMAGE_SIDE);
    limits.max_image_height = Some(MAX_IMAGE_SIDE);
    limits.max_alloc = Some(MAX_IMAGE_MIB << 20);

    let content = BufReader::new(File::open(path).map_err(unread)?);
    let mut reader = ImageReader::new(content).with_guessed_format().map_err(unread)?;
    if reader.format().is_none() {
        return Err(file("not an image of a known format".into()));
    }
    reader.limits(limits.clone());
    let decoder = reader.into_decoder().map_err(undecoded)?;
    check(decoder.dimensions().into()).map_err(|error| error.of(path.display().to_string()))?;
    limits.reserve(decoder.total_bytes()).map_err(undecoded)?;
    DynamicImage::from_decoder(decoder).map_err(undecoded)
}

/// What the `image` crate says, with the limit where it leaves it out.
fn explain(error: &ImageError) -> String {
    match error {
        ImageError::Limits(limit) if limit.kind() == LimitErrorKind::DimensionError => {
            format!("the image has more than {MAX_IMAGE_SIDE} x {MAX_IMAGE_SIDE} pixels, the limit")
        }
        ImageError::Limits(limit) if limit.kind() == LimitErrorKind::InsufficientMemory => {
            format!("the image takes more than {MAX_IMAGE_MIB} MiB to decode, the limit")
        }
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use ::image::{ImageFormat, Rgba, RgbaImage};

    use super::*;

    /// The file's bytes, opened as an image.
    fn open(bytes: &[u8], region: Option<[u32; 4]>) -> Result<Mask> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sheet.png");
        fs::write(&path, bytes).unwrap();
        Mask::open(&path, 128, region)
    }

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut bytes = io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    /// A PNG of these chunks, each with its length and its CRC.
    fn png_of(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
        let mut png = b"\x89PNG\r\n\x1a\n".to_vec();
        for (kind, data) in chunks {
            let body = [*kind, data.as_slice()].concat();
            png.extend((data.len() as u32).to_be_bytes());
            png.extend(&body);
            png.extend(crc32(&body).to_be_bytes());
        }
        png
    }

    fn crc32(bytes: &[u8]) -> u32 {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step))
    }

    /// The `IHDR` chunk's data: no interlacing, the colour type as the PNG specification numbers them.
    fn header(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
        [&width.to_be_bytes()[..], &height.to_be_bytes(), &[depth, colour, 0, 0, 0]].concat()
    }

    /// An image of some alphas.
    fn sheet(width: u32, height: u32) -> DynamicImage {
        RgbaImage::from_fn(width, height, |x, y| Rgba([9, 9, 9, (x * 37 + y * 101) as u8])).into()
    }

    #[test]
    fn a_file_is_read_as_its_image_is() {
        let image = sheet(70, 9);
        let images = [
            image.to_luma_alpha8().into(),
            image.to_rgb8().into(),
            image.to_rgba16().into(),
            image.to_luma16().into(),
            image,
        ];
        for image in images {
            for region in [None, Some([0, 0, 70, 9]), Some([69, 8, 1, 1]), Some([5, 2, 65, 7])] {
                let expected = Mask::from_image(&image, 128, region).unwrap();
                assert_eq!(open(&png(&image), region).unwrap(), expected, "{:?}, {region:?}", image.color());
            }
        }
    }

    #[test]
    fn what_an_image_refuses_is_refused_of_a_file_that_is_named() {
        let image = sheet(70, 9);
        for region in [[0, 0, 71, 9], [0, 9, 1, 1], [0, 0, 0, 1], [u32::MAX; 4]] {
            let message = open(&png(&image), Some(region)).unwrap_err().to_string();
            let expected = Mask::from_image(&image, 128, Some(region)).unwrap_err().to_string();
            assert!(message.ends_with(&format!("sheet.png: {expected}")), "{message}");
        }
        let message = Mask::open("no.png".as_ref(), 0, None).unwrap_err().to_string();
        assert_eq!(message, "no.png: `threshold` is 0; it must lie within 1 to 255");
    }

    #[test]
    fn a_palette_with_transparent_entries_is_read() {
        // Two rows of three indices, each after its filter byte, in a stored deflate block, within zlib's frame.
        let raw = [0, 0, 1, 2, /**/ 0, 2, 1, 0];
        let [a, b] = raw.iter().fold([1_u32, 0], |[a, b], &byte| [a + byte, a + byte + b]);
        let raw = raw.map(|byte| byte as u8);
        let zlib = [&[0x78, 1, 1, 8, 0, 0xf7, 0xff][..], &raw, &(b << 16 | a).to_be_bytes()].concat();
        let palette = [
            (b"IHDR", header(3, 2, 8, 3)),
            (b"PLTE", vec![1, 2, 3, 4, 5, 6, 7, 8, 9]),
            (b"tRNS", vec![128, 127]),
            (b"IDAT", zlib),
            (b"IEND", vec![]),
        ];
        assert_eq!(open(&png_of(&palette), None).unwrap().to_rows(), ["#.#", "#.#"]);
    }

    #[test]
    fn a_file_that_is_no_image_is_named_with_the_reason() {
        let message = |bytes: &[u8]| match open(bytes, None).unwrap_err() {
            Error::File { path, problem } => {
                assert!(path.ends_with("sheet.png"));
                problem
            }
            other => panic!("{other}"),
        };
        assert_eq!(message(b"not an image"), "not an image of a known format");
        assert_eq!(message(b""), "not an image of a known format");
        assert!(message(b"\xff\xd8\xff\xe0 a JPEG, perhaps").contains("Jpeg"));

        let whole = png(&sheet(40, 40));
        for length in [8, 20, 33, 60, whole.len() / 2, whole.len() - 20] {
            let message = message(&whole[..length]);
            assert!(message.contains("unexpected end of file"), "{length}: {message}");
        }

        let side = png_of(&[(b"IHDR", header(60_000, 60_000, 8, 6)), (b"IDAT", vec![]), (b"IEND", vec![])]);
        assert_eq!(message(&side), "the image has more than 16384 x 16384 pixels, the limit");
    }

    #[test]
    fn an_image_too_large_to_decode_or_for_a_mask_is_refused_before_it_is_decoded() {
        let claim = |width, height, depth| {
            png_of(&[(b"IHDR", header(width, height, depth, 6)), (b"IDAT", vec![]), (b"IEND", vec![])])
        };
        let corner = Some([0, 0, 8, 8]);
        let message = |claim: &[u8], region| open(claim, region).unwrap_err().to_string();
        let deep = message(&claim(16_384, 16_384, 16), corner);
        assert!(deep.ends_with("the image takes more than 1088 MiB to decode, the limit"), "{deep}");
        let large = message(&claim(16_384, 9, 8), None);
        assert!(
            large.contains("sheet.png: a mask cannot have 16384 x 9 texels; each side must have 1 to 8192"),
            "{large}"
        );
        let wide = message(&claim(16_385, 9, 8), corner);
        assert!(wide.ends_with("the image has more than 16384 x 16384 pixels, the limit"), "{wide}");
    }

    #[test]
    fn a_missing_file_and_a_folder_are_named() {
        let dir = tempfile::tempdir().unwrap();
        let missing = dir.path().join("none.png");
        for path in [&missing, dir.path()] {
            match Mask::open(path, 128, None).unwrap_err() {
                Error::File { path: named, problem } => assert!(named == path && !problem.is_empty()),
                other => panic!("{other}"),
            }
        }
    }
}
