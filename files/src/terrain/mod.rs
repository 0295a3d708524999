//! Terrain: the bodies that a level becomes, the tiles that they are made of, and edits of tiles.
//!
//! ```text
//! tiles   --rule--> those with equal filters   --merge--> bodies     (masks, islands, singles)
//!   |                                              |
//!   +-- stamp: the solid part of a tile in a cell -+
//! objects --rule--> a body for each outline
//! ```

mod edit;
mod find;
mod islands;
mod masks;
mod objects;
mod part;
mod place;
mod singles;
mod solids;
mod stamp;

use std::collections::HashMap;

use hitmask::{Body, BodyId, Linear, Shape, ShapeId, World};

use crate::budget;
use crate::error::{Error, Result, malformed, quoted};
use crate::filter::Filter;
use crate::level::{Cells, Content, Layer, Level, Tile};

use islands::Islands;
use masks::Masks;
use place::Reach;
use singles::Singles;
use stamp::Stamps;

pub use find::TileHit;
pub use solids::{Merge, Solids, Source, Subject};

/// The bodies of a [`Level`] in a [`World`], and the tiles that they are made of.
///
/// It belongs to the world and the level with which it was made: its calls take both, and expect that its bodies and
/// the level's tiles are changed by [`Terrain::set_tile`] only. Bodies may be moved.
pub struct Terrain {
    solids: Solids,
    stamps: Stamps,
    /// The layers by their index in the level.
    layers: Vec<LayerBodies>,
    owners: HashMap<BodyId, Owner>,
    /// The shapes of objects.
    shapes: Vec<ShapeId>,
    /// The masks of tile objects, by tile.
    masks: HashMap<Tile, ShapeId>,
    /// The pixels of these masks.
    mask_pixels: u64,
    /// The work so far to find where shapes cross themselves.
    work: part::Work,
}

/// The bodies of a layer of tiles.
#[derive(Default)]
struct LayerBodies {
    reach: Reach,
    groups: Vec<Group>,
}

/// The bodies of those tiles of a layer that have a filter.
struct Group {
    filter: Filter,
    bodies: Bodies,
}

enum Bodies {
    Masks(Masks),
    Islands(Islands),
    Singles(Singles),
}

/// The part of the level that a body is.
#[derive(Clone, Copy)]
struct Owner {
    layer: usize,
    origin: Origin,
}

#[derive(Clone, Copy)]
enum Origin {
    /// Tiles with a filter, and the pixel of the layer at the body's local origin.
    Tiles { filter: Filter, pixel: [i32; 2] },
    /// An object by its index in the layer.
    Object(usize),
}

/// The world, the layer, and the records of a terrain, while bodies are made.
struct Maker<'a> {
    world: &'a mut World,
    owners: &'a mut HashMap<BodyId, Owner>,
    /// The index of the layer.
    layer: usize,
    /// The position of the layer.
    offset: [f64; 2],
    filter: Filter,
}

impl Level {
    /// Adds the solid tiles and objects of a level to a world. On an error, the world is as it was.
    ///
    /// ```
    /// use hitmask::World;
    /// use hitmask_files::level::{Cells, Content, Tile};
    /// use hitmask_files::terrain::{Solids, Source};
    /// # let map = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="16" tileheight="16">
    /// #   <tileset firstgid="1" tilewidth="16" tileheight="16"><image source="a.png" width="16" height="16"/>
    /// #   </tileset>
    /// #   <layer name="ground" width="2" height="1"><data encoding="csv">1,0</data></layer>
    /// # </map>"#;
    /// # let level = hitmask_files::Import::default().images(false).read_level("a.tmx", |_| Ok(map.into()))?;
    ///
    /// let mut world = World::default();
    /// let terrain = level.add_to(&mut world, &Solids::default().source(Source::Boxes))?;
    /// assert_eq!(terrain.bodies().count(), 1);
    /// # Ok::<(), hitmask_files::Error>(())
    /// ```
    pub fn add_to(&self, world: &mut World, solids: &Solids) -> Result<Terrain> {
        let mut terrain = Terrain {
            solids: solids.clone(),
            stamps: Stamps::default(),
            layers: Vec::new(),
            owners: HashMap::new(),
            shapes: Vec::new(),
            masks: HashMap::new(),
            mask_pixels: 0,
            work: part::Work::default(),
        };
        let added = terrain.add_all(self, world);
        match added {
            Ok(()) => Ok(terrain),
            Err(error) => {
                terrain.remove_from(world)?;
                Err(error)
            }
        }
    }
}

impl Terrain {
    /// Returns the bodies, in no particular order.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> {
        self.owners.keys().copied()
    }

    /// Removes the bodies and their shapes from the world. Shapes that others use are kept.
    pub fn remove_from(self, world: &mut World) -> Result<()> {
        let Self { owners, shapes, layers, .. } = self;
        let mut used = shapes;
        for (body, _) in owners {
            if let Some(removed) = world.body(body) {
                used.push(removed.shape);
                world.remove(body)?;
            }
        }
        used.extend(layers.iter().flat_map(|layer| &layer.groups).flat_map(|group| group.bodies.shapes()));
        used.sort_unstable_by_key(|shape| shape.to_bits());
        used.dedup();
        for shape in used {
            // A body of the caller may have it.
            let _ = world.remove_shape(shape);
        }
        Ok(())
    }

    fn add_all(&mut self, level: &Level, world: &mut World) -> Result<()> {
        for (index, layer) in level.layers.iter().enumerate() {
            self.layers.push(LayerBodies::default());
            if !layer.visible && !self.solids.hidden {
                continue;
            }
            let added = match &layer.content {
                Content::Tiles(cells) => self.add_tiles(level, world, (index, layer, cells)),
                Content::Objects(objects) => self.add_objects(level, world, (index, layer, objects)),
                Content::Image => Ok(()),
            };
            added.map_err(|error| error.at(format!("layer {}", quoted(&layer.name))))?;
        }
        Ok(())
    }

    fn add_tiles(
        &mut self,
        level: &Level,
        world: &mut World,
        (index, layer, cells): (usize, &Layer, &Cells),
    ) -> Result<()> {
        let mut tiles: Vec<(Filter, Vec<place::Placed>)> = Vec::new();
        let mut places = HashMap::new();
        let mut area = 0_u64;
        for (cell, tile) in cells.iter() {
            let Some(filter) = place::filter(level, layer, &self.solids, cell, tile) else { continue };
            let Some(stamp) = self.stamps.of(level, &self.solids, tile, cells.size, &mut self.work)? else { continue };
            place::origin(cell, cells.size)?;
            self.layers[index].reach.add(&stamp);
            area += size_of(&stamp);
            level.budget.stamped(area)?;
            let place = *places.entry(filter).or_insert_with(|| {
                tiles.push((filter, Vec::new()));
                tiles.len() - 1
            });
            tiles[place].1.push((cell, stamp));
        }
        for (filter, tiles) in tiles {
            let bodies = self.make(level, world, (index, layer, cells), filter, tiles)?;
            self.layers[index].groups.push(Group { filter, bodies });
        }
        Ok(())
    }

    /// Makes the bodies of tiles with a filter.
    fn make(
        &mut self,
        level: &Level,
        world: &mut World,
        (index, layer, cells): (usize, &Layer, &Cells),
        filter: Filter,
        tiles: Vec<place::Placed>,
    ) -> Result<Bodies> {
        let mut maker = Maker { world, owners: &mut self.owners, layer: index, offset: layer.offset, filter };
        Ok(match self.solids.merge {
            Merge::Masks => Bodies::Masks(Masks::new(&mut maker, &tiles, cells.size, level.budget)?),
            Merge::Polygons => {
                let mut islands = Islands::default();
                let made = islands::make(&mut maker, tiles, cells.size, &self.layers[index].reach, self.solids.sector)?;
                islands.insert(made);
                Bodies::Islands(islands)
            }
            Merge::None => {
                let mut singles = Singles::default();
                let made = singles.make(&mut maker, tiles, cells)?;
                singles.insert(made);
                Bodies::Singles(singles)
            }
        })
    }
}

impl Bodies {
    /// Returns the shapes that are kept without a body.
    fn shapes(&self) -> Vec<ShapeId> {
        match self {
            Self::Singles(singles) => singles.shapes().collect(),
            Self::Masks(_) | Self::Islands(_) => Vec::new(),
        }
    }
}

impl Maker<'_> {
    /// Adds a shape and a body of it. The shape's origin lies at a pixel of the layer.
    fn add(&mut self, shape: Shape, pixel: [i32; 2]) -> Result<(BodyId, ShapeId)> {
        let shape = self.world.add_shape(shape)?;
        let body = self.body(shape, pixel);
        match self.world.add(&body) {
            Ok(id) => {
                self.own(id, pixel);
                Ok((id, shape))
            }
            Err(error) => {
                self.world.remove_shape(shape)?;
                Err(error.into())
            }
        }
    }

    fn body(&self, shape: ShapeId, pixel: [i32; 2]) -> Body {
        let at = [0, 1].map(|axis| self.offset[axis] + f64::from(pixel[axis]));
        self.filter.body(shape, at.into())
    }

    fn own(&mut self, id: BodyId, pixel: [i32; 2]) {
        let origin = Origin::Tiles { filter: self.filter, pixel };
        self.owners.insert(id, Owner { layer: self.layer, origin });
    }

    /// Returns an error if a body of the terrain is no longer in the world.
    fn check(&self, body: BodyId) -> Result<()> {
        match self.world.body(body) {
            Some(_) => Ok(()),
            None => Err(malformed("a body of the terrain is no longer in the world")),
        }
    }

    /// Sets a body to another one in all but its shape, moved by `shift` pixels along the other's axes.
    fn pose_as(&mut self, body: BodyId, other: BodyId, shift: [f64; 2]) -> Result<()> {
        let Some((body_now, other)) = self.world.body(body).zip(self.world.body(other)) else { return Ok(()) };
        let Linear { x, y } = other.linear;
        let [dx, dy] = [x, y].map(|row| row[0] * shift[0] + row[1] * shift[1]);
        let at = [other.at.x + dx, other.at.y + dy].into();
        Ok(self.world.set(body, &Body { shape: body_now.shape, at, ..other })?)
    }

    /// Gives a body all properties of another one, and removes that one.
    fn replace(&mut self, body: BodyId, other: BodyId) -> Result<()> {
        let new = self.world.remove(other)?;
        let owner = self.owners.remove(&other);
        self.owners.extend(owner.map(|owner| (body, owner)));
        Ok(self.world.set(body, &new)?)
    }

    /// Removes a body and its shape.
    fn remove(&mut self, body: BodyId, shape: ShapeId) -> Result<()> {
        self.owners.remove(&body);
        self.world.remove(body)?;
        self.world.remove_shape(shape).map(drop).map_err(Error::from)
    }
}

/// Returns the work of a stamp: its pixels, or the points of its polygons.
fn size_of(stamp: &stamp::Stamp) -> u64 {
    match &stamp.mask {
        // A mask is drawn a word at a time.
        Some((mask, _)) => u64::from(mask.stride()) * u64::from(mask.height()),
        None => stamp.parts.iter().map(|part| part.points() as u64).sum(),
    }
}

/// Checks the cells that are searched for neighbours.
fn search(count: u64) -> Result<()> {
    budget::at_most("cells near the tiles of a layer", 1 << 28, count)
}
