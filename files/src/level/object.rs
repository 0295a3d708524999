//! Objects of a level, and collision shapes of tiles: what they are and where.

use super::properties::Properties;
use super::tile::Tile;

/// An object of a layer, or a collision shape of a tile. An entity of LDtk is an object too.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Object {
    /// The number, unique in a Tiled map; an entity of LDtk has the number of its place in the file.
    pub id: u32,
    /// The name; of an entity in LDtk its `iid`, by which other entities refer to it.
    pub name: String,
    /// The class; of an entity its identifier.
    pub class: String,
    /// The position in pixels of its layer, or of its tile. It turns about this point.
    pub at: [f64; 2],
    /// The size in pixels, `[width, height]`; 0 for forms that have none.
    pub size: [f64; 2],
    /// The rotation in degrees, clockwise.
    pub rotation: f64,
    /// Whether to show it.
    pub visible: bool,
    /// The form.
    pub form: Form,
    /// The properties; of an entity its fields.
    pub properties: Properties,
    /// True for a tile of an LDtk layer of tiles that lies off the grid of the layer, or has another size than its
    /// cells. Such a tile is solid as those in cells are, but [`Terrain`](crate::terrain::Terrain) treats it as an
    /// object.
    pub off_grid: bool,
}

/// The form of an [`Object`]. Points are in pixels from the object's position, before it is rotated.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Form {
    /// A rectangle of the object's size, with its top-left corner at the object's position.
    Rect,
    /// The ellipse in that rectangle.
    Ellipse,
    /// The capsule in that rectangle.
    Capsule,
    /// A point.
    Point,
    /// A polygon.
    Polygon(Vec<[f64; 2]>),
    /// An open line.
    Polyline(Vec<[f64; 2]>),
    /// A tile, scaled to the object's size.
    Tile(Tile),
    /// A text in a rectangle.
    Text(String),
}

impl Object {
    /// Makes an object without a name and properties, such as a collision shape of a tile.
    #[must_use]
    pub fn new(at: [f64; 2], size: [f64; 2], form: Form) -> Self {
        Self {
            id: 0,
            name: String::new(),
            class: String::new(),
            at,
            size,
            rotation: 0.0,
            visible: true,
            form,
            properties: Properties::default(),
            off_grid: false,
        }
    }
}
