//! Poses: from units to the integers that engines read, and from these to where a body lands and what it paints.

pub(crate) mod extent;
pub(crate) mod land;
pub(crate) mod texel;

use super::body::Body;
use super::filter::Filter;
use super::packed::{self, ALIGNED, DETECTOR, EMPTY, OFF, SPRITE, UNTURNED};
use super::pieces::{Node, part_radius};
use super::shape::{Geometry, Shape};
use crate::ground::aabb::Aabb;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION, Point, SUBPIXELS};
use crate::ground::linear::{Linear, Snapped};
use crate::ground::text::Numbers;
use crate::ground::vec2::Vec2;
use extent::{from_position, turned_extent};
use land::{bound, way_of};

/// A shape with the data that poses are computed from.
pub(super) struct Model<'a> {
    pub(super) shape: &'a Shape,
    /// The local vertices of a convex shape.
    pub(super) vertices: &'a [Point],
    /// The tight box `[x, y, w, h]` of the solid texels of a sprite that has any.
    pub(super) solid: Option<[u32; 4]>,
}

/// Snaps and checks a body of a shape.
pub(super) fn pose(body: &Body, model: &Model<'_>) -> Result<packed::Body> {
    let nothing = packed::Body {
        position: Point::ZERO,
        motion: Point::ZERO,
        linear: Snapped::default(),
        extent: Aabb { min: Point::ZERO, max: Point::ZERO },
        shape: body.shape.index(),
        radius: 0,
        filter: Filter::ALL,
        flags: 0,
        landed: packed::NOT_LANDED,
        scale: 0,
    };
    let posed = turn(put(body, nothing)?, body.linear, model)?;
    check_inside(&posed)?;
    Ok(posed)
}

/// Gives a body a linear part and the shape of a model; its position, motion, filter and switches stay. Whether it lies
/// in the world is not checked.
#[inline(always)]
pub(super) fn turn(body: packed::Body, linear: Linear, model: &Model<'_>) -> Result<packed::Body> {
    linear.check()?;
    let none = Aabb { min: Point::ZERO, max: Point::ZERO };
    let flags = body.flags & (OFF | DETECTOR);
    let empty = packed::Body { linear: Snapped::default(), extent: none, radius: 0, scale: 0, flags, ..body };
    let posed = match &model.shape.geometry {
        // A flat body is empty, and may have a radius without being a similarity.
        Geometry::Convex { .. } if linear.determinant() == 0.0 => {
            Some(packed::Body { flags: empty.flags | EMPTY, ..empty })
        }
        Geometry::Convex { nodes, radius, members, .. } => {
            let empty = packed::Body { linear: linear.snapped(), ..empty };
            if members.is_empty() {
                // Only a radius needs a similarity.
                let radius = if *radius > 0 { linear.radius(*radius)? } else { 0 };
                convex(packed::Body { radius, ..empty }, &[(model.vertices, radius)].into_iter())
            } else {
                let scale = if *radius > 0 { linear.snapped_scale()? } else { 0 };
                let piece = |leaf: &Node| {
                    let part = leaf.part()? as usize;
                    Some((&model.vertices[leaf.vertices()], part_radius(members[part].radius, scale)))
                };
                let radius = part_radius(*radius, scale);
                convex(packed::Body { radius, scale, ..empty }, &nodes.iter().filter_map(piece))
            }
        }
        Geometry::Sprite(_) => sprite(empty, model.shape.anchor, model.solid, linear.inverse()),
    };
    // `None` is a body larger than the world, which cannot lie in it.
    posed.ok_or_else(|| outside(empty.position))
}

/// As [`pose`], for a body whose shape and linear part are as before.
pub(super) fn repose(body: &Body, before: &packed::Body) -> Result<packed::Body> {
    let posed = put(body, *before)?;
    check_inside(&posed)?;
    Ok(posed)
}

/// Returns a posed body with the position, motion, filter and switches of `body`, snapped and checked.
fn put(body: &Body, posed: packed::Body) -> Result<packed::Body> {
    let off = if body.enabled { 0 } else { OFF };
    let detector = if body.detector { DETECTOR } else { 0 };
    let [position, motion] = place(body.at, body.motion)?;
    Ok(packed::Body {
        position,
        motion,
        filter: Filter { layers: body.layers, mask: body.mask, group: body.group },
        flags: posed.flags & !(OFF | DETECTOR) | off | detector,
        ..posed
    })
}

/// Returns a position and a motion, snapped and checked.
#[inline(always)]
pub(super) fn place(at: Vec2, motion: Vec2) -> Result<[Point; 2]> {
    Ok([at.snap("at", MAX_COORDINATE)?, motion.snap("motion", MAX_MOTION)?])
}

/// Checks that everything a body covers within the step lies in the world, and returns its bounds. Its position must
/// lie there too, even if the body lies beside it or covers nothing, so that the body can be at rest wherever it ends.
#[inline(always)]
pub(crate) fn check_inside(body: &packed::Body) -> Result<Aabb> {
    let (bounds, way) = (bound(body), way_of(body.position, body.motion, body.is(SPRITE)));
    if is_inside(&bounds.join(&way)) { Ok(bounds) } else { Err(outside(body.position)) }
}

/// Returns true if a box lies in the world.
#[expect(clippy::needless_bitwise_bool, reason = "without a branch, many at once")]
#[inline(always)]
pub(super) fn is_inside(Aabb { min, max }: &Aabb) -> bool {
    (min.x >= -MAX_COORDINATE) & (min.y >= -MAX_COORDINATE) & (max.x <= MAX_COORDINATE) & (max.y <= MAX_COORDINATE)
}

/// Returns the error for a body that leaves the world.
#[cold]
fn outside(position: Point) -> Error {
    let units = f64::from(MAX_COORDINATE) / f64::from(SUBPIXELS);
    let limit = format!("keep the whole body and its position, motion included, within ±{units} units");
    Error::value("at", Numbers(&position.units()), limit)
}

/// Completes the pose of a convex body, given the local vertices and the landed radius of each piece, or of all pieces
/// together; `None` if it is larger than the world.
#[inline(always)]
fn convex<'a>(body: packed::Body, pieces: &(impl Iterator<Item = (&'a [Point], i32)> + Clone)) -> Option<packed::Body> {
    let linear = body.linear;
    let (mut min, mut max) = ([i64::MAX; 2], [i64::MIN; 2]);
    for (vertices, radius) in pieces.clone() {
        let wide = i64::from(radius);
        for landed in vertices.iter().map(|&p| linear.land(p)) {
            for axis in 0..2 {
                min[axis] = min[axis].min(landed[axis] - wide);
                max[axis] = max[axis].max(landed[axis] + wide);
            }
        }
    }
    // A box is aligned if its four vertices land on the four corners of their bounds. One that is turned and squeezed
    // may land on two of them.
    let mut all = pieces.clone();
    let aligned = match (all.next(), all.next()) {
        (Some((vertices, 0)), None) if vertices.len() == 4 && body.radius == 0 => {
            let corners = vertices.iter().fold(0, |corners, &p| {
                let landed = linear.land(p);
                let side =
                    |axis: usize| u32::from(landed[axis] == max[axis]) + 2 * u32::from(landed[axis] == min[axis]);
                match [side(0), side(1)] {
                    [x @ 1..=2, y @ 1..=2] => corners | 1_u32 << (2 * x + y),
                    _ => corners,
                }
            });
            corners.count_ones() == 4
        }
        _ => false,
    };
    let extent = Aabb { min: from_position(min)?, max: from_position(max)? };
    Some(packed::Body { extent, flags: body.flags | if aligned { ALIGNED } else { 0 }, ..body })
}

/// Completes the pose of a sprite; `None` if it is larger than the world. Without an inverse or a solid texel, it is
/// empty.
#[inline(always)]
fn sprite(
    body: packed::Body,
    anchor: Point,
    solid: Option<[u32; 4]>,
    inverse: Option<Snapped>,
) -> Option<packed::Body> {
    let (Some(linear), Some(solid)) = (inverse, solid.map(solid_box)) else {
        return Some(packed::Body { flags: body.flags | SPRITE | EMPTY, ..body });
    };
    if linear == Snapped::UNTURNED {
        // Rounded down, this is the first pixel whose centre lies on or right of a texel's edge.
        let at = |p: Point| Point::new(256 * p.x + 127, 256 * p.y + 127) - anchor;
        let extent = Aabb { min: at(solid.min), max: at(solid.max) };
        return Some(packed::Body { linear, extent, flags: body.flags | SPRITE | UNTURNED, ..body });
    }
    Some(turned_sprite(body, linear, turned_extent(linear, anchor, solid)?))
}

/// Returns the box `[x, y, w, h]` of solid texels by its corners.
#[inline(always)]
pub(super) fn solid_box(solid: [u32; 4]) -> Aabb {
    let [x, y, w, h] = solid.map(|v| v as i32);
    Aabb { min: Point::new(x, y), max: Point::new(x + w, y + h) }
}

/// Gives a body the pose of a sprite that is turned or scaled; its position, motion, shape, filter and switches stay.
#[inline(always)]
pub(super) fn turned_sprite(body: packed::Body, inverse: Snapped, extent: Aabb) -> packed::Body {
    let flags = body.flags & (OFF | DETECTOR) | SPRITE;
    packed::Body { linear: inverse, extent, radius: 0, scale: 0, flags, ..body }
}
