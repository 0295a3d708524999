//! Shapes of several parts, such as the boxes of a fighter, each with a radius and a tag of its own.

use super::member::Member;
use super::pieces::{Node, tree};
use super::seam::seams;
use super::shape::{Geometry, Shape};
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_COORDINATE, Point, SUBPIXELS};
use crate::ground::text::Numbers;
use crate::ground::vec2::Vec2;

/// The maximum number of parts of a shape.
pub(crate) const MAX_PARTS: usize = 1 << 20;

/// A part of a shape of several: a shape without pixels, and where it lies.
///
/// See [`Shape::parts`].
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    shape: Shape,
    at: Vec2,
    tag: u32,
}

impl Part {
    /// Creates a part from a box, circle, capsule or polygon, whose anchor lies at `at`, in units. Its tag is 0.
    ///
    /// ```
    /// use hitmask::{Part, Shape};
    ///
    /// let head = Part::new(Shape::circle(4.0)?, [0, -12]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn new(shape: Shape, at: impl Into<Vec2>) -> Self {
        Self { shape, at: at.into(), tag: 0 }
    }

    /// Sets the tag: a number of your choice, such as an id or a kind of part.
    ///
    /// ```
    /// use hitmask::{Part, Shape};
    ///
    /// const HEAD: u32 = 1;
    /// let head = Part::new(Shape::circle(4.0)?, [0, -12]).tagged(HEAD);
    /// assert_eq!(Shape::parts(&[head])?.part_tags().collect::<Vec<_>>(), [HEAD]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn tagged(self, tag: u32) -> Self {
        Self { tag, ..self }
    }
}

impl Shape {
    /// Creates a shape of several parts, which may lie apart or overlap. A body of this shape is one body, and in a
    /// pair at most once; [`World::parts_hit`](crate::World::parts_hit) returns which of its parts hit. Parts are
    /// numbered in the order of the list.
    ///
    /// Each part counts by itself: what lies exactly on the edge between two adjacent parts is in the interior of
    /// neither. A part is any shape without pixels and of one part only.
    ///
    /// Returns [`Error::Value`] for a sprite, for a shape that has parts itself, for no parts or more than 1,048,576,
    /// and for a part that reaches beyond the limit of a coordinate.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Part, Shape, World};
    ///
    /// const HEAD: u32 = 1;
    /// const BODY: u32 = 2;
    /// let fighter = Shape::parts(&[
    ///     Part::new(Shape::circle(4.0)?, [0, -12]).tagged(HEAD),
    ///     Part::new(Shape::rect(10.0, 16.0)?, [-5, -8]).tagged(BODY),
    /// ])?;
    /// let mut world = World::default();
    /// let fighter = world.add_shape(fighter)?;
    /// let fist = world.add_shape(Shape::circle(2.0)?)?;
    /// let fighter = world.add(&Body::new(fighter, [100, 100]))?;
    /// world.add(&Body::new(fist, [105, 88]))?;
    /// let hits = Engine::cpu()?.run(&world, Ask::Details)?;
    /// assert_eq!(hits.pairs, [[0, 1]]);
    /// let parts = world.parts_hit(hits.pairs[0], &hits.details[0]);
    /// assert_eq!(world.part_tag(fighter, parts[0][0]), Some(HEAD));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn parts(parts: &[Part]) -> Result<Self> {
        if parts.is_empty() || parts.len() > MAX_PARTS {
            return Err(Error::value("parts", parts.len(), format!("be 1 to {MAX_PARTS} parts")));
        }
        let mut all = Members::default();
        for (index, Part { shape, at, tag }) in parts.iter().enumerate() {
            let field = format!("parts[{index}]");
            let Geometry::Convex { pieces, radius, members, .. } = &shape.geometry else {
                return Err(Error::value(field, "a sprite", "be a shape without pixels"));
            };
            if !members.is_empty() {
                return Err(Error::value(field, "a shape of parts", "be a shape of one part"));
            }
            let by = at.snap(&format!("{field}.at"), MAX_COORDINATE)? - shape.anchor;
            let moved = |points: &Vec<Point>| points.iter().map(|&p| moved(p, by)).collect::<Option<Vec<_>>>();
            let placed = |list: &[Vec<Point>]| list.iter().map(moved).collect::<Option<Vec<_>>>();
            let (Some(pieces), Some(rings)) = (placed(pieces), placed(shape.rings())) else {
                let limit = f64::from(MAX_COORDINATE) / f64::from(SUBPIXELS);
                return Err(Error::value(
                    format!("{field}.at"),
                    Numbers(&[at.x, at.y]),
                    format!("keep the part within ±{limit} units"),
                ));
            };
            all.add(pieces, rings, *radius, *tag);
        }
        Ok(all.shape())
    }

    /// Creates a chain: all points within `radius` units of a polyline, open or `closed` from the last point to the
    /// first. Each segment is a part, tagged with its number: a line of terrain, a rope or a fence is one body, and a
    /// hit tells the segment.
    ///
    /// With radius 0 it is the polyline itself, and hits as a [capsule](Shape::capsule) of radius 0 does. A hit has no
    /// front or back; for one-way platforms see [`Impact::lands`](crate::response::Impact::lands).
    ///
    /// Returns [`Error::Value`] for fewer than 2 or more than 1,048,576 points, and an error that names the
    /// segment if [`Shape::capsule`] refuses it.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let hills = world.add_shape(Shape::chain(&[[0, 40], [30, 20], [60, 35], [90, 10]], 0.5, false)?)?;
    /// let hills = world.add(&Body::new(hills, [0, 0]))?;
    /// assert_eq!(world.parts_at(hills, [45.0, 27.5])?, [1]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn chain<P: Into<Vec2> + Copy>(points: &[P], radius: f64, closed: bool) -> Result<Self> {
        if points.len() < 2 || points.len() > MAX_PARTS {
            return Err(Error::value("chain", points.len(), format!("be 2 to {MAX_PARTS} points")));
        }
        let rest = points[1..].iter().chain(closed.then_some(&points[0]));
        let segment = |(number, (&from, &to)): (u32, (&P, &P))| {
            let segment = Self::capsule(from, to, radius).map_err(|error| error.of(format!("chain[{number}]")))?;
            Ok(Part::new(segment, [0, 0]).tagged(number))
        };
        Self::parts(&(0..).zip(points.iter().zip(rest)).map(segment).collect::<Result<Vec<_>>>()?)
    }

    /// Returns the tags of the parts, in order; none for a shape that was not made by [`Shape::parts`].
    ///
    /// ```
    /// use hitmask::{Part, Shape};
    ///
    /// let shape = Shape::parts(&[Part::new(Shape::circle(1.0)?, [0, 0]), Part::new(Shape::circle(2.0)?, [5, 0])])?;
    /// assert_eq!((shape.part_tags().len(), Shape::circle(1.0)?.part_tags().len()), (2, 0));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn part_tags(&self) -> impl ExactSizeIterator<Item = u32> + '_ {
        self.members().iter().map(|member| member.tag)
    }

    /// Returns the parts; none for a shape that was not made by [`Shape::parts`].
    pub(crate) fn members(&self) -> &[Member] {
        match &self.geometry {
            Geometry::Convex { members, .. } => members,
            Geometry::Sprite(_) => &[],
        }
    }
}

/// The parts of a shape in the making.
#[derive(Default)]
pub(super) struct Members {
    /// The pieces, each with the index of its part.
    pieces: Vec<(Vec<Point>, u32)>,
    rings: Vec<Vec<Point>>,
    all: Vec<Member>,
}

impl Members {
    /// Adds a part.
    pub(super) fn add(&mut self, pieces: Vec<Vec<Point>>, rings: Vec<Vec<Point>>, radius: i32, tag: u32) {
        let part = self.all.len() as u32;
        self.all.push(Member { radius, tag, rings: rings.len() });
        self.pieces.extend(pieces.into_iter().map(|piece| (piece, part)));
        self.rings.extend(rings);
    }

    /// Returns the shape of all parts.
    pub(super) fn shape(self) -> Shape {
        let Self { pieces, rings, all: members } = self;
        let radius = members.iter().map(|member| member.radius).max().unwrap_or(0);
        let (pieces, nodes) = tree(pieces);
        let parts = nodes.iter().filter_map(Node::part);
        let seams = seams(&pieces.iter().zip(parts).map(|(piece, part)| (&piece[..], part)).collect::<Vec<_>>());
        Shape { geometry: Geometry::Convex { pieces, nodes, seams, rings, radius, members }, anchor: Point::ZERO }
    }
}

/// Returns a point moved, if it stays within the limit of a coordinate.
fn moved(p: Point, by: Point) -> Option<Point> {
    let along = |v: i32, by: i32| v.checked_add(by).filter(|v| (-MAX_COORDINATE..=MAX_COORDINATE).contains(v));
    Some(Point::new(along(p.x, by.x)?, along(p.y, by.y)?))
}
