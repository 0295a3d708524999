//! Cels: the images of a layer in a frame.

use super::bytes::Bytes;
use super::file::{File, unsupported};
use super::layer::Kind;
use super::pixels::Packed;
use super::tileset::Tiles;
use crate::error::{Result, malformed};

/// The image of a layer in a frame.
#[derive(Clone, Copy)]
pub(super) struct Cel<'a> {
    pub(super) at: [i32; 2],
    pub(super) opacity: u8,
    /// The number of layers by which it is drawn later.
    pub(super) z: i16,
    pub(super) content: Content<'a>,
}

/// The pixels or tiles of a cel, still packed.
#[derive(Clone, Copy)]
pub(super) enum Content<'a> {
    Pixels(Packed<'a>),
    Tiles(Tiles<'a>),
}

impl<'a> Cel<'a> {
    /// Reads a cel of the last frame so far; returns the index of its layer too.
    pub(super) fn read(mut chunk: Bytes<'a>, file: &File<'a>) -> Result<(usize, Self)> {
        let index = usize::from(chunk.word()?);
        let Some(layer) = file.layers.get(index) else {
            return Err(malformed(format!("a cel of layer {index}; there are {} layers so far", file.layers.len())));
        };
        let mut read = || {
            let at = [chunk.short()?.into(), chunk.short()?.into()];
            let opacity = chunk.byte()?;
            let kind = chunk.word()?;
            let z = chunk.short()?;
            chunk.skip(5)?;
            let content = match (kind, layer.kind) {
                (0 | 2, Kind::Image) => {
                    Content::Pixels(Packed { size: chunk.size()?, bytes: chunk.0, is_deflated: kind == 2 })
                }
                (1, Kind::Image | Kind::Tilemap(_)) => {
                    let frame = chunk.word()?;
                    let linked = file.frames.get(usize::from(frame)).and_then(|frame| frame.cels.get(&index));
                    let problem = || malformed(format!("its cel is that of frame {frame}, which has none before"));
                    linked.ok_or_else(problem)?.content
                }
                (3, Kind::Tilemap(set)) => Content::Tiles(Tiles::read(chunk, set)?),
                (0..=3, _) => return Err(malformed("its cel is of a kind that the layer cannot have")),
                _ => return Err(unsupported(format!("cels of kind {kind}"))),
            };
            Ok(Self { at, opacity, z, content })
        };
        Ok((index, read().map_err(|error| error.at(layer.place()))?))
    }
}

impl Content<'_> {
    /// Returns the size in pixels.
    pub(super) fn size(&self, file: &File<'_>) -> Result<[u32; 2]> {
        match self {
            Self::Pixels(packed) => Ok(packed.size),
            Self::Tiles(tiles) => tiles.pixels(file),
        }
    }
}
