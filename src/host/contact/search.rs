//! A best-first search for the way out of a union of sets, from the origin outward.
//!
//! The plane is split into convex cells, as fine as necessary:
//!
//! ```text
//! cell = the nearest remaining; if it is farther than the best candidate, that is the way out
//!        one set holds all of it:    no way out ends in it
//!        few sets come to it:        the candidates in it, of these sets
//!        one set holds its middle:   the parts that this set leaves, a cell beyond each edge that cuts it
//!        else:                       its halves
//! ```

use std::collections::BinaryHeap;
use std::ops::ControlFlow;

use super::boundary::Boundary;
use super::bounds::Bounds;
use super::cell::{Cell, Line};
use super::convex::{self, V, Way, length};
use super::exit::{Candidate, Exit, TOLERANCE};
use super::sets::Sets;
use super::tree::Pair;
use super::view::{INSIDE, MARGIN, Seen, View};
use crate::ground::lattice::SUBPIXELS;
use crate::ground::sorting::{sort, sort_by};
use crate::ground::touch::Touch;

/// How far outside a cell a candidate may lie, because both are rounded, in lattice steps.
const OUTSIDE: f64 = MARGIN / 4.0;
/// The extent of a cell that is split no further, in lattice steps.
const SMALL: f64 = 1.0 / 8.0;
/// How deep inside a set the middle of a cell must lie for the set to be cut off, as a fraction of the extent of the
/// cell.
const DEEP: f64 = 1.0 / 32.0;
/// How many sets are examined in a cell before it is split; half as many are few. Rounded sets leave more behind.
const TRIES: usize = 24;
const ROUNDED_TRIES: usize = 48;
/// How many of the sets that held cells are tried first for another.
const HOLDERS: usize = 8;
/// The extent that a cell needs to be examined after the first half of the work, as a fraction of the way past all
/// sets.
const COARSE: f64 = 1.0 / 64.0;
/// The work that a cell counts for, because of the memory that it takes.
const CELL: usize = 128;

pub(super) struct Search<'a> {
    sets: &'a Sets<'a>,
    touch: Touch,
    /// True if narrow places are free where no set holds them, as on the GPU.
    on_gpu: bool,
    /// The longest of the ways out of each set, a lower bound.
    least: f64,
    /// The way past all sets.
    past: Way,
    best: Option<Candidate>,
    /// The cells still to examine.
    cells: BinaryHeap<Cell>,
    /// The sets that held cells, most recent first, with the bounds of their polygons.
    holders: Vec<(Pair, Bounds)>,
    /// The number of edges of sets examined, and its limit.
    work: usize,
    most_work: usize,
}

/// A set near a cell.
struct NearSet {
    core: Vec<V>,
    radius: f64,
    /// Bounds, extended by one lattice step.
    bounds: Bounds,
}

impl NearSet {
    /// Returns whether a way out may not end at an exit because of the set.
    fn bars(&self, exit: &Exit, touch: Touch) -> bool {
        exit.is_barred(touch, |at| {
            let is_far = !self.bounds.contains(at);
            if is_far { f64::NEG_INFINITY } else { convex::way_out(&self.core, self.radius, at).depth }
        })
    }
}

/// The result of examining a cell.
enum Known {
    /// A set contains the cell.
    Held,
    /// All the sets that come to the cell.
    Few(Vec<Pair>),
    /// More sets come to the cell. Of those examined:
    Many {
        /// The set in whose polygon the cell's middle lies deepest, and how deep.
        deepest: Option<(f64, Pair)>,
        /// Whether the cell is smaller than one of them.
        is_smaller: bool,
    },
}

impl<'a> Search<'a> {
    /// Makes a search for a way out at least `least` long, and no longer than the way `past` all sets.
    pub(super) fn new(sets: &'a Sets<'a>, touch: Touch, on_gpu: bool, least: f64, past: Way, most_work: usize) -> Self {
        let (cells, holders) = (BinaryHeap::new(), Vec::with_capacity(HOLDERS + 1));
        Self { sets, touch, on_gpu, least, past, best: None, cells, holders, work: 0, most_work }
    }

    /// Returns the shortest way out; if that takes too much work, one that may be longer.
    pub(super) fn way_out(&mut self) -> Candidate {
        let inner = (1.5 * self.least + f64::from(SUBPIXELS)).min(self.past.depth);
        let tries = if self.sets.are_round() { ROUNDED_TRIES } else { TRIES };
        for cell in Cell::squares(inner, self.past.depth, tries) {
            self.add(cell);
        }
        while let Some(cell) = self.cells.pop() {
            if cell.distance > self.most() + MARGIN || self.work > self.most_work {
                break;
            }
            if self.work > self.most_work / 2 && cell.reach < COARSE * self.past.depth {
                continue;
            }
            match self.look(&cell) {
                Known::Held => {}
                Known::Few(pairs) => self.find(pairs, &cell),
                Known::Many { deepest: Some((depth, pair)), .. } if depth > (DEEP * cell.reach).max(2.0 * INSIDE) => {
                    self.cut(cell, pair, tries);
                }
                // If the sets are larger, hardly fewer of them come to half a cell.
                Known::Many { is_smaller, .. } => {
                    let tries = if is_smaller { 2 * cell.tries } else { cell.tries };
                    cell.halves(tries).into_iter().flatten().for_each(|half| self.add(half));
                }
            }
        }
        self.best.unwrap_or(self.past.into())
    }

    /// Returns an upper bound on the length of the way out.
    fn most(&self) -> f64 {
        self.best.map_or(self.past, |best| best.way).depth
    }

    /// Adds a cell, unless the way out is shorter than its distance.
    fn add(&mut self, cell: Cell) {
        if cell.distance <= self.most() + MARGIN {
            self.work += CELL;
            self.cells.push(cell);
        }
    }

    /// Adds the parts of a cell that a set leaves.
    fn cut(&mut self, mut cell: Cell, pair: Pair, tries: usize) {
        let mut polygon = Vec::new();
        self.sets.polygon(pair, &mut polygon);
        self.work += polygon.len();
        for line in Line::edges(&polygon) {
            if line.depths(&cell.corners)[0] >= INSIDE {
                continue;
            }
            let [inside, outside] = cell.cut(&line, INSIDE, tries);
            if let Some(outside) = outside {
                self.add(outside);
            }
            let Some(inside) = inside else { break };
            cell = inside;
        }
    }

    /// Examines sets that may contain a cell or come to it.
    fn look(&mut self, cell: &Cell) -> Known {
        let mut view = View::new(self.sets, cell);
        let known = self.look_with(&mut view, cell);
        self.work += view.edges;
        known
    }

    fn look_with(&mut self, view: &mut View<'_>, cell: &Cell) -> Known {
        let are_all_few = self.sets.count() <= cell.tries / 2;
        let mut holds = |(pair, bounds): &(Pair, Bounds)| {
            !are_all_few && bounds.contains(cell.middle) && matches!(view.see(*pair), Seen::Holds)
        };
        if let Some(index) = self.holders.iter().position(&mut holds) {
            self.holders[..=index].rotate_right(1);
            return Known::Held;
        }
        let near = cell.bounds(MARGIN);
        let weigh = |set: &Bounds| if set.meets(&near) { set.depth(cell.middle) } else { f64::NEG_INFINITY };
        let (mut pairs, mut tries, is_small) = (Vec::new(), 0, cell.reach < SMALL);
        let end = self.sets.pairs.walk(f64::NEG_INFINITY, weigh, |pair| {
            tries += 1;
            match if are_all_few { Seen::Comes } else { view.see(pair) } {
                Seen::Holds => return ControlFlow::Break(Some((pair, view.bounds()))),
                Seen::Comes => pairs.push(pair),
                Seen::IsApart => {}
            }
            let are_many = (tries >= cell.tries && pairs.len() > cell.tries / 2) || tries > 4 * cell.tries;
            if are_many && !is_small { ControlFlow::Break(None) } else { ControlFlow::Continue(f64::NEG_INFINITY) }
        });
        match end {
            Some(Some(holder)) => {
                self.holders.insert(0, holder);
                self.holders.truncate(HOLDERS);
                Known::Held
            }
            None if is_small || pairs.len() <= cell.tries / 2 => Known::Few(pairs),
            _ => Known::Many { deepest: view.deepest, is_smaller: view.widest > cell.reach },
        }
    }

    /// Finds the shortest way out that ends in a cell, given all sets that come to the cell.
    fn find(&mut self, mut pairs: Vec<Pair>, cell: &Cell) {
        let Self { sets, least, .. } = *self;
        sort(&mut pairs);
        let mut boundary = Boundary::default();
        let set = |(index, pair): (usize, Pair)| {
            let (mut core, radius) = (Vec::new(), sets.radius(pair));
            sets.core(pair, &mut core);
            boundary.add(index, &core, radius, &cell.bounds(MARGIN));
            let bounds = Bounds::of(core.iter().copied(), radius + 1.0);
            NearSet { core, radius, bounds }
        };
        let near: Vec<NearSet> = pairs.into_iter().enumerate().map(set).collect();
        self.work += boundary.count() * boundary.count() / 4;
        let (bounds, most) = (cell.bounds(OUTSIDE), self.most());
        let mut candidates = Vec::new();
        boundary.propose(|exit: Exit| {
            let Exit { at, onward, corner, .. } = exit;
            let depth = length(at);
            let is_as_long = depth >= least - TOLERANCE && depth <= most;
            if is_as_long && bounds.contains(at) && cell.contains(at, OUTSIDE) {
                let normal = if depth > TOLERANCE { at.map(|v| v / depth + 0.0) } else { onward.map(|v| v + 0.0) };
                candidates.push((exit, Way { normal, depth, corner }));
            }
        });
        sort_by(&mut candidates, |(a, p), (b, q)| p.order(q).then(a.is_narrow.cmp(&b.is_narrow)));
        // The set that barred one candidate mostly bars the next.
        let mut last = 0;
        for (exit, way) in candidates {
            let touch = if self.on_gpu && exit.is_narrow { Touch::Excluded } else { self.touch };
            if near.get(last).is_some_and(|set| set.bars(&exit, touch)) {
                continue;
            }
            let Some(index) = near.iter().position(|set| set.bars(&exit, touch)) else {
                let is_best = self.best.is_none_or(|best| way.order(&best.way).is_lt());
                if is_best {
                    self.best = Some(Candidate { way, exit: Some(exit) });
                }
                return;
            };
            last = index;
        }
    }
}
