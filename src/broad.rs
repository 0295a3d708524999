//! The method of the broad phase, an option of both engines.

/// The method by which the broad phase finds candidate pairs. It does not change the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broad {
    /// [`Broad::AllPairs`] for few bodies, [`Broad::Sorted`] for many.
    #[default]
    Auto,
    /// Compares every body with every later one.
    AllPairs,
    /// Sorts bodies by position and compares each only with those near it.
    Sorted,
}
