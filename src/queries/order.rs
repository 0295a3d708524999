//! In which order many questions are asked.

use super::hilbert;
use crate::ground::lattice::Point;

/// So few are asked as they come.
const FEW: usize = 256;

/// So many bodies are asked in any order: the trees of them, of some 30 bytes a body, lie in the second- and
/// third-level cache.
const CACHED: usize = 1 << 17;

/// Where questions are asked, and in which order, with memory that lasts.
#[derive(Debug, Default)]
pub(super) struct Order {
    places: Vec<Point>,
    /// Keys, and questions.
    sorted: Vec<(u32, u32)>,
    spare: Vec<(u32, u32)>,
    ranks: Vec<u32>,
}

impl Order {
    /// For so many questions, whose places are to be told.
    pub(super) fn places(&mut self, count: usize) -> &mut [Point] {
        self.places.clear();
        self.places.resize(count, Point::ZERO);
        &mut self.places
    }

    /// Sorts them along a curve, if they are many and asked of so many bodies that these are not all in the cache.
    pub(super) fn sort(&mut self, bodies: usize) {
        let Self { places, sorted, spare, ranks } = self;
        sorted.clear();
        sorted.extend((0..places.len() as u32).map(|question| (0, question)));
        if places.len() > FEW && bodies > CACHED {
            hilbert::sort(sorted, spare, places);
        }
        ranks.clear();
        ranks.resize(places.len(), 0);
        for (rank, &(_, question)) in sorted.iter().enumerate() {
            ranks[question as usize] = rank as u32;
        }
    }

    /// The questions by their ranks, beside their keys.
    pub(super) fn by_rank(&self) -> &[(u32, u32)] {
        &self.sorted
    }

    /// For each question its rank.
    pub(super) fn ranks(&self) -> impl ExactSizeIterator<Item = u32> {
        self.ranks.iter().copied()
    }

    /// Puts what stands by ranks in the order of the questions, of which the ranks are lost.
    pub(super) fn put_back<T>(&mut self, all: &mut [T]) {
        for question in 0..all.len() {
            // Each swap brings one to its place.
            while self.sorted[question].1 as usize != question {
                let place = self.sorted[question].1 as usize;
                all.swap(question, place);
                self.sorted.swap(question, place);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let (places, ranks) = (self.places.capacity(), self.ranks.capacity());
        size_of::<Point>() * places + 4 * ranks + 8 * (self.sorted.capacity() + self.spare.capacity())
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
            assert!(order.ranks().enumerate().all(|(question, rank)| asked[rank as usize] as usize == question));
            assert_eq!(asked.is_sorted(), count <= FEW || bodies <= CACHED);
            let mut all = asked;
            order.put_back(&mut all);
            assert!(all.into_iter().eq(0..count as u32));
        }
    }
}
