//! Two convex bodies or polygons: any piece of the one against any piece of the other; twin of
//! `shaders/shared/convex.wgsl`.

use super::view::View;
use crate::ground::lattice::Point;
use crate::ground::predicate::{first_contact, meets};
use crate::ground::touch::Touch;

/// Whether two convex bodies hit within the step.
pub(super) fn convex_pair(a: &View<'_>, b: &View<'_>, touch: Touch) -> bool {
    let (motion, radius) = (a.body.motion - b.body.motion, a.body.radius + b.body.radius);
    if is_apart(a, b, motion, touch) {
        return false;
    }
    a.pieces().any(|piece_a| b.pieces().any(|piece_b| meets(piece_a, piece_b, motion, radius, touch)))
}

/// The first tick at which they do.
pub(super) fn convex_tick(a: &View<'_>, b: &View<'_>, touch: Touch) -> Option<u32> {
    let (motion, radius) = (a.body.motion - b.body.motion, a.body.radius + b.body.radius);
    if is_apart(a, b, motion, touch) {
        return None;
    }
    let ticks = a.pieces().flat_map(|piece_a| {
        b.pieces().filter_map(move |piece_b| first_contact(piece_a, piece_b, motion, radius, touch))
    });
    ticks.min()
}

/// Whether two that rest, to each other at least, are too far apart to hit.
fn is_apart(a: &View<'_>, b: &View<'_>, motion: Point, touch: Touch) -> bool {
    motion == Point::ZERO && !a.body.reach().meets(&b.body.reach(), touch)
}
