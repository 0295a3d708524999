//! Adding, replacing and removing shapes. The words of removed shapes are used again.

use std::ops::Range;

use super::World;
use super::bodies::shape_gone;
use super::body::{ShapeId, body_at};
use super::packed;
use super::pose;
use super::shape::Shape;
use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};
use crate::mask::Mask;

/// Maximum number of word changes that the log keeps; a reader that missed more reads all words anew.
pub(super) const WORD_CHANGES: usize = 1 << 10;

const ADVICE: &str = "share masks between bodies, or cut them from fewer or smaller sheets";
/// The memory of the world's shapes, as errors name it.
const SHAPES: Need = Need { what: "the list of the world's shapes", advice: ADVICE, beside: 0 };
/// The memory of a shape's bodies, which are posed before any of them changes.
const USERS: Need = Need {
    what: "the list of the bodies with this shape",
    advice: "give some of them a shape of their own",
    beside: 0,
};

impl World {
    /// Adds a shape, which any number of bodies can use. Returns [`Error::Capacity`] if there is no room for it.
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
        let digest = shape.digest();
        let serial = self.shape_handles.take([digest]);
        self.push_shapes(index + 1);
        self.put_shape(index, shape, digest);
        Ok(ShapeId { index: index as u32, serial })
    }

    /// Adds several shapes, such as the frames of an animation. On an error none is added.
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

    /// Replaces a shape for all bodies that use it. If this is an error for any of them, nothing changes.
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
        let digest = shape.digest();
        self.put_shape(index, shape, digest);
        for (body, posed) in posed {
            self.put_posed(body, &posed);
            // Noted even if the pose is the same, because the shape may have more vertices.
            self.changed_forms.note(body as u32, self.packed.len());
        }
        Ok(())
    }

    /// Removes a shape from the world and returns it. If bodies still use it, returns [`Error::Used`] with their
    /// number.
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
        self.shape_digests[index] = 0;
        self.shapes_version.renew();
        self.changed_shapes.note(index as u32, self.shapes.len());
        self.shapes[index].take().ok_or_else(|| shape_gone(index))
    }

    /// Returns the index of a shape; an error if it is gone.
    pub(super) fn index_of_shape(&self, id: ShapeId) -> Result<usize> {
        let there = self.shape_handles.lives(id.index, id.serial);
        if there { Ok(id.index as usize) } else { Err(shape_gone(id.index as usize)) }
    }

    /// Poses the bodies that use a shape, from a model of it. Returns them without storing them.
    pub(super) fn pose_users(&self, index: usize, model: &pose::Model<'_>) -> Result<Vec<(usize, packed::Body)>> {
        let mut posed = Vec::new();
        Room::default().reserve(&mut posed, self.uses[index] as usize, USERS)?;
        for body in self.users(index) {
            let id = self.id(body as u32).and_then(|id| self.body(id));
            let Some(whole) = id else { return Err(Error::Gone { what: body_at(body) }) };
            posed.push((body, pose::pose(&whole, model).map_err(|error| self.blame(body, error))?));
        }
        Ok(posed)
    }

    /// Returns the indices of the bodies that use a shape.
    pub(super) fn users(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let living = self.body_handles.iter().map(|(body, _)| body as usize);
        let uses = living.filter(move |&body| self.packed.poses[body].shape as usize == index);
        // Ends at the last user: a shape that changes mostly has few.
        uses.take(self.uses[index] as usize)
    }

    /// Notes all bodies that use a shape as changed.
    pub(super) fn note_users(&mut self, index: usize) {
        let Self { body_handles, packed, uses, changed_bodies, .. } = self;
        let living = body_handles.iter().map(|(body, _)| body);
        let users = living.filter(|&body| packed.poses[body as usize].shape as usize == index);
        users.take(uses[index] as usize).for_each(|body| changed_bodies.note(body, packed.len()));
    }

    /// Makes room for this many more shapes, and for this many more words in the atlas.
    pub(super) fn make_room(&mut self, shapes: usize, words: usize) -> Result<()> {
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
        room.grow_to(&mut self.shape_digests, count, SHAPES)?;
        room.grow_to(&mut self.packed.shapes, count, SHAPES)?;
        room.grow_to(&mut self.packed.blocks, count, SHAPES)?;
        self.changed_shapes.reserve(count, &room, SHAPES)?;
        self.shape_handles.reserve(count, &room, SHAPES)?;
        // Grown last, because its capacity stands for that of all.
        room.grow_to(&mut self.uses, count, SHAPES)
    }

    /// Stores a shape that was loaded at an index above all others, or leaves that index free.
    pub(super) fn put_loaded(&mut self, index: usize, shape: Option<Shape>) -> Result<()> {
        self.make_room(1, shape.as_ref().map_or(0, Shape::packed_len))?;
        self.push_shapes(index + 1);
        if let Some(shape) = shape {
            let digest = shape.digest();
            self.put_shape(index, shape, digest);
        }
        Ok(())
    }

    /// Appends free indices until there are this many.
    fn push_shapes(&mut self, indices: usize) {
        let indices = indices.max(self.shapes.len());
        self.shapes.resize(indices, None);
        self.solid.resize(indices, None);
        self.shape_digests.resize(indices, 0);
        self.uses.resize(indices, 0);
        self.packed.shapes.resize(indices, packed::Shape::default());
        self.packed.blocks.resize(indices, None);
    }

    /// Stores a shape with this digest at an index that holds no words.
    fn put_shape(&mut self, index: usize, shape: Shape, digest: u64) {
        let words = shape.packed_words();
        let first = self.packed.atlas.insert(&words);
        self.packed.shapes[index] = shape.packed_at(first);
        self.packed.blocks[index] = shape.mask().and_then(Mask::blocks).cloned();
        self.solid[index] = shape.mask().and_then(Mask::bounds);
        self.shapes[index] = Some(shape);
        self.shape_digests[index] = digest;
        self.shapes_version.renew();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_for_shapes_doubles() {
        let mut world = World::default();
        let mut rooms = Vec::new();
        for _ in 0..1000 {
            world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
            rooms.push(world.uses.capacity());
        }
        rooms.dedup();
        assert!(rooms.len() < 20 && rooms.last() >= Some(&1000), "{rooms:?}");
    }
}
