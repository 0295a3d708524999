//! Queries on a world, one at a time.

use super::ask::{Finder, Query};
use super::memory::{Memories, Memory, Seen};
use super::spatial::Index;
use crate::ground::error::{Error, Result};
use crate::reference::queries::Definition;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// A view of a world for queries. It sees the bodies at rest, at the start of the step, without their motions; it does
/// not see bodies that are switched off or empty.
///
/// It can be copied and sent to other threads. See [`Query`] for the kinds of query and the order of answers.
#[derive(Clone, Copy, Debug)]
pub struct Search<'a> {
    pub(super) world: &'a World,
    /// Bodies to leave out; all handles are valid.
    pub(super) except: &'a [BodyId],
    pub(super) how: How<'a>,
}

/// The method by which queries are answered.
#[derive(Clone, Copy, Debug)]
pub(super) enum How<'a> {
    /// By the definition, without an index.
    Reference(&'static Definition),
    /// Not at all: every query returns this error.
    Refused(&'a Error),
    /// By an index, with these vector instructions and scratch memory.
    Index(&'a Index, Simd, &'a Memories),
}

impl<'a> Search<'a> {
    /// Returns a view of the same world without some bodies, such as the shooter for its own shot. A second call
    /// replaces the list. Each body that would be an answer is compared with the whole list: keep it short, and use
    /// layers to leave out many. The view borrows the list, so to keep the view, keep the list in a variable.
    ///
    /// Returns an [`Error::Gone`](crate::Error::Gone) for a handle of a body that is gone, or of another world.
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let [ship, rock] = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [9, 0]))?];
    /// let (mut queries, ray) = (Queries::new(), RayCast::new([0, 0], [20, 0]));
    /// let search = queries.on(&world);
    /// assert_eq!(search.first(&ray)?.unwrap().body, ship); // the ray starts inside it
    /// assert_eq!(search.except(&[ship])?.first(&ray)?.unwrap().body, rock);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn except(self, bodies: &'a [BodyId]) -> Result<Self> {
        bodies.iter().try_for_each(|&id| self.world.index_of(id).map(drop))?;
        Ok(Self { except: bodies, ..self })
    }

    /// Returns the input of a query that an index answers.
    pub(super) fn seen(self, index: &'a Index, simd: Simd) -> Seen<'a> {
        Seen { world: self.world, except: self.except, index, simd }
    }

    /// Writes all answers to a query into `found`, in the order given by [`Query`]. They replace its previous
    /// contents.
    ///
    /// This allocates only if `found` is too small, or if the query needs more scratch memory (for vertices, pixels and
    /// lists of bodies) than any before it. [`Queries`](super::Queries) keeps that memory, so repeating a query
    /// allocates nothing. [`Queries::reference`](super::Queries::reference) allocates on each query.
    ///
    /// Returns an [`Error::Value`](crate::Error::Value) that names the invalid field of the query; `found` is then
    /// unchanged.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [9, 0]))?, world.add(&Body::new(ball, [5, 0]))?];
    /// let (mut queries, mut hits) = (Queries::new(), Vec::new());
    /// // A moving body that is not in the world:
    /// queries.on(&world).all(&Body::new(ball, [0, 0]).moving([10, 0]), &mut hits)?;
    /// assert_eq!(hits.iter().map(|hit| hit.body).collect::<Vec<_>>(), ids);
    /// assert!(hits[1].detail.fraction() < hits[0].detail.fraction());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn all<Q: Query>(self, query: &Q, found: &mut Vec<Q::Answer>) -> Result<()> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference(by) => {
                query.snap(self.world)?;
                found.clear();
                found.extend(query.plainly(by, self.world, self.except));
                Ok(())
            }
            How::Index(index, simd, memories) => {
                let seen = &self.seen(index, simd);
                memories.each.lend(|memory| simd.run(All { query, seen, memory, found }))
            }
        }
    }

    /// Returns the first answer to a query, if there is any: lowest tick or distance, then lowest index. This is faster
    /// than [`Search::all`].
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
    pub fn first<Q: Query>(self, query: &Q) -> Result<Option<Q::Answer>> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference(by) => {
                query.snap(self.world).map(|_| Q::first_of(query.plainly(by, self.world, self.except)))
            }
            How::Index(index, simd, memories) => {
                let seen = &self.seen(index, simd);
                memories.each.lend(|memory| simd.run(First { query, seen, memory }))
            }
        }
    }

    /// Returns whether a query has any answer. This is often faster than [`Search::first`].
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 10.0)?)?;
    /// world.add(&Body::new(wall, [5, 0]))?;
    /// let mut queries = Queries::new();
    /// assert!(queries.on(&world).any(&RayCast::new([0, 5], [9, 5]))?); // no line of sight
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn any<Q: Query>(self, query: &Q) -> Result<bool> {
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference(by) => {
                query.snap(self.world).map(|_| !query.plainly(by, self.world, self.except).is_empty())
            }
            How::Index(index, simd, memories) => {
                let seen = &self.seen(index, simd);
                memories.each.lend(|memory| simd.run(Any { query, seen, memory }))
            }
        }
    }

    /// Returns whether a body that is not in the world would hit nothing, neither where it stands nor along its motion.
    ///
    /// A body that is in the world hits itself, here and in every query with a body: leave it out with
    /// [`Search::except`].
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

struct All<'a, Q: Query> {
    query: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    found: &'a mut Vec<Q::Answer>,
}

impl<Q: Query> Kernel for All<'_, Q> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let snapped = self.query.snap(self.seen.world)?;
        self.found.clear();
        snapped.all(lanes, self.seen, self.memory, self.found);
        Ok(())
    }
}

struct First<'a, Q: Query> {
    query: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
}

impl<Q: Query> Kernel for First<'_, Q> {
    type Output = Result<Option<Q::Answer>>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<Option<Q::Answer>> {
        let snapped = self.query.snap(self.seen.world)?;
        Ok(snapped.first(lanes, self.seen, self.memory))
    }
}

struct Any<'a, Q: Query> {
    query: &'a Q,
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
}

impl<Q: Query> Kernel for Any<'_, Q> {
    type Output = Result<bool>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<bool> {
        let snapped = self.query.snap(self.seen.world)?;
        Ok(snapped.any(lanes, self.seen, self.memory))
    }
}
