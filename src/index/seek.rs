//! The first answer along a walk of the index; for batches, several walks in turn.
//!
//! Each step of a walk waits for the one before: for a block's memory, and for the lowest of its keys. While one walk
//! waits, others go on.

use super::ask::{Asked, Firsts};
use super::memory::{Memory, Seen};
use super::node::Probe;
use super::walk::{InOrder, Leaf, Step};
use crate::simd::Lanes;

/// The number of walks that take turns.
const WALKS: usize = 4;

/// A query with its best answer so far.
pub(super) trait Seek: Sized {
    type Snapped;
    type Probe: Probe;
    type Found;

    fn new(snapped: &Self::Snapped) -> Self;

    /// Returns the probe that walks the index, and the layers to look at.
    fn probe(&self) -> (&Self::Probe, u32);

    /// Returns the key beyond which no answer is better. It never grows.
    fn limit(&self) -> i32;

    /// Tests a body, and keeps it if it is the best answer so far.
    fn meet<L: Lanes>(&mut self, lanes: L, seen: &Seen<'_>, memory: &mut Memory, leaf: &Leaf);

    fn found(&self, seen: &Seen<'_>) -> Option<Self::Found>;
}

/// Returns the first answer to a query.
#[inline(always)]
pub(super) fn first<S: Seek, L: Lanes>(
    lanes: L,
    snapped: &S::Snapped,
    seen: &Seen<'_>,
    memory: &mut Memory,
) -> Option<S::Found> {
    let (mut seek, mut walk) = (S::new(snapped), InOrder::new(seen.index));
    loop {
        let (probe, hits) = seek.probe();
        let Some(leaf) = walk.next(lanes, probe, hits, seek.limit()) else { return seek.found(seen) };
        seek.meet(lanes, seen, memory, &leaf);
    }
}

/// Finds the first answer to each of many queries.
#[inline(always)]
pub(super) fn firsts<Q, S, L: Lanes>(lanes: L, asked: Firsts<'_, Q>)
where
    Q: Asked,
    S: Seek<Snapped = Q::Snapped, Found = Q::Found>,
{
    let Firsts { queries, order, seen, memory, to } = asked;
    let mut walks = [InOrder::new(seen.index); WALKS];
    let mut seeks = [const { None::<(usize, S)> }; WALKS];
    let (mut begun, mut ended) = (0, 0);
    while ended < order.len() {
        for (walk, at) in walks.iter_mut().zip(&mut seeks) {
            if let Some((rank, seek)) = at {
                let (probe, hits) = seek.probe();
                match walk.step(lanes, probe, hits, seek.limit()) {
                    Step::On => {}
                    Step::To(leaf) => seek.meet(lanes, seen, memory, &leaf),
                    Step::End => {
                        to[*rank] = seek.found(seen);
                        ended += 1;
                        *at = None;
                    }
                }
            } else if let Some(&(_, query)) = order.get(begun) {
                if let Ok(snapped) = queries[query as usize].snap(seen.world) {
                    walk.begin();
                    *at = Some((begun, S::new(&snapped)));
                } else {
                    ended += 1;
                }
                begun += 1;
            }
        }
    }
}
