//! Images with frames in a grid.

use std::time::Duration;

use hitmask::mask::{Frames, Grid};
use image::RgbaImage;
use image::imageops::crop_imm;

use crate::error::Result;
use crate::pool::Pool;
use crate::sheet::{DEFAULT_DURATION, Frame, Sheet};

/// Cuts an image into the frames of a grid. They have no more pixels than the image, as they do not overlap.
pub(crate) fn sheet(image: &RgbaImage, grid: Grid, mut pool: Pool) -> Result<Sheet> {
    let regions = Frames::from(grid).regions(image.dimensions().into())?;
    let frames = regions.into_iter().enumerate().map(|(k, [x, y, width, height])| {
        let cut = crop_imm(image, x, y, width, height).to_image();
        let (image, mask) = pool.add(cut).map_err(|error| error.at(format!("frame {k}")))?;
        let duration = Duration::from_millis(DEFAULT_DURATION.into());
        Ok(Frame { name: String::new(), duration, image, mask, pivot: None, boxes: Vec::new() })
    });
    Ok(Sheet::new(frames.collect::<Result<_>>()?, Vec::new()))
}
