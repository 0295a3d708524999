//! Cores and bounds, landed in the world; twin of `shaders/stages/land.wgsl`.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::Core;
use crate::world::packed::{Body, EMPTY, Packed, SPRITE, reach};
use crate::world::pieces;
use crate::world::seam::{Entry, has_seam_along};

/// Writes the landed vertices of a body to `landed`.
pub(crate) fn core(body: &Body, vertices: &[Point], landed: &mut [Point]) {
    for (to, &from) in landed.iter_mut().zip(vertices) {
        let [x, y] = body.linear.land(from);
        *to = body.position + Point::new(x as i32, y as i32);
    }
}

/// Writes the landed vertices of those pieces of a body that come near a box, each at its place among all vertices. The
/// others are left as they are.
#[inline(always)]
pub(crate) fn core_near(packed: &Packed, body: &Body, near: &Aabb, landed: &mut [Point]) {
    let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
    for piece in packed.pieces(body).meeting(near.grown(body.radius)) {
        core(body, &vertices[piece.vertices()], &mut landed[piece.vertices()]);
    }
}

/// A convex piece of a body placed in the world: the hull of its vertices, inflated by a radius. In lattice steps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Piece {
    /// The vertices: one for a circle, two for a capsule, four for a box. They are in the order of the shape; rounding
    /// may have moved close ones past each other, so the piece is their hull.
    pub vertices: Vec<Point>,
    /// The radius.
    pub radius: i32,
    /// The part of the shape to which it belongs; 0 for a shape that was not made of parts.
    pub part: u32,
    /// Its first vertex, counted through all pieces.
    pub(crate) first: usize,
    /// True if it has no interior because it is a segment without a radius.
    pub(crate) is_segment: bool,
}

impl Piece {
    /// Makes a piece of the only part of a shape.
    pub(crate) fn hull(vertices: Vec<Point>, radius: i32) -> Self {
        Self { vertices, radius, part: 0, first: 0, is_segment: false }
    }

    /// Returns the piece without its radius.
    pub(crate) fn core(&self) -> Core<'_> {
        self.core_at(&self.vertices)
    }

    /// Returns the core with its vertices elsewhere.
    pub(crate) fn core_at<'a>(&self, vertices: &'a [Point]) -> Core<'a> {
        if self.is_segment { Core::Segment(vertices) } else { Core::Hull(vertices) }
    }

    /// Returns whether a segment, moving by `by`, runs along a seam between this piece and one of `all` of its body.
    pub(crate) fn has_seam_along(&self, seams: &[Entry], all: &[Self], segment: &[Point], by: Point) -> bool {
        has_seam_along(seams, self.first, &self.vertices, segment, by, |other| {
            all.iter().find(|piece| piece.first == other.start).map(|piece| &piece.vertices[..])
        })
    }

    /// Returns the bounds of the piece, with its radius.
    pub(crate) fn bounds(&self) -> Aabb {
        Aabb::around(&self.vertices).grown(self.radius)
    }
}

/// Returns the landed pieces of a convex body.
pub(crate) fn pieces(packed: &Packed, body: &Body) -> Vec<Piece> {
    landed(packed, body, packed.pieces(body).all())
}

/// As [`pieces`], for the pieces that meet a box, and perhaps some that are only near it.
pub(crate) fn pieces_near(packed: &Packed, body: &Body, near: &Aabb) -> Vec<Piece> {
    landed(packed, body, packed.pieces(body).meeting(near.grown(body.radius)))
}

fn landed(packed: &Packed, body: &Body, pieces: impl Iterator<Item = pieces::Piece>) -> Vec<Piece> {
    let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
    let landed = |piece: pieces::Piece| {
        let mut landed = vec![Point::ZERO; piece.count];
        core(body, &vertices[piece.vertices()], &mut landed);
        let is_segment = piece.is_segment();
        Piece { vertices: landed, radius: piece.radius, part: piece.part, first: piece.first, is_segment }
    };
    pieces.map(landed).collect()
}

/// Returns the bounding box of a body over the whole step: at its start, at its end, and between; nowhere if it is
/// empty.
#[inline(always)]
#[must_use]
pub(crate) fn bound(body: &Body) -> Aabb {
    if body.is(EMPTY) { Aabb::NOWHERE } else { bound_of(body.position, body.motion, &body.extent, body.is(SPRITE)) }
}

/// As [`bound`], for a body that is not empty.
#[inline(always)]
pub(crate) fn bound_of(position: Point, motion: Point, extent: &Aabb, sprite: bool) -> Aabb {
    let (here, end) = (reach(position, extent, sprite), reach(position + motion, extent, sprite));
    // A sprite may paint other pixels at its end than on the way.
    here.join(&here.moved(gone(position, motion, sprite))).join(&end)
}

/// Returns the bounding box of a body's position over the whole step, whether or not the body covers it.
#[inline(always)]
pub(crate) fn way_of(position: Point, motion: Point, sprite: bool) -> Aabb {
    let here = Aabb { min: position, max: position };
    here.join(&here.moved(gone(position, motion, sprite))).join(&here.moved(motion))
}

/// Returns how far a body goes within the step; a sprite goes by whole pixels, in one direction on each axis.
#[inline(always)]
fn gone(position: Point, motion: Point, sprite: bool) -> Point {
    let whole = if sprite { !255 } else { !0 };
    let along = |p: i32, m: i32| ((p + m) & whole) - (p & whole);
    Point::new(along(position.x, motion.x), along(position.y, motion.y))
}
