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

    /// Returns true if the body is on a layer and hits one, so that it may hit something.
    pub(crate) fn may_hit(&self) -> bool {
        self.layers != 0 && self.mask != 0
    }

    /// Returns true if layers let two bodies hit each other.
    fn layers_meet(&self, other: &Self) -> bool {
        self.layers & other.mask != 0 && other.layers & self.mask != 0
    }

    /// Returns true if layers and groups let two bodies hit each other, so that the pair is tested.
    pub(crate) fn sees(&self, other: &Self) -> bool {
        self.layers_meet(other) && (self.group == 0 || self.group != other.group)
    }
}
