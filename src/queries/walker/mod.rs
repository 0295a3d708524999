//! A character that walks: on slopes and stairs, onto what rises, along with what moves, up to walls and ceilings.
//!
//! ```text
//! a step:  carry    by as much as what it stands on has moved since                      carry.rs
//!          free     out of what has come into it meanwhile                               carry.rs
//!          run      along the ground, up stairs, and down to the ground again, in legs   run.rs, climb.rs
//!          fall     to the ground, or to a ceiling; along what is too steep              fall.rs
//! ```
//!
//! All of it is sweeps (`way.rs`): no place is taken that none has led to, so that it passes through nothing.

mod answer;
mod carry;
mod climb;
mod fall;
mod limits;
mod run;
mod way;

pub use answer::{Pace, Side, Surface, Walk};

use super::search::Search;
use crate::ground::error::Result;
use crate::ground::lattice::{MOTION, snap};
use crate::ground::vec2::Vec2;
use crate::world::body::{Body, BodyId};
use carry::Stood;
use limits::Limits;
use way::Way;

/// A character controller: moves a body that runs, climbs slopes and stairs, jumps and falls.
///
/// [`Walker::step`] tells where the body comes within a step; the caller sets it there. The walker itself is the
/// options and a small memory of what the body stood on, so that a platform carries it: keep one for each character,
/// and copy it along with the world to roll back. Its answers are the same on every machine.
///
/// | `hitmask` | Rapier's `KinematicCharacterController` | Godot's `CharacterBody2D` |
/// |---|---|---|
/// | [`up`](Self::up) | `up` | `up_direction` |
/// | [`max_slope`](Self::max_slope) | `max_slope_climb_angle`, `min_slope_slide_angle` | `floor_max_angle` |
/// | [`step_height`](Self::step_height) | `autostep` | none |
/// | [`snap`](Self::snap) | `snap_to_ground` | `floor_snap_length` |
/// | [`pace`](Self::pace) | none | `floor_constant_speed` |
/// | [`slide`](Self::slide) | `slide` | `max_slides` |
/// | [`Walk::ground`], [`Walk::wall`], [`Walk::ceiling`] | `grounded`, the collisions | `is_on_floor()` and so on |
/// | [`Walk::carried`] | none | `get_platform_velocity()` |
///
/// ```
/// use hitmask::query::Queries;
/// use hitmask::response::{Surface, Walker};
/// use hitmask::{Body, Shape, World};
///
/// let (mut world, mut queries) = (World::default(), Queries::new());
/// let hill = world.add_shape(Shape::polygon(&[[0, 100], [60, 100], [160, 70], [160, 140], [0, 140]])?)?;
/// world.add(&Body::new(hill, [0, 0]))?;
/// let man = world.add_shape(Shape::rect(8.0, 12.0)?)?;
/// let hero = world.add(&Body::new(man, [10, 85]))?;
/// let (mut walker, mut fall) = (Walker::new().max_slope(50.0)?.step_height(4.0)?.snap(4.0)?, 0.0);
/// for _ in 0..60 {
///     let body = world.body(hero).expect("it is there");
///     let search = queries.on(&world);
///     let walk = walker.step(search.except(&[hero])?, &body, 2.0, fall + 0.25, |_| Surface::Solid)?;
///     world.set(hero, &Body { at: walk.at, ..body })?;
///     fall = walk.fall;
/// }
/// let at = world.body(hero).expect("it is there").at;
/// assert!(at.x == 130.0 && (at.y - 64.6).abs() < 0.02); // two units a step, also uphill
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    limits: Limits,
    stood: Option<Stood>,
}

impl Default for Walker {
    fn default() -> Self {
        Self::new()
    }
}

impl Walker {
    /// A walker that stands on nothing yet. Up is up on the screen; it climbs slopes up to 50 degrees and stairs up to
    /// 4 units, snaps down by up to 4 units, and keeps its speed across.
    ///
    /// ```
    /// use hitmask::response::{Pace, Walker};
    ///
    /// let same = Walker::new().up([0, -1])?.max_slope(50.0)?.step_height(4.0)?.snap(4.0)?;
    /// assert_eq!(Walker::new(), same.pace(Pace::Across).slide(true));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self { limits: Limits::new(), stood: None }
    }

    /// Sets the direction that is up, against gravity, of any length. "Along the ground" is that direction turned by a
    /// quarter, clockwise where y is down: to the right where up is up on the screen.
    ///
    /// An [`Error::Value`](crate::Error::Value) named `up` unless its length is finite and not 0.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().up([1, 0]).is_ok() && Walker::new().up([0, 0]).is_err());
    /// ```
    pub fn up(self, up: impl Into<Vec2>) -> Result<Self> {
        Ok(Self { limits: self.limits.up(up.into())?, ..self })
    }

    /// Sets the steepest slope that is climbed and stood on, in degrees, 0 to 90. On a steeper one it slides down. A
    /// slope drawn in pixels is measured as a slope, over the width in which it rises by a stair
    /// ([`Walker::step_height`]); one that is no steeper than 1:2 is always climbed, as stairs are.
    ///
    /// An [`Error::Value`](crate::Error::Value) named `max_slope` for anything else. From 89 degrees on, all are.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().max_slope(60.0).is_ok());
    /// assert!(Walker::new().max_slope(90.5).is_err() && Walker::new().max_slope(f64::NAN).is_err());
    /// ```
    pub fn max_slope(self, degrees: f64) -> Result<Self> {
        Ok(Self { limits: self.limits.max_slope(degrees)?, ..self })
    }

    /// Sets the height of the highest stair that is climbed without a jump, in units. Where it is 0, neither are the
    /// pixels of a sprite's slope: at least 1 for these.
    ///
    /// An [`Error::Value`](crate::Error::Value) named `step_height` unless it is 0 to 16,384.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().step_height(0.0).is_ok() && Walker::new().step_height(-1.0).is_err());
    /// ```
    pub fn step_height(self, units: f64) -> Result<Self> {
        Ok(Self { limits: self.limits.step_height(units)?, ..self })
    }

    /// Sets by how much it steps down without falling, in units: a body that stands stays on the ground, down slopes
    /// within the limit at any speed, and down stairs of this height. Where it is 0, it leaves the ground where that
    /// falls away faster than the body does.
    ///
    /// An [`Error::Value`](crate::Error::Value) named `snap` unless it is 0 to 16,384.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().snap(2.5).is_ok() && Walker::new().snap(f64::INFINITY).is_err());
    /// ```
    pub fn snap(self, units: f64) -> Result<Self> {
        Ok(Self { limits: self.limits.snap(units)?, ..self })
    }

    /// Sets along what the speed on slopes is kept.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.limits.pace = pace;
        self
    }

    /// Sets whether it slides along what is too steep to stand on, and under slanted ceilings. By default it does;
    /// else it stops there, for the rest of a step.
    #[must_use]
    pub fn slide(mut self, slides: bool) -> Self {
        self.limits.slides = slides;
        self
    }

    /// Returns what it stood on at the end of the last step.
    #[must_use]
    pub fn ground(&self) -> Option<Side> {
        self.stood.and_then(Stood::ground)
    }

    /// Forgets what it stood on, so that nothing carries it and it does not snap: call it where the body is put
    /// somewhere else, as by a teleport, and where a platform is.
    pub fn leave(&mut self) {
        self.stood = None;
    }

    /// Moves a body for a step: by `run` along the ground and by `fall` against [up](Walker::up), both in units; where
    /// it comes. `body.motion` is ignored. The world does not change.
    ///
    /// Where `fall` is below 0, the body jumps: it leaves the ground. On the ground any other fall only keeps it there.
    /// On a ladder, give the speed down it as `fall`.
    ///
    /// `surface` says of each body what it is to the walker, anew at each step: for a plank to drop through,
    /// [`Surface::Open`] for as long as the key is pressed. A body of the world that walks is in its own way: leave it
    /// out by [`Search::except`].
    ///
    /// A body that begins free of what is solid ends free of it. What has come into it since leads it out first, by the
    /// shortest way; where there is none, as in a press, it stays, and [`Walk::stuck`] says so. What it only touches is
    /// not in its way, also where touching is a hit. A one-way platform that rises takes along what stands on it at any
    /// speed, and what it meets in the air by up to a stair, a snap and the fall a step.
    ///
    /// Errors are those of the question, and an [`Error::Value`](crate::Error::Value) named `run` or `fall` beyond
    /// 65,536 units; the walker is then as it was.
    pub fn step(
        &mut self,
        search: Search<'_>,
        body: &Body,
        run: f64,
        fall: f64,
        surface: impl Fn(BodyId) -> Surface,
    ) -> Result<Walk> {
        snap("run", run, MOTION)?;
        snap("fall", fall, MOTION)?;
        let mut way = Way::new(search, self.limits, body, surface);
        let start = way.body.at;
        way.carry(self.stood)?;
        let carried = way.body.at - start;
        let stuck = !way.leave()?;
        let mut left = 0.0;
        if !stuck {
            let landed = way.run(run, fall < 0.0)?;
            let drops = self.ground().is_some_and(|ground| way.surface(ground.body) == Surface::Open);
            left = way.fall(fall, landed, drops)?;
        }
        self.stood = way.stands_on(fall)?;
        let Way { body: Body { at, .. }, ground, wall, ceiling, .. } = way;
        Ok(Walk { at, ground, wall, ceiling, fall: left, carried, stuck })
    }
}
