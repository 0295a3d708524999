//! The cache of shapes: each mask and each shape is made once, and dropped when nothing needs it.
//!
//! The shapes of an image are kept for as long as any body shows the image, so that an animation that runs through its
//! frames makes each once; of those that no body has, the latest. The shape of a collider is kept for as long as a body
//! has it, and so is that of a sprite that is tiled, sliced or cut, as its size may change in each step.

mod alpha;
mod pattern;
pub(crate) mod source;

use std::mem::{Discriminant, discriminant};
use std::sync::Arc;

use bevy_asset::{AssetId, Assets};
use bevy_image::Image;
use bevy_platform::collections::{HashMap, HashSet};
use hitmask::{Mask, Shape, ShapeId, World};

use crate::components::collider::{Collider, ColliderKey, Kept};
use crate::problem::Problem;
use source::{Drawn, MaskKey};

/// The most shapes of an image that are kept although no body has them: about as many as a large sheet has frames. A
/// sprite whose anchor or region moves needs another in each step.
const MOST_UNUSED: usize = 256;

/// A place in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(u32);

/// The key of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Sprite(MaskKey, [i32; 2]),
    Collider(ColliderKey),
}

/// A shape in the world.
#[derive(Clone, Debug)]
struct Held {
    id: ShapeId,
    /// `None` if its image has changed since: nobody finds it any more.
    key: Option<Key>,
    image: Option<AssetId<Image>>,
    /// The mask or the shape of a collider, if its address is part of its key.
    _kept: Option<Kept>,
    /// The collection for which it was released last.
    released: Option<u64>,
}

/// The masks of an image.
#[derive(Clone, Debug, Default)]
struct OfImage {
    /// Each with the number of its shapes, which differ in their anchors.
    masks: HashMap<MaskKey, (Arc<Mask>, usize)>,
    slots: Vec<Slot>,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes {
    slots: Vec<Option<Held>>,
    free: Vec<Slot>,
    by_key: HashMap<Key, Slot>,
    images: HashMap<AssetId<Image>, OfImage>,
    /// The kind of the problem of an image that has been reported.
    bad: HashMap<AssetId<Image>, Discriminant<Problem>>,
    /// Images of entities that have any problem.
    troubled: HashSet<AssetId<Image>>,
    /// Slots that may have lost their last body.
    idle: Vec<Slot>,
    /// The number of the next collection.
    collection: u64,
    made: u64,
    /// The number of the last edit of an image that these shapes follow.
    pub(crate) edit: u64,
    /// The number of times that a shape came or went.
    version: u64,
}

impl Shapes {
    /// Checks whether the shape of a sprite is there.
    pub(crate) fn has_sprite(&self, drawn: &Drawn) -> bool {
        self.by_key.contains_key(&Key::Sprite(drawn.mask, drawn.anchor))
    }

    /// Checks whether the shape of a collider is there.
    pub(crate) fn has_collider(&self, collider: &Collider) -> bool {
        self.by_key.contains_key(&Key::Collider(collider.key()))
    }

    /// Returns the slot of a sprite's shape; makes mask and shape if they are not there.
    pub(crate) fn sprite(&mut self, world: &mut World, drawn: &Drawn, images: &Assets<Image>) -> Result<Slot, Problem> {
        let image = drawn.mask.image;
        let key = Key::Sprite(drawn.mask, drawn.anchor);
        if let Some(&slot) = self.by_key.get(&key) {
            return Ok(slot);
        }
        let mask = match self.images.get(&image).and_then(|of_image| of_image.masks.get(&drawn.mask)) {
            Some((mask, _)) => mask.clone(),
            None => Arc::new(alpha::mask(images, &drawn.mask)?),
        };
        let anchor = drawn.anchor.map(|v| f64::from(v) / source::ANCHOR_STEPS);
        let shape = Shape::sprite(mask.clone()).anchored(anchor)?;
        let slot = self.insert(world, shape, key, Some(image), None)?;
        // Nothing is kept of a mask or a shape that is refused.
        let of_image = self.images.entry(image).or_default();
        of_image.slots.push(slot);
        let (_, shapes) = of_image.masks.entry(drawn.mask).or_insert_with(|| {
            self.made += 1;
            (mask, 0)
        });
        *shapes += 1;
        Ok(slot)
    }

    /// Returns the slot of a collider's shape; makes the shape if it is not there.
    pub(crate) fn collider(&mut self, world: &mut World, collider: &Collider) -> Result<Slot, Problem> {
        let key = Key::Collider(collider.key());
        match self.by_key.get(&key) {
            Some(&slot) => Ok(slot),
            None => self.insert(world, collider.to_shape()?, key, None, collider.kept()),
        }
    }

    fn insert(
        &mut self,
        world: &mut World,
        shape: Shape,
        key: Key,
        image: Option<AssetId<Image>>,
        kept: Option<Kept>,
    ) -> Result<Slot, Problem> {
        let id = world.add_shape(shape)?;
        self.version += 1;
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots.push(None);
            Slot(self.slots.len() as u32 - 1)
        });
        self.slots[slot.0 as usize] = Some(Held { id, key: Some(key.clone()), image, _kept: kept, released: None });
        self.by_key.insert(key, slot);
        // Until its first body comes, which may be refused.
        self.release(slot);
        Ok(slot)
    }

    /// Checks whether a slot has the shape of a sprite, as it is now. It may be a slot that is gone.
    pub(crate) fn is_sprite(&self, slot: Slot, drawn: &Drawn) -> bool {
        matches!(self.key(slot), Some(Key::Sprite(mask, anchor)) if *mask == drawn.mask && *anchor == drawn.anchor)
    }

    /// Checks whether a slot has the shape of a collider. It may be a slot that is gone.
    pub(crate) fn is_collider(&self, slot: Slot, collider: &Collider) -> bool {
        matches!(self.key(slot), Some(Key::Collider(key)) if *key == collider.key())
    }

    fn key(&self, slot: Slot) -> Option<&Key> {
        self.held(slot)?.key.as_ref()
    }

    /// Returns the shape in a slot; `None` if it is gone.
    fn held(&self, slot: Slot) -> Option<&Held> {
        self.slots.get(slot.0 as usize)?.as_ref()
    }

    /// Returns the shape of a slot that was found in this step, or that a body has.
    pub(crate) fn id(&self, slot: Slot) -> ShapeId {
        self.slots[slot.0 as usize].as_ref().expect("a slot with a body is not free").id
    }

    /// Notes that a slot may have lost its last body. It may be a slot that is gone: a rollback leaves links of a later
    /// time on entities.
    pub(crate) fn release(&mut self, slot: Slot) {
        if let Some(Some(held)) = self.slots.get_mut(slot.0 as usize)
            && held.released != Some(self.collection)
        {
            held.released = Some(self.collection);
            self.idle.push(slot);
        }
    }

    /// Removes the shapes that nothing needs any more.
    pub(crate) fn collect(&mut self, world: &mut World) {
        if self.idle.is_empty() {
            return;
        }
        self.collection += 1;
        let idle = std::mem::take(&mut self.idle);
        let image = |slot: &Slot| self.held(*slot).and_then(|held| held.image);
        let images: HashSet<AssetId<Image>> = idle.iter().filter_map(image).collect();
        let mut unneeded: Vec<Slot> = idle.into_iter().filter(|&slot| !self.is_kept(slot)).collect();
        unneeded.extend(images.into_iter().flat_map(|image| self.unneeded(world, image)));
        // The order of removal decides which index the next shape gets.
        unneeded.sort_unstable();
        for slot in unneeded {
            self.remove(world, slot);
        }
    }

    /// Returns the shapes of an image that nothing needs: all if no body shows it, else those that were released first
    /// among those that no body has.
    fn unneeded(&self, world: &World, image: AssetId<Image>) -> Vec<Slot> {
        let slots = self.images.get(&image).map_or(&[][..], |of_image| of_image.slots.as_slice());
        let is_used = |slot| self.held(slot).and_then(|held| world.uses(held.id)).is_some_and(|uses| uses > 0);
        if !slots.iter().any(|&slot| is_used(slot)) {
            return slots.to_vec();
        }
        let unused = slots.iter().copied().filter(|&slot| self.is_kept(slot) && !is_used(slot));
        let mut unused: Vec<Slot> = unused.collect();
        unused.sort_unstable_by_key(|&slot| (self.held(slot).and_then(|held| held.released), slot));
        unused.truncate(unused.len().saturating_sub(MOST_UNUSED));
        unused
    }

    /// Returns whether a shape may outlive its last body while other bodies show its image.
    fn is_kept(&self, slot: Slot) -> bool {
        matches!(self.key(slot), Some(Key::Sprite(mask, _)) if mask.pattern.is_none())
    }

    /// Removes a shape that no body has.
    fn remove(&mut self, world: &mut World, slot: Slot) {
        // The world refuses to remove a shape that a body has.
        if self.held(slot).is_none_or(|held| world.remove_shape(held.id).is_err()) {
            return;
        }
        let Some(Held { key, image, .. }) = self.slots[slot.0 as usize].take() else { return };
        self.free.push(slot);
        self.version += 1;
        if let Some(key) = &key {
            self.by_key.remove(key);
        }
        let Some(image) = image else { return };
        let Some(of_image) = self.images.get_mut(&image) else { return };
        of_image.slots.retain(|&other| other != slot);
        if let Some(Key::Sprite(mask, _)) = &key
            && let Some((_, shapes)) = of_image.masks.get_mut(mask)
        {
            *shapes -= 1;
            if *shapes == 0 {
                of_image.masks.remove(mask);
            }
        }
        if of_image.slots.is_empty() {
            self.images.remove(&image);
        }
    }

    /// Forgets what an image looked like. Returns whether anything was known about it.
    pub(crate) fn forget(&mut self, image: AssetId<Image>) -> bool {
        self.bad.remove(&image);
        let was_troubled = self.troubled.remove(&image);
        let Some(of_image) = self.images.get_mut(&image) else { return was_troubled };
        of_image.masks.clear();
        for slot in of_image.slots.clone() {
            if let Some(held) = &mut self.slots[slot.0 as usize]
                && let Some(key) = held.key.take()
            {
                self.by_key.remove(&key);
                self.release(slot);
            }
        }
        true
    }

    /// Notes that an entity with this image has a problem, and looks again when the image changes.
    pub(crate) fn trouble(&mut self, image: AssetId<Image>) {
        self.troubled.insert(image);
    }

    /// Checks whether an entity with this image has had a problem, and forgets it.
    pub(crate) fn take_trouble(&mut self, image: AssetId<Image>) -> bool {
        self.troubled.remove(&image)
    }

    /// Returns whether a problem is the first of its image, or not of an image.
    pub(crate) fn is_news(&mut self, image: Option<AssetId<Image>>, problem: &Problem) -> bool {
        match image.filter(|_| problem.is_of_image()) {
            Some(image) => self.bad.insert(image, discriminant(problem)) != Some(discriminant(problem)),
            None => true,
        }
    }

    pub(crate) fn shape_count(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    pub(crate) fn mask_count(&self) -> usize {
        self.images.values().map(|image| image.masks.len()).sum()
    }

    /// Returns a number that changes whenever a shape comes or goes.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    pub(crate) fn masks_made(&self) -> u64 {
        self.made
    }
}
