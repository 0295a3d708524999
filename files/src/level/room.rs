//! Rooms: the levels of an LDtk project, side by side.

use super::properties::Properties;

/// A level of an LDtk project, or a whole map of Tiled.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Room {
    /// The name of the level; empty for a map.
    pub name: String,
    /// The position in the world, in pixels.
    pub at: [f64; 2],
    /// The size in pixels; 0 for an infinite map.
    pub size: [f64; 2],
    /// The depth in the world: rooms of other depths lie above or below.
    pub depth: i32,
    /// The properties of the map, or the fields of the level.
    pub properties: Properties,
}
