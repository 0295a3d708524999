//! The shapes of a world: what they hold that is gone is used again.

use std::ops::Range;
use std::sync::Arc;

use super::World;
use super::body::ShapeId;
use super::mask::Mask;
use super::packed::{self, Packed};
use super::pose;
use super::shape::{Geometry, Shape};
use crate::ground::error::{Error, Result};

/// Changes of words that are kept; whoever has missed more reads all words anew.
const WORD_CHANGES: usize = 1 << 10;

impl World {
    /// Adds a shape, for any number of bodies.
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
        self.check_room(shape.packed_len())?;
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
        self.check_room(shapes.iter().map(Shape::packed_len).sum())?;
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
        self.check_room(shape.packed_len())?;
        // Bodies are posed before anything changes.
        let local = shape.local();
        let solid = shape.mask().and_then(Mask::bounds);
        let model = pose::Model { shape: &shape, vertices: &local, solid };
        let posed = self.pose_users(index, &model)?;
        self.free_words(index);
        self.put_shape(index, shape);
        for (body, posed) in posed {
            self.put_posed(body, &posed);
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

    /// Edits the mask of a sprite, for all bodies that have it: only what changed is copied, and uploaded. Its size stays as it is.
    ///
    /// `edit` does so by any of the mask's functions, and gives the box `[x, y, width, height]` of the texels that may have changed, which those that
    /// change more than one give back; nothing where none did. What lies outside of the box must stay as it was.
    ///
    /// An [`Error::Value`] where the shape is no sprite, and where a body that has it would leave the world: the mask is then as it was.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let cave = world.add_shape(Shape::sprite(Mask::from_rows(&["####", "####"])?))?;
    /// world.add(&Body::new(cave, [0, 0]))?;
    /// let dot = world.add_shape(Shape::sprite(Mask::from_rows(&["#"])?))?;
    /// world.add(&Body::new(dot, [1, 1]))?;
    /// let blast = Mask::from_rows(&["##", "##"])?;
    /// world.edit_mask(cave, |mask| mask.erase(&blast, [1, 0]))?;
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn edit_mask(&mut self, id: ShapeId, edit: impl FnOnce(&mut Mask) -> Option<[u32; 4]>) -> Result<()> {
        let index = self.index_of_shape(id)?;
        let Some(Shape { geometry: Geometry::Sprite(mask), .. }) = &mut self.shapes[index] else {
            return Err(Error::value("shape", index, "be a sprite, which alone has a mask"));
        };
        let mask = Arc::make_mut(mask);
        let size = [mask.width(), mask.height()];
        let Some(changed) = edit(mask) else { return Ok(()) };
        let now = [mask.width(), mask.height()];
        if now != size {
            self.restore_mask(index);
            return Err(Error::value("mask", format!("{} x {}", now[0], now[1]), "keep its size while it is edited"));
        }
        let solid = bounds_after(mask, self.solid[index], changed);
        if solid != self.solid[index] {
            self.pose_after_edit(index, solid)?;
        }
        self.copy_rows(index, changed);
        self.note_users(index);
        Ok(())
    }

    /// Poses the bodies of a sprite whose solid texels have other bounds; where one cannot be, the mask is as the words say.
    fn pose_after_edit(&mut self, index: usize, solid: Option<[u32; 4]>) -> Result<()> {
        let before = std::mem::replace(&mut self.solid[index], solid);
        let posed = {
            let Some(shape) = &self.shapes[index] else { return Ok(()) };
            self.pose_users(index, &pose::Model { shape, vertices: &[], solid })
        };
        match posed {
            Ok(posed) => {
                for (body, posed) in posed {
                    self.put_posed(body, &posed);
                }
                Ok(())
            }
            Err(error) => {
                self.solid[index] = before;
                self.restore_mask(index);
                Err(error)
            }
        }
    }

    /// Makes the mask of a sprite what its words in the atlas say.
    fn restore_mask(&mut self, index: usize) {
        let Packed { shapes, atlas, .. } = &self.packed;
        let shape = &shapes[index];
        let size = [shape.size.x as u32, shape.size.y as u32];
        let words = atlas.words()[shape.first as usize / 2..][..(shape.stride / 2 * size[1]) as usize].to_vec();
        if let Some(Shape { geometry: Geometry::Sprite(mask), .. }) = &mut self.shapes[index] {
            *mask = Arc::new(Mask::of_words(size, words));
        }
    }

    /// Copies the rows of a mask that hold a box of its texels to the atlas.
    fn copy_rows(&mut self, index: usize, [x, y, width, height]: [u32; 4]) {
        let Some(mask) = self.shapes[index].as_ref().and_then(Shape::mask) else { return };
        let (stride, first) = (mask.stride() as usize, self.packed.shapes[index].first as usize / 2);
        let rows = y as usize..(y + height).min(mask.height()) as usize;
        let columns = x as usize / 64..((x + width).min(mask.width()) as usize).div_ceil(64);
        if rows.is_empty() || columns.is_empty() {
            return;
        }
        for row in rows.clone() {
            let words = row * stride + columns.start..row * stride + columns.end;
            let to = first + words.start..first + words.end;
            self.packed.atlas.words_mut(to).copy_from_slice(&mask.words()[words]);
        }
        self.packed.blocks[index] = mask.blocks().cloned();
        let changed = first + rows.start * stride + columns.start..first + (rows.end - 1) * stride + columns.end;
        self.changed_words.note(changed, WORD_CHANGES);
    }

    /// The index of a shape that is there.
    pub(super) fn index_of_shape(&self, id: ShapeId) -> Result<usize> {
        let there = self.shape_handles.lives(id.index, id.serial);
        if there { Ok(id.index as usize) } else { Err(Error::Gone { what: format!("shape {}", id.index) }) }
    }

    /// The bodies that have a shape, posed as of a model of it.
    fn pose_users(&self, index: usize, model: &pose::Model<'_>) -> Result<Vec<(usize, packed::Body)>> {
        let pose = |body: usize| {
            let id = self.id(body as u32).and_then(|id| self.body(id));
            let Some(whole) = id else { return Err(Error::Gone { what: format!("body {body}") }) };
            let posed = pose::pose(&whole, model).map_err(|error| error.of(format!("body {body}")))?;
            Ok((body, posed))
        };
        self.users(index).map(pose).collect()
    }

    /// The indices of the bodies that have a shape.
    fn users(&self, index: usize) -> impl Iterator<Item = usize> + '_ {
        let living = self.body_handles.iter().map(|(body, _)| body as usize);
        let uses = living.filter(move |&body| self.packed.poses[body].shape as usize == index);
        // Few bodies mostly have a shape that changes.
        uses.take(self.uses[index] as usize)
    }

    /// Notes that all bodies that have a shape have changed.
    fn note_users(&mut self, index: usize) {
        let users: Vec<usize> = self.users(index).collect();
        for body in users {
            self.changed_bodies.note(body as u32, self.packed.len());
        }
    }

    /// An error unless there is room for so many more words.
    fn check_room(&self, words: usize) -> Result<()> {
        let needed = 2 * self.packed.atlas.len_with(words) as u64;
        if needed <= u64::from(u32::MAX) {
            return Ok(());
        }
        Err(Error::Capacity {
            what: "the shapes".into(),
            needed: 4 * needed,
            limit: "the index of a word",
            available: 4 * u64::from(u32::MAX),
            advice: "share masks between bodies, or cut them from fewer or smaller sheets",
        })
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

/// The tight box of the solid texels of a mask that was edited within `changed`, of which it was `before`.
fn bounds_after(mask: &Mask, before: Option<[u32; 4]>, changed: [u32; 4]) -> Option<[u32; 4]> {
    let Some([x, y, w, h]) = before else { return mask.bounds() };
    let [left, top, width, height] = changed;
    // An edit within the box leaves what makes it.
    let within = left > x && top > y && left + width < x + w && top + height < y + h;
    if within { before } else { mask.bounds() }
}
