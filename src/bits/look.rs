//! Sprites whose mask can be compared where it lies: unturned and at rest.

/// Which words an unturned sprite at rest paints: the rows of its mask from the first with a solid texel to the last.
/// Where it stands, its bounds tell: they begin at the first solid column and row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// The first word among those of all shapes.
    pub first: u32,
    /// The number of rows; 0 for any other body.
    pub height: u16,
    /// Words in a row.
    pub stride: u16,
    /// The columns before the first solid one.
    pub left: u16,
}
