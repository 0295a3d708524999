//! Tiles as bodies of their own. Equal tiles share shapes.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use hitmask::{Body, BodyId, ShapeId};

use super::Maker;
use super::place::{Placed, origin};
use crate::error::Result;
use crate::level::{Cells, Tile};

/// The bodies of tiles with a filter, by their cells.
#[derive(Default)]
pub(super) struct Singles {
    bodies: HashMap<[i32; 2], Vec<BodyId>>,
    shapes: HashMap<Tile, Vec<(ShapeId, [i32; 2])>>,
}

impl Singles {
    pub(super) fn add(&mut self, maker: &mut Maker<'_>, tiles: Vec<Placed>, cells: &Cells) -> Result<()> {
        let (mut bodies, mut places): (Vec<Body>, Vec<_>) = (Vec::new(), Vec::new());
        for (cell, stamp) in tiles {
            let Some(tile) = cells.get(cell) else { continue };
            let shapes = match self.shapes.entry(tile) {
                Entry::Occupied(shapes) => shapes.into_mut(),
                Entry::Vacant(place) => {
                    let shapes = stamp.shapes()?.into_iter();
                    let shapes = shapes.map(|(shape, from)| Ok((maker.world.add_shape(shape)?, from)));
                    place.insert(shapes.collect::<Result<_>>()?)
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
        for (id, (cell, pixel)) in ids.into_iter().zip(places) {
            maker.own(id, pixel);
            self.bodies.entry(cell).or_default().push(id);
        }
        Ok(())
    }

    /// Removes the bodies of a cell.
    pub(super) fn remove(&mut self, maker: &mut Maker<'_>, cell: [i32; 2]) -> Result<()> {
        for body in self.bodies.remove(&cell).into_iter().flatten() {
            maker.owners.remove(&body);
            maker.world.remove(body)?;
        }
        Ok(())
    }

    pub(super) fn shapes(&self) -> impl Iterator<Item = ShapeId> {
        self.shapes.values().flatten().map(|(shape, _)| *shape)
    }
}
