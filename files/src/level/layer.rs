//! The layers of a level.

use std::sync::Arc;

use super::cells::Cells;
use super::object::Object;
use super::properties::Properties;

/// A layer of a [`Level`](crate::Level).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Layer {
    /// The name.
    pub name: String,
    /// The class in Tiled; the type in LDtk: "IntGrid", "AutoLayer", "Tiles" or "Entities".
    pub class: String,
    /// The groups that it is in, the outermost first.
    pub groups: Vec<Arc<Group>>,
    /// The index of its room in [`Level::rooms`](crate::Level::rooms).
    pub room: usize,
    /// Whether to show it: it and its groups are visible.
    pub visible: bool,
    /// The opacity, 0 to 1, with that of its groups.
    pub opacity: f64,
    /// The position of its origin in the level, in pixels, with the offsets of its groups and of its room.
    pub offset: [f64; 2],
    /// The properties.
    pub properties: Properties,
    /// The tiles or objects.
    pub content: Content,
}

/// A group of layers, in Tiled.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Group {
    /// The name.
    pub name: String,
    /// The class.
    pub class: String,
    /// The properties.
    pub properties: Properties,
}

/// The content of a [`Layer`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Content {
    /// Tiles in cells.
    Tiles(Cells),
    /// Objects, in the order of the file.
    Objects(Vec<Object>),
    /// An image, which is not read.
    Image,
}

impl Layer {
    /// Returns the cells of a layer of tiles.
    #[must_use]
    pub fn cells(&self) -> Option<&Cells> {
        match &self.content {
            Content::Tiles(cells) => Some(cells),
            _ => None,
        }
    }

    /// Returns the objects of the layer; none for layers of other kinds.
    #[must_use]
    pub fn objects(&self) -> &[Object] {
        match &self.content {
            Content::Objects(objects) => objects,
            _ => &[],
        }
    }

    /// Returns the first object of a name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<&Object> {
        self.objects().iter().find(|object| object.name == name)
    }
}
