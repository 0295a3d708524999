//! The touch rule.

/// The rule for bodies that only touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// Touching is not a hit: interiors must overlap.
    #[default]
    Excluded,
    /// Touching is a hit: closed sets that meet are enough, and for sprites pixels that are neighbours, also
    /// diagonally.
    Included,
}
