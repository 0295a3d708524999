//! Limits on what a level may claim, and on its numbers.

use hitmask::mask::MAX_SIDE;

use crate::budget;
use crate::error::{Result, malformed};

/// The largest number of cells that are read, in all layers.
pub(super) const MAX_CELLS: u64 = 1 << 24;

/// The largest number of objects, shapes of tiles included.
pub(super) const MAX_OBJECTS: u64 = 1 << 20;

/// The largest number of points of polygons and lines.
pub(super) const MAX_POINTS: u64 = 1 << 22;

/// The largest distance in pixels or in cells from the origin: the size of a world.
pub(super) const MAX_AWAY: i32 = 1 << 21;

/// Checks the size of a tile or a cell.
pub(super) fn tile_size([width, height]: [u32; 2]) -> Result<()> {
    if [width, height].iter().all(|side| (1..=MAX_SIDE).contains(side)) {
        return Ok(());
    }
    Err(malformed(format!("a tile or a space between tiles of {width} x {height} pixels; it may be 1 to {MAX_SIDE}")))
}

/// Checks the column and the row of a cell.
pub(super) fn cell([x, y]: [i64; 2]) -> Result<[i32; 2]> {
    let is_near = |v: i64| v.abs() <= MAX_AWAY.into();
    if is_near(x) && is_near(y) {
        return Ok([x as i32, y as i32]);
    }
    Err(malformed(format!("the cell {x}, {y}; columns and rows are -{MAX_AWAY} to {MAX_AWAY}")))
}

/// Checks the number of tilesets so far, and returns the index of the next.
pub(super) fn tileset(count: usize) -> Result<u16> {
    budget::at_most("tilesets", 1 << 15, count as u64 + 1)?;
    Ok(count as u16)
}

/// Checks positions, sizes and angles.
pub(super) fn numbers(numbers: impl IntoIterator<Item = f64>) -> Result<()> {
    /// More than any world or angle has, and small enough to calculate with.
    const MOST: f64 = 16_777_216.0;
    match numbers.into_iter().find(|v| v.is_nan() || v.abs() > MOST) {
        Some(v) => Err(malformed(format!("the number {v}; positions, sizes and angles are -{MOST} to {MOST}"))),
        None => Ok(()),
    }
}
