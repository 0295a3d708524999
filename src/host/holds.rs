//! The test that one body lies entirely within another.

use super::cover::{self, Solid};
use super::runs::{Rows, Run};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::sorting::sort_by_key;
use crate::ground::touch::Touch;
use crate::world::World;
use crate::world::body::BodyId;
use crate::world::packed::{Body, EMPTY, OFF, Packed, SPRITE};
use crate::world::pose::land;

impl World {
    /// Returns whether `inner` lies entirely within `outer`, for example a ship within the screen or a tank within a
    /// zone. Both bodies stand as at the start of the step. Layers, masks and groups are ignored.
    ///
    /// Every point of the inner body must lie in the outer one, its border included. The answer is exact.
    ///
    /// - A sprite consists of the squares of its painted pixels. It holds another sprite if it paints every pixel that
    ///   the other paints, and any other body if it paints every pixel that the body reaches into.
    /// - The area of a polygon excludes its holes; its pieces count together. In a shape of several parts, a single
    ///   part must hold the whole inner body.
    /// - A body that is switched off or empty, or has landed without an interior, holds nothing and lies within
    ///   nothing.
    ///
    /// The time grows with the number of pieces and runs of pixels of the inner body, each times the number of the
    /// outer body's pieces. Only if seams of the outer body land apart, it is the square of the number of those near.
    ///
    /// Returns [`Error::Gone`](crate::Error::Gone) for the handle of a removed body.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let zone = world.add_shape(Shape::polygon(&[[0, 0], [30, 0], [30, 10], [10, 10], [10, 30], [0, 30]])?)?;
    /// let ball = world.add_shape(Shape::circle(5.0)?)?;
    /// let zone = world.add(&Body::new(zone, [0, 0]))?;
    /// let [within, across] = [world.add(&Body::new(ball, [25, 5]))?, world.add(&Body::new(ball, [9, 9]))?];
    /// assert!(world.holds(zone, within)? && !world.holds(zone, across)?);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "contains")]
    pub fn holds(&self, outer: BodyId, inner: BodyId) -> Result<bool> {
        let [outer, inner] = [self.standing(outer)?, self.standing(inner)?];
        if [&outer, &inner].iter().any(|body| body.is(EMPTY) || body.is(OFF)) {
            return Ok(false);
        }
        let sets = if outer.is(SPRITE) { sprite_holds } else { pieces_hold };
        Ok(sets(self.packed(), &outer, &inner))
    }
}

/// Returns whether a sprite paints all pixels that a body paints or reaches into.
fn sprite_holds(packed: &Packed, outer: &Body, inner: &Body) -> bool {
    let mut ours = Rows::sprite(packed, outer, Touch::Excluded);
    let mut theirs = if inner.is(SPRITE) {
        Rows::sprite(packed, inner, Touch::Excluded)
    } else {
        let has_interior = |piece: &land::Piece| !piece.is_segment;
        Rows::convex(land::pieces(packed, inner).into_iter().filter(has_interior).collect(), Touch::Excluded)
    };
    let mut has_pixels = false;
    let Aabb { min, max } = theirs.pixels();
    (min.y..max.y).all(|y| {
        let (ours, theirs) = (ours.row(y), theirs.row(y));
        has_pixels |= !theirs.is_empty();
        theirs.iter().all(|&run| within(ours, run))
    }) && has_pixels
}

/// Returns whether one of several runs, from left to right, contains a run.
fn within(runs: &[Run], [start, end]: Run) -> bool {
    let next = runs.partition_point(|run| run[1] <= start);
    runs.get(next).is_some_and(|run| run[0] <= start && end <= run[1])
}

/// Returns whether one part of a body holds all of another body.
fn pieces_hold(packed: &Packed, outer: &Body, inner: &Body) -> bool {
    let theirs = if inner.is(SPRITE) { runs(packed, inner) } else { solids(&land::pieces(packed, inner)) };
    let mut pieces = land::pieces_near(packed, outer, &inner.reach());
    sort_by_key(&mut pieces, |piece| piece.part);
    let holds = |part: &[land::Piece]| {
        let ours = solids(part);
        let bounds: Vec<Aabb> = ours.iter().map(Solid::bounds).collect();
        theirs.iter().all(|solid| {
            let inner = solid.bounds();
            let near = ours.iter().zip(&bounds).filter(|(_, outer)| outer.meets(&inner, Touch::Excluded));
            let near: Vec<&Solid> = near.map(|(ours, _)| ours).collect();
            // Only a piece that is a part by itself has a radius.
            near.iter().any(|ours| ours.holds(solid)) || (near.len() > 1 && cover::hold(&near, solid))
        })
    };
    !theirs.is_empty() && pieces.chunk_by(|a, b| a.part == b.part).any(holds)
}

/// Returns the pieces that have an interior.
fn solids(pieces: &[land::Piece]) -> Vec<Solid> {
    pieces.iter().filter_map(|piece| Solid::new(&piece.vertices, piece.radius)).collect()
}

/// Returns the runs of painted pixels of a sprite.
fn runs(packed: &Packed, sprite: &Body) -> Vec<Solid> {
    let mut rows = Rows::sprite(packed, sprite, Touch::Excluded);
    let Aabb { min, max } = rows.pixels();
    let mut solids = Vec::new();
    for y in min.y..max.y {
        solids.extend(rows.row(y).iter().filter_map(|&[left, right]| {
            let corner = |x: i32, y: i32| Point::new(x << 8, y << 8);
            Solid::new(&[corner(left, y), corner(right, y), corner(right, y + 1), corner(left, y + 1)], 0)
        }));
    }
    solids
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Error, Linear, Mask, Part, Shape};

    /// Adds a body of a shape, and returns its handle.
    fn add(world: &mut World, shape: Shape, at: [f64; 2], degrees: f64) -> BodyId {
        let shape = world.add_shape(shape).unwrap();
        world.add(&crate::Body::new(shape, at).posed(Linear::from_degrees(degrees))).unwrap()
    }

    fn rect(w: f64, h: f64) -> Shape {
        Shape::rect(w, h).unwrap()
    }

    #[test]
    fn a_body_of_each_kind_holds_itself_and_what_it_is_around() {
        let mask = Mask::from_rows(&["####", "#..#", "####"]).unwrap();
        let ring = [[0, 0], [20, 0], [20, 20], [0, 20]];
        let hole: &[[i32; 2]] = &[[8, 8], [12, 8], [12, 12], [8, 12]];
        let shapes = [
            (rect(8.0, 6.0), true),
            (Shape::circle(4.5).unwrap(), true),
            (Shape::capsule([0, 0], [7, 2], 1.5).unwrap(), true),
            (Shape::polygon_with_holes(&ring, &[hole]).unwrap(), true),
            (Shape::rounded_polygon(&ring, 1.25).unwrap(), true),
            (Shape::sprite(mask), true),
            (Shape::chain(&[[0, 0], [9, 0], [9, 9]], 1.0, false).unwrap(), false),
        ];
        for (shape, is_one) in shapes {
            for degrees in [0.0, 33.0] {
                let mut world = World::default();
                let body = add(&mut world, shape.clone(), [3.25, -7.5], degrees);
                assert_eq!(world.holds(body, body).unwrap(), is_one, "{shape:?}, {degrees}");
                let around = add(&mut world, rect(200.0, 200.0), [-100.0, -100.0], 0.0);
                let sky =
                    add(&mut world, Shape::sprite(Mask::from_fn(200, 200, |_, _| true).unwrap()), [-100.0; 2], 0.0);
                for outer in [around, sky] {
                    assert!(world.holds(outer, body).unwrap() && !world.holds(body, outer).unwrap(), "{shape:?}");
                }
            }
        }
    }

    #[test]
    fn a_hole_a_missing_pixel_and_a_seam_between_parts_count() {
        let mut world = World::default();
        let ring = [[0, 0], [20, 0], [20, 20], [0, 20]];
        let hole: &[[i32; 2]] = &[[8, 8], [12, 8], [12, 12], [8, 12]];
        let frame = add(&mut world, Shape::polygon_with_holes(&ring, &[hole]).unwrap(), [0.0, 0.0], 0.0);
        let [beside, at_edge, over] = [[10.0, 4.0], [10.0, 4.0 + 1.0 / 256.0], [10.0, 10.0]]
            .map(|at| add(&mut world, Shape::circle(4.0).unwrap(), at, 0.0));
        assert_eq!([beside, at_edge, over].map(|id| world.holds(frame, id).unwrap()), [true, false, false]);
        let large = add(&mut world, rect(20.0, 20.0), [0.0, 0.0], 0.0);
        assert!(!world.holds(frame, large).unwrap() && world.holds(large, frame).unwrap());

        let rows = Shape::sprite(Mask::from_rows(&["###", "##.", "###"]).unwrap());
        let sprite = add(&mut world, rows, [100.0, 100.0], 0.0);
        let fits = add(&mut world, rect(2.0, 3.0), [100.0, 100.0], 0.0);
        let reaches = add(&mut world, rect(2.0 + 1.0 / 256.0, 3.0), [100.0, 100.0], 0.0);
        assert!(world.holds(sprite, fits).unwrap() && !world.holds(sprite, reaches).unwrap());

        let half = rect(4.0, 4.0);
        let halves = [Part::new(half.clone(), [0, 0]), Part::new(half, [4, 0])];
        let halves = add(&mut world, Shape::parts(&halves).unwrap(), [200.0, 0.0], 0.0);
        let [left, middle] = [0.0, 2.0].map(|x| add(&mut world, rect(4.0, 4.0), [200.0 + x, 0.0], 0.0));
        assert!(world.holds(halves, left).unwrap() && !world.holds(halves, middle).unwrap());
    }

    #[test]
    fn a_body_that_is_off_or_gone() {
        let mut world = World::default();
        let [a, b] = [4.0, 2.0].map(|side| add(&mut world, rect(side, side), [0.0, 0.0], 0.0));
        assert!(world.holds(a, b).unwrap() && !world.holds(b, a).unwrap());
        world.set_enabled(b, false).unwrap();
        assert!(!world.holds(a, b).unwrap() && !world.holds(b, b).unwrap());
        world.set_enabled(b, true).unwrap();
        world.set(b, &world.body(b).unwrap().posed(Linear::scaled(0.0))).unwrap();
        assert!(!world.holds(a, b).unwrap(), "empty");
        world.remove(b).unwrap();
        for (outer, inner) in [(a, b), (b, a)] {
            assert!(matches!(world.holds(outer, inner), Err(Error::Gone { .. })));
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        /// Sprites by their painted pixels, one by one; the corners of pixels by lookups of points.
        #[test]
        fn sprites_are_held_pixel_by_pixel(
            rows in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.9), 9), 9),
            inner in prop::collection::vec(prop::collection::vec(prop::bool::weighted(0.5), 3), 3),
            at in [-1.0..8.0, -1.0..8.0_f64], degrees in 0.0..360.0,
        ) {
            let mask = |rows: &[Vec<bool>]| {
                Mask::from_fn(rows[0].len() as u32, rows.len() as u32, |x, y| rows[y as usize][x as usize]).unwrap()
            };
            let mut world = World::default();
            let [outer, inner] = [
                add(&mut world, Shape::sprite(mask(&rows)), [0.0, 0.0], degrees / 8.0),
                add(&mut world, Shape::sprite(mask(&inner)), at, degrees),
            ];
            let pixels = |id: BodyId| -> Vec<[i32; 2]> {
                let Some((mask, [left, top])) = world.painted(id).unwrap() else { return Vec::new() };
                let all = (0..mask.height()).flat_map(|y| (0..mask.width()).map(move |x| [x, y]));
                all.filter(|&[x, y]| mask.get(x, y)).map(|[x, y]| [left + x as i32, top + y as i32]).collect()
            };
            let (ours, theirs) = (pixels(outer), pixels(inner));
            let expected = !theirs.is_empty() && theirs.iter().all(|pixel| ours.contains(pixel));
            prop_assert_eq!(world.holds(outer, inner).unwrap(), expected);

            let zone = Shape::polygon(&[[0, 0], [9, 0], [9, 4], [5, 4], [5, 9], [0, 9]]).unwrap();
            let zone = add(&mut world, zone, [0.5, 0.5], degrees);
            let is_in = |[x, y]: [i32; 2]| {
                let corners = [[x, y], [x + 1, y], [x, y + 1], [x + 1, y + 1]].map(|at| at.map(f64::from));
                corners.iter().all(|&at| world.bodies_at(at).unwrap().contains(&zone))
            };
            let held = world.holds(zone, inner).unwrap();
            prop_assert!(!held || theirs.iter().all(|&pixel| is_in(pixel)));
            let shared = world.holds(zone, outer).unwrap();
            prop_assert!(!shared || ours.iter().all(|&pixel| is_in(pixel)));
        }
    }

    /// Hills over a plain that is cut into slivers, each as long as the plain. Some seams land apart when they are
    /// turned.
    #[test]
    fn a_large_body_lies_within_a_polygon_of_thousands_of_pieces() {
        const COUNT: i32 = 3000;
        let top = (0..=COUNT).map(|k| [f64::from(k), f64::from(k * 7919 % 13) / 4.0 - 5.0 * f64::from(k % 2)]);
        let outline: Vec<[f64; 2]> = top.chain([[f64::from(COUNT), 1000.0], [0.0, 1000.0]]).collect();
        for degrees in [0.0, 33.0] {
            let mut world = World::default();
            let hills = add(&mut world, Shape::polygon(&outline).unwrap(), [0.0, 0.0], degrees);
            let turned = Linear::from_degrees(degrees);
            let mut held = |shape: Shape, at: [f64; 2]| {
                let at: [f64; 2] = (turned * crate::geometry::Vec2::from(at)).into();
                let inner = add(&mut world, shape, at, degrees);
                world.holds(hills, inner).unwrap()
            };
            assert!(held(rect(2900.0, 900.0), [50.0, 50.0]) && held(Shape::circle(400.0).unwrap(), [1500.0, 500.0]));
            assert!(!held(rect(2900.0, 900.0), [50.0, 0.5]) && !held(Shape::circle(400.0).unwrap(), [1500.0, 400.5]));
        }
    }
}
