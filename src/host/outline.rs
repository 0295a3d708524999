//! The outline of a union of convex sets, as a moving point meets it: the place where the point enters the union, and
//! the edge of the outline there that faces its motion.
//!
//! Each set holds the translations that bring a piece of a moving body onto a piece of an obstacle; for a ray, the sets
//! are the pieces themselves (Lozano-Perez, *Spatial Planning: A Configuration Space Approach*, 1983). Near a place
//! each set looks like a cone: a half-plane if the place lies on an edge or an arc, a wedge if it lies on a vertex. So
//! the outline at a place is found from the cones alone:
//!
//! ```text
//!         \  slope             a box walks along the floor into the slope: the vertical end of the slope's set
//!   floor  \                   reaches the same place P, and is on the outline of that set. But the region just
//!   --------P====              outside it lies in the floor's set, so it is not on the outline of the union.
//!   ////////|\\\\
//! ```

use std::cmp::Ordering;
use std::ops::Range;

use super::contact::convex::{V, add, cross, dot, length, outward, scale, sub};

/// How far a place may lie from an edge and still count as on it, in lattice steps: a millionth of a unit.
const TOLERANCE: f64 = 1.0 / 4096.0;
/// The sine of the angle up to which two directions count as parallel.
const PARALLEL: f64 = 1e-9;
/// The tolerance for finding an edge at a place.
struct Slack {
    /// How far the place may lie from an edge and still count as on it, in lattice steps.
    place: f64,
    /// The sines of the angles at which an edge may face a motion; below 0 it faces away.
    facing: Range<f64>,
}

const EXACT: Slack = Slack { place: TOLERANCE, facing: PARALLEL..2.0 };
/// For an edge that need not face a motion.
const ANY: Slack = Slack { place: TOLERANCE, facing: -2.0..2.0 };
/// For a place that is rounded to the lattice.
const ROUNDED: Slack = Slack { place: STEP, facing: PARALLEL..2.0 };
/// As `ROUNDED`, and for a motion, rounded too, that runs along an edge: first an edge that blocks it, and one along
/// which it runs before one that it may only seem to face where two bodies adjoin.
const GRAZED: [Slack; 3] = [
    Slack { place: STEP, facing: 1.0 / 8.0..2.0 },
    Slack { place: STEP, facing: -1.0 / 64.0..1.0 / 64.0 },
    Slack { place: STEP, facing: -1.0 / 64.0..2.0 },
];
/// How far rounding may carry a point into a set that it runs along, in lattice steps.
pub(crate) const STEP: f64 = 1.0;
/// The length up to which an edge is stepped over rather than run into, in lattice steps: rounding makes edges of one
/// or two where turned bodies adjoin.
const LIP: f64 = 3.0;

/// Convex sets, each with the number of its owner.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    sets: Vec<Set>,
}

/// A convex polygon, inside on the left, inflated by a radius.
#[derive(Debug)]
struct Set {
    core: Vec<V>,
    radius: f64,
    owner: usize,
    /// A bit for each leg of the point's way on which it enters the set.
    met: u8,
}

/// The side through which a point enters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Side {
    /// The outward unit normal.
    pub(crate) normal: V,
    /// The direction along the side in which the side ends in fewer than three lattice steps, with nothing beyond.
    pub(crate) lip: Option<V>,
    /// True if the mirrored edge faces the motion equally, so that the order of the sets decided.
    pub(crate) is_tied: bool,
}

/// A set as seen from a place.
enum Cone {
    /// The set does not reach the place.
    Away,
    /// The place is in its interior.
    All,
    /// The set covers all directions that point against none of these normals.
    Within(Vec<V>),
}

impl Outline {
    /// Adds a set. `met` has a bit for each leg of the point's way on which it enters the set.
    pub(crate) fn push(&mut self, owner: usize, core: Vec<V>, radius: i32, met: u8) {
        self.sets.push(Set { core, radius: radius.into(), owner, met });
    }

    /// Returns the first place of a leg that lies in a set met on that leg, among the owners that count.
    pub(crate) fn entry(&self, leg: usize, [from, to]: [V; 2], counts: &dyn Fn(usize) -> bool) -> Option<V> {
        let way = sub(to, from);
        let met = self.sets.iter().filter(|set| set.is_met(leg) && counts(set.owner));
        let part = met.filter_map(|set| set.entry(from, way)).reduce(f64::min)?;
        Some(add(from, scale(way, part)))
    }

    /// Returns the last place at which a segment enters the union. The segment ends in the union, and may begin in it.
    pub(crate) fn last_entry(&self, [from, to]: [V; 2], slack: f64, counts: &dyn Fn(usize) -> bool) -> Option<V> {
        let back = sub(from, to);
        let counted: Vec<&Set> = self.sets.iter().filter(|set| counts(set.owner)).collect();
        let mut part = 0.0;
        // Each iteration leaves a set that is not entered again.
        for _ in 0..=counted.len() {
            let at = add(to, scale(back, part));
            let inside = counted.iter().filter(|set| matches!(set.cone(at, slack), Cone::All));
            let Some(exit) = inside.filter_map(|set| set.exit(to, back)).reduce(f64::max) else { break };
            part = exit;
        }
        (part > 0.0 && part <= 1.0).then(|| add(to, scale(back, part)))
    }

    /// Returns the edge of the outline at a place that faces a motion most. Of two mirrored edges that face it equally,
    /// it is one of an owner in `own`.
    pub(crate) fn side(&self, at: V, way: V, own: &dyn Fn(usize) -> bool) -> Option<Side> {
        facing(&self.own_first(own), at, way, &EXACT)
    }

    /// As [`Outline::side`], for the union of `own` alone.
    pub(crate) fn side_of(&self, at: V, way: V, own: &dyn Fn(usize) -> bool) -> Option<Side> {
        let sets: Vec<&Set> = self.sets.iter().filter(|set| own(set.owner)).collect();
        facing(&sets, at, way, &EXACT)
    }

    /// As [`Outline::side`], for only the sets met on a leg, if the place is on no outline of all: for a point that
    /// passes between others without room, as in a slot exactly as wide as the body.
    pub(crate) fn side_in_slot(&self, leg: usize, at: V, way: V, own: &dyn Fn(usize) -> bool) -> Option<Side> {
        let mut sets = self.own_first(own);
        if facing(&sets, at, way, &ANY).is_some() {
            return None;
        }
        sets.retain(|set| set.is_met(leg));
        facing(&sets, at, way, &EXACT)
    }

    /// As [`Outline::side`], at a place known up to rounding.
    pub(crate) fn side_about(&self, at: V, way: V, own: &dyn Fn(usize) -> bool) -> Option<Side> {
        facing(&self.own_first(own), at, way, &ROUNDED)
    }

    /// As [`Outline::side_about`], also finding an edge along which the point moves.
    pub(crate) fn side_along(&self, at: V, way: V, own: &dyn Fn(usize) -> bool) -> Option<Side> {
        let sets = self.own_first(own);
        GRAZED.iter().find_map(|slack| facing(&sets, at, way, slack))
    }

    /// Returns the sets, those of the owners in `own` first.
    fn own_first(&self, own: &dyn Fn(usize) -> bool) -> Vec<&Set> {
        let (mut sets, others): (Vec<&Set>, Vec<&Set>) = self.sets.iter().partition(|set| own(set.owner));
        sets.extend(others);
        sets
    }
}

/// Returns the edge of the outline of some sets at a place that faces a motion most; of equals, the more level one,
/// then the one that faces up, then that of the first set.
fn facing(sets: &[&Set], at: V, way: V, slack: &Slack) -> Option<Side> {
    // Equal cones do not cover each other's edges, so one of each is enough.
    let mut cones = Vec::new();
    for set in sets {
        match set.cone(at, slack.place) {
            Cone::Away => (),
            Cone::All => return None,
            Cone::Within(normals) if cones.contains(&normals) => (),
            Cone::Within(normals) => cones.push(normals),
        }
    }
    let facing = slack.facing.start * length(way)..slack.facing.end * length(way);
    let mut best: Option<(f64, V)> = None;
    let mut is_tied = false;
    for (k, cone) in cones.iter().enumerate() {
        for &normal in cone {
            let faced = -dot(way, normal);
            let order = best.map_or(Ordering::Greater, |(most, other)| {
                let level = other[0].abs().total_cmp(&normal[0].abs()).then(other[1].total_cmp(&normal[1]));
                faced.total_cmp(&most).then(level)
            });
            let is_other = best.is_none_or(|(_, other)| other != normal);
            let others = || cones.iter().enumerate().filter(|(other, _)| *other != k).map(|(_, cone)| cone);
            let along = [[-normal[1], normal[0]], [normal[1], -normal[0]]];
            let on_outline = |ray: V| is_edge(cone, ray) && !others().any(|cone| covers(cone, ray, normal));
            if facing.contains(&faced) && order.is_ge() && is_other && along.into_iter().any(on_outline) {
                is_tied = order.is_eq();
                best = best.filter(|_| is_tied).or(Some((faced, normal)));
            }
        }
    }
    let (_, normal) = best?;
    // Adding 0 turns -0 into 0.
    Some(Side { normal: normal.map(|v| v + 0.0), lip: lip(sets, at, normal, way), is_tied })
}

/// Returns the direction along an edge in which it ends within `LIP`, with nothing beyond; if both do, the one that the
/// motion follows more.
fn lip(sets: &[&Set], at: V, normal: V, way: V) -> Option<V> {
    let is_free = |along: &V| {
        let beyond = add(at, scale(*along, LIP));
        // An arc has no such end: it turns away too slowly.
        sets.iter().all(|set| matches!(set.cone(beyond, STEP / 2.0), Cone::Away))
    };
    let ways = [[-normal[1], normal[0]], [normal[1], -normal[0]]];
    ways.into_iter().filter(is_free).max_by(|a, b| dot(*a, way).total_cmp(&dot(*b, way)))
}

/// Returns a unit direction, snapped to an axis if only rounding keeps it off.
fn level(direction: V) -> V {
    let [x, y] = direction.map(|v| if v.abs() < PARALLEL { 0.0 } else { v });
    if x == 0.0 || y == 0.0 { [x, y].map(f64::round) } else { [x, y] }
}

/// Returns whether a ray along an edge of a cone bounds the cone.
fn is_edge(cone: &[V], ray: V) -> bool {
    cone.iter().all(|&normal| dot(normal, ray) <= PARALLEL)
}

/// Returns whether a cone covers the region just outside a ray, on the side of a normal.
fn covers(cone: &[V], ray: V, outside: V) -> bool {
    cone.iter().all(|&normal| {
        let along = dot(normal, ray);
        along < -PARALLEL || (along <= PARALLEL && dot(normal, outside) < 0.0)
    })
}

impl Set {
    fn is_met(&self, leg: usize) -> bool {
        self.met >> leg & 1 == 1
    }

    /// Iterates over the edges of the core, with their outward normals.
    fn edges(&self) -> impl Iterator<Item = (V, V, V)> {
        let ends = self.core.iter().zip(self.core.iter().cycle().skip(1));
        ends.map(|(&p, &q)| (p, sub(q, p))).filter(|(_, along)| *along != [0.0; 2]).map(|(p, e)| (p, e, outward(e)))
    }

    /// Returns the fraction of a way at which a point enters, unless it begins inside. The caller knows that the set is
    /// met, so the entry is within the way, up to rounding.
    fn entry(&self, from: V, way: V) -> Option<f64> {
        if matches!(self.cone(from, TOLERANCE), Cone::All) {
            return None;
        }
        let part = if self.radius == 0.0 {
            // The last of the lines that it passes behind.
            self.lines(from, way).filter(|(into, _)| *into > 0.0).map(|(_, part)| part).reduce(f64::max)
        } else {
            let ahead = |part: &f64| part * length(way) >= -TOLERANCE;
            self.crossings(from, way).filter(ahead).reduce(f64::min)
        };
        part.map(|part| part.clamp(0.0, 1.0))
    }

    /// Returns the fraction of a way at which a point that begins inside leaves.
    fn exit(&self, from: V, way: V) -> Option<f64> {
        let backward = |(into, part): (f64, f64)| (into < 0.0).then_some(part);
        if self.radius == 0.0 {
            return self.lines(from, way).filter_map(backward).reduce(f64::min);
        }
        // As a point enters that comes the other way from far enough.
        let far = 2.0
            + 2.0 * self.core.iter().map(|&p| length(sub(p, from)) + self.radius).fold(0.0, f64::max)
                / length(way).max(1.0);
        let end = add(from, scale(way, far));
        self.crossings(end, scale(way, -far)).reduce(f64::min).map(|part| far * (1.0 - part))
    }

    /// Returns for each edge how fast a point passes behind its line, and at which fraction of its way.
    fn lines(&self, from: V, way: V) -> impl Iterator<Item = (f64, f64)> {
        self.edges().filter_map(move |(p, _, normal)| {
            let into = -dot(way, normal);
            (into != 0.0).then(|| (into, dot(sub(from, p), normal) / into))
        })
    }

    /// Returns the fractions of a way at which a point comes from outside onto an edge offset outward by the radius, or
    /// onto the disc around a vertex.
    fn crossings(&self, from: V, way: V) -> impl Iterator<Item = f64> {
        let onto_edge = move |(p, along, normal): (V, V, V)| {
            let into = -dot(way, normal);
            let part = (dot(sub(from, p), normal) - self.radius) / into;
            let (foot, end) = (dot(sub(add(from, scale(way, part)), p), along), dot(along, along));
            let slack = TOLERANCE * end.sqrt();
            (into > 0.0 && foot >= -slack && foot <= end + slack).then_some(part)
        };
        let whole = length(way);
        let onto_disc = move |&p: &V| {
            let p = sub(p, from);
            let (along, aside) = (dot(p, way) / whole, (cross(p, way) / whole).abs());
            (aside <= self.radius + TOLERANCE).then(|| {
                let half = ((self.radius - aside) * (self.radius + aside)).max(0.0).sqrt();
                (along - half) / whole
            })
        };
        self.edges().filter_map(onto_edge).chain(self.core.iter().filter_map(onto_disc))
    }

    /// Returns the cone of the set at a place that may lie up to `slack` from an edge and count as on it.
    fn cone(&self, at: V, slack: f64) -> Cone {
        if self.radius > 0.0 {
            return self.round_cone(at, slack);
        }
        let (mut normals, mut area) = (Vec::new(), 0.0);
        for (p, along, normal) in self.edges() {
            let off = dot(sub(at, p), normal);
            if off > slack {
                return Cone::Away;
            }
            if off >= -slack {
                normals.push(normal);
            }
            area += cross(sub(p, at), along);
        }
        if area == 0.0 && length(sub(at, self.nearest(at))) > slack {
            return Cone::Away;
        }
        if normals.is_empty() { Cone::All } else { Cone::Within(normals) }
    }

    /// Returns the cone of an inflated set, which has no corners.
    fn round_cone(&self, at: V, slack: f64) -> Cone {
        let from = sub(at, self.nearest(at));
        let distance = length(from);
        if distance > self.radius + slack {
            Cone::Away
        } else if distance < self.radius - slack {
            Cone::All
        } else {
            Cone::Within(vec![level(scale(from, 1.0 / distance))])
        }
    }

    /// Returns the point of the core nearest to a place.
    fn nearest(&self, at: V) -> V {
        let mut inside = self.core.len() > 2;
        let mut nearest = self.core[0];
        for (p, along, normal) in self.edges() {
            inside &= dot(sub(at, p), normal) <= 0.0;
            let part = (dot(sub(at, p), along) / dot(along, along)).clamp(0.0, 1.0);
            let foot = add(p, scale(along, part));
            if length(sub(foot, at)) < length(sub(nearest, at)) {
                nearest = foot;
            }
        }
        if inside { at } else { nearest }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two sets adjoin; the point enters the right one on the first leg of its way, and hits neither's owner.
    #[test]
    fn in_a_slot_only_what_the_leg_enters_counts() {
        let mut outline = Outline::default();
        for (owner, left) in [(0, -10.0), (1, 0.0)] {
            let square = vec![[left, 0.0], [left + 10.0, 0.0], [left + 10.0, 10.0], [left, 10.0]];
            outline.push(owner, square, 0, owner as u8);
        }
        let (at, way) = ([0.0, 5.0], [1.0, 0.0]);
        assert_eq!(outline.side(at, way, &|_| false), None);
        let side = outline.side_in_slot(0, at, way, &|_| false).expect("a side of the right square");
        assert_eq!(side.normal, [-1.0, 0.0]);
        assert_eq!(outline.side_in_slot(1, at, way, &|_| false), None);
    }
}
