//! The shortest way out of a union of convex sets of translations, one for each pair of pieces.
//!
//! The way out of one set may lead into another, so the longest of the ways out of each is not the answer. The boundary
//! of the union consists of parts of the boundaries of the sets, between their crossings. Along such a part the
//! distance from the origin is least where it is least on the whole edge or arc, or at an end of the part:
//!
//! ```text
//! candidates = the nearest point of each edge and arc, and all crossings of two of them
//! the nearest candidate that lies inside no set is the way out
//! ```
//!
//! There may be millions of sets, most of them farther away than the way out or deep inside others: `search` only
//! examines candidates near the boundary of the union.

use super::bounds::Bounds;
use super::convex::{self, V, Way, differences};
use super::exit::Candidate;
use super::search::Search;
use super::sets::Sets;
use super::tree::Pairs;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::world::pose::land::Piece;

use std::ops::ControlFlow;

/// How far apart bodies in contact may stand because time has 65,536 ticks and positions are rounded, in lattice steps.
pub(super) const NEAR: f64 = 256.0;
/// How much deeper a set may seem than its bounds allow, because ways are rounded, in lattice steps.
const ROUNDED: f64 = 1.0 / 4096.0;
/// The maximum number of edges examined in search of the shortest way; they take a second or two.
const MOST_WORK: usize = 1 << 28;

const ORIGIN: V = [0.0, 0.0];

/// Returns the shortest way by which the union of the pieces `a` leaves that of `b`, in lattice steps. If no two pieces
/// overlap, the depth is not above 0, and the way points away from the nearest.
///
/// With `on_seam`, a segment lies in the interior of a polygon, perhaps only on a seam, which is no way out.
///
/// With `on_gpu`, narrow places are free where no set holds them, as on the GPU.
///
/// If the search takes too long, the way out may be longer than the shortest.
pub(super) fn way_out(a: &[Piece], b: &[Piece], touch: Touch, on_seam: bool, on_gpu: bool) -> Candidate {
    way_out_within(MOST_WORK, a, b, touch, on_seam, on_gpu)
}

/// As [`way_out`], with a limit on the number of edges examined.
fn way_out_within(most_work: usize, a: &[Piece], b: &[Piece], touch: Touch, on_seam: bool, on_gpu: bool) -> Candidate {
    if let ([a], [b]) = (a, b) {
        return convex::way_out(&differences(&a.vertices, &b.vertices), f64::from(a.radius + b.radius), ORIGIN).into();
    }
    let past = past(&Pairs::new(a, b, touch).bounds());
    // Pieces that landed without area have no interior to meet, unless there are no others.
    let solids = [solid(a, b, touch), solid(b, a, touch)];
    let [a, b] = if solids.iter().any(Vec::is_empty) { [a, b] } else { solids.each_ref().map(Vec::as_slice) };
    let sets = Sets::new(a, b, touch);
    let deepest = deepest(&sets);
    // Pieces that only touch may do so on two sides, in a slot as wide as the body; if touching is a hit, the body must
    // still move out.
    let touch = if on_seam { Touch::Included } else { touch };
    let out = deepest.depth < 0.0 || (deepest.depth == 0.0 && touch == Touch::Excluded);
    if out || is_alone(&sets, past.depth.max(NEAR)) {
        return deepest.into();
    }
    Search::new(&sets, touch, on_gpu, deepest.depth, past, most_work).way_out()
}

/// Returns the pieces that have an interior, or can hit a piece of the other body without one.
fn solid(pieces: &[Piece], other: &[Piece], touch: Touch) -> Vec<Piece> {
    let always = touch == Touch::Included || other.iter().any(|piece| piece.radius > 0);
    let is_solid = |piece: &&Piece| always || piece.radius > 0 || piece.core().is_solid(Point::ZERO);
    pieces.iter().filter(is_solid).cloned().collect()
}

/// Returns the longest of the ways out of each set.
fn deepest(sets: &Sets<'_>) -> Way {
    // No set is deeper or nearer than its bounds.
    let weigh = |bounds: &Bounds| {
        let depth = bounds.depth(ORIGIN);
        if depth >= 0.0 { depth } else { -bounds.distance() }
    };
    let (mut core, mut deepest): (_, Option<Way>) = (Vec::new(), None);
    let _: Option<()> = sets.pairs.walk(f64::NEG_INFINITY, weigh, |pair| {
        sets.core(pair, &mut core);
        let way = convex::way_out(&core, sets.radius(pair), ORIGIN);
        let way = deepest.map_or(way, |deepest| deepest.deeper(way));
        deepest = Some(way);
        ControlFlow::Continue(way.depth - ROUNDED)
    });
    deepest.unwrap_or(Way { normal: [0.0, -1.0], depth: 0.0, corner: true })
}

/// Returns whether the bounds of only one set come within a distance of the origin.
fn is_alone(sets: &Sets<'_>, distance: f64) -> bool {
    let (least, mut count) = (-distance.next_up(), 0);
    let second = sets.pairs.walk(
        least,
        |bounds| -bounds.distance(),
        |_| {
            count += 1;
            if count > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(least) }
        },
    );
    second.is_none()
}

/// Returns the shortest way past a box that holds the origin.
fn past(all: &Bounds) -> Way {
    let way = |normal: V, depth: f64| Way { normal, depth, corner: false };
    let ways = [
        way([0.0, -1.0], -all.min[1]),
        way([0.0, 1.0], all.max[1]),
        way([-1.0, 0.0], -all.min[0]),
        way([1.0, 0.0], all.max[0]),
    ];
    ways.into_iter().reduce(|best, way| if way.depth < best.depth { way } else { best }).unwrap_or(ways[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_past_a_box_leads_to_its_nearest_side() {
        for (min, max, normal, depth) in [
            ([-5.0, -3.0], [6.0, 7.0], [0.0, -1.0], 3.0),
            ([-5.0, -8.0], [6.0, 4.0], [0.0, 1.0], 4.0),
            ([-2.0, -8.0], [6.0, 4.0], [-1.0, 0.0], 2.0),
            ([-5.0, -8.0], [1.0, 4.0], [1.0, 0.0], 1.0),
        ] {
            let way = past(&Bounds { min, max });
            assert_eq!((way.normal, way.depth), (normal, depth));
        }
    }
}
