//! A grid of bodies in which many others, most of them small, are looked up.
//!
//! ```text
//!   +-----+-----+-----+
//!   |     |.....|.... |    a body and its margin, as wide as the largest *small* body: the body is listed in
//!   |     |.+---|---+ |    each cell that these meet, here in four
//!   +-----+-|---+---|-+
//!   |     |.|   | s | |    s: where a small body begins. All that it may meet is listed in the one cell
//!   |     |.+---|---+ |    that contains s
//!   +-----+-----+-----+
//! ```
//!
//! Cells are stored row by row, the entries of each contiguously.

use std::ops::Range;

use super::scatter::Entry;
use super::sizes::Sizes;
use super::table::Table;
use crate::cpu::means::{Means, STRIPS};
use crate::cpu::team::{Parts, Team};
use crate::ground::aabb::Aabb;
use crate::ground::buckets::starts;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::world::packed::Packed;
use crate::world::parting::Parting;

/// Minimum number of bodies for a task that fills cells.
const TASK: usize = 1 << 12;
/// The side of the largest cell, as a power of two: two of them are as wide as the world and its margins. A body that
/// is nowhere begins more than such a side beyond all bodies, and so in no cell.
const LARGEST: u32 = 30;
/// The widest margin, as a power of two: with it, the world's width still fits 31 bits.
const WIDEST: u32 = 28;

/// The cells and their entries.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Grid {
    pub(super) cells: Cells,
    /// The start of each cell's entries, then the end of all, twice: the cell after all others is empty.
    starts: Vec<u32>,
    /// The entries by cell; `u` is x, `v` is y.
    pub(super) table: Table,
}

/// The layout of the grid in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cells {
    /// The bounds of all bodies and their margins; nowhere if there are none.
    around: Aabb,
    /// The side of a cell, as a power of two.
    shift: u32,
    columns: u32,
    rows: u32,
    /// The longest side of a small body.
    margin: i32,
}

/// A rectangle of cells: the first and the last column, the first and the last row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Within {
    pub columns: [u32; 2],
    pub rows: [u32; 2],
}

impl Default for Cells {
    fn default() -> Self {
        Self { around: Aabb::NOWHERE, shift: 0, columns: 0, rows: 0, margin: 0 }
    }
}

impl Cells {
    /// Creates cells with sides of `1 << shift` around the bodies and their margins.
    fn new(bodies: Aabb, margin: i32, shift: u32) -> Self {
        let around = with_margin(&bodies, margin);
        let cells = |min: i32, max: i32| (max.abs_diff(min) >> shift) + 1;
        let Aabb { min, max } = around;
        Self { around, shift, columns: cells(min.x, max.x), rows: cells(min.y, max.y), margin }
    }

    /// Returns the number of cells.
    fn count(&self) -> u64 {
        u64::from(self.columns) * u64::from(self.rows)
    }

    /// Returns whether all that a body may meet is listed in the one cell in which it begins.
    #[inline(always)]
    pub(super) fn is_small(&self, bound: &Aabb) -> bool {
        // A body that is nowhere counts as small if there are cells, and begins in none of them.
        bound.max.x.wrapping_sub(bound.min.x) <= self.margin && bound.max.y.wrapping_sub(bound.min.y) <= self.margin
    }

    /// Returns the cell in which bounds begin, or the empty one after all cells if that point is not in the grid.
    #[inline(always)]
    fn cell(&self, bound: &Aabb) -> usize {
        let at = [bound.min.x.wrapping_sub(self.around.min.x), bound.min.y.wrapping_sub(self.around.min.y)];
        let [column, row] = at.map(|v| v as u32 >> self.shift);
        let is_inside = column < self.columns && row < self.rows;
        // Branch-free, as the outcome is unpredictable.
        std::hint::select_unpredictable(
            is_inside,
            row.wrapping_mul(self.columns).wrapping_add(column),
            self.columns * self.rows,
        ) as usize
    }

    /// Returns the cells that bounds meet; `None` if they do not reach the grid or are nowhere.
    pub(super) fn within(&self, bound: &Aabb) -> Option<Within> {
        let Aabb { min, max } = self.around;
        let span = |from: i32, to: i32, min: i32, max: i32| {
            (from <= max && to >= min)
                .then(|| [(from.max(min) - min) as u32 >> self.shift, (to.min(max) - min) as u32 >> self.shift])
        };
        let columns = span(bound.min.x, bound.max.x, min.x, max.x)?;
        Some(Within { columns, rows: span(bound.min.y, bound.max.y, min.y, max.y)? })
    }

    /// Returns the cells in which a body is listed.
    fn of(&self, bound: &Aabb) -> Option<Within> {
        self.within(&with_margin(bound, self.margin))
    }

    /// Returns the least x at which a body can begin that is listed in this cell but in no earlier column, and likewise
    /// the least y for rows.
    pub(super) fn least_begin(&self, column: u32, row: u32) -> Point {
        let at = |min: i32, cell: u32| min + (cell << self.shift) as i32 + self.margin;
        Point::new(at(self.around.min.x, column), at(self.around.min.y, row))
    }

    fn index(&self, column: u32, row: u32) -> usize {
        (row * self.columns + column) as usize
    }
}

/// Returns bounds extended by a margin to the left and to the top.
fn with_margin(bound: &Aabb, margin: i32) -> Aabb {
    Aabb { min: Point::new(bound.min.x - margin, bound.min.y - margin), max: bound.max }
}

impl Grid {
    /// Fills the grid with the sought bodies, given in pieces. `sizes` are those of the seekers that will be looked up
    /// in it.
    pub(super) fn fill(
        &mut self,
        packed: &Packed,
        pieces: &[&[Entry]],
        sizes: &Sizes,
        parting: Parting,
        means: Means<'_>,
    ) -> Result<()> {
        let bodies: usize = pieces.iter().map(|piece| piece.len()).sum();
        let around = pieces.iter().copied().flatten().fold(Aabb::NOWHERE, |all, entry| all.join(&entry.bound));
        self.cells = Cells::default();
        if around.is_somewhere() {
            let small = sizes.of_most().min(WIDEST);
            // Cells are as small as pays off, so that few bodies are in each. The limit on cells and entries keeps
            // filling them to a small part of the time of all lookups.
            let most = (parting.count / 4 + 4 * bodies).max(64) as u64;
            let mut shift = small;
            loop {
                self.cells = Cells::new(around, 1 << small, shift);
                let cells = self.cells.count();
                let is_small = cells <= most && count_entries(&self.cells, pieces, means.team) <= most;
                if shift >= LARGEST || (is_small && sizes.is_cheap(small, shift, cells)) {
                    break;
                }
                shift += 1;
            }
        }
        self.find_starts(pieces, means)?;
        self.put(pieces, means)?;
        if parting.alike {
            // Layers let every seeker hit every body of the grid.
            self.table.ignore_layers();
        } else {
            self.table.look_up_layers(self.len(), packed, means)?;
        }
        self.table.look_up_groups(self.len(), packed, means)
    }

    /// Returns the entries of the cell in which bounds begin; none if that point is not in the grid.
    #[inline(always)]
    pub(super) fn entries_at(&self, bound: &Aabb) -> Range<usize> {
        self.entries(self.cells.cell(bound))
    }

    /// Returns the entries of a cell.
    pub(super) fn entries_of(&self, column: u32, row: u32) -> Range<usize> {
        self.entries(self.cells.index(column, row))
    }

    #[inline(always)]
    fn entries(&self, cell: usize) -> Range<usize> {
        self.starts[cell] as usize..self.starts[cell + 1] as usize
    }

    /// Returns the bytes that the grid holds.
    pub(super) fn bytes(&self) -> usize {
        4 * self.starts.capacity() + self.table.bytes()
    }

    /// Returns the number of entries.
    fn len(&self) -> usize {
        self.starts.last().map_or(0, |&end| end as usize)
    }

    /// Returns the rows of cells, split into parts for tasks.
    fn parts(&self, pieces: &[&[Entry]], team: Team<'_>) -> Parts {
        let bodies = pieces.iter().map(|piece| piece.len()).sum();
        Parts::new(self.cells.rows as usize, team.tasks(bodies, TASK).min(team.threads()))
    }

    /// Computes where the entries of each cell begin. Each start is written one place behind the cell's own, for
    /// [`Self::put`].
    fn find_starts(&mut self, pieces: &[&[Entry]], Means { team, room, .. }: Means<'_>) -> Result<()> {
        let (cells, parts) = (self.cells, self.parts(pieces, team));
        let count = cells.count() as usize;
        self.starts.clear();
        room.resize(&mut self.starts, count + 2, 0, STRIPS)?;
        let of_part = cells.index(0, parts.part(0).len() as u32).max(1);
        let tasks = self.starts[1..=count].chunks_mut(of_part).enumerate();
        team.each_of(parts.count(), tasks, |(part, counts)| {
            each(&cells, pieces, parts.part(part), |_, cell| counts[cell] += 1);
        });
        starts(&mut self.starts[1..]);
        Ok(())
    }

    /// Puts the entries into their cells. The value behind a cell's own in `starts` is where its next entry goes; in
    /// the end, that is where the next cell begins.
    fn put(&mut self, pieces: &[&[Entry]], Means { team, room, .. }: Means<'_>) -> Result<()> {
        let (cells, parts, len) = (self.cells, self.parts(pieces, team), self.len());
        self.table.resize(len, room)?;
        let mut rest = Some((&mut self.starts[1..], self.table.columns()));
        let mut first = 0;
        let tasks = (0..parts.count()).map_while(|part| {
            let (next, columns) = rest.take()?;
            let rows = parts.part(part);
            let (next, next_behind) = next.split_at_mut(cells.index(0, rows.len() as u32));
            let start = std::mem::replace(&mut first, next_behind[0]);
            let (columns, columns_behind) = columns.split_at((first - start) as usize);
            rest = Some((next_behind, columns_behind));
            Some((rows, start, next, columns))
        });
        team.each_of(parts.count(), tasks, |(rows, start, next, columns)| {
            each(&cells, pieces, rows, |&Entry { bound: Aabb { min, max }, body }, cell| {
                let k = (next[cell] - start) as usize;
                next[cell] += 1;
                (columns.u0[k], columns.u1[k], columns.v0[k], columns.v1[k]) = (min.x, max.x, min.y, max.y);
                columns.bodies[k] = body;
            });
        });
        Ok(())
    }
}

/// Returns the number of entries that the bodies of `pieces` have in `cells`.
fn count_entries(cells: &Cells, pieces: &[&[Entry]], team: Team<'_>) -> u64 {
    let count = |entry: &Entry| {
        cells.of(&entry.bound).map_or(0, |Within { columns, rows }| {
            let [columns, rows] = [columns, rows].map(|[first, last]| u64::from(last - first + 1));
            columns * rows
        })
    };
    team.each(pieces, |piece| piece.iter().map(count).sum::<u64>()).iter().sum()
}

/// Calls `take` with each body and each cell of the rows `part` in which it is listed, counted from the first cell of
/// these rows.
fn each(cells: &Cells, pieces: &[&[Entry]], part: Range<usize>, mut take: impl FnMut(&Entry, usize)) {
    for entry in pieces.iter().copied().flatten() {
        let Some(Within { columns, rows }) = cells.of(&entry.bound) else { continue };
        for row in rows[0].max(part.start as u32)..(rows[1] + 1).min(part.end as u32) {
            for column in columns[0]..=columns[1] {
                take(entry, cells.index(column, row - part.start as u32));
            }
        }
    }
}
