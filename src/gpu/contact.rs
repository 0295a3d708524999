//! The way out of a pair as the GPU writes it.

use bytemuck::{Pod, Zeroable};

use crate::ground::lattice::Point;

/// The bodies whose ways out the GPU finds.
#[cfg(any(test, feature = "internals"))]
pub(super) mod limits {
    use crate::world::packed::Body;
    use crate::world::pose::land::Piece;

    /// The most vertices of two pieces together.
    pub(in crate::gpu) const MOST_EDGES: usize = 32;
    /// The most pieces of a body near the other, and the most pairs of them.
    pub(in crate::gpu) const MOST_NEAR: usize = 64;
    pub(in crate::gpu) const MOST_SETS: usize = 256;
    /// The largest extent of a body in lattice steps.
    pub(in crate::gpu) const LARGE: i32 = 1 << 28;

    /// Returns whether the pieces of two bodies near each other are few enough.
    pub(in crate::gpu) fn are_few(a: &[Piece], b: &[Piece]) -> bool {
        let vertices = |pieces: &[Piece]| pieces.iter().map(|piece| piece.vertices.len()).max().unwrap_or(0);
        let most = a.len().max(b.len());
        vertices(a) + vertices(b) <= MOST_EDGES && most <= MOST_NEAR && a.len() * b.len() <= MOST_SETS
    }

    /// Returns whether a body is too large.
    pub(in crate::gpu) fn is_large(body: &Body) -> bool {
        let size = body.extent.max - body.extent.min;
        size.x.max(size.y) > LARGE
    }
}

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
    /// [`FOUND`](Self::FOUND), [`LEFT_TO_HOST`](Self::LEFT_TO_HOST), or another number while the way is still sought.
    /// The other members are meaningless unless it was found.
    pub state: u32,
    /// The translation in lattice steps that ends the hit: the host's, to the bit.
    pub push: [i32; 2],
    /// Padding.
    pub unused: [u32; 2],
}

impl RawContact {
    /// [`RawContact::state`]: the way out was found.
    pub const FOUND: u32 = 1;
    /// [`RawContact::state`]: only [`World::contact`](crate::World::contact) finds the way out. So it is for two bodies
    /// without pixels, if one extends over more than 2^20 units, or if there are too many pieces of concave polygons,
    /// chains or parts near the other body: more than 64 of one, or of both more than 256 pairs. So it is, too, if two
    /// such pieces have more than 32 vertices together, or if the way out ends in a wedge or slot so narrow that no
    /// lattice point within 24 steps along both axes ends the hit. If touching is a hit, it is if the way out, or a
    /// shorter one that turns out to be barred, ends in a wedge of less than 5 degrees or in the mouth of a slot just
    /// as wide as the body. If touching is not a hit, it is so only if they overlap there by less than a millionth of a
    /// unit; but then it is for every pair with a segment: a capsule or chain whose radius is 0 where it lands.
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
