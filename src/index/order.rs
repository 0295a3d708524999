//! The order in which the queries of a batch are run.

use super::hilbert;
use crate::ground::lattice::Point;

/// The most queries that are left unsorted: sorting them would take longer than it saves.
const FEW: usize = 256;

/// The most bodies for which queries are left unsorted: the trees, of some 30 bytes per body, fit into the second- and
/// third-level cache.
const CACHED: usize = 1 << 17;

/// The places of the queries of a batch, and their order. Its memory is reused.
#[derive(Debug, Default)]
pub(super) struct Order {
    places: Vec<Point>,
    /// Pairs of a position on the curve and the index of a query.
    sorted: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl Order {
    /// Starts a batch of `count` queries. Returns their places for the caller to write.
    pub(super) fn places(&mut self, count: usize) -> &mut [Point] {
        self.places.clear();
        self.places.resize(count, Point::ZERO);
        &mut self.places
    }

    /// Sorts the queries along a curve, if there are many of them and too many bodies for the cache.
    pub(super) fn sort(&mut self, bodies: usize) {
        let Self { places, sorted, spare } = self;
        sorted.clear();
        sorted.extend((0..places.len() as u32).map(|query| (0, query)));
        if places.len() > FEW && bodies > CACHED {
            hilbert::sort(sorted, spare, places);
        }
    }

    /// Returns the queries in the order in which to run them: pairs of a sort key and the index of a query.
    pub(super) fn by_rank(&self) -> &[(u32, u32)] {
        &self.sorted
    }

    /// Moves answers from the order in which the queries were run to that of the queries. This consumes the order.
    pub(super) fn put_back<T>(&mut self, all: &mut [T]) {
        for query in 0..all.len() {
            // Each swap moves one answer to its place.
            while self.sorted[query].1 as usize != query {
                let place = self.sorted[query].1 as usize;
                all.swap(query, place);
                self.sorted.swap(query, place);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<Point>() * self.places.capacity() + 8 * (self.sorted.capacity() + self.spare.capacity())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    #[test]
    fn what_is_asked_in_order_is_answered_in_place() {
        let (mut random, mut order) = (SplitMix64(8), Order::default());
        for (count, bodies) in
            [(0, CACHED), (1, CACHED), (200, 2 * CACHED), (3_000, 2 * CACHED), (300, 2 * CACHED), (300, CACHED)]
        {
            for place in order.places(count) {
                *place = Point::new(random.below(500) as i32, random.below(500) as i32);
            }
            order.sort(bodies);
            let asked: Vec<u32> = order.by_rank().iter().map(|&(_, query)| query).collect();
            assert_eq!(asked.is_sorted(), count <= FEW || bodies <= CACHED);
            let mut all = asked;
            order.put_back(&mut all);
            assert!(all.into_iter().eq(0..count as u32));
        }
    }
}
