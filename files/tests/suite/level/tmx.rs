//! A writer of Tiled's maps, by its documentation and not by this crate's reader.

use std::collections::HashMap;
use std::io::{Cursor, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use hitmask::Mask;
use hitmask_files::{Import, Level, Result};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// The ways to write the tiles of a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Format {
    Elements,
    Csv,
    Base64(&'static str),
}

pub(crate) const FORMATS: [Format; 6] = [
    Format::Elements,
    Format::Csv,
    Format::Base64(""),
    Format::Base64("zlib"),
    Format::Base64("gzip"),
    Format::Base64("zstd"),
];

/// The files of a level in memory.
#[derive(Clone, Default)]
pub(crate) struct Files(pub(crate) HashMap<String, Vec<u8>>);

impl Files {
    pub(crate) fn add(mut self, path: &str, content: impl Into<Vec<u8>>) -> Self {
        self.0.insert(path.to_owned(), content.into());
        self
    }

    pub(crate) fn read(&self, path: &str) -> Result<Level> {
        self.read_with(&Import::default(), path)
    }

    pub(crate) fn read_with(&self, import: &Import, path: &str) -> Result<Level> {
        import.read_level(path, |path: &Path| self.get(path))
    }

    pub(crate) fn get(&self, path: &Path) -> std::io::Result<Vec<u8>> {
        let content = self.0.get(&path.to_string_lossy().replace('\\', "/"));
        content.cloned().ok_or_else(|| std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such file"))
    }
}

pub(crate) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let group = |three: &[u8]| {
        let bits = three.iter().chain(&[0, 0]).take(3).fold(0, |bits, byte| bits << 8 | usize::from(*byte));
        let digit = |k: usize| if k <= three.len() { char::from(DIGITS[bits >> (18 - 6 * k) & 63]) } else { '=' };
        (0..4).map(digit).collect::<String>()
    };
    bytes.chunks(3).map(group).collect()
}

pub(crate) fn compressed(bytes: &[u8], compression: &str) -> Vec<u8> {
    match compression {
        "zlib" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "gzip" => {
            let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
            encoder.write_all(bytes).unwrap();
            encoder.finish().unwrap()
        }
        "zstd" => compress_to_vec(bytes, CompressionLevel::Fastest),
        _ => bytes.to_vec(),
    }
}

/// The content of a `<data>` or `<chunk>` element.
pub(crate) fn content(gids: &[u32], format: Format) -> String {
    let list = || gids.iter().map(u32::to_string).collect::<Vec<_>>().join(",\n");
    match format {
        Format::Elements => gids.iter().map(|gid| format!("<tile gid=\"{gid}\"/>")).collect::<Vec<_>>().concat(),
        Format::Csv => format!("\n{}\n", list()),
        Format::Base64(compression) => {
            let bytes: Vec<u8> = gids.iter().flat_map(|gid| gid.to_le_bytes()).collect();
            format!("\n   {}\n", base64(&compressed(&bytes, compression)))
        }
    }
}

/// The attributes of a `<data>` element.
pub(crate) fn attributes(format: Format) -> String {
    match format {
        Format::Elements => String::new(),
        Format::Csv => " encoding=\"csv\"".into(),
        Format::Base64("") => " encoding=\"base64\"".into(),
        Format::Base64(compression) => format!(" encoding=\"base64\" compression=\"{compression}\""),
    }
}

/// A finite map with cells of 16 x 16 pixels, whose tilesets and layers are given as XML.
pub(crate) fn map(columns: u32, rows: u32, inner: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
         width=\"{columns}\" height=\"{rows}\" tilewidth=\"16\" tileheight=\"16\" infinite=\"0\">{inner}</map>"
    )
}

pub(crate) fn layer(name: &str, columns: u32, rows: u32, gids: &[u32], format: Format) -> String {
    format!(
        "<layer id=\"1\" name=\"{name}\" width=\"{columns}\" height=\"{rows}\"><data{}>{}</data></layer>",
        attributes(format),
        content(gids, format)
    )
}

/// A tileset of 16 x 16 pixels a tile, whose image is `a.png`.
pub(crate) fn tileset(first: u32, count: u32, inner: &str) -> String {
    format!(
        "<tileset firstgid=\"{first}\" name=\"set {first}\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"{count}\" \
         columns=\"4\"><image source=\"a.png\" width=\"64\" height=\"64\"/>{inner}</tileset>"
    )
}

/// A picture as a PNG.
pub(crate) fn png(mask: &Mask) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    mask.to_image([255; 4], [0; 4]).write_to(&mut bytes, image::ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// The picture `a.png`: sixteen tiles, of which each has other pixels.
pub(crate) fn atlas() -> Mask {
    Mask::from_fn(64, 64, |x, y| {
        let tile = x / 16 + y / 16 * 4;
        x % 16 <= tile || (x * 7 + y * 3 + tile * 5) % 11 == 0
    })
    .unwrap()
}

/// The files of a map with the picture.
pub(crate) fn files(map: impl Into<Vec<u8>>) -> Files {
    Files::default().add("a.tmx", map).add("a.png", png(&atlas()))
}
