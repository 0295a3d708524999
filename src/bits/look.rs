//! Sprites whose masks can be compared in place: unturned and at rest.

/// The words that an unturned sprite at rest paints: the rows of its mask from the first with a solid texel to the
/// last. Its position is given by its bounds, which begin at the first solid column and row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Look {
    /// The index of the first word among those of all shapes.
    pub first: u32,
    /// The number of rows; 0 for any other body.
    pub height: u16,
    /// The number of words in a row.
    pub stride: u16,
    /// The number of columns before the first solid one.
    pub left: u16,
}
