//! Colours.

/// Red, green, blue.
pub(super) type Colour = [u8; 3];

/// The colours of bodies that hit, chosen by index.
pub(super) const WARM: [Colour; 4] = [[255, 122, 89], [255, 164, 62], [240, 92, 118], [246, 196, 84]];
/// The colours of bodies that hit nothing.
pub(super) const COOL: [Colour; 4] = [[92, 138, 214], [74, 168, 190], [124, 128, 206], [98, 160, 154]];
/// The colour of pixels that both bodies of a pair have.
pub(super) const SHARED: Colour = [255, 255, 226];

/// A colour that covers what lies below it; `alpha` is its opacity, 0 to 255.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink {
    pub(super) colour: Colour,
    pub(super) alpha: u8,
}

impl Ink {
    pub(super) fn opaque(colour: Colour) -> Self {
        Self { colour, alpha: 255 }
    }
}
