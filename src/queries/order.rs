//! The order in which many questions are asked.

use super::hilbert;
use crate::ground::lattice::Point;

/// The most questions that are not sorted: that would take longer than it saves.
const FEW: usize = 256;

/// The most bodies of which questions are not sorted: the trees, of some 30 bytes a body, lie in the second- and
/// third-level cache.
const CACHED: usize = 1 << 17;

/// Where questions are asked, and in which order. Its memory is used again.
#[derive(Debug, Default)]
pub(super) struct Order {
    places: Vec<Point>,
    /// Places on the curve, and indices of questions.
    sorted: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
}

impl Order {
    /// Begins anew with `count` questions, whose places the caller writes.
    pub(super) fn places(&mut self, count: usize) -> &mut [Point] {
        self.places.clear();
        self.places.resize(count, Point::ZERO);
        &mut self.places
    }

    /// Sorts the questions along a curve, if they are many, and the bodies too many for the cache.
    pub(super) fn sort(&mut self, bodies: usize) {
        let Self { places, sorted, spare } = self;
        sorted.clear();
        sorted.extend((0..places.len() as u32).map(|question| (0, question)));
        if places.len() > FEW && bodies > CACHED {
            hilbert::sort(sorted, spare, places);
        }
    }

    /// The questions in the order in which they are asked: sort keys, and indices of questions.
    pub(super) fn by_rank(&self) -> &[(u32, u32)] {
        &self.sorted
    }

    /// Brings answers from the order in which questions were asked to that of the questions. Forgets the order.
    pub(super) fn put_back<T>(&mut self, all: &mut [T]) {
        for question in 0..all.len() {
            // Each swap brings one answer to its place.
            while self.sorted[question].1 as usize != question {
                let place = self.sorted[question].1 as usize;
                all.swap(question, place);
                self.sorted.swap(question, place);
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
            let asked: Vec<u32> = order.by_rank().iter().map(|&(_, question)| question).collect();
            assert_eq!(asked.is_sorted(), count <= FEW || bodies <= CACHED);
            let mut all = asked;
            order.put_back(&mut all);
            assert!(all.into_iter().eq(0..count as u32));
        }
    }
}
