//! Queries about a world at rest, and the answers to them.

use std::cmp::Ordering;

use crate::ground::vec2::Vec2;
use crate::hits::Detail;
use crate::world::body::BodyId;

/// A query for the bodies at a point: convex bodies and polygons that contain it, edges included, and sprites that
/// paint its pixel.
///
/// Run it, like every query of this module, with [`Search::all`](crate::query::Search::all) and its siblings.
///
/// ```
/// use hitmask::query::{PointQuery, Queries};
/// use hitmask::{Body, Mask, Shape, World};
///
/// let mut world = World::default();
/// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
/// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
/// let arrow = world.add(&Body::new(arrow, [0, 0]))?;
/// let tile = world.add(&Body::new(tile, [1, 0]).filtered(2, 1))?;
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// let search = queries.on(&world);
/// search.all(&PointQuery::new([2.5, 0.5]), &mut found)?;
/// assert_eq!(found, [arrow, tile]);
/// assert_eq!(search.first(&PointQuery::new([2.5, 0.5]).hitting(2))?, Some(tile)); // only layer 2
/// assert!(!search.any(&PointQuery::new([0.5, 0.5]))?); // no solid texel there
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PointQuery {
    /// The point, in units.
    pub at: Vec2,
    /// The mask of layers to search; by default all.
    pub mask: u32,
}

impl PointQuery {
    /// Makes a query for a point in units, on all layers.
    #[must_use]
    pub fn new(at: impl Into<Vec2>) -> Self {
        Self { at: at.into(), mask: u32::MAX }
    }

    /// Restricts the query to these layers.
    #[must_use]
    pub fn hitting(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

/// A query for the bodies that hit an axis-aligned box, as they would hit a body of that shape. If touching is a hit, a
/// shared edge or corner is enough; otherwise interiors must overlap. On the lattice, `max` must exceed `min` along
/// both axes.
///
/// ```
/// use hitmask::query::{Queries, RegionQuery};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let inside = world.add(&Body::new(ball, [5, 5]))?;
/// world.add(&Body::new(ball, [10.9, 10.9]))?; // only its bounds reach into the box
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// queries.on(&world).all(&RegionQuery::new([0, 0], [10, 10]), &mut found)?;
/// assert_eq!(found, [inside]);
/// assert_eq!(RegionQuery::new([10, 0], [0, 10]), RegionQuery::new([0, 0], [10, 10])); // as a mouse drags it
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RegionQuery {
    /// The smallest corner, in units.
    pub min: Vec2,
    /// The largest corner, in units.
    pub max: Vec2,
    /// The mask of layers to search; by default all.
    pub mask: u32,
}

impl RegionQuery {
    /// Makes a query for the box between two opposite corners, in either order, in units, on all layers.
    #[must_use]
    pub fn new(a: impl Into<Vec2>, b: impl Into<Vec2>) -> Self {
        let (a, b) = (a.into(), b.into());
        // Not `f64::min`, which would drop a NaN.
        let sorted = |a: f64, b: f64| if b < a { [b, a] } else { [a, b] };
        let ([left, right], [top, bottom]) = (sorted(a.x, b.x), sorted(a.y, b.y));
        Self { min: [left, top].into(), max: [right, bottom].into(), mask: u32::MAX }
    }

    /// Restricts the query to these layers.
    #[must_use]
    pub fn hitting(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

/// A query for the bodies that a ray between two points hits, and when: it takes 65,536 ticks for its whole length. If
/// touching is a hit, reaching an edge is enough; otherwise the ray must enter an interior. A ray with a radius acts as
/// a circle of that radius moving along it.
///
/// **If touching is not a hit ([`Touch::Excluded`](crate::Touch), the default), a thin ray exactly along the edges of
/// pixels hits no sprite**, however solid: each pixel of a sprite has an interior of its own. A ray straight down from
/// `x = 220` is an example. Nor does a ray along the line where two bodies adjoin, such as two tiles of a level, hit
/// either of them. Give it the thickness of a lattice step, `.radius(1.0 / 256.0)`, or start it in the middle of a
/// pixel.
///
/// ```
/// use hitmask::query::{Queries, RayCast};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let wall = world.add_shape(Shape::rect(1.0, 9.0)?)?;
/// let [near, far] = [world.add(&Body::new(wall, [10, 0]))?, world.add(&Body::new(wall, [30, 0]))?];
/// let mut queries = Queries::new();
/// let search = queries.on(&world);
/// let hit = search.first(&RayCast::new([0, 5], [40, 5]))?.unwrap();
/// assert!(hit.body == near && (hit.fraction() - 0.25).abs() < 1e-4);
/// let mut hits = Vec::new();
/// search.all(&RayCast::new([0, 10], [40, 10]).radius(2.0), &mut hits)?;
/// assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), [near, far]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayCast {
    /// The start, in units.
    pub from: Vec2,
    /// The end, in units: at most 1,048,576 from the start in x and in y.
    pub to: Vec2,
    /// Half the thickness, in units, at most 16,384; by default 0.
    pub radius: f64,
    /// The mask of layers to search; by default all.
    pub mask: u32,
}

impl RayCast {
    /// Makes a query for a thin ray between two points in units, on all layers.
    #[must_use]
    pub fn new(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Self {
        Self { from: from.into(), to: to.into(), radius: 0.0, mask: u32::MAX }
    }

    /// Sets the radius, half the thickness, in units.
    #[must_use]
    pub fn radius(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// Restricts the query to these layers.
    #[must_use]
    pub fn hitting(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

/// A query for the bodies nearest to a point. The distance is 0 if the body contains the point; that of a sprite is to
/// the squares of the pixels that it paints. Bodies at equal distances are sorted by index.
///
/// ```
/// use hitmask::query::{Nearest, Queries};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ids = [9, 3, 5].map(|x| world.add(&Body::new(ball, [x, 0])));
/// let ids = ids.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// let search = queries.on(&world);
/// search.all(&Nearest::new([0, 0]).within(5.0), &mut found)?;
/// assert_eq!(found.iter().map(|near| (near.body, near.distance)).collect::<Vec<_>>(), [(ids[1], 2.0), (ids[2], 4.0)]);
/// assert_eq!(search.first(&Nearest::new([10, 0]))?.unwrap().body, ids[0]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Nearest {
    /// The point, in units.
    pub at: Vec2,
    /// The largest distance, in units, 0 or more; by default infinite.
    pub within: f64,
    /// The maximum number of bodies; by default unlimited.
    pub count: usize,
    /// The mask of layers to search; by default all.
    pub mask: u32,
}

impl Nearest {
    /// Makes a query for all bodies on all layers, by their distance from a point in units.
    #[must_use]
    pub fn new(at: impl Into<Vec2>) -> Self {
        Self { at: at.into(), within: f64::INFINITY, count: usize::MAX, mask: u32::MAX }
    }

    /// Restricts the query to bodies at most `within` units away.
    #[must_use]
    pub fn within(self, within: f64) -> Self {
        Self { within, ..self }
    }

    /// Limits the number of bodies found.
    #[must_use]
    pub fn count(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// Restricts the query to these layers.
    #[must_use]
    pub fn hitting(self, mask: u32) -> Self {
        Self { mask, ..self }
    }
}

/// A body that a [`RayCast`] hits. [`World::ray_contact`](crate::World::ray_contact) finds the point and the normal of
/// the hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RayHit {
    /// The body.
    pub body: BodyId,
    /// The tick at which the ray hits the body, 0 to 65,536: the ray has then covered `tick / 65,536` of its length,
    /// rounded to the lattice.
    pub tick: u32,
}

impl RayHit {
    /// Returns the fraction of the ray's length at which it hits the body, 0 to 1. For a ray almost along an edge it
    /// may be too large, by up to the length of the edge, because the ray's end is rounded to the lattice; for drawing
    /// use [`World::ray_contact`](crate::World::ray_contact).
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from(self.tick) / f64::from(crate::ground::ticks::TICKS)
    }
}

/// The point at which a [`RayCast`] hits the edge of a body, see [`World::ray_contact`](crate::World::ray_contact).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct RayContact {
    /// The point on the edge, in units; the start of the ray, if that is in the body or touches it.
    pub at: Vec2,
    /// The outward unit normal. `[0, 0]` if the ray begins in the body or touches it there: it enters through no edge,
    /// and should end here.
    pub normal: [f64; 2],
    /// The start, in units, for a ray of the same thickness that continues from here, such as a reflection: one lattice
    /// step off the edge. In an inner corner, even of a single body, this may lie in the adjoining side; that ray then
    /// gets the normal `[0, 0]`.
    pub beside: Vec2,
    /// The part of the body's shape that the ray hits first, the lowest if it hits several at once; 0 for a shape that
    /// was not made of parts.
    pub part: u32,
}

/// A body of the world that is hit by a body outside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BodyHit {
    /// The body of the world.
    pub body: BodyId,
    /// The detail of the pair, in which the body outside the world comes first.
    pub detail: Detail,
}

/// A body and its distance from a point. Sorts by distance, then by index.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct NearestHit {
    /// The body.
    pub body: BodyId,
    /// The distance, in units.
    pub distance: f64,
}

impl Ord for NearestHit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.body.cmp(&other.body))
    }
}

impl PartialOrd for NearestHit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for NearestHit {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for NearestHit {}
