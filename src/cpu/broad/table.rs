//! The entries of a broad phase: bodies in an order of their own, in columns that are read 16 elements at a time.

use super::columns::Columns;
use crate::bits::look::Look;
use crate::cpu::means::{Means, STRIPS};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::{Lanes, WIDTH};
use crate::world::packed::Packed;

/// Elements of a task that looks up.
const TASK: usize = 1 << 14;

/// The columns, each with [`WIDTH`] elements of padding.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Table {
    /// The entries' bounds along one axis.
    pub u: [Vec<i32>; 2],
    /// Their bounds along the other.
    pub v: [Vec<i32>; 2],
    /// Their bodies.
    pub bodies: Vec<u32>,
    /// The layers that they are on, and those that they hit, where some body is filtered.
    pub filters: Option<[Vec<u32>; 2]>,
    /// Their groups, where some body is of one.
    pub groups: Option<Vec<i32>>,
    /// How they look, where some body has a look.
    pub looks: Option<Vec<Look>>,
}

impl Table {
    /// Makes room for so many entries.
    pub(super) fn resize(&mut self, len: usize, room: &Room) -> Result<()> {
        let padded = len + WIDTH;
        for column in self.u.iter_mut().chain(&mut self.v) {
            room.resize(column, padded, 0, STRIPS)?;
        }
        room.resize(&mut self.bodies, padded, 0, STRIPS)
    }

    /// The columns that are sorted.
    pub(super) fn columns(&mut self) -> Columns<'_> {
        let ([u0, u1], [v0, v1]) = (&mut self.u, &mut self.v);
        Columns { u0, u1, v0, v1, bodies: &mut self.bodies }
    }

    /// Looks up what else of the bodies of the first `len` entries decides whom they may hit.
    pub(super) fn look_up_filters(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (filters, groups) = (self.filters.take(), self.groups.take());
        let bodies = &self.bodies[..len];
        if packed.filtered {
            let mut columns = filters.unwrap_or_default();
            look_up_filters(&mut columns, bodies, packed, means)?;
            self.filters = Some(columns);
        }
        if packed.grouped {
            let mut column = groups.unwrap_or_default();
            look_up(&mut column, bodies, means, |body| packed.filters[body].group as i32)?;
            self.groups = Some(column);
        }
        Ok(())
    }

    /// Looks up how the first `len` entries look.
    pub(super) fn look_up_looks(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let looks = self.looks.take();
        if packed.masked {
            let mut column = looks.unwrap_or_default();
            look_up(&mut column, &self.bodies[..len], means, |body| packed.looks[body])?;
            self.looks = Some(column);
        }
        Ok(())
    }

    /// The group of an entry; 0 is none.
    #[inline(always)]
    pub(in crate::cpu) fn group(&self, entry: usize) -> i32 {
        self.groups.as_ref().map_or(0, |groups| groups[entry])
    }

    /// Those of the entries from `next` on that are of another group, or of none.
    #[inline(always)]
    pub(in crate::cpu) fn strangers<L: Lanes>(&self, lanes: L, next: usize, group: i32) -> u32 {
        match &self.groups {
            Some(groups) if group != 0 => {
                let others = block(groups, next);
                !lanes.within(others, group, others, group)
            }
            _ => u32::MAX,
        }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        let words = self.u.iter().chain(&self.v).map(Vec::capacity).sum::<usize>()
            + self.bodies.capacity()
            + self.filters.iter().flatten().map(Vec::capacity).sum::<usize>()
            + self.groups.as_ref().map_or(0, Vec::capacity);
        4 * words + self.looks.as_ref().map_or(0, Vec::capacity) * size_of::<Look>()
    }
}

/// Fills a column, padded, with something of each entry's body.
fn look_up<T: Copy + Default + Send>(
    column: &mut Vec<T>,
    bodies: &[u32],
    Means { team, room, .. }: Means<'_>,
    get: impl Fn(usize) -> T + Sync,
) -> Result<()> {
    room.resize(column, bodies.len() + WIDTH, T::default(), STRIPS)?;
    let tasks = column.chunks_mut(TASK).zip(bodies.chunks(TASK));
    team.each_of(bodies.len().div_ceil(TASK), tasks, |(column, bodies)| {
        for (value, &body) in column.iter_mut().zip(bodies) {
            *value = get(body as usize);
        }
    });
    Ok(())
}

/// Fills the columns of layers and of hits, padded: both at once, as memory gives both for the time of one.
fn look_up_filters(columns: &mut [Vec<u32>; 2], bodies: &[u32], packed: &Packed, means: Means<'_>) -> Result<()> {
    let Means { team, room, .. } = means;
    let [layers, hits] = columns;
    room.resize(layers, bodies.len() + WIDTH, 0, STRIPS)?;
    room.resize(hits, bodies.len() + WIDTH, 0, STRIPS)?;
    let columns = layers.chunks_mut(TASK).zip(hits.chunks_mut(TASK));
    team.each_of(bodies.len().div_ceil(TASK), columns.zip(bodies.chunks(TASK)), |((layers, hits), bodies)| {
        for ((layer, hits), &body) in layers.iter_mut().zip(hits.iter_mut()).zip(bodies) {
            let filter = &packed.filters[body as usize];
            (*layer, *hits) = (filter.layer, filter.hits);
        }
    });
    Ok(())
}

/// The elements from `start` on.
#[inline(always)]
pub(in crate::cpu) fn block<T>(all: &[T], start: usize) -> &[T; WIDTH] {
    all[start..start + WIDTH].try_into().expect("a slice of as many")
}
