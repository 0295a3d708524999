//! Options: which parts of a level are solid, what they hit, and which bodies they become.

use std::fmt;
use std::sync::Arc;

use crate::filter::Filter;
use crate::level::{Layer, Object, Properties, Tile};

/// The options with which a [`Level`](crate::Level) becomes bodies.
///
/// ```
/// use hitmask_files::Filter;
/// use hitmask_files::terrain::{Merge, Solids, Source};
///
/// // Polygons of the shapes of tiles with the property `solid`. Lava is on layer 2.
/// let solids = Solids::default().source(Source::Shapes).merge(Merge::Polygons).rule(|subject| {
///     let layers = if subject.class == "lava" { 2 } else { 1 };
///     let is_solid = subject.tile.is_some() && subject.properties.bool("solid") == Some(true);
///     is_solid.then(|| Filter { layers, ..Filter::default() })
/// });
/// ```
#[derive(Clone)]
pub struct Solids {
    pub(super) source: Source,
    pub(super) merge: Merge,
    pub(super) hidden: bool,
    pub(super) line_width: f64,
    pub(super) sector: Option<u32>,
    pub(super) rule: Rule,
}

type Rule = Arc<dyn Fn(&Subject<'_>) -> Option<Filter> + Send + Sync>;

/// The part of a tile that is solid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Source {
    /// Its collision shapes, as drawn in Tiled. The values of an IntGrid layer of LDtk are solid squares.
    #[default]
    Shapes,
    /// The pixels whose alpha is at least [`Import::threshold`](crate::Import::threshold). A tile without an image has
    /// its shapes.
    Pixels,
    /// Its whole rectangle.
    Boxes,
}

/// The bodies that tiles become: few for each layer and [`Filter`], or one for each shape of each tile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Merge {
    /// A mask, or several side by side if it would be more than 8192 pixels wide or high. Edits cost the least.
    #[default]
    Masks,
    /// A polygon for each island of tiles that touch: the union of their shapes, without inner edges.
    Polygons,
    /// A body for each shape of each tile, or for each tile if its pixels are solid.
    None,
}

/// A tile or an object, of which a rule decides what it hits.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Subject<'a> {
    /// Its layer.
    pub layer: &'a Layer,
    /// Its class. Of a tile object, that of the object.
    pub class: &'a str,
    /// Its properties. Of a tile object, those of the object.
    pub properties: &'a Properties,
    /// The tile; of a tile object, its tile.
    pub tile: Option<Tile>,
    /// The cell of a tile, `[column, row]`.
    pub cell: Option<[i32; 2]>,
    /// The object.
    pub object: Option<&'a Object>,
}

impl Subject<'_> {
    /// Returns whether it is a tile of a layer of tiles: in a cell or, in LDtk, [off the grid](Object::off_grid).
    #[must_use]
    pub fn is_tile(&self) -> bool {
        self.object.is_none_or(|object| object.off_grid)
    }
}

impl Default for Solids {
    /// By default the collision shapes of all tiles in visible layers are solid, merged into masks. Objects are not.
    fn default() -> Self {
        let rule: Rule = Arc::new(|subject| subject.is_tile().then(Filter::default));
        Self { source: Source::default(), merge: Merge::default(), hidden: false, line_width: 1.0, sector: None, rule }
    }
}

impl Solids {
    /// Sets the part of tiles that is solid. The default is [`Source::Shapes`].
    #[must_use]
    pub fn source(self, source: Source) -> Self {
        Self { source, ..self }
    }

    /// Sets the bodies that tiles become. The default is [`Merge::Masks`].
    #[must_use]
    pub fn merge(self, merge: Merge) -> Self {
        Self { merge, ..self }
    }

    /// Sets whether layers and objects that are not visible are solid too. The default is `false`.
    #[must_use]
    pub fn hidden(self, hidden: bool) -> Self {
        Self { hidden, ..self }
    }

    /// Sets the width in pixels of lines, which have no area of their own. The default is 1.
    ///
    /// With width 0 an object that is a line becomes a [`Shape::chain`](hitmask::Shape::chain) of radius 0, whose parts
    /// are its segments. The lines of tiles are not solid then.
    #[must_use]
    pub fn line_width(self, line_width: f64) -> Self {
        Self { line_width, ..self }
    }

    /// Cuts the polygons of [`Merge::Polygons`] into squares with `cells` cells on each side. An edit then renews only
    /// the square around it. By default an edit renews the whole island.
    #[must_use]
    pub fn sector(self, cells: u32) -> Self {
        Self { sector: Some(cells.max(1)), ..self }
    }

    /// Sets what each tile and object hits: `None` if it is not solid. Tiles of a layer with equal filters share
    /// bodies. Edits ask the rule again, so it must give the same answer each time.
    ///
    /// By default all tiles have the default [`Filter`], and objects are not solid: see [`Subject::is_tile`].
    #[must_use]
    pub fn rule(self, rule: impl Fn(&Subject<'_>) -> Option<Filter> + Send + Sync + 'static) -> Self {
        Self { rule: Arc::new(rule), ..self }
    }
}

impl fmt::Debug for Solids {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { source, merge, hidden, line_width, sector, rule: _ } = self;
        let mut solids = f.debug_struct("Solids");
        solids.field("source", source).field("merge", merge).field("hidden", hidden);
        solids.field("line_width", line_width).field("sector", sector).finish_non_exhaustive()
    }
}
