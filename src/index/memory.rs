//! Scratch memory that is kept between queries, and bodies as the narrow phase reads them.

use super::order::Order;
use super::spatial::Index;
use crate::cpu::narrow::pair::{Ends, rows_near};
use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::pool::Pool;
use crate::ground::touch::Touch;
use crate::queries::NearestHit;
use crate::simd::{Lanes, Simd};
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, Packed, SPRITE, UNTURNED};
use crate::world::pose::land;

/// The scratch memory of all threads, kept between queries.
#[derive(Debug, Default)]
pub(super) struct Memories {
    /// For one query, or a task of several.
    pub(super) each: Pool<Memory>,
    /// For sorting the queries of a batch.
    pub(super) orders: Pool<Order>,
}

/// The scratch memory of a thread.
#[derive(Debug, Default)]
pub struct Memory {
    /// The body of the query.
    pub(super) ours: Posed,
    /// A body of the world.
    pub(super) theirs: Posed,
    pub(super) ends: Ends,
    /// The nearest bodies found.
    pub(super) nearest: Vec<NearestHit>,
    /// The indices of the bodies found.
    pub(super) indices: Vec<u32>,
}

/// A body's landed vertices, or its painted pixels.
#[derive(Debug, Default)]
pub(super) struct Posed {
    landed: Vec<Point>,
    words: Vec<u64>,
}

impl Memories {
    pub(super) fn bytes(&self) -> usize {
        self.each.sum(Memory::bytes) + self.orders.sum(Order::bytes)
    }
}

impl Memory {
    fn bytes(&self) -> usize {
        let Self { ours, theirs, ends, nearest, indices } = self;
        let posed = |posed: &Posed| 8 * (posed.landed.capacity() + posed.words.capacity());
        let found = size_of::<NearestHit>() * nearest.capacity() + 4 * indices.capacity();
        posed(ours) + posed(theirs) + ends.bytes() + found
    }
}

/// The input of a query: a world, and the index of its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub(super) world: &'a World,
    /// Bodies to leave out; all handles are valid.
    pub(super) except: &'a [BodyId],
    pub(super) index: &'a Index,
    pub(super) simd: Simd,
}

impl<'a> Seen<'a> {
    pub(super) fn packed(&self) -> &'a Packed {
        self.world.packed()
    }

    pub(super) fn touch(&self) -> Touch {
        self.world.touch()
    }

    /// Returns whether a body is left out.
    #[inline(always)]
    pub(super) fn leaves_out(&self, body: u32) -> bool {
        self.except.iter().any(|id| id.index() == body)
    }

    /// Returns a body of the world, at rest.
    #[inline(always)]
    pub(super) fn body(&self, index: u32) -> Body {
        Body { motion: Point::ZERO, ..self.packed().body(index as usize) }
    }

    /// Returns the handle of a body of the world.
    #[inline(always)]
    pub(super) fn id(&self, index: u32) -> BodyId {
        self.world.id(index).expect("the index holds bodies of the world")
    }

    /// Returns a view of a body, limited to the part near some bounds.
    #[inline(always)]
    pub(super) fn view<'m, L: Lanes>(&self, lanes: L, body: Body, near: &Aabb, posed: &'m mut Posed) -> View<'m>
    where
        'a: 'm,
    {
        let packed = self.packed();
        if body.is(SPRITE) {
            let rows = rows_near(lanes, packed, &body, near, &mut posed.words);
            return View::sprite(packed, self.simd, body, rows);
        }
        View::convex(packed, self.simd, body, self.landed(&body, near, posed), near.grown(body.radius))
    }

    /// Returns a view of a sprite. A turned sprite is sampled where it is read, not painted.
    pub(super) fn sampled(&self, body: Body) -> View<'a> {
        sampled(self.packed(), self.simd, body)
    }

    /// Lands the vertices of a convex body for the pieces near a box. Returns all vertices, each in its place; those of
    /// other pieces are unspecified.
    #[inline(always)]
    pub(super) fn landed<'m>(&self, body: &Body, near: &Aabb, posed: &'m mut Posed) -> &'m [Point] {
        let landed = self.vertices(body, posed);
        land::core_near(self.packed(), body, near, landed);
        landed
    }

    /// Returns room for the landed vertices of a convex body, with unspecified contents.
    #[inline(always)]
    pub(super) fn vertices<'m>(&self, body: &Body, posed: &'m mut Posed) -> &'m mut [Point] {
        let count = self.packed().corners(body);
        // The list only grows. Whatever is read is written first.
        if posed.landed.len() < count {
            posed.landed.resize(count, Point::ZERO);
        }
        &mut posed.landed[..count]
    }
}

/// Returns a view of a sprite. A turned sprite is sampled where it is read, not painted.
pub(super) fn sampled(packed: &Packed, simd: Simd, body: Body) -> View<'_> {
    let rows = body.is(UNTURNED).then(|| packed.rows(&body));
    View::sprite(packed, simd, body, rows)
}
