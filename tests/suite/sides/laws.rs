//! The laws of sides and slides, and whether the library keeps them in a case.

use std::collections::BTreeMap;
use std::fmt;

use hitmask::query::{Queries, Slide};
use hitmask::response::Stop;
use hitmask::scene::QuerySpec;
use hitmask::{Ask, Body, Engine, Touch, World};

use super::case::Case;
use super::judge::{Judge, OFF};
use super::mover::Mover;
use super::solid::{V, dot, length};
use crate::common::Setup;

/// The ticks of a step.
const TICKS: i64 = 65536;
/// Lattice steps in a unit.
const UNIT: f64 = 256.0;
/// How far a place is nudged to find a way on, in lattice steps.
const NUDGE: i64 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Law {
    /// Each normal of a sweep and of a slide is that of a side at the place of its hit.
    Side,
    /// So is that of a step.
    StepSide,
    /// A step, and its mirror image, in which all others come to the body, say what the query says.
    Mirror,
    /// What starts free ends free.
    Free,
    /// What ends where it began had no way.
    Stuck,
    /// No slide leads back.
    Back,
    /// Where touch counts, what only touches is stopped by nothing but what it moves into.
    Touching,
}

pub(super) const LAWS: [Law; 7] =
    [Law::Side, Law::StepSide, Law::Mirror, Law::Free, Law::Stuck, Law::Back, Law::Touching];

/// A law that is broken, and how.
pub(super) struct Breach {
    pub(super) law: Law,
    pub(super) how: String,
}

/// What asks the library.
pub(super) struct Court {
    queries: Queries,
    engine: Engine,
    /// How often a law was put to the test.
    pub(super) heard: BTreeMap<Law, u64>,
}

/// A case that is heard.
struct Hearing<'a> {
    case: &'a Case,
    world: World,
    body: Body,
    judge: Judge,
    breaches: Vec<Breach>,
}

impl Court {
    pub(super) fn new() -> Self {
        Self { queries: Queries::new(), engine: Setup::threads(1).runner().engine, heard: BTreeMap::new() }
    }

    /// The laws that are broken in a case.
    pub(super) fn hear(&mut self, case: &Case) -> Vec<Breach> {
        let (world, body) = case.world();
        let judge = Judge::new(&world, &body);
        let mut hearing = Hearing { case, world, body, judge, breaches: Vec::new() };
        if self.is_free(&hearing.world, &body) {
            self.hear_free(&mut hearing);
        } else if case.scene.touch == Touch::Included {
            self.hear_touching(&mut hearing);
        }
        hearing.breaches
    }

    fn hear_of(&mut self, law: Law) {
        *self.heard.entry(law).or_insert(0) += 1;
    }

    fn is_free(&mut self, world: &World, body: &Body) -> bool {
        self.queries.on(world).is_free(&body.moving([0, 0])).unwrap()
    }

    fn hear_free(&mut self, hearing: &mut Hearing<'_>) {
        let (world, body) = (&hearing.world, hearing.body);
        let sweep = self.queries.on(world).sweep(&body, |_| true).unwrap();
        let slide = self.queries.on(world).slide(&body, |_| true).unwrap();
        self.hear_of(Law::Free);
        for (what, at) in [("sweep", sweep.at), ("slide", slide.at)] {
            if !self.is_free(&hearing.world, &Body { at, ..body }) {
                hearing.find(Law::Free, format!("the {what} ends at {:?}, which is not free", V::from(at)));
            }
        }
        for (leg, stop) in slide.stops.iter().enumerate() {
            self.hear_of(Law::Side);
            let motion = stop.impact.approach;
            let from = [0, 1].map(|axis| V::from(stop.left)[axis] + V::from(stop.at)[axis] - motion[axis]);
            if let Some(wrong) = hearing.wrong(from, motion, stop) {
                hearing.find(Law::Side, format!("leg {leg} from {from:?} by {motion:?}: {wrong}"));
            }
        }
        self.hear_stuck(hearing, &slide);
        self.hear_of(Law::Back);
        let [way, motion] = [hearing.way(slide.at.into()), V::from(body.motion)];
        let back = -dot(way, motion) / length(motion) * UNIT;
        if back > if hearing.is_sprite() { 256.01 } else { 1.01 } {
            hearing.find(Law::Back, format!("it goes {way:?} by a motion of {motion:?}"));
        }
        self.hear_steps(hearing, sweep.stop);
    }

    /// Whether a slide ends about where it began, and there was a way.
    fn hear_stuck(&mut self, hearing: &mut Hearing<'_>, slide: &Slide) {
        let (body, end) = (hearing.body, place(slide.at.into()));
        let began = place(body.at.into());
        if (0..2).any(|axis| (end[axis] - began[axis]).abs() > 1) {
            return;
        }
        self.hear_of(Law::Stuck);
        let motion = V::from(body.motion);
        let mut sides = hearing.judge.sides(wide(hearing.stands(end)), motion);
        for stop in slide.stops.iter().filter(|stop| hearing.is_sprite() && stop.impact.tick > 0) {
            let spots = hearing.spots(body.at.into(), motion, stop);
            sides.extend(spots.into_iter().flat_map(|(at, _)| hearing.judge.sides(at, motion)));
        }
        for side in sides {
            let into = dot(motion, side);
            let along = [0, 1].map(|axis| motion[axis] - into * side[axis]);
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
                if length([gone[0] - at[0], gone[1] - at[1]]) > 0.5 {
                    let how = format!("it stays, but from {at:?} along the side {side:?} it goes to {gone:?}");
                    hearing.find(Law::Stuck, how);
                    return;
                }
            }
        }
    }

    /// What a step says, with the mover before all others and after them, and where all others move instead.
    fn hear_steps(&mut self, hearing: &mut Hearing<'_>, asked: Option<Stop>) {
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
                // At the other place in a pair a way is rounded otherwise, and may just miss.
                if first && asked.is_some() != stop.is_some() {
                    hearing.find(Law::Mirror, format!("{what} says {stop:?}, the query {asked:?}"));
                }
                continue;
            };
            let [told, query] = [&stop, &asked].map(|stop| (stop.impact.tick, stop.impact.normal));
            self.hear_of(if mirrored { Law::Mirror } else { Law::StepSide });
            // Where the mover is the second, or another moves, a place may be rounded to the next one.
            let least = if first && !mirrored { 1e-9 } else { OFF };
            let alike = told.0 != query.0 || length([told.1[0] - query.1[0], told.1[1] - query.1[1]]) < least;
            if !alike || (first && told.0 != query.0) {
                hearing.find(Law::Mirror, format!("{what} says {told:?}, the query {query:?}"));
            }
            let [from, motion] = [hearing.body.at, hearing.body.motion].map(V::from);
            if let Some(wrong) = hearing.wrong(from, motion, &stop) {
                hearing.find(Law::StepSide, format!("{what}: {wrong}"));
            }
        }
    }

    /// Where a step stops the mover.
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
        // Others that move alike do not hit each other, but for such as lay in each other.
        world.stop(id.unwrap(), &hits, |_| true).unwrap()
    }

    /// A body that touches something from the start, and is in nothing.
    fn hear_touching(&mut self, hearing: &mut Hearing<'_>) {
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
            hearing.find(Law::Touching, format!("the sweep ends at {:?}, in something", V::from(sweep.at)));
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
            hearing.find(Law::Touching, how);
        }
    }
}

impl Hearing<'_> {
    fn find(&mut self, law: Law, how: String) {
        self.breaches.push(Breach { law, how });
    }

    /// How far the body has come.
    fn way(&self, at: V) -> V {
        [0, 1].map(|axis| at[axis] - V::from(self.body.at)[axis])
    }

    fn is_sprite(&self) -> bool {
        self.case.mover == Mover::Sprite
    }

    /// The place that goes with a body at rest: of a sprite the corner of the pixel from which on it is painted, which
    /// is the one whose centre its first texel covers.
    fn stands(&self, at: [i64; 2]) -> [i64; 2] {
        if self.is_sprite() { at.map(|v| (v + 127).div_euclid(256) * 256) } else { at }
    }

    /// The place of the body on its way at a tick.
    fn comes(&self, from: [i64; 2], way: [i64; 2], tick: u32) -> [i64; 2] {
        let now = come(from, way, tick);
        if !self.is_sprite() {
            return now;
        }
        // By whole pixels, painted as at its start.
        let stood = self.stands(from);
        [0, 1].map(|axis| stood[axis] + (now[axis].div_euclid(256) - from[axis].div_euclid(256)) * 256)
    }

    /// What is wrong with the side of a stop on a way.
    fn wrong(&self, from: V, motion: V, stop: &Stop) -> Option<String> {
        let (tick, normal) = (stop.impact.tick, stop.impact.normal);
        if tick == 0 {
            return None;
        }
        let mut spots = self.spots(from, motion, stop);
        if spots.iter().all(|&(at, motion)| self.judge.sides(at, motion).is_empty()) {
            // What is grazed is hit sooner or later, as ways are rounded.
            let passed = self.judge.passed([wide(place(from)), spots[0].0]);
            spots.extend(passed.into_iter().map(|at| (at, motion)));
        }
        if spots.iter().any(|&(at, motion)| self.judge.knows(at, motion, normal)) {
            return None;
        }
        let right: Vec<_> = spots.iter().flat_map(|&(at, motion)| self.judge.sides(at, motion)).collect();
        Some(format!("at {:?}, tick {tick}, it tells {normal:?}, of {right:?}", units_of(spots[0].0)))
    }

    /// Places of a hit, each with the motion by which the body comes there: on its way about the tick, and beyond where
    /// it stopped, as it may have gone over a lip before.
    fn spots(&self, from: V, motion: V, stop: &Stop) -> Vec<(V, V)> {
        let (from, way, tick) = (place(from), place(motion), stop.impact.tick);
        let (at, left) = (self.stands(place(stop.at.into())), place(stop.left.into()));
        let [before, now] = [tick - 1, tick].map(|tick| self.comes(from, way, tick));
        if !self.is_sprite() {
            // Or where the way to its place at the tick first comes into something: that way is rounded.
            let [p, q] = [from, now].map(wide);
            let entry = self.judge.entry([p, q], self.world.touch() == Touch::Included);
            let entry = entry.map(|part| [0, 1].map(|axis| p[axis] + part * (q[axis] - p[axis])));
            return [before, now, at].map(wide).into_iter().chain(entry).map(|at| (at, motion)).collect();
        }
        let beyond = [0, 1].map(|axis| at[axis] + 256 * left[axis].signum());
        let mut paths = vec![path(before, now), path(at, beyond)].concat();
        if i64::from(tick) == TICKS {
            // As it is painted at its end.
            paths.extend(path(now, self.stands(come(from, way, tick))));
        }
        let closed = self.world.touch() == Touch::Included;
        let mut spots = Vec::new();
        for path in paths {
            // What is only grazed stops nothing: then it is what the step comes into next.
            let steps = path.windows(2).map(|step| [step[0], step[1]]).filter(|[p, q]| p != q);
            let entry = |closed| steps.clone().find_map(|step| Some((step, self.judge.entry(step, closed)?)));
            for ([p, q], part) in [closed, false].into_iter().filter_map(entry) {
                let step = [q[0] - p[0], q[1] - p[1]];
                let at = [p[0] + part * step[0], p[1] + part * step[1]];
                spots.extend([(at, step), (at, motion)]);
            }
        }
        if spots.is_empty() {
            spots.push((wide(now), motion));
        }
        spots
    }
}

/// The ways by pixels between two places, across first and down first.
fn path(from: [i64; 2], to: [i64; 2]) -> [Vec<V>; 2] {
    [[to[0], from[1]], [from[0], to[1]]].map(|corner| [from, corner, to].map(wide).into())
}

/// A place in lattice steps.
fn place(at: V) -> [i64; 2] {
    at.map(|v| (v * UNIT + 0.5).floor() as i64)
}

/// Where a body is at a tick.
fn come(from: [i64; 2], way: [i64; 2], tick: u32) -> [i64; 2] {
    [0, 1].map(|axis| from[axis] + (i64::from(tick) * way[axis] + TICKS / 2).div_euclid(TICKS))
}

fn wide(at: [i64; 2]) -> V {
    at.map(|v| v as f64)
}

fn units(at: [i64; 2]) -> V {
    units_of(wide(at))
}

fn units_of(at: V) -> V {
    at.map(|v| v / UNIT)
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {}", self.law, self.how)
    }
}
