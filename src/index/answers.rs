//! The answers to a batch of queries.

/// The number of queries in one task of a thread.
pub(super) const TASK: usize = 64;

/// The answers to a batch of queries, grouped by query, in the order of the queries.
///
/// ```
/// use hitmask::query::{Answers, PointQuery, Queries};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [1, 0]))?];
/// let (mut queries, mut answers) = (Queries::new(), Answers::new());
/// let points = [[0.5, 0.0], [9.0, 9.0], [1.5, 0.0]].map(PointQuery::new);
/// queries.on(&world).all_of(&points, &mut answers)?;
/// assert_eq!(answers.iter().collect::<Vec<_>>(), [&ids[..], &[], &ids[1..]]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answers<T> {
    /// For each query its rank in the order in which they were run.
    ranks: Vec<u32>,
    /// The answers, in parts of [`TASK`] queries. Parts after the last one in use only keep their memory.
    parts: Vec<Part<T>>,
}

/// The answers to the queries of one task.
#[derive(Clone, Debug)]
pub(super) struct Part<T> {
    pub(super) found: Vec<T>,
    /// For each query the end of its answers in `found`.
    pub(super) ends: Vec<usize>,
}

impl<T> Part<T> {
    pub(super) fn clear(&mut self) {
        self.found.clear();
        self.ends.clear();
    }
}

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Self { ranks: Vec::new(), parts: Vec::new() }
    }
}

impl<T> Answers<T> {
    /// Creates an empty list of answers.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the number of queries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Returns whether there were no queries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// Returns the answers to the query with index `query`; none if there is no such query.
    #[must_use]
    pub fn get(&self, query: usize) -> &[T] {
        let Some(&rank) = self.ranks.get(query) else { return &[] };
        let (part, at) = (&self.parts[rank as usize / TASK], rank as usize % TASK);
        let start = at.checked_sub(1).map_or(0, |before| part.ends[before]);
        &part.found[start..part.ends[at]]
    }

    /// Returns an iterator over the answers to each query, in the order of the queries.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|query| self.get(query))
    }

    /// Returns an iterator over all answers, query by query.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.iter().flatten()
    }

    /// Returns the parts to fill, one per task, for queries run in this order: pairs of a sort key and the index of a
    /// query.
    pub(super) fn parts(&mut self, order: &[(u32, u32)]) -> &mut [Part<T>] {
        self.ranks.clear();
        self.ranks.resize(order.len(), 0);
        for (rank, &(_, query)) in order.iter().enumerate() {
            self.ranks[query as usize] = rank as u32;
        }
        let tasks = order.len().div_ceil(TASK);
        let more = || Part { found: Vec::new(), ends: Vec::new() };
        self.parts.resize_with(self.parts.len().max(tasks), more);
        &mut self.parts[..tasks]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_found_whatever_the_order() {
        let count = 3 * TASK as u32 + 5;
        let order: Vec<(u32, u32)> = (0..count).map(|rank| (0, (rank * 7 + 3) % count)).collect();
        let mut answers = Answers::new();
        for (part, order) in answers.parts(&order).iter_mut().zip(order.chunks(TASK)) {
            for &(_, query) in order {
                part.found.extend((0..query % 3).map(|k| 10 * query + k));
                part.ends.push(part.found.len());
            }
        }
        for (query, found) in answers.iter().enumerate() {
            let query = query as u32;
            assert!(found.iter().copied().eq((0..query % 3).map(|k| 10 * query + k)), "{query}");
        }
        assert_eq!(answers.all().count(), answers.iter().map(<[u32]>::len).sum::<usize>());
        assert!(answers.get(count as usize).is_empty());
    }
}
