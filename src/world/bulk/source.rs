//! Where bodies get their new positions and motions from.

use crate::ground::error::Result;
use crate::ground::lattice::{MOTION, Point, Vec2, WORLD};
use crate::world::pose::check_place;

/// What gives the body at each place its position and motion.
pub(super) trait Source: Copy + Sync {
    /// Whether motions are given; bodies keep theirs otherwise.
    const MOTIONS: bool;

    /// The position and motion of the body at a place that has had these, and whether both are within their limits:
    /// what is not is zero.
    fn give(&self, place: usize, before: [Point; 2]) -> ([Point; 2], bool);

    /// The same, with the error where one is beyond its limit.
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

impl<P: Into<Vec2> + Copy + Sync> Source for Positions<'_, P> {
    const MOTIONS: bool = false;

    #[inline(always)]
    fn give(&self, place: usize, [_, motion]: [Point; 2]) -> ([Point; 2], bool) {
        let (at, within) = self.0[place].into().snap_if_within(WORLD);
        ([at, motion], within)
    }

    fn check(&self, place: usize, [_, motion]: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", WORLD)?, motion])
    }
}

impl<P: Into<Vec2> + Copy + Sync, M: Into<Vec2> + Copy + Sync> Source for Moving<'_, P, M> {
    const MOTIONS: bool = true;

    #[inline(always)]
    fn give(&self, place: usize, _: [Point; 2]) -> ([Point; 2], bool) {
        let (at, there) = self.0[place].into().snap_if_within(WORLD);
        let (motion, slow) = self.1[place].into().snap_if_within(MOTION);
        ([at, motion], there & slow)
    }

    fn check(&self, place: usize, _: [Point; 2]) -> Result<[Point; 2]> {
        Ok([self.0[place].into().snap("at", WORLD)?, self.1[place].into().snap("motion", MOTION)?])
    }
}

impl Source for Advance {
    const MOTIONS: bool = false;

    #[inline(always)]
    fn give(&self, _: usize, [at, motion]: [Point; 2]) -> ([Point; 2], bool) {
        let end = at + motion;
        let within = (end.x.abs() <= WORLD) & (end.y.abs() <= WORLD);
        ([if within { end } else { Point::ZERO }, motion], within)
    }

    fn check(&self, _: usize, [at, motion]: [Point; 2]) -> Result<[Point; 2]> {
        check_place(at + motion).map(|()| [at + motion, motion])
    }
}
