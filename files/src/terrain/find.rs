//! Finding the tile of a hit.

use std::collections::HashSet;

use hitmask::geometry::{Point, Vec2};
use hitmask::{Ask, Body, BodyId, Detail, Linear, Shape, Touch, World, cpu};

use super::place::{self, Near};
use super::{Bodies, Origin, Owner, Terrain};
use crate::error::{Result, malformed};
use crate::level::{Level, Object, Tile, TileInfo};

/// A tile that a body hits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct TileHit {
    /// The index of its layer in [`Level::layers`].
    pub layer: usize,
    /// Its cell, `[column, row]`.
    pub cell: [i32; 2],
    /// The tile.
    pub tile: Tile,
    /// When and where the body hits it, with the body as the first of the pair.
    pub detail: Detail,
}

impl TileHit {
    /// Returns the description of the tile: its class, properties and shapes.
    #[must_use]
    pub fn info(self, level: &Level) -> &TileInfo {
        level.tile(self.tile)
    }
}

impl Terrain {
    /// Returns the tiles that a body of the world hits in a step, for a pair of an answer: the body and one of the
    /// terrain, in either order. They are sorted by time, then by row and column; the first is where the hit begins.
    ///
    /// Only tiles of the terrain's body in the pair are tested, at its position and with its motion: those near the
    /// other body one by one, by the library's own engine, so that together they hit exactly if the pair does. If the
    /// terrain's body is turned or scaled, all tiles of its layer are tested, and its polygon may differ from its tiles
    /// by a lattice step. If a segment hits the terrain where its tiles meet, and none of them alone, these are the
    /// tiles that it touches.
    ///
    /// Returns no tiles for an object of the level, or if neither body belongs to the terrain.
    pub fn tiles_hit(&self, level: &Level, world: &World, pair: [u32; 2]) -> Result<Vec<TileHit>> {
        let [a, b] = pair.map(|index| world.id(index));
        let is_own = |id: Option<BodyId>| id.filter(|id| self.owners.contains_key(id));
        let (own, other) = match (is_own(a), is_own(b)) {
            (Some(own), None) => (own, b),
            (None, Some(own)) => (own, a),
            _ => return Ok(Vec::new()),
        };
        let Some(other) = other.and_then(|other| world.body(other)) else { return Ok(Vec::new()) };
        self.tiles_hit_by(level, world, own, &other)
    }

    /// Returns the tiles of a body of the terrain that another body hits, which need not be in the world: see
    /// [`Terrain::tiles_hit`]. It is for answers of queries.
    pub fn tiles_hit_by(&self, level: &Level, world: &World, own: BodyId, other: &Body) -> Result<Vec<TileHit>> {
        let Some(&Owner { layer: index, origin: Origin::Tiles { filter, pixel } }) = self.owners.get(&own) else {
            return Ok(Vec::new());
        };
        let layer = level.layers.get(index).and_then(|layer| Some((layer, layer.cells()?)));
        let (Some((layer, cells)), Some(body)) = (layer, world.body(own)) else { return Ok(Vec::new()) };
        let group = self.layers[index].groups.iter().find(|group| group.filter == filter);
        let (Some(group), Some(shape)) = (group, world.shape(body.shape)) else { return Ok(Vec::new()) };
        let ground = Ground { own, body, shape, pixel };
        let other_shape = world.shape(other.shape);
        let other = (other_shape.ok_or_else(|| malformed("the body has no shape of this world"))?, other);
        let Some(area) = ground.area(other)? else { return Ok(Vec::new()) };
        let records = (&self.solids, &self.stamps, &self.layers[index].reach);
        let near: Vec<Near> = place::near(level, layer, cells, records, filter, area).collect();
        let (owners, shapes): (Vec<usize>, Vec<Shape>) =
            group.bodies.parts_of(&ground, &near, cells.size)?.into_iter().unzip();
        let mut hits = ground.hits(world.touch(), other, &shapes)?;
        if hits.is_empty() && !ground.hits(world.touch(), other, std::slice::from_ref(shape))?.is_empty() {
            // A segment between two tiles crosses the interior of neither.
            hits = ground.hits(Touch::Included, other, &shapes)?;
        }
        let found = hits.into_iter().map(|(place, detail)| {
            let ((cell, _), tile) = near[owners[place]];
            TileHit { layer: index, cell, tile, detail }
        });
        let mut found: Vec<TileHit> = found.collect();
        found.sort_by_key(|hit| (hit.detail.tick(), hit.cell[1], hit.cell[0]));
        let mut seen = HashSet::new();
        found.retain(|hit| seen.insert(hit.cell));
        Ok(found)
    }

    /// Returns the solid tile at a point of the world, in the uppermost layer that has one there. Bodies that have been
    /// moved count where they were made.
    #[must_use]
    pub fn tile_at(&self, level: &Level, point: impl Into<Vec2>) -> Option<(usize, [i32; 2], Tile)> {
        let point = point.into();
        if !(point.x.is_finite() && point.y.is_finite()) {
            return None;
        }
        level.layers.iter().enumerate().rev().find_map(|(index, layer)| {
            let cells = layer.cells()?;
            let at = [point.x - layer.offset[0], point.y - layer.offset[1]];
            let pixel = at.map(|v| v.floor() as i64);
            let own = self.layers.get(index)?;
            own.groups.iter().find_map(|group| {
                let records = (&self.solids, &self.stamps, &own.reach);
                let near = place::near(level, layer, cells, records, group.filter, [pixel, pixel]);
                near.map(|((cell, stamp), tile)| (cell, stamp, tile)).find_map(|(cell, stamp, tile)| {
                    let local = [0, 1].map(|k| at[k] - f64::from(cell[k]) * f64::from(cells.size[k]));
                    stamp.holds(local).then_some((index, cell, tile))
                })
            })
        })
    }

    /// Returns the object that a body is made of, with the index of its layer; `None` for tiles and other bodies.
    #[must_use]
    pub fn object<'a>(&self, level: &'a Level, body: BodyId) -> Option<(usize, &'a Object)> {
        let Owner { layer, origin: Origin::Object(object) } = self.owners.get(&body)? else { return None };
        Some((*layer, level.layers.get(*layer)?.objects().get(*object)?))
    }

    /// Returns the index of the layer that a body belongs to; `None` if it does not belong to the terrain.
    #[must_use]
    pub fn layer(&self, body: BodyId) -> Option<usize> {
        self.owners.get(&body).map(|owner| owner.layer)
    }
}

/// A body of tiles, while those that something hits are searched.
pub(super) struct Ground<'a> {
    pub(super) own: BodyId,
    body: Body,
    pub(super) shape: &'a Shape,
    /// The pixel of the layer at its local origin.
    pub(super) pixel: [i32; 2],
}

impl Ground<'_> {
    /// Returns the pixels of the layer, `[from, to]` inclusive, within which tiles of the body may meet another one in
    /// the step; all if the body is turned or scaled, `None` if the other is empty.
    fn area(&self, other: (&Shape, &Body)) -> Result<Option<[[i64; 2]; 2]>> {
        let (world, id) = alone(Touch::Excluded, other)?;
        let Some(bounds) = world.swept_bounds(id) else { return Ok(None) };
        let Body { at, linear, motion, .. } = self.body;
        if linear != Linear::IDENTITY {
            return Ok(Some([[i64::MIN / 4; 2], [i64::MAX / 4; 2]]));
        }
        let ([at, motion], [from, to]) =
            ([at, motion].map(<[f64; 2]>::from), [bounds.min, bounds.max].map(Point::units));
        let local = |v: f64, axis: usize| v - at[axis] + f64::from(self.pixel[axis]);
        // A sprite is painted up to a pixel from where it is.
        let first = [0, 1].map(|k| local(from[k] - motion[k].max(0.0), k).floor() as i64 - 1);
        let last = [0, 1].map(|k| local(to[k] - motion[k].min(0.0), k).ceil() as i64 + 1);
        Ok(Some([first, last]))
    }

    /// Returns which of some shapes another body hits in the step, by their indices, and how: it is the first of each
    /// pair. The shapes have the pose and the motion of this body.
    fn hits(&self, touch: Touch, other: (&Shape, &Body), shapes: &[Shape]) -> Result<Vec<(usize, Detail)>> {
        let (mut world, _) = alone(touch, other)?;
        let Body { at, linear, motion, .. } = self.body;
        for shape in shapes {
            let shape = world.add_shape(shape.clone())?;
            // In a group they do not hit each other.
            world.add(&Body::new(shape, at).posed(linear).moving(motion).grouped(1))?;
        }
        // Queries do not see how the bodies of a world move.
        let hits = cpu::Engine::with(&cpu::Options::default().threads(1))?.run(&world, Ask::Details)?;
        let places = hits.pairs.iter().map(|[_, index]| *index as usize - 1);
        Ok(places.zip(hits.details).collect())
    }
}

impl Bodies {
    /// Returns the shapes that tiles have in a body: with its local origin, and for each the index of its tile.
    fn parts_of(&self, ground: &Ground<'_>, tiles: &[Near], size: [u32; 2]) -> Result<Vec<(usize, Shape)>> {
        match self {
            Self::Masks(masks) => masks.parts_of(ground, tiles, size),
            Self::Islands(islands) => islands.parts_of(ground, tiles, size),
            Self::Singles(singles) => {
                let place = tiles.iter().position(|((cell, _), _)| singles.has(*cell, ground.own));
                Ok(place.map(|index| (index, ground.shape.clone())).into_iter().collect())
            }
        }
    }
}

/// Makes a world of one body, which has a shape of another world.
fn alone(touch: Touch, (shape, body): (&Shape, &Body)) -> Result<(World, BodyId)> {
    let mut world = World::new(touch);
    let shape = world.add_shape(shape.clone())?;
    let id = world.add(&Body::new(shape, body.at).posed(body.linear).moving(body.motion))?;
    Ok((world, id))
}
