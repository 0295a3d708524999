//! The colours of debug lines.

/// A colour: red, green, blue in sRGB, and alpha, which is not premultiplied.
pub type Color = [u8; 4];

/// The colours of lines: of a body by its state, of everything else by what it is.
///
/// ```
/// use hitmask::debug::{Draw, Palette};
///
/// let palette = Palette { hit: [255, 255, 255, 255], ..Palette::default() };
/// assert!(Draw { palette, ..Draw::default() }.palette.hit != Palette::default().hit);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// A body that hits nothing and does not move.
    pub rest: Color,
    /// A body that moves within the step, and hits nothing.
    pub moving: Color,
    /// A body that hits another.
    pub hit: Color,
    /// A body that is switched off, on no layer, or hits no layer, unless it takes part in a pair with a detector.
    pub disabled: Color,
    /// The convex pieces of a polygon.
    pub piece: Color,
    /// The bounding box of a body at the start of the step.
    pub bounds: Color,
    /// The bounding box of a body over the whole step.
    pub swept_bounds: Color,
    /// The motion of a body.
    pub motion: Color,
    /// A body at the end of its motion.
    pub end: Color,
    /// The pixels that two bodies share.
    pub overlap: Color,
    /// The place of a contact.
    pub contact: Color,
    /// The normal of a contact.
    pub normal: Color,
    /// The shortest way out of a hit.
    pub depth: Color,
}

impl Default for Palette {
    /// Returns colours that are bright on a dark background: bodies that hit are warm, others cool.
    fn default() -> Self {
        Self {
            rest: [92, 138, 214, 255],
            moving: [74, 190, 190, 255],
            hit: [255, 122, 89, 255],
            disabled: [128, 128, 136, 160],
            piece: [124, 128, 206, 128],
            bounds: [110, 200, 110, 128],
            swept_bounds: [110, 200, 110, 72],
            motion: [246, 196, 84, 255],
            end: [246, 196, 84, 112],
            overlap: [255, 255, 226, 255],
            contact: [240, 92, 118, 255],
            normal: [240, 240, 248, 255],
            depth: [240, 92, 118, 255],
        }
    }
}
