//! The flat arrays that every engine reads. `shaders/shared/types.wgsl` mirrors bodies and shapes; a test compares the
//! layouts.
//!
//! The columns that a game changes in each step are separate and are written in one pass: positions, motions, and the
//! bounds that follow from them. Poses, filters and looks change seldom and are updated when they do.

use bytemuck::{Pod, Zeroable};

use super::atlas::Atlas;
use super::classes::Classes;
use super::filter::Filter;
use crate::bits::blocks::Blocks;
use crate::bits::look::Look;
use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::Snapped;
use crate::simd::half;

/// [`Body::flags`]: the body is a sprite; otherwise it is convex.
pub(crate) const SPRITE: u32 = 1;
/// [`Body::flags`]: an unscaled, unturned sprite, which paints its own mask shifted.
pub(crate) const UNTURNED: u32 = 2;
/// [`Body::flags`]: the body covers nothing or its index is free, so it hits nothing.
pub(crate) const EMPTY: u32 = 4;
/// [`Body::flags`]: a box whose landed core is its bounds: one piece, axis-aligned, radius 0.
pub(crate) const ALIGNED: u32 = 8;
/// [`Body::flags`]: the body is switched off.
pub(crate) const OFF: u32 = 16;
/// [`Body::flags`]: the index is free, so nothing is there, whatever pose a GPU step is given for it.
pub(crate) const FREE: u32 = 32;
/// [`Body::flags`]: the body is a detector. 64 is `WAITS` of the shaders.
pub(crate) const DETECTOR: u32 = 128;

/// [`Body::landed`] of a body without landed data, such as a sprite that is not painted ahead but sampled where it is
/// looked at.
pub(crate) const NOT_LANDED: u32 = u32::MAX;

/// A posed body: everything that its `f64` pose decides is already snapped.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Body {
    /// The position at which the anchor lands, in lattice steps.
    pub position: Point,
    /// The motion within the step, in lattice steps.
    pub motion: Point,
    /// A convex body's linear part (24 fractional bits); a sprite's inverse (16 fractional bits).
    pub linear: Snapped,
    /// The box that the body covers, in lattice steps from `position`. Convex: its landed hull and radius. Sprite:
    /// rounded down to whole pixels, this is the box of pixels that it may paint, `max` excluded.
    pub extent: Aabb,
    /// The index of its shape.
    pub shape: u32,
    /// Its landed radius, in lattice steps; of several parts the greatest; 0 for a sprite.
    pub radius: i32,
    /// The layers that it is on, the layers that it hits, and its group.
    pub filter: Filter,
    /// [`SPRITE`], [`UNTURNED`], [`EMPTY`], [`ALIGNED`], [`OFF`], [`FREE`], [`DETECTOR`].
    pub flags: u32,
    /// The index of its first landed vertex or painted word; filled in by an engine that needs it here.
    pub landed: u32,
    /// The scale of its linear part, with 23 fractional bits, if its shape has parts with a radius; otherwise 0.
    pub scale: i32,
}

/// The part of a [`Body`] that changes seldom.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Pose {
    pub linear: Snapped,
    pub shape: u32,
    pub radius: i32,
    pub flags: u32,
    pub scale: i32,
}

impl Pose {
    /// The pose of a free index.
    pub(crate) const NONE: Self =
        Self { linear: Snapped { x: [0; 2], y: [0; 2] }, shape: 0, radius: 0, flags: EMPTY | FREE, scale: 0 };
}

/// A shape: the locations of its parts in [`Packed::words`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Shape {
    /// The first node of the tree over a convex shape's pieces, or the first row of a mask, as an index into 32-bit
    /// words. A node takes 8 words; a row takes `stride` words, the lowest bit leftmost. After the nodes follow the
    /// parts of a shape that was made of parts, two words each, up to the vertices.
    pub first: u32,
    /// The number of nodes (0 for a single piece), or of 32-bit words in a row (always even).
    pub stride: u32,
    /// The index of the first vertex in the words. Vertices follow piece after piece, with two words each: x and y from
    /// the anchor, in lattice steps.
    pub vertices: u32,
    /// The number of vertices of all pieces.
    pub corners: u32,
    /// The width and height of a mask, in texels.
    pub size: Point,
    /// The anchor of a mask, in lattice steps.
    pub anchor: Point,
    /// The tight box of a mask's solid texels, `max` excluded; `max` is 0 if there are none.
    pub solid: Aabb,
    /// The radius of a convex shape before it lands, in lattice steps; of several parts the greatest.
    pub radius: i32,
    /// The least radius of a piece with two vertices, before it lands; -1 if there is none.
    pub thinnest: i32,
    /// The number of entries for the seams of a polygon, which follow the vertices (see [`Entry`](super::seam::Entry)).
    pub seams: u32,
    /// Padding to the size in WGSL.
    pub unused: u32,
}

impl Default for Shape {
    /// Returns the entry of a free index.
    fn default() -> Self {
        Self::zeroed()
    }
}

impl Shape {
    /// Sets the tight box `[x, y, w, h]` of a mask's solid texels.
    pub(crate) fn set_solid(&mut self, solid: Option<[u32; 4]>) {
        let [x, y, w, h] = solid.unwrap_or_default().map(|v| v as i32);
        self.solid = Aabb { min: Point::new(x, y), max: Point::new(x + w, y + h) };
    }
}

/// The kind of a body, which decides how its pairs are tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An [`ALIGNED`] box at rest: it is exactly its bounds.
    Box,
    /// A circle at rest that is no part: its bounds give its centre and radius.
    Disc,
    /// Any other convex body or polygon at rest.
    Hull,
    /// An [`UNTURNED`] sprite at rest: its mask is compared as it is.
    Mask,
    /// A turned sprite at rest.
    Painted,
    /// An [`ALIGNED`] box that moves within the step.
    MovingBox,
    /// A circle that is no part, and moves within the step.
    MovingDisc,
    /// Any other body that moves within the step.
    Moving,
    /// A body that hits nothing: it is empty, switched off, or on no layer and no detector, or its index is free.
    #[default]
    Absent,
}

impl Kind {
    /// Returns true for a circle and false for a box, at rest or moving; `None` for other kinds.
    #[inline(always)]
    pub(crate) fn is_disc(self) -> Option<bool> {
        match self {
            Self::Box | Self::MovingBox => Some(false),
            Self::Disc | Self::MovingDisc => Some(true),
            _ => None,
        }
    }

    /// Returns whether a body of this kind moves within the step.
    pub(crate) fn moves(self) -> bool {
        matches!(self, Self::MovingBox | Self::MovingDisc | Self::Moving)
    }
}

/// The flat arrays.
#[expect(clippy::struct_excessive_bools, reason = "each tells by itself what engines may leave out")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    /// The position of each body, at which its anchor lands, in lattice steps.
    pub positions: Vec<Point>,
    /// The motion of each body within the step.
    pub motions: Vec<Point>,
    /// The box that each body covers, from its position.
    pub extents: Vec<Aabb>,
    /// The part of each body that changes seldom.
    pub poses: Vec<Pose>,
    /// The layers and group of each body.
    pub filters: Vec<Filter>,
    /// The class of each body's filter.
    pub classes: Classes,
    /// The bounding box of each body over the whole step; nowhere if it is [`Kind::Absent`].
    pub bounds: Vec<Aabb>,
    /// The kind of each body.
    pub kinds: Vec<Kind>,
    /// The look of each body: the words that it paints, if it is an unturned sprite at rest.
    pub looks: Vec<Look>,
    /// All shapes, by index.
    pub shapes: Vec<Shape>,
    /// The blocks of each shape's mask, if that is large.
    pub blocks: Vec<Option<Blocks>>,
    /// The pieces, vertices and mask rows of all shapes.
    pub atlas: Atlas,
    /// Whether some body moves, or has moved.
    pub moving: bool,
    /// Whether some body is, or was, no [`Kind::Box`].
    pub varied: bool,
    /// Whether some body has, or had, a [`Look`].
    pub masked: bool,
    /// Whether some body's layers are, or were, other than the default ones.
    pub filtered: bool,
    /// Whether some body is, or was, in a group.
    pub grouped: bool,
    /// True if some body is, or was, a detector.
    pub detecting: bool,
}

impl Body {
    /// Returns true if all of `flags` are set.
    #[must_use]
    pub(crate) fn is(&self, flags: u32) -> bool {
        self.flags & flags == flags
    }

    /// Returns true if the body hits nothing: it is empty, switched off, or on no layer and no detector, or its index
    /// is free. One that hits no layer may still be seen by a detector.
    #[must_use]
    pub(crate) fn is_absent(&self) -> bool {
        self.flags & (EMPTY | OFF) != 0 || (self.filter.layers == 0 && !self.is(DETECTOR))
    }

    /// Returns true if layers and groups let the body see another.
    #[must_use]
    pub(crate) fn sees(&self, other: &Self) -> bool {
        self.filter.sees(self.is(DETECTOR), &other.filter)
    }

    /// Returns true if the body moves within the step.
    #[must_use]
    pub(crate) fn moves(&self) -> bool {
        self.motion != Point::ZERO
    }

    /// Returns the world pixel of texel (0, 0) of an [`UNTURNED`] sprite: the first whose centre lies on or right of
    /// the mask's edge, `ceil((p - a - 128) / 256)`.
    #[must_use]
    pub(crate) fn origin(&self, shape: &Shape) -> Point {
        let at = self.position - shape.anchor;
        Point::new((at.x + 127) >> 8, (at.y + 127) >> 8)
    }

    /// Returns the box of pixels that a sprite may paint, `max` excluded.
    #[must_use]
    pub(crate) fn pixels(&self) -> Aabb {
        let pixel = |p: Point| Point::new(p.x >> 8, p.y >> 8);
        Aabb { min: pixel(self.position + self.extent.min), max: pixel(self.position + self.extent.max) }
    }

    /// Returns the box that the body covers at its position, in lattice steps.
    #[must_use]
    pub(crate) fn reach(&self) -> Aabb {
        if self.is(EMPTY) { Aabb::NOWHERE } else { reach(self.position, &self.extent, self.is(SPRITE)) }
    }

    /// Returns the kind of the body, given the number of its shape's vertices.
    #[must_use]
    pub(crate) fn kind(&self, corners: u32) -> Kind {
        let is_disc = corners == 1 && self.scale == 0;
        match (self.is(SPRITE), self.is(UNTURNED)) {
            _ if self.is_absent() => Kind::Absent,
            (false, _) if self.is(ALIGNED) && self.moves() => Kind::MovingBox,
            (false, _) if is_disc && self.moves() => Kind::MovingDisc,
            _ if self.moves() => Kind::Moving,
            (true, true) => Kind::Mask,
            (true, false) => Kind::Painted,
            _ if self.is(ALIGNED) => Kind::Box,
            _ if is_disc => Kind::Disc,
            _ => Kind::Hull,
        }
    }

    /// Returns the part of the body that changes seldom.
    #[inline(always)]
    pub(crate) fn pose(&self) -> Pose {
        let Self { linear, shape, radius, flags, scale, .. } = *self;
        Pose { linear, shape, radius, flags, scale }
    }

    /// Returns the body at rest at the end of its motion.
    #[must_use]
    pub(crate) fn at_end(&self) -> Self {
        Self { position: self.position + self.motion, motion: Point::ZERO, ..*self }
    }

    /// Returns how many pixels right and down the painted pixels of a sprite shift from the start to the end of the
    /// step. Returns `None` if it paints another pattern at the end, because it is turned and ends elsewhere within its
    /// pixel.
    #[must_use]
    pub(crate) fn end_shift(&self) -> Option<Point> {
        let end = self.at_end();
        let phase = |body: &Self| [body.position.x & 255, body.position.y & 255];
        (self.is(UNTURNED) || phase(self) == phase(&end)).then(|| end.pixels().min - self.pixels().min)
    }

    /// Returns the look of the body, which has this shape: the default unless it is an unturned sprite at rest.
    #[must_use]
    pub(crate) fn look(&self, shape: &Shape) -> Look {
        if self.is(SPRITE | UNTURNED) && !self.is(EMPTY) && !self.moves() {
            let (stride, Aabb { min, max }) = (shape.stride / 2, self.pixels());
            let solid = min - self.origin(shape);
            Look {
                first: shape.first / 2 + solid.y as u32 * stride,
                height: (max.y - min.y) as u16,
                stride: stride as u16,
                left: solid.x as u16,
            }
        } else {
            Look::default()
        }
    }

    /// Returns the number of 64-bit words in a row of a sprite painted ahead.
    #[must_use]
    pub(crate) fn painted_stride(&self) -> usize {
        let Aabb { min, max } = self.pixels();
        ((max.x - min.x) as usize).div_ceil(64)
    }

    /// Returns the number of 64-bit words of a sprite painted ahead.
    #[cfg(feature = "internals")]
    #[must_use]
    pub(crate) fn painted_words(&self) -> usize {
        let Aabb { min, max } = self.pixels();
        self.painted_stride() * (max.y - min.y) as usize
    }
}

/// Returns the box that a body covers at a position, if it is not empty; whole pixels for a sprite.
#[inline(always)]
pub(crate) fn reach(position: Point, extent: &Aabb, sprite: bool) -> Aabb {
    let whole = if sprite { !255 } else { !0 };
    let at = |p: Point| Point::new((position.x + p.x) & whole, (position.y + p.y) & whole);
    Aabb { min: at(extent.min), max: at(extent.max) }
}

impl Packed {
    /// Returns the number of indices, free ones included.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Returns the body at an index.
    #[inline(always)]
    #[must_use]
    pub(crate) fn body(&self, index: usize) -> Body {
        let Pose { linear, shape, radius, flags, scale } = self.poses[index];
        Body {
            position: self.positions[index],
            motion: self.motions[index],
            linear,
            extent: self.extents[index],
            shape,
            radius,
            filter: self.filters[index],
            flags,
            landed: NOT_LANDED,
            scale,
        }
    }

    /// Returns all bodies, in order of index.
    #[cfg(any(test, feature = "gpu"))]
    pub(crate) fn bodies(&self) -> impl ExactSizeIterator<Item = Body> + '_ {
        (0..self.len()).map(|index| self.body(index))
    }

    /// Returns the words of all shapes, 64 bits each.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        self.atlas.words()
    }

    /// Returns [`Packed::words`] as the 32-bit words that [`Shape`] counts. Those of a mask are in the order of
    /// [`half`].
    #[must_use]
    pub(crate) fn halves(&self) -> &[u32] {
        bytemuck::cast_slice(self.words())
    }

    /// Returns the rows of a mask, `stride / 2` words each.
    #[inline(always)]
    pub(crate) fn mask(&self, shape: &Shape) -> &[u64] {
        let stride = shape.stride as usize / 2;
        &self.words()[shape.first as usize / 2..][..stride * shape.size.y as usize]
    }

    /// Returns the pixels of an [`UNTURNED`] sprite at its position.
    #[inline(always)]
    pub(crate) fn rows(&self, body: &Body) -> Rows<'_> {
        let shape = &self.shapes[body.shape as usize];
        Rows {
            words: self.mask(shape),
            stride: shape.stride as usize / 2,
            at: body.origin(shape),
            bounds: body.pixels(),
            blocks: self.blocks[body.shape as usize].as_ref(),
        }
    }

    /// Returns the number of vertices that land for a body: all of its shape's, or 0 for a sprite.
    pub(crate) fn corners(&self, body: &Body) -> usize {
        if body.is(SPRITE) { 0 } else { self.shapes[body.shape as usize].corners as usize }
    }

    /// Returns the local vertices of a convex shape, piece after piece.
    pub(crate) fn vertices(&self, shape: &Shape) -> &[Point] {
        bytemuck::cast_slice(&self.halves()[shape.vertices as usize..][..2 * shape.corners as usize])
    }

    /// Returns true if texel `(i, j)` of a sprite's shape is solid; outside the mask none is.
    pub(crate) fn texel(&self, shape: &Shape, i: i64, j: i64) -> bool {
        if i < 0 || j < 0 || i >= i64::from(shape.size.x) || j >= i64::from(shape.size.y) {
            return false;
        }
        let word = shape.first as usize + j as usize * shape.stride as usize + i as usize / 32;
        self.halves()[half(word)] >> (i % 32) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Linear, Mask, World};

    #[test]
    fn a_turned_sprite_shifts_if_it_ends_where_it_began_within_its_pixel() {
        let mut world = World::default();
        let shape = crate::Shape::sprite(Mask::from_rows(&["##", "#."]).unwrap());
        let shape = world.add_shape(shape).unwrap();
        for (motion, shift) in [
            ([0.0, 0.0], Some(Point::ZERO)),
            ([2.0, 0.0], Some(Point::new(2, 0))),
            ([0.0, -3.0], Some(Point::new(0, -3))),
            ([0.25, 0.0], None),
            ([0.0, 0.25], None),
            ([1.25, 4.0], None),
            ([4.0, 1.25], None),
        ] {
            let body = crate::Body::new(shape, [0.5, 0.5]).posed(Linear::from_degrees(30.0)).moving(motion);
            let id = world.add(&body).unwrap();
            assert_eq!(world.packed().body(id.index() as usize).end_shift(), shift, "{motion:?}");
        }
    }
}
