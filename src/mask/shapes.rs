//! Shapes drawn into a mask or erased from it: rectangles, discs and polygons, exact to the texel.
//!
//! Texel `(i, j)` is the square from `(i, j)` to `(i + 1, j + 1)`, with its centre at `(i + 1/2, j + 1/2)`. Coordinates
//! are snapped to 1/256 texel on entry; from there on all arithmetic is in integers.

use super::Mask;
use crate::bits::raster::{Disc, Polygon, Rectangle};
use crate::bits::stamp::Edit;
use crate::ground::error::Result;
use crate::ground::lattice::{MAX_COORDINATE, Point, snap_radius};
use crate::ground::vec2::Vec2;

impl Mask {
    /// Makes the texels of a rectangle solid, `[x, y, width, height]` in texels. The rectangle may have any value: the
    /// part outside the mask is ignored, and a rectangle whose width or height is 0 or less is empty.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::new(4, 3)?;
    /// assert_eq!(mask.draw_rect([-1, 1, 3, 9]), Some([0, 1, 2, 2]));
    /// assert_eq!(mask.to_rows(), ["....", "##..", "##.."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "fill_rect")]
    pub fn draw_rect(&mut self, rectangle: [i32; 4]) -> Option<[u32; 4]> {
        self.apply(Edit::Draw, self.clip(rectangle))
    }

    /// Makes the texels of a rectangle empty. It is the counterpart of [`Mask::draw_rect`].
    ///
    /// ```
    /// let mut mask = hitmask::Mask::from_rows(&["###", "###"])?;
    /// assert_eq!(mask.erase_rect([1, 0, i32::MAX, 1]), Some([1, 0, 2, 1]));
    /// assert_eq!(mask.to_rows(), ["#..", "###"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "clear_rect")]
    pub fn erase_rect(&mut self, rectangle: [i32; 4]) -> Option<[u32; 4]> {
        self.apply(Edit::Erase, self.clip(rectangle))
    }

    /// Makes every texel solid whose centre lies inside a circle or on it. Centre and radius are in texels, snapped to
    /// 1/256. The disc may lie partly or wholly outside the mask.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did. Returns
    /// [`Error::Value`](crate::Error::Value), and changes nothing, for a centre outside ±2,097,151.996, for a radius
    /// below 0 or above 16,384, and for NaN.
    ///
    /// ```
    /// let mut mask = hitmask::Mask::new(5, 4)?;
    /// // The disc reaches from the centre of texel (2, 1) to the centres two texels away.
    /// assert_eq!(mask.draw_disc([2.5, 1.5], 2.0)?, Some([0, 0, 5, 4]));
    /// assert_eq!(mask.to_rows(), [".###.", "#####", ".###.", "..#.."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "circle")]
    pub fn draw_disc(&mut self, centre: impl Into<Vec2>, radius: f64) -> Result<Option<[u32; 4]>> {
        Ok(self.apply(Edit::Draw, self.disc(centre.into(), radius)?))
    }

    /// Makes every texel empty whose centre lies inside a circle or on it. It is the counterpart of
    /// [`Mask::draw_disc`].
    ///
    /// ```
    /// let mut ground = hitmask::Mask::from_rows(&["....", "####", "####"])?;
    /// assert_eq!(ground.erase_disc([2.0, 1.0], 1.0)?, Some([1, 1, 2, 1]));
    /// assert_eq!(ground.to_rows(), ["....", "#..#", "####"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn erase_disc(&mut self, centre: impl Into<Vec2>, radius: f64) -> Result<Option<[u32; 4]>> {
        Ok(self.apply(Edit::Erase, self.disc(centre.into(), radius)?))
    }

    /// Makes every texel solid whose centre lies inside a polygon, concave or not, of either winding. The outline, in
    /// texels snapped to 1/256, is closed from the last point to the first. It may lie partly or wholly outside the
    /// mask.
    ///
    /// A centre on an edge is inside if the polygon lies to the right of the edge, or below it. So if two polygons lie
    /// on either side of a common edge, each centre on it belongs to exactly one of them: they share no texel and leave
    /// none out. If an outline crosses itself, the even-odd rule applies: a point is inside if a ray from it crosses
    /// the outline an odd number of times.
    ///
    /// Returns the bounding box `[x, y, width, height]` of the texels that changed; `None` if none did, as for a
    /// polygon without area. Returns [`Error::Value`](crate::Error::Value), and changes nothing, if a coordinate is
    /// outside ±2,097,151.996 or NaN; the error names the point.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// // Centres on the diagonal have the first triangle on their right and the second on their left.
    /// let (mut above, mut below) = (Mask::new(4, 4)?, Mask::new(4, 4)?);
    /// assert_eq!(above.draw_polygon(&[[0, 0], [4, 0], [4, 4]])?, Some([0, 0, 4, 4]));
    /// assert_eq!(below.draw_polygon(&[[0, 0], [4, 4], [0, 4]])?, Some([0, 1, 3, 3]));
    /// assert_eq!(above.to_rows(), ["####", ".###", "..##", "...#"]);
    /// assert_eq!(below.to_rows(), ["....", "#...", "##..", "###."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "fill_polygon")]
    pub fn draw_polygon<P: Into<Vec2> + Copy>(&mut self, outline: &[P]) -> Result<Option<[u32; 4]>> {
        Ok(self.apply(Edit::Draw, self.polygon(outline)?))
    }

    /// Makes every texel empty whose centre lies inside a polygon. It is the counterpart of [`Mask::draw_polygon`].
    ///
    /// ```
    /// let mut mask = hitmask::Mask::from_rows(&["####", "####"])?;
    /// assert_eq!(mask.erase_polygon(&[[1.0, 0.0], [3.0, 0.0], [3.0, 2.0]])?, Some([1, 0, 2, 2]));
    /// assert_eq!(mask.to_rows(), ["#..#", "##.#"]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn erase_polygon<P: Into<Vec2> + Copy>(&mut self, outline: &[P]) -> Result<Option<[u32; 4]>> {
        Ok(self.apply(Edit::Erase, self.polygon(outline)?))
    }

    /// Returns the part of a rectangle that lies within this mask.
    pub(super) fn clip(&self, [x, y, width, height]: [i32; 4]) -> Rectangle {
        let within = |start: i32, length: i32, side: u32| {
            let end = i64::from(start) + i64::from(length.max(0));
            let [start, end] = [start.into(), end].map(|v| v.clamp(0, side.into()) as u32);
            start..end
        };
        Rectangle { columns: within(x, width, self.width), rows: within(y, height, self.height) }
    }

    fn disc(&self, centre: Vec2, radius: f64) -> Result<Disc> {
        let centre = centre.snap("centre", MAX_COORDINATE)?;
        Ok(Disc::new(self.size(), centre, snap_radius("radius", radius, 0)?))
    }

    fn polygon<P: Into<Vec2> + Copy>(&self, outline: &[P]) -> Result<Polygon> {
        // A point's name is made only if the point is refused.
        let snap = |(i, &point): (usize, &P)| {
            let point = point.into();
            point.snap("polygon", MAX_COORDINATE).or_else(|_| point.snap(&format!("polygon[{i}]"), MAX_COORDINATE))
        };
        let outline: Vec<Point> = outline.iter().enumerate().map(snap).collect::<Result<_>>()?;
        Ok(Polygon::new(self.size(), &outline))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_masks, difference, full, holds, large_masks, rectangles};
    use super::*;
    use crate::ground::error::Error;
    use crate::ground::lattice::snap;

    /// Checks an edit that draws and one that erases. `inside` tells whether a texel's centre lies inside.
    fn check(mask: &Mask, inside: impl Fn(u32, u32) -> bool, edit: impl Fn(&mut Mask, bool) -> Option<[u32; 4]>) {
        for solid in [true, false] {
            let mut edited = mask.clone();
            let changed = edit(&mut edited, solid);
            edited.validate();
            let expected = |x, y| if inside(x, y) { solid } else { mask.get(x, y) };
            let expected = Mask::from_fn(mask.width(), mask.height(), expected).unwrap();
            assert!(edited == expected, "{mask:?}, {solid}, {:?}", difference(&edited, &expected));
            assert_eq!(changed, difference(mask, &edited));
        }
    }

    fn check_rectangle(mask: &Mask, rectangle: [i32; 4]) {
        let edit = |mask: &mut Mask, solid| {
            if solid { mask.draw_rect(rectangle) } else { mask.erase_rect(rectangle) }
        };
        check(mask, |x, y| holds(rectangle, x, y), edit);
    }

    fn centre(x: u32, y: u32) -> [i128; 2] {
        [x, y].map(|v| i128::from(v) * 256 + 128)
    }

    fn check_disc(mask: &Mask, [x, y]: [f64; 2], radius: f64) {
        let [cx, cy, r] = [x, y, radius].map(|v| snap(v) as i128);
        let inside = |x, y| {
            let [x, y] = centre(x, y);
            (x - cx).pow(2) + (y - cy).pow(2) <= r * r
        };
        let edit = |mask: &mut Mask, solid| {
            if solid { mask.draw_disc([x, y], radius) } else { mask.erase_disc([x, y], radius) }.unwrap()
        };
        check(mask, inside, edit);
    }

    /// Returns whether a ray to the left from the centre crosses the outline an odd number of times. An edge's upper
    /// end is part of it, its lower end is not.
    fn is_inside(outline: &[[f64; 2]], x: u32, y: u32) -> bool {
        let [x, y] = centre(x, y);
        let fixed: Vec<_> = outline.iter().map(|p| p.map(|v| snap(v) as i128)).collect();
        let edges = fixed.iter().zip(fixed.iter().cycle().skip(1));
        let crossed = |(&[px, py], &[qx, qy]): (&[i128; 2], &[i128; 2])| {
            let down = (py <= y) != (qy <= y);
            // Right of the line through p and q, or on it.
            let side = (qx - px) * (y - py) - (x - px) * (qy - py);
            down && (side == 0 || (side < 0) == (qy > py))
        };
        edges.filter(|&edge| crossed(edge)).count() % 2 == 1
    }

    fn check_polygon(mask: &Mask, outline: &[[f64; 2]]) {
        let edit = |mask: &mut Mask, solid| {
            if solid { mask.draw_polygon(outline) } else { mask.erase_polygon(outline) }.unwrap()
        };
        check(mask, |x, y| is_inside(outline, x, y), edit);
    }

    /// Generates coordinates around a mask: on centres and corners of texels, near them, anywhere, and very far.
    fn coordinates(side: f64) -> impl Strategy<Value = f64> {
        let whole = -5..side as i32 + 5;
        prop_oneof![
            4 => whole.clone().prop_map(|v| f64::from(v) + 0.5),
            2 => whole.clone().prop_map(f64::from),
            2 => whole.prop_map(|v| f64::from(v) + 0.498),
            4 => -5.0..side + 5.0,
            1 => -2_000_000.0..2_000_000.0,
        ]
    }

    fn points() -> impl Strategy<Value = [f64; 2]> {
        (coordinates(200.0), coordinates(12.0)).prop_map(|(x, y)| [x, y])
    }

    fn far_points() -> impl Strategy<Value = [f64; 2]> {
        (coordinates(2600.0), coordinates(120.0)).prop_map(|(x, y)| [x, y])
    }

    fn radii() -> impl Strategy<Value = f64> {
        prop_oneof![4 => 0.0..30.0, 1 => Just(0.0), 2 => (0..20).prop_map(f64::from), 1 => 0.0..16384.0]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        #[test]
        fn rectangles_are_those_of_the_oracle(mask in any_masks(), rectangle in rectangles()) {
            check_rectangle(&mask, rectangle);
        }

        #[test]
        fn discs_hold_the_centres_within(mask in any_masks(), centre in points(), radius in radii()) {
            check_disc(&mask, centre, radius);
        }

        #[test]
        fn polygons_hold_the_centres_inside(mask in any_masks(), outline in prop::collection::vec(points(), 0..8)) {
            check_polygon(&mask, &outline);
        }

        /// A fan of triangles around a point covers its surroundings exactly once, whatever its spokes pass through.
        #[test]
        fn polygons_side_by_side_share_no_texel_and_leave_none_out(
            hub in points(), ends in prop::collection::vec(points(), 1..8),
        ) {
            let corners = [[-9.0, -9.0], [300.0, -9.0], [300.0, 40.0], [-9.0, 40.0]];
            let mut around: Vec<[f64; 2]> = corners.to_vec();
            around.extend(ends);
            // Sorted by direction from the snapped hub. The corners are the farthest points, so the fan goes all the
            // way around.
            let snapped = |p: [f64; 2]| p.map(|v| snap(v) as i64);
            let [hx, hy] = snapped(hub);
            let within = |[x, y]: [f64; 2]| (-9.0..300.0).contains(&x) && (-9.0..40.0).contains(&y);
            prop_assume!(within(hub));
            around.retain(|&p| snapped(p) != [hx, hy] && (within(p) || corners.contains(&p)));
            around.sort_by(|&p, &q| {
                let [[px, py], [qx, qy]] = [p, q].map(snapped).map(|[x, y]| [x - hx, y - hy]);
                let lower = |x: i64, y: i64| y > 0 || (y == 0 && x < 0);
                lower(px, py).cmp(&lower(qx, qy)).then((px * qy).cmp(&(py * qx)).reverse())
            });
            let mut covered = Mask::new(180, 12).unwrap();
            for (k, &p) in around.iter().enumerate() {
                let mut piece = Mask::new(180, 12).unwrap();
                piece.draw_polygon(&[hub, p, around[(k + 1) % around.len()]]).unwrap();
                prop_assert!(!covered.overlaps(&piece, [0, 0]), "{:?} around {:?}", around, hub);
                covered.draw(&piece, [0, 0]);
            }
            let mut whole = Mask::new(180, 12).unwrap();
            whole.draw_polygon(&around).unwrap();
            prop_assert!(covered == whole, "{:?} around {:?}", around, hub);
        }

        #[test]
        fn a_polygon_of_whole_texels_is_a_rectangle(
            mask in any_masks(), x in -20..200, y in -5..14, width in 0..90, height in 0..20,
        ) {
            let [left, top, right, bottom] = [x, y, x + width, y + height];
            let mut drawn = [mask.clone(), mask.clone(), mask];
            let [a, b, c] = &mut drawn;
            let changed = a.draw_rect([x, y, width, height]);
            // In both windings.
            let outline = [[left, top], [right, top], [right, bottom], [left, bottom]];
            prop_assert_eq!(b.draw_polygon(&outline).unwrap(), changed);
            prop_assert_eq!(c.draw_polygon(&outline.into_iter().rev().collect::<Vec<_>>()).unwrap(), changed);
            prop_assert!(a == b && a == c);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn large_masks_keep_their_blocks_right(
            mask in large_masks(), rectangle in [-100..2600, -50..120, -5..900, -5..100], disc in far_points(),
            radius in 0.0..400.0, outline in prop::collection::vec(far_points(), 3..6),
        ) {
            check_rectangle(&mask, rectangle);
            check_disc(&mask, disc, radius);
            check_polygon(&mask, &outline);
        }
    }

    #[test]
    fn a_centre_on_the_circle_is_within() {
        let disc = |centre: [f64; 2], radius: f64| {
            let mut mask = Mask::new(7, 7).unwrap();
            mask.draw_disc(centre, radius).unwrap();
            mask
        };
        assert_eq!(disc([3.5, 3.5], 0.0).bounds(), Some([3, 3, 1, 1]));
        assert_eq!(disc([3.5, 3.5], 2.0).bounds(), Some([1, 1, 5, 5]));
        assert_eq!(disc([3.5, 3.5], 2.0 - 1.0 / 256.0).bounds(), Some([2, 2, 3, 3]));
        // A 3-4-5 triangle: besides the texels on the axes, two lie on the circle.
        assert!(disc([0.5, 0.5], 5.0).get(3, 4) && disc([0.5, 0.5], 5.0).get(4, 3));
        assert!(!disc([0.5, 0.5], 5.0 - 1.0 / 256.0).get(3, 4));
        assert_eq!(disc([3.0, 3.0], 0.5).count(), 0);
    }

    #[test]
    fn what_cannot_be_drawn_is_refused_and_named() {
        let mut mask = full(5, 5);
        let message = |error: Error| error.to_string();
        let nan = f64::NAN;
        assert!(message(mask.erase_disc([nan, 0.0], 1.0).unwrap_err()).starts_with("`centre.x` is NaN"));
        assert!(message(mask.erase_disc([0.0, 3e6], 1.0).unwrap_err()).starts_with("`centre.y` is 3000000"));
        assert!(message(mask.erase_disc([0.0, 0.0], nan).unwrap_err()).starts_with("`radius` is NaN"));
        assert_eq!(
            message(mask.erase_disc([0.0, 0.0], -1.0).unwrap_err()),
            "`radius` is -1; it must be 0 to 16384 units"
        );
        assert!(message(mask.draw_disc([0.0, 0.0], 16385.0).unwrap_err()).contains("0 to 16384 units"));
        let outline = [[0.0, 0.0], [9.0, 9.0], [9.0, f64::INFINITY]];
        assert!(message(mask.erase_polygon(&outline).unwrap_err()).starts_with("`polygon[2].y` is inf"));
        assert!(mask == full(5, 5));
    }

    #[test]
    fn what_has_no_area_has_no_texel() {
        let mut mask = Mask::new(9, 9).unwrap();
        let none: [[f64; 2]; 0] = [];
        assert_eq!(mask.draw_polygon(&none).unwrap(), None);
        assert_eq!(mask.draw_polygon(&[[4.5, 4.5]]).unwrap(), None);
        assert_eq!(mask.draw_polygon(&[[0.5, 0.5], [8.5, 8.5]]).unwrap(), None);
        assert_eq!(mask.draw_polygon(&[[0.5, 0.5], [4.5, 4.5], [8.5, 8.5]]).unwrap(), None);
        assert_eq!(mask.draw_rect([0, 0, 5, 0]), None);
        assert_eq!(mask.draw_rect([5, 5, -3, 2]), None);
        assert_eq!(mask.draw_rect([i32::MAX, 0, i32::MAX, 5]), None);
        assert_eq!(mask.count(), 0);
        assert_eq!(mask.draw_rect([i32::MIN, i32::MIN, i32::MAX, i32::MAX]), None);
        assert_eq!(mask.draw_rect([-5, -5, i32::MAX, i32::MAX]), Some([0, 0, 9, 9]));
    }
}
