//! Objects as bodies.

use hitmask::geometry::{SUBPIXELS, Vec2};
use hitmask::{Body, Linear, Shape, ShapeId, World};

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
            let (mut class, mut properties) = (object.class.as_str(), &object.properties);
            if let Some(tile) = tile.filter(|_| object.off_grid) {
                let info = level.tile(tile);
                (class, properties) = (&info.class, &info.properties);
            }
            let subject = Subject { layer, class, properties, tile, cell: None, object: Some(object) };
            let Some(filter) = (self.solids.rule)(&subject) else { continue };
            let place = |error: Error| {
                let [x, y] = object.at;
                let name = if object.off_grid { format!("tile at {x}, {y}") } else { format!("object {}", object.id) };
                error.at(name)
            };
            for (shape, linear) in self.shapes(level, world, object).map_err(place)? {
                let at = [0, 1].map(|axis| object.at[axis] + layer.offset[axis]);
                let body = Body { linear, ..filter.body(shape, at.into()) };
                let id = world.add(&body).map_err(|error| place(error.into()))?;
                self.owners.insert(id, Owner { layer: index, origin: Origin::Object(k) });
            }
        }
        Ok(())
    }

    /// Adds the shapes of an object, with its position as their origin. Returns them with the linear parts of their
    /// bodies.
    fn shapes(&mut self, level: &Level, world: &mut World, object: &Object) -> Result<Vec<(ShapeId, Linear)>> {
        let turn = Linear::from_degrees(object.rotation);
        if let Form::Tile(tile) = object.form {
            return self.tile_shapes(level, world, object, tile, turn);
        }
        if let Form::Polyline(points) = &object.form
            && self.solids.line_width == 0.0
        {
            return self.chain(world, points.iter().map(|&point| (turn * Vec2::from(point)).into()));
        }
        let local = Object { at: [0.0; 2], ..object.clone() };
        self.polygons(world, local.outlines(self.solids.line_width))
    }

    fn tile_shapes(
        &mut self,
        level: &Level,
        world: &mut World,
        object: &Object,
        tile: Tile,
        turn: Linear,
    ) -> Result<Vec<(ShapeId, Linear)>> {
        let Some(tileset) = level.tilesets.get(usize::from(tile.tileset)) else { return Ok(Vec::new()) };
        let natural = tile.flips.size(tileset.checked_size(tile.id)?).map(f64::from);
        let scale = [0, 1].map(|axis| object.size[axis] / natural[axis]);
        // The tile's top-left corner, before it is scaled and turned.
        let start = tileset.start(natural);
        if self.solids.source == Source::Pixels
            && let Some(shape) = self.mask_shape(level, world, tile, start)?
        {
            let linear = Linear {
                x: [turn.x[0] * scale[0], turn.x[1] * scale[1]],
                y: [turn.y[0] * scale[0], turn.y[1] * scale[1]],
            };
            return Ok(vec![(shape, linear)]);
        }
        let mut outlines = stamp::outlines(level, &self.solids, tile);
        for point in outlines.iter_mut().flatten() {
            let scaled = [0, 1].map(|axis| (point[axis] + start[axis]) * scale[axis]);
            *point = (turn * Vec2::from(scaled)).into();
        }
        self.polygons(world, outlines)
    }

    /// Returns the shape of the mask of a tile, which its objects share; `None` if the tile has no image.
    fn mask_shape(&mut self, level: &Level, world: &mut World, tile: Tile, start: [f64; 2]) -> Result<Option<ShapeId>> {
        if let Some(shape) = self.masks.get(&tile) {
            return Ok(Some(*shape));
        }
        let Some(mask) = level.mask(tile)? else { return Ok(None) };
        self.mask_pixels += u64::from(mask.width()) * u64::from(mask.height());
        level.budget.object_masks(self.mask_pixels)?;
        let shape = world.add_shape(Shape::sprite(mask).anchored(start.map(|v| -v))?)?;
        self.shapes.push(shape);
        self.masks.insert(tile, shape);
        Ok(Some(shape))
    }

    /// Adds the chain of a line that is turned already, without segments of length 0; none if all are.
    fn chain(&mut self, world: &mut World, points: impl Iterator<Item = [f64; 2]>) -> Result<Vec<(ShapeId, Linear)>> {
        let mut line = part::ring(points)?;
        line.dedup();
        if line.len() < 2 {
            return Ok(Vec::new());
        }
        let units: Vec<_> = line.iter().map(|point| point.map(|v| f64::from(v) / f64::from(SUBPIXELS))).collect();
        let shape = world.add_shape(Shape::chain(&units, 0.0, false)?)?;
        self.shapes.push(shape);
        Ok(vec![(shape, Linear::IDENTITY)])
    }

    /// Adds the shapes of outlines that are turned already.
    fn polygons(&mut self, world: &mut World, outlines: Vec<Vec<[f64; 2]>>) -> Result<Vec<(ShapeId, Linear)>> {
        let mut shapes = Vec::new();
        for points in outlines {
            for part in part::of_ring(&part::ring(points)?, &mut self.work)? {
                let shape = world.add_shape(part.shape()?)?;
                self.shapes.push(shape);
                shapes.push((shape, Linear::IDENTITY));
            }
        }
        Ok(shapes)
    }
}
