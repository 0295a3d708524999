//! The tiles of a level that are hit, with their classes and properties.

use std::sync::PoisonError;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_math::Vec2;
use bevy_transform::components::GlobalTransform;
use hitmask::{Body, BodyId};
use hitmask_files::level::{Layer, Object, Tile, TileInfo};
use hitmask_files::{Level, Result};

use super::bodies::{Built, Ground, LevelPart};
use crate::space::HitSpace;
use crate::units::{down, to_local, up};

/// Tells the tiles of levels that are hit, and the objects.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_hitmask::{HitStart, HitTiles};
///
/// fn burn(hit: On<HitStart>, tiles: HitTiles) -> Result {
///     for tile in tiles.hit(hit.entity, hit.other)? {
///         let damage = tiles.info(&tile).and_then(|info| info.properties.int("damage"));
///         println!("cell {:?}: {} damage", tile.cell, damage.unwrap_or(0));
///     }
///     Ok(())
/// }
/// # let mut world = World::new();
/// # world.add_observer(burn);
/// ```
#[derive(SystemParam)]
pub struct HitTiles<'w, 's> {
    pub(super) space: Res<'w, HitSpace>,
    pub(super) parts: Query<'w, 's, &'static LevelPart>,
    pub(super) levels: Query<'w, 's, (&'static Built, &'static GlobalTransform)>,
}

/// A tile of a level in a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LevelTile {
    /// The entity with the [`LevelCollider`](crate::LevelCollider).
    pub level: Entity,
    /// The index of its layer in [`Level::layers`].
    pub layer: usize,
    /// Its cell, `[column, row]`.
    pub cell: [i32; 2],
    /// The tile.
    pub tile: Tile,
}

impl HitTiles<'_, '_> {
    /// Returns the tiles that two entities' hit in the last step is made of: one of the entities is a [`LevelPart`],
    /// and the other is what hits it. They are tiles of that part, sorted by time, then by row and column; the first is
    /// where the hit begins. Returns no tiles for an object of the level, if neither or both are parts of levels, or if
    /// one has lost its body.
    pub fn hit(&self, entity: Entity, other: Entity) -> Result<Vec<LevelTile>> {
        let (part, other) = match (self.parts.get(entity), self.parts.get(other)) {
            (Ok(part), Err(_)) => ((part, entity), other),
            (Err(_), Ok(part)) => ((part, other), entity),
            _ => return Ok(Vec::new()),
        };
        let (LevelPart { level, body: own }, part) = part;
        let (Some(ground), Some(own)) = (self.ground(*level), *own) else { return Ok(Vec::new()) };
        let (Some(now), Some(other)) = (self.moved(part), self.moved(other)) else { return Ok(Vec::new()) };
        let Some(shape) = self.space.world.shape(other.shape) else { return Ok(Vec::new()) };
        let mut world = ground.world.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(before) = world.body(own) else { return Ok(Vec::new()) };
        // A mask that was made anew may begin elsewhere. The part follows it in the next step.
        let ahead = down(ground.spawned.get(&own).map_or(Vec2::ZERO, |&followed| up(before.at) - followed));
        let [x, y] = [now.linear.x, now.linear.y].map(|[a, b]| a * ahead[0] + b * ahead[1]);
        let at = [now.at.x + x, now.at.y + y].into();
        let pose = Body { at, linear: now.linear, motion: now.motion, ..before };
        let shape = world.add_shape(shape.clone())?;
        let found = world
            .set(own, &pose)
            .map_err(Into::into)
            .and_then(|()| ground.terrain.tiles_hit_by(&ground.level, &world, own, &Body { shape, ..other }));
        world.set(own, &before)?;
        world.remove_shape(shape)?;
        let tile = |hit: hitmask_files::terrain::TileHit| LevelTile {
            level: *level,
            layer: hit.layer,
            cell: hit.cell,
            tile: hit.tile,
        };
        Ok(found?.into_iter().map(tile).collect())
    }

    /// Returns the solid tile at a point, in the uppermost layer that has one there. `level` is the entity with the
    /// [`LevelCollider`](crate::LevelCollider).
    #[must_use]
    pub fn at(&self, level: Entity, point: Vec2) -> Option<LevelTile> {
        let (_, place) = self.levels.get(level).ok()?;
        let ground = self.ground(level)?;
        let local = to_local(place, 0.0)?.transform_point2(point);
        let (layer, cell, tile) = ground.terrain.tile_at(&ground.level, down(local))?;
        Some(LevelTile { level, layer, cell, tile })
    }

    /// Returns the description of a tile: its class, properties and shapes. `None` if the level is gone.
    #[must_use]
    pub fn info(&self, tile: &LevelTile) -> Option<&TileInfo> {
        self.level(tile.level).map(|level| level.tile(tile.tile))
    }

    /// Returns the object that a part of a level was made of; `None` for tiles.
    #[must_use]
    pub fn object(&self, part: Entity) -> Option<&Object> {
        let (ground, body) = self.part(part)?;
        ground.terrain.object(&ground.level, body).map(|(_, object)| object)
    }

    /// Returns the layer of a part of a level.
    #[must_use]
    pub fn layer(&self, part: Entity) -> Option<&Layer> {
        let (ground, body) = self.part(part)?;
        ground.level.layers.get(ground.terrain.layer(body)?)
    }

    /// Returns the level of which the bodies of an entity with a [`LevelCollider`](crate::LevelCollider) are made, with
    /// the tiles that [`HitTilesMut`](crate::HitTilesMut) has set.
    #[must_use]
    pub fn level(&self, level: Entity) -> Option<&Level> {
        self.ground(level).map(|ground| &*ground.level)
    }

    fn ground(&self, level: Entity) -> Option<&Ground> {
        match self.levels.get(level).ok()? {
            (Built::Made(ground), _) => Some(ground),
            _ => None,
        }
    }

    fn part(&self, part: Entity) -> Option<(&Ground, BodyId)> {
        let LevelPart { level, body } = self.parts.get(part).ok()?;
        Some((self.ground(*level)?, (*body)?))
    }

    /// Returns the body of an entity as it was in the last step: where its motion began.
    fn moved(&self, entity: Entity) -> Option<Body> {
        let body = self.space.world.body(self.space.body(entity)?)?;
        let at = [body.at.x - body.motion.x, body.at.y - body.motion.y];
        Some(Body { at: at.into(), ..body })
    }
}
