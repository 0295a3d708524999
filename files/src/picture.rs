//! Decoding an image within limits.

use std::io::Cursor;

use image::{ImageDecoder, ImageReader, Limits, RgbaImage};

use crate::budget::Budget;
use crate::error::{Result, malformed};

/// The memory that a decoder may take beside the pixels: its rows.
const ROWS: u64 = 64 << 20;

/// Decodes an image into RGBA with 8 bits a channel. It reads PNG and the other formats that the program has enabled in
/// the `image` crate. The size is checked before a pixel is decoded.
pub(crate) fn decode(bytes: &[u8], budget: Budget) -> Result<RgbaImage> {
    if let Some(problem) = palette_problem(bytes) {
        return Err(malformed(problem));
    }
    let fault = |error: image::ImageError| malformed(error.to_string());
    let mut reader =
        ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|e| malformed(e.to_string()))?;
    if reader.format().is_none() {
        return Err(malformed("not an image in a known format"));
    }
    reader.no_limits();
    let mut decoder = reader.into_decoder().map_err(fault)?;
    budget.image(decoder.dimensions().into())?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(decoder.total_bytes().saturating_add(ROWS));
    decoder.set_limits(limits).map_err(fault)?;
    Ok(image::DynamicImage::from_decoder(decoder).map_err(fault)?.into_rgba8())
}

/// Returns the problem of a PNG whose palette makes the decoder panic: the `png` crate, 0.18.1, assumes without a check
/// that a palette holds whole colours. hitmask's own reader of masks has the same check.
fn palette_problem(png: &[u8]) -> Option<String> {
    let mut rest = png.strip_prefix(b"\x89PNG\r\n\x1a\n")?;
    loop {
        let (length, after) = rest.split_first_chunk()?;
        let (kind, data) = after.split_first_chunk()?;
        let length = u32::from_be_bytes(*length);
        match kind {
            b"PLTE" if length % 3 != 0 || !(3..=768).contains(&length) => {
                return Some(format!("the palette has {length} bytes; it must have 3 for each of 1 to 256 colours"));
            }
            b"PLTE" | b"IDAT" | b"IEND" => return None,
            _ => rest = data.get(usize::try_from(length).ok()?.checked_add(4)?..)?,
        }
    }
}
