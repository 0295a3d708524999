//! A cell and the sets examined in it.

use super::bounds::Bounds;
use super::cell::{Cell, Line};
use super::convex::{self, V};
use super::sets::Sets;
use super::tree::Pair;

/// How deep inside a set a cell must lie to be held by it, in lattice steps: more than candidates are moved before they
/// are tested against sets, unless they are narrow and so tested where they are, and more than all rounding, so that
/// none in the cell is free.
pub(super) const INSIDE: f64 = 1.0 / 128.0;
/// How near a set must be to a cell to count as coming to it, in lattice steps.
pub(super) const MARGIN: f64 = 1.0 / 16.0;

pub(super) struct View<'a> {
    sets: &'a Sets<'a>,
    cell: &'a Cell,
    /// The polygon of the set examined last.
    polygon: Vec<V>,
    core: Vec<V>,
    /// The set in whose polygon the cell's middle lies deepest, and how deep.
    pub(super) deepest: Option<(f64, Pair)>,
    /// Half the shorter side of a set's bounds, at its greatest over the sets.
    pub(super) widest: f64,
    /// The number of edges examined.
    pub(super) edges: usize,
}

/// The relation of a set to a cell.
pub(super) enum Seen {
    Holds,
    Comes,
    IsApart,
}

impl<'a> View<'a> {
    pub(super) fn new(sets: &'a Sets<'a>, cell: &'a Cell) -> Self {
        Self { sets, cell, polygon: Vec::new(), core: Vec::new(), deepest: None, widest: 0.0, edges: 0 }
    }

    /// Returns the bounds of the polygon of the set examined last.
    pub(super) fn bounds(&self) -> Bounds {
        Bounds::of(self.polygon.iter().copied(), 0.0)
    }

    /// Examines a set.
    pub(super) fn see(&mut self, pair: Pair) -> Seen {
        let Self { sets, cell, .. } = *self;
        let rim = sets.rim(pair);
        sets.polygon(pair, &mut self.polygon);
        self.edges += self.polygon.len();
        let Bounds { min, max } = self.bounds();
        self.widest = self.widest.max(0.5 * (max[0] - min[0]).min(max[1] - min[1]));
        // The depth of the corners in it, at least, and of the middle; a segment or point holds nothing.
        let has_area = self.polygon.len() > 2;
        let (mut least, mut depth) = if has_area { (f64::INFINITY, f64::INFINITY) } else { (0.0, 0.0) };
        for line in Line::edges(&self.polygon) {
            let [low, high] = line.depths(&cell.corners);
            if high < -MARGIN - rim {
                return Seen::IsApart;
            }
            (least, depth) = (least.min(low), depth.min(line.depth(cell.middle)));
        }
        if has_area && self.deepest.is_none_or(|(deepest, _)| depth > deepest) {
            self.deepest = Some((depth, pair));
        }
        if least > INSIDE {
            Seen::Holds
        } else if rim > 0.0 {
            self.see_rim(pair)
        } else {
            Seen::Comes
        }
    }

    /// Examines an inflated set whose polygon is near the cell.
    fn see_rim(&mut self, pair: Pair) -> Seen {
        let Self { sets, cell, .. } = *self;
        sets.core(pair, &mut self.core);
        let radius = sets.radius(pair);
        let depth = |p: V| convex::way_out(&self.core, radius, p).depth;
        let middle = depth(cell.middle);
        if middle < -cell.reach - MARGIN {
            Seen::IsApart
        } else if middle > INSIDE && cell.corners.iter().all(|&corner| depth(corner) > INSIDE) {
            Seen::Holds
        } else {
            Seen::Comes
        }
    }
}
