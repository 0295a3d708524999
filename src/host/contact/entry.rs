//! By what a point that moves enters a union of convex sets that are inflated: an edge that is moved outward, or the
//! disc about a vertex. What a ray enters by, and what a body comes to that moves against others: the sets are then
//! those of the translations that bring two pieces together.

use super::convex::{V, cross, dot, length, outward, scale, sub};
use crate::ground::lattice::Point;

/// What is no farther apart on the way is entered at once, in lattice steps: a millionth of a unit.
const TOLERANCE: f64 = 1.0 / 4096.0;
/// How far a point may have come on another way than it goes, in lattice steps, as its end at a tick is rounded.
const ROUNDED: f64 = 1.0;

/// Where a point enters, as seen from where it begins, in lattice steps.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    pub(crate) at: V,
    pub(crate) normal: V,
    pub(crate) by: By,
    part: f64,
    /// The number of the set.
    set: usize,
}

/// What a point enters by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum By {
    Edge,
    Vertex,
    /// An edge at which the union goes on.
    #[default]
    Seam,
}

/// The edges and vertices by which a point may enter, up to a part of its way.
#[derive(Debug)]
pub(crate) struct Entries {
    way: V,
    length: f64,
    most: f64,
    sets: usize,
    /// Of what it has come to, and of what it only touches.
    met: Vec<Entry>,
    touched: Vec<Entry>,
}

impl Entries {
    pub(crate) fn new(way: Point, most: f64) -> Self {
        let way = wide(way);
        Self { way, length: length(way), most, sets: 0, met: Vec::new(), touched: Vec::new() }
    }

    /// A set of a core, which lies on the left of its edges, that is inflated by a radius. `goes_on` tells of an edge
    /// whether the union goes on there, `met` whether the point has come to the set.
    pub(crate) fn set(&mut self, core: &[V], radius: i32, goes_on: impl Fn(usize, V, V) -> bool, met: bool) {
        for (k, &p) in core.iter().enumerate() {
            let q = core[(k + 1) % core.len()];
            self.edge([p, q], radius.into(), if goes_on(k, p, q) { By::Seam } else { By::Edge }, met);
            self.vertex(p, radius.into(), met);
        }
        self.sets += 1;
    }

    /// The first by which it enters what it has come to. At a seam, and at a vertex of a piece that goes on in another,
    /// it is an edge of what it touches there; with none there, it begins in the union. Of several edges it is one
    /// along which it could go on, then the one that faces it more.
    pub(crate) fn first(&self) -> Option<Entry> {
        let first = self.met.iter().map(|entry| entry.part).reduce(f64::min)?;
        let near = |slack: f64| move |entry: &&Entry| (entry.part - first).abs() * self.length <= slack;
        let at_once: Vec<&Entry> = self.met.iter().filter(near(TOLERANCE)).collect();
        let there = self.best(self.met.iter().chain(&self.touched).filter(near(TOLERANCE)), &at_once)?;
        if there.by == By::Edge {
            return Some(there);
        }
        let edges = self.touched.iter().filter(|entry| entry.by == By::Edge);
        self.best(edges.filter(near(ROUNDED)), &at_once).or(Some(there))
    }

    /// The best of several entries, among what is met at once.
    fn best<'a>(&self, entries: impl Iterator<Item = &'a Entry>, at_once: &[&Entry]) -> Option<Entry> {
        let faced = |entry: &Entry| dot(self.way, entry.normal);
        let mut sides: Vec<&Entry> = entries.collect();
        sides.sort_by(|a, b| a.by.cmp(&b.by).then(faced(a).total_cmp(&faced(b))));
        // Many sets have the same.
        sides.dedup_by_key(|entry| (entry.by, entry.normal));
        let leads_on = |entry: &&&Entry| entry.by == By::Edge && self.leads_on(entry.normal, at_once);
        sides.iter().find(leads_on).or(sides.first()).map(|&&entry| entry)
    }

    /// Whether what is left of the way along an edge enters none of the sets that are met at once, whose entries are in
    /// the order of the sets: each has an edge there that it does not go into.
    fn leads_on(&self, normal: V, at_once: &[&Entry]) -> bool {
        let along = sub(self.way, scale(normal, dot(self.way, normal)));
        let leaves = |other: &&Entry| dot(along, other.normal) >= -self.length * TOLERANCE;
        at_once.chunk_by(|a, b| a.set == b.set).all(|set| set.iter().any(leaves))
    }

    /// An edge, the set on its left, that is moved outward.
    fn edge(&mut self, [p, q]: [V; 2], radius: f64, by: By, met: bool) {
        let along = sub(q, p);
        let normal = outward(along);
        let into = -dot(self.way, normal);
        if into <= 0.0 || along == [0.0; 2] {
            return;
        }
        let part = (-dot(p, normal) - radius) / into;
        let (foot, end) = (dot(sub(scale(self.way, part), p), along), dot(along, along));
        let slack = TOLERANCE * end.sqrt();
        if foot >= -slack && foot <= end + slack {
            self.propose(part, normal, by, met);
        }
    }

    /// A vertex, with the disc about it.
    fn vertex(&mut self, p: V, radius: f64, met: bool) {
        let (along, aside) = (dot(p, self.way) / self.length, cross(p, self.way).abs() / self.length);
        if radius == 0.0 || aside > radius {
            return;
        }
        let part = (along - ((radius - aside) * (radius + aside)).sqrt()) / self.length;
        let normal = sub(scale(self.way, part), p);
        self.propose(part, scale(normal, 1.0 / length(normal)), By::Vertex, met);
    }

    /// Takes one in, if the point comes there.
    fn propose(&mut self, part: f64, normal: V, by: By, met: bool) {
        // By the tick of the hit it has come as far, but for a step by which that is rounded.
        if part * self.length >= -TOLERANCE && (part - self.most) * self.length <= ROUNDED {
            // Adding 0 turns -0 into 0.
            let normal = normal.map(|v| v + 0.0);
            let entry = Entry { at: scale(self.way, part.max(0.0)), normal, by, part, set: self.sets };
            if met { self.met.push(entry) } else { self.touched.push(entry) }
        }
    }
}

/// A point, as exact numbers of lattice steps.
pub(crate) fn wide(p: Point) -> V {
    [f64::from(p.x), f64::from(p.y)]
}
