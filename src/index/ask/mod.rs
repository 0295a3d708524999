//! The kinds of query: for each, the bodies of the index that may be an answer, and the exact test of whether they are.

mod body;
mod contact;
mod distance;
mod members;
mod nearest;
mod pixels;
mod point;
mod ray;
mod region;
mod span;

use super::memory::{Memory, Seen};
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::reference::queries::Definition;
use crate::simd::{Kernel, Lanes};
use crate::world::World;
use crate::world::body::BodyId;

/// A query on a world: a [`PointQuery`], a [`RegionQuery`], a [`RayCast`], [`Nearest`], or a [`Body`] that is not in
/// the world.
///
/// | query | answer | sorted by | first answer |
/// |---|---|---|---|
/// | [`PointQuery`] | [`BodyId`](crate::BodyId) | index | lowest index |
/// | [`RegionQuery`] | [`BodyId`](crate::BodyId) | index | lowest index |
/// | [`RayCast`] | [`RayHit`](crate::query::RayHit) | index | lowest tick, then lowest index |
/// | [`Nearest`] | [`NearestHit`](crate::query::NearestHit) | distance, then index | nearest, then lowest index |
/// | [`Body`] | [`BodyHit`](crate::query::BodyHit) | index | lowest tick, then lowest index |
///
/// This trait is sealed: it cannot be implemented for other types.
///
/// [`PointQuery`]: crate::query::PointQuery
/// [`RegionQuery`]: crate::query::RegionQuery
/// [`RayCast`]: crate::query::RayCast
/// [`Nearest`]: crate::query::Nearest
/// [`Body`]: crate::Body
pub trait Query: Asked<Found = Self::Answer> + Sync {
    /// The type of one answer: a body, with details that depend on the query.
    type Answer: Copy + Send + Sync;
}

/// The implementation of a query.
pub trait Asked {
    /// The query, snapped to the lattice.
    type Snapped: Finder<Found = Self::Found> + Place + Send + Sync;
    type Found;

    /// Validates the query and snaps it to the lattice.
    fn snap(&self, world: &World) -> Result<Self::Snapped>;

    /// Finds the first answer to each of many queries.
    #[inline(always)]
    fn firsts<L: Lanes>(asked: Firsts<'_, Self>, lanes: L)
    where
        Self: Sized,
    {
        let Firsts { queries, order, seen, memory, to } = asked;
        for (&(_, query), first) in order.iter().zip(to) {
            // Not a closure: it would be compiled without the kernel's vector instructions.
            *first = match queries[query as usize].snap(seen.world) {
                Ok(snapped) => snapped.first(lanes, seen, memory),
                Err(_) => None,
            };
        }
    }

    /// Returns all answers by the definition, leaving out the bodies in `except`.
    fn plainly(&self, by: &Definition, world: &World, except: &[BodyId]) -> Vec<Self::Found>;

    /// Returns the first of all answers.
    fn first_of(found: Vec<Self::Found>) -> Option<Self::Found> {
        found.into_iter().next()
    }
}

/// Validated queries, and the slots for their first answers.
pub struct Firsts<'a, Q: Asked> {
    pub(super) queries: &'a [Q],
    /// The order in which to run them: pairs of a sort key and the index of a query.
    pub(super) order: &'a [(u32, u32)],
    pub(super) seen: &'a Seen<'a>,
    pub(super) memory: &'a mut Memory,
    /// The first answers, in the order of `order`.
    pub(super) to: &'a mut [Option<Q::Found>],
}

impl<Q: Asked> Kernel for Firsts<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        Q::firsts(self, lanes);
    }
}

/// A query on the lattice that finds its answers with the index.
pub trait Finder {
    type Found;

    /// Appends all answers to `found`, in order.
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<Self::Found>);

    /// Returns the first answer.
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<Self::Found>;

    /// Returns whether there is any answer.
    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        self.first(lanes, seen, memory).is_some()
    }
}

/// A query with a place near which its answers lie.
pub trait Place {
    /// Returns a point of the query. Batches run queries in an order in which neighbouring ones follow each other.
    fn place(&self) -> Point;
}
