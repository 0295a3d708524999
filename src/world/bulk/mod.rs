//! Edits of many bodies at once, from the caller's slices, and reading their positions. On an error no body changes.
//!
//! Positions and motions, which a game sets in each step:
//!
//! 1. All threads check, snap and bound the bodies into spare columns (`settle`).
//! 2. On an error, the first bad place of the list is named, and the world stays as it was.
//! 3. Otherwise, for an edit of all bodies, the spare columns become the world's; for a list, they are copied to its
//!    bodies.

mod list;
mod parts;
mod poses;
mod repose;
mod settle;
mod source;
mod turned;

use super::World;
use super::body::BodyId;
use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};
use crate::ground::vec2::Vec2;
pub(in crate::world) use settle::Spare;
use source::{Advance, Moving, Positions};

/// The memory of positions that are read, as errors name it.
const POSITIONS: Need = Need { what: "the list of positions", advice: "read fewer bodies at once", beside: 0 };

/// The bodies that a bulk edit or read applies to, and the order of its slices.
///
/// ```
/// use hitmask::{Bodies, Body, Shape, World};
///
/// let mut world = World::default();
/// let ball = world.add_shape(Shape::circle(1.0)?)?;
/// let ids = [0, 5, 9].map(|x| world.add(&Body::new(ball, [x, 0])));
/// let [first, _, last] = ids.map(Result::unwrap);
/// world.set_positions(Bodies::These(&[last, first]), &[[7.0, 7.0], [1.0, 1.0]])?;
/// assert_eq!((world.body(first).unwrap().at.x, world.body(last).unwrap().at.x), (1.0, 7.0));
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bodies<'a> {
    /// All bodies, by index. Slices are [`World::indices`] long; entries at free indices are ignored.
    All,
    /// The bodies of a list, in its order. If a body is listed twice, its last entry counts.
    These(&'a [BodyId]),
}

impl World {
    /// Copies the positions of many bodies to `at`, in units, snapped to the lattice.
    ///
    /// `at` is cleared first, and its memory is used again. For [`Bodies::All`] it gets one element for each index, so
    /// that the indices in answers find their positions and [`World::set_positions`] takes it back; at free indices it
    /// gets zeros. The caller's thread does all the work, one lookup for each element.
    ///
    /// On an error `at` is empty: an [`Error::In`] names the first body of the list that is gone, [`Error::Capacity`]
    /// means that there is not enough memory.
    ///
    /// ```
    /// use hitmask::geometry::Vec2;
    /// use hitmask::{Bodies, Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = world.add_all(&[Body::new(ball, [1, 2]), Body::new(ball, [3, 4])])?;
    /// let mut at = Vec::new();
    /// world.positions(Bodies::All, &mut at)?;
    /// assert_eq!(at, [Vec2::from([1, 2]), Vec2::from([3, 4])]);
    /// world.positions(Bodies::These(&ids[1..]), &mut at)?;
    /// assert_eq!(at, [Vec2::from([3, 4])]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn positions(&self, bodies: Bodies<'_>, at: &mut Vec<Vec2>) -> Result<()> {
        at.clear();
        Room::default().reserve(at, self.places(bodies), POSITIONS)?;
        for place in 0..self.places(bodies) {
            let index = self.index_at(bodies, place).inspect_err(|_| at.clear())?;
            at.push(index.map_or(Vec2::default(), |index| self.packed.positions[index].units().into()));
        }
        Ok(())
    }

    /// Sets the positions of many bodies, in units, from `f32` or `f64`; everything else stays.
    ///
    /// From 8,192 bodies on, all idle threads share the work; in a task of a `rayon` pool, at most as many as that pool
    /// has. On an error no body changes: an [`Error::In`] names the first invalid body and holds an [`Error::Value`]
    /// with the field and its limit. A plain [`Error::Value`] means that a slice does not have the length that
    /// [`Bodies`] requires.
    ///
    /// ```
    /// use hitmask::{Bodies, Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// for _ in 0..3 {
    ///     world.add(&Body::new(ball, [0, 0]))?;
    /// }
    /// world.set_positions(Bodies::All, &[[1.0_f32, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
    /// let error = world.set_positions(Bodies::All, &[[0.0, 0.0], [0.0, 1e9], [f64::NAN, 0.0]]).unwrap_err();
    /// assert_eq!(error.to_string(), "body 1: `at.y` is 1000000000; it must lie within ±2097151.99609375 units");
    /// assert_eq!(world.body(world.id(0).unwrap()).unwrap().at.x, 1.0); // as it was
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_positions<P: Into<Vec2> + Copy + Sync>(&mut self, bodies: Bodies<'_>, at: &[P]) -> Result<()> {
        self.check_len(bodies, "at", at.len())?;
        self.settle(bodies, Positions(at))
    }

    /// Sets the positions and the motions within the step of many bodies, in units; everything else stays.
    ///
    /// Threads and errors are as for [`World::set_positions`].
    ///
    /// ```
    /// use hitmask::{Bodies, Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// world.set_moving(Bodies::All, &[[1.0, 2.0]], &[[0.5, 0.0]])?;
    /// assert_eq!(world.body(id), Some(Body::new(ball, [1, 2]).moving([0.5, 0.0])));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn set_moving<P, M>(&mut self, bodies: Bodies<'_>, at: &[P], motion: &[M]) -> Result<()>
    where
        P: Into<Vec2> + Copy + Sync,
        M: Into<Vec2> + Copy + Sync,
    {
        self.check_len(bodies, "at", at.len())?;
        self.check_len(bodies, "motion", motion.len())?;
        self.settle(bodies, Moving(at, motion))
    }

    /// Moves each body to the end of its motion. Motions stay, so the next step begins where this one ended, exact to
    /// the lattice step.
    ///
    /// On an error no body moves: an [`Error::In`] names the first body whose next step would leave the world. Threads
    /// are as for [`World::set_positions`].
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]).moving([0.1, 0.0]))?;
    /// for _ in 0..256 {
    ///     world.advance()?;
    /// }
    /// assert_eq!(world.body(id).unwrap().at.x, 26.0); // 0.1 is 26 steps of 1/256
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn advance(&mut self) -> Result<()> {
        if self.packed.moving { self.settle(Bodies::All, Advance) } else { Ok(()) }
    }

    /// Returns the number of places of an edit: the length of its slices.
    fn places(&self, bodies: Bodies<'_>) -> usize {
        match bodies {
            Bodies::All => self.indices(),
            Bodies::These(ids) => ids.len(),
        }
    }

    /// Returns the index of the body at a place; `None` at a free index of [`Bodies::All`].
    #[inline(always)]
    fn index_at(&self, bodies: Bodies<'_>, place: usize) -> Result<Option<usize>> {
        match bodies {
            Bodies::All => Ok(self.body_handles.serial(place as u32).map(|_| place)),
            Bodies::These(ids) => self.index_of(ids[place]).map(Some).map_err(|error| bodies.blame(place, error)),
        }
    }

    /// Checks that a slice has an element for each place.
    fn check_len(&self, bodies: Bodies<'_>, field: &str, len: usize) -> Result<()> {
        let places = self.places(bodies);
        if len == places {
            return Ok(());
        }
        let of = match bodies {
            Bodies::All => "index",
            Bodies::These(_) => "body of the list",
        };
        Err(Error::value(field, format!("a list of {len}"), format!("have one element for each {of}: {places}")))
    }
}

impl Bodies<'_> {
    /// Adds the place to an error of its body, if the bodies are a list.
    #[cold]
    fn blame(self, place: usize, error: Error) -> Error {
        match self {
            Self::All => error,
            Self::These(_) => error.of(place_at(place)),
        }
    }
}

/// Returns the name of a place of the caller's list in error messages.
fn place_at(place: usize) -> String {
    format!("place {place} of the list")
}
