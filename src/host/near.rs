//! The landed pieces of a body near a place, and whether pieces of two bodies hit, by the exact rules.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::meets;
use crate::ground::touch::Touch;
use crate::world::packed::{Body, Packed};
use crate::world::pose::land::{self, Piece};
use crate::world::seam::Entry;

/// The landed pieces of a body without pixels that meet a box, with the seams between them.
pub(crate) struct Near<'a> {
    pub(crate) pieces: Vec<Piece>,
    seams: &'a [Entry],
}

impl<'a> Near<'a> {
    pub(crate) fn new(packed: &'a Packed, body: &Body, near: &Aabb) -> Self {
        let seams = packed.seams(&packed.shapes[body.shape as usize]);
        Self { pieces: land::pieces_near(packed, body, near), seams }
    }

    /// Returns whether some piece is a segment, and the other body has seams.
    pub(crate) fn may_lie_on_seam(&self, other: &Self) -> bool {
        !other.seams.is_empty() && self.pieces.iter().any(|piece| piece.is_segment)
    }

    /// Takes pieces without seams.
    #[cfg(any(test, all(feature = "internals", feature = "gpu")))]
    pub(crate) fn apart(pieces: Vec<Piece>) -> Self {
        Self { pieces, seams: &[] }
    }
}

/// A test of pieces of two bodies.
pub(crate) struct Trial<'a> {
    bodies: [&'a Near<'a>; 2],
    touch: Touch,
    moved: Vec<Point>,
}

impl<'a> Trial<'a> {
    pub(crate) fn new(bodies: [&'a Near<'a>; 2], touch: Touch) -> Self {
        Self { bodies, touch, moved: Vec::new() }
    }

    /// Returns whether a piece of the first body, displaced by `at` and then moving by `by`, hits one of the second.
    pub(crate) fn hits(&mut self, ours: &Piece, theirs: &Piece, at: Point, by: Point) -> bool {
        self.moved.clear();
        self.moved.extend(ours.vertices.iter().map(|&p| p + at));
        if meets(ours.core_at(&self.moved), theirs.core(), by, ours.radius + theirs.radius, self.touch) {
            return true;
        }
        if self.touch == Touch::Included {
            return false;
        }
        let [a, b] = self.bodies;
        match [ours.is_segment, theirs.is_segment] {
            [true, false] => theirs.has_seam_along(b.seams, &b.pieces, &self.moved, by),
            [false, true] => {
                self.moved.clear();
                self.moved.extend(theirs.vertices.iter().map(|&p| p - at));
                ours.has_seam_along(a.seams, &a.pieces, &self.moved, -by)
            }
            _ => false,
        }
    }
}
