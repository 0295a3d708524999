//! Measurements of a mask: its area, bounds, centroid and principal axis.

use super::Mask;
use crate::bits::row;

impl Mask {
    /// Returns the number of solid texels.
    ///
    /// ```
    /// assert_eq!(hitmask::Mask::from_rows(&["..#", "###"])?.count(), 4);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "area")]
    #[must_use]
    pub fn count(&self) -> u64 {
        count(&self.words)
    }

    /// Returns the number of solid texels in a rectangle, `[x, y, width, height]` in texels. The rectangle may have any
    /// value; outside the mask no texel is solid.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["..#", "###"])?;
    /// assert_eq!(mask.count_in([1, 0, 2, 2]), 3);
    /// assert_eq!(mask.count_in([-5, 1, 7, 99]), 2);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn count_in(&self, rectangle: [i32; 4]) -> u64 {
        let clipped = self.clip(rectangle);
        if clipped.columns.is_empty() || clipped.rows.is_empty() {
            return 0;
        }
        let words = row::words(&clipped.columns);
        let past = |row: &[u64]| {
            let [first, last] = [row[words.start], row[words.end - 1]];
            let before = first & !(u64::MAX << (clipped.columns.start % 64));
            let behind = last & !(u64::MAX >> (63 - (clipped.columns.end - 1) % 64));
            u64::from(before.count_ones() + behind.count_ones())
        };
        clipped.rows.map(|y| self.row(y)).map(|row| count(&row[words.clone()]) - past(row)).sum()
    }

    /// Returns the bounding box of all solid texels, `[x, y, width, height]` in texels; `None` for an empty mask.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["....", ".#..", "..#."])?;
    /// assert_eq!(mask.bounds(), Some([1, 1, 2, 2]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn bounds(&self) -> Option<[u32; 4]> {
        let solid = |row: &[u64]| row.iter().any(|&word| word != 0);
        let top = self.rows().position(solid)?;
        let bottom = self.rows().rposition(solid)?;
        // The projection of all rows: the columns that are solid in any row.
        let mut shadow = vec![0; self.stride as usize];
        for row in self.rows() {
            for (column, word) in shadow.iter_mut().zip(row) {
                *column |= word;
            }
        }
        let columns = row::extent(&shadow)?;
        Some([columns.start, top as u32, columns.len() as u32, (bottom - top) as u32 + 1])
    }

    /// Returns the centre of mass of the solid texels, in texels: the mean of their centres, where the centre of texel
    /// `(i, j)` is `(i + 1/2, j + 1/2)`. Returns `None` for an empty mask. It is exact except for one rounding to
    /// `f64`.
    ///
    /// pygame's `centroid` is this value less 1/2, rounded down.
    ///
    /// ```
    /// let mask = hitmask::Mask::from_rows(&["##.", "##.", "..."])?;
    /// assert_eq!(mask.centroid(), Some([1.0, 1.0]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "center_of_mass")]
    #[must_use]
    pub fn centroid(&self) -> Option<[f64; 2]> {
        let Moments { count, x, y, .. } = self.moments();
        let mean = |sum: u64| (2 * sum + count) as f64 / (2 * count) as f64;
        (count > 0).then(|| [mean(x), mean(y)])
    }

    /// Returns the direction of the principal axis, along which the solid texels extend farthest, in degrees, above -90
    /// and at most 90. A positive angle turns +x toward +y, as in
    /// [`Linear::from_degrees`](crate::Linear::from_degrees). Returns `None` if no axis is longest, as for an empty
    /// mask, a single texel, a square or a disc.
    ///
    /// It is the angle of the second central moments, `atan2(2 m11, m20 - m02) / 2` (Hu, "Visual pattern recognition by
    /// moment invariants", IRE Transactions on Information Theory, 1962). The moments are exact integers. The arc
    /// tangent is that of the `libm` crate, the same on every platform. pygame's `angle` has the opposite sign, is off
    /// by the rounding of its centroid, and is 0 where this returns `None`.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// assert_eq!(Mask::from_rows(&["#..", ".#.", "..#"])?.angle(), Some(45.0)); // down to the right
    /// assert_eq!(Mask::from_rows(&["#", "#"])?.angle(), Some(90.0));
    /// assert_eq!(Mask::from_rows(&["##", "##"])?.angle(), None);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "orientation")]
    #[must_use]
    pub fn angle(&self) -> Option<f64> {
        let Moments { count, x, y, xx, xy, yy } = self.moments();
        let [count, x, y, xx, xy, yy] = [count, x, y, xx, xy, yy].map(i128::from);
        // The central moments times the square of the number of texels, below 2^78.
        let [xx, xy, yy] = [count * xx - x * x, count * xy - x * y, count * yy - y * y];
        let degrees = || libm::atan2((2 * xy) as f64, (xx - yy) as f64).to_degrees() / 2.0;
        (xy != 0 || xx != yy).then(degrees)
    }

    fn moments(&self) -> Moments {
        let mut sum = Moments::default();
        for y in 0..self.height {
            let [mut count, mut x, mut xx] = [0; 3];
            for run in self.runs(y) {
                let [start, end] = [run.start, run.end].map(u64::from);
                // The sums of the numbers up to `k`, and of their squares.
                let [linear, square] = [|k: u64| k * (k + 1) / 2, |k: u64| k * (k + 1) * (2 * k + 1) / 6];
                count += end - start;
                x += linear(end - 1) - start.checked_sub(1).map_or(0, linear);
                xx += square(end - 1) - start.checked_sub(1).map_or(0, square);
            }
            let y = u64::from(y);
            sum.count += count;
            sum.x += x;
            sum.y += y * count;
            sum.xx += xx;
            sum.xy += y * x;
            sum.yy += y * y * count;
        }
        sum
    }
}

/// Sums over all solid texels `(x, y)`. A mask has at most 2^26 of them, and their coordinates are below 2^13.
#[derive(Default)]
struct Moments {
    count: u64,
    x: u64,
    y: u64,
    xx: u64,
    xy: u64,
    yy: u64,
}

fn count(words: &[u64]) -> u64 {
    words.iter().map(|word| u64::from(word.count_ones())).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_masks, holds, largest, rectangles};
    use super::*;

    fn solid(mask: &Mask) -> Vec<[u32; 2]> {
        (0..mask.height()).flat_map(|y| mask.runs(y).flatten().map(move |x| [x, y])).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn counts_are_those_of_the_texels(mask in any_masks(), rectangle in rectangles()) {
            let texels = solid(&mask);
            prop_assert_eq!(mask.count(), texels.len() as u64);
            let within = texels.iter().filter(|[x, y]| holds(rectangle, *x, *y)).count() as u64;
            prop_assert_eq!(mask.count_in(rectangle), within);
            let (mut inside, mut outside) = (mask.clone(), mask.clone());
            outside.erase_rect(rectangle);
            inside.xor(&outside, [0, 0]);
            prop_assert_eq!([inside.count(), outside.count()], [within, mask.count() - within]);
            if let Ok(part) = mask.cropped(rectangle) {
                prop_assert_eq!(part.count(), within);
            }
        }

        #[test]
        fn moments_are_those_of_the_texels(mask in any_masks()) {
            let texels = solid(&mask);
            let sum = |of: fn(u64, u64) -> u64| texels.iter().map(|&[x, y]| of(x.into(), y.into())).sum::<u64>();
            let Moments { count, x, y, xx, xy, yy } = mask.moments();
            prop_assert_eq!([count, x, y], [sum(|_, _| 1), sum(|x, _| x), sum(|_, y| y)]);
            prop_assert_eq!([xx, xy, yy], [sum(|x, _| x * x), sum(|x, y| x * y), sum(|_, y| y * y)]);
        }
    }

    #[test]
    fn bounds_hold_every_solid_texel() {
        let mut mask = Mask::new(200, 50).unwrap();
        mask.set(70, 40, true).unwrap();
        assert_eq!(mask.bounds(), Some([70, 40, 1, 1]));
        mask.set(199, 3, true).unwrap();
        assert_eq!(mask.bounds(), Some([70, 3, 130, 38]));
        mask.set(0, 49, true).unwrap();
        assert_eq!(mask.bounds(), Some([0, 3, 200, 47]));
    }

    #[test]
    fn the_centroid_moves_with_the_mask() {
        assert_eq!(Mask::new(70, 3).unwrap().centroid(), None);
        assert_eq!(largest().centroid(), Some([4096.0, 4096.0]));
        let blob = Mask::from_rows(&["##..", "####", ".#.."]).unwrap();
        let [x, y] = blob.centroid().unwrap();
        assert_eq!([x, y], [8.0 / 7.0 + 0.5, 6.0 / 7.0 + 0.5]);
        let mut moved = Mask::new(300, 99).unwrap();
        moved.draw(&blob, [130, 64]);
        let [u, v] = moved.centroid().unwrap();
        assert!((u - x - 130.0).abs() < 1e-12 && (v - y - 64.0).abs() < 1e-12);
    }

    #[test]
    fn the_angle_is_that_of_the_longest_axis() {
        let angle = |rows: &[&str]| Mask::from_rows(rows).unwrap().angle();
        assert_eq!(angle(&["....", "...."]), None);
        assert_eq!(angle(&["....", ".#.."]), None);
        assert_eq!(angle(&["####", "####"]), Some(0.0));
        assert_eq!(angle(&["##", "##", "##"]), Some(90.0));
        assert_eq!(angle(&["..#", ".#.", "#.."]), Some(-45.0));
        assert_eq!(largest().angle(), None);
        assert_eq!(largest().cropped([0, 0, 8192, 8191]).unwrap().angle(), Some(0.0));
        // Draws a bar in each direction as a polygon.
        for degrees in (-89..=90).step_by(7) {
            let [dx, dy] = crate::Linear::from_degrees(degrees.into()).x.map(|v| 200.0 * v);
            // `Linear::x` is the first row: cos and -sin.
            let [along, across] = [[dx, -dy], [dy / 20.0, dx / 20.0]];
            let corner = |s: f64, t: f64| [s * along[0] + t * across[0] + 256.0, s * along[1] + t * across[1] + 256.0];
            let mut mask = Mask::new(512, 512).unwrap();
            mask.draw_polygon(&[corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0), corner(-1.0, 1.0)]).unwrap();
            let angle = mask.angle().unwrap();
            assert!((angle - f64::from(degrees)).abs() < 0.2, "{angle} for {degrees}");
        }
    }
}
