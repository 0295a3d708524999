//! A world that is asked, one question at a time.

use super::ask::{Finder, Question};
use super::index::Index;
use super::memory::{Memory, Pool, Seen};
use crate::ground::error::{Error, Result};
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// A world, ready to be asked: as it stands at rest at the start of the step, motions left out. What is switched off or
/// empty is not there.
///
/// It can be copied and sent to other threads. For questions and the order of answers see [`Question`].
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub(super) world: &'a World,
    /// Bodies that are left out; all are there.
    pub(super) except: &'a [BodyId],
    pub(super) how: How<'a>,
}

/// How questions are answered.
#[derive(Clone, Copy, Debug)]
pub(super) enum How<'a> {
    /// By the definition.
    Reference,
    /// Not at all.
    Refused(&'a Error),
    /// By an index, with these vector instructions, in memory that is lent.
    Index(&'a Index, Simd, &'a Pool),
}

impl<'a> Search<'a> {
    /// The same world without some bodies: without the shooter for its shot, without the hero while it moves. A second
    /// call replaces the list. It is compared with each body that would be an answer: keep it short, and use layers for
    /// many. A list made within a statement does not outlive it: to keep the search, keep the list in a variable.
    ///
    /// An [`Error::Gone`](crate::Error::Gone) for a handle of a body that is gone, or of another world.
    ///
    /// ```
    /// use hitmask::query::{Queries, Ray};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [ship, rock] = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [9, 0]))?];
    /// let (mut queries, ray) = (Queries::new(), Ray::new([0, 0], [20, 0]));
    /// let search = queries.on(&world);
    /// assert_eq!(search.first(&ray)?.unwrap().body, ship); // it begins there
    /// assert_eq!(search.except(&[ship])?.first(&ray)?.unwrap().body, rock);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn except(self, bodies: &'a [BodyId]) -> Result<Self> {
        bodies.iter().try_for_each(|&id| self.world.index_of(id).map(drop))?;
        Ok(Self { except: bodies, ..self })
    }

    /// What there is to see of it, by an index.
    pub(super) fn seen(self, index: &'a Index, simd: Simd) -> Seen<'a> {
        Seen { world: self.world, except: self.except, index, simd }
    }

    /// All answers to a question, in the order told by [`Question`]. They replace what `found` holds.
    ///
    /// Memory is allocated where `found` has no room for them, and where a question takes more than those before it to
    /// land vertices, to paint pixels or to list bodies. [`Queries`](super::Queries) keeps it: a question that was
    /// asked before allocates nothing. [`Queries::reference`](super::Queries::reference) allocates at each question.
    ///
    /// An [`Error::Value`](crate::Error::Value) names the field of the question that is wrong; `found` is then left as
    /// it was.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [9, 0]))?, world.add(&Body::new(ball, [5, 0]))?];
    /// let (mut queries, mut hits) = (Queries::new(), Vec::new());
    /// // A body that is not in the world, on its way:
    /// queries.on(&world).all(&Body::new(ball, [0, 0]).moving([10, 0]), &mut hits)?;
    /// assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), ids);
    /// assert!(hits[1].detail.fraction() < hits[0].detail.fraction());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn all<Q: Question>(self, question: &Q, found: &mut Vec<Q::Answer>) -> Result<()> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference => {
                question.snap(self.world)?;
                found.clear();
                found.extend(question.plainly(self.world, self.except));
                Ok(())
            }
            How::Index(index, simd, pool) => {
                let seen = &self.seen(index, simd);
                pool.lend(|memory| simd.run(All { question, seen, memory, found }))
            }
        }
    }

    /// The first answer to a question, if there is any: of the lowest tick or distance, then of the lowest index.
    /// Faster than all of them.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [9, 0]))?;
    /// let near = world.add(&Body::new(ball, [5, 0]))?;
    /// let mut queries = Queries::new();
    /// let cast = queries.on(&world).first(&Body::new(ball, [0, 0]).moving([10, 0]))?;
    /// assert_eq!(cast.unwrap().body, near);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn first<Q: Question>(self, question: &Q) -> Result<Option<Q::Answer>> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference => question.snap(self.world).map(|_| Q::first_of(question.plainly(self.world, self.except))),
            How::Index(index, simd, pool) => {
                let seen = &self.seen(index, simd);
                pool.lend(|memory| simd.run(First { question, seen, memory }))
            }
        }
    }

    /// Whether a question has any answer. Often faster than the first.
    ///
    /// ```
    /// use hitmask::query::{Queries, Ray};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 10.0)?)?;
    /// world.add(&Body::new(wall, [5, 0]))?;
    /// let mut queries = Queries::new();
    /// assert!(queries.on(&world).any(&Ray::new([0, 5], [9, 5]))?); // not to be seen from there
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn any<Q: Question>(self, question: &Q) -> Result<bool> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference => question.snap(self.world).map(|_| !question.plainly(self.world, self.except).is_empty()),
            How::Index(index, simd, pool) => {
                let seen = &self.seen(index, simd);
                pool.lend(|memory| simd.run(Any { question, seen, memory }))
            }
        }
    }

    /// Whether a body that is not in the world would hit none there, nor on its way.
    ///
    /// One that is in the world meets itself, here and in all questions by a body: leave it out by [`Search::except`].
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(4.0, 4.0)?)?;
    /// world.add(&Body::new(tile, [0, 0]))?;
    /// let mut queries = Queries::new();
    /// let search = queries.on(&world);
    /// assert!(search.is_free(&Body::new(tile, [4, 0]))? && !search.is_free(&Body::new(tile, [3, 0]))?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn is_free(self, body: &Body) -> Result<bool> {
        self.any(body).map(|any| !any)
    }
}

struct All<'a, Q: Question> {
    question: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    found: &'a mut Vec<Q::Answer>,
}

impl<Q: Question> Kernel for All<'_, Q> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let snapped = self.question.snap(self.seen.world)?;
        self.found.clear();
        snapped.all(lanes, self.seen, self.memory, self.found);
        Ok(())
    }
}

struct First<'a, Q: Question> {
    question: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
}

impl<Q: Question> Kernel for First<'_, Q> {
    type Output = Result<Option<Q::Answer>>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<Option<Q::Answer>> {
        let snapped = self.question.snap(self.seen.world)?;
        Ok(snapped.first(lanes, self.seen, self.memory))
    }
}

struct Any<'a, Q: Question> {
    question: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
}

impl<Q: Question> Kernel for Any<'_, Q> {
    type Output = Result<bool>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<bool> {
        let snapped = self.question.snap(self.seen.world)?;
        Ok(snapped.any(lanes, self.seen, self.memory))
    }
}
