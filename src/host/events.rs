//! The pairs that began, stayed and ended between two steps.
//!
//! Both lists of pairs ascend, so one pass merges them. Bodies are compared by handle: a removed body ends its pairs,
//! and a new body at its index begins new ones. Tags are kept with each pair, because a body may be gone when it ends.

mod save;

use crate::ground::error::Result;
use crate::hits::Hits;
use crate::world::World;
use crate::world::body::BodyId;

/// A tracker of colliding pairs from step to step, by body: those that began, stayed and ended.
///
/// Buffers are reused from step to step. `clone_from` reuses them too, for a ring of states.
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
/// assert_eq!(events.ended()[0].pair, [ship, shot]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Events {
    /// The pairs of the last step, in its order.
    pairs: Vec<TaggedPair>,
    /// The pairs of the step before, while the next is being recorded; its memory is used again.
    before: Vec<TaggedPair>,
    began: Vec<Event>,
    stayed: Vec<Event>,
    ended: Vec<TaggedPair>,
}

impl Clone for Events {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        self.pairs.clone_from(&source.pairs);
        self.began.clone_from(&source.began);
        self.stayed.clone_from(&source.stayed);
        self.ended.clone_from(&source.ended);
    }
}

impl PartialEq for Events {
    fn eq(&self, other: &Self) -> bool {
        self.pairs == other.pairs
            && self.began == other.began
            && self.stayed == other.stayed
            && self.ended == other.ended
    }
}

impl Eq for Events {}

/// A colliding pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Event {
    /// The two bodies, lower index first.
    pub pair: [BodyId; 2],
    /// The tags of the two bodies at the last step.
    pub tags: [u64; 2],
    /// The index of the pair in [`Hits::pairs`], and in [`Hits::details`] if the step was run with details.
    pub hit: usize,
}

impl Event {
    /// Returns the event with its bodies in the order of the two tests, `first` before `second`, swapped if need be;
    /// `None` if they pass in neither order. A test gets a body and its tag. If both orders pass, the event stays as it
    /// is.
    ///
    /// This finds the pairs of two kinds. In [`Hits::details`] the body with the lower index stays first.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// const BULLET: u64 = 1;
    /// const SHIP: u64 = 2;
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ship = world.add(&Body::new(ball, [0, 0]).tagged(SHIP))?;
    /// let bullet = world.add(&Body::new(ball, [1, 0]).tagged(BULLET))?;
    /// let rock = world.add(&Body::new(ball, [0, 1]))?;
    /// let mut events = Events::default();
    /// events.update(&world, &Engine::cpu()?.run(&world, Ask::Pairs)?)?;
    /// assert_eq!(events.began().len(), 3);
    ///
    /// // All pairs that began of a bullet and a ship, bullet first:
    /// let shots = events.began().iter().filter_map(|event| event.between(|_, t| t == BULLET, |_, t| t == SHIP));
    /// assert_eq!(shots.map(|event| event.pair).collect::<Vec<_>>(), [[bullet, ship]]);
    ///
    /// // If layers tell the kinds:
    /// let is_on = |id, layer: u32| world.body(id).is_some_and(|body| body.layers & layer != 0);
    /// assert!(events.began()[0].between(|id, _| is_on(id, 2), |id, _| is_on(id, 4)).is_none());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn between(self, first: impl Fn(BodyId, u64) -> bool, second: impl Fn(BodyId, u64) -> bool) -> Option<Self> {
        let Self { pair, tags, hit } = self;
        TaggedPair { pair, tags }.between(first, second).map(|pair| pair.event(hit))
    }
}

/// Two bodies that hit each other, with their tags. For a pair that ended, the bodies may have been removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaggedPair {
    /// The two bodies, lower index first unless [`TaggedPair::between`] has swapped them.
    pub pair: [BodyId; 2],
    /// The tags of the two bodies at the last step in which they hit.
    pub tags: [u64; 2],
}

impl TaggedPair {
    /// Returns the pair with its bodies in the order of the two tests, as [`Event::between`] does.
    ///
    /// ```
    /// use hitmask::response::Events;
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [man, plate] = [7, 8].map(|tag| world.add(&Body::new(ball, [0, 0]).tagged(tag)));
    /// let [man, plate] = [man?, plate?];
    /// let (mut engine, mut events) = (Engine::cpu()?, Events::default());
    /// events.update(&world, &engine.run(&world, Ask::Pairs)?)?;
    /// world.remove(man)?;
    /// events.update(&world, &engine.run(&world, Ask::Pairs)?)?;
    /// let released = events.ended()[0].between(|_, tag| tag == 8, |_, tag| tag == 7).unwrap();
    /// assert_eq!((released.pair, released.tags), ([plate, man], [8, 7])); // though the man is gone
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn between(self, first: impl Fn(BodyId, u64) -> bool, second: impl Fn(BodyId, u64) -> bool) -> Option<Self> {
        let Self { pair: [a, b], tags: [of_a, of_b] } = self;
        if first(a, of_a) && second(b, of_b) {
            return Some(self);
        }
        (first(b, of_b) && second(a, of_a)).then_some(Self { pair: [b, a], tags: [of_b, of_a] })
    }

    fn indices(&self) -> [u32; 2] {
        self.pair.map(BodyId::index)
    }

    fn event(self, hit: usize) -> Event {
        let Self { pair, tags } = self;
        Event { pair, tags, hit }
    }
}

impl Events {
    /// Records the answer of the next step, which must have been run with pairs. Call it before adding bodies to
    /// `world`, since the answer names bodies by index; positions may change. If the answer comes later, as from a step
    /// in flight, pass a clone of the world as it was. Pairs of a body that was removed since are left out.
    ///
    /// Returns [`Error::Value`](crate::Error::Value) for an answer of flags alone that shows hits, and for one of
    /// another world or from before a body was added, whose indices may name other bodies; `self` is then unchanged.
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
    /// assert_eq!([events.ended()[0].pair, events.began()[0].pair], [ids, [ids[0], again]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn update(&mut self, world: &World, hits: &Hits) -> Result<()> {
        hits.has_pairs()?;
        world.check_hits(hits)?;
        let Self { pairs, before, began, stayed, ended } = self;
        std::mem::swap(pairs, before);
        pairs.clear();
        began.clear();
        stayed.clear();
        ended.clear();
        let mut past = before.iter().copied().peekable();
        for (hit, &[i, j]) in hits.pairs.iter().enumerate() {
            let (Some((a, of_a)), Some((b, of_b))) = (world.tagged(i), world.tagged(j)) else { continue };
            let now = TaggedPair { pair: [a, b], tags: [of_a, of_b] };
            while let Some(past) = past.next_if(|past| past.indices() < [i, j]) {
                ended.push(past);
            }
            match past.next_if(|past| past.indices() == [i, j]) {
                Some(past) if past.pair == now.pair => stayed.push(now.event(hit)),
                other => {
                    ended.extend(other);
                    began.push(now.event(hit));
                }
            }
            pairs.push(now);
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
    /// assert_eq!(began.tags, [0, 1]);
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

    /// Returns the pairs that hit in the step before but not in the last, in order. Their bodies may have been removed;
    /// their tags are those of the step before.
    ///
    /// ```
    /// assert!(hitmask::response::Events::default().ended().is_empty());
    /// ```
    #[must_use]
    pub fn ended(&self) -> &[TaggedPair] {
        &self.ended
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::body::Body;
    use crate::world::shape::Shape;

    /// Returns a world of balls in one place, with these tags.
    fn balls<const N: usize>(tags: [u64; N]) -> (World, [BodyId; N]) {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let ids = tags.map(|tag| world.add(&Body::new(ball, [0, 0]).tagged(tag)).unwrap());
        (world, ids)
    }

    /// Returns the answer with these pairs.
    fn hits(pairs: &[[u32; 2]]) -> Hits {
        Hits { pairs: pairs.to_vec(), ..Hits::default() }
    }

    #[test]
    fn a_pair_that_ended_has_the_tags_of_its_last_step() {
        let (mut world, [a, b]) = balls([1, 2]);
        let body = world.body(b).unwrap();
        let mut events = Events::default();
        events.update(&world, &hits(&[[0, 1]])).unwrap();
        assert_eq!(events.began(), [Event { pair: [a, b], tags: [1, 2], hit: 0 }]);
        world.set(b, &body.tagged(3)).unwrap();
        events.update(&world, &hits(&[[0, 1]])).unwrap();
        assert_eq!(events.stayed(), [Event { pair: [a, b], tags: [1, 3], hit: 0 }], "the pair is not new");
        world.remove(b).unwrap();
        let other = world.add(&body.tagged(4)).unwrap();
        events.update(&world, &hits(&[[0, 1]])).unwrap();
        assert_eq!(events.ended(), [TaggedPair { pair: [a, b], tags: [1, 3] }]);
        assert_eq!(events.began(), [Event { pair: [a, other], tags: [1, 4], hit: 0 }]);
    }

    #[test]
    fn a_pair_of_two_kinds_is_put_in_their_order() {
        let (world, [a, b, c]) = balls([1, 2, 2]);
        let mut events = Events::default();
        events.update(&world, &hits(&[[0, 1], [0, 2], [1, 2]])).unwrap();
        let is = |kind: u64| move |_: BodyId, tag: u64| tag == kind;
        let found = |first: u64, second: u64| -> Vec<Event> {
            events.began().iter().filter_map(|event| event.between(is(first), is(second))).collect()
        };
        let event = |pair, tags, hit| Event { pair, tags, hit };
        assert_eq!(found(1, 2), [event([a, b], [1, 2], 0), event([a, c], [1, 2], 1)]);
        assert_eq!(found(2, 1), [event([b, a], [2, 1], 0), event([c, a], [2, 1], 1)]);
        assert_eq!(found(2, 2), [event([b, c], [2, 2], 2)], "both orders pass");
        assert_eq!(found(1, 1), []);
        let by_body = events.began()[1].between(|id, _| id == c, |id, _| id == a);
        assert_eq!(by_body, Some(event([c, a], [2, 1], 1)));
    }
}
