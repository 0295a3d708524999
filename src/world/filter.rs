//! Layers and groups.

use bytemuck::{Pod, Zeroable};

/// Whom a body may hit.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Filter {
    /// The layers that it is on.
    pub layer: u32,
    /// The layers that it hits.
    pub hits: u32,
    /// Bodies of one group do not hit each other; 0 is none.
    pub group: u32,
}

impl Filter {
    /// On the first layer, hitting all, of no group.
    pub(crate) const ALL: Self = Self { layer: 1, hits: u32::MAX, group: 0 };

    /// Whether some body may be hit.
    pub(crate) fn may_hit(&self) -> bool {
        self.layer != 0 && self.hits != 0
    }

    /// Whether layers let bodies hit each other.
    fn layers_meet(&self, other: &Self) -> bool {
        self.layer & other.hits != 0 && other.layer & self.hits != 0
    }

    /// Whether a pair is looked at.
    pub(crate) fn sees(&self, other: &Self) -> bool {
        self.layers_meet(other) && (self.group == 0 || self.group != other.group)
    }
}
