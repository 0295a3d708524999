//! Bodies looked up among others in a grid, in order of index.

use std::ops::Range;

use super::found::Found;
use super::grid::{Grid, Within};
use super::looks::judge;
use super::pairs::{GATHERED, Pairs};
use super::parting::{Parting, has};
use super::table::block;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::Packed;

/// Looks up the seekers among some bodies; the pairs go into `found`.
pub(super) struct Seek<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub grid: &'a Grid,
    pub parting: Parting,
    pub range: Range<usize>,
    pub found: &'a mut Found,
    pub room: &'a Room,
}

impl Kernel for Seek<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(mut self, lanes: L) -> Result<()> {
        let Self { packed, touch, grid, parting, ref range, .. } = self;
        let look_up = LookUp { packed, grid, parting, open: i32::from(touch == Touch::Excluded), end: range.end };
        let mut pairs = Pairs::new();
        let mut at = At { body: range.start, skip: 0 };
        while at.body < look_up.end {
            at = look_up.small(lanes, at, &mut pairs);
            if pairs.len <= GATHERED && at.body < look_up.end {
                self.large(lanes, &look_up, at.body, &mut pairs)?;
                at.body += 1;
            }
            if pairs.len > GATHERED {
                self.flush(lanes, &mut pairs)?;
            }
        }
        self.flush(lanes, &mut pairs)
    }
}

impl Seek<'_> {
    /// Looks up a body in all cells that it meets. Another may be listed in several of them: their pair belongs to the
    /// cell in which the later of the two begins to be, along each axis.
    #[inline(always)]
    fn large<L: Lanes>(&mut self, lanes: L, look_up: &LookUp<'_>, body: usize, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, grid, .. } = *self;
        let Some(Within { columns, rows }) = grid.cells.within(&packed.bounds[body]) else { return Ok(()) };
        for row in rows[0]..=rows[1] {
            for column in columns[0]..=columns[1] {
                let Point { x, y } = grid.cells.first(column, row);
                let entries = grid.entries_of(column, row);
                for next in entries.clone().step_by(WIDTH) {
                    let (u0, v0) = (block(&grid.table.u[0], next), block(&grid.table.v[0], next));
                    let in_column = if column == columns[0] { u32::MAX } else { lanes.within(u0, i32::MAX, u0, x) };
                    let in_row = if row == rows[0] { u32::MAX } else { lanes.within(v0, i32::MAX, v0, y) };
                    look_up.compare(lanes, body, next..entries.end, in_column & in_row, pairs);
                    if pairs.len > GATHERED {
                        self.flush(lanes, pairs)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Takes the pairs that were gathered.
    #[inline(always)]
    fn flush<L: Lanes>(&mut self, lanes: L, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, room, .. } = *self;
        if packed.masked && touch == Touch::Excluded {
            judge(lanes, packed, packed, pairs, self.found, room)
        } else {
            self.found.take(packed, touch, pairs.drain(), room)
        }
    }
}

/// How far the looking is: at a body, of whose cell some entries were looked at.
#[derive(Clone, Copy)]
struct At {
    body: usize,
    skip: usize,
}

/// Seekers in a grid.
struct LookUp<'a> {
    packed: &'a Packed,
    grid: &'a Grid,
    parting: Parting,
    /// 1 where touch does not count.
    open: i32,
    end: usize,
}

impl LookUp<'_> {
    /// Looks up small bodies; where it stopped, at a large one or as enough pairs are gathered. There is no call in it:
    /// the constants of vector instructions stay in registers.
    #[inline(always)]
    fn small<L: Lanes>(&self, lanes: L, At { mut body, mut skip }: At, pairs: &mut Pairs) -> At {
        let Self { packed, grid, parting, end, .. } = *self;
        let (classes, bounds) = (&packed.classes.column()[..end], &packed.bounds[..end]);
        while body < end {
            let bound = &bounds[body];
            if has(parting.seekers, classes[body]) {
                if !grid.cells.is_small(bound) {
                    break;
                }
                let entries = grid.entries_at(bound);
                let mut next = entries.start + skip;
                while next < entries.end {
                    if pairs.len > GATHERED {
                        return At { body, skip: next - entries.start };
                    }
                    self.compare(lanes, body, next..entries.end, u32::MAX, pairs);
                    next += WIDTH;
                }
            }
            (body, skip) = (body + 1, 0);
        }
        At { body, skip: 0 }
    }

    /// Compares a body with the first few of some entries, those of `asked`.
    #[inline(always)]
    fn compare<L: Lanes>(&self, lanes: L, body: usize, entries: Range<usize>, asked: u32, pairs: &mut Pairs) {
        let Self { packed, grid, open, .. } = *self;
        let (table, next) = (&grid.table, entries.start);
        let ([u0, u1], [v0, v1]) = (&table.u, &table.v);
        let Aabb { min, max } = packed.bounds[body];
        let mut bits = asked
            & lanes.within(block(u0, next), max.x - open, block(u1, next), min.x + open)
            & lanes.within(block(v0, next), max.y - open, block(v1, next), min.y + open);
        if entries.len() < WIDTH {
            bits &= (1 << entries.len()) - 1;
        }
        if bits != 0 {
            let filter = &packed.filters[body];
            if let Some([layers, hits]) = &table.filters {
                bits &= lanes.share(block(layers, next), filter.hits, block(hits, next), filter.layer);
            }
            bits &= table.strangers(lanes, next, filter.group as i32);
            pairs.add(lanes, body as u32, bits, block(&table.bodies, next));
        }
    }
}
