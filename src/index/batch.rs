//! Batches of queries, on all threads.
//!
//! If the bodies do not fit into the cache, queries are run along Hilbert's curve, so that each finds in the cache what
//! the one before has read. Answers are returned in the order of the queries.

use rayon::prelude::*;

use super::answers::{Answers, Part, TASK};
use super::ask::{Finder, Firsts, Place, Query};
use super::memory::{Memories, Memory, Seen};
use super::order::Order;
use super::search::{How, Search};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::Point;
use crate::ground::threads;
use crate::reference::queries::Definition;
use crate::simd::{Kernel, Lanes, Simd};
use crate::world::World;

/// The number of queries that a thread validates at a time.
const CHECK: usize = 16 * TASK;

/// The source of the answers of a batch.
#[derive(Clone, Copy)]
enum Source<'a> {
    Index(Seen<'a>, &'a Memories),
    Definition(&'static Definition),
}

impl Search<'_> {
    /// Answers many queries of one kind, as [`Search::all`] does, on all threads. The answers replace the contents of
    /// `answers`, whose memory is reused.
    ///
    /// An error names the first invalid query; `answers` is then unchanged.
    ///
    /// ```
    /// use hitmask::query::{Answers, Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 100.0)?)?;
    /// world.add(&Body::new(wall, [50, 0]))?;
    /// let rays: Vec<RayCast> = (0..1000).map(|y| RayCast::new([0, y], [100, y])).collect();
    /// let (mut queries, mut answers) = (Queries::new(), Answers::new());
    /// queries.on(&world).all_of(&rays, &mut answers)?;
    /// assert_eq!(answers.iter().filter(|hits| !hits.is_empty()).count(), 99); // those at 0 and 100 only touch it
    /// let error = queries.on(&world).all_of(&[rays[0], RayCast::new([0, 0], [3e6, 0.0])], &mut answers).unwrap_err();
    /// assert!(error.to_string().starts_with("query 1: `to.x` is 3000000; it must lie within"));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn all_of<Q: Query>(self, queries: &[Q], answers: &mut Answers<Q::Answer>) -> Result<()> {
        self.in_order(queries, |order, source| {
            let tasks = answers.parts(order.by_rank()).par_iter_mut().zip(order.by_rank().par_chunks(TASK));
            tasks.for_each(|(part, order)| {
                part.clear();
                match source {
                    Source::Index(seen, memories) => memories.each.lend(|memory| {
                        seen.simd.run(Alls { queries, order, seen: &seen, memory, part });
                    }),
                    Source::Definition(by) => {
                        for &(_, query) in order {
                            part.found.extend(queries[query as usize].plainly(by, self.world, self.except));
                            part.ends.push(part.found.len());
                        }
                    }
                }
            });
        })
    }

    /// Finds the first answer to each of many queries of one kind, as [`Search::first`] does, on all threads. The
    /// answers replace the contents of `firsts`, in the order of the queries.
    ///
    /// An error names the first invalid query; `firsts` is then unchanged.
    ///
    /// ```
    /// use hitmask::query::{Nearest, Queries};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = [world.add(&Body::new(ball, [0, 0]))?, world.add(&Body::new(ball, [9, 0]))?];
    /// let (mut queries, mut nearest) = (Queries::new(), Vec::new());
    /// let asked = [Nearest::new([7, 0]), Nearest::new([1, 5]), Nearest::new([50, 0]).within(3.0)];
    /// queries.on(&world).first_of(&asked, &mut nearest)?;
    /// let nearest: Vec<_> = nearest.iter().map(|near| near.map(|near| near.body)).collect();
    /// assert_eq!(nearest, [Some(ids[1]), Some(ids[0]), None]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn first_of<Q: Query>(self, queries: &[Q], firsts: &mut Vec<Option<Q::Answer>>) -> Result<()> {
        let plainly = |query: &Q, by: &Definition| Q::first_of(query.plainly(by, self.world, self.except));
        self.one_each(queries, firsts, plainly, |order, seen, memory, to| {
            seen.simd.run(Firsts { queries, order, seen, memory, to });
        })
    }

    /// Finds whether each of many queries of one kind has any answer, as [`Search::any`] does, on all threads. The
    /// results replace the contents of `found`, in the order of the queries. Each query ends at its first answer, so
    /// this is often faster than [`Search::first_of`].
    ///
    /// An error names the first invalid query; `found` is then unchanged.
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let wall = world.add_shape(Shape::rect(1.0, 10.0)?)?;
    /// world.add(&Body::new(wall, [5, 0]))?;
    /// let (mut queries, mut hidden) = (Queries::new(), Vec::new());
    /// let sights = [[9, 5], [4, 5], [9, 40]].map(|guard| RayCast::new([0, 5], guard));
    /// queries.on(&world).any_of(&sights, &mut hidden)?;
    /// assert_eq!(hidden, [true, false, false]); // only the first guard is behind the wall
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn any_of<Q: Query>(self, queries: &[Q], found: &mut Vec<bool>) -> Result<()> {
        let plainly = |query: &Q, by: &Definition| !query.plainly(by, self.world, self.except).is_empty();
        self.one_each(queries, found, plainly, |order, seen, memory, to| {
            seen.simd.run(Anys { queries, order, seen, memory, to });
        })
    }

    /// Replaces the contents of `to` by one value for each query, in the order of the queries: that of `plainly`, or,
    /// if there is an index, those that `by_index` writes for a task, in the order in which its queries are run.
    fn one_each<Q, T>(
        self,
        queries: &[Q],
        to: &mut Vec<T>,
        plainly: impl Fn(&Q, &Definition) -> T + Send + Sync,
        by_index: impl Fn(&[(u32, u32)], &Seen<'_>, &mut Memory, &mut [T]) + Send + Sync,
    ) -> Result<()>
    where
        Q: Query,
        T: Clone + Default + Send,
    {
        self.in_order(queries, |order, source| {
            to.clear();
            to.resize(queries.len(), T::default());
            let tasks = to.par_chunks_mut(TASK).zip(order.by_rank().par_chunks(TASK));
            tasks.for_each(|(to, order)| match source {
                Source::Index(seen, memories) => {
                    memories.each.lend(|memory| by_index(order, &seen, memory, to));
                }
                Source::Definition(by) => {
                    for (to, &(_, query)) in to.iter_mut().zip(order) {
                        *to = plainly(&queries[query as usize], by);
                    }
                }
            });
            order.put_back(to);
        })
    }

    /// Calls `ask` with the order in which to run the queries, and with the source of their answers. An error names the
    /// first invalid query.
    fn in_order<Q, A>(self, queries: &[Q], ask: A) -> Result<()>
    where
        Q: Query,
        A: FnOnce(&mut Order, Source<'_>) + Send,
    {
        let ordered = |order: &mut Order, source: Source<'_>| {
            let places = order.places(queries.len());
            let checks = places.par_chunks_mut(CHECK).zip(queries.par_chunks(CHECK)).enumerate();
            let simd = match source {
                Source::Index(seen, _) => seen.simd,
                Source::Definition(_) => Simd::Scalar,
            };
            let wrong = checks.find_map_first(|(check, (places, queries))| {
                let (at, error) = simd.run(Placed { queries, world: self.world, places })?;
                Some(error.of(format!("query {}", CHECK * check + at)))
            });
            if let Some(error) = wrong {
                return Err(error);
            }
            order.sort(self.world.len());
            ask(order, source);
            Ok(())
        };
        match self.how {
            How::Refused(error) => Err(error.clone()),
            How::Reference(by) => on_threads(queries.len(), || ordered(&mut Order::default(), Source::Definition(by))),
            How::Index(index, simd, memories) => memories.orders.lend(|order| {
                let seen = self.seen(index, simd);
                on_threads(queries.len(), || ordered(order, Source::Index(seen, memories)))
            }),
        }
    }
}

/// Runs `work` for this number of queries on the shared threads, or on the calling thread if they are one task.
fn on_threads<T: Send>(queries: usize, work: impl FnOnce() -> T + Send) -> T {
    if queries <= TASK { work() } else { threads::within(work) }
}

/// Validates queries and records their places. Returns the index and the error of the first invalid one.
struct Placed<'a, Q> {
    queries: &'a [Q],
    world: &'a World,
    places: &'a mut [Point],
}

impl<Q: Query> Kernel for Placed<'_, Q> {
    type Output = Option<(usize, Error)>;

    #[inline(always)]
    fn run<L: Lanes>(self, _: L) -> Self::Output {
        for (at, (query, place)) in self.queries.iter().zip(self.places).enumerate() {
            match query.snap(self.world) {
                Ok(snapped) => *place = snapped.place(),
                Err(error) => return Some((at, error)),
            }
        }
        None
    }
}

/// Finds all answers to validated queries.
struct Alls<'a, Q: Query> {
    queries: &'a [Q],
    order: &'a [(u32, u32)],
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    part: &'a mut Part<Q::Answer>,
}

impl<Q: Query> Kernel for Alls<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for &(_, query) in self.order {
            if let Ok(snapped) = self.queries[query as usize].snap(self.seen.world) {
                snapped.all(lanes, self.seen, self.memory, &mut self.part.found);
            }
            self.part.ends.push(self.part.found.len());
        }
    }
}

/// Finds whether each of some validated queries has any answer.
struct Anys<'a, Q> {
    queries: &'a [Q],
    order: &'a [(u32, u32)],
    seen: &'a Seen<'a>,
    memory: &'a mut Memory,
    /// The results, in the order of `order`.
    to: &'a mut [bool],
}

impl<Q: Query> Kernel for Anys<'_, Q> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        for (&(_, query), any) in self.order.iter().zip(self.to) {
            // Not a closure: it would be compiled without the kernel's vector instructions.
            *any = match self.queries[query as usize].snap(self.seen.world) {
                Ok(snapped) => snapped.any(lanes, self.seen, self.memory),
                Err(_) => false,
            };
        }
    }
}
