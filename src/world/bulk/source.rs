//! Where bodies get their new positions and motions from.

use std::ops::Range;

use crate::ground::error::Result;
use crate::ground::lattice::{MOTION, Point, WORLD};
use crate::ground::vec2::Vec2;
use crate::world::pose::check_place;

/// Positions and motions of some bodies, as many as each other.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) positions: &'a [Point],
    pub(super) motions: &'a [Point],
}

/// What gives the body at each place its position and motion.
pub(super) trait Source: Copy + Sync {
    /// Whether motions are given; bodies keep theirs otherwise.
    const MOTIONS: bool;

    /// Gives the bodies at some places, which have had these positions and motions, their new ones; whether all are
    /// within their limits: what is not is zero. No motions are written where none are given.
    fn give(&self, places: Range<usize>, before: Places<'_>, positions: &mut [Point], motions: &mut [Point]) -> bool;

    /// The same of one place, with the error where one is beyond its limit.
    fn check(&self, place: usize, before: [Point; 2]) -> Result<[Point; 2]>;
}

/// Positions in units.
pub(super) struct Positions<'a, P>(pub(super) &'a [P]);

/// Positions and motions in units.
pub(super) struct Moving<'a, P, M>(pub(super) &'a [P], pub(super) &'a [M]);

/// Each goes on to where its motion ends.
#[derive(Clone, Copy)]
pub(super) struct Advance;

impl<P> Clone for Positions<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P> Copy for Positions<'_, P> {}

impl<P, M> Clone for Moving<'_, P, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P, M> Copy for Moving<'_, P, M> {}

/// Snaps some vectors; whether all lie within a limit. In vectors, as there is no branch.
#[inline(always)]
fn snap_all<P: Into<Vec2> + Copy>(from: &[P], to: &mut [Point], limit: i32) -> bool {
    let mut all = true;
    for (from, to) in from.iter().zip(to) {
        let (at, within) = (*from).into().snap_if_within(limit);
        *to = at;
        all &= within;
    }
    all
}

impl<P: Into<Vec2> + Copy + Sync> Source for Positions<'_, P> {
    const MOTIONS: bool = false;

    #[inline(always)]
    fn give(&self, places: Range<usize>, _: Places<'_>, positions: &mut [Point], _: &mut [Point]) -> bool {
        snap_all(&self.0[places], positions, WORLD)
    }

    fn check(&self, place: usize, [_, motion]: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", WORLD)?, motion])
    }
}

impl<P: Into<Vec2> + Copy + Sync, M: Into<Vec2> + Copy + Sync> Source for Moving<'_, P, M> {
    const MOTIONS: bool = true;

    #[inline(always)]
    fn give(&self, places: Range<usize>, _: Places<'_>, positions: &mut [Point], motions: &mut [Point]) -> bool {
        snap_all(&self.0[places.clone()], positions, WORLD) & snap_all(&self.1[places], motions, MOTION)
    }

    fn check(&self, place: usize, _: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", WORLD)?, self.1[place].into().snap("motion", MOTION)?])
    }
}

impl Source for Advance {
    const MOTIONS: bool = false;

    #[inline(always)]
    fn give(&self, _: Range<usize>, before: Places<'_>, positions: &mut [Point], _: &mut [Point]) -> bool {
        let mut all = true;
        for ((at, motion), to) in before.positions.iter().zip(before.motions).zip(positions) {
            let end = *at + *motion;
            let within = (end.x.abs() <= WORLD) & (end.y.abs() <= WORLD);
            *to = if within { end } else { Point::ZERO };
            all &= within;
        }
        all
    }

    fn check(&self, _: usize, [at, motion]: [Point; 2]) -> Result<[Point; 2]> {
        check_place(at + motion).map(|()| [at + motion, motion])
    }
}
