//! Pairs of convex bodies or polygons: compares any piece of one with any piece of the other. Twin of
//! `shaders/shared/convex.wgsl`.

use super::view::{Piece, View};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, first_tick, meets};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;

/// Returns whether two convex bodies hit within the step.
pub(super) fn convex_pair(a: &View<'_>, b: &View<'_>, touch: Touch) -> bool {
    let motion = a.body.motion - b.body.motion;
    if is_apart(a, b, motion, touch) {
        return false;
    }
    near_pieces(a, b, motion).any(|piece_a| {
        near_pieces_of(b, piece_a, motion).any(|piece_b| hit([(a, piece_a), (b, piece_b)], motion, touch))
    })
}

/// Returns the first tick at which two convex bodies hit.
pub(super) fn convex_tick(a: &View<'_>, b: &View<'_>, touch: Touch) -> Option<u32> {
    let motion = a.body.motion - b.body.motion;
    if is_apart(a, b, motion, touch) {
        return None;
    }
    let ticks = near_pieces(a, b, motion).flat_map(|piece_a| {
        near_pieces_of(b, piece_a, motion).filter_map(move |piece_b| {
            first_tick(0, TICKS, |k| hit([(a, piece_a), (b, piece_b)], come(motion, k), touch))
        })
    });
    ticks.min()
}

/// Returns whether a piece of a body, moving by `motion`, hits a piece of another.
fn hit([(a, ours), (b, theirs)]: [(&View<'_>, Piece<'_>); 2], motion: Point, touch: Touch) -> bool {
    if meets(ours.core, theirs.core, motion, ours.radius + theirs.radius, touch) {
        return true;
    }
    match [ours.core, theirs.core] {
        [Core::Segment(segment), Core::Hull(_)] => b.has_seam_along(theirs, segment, motion),
        [Core::Hull(_), Core::Segment(segment)] => a.has_seam_along(ours, segment, -motion),
        _ => false,
    }
}

/// Returns the pieces of a body that come near another, moving by `motion` relative to it.
#[inline(always)]
fn near_pieces<'a>(a: &View<'a>, b: &View<'_>, motion: Point) -> impl Iterator<Item = Piece<'a>> + use<'a> {
    a.pieces(&b.body.reach().grown(a.body.radius).swept(-motion))
}

/// Returns the pieces of a body that a piece of another comes near, moving by `motion` relative to it.
#[inline(always)]
fn near_pieces_of<'b>(b: &View<'b>, piece: Piece<'_>, motion: Point) -> impl Iterator<Item = Piece<'b>> + use<'b> {
    let near = if b.has_pieces() { piece.bounds().grown(b.body.radius).swept(motion) } else { Aabb::EVERYWHERE };
    b.pieces(&near)
}

/// Returns whether two bodies that do not move relative to each other are too far apart to hit.
fn is_apart(a: &View<'_>, b: &View<'_>, motion: Point, touch: Touch) -> bool {
    motion == Point::ZERO && !a.body.reach().meets(&b.body.reach(), touch)
}
