//! Stamps: the solid part of a tile, relative to the cell in which the tile stands.

use std::collections::HashMap;
use std::sync::Arc;

use hitmask::geometry::SUBPIXELS;
use hitmask::mask::MAX_SIDE;
use hitmask::{Mask, Shape};

use super::part::{self, Part};
use super::solids::{Merge, Solids, Source};
use crate::error::{Result, malformed};
use crate::level::{Level, Tile};

/// The solid part of a tile.
pub(super) struct Stamp {
    /// The mask and the pixel of its top-left corner, if the tile becomes pixels.
    pub(super) mask: Option<(Arc<Mask>, [i32; 2])>,
    /// The polygons, if it does not.
    pub(super) parts: Vec<Part>,
    /// The pixels that it reaches, `[from, to]`, exclusive.
    pub(super) bounds: [[i32; 2]; 2],
}

/// The stamps so far, by tile and size of a cell. A tile that is not solid has none.
#[derive(Clone, Default)]
pub(super) struct Stamps(HashMap<(Tile, [u32; 2]), Option<Arc<Stamp>>>);

/// The largest distance in pixels of a shape from its cell.
const MAX_AWAY: i32 = 4 * MAX_SIDE as i32;

impl Stamps {
    /// Returns the stamp of a tile, and makes it if it is new.
    pub(super) fn of(
        &mut self,
        level: &Level,
        solids: &Solids,
        tile: Tile,
        cell: [u32; 2],
        work: &mut part::Work,
    ) -> Result<Option<Arc<Stamp>>> {
        if let Some(stamp) = self.0.get(&(tile, cell)) {
            return Ok(stamp.clone());
        }
        let stamp = Stamp::new(level, solids, tile, cell, work).map_err(|error| error.at(place(level, tile)))?;
        let stamp = stamp.map(Arc::new);
        self.0.insert((tile, cell), stamp.clone());
        Ok(stamp)
    }

    /// Returns a stamp that was made before.
    pub(super) fn get(&self, tile: Tile, cell: [u32; 2]) -> Option<&Arc<Stamp>> {
        self.0.get(&(tile, cell))?.as_ref()
    }
}

/// Returns the place of a tile in an error.
fn place(level: &Level, tile: Tile) -> String {
    let name = level.tilesets.get(usize::from(tile.tileset)).map_or("", |tileset| &tileset.name);
    format!("tileset {}: tile {}", crate::error::quoted(name), tile.id)
}

impl Stamp {
    fn new(level: &Level, solids: &Solids, tile: Tile, cell: [u32; 2], work: &mut part::Work) -> Result<Option<Self>> {
        let Some(tileset) = level.tilesets.get(usize::from(tile.tileset)) else { return Ok(None) };
        tileset.checked_size(tile.id)?;
        let start = tileset.start_in_cell(tile, cell);
        if solids.source == Source::Pixels
            && let Some(mask) = level.mask(tile)?
        {
            return Self::of_mask(&mask, start, solids.merge);
        }
        let rings = outlines(level, solids, tile);
        let mut parts = Vec::new();
        for points in rings {
            let moved = points.into_iter().map(|[x, y]| [x + f64::from(start[0]), y + f64::from(start[1])]);
            parts.extend(part::of_ring(&part::ring(moved)?, work)?);
        }
        Self::of_parts(parts, solids.merge)
    }

    fn of_mask(mask: &Mask, start: [i32; 2], merge: Merge) -> Result<Option<Self>> {
        if merge == Merge::Polygons {
            let pixels = |ring: Vec<[i32; 2]>| -> Vec<[i32; 2]> {
                ring.into_iter().map(|at| [0, 1].map(|axis| (at[axis] + start[axis]) * SUBPIXELS)).collect()
            };
            let part = |polygon: hitmask::mask::Polygon| {
                Part::new(pixels(polygon.outline), polygon.holes.into_iter().map(pixels).collect())
            };
            return Self::of_parts(mask.polygons().into_iter().map(part).collect(), merge);
        }
        let Some([x, y, width, height]) = mask.bounds().map(|bounds| bounds.map(|v| v as i32)) else { return Ok(None) };
        let mask = mask.cropped([x, y, width, height])?;
        let from = [start[0] + x, start[1] + y];
        let bounds = [from, [from[0] + width, from[1] + height]];
        Ok(Some(Self { mask: Some((Arc::new(mask), from)), parts: Vec::new(), bounds }))
    }

    fn of_parts(parts: Vec<Part>, merge: Merge) -> Result<Option<Self>> {
        let ends = parts.iter().map(Part::bounds);
        let join = |a: [[i32; 2]; 2], b: [[i32; 2]; 2]| {
            [[a[0][0].min(b[0][0]), a[0][1].min(b[0][1])], [a[1][0].max(b[1][0]), a[1][1].max(b[1][1])]]
        };
        let Some(bounds) = ends.reduce(join) else { return Ok(None) };
        if let Some(far) = bounds.into_iter().flatten().find(|v| v.abs() > MAX_AWAY) {
            return Err(malformed(format!("a shape reaches {far} pixels from its cell; the limit is {MAX_AWAY}")));
        }
        if merge != Merge::Masks {
            return Ok(Some(Self { mask: None, parts, bounds }));
        }
        let [from, to] = bounds;
        let mut mask = Mask::new((to[0] - from[0]) as u32, (to[1] - from[1]) as u32)?;
        for part in &parts {
            let local = |ring: &part::Ring| -> Vec<[f64; 2]> {
                let unit = |at: &[i32; 2], axis: usize| f64::from(at[axis]) / f64::from(SUBPIXELS);
                ring.iter().map(|at| [0, 1].map(|axis| unit(at, axis) - f64::from(from[axis]))).collect()
            };
            if part.holes.is_empty() {
                mask.draw_polygon(&local(&part.outline))?;
                continue;
            }
            // A hole must not erase other parts.
            let [start, end] = part.bounds();
            let place = [0, 1].map(|axis| start[axis] - from[axis]);
            let moved = |ring: &part::Ring| -> Vec<[f64; 2]> {
                local(ring).into_iter().map(|at| [0, 1].map(|axis| at[axis] - f64::from(place[axis]))).collect()
            };
            let mut own = Mask::new((end[0] - start[0]) as u32, (end[1] - start[1]) as u32)?;
            own.draw_polygon(&moved(&part.outline))?;
            for hole in &part.holes {
                own.erase_polygon(&moved(hole))?;
            }
            mask.draw(&own, place);
        }
        Self::of_mask(&mask, from, merge)
    }

    /// Returns the shapes, and the pixel of the cell at which each has its origin.
    pub(super) fn shapes(&self) -> Result<Vec<(Shape, [i32; 2])>> {
        match &self.mask {
            Some((mask, from)) => Ok(vec![(Shape::sprite(mask.clone()), *from)]),
            None => self.parts.iter().map(|part| Ok((part.shape()?, [0; 2]))).collect(),
        }
    }

    /// Returns whether a point in pixels of the cell is solid.
    pub(super) fn holds(&self, at: [f64; 2]) -> bool {
        if let Some((mask, from)) = &self.mask {
            let [x, y] = [0, 1].map(|axis| at[axis].floor() as i64 - i64::from(from[axis]));
            return x >= 0 && y >= 0 && mask.get(x as u32, y as u32);
        }
        let at = at.map(|v| (v * f64::from(SUBPIXELS)).round() as i32);
        self.parts.iter().any(|part| part.holds(at))
    }
}

/// Returns the outlines of the shapes of a flipped tile, or of its rectangle, from its top-left corner.
pub(super) fn outlines(level: &Level, solids: &Solids, tile: Tile) -> Vec<Vec<[f64; 2]>> {
    let Some(tileset) = level.tilesets.get(usize::from(tile.tileset)) else { return Vec::new() };
    let size = tileset.size_of(tile.id).map(f64::from);
    let mut outlines = match solids.source {
        Source::Boxes => vec![vec![[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]]],
        Source::Shapes | Source::Pixels => {
            let shapes = tileset.tile(tile.id).shapes.iter().filter(|shape| shape.visible || solids.hidden);
            shapes.flat_map(|shape| shape.outlines(solids.line_width)).collect()
        }
    };
    for point in outlines.iter_mut().flatten() {
        *point = tile.flips.point(*point, size);
    }
    outlines
}
