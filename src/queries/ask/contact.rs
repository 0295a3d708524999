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
use crate::ground::lattice::{Point, SUBPIXELS, Vec2};
use crate::ground::predicate::{Core, apart};
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::host::contact::convex::{V, add, cross, differences, dot, length, outward, scale, sub};
use crate::queries::memory::sampled;
use crate::questions::{Ray, RayContact, RayHit};
use crate::simd::Simd;
use crate::world::World;
use crate::world::packed::{Body, EMPTY, SPRITE};
use crate::world::pose::land;
use crate::world::seam::Seam;

/// What is no farther apart along a ray is entered at once, in lattice steps: a millionth of a unit.
const TOLERANCE: f64 = 1.0 / 4096.0;
/// How far a ray may have come on another way than it goes, in lattice steps, as its end at a tick is rounded.
const ROUNDED: f64 = 1.0;

impl World {
    /// Where a ray meets the edge of a body, and which way that faces: for sparks, for ricochets, for what stands on a
    /// slope. `hit` is an answer to that ray; the body is seen as it stands at rest at the start of the step.
    ///
    /// It is the edge of all that the body is: not where pieces of a polygon or pixels of a sprite adjoin. At a corner
    /// it is the side that faces the ray more. Sides of a sprite are those of its pixels; a thick ray may also meet
    /// their corners, which face any way.
    ///
    /// Of another ray or hit it tells nothing of use, but does not fail. An [`Error::Value`](crate::Error::Value) for a
    /// ray that cannot be asked, an [`Error::Gone`](crate::Error::Gone) where the body is gone.
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
    /// let [x, y] = contact.reflect([-1.0, 0.0]);
    /// let onward = Ray::new(contact.beside, [contact.beside.x + 20.0 * x, contact.beside.y + 20.0 * y]);
    /// assert!(!queries.on(&world).any(&onward)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn ray_contact(&self, ray: &Ray, hit: &RayHit) -> Result<RayContact> {
        let asked = ray.snap(self)?;
        let body = Body { motion: Point::ZERO, ..self.packed().body(self.index_of(hit.body)?) };
        let tick = hit.tick.min(TICKS);
        let came = Line::new(asked.line.from, come(asked.line.way, tick));
        let entry = |way: Point, part: f64| {
            let mut entries = Entries::new(way, part, asked.radius + body.radius);
            if body.is(SPRITE) {
                entries.of_pixels(self, body, &came, asked.radius);
            } else {
                entries.of_pieces(self, &body, &came);
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
    /// A direction as it goes on when it is thrown back: mirrored by the edge, as long as before. It stays as it is
    /// where it leads away from the edge, and where [`RayContact::normal`] is `[0, 0]`.
    #[must_use]
    pub fn reflect(&self, way: [f64; 2]) -> [f64; 2] {
        sub(way, scale(self.normal, 2.0 * dot(way, self.normal).min(0.0)))
    }
}

/// Where a ray enters, as seen from where it begins, in lattice steps.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    part: f64,
    at: V,
    normal: V,
    by: By,
}

/// What a ray enters by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum By {
    Edge,
    Vertex,
    /// An edge at which the body goes on.
    #[default]
    Seam,
}

/// The edges and vertices by which a ray may enter, up to a part of its way.
struct Entries {
    way: V,
    length: f64,
    most: f64,
    radius: f64,
    /// Of what the ray has come to, and of what it only touches.
    met: Vec<Entry>,
    touched: Vec<Entry>,
}

impl Entries {
    fn new(way: Point, most: f64, radius: i32) -> Self {
        let way = wide(way);
        let (met, touched) = (Vec::new(), Vec::new());
        Self { way, length: length(way), most, radius: f64::from(radius), met, touched }
    }

    /// The first by which it enters what it has come to. At a seam, and at a vertex of a piece that goes on in another,
    /// it is an edge of what it touches there; with none there, it begins in the body.
    fn first(&self) -> Option<Entry> {
        let first = self.met.iter().map(|entry| entry.part).reduce(f64::min)?;
        let near = |slack: f64| move |entry: &&Entry| (entry.part - first).abs() * self.length <= slack;
        let faced = |entry: &Entry| dot(self.way, entry.normal);
        let order = |a: &&Entry, b: &&Entry| a.by.cmp(&b.by).then(faced(a).total_cmp(&faced(b)));
        let there = self.met.iter().chain(&self.touched).filter(near(TOLERANCE)).min_by(order)?;
        let edges = self.touched.iter().filter(|entry| entry.by == By::Edge);
        let beside = if there.by == By::Edge { None } else { edges.filter(near(ROUNDED)).min_by(order) };
        beside.or(Some(there)).copied()
    }

    /// Of a convex body or polygon: the edges and vertices of its pieces.
    fn of_pieces(&mut self, world: &World, body: &Body, line: &Line) {
        let pieces = land::pieces(world.packed(), body);
        let landed = pieces.concat();
        let ends = |seam: &Seam| seam.ends.map(|end| wide(landed[end] - line.from));
        let seams: Vec<[V; 2]> = world.seams(body.shape).iter().map(ends).collect();
        let from = [line.from];
        let open = self.radius == 0.0 && world.touch() == Touch::Excluded;
        let is_met = |piece: &Vec<Point>| {
            let piece = Core::Hull(piece);
            (!open || piece.has_area(Point::ZERO))
                && apart(Core::Hull(&from), piece, line.way, self.radius as i32, world.touch()).is_none()
        };
        let met: Vec<bool> = pieces.iter().map(is_met).collect();
        // Along an edge between two pieces it goes into neither.
        let along_seam = !met.contains(&true);
        for (piece, met) in pieces.iter().zip(met) {
            let around = differences(&from, piece);
            for (k, &p) in around.iter().enumerate() {
                let q = around[(k + 1) % around.len()];
                let goes_on = seams.contains(&[p, q]) || seams.contains(&[q, p]);
                self.edge(p, q, if goes_on { By::Seam } else { By::Edge }, met || along_seam);
                self.vertex(p, met || along_seam);
            }
        }
    }

    /// Of a sprite: the sides and corners of the painted pixels about the ray.
    fn of_pixels(&mut self, world: &World, body: Body, line: &Line, radius: i32) {
        let view = sampled(world.packed(), Simd::Plain, body);
        let is_painted = |x: i32, y: i32| view.painted_word(x, y) & 1 == 1;
        pixels::each(&view, line, radius, |pixel, _| {
            let square @ Aabb { min, max } = pixels::square(pixel);
            let met = apart(Core::Hull(&[line.from]), Core::Square(square), line.way, radius, world.touch()).is_none();
            let corners = [min, Point::new(max.x, min.y), max, Point::new(min.x, max.y)];
            let corners = corners.map(|corner| wide(corner - line.from));
            for (k, [x, y]) in [[0, -1], [1, 0], [0, 1], [-1, 0]].into_iter().enumerate() {
                let by = if is_painted(pixel.x + x, pixel.y + y) { By::Seam } else { By::Edge };
                self.edge(corners[k], corners[(k + 1) % 4], by, met);
                self.vertex(corners[k], met);
            }
            Next::Pixel
        });
    }

    /// An edge, the body on its left, that is moved outward.
    fn edge(&mut self, p: V, q: V, by: By, met: bool) {
        let along = sub(q, p);
        let normal = outward(along);
        let into = -dot(self.way, normal);
        if into <= 0.0 || along == [0.0; 2] {
            return;
        }
        let part = (-dot(p, normal) - self.radius) / into;
        let (foot, end) = (dot(sub(scale(self.way, part), p), along), dot(along, along));
        let slack = TOLERANCE * end.sqrt();
        if foot >= -slack && foot <= end + slack {
            self.propose(part, normal, by, met);
        }
    }

    /// A vertex, with the disc about it.
    fn vertex(&mut self, p: V, met: bool) {
        let (along, aside) = (dot(p, self.way) / self.length, cross(p, self.way).abs() / self.length);
        if self.radius == 0.0 || aside > self.radius {
            return;
        }
        let part = (along - ((self.radius - aside) * (self.radius + aside)).sqrt()) / self.length;
        let normal = sub(scale(self.way, part), p);
        self.propose(part, scale(normal, 1.0 / length(normal)), By::Vertex, met);
    }

    /// Takes one in, if the ray comes there.
    fn propose(&mut self, part: f64, normal: V, by: By, met: bool) {
        // By the tick of the hit the ray has come as far, but for a step by which that is rounded.
        if part * self.length >= -TOLERANCE && (part - self.most) * self.length <= ROUNDED {
            // Adding 0 turns -0 into 0.
            let entry = Entry { part, at: scale(self.way, part.max(0.0)), normal: normal.map(|v| v + 0.0), by };
            if met { self.met.push(entry) } else { self.touched.push(entry) }
        }
    }
}

fn wide(p: Point) -> V {
    [f64::from(p.x), f64::from(p.y)]
}
