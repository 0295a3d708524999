//! Queries on a world, outside a step: which bodies are at a point, which a ray or a body would hit, and which are
//! nearest.
//!
//! ```text
//! Queries (kept)  --on(&world)-->  Search (a view)  --all, first, any, all_of, first_of-->  answers
//!    index: trees of bounds           PointQuery, RegionQuery, RayCast, Nearest, Body
//! ```
//!
//! The index only excludes bodies that cannot be an answer and gives the order in which to test the others. The
//! engines' own exact predicates decide (`ask/`).

mod answers;
mod ask;
mod batch;
mod hilbert;
mod memory;
mod node;
mod order;
mod pack;
mod search;
mod seek;
mod smooth;
mod spatial;
mod split;
mod sweep;
mod tree;
mod walk;
mod walker;

pub use answers::Answers;
pub use ask::Query;
pub use search::Search;
pub use sweep::{Slide, Sweep};
pub use walker::{Pace, Side, Surface, Walk, Walker};

use crate::ground::error::Error;
use crate::reference::queries::{DEFINITION, Definition};
use crate::simd::Simd;
use crate::world::World;
use memory::Memories;
use search::How;
use spatial::Index;

/// An index of a world's bodies that answers queries outside a step. It is kept between queries and updated for the
/// bodies that changed.
///
/// It consists of trees of bounding boxes. A node has sixteen children, which vector instructions test at once. Trees
/// are packed from the top down (Lee and Lee, *OMT: Overlap Minimizing Top-down Bulk Loading Algorithm for R-tree*,
/// 2003). When bodies move, their bounds and the nodes above them are refitted. Bodies that come, go or move far are
/// inserted and removed one by one (Guttman, *R-trees: A Dynamic Index Structure for Spatial Searching*, 1984). The
/// trees are rebuilt when their nodes have grown much larger, when half the bodies are gone, and when many come at
/// once.
///
/// Keep one `Queries` per world. The index follows whatever world you pass in, but on each switch it checks all bodies.
///
/// ```
/// use hitmask::query::{Nearest, PointQuery, Queries, RayCast};
/// use hitmask::{Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(2.0)?)?;
/// let [a, b] = [world.add(&Body::new(ball, [10, 0]))?, world.add(&Body::new(ball, [30, 0]))?];
/// let mut queries = Queries::new();
/// let search = queries.on(&world);
/// assert_eq!(search.first(&PointQuery::new([11, 0]))?, Some(a)); // pick with the mouse
/// assert_eq!(search.first(&RayCast::new([50, 0], [0, 0]))?.unwrap().body, b); // shoot a laser
/// assert_eq!(search.first(&Nearest::new([18, 0]))?.unwrap().distance, 6.0); // find the nearest
/// assert!(search.is_free(&Body::new(ball, [20, 0]).moving([0, 100]))?); // go there
/// world.set(a, &Body::new(ball, [20, 0]))?;
/// assert!(!queries.on(&world).is_free(&Body::new(ball, [20, 0]))?);
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Debug)]
pub struct Queries {
    kept: Kept,
    /// The error of an update for which there was not enough memory.
    refused: Option<Error>,
    memories: Memories,
    simd: Simd,
}

/// The source of answers.
#[derive(Debug)]
enum Kept {
    Index(Box<Index>),
    Definition(&'static Definition),
}

impl Default for Queries {
    fn default() -> Self {
        Self::new()
    }
}

impl Queries {
    /// Creates an empty index; the first [`Queries::on`] fills it.
    #[must_use]
    pub fn new() -> Self {
        let kept = Kept::Index(Box::default());
        Self { kept, refused: None, memories: Memories::default(), simd: Simd::best() }
    }

    /// Creates a `Queries` without an index, which answers each query by the definition, body by body and pixel by
    /// pixel, for tests and debugging.
    ///
    /// ```
    /// use hitmask::query::{Queries, RayCast};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [5, 0]))?;
    /// let ray = RayCast::new([0, 0], [9, 0]);
    /// assert_eq!(Queries::reference().on(&world).first(&ray)?, Queries::new().on(&world).first(&ray)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn reference() -> Self {
        Self { kept: Kept::Definition(&DEFINITION), ..Self::new() }
    }

    /// Sets the vector instructions to use; if the machine lacks them, none are used. By default the widest that it
    /// has.
    ///
    /// ```
    /// use hitmask::cpu::Simd;
    /// use hitmask::query::{Nearest, Queries};
    /// use hitmask::World;
    ///
    /// let mut queries = Queries::new().simd(Simd::Scalar);
    /// assert!(queries.on(&World::default()).first(&Nearest::new([0, 0]))?.is_none());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn simd(self, simd: Simd) -> Self {
        Self { simd, ..self }
    }

    /// Updates the index to a world and returns a view for queries on it. If there is not enough memory for the index,
    /// every query on the view returns an [`Error::Capacity`].
    ///
    /// The update uses several threads only to refit the index, when there are more than 8,192 bodies and more than a
    /// quarter of them changed. It applies fewer changes, and builds the trees, on one thread.
    ///
    /// ```
    /// use hitmask::query::{PointQuery, Queries};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let mut queries = Queries::new();
    /// assert!(!queries.on(&world).any(&PointQuery::new([0, 0]))?);
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// assert!(queries.on(&world).any(&PointQuery::new([0, 0]))?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn on<'a>(&'a mut self, world: &'a World) -> Search<'a> {
        let Self { kept, refused, memories, simd } = self;
        let how = match kept {
            Kept::Definition(by) => How::Reference(by),
            Kept::Index(index) => match index.update(world) {
                Ok(()) => How::Index(index, *simd, memories),
                Err(error) => How::Refused(refused.insert(error)),
            },
        };
        Search { world, except: &[], how }
    }

    /// Returns the memory that the index holds, in bytes.
    ///
    /// ```
    /// use hitmask::query::Queries;
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// let mut queries = Queries::new();
    /// queries.on(&world);
    /// assert!(queries.bytes() > 0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let index = match &self.kept {
            Kept::Index(index) => index.bytes(),
            Kept::Definition(_) => 0,
        };
        (self.memories.bytes() + index) as u64
    }
}
