//! Pixels as bits, a `u64` for each row of up to 64 pixels, and the test whether two sets share one.

/// Maximum number of pixels in a row.
pub(crate) const WIDTH: i32 = 64;

/// Rows of pixels in the world: bit `k` of row `r` is the pixel `(x + k, y + r)`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rows<'a> {
    /// The leftmost column.
    pub(crate) x: i32,
    /// The topmost row.
    pub(crate) y: i32,
    /// The rows, topmost first.
    pub(crate) bits: &'a [u64],
}

impl Rows<'_> {
    /// Returns whether some pixel is set in both. Shifts one row under the other, as bit masks usually do.
    pub(crate) fn meet(self, other: Self) -> bool {
        let dx = other.x - self.x;
        let top = self.y.max(other.y);
        let bottom = (self.y + self.bits.len() as i32).min(other.y + other.bits.len() as i32);
        if dx.abs() >= WIDTH || top >= bottom {
            return false;
        }
        let count = (bottom - top) as usize;
        let a = &self.bits[(top - self.y) as usize..][..count];
        let b = &other.bits[(top - other.y) as usize..][..count];
        let mut rows = a.iter().zip(b);
        if dx >= 0 { rows.any(|(a, b)| a >> dx & b != 0) } else { rows.any(|(a, b)| a & b >> -dx != 0) }
    }
}

#[cfg(test)]
mod tests {
    use hitmask_workbench::workloads::SplitMix64;

    use super::*;

    #[test]
    fn rows_meet_where_a_pixel_is_in_both() {
        let mut random = SplitMix64(1);
        for _ in 0..3_000 {
            let mut bits = |count| -> Vec<u64> {
                (0..count).map(|_| random.next_u64() & random.next_u64() & random.next_u64()).collect()
            };
            let (a, b) = (bits(5), bits(9));
            let mut near = |n: i32| random.below(2 * n as u32 + 1) as i32 - n;
            let (a, b) = (Rows { x: near(70), y: near(10), bits: &a }, Rows { x: 0, y: 0, bits: &b });
            let set = |rows: &Rows<'_>, x: i32, y: i32| {
                let row = usize::try_from(y - rows.y).ok().and_then(|row| rows.bits.get(row));
                (0..64).contains(&(x - rows.x)) && row.is_some_and(|row| row >> (x - rows.x) & 1 == 1)
            };
            let expected = (-80..150).any(|x| (-12..25).any(|y| set(&a, x, y) && set(&b, x, y)));
            assert_eq!((a.meet(b), b.meet(a)), (expected, expected));
        }
    }
}
