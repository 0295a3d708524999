//! The systems of a fixed step, in their order.
//!
//! ```text
//!   trees.rs    transforms that have changed               ─> trees whose GlobalTransforms Bevy computes anew
//!   assets.rs   images and layouts that have changed       ─> entities to look at again
//!   changes.rs  the ticks of components                    ─> entities with a change
//!   sync.rs     components that have changed               ─> bodies of the world, at rest where the entities are
//!   frames.rs   the frame of an atlas                      ─> its shape, if it was found in this step
//!   walk.rs     characters, one after the other            ─> their transforms and bodies
//!   step.rs     bodies put back to where they were, moving ─> hits; then back to where they are
//!   report.rs   pairs that began and ended                 ─> messages, observer events, CollidingEntities
//! ```

pub(crate) mod assets;
mod changes;
mod frames;
pub(crate) mod report;
pub(crate) mod step;
pub(crate) mod sync;
pub(crate) mod trees;
pub(crate) mod walk;
