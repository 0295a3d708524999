//! Sorting along Hilbert's curve, so that neighbours in the plane are near each other in the list.

use crate::ground::buckets;
use crate::ground::lattice::Point;

/// The bits of a digit of a key, and the number of digits.
const DIGIT: u32 = 11;
const DIGITS: u32 = 3;

/// Sorts queries by their places along a curve through all of them. The sort is stable.
pub(super) fn sort(all: &mut Vec<(u32, u32)>, spare: &mut Vec<(u32, u32)>, places: &[Point]) {
    let place = |k: u32| [places[k as usize].x, places[k as usize].y].map(i64::from);
    let (mut least, mut most) = ([i64::MAX; 2], [i64::MIN; 2]);
    for &(_, k) in all.iter() {
        let at = place(k);
        for axis in 0..2 {
            least[axis] = least[axis].min(at[axis]);
            most[axis] = most[axis].max(at[axis]);
        }
    }
    // The same scale for both axes, so that cells are square.
    let span = (0..2).map(|axis| most[axis].saturating_sub(least[axis])).max().unwrap_or(0).max(1);
    let scale = f64::from(u16::MAX) / span as f64;
    for (key, k) in all.iter_mut() {
        let at = place(*k);
        let cell = |axis: usize| ((at[axis] - least[axis]) as f64 * scale) as u32;
        *key = curve(cell(0), cell(1));
    }
    spare.resize(all.len(), (0, 0));
    for digit in 0..DIGITS {
        let of = |key: u32| (key >> (digit * DIGIT)) as usize & ((1 << DIGIT) - 1);
        let mut starts = [0_u32; 1 << DIGIT];
        for &(key, _) in all.iter() {
            starts[of(key)] += 1;
        }
        buckets::starts(&mut starts);
        for &entry in all.iter() {
            let start = &mut starts[of(entry.0)];
            spare[*start as usize] = entry;
            *start += 1;
        }
        std::mem::swap(all, spare);
    }
}

/// Returns the position on the curve of a cell of a grid of 2^16 x 2^16. All bits are computed at once, by prefix sums
/// of the turns that each pair of bits makes (<http://threadlocalmutex.com/?p=126>).
fn curve(x: u32, y: u32) -> u32 {
    const ALL: u32 = 0xFFFF;
    let (a, b, c, d) = (x ^ y, ALL ^ (x ^ y), ALL ^ (x | y), x & (y ^ ALL));
    let mut turns = [a | (b >> 1), (a >> 1) ^ a, ((c >> 1) ^ (b & (d >> 1))) ^ c, ((a & (c >> 1)) ^ (d >> 1)) ^ d];
    for shift in [2, 4, 8] {
        let [a, b, c, d] = turns;
        turns = [
            (a & (a >> shift)) ^ (b & (b >> shift)),
            (a & (b >> shift)) ^ (b & ((a ^ b) >> shift)),
            c ^ (a & (c >> shift)) ^ (b & (d >> shift)),
            d ^ (b & (c >> shift)) ^ ((a ^ b) & (d >> shift)),
        ];
    }
    let [_, _, c, d] = turns;
    let (a, b) = (c ^ (c >> 1), d ^ (d >> 1));
    let low = x ^ y;
    let high = b | (ALL ^ (low | a));
    spread(high) << 1 | spread(low)
}

/// Spreads 16 bits, with a gap after each.
fn spread(v: u32) -> u32 {
    let v = (v | v << 8) & 0x00FF_00FF;
    let v = (v | v << 4) & 0x0F0F_0F0F;
    let v = (v | v << 2) & 0x3333_3333;
    (v | v << 1) & 0x5555_5555
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_from_cell_to_cell() {
        let mut cells: Vec<_> = (0..64).flat_map(|x| (0..64).map(move |y| (curve(x, y), x, y))).collect();
        cells.sort_unstable();
        for (place, cell) in cells.iter().enumerate() {
            assert_eq!(cell.0 as usize, place, "the first cells are a square");
        }
        assert!(cells.windows(2).all(|two| two[0].1.abs_diff(two[1].1) + two[0].2.abs_diff(two[1].2) == 1));
        assert_eq!(curve(0xFFFF, 0) | curve(0, 0xFFFF), u32::MAX);
    }

    #[test]
    fn all_are_sorted_and_none_is_lost() {
        let places: Vec<Point> = (0..500).map(|i| Point::new((i * 7919) % 1000 - 400, (i * 104_729) % 777)).collect();
        let (mut all, mut spare) = ((0..500).map(|k| (0, k)).collect(), Vec::new());
        sort(&mut all, &mut spare, &places);
        assert!(all.is_sorted_by_key(|&(key, _)| key));
        let mut bodies: Vec<u32> = all.iter().map(|&(_, k)| k).collect();
        bodies.sort_unstable();
        assert!(bodies.into_iter().eq(0..500));
    }

    /// Places of a square grid, however far apart, are gone through from neighbour to neighbour.
    #[test]
    fn the_way_through_places_is_short() {
        for step in [1, 3, 1 << 8, 1 << 20] {
            let places: Vec<Point> = (0..1024).map(|i| Point::new(i / 32 * step - 5, i % 32 * step + 9)).collect();
            let (mut all, mut spare) = ((0..1024).map(|k| (0, k)).collect(), Vec::new());
            sort(&mut all, &mut spare, &places);
            for two in all.windows(2) {
                let [a, b] = [two[0].1, two[1].1].map(|k| places[k as usize]);
                assert_eq!((a.x - b.x).abs() + (a.y - b.y).abs(), step, "{a:?} {b:?}");
            }
        }
    }
}
