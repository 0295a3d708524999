//! Finding the tile of a hit.

use hitmask::geometry::Vec2;
use hitmask::query::Queries;
use hitmask::{Body, BodyId, Detail, Linear, World};

use super::{Origin, Owner, Terrain, place};
use crate::error::{Result, malformed};
use crate::filter::Filter;
use crate::level::{Cells, Layer, Level, Object, Tile, TileInfo};

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
    /// The tiles near the body are tested one by one, by the library's own queries, so that together they hit exactly
    /// if the pair does. Returns no tiles for an object of the level, or if neither body belongs to the terrain.
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
        let Some(Owner { layer: index, origin: Origin::Tiles { filter, pixel } }) = self.owners.get(&own) else {
            return Ok(Vec::new());
        };
        let layer = level.layers.get(*index).and_then(|layer| Some((layer, layer.cells()?)));
        let (Some((layer, cells)), Some(ground)) = (layer, world.body(own)) else { return Ok(Vec::new()) };
        let shape = world.shape(other.shape).ok_or_else(|| malformed("the body has no shape of this world"))?;
        let mut alone = World::new(world.touch());
        let shape = alone.add_shape(shape.clone())?;
        let motion = [other.motion.x - ground.motion.x, other.motion.y - ground.motion.y];
        let probe = Body::new(shape, other.at).posed(other.linear).moving(motion);
        let id = alone.add(&probe)?;
        let Some(bounds) = alone.swept_bounds(id) else { return Ok(Vec::new()) };
        alone.remove(id)?;
        let area = (ground.linear == Linear::IDENTITY).then(|| {
            let local = |v: f64, axis: usize| v - [ground.at.x, ground.at.y][axis] + f64::from(pixel[axis]);
            let [from, to] = [bounds.min.units(), bounds.max.units()].map(|at| [0, 1].map(|k| local(at[k], k)));
            [from.map(|v| v.floor() as i64 - 1), to.map(|v| v.ceil() as i64 + 1)]
        });
        let candidates =
            self.add_candidates(level, &mut alone, (*index, layer, cells), *filter, area, &ground, *pixel)?;
        let mut hits = Vec::new();
        Queries::new().on(&alone).all(&probe, &mut hits)?;
        let tile = |hit: &hitmask::query::BodyHit| {
            let (cell, tile) = candidates[hit.body.index() as usize];
            TileHit { layer: *index, cell, tile, detail: hit.detail }
        };
        let mut found: Vec<TileHit> = hits.iter().map(tile).collect();
        found.sort_by_key(|hit| (hit.detail.tick(), hit.cell[1], hit.cell[0]));
        let mut seen = std::collections::HashSet::new();
        found.retain(|hit| seen.insert(hit.cell));
        Ok(found)
    }

    /// Adds the tiles near a place to a world, and returns the cell and the tile of each body.
    #[expect(clippy::too_many_arguments, reason = "a layer, a place and a pose")]
    fn add_candidates(
        &self,
        level: &Level,
        alone: &mut World,
        (index, layer, cells): (usize, &Layer, &Cells),
        filter: Filter,
        area: Option<[[i64; 2]; 2]>,
        ground: &Body,
        pixel: [i32; 2],
    ) -> Result<Vec<([i32; 2], Tile)>> {
        let everywhere = [[i64::MIN / 4; 2], [i64::MAX / 4; 2]];
        let reach = &self.layers[index].reach;
        let records = (&self.solids, &self.stamps, reach);
        let mut candidates = Vec::new();
        for ((cell, stamp), tile) in place::near(level, layer, cells, records, filter, area.unwrap_or(everywhere)) {
            let start = place::origin(cell, cells.size)?;
            for (shape, from) in stamp.shapes()? {
                let shape = alone.add_shape(shape)?;
                let away = [0, 1].map(|axis| f64::from(start[axis] + from[axis] - pixel[axis]));
                let at = ground.at + ground.linear * Vec2::from(away);
                alone.add(&Body::new(shape, at).posed(ground.linear))?;
                candidates.push((cell, tile));
            }
        }
        Ok(candidates)
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
