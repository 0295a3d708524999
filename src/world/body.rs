//! Bodies as they enter a world, and the handles by which a world names what it holds.

use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;

/// A shape of a [`World`](crate::World). It stands for that shape alone, in that world and its copies: one that was
/// removed is an error, never another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId {
    pub(super) index: u32,
    pub(super) serial: u64,
}

impl ShapeId {
    /// Its index among the world's shapes: the lowest that was free when it was added.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// world.add_shape(Shape::circle(1.0)?)?;
    /// assert_eq!(world.add_shape(Shape::circle(2.0)?)?.index(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }
}

/// A body of a [`World`](crate::World). It stands for that body alone, in that world and its copies: one that was
/// removed is an error, never another.
///
/// Handles are in the order of their indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(super) index: u32,
    pub(super) serial: u64,
}

/// How an error names a body by its index.
pub(crate) fn body_at(index: impl std::fmt::Display) -> String {
    format!("body {index}")
}

impl BodyId {
    /// The index by which engines and GPU buffers name the body while it lives: the lowest that was free when it was
    /// added. [`World::id`](crate::World::id) leads back.
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
        self.index
    }
}

/// A body as it enters: a shape in a pose, perhaps moving, on some layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: ShapeId,
    /// Where the shape's anchor lands, in units. It stays in the world with the motion, also where the body lies beside
    /// it, or covers nothing.
    pub at: Vec2,
    /// Rotation, scale, flip, shear.
    pub linear: Linear,
    /// The motion within the step, in units, each component at most 65,536.
    pub motion: Vec2,
    /// The layers that it is on, a bit each; by default 1. On none, nothing hits it.
    pub layer: u32,
    /// The layers that it hits, a bit each; by default all.
    pub hits: u32,
    /// Bodies of one group do not hit each other, as a ship and its own shots; by default 0, which is none.
    pub group: u32,
    /// Whether it is there: switched off, it hits nothing and no question finds it. By default it is.
    pub enabled: bool,
    /// The caller's own, as the number of its entity; the world only keeps it. By default 0.
    pub tag: u64,
}

impl Body {
    /// A body of `shape` at a position in units: unturned, at rest, on layer 1, hitting all, of no group.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let body = Body::new(ball, [3.0, 4.0]).posed(Linear::scaled(2.0)).moving([1.0, 0.0]);
    /// let body = body.filtered(2, 1).grouped(7).tagged(99);
    /// let id = world.add(&body)?;
    /// assert_eq!(world.body(id), Some(body));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new(shape: ShapeId, at: impl Into<Vec2>) -> Self {
        Self {
            shape,
            at: at.into(),
            linear: Linear::IDENTITY,
            motion: Vec2::default(),
            layer: 1,
            hits: u32::MAX,
            group: 0,
            enabled: true,
            tag: 0,
        }
    }

    /// With this rotation, scale, flip and shear.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).posed(Linear::scaled(3.0)))?;
    /// assert_eq!(world.bounds(id).unwrap().max.units(), [3.0, 3.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn posed(self, linear: impl Into<Linear>) -> Self {
        Self { linear: linear.into(), ..self }
    }

    /// Moving by this within the step, in units.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).moving([5, 0]))?;
    /// assert_eq!(world.bounds(id).unwrap().max.units(), [6.0, 1.0]); // all that it reaches within the step
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn moving(self, motion: impl Into<Vec2>) -> Self {
        Self { motion: motion.into(), ..self }
    }

    /// On the layers of `layer`, hitting those of `hits`. A pair is looked at only where each hits a layer of the
    /// other.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [enemy, shot] = [1, 2];
    /// world.add(&Body::new(ball, [0, 0]).filtered(enemy, shot))?;
    /// world.add(&Body::new(ball, [1, 0]).filtered(enemy, shot))?;
    /// world.add(&Body::new(ball, [1, 1]).filtered(shot, enemy))?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[0, 2], [1, 2]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn filtered(self, layer: u32, hits: u32) -> Self {
        Self { layer, hits, ..self }
    }

    /// Of this group.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ship = Body::new(ball, [0, 0]).grouped(7);
    /// assert_eq!(ship.group, 7);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn grouped(self, group: u32) -> Self {
        Self { group, ..self }
    }

    /// With this number of the caller's own.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).tagged(4711))?;
    /// assert_eq!(world.body(id).unwrap().tag, 4711);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn tagged(self, tag: u64) -> Self {
        Self { tag, ..self }
    }

    /// Switched on or off.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// world.add(&Body::new(ball, [1, 0]).enabled(false))?;
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn enabled(self, enabled: bool) -> Self {
        Self { enabled, ..self }
    }
}
