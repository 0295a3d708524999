//! Bodies as they are added to a world.

pub(crate) use crate::ground::handle::{BodyId, ShapeId};
use crate::ground::linear::Linear;
use crate::ground::vec2::Vec2;

/// A body to add to a world: a shape with a pose, a motion, layers and a group.
// Not `#[non_exhaustive]`, which would forbid `Body { at, ..body }` to callers. A new field does not break that form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// The shape.
    pub shape: ShapeId,
    /// The position at which the shape's anchor lands, in units. It must stay in the world for the whole motion, even
    /// if the body does not cover it.
    pub at: Vec2,
    /// Rotation, scale, flip and shear. A scale of 0, or any other singular matrix, makes the body empty, as does a
    /// scale below 1/64 of a sprite: it hits nothing, and [`World::bounds`](crate::World::bounds) returns `None`. This
    /// is no error, because a body may grow from nothing.
    pub linear: Linear,
    /// The motion within the step, in units; each component is at most 65,536.
    pub motion: Vec2,
    /// The layers that the body is on, one bit each; 1 by default. A body on no layer hits nothing, unless it is a
    /// detector.
    pub layers: u32,
    /// The layers that the body hits, one bit each; all by default.
    pub mask: u32,
    /// True if the body is a detector: it hits the bodies on the layers of its mask even if they do not hit its own.
    /// False by default.
    pub detector: bool,
    /// The group: bodies of the same group do not hit each other, such as a ship and its own shots. 0, the default, is
    /// no group.
    pub group: u32,
    /// Whether the body is switched on, as it is by default. A body that is off hits nothing, and no query finds it.
    pub enabled: bool,
    /// A number for the caller's own use, such as an entity id; the world only stores it. 0 by default.
    pub tag: u64,
}

impl Body {
    /// Creates a body of `shape` at a position in units: unturned, at rest, on layer 1, hitting all layers, in no
    /// group.
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
            layers: 1,
            mask: u32::MAX,
            detector: false,
            group: 0,
            enabled: true,
            tag: 0,
        }
    }

    /// Sets rotation, scale, flip and shear. Some make the body empty: see [`Body::linear`].
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

    /// Sets the motion within the step, in units.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).moving([5, 0]))?;
    /// assert_eq!(world.swept_bounds(id).unwrap().max.units(), [6.0, 1.0]); // the whole motion included
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn moving(self, motion: impl Into<Vec2>) -> Self {
        Self { motion: motion.into(), ..self }
    }

    /// Sets the layers that the body is on and the mask of those that it hits, one bit each. Two bodies can hit only if
    /// each is on a layer of the other's mask, or if one is a [detector](Body::detector).
    ///
    /// In `Box2D` they are `categoryBits` and `maskBits`, in rapier `memberships` and `filter`, with the same rule.
    /// Godot uses the same two names, but there one of the two masks is enough, as it is here for detectors.
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
    pub fn filtered(self, layers: u32, mask: u32) -> Self {
        Self { layers, mask, ..self }
    }

    /// Makes the body a detector, or no longer one, such as a zone, a trigger or an enemy's field of view. A detector
    /// sees by its own mask alone: it hits the bodies on the layers of its mask, whatever these hit. It hits other
    /// bodies only if they are detectors that see it. Godot's areas do the same.
    ///
    /// The pair is like any other, with the lower index first. [`World::sees`](crate::World::sees) tells which of the
    /// two sees the other. Queries, stops and sweeps of the other body do not notice the detector.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let [ball, box_] = [world.add_shape(Shape::circle(1.0)?)?, world.add_shape(Shape::rect(8.0, 8.0)?)?];
    /// let [player, wall, zone] = [1, 2, 4];
    /// let hero = world.add(&Body::new(ball, [4, 4]).filtered(player, wall))?;
    /// let zone = world.add(&Body::new(box_, [0, 0]).filtered(zone, player).detector(true))?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[hero.index(), zone.index()]]);
    /// assert!(world.sees(zone, hero)? && !world.sees(hero, zone)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "sensor")]
    #[must_use]
    pub fn detector(self, detector: bool) -> Self {
        Self { detector, ..self }
    }

    /// Sets the group.
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

    /// Sets the number for the caller's own use.
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

    /// Switches the body on or off.
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

/// Returns the name of a body in error messages.
pub(crate) fn body_at(index: impl std::fmt::Display) -> String {
    format!("body {index}")
}
