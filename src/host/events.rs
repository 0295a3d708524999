//! The pairs that began, stayed and ended between two steps.
//!
//! Both lists of pairs ascend, so one pass merges them. Bodies are compared by handle: a removed body ends its pairs,
//! and a new body at its index begins new ones.

use crate::ground::error::Result;
use crate::hits::Hits;
use crate::world::World;
use crate::world::body::BodyId;

/// A tracker of colliding pairs from step to step, by body: those that began, stayed and ended.
///
/// Buffers are reused from step to step.
///
/// ```
/// use hitmask::response::Events;
/// use hitmask::{Ask, Body, Engine, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ship = world.add(&Body::new(ball, [0, 0]))?;
/// let shot = world.add(&Body::new(ball, [9, 0]))?;
/// let (mut engine, mut events) = (Engine::cpu()?, Events::default());
/// for (x, expected) in [(9, [0, 0, 0]), (1, [1, 0, 0]), (1, [0, 1, 0]), (9, [0, 0, 1])] {
///     world.set(shot, &Body::new(ball, [x, 0]))?;
///     events.update(&world, &engine.run(&world, Ask::Pairs)?)?;
///     assert_eq!([events.began().len(), events.stayed().len(), events.ended().len()], expected);
/// }
/// assert_eq!(events.ended(), [[ship, shot]]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// The pairs of the last step, in its order.
    pairs: Vec<[BodyId; 2]>,
    /// The pairs of the step before the last.
    before: Vec<[BodyId; 2]>,
    began: Vec<Event>,
    stayed: Vec<Event>,
    ended: Vec<[BodyId; 2]>,
}

/// A colliding pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Event {
    /// The two bodies, lower index first.
    pub pair: [BodyId; 2],
    /// The index of the pair in [`Hits::pairs`], and in [`Hits::details`] if the step was run with details.
    pub hit: usize,
}

impl Events {
    /// Records the answer of the next step, which must have been run with pairs. Call it before adding bodies to
    /// `world` or removing any, since the answer names bodies by index; positions may change. If the answer comes
    /// later, as from a step in flight, pass a clone of the world as it was.
    ///
    /// Pairs with an index at which the world has no body, as in an answer for another world, are left out. Returns
    /// [`Error::Value`](crate::Error::Value) for an answer of flags alone that shows hits; `self` is then unchanged.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [1, 0]))?];
    /// let (mut engine, mut events) = (Engine::cpu()?, Events::default());
    /// events.update(&world, &engine.run(&world, Ask::Pairs)?)?;
    /// world.remove(ids[1])?;
    /// let again = world.add(&Body::new(ball, [1, 0]))?; // reuses the index of the removed body
    /// events.update(&world, &engine.run(&world, Ask::Pairs)?)?;
    /// assert_eq!((events.ended(), events.began()[0].pair), ([ids].as_slice(), [ids[0], again]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn update(&mut self, world: &World, hits: &Hits) -> Result<()> {
        hits.has_pairs()?;
        let Self { pairs, before, began, stayed, ended } = self;
        std::mem::swap(pairs, before);
        pairs.clear();
        began.clear();
        stayed.clear();
        ended.clear();
        let mut past = before.iter().copied().peekable();
        for (hit, &[i, j]) in hits.pairs.iter().enumerate() {
            let (Some(a), Some(b)) = (world.id(i), world.id(j)) else { continue };
            let pair = [a, b];
            let index = |pair: &[BodyId; 2]| pair.map(BodyId::index);
            while let Some(pair) = past.next_if(|past| index(past) < [i, j]) {
                ended.push(pair);
            }
            match past.next_if(|past| index(past) == [i, j]) {
                Some(past) if past == pair => stayed.push(Event { pair, hit }),
                other => {
                    ended.extend(other);
                    began.push(Event { pair, hit });
                }
            }
            pairs.push(pair);
        }
        ended.extend(past);
        Ok(())
    }

    /// Returns the pairs that hit in the last step but not in the one before, in order.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// for x in [0, 1] {
    ///     world.add(&Body::new(ball, [x, 0]).tagged(x as u64))?;
    /// }
    /// let (hits, mut events) = (Engine::cpu()?.run(&world, Ask::Details)?, Events::default());
    /// events.update(&world, &hits)?;
    /// let began = events.began()[0];
    /// assert_eq!(began.pair.map(|id| world.body(id).unwrap().tag), [0, 1]);
    /// assert_eq!(hits.details[began.hit].time, None); // neither moves
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn began(&self) -> &[Event] {
        &self.began
    }

    /// Returns the pairs that hit in both of the last two steps, in order.
    ///
    /// ```
    /// assert!(hitmask::response::Events::default().stayed().is_empty());
    /// ```
    #[must_use]
    pub fn stayed(&self) -> &[Event] {
        &self.stayed
    }

    /// Returns the pairs that hit in the step before but not in the last, in order. Their bodies may have been removed.
    ///
    /// ```
    /// assert!(hitmask::response::Events::default().ended().is_empty());
    /// ```
    #[must_use]
    pub fn ended(&self) -> &[[BodyId; 2]] {
        &self.ended
    }
}
