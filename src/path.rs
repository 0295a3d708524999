//! The way of a moving sprite, in whole pixels; twin of `shaders/path.wgsl`.

use crate::lattice::Point;

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
        let end = [(motion.x + 128) >> 8, (motion.y + 128) >> 8];
        let [i, j] = end.map(i32::abs);
        Self { left: [i, j], twice: [2 * i, 2 * j], sign: end.map(i32::signum), error: j - i, at: [0, 0], taken: 0 }
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
