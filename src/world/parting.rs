//! A split of the world's bodies by layers, so that bodies that can never hit each other are never compared.
//!
//! ```text
//!   shots, tiles, ...      the *seekers*: no two of them can hit each other
//!        |
//!   ships, walls, ...      the *sought*: seekers may hit them
//!        |  ^
//!        +--+              the *swept*: they may hit each other
//! ```
//!
//! The *lone* classes are those of which no two bodies can hit each other: an independent set in the graph of classes,
//! chosen greedily, the class with the most bodies first. Lone bodies that can hit something are seekers. The others
//! are sought or swept, or both.

use super::classes::{Classes, MIXED};
use crate::ground::sorting::sort_by_key;

/// Sets of the classes of a world's bodies, one bit each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parting {
    /// The classes of seekers. No two bodies of these can hit each other.
    pub seekers: u64,
    /// The classes that some seeker may hit.
    pub sought: u64,
    /// The classes, none of them lone, that may hit each other or themselves.
    pub swept: u64,
    /// The number of bodies that are seekers.
    pub count: usize,
    /// Whether layers let each seeker hit each sought body, so that only groups need comparing.
    pub alike: bool,
}

impl Parting {
    /// Splits a world. Returns `None` if no more than half of its bodies could be left out of the sweep.
    pub(crate) fn new(classes: &Classes) -> Option<Self> {
        let all = classes.all();
        let bodies = |set: u64| list(set).map(|k| all[k].bodies as usize).sum::<usize>();
        let may_meet = |k: usize, set: u64| list(set).any(|other| all[k].meets(&all[other]));
        let there = classes.present();
        let mut by_bodies: Vec<usize> = list(there).collect();
        sort_by_key(&mut by_bodies, |&k| std::cmp::Reverse(all[k].bodies));
        let lone =
            by_bodies.into_iter().fold(0, |lone, k| if may_meet(k, lone | 1 << k) { lone } else { lone | 1 << k });
        let others = there & !lone;
        if bodies(lone) <= bodies(others) {
            return None;
        }
        let of = |set: u64, with: u64| list(set).filter(|&k| may_meet(k, with)).fold(0, |of, k| of | 1 << k);
        let (seekers, sought) = (of(lone, others), of(others, lone));
        // The mixed class says nothing of a body's own layers.
        let alike =
            !has(sought, MIXED as u8) && list(seekers).all(|k| list(sought).all(|other| all[k].meets(&all[other])));
        Some(Self { seekers, sought, swept: of(others, others), count: bodies(seekers), alike })
    }

    /// Returns the layers of all bodies that are neither sought nor swept.
    #[cfg(feature = "gpu")]
    pub(crate) fn lone_layers(&self, classes: &Classes) -> u32 {
        let lone = classes.present() & !(self.sought | self.swept);
        list(lone).fold(0, |layers, k| layers | classes.all()[k].filter.layers)
    }
}

/// Returns true if a set contains a class.
#[inline(always)]
pub(crate) fn has(set: u64, class: u8) -> bool {
    set >> (class % 64) & 1 == 1
}

/// Returns the classes of a set.
fn list(set: u64) -> impl Iterator<Item = usize> {
    (0..64).filter(move |k| set >> k & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::World;
    use crate::{Body, Shape};

    const SHIP: u32 = 1;
    const SHOT: u32 = 2;
    const WALL: u32 = 4;

    /// Splits a world with a number of bodies of each filter.
    fn parted(filters: &[(usize, u32, u32)]) -> Option<Parting> {
        parted_with(filters, &[])
    }

    /// As [`parted`], with detectors after the others.
    fn parted_with(filters: &[(usize, u32, u32)], detectors: &[(usize, u32, u32)]) -> Option<Parting> {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        for (filters, detector) in [(filters, false), (detectors, true)] {
            for &(count, layer, hits) in filters {
                for _ in 0..count {
                    world.add(&Body::new(ball, [0, 0]).filtered(layer, hits).detector(detector)).unwrap();
                }
            }
        }
        Parting::new(&world.packed().classes)
    }

    #[test]
    fn detectors_seek_what_does_not_see_them_and_are_sought_by_it() {
        let shots = Parting { seekers: 0b01, sought: 0b10, swept: 0, count: 9, alike: true };
        assert_eq!(parted(&[(9, SHOT, SHIP), (3, WALL, SHOT)]).map(|parting| parting.seekers), Some(0));
        assert_eq!(parted_with(&[(9, SHOT, SHIP)], &[(3, WALL, SHOT)]), Some(shots));
        let zones = Parting { seekers: 0b10, sought: 0b01, swept: 0, count: 9, alike: true };
        assert_eq!(parted_with(&[(3, SHOT, SHIP)], &[(9, WALL, SHOT)]), Some(zones));
        assert_eq!(parted_with(&[(3, SHOT, 0)], &[(9, 0, SHOT)]), Some(zones), "on no layer, and hitting none");
        assert_eq!(parted_with(&[(3, SHOT, 0)], &[(9, WALL, WALL)]), None, "they see each other");
        // A detector has a class of its own, though another body has the same layers.
        let both = parted_with(&[(9, SHOT, SHIP), (1, WALL, SHOT)], &[(1, WALL, SHOT)]).unwrap();
        assert_eq!(both, Parting { seekers: 0b001, sought: 0b100, swept: 0, count: 9, alike: true });
    }

    #[test]
    fn most_that_do_not_hit_each_other_seek_the_others() {
        assert_eq!(parted(&[]), None);
        assert_eq!(parted(&[(9, SHIP, !0)]), None, "all hit all");
        assert_eq!(parted(&[(9, SHIP, SHIP | SHOT), (9, SHOT, SHIP)]), None, "no more than half can seek");
        let shots = Parting { seekers: 0b10, sought: 0b01, swept: 0, count: 9, alike: true };
        assert_eq!(parted(&[(3, SHIP, SHOT), (9, SHOT, SHIP)]), Some(shots));
        assert_eq!(parted(&[(3, SHIP, SHOT | SHIP), (9, SHOT, SHIP)]), Some(Parting { swept: 0b01, ..shots }));
        let apart = Parting { seekers: 0, sought: 0, swept: 0, count: 0, alike: true };
        assert_eq!(parted(&[(9, SHOT, SHIP)]), Some(apart));
        // Ships and walls hit each other and shots. Shots are the most, and walls are swept against ships only.
        let all = parted(&[(2, SHIP, SHOT | WALL), (9, SHOT, SHIP | WALL), (5, WALL, SHIP | SHOT)]).unwrap();
        assert_eq!(all, Parting { seekers: 0b010, sought: 0b101, swept: 0b101, count: 9, alike: true });
        // Walls that stop ships and shots alike, and a kind of shots that goes through them.
        let all = parted(&[(2, SHIP, !0), (9, SHOT, SHIP | WALL), (2, WALL, !0), (5, SHOT, SHIP)]).unwrap();
        assert_eq!(all, Parting { seekers: 0b1010, sought: 0b101, swept: 0b101, count: 14, alike: false });
        // More filters than classes: the last ship is in the mixed class, so nothing is known of it, though no shot
        // hits it.
        let many: Vec<_> = (1..=61).map(|layers| (1, layers, !0)).collect();
        let shots = (2000, 1 << 31, 0x3F);
        let last = (1, 62, !(1 << 31));
        assert!(parted(&[&[shots], &*many].concat()).unwrap().alike);
        assert!(!parted(&[&[shots], &*many, &[last]].concat()).unwrap().alike);
        // Shots do not hit walls here, so walls are lone, too, and seek ships.
        let two = parted(&[(2, SHIP, SHOT | WALL), (9, SHOT, SHIP), (5, WALL, SHIP)]).unwrap();
        assert_eq!(two, Parting { seekers: 0b110, sought: 0b001, swept: 0, count: 14, alike: true });
    }
}
