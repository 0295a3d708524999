//! The parts of an answer that are complete on the GPU; twin of `shaders/shared/whole.wgsl`.

use std::ops::BitOr;

use crate::hits::Ask;

/// The parts of a step's answer that are complete on the GPU, and the reasons why others are not: a set of bits, the
/// fourth word of [`Results::counts`](super::Results::counts).
///
/// | value | constant | meaning |
/// |---|---|---|
/// | 1 | [`FLAGS`](Self::FLAGS) | the flag of each body |
/// | 2 | [`PAIRS`](Self::PAIRS) | all pairs, in any order |
/// | 4 | [`ORDER`](Self::ORDER) | the ascending order of the pairs |
/// | 8 | [`DETAILS`](Self::DETAILS) | the details of each pair |
/// | 16 | [`CONTACTS`](Self::CONTACTS) | the way out of each pair, unless it is left to the host |
/// | 256 | [`LACKS_ROOM`](Self::LACKS_ROOM) | candidates or details did not fit |
/// | 512 | [`LACKS_FUEL`](Self::LACKS_FUEL) | some pairs take more dispatches, or the driver cut loops short |
/// | 1024 | [`UNSORTED`](Self::UNSORTED) | too many pairs of one body, or in all, to be sorted |
/// | 2048 | [`SEVERAL_RUNS`](Self::SEVERAL_RUNS) | the candidates do not all fit at once |
///
/// Parts that were not requested are not set. Later steps learn from the first three reasons, even if the ticket is
/// dropped; with the last, only the host gets all pairs.
///
/// ```
/// use hitmask::gpu::Whole;
///
/// let drawn = Whole::FLAGS | Whole::PAIRS;
/// assert!(drawn.contains(Whole::FLAGS) && !drawn.contains(Whole::FLAGS | Whole::ORDER));
/// assert_eq!(drawn.bits(), 3);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Whole(u32);

impl Whole {
    /// The flag of each body.
    pub const FLAGS: Self = Self(1);
    /// All pairs, in any order.
    pub const PAIRS: Self = Self(2);
    /// The ascending order of the pairs.
    pub const ORDER: Self = Self(4);
    /// The details of each pair.
    pub const DETAILS: Self = Self(8);
    /// The way out of each pair, unless it is left to the host. Never complete in a step of several runs, or of more
    /// pairs than there is room for details.
    pub const CONTACTS: Self = Self(16);
    /// Candidates or details did not fit.
    pub const LACKS_ROOM: Self = Self(256);
    /// Some pairs, their details or their ways out take more dispatches than were submitted, or the driver cut loops
    /// short.
    pub const LACKS_FUEL: Self = Self(512);
    /// The pairs are not fully sorted: a body has more than 512 pairs with later bodies, or a world of up to 4,096
    /// bodies has more than 16,384 candidates, and no recent step had as many.
    pub const UNSORTED: Self = Self(1024);
    /// The candidates do not all fit at once: rows are processed in several runs.
    pub const SEVERAL_RUNS: Self = Self(2048);

    /// Returns the bits.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Returns whether this has all bits of `other`.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Returns the parts that a step must complete for an [`Ask`], and for `contacts` besides.
    pub(super) fn asked(ask: Ask, contacts: bool) -> Self {
        let contacts = if contacts { Self::CONTACTS } else { Self(0) };
        contacts
            | match ask {
                Ask::Flags => Self::FLAGS,
                Ask::Pairs => Self::FLAGS | Self::PAIRS | Self::ORDER,
                Ask::Details => Self::FLAGS | Self::PAIRS | Self::ORDER | Self::DETAILS,
            }
    }

    pub(super) fn of_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl BitOr for Whole {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}
