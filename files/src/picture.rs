//! Decoding an image within limits.

use std::io::{BufReader, Cursor};

use hitmask::mask::{guarded, image_reader};
use image::error::ImageError;
use image::{DynamicImage, ImageDecoder, Limits, RgbaImage};

use crate::budget::Budget;
use crate::error::{Result, malformed};

/// The memory that a decoder may take beside the pixels: its rows.
const ROWS: u64 = 64 << 20;

/// Decodes an image into RGBA with 8 bits a channel. It reads PNG, the formats of the enabled features, and others that
/// the program has enabled in the `image` crate. The size is checked before a pixel is decoded.
pub(crate) fn decode(bytes: &[u8], budget: Budget) -> Result<RgbaImage> {
    let mut reader = image_reader(BufReader::new(Cursor::new(bytes))).map_err(malformed)?;
    reader.no_limits();
    let mut decoder = guarded(|| reader.into_decoder(), ImageError::to_string).map_err(malformed)?;
    budget.image(decoder.dimensions().into())?;
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(decoder.total_bytes().saturating_add(ROWS));
    let decode = || {
        decoder.set_limits(limits)?;
        DynamicImage::from_decoder(decoder)
    };
    Ok(guarded(decode, ImageError::to_string).map_err(malformed)?.into_rgba8())
}
