//! What answering takes: memory that lasts, and bodies as the narrow phase reads them.

use std::sync::{Mutex, PoisonError};

use super::index::Index;
use super::order::Order;
use crate::cpu::narrow::pair::{Ends, rows_near};
use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::questions::Nearby;
use crate::simd::{Lanes, Simd};
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, Packed, SPRITE, UNTURNED};
use crate::world::pose::land;

/// The memory of the threads, which lasts from question to question.
#[derive(Debug, Default)]
pub(super) struct Pool {
    free: Mutex<Vec<Memory>>,
    orders: Mutex<Vec<Order>>,
}

/// The memory of a thread.
#[derive(Debug, Default)]
pub struct Memory {
    /// The body that is asked about.
    pub(super) ours: Posed,
    /// A body of the world.
    pub(super) theirs: Posed,
    pub(super) ends: Ends,
    /// The nearest that were found.
    pub(super) nearest: Vec<Nearby>,
    /// The bodies that were found.
    pub(super) indices: Vec<u32>,
}

/// A body's landed vertices, or its painted pixels.
#[derive(Debug, Default)]
pub(super) struct Posed {
    landed: Vec<Point>,
    words: Vec<u64>,
}

impl Pool {
    /// Lends some for a question, or for many.
    pub(super) fn lend<T>(&self, task: impl FnOnce(&mut Memory) -> T) -> T {
        lend(&self.free, task)
    }

    /// Lends what puts questions in order.
    pub(super) fn lend_order<T>(&self, task: impl FnOnce(&mut Order) -> T) -> T {
        lend(&self.orders, task)
    }

    pub(super) fn bytes(&self) -> usize {
        let posed = |posed: &Posed| 8 * (posed.landed.capacity() + posed.words.capacity());
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let all = |Memory { ours, theirs, ends, nearest, indices }: &Memory| {
            let found = size_of::<Nearby>() * nearest.capacity() + 4 * indices.capacity();
            posed(ours) + posed(theirs) + ends.bytes() + found
        };
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        free.iter().map(all).sum::<usize>() + orders.iter().map(Order::bytes).sum::<usize>()
    }
}

/// What lies there, or else what is new; it is put back when the task is done.
fn lend<M: Default, T>(free: &Mutex<Vec<M>>, task: impl FnOnce(&mut M) -> T) -> T {
    let lock = || free.lock().unwrap_or_else(PoisonError::into_inner);
    let mut memory = lock().pop().unwrap_or_default();
    let answer = task(&mut memory);
    lock().push(memory);
    answer
}

/// What is asked: a world as it stands, and the index of its bodies.
#[derive(Clone, Copy, Debug)]
pub struct Seen<'a> {
    pub(super) world: &'a World,
    /// Bodies that are left out; all are there.
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

    /// Whether a body is left out.
    #[inline(always)]
    pub(super) fn leaves_out(&self, body: u32) -> bool {
        self.except.iter().any(|id| id.index() == body)
    }

    /// A body of the world, as it stands at rest.
    #[inline(always)]
    pub(super) fn body(&self, index: u32) -> Body {
        Body { motion: Point::ZERO, ..self.packed().body(index as usize) }
    }

    /// The handle of a body that is there.
    #[inline(always)]
    pub(super) fn id(&self, index: u32) -> BodyId {
        self.world.id(index).expect("the index holds bodies of the world")
    }

    /// A body, with what of it may be near to some bounds.
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

    /// A sprite, of which a turned one is sampled where it is looked at.
    pub(super) fn sampled(&self, body: Body) -> View<'a> {
        sampled(self.packed(), self.simd, body)
    }

    /// The landed vertices of a convex body: those of pieces that come to a box, each in its place among all.
    #[inline(always)]
    pub(super) fn landed<'m>(&self, body: &Body, near: &Aabb, posed: &'m mut Posed) -> &'m [Point] {
        let landed = self.vertices(body, posed);
        land::core_near(self.packed(), body, near, landed);
        landed
    }

    /// Room for the landed vertices of a convex body.
    #[inline(always)]
    pub(super) fn vertices<'m>(&self, body: &Body, posed: &'m mut Posed) -> &'m mut [Point] {
        let count = self.packed().corners(body);
        // They only grow: whatever is read is written first.
        if posed.landed.len() < count {
            posed.landed.resize(count, Point::ZERO);
        }
        &mut posed.landed[..count]
    }
}

/// A sprite, of which a turned one is sampled where it is looked at.
pub(super) fn sampled(packed: &Packed, simd: Simd, body: Body) -> View<'_> {
    let rows = body.is(UNTURNED).then(|| packed.rows(&body));
    View::sprite(packed, simd, body, rows)
}
