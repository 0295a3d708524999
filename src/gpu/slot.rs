//! The dispatches that are planned on the GPU.

use super::binding::Binding;

/// The most candidates that one dispatch of the narrow phase judges, so that no dispatch runs long.
pub(super) const PART: u32 = 1 << 20;

/// A dispatch whose number of workgroups an earlier dispatch writes down, in an entry of [`Binding::Dispatches`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    /// Over all candidates.
    Candidates,
    /// Over rows too long for one invocation to sort.
    LongRows,
    /// Over sprites to paint.
    Paintings,
    /// Over pairs.
    Pairs,
    /// Over candidates that are two masks with a small overlap.
    SmallMasks,
    /// Over candidates that are two masks with a large overlap.
    LargeMasks,
    /// Over a part, counted from 0, of the other candidates, those that neither bounds nor words decide: over
    /// [`PART`] of them, or in the last part over the rest.
    Others(u32),
}

impl Slot {
    /// The index of its entry.
    pub(super) fn index(self) -> u32 {
        match self {
            Self::Candidates => 0,
            Self::LongRows => 1,
            Self::Paintings => 2,
            Self::Pairs => 3,
            Self::SmallMasks => 4,
            Self::LargeMasks => 5,
            Self::Others(part) => 6 + part,
        }
    }

    /// The first byte of its entry.
    pub(super) fn offset(self) -> u64 {
        Binding::Dispatches.bytes(self.index().into())
    }

    /// The number of entries, where there is room for so many candidates.
    pub(super) fn count(candidate_room: u32) -> u32 {
        Self::Others(parts(candidate_room)).index()
    }
}

/// The parts of the other candidates, where there is room for so many.
pub(super) fn parts(candidate_room: u32) -> u32 {
    candidate_room.div_ceil(PART)
}
