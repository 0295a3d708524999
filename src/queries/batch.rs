//! Many questions in one call, on all threads.

use rayon::prelude::*;

use super::ask::Question;
use super::memory::{Memory, Seen};
use super::search::{How, Search};
use crate::ground::error::Result;
use crate::simd::{Kernel, Lanes};

/// Questions of a task: enough to be worth a thread's while.
const TASK: usize = 64;

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
    found: Vec<T>,
    /// For each question where its answers end.
    ends: Vec<usize>,
    /// For each task its part: memory that lasts.
    parts: Vec<Part<T>>,
}

#[derive(Clone, Debug)]
struct Part<T> {
    found: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Answers<T> {
    fn default() -> Self {
        Self { found: Vec::new(), ends: Vec::new(), parts: Vec::new() }
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
        self.ends.len()
    }

    /// Whether nothing was asked.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The answers to a question, by its index; none where it was not asked.
    #[must_use]
    pub fn get(&self, question: usize) -> &[T] {
        let start = question.checked_sub(1).map_or(Some(0), |before| self.ends.get(before).copied());
        start.zip(self.ends.get(question)).map_or(&[], |(start, &end)| &self.found[start..end])
    }

    /// The answers to each question, in order.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[T]> {
        (0..self.len()).map(|question| self.get(question))
    }

    /// All answers, whatever the question.
    #[must_use]
    pub fn all(&self) -> &[T] {
        &self.found
    }
}

impl Search<'_> {
    /// Answers many questions of one kind, as [`Search::all`] does, on the threads of the pool of `rayon` in which it is called. In the memory of earlier
    /// answers, which are left as they are on an error: that names the first question that cannot be asked.
    ///
    /// ```
    /// use hitmask::query::{Answers, Queries, Ray};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 100.0)?)?;
    /// world.add(&Body::new(wall, [50, 0]))?;
    /// let rays: Vec<Ray> = (0..1000).map(|y| Ray::new([0, y], [100, y])).collect();
    /// let (mut queries, mut answers) = (Queries::new(), Answers::new());
    /// queries.on(&world).all_of(&rays, &mut answers)?;
    /// assert_eq!(answers.iter().filter(|hits| !hits.is_empty()).count(), 99); // at 0 and 100 they only touch it
    /// let error = queries.on(&world).all_of(&[rays[0], Ray::new([0, 0], [3e6, 0.0])], &mut answers).unwrap_err();
    /// assert!(error.to_string().starts_with("question 1: `to.x` is 3000000; it must lie within"));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn all_of<Q: Question>(self, questions: &[Q], answers: &mut Answers<Q::Answer>) -> Result<()> {
        self.check(questions)?;
        let Answers { found, ends, parts } = answers;
        let tasks = questions.len().div_ceil(TASK);
        parts.resize_with(parts.len().max(tasks), || Part { found: Vec::new(), ends: Vec::new() });
        parts[..tasks].par_iter_mut().zip(questions.par_chunks(TASK)).for_each(|(part, questions)| {
            part.found.clear();
            part.ends.clear();
            self.answer(questions, part);
        });
        found.clear();
        ends.clear();
        for part in &parts[..tasks] {
            let before = found.len();
            found.extend_from_slice(&part.found);
            ends.extend(part.ends.iter().map(|end| before + end));
        }
        Ok(())
    }

    /// The first answer to each of many questions of one kind, as [`Search::first`] tells it, as [`Search::all_of`] does.
    ///
    /// ```
    /// use hitmask::query::{Near, Queries};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [9, 0]))?];
    /// let (mut queries, mut nearest) = (Queries::new(), Vec::new());
    /// queries.on(&world).first_of(&[Near::new([7, 0]), Near::new([1, 5]), Near::new([50, 0]).within(3.0)], &mut nearest)?;
    /// let nearest: Vec<_> = nearest.iter().map(|near| near.map(|near| near.body)).collect();
    /// assert_eq!(nearest, [Some(ids[1]), Some(ids[0]), None]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn first_of<Q: Question>(self, questions: &[Q], firsts: &mut Vec<Option<Q::Answer>>) -> Result<()> {
        self.check(questions)?;
        firsts.clear();
        firsts.resize(questions.len(), None);
        firsts.par_chunks_mut(TASK).zip(questions.par_chunks(TASK)).for_each(|(firsts, questions)| match self.how {
            How::Reference => {
                for (first, question) in firsts.iter_mut().zip(questions) {
                    *first = Q::first_of(question.plainly(self.world));
                }
            }
            How::Index(seen, pool) => {
                pool.lend(|memory| seen.simd.run(Firsts { questions, seen: &seen, memory, to: firsts }));
            }
        });
        Ok(())
    }

    /// An error that names the first question that cannot be asked.
    fn check<Q: Question>(self, questions: &[Q]) -> Result<()> {
        let wrong = questions.par_iter().enumerate().with_min_len(16 * TASK).find_map_first(|(index, question)| {
            question.snap(self.world).err().map(|error| error.of(format!("question {index}")))
        });
        wrong.map_or(Ok(()), Err)
    }

    fn answer<Q: Question>(self, questions: &[Q], part: &mut Part<Q::Answer>) {
        match self.how {
            How::Reference => {
                for question in questions {
                    part.found.extend(question.plainly(self.world));
                    part.ends.push(part.found.len());
                }
            }
            How::Index(seen, pool) => pool.lend(|memory| seen.simd.run(Alls { questions, seen: &seen, memory, part })),
        }
    }
}

/// All answers to some questions that were checked.
struct Alls<'a, Q: Question> {
    questions: &'a [Q],
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    part: &'a mut Part<Q::Answer>,
}

impl<Q: Question> Kernel for Alls<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for question in self.questions {
            if let Ok(snapped) = question.snap(self.seen.world) {
                Q::all(&snapped, lanes, self.seen, self.memory, &mut self.part.found);
            }
            self.part.ends.push(self.part.found.len());
        }
    }
}

/// The first answers to some questions that were checked.
struct Firsts<'a, Q: Question> {
    questions: &'a [Q],
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    to: &'a mut [Option<Q::Answer>],
}

impl<Q: Question> Kernel for Firsts<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (question, first) in self.questions.iter().zip(self.to) {
            // No closure, which would be compiled without the kernel's instructions.
            *first = match question.snap(self.seen.world) {
                Ok(snapped) => Q::first(&snapped, lanes, self.seen, self.memory),
                Err(_) => None,
            };
        }
    }
}
