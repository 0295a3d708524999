//! A character controller: walks on slopes and stairs, is carried and lifted by moving bodies, and stops at walls and
//! ceilings.
//!
//! ```text
//! a step:  carry    moves with the body that it stands on                                carry.rs
//!          leave    moves out of bodies that have moved into it                          carry.rs
//!          run      along the ground, up stairs and back down to the ground, in legs     run.rs, climb.rs
//!          fall     to the ground or up to a ceiling, and along steep slopes             fall.rs
//! ```
//!
//! All movement is by sweeps (`way.rs`), except ways out of up to 2 units (`carry.rs`), so the body passes through
//! nothing thicker.

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
use crate::ground::lattice::{MAX_MOTION, snap_within};
use crate::ground::vec2::Vec2;
use crate::world::body::{Body, BodyId};
use carry::Stood;
use limits::Limits;
use way::Way;

/// A character controller: moves a body that runs, climbs slopes and stairs, jumps and falls.
///
/// [`Walker::step`] returns where the body ends within a step; you set it there. A walker holds only its options and
/// what the body stood on, so that a platform can carry it. Keep one for each character, and copy it along with the
/// world for rollback. Results are the same on every machine.
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
/// assert!(at.x == 130.0 && (at.y - 64.6).abs() < 0.02); // two units per step, also uphill
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Walker {
    limits: Limits,
    stood: Stood,
}

impl Default for Walker {
    fn default() -> Self {
        Self::new()
    }
}

impl Walker {
    /// Creates a walker that stands on nothing yet. By default up is up on the screen; it climbs slopes up to 50
    /// degrees and stairs up to 4 units, snaps down by up to 4 units, and keeps its speed [across](Pace::Across).
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
        Self { limits: Limits::new(), stood: Stood::default() }
    }

    /// Sets the up direction, against gravity; any length. "Along the ground" is that direction turned by 90 degrees,
    /// clockwise on the screen: to the right if up is up there.
    ///
    /// Returns an [`Error::Value`](crate::Error::Value) named `up` unless the length is finite and not 0.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().up([1, 0]).is_ok() && Walker::new().up([0, 0]).is_err());
    /// ```
    pub fn up(self, up: impl Into<Vec2>) -> Result<Self> {
        Ok(Self { limits: self.limits.up(up.into())?, ..self })
    }

    /// Sets the steepest slope that the walker climbs and stands on, in degrees, 0 to 90. It slides down steeper ones.
    /// A slope drawn in pixels is measured as a slope, over the width in which it rises by a stair
    /// ([`Walker::step_height`]). A slope of 1:2 or less drawn in pixels is always climbed, as stairs are.
    ///
    /// Returns an [`Error::Value`](crate::Error::Value) named `max_slope` unless it is 0 to 90. From 89 degrees on,
    /// every slope is climbed.
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

    /// Sets the highest stair that the walker climbs without a jump, in units. With 0 it climbs only the edges of some
    /// lattice steps that rounding leaves between turned bodies, and not the pixels of a sprite's slope; those need at
    /// least 1. If the body that walks is a sprite, any slope needs at least 1, because sprites move by whole pixels.
    ///
    /// Returns an [`Error::Value`](crate::Error::Value) named `step_height` unless it is 0 to 16,384.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().step_height(0.0).is_ok() && Walker::new().step_height(-1.0).is_err());
    /// ```
    pub fn step_height(self, units: f64) -> Result<Self> {
        Ok(Self { limits: self.limits.step_height(units)?, ..self })
    }

    /// Sets how far the walker steps down without falling, in units. A body that stands stays on the ground, down
    /// slopes within the limit at any speed and down stairs of this height. With 0 it leaves the ground wherever the
    /// ground drops away faster than the body falls.
    ///
    /// Returns an [`Error::Value`](crate::Error::Value) named `snap` unless it is 0 to 16,384.
    ///
    /// ```
    /// use hitmask::response::Walker;
    ///
    /// assert!(Walker::new().snap(2.5).is_ok() && Walker::new().snap(f64::INFINITY).is_err());
    /// ```
    pub fn snap(self, units: f64) -> Result<Self> {
        Ok(Self { limits: self.limits.snap(units)?, ..self })
    }

    /// Sets the direction along which the walker keeps its speed on slopes.
    #[must_use]
    pub fn pace(mut self, pace: Pace) -> Self {
        self.limits.pace = pace;
        self
    }

    /// Sets whether the walker slides along slopes that are too steep to stand on and along slanted ceilings (the
    /// default). Otherwise it stops there for the rest of the step.
    #[must_use]
    pub fn slide(mut self, slides: bool) -> Self {
        self.limits.slides = slides;
        self
    }

    /// Returns the ground on which the walker stood at the end of the last step.
    #[must_use]
    pub fn ground(&self) -> Option<Side> {
        self.stood.ground()
    }

    /// Forgets the ground, so that nothing carries the walker and it does not snap. Call it when the body, or the
    /// platform under it, is moved somewhere else, as by a teleport.
    pub fn leave(&mut self) {
        self.stood = Stood::default();
    }

    /// Moves a body by one step: by `run` along the ground and by `fall` down, against [up](Walker::up), both in units.
    /// Returns where it ends. `body.motion` is ignored. The world does not change.
    ///
    /// If `fall` is negative, the body jumps and leaves the ground. On the ground any other `fall` only keeps it there.
    /// On a ladder, pass the speed down the ladder as `fall`.
    ///
    /// `surface` returns how the walker treats a body of the world, anew at each step. To drop through a plank, return
    /// [`Surface::Open`] for it while the key is pressed. In a row of planks, do so for all of them until the walker is
    /// below them: a round body that has sunk into one is otherwise caught by the corner of the next. If the body that
    /// walks is in the world, it is in its own way: leave it out with [`Search::except`]. Otherwise it moves out of
    /// itself, and [`Walk::started_inside`] names it.
    ///
    /// A body that begins the step free of solid bodies ends it free of them. If a solid body has moved into it since
    /// the last step, it first moves out by the shortest way. If there is no way out, as when it is crushed, it stays,
    /// and [`Walk::stuck`] is true. A body that it only touches is not in its way, even if touching counts as a hit.
    ///
    /// The ground carries the walker at any speed that a body can have, also when the ground turns. A wall beside the
    /// walker does not keep it from riding up or down. The ground moves the walker's feet: the middle of the lower
    /// side of the box around the body. A one-way platform also picks up a body in the air or on other ground if the
    /// platform rises by at most step height plus snap plus fall per step. A body that is switched off,
    /// [open](Surface::Open) or left out of the search carries nobody.
    ///
    /// At the end of the world the body stops; the result does not say so.
    ///
    /// Returns the errors of a query with the body, and an [`Error::Value`](crate::Error::Value) named `run` or `fall`
    /// if either is beyond 65,536 units. The walker is then unchanged.
    pub fn step(
        &mut self,
        search: Search<'_>,
        body: &Body,
        run: f64,
        fall: f64,
        surface: impl Fn(BodyId) -> Surface,
    ) -> Result<Walk> {
        snap_within("run", run, MAX_MOTION)?;
        snap_within("fall", fall, MAX_MOTION)?;
        let mut way = Way::new(search, self.limits, body, surface)?;
        way.carry(self.stood)?;
        let stuck = !way.leave()?;
        let mut left = 0.0;
        if !stuck {
            let landed = way.run(run, fall < 0.0)?;
            let is_open = |id| search.world.body(id).is_some() && way.surface(id) == Surface::Open;
            let drops = self.ground().is_some_and(|ground| is_open(ground.body));
            left = way.fall(fall, landed, drops)?;
        } else if fall < 0.0 {
            way.ground = None;
        }
        self.stood = way.stands_on(fall)?;
        let Way { body: Body { at, .. }, ground, wall, ceiling, carried, started_inside, .. } = way;
        Ok(Walk { at, ground, wall, ceiling, fall: left, carried, started_inside, stuck })
    }
}
