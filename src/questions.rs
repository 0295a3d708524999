//! Questions to a world as it stands, and the answers to them.

use std::cmp::Ordering;

use crate::ground::vec2::Vec2;
use crate::hits::Detail;
use crate::world::body::BodyId;

/// Which bodies hold a point: convex bodies and polygons whose closed set does, sprites that paint the pixel in which
/// it lies.
///
/// Asked by [`Search::all`](crate::query::Search::all) and its like, as every question here.
///
/// ```
/// use hitmask::query::{Queries, Spot};
/// use hitmask::{Body, Mask, Shape, World};
///
/// let mut world = World::default();
/// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
/// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
/// let arrow = world.add(&Body::new(arrow, [0, 0]))?;
/// let tile = world.add(&Body::new(tile, [1, 0]).filtered(2, 1))?;
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// let search = queries.on(&world);
/// search.all(&Spot::new([2.5, 0.5]), &mut found)?;
/// assert_eq!(found, [arrow, tile]);
/// assert_eq!(search.first(&Spot::new([2.5, 0.5]).hitting(2))?, Some(tile)); // on layer 2 alone
/// assert!(!search.any(&Spot::new([0.5, 0.5]))?); // nothing is solid there
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The point, in units.
    pub at: Vec2,
    /// The layers that are looked at, a bit each; by default all.
    pub hits: u32,
}

impl Spot {
    /// A point in units, on all layers.
    #[must_use]
    pub fn new(at: impl Into<Vec2>) -> Self {
        Self { at: at.into(), hits: u32::MAX }
    }

    /// On these layers alone.
    #[must_use]
    pub fn hitting(self, hits: u32) -> Self {
        Self { hits, ..self }
    }
}

/// Which bodies hit an axis-aligned box, as they would a body of that shape: where touching counts, closed sets that
/// meet are enough; else interiors overlap, so that a box without area meets nothing.
///
/// ```
/// use hitmask::query::{Queries, Region};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let inside = world.add(&Body::new(ball, [5, 5]))?;
/// world.add(&Body::new(ball, [10.9, 10.9]))?; // its bounds alone reach into the box
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// queries.on(&world).all(&Region::new([0, 0], [10, 10]), &mut found)?;
/// assert_eq!(found, [inside]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// The smallest corner, in units.
    pub min: Vec2,
    /// The largest corner, in units.
    pub max: Vec2,
    /// The layers that are looked at, a bit each; by default all.
    pub hits: u32,
}

impl Region {
    /// From the smallest corner to the largest, in units, on all layers.
    #[must_use]
    pub fn new(min: impl Into<Vec2>, max: impl Into<Vec2>) -> Self {
        Self { min: min.into(), max: max.into(), hits: u32::MAX }
    }

    /// On these layers alone.
    #[must_use]
    pub fn hitting(self, hits: u32) -> Self {
        Self { hits, ..self }
    }
}

/// Which bodies a ray meets, from a point to a point, and when: the ticks of its whole way are 65,536. Where touching
/// counts, it meets closed sets, else interiors. With a radius it is as thick as a circle of that radius that goes
/// along it.
///
/// **Where touching does not count ([`Touch::Excluded`](crate::Touch), the default), a thin ray exactly along the edges
/// of pixels meets no sprite**, however solid: the interior of a sprite is that of each pixel by itself. A ray straight
/// down from `x = 220` is such a one. Nor does it meet anything where two bodies adjoin, such as two tiles of a level.
/// Give it a thickness of a lattice step, `.thick(1.0 / 256.0)`, or begin in the middle of a pixel.
///
/// ```
/// use hitmask::query::{Queries, Ray};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let wall = world.add_shape(Shape::rect(1.0, 9.0)?)?;
/// let [near, far] = [world.add(&Body::new(wall, [10, 0]))?, world.add(&Body::new(wall, [30, 0]))?];
/// let mut queries = Queries::new();
/// let search = queries.on(&world);
/// let hit = search.first(&Ray::new([0, 5], [40, 5]))?.unwrap();
/// assert!(hit.body == near && (hit.fraction() - 0.25).abs() < 1e-4);
/// let mut hits = Vec::new();
/// search.all(&Ray::new([0, 10], [40, 10]).thick(2.0), &mut hits)?;
/// assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), [near, far]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it begins, in units.
    pub from: Vec2,
    /// Where it ends, in units: at most 1,048,576 from its beginning in x and in y.
    pub to: Vec2,
    /// Half its thickness, in units, at most 16,384; by default 0.
    pub radius: f64,
    /// The layers that are looked at, a bit each; by default all.
    pub hits: u32,
}

impl Ray {
    /// From a point to a point in units, thin, on all layers.
    #[must_use]
    pub fn new(from: impl Into<Vec2>, to: impl Into<Vec2>) -> Self {
        Self { from: from.into(), to: to.into(), radius: 0.0, hits: u32::MAX }
    }

    /// With this radius, half its thickness: it meets what lies within so many units of it.
    #[must_use]
    pub fn thick(self, radius: f64) -> Self {
        Self { radius, ..self }
    }

    /// On these layers alone.
    #[must_use]
    pub fn hitting(self, hits: u32) -> Self {
        Self { hits, ..self }
    }
}

/// Which bodies are nearest to a point. The distance is that from the closed body, 0 where it holds the point; of a
/// sprite from the squares of the pixels that it paints. Of equal distances the lower index comes first.
///
/// ```
/// use hitmask::query::{Near, Queries};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ids = [9, 3, 5].map(|x| world.add(&Body::new(ball, [x, 0])));
/// let ids = ids.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let (mut queries, mut found) = (Queries::new(), Vec::new());
/// let search = queries.on(&world);
/// search.all(&Near::new([0, 0]).within(5.0), &mut found)?;
/// assert_eq!(found.iter().map(|near| (near.body, near.distance)).collect::<Vec<_>>(), [(ids[1], 2.0), (ids[2], 4.0)]);
/// assert_eq!(search.first(&Near::new([10, 0]))?.unwrap().body, ids[0]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The point, in units.
    pub at: Vec2,
    /// The largest distance, in units, 0 or more; by default infinite.
    pub within: f64,
    /// The most bodies; by default all.
    pub count: usize,
    /// The layers that are looked at, a bit each; by default all.
    pub hits: u32,
}

impl Near {
    /// All bodies by their distance from a point in units, on all layers.
    #[must_use]
    pub fn new(at: impl Into<Vec2>) -> Self {
        Self { at: at.into(), within: f64::INFINITY, count: usize::MAX, hits: u32::MAX }
    }

    /// Those at most so far away, in units.
    #[must_use]
    pub fn within(self, within: f64) -> Self {
        Self { within, ..self }
    }

    /// At most so many.
    #[must_use]
    pub fn count(self, count: usize) -> Self {
        Self { count, ..self }
    }

    /// On these layers alone.
    #[must_use]
    pub fn hitting(self, hits: u32) -> Self {
        Self { hits, ..self }
    }
}

/// A body that a [`Ray`] meets; [`World::ray_contact`](crate::World::ray_contact) tells where, and which way the edge
/// faces there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayHit {
    /// The body.
    pub body: BodyId,
    /// The tick at which the ray meets it, 0 to 65,536: by then it has come so many 65,536ths of its way, rounded to
    /// the lattice.
    pub tick: u32,
}

impl RayHit {
    /// The part of the ray's way after which it meets the body, 0 to 1. Of a ray almost along an edge it may be too
    /// much, by up to the edge's length, as its end is rounded to the lattice: draw by
    /// [`World::ray_contact`](crate::World::ray_contact).
    #[must_use]
    pub fn fraction(&self) -> f64 {
        f64::from(self.tick) / f64::from(crate::ground::ticks::TICKS)
    }
}

/// Where a [`Ray`] meets the edge of a body, see [`World::ray_contact`](crate::World::ray_contact).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayContact {
    /// The point of the edge, in units; where the ray begins, if that is in the body or touches it.
    pub at: Vec2,
    /// The direction out of the body there, of length 1. `[0, 0]` where the ray begins in the body, or touches it
    /// there: it enters by no edge, and is best ended.
    pub normal: [f64; 2],
    /// Where a ray as thick begins that goes on from there, in units: its middle line, a lattice step off the edge. In
    /// an inner corner, also of one body, that may be in the next side, which then tells the normal `[0, 0]`.
    pub beside: Vec2,
}

/// A body that is hit by one that is not in the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BodyHit {
    /// The body of the world.
    pub body: BodyId,
    /// What the pair carries, the body that is not in the world coming first.
    pub detail: Detail,
}

/// A body, and how far it is from a point. The nearer comes before the farther, and of equal distances the lower index.
#[derive(Clone, Copy, Debug)]
pub struct Nearby {
    /// The body.
    pub body: BodyId,
    /// Its distance, in units.
    pub distance: f64,
}

impl Ord for Nearby {
    fn cmp(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.body.cmp(&other.body))
    }
}

impl PartialOrd for Nearby {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Nearby {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Nearby {}
