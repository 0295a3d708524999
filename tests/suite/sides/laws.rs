//! The laws of sides and slides, and the check whether the library keeps them in a case.

use std::collections::BTreeMap;
use std::fmt;

use hitmask::query::{Queries, Slide};
use hitmask::response::Stop;
use hitmask::scene::QuerySpec;
use hitmask::{Ask, Body, Engine, Touch, World};

use super::case::Case;
use super::judge::OFF;
use super::prepared::{Prepared, TICKS, UNIT, place, units, wide};
use super::solid::{V, dot, length};
use crate::common::Setup;

/// How far a place is nudged to look for a way on, in lattice steps.
const NUDGE: i64 = 2;
/// How far from a hit a convex body may stop, in units.
const SHORT: f64 = 0.25;
/// How far from a hit there may be room, in lattice steps.
const NEAR: i64 = 3;

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
    /// No slide leads farther than its motion.
    Far,
    /// A convex body stops where its stop says that it hit.
    Short,
    /// With touch included, a body that only touches something is stopped only by what it moves into.
    Touching,
}

pub(super) const LAWS: [Law; 9] =
    [Law::Side, Law::StepSide, Law::Mirror, Law::Free, Law::Stuck, Law::Back, Law::Far, Law::Short, Law::Touching];

/// A broken law, and a description.
pub(super) struct Violation {
    pub(super) law: Law,
    pub(super) how: String,
}

/// The state that checks cases: queries and an engine.
pub(super) struct Checker {
    queries: Queries,
    engine: Engine,
    violations: Vec<Violation>,
    /// The number of times each law was tested.
    pub(super) tested: BTreeMap<Law, u64>,
}

impl Checker {
    pub(super) fn new() -> Self {
        Self {
            queries: Queries::new(),
            engine: Setup::threads(1).runner().engine,
            violations: Vec::new(),
            tested: BTreeMap::new(),
        }
    }

    /// Returns the laws that are broken in a case.
    pub(super) fn check(&mut self, case: &Case) -> Vec<Violation> {
        let prepared = Prepared::new(case);
        if self.is_free(&prepared.world, &prepared.body) {
            self.check_free(&prepared);
        } else if case.scene.touch == Touch::Included {
            self.check_touching(&prepared);
        }
        std::mem::take(&mut self.violations)
    }

    /// Returns, for a case's stop, whether the judge rejects normals turned away from the right one.
    pub(super) fn finds_planted(&mut self, case: &Case) -> Vec<bool> {
        let prepared = Prepared::new(case);
        let [from, motion] = [prepared.body.at, prepared.body.motion].map(V::from);
        let stop = self.queries.on(&prepared.world).sweep(&prepared.body, |_| true).unwrap().stop;
        let right = stop.filter(|stop| stop.impact.tick > 0 && prepared.wrong(from, motion, stop).is_none());
        let turned = |mut stop: Stop, angle: f64| {
            let ([x, y], (sin, cos)) = (stop.impact.normal, angle.sin_cos());
            stop.impact.normal = [cos * x - sin * y, sin * x + cos * y];
            prepared.wrong(from, motion, &stop).is_some()
        };
        right.into_iter().flat_map(|stop| [-0.5, 0.1, 0.5, 3.0].map(|angle| turned(stop, angle))).collect()
    }

    fn find(&mut self, law: Law, how: String) {
        self.violations.push(Violation { law, how });
    }

    fn count(&mut self, law: Law) {
        *self.tested.entry(law).or_insert(0) += 1;
    }

    fn is_free(&mut self, world: &World, body: &Body) -> bool {
        self.queries.on(world).is_free(&body.moving([0, 0])).unwrap()
    }

    fn check_free(&mut self, prepared: &Prepared<'_>) {
        let (world, body) = (&prepared.world, prepared.body);
        let sweep = self.queries.on(world).sweep(&body, |_| true).unwrap();
        let slide = self.queries.on(world).slide(&body, |_| true).unwrap();
        self.count(Law::Free);
        for (what, at) in [("sweep", sweep.at), ("slide", slide.at)] {
            if !self.is_free(&prepared.world, &Body { at, ..body }) {
                self.find(Law::Free, format!("the {what} ends at {:?}, which is not free", V::from(at)));
            }
        }
        for (leg, stop) in slide.stops.iter().enumerate() {
            self.count(Law::Side);
            let motion = stop.impact.approach;
            let from = [0, 1].map(|axis| V::from(stop.left)[axis] + V::from(stop.at)[axis] - motion[axis]);
            if let Some(wrong) = prepared.wrong(from, motion, stop) {
                self.find(Law::Side, format!("leg {leg} from {from:?} by {motion:?}: {wrong}"));
            }
            if !prepared.is_sprite() && stop.impact.tick > 0 {
                self.check_short(prepared, from, stop);
            }
        }
        self.check_stuck(prepared, &slide);
        self.count(Law::Back);
        let [way, motion] = [prepared.way(slide.at.into()), V::from(body.motion)];
        let back = -dot(way, motion) / length(motion) * UNIT;
        if back > if prepared.is_sprite() { 256.01 } else { 1.01 } {
            self.find(Law::Back, format!("it goes {way:?} by a motion of {motion:?}"));
        }
        self.count(Law::Far);
        // Up to three lips, each of up to three lattice steps, are stepped over, and a sprite stands by whole pixels.
        if length(way) > length(motion) + if prepared.is_sprite() { 1.5 } else { 10.0 / UNIT } {
            self.find(Law::Far, format!("it goes {way:?} by a motion of {motion:?}"));
        }
        self.check_steps(prepared, sweep.stop);
    }

    /// Checks that a body which a stop says was hit somewhere is there, unless there is no room.
    fn check_short(&mut self, prepared: &Prepared<'_>, from: V, stop: &Stop) {
        self.count(Law::Short);
        let part = f64::from(stop.impact.tick) / TICKS as f64;
        let right = [0, 1].map(|axis| from[axis] + part * stop.impact.approach[axis]);
        let short = [0, 1].map(|axis| right[axis] - V::from(stop.at)[axis]);
        if length(short) < SHORT {
            return;
        }
        let [x, y] = place(right);
        let around = (-NEAR..=NEAR).flat_map(|dx| (-NEAR..=NEAR).map(move |dy| units([x + dx, y + dy])));
        let mut room = around.filter(|at| self.is_free(&prepared.world, &Body { at: (*at).into(), ..prepared.body }));
        if let Some(at) = room.next() {
            self.find(
                Law::Short,
                format!("from {from:?} by {:?} there is room at {at:?}: {stop:?}", stop.impact.approach),
            );
        }
    }

    /// Checks that a slide which ends about where it began had no way on.
    fn check_stuck(&mut self, prepared: &Prepared<'_>, slide: &Slide) {
        let (body, end) = (prepared.body, place(slide.at.into()));
        let began = place(body.at.into());
        if (0..2).any(|axis| (end[axis] - began[axis]).abs() > 1) {
            return;
        }
        self.count(Law::Stuck);
        let motion = V::from(body.motion);
        let at_end = wide(prepared.stands(end));
        let mut spots = vec![(at_end, prepared.judge.sides(at_end, motion))];
        for stop in slide.stops.iter().filter(|stop| prepared.is_sprite() && stop.impact.tick > 0) {
            let met = prepared.spots(body.at.into(), motion, stop);
            spots.extend(met.into_iter().map(|(at, _)| (at, prepared.judge.sides(at, motion))));
        }
        for (spot, side) in spots.iter().flat_map(|(at, sides)| sides.iter().map(move |side| (*at, side))) {
            let into = dot(motion, *side);
            let along = [0, 1].map(|axis| motion[axis] - into * side[axis]);
            // A sprite stands by whole pixels, apart from what stops it. Its way begins where it would meet the side.
            let beyond = [0, 1].map(|axis| spot[axis] + along[axis] * UNIT);
            if prepared.is_sprite() && prepared.judge.freed([spot, beyond]) * length(along) <= 0.5 {
                continue;
            }
            let nudges = (-NUDGE..=NUDGE).flat_map(|x| (-NUDGE..=NUDGE).map(move |y| [x, y]));
            let mut nudges: Vec<_> = nudges.map(|by| [end[0] + by[0], end[1] + by[1]]).collect();
            nudges.sort_by_key(|at| (at[0] - end[0]).abs() + (at[1] - end[1]).abs());
            for at in nudges.into_iter().map(units).filter(|_| length(along) > 0.5) {
                let nudged = Body { at: at.into(), ..body };
                if !self.is_free(&prepared.world, &nudged) {
                    continue;
                }
                let sweep = self.queries.on(&prepared.world).sweep(&nudged.moving(along), |_| true).unwrap();
                let gone = V::from(sweep.at);
                let same = prepared.is_sprite() && prepared.stands(place(gone)) == prepared.stands(place(at));
                if !same && length([gone[0] - at[0], gone[1] - at[1]]) > 0.5 {
                    let how = format!("it stays, but from {at:?} along the side {side:?} it goes to {gone:?}");
                    self.find(Law::Stuck, how);
                    return;
                }
            }
        }
    }

    /// Checks a step with the mover first and last among the bodies, and with all other bodies moving instead.
    fn check_steps(&mut self, prepared: &Prepared<'_>, asked: Option<Stop>) {
        let smooth = !prepared.is_sprite() && prepared.case.ground.is_smooth();
        for (mirrored, first) in [(false, true), (false, false), (true, true), (true, false)] {
            if mirrored && !smooth {
                continue;
            }
            let stop = self.step(prepared.case, mirrored, first);
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
            self.count(if mirrored { Law::Mirror } else { Law::StepSide });
            // If the mover is second, or others move, a place may be rounded to the next one.
            let least = if first && !mirrored { 1e-9 } else { OFF };
            let alike = told.0 != query.0 || length([told.1[0] - query.1[0], told.1[1] - query.1[1]]) < least;
            if !alike || (first && told.0 != query.0) {
                self.find(Law::Mirror, format!("{what} says {told:?}, the query {query:?}"));
            }
            let [from, motion] = [prepared.body.at, prepared.body.motion].map(V::from);
            if let Some(wrong) = prepared.wrong(from, motion, &stop) {
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
    fn check_touching(&mut self, prepared: &Prepared<'_>) {
        let (open, body) = prepared.case.world_of(Touch::Excluded);
        if !self.is_free(&open, &body) {
            return;
        }
        let [from, motion] = [body.at, body.motion].map(|v| place(v.into()));
        let sprite = prepared.is_sprite();
        if sprite && motion[0] != 0 && motion[1] != 0 {
            return;
        }
        let start = wide(prepared.stands(from));
        let way = wide(motion);
        let sweep = self.queries.on(&prepared.world).sweep(&prepared.body, |_| true).unwrap();
        if !self.is_free(&open, &Body { at: sweep.at, ..body }) {
            self.find(Law::Touching, format!("the sweep ends at {:?}, in something", V::from(sweep.at)));
        }
        let free = prepared.judge.freed([start, [start[0] + way[0], start[1] + way[1]]]) * length(way);
        let gone = length(prepared.way(sweep.at.into())) * UNIT;
        let room = if sprite { UNIT } else { 0.0 } + 8.0;
        if free > 2.0 * UNIT {
            self.count(Law::Touching);
        }
        if free > 2.0 * UNIT && gone < free - room {
            let told = sweep.stop.map(|stop| stop.impact);
            let how = format!("it goes {} units of {} that are free: {told:?}", gone / UNIT, free / UNIT);
            self.find(Law::Touching, how);
        }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.how)
    }
}
