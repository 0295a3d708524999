//! The second pass of the sort: sorts the entries of each place along the strip and writes them into columns.

use std::ops::Range;

use super::columns::Columns;
use super::cut::Cut;
use super::scatter::{Entry, Scattered};
use crate::cpu::means::STRIPS;
use crate::cpu::padded::Padded;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::{Kernel, Lanes};

/// Sorts the entries of some places.
pub(in crate::cpu) struct SortPlaces<'a> {
    pub(in crate::cpu) cut: Cut,
    pub(in crate::cpu) scattered: &'a Scattered,
    pub(in crate::cpu) places: Range<usize>,
    /// The output.
    pub(in crate::cpu) columns: Columns<'a>,
    pub(in crate::cpu) keys: &'a mut Keys,
    pub(in crate::cpu) room: &'a Room,
}

impl Kernel for SortPlaces<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let Self { cut, scattered, places, mut columns, keys, room } = self;
        for place in places {
            let (of_place, behind) = columns.split_at(scattered.len(place) as usize);
            keys.sort(lanes, cut, scattered.pieces(place), of_place, room)?;
            columns = behind;
        }
        Ok(())
    }
}

/// Maximum number of entries of a place that a network sorts faster than 64-bit comparisons do. Beyond that, an entry's
/// number would also leave too few bits of a key for where it begins.
const MANY: usize = 1 << 16;

/// The entries of a place, and their keys. A key holds how far behind the first an entry begins along the strip, above
/// the bits of the entry's number.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Keys {
    entries: Vec<Entry>,
    /// 32-bit keys. If distance and number do not fit, the lowest bits of the distance are dropped: entries that begin
    /// close to each other may then be out of order, which is mended in the columns.
    short: Padded,
    /// 64-bit keys, used if there are too many entries, or too many of them out of order.
    long: Vec<u64>,
}

impl Keys {
    /// Returns the bytes that the buffers hold.
    pub(in crate::cpu) fn bytes(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.short.bytes() + 8 * self.long.capacity()
    }

    /// Sorts entries, given in pieces, by where they begin, into columns of the same length.
    #[inline(always)]
    fn sort<'a, L: Lanes>(
        &mut self,
        lanes: L,
        cut: Cut,
        pieces: impl Iterator<Item = &'a [Entry]> + Clone,
        mut columns: Columns<'_>,
        room: &Room,
    ) -> Result<()> {
        let Self { entries: copies, short, long } = self;
        let len = columns.bodies.len();
        let mut entries: &[Entry] = pieces.clone().next().unwrap_or(&[]);
        if entries.len() < len {
            copies.clear();
            for piece in pieces {
                room.reserve(copies, piece.len(), STRIPS)?;
                copies.extend_from_slice(piece);
            }
            entries = copies;
        }
        let begin = |entry: &Entry| cut.turn(&entry.bound)[0][0];
        let (mut min, mut max) = (i32::MAX, i32::MIN);
        for entry in entries {
            (min, max) = (min.min(begin(entry)), max.max(begin(entry)));
        }
        if len <= MANY {
            let bits = len.max(2).next_power_of_two().ilog2();
            let lost = bits.saturating_sub(max.abs_diff(min).leading_zeros());
            let vectors = short.of(len, STRIPS, room)?;
            for ((key, entry), number) in vectors.as_flattened_mut().iter_mut().zip(entries).zip(0..) {
                *key = begin(entry).abs_diff(min) >> lost << bits | number;
            }
            lanes.sort(vectors);
            write(cut, entries, short.keys().iter().map(|key| key & ((1 << bits) - 1)), &mut columns);
            if lost == 0 || columns.mend() {
                return Ok(());
            }
        }
        long.clear();
        room.reserve(long, len, STRIPS)?;
        long.extend(
            entries.iter().zip(0..).map(|(entry, number)| u64::from(begin(entry).abs_diff(min)) << 32 | number),
        );
        long.sort_unstable();
        write(cut, entries, long.iter().map(|&key| key as u32), &mut columns);
        Ok(())
    }
}

/// Writes entries into columns in the order of `numbers`.
#[inline(always)]
fn write(cut: Cut, entries: &[Entry], numbers: impl Iterator<Item = u32>, columns: &mut Columns<'_>) {
    let len = columns.bodies.len();
    let Columns { u0, u1, v0, v1, bodies } = columns;
    let (u0, u1, v0, v1) = (&mut u0[..len], &mut u1[..len], &mut v0[..len], &mut v1[..len]);
    for (k, number) in (0..len).zip(numbers) {
        let entry = &entries[number as usize];
        ([[u0[k], u1[k]], [v0[k], v1[k]]], bodies[k]) = (cut.turn(&entry.bound), entry.body);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::aabb::Aabb;
    use crate::ground::lattice::Point;
    use crate::simd::Simd;
    use hitmask_workbench::workloads::SplitMix64;

    struct Sort<'a> {
        keys: &'a mut Keys,
        pieces: &'a [&'a [Entry]],
        columns: Columns<'a>,
    }

    impl Kernel for Sort<'_> {
        type Output = Result<()>;

        #[inline(always)]
        fn run<L: Lanes>(self, lanes: L) -> Result<()> {
            self.keys.sort(lanes, Cut::ONE, self.pieces.iter().copied(), self.columns, &Room::default())
        }
    }

    /// Sorts entries that begin at some coordinates, and returns these in the resulting order.
    fn sorted(simd: Simd, keys: &mut Keys, begins: &[i32]) -> Vec<i32> {
        let at = |k: usize| Point::new(begins[k], k as i32);
        let entry = |k: usize| Entry { bound: Aabb { min: at(k), max: at(k) }, body: k as u32 };
        let entries: Vec<_> = (0..begins.len()).map(entry).collect();
        let ([mut u0, mut u1, mut v0, mut v1], mut bodies) =
            ([(); 4].map(|()| vec![0; begins.len()]), vec![0; begins.len()]);
        let columns = Columns { u0: &mut u0, u1: &mut u1, v0: &mut v0, v1: &mut v1, bodies: &mut bodies };
        let (few, rest) = entries.split_at(begins.len() / 3);
        simd.run(Sort { keys, pieces: &[few, &[], rest], columns }).expect("there is memory");
        // The columns of an entry stay together, and every entry is present.
        for (k, &body) in bodies.iter().enumerate() {
            assert_eq!((u0[k], v0[k]), (begins[body as usize], body as i32));
            assert_eq!((u0[k], v0[k]), (u1[k], v1[k]));
        }
        bodies.sort_unstable();
        assert!(bodies.iter().copied().eq(0..begins.len() as u32));
        u0
    }

    #[test]
    fn entries_are_sorted_wherever_they_begin() {
        let (mut random, mut keys) = (SplitMix64(7), Keys::default());
        let far = 1 << 29;
        for len in [0, 1, 2, 3, 100, 4096, 5000, MANY, MANY + 1] {
            // Near each other; all over the world; within few steps except for one far away, so that no bit of where
            // they begin is left; in two clusters; in order; in reverse order.
            for kind in 0..6 {
                let mut begin = |k: usize| match kind {
                    0 => random.below(3000) as i32,
                    1 => random.below(2 * far as u32) as i32 - far,
                    2 => {
                        if k == 1 {
                            far
                        } else {
                            -far + random.below(200) as i32
                        }
                    }
                    3 => (random.below(2) as i32 * 2 - 1) * far + random.below(900) as i32,
                    4 => k as i32 * 3,
                    _ => far - k as i32 * 5,
                };
                let begins: Vec<i32> = (0..len).map(&mut begin).collect();
                let mut expected = begins.clone();
                expected.sort_unstable();
                for simd in Simd::available() {
                    assert_eq!(sorted(simd, &mut keys, &begins), expected, "{simd:?}: {len} of kind {kind}");
                }
            }
        }
    }
}
