//! The part of a frame's marks that a stroke has replaced: squares of texels, so that a stroke across a large frame
//! keeps what it touched only.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use hitmask_files::Marks;

/// The side of a square in texels.
const SIDE: i32 = 256;

/// Squares of marks, by column and row. All have the same size; what lies outside the frame has no mark.
#[derive(Default)]
pub(crate) struct Patch(BTreeMap<[i32; 2], Marks>);

/// Returns the texels of a square, `[x, y, width, height]`.
fn square(place: [i32; 2]) -> [i32; 4] {
    let [x, y] = place.map(|v| v * SIDE);
    [x, y, SIDE, SIDE]
}

impl Patch {
    /// Adds the squares of marks that have texels of `[x, y, width, height]`, unless they are there.
    pub(crate) fn keep(&mut self, marks: &Marks, [x, y, width, height]: [i32; 4]) -> anyhow::Result<()> {
        let ends = marks.size().map(u32::cast_signed);
        let places = |axis: usize, from: i32, count: i32| {
            from.max(0).div_euclid(SIDE)..=(from.saturating_add(count).min(ends[axis]) - 1).div_euclid(SIDE)
        };
        for [row, column] in places(1, y, height).flat_map(|row| places(0, x, width).map(move |column| [row, column])) {
            let place = [column, row];
            if let Entry::Vacant(entry) = self.0.entry(place) {
                entry.insert(marks.cropped(square(place))?);
            }
        }
        Ok(())
    }

    /// Adds the squares of a later patch, unless they are there.
    pub(crate) fn join(&mut self, later: Self) {
        for (place, marks) in later.0 {
            self.0.entry(place).or_insert(marks);
        }
    }

    /// Exchanges the squares with those of marks.
    pub(crate) fn swap(&mut self, marks: &mut Marks) -> anyhow::Result<()> {
        let cropped = |&place: &[i32; 2]| Ok((place, marks.cropped(square(place))?));
        let before = self.0.keys().map(cropped).collect::<anyhow::Result<_>>()?;
        for (place, own) in std::mem::replace(&mut self.0, before) {
            marks.paste(&own, place.map(|v| v * SIDE));
        }
        Ok(())
    }

    /// Returns the texels of the squares, each as `[x, y, width, height]`.
    pub(crate) fn areas(&self) -> impl Iterator<Item = [i32; 4]> {
        self.0.keys().copied().map(square)
    }

    /// Returns the bytes of the masks.
    pub(crate) fn bytes(&self) -> usize {
        self.0.len() * (SIDE * SIDE / 4) as usize
    }
}

#[cfg(test)]
mod tests {
    use hitmask::Mask;
    use hitmask_files::Mark;

    use super::*;

    #[test]
    fn a_stroke_across_a_large_frame_keeps_the_squares_that_it_touches() {
        let mut marks = Marks::new([8192, 8192]).unwrap();
        let before = marks.clone();
        let brush = Mask::from_fn(64, 64, |_, _| true).unwrap();
        let mut patch = Patch::default();
        for k in 0..1000 {
            let at = [2000 + k, 300];
            patch.keep(&marks, [at[0], at[1], 64, 64]).unwrap();
            marks.set(&brush, at, Mark::Solid);
        }
        let after = marks.clone();
        // The columns 7 to 11 of the row 1: of 16 MiB, 80 KiB.
        assert_eq!((patch.areas().count(), patch.bytes()), (5, 5 << 14));
        patch.swap(&mut marks).unwrap();
        assert!(marks == before);
        patch.swap(&mut marks).unwrap();
        assert!(marks == after);
        // Beyond the frame there is nothing to keep.
        let mut beyond = Patch::default();
        for at in [[-64, 0], [0, -64], [8192, 5], [5, 9000], [i32::MAX - 64, i32::MIN]] {
            beyond.keep(&marks, [at[0], at[1], 64, 64]).unwrap();
        }
        assert_eq!(beyond.bytes(), 0);
    }
}
