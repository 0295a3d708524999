//! The shapes of atlas frames that were looked up in this step: the sprites of a crowd differ in little but their
//! frame, so most are found by its index alone.

use bevy_asset::AssetId;
use bevy_image::{Image, TextureAtlasLayout};
use bevy_math::Vec2;
use bevy_sprite::{Anchor, Sprite, SpriteImageMode};

use crate::masks::Slot;

/// The most looks that are remembered, as they are searched one by one.
const MOST: usize = 16;

/// The shapes that have been found in this step. Slots stay what they are until its end.
#[derive(Debug, Default)]
pub(super) struct Frames {
    strips: Vec<Strip>,
    /// The strip that was found last, which is likely the next one.
    last: usize,
}

#[derive(Debug)]
struct Strip {
    look: Look,
    /// The shape of each frame that was found, with the size of its texels.
    shapes: Vec<Option<(Slot, Vec2)>>,
}

/// Everything that a sprite's shape depends on, except its frame index.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Look {
    image: AssetId<Image>,
    layout: AssetId<TextureAtlasLayout>,
    flips: [bool; 2],
    size: Option<Vec2>,
    anchor: Vec2,
    threshold: u8,
}

/// A place among the frames.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    strip: usize,
    frame: usize,
}

impl Frames {
    pub(super) fn clear(&mut self) {
        self.strips.clear();
        self.last = 0;
    }

    /// Returns the place of a sprite's frame. `None` if it shows no plain frame of an atlas, or there are too many
    /// looks.
    pub(super) fn place(&mut self, sprite: &Sprite, anchor: Anchor, threshold: u8) -> Option<Place> {
        let atlas = sprite.texture_atlas.as_ref()?;
        if sprite.rect.is_some() || sprite.image_mode != SpriteImageMode::Auto {
            return None;
        }
        let look = Look {
            image: sprite.image.id(),
            layout: atlas.layout.id(),
            flips: [sprite.flip_x, sprite.flip_y],
            size: sprite.custom_size,
            anchor: anchor.as_vec(),
            threshold,
        };
        if self.strips.get(self.last).is_none_or(|strip| strip.look != look) {
            let known = self.strips.iter().position(|strip| strip.look == look);
            self.last = known.or_else(|| self.add(look))?;
        }
        Some(Place { strip: self.last, frame: atlas.index })
    }

    /// Returns the shape at a place, if it was found before.
    pub(super) fn get(&self, place: Place) -> Option<(Slot, Vec2)> {
        *self.strips[place.strip].shapes.get(place.frame)?
    }

    /// Remembers the shape at a place, whose frame is in the layout.
    pub(super) fn set(&mut self, place: Place, shape: (Slot, Vec2)) {
        let shapes = &mut self.strips[place.strip].shapes;
        if place.frame >= shapes.len() {
            shapes.resize(place.frame + 1, None);
        }
        shapes[place.frame] = Some(shape);
    }

    fn add(&mut self, look: Look) -> Option<usize> {
        (self.strips.len() < MOST).then(|| {
            self.strips.push(Strip { look, shapes: Vec::new() });
            self.strips.len() - 1
        })
    }
}
