//! In-place edits of a sprite's mask.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use super::World;
use super::body::ShapeId;
use super::packed::Packed;
use super::pose;
use super::shape::{Geometry, Shape};
use super::shapes::WORD_CHANGES;
use crate::ground::digest;
use crate::ground::error::{Error, Result};
use crate::mask::Mask;

impl World {
    /// Edits the mask of a sprite in place, for all bodies that use it, and returns the result of `edit`. Only what
    /// changed is copied and uploaded. The mask must keep its size.
    ///
    /// Returns [`Error::Value`] if the shape is not a sprite or the mask changed its size, and [`Error::In`], which
    /// names the body, if one that uses the mask would leave the world. On an error, or if `edit` panics, the mask
    /// stays as it was.
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
    pub fn edit_mask<R>(&mut self, id: ShapeId, edit: impl FnOnce(&mut Mask) -> R) -> Result<R> {
        let index = self.index_of_shape(id)?;
        let Some(Shape { geometry: Geometry::Sprite(mask), .. }) = &mut self.shapes[index] else {
            return Err(without_mask());
        };
        let mask = Arc::make_mut(mask);
        let (size, began) = (mask.size(), mask.begin_edit());
        let edited = catch_unwind(AssertUnwindSafe(|| edit(mask)));
        let (now, changed) = (mask.size(), mask.end_edit(began));
        let done = match edited {
            Ok(done) if now == size => done,
            Ok(_) => {
                self.restore_mask(index);
                let now = format!("{} x {}", now[0], now[1]);
                return Err(Error::value("mask", now, format!("keep its size, {} x {}", size[0], size[1])));
            }
            Err(panic) => {
                self.restore_mask(index);
                resume_unwind(panic)
            }
        };
        if let Some(changed) = changed {
            self.take_in_edit(index, changed)?;
        }
        Ok(done)
    }

    /// Updates everything that is derived from a mask after an edit within a box of texels.
    fn take_in_edit(&mut self, index: usize, changed: [u32; 4]) -> Result<()> {
        let Some(mask) = self.shapes[index].as_ref().and_then(Shape::mask) else { return Ok(()) };
        let solid = bounds_after(mask, self.solid[index], changed);
        if solid != self.solid[index] {
            self.pose_after_edit(index, solid)?;
        }
        self.take_in_digest(index, changed);
        self.copy_rows(index, changed);
        self.note_users(index);
        Ok(())
    }

    /// Poses the bodies of a sprite whose solid texels have new bounds. If one of them cannot be posed, restores the
    /// mask from its words in the atlas.
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
                self.packed.shapes[index].set_solid(solid);
                self.changed_shapes.note(index as u32, self.shapes.len());
                Ok(())
            }
            Err(error) => {
                self.solid[index] = before;
                self.restore_mask(index);
                Err(error)
            }
        }
    }

    /// Restores the mask of a sprite from its words in the atlas.
    fn restore_mask(&mut self, index: usize) {
        let Packed { shapes, atlas, .. } = &self.packed;
        let shape = &shapes[index];
        let size = [shape.size.x as u32, shape.size.y as u32];
        let words = atlas.words()[shape.first as usize / 2..][..(shape.stride / 2 * size[1]) as usize].to_vec();
        if let Some(Shape { geometry: Geometry::Sprite(mask), .. }) = &mut self.shapes[index] {
            *mask = Arc::new(Mask::of_words(size, words));
        }
    }

    /// Updates the digest of a mask after an edit within a box of texels that the atlas does not have yet.
    fn take_in_digest(&mut self, index: usize, [_, y, _, height]: [u32; 4]) {
        let Some(mask) = self.shapes[index].as_ref().and_then(Shape::mask) else { return };
        let (stride, top) = (mask.stride() as usize, y as usize);
        let rows = top * stride..(y + height).min(mask.height()) as usize * stride;
        let before = &self.packed.mask(&self.packed.shapes[index])[rows.clone()];
        let [before, now] = [before, &mask.words()[rows]].map(|words| digest::of_rows(words, stride, top));
        self.shape_digests[index] = self.shape_digests[index].wrapping_sub(before).wrapping_add(now);
        self.shapes_version.renew();
    }

    /// Copies the words of a mask that hold a box of its texels to the atlas.
    fn copy_rows(&mut self, index: usize, [x, y, width, height]: [u32; 4]) {
        let Some(mask) = self.shapes[index].as_ref().and_then(Shape::mask) else { return };
        let (stride, first) = (mask.stride() as usize, self.packed.shapes[index].first as usize / 2);
        let rows = y as usize..(y + height).min(mask.height()) as usize;
        let columns = x as usize / 64..((x + width).min(mask.width()) as usize).div_ceil(64);
        for row in rows.clone() {
            let words = row * stride + columns.start..row * stride + columns.end;
            let to = first + words.start..first + words.end;
            self.packed.atlas.words_mut(to).copy_from_slice(&mask.words()[words]);
        }
        self.packed.blocks[index] = mask.blocks().cloned();
        let changed = first + rows.start * stride + columns.start..first + (rows.end - 1) * stride + columns.end;
        self.changed_words.note(changed, WORD_CHANGES);
    }
}

/// Makes the error of a shape that is no sprite.
pub(super) fn without_mask() -> Error {
    Error::value("shape", "a box, circle, capsule or polygon", "be a sprite: only sprites have masks")
}

/// Returns the tight box of the solid texels of a mask that was edited within `changed`; `before` is the box before the
/// edit.
fn bounds_after(mask: &Mask, before: Option<[u32; 4]>, changed: [u32; 4]) -> Option<[u32; 4]> {
    let Some([x, y, w, h]) = before else { return mask.bounds() };
    let [left, top, width, height] = changed;
    // An edit strictly inside the box cannot change the box.
    let within = left > x && top > y && left + width < x + w && top + height < y + h;
    if within { before } else { mask.bounds() }
}
