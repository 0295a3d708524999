//! The flat arrays that every engine reads; `shaders/types.wgsl` mirrors them, and a test compares the layouts.

use bytemuck::{Pod, Zeroable};

use crate::bits::blocks::Blocks;
use crate::bits::look::Look;
use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::linear::Snapped;

/// [`Body::flags`]: the body is a sprite; otherwise it is convex.
pub(crate) const SPRITE: u32 = 1;
/// [`Body::flags`]: an unscaled, unturned sprite, which paints its own mask shifted.
pub(crate) const UNTURNED: u32 = 2;
/// [`Body::flags`]: nothing of it is solid, so that it hits nothing.
pub(crate) const EMPTY: u32 = 4;
/// [`Body::flags`]: a box whose landed core is its bounds: one piece, axis-aligned, radius 0.
pub(crate) const ALIGNED: u32 = 8;

/// The slot of a body without one: a sprite that is not painted ahead, but sampled where it is looked at.
pub(crate) const NO_SLOT: u32 = u32::MAX;

/// A body, posed: all that its `f64` pose decides is already snapped.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Body {
    /// Where the anchor lands, in lattice steps.
    pub position: Point,
    /// The motion within the step, in lattice steps.
    pub motion: Point,
    /// A convex body's linear part (24 fractional bits); a sprite's inverse (16 fractional bits).
    pub linear: Snapped,
    /// What the body reaches. Convex: its landed hull and radius, in steps from `position`. Sprite: the pixels that it may
    /// paint, `max` excluded, from the pixel `pixel(position)`, or where it is unturned, from the pixel of its texel (0, 0).
    pub extent: Aabb,
    /// Index of its shape.
    pub shape: u32,
    /// Its landed radius, in lattice steps; 0 for a sprite.
    pub radius: i32,
    /// The layers that it is on.
    pub layer: u32,
    /// The layers that it hits.
    pub hits: u32,
    /// [`SPRITE`], [`UNTURNED`], [`EMPTY`], [`ALIGNED`].
    pub flags: u32,
    /// Where its landed part begins; filled in by an engine that wants it here.
    pub slot: u32,
}

/// A shape: where its parts lie in [`Packed::atlas`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Shape {
    /// A convex shape's first piece, or a mask's first row, as an index into the atlas. A piece takes one word, the number of
    /// its vertices; a row takes `stride` words, the lowest bit leftmost.
    pub first: u32,
    /// The number of pieces, or of words in a row (always even).
    pub stride: u32,
    /// The first vertex in the atlas (two words each: x and y from the anchor, in lattice steps), piece after piece.
    pub vertices: u32,
    /// The number of vertices of all pieces.
    pub corners: u32,
    /// Width and height of a mask, in texels.
    pub size: Point,
    /// A mask's anchor, in lattice steps.
    pub anchor: Point,
}

/// What decides a pair of bodies whose bounds meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An [`ALIGNED`] box at rest: its bounds do.
    Box,
    /// A circle at rest: its bounds tell centre and radius.
    Disc,
    /// An [`UNTURNED`] sprite: its mask does.
    Mask,
    /// What has to be landed or painted first.
    Other,
}

/// The arrays.
#[expect(clippy::struct_excessive_bools, reason = "each tells by itself what engines may leave out")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    /// One for each body, in order of index.
    pub bodies: Vec<Body>,
    /// For each body where it is looked for: all that it reaches within the step, and nowhere where it never hits.
    pub bounds: Vec<Aabb>,
    /// For each body what decides it.
    pub kinds: Vec<Kind>,
    /// For each body how it looks, if that is simple.
    pub looks: Vec<Look>,
    /// One for each shape.
    pub shapes: Vec<Shape>,
    /// For each shape the blocks of its mask, if that is a large one.
    pub blocks: Vec<Option<Blocks>>,
    /// Pieces, vertices and mask rows of all shapes; [`Packed::atlas`] counts it in halves.
    pub words: Vec<u64>,
    /// Whether some body moves.
    pub moving: bool,
    /// Whether some body is, or was, no [`Kind::Box`].
    pub varied: bool,
    /// Whether some body has, or had, a [`Look`].
    pub masked: bool,
    /// Whether some body is on other layers than all others, or hits not all.
    pub filtered: bool,
}

impl Body {
    /// Whether all of `flags` is set.
    #[must_use]
    pub(crate) fn is(&self, flags: u32) -> bool {
        self.flags & flags == flags
    }

    /// Whether no filter lets it hit anything: it is on no layer, or hits none.
    #[must_use]
    pub(crate) fn never_hits(&self) -> bool {
        self.layer == 0 || self.hits == 0
    }

    /// Whether it moves within the step.
    #[must_use]
    pub(crate) fn moves(&self) -> bool {
        self.motion != Point::ZERO
    }

    /// The world pixel from which a sprite's extent counts.
    #[must_use]
    pub(crate) fn origin(&self, shape: &Shape) -> Point {
        if self.is(UNTURNED) {
            // The first pixel whose centre lies on or right of the mask's edge: ceil((p - a - 128) / 256).
            let at = self.position - shape.anchor;
            Point::new((at.x + 127) >> 8, (at.y + 127) >> 8)
        } else {
            Point::new(self.position.x >> 8, self.position.y >> 8)
        }
    }

    /// The pixels that a sprite may paint, `max` excluded.
    #[must_use]
    pub(crate) fn pixels(&self, shape: &Shape) -> Aabb {
        let origin = self.origin(shape);
        Aabb { min: origin + self.extent.min, max: origin + self.extent.max }
    }

    /// What the body reaches where it stands, in lattice steps.
    #[must_use]
    pub(crate) fn reach(&self, shape: &Shape) -> Aabb {
        if self.is(EMPTY) {
            Aabb::NOWHERE
        } else if self.is(SPRITE) {
            let Aabb { min, max } = self.pixels(shape);
            Aabb { min: Point::new(min.x << 8, min.y << 8), max: Point::new(max.x << 8, max.y << 8) }
        } else {
            Aabb { min: self.position + self.extent.min, max: self.position + self.extent.max }
        }
    }

    /// What decides it against others, with the number of its shape's vertices.
    #[must_use]
    pub(crate) fn kind(&self, corners: u32) -> Kind {
        if self.is(SPRITE | UNTURNED) {
            Kind::Mask
        } else if self.moves() || self.is(SPRITE) {
            Kind::Other
        } else if self.is(ALIGNED) {
            Kind::Box
        } else if corners == 1 {
            Kind::Disc
        } else {
            Kind::Other
        }
    }

    /// How it looks, as a body of a shape, if that is simple.
    #[must_use]
    pub(crate) fn look(&self, shape: &Shape) -> Look {
        if self.is(SPRITE | UNTURNED) && !self.is(EMPTY) && !self.moves() {
            let (origin, stride, Aabb { min, max }) = (self.origin(shape), shape.stride / 2, self.extent);
            Look {
                at: Point::new(origin.x, origin.y + min.y),
                first: shape.first / 2 + min.y as u32 * stride,
                height: (max.y - min.y) as u16,
                stride: stride as u16,
            }
        } else {
            Look::default()
        }
    }

    /// The 64-bit words of a row of a sprite painted ahead.
    #[must_use]
    pub(crate) fn painted_stride(&self) -> usize {
        ((self.extent.max.x - self.extent.min.x) as usize).div_ceil(64)
    }

    /// The 64-bit words of a sprite painted ahead.
    #[must_use]
    pub(crate) fn painted_words(&self) -> usize {
        self.painted_stride() * (self.extent.max.y - self.extent.min.y) as usize
    }
}

impl Packed {
    /// [`Packed::words`] as shapes count it: the lower half of each word first.
    #[must_use]
    pub(crate) fn atlas(&self) -> &[u32] {
        bytemuck::cast_slice(&self.words)
    }

    /// The rows of a mask, `stride / 2` words each.
    #[inline(always)]
    pub(crate) fn mask(&self, shape: &Shape) -> &[u64] {
        let stride = shape.stride as usize / 2;
        &self.words[shape.first as usize / 2..][..stride * shape.size.y as usize]
    }

    /// The pixels of an [`UNTURNED`] sprite where it stands.
    #[inline(always)]
    pub(crate) fn rows(&self, body: &Body) -> Rows<'_> {
        let shape = &self.shapes[body.shape as usize];
        Rows {
            words: self.mask(shape),
            stride: shape.stride as usize / 2,
            at: body.origin(shape),
            bounds: body.pixels(shape),
            blocks: self.blocks[body.shape as usize].as_ref(),
        }
    }

    /// The vertices that land for a body: all of its shape's, none for a sprite.
    pub(crate) fn corners(&self, body: &Body) -> usize {
        if body.is(SPRITE) { 0 } else { self.shapes[body.shape as usize].corners as usize }
    }

    /// The pieces of a convex shape: for each, its first vertex from the shape's first, and their number.
    pub(crate) fn pieces(&self, shape: &Shape) -> impl Iterator<Item = (usize, usize)> + '_ {
        let counts = &self.atlas()[shape.first as usize..][..shape.stride as usize];
        counts.iter().scan(0, |first, &count| {
            let piece = (*first, count as usize);
            *first += count as usize;
            Some(piece)
        })
    }

    /// The local vertices of a convex shape, piece after piece.
    pub(crate) fn vertices(&self, shape: &Shape) -> &[Point] {
        bytemuck::cast_slice(&self.atlas()[shape.vertices as usize..][..2 * shape.corners as usize])
    }

    /// Whether texel `(i, j)` of a sprite's shape is solid; outside the mask there is nothing.
    pub(crate) fn texel(&self, shape: &Shape, i: i64, j: i64) -> bool {
        if i < 0 || j < 0 || i >= i64::from(shape.size.x) || j >= i64::from(shape.size.y) {
            return false;
        }
        let word = shape.first as usize + j as usize * shape.stride as usize + i as usize / 32;
        self.atlas()[word] >> (i % 32) & 1 == 1
    }
}
