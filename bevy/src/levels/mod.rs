//! Levels of Tiled and LDtk: files as assets, the bodies of their tiles, and the tile of a hit.
//!
//! ```text
//!   asset.rs   a file and those that it names      ─> HitLevel
//!   bodies.rs  LevelCollider, its HitLevel, or a   ─> a child entity with a Collider for each body of the level
//!              change of either
//!   tiles.rs   a hit with such a child             ─> the tiles, with their classes and properties
//!   edits.rs   a tile that is set                  ─> the level of that entity; its children follow in the next step
//! ```

mod asset;
mod bodies;
mod edits;
mod tiles;

use bevy_app::{App, FixedPostUpdate, Plugin};
use bevy_asset::AssetApp;
use bevy_ecs::prelude::*;

pub use asset::HitLevel;
pub use bodies::{LevelCollider, LevelPart};
pub use edits::HitTilesMut;
pub use tiles::{HitTiles, LevelTile};

use crate::plugin::HitmaskSystems;

/// Loads `.tmx`, `.tmj` and `.ldtk` files as [`HitLevel`]s, and makes the bodies of [`LevelCollider`]s. Add Bevy's
/// `AssetPlugin` and [`HitmaskPlugin`](crate::HitmaskPlugin) first.
#[derive(Clone, Copy, Debug, Default)]
pub struct HitmaskLevelsPlugin;

impl Plugin for HitmaskLevelsPlugin {
    fn build(&self, app: &mut App) {
        app.init_asset::<HitLevel>()
            .register_asset_loader(asset::LevelLoader)
            .register_type::<LevelCollider>()
            .register_type::<LevelPart>()
            .add_systems(FixedPostUpdate, bodies::build.before(HitmaskSystems::Propagate));
    }
}
