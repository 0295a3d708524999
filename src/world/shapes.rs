//! The shapes of a world: what they hold that is gone is used again.

use std::ops::Range;

use super::World;
use super::body::{ShapeId, body_at};
use super::mask::Mask;
use super::packed;
use super::pose;
use super::shape::Shape;
use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};

/// Changes of words that are kept; whoever has missed more reads all words anew.
pub(super) const WORD_CHANGES: usize = 1 << 10;

const ADVICE: &str = "share masks between bodies, or cut them from fewer or smaller sheets";
/// What a world keeps of its shapes.
const SHAPES: Need = Need { what: "the list of the world's shapes", advice: ADVICE, beside: 0 };
/// The bodies of a shape, as they are posed before any of them changes.
const USERS: Need = Need {
    what: "the list of the bodies that have the shape",
    advice: "give some of them a shape of their own",
    beside: 0,
};

impl World {
    /// Adds a shape, for any number of bodies; an [`Error::Capacity`] where there is no room for it.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// assert!(world.shape(ball).is_some());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn add_shape(&mut self, shape: Shape) -> Result<ShapeId> {
        self.make_room(1, shape.packed_len())?;
        let index = self.shape_handles.next();
        let serial = self.shape_handles.take();
        if index == self.shapes.len() {
            self.shapes.push(None);
            self.solid.push(None);
            self.uses.push(0);
            self.packed.shapes.push(packed::Shape::default());
            self.packed.blocks.push(None);
        }
        self.put_shape(index, shape);
        Ok(ShapeId { index: index as u32, serial })
    }

    /// Adds shapes, as the frames of an animation; all or, on an error, none.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// let ids = world.add_shapes([Shape::circle(1.0)?, Shape::circle(2.0)?])?;
    /// assert_eq!(world.shape(ids[1]), Some(&Shape::circle(2.0)?));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn add_shapes(&mut self, shapes: impl IntoIterator<Item = Shape>) -> Result<Vec<ShapeId>> {
        let shapes: Vec<Shape> = shapes.into_iter().collect();
        self.make_room(shapes.len(), shapes.iter().map(Shape::packed_len).sum())?;
        shapes.into_iter().map(|shape| self.add_shape(shape)).collect()
    }

    /// Replaces a shape, for all bodies that have it: for these all or, on an error of one of them, nothing.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// world.replace_shape(ball, Shape::circle(5.0)?)?;
    /// assert_eq!(world.bounds(id).unwrap().max.units(), [5.0, 5.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn replace_shape(&mut self, id: ShapeId, shape: Shape) -> Result<()> {
        let index = self.index_of_shape(id)?;
        self.make_room(0, shape.packed_len())?;
        // Bodies are posed before anything changes.
        let local = shape.local();
        let solid = shape.mask().and_then(Mask::bounds);
        let model = pose::Model { shape: &shape, vertices: &local, solid };
        let posed = self.pose_users(index, &model)?;
        self.free_words(index);
        self.put_shape(index, shape);
        for (body, posed) in posed {
            self.put_posed(body, &posed);
            // Also where its pose is the same: it may have more vertices.
            self.changed_forms.note(body as u32, self.packed.len());
        }
        Ok(())
    }

    /// Takes a shape out of the world; it is given back. An [`Error::Used`] tells how many bodies have it, if any do.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// assert!(world.remove_shape(ball).unwrap_err().to_string().contains("used by 1 bodies"));
    /// world.remove(id)?;
    /// assert_eq!(world.remove_shape(ball)?, Shape::circle(1.0)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn remove_shape(&mut self, id: ShapeId) -> Result<Shape> {
        let index = self.index_of_shape(id)?;
        if self.uses[index] > 0 {
            return Err(Error::Used { what: format!("shape {index}"), bodies: self.uses[index] });
        }
        self.free_words(index);
        self.shape_handles.give_back(index);
        self.packed.shapes[index] = packed::Shape::default();
        self.packed.blocks[index] = None;
        self.solid[index] = None;
        self.changed_shapes.note(index as u32, self.shapes.len());
        self.shapes[index].take().ok_or_else(|| Error::Gone { what: format!("shape {index}") })
    }

    /// The index of a shape that is there.
    pub(super) fn index_of_shape(&self, id: ShapeId) -> Result<usize> {
        let there = self.shape_handles.lives(id.index, id.serial);
        if there { Ok(id.index as usize) } else { Err(Error::Gone { what: format!("shape {}", id.index) }) }
    }

    /// The bodies that have a shape, posed as of a model of it.
    pub(super) fn pose_users(&self, index: usize, model: &pose::Model<'_>) -> Result<Vec<(usize, packed::Body)>> {
        let mut posed = Vec::new();
        Room::default().reserve(&mut posed, self.uses[index] as usize, USERS)?;
        for body in self.users(index) {
            let id = self.id(body as u32).and_then(|id| self.body(id));
            let Some(whole) = id else { return Err(Error::Gone { what: body_at(body) }) };
            posed.push((body, pose::pose(&whole, model).map_err(|error| error.of(body_at(body)))?));
        }
        Ok(posed)
    }

    /// The indices of the bodies that have a shape.
    fn users(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let living = self.body_handles.iter().map(|(body, _)| body as usize);
        let uses = living.filter(move |&body| self.packed.poses[body].shape as usize == index);
        // Few bodies mostly have a shape that changes.
        uses.take(self.uses[index] as usize)
    }

    /// Notes that all bodies that have a shape have changed.
    pub(super) fn note_users(&mut self, index: usize) {
        let Self { body_handles, packed, uses, changed_bodies, .. } = self;
        let living = body_handles.iter().map(|(body, _)| body);
        let users = living.filter(|&body| packed.poses[body as usize].shape as usize == index);
        users.take(uses[index] as usize).for_each(|body| changed_bodies.note(body, packed.len()));
    }

    /// Makes room for so many more shapes, and for so many more words of theirs.
    fn make_room(&mut self, shapes: usize, words: usize) -> Result<()> {
        let needed = 2 * self.packed.atlas.len_with(words) as u64;
        if needed > u64::from(u32::MAX) {
            return Err(Error::Capacity {
                what: "the shapes".into(),
                needed: 4 * needed,
                limit: "the index of a word",
                available: 4 * u64::from(u32::MAX),
                advice: ADVICE,
            });
        }
        let room = Room::default();
        self.packed.atlas.reserve(words, &room, SHAPES)?;
        let count = self.shapes.len() + shapes;
        if count <= self.uses.capacity() {
            return Ok(());
        }
        let count = count.max(2 * self.shapes.len());
        room.grow_to(&mut self.shapes, count, SHAPES)?;
        room.grow_to(&mut self.solid, count, SHAPES)?;
        room.grow_to(&mut self.packed.shapes, count, SHAPES)?;
        room.grow_to(&mut self.packed.blocks, count, SHAPES)?;
        self.changed_shapes.reserve(count, &room, SHAPES)?;
        self.shape_handles.reserve(count, &room, SHAPES)?;
        // The last, as its room tells that of all.
        room.grow_to(&mut self.uses, count, SHAPES)
    }

    /// Puts a shape at an index whose words are free.
    fn put_shape(&mut self, index: usize, shape: Shape) {
        let words = shape.packed_words();
        let first = self.packed.atlas.insert(&words);
        self.packed.shapes[index] = shape.packed_at(first);
        self.packed.blocks[index] = shape.mask().and_then(Mask::blocks).cloned();
        self.solid[index] = shape.mask().and_then(Mask::bounds);
        self.shapes[index] = Some(shape);
        self.changed_shapes.note(index as u32, self.shapes.len());
        self.changed_words.note(first..first + words.len(), WORD_CHANGES);
    }

    /// Frees the words of a shape.
    fn free_words(&mut self, index: usize) {
        if let Some(shape) = &self.shapes[index] {
            let first = self.packed.shapes[index].first as usize / 2;
            let words: Range<usize> = first..first + shape.packed_len();
            self.packed.atlas.remove(words);
        }
    }
}
