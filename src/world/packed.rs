//! The flat arrays that every engine reads; `shaders/shared/types.wgsl` mirrors bodies and shapes, and a test compares
//! the layouts.
//!
//! What a game changes at each step stands by itself, in columns that are written in one pass: positions, motions, and
//! what follows of them, bounds. What changes seldom (poses, filters, looks) is made when it does.

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

/// [`Body::flags`]: the body is a sprite; otherwise it is convex.
pub(crate) const SPRITE: u32 = 1;
/// [`Body::flags`]: an unscaled, unturned sprite, which paints its own mask shifted.
pub(crate) const UNTURNED: u32 = 2;
/// [`Body::flags`]: nothing of it is solid, or nothing is there, so that it hits nothing.
pub(crate) const EMPTY: u32 = 4;
/// [`Body::flags`]: a box whose landed core is its bounds: one piece, axis-aligned, radius 0.
pub(crate) const ALIGNED: u32 = 8;
/// [`Body::flags`]: it is switched off.
pub(crate) const OFF: u32 = 16;
/// [`Body::flags`]: its index is free, so that nothing is there, whatever a step on the GPU is given for it.
pub(crate) const FREE: u32 = 32;

/// [`Body::landed`] of a body of which nothing lands: a sprite that is not painted ahead, but sampled where it is
/// looked at.
pub(crate) const NOT_LANDED: u32 = u32::MAX;

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
    /// What the body reaches, in steps from `position`. Convex: its landed hull and radius. Sprite: what is rounded
    /// down to whole pixels gives those that it may paint, `max` excluded.
    pub extent: Aabb,
    /// Index of its shape.
    pub shape: u32,
    /// Its landed radius, in lattice steps; 0 for a sprite.
    pub radius: i32,
    /// The layers that it is on, those that it hits, and its group.
    pub filter: Filter,
    /// [`SPRITE`], [`UNTURNED`], [`EMPTY`], [`ALIGNED`], [`OFF`].
    pub flags: u32,
    /// Where its landed vertices or painted words begin; filled in by an engine that wants it here.
    pub landed: u32,
    /// Makes it as long as WGSL does.
    pub unused: u32,
}

/// What of a body changes seldom; see [`Body`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pose {
    pub linear: Snapped,
    pub shape: u32,
    pub radius: i32,
    pub flags: u32,
}

impl Pose {
    /// Of what is not there.
    pub(crate) const NONE: Self =
        Self { linear: Snapped { x: [0; 2], y: [0; 2] }, shape: 0, radius: 0, flags: EMPTY | FREE };
}

/// A shape: where its parts lie in [`Packed::words`].
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Pod, Zeroable)]
pub(crate) struct Shape {
    /// The first node of the tree over a convex shape's pieces, or a mask's first row, as an index into the words of 32
    /// bits. A node takes 8 words; a row takes `stride` words, the lowest bit leftmost.
    pub first: u32,
    /// The number of nodes (0 where there is one piece), or of words in a row (always even).
    pub stride: u32,
    /// The first vertex in the words (two each: x and y from the anchor, in lattice steps), piece after piece.
    pub vertices: u32,
    /// The number of vertices of all pieces.
    pub corners: u32,
    /// Width and height of a mask, in texels.
    pub size: Point,
    /// A mask's anchor, in lattice steps.
    pub anchor: Point,
    /// The tight box of a mask's solid texels, `max` excluded; none where `max` is 0.
    pub solid: Aabb,
    /// The radius of a convex shape before it lands, in lattice steps.
    pub radius: i32,
    /// Makes it as long as WGSL does.
    pub unused: u32,
}

impl Default for Shape {
    /// A shape that is not there.
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

/// What a body is to the pairs that it is in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// An [`ALIGNED`] box at rest: its bounds are all of it.
    Box,
    /// A circle at rest: its bounds tell centre and radius.
    Disc,
    /// Any other convex body or polygon at rest.
    Hull,
    /// An [`UNTURNED`] sprite at rest: its mask lies ready.
    Mask,
    /// A turned sprite at rest.
    Painted,
    /// What moves within the step.
    Moving,
    /// What hits nothing: it is not there, empty, switched off, or on no layer.
    #[default]
    Absent,
}

/// The arrays.
#[expect(clippy::struct_excessive_bools, reason = "each tells by itself what engines may leave out")]
#[derive(Clone, Debug, Default)]
pub(crate) struct Packed {
    /// For each body where its anchor lands, in lattice steps.
    pub positions: Vec<Point>,
    /// For each body its motion within the step.
    pub motions: Vec<Point>,
    /// For each body what it reaches from its position.
    pub extents: Vec<Aabb>,
    /// For each body what changes seldom.
    pub poses: Vec<Pose>,
    /// For each body whom it may hit.
    pub filters: Vec<Filter>,
    /// For each body the class of its filter.
    pub classes: Classes,
    /// For each body all that it reaches within the step; nowhere for what is [`Kind::Absent`].
    pub bounds: Vec<Aabb>,
    /// For each body what it is to its pairs.
    pub kinds: Vec<Kind>,
    /// For each body how it looks, if that is simple.
    pub looks: Vec<Look>,
    /// One for each shape.
    pub shapes: Vec<Shape>,
    /// For each shape the blocks of its mask, if that is a large one.
    pub blocks: Vec<Option<Blocks>>,
    /// Pieces, vertices and mask rows of all shapes.
    pub atlas: Atlas,
    /// Whether some body moves, or has moved.
    pub moving: bool,
    /// Whether some body is, or was, no [`Kind::Box`].
    pub varied: bool,
    /// Whether some body has, or had, a [`Look`].
    pub masked: bool,
    /// Whether some body's layers are, or were, others than those of most.
    pub filtered: bool,
    /// Whether some body is, or was, of a group.
    pub grouped: bool,
}

impl Body {
    /// Whether all of `flags` is set.
    #[must_use]
    pub(crate) fn is(&self, flags: u32) -> bool {
        self.flags & flags == flags
    }

    /// Whether it hits nothing: it is not there, empty, switched off, or on no layer.
    #[must_use]
    pub(crate) fn is_absent(&self) -> bool {
        self.flags & (EMPTY | OFF) != 0 || !self.filter.may_hit()
    }

    /// Whether it moves within the step.
    #[must_use]
    pub(crate) fn moves(&self) -> bool {
        self.motion != Point::ZERO
    }

    /// The world pixel of texel (0, 0) of an [`UNTURNED`] sprite: the first whose centre lies on or right of the mask's
    /// edge, `ceil((p - a - 128) / 256)`.
    #[must_use]
    pub(crate) fn origin(&self, shape: &Shape) -> Point {
        let at = self.position - shape.anchor;
        Point::new((at.x + 127) >> 8, (at.y + 127) >> 8)
    }

    /// The pixels that a sprite may paint, `max` excluded.
    #[must_use]
    pub(crate) fn pixels(&self) -> Aabb {
        let pixel = |p: Point| Point::new(p.x >> 8, p.y >> 8);
        Aabb { min: pixel(self.position + self.extent.min), max: pixel(self.position + self.extent.max) }
    }

    /// What the body reaches where it stands, in lattice steps.
    #[must_use]
    pub(crate) fn reach(&self) -> Aabb {
        if self.is(EMPTY) { Aabb::NOWHERE } else { reach(self.position, &self.extent, self.is(SPRITE)) }
    }

    /// What it is to its pairs, with the number of its shape's vertices.
    #[must_use]
    pub(crate) fn kind(&self, corners: u32) -> Kind {
        match (self.is(SPRITE), self.is(UNTURNED)) {
            _ if self.is_absent() => Kind::Absent,
            _ if self.moves() => Kind::Moving,
            (true, true) => Kind::Mask,
            (true, false) => Kind::Painted,
            _ if self.is(ALIGNED) => Kind::Box,
            _ if corners == 1 => Kind::Disc,
            _ => Kind::Hull,
        }
    }

    /// The body at rest where it stands at the end of the step.
    #[must_use]
    pub(crate) fn at_end(&self) -> Self {
        Self { position: self.position + self.motion, motion: Point::ZERO, ..*self }
    }

    /// How many pixels further right and down a sprite paints at the end of the step than at its start; nothing where
    /// it paints others, being turned and elsewhere within its pixel.
    #[must_use]
    pub(crate) fn end_shift(&self) -> Option<Point> {
        let end = self.at_end();
        let phase = |body: &Self| [body.position.x & 255, body.position.y & 255];
        (self.is(UNTURNED) || phase(self) == phase(&end)).then(|| end.pixels().min - self.pixels().min)
    }

    /// How it looks, as a body of a shape, if that is simple.
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

    /// The 64-bit words of a row of a sprite painted ahead.
    #[must_use]
    pub(crate) fn painted_stride(&self) -> usize {
        let Aabb { min, max } = self.pixels();
        ((max.x - min.x) as usize).div_ceil(64)
    }

    /// The 64-bit words of a sprite painted ahead.
    #[cfg(feature = "internals")]
    #[must_use]
    pub(crate) fn painted_words(&self) -> usize {
        let Aabb { min, max } = self.pixels();
        self.painted_stride() * (max.y - min.y) as usize
    }
}

/// What a body that is not empty reaches where it stands: whole pixels, if it is a sprite.
#[inline(always)]
pub(crate) fn reach(position: Point, extent: &Aabb, sprite: bool) -> Aabb {
    let whole = if sprite { !255 } else { !0 };
    let at = |p: Point| Point::new((position.x + p.x) & whole, (position.y + p.y) & whole);
    Aabb { min: at(extent.min), max: at(extent.max) }
}

impl Packed {
    /// The number of indices, those of what is not there among them.
    #[must_use]
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// A body.
    #[inline(always)]
    #[must_use]
    pub(crate) fn body(&self, index: usize) -> Body {
        let Pose { linear, shape, radius, flags } = self.poses[index];
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
            unused: 0,
        }
    }

    /// All bodies, in order of index.
    #[cfg(any(test, feature = "gpu"))]
    pub(crate) fn bodies(&self) -> impl ExactSizeIterator<Item = Body> + '_ {
        (0..self.len()).map(|index| self.body(index))
    }

    /// The words of all shapes, 64 bits each.
    #[inline(always)]
    pub(crate) fn words(&self) -> &[u64] {
        self.atlas.words()
    }

    /// [`Packed::words`] as shapes count it: the lower half of each word first.
    #[must_use]
    pub(crate) fn halves(&self) -> &[u32] {
        bytemuck::cast_slice(self.words())
    }

    /// The rows of a mask, `stride / 2` words each.
    #[inline(always)]
    pub(crate) fn mask(&self, shape: &Shape) -> &[u64] {
        let stride = shape.stride as usize / 2;
        &self.words()[shape.first as usize / 2..][..stride * shape.size.y as usize]
    }

    /// The pixels of an [`UNTURNED`] sprite where it stands.
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

    /// The vertices that land for a body: all of its shape's, none for a sprite.
    pub(crate) fn corners(&self, body: &Body) -> usize {
        if body.is(SPRITE) { 0 } else { self.shapes[body.shape as usize].corners as usize }
    }

    /// The local vertices of a convex shape, piece after piece.
    pub(crate) fn vertices(&self, shape: &Shape) -> &[Point] {
        bytemuck::cast_slice(&self.halves()[shape.vertices as usize..][..2 * shape.corners as usize])
    }

    /// Whether texel `(i, j)` of a sprite's shape is solid; outside the mask there is nothing.
    pub(crate) fn texel(&self, shape: &Shape, i: i64, j: i64) -> bool {
        if i < 0 || j < 0 || i >= i64::from(shape.size.x) || j >= i64::from(shape.size.y) {
            return false;
        }
        let word = shape.first as usize + j as usize * shape.stride as usize + i as usize / 32;
        self.halves()[word] >> (i % 32) & 1 == 1
    }
}
