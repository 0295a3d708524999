//! The cache of shapes: each mask and each shape is made once, and dropped when nothing needs it.
//!
//! The shapes of an image are kept for as long as any body shows the image, so that an animation that runs through its
//! frames makes each once. The shape of a collider is kept for as long as a body has it, and so is that of a sprite
//! that is tiled, sliced or cut, as its size may change in each step.

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

/// A place in the cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Slot(u32);

/// The key of a shape.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    Sprite(MaskKey, [i32; 2]),
    Collider(ColliderKey),
}

impl Key {
    /// Returns whether the shape outlives its last body while other bodies show its image.
    fn is_kept(&self) -> bool {
        matches!(self, Self::Sprite(mask, _) if mask.pattern.is_none())
    }
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
    /// True if it is on the list of idle slots.
    is_idle: bool,
}

impl Held {
    /// Checks whether this is the shape of a mask.
    fn has(&self, mask: &MaskKey) -> bool {
        matches!(&self.key, Some(Key::Sprite(other, _)) if other == mask)
    }
}

/// The masks of an image.
#[derive(Clone, Debug, Default)]
struct OfImage {
    masks: HashMap<MaskKey, Arc<Mask>>,
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
            Some(mask) => mask.clone(),
            None => Arc::new(alpha::mask(images, &drawn.mask)?),
        };
        let anchor = drawn.anchor.map(|v| f64::from(v) / source::ANCHOR_STEPS);
        let shape = Shape::sprite(mask.clone()).anchored(anchor)?;
        let slot = self.insert(world, shape, key, Some(image), None)?;
        // Nothing is kept of a mask or a shape that is refused.
        let of_image = self.images.entry(image).or_default();
        of_image.slots.push(slot);
        if of_image.masks.insert(drawn.mask, mask).is_none() {
            self.made += 1;
        }
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
        self.slots[slot.0 as usize] = Some(Held { id, key: Some(key.clone()), image, _kept: kept, is_idle: false });
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
        self.slots.get(slot.0 as usize)?.as_ref()?.key.as_ref()
    }

    /// Returns the shape of a slot that was found in this step, or that a body has.
    pub(crate) fn id(&self, slot: Slot) -> ShapeId {
        self.slots[slot.0 as usize].as_ref().expect("a slot with a body is not free").id
    }

    /// Notes that a slot may have lost its last body. It may be a slot that is gone: a rollback leaves links of a later
    /// time on entities.
    pub(crate) fn release(&mut self, slot: Slot) {
        if let Some(Some(held)) = self.slots.get_mut(slot.0 as usize)
            && !held.is_idle
        {
            held.is_idle = true;
            self.idle.push(slot);
        }
    }

    /// Checks whether any body shows an image.
    fn is_shown(&self, world: &World, image: AssetId<Image>) -> bool {
        let is_used = |slot: &Slot| {
            let held = self.slots[slot.0 as usize].as_ref();
            held.and_then(|held| world.uses(held.id)).is_some_and(|uses| uses > 0)
        };
        self.images.get(&image).is_some_and(|of_image| of_image.slots.iter().any(is_used))
    }

    /// Removes the shapes that nothing needs any more.
    pub(crate) fn collect(&mut self, world: &mut World) {
        if self.idle.is_empty() {
            return;
        }
        let mut idle = std::mem::take(&mut self.idle);
        let mut shown: HashMap<AssetId<Image>, bool> = HashMap::new();
        for slot in &idle {
            let Some(held) = &mut self.slots[slot.0 as usize] else { continue };
            held.is_idle = false;
            if let Some(image) = held.image {
                shown.entry(image).or_insert_with(|| self.is_shown(world, image));
            }
        }
        // The shapes of an image that nobody shows any more go together.
        let hidden = shown.iter().filter(|(_, is_shown)| !**is_shown);
        idle.extend(hidden.filter_map(|(image, _)| self.images.get(image)).flat_map(|of_image| &of_image.slots));
        // The order of removal decides which index the next shape gets.
        idle.sort_unstable();
        for slot in idle {
            let Some(held) = &self.slots[slot.0 as usize] else { continue };
            let is_shown = held.image.is_some_and(|image| shown.get(&image) == Some(&true));
            let is_kept = is_shown && held.key.as_ref().is_some_and(Key::is_kept);
            // The world refuses to remove a shape that a body has.
            if is_kept || world.remove_shape(held.id).is_err() {
                continue;
            }
            self.version += 1;
            if let Some(key) = &held.key {
                self.by_key.remove(key);
            }
            if let Some(image) = held.image
                && let Some(of_image) = self.images.get_mut(&image)
            {
                of_image.slots.retain(|&other| other != slot);
                let has =
                    |other: &Slot, mask| self.slots[other.0 as usize].as_ref().is_some_and(|other| other.has(mask));
                // Sprites that differ only in their anchors share a mask.
                if let Some(Key::Sprite(mask, _)) = &held.key
                    && mask.pattern.is_some()
                    && !of_image.slots.iter().any(|other| has(other, mask))
                {
                    of_image.masks.remove(mask);
                }
                if of_image.slots.is_empty() {
                    self.images.remove(&image);
                }
            }
            self.slots[slot.0 as usize] = None;
            self.free.push(slot);
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
