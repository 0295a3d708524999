//! A polygon in lattice steps from a corner of its own, so that 32 bits are enough.

use std::iter::once;

use super::source::{Frame, lattice, low_bits};

/// A corner in lattice steps from the least corner of its polygon's box.
pub(super) type Corner = [i32; 2];

/// A polygon of a [`Part`].
pub(super) struct Record {
    pub(super) frame: Frame,
    /// The number in the source.
    pub(super) number: u32,
    /// The first of its corners and the end of the last.
    pub(super) corners: [usize; 2],
    /// Where in `ends` those of its rings are, without the last.
    pub(super) ends: [usize; 2],
}

/// The polygons of a region, as one thread has read them.
#[derive(Default)]
pub(super) struct Part {
    pub(super) records: Vec<Record>,
    /// Of each ring its corners without those that repeat the one before, and the first once more.
    pub(super) corners: Vec<Corner>,
    /// The end of each ring but the last of a polygon.
    pub(super) ends: Vec<usize>,
}

/// A polygon of a list.
#[derive(Clone, Copy)]
pub(super) struct Polygon<'a> {
    pub(super) record: &'a Record,
    pub(super) part: &'a Part,
}

impl<'a> Polygon<'a> {
    /// Returns the number in the source.
    pub(super) fn number(&self) -> u32 {
        self.record.number
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
