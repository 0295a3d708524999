//! Ray contacts: the point and the normal where a ray hits a body.
//!
//! A ray hits a body where its centre line enters one of the body's pieces, inflated by the ray's radius. The normal
//! there is that of an edge of the outline of the union of these pieces. Computed on the host in `f64`, not by the
//! engines.

use super::Asked;
use super::pixels::{self, Next};
use super::span::Line;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::{Core, apart, crosses};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::host::contact::convex::{V, add, differences, scale, sub, wide};
use crate::host::outline::Outline;
use crate::index::memory::sampled;
use crate::queries::{RayCast, RayContact, RayHit};
use crate::simd::Simd;
use crate::world::World;
use crate::world::packed::{Body, EMPTY, SPRITE};
use crate::world::pose::land::{self, Piece};

impl World {
    /// Returns the point and the normal where a ray hits a body, for sparks, for ricochets, or to place something on a
    /// slope. `hit` must be an answer to that ray. The body is taken at rest, at the start of the step.
    ///
    /// The edge is on the outline of the body, never between two pieces of a polygon or two pixels of a sprite. At a
    /// corner it is the side that faces the ray more. The sides of a sprite are those of its pixels; a ray with a
    /// radius may also hit their corners, whose normals can have any direction.
    ///
    /// If `hit` belongs to another ray, the result is meaningless, but this does not fail. Returns an
    /// [`Error::Value`](crate::Error::Value) for an invalid ray, and an [`Error::Gone`](crate::Error::Gone) if the body
    /// is gone.
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let mirror = world.add_shape(Shape::polygon(&[[0, 0], [8, 0], [0, 6]])?)?; // one side slanted
    /// world.add(&Body::new(mirror, [0, 0]))?;
    /// let (mut queries, ray) = (Queries::new(), RayCast::new([20, 3], [0, 3]));
    /// let hit = queries.on(&world).first(&ray)?.unwrap();
    /// let contact = world.ray_contact(&ray, &hit)?;
    /// assert_eq!([contact.at.x, contact.at.y].map(|v| (v * 100.0).round()), [400.0, 300.0]);
    /// assert_eq!(contact.normal, [0.6, 0.8]);
    /// // Reflect the ray and go on:
    /// let onward = RayCast::new(contact.beside, contact.beside + contact.reflect([-20, 0]));
    /// assert!(!queries.on(&world).any(&onward)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn ray_contact(&self, ray: &RayCast, hit: &RayHit) -> Result<RayContact> {
        let asked = ray.snap(self)?;
        let body = Body { motion: Point::ZERO, ..self.packed().body(self.index_of(hit.body)?) };
        let tick = hit.tick.min(TICKS);
        let came = Line::new(asked.line.from, come(asked.line.way, tick));
        let (mut outline, start, mut part) = (Outline::default(), [0.0; 2], 0);
        if body.is(SPRITE) {
            // A ray that hits at its start has no edge to report, so no pixels are read.
            if came.way != Point::ZERO {
                add_pixels(&mut outline, self, body, &came, asked.radius);
            }
        } else if !body.is(EMPTY) {
            part = add_pieces(&mut outline, self, &body, &came, asked.radius);
        }
        let side = |way: Point| {
            let at = outline.entry(0, [start, wide(way)], &|_| true)?;
            Some((at, outline.side(at, wide(way), &|_| true)?.normal))
        };
        // The end of the ray at that tick is rounded to the lattice. A ray along an edge may enter by that rounding
        // alone.
        let met = || side(asked.line.way).or_else(|| side(came.way));
        let (at, normal) = if came.way == Point::ZERO { None } else { met() }.unwrap_or_default();
        let centre = add(wide(came.from), at);
        let units = |at: V| Vec2::from(at.map(|v| v / f64::from(SUBPIXELS)));
        let radius = f64::from(asked.radius);
        let (at, beside) = (sub(centre, scale(normal, radius)), add(centre, normal));
        Ok(RayContact { at: units(at), normal, beside: units(beside), part })
    }
}

impl RayContact {
    /// Reflects a direction of any length at the edge. Returns it unchanged if it leads away from the edge, or if
    /// [`RayContact::normal`] is `[0, 0]`.
    #[must_use]
    pub fn reflect(&self, way: impl Into<Vec2>) -> Vec2 {
        let (way, normal) = (way.into(), Vec2::from(self.normal));
        way - normal * (2.0 * way.dot(normal).min(0.0))
    }
}

/// Adds the pieces of a convex body or polygon near a ray with a radius. Returns the lowest part that the ray hits.
fn add_pieces(to: &mut Outline, world: &World, body: &Body, line: &Line, wide: i32) -> u32 {
    let from = [line.from];
    let around = Aabb::around(&from).swept(line.way).grown(wide + 2);
    let pieces = land::pieces_near(world.packed(), body, &around);
    let is_met = |piece: &Piece| {
        let (core, radius) = (piece.core(), wide + piece.radius);
        let open = radius == 0 && world.touch() == Touch::Excluded;
        match (core, open) {
            (Core::Segment(segment), true) => crosses([line.from, line.from + line.way], [segment[0], segment[1]]),
            _ => {
                (!open || core.has_area(Point::ZERO))
                    && apart(Core::Hull(&from), core, line.way, radius, world.touch()).is_none()
            }
        }
    };
    let mut met: Vec<bool> = pieces.iter().map(is_met).collect();
    // A ray along the edge between two pieces enters neither of them.
    if !met.contains(&true) {
        met = pieces.iter().map(|piece| is_along_seam(line, piece, &pieces)).collect();
    }
    let hit = pieces.iter().zip(&met).filter(|(_, met)| **met).map(|(piece, _)| piece.part).min();
    for (piece, met) in pieces.iter().zip(met) {
        to.push(0, differences(&from, &piece.vertices), wide + piece.radius, u8::from(met));
    }
    hit.unwrap_or(0)
}

/// Returns whether a ray comes to an edge that lies along it and that a piece shares with another of the same part.
fn is_along_seam(line: &Line, piece: &Piece, all: &[Piece]) -> bool {
    let edges = |piece: &Piece| {
        let next = piece.vertices.iter().cycle().skip(1);
        piece.vertices.iter().zip(next).map(|(&p, &q)| [p, q]).collect::<Vec<_>>()
    };
    let is_on = |p: &Point| {
        let [[x, y], [dx, dy]] = [*p - line.from, line.way].map(|p| [i64::from(p.x), i64::from(p.y)]);
        dx * y == dy * x
    };
    let is_shared =
        |[p, q]: &[Point; 2]| all.iter().any(|other| other.part == piece.part && edges(other).contains(&[*q, *p]));
    if piece.is_segment {
        return false;
    }
    let touches = || apart(Core::Hull(&[line.from]), piece.core(), line.way, 0, Touch::Included).is_none();
    edges(piece).iter().any(|edge| edge.iter().all(is_on) && is_shared(edge)) && touches()
}

/// Adds the painted pixels of a sprite near a ray.
fn add_pixels(to: &mut Outline, world: &World, body: Body, line: &Line, radius: i32) {
    let view = sampled(world.packed(), Simd::Scalar, body);
    pixels::each(&view, line, radius, |pixel, _| {
        let square @ Aabb { min, max } = pixels::square(pixel);
        let met = apart(Core::Hull(&[line.from]), Core::Square(square), line.way, radius, world.touch()).is_none();
        let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        to.push(0, corners.map(|corner| wide(corner - line.from)).to_vec(), radius, u8::from(met));
        Next::Pixel
    });
}
