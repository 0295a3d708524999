//! Masks that grow or shrink by a distance: dilation and erosion by a disc (Serra, "Image Analysis and Mathematical
//! Morphology", Academic Press, 1982).
//!
//! A disc of radius `r` is `2 floor(sqrt(r^2 - d^2)) + 1` texels wide in the row at distance `d` from its centre. So a
//! run of texels, grown by the disc, is in each row near it a run that is longer by that half width at both ends.

use super::{MAX_SIDE, Mask};
use crate::bits::row;
use crate::ground::error::{Error, Result};
use crate::ground::text::Number;

/// The half width of a disc in each of its rows, from the middle one down.
struct Disc(Vec<i64>);

impl Mask {
    /// Returns this mask grown by `radius` texels: a texel is solid if the centre of a solid texel of this mask lies
    /// within that distance of its own. The new mask is larger by `floor(radius)` texels on each side, so texel
    /// `(x, y)` of this mask is texel `(x + floor(radius), y + floor(radius))` of the new one.
    ///
    /// The time grows with the number of runs of solid texels times the radius. Returns [`Error::Value`] unless the
    /// radius is 0 to 8192, and [`Error::Mask`] if the new mask would have a side of more than 8192 texels.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&["#.", ".."])?;
    /// assert_eq!(mask.grown(1.0)?.to_rows(), [".#..", "###.", ".#..", "...."]);
    /// assert_eq!(mask.grown(1.5)?.to_rows(), ["###.", "###.", "###.", "...."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "dilate")]
    pub fn grown(&self, radius: f64) -> Result<Self> {
        let disc = Disc::new(radius)?;
        let margin = disc.0.len() as u32 - 1;
        let mut grown = Self::new(self.width + 2 * margin, self.height + 2 * margin)?;
        let margin = i64::from(margin);
        for y in 0..self.height {
            for run in self.runs(y) {
                let columns = [i64::from(run.start) + margin, i64::from(run.end) + margin];
                disc.stamp(&mut grown, columns, i64::from(y) + margin);
            }
        }
        Ok(grown.blocked())
    }

    /// Returns this mask shrunk by `radius` texels, in the same size: a texel stays solid if all texels whose centres
    /// lie within that distance of its own are solid. The texels outside the mask are empty.
    ///
    /// The time grows with the number of runs of empty texels times the radius. Returns [`Error::Value`] unless the
    /// radius is 0 to 8192.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let mask = Mask::from_rows(&["####", "####", "####"])?;
    /// assert_eq!(mask.shrunk(1.0)?.to_rows(), ["....", ".##.", "...."]);
    /// let grown = mask.grown(3.0)?.shrunk(3.0)?;
    /// assert_eq!(grown.cropped([3, 3, 4, 3])?, mask);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "erode")]
    pub fn shrunk(&self, radius: f64) -> Result<Self> {
        let disc = Disc::new(radius)?;
        let (width, height) = (i64::from(self.width), i64::from(self.height));
        // The empty texels, grown: those of the rows, those beside them, and the nearest row above and below.
        let mut lost = Self::empty(self.width, self.height);
        let far = 2 * i64::from(MAX_SIDE);
        for y in 0..self.height {
            let mut start = -far;
            for run in self.runs(y) {
                disc.stamp(&mut lost, [start, run.start.into()], y.into());
                start = run.end.into();
            }
            disc.stamp(&mut lost, [start, far], y.into());
        }
        for y in [-1, height] {
            disc.stamp(&mut lost, [0, width], y);
        }
        let mut shrunk = self.clone();
        shrunk.erase(&lost.blocked(), [0, 0]);
        Ok(shrunk)
    }
}

impl Disc {
    fn new(radius: f64) -> Result<Self> {
        if !(0.0..=f64::from(MAX_SIDE)).contains(&radius) {
            return Err(Error::value("radius", Number(radius), format!("lie within 0..={MAX_SIDE} texels")));
        }
        let half = |row: u32| {
            let left = radius * radius - f64::from(row).powi(2);
            // The root is rounded, so it may be one too large or too small.
            let root = left.sqrt().floor();
            let near = [root + 1.0, root, root - 1.0].into_iter();
            near.filter(|half| half * half <= left).map(|half| half as i64).next().unwrap_or(0)
        };
        Ok(Self((0..=radius as u32).map(half).collect()))
    }

    /// Makes the texels of `mask` solid that lie within the disc around the texels of a run in row `y`.
    fn stamp(&self, mask: &mut Mask, [start, end]: [i64; 2], y: i64) {
        let (width, height, stride) = (i64::from(mask.width), i64::from(mask.height), mask.stride as usize);
        let reach = self.0.len() as i64 - 1;
        for near in (y - reach).max(0)..(y + reach + 1).min(height) {
            let half = self.0[near.abs_diff(y) as usize];
            let columns = (start - half).clamp(0, width) as u32..(end + half).clamp(0, width) as u32;
            row::set(&mut mask.words[near as usize * stride..][..stride], columns);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::any_masks;
    use super::*;

    /// Returns whether any texel within a distance of one has a value; all outside the mask are empty.
    fn any_near(mask: &Mask, [x, y]: [i64; 2], radius: f64, solid: bool) -> bool {
        let reach = radius.ceil() as i64;
        let near = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| [dx, dy]));
        let mut near = near.filter(|[dx, dy]| ((dx * dx + dy * dy) as f64) <= radius * radius);
        let get = |x: i64, y: i64| {
            let [x, y] = [x, y].map(u32::try_from);
            x.is_ok_and(|x| y.is_ok_and(|y| mask.get(x, y)))
        };
        near.any(|[dx, dy]| get(x + dx, y + dy) == solid)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(300))]

        #[test]
        fn each_texel_is_as_defined(mask in any_masks(), radius in prop_oneof![0.0..6.0, (0_u32..6).prop_map(f64::from)]) {
            let (grown, shrunk) = (mask.grown(radius).unwrap(), mask.shrunk(radius).unwrap());
            grown.validate();
            shrunk.validate();
            let margin = radius as i64;
            prop_assert_eq!(grown.size(), mask.size().map(|v| v + 2 * margin as u32));
            prop_assert_eq!(shrunk.size(), mask.size());
            for y in 0..grown.height() {
                for x in 0..grown.width() {
                    let at = [x, y].map(|v| i64::from(v) - margin);
                    prop_assert_eq!(grown.get(x, y), any_near(&mask, at, radius, true), "grown {:?}", at);
                }
            }
            for y in 0..mask.height() {
                for x in 0..mask.width() {
                    let at = [x, y].map(i64::from);
                    prop_assert_eq!(shrunk.get(x, y), !any_near(&mask, at, radius, false), "shrunk {:?}", at);
                }
            }
        }
    }

    #[test]
    fn limits_are_told() {
        let mask = Mask::from_rows(&["#"]).unwrap();
        for radius in [-0.5, 8193.0, f64::NAN, f64::INFINITY] {
            for error in [mask.grown(radius), mask.shrunk(radius)] {
                let error = error.unwrap_err().to_string();
                assert!(error.starts_with("`radius` is ") && error.ends_with("lie within 0..=8192 texels"), "{error}");
            }
        }
        assert!(matches!(mask.grown(4096.0), Err(Error::Mask { .. })));
        assert_eq!(mask.grown(4095.0).unwrap().size(), [8191; 2]);
        assert_eq!(mask.grown(0.0).unwrap(), mask);
        assert_eq!(mask.shrunk(0.5).unwrap(), mask);
        assert_eq!(mask.shrunk(8192.0).unwrap().count(), 0);
    }
}
