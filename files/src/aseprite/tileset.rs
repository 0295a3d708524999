//! Sets of tiles, and the tiles of a cel.

use super::bytes::Bytes;
use super::file::{File, unsupported};
use super::palette::Palette;
use super::pixels::{Depth, Packed, inflate};
use crate::budget::Budget;
use crate::error::{Result, malformed};

/// The word for an empty tile in files of the versions before 1.3.
const OLD_EMPTY: u32 = u32::MAX;

/// A set of tiles, still packed as one image with the tiles below each other.
pub(super) struct Tileset<'a> {
    /// The size of a tile.
    pub(super) tile: [u32; 2],
    count: u32,
    /// True if tile 0 is the empty tile.
    zero_is_empty: bool,
    /// The pixels; `None` if they are in another file.
    image: Option<Packed<'a>>,
}

/// The tiles of a cel, still packed.
#[derive(Clone, Copy)]
pub(super) struct Tiles<'a> {
    /// The number of the set.
    set: u32,
    /// The size in tiles.
    size: [u32; 2],
    /// The bits of a word that hold the index of the tile, and those that flip it in x, in y, and along the diagonal.
    index: u32,
    flips: [u32; 3],
    data: &'a [u8],
}

/// A tile of a cel.
#[derive(Clone, Copy)]
pub(super) struct Tile {
    /// The place in tiles.
    pub(super) at: [u32; 2],
    /// The index of its first row in the image of the set.
    pub(super) row: u32,
    /// The flips: in x, in y, and along the diagonal.
    pub(super) flips: [bool; 3],
}

impl<'a> Tileset<'a> {
    /// Reads a set and its number.
    pub(super) fn read(mut chunk: Bytes<'a>, budget: Budget) -> Result<(u32, Self)> {
        let id = chunk.dword()?;
        let mut read = || {
            let flags = chunk.dword()?;
            let count = chunk.dword()?;
            let tile @ [width, height] = chunk.size()?;
            chunk.skip(16)?;
            chunk.text()?;
            if width == 0 || height == 0 {
                return Err(malformed(format!("tiles of {width} x {height} pixels")));
            }
            let rows = height.checked_mul(count).ok_or_else(|| malformed(format!("{count} tiles of {height} rows")))?;
            budget.image([width, rows])?;
            if flags & 1 != 0 {
                chunk.skip(8)?;
            }
            let mut image = None;
            if flags & 2 != 0 && count > 0 {
                let length = chunk.dword()? as usize;
                image = Some(Packed { size: [width, rows], bytes: chunk.take(length)?, is_deflated: true });
            }
            Ok(Self { tile, count, zero_is_empty: flags & 4 != 0, image })
        };
        Ok((id, read().map_err(|error| error.at(format!("tileset {id}")))?))
    }

    /// Returns the size of the image with all tiles.
    pub(super) fn size(&self) -> [u32; 2] {
        self.image.map_or([0; 2], |image| image.size)
    }

    /// Returns the pixels of all tiles in RGBA.
    pub(super) fn unpack(&self, depth: Depth, palette: &Palette) -> Result<Vec<[u8; 4]>> {
        let image = self.image.ok_or_else(|| unsupported("the tiles are in another file"))?;
        image.unpack(depth, palette)
    }
}

impl<'a> Tiles<'a> {
    /// Reads the tiles of a cel, from the set of its layer.
    pub(super) fn read(mut chunk: Bytes<'a>, set: u32) -> Result<Self> {
        let size = chunk.size()?;
        let bits = chunk.word()?;
        if bits != 32 {
            return Err(unsupported(format!("tilemaps of {bits} bits a tile")));
        }
        let index = chunk.dword()?;
        let flips = [chunk.dword()?, chunk.dword()?, chunk.dword()?];
        chunk.skip(10)?;
        Ok(Self { set, size, index, flips, data: chunk.0 })
    }

    /// Returns the set of the tiles.
    pub(super) fn set<'f, 'b>(&self, file: &'f File<'b>) -> Result<&'f Tileset<'b>> {
        file.tilesets.get(&self.set).ok_or_else(|| malformed(format!("there is no tileset {}", self.set)))
    }

    /// Returns the size of the cel in pixels.
    pub(super) fn pixels(&self, file: &File<'_>) -> Result<[u32; 2]> {
        let tile = self.set(file)?.tile;
        // Both factors have 16 bits.
        Ok([self.size[0] * tile[0], self.size[1] * tile[1]])
    }

    /// Returns the tiles that are drawn, row by row.
    pub(super) fn unpack(&self, set: &Tileset<'_>) -> Result<Vec<Tile>> {
        let words = inflate(self.data, 4 * self.size[0] as usize * self.size[1] as usize)?;
        let places = (0..self.size[1]).flat_map(|y| (0..self.size[0]).map(move |x| [x, y]));
        let tiles = places.zip(words.as_chunks().0).filter_map(|(at, &word)| {
            let word = u32::from_le_bytes(word);
            let index = (word & self.index) >> self.index.trailing_zeros().min(31);
            let flips = self.flips.map(|flip| flip != 0 && word & flip == flip);
            let is_empty = if set.zero_is_empty { index == 0 && flips == [false; 3] } else { word == OLD_EMPTY };
            // Aseprite leaves out tiles that the set does not have.
            (!is_empty && index < set.count).then(|| Tile { at, row: index * set.tile[1], flips })
        });
        Ok(tiles.collect())
    }
}
