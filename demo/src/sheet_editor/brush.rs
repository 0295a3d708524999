//! Brushes: stamps of pixels, and the line of a stroke.

use hitmask::Mask;

/// The largest brush, in pixels.
pub(crate) const LARGEST: u32 = 64;

/// Makes a round brush of a diameter in pixels.
pub(crate) fn round(diameter: u32) -> hitmask::Result<Mask> {
    let middle = f64::from(diameter) / 2.0;
    Mask::from_fn(diameter, diameter, |x, y| {
        let [dx, dy] = [x, y].map(|v| f64::from(v) + 0.5 - middle);
        // Slightly less than the radius, so that small brushes have no single pixels at their ends.
        dx * dx + dy * dy <= middle * middle - 0.5 || diameter < 3
    })
}

/// Returns where a brush of a diameter has its top-left corner if its middle lies in a pixel.
pub(crate) fn offset(diameter: u32, [x, y]: [i32; 2]) -> [i32; 2] {
    let half = (diameter as i32 - 1) / 2;
    [x - half, y - half]
}

/// Returns the pixels of a line, both ends included.
pub(crate) fn line(from: [i32; 2], to: [i32; 2]) -> impl Iterator<Item = [i32; 2]> {
    let way = [0, 1].map(|axis| to[axis] - from[axis]);
    let count = way[0].abs().max(way[1].abs());
    (0..=count).map(move |k| {
        let at = |axis: usize| {
            let share = f64::from(k) / f64::from(count.max(1));
            from[axis] + (f64::from(way[axis]) * share).round() as i32
        };
        [at(0), at(1)]
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brushes_are_round_and_lie_about_their_pixel() {
        let rows = |diameter| round(diameter).unwrap().to_rows();
        assert_eq!(rows(1), ["#"]);
        assert_eq!(rows(2), ["##", "##"]);
        assert_eq!(rows(3), [".#.", "###", ".#."]);
        assert_eq!(rows(4), [".##.", "####", "####", ".##."]);
        assert_eq!([1, 2, 3, 4].map(|diameter| offset(diameter, [5, 5])), [[5, 5], [5, 5], [4, 4], [4, 4]]);
    }

    #[test]
    fn lines_have_no_gaps() {
        for to in [[0, 0], [7, 0], [-3, 9], [5, -5], [-8, -1]] {
            let pixels: Vec<_> = line([0, 0], to).collect();
            assert_eq!((pixels[0], pixels[pixels.len() - 1]), ([0, 0], to));
            let is_near = |pair: &[[i32; 2]]| (0..2).all(|axis| pair[0][axis].abs_diff(pair[1][axis]) <= 1);
            assert!(pixels.windows(2).all(is_near), "{pixels:?}");
        }
    }
}
