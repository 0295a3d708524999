//! Problems: why an entity has no body.

use std::hash::{DefaultHasher, Hash, Hasher};

use bevy_asset::{Asset, AssetId};
use bevy_ecs::prelude::*;
use bevy_log::warn;
use thiserror::Error;

/// The reason why an entity that asks for a body has none.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// A [`Hitmask`](crate::Hitmask) without a `Sprite`.
    #[error("it has a `Hitmask` but no `Sprite`; give it a `Sprite`, or a `Collider` in place of the `Hitmask`")]
    NoSprite,
    /// A [`Character`](crate::Character) or [`Layers`](crate::Layers) without a shape.
    #[error("it has a `{component}` but no shape; give it a `Hitmask` or a `Collider`")]
    NoShape {
        /// The component.
        component: &'static str,
    },
    /// Two shapes.
    #[error("it has both a `Hitmask` and a `Collider`; remove one")]
    TwoShapes,
    /// An image mode with numbers that draw nothing sensible.
    #[error("its sprite's image mode is `{mode}`: {reason}")]
    ImageMode {
        /// The mode.
        mode: &'static str,
        /// The number, and its limit.
        reason: &'static str,
    },
    /// An image in a compressed format.
    #[error("its image {image} is compressed ({format}); use an uncompressed format with alpha, such as PNG")]
    Compressed {
        /// The image, by path if it has one.
        image: String,
        /// The format.
        format: String,
    },
    /// An image whose format has no alpha, or one that is not read.
    #[error("its image {image} has the format {format}, whose alpha cannot be read; use RGBA or BGRA")]
    Format {
        /// The image, by path if it has one.
        image: String,
        /// The format.
        format: String,
    },
    /// An image whose pixels are on the GPU alone.
    #[error("its image {image} has no pixels in memory; load it with `RenderAssetUsages::MAIN_WORLD` among its usages")]
    NoPixels {
        /// The image, by path if it has one.
        image: String,
    },
    /// An image that is not flat, or whose data is shorter than its size says.
    #[error("its image {image} is not a plain 2D image")]
    NotFlat {
        /// The image, by path if it has one.
        image: String,
    },
    /// An image whose loading has failed.
    #[error("its image {image} could not be loaded: {error}")]
    NotLoaded {
        /// The image, by path if it has one.
        image: String,
        /// The error of the asset server.
        error: String,
    },
    /// A region that is not made of whole pixels of the image.
    #[error("its region {region} is not made of whole pixels of its image, which has {size}")]
    Region {
        /// The region.
        region: String,
        /// The size of the image.
        size: String,
    },
    /// An index beyond the end of the atlas.
    #[error("its atlas index is {index}; the layout has {len} regions")]
    AtlasIndex {
        /// The index.
        index: usize,
        /// The length of the layout.
        len: usize,
    },
    /// A level that could not be loaded, or whose bodies cannot be made.
    #[error("its level {level} cannot be used: {error}")]
    Level {
        /// The level, by path if it has one.
        level: String,
        /// The error, with the place in the file.
        error: String,
    },
    /// A shape or a pose that the library refuses, such as a position outside the world or NaN.
    #[error("{0}")]
    Refused(String),
}

impl From<hitmask::Error> for Problem {
    fn from(error: hitmask::Error) -> Self {
        // Without the index of the body, which says nothing to the reader of a warning that names the entity.
        match error {
            hitmask::Error::In { source, .. } => (*source).into(),
            error => Self::Refused(error.to_string()),
        }
    }
}

/// A message: an entity asks for a body but cannot have one. It has none until the cause is gone.
///
/// The plugin also logs it as a warning. It is sent again only if the entity's problem changes, or if the entity had a
/// body in between. A refused shape counts as another problem if the reason differs in more than its numbers. A problem
/// of an image is sent once for each image.
#[derive(Message, Clone, Debug, PartialEq)]
pub struct HitmaskProblem {
    /// The entity.
    pub entity: Entity,
    /// The reason.
    pub problem: Problem,
}

impl HitmaskProblem {
    /// Logs the problem and sends it.
    pub(crate) fn send(self, messages: &mut MessageWriter<'_, Self>) {
        warn!("{} has no body: {}", self.entity, self.problem);
        messages.write(self);
    }
}

impl Problem {
    /// Returns a number for the kind of problem. Problems of an entity's pose are compared by it, since their text may
    /// change in each step.
    pub(crate) fn kind(&self) -> u64 {
        hash(std::mem::discriminant(self))
    }

    /// Returns a number for the kind of problem and the library's reason, without the numbers in it: those of a shape
    /// that shrinks are others in each step. Problems of an entity's shape are compared by it.
    pub(crate) fn reason(&self) -> u64 {
        match self {
            Self::Refused(reason) => {
                let words: String = reason.chars().filter(|c| !c.is_ascii_digit() && !".-".contains(*c)).collect();
                hash((std::mem::discriminant(self), words))
            }
            _ => self.kind(),
        }
    }

    /// Returns whether all entities with this image have this problem.
    pub(crate) fn is_of_image(&self) -> bool {
        matches!(
            self,
            Self::Compressed { .. }
                | Self::Format { .. }
                | Self::NoPixels { .. }
                | Self::NotFlat { .. }
                | Self::NotLoaded { .. }
        )
    }
}

/// Names an asset in a problem.
pub(crate) fn name_of<A: Asset>(id: AssetId<A>, path: Option<String>) -> String {
    path.map_or_else(|| format!("{id:?}"), |path| format!("`{path}`"))
}

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}
