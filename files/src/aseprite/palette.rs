//! Palettes: the colours of indexed files, which may change from frame to frame.

use super::bytes::Bytes;
use crate::error::{Result, malformed};

/// The number of colours that a pixel can name.
const COLOURS: usize = 256;

/// The colours that pixels can name, in RGBA. Those past the end are transparent.
#[derive(Clone)]
pub(super) struct Palette {
    colours: Vec<[u8; 4]>,
}

impl Palette {
    /// Makes a palette of black colours.
    pub(super) fn new(count: usize) -> Self {
        Self { colours: vec![[0, 0, 0, 255]; count.min(COLOURS)] }
    }

    pub(super) fn get(&self, index: u8) -> [u8; 4] {
        self.colours.get(usize::from(index)).copied().unwrap_or_default()
    }

    /// Sets a colour. Files in RGBA may have more colours than pixels can name; those are not kept.
    fn set(&mut self, index: usize, colour: [u8; 4]) {
        if index >= COLOURS {
            return;
        }
        if index >= self.colours.len() {
            self.colours.resize(index + 1, [0, 0, 0, 255]);
        }
        self.colours[index] = colour;
    }
}

/// Reads a chunk of the kind with alpha.
pub(super) fn read(mut chunk: Bytes<'_>, palette: &mut Palette) -> Result<()> {
    let count = chunk.dword()?;
    let [first, last] = [chunk.dword()?, chunk.dword()?];
    chunk.skip(8)?;
    if count > 0 {
        palette.colours.resize((count as usize).min(COLOURS), [0, 0, 0, 255]);
    }
    for index in first..=last {
        let has_name = chunk.word()? & 1 != 0;
        palette.set(index as usize, chunk.colour()?);
        if has_name {
            chunk.text()?;
        }
    }
    Ok(())
}

/// Reads a chunk of an old kind, with 8 or 6 bits for each of red, green and blue.
pub(super) fn read_old(mut chunk: Bytes<'_>, palette: &mut Palette, bits: u32) -> Result<()> {
    let mut index = 0;
    for _ in 0..chunk.word()? {
        index += usize::from(chunk.byte()?);
        let count = match chunk.byte()? {
            0 => COLOURS,
            count => count.into(),
        };
        if index + count > COLOURS {
            return Err(malformed(format!(
                "colours {index} to {}; the last can be {}",
                index + count - 1,
                COLOURS - 1
            )));
        }
        for _ in 0..count {
            let colour = [chunk.byte()?, chunk.byte()?, chunk.byte()?];
            let [r, g, b] = if bits == 6 { colour.map(|v| v.min(63) << 2 | v.min(63) >> 4) } else { colour };
            palette.set(index, [r, g, b, 255]);
            index += 1;
        }
    }
    Ok(())
}
