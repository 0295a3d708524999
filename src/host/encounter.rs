//! A body with all its hits, from a step or a query, and all its neighbours: turns hits into impacts, and finds the
//! first one that stops it.

use super::impact::Impact;
use super::moment::{gone, hits_at_rest};
use super::side::{ABOUT, Obstacle, Obstacles};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::sorting::sort_by_key;
use crate::ground::ticks::come;
use crate::ground::touch::Touch;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF};

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

/// A body, its hits, and its neighbours.
pub(super) struct Encounter<'a> {
    world: &'a World,
    body: Body,
    /// The hits by tick, then in the order of the answer.
    met: Vec<Met>,
    /// Finds the bodies that it sees whose bounds meet a box, as they stand at the start.
    near: &'a dyn Fn(&Aabb) -> Vec<Neighbour>,
}

/// The hit that stops a body.
pub(super) struct Halt {
    pub(super) impact: Impact,
    /// The direction along the side in which the side ends at once.
    pub(super) lip: Option<[f64; 2]>,
    pub(super) met: Met,
}

impl<'a> Encounter<'a> {
    pub(super) fn new(
        world: &'a World,
        body: Body,
        mut met: Vec<Met>,
        near: &'a dyn Fn(&Aabb) -> Vec<Neighbour>,
    ) -> Self {
        sort_by_key(&mut met, |met| (met.tick, met.hit));
        Self { world, body, met, near }
    }

    /// Returns the hits from the body's point of view, in the order of the answer.
    pub(super) fn impacts(self) -> Vec<Impact> {
        let mut impacts: Vec<Impact> =
            self.met.iter().map(|met| self.halt(met, &self.about(met), &[]).impact).collect();
        sort_by_key(&mut impacts, |impact| impact.hit);
        impacts
    }

    /// Returns the first hit that counts. The side is that of all bodies that count at the same place.
    pub(super) fn first(&self, counts: impl Fn(&Impact) -> bool) -> Option<Halt> {
        self.met.chunk_by(|a, b| a.tick == b.tick).find_map(|at_once| {
            let told = at_once.iter().map(|met| (met, self.about(met)));
            let told = told.map(|(met, about)| (self.halt(met, &about, &[]), about));
            let mut counted: Vec<(Halt, Vec<Neighbour>)> = told.filter(|(halt, _)| counts(&halt.impact)).collect();
            if counted.is_empty() {
                return None;
            }
            let (first, mut about) = counted.swap_remove(0);
            let others: Vec<BodyId> = counted.iter().map(|(halt, _)| halt.met.id).collect();
            // Neighbours are passed to `counts` as if they were hit at this place.
            let is_counted = |(id, _): &Neighbour| {
                let at_once = at_once.iter().any(|met| met.id == *id);
                let counts = |id| counts(&Impact { other: id, ..first.impact });
                others.contains(id) || (!at_once && counts(*id))
            };
            let all = about.len();
            about.retain(is_counted);
            let same = first.impact.tick == 0 || (about.len() == all && others.is_empty());
            Some(if same { first } else { self.halt(&first.met, &about, &others) })
        })
    }

    /// Computes the impact of a hit, with the neighbours `about` in the way too, of which those in `at_once` are hit at
    /// the same tick.
    fn halt(&self, met: &Met, about: &[Neighbour], at_once: &[BodyId]) -> Halt {
        let &Met { hit, id, other, tick, .. } = met;
        let approach = (self.body.motion - other.motion).units();
        let touch = |id: BodyId| {
            let met = self.met.iter().find(|met| met.id == id);
            met.map_or(self.world.touch(), |met| met.touch)
        };
        let side = (tick > 0).then(|| {
            let others = about.iter().map(|&(id, body)| Obstacle { body, touch: touch(id) });
            let all: Vec<Obstacle> =
                std::iter::once(Obstacle { body: other, touch: met.touch }).chain(others).collect();
            let is_hit = |k: usize| k == 0 || at_once.contains(&about[k - 1].0);
            Obstacles::new(self.world.packed(), &self.body, tick, &all).side(is_hit, |_| true)
        });
        let normal = match side {
            None => [0.0; 2],
            Some(None) => back(approach),
            Some(Some(side)) => side.normal,
        };
        let lip = side.flatten().and_then(|side| side.lip);
        Halt { impact: Impact { hit, other: id, tick, normal, approach }, lip, met: *met }
    }

    /// Collects the neighbours of a hit that may be in the way there, other than the body that is hit, leaving out
    /// those that the body hit before or overlaps from the start.
    fn about(&self, met: &Met) -> Vec<Neighbour> {
        if met.tick == 0 || self.body.is(EMPTY) || met.other.is(EMPTY) {
            return Vec::new();
        }
        let motion = self.body.motion - met.other.motion;
        let [before, now] = [met.tick - 1, met.tick].map(|tick| come(motion, tick));
        // A sprite may be a pixel or two off its way.
        let near = self.body.reach().moved(before).swept(now - before).grown(ABOUT + 512);
        let mut about = (self.near)(&near);
        about.retain(|(id, other)| {
            let hit = self.met.iter().find(|met| met.id == *id);
            let before = || {
                let start = gone(&self.body, Point::ZERO);
                hits_at_rest(self.world.packed(), &start, &gone(other, Point::ZERO), Touch::Excluded)
            };
            *id != met.id && !hit.map_or_else(before, |hit| hit.tick < met.tick)
        });
        about
    }
}

/// Returns the unit vector opposite to a motion.
fn back([x, y]: [f64; 2]) -> [f64; 2] {
    let length = (x * x + y * y).sqrt();
    if length > 0.0 { [0.0 - x / length, 0.0 - y / length] } else { [0.0; 2] }
}

impl World {
    /// Collects the bodies, except itself, that a body sees and whose bounds within the step meet a box.
    pub(super) fn neighbours(&self, body: &Body, own: Option<BodyId>, near: &Aabb) -> Vec<Neighbour> {
        let packed = self.packed();
        let bounds = packed.bounds.iter().enumerate().filter(|(_, bounds)| bounds.meets(near, Touch::Included));
        let bodies = bounds.filter_map(|(index, _)| Some((self.id(index as u32)?, packed.body(index))));
        bodies.filter(|&(id, ref other)| own != Some(id) && is_seen(body, other)).collect()
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
