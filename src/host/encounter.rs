//! A body with all its hits, from a step or a query, and all its neighbours: turns hits into impacts, and finds the
//! first one that stops it.

use std::cell::OnceCell;

use super::impact::Impact;
use super::moment::{gone, hits_at_rest};
use super::outline::Side;
use super::side::{ABOUT, Obstacle, Obstacles};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::sorting::{sort, sort_by_key};
use crate::ground::ticks::come;
use crate::ground::touch::Touch;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF};

/// How far from the body a neighbour may be, in lattice steps: a sprite may be a pixel or two off its way.
const BEYOND: i32 = ABOUT + 512;

/// A hit of the body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Met {
    /// The index of the hit in the answer.
    pub(super) hit: usize,
    pub(super) id: BodyId,
    /// The other body.
    pub(super) other: Body,
    pub(super) tick: u32,
    /// The touch rule against the other body.
    pub(super) touch: Touch,
    /// Whether the body is the second of the pair.
    pub(super) second: bool,
}

/// A body of the world, with its handle.
pub(crate) type Neighbour = (BodyId, Body);

/// Finds the bodies that a body sees whose bounds meet a box, as they stand at the start. It may leave out bodies that
/// are hit before a tick.
pub(super) type Near<'a> = &'a dyn Fn(&Aabb, u32) -> Vec<Neighbour>;

/// A body, its hits, and its neighbours.
pub(super) struct Encounter<'a> {
    world: &'a World,
    body: &'a Body,
    /// The hits by tick, then in the order of the answer.
    met: Vec<Met>,
    /// The bodies that are hit, sorted, each with its index in `met`.
    places: Vec<(BodyId, usize)>,
    near: Near<'a>,
}

/// The hit that stops a body.
pub(super) struct Halt {
    pub(super) impact: Impact,
    /// The direction along the side in which the side ends at once.
    pub(super) lip: Option<[f64; 2]>,
    pub(super) met: Met,
}

/// The surroundings of hits at one tick, on bodies that move alike.
struct Around<'a> {
    /// The bodies that may be in the way there, among them those that are hit.
    bodies: Vec<Neighbour>,
    obstacles: Obstacles<'a>,
    /// True if they serve a single hit, because `near` does not find its body. That body is the last.
    is_private: bool,
}

impl<'a> Encounter<'a> {
    pub(super) fn new(world: &'a World, body: &'a Body, mut met: Vec<Met>, near: Near<'a>) -> Self {
        sort_by_key(&mut met, |met| (met.tick, met.hit));
        let mut places: Vec<(BodyId, usize)> = met.iter().map(|met| met.id).zip(0..).collect();
        sort(&mut places);
        Self { world, body, met, places, near }
    }

    /// Returns the hits from the body's point of view, in the order of the answer.
    pub(super) fn impacts(&self) -> Vec<Impact> {
        let mut impacts = Vec::with_capacity(self.met.len());
        for at_once in self.met.chunk_by(|a, b| a.tick == b.tick) {
            let mut known = Vec::new();
            impacts.extend(at_once.iter().map(|met| self.halt(met, &mut known).0.impact));
        }
        sort_by_key(&mut impacts, |impact| impact.hit);
        impacts
    }

    /// Returns the first hit that counts. The side is that of all bodies that count at the same place.
    pub(super) fn first(&self, counts: impl Fn(&Impact) -> bool) -> Option<Halt> {
        self.met.chunk_by(|a, b| a.tick == b.tick).find_map(|at_once| {
            let mut known = Vec::new();
            let halts = at_once.iter().map(|met| self.halt(met, &mut known));
            let mut counted = halts.filter(|(halt, _)| counts(&halt.impact));
            let (first, around) = counted.next()?;
            let mut others: Vec<BodyId> = counted.map(|(halt, _)| halt.met.id).collect();
            sort(&mut others);
            let Some(around) = around.map(|k| &known[k]) else { return Some(first) };
            let Met { id, tick, .. } = first.met;
            let is_hit = |other: BodyId| other == id || others.binary_search(&other).is_ok();
            // Neighbours are passed to `counts` as if they were hit at this place.
            let is_counted = |&&(other, _): &&Neighbour| {
                let is_met_now = || self.hit(other).is_some_and(|met| met.tick == tick);
                is_hit(other) || (!is_met_now() && counts(&Impact { other, ..first.impact }))
            };
            let bodies: Vec<Neighbour> = around.bodies.iter().filter(is_counted).copied().collect();
            if bodies.len() == around.bodies.len() && others.is_empty() {
                return Some(first);
            }
            let side = self.obstacles(&first.met, &bodies).side(&|k| is_hit(bodies[k].0));
            Some(self.stopped(&first.met, side))
        })
    }

    /// Computes the impact of a hit, and returns the index in `known` of its surroundings, which are added if no others
    /// suit: `None` for a hit from the start or of an empty body.
    fn halt(&self, met: &Met, known: &mut Vec<Around<'a>>) -> (Halt, Option<usize>) {
        if met.tick == 0 || self.body.is(EMPTY) || met.other.is(EMPTY) {
            return (self.stopped(met, None), None);
        }
        let k = known.iter().position(|around| around.suits(met)).unwrap_or_else(|| {
            known.push(self.around(met));
            known.len() - 1
        });
        let Around { bodies, obstacles, .. } = &known[k];
        let own = bodies.iter().position(|(id, _)| *id == met.id);
        (self.stopped(met, obstacles.side(&|k| Some(k) == own)), Some(k))
    }

    /// Returns a hit that stops the body at a side.
    fn stopped(&self, met: &Met, side: Option<Side>) -> Halt {
        let &Met { hit, id: other, tick, .. } = met;
        let approach = (self.body.motion - met.other.motion).units();
        let normal = match side {
            _ if tick == 0 => [0.0; 2],
            None => back(approach),
            Some(side) => side.normal,
        };
        Halt { impact: Impact { hit, other, tick, normal, approach }, lip: side.and_then(|side| side.lip), met: *met }
    }

    /// Returns the first hit of a body.
    fn hit(&self, id: BodyId) -> Option<&Met> {
        first_of(&self.places, id).map(|place| &self.met[place])
    }

    /// Returns the surroundings of a hit, without the bodies that the body hit before or overlaps from the start.
    fn around(&self, met: &Met) -> Around<'a> {
        let motion = self.body.motion - met.other.motion;
        let [before, now] = [met.tick - 1, met.tick].map(|tick| come(motion, tick));
        let mut bodies = (self.near)(&self.body.reach().moved(before).swept(now - before).grown(BEYOND), met.tick);
        let start = gone(self.body, Point::ZERO);
        let overlaps =
            |other: &Body| hits_at_rest(self.world.packed(), &start, &gone(other, Point::ZERO), Touch::Excluded);
        bodies.retain(|(id, other)| match self.hit(*id) {
            Some(hit) => hit.tick >= met.tick,
            None => !overlaps(other),
        });
        let is_private = bodies.iter().all(|(id, _)| *id != met.id);
        if is_private {
            bodies.push((met.id, met.other));
        }
        Around { obstacles: self.obstacles(met, &bodies), bodies, is_private }
    }

    /// Returns some bodies as obstacles at the place of a hit.
    fn obstacles(&self, met: &Met, bodies: &[Neighbour]) -> Obstacles<'a> {
        let touch = |id: BodyId| self.hit(id).map_or(self.world.touch(), |met| met.touch);
        let all = bodies.iter().map(|&(id, body)| Obstacle { body, touch: touch(id) }).collect();
        Obstacles::new(self.world.packed(), self.body, met.tick, &met.other, all)
    }
}

impl Around<'_> {
    /// Returns whether these are also the surroundings of another hit at the same tick.
    fn suits(&self, met: &Met) -> bool {
        !self.is_private && self.obstacles.suit(&met.other) && self.bodies.iter().any(|(id, _)| *id == met.id)
    }
}

/// Returns the first entry of a body in a sorted list.
fn first_of<T: Copy>(sorted: &[(BodyId, T)], id: BodyId) -> Option<T> {
    let entry = sorted.get(sorted.partition_point(|(other, _)| *other < id));
    entry.filter(|(other, _)| *other == id).map(|(_, found)| *found)
}

/// Returns the unit vector opposite to a motion.
fn back([x, y]: [f64; 2]) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { [0.0 - x / length, 0.0 - y / length] } else { [0.0; 2] }
}

impl World {
    /// Returns a function that collects the bodies, except itself, that a body sees and whose bounds within the step
    /// meet a box near its way to some hits, without those hit before a tick. All bodies are searched when it is first
    /// called.
    pub(super) fn neighbours<'s>(
        &'s self,
        body: &Body,
        own: Option<BodyId>,
        met: &[Met],
    ) -> impl Fn(&Aabb, u32) -> Vec<Neighbour> + use<'s> {
        let (packed, body) = (self.packed(), *body);
        let solid = met.iter().filter(|met| !body.is(EMPTY) && !met.other.is(EMPTY));
        let ways = solid.map(|met| body.reach().swept(body.motion - met.other.motion).grown(BEYOND));
        let way = ways.reduce(|a, b| a.join(&b)).unwrap_or(Aabb::NOWHERE);
        let mut ticks: Vec<(BodyId, u32)> = met.iter().map(|met| (met.id, met.tick)).collect();
        sort(&mut ticks);
        let all = OnceCell::new();
        move |near, tick| {
            // Each with its bounds, and the tick of its first hit.
            let all: &Vec<(Aabb, u32, Neighbour)> = all.get_or_init(|| {
                let on_way = packed.bounds.iter().enumerate().filter(|(_, bounds)| bounds.meets(&way, Touch::Included));
                let bodies = on_way.filter_map(|(k, bounds)| Some((*bounds, (self.id(k as u32)?, packed.body(k)))));
                let seen = bodies.filter(|(_, (id, other))| own != Some(*id) && is_seen(&body, other));
                seen.map(|(bounds, (id, other))| (bounds, first_of(&ticks, id).unwrap_or(u32::MAX), (id, other)))
                    .collect()
            });
            let here = |(bounds, met, _): &&(Aabb, u32, Neighbour)| *met >= tick && bounds.meets(near, Touch::Included);
            all.iter().filter(here).map(|(.., neighbour)| *neighbour).collect()
        }
    }
}

/// Returns whether `body` sees `other`, and `other` is neither empty nor switched off.
pub(crate) fn is_seen(body: &Body, other: &Body) -> bool {
    !other.is(EMPTY) && !other.is(OFF) && body.sees(other)
}

/// Returns whether a body that `body` hits is a detector that it does not see, so that it is not in the way.
pub(super) fn is_unseen(body: &Body, other: &Body) -> bool {
    other.sees(body) && !body.sees(other)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::index::Queries;
    use crate::world::body;
    use crate::world::shape::Shape;

    /// A bar comes down on a row of tiles, which are all hit at one tick.
    #[test]
    fn the_surroundings_of_hits_at_one_tick_are_gathered_once() {
        let mut world = World::default();
        let [tile, bar] = [1.0, 100.0].map(|width| world.add_shape(Shape::rect(width, 1.0).unwrap()).unwrap());
        for x in 0..100 {
            world.add(&body::Body::new(tile, [x, 20])).unwrap();
        }
        let (fall, mut hits) = (body::Body::new(bar, [0, 0]).moving([0, 40]), Vec::new());
        Queries::new().on(&world).all(&fall, &mut hits).unwrap();
        let (posed, met) = (world.pose_apart(&fall).unwrap(), world.met_apart(&hits));
        let (find, calls) = (world.standing_near(&posed, &met), Cell::new(0));
        let near = |bounds: &Aabb, tick: u32| {
            calls.set(calls.get() + 1);
            find(bounds, tick)
        };
        let encounter = Encounter::new(&world, &posed, met, &near);
        let impacts = encounter.impacts();
        assert_eq!((impacts.len(), calls.take()), (100, 1));
        assert!(impacts.iter().all(|impact| impact.normal == [0.0, -1.0]), "{impacts:?}");
        assert!(encounter.first(|_| true).is_some());
        assert_eq!(calls.take(), 1);
    }
}
