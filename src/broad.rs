//! How candidate pairs are found: an option of both engines.

/// How candidate pairs are found. It does not change the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broad {
    /// All pairs for few bodies, sorted for many.
    #[default]
    ByNumber,
    /// Compares every body with every later one.
    AllPairs,
    /// Sorts bodies by position, and compares each only with those near it.
    Sorted,
}
