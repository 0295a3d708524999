//! Masks from image files, on disk or in memory, with limits on the kind of file and on the sizes that it claims.

use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Cursor, Read, Seek, Take};
use std::path::Path;

use ::image::error::{ImageError, LimitErrorKind};
use ::image::{DynamicImage, ImageDecoder, Limits};

use super::decoder::{guarded, image_reader};
use super::image::{check_region, check_threshold};
use super::{Frames, Mask, check_size};
use crate::ground::error::{Error, Result};

/// The largest side in pixels of an image file that is decoded. A sheet may be larger than a mask.
const MAX_IMAGE_SIDE: u32 = 16_384;

/// The most memory in MiB that decoding may take: the largest image in 8-bit RGBA, 1 GiB, and room for the decoder's
/// rows. It is also the most that is read from a file.
const MAX_IMAGE_MIB: u64 = 1024 + 64;

/// The name that errors use in place of a path.
const NO_FILE: &str = "the image";

impl Mask {
    /// Makes a mask from an image file, or from a `region` of it, as [`Mask::from_image`] does. It reads PNG, the
    /// formats of the enabled [features](crate#features), and others that the program has enabled in the `image` crate.
    /// The format is detected from the content, not from the name. It reads the first frame of an animation.
    ///
    /// Returns [`Error::File`] for a file that cannot be read or decoded, for a format whose feature is not enabled,
    /// for anything but a regular file (a folder, a pipe, a device), and for an image that has more than 16,384 pixels
    /// a side or takes more than 1088 MiB to read or decode. A panic in a decoder becomes such an error too. The errors
    /// of [`Mask::from_image`] are returned before any pixel is decoded, as an [`Error::In`] that names the file.
    ///
    /// ```
    /// use hitmask::{Mask, mask::DEFAULT_THRESHOLD};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("sheet.png");
    /// let sheet = Mask::from_rows(&["##..", "#..#"])?;
    /// sheet.to_image([255; 4], [0; 4]).save(&path).unwrap();
    /// let ship = Mask::open(&path, DEFAULT_THRESHOLD, Some([0, 0, 2, 2]))?;
    /// assert_eq!(ship.to_rows(), ["##", "#."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn open(path: &Path, threshold: u8, region: Option<[u32; 4]>) -> Result<Self> {
        part_of(Content::open(path)?, threshold, region)
    }

    /// Makes a mask from the bytes of an image file, such as one embedded in the program, as [`Mask::open`] does from a
    /// file on disk. Errors say "the image" in place of a path.
    ///
    /// ```
    /// use hitmask::{Mask, mask::DEFAULT_THRESHOLD};
    ///
    /// let error = Mask::decode(b"no PNG", DEFAULT_THRESHOLD, None).unwrap_err();
    /// assert_eq!(error.to_string(), "the image: not an image in a known format");
    /// ```
    pub fn decode(file: &[u8], threshold: u8, region: Option<[u32; 4]>) -> Result<Self> {
        part_of(Content::of(file), threshold, region)
    }

    /// Makes the masks of all frames of a sheet in an image file, as [`Mask::frames`] does. The file is decoded once.
    /// The errors are those of [`Mask::open`].
    ///
    /// ```
    /// use hitmask::{Mask, mask::Grid};
    ///
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("walk.png");
    /// let sheet = Mask::from_rows(&["##.#", "#..#"])?;
    /// sheet.to_image([255; 4], [0; 4]).save(&path).unwrap();
    /// let walk = Mask::open_frames(&path, 128, Grid::new([2, 2]))?;
    /// assert_eq!([&walk[0], &walk[1]].map(Mask::to_string), ["##\n#.", ".#\n.#"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn open_frames(path: &Path, threshold: u8, frames: impl Into<Frames>) -> Result<Vec<Self>> {
        frames_of(Content::open(path)?, threshold, frames.into())
    }

    /// Makes the masks of all frames of a sheet in the bytes of an image file, as [`Mask::open_frames`] does from a
    /// file on disk. The errors are those of [`Mask::decode`].
    ///
    /// ```no_run
    /// use hitmask::{Mask, mask::Grid};
    ///
    /// # let embedded: &[u8] = &[];
    /// // let embedded = include_bytes!("walk.png");
    /// let walk = Mask::decode_frames(embedded, 128, Grid::new([16, 16]))?;
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn decode_frames(file: &[u8], threshold: u8, frames: impl Into<Frames>) -> Result<Vec<Self>> {
        frames_of(Content::of(file), threshold, frames.into())
    }
}

/// Makes the mask of a file's image, or of its region.
fn part_of(content: Content<'_, impl Read + Seek>, threshold: u8, region: Option<[u32; 4]>) -> Result<Mask> {
    let name = content.name;
    let within = |error: Error| error.of(name.display().to_string());
    check_threshold(threshold).map_err(within)?;
    let image = content.decode(|size| {
        let [_, _, width, height] = check_region(region, size)?;
        check_size(width.into(), height.into())
    })?;
    Mask::from_image(&image, threshold, region).map_err(within)
}

/// Makes the masks of all frames of a file's image.
fn frames_of(content: Content<'_, impl Read + Seek>, threshold: u8, frames: Frames) -> Result<Vec<Mask>> {
    let name = content.name;
    let within = |error: Error| error.of(name.display().to_string());
    check_threshold(threshold).map_err(within)?;
    let image = content.decode(|size| frames.regions(size).map(drop))?;
    Mask::frames(&image, threshold, frames).map_err(within)
}

/// The bytes of an image file, and its name in errors.
pub(crate) struct Content<'a, R> {
    bytes: BufReader<R>,
    name: &'a Path,
}

impl<'a> Content<'a, Take<File>> {
    /// Opens a file on disk.
    pub(crate) fn open(path: &'a Path) -> Result<Self> {
        let file = open_regular(path).map_err(|e| Error::File { path: path.to_owned(), problem: e.to_string() })?;
        Ok(Self { bytes: BufReader::new(file), name: path })
    }
}

impl<'a> Content<'a, Cursor<&'a [u8]>> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes: BufReader::new(Cursor::new(bytes)), name: Path::new(NO_FILE) }
    }
}

impl<R: Read + Seek> Content<'_, R> {
    /// Decodes the image after `check` has approved its size. An error from `check` is returned with the file's name.
    pub(crate) fn decode(self, check: impl FnOnce([u32; 2]) -> Result<()>) -> Result<DynamicImage> {
        let Self { bytes, name } = self;
        let file = |problem: String| Error::File { path: name.to_owned(), problem };

        let mut limits = Limits::no_limits();
        limits.max_image_width = Some(MAX_IMAGE_SIDE);
        limits.max_image_height = Some(MAX_IMAGE_SIDE);
        limits.max_alloc = Some(MAX_IMAGE_MIB << 20);

        let mut reader = image_reader(bytes).map_err(file)?;
        reader.limits(limits.clone());
        let decoder = guarded(|| reader.into_decoder(), explain).map_err(file)?;
        check(decoder.dimensions().into()).map_err(|error| error.of(name.display().to_string()))?;
        let decode = || {
            limits.reserve(decoder.total_bytes())?;
            DynamicImage::from_decoder(decoder)
        };
        guarded(decode, explain).map_err(file)
    }
}

/// Opens a regular file, limited to its current length. Anything else is refused before it is opened: opening a pipe
/// waits for a writer, and reading a device may never end.
fn open_regular(path: &Path) -> io::Result<Take<File>> {
    let length = |metadata: &Metadata| {
        let problem = if metadata.is_dir() {
            "a folder, not a file".into()
        } else if !metadata.is_file() {
            "not a regular file, but a pipe, a socket or a device".into()
        } else if metadata.len() > MAX_IMAGE_MIB << 20 {
            format!("the file has {} bytes; the limit is {MAX_IMAGE_MIB} MiB", metadata.len())
        } else {
            return Ok(metadata.len());
        };
        Err(io::Error::other(problem))
    };
    length(&fs::metadata(path)?)?;
    let file = File::open(path)?;
    // The name may refer to something else by now.
    let length = length(&file.metadata()?)?;
    Ok(file.take(length))
}

/// Returns the `image` crate's message, with the limit added where the crate leaves it out.
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
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use ::image::{ImageFormat, Rgba, RgbaImage};

    use super::super::samples::{header, png_of, zlib};
    use super::*;

    /// Opens the bytes as an image file on disk, and checks that decoding them in memory gives the same mask, or the
    /// same error apart from the name.
    fn open(bytes: &[u8], region: Option<[u32; 4]>) -> Result<Mask> {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("sheet.png");
        fs::write(&path, bytes).unwrap();
        let (opened, decoded) = (Mask::open(&path, 128, region), Mask::decode(bytes, 128, region));
        let message = |error: &Error| error.to_string().replace(&path.display().to_string(), NO_FILE);
        assert_eq!(opened.as_ref().map_err(message), decoded.as_ref().map_err(message));
        opened
    }

    fn png(image: &DynamicImage) -> Vec<u8> {
        let mut bytes = io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    }

    /// Makes an image with varied alpha.
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
        let message = Mask::decode(&png(&image), 0, None).unwrap_err().to_string();
        assert_eq!(message, "the image: `threshold` is 0; it must be from 1 to 255");
    }

    #[test]
    fn a_palette_with_transparent_entries_is_read() {
        // Two rows of three indices, each after its filter byte.
        let palette = [
            (b"IHDR", header(3, 2, 8, 3)),
            (b"PLTE", vec![1, 2, 3, 4, 5, 6, 7, 8, 9]),
            (b"tRNS", vec![128, 127]),
            (b"IDAT", zlib(&[0, 0, 1, 2, /**/ 0, 2, 1, 0])),
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
        assert_eq!(message(b"not an image"), "not an image in a known format");
        assert_eq!(message(b""), "not an image in a known format");
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

    /// Opens a file on a thread of its own, so that the test fails if opening blocks.
    fn open_at_once(path: &Path) -> String {
        let (send, receive) = mpsc::channel();
        let opened = path.to_owned();
        thread::spawn(move || send.send(Mask::open(&opened, 128, None)).unwrap());
        let result = receive.recv_timeout(Duration::from_secs(20)).expect("an answer at once");
        match result.unwrap_err() {
            Error::File { path: named, problem } if named == path => problem,
            other => panic!("{other}"),
        }
    }

    #[test]
    #[cfg(unix)]
    fn what_is_no_regular_file_is_refused_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let [pipe, link] = ["pipe.png", "link.png"].map(|name| dir.path().join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        std::os::unix::fs::symlink(&pipe, &link).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(dir.path().join("socket")).unwrap();
        let no_file = "not a regular file, but a pipe, a socket or a device";
        for path in [&pipe, &link, &dir.path().join("socket"), Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert_eq!(open_at_once(path), no_file, "{}", path.display());
        }
        assert_eq!(open_at_once(dir.path()), "a folder, not a file");
    }

    #[test]
    fn a_file_too_large_is_refused_before_it_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("large.png");
        let file = File::create(&path).unwrap();
        file.set_len((1088 << 20) + 1).unwrap();
        assert_eq!(open_at_once(&path), "the file has 1140850689 bytes; the limit is 1088 MiB");
        file.set_len(1088 << 20).unwrap();
        assert_eq!(open_at_once(&path), "not an image in a known format");
    }
}
