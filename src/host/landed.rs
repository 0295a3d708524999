//! The bodies at a point, and the outlines of bodies, for picking and drawing: computed on the host, exactly, for
//! bodies at the start of the step.

#[cfg(all(test, feature = "scene"))]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::predicate::{Core, meets};
use crate::ground::sorting::sort_by_key;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, OFF, Packed, SPRITE};
use crate::world::pieces;
use crate::world::pose::land::{self, Piece};
use crate::world::pose::texel::texel;

impl World {
    /// Returns the bodies at a point, ascending: sprites that paint its pixel, and convex bodies and polygons whose
    /// closed set contains it. The point is in units, and snapped to the lattice as all coordinates are. Bodies that
    /// are on no layer or switched off are not found.
    ///
    /// The answer equals that of a [`PointQuery`](crate::query::PointQuery) on all layers, but no index is used. For
    /// more than a few points in a step, use [`Queries`](crate::query::Queries), which keeps one.
    ///
    /// Tests the bounds of every body: 0.05 ms for 100,000 bodies, on one core. Returns
    /// [`Error::Value`](crate::Error::Value) for a point outside the world.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let tile = world.add_shape(Shape::rect(2.0, 2.0)?)?;
    /// let arrow = world.add(&Body::new(arrow, [0, 0]))?;
    /// let tile = world.add(&Body::new(tile, [1, 0]))?;
    /// assert_eq!(world.bodies_at([2.5, 0.5])?, [arrow, tile]);
    /// assert_eq!(world.bodies_at([1.5, 0.5])?, [tile]); // no solid texel there
    /// assert_eq!(world.bodies_at([3.0, 2.0])?, [tile]); // its corner; the arrow paints no pixel there
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn bodies_at(&self, at: impl Into<Vec2>) -> Result<Vec<BodyId>> {
        let at = at.into().snap("at", MAX_COORDINATE)?;
        let packed = self.packed();
        let asks = |body: &Body| !body.is(OFF) && body.filter.layers != 0;
        let holds = |id: BodyId| self.posed(id).is_some_and(|body| asks(&body) && holds(packed, &body, at));
        let near = |id: BodyId| packed.bounds[id.index() as usize].holds(at);
        Ok(self.ids().filter(|&id| near(id) && holds(id)).collect())
    }

    /// Returns the convex pieces of a body, placed in the world; `None` for a sprite or a removed body.
    ///
    /// ```
    /// use hitmask::geometry::Point;
    /// use hitmask::{Body, Linear, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.5)?)?;
    /// let ball = world.add(&Body::new(ball, [10, 20]).posed(Linear::scaled(2.0)))?;
    /// let pieces = world.landed(ball).unwrap();
    /// assert_eq!((&pieces[0].vertices[..], pieces[0].radius), (&[Point::new(2560, 5120)][..], 768));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn landed(&self, body: BodyId) -> Option<Vec<Piece>> {
        Some(land::pieces(self.packed(), &self.convex(body)?))
    }

    /// Returns the outline and the holes of a convex body or polygon, placed in the world: loops of vertices in lattice
    /// steps, without its radius and without the edges between its pieces. Holes wind opposite to outlines. Each part
    /// of a shape of several has loops of its own, in the order of the parts. `None` for a sprite or a removed body.
    ///
    /// No loop visits a vertex twice: rings that touch are split there.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let frame = Shape::polygon_with_holes(&[[0, 0], [9, 0], [9, 9], [0, 9]], &[[[3, 3], [6, 3], [6, 6], [3, 6]]])?;
    /// let frame = world.add_shape(frame)?;
    /// let frame = world.add(&Body::new(frame, [0, 0]))?;
    /// assert!(world.landed(frame).unwrap().len() >= 4);
    /// assert_eq!(world.outline(frame).unwrap().iter().map(Vec::len).collect::<Vec<_>>(), [4, 4]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn outline(&self, body: BodyId) -> Option<Vec<Vec<Point>>> {
        Some(self.outline_with_radii(body)?.into_iter().map(|(vertices, _)| vertices).collect())
    }

    /// As [`World::outline`], each loop with its radius in lattice steps.
    pub(crate) fn outline_with_radii(&self, body: BodyId) -> Option<Vec<(Vec<Point>, i32)>> {
        let (packed, body) = (self.packed(), self.convex(body)?);
        let vertices = packed.vertices(&packed.shapes[body.shape as usize]);
        let mut pieces: Vec<_> = packed.pieces(&body).all().collect();
        sort_by_key(&mut pieces, |piece| piece.part);
        let landed = |local: Vec<Point>| {
            let mut landed = vec![Point::ZERO; local.len()];
            land::core(&body, &local, &mut landed);
            landed
        };
        let of_part = |part: &[pieces::Piece]| {
            let local: Vec<&[Point]> = part.iter().map(|piece| &vertices[piece.vertices()]).collect();
            let radius = part[0].radius;
            loops(&local).into_iter().map(move |vertices| (landed(vertices), radius)).collect::<Vec<_>>()
        };
        Some(pieces.chunk_by(|a, b| a.part == b.part).flat_map(of_part).collect())
    }

    /// Returns a body, unless it is a sprite.
    fn convex(&self, body: BodyId) -> Option<Body> {
        self.posed(body).filter(|body| !body.is(SPRITE))
    }
}

fn holds(packed: &Packed, body: &Body, at: Point) -> bool {
    if body.is(SPRITE) {
        return texel(packed, body, [at.x >> 8, at.y >> 8]).is_some();
    }
    let around = |piece: &Piece| meets(piece.core(), Core::Hull(&[at]), Point::ZERO, piece.radius, Touch::Included);
    land::pieces_near(packed, body, &Aabb { min: at, max: at }).iter().any(around)
}

/// Returns the loops around the union of the pieces of a partition: the edges that no other piece has in the opposite
/// direction.
fn loops(pieces: &[&[Point]]) -> Vec<Vec<Point>> {
    if let [piece] = pieces {
        return vec![piece.to_vec()];
    }
    let edges =
        || pieces.iter().flat_map(|piece| piece.iter().zip(piece.iter().cycle().skip(1))).map(|(&p, &q)| (p, q));
    let all: HashSet<_> = edges().collect();
    let mut ahead: BTreeMap<Point, Vec<Point>> = BTreeMap::new();
    for (p, q) in edges().filter(|&(p, q)| !all.contains(&(q, p))) {
        ahead.entry(p).or_default().push(q);
    }
    let mut loops = Vec::new();
    while let Some((&start, _)) = ahead.first_key_value() {
        let (mut path, mut places) = (vec![start], HashMap::from([(start, 0)]));
        while let Some(next) = path.last().and_then(|at| take(&mut ahead, *at)) {
            if let Some(&place) = places.get(&next) {
                let closed = path.split_off(place + 1);
                for p in &closed {
                    places.remove(p);
                }
                loops.push(std::iter::once(next).chain(closed).collect());
            } else {
                places.insert(next, path.len());
                path.push(next);
            }
        }
    }
    loops
}

/// Removes an edge that begins at `from`, and returns its end.
fn take(ahead: &mut BTreeMap<Point, Vec<Point>>, from: Point) -> Option<Point> {
    let ends = ahead.get_mut(&from)?;
    let end = ends.pop();
    if ends.is_empty() {
        ahead.remove(&from);
    }
    end
}
