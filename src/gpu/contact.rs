//! The way out of a pair as the GPU writes it.

use bytemuck::{Pod, Zeroable};

use crate::ground::lattice::Point;

/// The most vertices of two bodies whose way out the GPU finds, and the largest extent of a body in lattice steps.
#[cfg(any(test, feature = "internals"))]
pub(super) const MOST_EDGES: u32 = 32;
#[cfg(any(test, feature = "internals"))]
pub(super) const LARGE: i32 = 1 << 28;

/// The shortest way out of a pair's hit, as the GPU finds it, 32 bytes: what [`World::contact`](crate::World::contact)
/// returns, with the same push. Programs that read [`Results::contacts`](super::Results::contacts) back get this;
/// [`Results`](super::Results) shows the same layout in WGSL.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
pub struct RawContact {
    /// The unit direction in which the pair's first body leaves the second, with y pointing down: the host's, rounded
    /// to `f32`.
    pub normal: [f32; 2],
    /// The distance in units, likewise.
    pub depth: f32,
    /// [`FOUND`](Self::FOUND), [`LEFT_TO_HOST`](Self::LEFT_TO_HOST), or 0 while the way is still sought. The other
    /// members are meaningless unless it was found.
    pub state: u32,
    /// The translation in lattice steps that ends the hit: the host's, to the bit.
    pub push: [i32; 2],
    /// Padding.
    pub unused: [u32; 2],
}

impl RawContact {
    /// [`RawContact::state`]: the way out was found.
    pub const FOUND: u32 = 1;
    /// [`RawContact::state`]: only [`World::contact`](crate::World::contact) finds the way out. So it is if neither
    /// body is a sprite, and one has several pieces (a concave polygon, a chain, a shape of parts) or extends over more
    /// than 2^20 units, or both together have more than 32 vertices.
    pub const LEFT_TO_HOST: u32 = 2;

    /// Returns the push, if it was found.
    ///
    /// ```
    /// use hitmask::geometry::Point;
    /// use hitmask::gpu::RawContact;
    ///
    /// let raw = RawContact { state: RawContact::FOUND, push: [0, -128], ..RawContact::default() };
    /// assert_eq!(raw.push(), Some(Point::new(0, -128)));
    /// assert_eq!(RawContact::default().push(), None);
    /// ```
    #[must_use]
    pub fn push(&self) -> Option<Point> {
        let [x, y] = self.push;
        (self.state == Self::FOUND).then_some(Point::new(x, y))
    }
}
