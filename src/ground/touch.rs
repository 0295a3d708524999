//! The touch rule.

/// Whether bodies hit that only touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// They do not: interiors must overlap.
    #[default]
    Excluded,
    /// They do: closed sets that meet are enough, for sprites pixels that are neighbours, also diagonally.
    Included,
}
