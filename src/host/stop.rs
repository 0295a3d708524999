//! Where a body stops before a hit.

use super::moment::gone;
use super::runs::{self, Rows};
use crate::ground::lattice::{Point, Vec2};
use crate::ground::predicate::{Core, meets};
use crate::ground::ticks::come;
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::motion::place;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE};
use crate::world::pose::land;

impl World {
    /// Where a body of a pair stands a tick before their hit, in units: where it stops, it does not hit the other, if that does not move. Nothing
    /// where they hit from the start, for a pair that does not move, and for a body that is not of the pair. `detail` is what an engine said of it.
    ///
    /// It is where [`World::place`] has the body a tick earlier, but for a lattice step where the difference of two motions is rounded otherwise
    /// than each of them. As places on a way are rounded to the lattice, a third body may be hit there, by a lattice step
    /// at most: `examples/platformer.rs` sweeps the way to the stop as well.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 50.0)?)?;
    /// let crate_ = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// world.add(&Body::new(wall, [20, 0]))?;
    /// let slider = world.add(&Body::new(crate_, [0, 10]).moving([100, 0]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// let at = world.before(slider, hits.pairs[0], &hits.details[0]).unwrap();
    /// assert_eq!(at.x, 16.0); // its right side at the wall
    /// world.set(slider, &Body::new(crate_, at))?;
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn before(&self, id: BodyId, pair: [u32; 2], detail: &Detail) -> Option<Vec2> {
        let packed = self.packed();
        let [a, b] = [self.posed(self.id(pair[0])?)?, self.posed(self.id(pair[1])?)?];
        let second = pair.iter().position(|&index| index == id.index())? == 1;
        let (body, other) = if second { (b, a) } else { (a, b) };
        let [tick, _] = detail.time?;
        let convex = !body.is(SPRITE) && !other.is(SPRITE);
        let stands = |tick: u32| {
            if convex && second && !other.moves() {
                // As engines round, who see the first body move.
                body.position - come(-body.motion, tick)
            } else {
                place(&body, tick)
            }
        };
        // The first is free, but where several pieces and a rounded way make a tick before not quite before all of them.
        let free = |at: &Point| {
            other.moves() || !hits_at_rest(packed, &gone(&body, *at - body.position), &other, self.touch())
        };
        (0..tick).rev().map(stands).find(free).map(|at| at.units().into())
    }
}

/// Whether two bodies hit where they stand, whatever their filters.
pub(super) fn hits_at_rest(packed: &Packed, a: &Body, b: &Body, touch: Touch) -> bool {
    if a.is(EMPTY) || b.is(EMPTY) {
        return false;
    }
    let (sprite, other) = if a.is(SPRITE) { (a, b) } else { (b, a) };
    if sprite.is(SPRITE) {
        let mut other = if other.is(SPRITE) {
            Rows::sprite(packed, other, touch)
        } else {
            Rows::convex(land::pieces(packed, other), other.radius, touch)
        };
        return runs::meet(&mut Rows::sprite(packed, sprite, Touch::Excluded), &mut other);
    }
    let [first, second] = [a, b].map(|body| land::pieces(packed, body));
    let radius = a.radius + b.radius;
    first.iter().any(|a| second.iter().any(|b| meets(Core::Hull(a), Core::Hull(b), Point::ZERO, radius, touch)))
}
