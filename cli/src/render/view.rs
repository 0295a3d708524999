//! The part of the world that is drawn, and how large.

use std::ops::Range;
use std::str::FromStr;

use anyhow::bail;
use hitmask::World;
use hitmask::geometry::{Aabb, MAX_COORDINATE, SUBPIXELS};

/// The maximum width and height of a picture, in pixels, without its legend.
const SIDE: u64 = 1 << 14;
/// The maximum number of pixels: 256 MiB of colours.
const AREA: u64 = 1 << 26;
/// Without `--zoom`, the zoom is the largest at which the picture is no larger than this, if possible.
const GOOD: [u64; 2] = [1000, 800];
const GOOD_ZOOM: u64 = 16;
/// The margin around all bodies, in world pixels.
const MARGIN: i32 = 6;
/// The region that is drawn for an empty world, in world pixels.
const NOTHING: Region = Region { left: 0, top: 0, width: 160, height: 60 };
/// The world's edge, in pixels.
const EDGE: i32 = MAX_COORDINATE / SUBPIXELS + 1;

/// A rectangle of world pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Region {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl FromStr for Region {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers: Result<Vec<i32>, _> = text.split(',').map(|number| number.trim().parse()).collect();
        match numbers.as_deref() {
            Ok(&[left, top, width, height])
                if [left, top].iter().all(|v| (-EDGE..EDGE).contains(v))
                    && [width, height].iter().all(|v| (1..=2 * EDGE).contains(v)) =>
            {
                Ok(Self { left, top, width, height })
            }
            _ => {
                Err(format!("it must be X,Y,WIDTH,HEIGHT in whole pixels, X and Y within ±{EDGE}, sides of at least 1"))
            }
        }
    }
}

impl Region {
    /// Creates the region from `left` to `right` and from `top` to `bottom`, these two excluded.
    fn between([left, right]: [i32; 2], [top, bottom]: [i32; 2]) -> Self {
        Self { left, top, width: (right - left).max(0), height: (bottom - top).max(0) }
    }

    pub(super) fn columns(&self) -> Range<i32> {
        self.left..self.left + self.width
    }

    pub(super) fn rows(&self) -> Range<i32> {
        self.top..self.top + self.height
    }

    /// Returns this region, moved.
    pub(super) fn moved(self, [x, y]: [i32; 2]) -> Self {
        Self { left: self.left + x, top: self.top + y, ..self }
    }

    /// Returns the intersection, which may be empty.
    pub(super) fn meet(&self, other: &Self) -> Self {
        let both = |a: Range<i32>, b: Range<i32>| [a.start.max(b.start), a.end.min(b.end)];
        Self::between(both(self.columns(), other.columns()), both(self.rows(), other.rows()))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.width == 0 || self.height == 0
    }
}

/// A region of the world, and the scale of its picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct View {
    pub(super) region: Region,
    /// Picture pixels per world pixel.
    pub(super) zoom: u32,
}

impl View {
    /// Chooses the view. Returns an error if the picture would be too large.
    pub(super) fn new(world: &World, region: Option<Region>, zoom: Option<u32>) -> anyhow::Result<Self> {
        let region = region.unwrap_or_else(|| around(world));
        let sides = [region.width, region.height].map(|side| side as u64);
        let most = GOOD_ZOOM.min(GOOD[0] / sides[0]).min(GOOD[1] / sides[1]);
        let zoom = zoom.unwrap_or(most.max(1) as u32);
        let [width, height] = sides.map(|side| side * u64::from(zoom));
        if width > SIDE || height > SIDE || width * height > AREA {
            let smaller = if zoom > 1 { ", or a smaller --zoom" } else { "" };
            bail!(
                "{} x {} pixels of the world at zoom {zoom} make a picture of {width} x {height}; the limit is {SIDE} \
                 a side and {AREA} in all: choose a part of the world with --region{smaller}",
                region.width,
                region.height,
            );
        }
        Ok(Self { region, zoom })
    }

    /// Returns the width and height of the picture.
    pub(super) fn size(&self) -> [u32; 2] {
        [self.region.width, self.region.height].map(|side| side as u32 * self.zoom)
    }

    /// Converts a number of picture pixels to world pixels.
    pub(super) fn pixels(&self, count: f64) -> f64 {
        count / f64::from(self.zoom)
    }
}

/// Returns the region that all bodies reach within the step, plus a margin.
fn around(world: &World) -> Region {
    let all = world.ids().filter_map(|id| world.swept_bounds(id)).fold(Aabb::NOWHERE, |all, bounds| all.join(&bounds));
    if !all.is_somewhere() {
        return NOTHING;
    }
    let [left, top] = [all.min.x, all.min.y].map(|v| (v >> 8) - MARGIN);
    let [right, bottom] = [all.max.x, all.max.y].map(|v| ((v + SUBPIXELS - 1) >> 8) + MARGIN);
    Region::between([left, right], [top, bottom])
}
