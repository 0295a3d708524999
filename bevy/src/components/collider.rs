//! The component that gives an entity a body of a shape that needs no sprite.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use bevy_math::Vec2;
use bevy_reflect::prelude::*;
use hitmask::{Mask, Shape};

use super::body::HitBody;
use super::hitmask::changed;
use crate::units::down;

/// Gives an entity a body of a fixed shape, in the entity's own units: its origin is the entity's `Transform`, y points
/// up, and the entity's rotation and scale apply.
///
/// A shape that the library refuses, such as a circle of a negative radius, is reported as a
/// [`HitmaskProblem`](crate::HitmaskProblem). So is a shape with a radius that is scaled by different factors in x and
/// y.
///
/// ```
/// use bevy_hitmask::Collider;
///
/// let wall = Collider::rectangle(200.0, 8.0);
/// assert_eq!(wall, Collider::rectangle(200.0, 8.0));
/// assert_ne!(wall, Collider::circle(8.0));
/// ```
#[derive(Component, Clone, Debug, Reflect)]
#[require(HitBody)]
#[component(on_remove = changed, summary_tick)]
#[reflect(opaque)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct Collider(Form);

#[derive(Clone, Debug)]
enum Form {
    Rectangle { size: [f32; 2] },
    Circle { radius: f32 },
    Capsule { ends: [Vec2; 2], radius: f32 },
    Polygon { rings: Vec<Vec<Vec2>>, radius: f32 },
    Mask { mask: Arc<Mask>, anchor: Vec2 },
    Shape { shape: Arc<Shape> },
}

/// The mask or the shape whose address is part of a key.
#[derive(Clone, Debug)]
pub(crate) enum Kept {
    Mask { _mask: Arc<Mask> },
    Shape { _shape: Arc<Shape> },
}

/// The key of a shape: the bits of its numbers and its kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ColliderKey(Box<[u32]>);

impl Collider {
    /// Makes a rectangle around the entity's origin.
    #[must_use]
    pub fn rectangle(width: f32, height: f32) -> Self {
        Self(Form::Rectangle { size: [width, height] })
    }

    /// Makes a circle around the entity's origin.
    #[must_use]
    pub fn circle(radius: f32) -> Self {
        Self(Form::Circle { radius })
    }

    /// Makes all points within `radius` of the segment between two points; with 0 the segment itself, which hits what
    /// it crosses.
    #[must_use]
    pub fn capsule(from: Vec2, to: Vec2, radius: f32) -> Self {
        Self(Form::Capsule { ends: [from, to], radius })
    }

    /// Makes a polygon, convex or not. The outline must not cross itself.
    #[must_use]
    pub fn polygon(outline: impl Into<Vec<Vec2>>) -> Self {
        Self::polygon_with_holes(outline, [])
    }

    /// Makes a polygon with holes.
    #[must_use]
    pub fn polygon_with_holes(outline: impl Into<Vec<Vec2>>, holes: impl IntoIterator<Item = Vec<Vec2>>) -> Self {
        let rings = std::iter::once(outline.into()).chain(holes).collect();
        Self(Form::Polygon { rings, radius: 0.0 })
    }

    /// Makes a convex polygon whose corners are rounded: all points within `radius` of it.
    #[must_use]
    pub fn rounded_polygon(outline: impl Into<Vec<Vec2>>, radius: f32) -> Self {
        Self(Form::Polygon { rings: vec![outline.into()], radius })
    }

    /// Makes a mask that is not that of a sprite, such as a level drawn by the program. A texel is one unit. `anchor`
    /// is the point of the mask that lies at the entity's origin, in texels from its top-left corner, y down.
    ///
    /// Colliders share the mask in the library's world if they share the [`Arc`].
    #[must_use]
    pub fn mask(mask: impl Into<Arc<Mask>>, anchor: Vec2) -> Self {
        Self(Form::Mask { mask: mask.into(), anchor })
    }

    /// Makes any shape of the library, such as a chain, or several parts of one body. Its local origin is the entity's
    /// `Transform`, and its y points down.
    ///
    /// Colliders share the shape in the library's world if they share the [`Arc`].
    #[must_use]
    pub fn shape(shape: impl Into<Arc<Shape>>) -> Self {
        Self(Form::Shape { shape: shape.into() })
    }

    /// Makes the library's shape.
    pub(crate) fn to_shape(&self) -> hitmask::Result<Shape> {
        match &self.0 {
            Form::Rectangle { size } => {
                let [width, height] = size.map(f64::from);
                Shape::rect(width, height)?.anchored([width / 2.0, height / 2.0])
            }
            Form::Circle { radius } => Shape::circle(f64::from(*radius)),
            Form::Capsule { ends: [from, to], radius } => Shape::capsule(down(*from), down(*to), f64::from(*radius)),
            Form::Polygon { rings, radius } => {
                let rings: Vec<Vec<[f64; 2]>> =
                    rings.iter().map(|ring| ring.iter().copied().map(down).collect()).collect();
                match rings.as_slice() {
                    [outline] if *radius != 0.0 => Shape::rounded_polygon(outline, f64::from(*radius)),
                    [outline, holes @ ..] => Shape::polygon_with_holes(outline, holes),
                    [] => Shape::polygon::<[f64; 2]>(&[]),
                }
            }
            Form::Mask { mask, anchor } => Shape::sprite(mask.clone()).anchored(anchor.to_array()),
            Form::Shape { shape } => Ok((**shape).clone()),
        }
    }

    pub(crate) fn key(&self) -> ColliderKey {
        let mut bits = Vec::new();
        let mut add = |values: &[f32]| bits.extend(values.iter().map(|value| value.to_bits()));
        match &self.0 {
            Form::Rectangle { size } => add(size),
            Form::Circle { radius } => add(&[*radius]),
            Form::Capsule { ends: [from, to], radius } => add(&[from.x, from.y, to.x, to.y, *radius]),
            Form::Polygon { rings, radius } => {
                add(&[*radius]);
                for ring in rings {
                    // A length is no coordinate of a point that precedes it: rings are read from the front.
                    add(&[f32::from_bits(ring.len() as u32)]);
                    for point in ring {
                        add(&point.to_array());
                    }
                }
            }
            Form::Mask { mask, anchor } => {
                add(&anchor.to_array());
                bits.extend(halves(Arc::as_ptr(mask).addr()));
            }
            Form::Shape { shape } => bits.extend(halves(Arc::as_ptr(shape).addr())),
        }
        bits.push(self.kind());
        ColliderKey(bits.into())
    }

    /// Returns the mask of a shape of the library that has one.
    #[cfg(feature = "levels")]
    pub(crate) fn texels(&self) -> Option<&Mask> {
        match &self.0 {
            Form::Shape { shape } => shape.mask(),
            _ => None,
        }
    }

    /// Returns the mask or the shape whose address is part of the key.
    pub(crate) fn kept(&self) -> Option<Kept> {
        match &self.0 {
            Form::Mask { mask, .. } => Some(Kept::Mask { _mask: mask.clone() }),
            Form::Shape { shape } => Some(Kept::Shape { _shape: shape.clone() }),
            _ => None,
        }
    }

    fn kind(&self) -> u32 {
        match self.0 {
            Form::Rectangle { .. } => 0,
            Form::Circle { .. } => 1,
            Form::Capsule { .. } => 2,
            Form::Polygon { .. } => 3,
            Form::Mask { .. } => 4,
            Form::Shape { .. } => 5,
        }
    }
}

/// Returns the two halves of an address.
fn halves(address: usize) -> [u32; 2] {
    [address as u32, (address as u64 >> 32) as u32]
}

impl PartialEq for Collider {
    /// Compares numbers by their bits, and masks and shapes by their address.
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}
