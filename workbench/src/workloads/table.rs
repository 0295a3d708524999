//! The table of workloads: a row for each.

use super::{Crowd, SplitMix64, adversarial, clustered, standard};
use hitmask::Result;
use hitmask::Touch::{self, Excluded, Included};

/// The limit of workloads without one.
const MANY: u32 = u32::MAX;
/// The limit of workloads of which many more bodies would not fit into the world.
const MILLION: u32 = 1_000_000;

/// A row of the table.
pub(super) struct Row {
    /// The name in lower case.
    pub(super) name: &'static str,
    /// A number that makes the seeds unique: not 5, which is that of [`super::mask_pairs`].
    pub(super) number: u64,
    /// The maximum number of bodies.
    pub(super) most: u32,
    pub(super) touch: Touch,
    /// Whether bodies are moved by whole units: sprites on whole units stay on whole units.
    pub(super) whole: bool,
    /// Adds `n` bodies.
    pub(super) add: fn(&mut Crowd, &mut SplitMix64, n: u32) -> Result<()>,
    /// Returns the number of pairs that hit among `n` bodies, if it is known from other programs or from the
    /// construction.
    pub(super) known: fn(n: u32) -> Option<u64>,
    /// The number and the checksum of the pairs of 1,000 bodies when the workload was made. Other programs can compare
    /// theirs.
    #[cfg(test)]
    pub(super) pinned: (u64, u64),
}

/// Defines [`Workload`] from a [`Row`] for each.
macro_rules! workloads {
    ($($(#[$doc:meta])* $workload:ident {
        name: $name:expr, number: $number:expr, most: $most:expr, touch: $touch:expr, whole: $whole:expr, add: $add:expr,
        known: $known:expr,
        pinned: $pinned:expr,
    })*) => {
        /// A workload. Those from [`Workload::Row`] on are adversarial: each is a worst case for some phase.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Workload {
            $($(#[$doc])* $workload,)*
        }

        impl Workload {
            /// All workloads.
            pub const ALL: [Self; [$($name),*].len()] = [$(Self::$workload),*];

            /// Returns its row.
            pub(super) fn row(self) -> Row {
                match self {
                    $(Self::$workload => Row {
                        name: $name,
                        number: $number,
                        most: $most,
                        touch: $touch,
                        whole: $whole,
                        add: $add,
                        known: $known,
                        #[cfg(test)]
                        pinned: $pinned,
                    },)*
                }
            }
        }
    };
}

workloads! {
    /// Boxes with sides from 8 to 32 units, about four neighbours each; touch counts.
    Boxes {
        name: "boxes", number: 1, most: MANY, touch: Included, whole: false, add: standard::boxes,
        known: |n| listed(n, &[(1_000, 2_039), (10_000, 20_034), (100_000, 200_151), (1_000_000, 1_997_502)]),
        pinned: (2_039, 0x8bef_6cb8_71e9_6ed1),
    }
    /// Circles with radii from 4 to 16 units; touch counts.
    Circles {
        name: "circles", number: 2, most: MANY, touch: Included, whole: false, add: standard::circles,
        known: |n| listed(n, &[(1_000, 1_877), (10_000, 19_981)]),
        pinned: (1_877, 0x5459_65a9_e02e_b560),
    }
    /// Unturned sprites of 32 x 32 texels on whole units.
    Sprites {
        name: "sprites", number: 4, most: MANY, touch: Excluded, whole: true, add: standard::sprites,
        known: |n| listed(n, &[(1_000, 1_164), (10_000, 11_888), (100_000, 118_505)]),
        pinned: (1_164, 0x8cbc_1f9f_fa7c_0fc6),
    }
    /// The sprites of [`Workload::Sprites`], turned by any angle, anywhere on the lattice.
    Turned {
        name: "turned", number: 6, most: MANY, touch: Excluded, whole: false, add: standard::turned,
        known: |_| None,
        pinned: (701, 0xf81d_6e3c_8622_4b59),
    }
    /// 200 large ships and small bullets, in a world of 4096 x 4096 units; ships hit only bullets, bullets only ships.
    Bullets {
        name: "bullets", number: 7, most: MANY, touch: Excluded, whole: true, add: standard::bullets,
        known: |n| listed(n, &[(50_200, 6_413)]),
        pinned: (92, 0x1ba6_b894_2b1c_b3ee),
    }
    /// Boxes in clusters, one in a hundred with sides up to 400 units, the rest 4 to 32; about eight neighbours each;
    /// touch counts.
    Clustered {
        name: "clustered", number: 8, most: MANY, touch: Included, whole: false, add: clustered::clustered,
        known: |_| None,
        pinned: (2_242, 0x7128_9ae9_adb8_7fcd),
    }
    /// Boxes of 3 units side by side in one row, in random order of index; each touches its neighbours. At most a
    /// million.
    Row {
        name: "row", number: 9, most: MILLION, touch: Included, whole: false, add: adversarial::row,
        known: |n| Some(all_but_one(n)),
        pinned: (999, 0xcb36_2902_f4ea_2016),
    }
    /// [`Workload::Row`], downward.
    Column {
        name: "column", number: 10, most: MILLION, touch: Included, whole: false, add: adversarial::column,
        known: |n| Some(all_but_one(n)),
        pinned: (999, 0x5ec0_107f_851d_dfe7),
    }
    /// Boxes on one spot: each pair hits. At most 4,096.
    Spot {
        // More would hit in too many pairs.
        name: "spot", number: 11, most: 4_096, touch: Included, whole: false, add: adversarial::spot,
        known: |n| Some(u64::from(n) * u64::from(n.saturating_sub(1)) / 2),
        pinned: (499_500, 0x4f6d_5bac_3b0c_68ff),
    }
    /// [`Workload::Boxes`] with four huge ones among them: one spans all others in x, one in y, two in both.
    Giants {
        name: "giants", number: 12, most: MANY, touch: Included, whole: false, add: adversarial::giants,
        known: |_| None,
        pinned: (4_101, 0x92e6_9d7d_f9ed_0267),
    }
    /// Tall walls, and a small box in each gap between two: no pair hits, though in y each box meets each wall. At most
    /// a million.
    Comb {
        name: "comb", number: 13, most: MILLION, touch: Included, whole: false, add: adversarial::comb,
        known: |_| Some(0),
        pinned: (0, 0),
    }
    /// Boxes of 3 units that touch corner to corner, in random order of index. At most a million.
    Diagonal {
        name: "diagonal", number: 14, most: MILLION, touch: Included, whole: false, add: adversarial::diagonal,
        known: |n| Some(all_but_one(n)),
        pinned: (999, 0xe443_3f6e_6bc2_8af9),
    }
    /// Small separate boxes, and one over all of them. At most a million.
    Cover {
        name: "cover", number: 15, most: MILLION, touch: Included, whole: false, add: adversarial::cover,
        known: |n| Some(all_but_one(n)),
        pinned: (999, 0xeb54_3dc0_fe84_cb69),
    }
    /// Separate boxes with sides from 1 lattice step to half of the world, and one under them all. At most a million.
    Sizes {
        name: "sizes", number: 16, most: MILLION, touch: Included, whole: false, add: adversarial::sizes,
        known: |n| Some(all_but_one(n)),
        pinned: (999, 0x610a_35f1_5b78_55b3),
    }
    /// Checkerboards of 64 x 64 texels, each of which interlocks with another on the same spot, and overlaps its
    /// neighbours.
    Checkers {
        name: "checkers", number: 17, most: MANY, touch: Excluded, whole: true, add: adversarial::checkers,
        known: |n| Some(adversarial::known_checkers(n)),
        pinned: (998, 0xb833_e685_2aa8_aedd),
    }
    /// Circles over a level: a line of hills in a single polygon, with as many vertices on its upper side as there are
    /// bodies. At most 10,000.
    Hills {
        // A polygon is cut into pieces when it is made.
        name: "hills", number: 18, most: 10_000, touch: Included, whole: false, add: adversarial::hills,
        known: |n| listed(n, &[(10_000, 9_055)]),
        pinned: (885, 0x26c9_c59a_8cc5_9eb1),
    }
}

/// Returns the number of pairs that a list of numbers of bodies and of pairs has for `n` bodies.
fn listed(n: u32, list: &[(u32, u64)]) -> Option<u64> {
    list.iter().find(|(bodies, _)| *bodies == n).map(|(_, pairs)| *pairs)
}

/// Returns the number of pairs of a chain of `n` bodies, or of one body with all others.
fn all_but_one(n: u32) -> u64 {
    u64::from(n.saturating_sub(1))
}
