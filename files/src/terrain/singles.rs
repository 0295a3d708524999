//! Tiles as bodies of their own. Equal tiles share shapes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hitmask::{Body, BodyId, ShapeId};

use super::Maker;
use super::place::{Placed, origin};
use crate::error::Result;
use crate::level::{Cells, Tile};

/// Bodies that are made, with their cells.
pub(super) type Made = Vec<([i32; 2], BodyId)>;

/// The bodies of tiles with a filter, by their cells.
#[derive(Default)]
pub(super) struct Singles {
    bodies: HashMap<[i32; 2], Vec<BodyId>>,
    shapes: HashMap<Tile, Vec<(ShapeId, [i32; 2])>>,
}

impl Singles {
    /// Makes the bodies of tiles. On an error, the world is as it was.
    pub(super) fn make(&mut self, maker: &mut Maker<'_>, tiles: Vec<Placed>, cells: &Cells) -> Result<Made> {
        let mut new = Vec::new();
        let made = self.make_with(maker, tiles, cells, &mut new);
        if made.is_err() {
            for tile in new {
                for (shape, _) in self.shapes.remove(&tile).into_iter().flatten() {
                    maker.world.remove_shape(shape)?;
                }
            }
        }
        made
    }

    /// Makes the bodies of tiles, and records the tiles whose shapes are new.
    fn make_with(
        &mut self,
        maker: &mut Maker<'_>,
        tiles: Vec<Placed>,
        cells: &Cells,
        new: &mut Vec<Tile>,
    ) -> Result<Made> {
        let (mut bodies, mut places): (Vec<Body>, Vec<_>) = (Vec::new(), Vec::new());
        for (cell, stamp) in tiles {
            let Some(tile) = cells.get(cell) else { continue };
            let shapes = match self.shapes.entry(tile) {
                Entry::Occupied(shapes) => shapes.into_mut(),
                Entry::Vacant(place) => {
                    let shapes = place.insert(Vec::new());
                    new.push(tile);
                    for (shape, from) in stamp.shapes()? {
                        shapes.push((maker.world.add_shape(shape)?, from));
                    }
                    shapes
                }
            };
            let start = origin(cell, cells.size)?;
            for (shape, from) in shapes {
                let pixel = [0, 1].map(|axis| start[axis] + from[axis]);
                bodies.push(maker.body(*shape, pixel));
                places.push((cell, pixel));
            }
        }
        let ids = maker.world.add_all(&bodies)?;
        let made = |(id, (cell, pixel))| {
            maker.own(id, pixel);
            (cell, id)
        };
        Ok(ids.into_iter().zip(places).map(made).collect())
    }

    pub(super) fn insert(&mut self, made: Made) {
        for (cell, body) in made {
            self.bodies.entry(cell).or_default().push(body);
        }
    }

    /// Returns whether a body is one of a cell.
    pub(super) fn has(&self, cell: [i32; 2], body: BodyId) -> bool {
        self.bodies.get(&cell).is_some_and(|bodies| bodies.contains(&body))
    }

    /// Returns an error if a body of a cell is no longer in the world.
    pub(super) fn check(&self, maker: &Maker<'_>, cell: [i32; 2]) -> Result<()> {
        self.bodies.get(&cell).into_iter().flatten().try_for_each(|body| maker.check(*body))
    }

    /// Removes the bodies of a cell.
    pub(super) fn remove(&mut self, maker: &mut Maker<'_>, cell: [i32; 2]) -> Result<()> {
        let bodies = self.bodies.remove(&cell).into_iter().flatten();
        undo(maker, bodies.map(|body| (cell, body)).collect())
    }

    /// Returns the shapes.
    pub(super) fn shapes(&self) -> impl Iterator<Item = ShapeId> {
        self.shapes.values().flatten().map(|(shape, _)| *shape)
    }
}

/// Removes bodies that are made.
pub(super) fn undo(maker: &mut Maker<'_>, made: Made) -> Result<()> {
    for (_, body) in made {
        maker.owners.remove(&body);
        maker.world.remove(body)?;
    }
    Ok(())
}
