//! The shapes of a saved world.

use super::World;
use super::file::{Reader, put_u32s, put_u64s, wrong};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_ANCHOR, MAX_COORDINATE, MAX_RADIUS, Point};
use crate::mask::Mask;
use crate::polygon;
use crate::world::handles::NONE;
use crate::world::member::Member;
use crate::world::part::{MAX_PARTS, Members};
use crate::world::shape::{Geometry, Shape};

/// The kind of a shape in a file.
const CONVEX: u8 = 1;
const POLYGON: u8 = 2;
const SPRITE: u8 = 3;
const PARTS: u8 = 4;

/// Skips the shapes of a file.
pub(super) fn skip(reader: &mut Reader<'_>) -> Result<()> {
    let length = reader.u64()?.saturating_sub(8);
    reader.take::<1>(length).map(drop)
}

impl World {
    /// Returns the number of bytes that the shapes take at most.
    pub(super) fn shapes_bytes(&self) -> usize {
        let content = |shape: &Shape| match &shape.geometry {
            Geometry::Convex { members, .. } => {
                12 * members.len() + shape.rings().iter().map(|ring| 4 + 8 * ring.len()).sum::<usize>()
            }
            Geometry::Sprite(mask) => 8 * mask.words().len(),
        };
        let shapes = self.shapes.iter().map(|shape| 32 + shape.as_ref().map_or(0, content));
        24 + shapes.sum::<usize>()
    }

    /// Appends the shapes.
    pub(super) fn save_shapes(&self, to: &mut Vec<u8>) {
        let bytes = to.len();
        put_u64s(to, &[0, self.shape_handles.past()]);
        put_u32s(to, &[self.shapes.len() as u32]);
        for (index, shape) in (0..).zip(&self.shapes) {
            match (self.shape_handles.serial(index), shape) {
                (Some(serial), Some(shape)) => save(shape, serial, to),
                _ => put_u64s(to, &[NONE]),
            }
        }
        let length = (to.len() - bytes) as u64;
        to[bytes..bytes + 8].copy_from_slice(&length.to_le_bytes());
    }

    /// Adds the shapes of a file to this world, which has none.
    pub(super) fn load_shapes(&mut self, reader: &mut Reader<'_>) -> Result<()> {
        let length = reader.u64()?;
        let left = reader.left() as u64 + 8;
        let past = reader.u64()?;
        let count = reader.u32()?;
        let mut serials = Vec::new();
        for index in 0..count {
            let serial = reader.u64()?;
            let shape = if serial == NONE {
                None
            } else {
                Some(load(reader)?.map_err(|error| wrong(format!("shape {index}: {error}")))?)
            };
            serials.push(serial);
            self.put_loaded(index as usize, shape)?;
        }
        if left - reader.left() as u64 != length {
            return Err(wrong(format!("its shapes take other than the {length} bytes that it says")));
        }
        self.shape_handles.replace(serials);
        self.shape_handles.set_past(past);
        Ok(())
    }
}

/// Appends a shape.
fn save(shape: &Shape, serial: u64, to: &mut Vec<u8>) {
    let mut begin = |kind, numbers: &[u32]| {
        put_u64s(to, &[serial]);
        to.push(kind);
        put_u32s(to, &[shape.anchor]);
        put_u32s(to, numbers);
    };
    match &shape.geometry {
        Geometry::Convex { pieces, rings, radius, .. } if rings.is_empty() => {
            begin(CONVEX, &[*radius as u32, pieces[0].len() as u32]);
            put_u32s(to, &pieces[0]);
        }
        Geometry::Convex { rings, members, .. } if members.is_empty() => {
            begin(POLYGON, &[]);
            put_rings(to, rings);
        }
        Geometry::Convex { rings, members, .. } => {
            begin(PARTS, &[members.len() as u32]);
            let mut rings = &rings[..];
            for &Member { radius, tag, rings: count } in members {
                let (own, rest) = rings.split_at(count);
                put_u32s(to, &[radius as u32, tag]);
                put_rings(to, own);
                rings = rest;
            }
        }
        Geometry::Sprite(mask) => {
            begin(SPRITE, &mask.size());
            put_u64s(to, mask.words());
        }
    }
}

/// Appends rings.
fn put_rings(to: &mut Vec<u8>, rings: &[Vec<Point>]) {
    put_u32s(to, &[rings.len() as u32]);
    for ring in rings {
        put_u32s(to, &[ring.len() as u32]);
        put_u32s(to, ring);
    }
}

/// Reads a shape; the inner error is one of its content.
fn load(reader: &mut Reader<'_>) -> Result<Result<Shape>> {
    let kind = reader.u8()?;
    let anchor = points(reader, 1)?[0];
    let shape = match kind {
        CONVEX => {
            let (radius, count) = (reader.u32()?, reader.u32()?);
            convex(points(reader, count)?, radius as i32)
        }
        POLYGON => polygon(rings(reader)?),
        PARTS => {
            let count = reader.u32()?;
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push((reader.u32()? as i32, reader.u32()?, rings(reader)?));
            }
            of_parts(parts)
        }
        SPRITE => {
            let size = [reader.u32()?, reader.u32()?];
            let count = u64::from(size[0].div_ceil(64)) * u64::from(size[1]);
            Mask::of_saved(size, reader.take(count)?).map(Shape::sprite)
        }
        other => return Err(reader.wrong_here(format!("a shape is of an unknown kind, {other}"))),
    };
    Ok(shape.and_then(|shape| {
        within("anchor", &[anchor], MAX_ANCHOR)?;
        Ok(Shape { anchor, ..shape })
    }))
}

/// Reads rings.
fn rings(reader: &mut Reader<'_>) -> Result<Vec<Vec<Point>>> {
    let count = reader.u32()?;
    let mut rings = Vec::new();
    for _ in 0..count {
        let count = reader.u32()?;
        rings.push(points(reader, count)?);
    }
    Ok(rings)
}

/// Makes a shape of parts, each with its radius, tag and rings.
fn of_parts(parts: Vec<(i32, u32, Vec<Vec<Point>>)>) -> Result<Shape> {
    if parts.is_empty() || parts.len() > MAX_PARTS {
        return Err(Error::value("parts", parts.len(), format!("be 1 to {MAX_PARTS} parts")));
    }
    let mut members = Members::default();
    for (index, (radius, tag, rings)) in parts.into_iter().enumerate() {
        let pieces = part(&rings, radius).map_err(|error| error.of(format!("part {index}")))?;
        members.add(pieces, rings, radius, tag);
    }
    Ok(members.shape())
}

/// Makes the pieces of a part.
fn part(rings: &[Vec<Point>], radius: i32) -> Result<Vec<Vec<Point>>> {
    let shape = match rings {
        [core] if radius != 0 || core.len() < 3 => convex(core.clone(), radius)?,
        [outline, holes @ ..] if radius == 0 => {
            for ring in rings {
                within("point", ring, MAX_COORDINATE)?;
            }
            let shape = Shape::of_rings(outline.clone(), holes.to_vec())?;
            if shape.rings() != rings {
                return Err(Error::NoArea { what: "a convex shape".into() });
            }
            shape
        }
        _ => return Err(Error::value("radius", radius, "be 0 for a part with holes or without an outline")),
    };
    match shape.geometry {
        Geometry::Convex { pieces, .. } => Ok(pieces),
        Geometry::Sprite(_) => unreachable!("a part has no pixels"),
    }
}

/// Reads points.
fn points(reader: &mut Reader<'_>, count: u32) -> Result<Vec<Point>> {
    let number = |bytes: &[u8]| i32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    let points = reader.take::<8>(count.into())?.iter();
    Ok(points.map(|bytes| Point::new(number(&bytes[..4]), number(&bytes[4..]))).collect())
}

/// Makes a box, circle, capsule or convex polygon. It must be as the constructors make it.
fn convex(core: Vec<Point>, radius: i32) -> Result<Shape> {
    within("point", &core, MAX_COORDINATE)?;
    if !(0..=MAX_RADIUS).contains(&radius) {
        return Err(Error::value("radius", radius, format!("lie within 0..={MAX_RADIUS} lattice steps")));
    }
    let valid = match core.as_slice() {
        [] => false,
        [_] => radius > 0,
        [from, to] => from != to,
        _ => polygon::convex_pieces(&core, &[])? == [core.as_slice()],
    };
    if valid { Ok(Shape::convex(core, radius)) } else { Err(Error::NoArea { what: "a convex shape".into() }) }
}

/// Makes a polygon of several pieces.
fn polygon(mut rings: Vec<Vec<Point>>) -> Result<Shape> {
    for ring in &rings {
        within("point", ring, MAX_COORDINATE)?;
    }
    if rings.is_empty() {
        return Err(Error::NoArea { what: "a polygon without an outline".into() });
    }
    let holes = rings.split_off(1);
    let shape = Shape::of_rings(rings.swap_remove(0), holes)?;
    match &shape.geometry {
        Geometry::Convex { rings, .. } if !rings.is_empty() => Ok(shape),
        _ => Err(Error::Polygon { problem: "the polygon is convex".into() }),
    }
}

/// Checks that points lie within a limit.
fn within(field: &str, points: &[Point], limit: i32) -> Result<()> {
    let inside = |point: &&Point| [point.x, point.y].iter().all(|v| (-limit..=limit).contains(v));
    match points.iter().find(|point| !inside(point)) {
        Some(Point { x, y }) => {
            Err(Error::value(field, format!("({x}, {y})"), format!("lie within ±{limit} lattice steps")))
        }
        None => Ok(()),
    }
}
