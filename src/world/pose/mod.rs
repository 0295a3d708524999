//! From a pose in units to the integers that engines read, and from these to where a body lands and what it paints.

mod extent;
pub(crate) mod land;
pub(crate) mod texel;

use super::body::Body;
use super::packed::{self, ALIGNED, EMPTY, SPRITE, UNTURNED};
use super::shape::{Geometry, Shape};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MOTION, Point, SUBPIXELS, WORLD};
use crate::ground::linear::Snapped;
use crate::ground::text::Numbers;
use extent::{from_position, turned_extent};

/// A shape, with what of it poses are made from.
pub(super) struct Model<'a> {
    pub(super) shape: &'a Shape,
    pub(super) packed: &'a packed::Shape,
    /// The local vertices of a convex shape.
    pub(super) vertices: &'a [Point],
    /// The tight box `[x, y, w, h]` of the solid texels of a sprite with any.
    pub(super) solid: Option<[u32; 4]>,
}

/// Snaps and checks a body of this shape.
pub(super) fn pose(body: &Body, index: u32, model: &Model<'_>) -> Result<packed::Body> {
    let position = body.at.snap("at", WORLD)?;
    let motion = body.motion.snap("move", MOTION)?;
    body.linear.check()?;
    let posed = packed::Body {
        position,
        motion,
        linear: Snapped::default(),
        extent: Aabb::NOWHERE,
        shape: index,
        radius: 0,
        layer: body.layer,
        hits: body.hits,
        flags: 0,
        slot: packed::NO_SLOT,
    };
    let posed = match &model.shape.geometry {
        Geometry::Convex { radius, .. } => {
            // Only a radius asks for a similarity.
            let radius = if *radius > 0 { body.linear.radius(*radius)? } else { 0 };
            convex(posed, model.vertices, body.linear.snapped(), radius)
        }
        Geometry::Sprite(_) => sprite(posed, model.packed, model.solid, body.linear.inverse()?),
    };
    posed.filter(|posed| inside(posed, model.packed)).ok_or_else(|| {
        let units = f64::from(WORLD) / f64::from(SUBPIXELS);
        Error::value(
            "at",
            Numbers(&position.units()),
            format!("keep all of the body, its motion included, within ±{units} units"),
        )
    })
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
fn convex(body: packed::Body, vertices: &[Point], linear: Snapped, radius: i32) -> Option<packed::Body> {
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
        min: from_position([min[0] - radius_wide, min[1] - radius_wide])?,
        max: from_position([max[0] + radius_wide, max[1] + radius_wide])?,
    };
    Some(packed::Body { linear, radius, extent, flags: if aligned { ALIGNED } else { 0 }, ..body })
}

/// Adds what is a sprite's to a pose; nothing where it is larger than the world.
fn sprite(
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
