//! The world: shapes, and the bodies that use them. All input is checked and snapped here, once.

mod area;
pub(crate) mod atlas;
mod bodies;
pub(crate) mod body;
pub(crate) mod bulk;
pub(crate) mod changes;
pub(crate) mod classes;
mod content;
mod copy;
pub(crate) mod difference;
mod edit;
pub(crate) mod filter;
mod handles;
pub(crate) mod member;
pub(crate) mod motion;
mod pack;
pub(crate) mod packed;
pub(crate) mod part;
pub(crate) mod parting;
pub(crate) mod pieces;
pub(crate) mod pose;
pub(crate) mod read;
pub(crate) mod save;
pub(crate) mod seam;
pub(crate) mod shape;
mod shapes;
pub(crate) mod split;
#[cfg(any(test, feature = "internals"))]
mod validate;

use std::ops::Range;

use crate::ground::linear::Linear;
use crate::ground::touch::Touch;
use changes::Changes;
use content::Forms;
use copy::Version;
use handles::Handles;
use packed::Packed;
use shape::Shape;

/// Shapes and bodies, checked and snapped to the lattice.
///
/// A body that is removed frees its index; the next one added takes the lowest free index. An edit is applied whole or,
/// on an error, not at all. A clone of a world is a snapshot that knows the same handles, so a game can go back to it;
/// [`World::save`] makes one of bytes. Worlds are equal if they have the same content: touch rule, shapes, bodies,
/// handles, and the handles that later additions would get.
///
/// ```
/// use hitmask::{Ask, Body, Engine, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let shot = world.add(&Body::new(ball, [0.0, 0.0]))?;
/// let ship = world.add(&Body::new(ball, [1.5, 0.0]))?;
/// let saved = world.clone();
/// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[0, 1]]);
/// world.remove(shot)?;
/// assert!(world.remove(shot).is_err()); // gone, even if its index is in use again
/// assert!(saved.body(shot).is_some() && saved.body(ship).is_some());
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct World {
    touch: Touch,
    shape_handles: Handles,
    /// `None` at a free index.
    shapes: Vec<Option<Shape>>,
    /// The tight box `[x, y, w, h]` of the solid texels of each sprite that has any.
    solid: Vec<Option<[u32; 4]>>,
    /// The digest of the content of each shape; 0 at a free index.
    shape_digests: Vec<u64>,
    /// The number of bodies that use each shape.
    uses: Vec<u32>,
    body_handles: Handles,
    packed: Packed,
    /// The linear part of each body, as it was set.
    linears: Vec<Linear>,
    /// The caller's number of each body.
    tags: Vec<u64>,
    /// The sum of the digests of all bodies' forms: of all but positions and motions.
    forms: Forms,
    /// A number that changes whenever a shape does, and that only clones share.
    shapes_version: Version,
    spare: bulk::Spare,
    changed_bodies: Changes<u32>,
    /// The changed bodies of which more than position and motion changed.
    changed_forms: Changes<u32>,
    changed_shapes: Changes<u32>,
    /// Ranges of 64-bit words.
    changed_words: Changes<Range<usize>>,
}

impl World {
    /// Creates an empty world. `touch` decides whether touching bodies hit.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, Touch, World};
    ///
    /// let mut world = World::new(Touch::Included);
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// world.add(&Body::new(tile, [0, 0]))?;
    /// world.add(&Body::new(tile, [4, 0]))?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[0, 1]]); // side by side
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new(touch: Touch) -> Self {
        let past = u64::from(touch == Touch::Included);
        let (shape_handles, body_handles) = (Handles::after(past), Handles::after(past));
        Self { touch, shape_handles, body_handles, ..Self::default() }
    }

    /// Returns whether touching bodies hit.
    ///
    /// ```
    /// assert_eq!(hitmask::World::default().touch(), hitmask::Touch::Excluded);
    /// ```
    #[must_use]
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// Returns the number of bodies.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [5, 0]))?;
    /// world.remove(id)?;
    /// assert_eq!((world.len(), world.indices()), (1, 2));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.body_handles.living()
    }

    /// Returns true if there are no bodies.
    ///
    /// ```
    /// assert!(hitmask::World::default().is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of body indices, free ones included: every body's index is below it. The flags of an answer
    /// have one bit per index.
    ///
    /// ```
    /// assert_eq!(hitmask::World::default().indices(), 0);
    /// ```
    #[must_use]
    pub fn indices(&self) -> usize {
        self.body_handles.indices()
    }

    /// Returns the digest of all additions of bodies so far, which decides the bodies that indices name.
    pub(crate) fn past(&self) -> u64 {
        self.body_handles.past()
    }

    /// Returns the flat arrays that engines read.
    pub(crate) fn packed(&self) -> &Packed {
        &self.packed
    }

    /// Returns the log of bodies that were added, set or removed.
    pub(crate) fn changed_bodies(&self) -> &Changes<u32> {
        &self.changed_bodies
    }

    /// Returns the log of bodies that were added or removed, or of which more than position and motion changed.
    #[cfg(feature = "gpu")]
    pub(crate) fn changed_forms(&self) -> &Changes<u32> {
        &self.changed_forms
    }

    /// Returns the log of shapes that were added, replaced or removed.
    #[cfg(feature = "gpu")]
    pub(crate) fn changed_shapes(&self) -> &Changes<u32> {
        &self.changed_shapes
    }

    /// Returns the log of ranges of shape words that were written.
    #[cfg(feature = "gpu")]
    pub(crate) fn changed_words(&self) -> &Changes<Range<usize>> {
        &self.changed_words
    }
}
