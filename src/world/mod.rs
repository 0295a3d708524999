//! The world: shapes, and the bodies that have them. What enters is checked and snapped here, once.

pub(crate) mod body;
pub(crate) mod changes;
pub(crate) mod mask;
mod pack;
pub(crate) mod packed;
mod polygon;
pub(crate) mod pose;
pub(crate) mod read;
pub(crate) mod shape;

use crate::bits::look::Look;
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::linear::Linear;
use crate::ground::memory::{Need, Room};
use crate::ground::touch::Touch;
use body::{Body, BodyId, ShapeId};
use changes::Changes;
use mask::Mask;
use packed::{Kind, Packed};
use pose::Model;
use pose::land::bound;
use shape::Shape;

/// What a world keeps of its bodies.
pub(crate) const BODIES: Need =
    Need { what: "the list of the world's bodies", advice: "make several worlds of them", beside: 0 };
/// What it keeps of its shapes.
const SHAPES: Need = Need {
    what: "the list of the world's shapes",
    advice: "share masks between bodies, or make several worlds",
    beside: 0,
};

/// Shapes and bodies, checked and snapped to the lattice.
#[derive(Clone, Debug, Default)]
pub struct World {
    touch: Touch,
    shapes: Vec<Shape>,
    /// The tight box `[x, y, w, h]` of the solid texels of each shape that is a sprite with any.
    solid: Vec<Option<[u32; 4]>>,
    packed: Packed,
    /// The linear part of each body as it entered.
    linears: Vec<Linear>,
    changes: Changes,
}

impl World {
    /// A world without bodies.
    #[must_use]
    pub fn new(touch: Touch) -> Self {
        Self { touch, ..Self::default() }
    }

    /// Whether touching counts.
    #[must_use]
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// The number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.bodies.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.bodies.is_empty()
    }

    /// The flat arrays that engines read.
    pub(crate) fn packed(&self) -> &Packed {
        &self.packed
    }

    /// Adds a shape, for any number of bodies.
    pub fn add_shape(&mut self, shape: Shape) -> Result<ShapeId> {
        let first = 2 * self.packed.words.len() as u64;
        let needed = first + shape.words();
        if needed > u64::from(u32::MAX) {
            return Err(Error::Capacity {
                what: "the shapes".into(),
                needed: 4 * needed,
                limit: "the index of a word",
                available: 4 * u64::from(u32::MAX),
                advice: "share masks between bodies, or cut them from fewer or smaller sheets",
            });
        }
        let room = Room::default();
        room.reserve(&mut self.packed.words, shape.words() as usize / 2, SHAPES)?;
        room.reserve(&mut self.packed.shapes, 1, SHAPES)?;
        room.reserve(&mut self.packed.blocks, 1, SHAPES)?;
        room.reserve(&mut self.solid, 1, SHAPES)?;
        room.reserve(&mut self.shapes, 1, SHAPES)?;
        self.solid.push(shape.mask().and_then(Mask::bounds));
        self.packed.blocks.push(shape.mask().and_then(Mask::blocks).cloned());
        self.packed.shapes.push(shape.pack(&mut self.packed.words));
        self.shapes.push(shape);
        Ok(ShapeId(self.shapes.len() as u32 - 1))
    }

    /// Adds a body; its index is the number of those before it. An [`Error::Capacity`] where there is not the memory
    /// for it.
    pub fn add(&mut self, body: &Body) -> Result<BodyId> {
        let index = self.len();
        // One index is kept free to stand for "no body".
        if index >= u32::MAX as usize {
            return Err(Error::value("bodies", index, format!("stay below {}", u32::MAX)));
        }
        let posed = self.pose(body).map_err(|error| error.of(format!("body {index}")))?;
        if index >= self.packed.bodies.capacity() {
            self.grow()?;
        }
        self.packed.bodies.push(posed);
        self.packed.bounds.push(Aabb::NOWHERE);
        self.packed.kinds.push(Kind::Other);
        self.packed.looks.push(Look::default());
        self.linears.push(body.linear);
        self.place(index);
        Ok(BodyId(index as u32))
    }

    /// Replaces a body, all of it or, on an error, nothing.
    pub fn set(&mut self, id: BodyId, body: &Body) -> Result<()> {
        let index = id.0 as usize;
        if index >= self.len() {
            return Err(Error::Unknown { what: format!("body {index}") });
        }
        let posed = self.pose(body).map_err(|error| error.of(format!("body {index}")))?;
        self.packed.bodies[index] = posed;
        self.linears[index] = body.linear;
        self.place(index);
        Ok(())
    }

    /// Makes room for more bodies, in all that has a place for each.
    #[cold]
    fn grow(&mut self) -> Result<()> {
        let (room, least) = (Room::default(), self.len() + 1);
        self.reserve(2 * least, &room).or_else(|_| self.reserve(least + least / 8, &room))
    }

    fn reserve(&mut self, count: usize, room: &Room) -> Result<()> {
        let Packed { bodies, bounds, kinds, looks, .. } = &mut self.packed;
        room.grow_to(bounds, count, BODIES)?;
        room.grow_to(kinds, count, BODIES)?;
        room.grow_to(looks, count, BODIES)?;
        room.grow_to(&mut self.linears, count, BODIES)?;
        self.changes.reserve(count, room)?;
        // The last, as its room tells that of all.
        room.grow_to(bodies, count, BODIES)
    }

    /// Which bodies were added or set, and when.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Brings all that follows from a body's pose up to date.
    fn place(&mut self, index: usize) {
        let Packed { bodies, shapes, bounds, kinds, looks, moving, varied, masked, filtered, .. } = &mut self.packed;
        let (body, default) = (&bodies[index], (1, u32::MAX));
        let shape = &shapes[body.shape as usize];
        bounds[index] = bound(body, shape);
        kinds[index] = body.kind(shape.corners);
        *moving |= body.moves();
        looks[index] = body.look(shape);
        *masked |= looks[index] != Look::default();
        *varied |= kinds[index] != Kind::Box;
        *filtered |= (body.layer, body.hits) != default;
        self.changes.note(index as u32, bodies.len());
    }

    /// Snaps and checks a body.
    fn pose(&self, body: &Body) -> Result<packed::Body> {
        let index = body.shape.0;
        let (Some(shape), Some(packed)) = (self.shapes.get(index as usize), self.packed.shapes.get(index as usize))
        else {
            return Err(Error::Unknown { what: format!("shape {index}") });
        };
        let model = Model { shape, packed, vertices: self.packed.vertices(packed), solid: self.solid[index as usize] };
        pose::pose(body, index, &model)
    }
}
