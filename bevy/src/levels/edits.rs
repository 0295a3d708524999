//! Edits of the tiles of a running level.

use std::sync::{Arc, PoisonError};

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_transform::components::GlobalTransform;
use hitmask_files::level::Tile;
use hitmask_files::{Problem, Result};

use super::bodies::{Built, LevelPart};
use super::tiles::HitTiles;
use crate::space::HitSpace;

/// Sets the tiles of running levels, and tells those that are hit as [`HitTiles`] does. A system cannot have both.
///
/// ```
/// use bevy_ecs::prelude::*;
/// use bevy_hitmask::{HitStart, HitTilesMut};
///
/// /// Breaks the tiles that a shot hits.
/// fn dig(hit: On<HitStart>, mut tiles: HitTilesMut) -> Result {
///     for tile in tiles.read().hit(hit.entity, hit.other)? {
///         tiles.set(tile.level, tile.layer, tile.cell, None)?;
///     }
///     Ok(())
/// }
/// # let mut world = World::new();
/// # world.add_observer(dig);
/// ```
#[derive(SystemParam)]
pub struct HitTilesMut<'w, 's> {
    space: Res<'w, HitSpace>,
    parts: Query<'w, 's, &'static LevelPart>,
    levels: Query<'w, 's, (&'static mut Built, &'static GlobalTransform)>,
}

impl HitTilesMut<'_, '_> {
    /// Returns the tiles as they are now, with those that were set.
    #[must_use]
    pub fn read(&self) -> HitTiles<'_, '_> {
        HitTiles { space: Res::clone(&self.space), parts: self.parts, levels: self.levels.as_readonly() }
    }

    /// Sets the tile in a cell, `[column, row]`, and returns the tile that was there. `level` is the entity with the
    /// [`LevelCollider`](crate::LevelCollider), `layer` the index of a layer in [`Level::layers`].
    ///
    /// [`HitTiles`] tells the new tile at once; the bodies follow in the next fixed step. The asset stays as it is: if
    /// it is loaded again, the tiles are those of the file. Another entity with the same level is not edited.
    ///
    /// If tiles were merged into masks, only the pixels of the old tile and the new one change, and a step with edits
    /// also copies each mask that they touch; a mask grows to hold a tile beside it. Polygons are made anew around the
    /// tile, and so is the body of a single tile: their entities are despawned and others spawned. A part of the level
    /// that you have despawned comes back only if its polygon or tile is made anew.
    ///
    /// A [`HitSnapshot`](crate::HitSnapshot) does not hold the tiles. After it is restored, and before the next step,
    /// set the tiles back that were returned since it was saved, the latest first.
    ///
    /// On an error nothing changes. The error names the layer, the cell and the tile: the layer has no tiles, the tile
    /// is not in its tileset, or its body cannot be made. It names the entity if that has no level whose bodies are
    /// made.
    ///
    /// [`Level::layers`]: hitmask_files::Level::layers
    pub fn set(&mut self, level: Entity, layer: usize, cell: [i32; 2], tile: Option<Tile>) -> Result<Option<Tile>> {
        let Ok((Built::Made(ground), _)) = self.levels.get_mut(level).map(|(built, place)| (built.into_inner(), place))
        else {
            let problem = format!("entity {level} has no level whose bodies are made");
            return Err(Problem::Malformed(problem).into());
        };
        let world = ground.world.get_mut().unwrap_or_else(PoisonError::into_inner);
        let old = ground.terrain.set_tile(Arc::make_mut(&mut ground.level), world, layer, cell, tile)?;
        ground.is_edited = true;
        Ok(old)
    }
}
