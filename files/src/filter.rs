//! The things that a body hits.

use hitmask::geometry::Vec2;
use hitmask::{Body, ShapeId};

/// The things that a body hits, and its tag: see the fields of the same names of [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Filter {
    /// The layers that it is on.
    pub layers: u32,
    /// The layers that it hits.
    pub mask: u32,
    /// True if it is a detector, such as a zone: it hits the bodies on the layers of its mask even if they do not hit
    /// its own.
    pub detector: bool,
    /// The group whose bodies do not hit each other; [`Filter::GROUP`] by default. Of the bodies of an actor it
    /// is replaced: see [`Cast`](crate::Cast).
    pub group: u32,
    /// The tag.
    pub tag: u64,
}

impl Default for Filter {
    fn default() -> Self {
        Self { layers: 1, mask: u32::MAX, detector: false, group: Self::GROUP, tag: 0 }
    }
}

impl Filter {
    /// The group of terrain, whose bodies need not hit each other.
    pub const GROUP: u32 = u32::MAX;

    pub(crate) fn body(self, shape: ShapeId, at: Vec2) -> Body {
        let body = Body::new(shape, at).filtered(self.layers, self.mask).detector(self.detector);
        body.grouped(self.group).tagged(self.tag)
    }
}
