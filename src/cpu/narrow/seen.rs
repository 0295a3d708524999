//! The offsets at which two sprites were compared, so that sprites that jitter relative to each other are not compared
//! at the same offset again. Twin of `shaders/shared/seen.wgsl`.

use crate::ground::lattice::Point;

/// The side of the square of offsets that are remembered. Two sprites stray by at most two pixels from their straight
/// relative path.
pub(crate) const SIDE: i32 = 8;

/// A bit for each offset in a square around the latest ones, set if sprites were compared there.
#[derive(Debug, Default)]
pub(super) struct Seen {
    corner: Point,
    bits: u64,
}

impl Seen {
    /// Inserts an offset. Returns whether it is new.
    pub(super) fn insert(&mut self, at: Point) -> bool {
        let Point { x, y } = at - self.corner;
        if !(0..SIDE).contains(&x) || !(0..SIDE).contains(&y) {
            // Offsets that were left behind do not recur.
            self.corner = at - Point::new(SIDE / 2, SIDE / 2);
            self.bits = 0;
        }
        let Point { x, y } = at - self.corner;
        let bit = 1 << (SIDE * y + x);
        let new = self.bits & bit == 0;
        self.bits |= bit;
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offset_is_new_once_while_it_is_near() {
        let mut seen = Seen::default();
        let offsets = [[0, 0], [1, 0], [0, 0], [1, 1], [1, 0], [100, -50], [101, -50], [100, -50]];
        let new = offsets.map(|[x, y]| seen.insert(Point::new(x, y)));
        assert_eq!(new, [true, true, false, true, false, true, true, false]);
    }
}
