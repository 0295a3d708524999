//! Bodies as they enter a world, and the handles by which a world names what it holds.

use crate::ground::lattice::Vec2;
use crate::ground::linear::Linear;

/// A shape of a [`World`](crate::World).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeId(pub(super) u32);

impl ShapeId {
    /// The number of shapes before it.
    #[must_use]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A body of a [`World`](crate::World): its index in the order of their adding, which is the index in every answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(super) u32);

impl BodyId {
    /// The index by which answers and GPU buffers name the body.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// assert_eq!(world.add(&Body::new(ball, [5, 0]))?.index(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn index(self) -> u32 {
        self.0
    }
}

/// A body as it enters: a shape in a pose, perhaps moving, on some layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: ShapeId,
    /// Where the shape's anchor lands, in units.
    pub at: Vec2,
    /// Rotation, scale, flip, shear.
    pub linear: Linear,
    /// The motion within the step, in units, each component at most 2^20.
    pub motion: Vec2,
    /// The layers that it is on, a bit each; by default 1.
    pub layer: u32,
    /// The layers that it hits, a bit each; by default all.
    pub hits: u32,
}

impl Body {
    /// A body of `shape` at a position in units: unturned, at rest, on layer 1, hitting all.
    #[must_use]
    pub fn new(shape: ShapeId, at: impl Into<Vec2>) -> Self {
        Self { shape, at: at.into(), linear: Linear::IDENTITY, motion: Vec2::default(), layer: 1, hits: u32::MAX }
    }

    /// With this rotation, scale, flip and shear.
    #[must_use]
    pub fn posed(self, linear: impl Into<Linear>) -> Self {
        Self { linear: linear.into(), ..self }
    }

    /// Moving by this within the step, in units.
    #[must_use]
    pub fn moving(self, motion: impl Into<Vec2>) -> Self {
        Self { motion: motion.into(), ..self }
    }

    /// On the layers of `layer`, hitting those of `hits`. A pair is looked at only where each hits a layer of the other.
    #[must_use]
    pub fn filtered(self, layer: u32, hits: u32) -> Self {
        Self { layer, hits, ..self }
    }
}
