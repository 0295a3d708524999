//! Layers and groups.

use bytemuck::{Pod, Zeroable};

/// The layers and the group of a body, which decide what it may hit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
pub(crate) struct Filter {
    /// The layers that the body is on.
    pub layers: u32,
    /// The layers that the body hits.
    pub mask: u32,
    /// The group: bodies of the same group do not hit each other. 0 is no group.
    pub group: u32,
}

impl Filter {
    /// On the first layer, hitting all layers, in no group.
    pub(crate) const ALL: Self = Self { layers: 1, mask: u32::MAX, group: 0 };

    /// Returns true if a body with this filter sees one with the other. `detector` tells whether it is a detector,
    /// which the other need not see. A pair is tested if one of the two sees the other.
    pub(crate) fn sees(&self, detector: bool, other: &Self) -> bool {
        other.layers & self.mask != 0
            && (detector || self.layers & other.mask != 0)
            && (self.group == 0 || self.group != other.group)
    }
}
