//! Pixels as the file has them: deflated or not, in RGBA, greyscale or as indices into a palette.

use std::io::Read;

use flate2::read::ZlibDecoder;

use super::palette::Palette;
use crate::error::{Result, malformed};

/// The largest number of bytes that deflate makes of one: 258 of 2 bits.
const MAX_RATIO: usize = 1032;

/// The kind of pixels that a file has.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Depth {
    Rgba,
    /// Value and alpha.
    Grey,
    /// Indices into a palette.
    Indexed {
        /// The index that is transparent.
        transparent: u8,
    },
}

impl Depth {
    /// Returns the number of bytes in a pixel.
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Rgba => 4,
            Self::Grey => 2,
            Self::Indexed { .. } => 1,
        }
    }
}

/// An image as it is in the file.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    /// Checked against the limit when the cel was read.
    pub(super) size: [u32; 2],
    pub(super) bytes: &'a [u8],
    pub(super) is_deflated: bool,
}

impl Packed<'_> {
    /// Returns the pixels in RGBA, row by row. A pixel with the transparent index is `[0; 4]`.
    pub(super) fn unpack(&self, depth: Depth, palette: &Palette) -> Result<Vec<[u8; 4]>> {
        let count = self.size[0] as usize * self.size[1] as usize;
        let bytes = if self.is_deflated {
            inflate(self.bytes, count * depth.bytes())?
        } else {
            let Some(bytes) = self.bytes.get(..count * depth.bytes()) else {
                return Err(short(count * depth.bytes(), self.bytes.len()));
            };
            bytes.to_vec()
        };
        Ok(match depth {
            Depth::Rgba => bytes.as_chunks().0.to_vec(),
            Depth::Grey => bytes.as_chunks().0.iter().map(|&[value, alpha]| [value, value, value, alpha]).collect(),
            Depth::Indexed { transparent } => {
                let colour = |&index| if index == transparent { [0; 4] } else { palette.get(index) };
                bytes.iter().map(colour).collect()
            }
        })
    }
}

/// Inflates `count` bytes. Memory is allocated only if the data is long enough for so many.
pub(super) fn inflate(data: &[u8], count: usize) -> Result<Vec<u8>> {
    if count > data.len().saturating_mul(MAX_RATIO) {
        return Err(malformed(format!("{} bytes of deflated data cannot hold {count}", data.len())));
    }
    let mut bytes = Vec::with_capacity(count);
    let end = ZlibDecoder::new(data).take(count as u64).read_to_end(&mut bytes);
    end.map_err(|error| malformed(format!("its deflated data is damaged: {error}")))?;
    if bytes.len() < count { Err(short(count, bytes.len())) } else { Ok(bytes) }
}

fn short(expected: usize, found: usize) -> crate::error::Error {
    malformed(format!("its pixels end early: {found} bytes where {expected} must be"))
}
