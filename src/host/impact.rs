//! A hit as one body of the pair sees it.

use crate::world::body::BodyId;

/// A hit, as one body of the pair sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Impact {
    /// The index of the hit in the answer: in [`Hits::pairs`](crate::Hits::pairs) and
    /// [`Hits::details`](crate::Hits::details), or in the list of [`BodyHit`](crate::query::BodyHit)s.
    pub hit: usize,
    /// The other body of the pair.
    pub other: BodyId,
    /// The tick of the hit, 0 to 65,536; 0 if neither body moves.
    pub tick: u32,
    /// The outward unit normal of the side that the body meets: an edge that faces the motion, on the common outline of
    /// everything in its way there ([contract](crate::contract), "The side that is met"). `[0, 0]` at tick 0, where the
    /// two hit from the start; [`World::contact`](crate::World::contact) and
    /// [`World::probe_contact`](crate::World::probe_contact) then give the way out.
    pub normal: [f64; 2],
    /// The body's motion in the step relative to the other body, in units.
    pub approach: [f64; 2],
}

impl Impact {
    /// Returns whether the body comes down onto the other from above, with `up` as the upward direction. Use it for
    /// one-way platforms. Always false if the two hit from the start of the step, for example halfway through a jump.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let plank = world.add_shape(Shape::rect(20.0, 1.0)?)?;
    /// let crate_ = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// world.add(&Body::new(plank, [0, 10]))?;
    /// let mut engine = Engine::cpu()?;
    /// for (at, motion, lands) in [([5, 5], [0, 6], true), ([5, 15], [0, -6], false), ([5, 9], [0, 1], false)] {
    ///     let hero = world.add(&Body::new(crate_, at).moving(motion))?;
    ///     let hits = engine.run(&world, Ask::Details)?;
    ///     assert!(world.impacts(hero, &hits)?.all(|impact| impact.lands([0.0, -1.0]) == lands));
    ///     world.remove(hero)?;
    /// }
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn lands(&self, up: [f64; 2]) -> bool {
        let along = |v: [f64; 2]| v[0] * up[0] + v[1] * up[1];
        self.tick > 0 && along(self.normal) > 0.0 && along(self.approach) < 0.0
    }
}
