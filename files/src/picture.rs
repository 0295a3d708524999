//! Decoding an image within limits.

use std::io::{BufReader, Cursor};

use hitmask::mask::palette_problem;
use image::{ImageDecoder, ImageReader, Limits, RgbaImage};

use crate::budget::Budget;
use crate::error::{Result, malformed};

/// The memory that a decoder may take beside the pixels: its rows.
const ROWS: u64 = 64 << 20;

/// Decodes an image into RGBA with 8 bits a channel. It reads PNG and the other formats that the program has enabled in
/// the `image` crate. The size is checked before a pixel is decoded.
pub(crate) fn decode(bytes: &[u8], budget: Budget) -> Result<RgbaImage> {
    // Such a palette makes the decoder panic.
    if let Some(problem) = palette_problem(&mut BufReader::new(Cursor::new(bytes))) {
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
