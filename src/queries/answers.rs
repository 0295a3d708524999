//! The answers to many questions.

/// Questions of a task: enough to be worth a thread's while.
pub(super) const TASK: usize = 64;

/// The answers to many questions, one after the other in the order of the questions.
///
/// ```
/// use hitmask::query::{Answers, Queries, Spot};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [1, 0]))?];
/// let (mut queries, mut answers) = (Queries::new(), Answers::new());
/// queries.on(&world).all_of(&[Spot::new([0.5, 0.0]), Spot::new([9, 9]), Spot::new([1.5, 0.0])], &mut answers)?;
/// assert_eq!(answers.iter().collect::<Vec<_>>(), [&ids[..], &[], &ids[1..]]);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Answers<T> {
    /// For each question which in the order in which they were asked it was.
    ranks: Vec<u32>,
    /// For each task its part, and memory that lasts.
    parts: Vec<Part<T>>,
}

/// The answers to the questions of a task.
#[derive(Clone, Debug)]
pub(super) struct Part<T> {
    pub(super) found: Vec<T>,
    /// For each question where its answers end.
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
    /// To no question yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of questions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ranks.len()
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranks.is_empty()
    }

    /// The answers to a question, by its index; none where it was not asked.
    #[must_use]
    pub fn get(&self, question: usize) -> &[T] {
        let Some(&rank) = self.ranks.get(question) else { return &[] };
        let (part, at) = (&self.parts[rank as usize / TASK], rank as usize % TASK);
        let start = at.checked_sub(1).map_or(0, |before| part.ends[before]);
        &part.found[start..part.ends[at]]
    }

    /// The answers to each question, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|question| self.get(question))
    }

    /// All answers, question by question.
    pub fn all(&self) -> impl Iterator<Item = &T> {
        self.iter().flatten()
    }

    /// Parts for the tasks of questions of which the ranks are known.
    pub(super) fn parts(&mut self, ranks: impl ExactSizeIterator<Item = u32>) -> &mut [Part<T>] {
        let tasks = ranks.len().div_ceil(TASK);
        self.ranks.clear();
        self.ranks.extend(ranks);
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
        let asked: Vec<u32> = (0..count).map(|rank| (rank * 7 + 3) % count).collect();
        let mut ranks = vec![0; asked.len()];
        (0..count).for_each(|rank| ranks[asked[rank as usize] as usize] = rank);
        let mut answers = Answers::new();
        for (part, asked) in answers.parts(ranks.into_iter()).iter_mut().zip(asked.chunks(TASK)) {
            for &question in asked {
                part.found.extend((0..question % 3).map(|k| 10 * question + k));
                part.ends.push(part.found.len());
            }
        }
        for (question, found) in answers.iter().enumerate() {
            let question = question as u32;
            assert!(found.iter().copied().eq((0..question % 3).map(|k| 10 * question + k)), "{question}");
        }
        assert_eq!(answers.all().count(), answers.iter().map(<[u32]>::len).sum::<usize>());
        assert!(answers.get(count as usize).is_empty());
    }
}
