//! The world: shapes, and the bodies that have them. What enters is checked and snapped here, once.

use crate::changes::Changes;
use crate::cpu::land::bound;
use crate::error::{Error, Result};
use crate::lattice::{Linear, MOTION, Point, SUBPIXELS, Snapped, Vec2, WORLD};
use crate::mask::Mask;
use crate::packed::{self, ALIGNED, Aabb, EMPTY, Kind, Look, Packed, SPRITE, UNTURNED};
use crate::shape::{Geometry, Shape};

/// Whether bodies hit that only touch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    /// They do not: interiors must overlap.
    #[default]
    Excluded,
    /// They do: closed sets that meet are enough, for sprites pixels that are neighbours, also diagonally.
    Included,
}

/// A shape of a [`World`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShapeId(u32);

/// A body of a [`World`]: its index in the order of their adding, which is the index in every answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub u32);

/// A body as it enters: a shape in a pose, perhaps moving, on some layers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Body {
    /// Its shape.
    pub shape: ShapeId,
    /// Where the shape's anchor lands, in units.
    pub at: Vec2,
    /// Rotation, scale, flip, shear.
    pub linear: Linear,
    /// The motion within the step, in units, each component at most 2^20.
    pub motion: Vec2,
    /// The layers that it is on, a bit each; by default 1.
    pub layer: u32,
    /// The layers that it hits, a bit each; by default all.
    pub hits: u32,
}

impl Body {
    /// A body of `shape` at a position in units: unturned, at rest, on layer 1, hitting all.
    #[must_use]
    pub fn new(shape: ShapeId, at: impl Into<Vec2>) -> Self {
        Self { shape, at: at.into(), linear: Linear::IDENTITY, motion: Vec2::default(), layer: 1, hits: u32::MAX }
    }

    /// With this rotation, scale, flip and shear.
    #[must_use]
    pub fn posed(self, linear: impl Into<Linear>) -> Self {
        Self { linear: linear.into(), ..self }
    }

    /// Moving by this within the step, in units.
    #[must_use]
    pub fn moving(self, motion: impl Into<Vec2>) -> Self {
        Self { motion: motion.into(), ..self }
    }

    /// On the layers of `layer`, hitting those of `hits`. A pair is looked at only where each hits a layer of the other.
    #[must_use]
    pub fn filtered(self, layer: u32, hits: u32) -> Self {
        Self { layer, hits, ..self }
    }
}

/// Shapes and bodies, checked and snapped to the lattice.
#[derive(Clone, Debug, Default)]
pub struct World {
    touch: Touch,
    shapes: Vec<Shape>,
    /// The tight box `[x, y, w, h]` of the solid texels of each shape that is a sprite with any.
    solid: Vec<Option<[u32; 4]>>,
    packed: Packed,
    changes: Changes,
}

impl World {
    /// A world without bodies.
    #[must_use]
    pub fn new(touch: Touch) -> Self {
        Self { touch, ..Self::default() }
    }

    /// Whether touching counts.
    #[must_use]
    pub fn touch(&self) -> Touch {
        self.touch
    }

    /// The number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.bodies.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packed.bodies.is_empty()
    }

    /// The flat arrays that engines read.
    #[must_use]
    pub fn packed(&self) -> &Packed {
        &self.packed
    }

    /// The shapes, in order of their adding.
    #[must_use]
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The shape of a body.
    #[must_use]
    pub fn shape_of(&self, body: BodyId) -> Option<&Shape> {
        self.packed.bodies.get(body.0 as usize).map(|body| &self.shapes[body.shape as usize])
    }

    /// Adds a shape, for any number of bodies.
    pub fn add_shape(&mut self, shape: Shape) -> Result<ShapeId> {
        let first = 2 * self.packed.words.len() as u64;
        let needed = first + shape.words();
        if needed > u64::from(u32::MAX) {
            return Err(Error::Capacity {
                what: "the shapes".into(),
                needed: 4 * needed,
                limit: "the index of a word",
                available: 4 * u64::from(u32::MAX),
                advice: "share masks between bodies, or cut them from fewer or smaller sheets",
            });
        }
        self.solid.push(shape.mask().and_then(Mask::bounds));
        self.packed.blocks.push(shape.mask().and_then(Mask::blocks).cloned());
        self.packed.shapes.push(shape.pack(&mut self.packed.words));
        self.shapes.push(shape);
        Ok(ShapeId(self.shapes.len() as u32 - 1))
    }

    /// Adds a body; its index is the number of those before it.
    pub fn add(&mut self, body: &Body) -> Result<BodyId> {
        let index = self.len();
        // One index is kept free to stand for "no body".
        if index >= u32::MAX as usize {
            return Err(Error::value("bodies", index, format!("stay below {}", u32::MAX)));
        }
        let posed = self.pose(body).map_err(|error| error.of(format!("body {index}")))?;
        self.packed.bodies.push(posed);
        self.packed.bounds.push(Aabb::NOWHERE);
        self.packed.kinds.push(Kind::Other);
        self.packed.looks.push(Look::default());
        self.place(index);
        Ok(BodyId(index as u32))
    }

    /// Replaces a body, all of it or, on an error, nothing.
    pub fn set(&mut self, id: BodyId, body: &Body) -> Result<()> {
        let index = id.0 as usize;
        if index >= self.len() {
            return Err(Error::Unknown { what: format!("body {index}") });
        }
        let posed = self.pose(body).map_err(|error| error.of(format!("body {index}")))?;
        self.packed.bodies[index] = posed;
        self.place(index);
        Ok(())
    }

    /// Which bodies were added or set, and when.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Brings all that follows from a body's pose up to date.
    fn place(&mut self, index: usize) {
        let Packed { bodies, shapes, bounds, kinds, looks, moving, varied, masked, filtered, .. } = &mut self.packed;
        let (body, default) = (&bodies[index], (1, u32::MAX));
        let shape = &shapes[body.shape as usize];
        bounds[index] = bound(body, shape);
        kinds[index] = body.kind(shape.corners);
        *moving |= body.moves();
        looks[index] = body.look(shape);
        *masked |= looks[index] != Look::default();
        *varied |= kinds[index] != Kind::Box;
        *filtered |= (body.layer, body.hits) != default;
        self.changes.note(index as u32, bodies.len());
    }

    /// Snaps and checks a body.
    fn pose(&self, body: &Body) -> Result<packed::Body> {
        let index = body.shape.0 as usize;
        let (Some(shape), Some(packed)) = (self.shapes.get(index), self.packed.shapes.get(index)) else {
            return Err(Error::Unknown { what: format!("shape {index}") });
        };
        let position = body.at.snap("at", WORLD)?;
        let motion = body.motion.snap("move", MOTION)?;
        body.linear.check()?;
        let posed = packed::Body {
            position,
            motion,
            linear: Snapped::default(),
            extent: Aabb::NOWHERE,
            shape: body.shape.0,
            radius: 0,
            layer: body.layer,
            hits: body.hits,
            flags: 0,
            slot: packed::NO_SLOT,
        };
        let posed = match &shape.geometry {
            Geometry::Convex { radius, .. } => {
                // Only a radius asks for a similarity.
                let radius = if *radius > 0 { body.linear.radius(*radius)? } else { 0 };
                pose_convex(posed, self.packed.vertices(packed), body.linear.snapped(), radius)
            }
            Geometry::Sprite(_) => pose_sprite(posed, packed, self.solid[index], body.linear.inverse()?),
        };
        posed.filter(|posed| inside(posed, packed)).ok_or_else(|| {
            let units = f64::from(WORLD) / f64::from(SUBPIXELS);
            let [x, y] = position.units();
            Error::value(
                "at",
                format!("[{x}, {y}]"),
                format!("keep all of the body, its motion included, within ±{units} units"),
            )
        })
    }
}

/// Whether all that a body reaches within the step lies in the world.
fn inside(body: &packed::Body, shape: &packed::Shape) -> bool {
    // A mask without a solid texel reaches nothing.
    body.is(EMPTY) || {
        let Aabb { min, max } = body.reach(shape);
        let in_world = |v: i32, d: i32| v.abs() <= WORLD && (v + d).abs() <= WORLD;
        let Point { x, y } = body.motion;
        in_world(min.x, x) && in_world(max.x, x) && in_world(min.y, y) && in_world(max.y, y)
    }
}

/// Adds what is convex to a pose; nothing where it is larger than the world.
fn pose_convex(body: packed::Body, vertices: &[Point], linear: Snapped, radius: i32) -> Option<packed::Body> {
    let (mut min, mut max) = ([i64::MAX; 2], [i64::MIN; 2]);
    for landed in vertices.iter().map(|&p| linear.land(p)) {
        for axis in 0..2 {
            min[axis] = min[axis].min(landed[axis]);
            max[axis] = max[axis].max(landed[axis]);
        }
    }
    // Four vertices on the four corners of their bounds; a box turned and squeezed may land on two of them.
    let corners = vertices.iter().fold(0, |corners, &p| {
        let landed = linear.land(p);
        let side = |axis: usize| u32::from(landed[axis] == max[axis]) + 2 * u32::from(landed[axis] == min[axis]);
        match [side(0), side(1)] {
            [x @ 1..=2, y @ 1..=2] => corners | 1_u32 << (2 * x + y),
            _ => corners,
        }
    });
    let aligned = radius == 0 && vertices.len() == 4 && corners.count_ones() == 4;
    let radius_wide = i64::from(radius);
    let extent = Aabb {
        min: narrow([min[0] - radius_wide, min[1] - radius_wide])?,
        max: narrow([max[0] + radius_wide, max[1] + radius_wide])?,
    };
    Some(packed::Body { linear, radius, extent, flags: if aligned { ALIGNED } else { 0 }, ..body })
}

/// Adds what is a sprite's to a pose; nothing where it is larger than the world.
fn pose_sprite(
    body: packed::Body,
    shape: &packed::Shape,
    solid: Option<[u32; 4]>,
    inverse: Snapped,
) -> Option<packed::Body> {
    let unturned = if inverse == Snapped::UNTURNED { UNTURNED } else { 0 };
    let body = packed::Body { linear: inverse, flags: SPRITE | unturned, ..body };
    let Some([x, y, w, h]) = solid.map(|solid| solid.map(|v| v as i32)) else {
        return Some(packed::Body { flags: body.flags | EMPTY, ..body });
    };
    let solid = Aabb { min: Point::new(x, y), max: Point::new(x + w, y + h) };
    let extent = if unturned == 0 { turned_extent(inverse, shape.anchor, solid)? } else { solid };
    Some(packed::Body { extent, ..body })
}

/// The pixels that a turned sprite may paint, from the one that holds its position, wherever within it that lies.
///
/// A pixel `d` away paints where `N (d + f) + a` lies in the box of solid texels, with the inverse `N`, the anchor `a` in
/// texels, and `f` in `[-127/256, 1/2]`: `d` lies in a parallelogram, here boxed. In `f64`, whose error stays below
/// 2^-10 pixel because `|det N|` is at least 1/32258; it decides nothing, being larger than what is painted.
fn turned_extent(inverse: Snapped, anchor: Point, solid: Aabb) -> Option<Aabb> {
    const ERROR: f64 = 1e-3;
    let ([a, b], [c, d]) = (inverse.x.map(f64::from), inverse.y.map(f64::from));
    let det = a * d - b * c;
    let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for x in [solid.min.x, solid.max.x] {
        for y in [solid.min.y, solid.max.y] {
            let u = f64::from(x) * 65536.0 - f64::from(anchor.x) * 256.0;
            let v = f64::from(y) * 65536.0 - f64::from(anchor.y) * 256.0;
            let pixel = [(d * u - b * v) / det, (a * v - c * u) / det];
            for axis in 0..2 {
                min[axis] = min[axis].min(pixel[axis]);
                max[axis] = max[axis].max(pixel[axis]);
            }
        }
    }
    let min = min.map(|v| (v - 0.5 - ERROR).ceil() as i64);
    let max = max.map(|v| (v + 127.0 / 256.0 + ERROR).floor() as i64 + 1);
    // In pixels: once more in steps, they must fit as well.
    narrow(min.map(|v| v * 256))?;
    narrow(max.map(|v| v * 256))?;
    Some(Aabb { min: narrow(min)?, max: narrow(max)? })
}

/// An extent from a position, where it is not beyond the world from every position in it.
fn narrow([x, y]: [i64; 2]) -> Option<Point> {
    let limit = 2 * i64::from(WORLD);
    (x.abs() <= limit && y.abs() <= limit).then(|| Point::new(x as i32, y as i32))
}

impl Shape {
    /// The words of 32 bits that it takes in the atlas.
    fn words(&self) -> u64 {
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                pieces.len().next_multiple_of(2) as u64 + 2 * pieces.iter().map(Vec::len).sum::<usize>() as u64
            }
            Geometry::Sprite(mask) => 2 * mask.words().len() as u64,
        }
    }

    /// Appends it to the atlas.
    fn pack(&self, words: &mut Vec<u64>) -> packed::Shape {
        let first = 2 * words.len() as u32;
        match &self.geometry {
            Geometry::Convex { pieces, .. } => {
                let pair = |[low, high]: [u32; 2]| u64::from(low) | u64::from(high) << 32;
                for counts in pieces.chunks(2) {
                    words.push(pair([counts[0].len() as u32, counts.get(1).map_or(0, Vec::len) as u32]));
                }
                let vertices = 2 * words.len() as u32;
                let local = pieces.iter().flatten().map(|&p| p - self.anchor);
                words.extend(local.map(|p| pair([p.x as u32, p.y as u32])));
                let corners = words.len() as u32 - vertices / 2;
                let stride = pieces.len() as u32;
                packed::Shape { first, stride, vertices, corners, size: Point::ZERO, anchor: self.anchor }
            }
            Geometry::Sprite(mask) => {
                words.extend_from_slice(mask.words());
                let size = Point::new(mask.width() as i32, mask.height() as i32);
                packed::Shape { first, stride: 2 * mask.stride(), vertices: 0, corners: 0, size, anchor: self.anchor }
            }
        }
    }
}
