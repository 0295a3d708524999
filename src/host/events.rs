//! What began, what goes on and what ended between two steps.
//!
//! Both lists of pairs ascend, so one pass over both tells all, as a merge does. Bodies are compared by their handles:
//! a body that is gone ends its pairs, and one that has its index now begins anew.

use crate::ground::error::Result;
use crate::hits::Hits;
use crate::world::World;
use crate::world::body::BodyId;

/// The pairs of a step against those of the step before, by body.
///
/// It keeps its memory from step to step.
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
    /// Those of the step before it.
    before: Vec<[BodyId; 2]>,
    began: Vec<Event>,
    stayed: Vec<Event>,
    ended: Vec<[BodyId; 2]>,
}

/// A pair that hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its bodies, lower index first.
    pub pair: [BodyId; 2],
    /// Its index in [`Hits::pairs`], and in [`Hits::details`] where these were asked for.
    pub hit: usize,
}

impl Events {
    /// Takes in the answer to the next step, whose pairs must have been asked for. Call it before bodies are added to
    /// `world` or removed, as the answer names them by their indices; places may change. For an answer that comes later
    /// than that, as of a step in flight, give it a clone of the world as it was.
    ///
    /// A pair of an index at which nothing is, as of an answer to another world, is left out. An
    /// [`Error::Value`](crate::Error::Value) for an answer of flags alone in which anything hits: then nothing has
    /// changed here.
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
    /// let again = world.add(&Body::new(ball, [1, 0]))?; // it has the index of the one that is gone
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

    /// The pairs that hit in the last step, but not in the one before, in order.
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

    /// The pairs that hit in the last step and in the one before, in order.
    ///
    /// ```
    /// assert!(hitmask::response::Events::default().stayed().is_empty());
    /// ```
    #[must_use]
    pub fn stayed(&self) -> &[Event] {
        &self.stayed
    }

    /// The pairs that hit in the step before, but not in the last, in order; their bodies may be gone.
    ///
    /// ```
    /// assert!(hitmask::response::Events::default().ended().is_empty());
    /// ```
    #[must_use]
    pub fn ended(&self) -> &[[BodyId; 2]] {
        &self.ended
    }
}
