//! Where a ray meets the edge of a body, and which way that faces.
//!
//! A ray meets a body where its middle line enters what the body is when inflated by the ray's radius: it comes behind
//! an edge that is moved outward so far, or into a disc about a vertex. The first of these is where it enters. On the
//! host, in `f64`: no engine computes it.

use super::Asked;
use super::pixels::{self, Next};
use super::span::Line;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::{Core, apart};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::host::contact::convex::{V, add, differences, scale, sub};
use crate::host::contact::entry::{By, Entries, Entry, wide};
use crate::queries::memory::sampled;
use crate::questions::{Ray, RayContact, RayHit};
use crate::simd::Simd;
use crate::world::World;
use crate::world::packed::{Body, EMPTY, SPRITE};
use crate::world::pose::land;
use crate::world::seam::seams_near;

impl World {
    /// Where a ray meets the edge of a body, and which way that faces: for sparks, for ricochets, for what is put onto
    /// a slope. `hit` is an answer to that ray; the body is seen as it stands at rest at the start of the step.
    ///
    /// It is an outer edge: not one at which pieces of a polygon or pixels of a sprite adjoin. At a corner it is the
    /// side that faces the ray more. Sides of a sprite are those of its pixels; a thick ray may also meet their
    /// corners, which face any way.
    ///
    /// Where `hit` is not of this ray, what it tells means nothing, but it does not fail. An
    /// [`Error::Value`](crate::Error::Value) for a ray that cannot be asked, an [`Error::Gone`](crate::Error::Gone)
    /// where the body is gone.
    ///
    /// ```
    /// use hitmask::query::{Queries, Ray};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let mirror = world.add_shape(Shape::polygon(&[[0, 0], [8, 0], [0, 6]])?)?; // one side slanted
    /// world.add(&Body::new(mirror, [0, 0]))?;
    /// let (mut queries, ray) = (Queries::new(), Ray::new([20, 3], [0, 3]));
    /// let hit = queries.on(&world).first(&ray)?.unwrap();
    /// let contact = world.ray_contact(&ray, &hit)?;
    /// assert_eq!([contact.at.x, contact.at.y].map(|v| (v * 100.0).round()), [400.0, 300.0]);
    /// assert_eq!(contact.normal, [0.6, 0.8]);
    /// // On it goes, thrown back:
    /// let onward = Ray::new(contact.beside, contact.beside + contact.reflect([-20, 0]));
    /// assert!(!queries.on(&world).any(&onward)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn ray_contact(&self, ray: &Ray, hit: &RayHit) -> Result<RayContact> {
        let asked = ray.snap(self)?;
        let body = Body { motion: Point::ZERO, ..self.packed().body(self.index_of(hit.body)?) };
        let tick = hit.tick.min(TICKS);
        let came = Line::new(asked.line.from, come(asked.line.way, tick));
        let entry = |way: Point, part: f64| {
            let mut entries = Entries::new(way, part);
            if body.is(SPRITE) {
                add_pixels(&mut entries, self, body, &came, asked.radius);
            } else {
                add_pieces(&mut entries, self, &body, &came, asked.radius + body.radius);
            }
            entries.first().filter(|entry| entry.by != By::Seam)
        };
        // Where it had come by that tick was rounded to the lattice: a ray along an edge may enter by that alone.
        let part = f64::from(tick) / f64::from(TICKS);
        let entry = || entry(asked.line.way, part).or_else(|| entry(came.way, 1.0));
        let entry = if came.way == Point::ZERO || body.is(EMPTY) { None } else { entry() };
        let Entry { at, normal, .. } = entry.unwrap_or_default();
        let centre = add(wide(came.from), at);
        let units = |at: V| Vec2::from(at.map(|v| v / f64::from(SUBPIXELS)));
        let radius = f64::from(asked.radius);
        let (at, beside) = (sub(centre, scale(normal, radius)), add(centre, normal));
        Ok(RayContact { at: units(at), normal, beside: units(beside) })
    }
}

impl RayContact {
    /// A direction of any length, as it goes on when it is thrown back: mirrored by the edge. It stays as it is where
    /// it leads away from the edge, and where [`RayContact::normal`] is `[0, 0]`.
    #[must_use]
    pub fn reflect(&self, way: impl Into<Vec2>) -> Vec2 {
        let (way, normal) = (way.into(), Vec2::from(self.normal));
        way - normal * (2.0 * way.dot(normal).min(0.0))
    }
}

/// Adds the pieces of a convex body or polygon.
fn add_pieces(to: &mut Entries, world: &World, body: &Body, line: &Line, radius: i32) {
    let from = [line.from];
    let around = Aabb::around(&from).swept(line.way).grown(radius + 2);
    let pieces = land::pieces_near(world.packed(), body, &around);
    let seams = seams_near(world, body, &around);
    let seams: Vec<[V; 2]> = seams.into_iter().map(|ends| ends.map(|end| wide(end - line.from))).collect();
    let open = radius == 0 && world.touch() == Touch::Excluded;
    let comes_to = |piece: &Vec<Point>, radius: i32, touch: Touch| {
        apart(Core::Hull(&from), Core::Hull(piece), line.way, radius, touch).is_none()
    };
    let is_met = |piece: &Vec<Point>| {
        (!open || Core::Hull(piece).has_area(Point::ZERO)) && comes_to(piece, radius, world.touch())
    };
    let near = pieces.iter().filter(|piece| comes_to(piece, radius + 2, Touch::Included));
    let near: Vec<(&Vec<Point>, bool)> = near.map(|piece| (piece, is_met(piece))).collect();
    // Along an edge between two pieces it goes into neither.
    let along_seam = near.iter().all(|(_, met)| !met);
    let goes_on = |_, p: V, q: V| seams.contains(&[p, q]) || seams.contains(&[q, p]);
    for (piece, met) in near {
        to.set(&differences(&from, piece), radius, goes_on, met || along_seam);
    }
}

/// Adds the painted pixels of a sprite about a ray.
fn add_pixels(to: &mut Entries, world: &World, body: Body, line: &Line, radius: i32) {
    let view = sampled(world.packed(), Simd::Plain, body);
    let is_painted = |x: i32, y: i32| view.painted_word(x, y) & 1 == 1;
    pixels::each(&view, line, radius, |pixel, _| {
        let square @ Aabb { min, max } = pixels::square(pixel);
        let met = apart(Core::Hull(&[line.from]), Core::Square(square), line.way, radius, world.touch()).is_none();
        let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
        let beyond = [[0, -1], [1, 0], [0, 1], [-1, 0]];
        let goes_on = |side: usize, _, _| is_painted(pixel.x + beyond[side][0], pixel.y + beyond[side][1]);
        to.set(&corners.map(|corner| wide(corner - line.from)), radius, goes_on, met);
        Next::Pixel
    });
}
