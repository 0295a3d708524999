//! The touch rule.

/// The rule for bodies that only touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// Touching is not a hit: interiors must overlap.
    #[default]
    Excluded,
    /// Touching is a hit: it is enough that closed sets meet or, for sprites, that pixels are neighbours, diagonally
    /// too.
    Included,
}
