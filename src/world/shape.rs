//! Shapes: a convex core with a radius, a polygon in convex pieces, several parts (`part.rs`), or a sprite's mask.

use std::sync::Arc;

use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_ANCHOR, MAX_COORDINATE, Point, SUBPIXELS, snap_radius, snap_within};
use crate::ground::text::Numbers;
use crate::ground::vec2::Vec2;
use crate::mask::Mask;
use crate::polygon;
use crate::world::member::Member;
use crate::world::pieces::{Node, tree_of_one};
use crate::world::seam::{Seam, seams};

/// Geometry that many bodies can share, in a local frame (y down), and the anchor that lands at a body's position.
///
/// Every shape except a sprite has an area; constructors reject one without.
#[derive(Clone, Debug, PartialEq)]
pub struct Shape {
    pub(crate) geometry: Geometry,
    /// The local point that lands at a body's position, and the centre of rotation, scale and flip.
    pub(crate) anchor: Point,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Geometry {
    /// The union of convex pieces, each the hull of its points inflated by a radius. Only a single piece, or a part,
    /// can have a radius.
    Convex {
        pieces: Vec<Vec<Point>>,
        nodes: Vec<Node>,
        seams: Vec<Seam>,
        /// If there are several pieces, the outline and the holes that they were cut from; of several parts, those of
        /// all.
        rings: Vec<Vec<Point>>,
        /// The radius; of several parts, the greatest.
        radius: i32,
        /// The parts of a shape that was made of parts.
        members: Vec<Member>,
    },
    /// The solid texels of a mask; texel `(i, j)` is `[i, i+1] x [j, j+1]` units.
    Sprite(Arc<Mask>),
}

impl Shape {
    /// Creates a box `[0, w] x [0, h]`, in units. Its top-left corner is the local origin.
    ///
    /// ```
    /// use hitmask::Shape;
    ///
    /// assert!(Shape::rect(32.0, 20.0).is_ok());
    /// assert!(Shape::rect(32.0, 0.0).is_err()); // without area
    /// ```
    pub fn rect(w: f64, h: f64) -> Result<Self> {
        let sides = [snap_within("box", w, MAX_COORDINATE)?, snap_within("box", h, MAX_COORDINATE)?];
        let [x, y] = sides;
        if x <= 0 || y <= 0 {
            return Err(Error::value("box", Numbers(&[w, h]), "have sides greater than 0 (at least 1/256 unit)"));
        }
        Ok(Self::convex(vec![Point::new(0, 0), Point::new(x, 0), Point::new(x, y), Point::new(0, y)], 0))
    }

    /// Creates a circle of radius `r` units, centred on the local origin.
    ///
    /// ```
    /// use hitmask::Shape;
    ///
    /// assert!(Shape::circle(8.5).is_ok());
    /// let error = Shape::circle(0.0).unwrap_err().to_string();
    /// assert_eq!(error, "`circle` is 0; it must be 1/256 to 16384 units");
    /// ```
    pub fn circle(r: f64) -> Result<Self> {
        Ok(Self::convex(vec![Point::ZERO], snap_radius("circle", r, 1)?))
    }

    /// Creates a capsule: all points within `radius` units of the segment between two points.
    ///
    /// With radius 0 it is the segment itself, which has no interior. If touching is not a hit, it hits a body whose
    /// interior it crosses, and never another segment. On the joint of two parts or tiles it hits neither.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let mut world = World::default();
    /// let laser = world.add_shape(Shape::capsule([0, 0], [100, 0], 0.5)?)?;
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(laser, [0, 0]))?;
    /// world.add(&Body::new(ball, [50.0, 1.25]))?;
    /// world.add(&Body::new(ball, [90.0, 1.75]))?;
    /// assert_eq!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs, [[0, 1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn capsule(from: impl Into<Vec2>, to: impl Into<Vec2>, radius: f64) -> Result<Self> {
        let from = from.into().snap("capsule.from", MAX_COORDINATE)?;
        let to = to.into().snap("capsule.to", MAX_COORDINATE)?;
        let rounding = snap_radius("capsule.radius", radius, 0)?;
        if rounding == 0 && from == to {
            return Err(Error::NoArea { what: "a capsule with neither length nor radius".into() });
        }
        Ok(Self::convex(if from == to { vec![from] } else { vec![from, to] }, rounding))
    }

    /// Creates a polygon, convex or concave, of either winding. The outline is closed implicitly, without repeating its
    /// first point. It may touch itself at single points.
    ///
    /// Repeated neighbours and collinear points are dropped. Returns [`Error::Crossing`], which names the edges, for an
    /// outline that crosses itself or runs along itself.
    ///
    /// The polygon is cut into convex pieces with a tree of bounding boxes over them, and only pieces near another body
    /// are tested. So a whole level can be one polygon.
    ///
    /// ```
    /// use hitmask::Shape;
    ///
    /// assert!(Shape::polygon(&[[0, 0], [12, 3], [6, 5], [4, 14]]).is_ok()); // concave
    /// assert!(Shape::polygon(&[[0, 0], [8, 0], [4, 4], [8, 8], [0, 8], [4, 4]]).is_ok()); // touches itself at (4, 4)
    /// assert!(Shape::polygon(&[[0, 0], [9, 9], [9, 0], [0, 9]]).is_err()); // its edges cross
    /// ```
    pub fn polygon<P: Into<Vec2> + Copy>(outline: &[P]) -> Result<Self> {
        Self::polygon_with_holes::<P, &[P]>(outline, &[])
    }

    /// Creates a polygon with holes. Holes lie inside the outline. They may touch it, each other and themselves at
    /// single points.
    ///
    /// ```
    /// use hitmask::{Ask, Body, Engine, Shape, World};
    ///
    /// let outline = [[0, 0], [9, 0], [9, 9], [0, 9]];
    /// let hole = [[2, 2], [7, 2], [7, 7], [2, 7]];
    /// let mut world = World::default();
    /// let frame = world.add_shape(Shape::polygon_with_holes(&outline, &[hole])?)?;
    /// let ball = world.add_shape(Shape::circle(2.0)?)?;
    /// world.add(&Body::new(frame, [0, 0]))?;
    /// world.add(&Body::new(ball, [4.5, 4.5]))?; // in the hole
    /// assert!(Engine::cpu()?.run(&world, Ask::Pairs)?.pairs.is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn polygon_with_holes<P, H>(outline: &[P], holes: &[H]) -> Result<Self>
    where
        P: Into<Vec2> + Copy,
        H: AsRef<[P]>,
    {
        let outline = snap_all("polygon", outline)?;
        let holes = holes
            .iter()
            .enumerate()
            .map(|(i, hole)| snap_all(&format!("holes[{i}]"), hole.as_ref()))
            .collect::<Result<Vec<_>>>()?;
        Self::of_rings(outline, holes)
    }

    /// Creates a polygon from an outline and holes on the lattice.
    pub(super) fn of_rings(outline: Vec<Point>, holes: Vec<Vec<Point>>) -> Result<Self> {
        let (pieces, nodes) = tree_of_one(polygon::convex_pieces(&outline, &holes)?);
        let seams = seams(&pieces.iter().map(|piece| (&piece[..], 0)).collect::<Vec<_>>());
        let rings = if pieces.len() > 1 { [vec![outline], holes].concat() } else { Vec::new() };
        let geometry = Geometry::Convex { pieces, nodes, seams, rings, radius: 0, members: Vec::new() };
        Ok(Self { geometry, anchor: Point::ZERO })
    }

    /// Creates a convex polygon inflated by `radius` units. A radius of 0 leaves any polygon as it is.
    ///
    /// ```
    /// use hitmask::Shape;
    ///
    /// let button = [[0, 0], [20, 0], [20, 8], [0, 8]];
    /// assert!(Shape::rounded_polygon(&button, 2.0).is_ok());
    /// assert!(Shape::rounded_polygon(&[[0, 0], [12, 3], [6, 5], [4, 14]], 2.0).is_err()); // concave
    /// ```
    pub fn rounded_polygon<P: Into<Vec2> + Copy>(outline: &[P], radius: f64) -> Result<Self> {
        let mut shape = Self::polygon(outline)?;
        let rounding = snap_radius("radius", radius, 0)?;
        if let Geometry::Convex { pieces, radius, .. } = &mut shape.geometry {
            if rounding > 0 && pieces.len() > 1 {
                return Err(Error::value(
                    "radius",
                    f64::from(rounding) / f64::from(SUBPIXELS),
                    "be 0: the outline is concave",
                ));
            }
            *radius = rounding;
        }
        Ok(shape)
    }

    /// Creates a sprite, which covers the world pixels whose centres lie on solid texels of `mask`. The mask's top-left
    /// corner is the local origin.
    ///
    /// ```
    /// use hitmask::{Mask, Shape};
    ///
    /// let arrow = Shape::sprite(Mask::from_rows(&["..#..", ".###.", "#####"])?);
    /// assert_eq!(arrow.mask().unwrap().count(), 9);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn sprite(mask: impl Into<Arc<Mask>>) -> Self {
        Self { geometry: Geometry::Sprite(mask.into()), anchor: Point::ZERO }
    }

    /// Creates a sprite from each of several masks, such as the frames of an animation, all with the same `anchor` (in
    /// units, at most 16,384).
    ///
    /// ```
    /// use hitmask::{Mask, Shape};
    ///
    /// let frames = [Mask::from_rows(&["#."])?, Mask::from_rows(&[".#"])?];
    /// assert_eq!(Shape::sprites(frames, [1, 0])?.len(), 2);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn sprites<M: Into<Arc<Mask>>>(
        masks: impl IntoIterator<Item = M>,
        anchor: impl Into<Vec2>,
    ) -> Result<Vec<Self>> {
        let anchor = anchor.into();
        masks.into_iter().map(|mask| Self::sprite(mask).anchored(anchor)).collect()
    }

    /// Sets the anchor (in units, at most 16,384): the local point that lands at a body's position, and the centre of
    /// rotation, scale and flip.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let crate_ = world.add_shape(Shape::rect(8.0, 4.0)?.anchored([4, 2])?)?;
    /// let id = world.add(&Body::new(crate_, [100, 50]))?;
    /// assert_eq!(world.bounds(id).unwrap().min.units(), [96.0, 48.0]); // centred
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn anchored(mut self, anchor: impl Into<Vec2>) -> Result<Self> {
        self.anchor = anchor.into().snap("anchor", MAX_ANCHOR)?;
        Ok(self)
    }

    /// Returns the anchor, in units.
    ///
    /// ```
    /// use hitmask::Shape;
    ///
    /// assert_eq!(Shape::circle(1.0)?.anchored([0.0, -1.0])?.anchor(), [0.0, -1.0].into());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn anchor(&self) -> Vec2 {
        self.anchor.units().into()
    }

    /// Returns the mask of a sprite; `None` for any other shape.
    ///
    /// ```
    /// assert!(hitmask::Shape::circle(1.0)?.mask().is_none());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn mask(&self) -> Option<&Mask> {
        match &self.geometry {
            Geometry::Sprite(mask) => Some(mask),
            Geometry::Convex { .. } => None,
        }
    }

    /// Returns the kind of the shape, as a word.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.geometry {
            Geometry::Sprite(_) => "sprite",
            Geometry::Convex { members, .. } if !members.is_empty() => "parts",
            Geometry::Convex { pieces, .. } => match pieces[0].len() {
                1 => "circle",
                2 => "capsule",
                _ => "polygon",
            },
        }
    }

    /// Returns the outline and the holes as they are stored: of a single piece the piece; empty for a sprite.
    pub(crate) fn rings(&self) -> &[Vec<Point>] {
        match &self.geometry {
            Geometry::Sprite(_) => &[],
            Geometry::Convex { pieces, rings, .. } if rings.is_empty() => pieces,
            Geometry::Convex { rings, .. } => rings,
        }
    }

    pub(super) fn convex(core: Vec<Point>, radius: i32) -> Self {
        let (pieces, nodes, seams, rings, members) = (vec![core], Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { geometry: Geometry::Convex { pieces, nodes, seams, rings, radius, members }, anchor: Point::ZERO }
    }
}

fn snap_all<P: Into<Vec2> + Copy>(field: &str, points: &[P]) -> Result<Vec<Point>> {
    let snap = |(i, &p): (usize, &P)| {
        let point: Vec2 = p.into();
        // The name of the point is made for an error only.
        point.snap(field, MAX_COORDINATE).or_else(|_| point.snap(&format!("{field}[{i}]"), MAX_COORDINATE))
    };
    points.iter().enumerate().map(snap).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(shape: Result<Shape>) -> String {
        shape.unwrap_err().to_string()
    }

    #[test]
    fn shapes_without_area_are_refused() {
        assert!(message(Shape::rect(0.0, 5.0)).contains("`box` is [0, 5]; it must have sides"));
        assert!(message(Shape::rect(5.0, -1.0)).contains("`box` is [5, -1]"));
        assert!(message(Shape::circle(0.0)).contains("`circle` is 0"));
        assert!(message(Shape::capsule([0.0, 0.0], [5.0, 0.0], -1.0)).contains("`capsule.radius` is -1"));
        assert!(message(Shape::capsule([5.0, 0.0], [5.0, 0.0], 0.0)).contains("with neither length nor radius"));
        assert!(message(Shape::polygon(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]])).contains("no area"));
    }

    #[test]
    fn numbers_outside_are_refused() {
        assert_eq!(message(Shape::circle(16385.0)), "`circle` is 16385; it must be 1/256 to 16384 units");
        assert!(message(Shape::circle(f64::NAN)).contains("NaN"));
        assert!(message(Shape::rect(1.0, f64::INFINITY)).contains("inf"));
        let far = Shape::circle(1.0).unwrap().anchored([0.0, 16385.0]);
        assert!(message(far).contains("`anchor.y` is 16385"));
        assert!(message(Shape::polygon(&[[0.0, 0.0], [1.0, 0.0], [f64::NAN, 2.0]])).contains("`polygon[2].x` is NaN"));
    }

    #[test]
    fn only_a_convex_outline_is_rounded() {
        let chevron = [[0.0, 0.0], [4.0, 4.0], [8.0, 0.0], [4.0, 9.0]];
        assert!(message(Shape::rounded_polygon(&chevron, 1.0)).contains("concave"));
        assert!(Shape::rounded_polygon(&chevron, 0.0).is_ok());
        assert!(
            message(Shape::rounded_polygon(&[[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]], -1.0)).contains("`radius` is -1")
        );
    }
}
