//! Objects as bodies.

use hitmask::geometry::Vec2;
use hitmask::{Body, Linear, Shape, World};

use super::solids::{Source, Subject};
use super::{Origin, Owner, Terrain, part, stamp};
use crate::error::{Error, Result};
use crate::level::{Form, Layer, Level, Object, Tile};

impl Terrain {
    pub(super) fn add_objects(
        &mut self,
        level: &Level,
        world: &mut World,
        (index, layer, objects): (usize, &Layer, &[Object]),
    ) -> Result<()> {
        for (k, object) in objects.iter().enumerate() {
            if !object.visible && !self.solids.hidden {
                continue;
            }
            let tile = if let Form::Tile(tile) = object.form { Some(tile) } else { None };
            let subject = Subject {
                layer,
                class: &object.class,
                properties: &object.properties,
                tile,
                cell: None,
                object: Some(object),
            };
            let Some(filter) = (self.solids.rule)(&subject) else { continue };
            let place = |error: Error| error.at(format!("object {}", object.id));
            for (shape, linear) in self.shapes(level, object).map_err(place)? {
                let shape = world.add_shape(shape).map_err(|error| place(error.into()))?;
                self.shapes.push(shape);
                let at = [0, 1].map(|axis| object.at[axis] + layer.offset[axis]);
                let body = Body { linear, ..filter.body(shape, at.into()) };
                let id = world.add(&body).map_err(|error| place(error.into()))?;
                self.owners.insert(id, Owner { layer: index, origin: Origin::Object(k) });
            }
        }
        Ok(())
    }

    /// Returns the shapes of an object with its position as their origin, and the linear parts of their bodies.
    fn shapes(&self, level: &Level, object: &Object) -> Result<Vec<(Shape, Linear)>> {
        let turn = Linear::from_degrees(object.rotation);
        if let Form::Tile(tile) = object.form {
            return self.tile_shapes(level, object, tile, turn);
        }
        let local = Object { at: [0.0; 2], ..object.clone() };
        polygons(local.outlines(self.solids.line_width))
    }

    fn tile_shapes(&self, level: &Level, object: &Object, tile: Tile, turn: Linear) -> Result<Vec<(Shape, Linear)>> {
        let Some(tileset) = level.tilesets.get(usize::from(tile.tileset)) else { return Ok(Vec::new()) };
        let natural = tile.flips.size(tileset.size_of(tile.id)).map(f64::from);
        let scale = [0, 1].map(|axis| object.size[axis] / natural[axis]);
        // The tile's top-left corner, before it is scaled and turned.
        let start = tileset.start(natural);
        if self.solids.source == Source::Pixels
            && let Some(mask) = level.mask(tile)?
        {
            let linear = Linear {
                x: [turn.x[0] * scale[0], turn.x[1] * scale[1]],
                y: [turn.y[0] * scale[0], turn.y[1] * scale[1]],
            };
            return Ok(vec![(Shape::sprite(mask).anchored(start.map(|v| -v))?, linear)]);
        }
        let mut outlines = stamp::outlines(level, &self.solids, tile);
        for point in outlines.iter_mut().flatten() {
            let scaled = [0, 1].map(|axis| (point[axis] + start[axis]) * scale[axis]);
            *point = (turn * Vec2::from(scaled)).into();
        }
        polygons(outlines)
    }
}

/// Makes the shapes of outlines that are turned already.
fn polygons(outlines: Vec<Vec<[f64; 2]>>) -> Result<Vec<(Shape, Linear)>> {
    let mut shapes = Vec::new();
    for points in outlines {
        for part in part::of_ring(&part::ring(points)?) {
            shapes.push((part.shape()?, Linear::IDENTITY));
        }
    }
    Ok(shapes)
}
