#![doc = include_str!("../README.md")]

mod components;
mod events;
#[cfg(feature = "gizmos")]
mod gizmos;
#[cfg(feature = "levels")]
mod levels;
mod masks;
#[cfg(feature = "picking")]
mod picking;
mod plugin;
mod problem;
mod query;
mod rollback;
#[cfg(feature = "sheets")]
mod sheets;
mod space;
mod systems;
mod units;

pub use components::body::HitBody;
pub use components::character::Character;
pub use components::collider::Collider;
pub use components::hitmask::{Hitmask, HitmaskDisabled};
pub use components::layers::{LayerMask, Layers};
pub use events::{CollidingEntities, HitContact, HitEnd, HitStart};
#[cfg(feature = "gizmos")]
pub use gizmos::{HitmaskGizmos, HitmaskGizmosPlugin};
pub use hitmask;
pub use hitmask::Touch;
#[cfg(any(feature = "levels", feature = "sheets"))]
pub use hitmask_files;
#[cfg(feature = "levels")]
pub use levels::{HitLevel, HitTiles, HitTilesMut, HitmaskLevelsPlugin, LevelCollider, LevelPart, LevelTile};
#[cfg(feature = "picking")]
pub use picking::HitmaskPickingPlugin;
pub use plugin::{HitmaskPlugin, HitmaskSystems};
pub use problem::{HitmaskProblem, Problem};
pub use query::{Cast, CastHit, HitFilter, HitQuery, NearestHit, RayHit};
pub use rollback::HitSnapshot;
#[cfg(feature = "sheets")]
pub use sheets::{HitSheet, HitmaskSheetsPlugin};
pub use space::{Counts, HitSpace};

/// The items that most games import: `use bevy_hitmask::prelude::*`.
pub mod prelude {
    #[cfg(feature = "picking")]
    pub use crate::HitmaskPickingPlugin;
    pub use crate::{
        Character, Collider, CollidingEntities, HitBody, HitEnd, HitFilter, HitQuery, HitSnapshot, HitStart, Hitmask,
        HitmaskDisabled, HitmaskPlugin, HitmaskProblem, HitmaskSystems, LayerMask, Layers, Touch,
    };
    #[cfg(feature = "levels")]
    pub use crate::{HitLevel, HitTiles, HitTilesMut, HitmaskLevelsPlugin, LevelCollider};
    #[cfg(feature = "sheets")]
    pub use crate::{HitSheet, HitmaskSheetsPlugin};
    #[cfg(feature = "gizmos")]
    pub use crate::{HitmaskGizmos, HitmaskGizmosPlugin};
}
