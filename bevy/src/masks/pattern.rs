//! Image modes that repeat, slice or cut a sprite's region: which texel of it each unit of the sprite shows.
//!
//! Bevy's shader computes a place in the image for each pixel of the screen. Here the mask has a cell for each unit of
//! the sprite, and the texel at the middle of the cell decides. On the border between two texels, the one to the right
//! and below counts.
//!
//! ```text
//!   Tiled              Sliced, each axis               Scale, filling
//!   |abc|abc|ab        |ab|ccccc or cdcdc|ef|          a[bcd]e, the part in the middle
//! ```

use bevy_math::{UVec2, Vec2};
use bevy_sprite::{SliceScaleMode, SpriteImageMode, SpriteScalingMode};

/// The least scale of the corners of slices, as Bevy has it.
const LEAST_SCALE: f64 = f32::EPSILON as f64;

/// A mode with the size that the sprite has, by the bits of their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    size: [Bits; 2],
    mode: Mode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    Tiled {
        tile: [bool; 2],
        stretch: Bits,
    },
    Sliced {
        /// For each axis, its borders in texels.
        borders: [[Bits; 2]; 2],
        /// The stretch values of tiles; 0 if a slice is stretched.
        sides: Bits,
        center: Bits,
        corner: Bits,
    },
    /// Enlarged to fill the size. `start` is the part of what does not fit that is cut off at the left and at the top,
    /// in halves.
    Fill {
        start: u8,
    },
}

/// A float that is compared and hashed by its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bits(u32);

impl Bits {
    fn new(value: f32) -> Self {
        Self(value.to_bits())
    }

    fn get(self) -> f64 {
        f64::from(f32::from_bits(self.0))
    }
}

/// The picture that a sprite shows: a mask of some cells, stretched over a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Shown {
    /// The cells of the mask; those of the region if there is no pattern.
    pub(super) cells: Vec2,
    /// The size in units.
    pub(super) size: Vec2,
    /// How far the picture's centre is moved from where the anchor puts it, in units, y up.
    pub(super) offset: Vec2,
    pub(super) pattern: Option<Pattern>,
}

impl Shown {
    /// Returns what a sprite of a region shows. An error says what is wrong with the mode.
    pub(super) fn new(mode: &SpriteImageMode, region: Vec2, size: Option<Vec2>) -> Result<Self, &'static str> {
        let whole = |size| Self { cells: region, size, offset: Vec2::ZERO, pattern: None };
        // Without a size of its own, a sprite is as large as its region, in all modes.
        let (Some(size), false) = (size, matches!(mode, SpriteImageMode::Auto)) else {
            return Ok(whole(size.unwrap_or(region)));
        };
        if !(size.is_finite() && size.cmpgt(Vec2::ZERO).all()) {
            return Err("its `custom_size` must be positive and finite");
        }
        let mode = match mode {
            SpriteImageMode::Scale(scaling) => match fill(*scaling) {
                Some(start) => Mode::Fill { start },
                None => return Ok(fitted(*scaling, region, size)),
            },
            SpriteImageMode::Tiled { tile_x, tile_y, stretch_value } => {
                let tile = [*tile_x, *tile_y];
                if tile.contains(&true) && !(stretch_value.is_finite() && *stretch_value > 0.0) {
                    return Err("its `stretch_value` must be positive and finite");
                }
                Mode::Tiled { tile, stretch: Bits::new(*stretch_value) }
            }
            SpriteImageMode::Sliced(_) if mode.slice_border_out_of_bounds(region) => return Ok(whole(size)),
            SpriteImageMode::Sliced(slicer) => {
                let [sides, center] = [slicer.sides_scale_mode, slicer.center_scale_mode].map(stretch);
                let (min, max) = (slicer.border.min_inset, slicer.border.max_inset);
                if ![sides, center].iter().all(|stretch| stretch.is_finite() && *stretch >= 0.0) {
                    return Err("the `stretch_value` of its slices must be finite and not negative");
                }
                if !(min.is_finite() && max.is_finite() && min.min(max).cmpge(Vec2::ZERO).all()) {
                    return Err("the borders of its slices must be finite and not negative");
                }
                let borders = [[min.x, max.x], [min.y, max.y]].map(|border| border.map(Bits::new));
                let [sides, center, corner] = [sides, center, slicer.max_corner_scale].map(Bits::new);
                Mode::Sliced { borders, sides, center, corner }
            }
            SpriteImageMode::Auto => return Ok(whole(size)),
        };
        let cells = size.round().max(Vec2::ONE);
        let pattern = Some(Pattern { size: size.to_array().map(Bits::new), mode });
        Ok(Self { cells, size, offset: Vec2::ZERO, pattern })
    }
}

/// Returns the part of what is cut off that is cut off at the start, in halves; `None` for modes that cut nothing off.
fn fill(scaling: SpriteScalingMode) -> Option<u8> {
    match scaling {
        SpriteScalingMode::FillStart => Some(0),
        SpriteScalingMode::FillCenter => Some(1),
        SpriteScalingMode::FillEnd => Some(2),
        _ => None,
    }
}

/// Returns a region that fits into a size as a whole.
fn fitted(scaling: SpriteScalingMode, region: Vec2, size: Vec2) -> Shown {
    let fit = region * (size / region).min_element();
    let side = match scaling {
        SpriteScalingMode::FitStart => Vec2::new(-0.5, 0.5),
        SpriteScalingMode::FitEnd => Vec2::new(0.5, -0.5),
        _ => Vec2::ZERO,
    };
    Shown { cells: region, size: fit, offset: (size - fit) * side, pattern: None }
}

fn stretch(mode: SliceScaleMode) -> f32 {
    match mode {
        SliceScaleMode::Stretch => 0.0,
        SliceScaleMode::Tile { stretch_value } => stretch_value,
    }
}

/// The texels that a row or a column of cells shows.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// True if it lies in the border of a sliced sprite.
    is_border: bool,
    /// The texel, if the cell is in the border along either axis.
    side: u32,
    /// The texel otherwise.
    center: u32,
}

/// The texels that all cells of a pattern show.
pub(super) struct Cells([Vec<Cell>; 2]);

impl Cells {
    /// Returns the texel of the region that a cell shows.
    pub(super) fn texel(&self, x: u32, y: u32) -> UVec2 {
        let [x, y] = [self.0[0][x as usize], self.0[1][y as usize]];
        if x.is_border || y.is_border { UVec2::new(x.side, y.side) } else { UVec2::new(x.center, y.center) }
    }
}

impl Pattern {
    /// Returns the number of cells along each axis.
    pub(super) fn count(&self) -> UVec2 {
        let [x, y] = self.size.map(|size| size.get().round().max(1.0) as u32);
        UVec2::new(x, y)
    }

    /// Returns the texels that the cells show.
    pub(super) fn cells(&self, region: UVec2) -> Cells {
        let size = self.size.map(Bits::get);
        let texels = region.to_array().map(f64::from);
        let ratios: [f64; 2] = std::array::from_fn(|axis| size[axis] / texels[axis]);
        let counts = self.count().to_array();
        Cells(std::array::from_fn(|axis| {
            let of = |middle: f64| self.mode.cell(axis, middle, (size[axis], texels[axis]), ratios);
            (0..counts[axis]).map(|k| of((f64::from(k) + 0.5) * size[axis] / f64::from(counts[axis]))).collect()
        }))
    }
}

impl Mode {
    /// Returns what a cell shows, by the place of its middle along an axis, in units.
    fn cell(&self, axis: usize, at: f64, (size, texels): (f64, f64), ratios: [f64; 2]) -> Cell {
        let texel = |at: f64| (at.max(0.0) as u32).min(texels as u32 - 1);
        let plain = |at: f64| Cell { is_border: false, side: texel(at), center: texel(at) };
        match self {
            Self::Tiled { tile, stretch } if tile[axis] => plain(tiled(at, texels, stretch.get())),
            Self::Tiled { .. } => plain(at / size * texels),
            Self::Fill { start } => {
                let scale = ratios[0].max(ratios[1]);
                plain((at + (texels * scale - size) * f64::from(*start) / 2.0) / scale)
            }
            Self::Sliced { borders, sides, center, corner } => {
                let scale = ratios[0].min(ratios[1]).min(corner.get()).max(LEAST_SCALE);
                let [start, end] = borders[axis].map(Bits::get);
                let (first, last) = (start * scale, size - end * scale);
                if at < first {
                    return Cell { is_border: true, ..plain(at / scale) };
                }
                if at > last {
                    return Cell { is_border: true, ..plain(texels - (size - at) / scale) };
                }
                let middle = texels - start - end;
                let place = |stretch: &Bits| match stretch.get() {
                    0.0 => texel(start + (at - first) / (last - first) * middle),
                    stretch => texel(start + tiled(at - first, middle, stretch)),
                };
                Cell { is_border: false, side: place(sides), center: place(center) }
            }
        }
    }
}

/// Returns the texel of a place in tiles of some texels, each `stretch` units wide.
fn tiled(at: f64, texels: f64, stretch: f64) -> f64 {
    at.rem_euclid(texels * stretch) / stretch
}
