//! A polygon in lattice steps from a corner of its own, so that 32 bits are enough.

use std::iter::once;

use super::source::{Frame, lattice, low_bits};

/// A corner in lattice steps from the least corner of its polygon's box.
pub(super) type Corner = [i32; 2];

/// A polygon of a [`Part`].
pub(super) struct Record {
    pub(super) frame: Frame,
    /// The row in the sources.
    pub(super) row: u32,
    /// The first of its corners and the end of the last.
    pub(super) corners: [usize; 2],
    /// The range of `Part::ends` that has the ends of its rings but the last.
    pub(super) ends: [usize; 2],
}

/// The polygons of a region, as one thread has read them.
#[derive(Default)]
pub(super) struct Part {
    pub(super) records: Vec<Record>,
    /// The corners of each ring: none that repeats the one before, and the first once more at the end.
    pub(super) corners: Vec<Corner>,
    /// The end of each ring.
    pub(super) ends: Vec<usize>,
}

/// A polygon of a list.
#[derive(Clone, Copy)]
pub(super) struct Polygon<'a> {
    pub(super) record: &'a Record,
    pub(super) part: &'a Part,
}

impl<'a> Polygon<'a> {
    /// Returns the row in the sources.
    pub(super) fn row(&self) -> u32 {
        self.record.row
    }

    pub(super) fn frame(&self) -> &'a Frame {
        &self.record.frame
    }

    /// Returns the corners of each ring, of which the last is the first.
    pub(super) fn rings(&self) -> impl Iterator<Item = &'a [Corner]> + Clone + use<'a> {
        let (part, [start, end]) = (self.part, self.record.corners);
        let inner = &part.ends[self.record.ends[0]..self.record.ends[1]];
        let starts = once(start).chain(inner.iter().copied());
        let ends = inner.iter().copied().chain(once(end));
        starts.zip(ends).map(|(start, end)| &part.corners[start..end])
    }
}

impl Part {
    /// Appends a ring of corners in units, from an origin in lattice steps.
    pub(super) fn push(&mut self, ring: &[[f64; 2]], origin: [f64; 2]) {
        let start = self.corners.len();
        self.corners.extend(
            ring.iter()
                .map(|corner| [low_bits(lattice(corner[0]) - origin[0]), low_bits(lattice(corner[1]) - origin[1])]),
        );
        let corners = &self.corners[start..];
        // Few repeat, so all are compared, which the compiler does several at a time.
        if corners.windows(2).filter(|pair| pair[0] == pair[1]).count() > 0 {
            let mut some = self.corners.split_off(start);
            some.dedup();
            self.corners.append(&mut some);
        }
        if let (Some(&first), Some(&last)) = (self.corners.get(start), self.corners.last())
            && first != last
        {
            self.corners.push(first);
        }
        self.ends.push(self.corners.len());
    }
}
