//! The broad phase of some rows: joins their bodies, sorted into strips of their own, with all bodies in the same
//! strips.
//!
//! Both lists are sorted along a strip, so they are joined like the two lists of a merge: the body that begins first is
//! compared with those of the other list up to its end. A body of the rows is compared with those that begin with or
//! behind it, and each of all bodies with those of the rows that begin behind it:
//!
//! ```text
//!   row   [------------]          compared with b and c
//!   b          [--]
//!   row              [----]       compared with c
//!   c            [---------]      compared with the second row
//! ```
//!
//! So no pair is found twice, and the work grows with the number of bodies and of pairs of the rows, not with the
//! number of all pairs.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::found::Found;
use super::pairs::{GATHERED, Pairs};
use super::strips::Strips;
use super::table::block;
use crate::cpu::flags::Flags;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::Packed;

/// The number of pairs that the tasks of a run may find together.
#[derive(Debug)]
pub(in crate::cpu) struct Budget {
    found: AtomicUsize,
    most: usize,
}

impl Budget {
    pub(in crate::cpu) fn new(most: usize) -> Self {
        Self { found: AtomicUsize::new(0), most }
    }

    /// Returns the number of pairs found; if that exceeds the budget, not all pairs were counted.
    pub(in crate::cpu) fn found(&self) -> usize {
        self.found.load(Relaxed)
    }

    /// Returns whether more pairs were found than the budget allows.
    pub(in crate::cpu) fn is_over(&self) -> bool {
        self.found() > self.most
    }
}

/// The list that an entry belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cpu) enum List {
    /// The bodies of the rows.
    Rows,
    /// All bodies.
    All,
}

/// Compares some entries of one list with those of the other that begin behind them. Ends early if the budget is
/// exceeded.
pub(in crate::cpu) struct Join<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub rows: &'a Strips,
    pub all: &'a Strips,
    /// The list that `range` indexes.
    pub list: List,
    pub range: Range<usize>,
    pub found: &'a mut Found,
    /// The flags raised so far, if only flags are wanted. Pairs of two bodies that are known to hit are left out.
    pub flags: Option<&'a Flags>,
    pub budget: &'a Budget,
    pub room: &'a Room,
}

impl Kernel for Join<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Result<()> {
        let mut pairs = Pairs::new();
        let from = if self.list == List::Rows { self.rows } else { self.all };
        let Range { mut start, end } = self.range.clone();
        while start < end && !self.budget.is_over() {
            let place = from.place_of(start);
            let entries = from.entries_of(place);
            self.join_place(lanes, place, start..entries.end.min(end), &mut pairs)?;
            start = entries.end;
        }
        self.flush(&mut pairs)
    }
}

impl Join<'_> {
    /// Compares some entries of a place with those of the other list.
    #[inline(always)]
    fn join_place<L: Lanes>(&mut self, lanes: L, place: usize, range: Range<usize>, pairs: &mut Pairs) -> Result<()> {
        let Self { rows, all, list, .. } = *self;
        let (from, to) = if list == List::Rows { (rows, all) } else { (all, rows) };
        // If two begin together, the entry of the rows finds the other.
        let behind = i32::from(list == List::All);
        let cut = all.cut();
        let open = i32::from(self.touch == Touch::Excluded);
        let ([u0, _], [v0, v1], bodies) = (&to.table.u, &to.table.v, &to.table.bodies);
        let Range { start, end } = to.entries_of(place);
        let mut low = start + u0[start..end].partition_point(|&begin| begin < from.table.u[0][range.start] + behind);
        for k in range {
            let body = from.table.bodies[k];
            let (begin, right) = (from.table.u[0][k] + behind, from.table.u[1][k] - open);
            let (top, bottom) = (from.table.v[0][k] + open, from.table.v[1][k] - open);
            let least = cut.least(place, from.table.v[0][k]);
            let row = from.table.row(k);
            while low < end && u0[low] < begin {
                low += 1;
            }
            let mut next = low;
            while next < end && u0[next] <= right {
                let others = block(bodies, next);
                let mut bits = lanes.within(block(u0, next), right, block(v0, next), least)
                    & lanes.within(block(v0, next), bottom, block(v1, next), top)
                    & if list == List::Rows { above(lanes, others, body) } else { below(lanes, others, body) };
                if end - next < WIDTH {
                    bits &= (1 << (end - next)) - 1;
                }
                bits &= to.table.tested(lanes, next, row);
                if cut.shared {
                    bits = cut.first_common(place, from.table.v[0][k], block(v0, next), bits);
                }
                pairs.add(lanes, body, bits, others);
                if pairs.len > GATHERED {
                    self.flush(pairs)?;
                    if self.budget.is_over() {
                        return Ok(());
                    }
                }
                next += WIDTH;
            }
        }
        Ok(())
    }

    /// Moves the gathered pairs into `found`.
    #[inline(always)]
    fn flush(&mut self, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, flags, room, .. } = *self;
        let before = self.found.len();
        match flags {
            None => self.found.take(packed, touch, pairs.drain(), room)?,
            Some(flags) => self.found.take_unflagged(packed, touch, pairs.drain(), flags, room)?,
        }
        self.budget.found.fetch_add(self.found.len() - before, Relaxed);
        Ok(())
    }
}

/// Returns a bit for each of `indices` that is above `index`.
#[inline(always)]
fn above<L: Lanes>(lanes: L, indices: &[u32; WIDTH], index: u32) -> u32 {
    !at_most(lanes, indices, index)
}

/// Returns a bit for each of `indices` that is below `index`.
#[inline(always)]
fn below<L: Lanes>(lanes: L, indices: &[u32; WIDTH], index: u32) -> u32 {
    index.checked_sub(1).map_or(0, |most| at_most(lanes, indices, most))
}

#[inline(always)]
fn at_most<L: Lanes>(lanes: L, indices: &[u32; WIDTH], most: u32) -> u32 {
    // The vector comparison is signed.
    let signed = |index: u32| (index ^ 1 << 31) as i32;
    let indices = &indices.map(signed);
    lanes.within(indices, signed(most), indices, i32::MIN)
}
