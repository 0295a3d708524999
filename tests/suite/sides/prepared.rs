//! A case with its world and its judge: finds the places at which a body is stopped, and checks the normals reported
//! there.

use hitmask::response::Stop;
use hitmask::{Body, Touch, World};

use super::case::Case;
use super::judge::{Judge, OFF};
use super::mover::Mover;
use super::solid::{V, dot, length};

/// The ticks of a step.
pub(super) const TICKS: i64 = 65536;
/// Lattice steps in a unit.
pub(super) const UNIT: f64 = 256.0;

/// A case being checked.
pub(super) struct Prepared<'a> {
    pub(super) case: &'a Case,
    pub(super) world: World,
    pub(super) body: Body,
    pub(super) judge: Judge,
}

impl<'a> Prepared<'a> {
    pub(super) fn new(case: &'a Case) -> Self {
        let (world, body) = case.world();
        let judge = Judge::new(&world, &body);
        Self { case, world, body, judge }
    }

    /// Returns how far the body has come.
    pub(super) fn way(&self, at: V) -> V {
        [0, 1].map(|axis| at[axis] - V::from(self.body.at)[axis])
    }

    pub(super) fn is_sprite(&self) -> bool {
        self.case.mover == Mover::Sprite
    }

    /// Returns the place that a body has at rest. For a sprite it is the corner of the pixel whose centre its first
    /// texel covers.
    pub(super) fn stands(&self, at: [i64; 2]) -> [i64; 2] {
        if self.is_sprite() { at.map(|v| (v + 127).div_euclid(256) * 256) } else { at }
    }

    /// Returns the body's place on its way at a tick.
    fn comes(&self, from: [i64; 2], way: [i64; 2], tick: u32) -> [i64; 2] {
        let now = come(from, way, tick);
        if !self.is_sprite() {
            return now;
        }
        // Sprites move by whole pixels, painted as at their start.
        let stood = self.stands(from);
        [0, 1].map(|axis| stood[axis] + (now[axis].div_euclid(256) - from[axis].div_euclid(256)) * 256)
    }

    /// Returns what is wrong with the side of a stop, if anything.
    pub(super) fn wrong(&self, from: V, motion: V, stop: &Stop) -> Option<String> {
        let (tick, normal) = (stop.impact.tick, stop.impact.normal);
        if tick == 0 {
            return None;
        }
        let mut spots = self.spots(from, motion, stop);
        let grazes = |side: &V, motion: V| dot(*side, motion) > -OFF * length(motion);
        if spots.iter().all(|&(at, motion)| self.judge.sides(at, motion).iter().all(|side| grazes(side, motion))) {
            // Because ways are rounded, a grazed body may be hit sooner or later.
            let passed = self.judge.passed([wide(place(from)), spots[0].0]);
            spots.extend(passed.into_iter().map(|at| (at, motion)));
        }
        if spots.iter().any(|&(at, motion)| self.judge.knows(at, motion, normal)) {
            return None;
        }
        let right: Vec<_> = spots.iter().flat_map(|&(at, motion)| self.judge.sides(at, motion)).collect();
        Some(format!("at {:?}, tick {tick}, it tells {normal:?}, of {right:?}", units_of(spots[0].0)))
    }

    /// Returns the possible places of a hit, each with the motion by which the body arrives: on its way around the
    /// tick, and beyond the stop, as it may have moved over a lip before.
    pub(super) fn spots(&self, from: V, motion: V, stop: &Stop) -> Vec<(V, V)> {
        let (from, way, tick) = (place(from), place(motion), stop.impact.tick);
        let (at, left) = (self.stands(place(stop.at.into())), place(stop.left.into()));
        let [before, now] = [tick - 1, tick].map(|tick| self.comes(from, way, tick));
        if !self.is_sprite() {
            // Also where the way to its place at the tick first enters something, as that way is rounded.
            let [p, q] = [from, now].map(wide);
            let entry = self.judge.entry([p, q], self.world.touch() == Touch::Included);
            let entry = entry.map(|part| [0, 1].map(|axis| p[axis] + part * (q[axis] - p[axis])));
            return [before, now, at].map(wide).into_iter().chain(entry).map(|at| (at, motion)).collect();
        }
        let beyond = [0, 1].map(|axis| at[axis] + 256 * left[axis].signum());
        let mut paths = [path(before, now), path(at, beyond)].concat();
        if i64::from(tick) == TICKS {
            // The pixels that it paints at its end.
            paths.extend(path(now, self.stands(come(from, way, tick))));
        }
        let closed = self.world.touch() == Touch::Included;
        let mut spots = Vec::new();
        for path in paths {
            // A body that is only grazed stops nothing; then the next one that the step enters does.
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

/// Returns the two pixel ways between two places: across first, and down first.
fn path(from: [i64; 2], to: [i64; 2]) -> [Vec<V>; 2] {
    [[to[0], from[1]], [from[0], to[1]]].map(|corner| [from, corner, to].map(wide).into())
}

/// Returns a place in lattice steps.
pub(super) fn place(at: V) -> [i64; 2] {
    at.map(|v| (v * UNIT + 0.5).floor() as i64)
}

/// Returns a body's place at a tick.
fn come(from: [i64; 2], way: [i64; 2], tick: u32) -> [i64; 2] {
    [0, 1].map(|axis| from[axis] + (i64::from(tick) * way[axis] + TICKS / 2).div_euclid(TICKS))
}

pub(super) fn wide(at: [i64; 2]) -> V {
    at.map(|v| v as f64)
}

pub(super) fn units(at: [i64; 2]) -> V {
    units_of(wide(at))
}

pub(super) fn units_of(at: V) -> V {
    at.map(|v| v / UNIT)
}
