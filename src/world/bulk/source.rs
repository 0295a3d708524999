//! Sources of new positions and motions.

use std::ops::Range;

use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION, Point};
use crate::ground::vec2::Vec2;

/// Positions and motions of some bodies, equally many.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    pub(super) positions: &'a [Point],
    pub(super) motions: &'a [Point],
}

/// A source of a position and a motion for the body at each place.
pub(super) trait Source: Copy + Sync {
    /// Whether the source gives motions; otherwise bodies keep theirs.
    const MOTIONS: bool;

    /// Writes the new positions and motions of the bodies at some places, from those `before`. Returns true if all are
    /// within their limits; one that is not becomes zero. Writes no motions unless [`Source::MOTIONS`] is set.
    fn give(&self, places: Range<usize>, before: Places<'_>, positions: &mut [Point], motions: &mut [Point]) -> bool;

    /// Returns the new position and motion at one place; an error if one of them is beyond its limit.
    fn check(&self, place: usize, before: [Point; 2]) -> Result<[Point; 2]>;
}

/// Positions in units.
pub(super) struct Positions<'a, P>(pub(super) &'a [P]);

/// Positions and motions in units.
pub(super) struct Moving<'a, P, M>(pub(super) &'a [P], pub(super) &'a [M]);

/// The position where each motion ends.
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

/// Snaps some vectors and returns true if all lie within a limit. It has no branch, so compilers vectorize it.
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
        snap_all(&self.0[places], positions, MAX_COORDINATE)
    }

    fn check(&self, place: usize, [_, motion]: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", MAX_COORDINATE)?, motion])
    }
}

impl<P: Into<Vec2> + Copy + Sync, M: Into<Vec2> + Copy + Sync> Source for Moving<'_, P, M> {
    const MOTIONS: bool = true;

    #[inline(always)]
    fn give(&self, places: Range<usize>, _: Places<'_>, positions: &mut [Point], motions: &mut [Point]) -> bool {
        snap_all(&self.0[places.clone()], positions, MAX_COORDINATE) & snap_all(&self.1[places], motions, MAX_MOTION)
    }

    fn check(&self, place: usize, _: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", MAX_COORDINATE)?, self.1[place].into().snap("motion", MAX_MOTION)?])
    }
}

impl Source for Advance {
    const MOTIONS: bool = false;

    #[inline(always)]
    fn give(&self, _: Range<usize>, before: Places<'_>, positions: &mut [Point], _: &mut [Point]) -> bool {
        for ((at, motion), to) in before.positions.iter().zip(before.motions).zip(positions) {
            *to = *at + *motion;
        }
        // The world has only bodies whose motions end within it.
        true
    }

    fn check(&self, _: usize, [at, motion]: [Point; 2]) -> Result<[Point; 2]> {
        Ok([at + motion, motion])
    }
}
