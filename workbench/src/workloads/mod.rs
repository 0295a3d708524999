//! The inputs of speed measurements: worlds of any size whose counts and checksums other programs can reproduce.
//!
//! All draws come from [`SplitMix64`], in the order described, from a seed made of the workload's number and size.

mod adversarial;
mod blob;
mod clustered;
mod crowd;
mod masks;
mod random;
mod standard;
mod table;

use std::fmt;
use std::str::FromStr;

use crate::refused;
pub use blob::blob;
pub use crowd::{Crowd, Placement};
use hitmask::World;
use hitmask::{Error, Result};
pub use masks::{MaskPair, MaskPairs, mask_pairs};
pub use random::{SplitMix64, checksum};
use table::Row;
pub use table::Workload;

impl Workload {
    /// Returns its name in lower case, from which it can be parsed.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns its number, which makes its seeds unique; 5 is the number of [`mask_pairs`].
    #[must_use]
    pub fn number(self) -> u64 {
        self.row().number
    }

    /// Returns whether it is a worst case for some phase.
    #[must_use]
    pub fn is_adversarial(self) -> bool {
        self as usize >= Self::Row as usize
    }

    /// Returns the seed of its draws for `n` bodies.
    #[must_use]
    pub fn seed(self, n: u32) -> u64 {
        seed(self.number(), n)
    }

    /// Returns the maximum number of bodies.
    #[must_use]
    pub fn most(self) -> u32 {
        self.row().most
    }

    /// Returns its world of `n` bodies, at most [`Workload::most`]. The bodies of [`Workload::Bullets`] include its 200
    /// ships, so there are at least that many. An [`Error::Value`] names `n` if it is too large, or the first body that
    /// does not fit into the world.
    pub fn world(self, n: u32) -> Result<World> {
        self.crowd(n).map(Crowd::into_world)
    }

    /// Returns [`Workload::world`] as a [`Crowd`], whose bodies can be moved from step to step. Same errors.
    pub fn crowd(self, n: u32) -> Result<Crowd> {
        let Row { most, touch, whole, add, .. } = self.row();
        if n > most {
            return Err(refused("n", n, format!("be at most {most} for the workload `{self}`")));
        }
        let mut crowd = Crowd::new(touch, whole);
        add(&mut crowd, &mut SplitMix64(self.seed(n)), n)?;
        Ok(crowd)
    }

    /// Returns the number of pairs that hit in its world of `n` bodies, if it is known from other programs or from the
    /// construction.
    #[must_use]
    pub fn known_pairs(self, n: u32) -> Option<u64> {
        (self.row().known)(n)
    }
}

impl fmt::Display for Workload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Workload {
    type Err = Error;

    /// Parses the name of a workload, ignoring case. An [`Error::Value`] lists the names.
    ///
    /// ```
    /// use hitmask_workbench::workloads::Workload;
    ///
    /// assert_eq!("boxes".parse::<Workload>()?, Workload::Boxes);
    /// assert!("bocks".parse::<Workload>().unwrap_err().to_string().contains("be one of boxes, circles, "));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|workload| workload.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            refused("workload", name, format!("be one of {names}"))
        })
    }
}

/// Returns the seed of a workload's draws.
fn seed(number: u64, n: u32) -> u64 {
    number * 1_000_000_007 + u64::from(n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask::Ask;
    use hitmask::Engine;

    fn answer(workload: Workload, n: u32) -> (u64, u64) {
        let pairs = Engine::cpu().unwrap().run(&workload.world(n).unwrap(), Ask::Pairs).unwrap().pairs;
        (pairs.len() as u64, checksum(&pairs))
    }

    #[test]
    fn known_counts_are_found() {
        for workload in Workload::ALL {
            for n in [0, 1, 2, 3, 5, 100, 1_000, 10_000, 50_200] {
                if n <= workload.most()
                    && let Some(known) = workload.known_pairs(n)
                {
                    assert_eq!(answer(workload, n).0, known, "{workload} {n}");
                }
            }
        }
    }

    #[test]
    fn answers_stay_as_they_are() {
        for workload in Workload::ALL {
            assert_eq!(answer(workload, 1_000), workload.row().pinned, "{workload}");
        }
    }

    #[test]
    fn each_body_has_a_few_neighbours_whatever_their_number() {
        for n in [1_000, 10_000, 100_000] {
            let neighbours = 2.0 * answer(Workload::Clustered, n).0 as f64 / f64::from(n);
            assert!((4.0..10.0).contains(&neighbours), "{neighbours} of {n}");
            let giants = answer(Workload::Giants, n).0;
            assert!(giants < 5 * u64::from(n), "{giants} of {n}");
        }
    }

    #[test]
    fn names_are_parsed_and_others_refused() {
        for workload in Workload::ALL {
            assert_eq!(workload.name().parse::<Workload>().unwrap(), workload);
            assert_eq!(workload.name().to_uppercase().parse::<Workload>().unwrap(), workload);
        }
        let message = "masks".parse::<Workload>().unwrap_err().to_string();
        let names = message.strip_prefix("`workload` is masks; it must be one of ").unwrap();
        let named: Vec<Workload> = names.split(", ").map(|name| name.parse().unwrap()).collect();
        assert_eq!(named, Workload::ALL);
    }

    #[test]
    fn numbers_and_seeds_differ() {
        for (i, a) in Workload::ALL.iter().enumerate() {
            assert!(a.number() != 5 && Workload::ALL[..i].iter().all(|b| a.number() != b.number()));
        }
        assert_eq!(Workload::Boxes.seed(1_000), 1_000_001_007);
    }

    #[test]
    fn too_many_bodies_are_refused() {
        let message = |workload: Workload, n| workload.world(n).unwrap_err().to_string();
        assert_eq!(message(Workload::Spot, 4_097), "`n` is 4097; it must be at most 4096 for the workload `spot`");
        for workload in [Workload::Row, Workload::Column, Workload::Comb] {
            assert!(message(workload, 1_000_001).contains("be at most 1000000"));
        }
    }
}
