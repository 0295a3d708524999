//! A writer of Aseprite's files.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

pub(crate) const VISIBLE: u16 = 1;
pub(crate) const BACKGROUND: u16 = 8;
pub(crate) const REFERENCE: u16 = 64;

/// A file: its header and the chunks of each frame.
#[derive(Clone, Debug)]
pub(crate) struct Ase {
    pub(crate) size: [u16; 2],
    pub(crate) bits: u16,
    pub(crate) flags: u32,
    pub(crate) transparent: u8,
    pub(crate) speed: u16,
    pub(crate) frames: Vec<(u16, Vec<Vec<u8>>)>,
}

/// A layer of an image, visible, normal and opaque.
#[derive(Clone, Debug)]
pub(crate) struct Layer<'a> {
    pub(crate) name: &'a str,
    pub(crate) flags: u16,
    pub(crate) kind: u16,
    pub(crate) level: u16,
    pub(crate) mode: u16,
    pub(crate) opacity: u8,
    pub(crate) tileset: u32,
}

impl Default for Layer<'_> {
    fn default() -> Self {
        Self { name: "layer", flags: VISIBLE, kind: 0, level: 0, mode: 0, opacity: 255, tileset: 0 }
    }
}

/// A cel of the first layer, opaque, in the corner.
#[derive(Clone, Debug)]
pub(crate) struct Cel<'a> {
    pub(crate) layer: u16,
    pub(crate) at: [i16; 2],
    pub(crate) opacity: u8,
    pub(crate) z: i16,
    pub(crate) size: [u16; 2],
    pub(crate) pixels: &'a [u8],
}

impl Default for Cel<'_> {
    fn default() -> Self {
        Self { layer: 0, at: [0, 0], opacity: 255, z: 0, size: [1, 1], pixels: &[] }
    }
}

impl Ase {
    /// Makes a file in RGBA with valid opacities, and `frames` frames of 100 ms.
    pub(crate) fn new(size: [u16; 2], frames: usize) -> Self {
        Self { size, bits: 32, flags: 1, transparent: 0, speed: 100, frames: vec![(100, Vec::new()); frames] }
    }

    /// Adds a chunk to a frame.
    pub(crate) fn add(mut self, frame: usize, chunk: Vec<u8>) -> Self {
        self.frames[frame].1.push(chunk);
        self
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut frames = Vec::new();
        for (duration, chunks) in &self.frames {
            let length = 16 + chunks.iter().map(Vec::len).sum::<usize>();
            frames.extend((length as u32).to_le_bytes());
            frames.extend(0xf1fa_u16.to_le_bytes());
            frames.extend((chunks.len().min(0xffff) as u16).to_le_bytes());
            frames.extend(duration.to_le_bytes());
            frames.extend([0; 2]);
            frames.extend((chunks.len() as u32).to_le_bytes());
            frames.extend(chunks.concat());
        }
        let mut bytes = ((128 + frames.len()) as u32).to_le_bytes().to_vec();
        for word in [0xa5e0, self.frames.len() as u16, self.size[0], self.size[1], self.bits] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.speed.to_le_bytes());
        bytes.extend([0; 8]);
        bytes.extend([self.transparent, 0, 0, 0]);
        bytes.extend(0_u16.to_le_bytes());
        bytes.extend([1, 1]);
        bytes.resize(128, 0);
        bytes.extend(frames);
        bytes
    }
}

/// Makes the pixels of rows of text, in RGBA.
pub(crate) fn pixels(rows: &[&str], colour: impl Fn(char) -> [u8; 4]) -> Vec<u8> {
    rows.iter().flat_map(|row| row.chars()).flat_map(colour).collect()
}

/// Makes a chunk of a kind.
pub(crate) fn chunk(kind: u16, data: &[u8]) -> Vec<u8> {
    [&(data.len() as u32 + 6).to_le_bytes()[..], &kind.to_le_bytes(), data].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

fn words(words: &[u16]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn longs(longs: &[i32]) -> Vec<u8> {
    longs.iter().flat_map(|long| long.to_le_bytes()).collect()
}

pub(crate) fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn layer(layer: &Layer<'_>) -> Vec<u8> {
    let mut data = words(&[layer.flags, layer.kind, layer.level, 0, 0, layer.mode]);
    data.extend([layer.opacity, 0, 0, 0]);
    data.extend(text(layer.name));
    if layer.kind == 2 {
        data.extend(layer.tileset.to_le_bytes());
    }
    chunk(0x2004, &data)
}

/// Makes a cel of a kind with its data.
fn cel_of(cel: &Cel<'_>, kind: u16, data: &[u8]) -> Vec<u8> {
    let mut head = words(&[cel.layer, cel.at[0] as u16, cel.at[1] as u16]);
    head.push(cel.opacity);
    head.extend(words(&[kind, cel.z as u16]));
    head.extend([0; 5]);
    head.extend(data);
    chunk(0x2005, &head)
}

/// Makes a cel of deflated pixels.
pub(crate) fn cel(cel: &Cel<'_>) -> Vec<u8> {
    cel_of(cel, 2, &[words(&cel.size), deflated(cel.pixels)].concat())
}

/// Makes a cel of raw pixels.
pub(crate) fn raw(cel: &Cel<'_>) -> Vec<u8> {
    cel_of(cel, 0, &[words(&cel.size), cel.pixels.to_vec()].concat())
}

/// Makes a cel that shows the one of another frame.
pub(crate) fn linked(cel: &Cel<'_>, frame: u16) -> Vec<u8> {
    cel_of(cel, 1, &frame.to_le_bytes())
}

/// Makes a cel of tiles: indices in the low bits, flips in x, y and along the diagonal in the highest three.
pub(crate) fn tilemap(cel: &Cel<'_>, tiles: &[u32]) -> Vec<u8> {
    let bytes: Vec<u8> = tiles.iter().flat_map(|tile| tile.to_le_bytes()).collect();
    let mut data = words(&[cel.size[0], cel.size[1], 32]);
    for mask in [0x1fff_ffff_u32, 0x8000_0000, 0x4000_0000, 0x2000_0000] {
        data.extend(mask.to_le_bytes());
    }
    data.extend([0; 10]);
    data.extend(deflated(&bytes));
    cel_of(cel, 3, &data)
}

/// Makes a set of tiles below each other, with these flags: 2 for pixels, 4 if tile 0 is empty.
pub(crate) fn tileset(id: u32, flags: u32, count: u32, tile: [u16; 2], pixels: &[u8]) -> Vec<u8> {
    let mut data: Vec<u8> = [id, flags, count].iter().flat_map(|v| v.to_le_bytes()).collect();
    data.extend(words(&[tile[0], tile[1], 1]));
    data.extend([0; 14]);
    data.extend(text("tiles"));
    if flags & 2 != 0 {
        let pixels = deflated(pixels);
        data.extend((pixels.len() as u32).to_le_bytes());
        data.extend(pixels);
    }
    chunk(0x2023, &data)
}

/// Makes a palette of colours in RGBA from an index on.
pub(crate) fn palette(size: u32, first: u32, colours: &[[u8; 4]]) -> Vec<u8> {
    let mut data: Vec<u8> =
        [size, first, first + colours.len() as u32 - 1].iter().flat_map(|v| v.to_le_bytes()).collect();
    data.extend([0; 8]);
    for (k, colour) in colours.iter().enumerate() {
        data.extend(words(&[u16::from(k % 3 == 1)]));
        data.extend(colour);
        if k % 3 == 1 {
            data.extend(text("named"));
        }
    }
    chunk(0x2019, &data)
}

/// Makes a palette of an old kind, from an index on.
pub(crate) fn old_palette(kind: u16, first: u8, colours: &[[u8; 3]]) -> Vec<u8> {
    let mut data = words(&[1]);
    data.extend([first, colours.len() as u8]);
    data.extend(colours.as_flattened());
    chunk(kind, &data)
}

/// Makes tags of a name, the first and the last frame, a direction and a number of passes.
pub(crate) fn tags(tags: &[(&str, [u16; 2], u8, u16)]) -> Vec<u8> {
    let mut data = words(&[tags.len() as u16]);
    data.extend([0; 8]);
    for (name, frames, direction, repeat) in tags {
        data.extend(words(frames));
        data.push(*direction);
        data.extend(words(&[*repeat]));
        data.extend([0; 10]);
        data.extend(text(name));
    }
    chunk(0x2018, &data)
}

/// Makes the user data of the chunk before.
pub(crate) fn user_data(data: Option<&str>) -> Vec<u8> {
    // A colour follows the text.
    let bytes = match data {
        Some(data) => [&3_u32.to_le_bytes()[..], &text(data), &[1, 2, 3, 4]].concat(),
        None => [&2_u32.to_le_bytes()[..], &[1, 2, 3, 4]].concat(),
    };
    chunk(0x2020, &bytes)
}

/// Makes a slice. A key is a frame and a rectangle, then with flag 1 a centre, then with flag 2 a pivot.
pub(crate) fn slice(name: &str, flags: i32, keys: &[&[i32]]) -> Vec<u8> {
    let mut data = longs(&[keys.len() as i32, flags, 0]);
    data.extend(text(name));
    for key in keys {
        data.extend(longs(key));
    }
    chunk(0x2022, &data)
}
