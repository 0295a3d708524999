//! Tiles as polygons: an island of tiles that touch becomes the union of their shapes.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use hitmask::geometry::SUBPIXELS;
use hitmask::query::Queries;
use hitmask::{Body, BodyId, Shape, ShapeId, World};

use super::find::Ground;
use super::masks::join;
use super::part::{self, Part};
use super::place::{Near, Placed, Reach, meets, origin, pixels};
use super::{Maker, search};
use crate::error::Result;

/// The largest width or height in pixels of a union. The coordinates of the library that makes it are 31 bits wide.
const FARTHEST: i64 = 1 << 21;

/// The islands of tiles with a filter.
#[derive(Default)]
pub(super) struct Islands {
    /// The island of each cell.
    of: HashMap<[i32; 2], u32>,
    all: HashMap<u32, Island>,
    next: u32,
}

/// An island: its tiles and its bodies.
pub(super) struct Island {
    cells: Vec<[i32; 2]>,
    bodies: Vec<(BodyId, ShapeId)>,
}

impl Islands {
    /// Adds islands, which touch none that are here.
    pub(super) fn insert(&mut self, islands: Vec<Island>) {
        for island in islands {
            self.of.extend(island.cells.iter().map(|cell| (*cell, self.next)));
            self.all.insert(self.next, island);
            self.next += 1;
        }
    }

    /// Returns the islands that have some of these cells, and all of their cells in order.
    pub(super) fn with(
        &self,
        maker: &Maker<'_>,
        cells: impl IntoIterator<Item = [i32; 2]>,
    ) -> Result<(BTreeSet<u32>, Vec<[i32; 2]>)> {
        let found: BTreeSet<u32> = cells.into_iter().filter_map(|cell| self.of.get(&cell).copied()).collect();
        let islands = || found.iter().filter_map(|island| self.all.get(island));
        islands().flat_map(|island| &island.bodies).try_for_each(|(body, _)| maker.check(*body))?;
        let mut cells: Vec<[i32; 2]> = islands().flat_map(|island| island.cells.iter().copied()).collect();
        cells.sort_unstable_by_key(|[x, y]| [*y, *x]);
        Ok((found, cells))
    }

    /// Returns the polygons of tiles in a body of their island: with its local origin, and for each the index of its
    /// tile.
    pub(super) fn parts_of(&self, ground: &Ground<'_>, tiles: &[Near], size: [u32; 2]) -> Result<Vec<(usize, Shape)>> {
        let mut parts = Vec::new();
        let is_own = |island: &&u32| self.all[*island].bodies.iter().any(|(body, _)| *body == ground.own);
        let Some(own) = tiles.iter().filter_map(|((cell, _), _)| self.of.get(cell)).find(is_own) else {
            return Ok(parts);
        };
        // Tiles that touch at corners only are polygons of their own.
        let mut overlaps = match &self.all[own].bodies[..] {
            [_] => None,
            _ => Some(Overlaps::with(ground.shape)?),
        };
        for (index, ((cell, stamp), _)) in tiles.iter().enumerate() {
            if self.of.get(cell) != Some(own) {
                continue;
            }
            let at = origin(*cell, size)?;
            let shift = [0, 1].map(|axis| (at[axis] - ground.pixel[axis]) * SUBPIXELS);
            for part in &stamp.parts {
                let shape = part.moved(shift).shape()?;
                if overlaps.as_mut().map_or(Ok(true), |overlaps| overlaps.any(&shape))? {
                    parts.push((index, shape));
                }
            }
        }
        Ok(parts)
    }

    /// Removes islands.
    pub(super) fn remove(&mut self, maker: &mut Maker<'_>, islands: BTreeSet<u32>) -> Result<()> {
        for island in islands {
            let Some(island) = self.all.remove(&island) else { continue };
            for cell in &island.cells {
                self.of.remove(cell);
            }
            undo(maker, vec![island])?;
        }
        Ok(())
    }
}

/// Removes the bodies of islands.
pub(super) fn undo(maker: &mut Maker<'_>, islands: Vec<Island>) -> Result<()> {
    for (body, shape) in islands.into_iter().flat_map(|island| island.bodies) {
        maker.remove(body, shape)?;
    }
    Ok(())
}

/// Makes the islands of tiles. On an error, the world is as it was.
pub(super) fn make(
    maker: &mut Maker<'_>,
    tiles: Vec<Placed>,
    size: [u32; 2],
    reach: &Reach,
    sector: Option<u32>,
) -> Result<Vec<Island>> {
    let mut islands = Vec::new();
    match make_all(maker, tiles, size, reach, sector, &mut islands) {
        Ok(()) => Ok(islands),
        Err(error) => {
            undo(maker, islands)?;
            Err(error)
        }
    }
}

fn make_all(
    maker: &mut Maker<'_>,
    tiles: Vec<Placed>,
    size: [u32; 2],
    reach: &Reach,
    sector: Option<u32>,
    islands: &mut Vec<Island>,
) -> Result<()> {
    // The tiles by row and column, to find those near another.
    let mut places: Vec<([i32; 2], usize)> = tiles.iter().map(|(cell, _)| [cell[1], cell[0]]).zip(0..).collect();
    places.sort_unstable();
    let mut left: Vec<Option<Placed>> = tiles.into_iter().map(Some).collect();
    let mut searched = 0;
    for start in 0..left.len() {
        let Some(first) = left[start].take() else { continue };
        let mut island = vec![first];
        let mut k = 0;
        while k < island.len() {
            let (cell, stamp) = &island[k];
            let area = pixels(*cell, stamp, size);
            let [from, to] = reach.cells(area, size);
            let own = sector_of(*cell, sector);
            searched += (i64::from(to[0]) - i64::from(from[0]) + 1).unsigned_abs()
                * (i64::from(to[1]) - i64::from(from[1]) + 1).unsigned_abs();
            search(searched)?;
            let touches =
                |(cell, stamp): &mut Placed| sector_of(*cell, sector) == own && meets(pixels(*cell, stamp, size), area);
            for row in from[1]..=to[1] {
                let first = places.partition_point(|(place, _)| *place < [row, from[0]]);
                for (_, near) in places[first..].iter().take_while(|(place, _)| *place <= [row, to[0]]) {
                    island.extend(left[*near].take_if(touches));
                }
            }
            k += 1;
        }
        let cells = island.iter().map(|(cell, _)| *cell).collect();
        islands.push(Island { cells, bodies: Vec::new() });
        let Some(Island { bodies, .. }) = islands.last_mut() else { continue };
        make_one(maker, &island, size, bodies)?;
    }
    Ok(())
}

/// Makes the bodies of an island. A union that the library does not take as polygons, as one with more than 65,536
/// points, is made of two halves.
fn make_one(
    maker: &mut Maker<'_>,
    tiles: &[Placed],
    size: [u32; 2],
    bodies: &mut Vec<(BodyId, ShapeId)>,
) -> Result<()> {
    let corners = tiles.iter().map(|(cell, _)| *cell).reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1])]);
    let start = origin(corners.unwrap_or_default(), size)?;
    let ends = tiles.iter().map(|(cell, stamp)| pixels(*cell, stamp, size)).reduce(join);
    let is_far = |[from, to]: [[i64; 2]; 2]| (0..2).any(|axis| to[axis] - from[axis] > FARTHEST);
    let shapes = if tiles.len() > 1 && ends.is_some_and(is_far) {
        None
    } else {
        let runs = runs(tiles, size);
        let mut parts = Vec::new();
        for (cell, run) in &runs {
            let at = origin(*cell, size)?;
            let shift = [0, 1].map(|axis| (at[axis] - start[axis]) * SUBPIXELS);
            parts.extend(run.iter().map(|part| (part, shift)));
        }
        match part::union(parts).iter().map(Part::shape).collect::<hitmask::Result<Vec<_>>>() {
            Err(error) if tiles.len() < 2 => return Err(error.into()),
            shapes => shapes.ok(),
        }
    };
    if let Some(shapes) = shapes {
        for shape in shapes {
            bodies.push(maker.add(shape, start)?);
        }
        return Ok(());
    }
    let mut halves = tiles.to_vec();
    let spread = |axis: usize| {
        let ends = tiles.iter().map(|(cell, _)| cell[axis]);
        ends.clone().max().unwrap_or(0).abs_diff(ends.min().unwrap_or(0))
    };
    let axis = usize::from(spread(1) > spread(0));
    halves.sort_by_key(|(cell, _)| (cell[axis], cell[1 - axis]));
    let (low, high) = halves.split_at(halves.len() / 2);
    make_one(maker, low, size, bodies)?;
    make_one(maker, high, size, bodies)
}

/// Returns the polygons of tiles with their cells. Tiles in a row that fill their cells from side to side are one
/// polygon, so that the union has fewer to join.
fn runs(tiles: &[Placed], size: [u32; 2]) -> Vec<([i32; 2], Cow<'_, [Part]>)> {
    let mut order: Vec<&Placed> = tiles.iter().collect();
    order.sort_unstable_by_key(|(cell, _)| [cell[1], cell[0]]);
    let width = size[0] as i32 * SUBPIXELS;
    let mut runs: Vec<([i32; 2], Cow<'_, [Part]>)> = Vec::new();
    // The cell after the last run, and the heights between which it fills its cells.
    let mut open = None;
    for (cell, stamp) in order {
        let Some([top, bottom]) = part::band(&stamp.parts, width) else {
            runs.push((*cell, Cow::Borrowed(&stamp.parts)));
            open = None;
            continue;
        };
        let next = Some(([cell[0] + 1, cell[1]], [top, bottom]));
        if open == Some((*cell, [top, bottom]))
            && let Some((start, parts)) = runs.last_mut()
        {
            let right = (cell[0] - start[0] + 1) * width;
            *parts = Cow::Owned(vec![Part::rect([0, top], [right, bottom])]);
        } else {
            runs.push((*cell, Cow::Borrowed(&stamp.parts)));
        }
        open = next;
    }
    runs
}

/// A polygon of an island, to find those whose interiors overlap it.
struct Overlaps {
    world: World,
    queries: Queries,
}

impl Overlaps {
    /// The position of the local origin. An island may be as wide as half the world.
    const AT: [f64; 2] = [-(FARTHEST as f64) / 2.0; 2];

    fn with(polygon: &Shape) -> Result<Self> {
        let mut world = World::default();
        let shape = world.add_shape(polygon.clone())?;
        world.add(&Body::new(shape, Self::AT))?;
        Ok(Self { world, queries: Queries::new() })
    }

    /// Returns whether a polygon with the same local origin overlaps it.
    fn any(&mut self, polygon: &Shape) -> Result<bool> {
        let shape = self.world.add_shape(polygon.clone())?;
        let any = self.queries.on(&self.world).any(&Body::new(shape, Self::AT))?;
        self.world.remove_shape(shape)?;
        Ok(any)
    }
}

fn sector_of(cell: [i32; 2], side: Option<u32>) -> Option<[i64; 2]> {
    side.map(|side| cell.map(|v| i64::from(v).div_euclid(side.into())))
}
