//! The way of a moving sprite, in whole pixels; twin of `shaders/shared/path.wgsl`.

use crate::ground::lattice::Point;

/// A path from `(0, 0)` to a motion, rounded to whole pixels, through every pixel that the straight line crosses.
///
/// From `(i, j)` steps taken, the next is in x where `(1 + 2i) |J| <= (1 + 2j) |I|`: where the line from the centre of its
/// first pixel leaves its pixel through a side, not through the top or bottom. `error` is the difference of the two, as
/// Bresenham keeps it.
///
/// ```text
///   +---+---+---+---+
///   | 0 | 1 |   |   |     (I, J) = (3, 1):
///   +---+---+---+---+     x, then x or y where the line passes the corner: x, then y, then x
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Path {
    /// Steps left in x and in y.
    left: [i32; 2],
    /// Twice the steps in x and in y of the whole path.
    twice: [i32; 2],
    /// The direction of a step in x and in y.
    sign: [i32; 2],
    error: i32,
    /// Where the path is, in pixels from its start.
    pub at: [i32; 2],
    /// The number of steps taken.
    pub taken: u32,
}

impl Path {
    /// The path of a motion in lattice steps.
    #[must_use]
    pub fn new(motion: Point) -> Self {
        let end = Self::end(motion);
        let [i, j] = end.map(i32::abs);
        Self { left: [i, j], twice: [2 * i, 2 * j], sign: end.map(i32::signum), error: j - i, at: [0, 0], taken: 0 }
    }

    /// Where the path of a motion ends, in pixels from its start.
    #[must_use]
    pub fn end(motion: Point) -> [i32; 2] {
        [(motion.x + 128) >> 8, (motion.y + 128) >> 8]
    }

    /// The path from where it first is at least so many pixels off in x and in y, whichever way it goes; nothing where it never is.
    #[must_use]
    pub fn from_least(motion: Point, least: [i32; 2]) -> Option<Self> {
        let path = Self::new(motion);
        let ([i, j], [x, y]) = (path.left, least.map(|v| v.max(0)));
        if x > i || y > j {
            return None;
        }
        // The steps in y before the x-th in x, and the steps in x before the y-th in y: of two at once that in x is first.
        let before = |count: i32, earlier: &dyn Fn(i64) -> bool| {
            let (mut low, mut high) = (0, count);
            while low < high {
                let middle = i32::midpoint(low, high);
                if earlier(1 + 2 * i64::from(middle)) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            low
        };
        let [wide_i, wide_j, x_odd, y_odd] = [i, j, 2 * x - 1, 2 * y - 1].map(i64::from);
        let down = before(j, &|odd| odd * wide_i < x_odd * wide_j);
        let across = before(i, &|odd| odd * wide_j <= y_odd * wide_i);
        Some(path.after(if x > 0 && down >= y {
            [x, down]
        } else if y > 0 {
            [across, y]
        } else {
            [0, 0]
        }))
    }

    /// The path after steps in x and in y that lie on it.
    fn after(mut self, [i, j]: [i32; 2]) -> Self {
        let odd = |steps: i32, other: i32| (1 + 2 * i64::from(steps)) * i64::from(other);
        self.error = (odd(i, self.left[1]) - odd(j, self.left[0])) as i32;
        self.left = [self.left[0] - i, self.left[1] - j];
        self.at = [self.sign[0] * i, self.sign[1] * j];
        self.taken = (i + j) as u32;
        self
    }

    /// The number of steps of the whole path, at least 1: the denominator of its times.
    #[must_use]
    pub fn steps(&self) -> u32 {
        ((self.twice[0] + self.twice[1]) as u32 / 2).max(1)
    }

    /// Takes a step; false at the end.
    pub fn step(&mut self) -> bool {
        let [x, y] = self.left;
        if x == 0 && y == 0 {
            return false;
        }
        if (self.error <= 0 && x > 0) || y == 0 {
            self.left[0] -= 1;
            self.at[0] += self.sign[0];
            self.error += self.twice[1];
        } else {
            self.left[1] -= 1;
            self.at[1] += self.sign[1];
            self.error -= self.twice[0];
        }
        self.taken += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule of the contract, to the letter.
    fn plain(motion: Point) -> Vec<[i32; 2]> {
        let (ends, mut i, mut j) = ([(motion.x + 128) >> 8, (motion.y + 128) >> 8], 0, 0);
        let [end_i, end_j] = ends.map(|v| i64::from(v.abs()));
        let mut offsets = vec![[0, 0]];
        while (i, j) != (end_i, end_j) {
            if ((1 + 2 * i) * end_j <= (1 + 2 * j) * end_i && i < end_i) || j == end_j {
                i += 1;
            } else {
                j += 1;
            }
            offsets.push([ends[0].signum() * i as i32, ends[1].signum() * j as i32]);
        }
        offsets
    }

    #[test]
    fn a_path_begins_where_it_is_first_far_enough() {
        for (x, y) in [(4000, 900), (-900, 4000), (2560, 2560), (0, -3000), (3000, 0), (-700, -50), (0, 0)] {
            let motion = Point::new(x, y);
            for least in [[0, 0], [1, 0], [0, 1], [3, 2], [-4, 3], [2, 8], [10, 10], [11, 1], [4, -1]] {
                let mut path = Some(Path::new(motion));
                while let Some(mut at) = path.filter(|path| (0..2).any(|axis| path.at[axis].abs() < least[axis])) {
                    path = at.step().then_some(at);
                }
                let begun = Path::from_least(motion, least);
                let state = |path: Option<Path>| path.map(|path| (path.at, path.taken, path.left, path.error));
                assert_eq!(state(begun), state(path), "({x}, {y}) from {least:?}");
            }
        }
    }

    #[test]
    fn the_running_error_follows_the_rule() {
        for x in (-4000..4000).step_by(391) {
            for y in (-4000..4000).step_by(127) {
                let mut path = Path::new(Point::new(x, y));
                let mut offsets = vec![path.at];
                while path.step() {
                    offsets.push(path.at);
                }
                assert_eq!(offsets, plain(Point::new(x, y)), "({x}, {y})");
                assert_eq!(path.steps(), path.taken.max(1));
            }
        }
    }
}
