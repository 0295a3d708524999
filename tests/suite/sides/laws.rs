//! The laws of sides and slides, and the check whether the library keeps them in a case.

use std::collections::BTreeMap;
use std::fmt;

use hitmask::query::{Queries, Slide};
use hitmask::response::Stop;
use hitmask::scene::QuerySpec;
use hitmask::{Ask, Body, Engine, Touch, World};

use super::case::Case;
use super::hearing::{Hearing, UNIT, place, units, wide};
use super::judge::OFF;
use super::solid::{V, dot, length};
use crate::common::Setup;

/// How far a place is nudged to look for a way on, in lattice steps.
const NUDGE: i64 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Law {
    /// Each normal of a sweep or slide is that of a side at the place of its hit.
    Side,
    /// Each normal of a step is that of a side too.
    StepSide,
    /// A step agrees with the query, and so does its mirror image, in which all other bodies move toward the body.
    Mirror,
    /// A body that starts free ends free.
    Free,
    /// A slide that ends where it began had no way out.
    Stuck,
    /// No slide leads backward.
    Back,
    /// With touch included, a body that only touches something is stopped only by what it moves into.
    Touching,
}

pub(super) const LAWS: [Law; 7] =
    [Law::Side, Law::StepSide, Law::Mirror, Law::Free, Law::Stuck, Law::Back, Law::Touching];

/// A broken law, and a description.
pub(super) struct Breach {
    pub(super) law: Law,
    pub(super) how: String,
}

/// The state that checks cases: queries and an engine.
pub(super) struct Court {
    queries: Queries,
    engine: Engine,
    breaches: Vec<Breach>,
    /// The number of times each law was tested.
    pub(super) heard: BTreeMap<Law, u64>,
}

impl Court {
    pub(super) fn new() -> Self {
        Self {
            queries: Queries::new(),
            engine: Setup::threads(1).runner().engine,
            breaches: Vec::new(),
            heard: BTreeMap::new(),
        }
    }

    /// Returns the laws that are broken in a case.
    pub(super) fn hear(&mut self, case: &Case) -> Vec<Breach> {
        let hearing = Hearing::new(case);
        if self.is_free(&hearing.world, &hearing.body) {
            self.hear_free(&hearing);
        } else if case.scene.touch == Touch::Included {
            self.hear_touching(&hearing);
        }
        std::mem::take(&mut self.breaches)
    }

    /// Returns, for a case's stop, whether the judge rejects normals turned away from the right one.
    pub(super) fn finds_planted(&mut self, case: &Case) -> Vec<bool> {
        let hearing = Hearing::new(case);
        let [from, motion] = [hearing.body.at, hearing.body.motion].map(V::from);
        let stop = self.queries.on(&hearing.world).sweep(&hearing.body, |_| true).unwrap().stop;
        let right = stop.filter(|stop| stop.impact.tick > 0 && hearing.wrong(from, motion, stop).is_none());
        let turned = |mut stop: Stop, angle: f64| {
            let ([x, y], (sin, cos)) = (stop.impact.normal, angle.sin_cos());
            stop.impact.normal = [cos * x - sin * y, sin * x + cos * y];
            hearing.wrong(from, motion, &stop).is_some()
        };
        right.into_iter().flat_map(|stop| [-0.5, 0.1, 0.5, 3.0].map(|angle| turned(stop, angle))).collect()
    }

    fn find(&mut self, law: Law, how: String) {
        self.breaches.push(Breach { law, how });
    }

    fn hear_of(&mut self, law: Law) {
        *self.heard.entry(law).or_insert(0) += 1;
    }

    fn is_free(&mut self, world: &World, body: &Body) -> bool {
        self.queries.on(world).is_free(&body.moving([0, 0])).unwrap()
    }

    fn hear_free(&mut self, hearing: &Hearing<'_>) {
        let (world, body) = (&hearing.world, hearing.body);
        let sweep = self.queries.on(world).sweep(&body, |_| true).unwrap();
        let slide = self.queries.on(world).slide(&body, |_| true).unwrap();
        self.hear_of(Law::Free);
        for (what, at) in [("sweep", sweep.at), ("slide", slide.at)] {
            if !self.is_free(&hearing.world, &Body { at, ..body }) {
                self.find(Law::Free, format!("the {what} ends at {:?}, which is not free", V::from(at)));
            }
        }
        for (leg, stop) in slide.stops.iter().enumerate() {
            self.hear_of(Law::Side);
            let motion = stop.impact.approach;
            let from = [0, 1].map(|axis| V::from(stop.left)[axis] + V::from(stop.at)[axis] - motion[axis]);
            if let Some(wrong) = hearing.wrong(from, motion, stop) {
                self.find(Law::Side, format!("leg {leg} from {from:?} by {motion:?}: {wrong}"));
            }
        }
        self.hear_stuck(hearing, &slide);
        self.hear_of(Law::Back);
        let [way, motion] = [hearing.way(slide.at.into()), V::from(body.motion)];
        let back = -dot(way, motion) / length(motion) * UNIT;
        if back > if hearing.is_sprite() { 256.01 } else { 1.01 } {
            self.find(Law::Back, format!("it goes {way:?} by a motion of {motion:?}"));
        }
        self.hear_steps(hearing, sweep.stop);
    }

    /// Checks that a slide which ends about where it began had no way on.
    fn hear_stuck(&mut self, hearing: &Hearing<'_>, slide: &Slide) {
        let (body, end) = (hearing.body, place(slide.at.into()));
        let began = place(body.at.into());
        if (0..2).any(|axis| (end[axis] - began[axis]).abs() > 1) {
            return;
        }
        self.hear_of(Law::Stuck);
        let motion = V::from(body.motion);
        let at_end = wide(hearing.stands(end));
        let mut spots = vec![(at_end, hearing.judge.sides(at_end, motion))];
        for stop in slide.stops.iter().filter(|stop| hearing.is_sprite() && stop.impact.tick > 0) {
            let met = hearing.spots(body.at.into(), motion, stop);
            spots.extend(met.into_iter().map(|(at, _)| (at, hearing.judge.sides(at, motion))));
        }
        for (spot, side) in spots.iter().flat_map(|(at, sides)| sides.iter().map(move |side| (*at, side))) {
            let into = dot(motion, *side);
            let along = [0, 1].map(|axis| motion[axis] - into * side[axis]);
            // A sprite stands by whole pixels, apart from what stops it: its way leads from where it would meet the side.
            let beyond = [0, 1].map(|axis| spot[axis] + along[axis] * UNIT);
            if hearing.is_sprite() && hearing.judge.freed([spot, beyond]) * length(along) <= 0.5 {
                continue;
            }
            let nudges = (-NUDGE..=NUDGE).flat_map(|x| (-NUDGE..=NUDGE).map(move |y| [x, y]));
            let mut nudges: Vec<_> = nudges.map(|by| [end[0] + by[0], end[1] + by[1]]).collect();
            nudges.sort_by_key(|at| (at[0] - end[0]).abs() + (at[1] - end[1]).abs());
            for at in nudges.into_iter().map(units).filter(|_| length(along) > 0.5) {
                let nudged = Body { at: at.into(), ..body };
                if !self.is_free(&hearing.world, &nudged) {
                    continue;
                }
                let sweep = self.queries.on(&hearing.world).sweep(&nudged.moving(along), |_| true).unwrap();
                let gone = V::from(sweep.at);
                let same = hearing.is_sprite() && hearing.stands(place(gone)) == hearing.stands(place(at));
                if !same && length([gone[0] - at[0], gone[1] - at[1]]) > 0.5 {
                    let how = format!("it stays, but from {at:?} along the side {side:?} it goes to {gone:?}");
                    self.find(Law::Stuck, how);
                    return;
                }
            }
        }
    }

    /// Checks a step with the mover first and last among the bodies, and with all other bodies moving instead.
    fn hear_steps(&mut self, hearing: &Hearing<'_>, asked: Option<Stop>) {
        let smooth = !hearing.is_sprite() && hearing.case.ground.is_smooth();
        for (mirrored, first) in [(false, true), (false, false), (true, true), (true, false)] {
            if mirrored && !smooth {
                continue;
            }
            let stop = self.step(hearing.case, mirrored, first);
            let what = format!(
                "the step where {} and the mover comes {}",
                if mirrored { "the others move" } else { "it moves" },
                if first { "first" } else { "last" }
            );
            let (Some(asked), Some(stop)) = (asked, stop) else {
                // As second body of a pair, its way is rounded differently and may just miss.
                if first && asked.is_some() != stop.is_some() {
                    self.find(Law::Mirror, format!("{what} says {stop:?}, the query {asked:?}"));
                }
                continue;
            };
            let [told, query] = [&stop, &asked].map(|stop| (stop.impact.tick, stop.impact.normal));
            self.hear_of(if mirrored { Law::Mirror } else { Law::StepSide });
            // If the mover is second, or others move, a place may be rounded to the next one.
            let least = if first && !mirrored { 1e-9 } else { OFF };
            let alike = told.0 != query.0 || length([told.1[0] - query.1[0], told.1[1] - query.1[1]]) < least;
            if !alike || (first && told.0 != query.0) {
                self.find(Law::Mirror, format!("{what} says {told:?}, the query {query:?}"));
            }
            let [from, motion] = [hearing.body.at, hearing.body.motion].map(V::from);
            if let Some(wrong) = hearing.wrong(from, motion, &stop) {
                self.find(Law::StepSide, format!("{what}: {wrong}"));
            }
        }
    }

    /// Returns the stop of the mover in a step.
    fn step(&mut self, case: &Case, mirrored: bool, first: bool) -> Option<Stop> {
        let mut scene = case.scene.clone();
        let Some(QuerySpec::Body(mut mover)) = scene.queries.pop() else { unreachable!("the mover is a body") };
        if mirrored {
            scene.bodies.iter_mut().for_each(|body| body.motion = mover.motion.map(|v| -v));
            mover.motion = [0.0; 2];
        }
        scene.bodies.insert(if first { 0 } else { scene.bodies.len() }, mover);
        let world = scene.world().unwrap();
        let id = if first { world.ids().next() } else { world.ids().next_back() };
        let hits = self.engine.run(&world, Ask::Details).unwrap();
        // Other bodies that move alike do not hit each other, except those that overlapped before.
        world.stop(id.unwrap(), &hits, |_| true).unwrap()
    }

    /// Checks a body that touches something at its start but overlaps nothing.
    fn hear_touching(&mut self, hearing: &Hearing<'_>) {
        let (open, body) = hearing.case.world_of(Touch::Excluded);
        if !self.is_free(&open, &body) {
            return;
        }
        let [from, motion] = [body.at, body.motion].map(|v| place(v.into()));
        let sprite = hearing.is_sprite();
        if sprite && motion[0] != 0 && motion[1] != 0 {
            return;
        }
        let start = wide(hearing.stands(from));
        let way = wide(motion);
        let sweep = self.queries.on(&hearing.world).sweep(&hearing.body, |_| true).unwrap();
        if !self.is_free(&open, &Body { at: sweep.at, ..body }) {
            self.find(Law::Touching, format!("the sweep ends at {:?}, in something", V::from(sweep.at)));
        }
        let free = hearing.judge.freed([start, [start[0] + way[0], start[1] + way[1]]]) * length(way);
        let gone = length(hearing.way(sweep.at.into())) * UNIT;
        let room = if sprite { UNIT } else { 0.0 } + 8.0;
        if free > 2.0 * UNIT {
            self.hear_of(Law::Touching);
        }
        if free > 2.0 * UNIT && gone < free - room {
            let told = sweep.stop.map(|stop| stop.impact);
            let how = format!("it goes {} units of {} that are free: {told:?}", gone / UNIT, free / UNIT);
            self.find(Law::Touching, how);
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.how)
    }
}
