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

use std::fmt;
use std::str::FromStr;

use crate::refused;
pub use blob::blob;
pub use crowd::{Crowd, Placement};
use hitmask::{Error, Result};
use hitmask::{Touch, World};
pub use masks::{MaskPair, MaskPairs, mask_pairs};
pub use random::{SplitMix64, checksum};

/// A workload. Those from [`Workload::Row`] on are adversarial: each is a worst case for some phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Workload {
    /// Boxes with sides from 8 to 32 units, about four neighbours each; touch counts.
    Boxes,
    /// Circles with radii from 4 to 16 units; touch counts.
    Circles,
    /// Unturned sprites of 32 x 32 texels on whole units.
    Sprites,
    /// The sprites of [`Workload::Sprites`], turned by any angle, anywhere on the lattice.
    Turned,
    /// 200 large ships and small bullets, in a world of 4096 x 4096 units; ships hit only bullets, bullets only ships.
    Bullets,
    /// Boxes in clusters, one in a hundred with sides up to 400 units, the rest 4 to 32; about eight neighbours each;
    /// touch counts.
    Clustered,
    /// Boxes of 3 units side by side in one row, in random order of index; each touches its neighbours. At most a
    /// million.
    Row,
    /// [`Workload::Row`], downward.
    Column,
    /// Boxes on one spot: each pair hits. At most 4,096.
    Spot,
    /// [`Workload::Boxes`] with four huge ones among them: one spans all others in x, one in y, two in both.
    Giants,
    /// Tall walls, and a small box in each gap between two: no pair hits, though in y each box meets each wall. At most
    /// a million.
    Comb,
    /// Boxes of 3 units that touch corner to corner, in random order of index. At most a million.
    Diagonal,
    /// Small separate boxes, and one over all of them. At most a million.
    Cover,
    /// Separate boxes with sides from 1 lattice step to half of the world, and one under them all. At most a million.
    Sizes,
    /// Checkerboards of 64 x 64 texels, each of which interlocks with another on the same spot, and overlaps its
    /// neighbours.
    Checkers,
    /// Circles over a level: a line of hills in a single polygon, with as many vertices on its upper side as there are
    /// bodies. At most 10,000.
    Hills,
}

impl Workload {
    /// All workloads.
    pub const ALL: [Self; 16] = [
        Self::Boxes,
        Self::Circles,
        Self::Sprites,
        Self::Turned,
        Self::Bullets,
        Self::Clustered,
        Self::Row,
        Self::Column,
        Self::Spot,
        Self::Giants,
        Self::Comb,
        Self::Diagonal,
        Self::Cover,
        Self::Sizes,
        Self::Checkers,
        Self::Hills,
    ];

    /// Returns its name in lower case, from which it can be parsed.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Boxes => "boxes",
            Self::Circles => "circles",
            Self::Sprites => "sprites",
            Self::Turned => "turned",
            Self::Bullets => "bullets",
            Self::Clustered => "clustered",
            Self::Row => "row",
            Self::Column => "column",
            Self::Spot => "spot",
            Self::Giants => "giants",
            Self::Comb => "comb",
            Self::Diagonal => "diagonal",
            Self::Cover => "cover",
            Self::Sizes => "sizes",
            Self::Checkers => "checkers",
            Self::Hills => "hills",
        }
    }

    /// Returns its number, which makes its seeds unique; 5 is the number of [`mask_pairs`].
    #[must_use]
    pub fn number(self) -> u64 {
        match self {
            Self::Boxes => 1,
            Self::Circles => 2,
            Self::Sprites => 4,
            Self::Turned => 6,
            Self::Bullets => 7,
            Self::Clustered => 8,
            Self::Row => 9,
            Self::Column => 10,
            Self::Spot => 11,
            Self::Giants => 12,
            Self::Comb => 13,
            Self::Diagonal => 14,
            Self::Cover => 15,
            Self::Sizes => 16,
            Self::Checkers => 17,
            Self::Hills => 18,
        }
    }

    /// Returns the seed of its draws for `n` bodies.
    #[must_use]
    pub fn seed(self, n: u32) -> u64 {
        seed(self.number(), n)
    }

    /// Returns the maximum number of bodies.
    #[must_use]
    pub fn most(self) -> u32 {
        match self {
            // Many more would not fit into the world.
            Self::Row | Self::Column | Self::Comb | Self::Diagonal | Self::Cover | Self::Sizes => 1_000_000,
            // n (n - 1) / 2 pairs.
            Self::Spot => 4_096,
            // A polygon is cut into pieces when it is made.
            Self::Hills => 10_000,
            _ => u32::MAX,
        }
    }

    /// Returns its world of `n` bodies, at most [`Workload::most`]. The bodies of [`Workload::Bullets`] include its 200
    /// ships, so there are at least that many. An [`Error::Value`] names `n` if it is too large, or the first body that
    /// does not fit into the world.
    pub fn world(self, n: u32) -> Result<World> {
        self.crowd(n).map(Crowd::into_world)
    }

    /// Returns [`Workload::world`] as a [`Crowd`], whose bodies can be moved from step to step. Same errors.
    pub fn crowd(self, n: u32) -> Result<Crowd> {
        if n > self.most() {
            return Err(refused("n", n, format!("be at most {} for the workload `{self}`", self.most())));
        }
        let touch = match self {
            Self::Sprites | Self::Turned | Self::Bullets | Self::Checkers => Touch::Excluded,
            _ => Touch::Included,
        };
        // Sprites on whole units stay on whole units when moved.
        let whole = matches!(self, Self::Sprites | Self::Bullets | Self::Checkers);
        let mut crowd = Crowd::new(touch, whole);
        let mut random = SplitMix64(self.seed(n));
        match self {
            Self::Boxes => standard::boxes(&mut crowd, &mut random, n),
            Self::Circles => standard::circles(&mut crowd, &mut random, n),
            Self::Sprites => standard::sprites(&mut crowd, &mut random, n),
            Self::Turned => standard::turned(&mut crowd, &mut random, n),
            Self::Bullets => standard::bullets(&mut crowd, &mut random, n),
            Self::Clustered => clustered::clustered(&mut crowd, &mut random, n),
            Self::Row => adversarial::line(&mut crowd, &mut random, n, 0),
            Self::Column => adversarial::line(&mut crowd, &mut random, n, 1),
            Self::Spot => adversarial::spot(&mut crowd, &mut random, n),
            Self::Giants => adversarial::giants(&mut crowd, &mut random, n),
            Self::Comb => adversarial::comb(&mut crowd, &mut random, n),
            Self::Diagonal => adversarial::diagonal(&mut crowd, &mut random, n),
            Self::Cover => adversarial::cover(&mut crowd, n),
            Self::Sizes => adversarial::sizes(&mut crowd, n),
            Self::Checkers => adversarial::checkers(&mut crowd, n),
            Self::Hills => adversarial::hills(&mut crowd, &mut random, n),
        }?;
        Ok(crowd)
    }

    /// Returns the number of pairs that hit in its world of `n` bodies, if it is known from other programs or from the
    /// construction.
    #[must_use]
    pub fn known_pairs(self, n: u32) -> Option<u64> {
        let wide = u64::from(n);
        match (self, n) {
            (Self::Boxes, 1_000) => Some(2_039),
            (Self::Boxes, 10_000) => Some(20_034),
            (Self::Boxes, 100_000) => Some(200_151),
            (Self::Boxes, 1_000_000) => Some(1_997_502),
            (Self::Circles, 1_000) => Some(1_877),
            (Self::Circles, 10_000) => Some(19_981),
            (Self::Sprites, 1_000) => Some(1_164),
            (Self::Sprites, 10_000) => Some(11_888),
            (Self::Sprites, 100_000) => Some(118_505),
            (Self::Bullets, 50_200) => Some(6_413),
            (Self::Row | Self::Column | Self::Diagonal | Self::Cover | Self::Sizes, _) => Some(wide.saturating_sub(1)),
            (Self::Checkers, _) => Some(adversarial::known_checkers(n)),
            (Self::Spot, _) => Some(wide * wide.saturating_sub(1) / 2),
            (Self::Comb, _) => Some(0),
            (Self::Hills, 10_000) => Some(9_055),
            _ => None,
        }
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

    /// Checks counts and checksums against those from when each workload was made. Other programs can compare theirs.
    #[test]
    fn answers_stay_as_they_are() {
        let answers = Workload::ALL.map(|workload| {
            let (count, sum) = answer(workload, 1_000);
            format!("{workload} {count} {sum:016x}")
        });
        let expected = [
            "boxes 2039 8bef6cb871e96ed1",
            "circles 1877 545965a9e02eb560",
            "sprites 1164 8cbc1f9ffa7c0fc6",
            "turned 701 f81d6e3c86224b59",
            "bullets 92 1ba6b8942b1cb3ee",
            "clustered 2242 71289ae9adb87fcd",
            "row 999 cb362902f4ea2016",
            "column 999 5ec0107f851ddfe7",
            "spot 499500 4f6d5bac3b0c68ff",
            "giants 4101 92e69d7df9ed0267",
            "comb 0 0000000000000000",
            "diagonal 999 e4433f6e6bc28af9",
            "cover 999 eb543dc0fe84cb69",
            "sizes 999 610a35f15b7855b3",
            "checkers 998 b833e6852aa8aedd",
            "hills 885 26c9c59a8cc59eb1",
        ];
        assert_eq!(answers, expected);
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
        let names = "boxes, circles, sprites, turned, bullets, clustered, row, column, spot, giants, comb, diagonal, \
                     cover, sizes, checkers, hills";
        assert_eq!(message, format!("`workload` is masks; it must be one of {names}"));
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
