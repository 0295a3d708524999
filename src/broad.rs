//! How candidate pairs are found: a choice that both engines understand.

/// How candidate pairs are found; the answer is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Broad {
    /// All pairs for few bodies, sorted for many.
    #[default]
    ByNumber,
    /// Every body against every later one.
    AllPairs,
    /// Bodies are sorted by place, and compared only with those near them.
    Sorted,
}
