//! The parts of bodies that hit: computed on the host, exactly, from the answer of an engine or a query.

use std::collections::BTreeMap;

use super::moment::{Moment, ascending, gone, swept_pieces};
use super::near::{Near, Trial};
use super::runs::{Facing, Rows};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::ground::predicate::{Core, meets};
use crate::ground::sorting::sort;
use crate::ground::ticks::{TICKS, come};
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::hits::Detail;
use crate::queries::BodyHit;
use crate::world::World;
use crate::world::body::{self, BodyId};
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};
use crate::world::pose::land::{self, Piece};

impl World {
    /// Returns the pairs of parts that hit when two bodies first hit: the numbers of a part of body `pair[0]` and of
    /// one of body `pair[1]`, ascending. `detail` is what an engine returned for the pair.
    ///
    /// These are all the parts that hit at `detail.time`. Parts that hit later in the step, while others already do,
    /// are left out. A body whose shape was not made by [`Shape::parts`](crate::Shape::parts) is its own part 0.
    ///
    /// Bodies, motions and shapes must be as they were in the step. Layers, masks and groups are ignored. Empty if the
    /// two do not hit at that tick, for a body that is switched off, and for an index without a body.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Part, Shape, World};
    ///
    /// let post = || Shape::rect(2.0, 10.0);
    /// let mut world = World::default();
    /// let gate = world.add_shape(Shape::parts(&[Part::new(post()?, [0, 0]), Part::new(post()?, [20, 0])])?)?;
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(gate, [0, 0]))?;
    /// world.add(&Body::new(ball, [10, 5]).moving([100, 0]))?; // between the posts, to the right
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// assert_eq!(world.parts_hit(hits.pairs[0], &hits.details[0]), [[1, 0]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn parts_hit(&self, pair: [u32; 2], detail: &Detail) -> Vec<[u32; 2]> {
        match ascending(self.packed(), pair) {
            Some((bodies, false)) => hit(self, &bodies, detail),
            Some((bodies, true)) => swapped(hit(self, &bodies, detail)),
            None => Vec::new(),
        }
    }

    /// As [`World::parts_hit`], for a body that is not in the world, which comes first. `body` is the body that the
    /// query was about, `hit` its answer.
    ///
    /// Fails as the query does, and with [`Error::Gone`](crate::Error::Gone) if the other body has been removed.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Part, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tiles = [0, 10].map(|x| Part::new(Shape::rect(10.0, 10.0).unwrap(), [x, 0]));
    /// let ground = world.add_shape(Shape::parts(&tiles)?)?;
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// world.add(&Body::new(ground, [0, 0]))?;
    /// let (mut queries, ball) = (Queries::new(), Body::new(ball, [15, -1]));
    /// let hit = queries.on(&world).first(&ball)?.unwrap();
    /// assert_eq!(world.probe_parts_hit(&ball, &hit)?, [[0, 1]]); // the second tile
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn probe_parts_hit(&self, body: &body::Body, hit: &BodyHit) -> Result<Vec<[u32; 2]>> {
        let bodies = [self.pose_apart(body)?, self.standing(hit.body)?];
        Ok(self::hit(self, &bodies, &hit.detail))
    }

    /// Returns the parts of a body that contain a point, in units, ascending. A sprite that paints the point's pixel
    /// contains it as part 0. The body stands as at the start of the step.
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body, and
    /// [`Error::Value`](crate::Error::Value) for a point outside the world.
    ///
    /// ```
    /// use hitmask::{Body, Part, Shape, World};
    ///
    /// let parts = [Part::new(Shape::circle(5.0)?, [0, 0]), Part::new(Shape::rect(20.0, 2.0)?, [0, -1])];
    /// let mut world = World::default();
    /// let axe = world.add_shape(Shape::parts(&parts)?)?;
    /// let axe = world.add(&Body::new(axe, [100, 100]))?;
    /// assert_eq!(world.parts_at(axe, [102, 100])?, [0, 1]);
    /// assert_eq!(world.parts_at(axe, [115, 100])?, [1]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn parts_at(&self, body: BodyId, at: impl Into<Vec2>) -> Result<Vec<u32>> {
        let at = at.into().snap("at", MAX_COORDINATE)?;
        let (packed, body) = (self.packed(), self.standing(body)?);
        let contains =
            |piece: &Piece| meets(piece.core(), Core::Hull(&[at]), Point::ZERO, piece.radius, Touch::Included);
        let mut parts: Vec<u32> = if body.is(EMPTY) {
            Vec::new()
        } else if body.is(SPRITE) {
            let pixel = Point::new(at.x >> 8, at.y >> 8);
            let mut rows = Rows::sprite(packed, &body, Touch::Excluded);
            let painted = rows.row(pixel.y).iter().any(|run| run[0] <= pixel.x && pixel.x < run[1]);
            Vec::from_iter(painted.then_some(0))
        } else {
            let near = land::pieces_near(packed, &body, &Aabb { min: at, max: at });
            near.iter().filter(|piece| contains(piece)).map(|piece| piece.part).collect()
        };
        sort(&mut parts);
        parts.dedup();
        Ok(parts)
    }

    /// Returns the tag of a part of a body; `None` if the body has been removed or has no such part.
    ///
    /// ```
    /// use hitmask::{Body, Part, Shape, World};
    ///
    /// let mut world = World::default();
    /// let shape = world.add_shape(Shape::parts(&[Part::new(Shape::circle(5.0)?, [0, 0]).tagged(7)])?)?;
    /// let body = world.add(&Body::new(shape, [0, 0]))?;
    /// assert_eq!((world.part_tag(body, 0), world.part_tag(body, 1)), (Some(7), None));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn part_tag(&self, body: BodyId, part: u32) -> Option<u32> {
        let packed = self.packed();
        let shape = &packed.shapes[self.posed(body)?.shape as usize];
        packed.parts(shape).get(part as usize).map(|part| part.tag)
    }
}

fn swapped(parts: Vec<[u32; 2]>) -> Vec<[u32; 2]> {
    let mut parts: Vec<[u32; 2]> = parts.into_iter().map(|[a, b]| [b, a]).collect();
    sort(&mut parts);
    parts
}

/// Returns the pairs of parts of two bodies that hit, given their detail.
fn hit(world: &World, bodies: &[Body; 2], detail: &Detail) -> Vec<[u32; 2]> {
    if bodies.iter().any(|body| body.is(EMPTY) || body.is(OFF)) {
        return Vec::new();
    }
    let (packed, touch, tick) = (world.packed(), world.touch(), detail.tick().min(TICKS));
    let mut parts = match bodies.each_ref().map(|body| body.is(SPRITE)) {
        [false, false] => of_convex(packed, bodies, tick, touch),
        [true, false] => of_sprite(packed, bodies, tick, touch),
        [false, true] => swapped(of_sprite(packed, &[bodies[1], bodies[0]], tick, touch)),
        [true, true] => {
            let [a, b] = Moment::new(packed, bodies, tick, touch).bodies;
            Vec::from_iter(Facing::sprites(packed, &a, &b, touch).meet().then_some([0, 0]))
        }
    };
    sort(&mut parts);
    parts.dedup();
    parts
}

/// Returns the pairs of parts of two convex bodies, with repetitions: the first moves relative to the second.
fn of_convex(packed: &Packed, [a, b]: &[Body; 2], tick: u32, touch: Touch) -> Vec<[u32; 2]> {
    let way = come(a.motion - b.motion, tick);
    let [a, b] = [a, b].map(|body| gone(body, Point::ZERO));
    let ours = Near::new(packed, &a, &b.reach().swept(-way));
    let mut parts = Vec::new();
    for piece in &ours.pieces {
        let theirs = Near::new(packed, &b, &piece.bounds().swept(way));
        let mut trial = Trial::new([&ours, &theirs], touch);
        let hit = theirs.pieces.iter().filter(|other| trial.hits(piece, other, Point::ZERO, way));
        parts.extend(hit.map(|other| [piece.part, other.part]));
    }
    parts
}

/// Returns the pairs of parts of a sprite and a convex body.
fn of_sprite(packed: &Packed, bodies: &[Body; 2], tick: u32, touch: Touch) -> Vec<[u32; 2]> {
    let Moment { bodies: [sprite, convex], came, step } = Moment::new(packed, bodies, tick, touch);
    let mut by_part: BTreeMap<u32, Vec<Piece>> = BTreeMap::new();
    // Pixels that touch are neighbours, hence one pixel more.
    for piece in swept_pieces(packed, &convex, came, &sprite.reach().grown(256)) {
        by_part.entry(piece.part).or_default().push(piece);
    }
    let hits = |pieces: Vec<Piece>| Facing::convex(packed, &sprite, pieces, touch).arriving(step, came).meet();
    by_part.into_iter().filter_map(|(part, pieces)| hits(pieces).then_some([0, part])).collect()
}
