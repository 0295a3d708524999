//! Two convex bodies or polygons: any piece of the one against any piece of the other; twin of
//! `shaders/shared/convex.wgsl`.

use super::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, first_contact, meets};
use crate::ground::touch::Touch;

/// Whether two convex bodies hit within the step.
pub(super) fn convex_pair(a: &View<'_>, b: &View<'_>, touch: Touch) -> bool {
    let (motion, radius) = (a.body.motion - b.body.motion, a.body.radius + b.body.radius);
    if is_apart(a, b, motion, touch) {
        return false;
    }
    near_pieces(a, b, motion).any(|piece_a| {
        near_pieces_of(b, piece_a, motion, radius).any(|piece_b| meets(piece_a, piece_b, motion, radius, touch))
    })
}

/// The first tick at which they do.
pub(super) fn convex_tick(a: &View<'_>, b: &View<'_>, touch: Touch) -> Option<u32> {
    let (motion, radius) = (a.body.motion - b.body.motion, a.body.radius + b.body.radius);
    if is_apart(a, b, motion, touch) {
        return None;
    }
    let ticks = near_pieces(a, b, motion).flat_map(|piece_a| {
        let theirs = near_pieces_of(b, piece_a, motion, radius);
        theirs.filter_map(move |piece_b| first_contact(piece_a, piece_b, motion, radius, touch))
    });
    ticks.min()
}

/// The pieces of a body that come to another, going by `motion`.
#[inline(always)]
fn near_pieces<'a>(a: &View<'a>, b: &View<'_>, motion: Point) -> impl Iterator<Item = Core<'a>> + use<'a> {
    a.pieces(&b.body.reach().grown(a.body.radius).swept(-motion))
}

/// The pieces of a body to which a piece of another comes, going by `motion`; `radius` is the sum of both.
#[inline(always)]
fn near_pieces_of<'b>(
    b: &View<'b>,
    piece: Core<'_>,
    motion: Point,
    radius: i32,
) -> impl Iterator<Item = Core<'b>> + use<'b> {
    let near = if b.has_pieces() { piece.bounds().grown(radius).swept(motion) } else { Aabb::EVERYWHERE };
    b.pieces(&near)
}

/// Whether two that rest, to each other at least, are too far apart to hit.
fn is_apart(a: &View<'_>, b: &View<'_>, motion: Point, touch: Touch) -> bool {
    motion == Point::ZERO && !a.body.reach().meets(&b.body.reach(), touch)
}
