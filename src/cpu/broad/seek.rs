//! The lookup of bodies in a grid of others, in order of index.

use std::ops::Range;

use super::found::Found;
use super::grid::{Grid, Within};
use super::pairs::{GATHERED, Pairs};
use super::sight::judge;
use super::table::{Row, block};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::Packed;
use crate::world::parting::{Parting, has};

/// Looks up the seekers of a range of bodies. The pairs go into `found`.
pub(super) struct Seek<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub grid: &'a Grid,
    pub parting: Parting,
    pub range: Range<usize>,
    pub found: &'a mut Found,
    pub room: &'a Room,
}

/// Number of bodies whose cells are checked together, before those that are near another are compared.
const TOGETHER: usize = 512;

impl Kernel for Seek<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Result<()> {
        let Range { start, end } = self.range;
        let (mut pairs, mut near) = (Pairs::new(), [0; TOGETHER]);
        for first in (start..end).step_by(TOGETHER) {
            let count = self.near(first..end.min(first + TOGETHER), &mut near);
            for &body in &near[..count] {
                self.look_up(lanes, body, &mut pairs)?;
            }
        }
        self.flush(lanes, &mut pairs)
    }
}

impl Seek<'_> {
    /// Lists the seekers that may meet another body, and returns their number. Branch-free, as the outcome is
    /// unpredictable.
    #[inline(always)]
    fn near(&self, bodies: Range<usize>, near: &mut [u32; TOGETHER]) -> usize {
        let Self { packed, grid, parting, .. } = *self;
        let (classes, bounds) = (&packed.classes.column()[bodies.clone()], &packed.bounds[bodies.clone()]);
        let mut count = 0;
        for ((body, &class), bound) in bodies.zip(classes).zip(bounds) {
            near[count % TOGETHER] = body as u32;
            let meets = !grid.entries_at(bound).is_empty() | !grid.cells.is_small(bound);
            count += usize::from(has(parting.seekers, class) & meets);
        }
        count
    }

    /// Looks up a body in its one cell, or in several if it is large.
    #[inline(always)]
    fn look_up<L: Lanes>(&mut self, lanes: L, body: u32, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, grid, .. } = *self;
        let bound = &packed.bounds[body as usize];
        if !grid.cells.is_small(bound) {
            return self.look_up_large(lanes, body, bound, pairs);
        }
        let entries = grid.entries_at(bound);
        for next in entries.clone().step_by(WIDTH) {
            let bits = self.compare(lanes, bound, next..entries.end);
            self.take(lanes, body, next, bits, pairs)?;
        }
        Ok(())
    }

    /// Looks up a body in all cells that it meets. Another may be listed in several of them; their pair is found in
    /// only one: in the column in which the later of the two begins (the other counts from its margin), and likewise
    /// for rows.
    #[inline(always)]
    fn look_up_large<L: Lanes>(&mut self, lanes: L, body: u32, bound: &Aabb, pairs: &mut Pairs) -> Result<()> {
        let grid = self.grid;
        let Some(Within { columns, rows }) = grid.cells.within(bound) else { return Ok(()) };
        for row in rows[0]..=rows[1] {
            for column in columns[0]..=columns[1] {
                let Point { x, y } = grid.cells.least_begin(column, row);
                let entries = grid.entries_of(column, row);
                for next in entries.clone().step_by(WIDTH) {
                    let (u0, v0) = (block(&grid.table.u[0], next), block(&grid.table.v[0], next));
                    let in_column = if column == columns[0] { u32::MAX } else { lanes.within(u0, i32::MAX, u0, x) };
                    let in_row = if row == rows[0] { u32::MAX } else { lanes.within(v0, i32::MAX, v0, y) };
                    let bits = self.compare(lanes, bound, next..entries.end) & in_column & in_row;
                    self.take(lanes, body, next, bits, pairs)?;
                }
            }
        }
        Ok(())
    }

    /// Returns a bit for each of the first [`WIDTH`] entries whose bounds meet `bound`.
    #[inline(always)]
    fn compare<L: Lanes>(&self, lanes: L, bound: &Aabb, entries: Range<usize>) -> u32 {
        let ([u0, u1], [v0, v1]) = (&self.grid.table.u, &self.grid.table.v);
        let (next, open) = (entries.start, i32::from(self.touch == Touch::Excluded));
        let bits = lanes.within(block(u0, next), bound.max.x - open, block(u1, next), bound.min.x + open)
            & lanes.within(block(v0, next), bound.max.y - open, block(v1, next), bound.min.y + open);
        bits & ((1 << entries.len().min(WIDTH)) - 1)
    }

    /// Adds the pairs of a body and the entries from `next` on whose bit is set in `bits`, if layers and groups let
    /// them hit.
    #[inline(always)]
    fn take<L: Lanes>(&mut self, lanes: L, body: u32, next: usize, mut bits: u32, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, grid: Grid { table, .. }, .. } = *self;
        bits &= table.tested(lanes, next, Row::of(packed, body as usize));
        pairs.add(lanes, body, bits, block(&table.bodies, next));
        if pairs.len > GATHERED {
            self.flush(lanes, pairs)?;
        }
        Ok(())
    }

    /// Decides the gathered pairs and moves them into `found`.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn flush<L: Lanes>(&mut self, lanes: L, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, room, .. } = *self;
        if packed.masked && touch == Touch::Excluded {
            judge(lanes, packed, touch, packed, pairs, self.found, room)
        } else {
            self.found.take(packed, touch, pairs.drain(), room)
        }
    }
}
