//! A frame on the image of a packed sheet: where it is, and how it lies there.

use image::RgbaImage;

use super::model::{Area, Entry, Size};
use crate::error::{Error, Problem, Result, malformed};

/// The place of a frame on the image, checked to lie within it.
#[derive(Clone, Copy)]
pub(super) struct Cut {
    /// The corner of its pixels on the image.
    at: [u32; 2],
    /// True if its pixels are rotated by 90 degrees clockwise on the image.
    is_rotated: bool,
    /// The place of its pixels in the untrimmed frame, `[x, y, width, height]`.
    trimmed: [u32; 4],
    /// The size of the untrimmed frame.
    size: [u32; 2],
}

impl Cut {
    pub(super) fn new(entry: &Entry, image: [u32; 2]) -> Result<Self> {
        if entry.vertices.as_ref().is_some_and(|vertices| !vertices.is_empty()) {
            let problem = "it is packed as a polygon (`vertices`), whose box may contain other frames; pack rectangles";
            return Err(Error::from(Problem::Unsupported(problem.into())));
        }
        let Area { x, y, w, h } = entry.frame;
        let trimmed = entry.trimmed.unwrap_or(Area { x: 0, y: 0, w, h });
        let Size { w: width, h: height } = entry.source.unwrap_or(Size { w: trimmed.w, h: trimmed.h });
        let [dx, dy] = padding([w, h], [trimmed.w, trimmed.h]).ok_or_else(|| {
            let (tw, th) = (trimmed.w, trimmed.h);
            malformed(format!("`frame` has {w} x {h} pixels, but `spriteSourceSize` {tw} x {th}"))
        })?;
        let within = |start: u32, length: u32, whole: u32| {
            length > 0 && u64::from(start) + u64::from(length) <= u64::from(whole)
        };
        let [across, down] = if entry.rotated { [h, w] } else { [w, h] };
        if !within(x, across, image[0]) || !within(y, down, image[1]) {
            let [iw, ih] = image;
            let problem = format!("it is at [{x}, {y}, {across}, {down}]; the image has {iw} x {ih} pixels");
            return Err(malformed(problem));
        }
        if !within(trimmed.x, trimmed.w, width) || !within(trimmed.y, trimmed.h, height) {
            let Area { x, y, w, h } = trimmed;
            let problem = format!("`spriteSourceSize` is [{x}, {y}, {w}, {h}], but `sourceSize` {width} x {height}");
            return Err(malformed(problem));
        }
        let size = [width, height];
        let trimmed = [trimmed.x, trimmed.y, trimmed.w, trimmed.h];
        Ok(Self { at: [x + dx, y + dy], is_rotated: entry.rotated, trimmed, size })
    }

    /// Returns the size of the untrimmed frame.
    pub(super) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Makes the untrimmed, upright frame.
    pub(super) fn of(&self, image: &RgbaImage) -> RgbaImage {
        let [left, top, width, height] = self.trimmed;
        let mut frame = RgbaImage::new(self.size[0], self.size[1]);
        for y in 0..height {
            for x in 0..width {
                // The top row lies at the right of a rotated frame.
                let [dx, dy] = if self.is_rotated { [height - 1 - y, x] } else { [x, y] };
                frame.put_pixel(left + x, top + y, *image.get_pixel(self.at[0] + dx, self.at[1] + dy));
            }
        }
        frame
    }
}

/// Returns the pixels that are left free within a frame's box on each side, which Aseprite calls inner padding and
/// includes in `frame`, but not in `spriteSourceSize`. Returns `None` for sizes that differ otherwise.
fn padding(frame: [u32; 2], trimmed: [u32; 2]) -> Option<[u32; 2]> {
    let [across, down] = [0, 1].map(|axis| frame[axis].checked_sub(trimmed[axis]));
    (across? == down? && across? % 2 == 0).then_some([across? / 2; 2])
}
