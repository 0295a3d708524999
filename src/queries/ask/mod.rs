//! What each kind of question asks: which bodies of the index may be an answer, and whether they are.

mod body;
mod contact;
mod distance;
mod members;
mod near;
mod pixels;
mod ray;
mod region;
mod span;
mod spot;

use super::memory::{Memory, Seen};
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::simd::{Kernel, Lanes};
use crate::world::World;
use crate::world::body::BodyId;

/// A question to a world: a [`Spot`], a [`Region`], a [`Ray`], [`Near`], or a [`Body`] that is not in the world.
///
/// | question | answer | in the order of | the first |
/// |---|---|---|---|
/// | [`Spot`] | [`BodyId`](crate::BodyId) | index | of the lowest index |
/// | [`Region`] | [`BodyId`](crate::BodyId) | index | of the lowest index |
/// | [`Ray`] | [`RayHit`](crate::query::RayHit) | index | of the lowest tick, then the lowest index |
/// | [`Near`] | [`Nearby`](crate::query::Nearby) | distance, then index | the nearest |
/// | [`Body`] | [`BodyHit`](crate::query::BodyHit) | index | of the lowest tick, then the lowest index |
///
/// No other types can be asked.
///
/// [`Spot`]: crate::query::Spot
/// [`Region`]: crate::query::Region
/// [`Ray`]: crate::query::Ray
/// [`Near`]: crate::query::Near
/// [`Body`]: crate::Body
pub trait Question: Asked<Found = Self::Answer> + Sync {
    /// A body that is found, with what there is to tell of it.
    type Answer: Copy + Send + Sync;
}

/// How it is asked.
pub trait Asked {
    /// It, snapped to the lattice.
    type Snapped: Finder<Found = Self::Found> + Place + Send + Sync;
    type Found;

    /// Snaps and checks it.
    fn snap(&self, world: &World) -> Result<Self::Snapped>;

    /// Finds the first answers to many.
    #[inline(always)]
    fn firsts<L: Lanes>(asked: Firsts<'_, Self>, lanes: L)
    where
        Self: Sized,
    {
        let Firsts { questions, order, seen, memory, to } = asked;
        for (&(_, question), first) in order.iter().zip(to) {
            // No closure, which would be compiled without the kernel's instructions.
            *first = match questions[question as usize].snap(seen.world) {
                Ok(snapped) => snapped.first(lanes, seen, memory),
                Err(_) => None,
            };
        }
    }

    /// All answers but some bodies, by the definition.
    fn plainly(&self, world: &World, except: &[BodyId]) -> Vec<Self::Found>;

    /// Which of all answers is the first.
    fn first_of(found: Vec<Self::Found>) -> Option<Self::Found> {
        found.into_iter().next()
    }
}

/// Questions that were checked, and where their first answers go.
pub struct Firsts<'a, Q: Asked> {
    pub(super) questions: &'a [Q],
    /// The order in which they are asked: sort keys, and indices of questions.
    pub(super) order: &'a [(u32, u32)],
    pub(super) seen: &'a Seen<'a>,
    pub(super) memory: &'a mut Memory,
    /// The first answers, in that order.
    pub(super) to: &'a mut [Option<Q::Found>],
}

impl<Q: Asked> Kernel for Firsts<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        Q::firsts(self, lanes);
    }
}

/// A question on the lattice, which finds its answers by the index.
pub trait Finder {
    type Found;

    /// Puts all answers behind those that are there already, in order.
    fn all<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, found: &mut Vec<Self::Found>);

    /// The first answer.
    fn first<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> Option<Self::Found>;

    /// Whether there is any answer.
    #[inline(always)]
    fn any<L: Lanes>(&self, lanes: L, seen: &Seen<'_>, memory: &mut Memory) -> bool {
        self.first(lanes, seen, memory).is_some()
    }
}

/// Something at a place, near to which are its answers.
pub trait Place {
    /// A point of it: many questions are asked in an order in which near ones follow each other.
    fn place(&self) -> Point;
}
