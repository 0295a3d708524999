//! The solid tiles of a layer: which they are, what they hit, and which of them are near a place.

use std::sync::Arc;

use super::solids::{Solids, Subject};
use super::stamp::{Stamp, Stamps};
use crate::error::{Result, malformed};
use crate::filter::Filter;
use crate::level::{Cells, Layer, Level, Tile};

/// The largest distance in pixels of a cell from the origin of its layer.
const MAX_AWAY: i64 = 1 << 21;

/// A solid tile: its cell and its stamp.
pub(super) type Placed = ([i32; 2], Arc<Stamp>);

/// A solid tile near a place, and which tile of the level it is.
pub(super) type Near = (Placed, Tile);

/// How far stamps reach from the top-left corner of their cells, in pixels: `[from, to]`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach([[i32; 2]; 2]);

impl Reach {
    pub(super) fn add(&mut self, stamp: &Stamp) {
        for axis in 0..2 {
            self.0[0][axis] = self.0[0][axis].min(stamp.bounds[0][axis]);
            self.0[1][axis] = self.0[1][axis].max(stamp.bounds[1][axis]);
        }
    }

    /// Returns the cells whose stamps may touch a rectangle of pixels, `[from, to]` inclusive.
    pub(super) fn cells(&self, [from, to]: [[i64; 2]; 2], size: [u32; 2]) -> [[i32; 2]; 2] {
        let cell = |v: i64, axis: usize| {
            let cell = v.div_euclid(size[axis].into());
            cell.clamp(i32::MIN.into(), i32::MAX.into()) as i32
        };
        let first = [0, 1].map(|axis| cell(from[axis].saturating_sub(self.0[1][axis].into()), axis));
        let last = [0, 1].map(|axis| cell(to[axis].saturating_sub(self.0[0][axis].into()), axis));
        [first, last]
    }
}

/// Returns the filter of a tile in a cell; `None` if it is not solid.
pub(super) fn filter(level: &Level, layer: &Layer, solids: &Solids, cell: [i32; 2], tile: Tile) -> Option<Filter> {
    let info = level.tile(tile);
    (solids.rule)(&Subject {
        layer,
        class: &info.class,
        properties: &info.properties,
        tile: Some(tile),
        cell: Some(cell),
        object: None,
    })
}

/// Returns the top-left pixel of a cell in its layer.
pub(super) fn origin(cell: [i32; 2], size: [u32; 2]) -> Result<[i32; 2]> {
    let place = [0, 1].map(|axis| i64::from(cell[axis]) * i64::from(size[axis]));
    if place.iter().all(|v| v.abs() <= MAX_AWAY) {
        return Ok(place.map(|v| v as i32));
    }
    let [x, y] = place;
    let [column, row] = cell;
    Err(malformed(format!("the cell {column}, {row} lies at {x}, {y}; a world reaches {MAX_AWAY} pixels")))
}

/// Returns the pixels that a tile reaches, `[from, to]`, exclusive.
pub(super) fn pixels(cell: [i32; 2], stamp: &Stamp, size: [u32; 2]) -> [[i64; 2]; 2] {
    let at = [0, 1].map(|axis| i64::from(cell[axis]) * i64::from(size[axis]));
    stamp.bounds.map(|end| [0, 1].map(|axis| at[axis] + i64::from(end[axis])))
}

/// Returns the solid tiles of a filter whose pixels touch a rectangle, `[from, to]` inclusive. All stamps are made.
pub(super) fn near<'a>(
    level: &'a Level,
    layer: &'a Layer,
    cells: &'a Cells,
    (solids, stamps, reach): (&'a Solids, &'a Stamps, &'a Reach),
    wanted: Filter,
    area: [[i64; 2]; 2],
) -> impl Iterator<Item = Near> + 'a {
    let found = cells.within(reach.cells(area, cells.size)).filter_map(move |(cell, tile)| {
        let stamp = stamps.get(tile, cells.size)?;
        meets(pixels(cell, stamp, cells.size), area).then(|| ((cell, stamp.clone()), tile))
    });
    found.filter(move |((cell, _), tile)| filter(level, layer, solids, *cell, *tile) == Some(wanted))
}

/// Returns whether two rectangles share a point.
pub(super) fn meets(a: [[i64; 2]; 2], b: [[i64; 2]; 2]) -> bool {
    (0..2).all(|axis| a[0][axis] <= b[1][axis] && b[0][axis] <= a[1][axis])
}
