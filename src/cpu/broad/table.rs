//! The entries of a broad phase: bodies in its own order, in columns that are read 16 elements at a time.

use super::columns::Columns;
use crate::bits::look::Look;
use crate::cpu::means::{Means, STRIPS};
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::simd::{Lanes, WIDTH};
use crate::world::filter::Filter;
use crate::world::packed::{DETECTOR, Kind, Packed};

/// Number of elements for a task that looks up properties.
const TASK: usize = 1 << 14;

/// The columns, each with [`WIDTH`] elements of padding.
#[derive(Debug, Default)]
pub(in crate::cpu) struct Table {
    /// The entries' bounds along one axis.
    pub u: [Vec<i32>; 2],
    /// The entries' bounds along the other axis.
    pub v: [Vec<i32>; 2],
    /// The entries' bodies.
    pub bodies: Vec<u32>,
    /// The layers that the bodies are on, and those that they hit; `None` if layers leave out none of the pairs.
    pub filters: Option<[Vec<u32>; 2]>,
    /// The layers that detectors hit, and 0 for other bodies; `None` if there are no detectors or no `filters`.
    pub sights: Option<Vec<u32>>,
    /// The groups of the bodies, if any body is in one.
    pub groups: Option<Vec<i32>>,
    /// The kinds of the bodies, unless all are boxes.
    pub kinds: Option<Vec<Kind>>,
    /// The looks of the bodies, if any body has one.
    pub looks: Option<Vec<Look>>,
}

/// The properties of a body that, with those of another, say whether the pair is tested.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::cpu) struct Row {
    pub layers: u32,
    pub mask: u32,
    /// The mask of a detector; 0 for other bodies.
    pub sight: u32,
    pub group: i32,
}

impl Row {
    /// Returns the properties of a body.
    #[inline(always)]
    pub(super) fn of(packed: &Packed, body: usize) -> Self {
        let Filter { layers, mask, group } = packed.filters[body];
        let sight = if packed.detecting { sight(packed, body) } else { 0 };
        Self { layers, mask, sight, group: group as i32 }
    }
}

/// Returns the mask of a detector; 0 for another body.
#[inline(always)]
fn sight(packed: &Packed, body: usize) -> u32 {
    if packed.poses[body].flags & DETECTOR == 0 { 0 } else { packed.filters[body].mask }
}

impl Table {
    /// Makes room for `len` entries.
    pub(super) fn resize(&mut self, len: usize, room: &Room) -> Result<()> {
        let padded = len + WIDTH;
        for column in self.u.iter_mut().chain(&mut self.v) {
            room.resize(column, padded, 0, STRIPS)?;
        }
        room.resize(&mut self.bodies, padded, 0, STRIPS)
    }

    /// Returns the columns of bounds and bodies.
    pub(super) fn columns(&mut self) -> Columns<'_> {
        let ([u0, u1], [v0, v1]) = (&mut self.u, &mut self.v);
        Columns { u0, u1, v0, v1, bodies: &mut self.bodies }
    }

    /// Looks up the layers of the bodies of the first `len` entries.
    pub(super) fn look_up_layers(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (before, sights, bodies) = (self.filters.take(), self.sights.take(), &self.bodies[..len]);
        self.filters = packed.filtered.then(|| look_up_both(before, bodies, packed, means)).transpose()?;
        let detects = packed.filtered && packed.detecting;
        self.sights = detects.then(|| look_up(sights, bodies, means, |body| sight(packed, body))).transpose()?;
        Ok(())
    }

    /// Leaves out none of the pairs because of layers.
    pub(super) fn ignore_layers(&mut self) {
        (self.filters, self.sights) = (None, None);
    }

    /// Looks up the groups of the bodies of the first `len` entries.
    pub(super) fn look_up_groups(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (before, bodies) = (self.groups.take(), &self.bodies[..len]);
        let group = |body: usize| packed.filters[body].group as i32;
        self.groups = packed.grouped.then(|| look_up(before, bodies, means, group)).transpose()?;
        Ok(())
    }

    /// Looks up the kinds of the bodies of the first `len` entries.
    pub(super) fn look_up_kinds(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (before, bodies) = (self.kinds.take(), &self.bodies[..len]);
        self.kinds = packed.varied.then(|| look_up(before, bodies, means, |body| packed.kinds[body])).transpose()?;
        Ok(())
    }

    /// Looks up the looks of the bodies of the first `len` entries.
    pub(super) fn look_up_looks(&mut self, len: usize, packed: &Packed, means: Means<'_>) -> Result<()> {
        let (before, bodies) = (self.looks.take(), &self.bodies[..len]);
        self.looks = packed.masked.then(|| look_up(before, bodies, means, |body| packed.looks[body])).transpose()?;
        Ok(())
    }

    /// Returns what decides, together with the same of another entry, whether their pair is tested.
    #[inline(always)]
    pub(in crate::cpu) fn row(&self, entry: usize) -> Row {
        let [layers, mask] = self.filters.as_ref().map_or([0; 2], |[layers, hits]| [layers[entry], hits[entry]]);
        let sight = self.sights.as_ref().map_or(0, |sights| sights[entry]);
        let group = self.groups.as_ref().map_or(0, |groups| groups[entry]);
        Row { layers, mask, sight, group }
    }

    /// Returns a bit for each entry from `next` on whose pair with a row's body is tested, by layers and groups.
    #[inline(always)]
    pub(in crate::cpu) fn tested<L: Lanes>(&self, lanes: L, next: usize, row: Row) -> u32 {
        let mut bits = u32::MAX;
        if let Some([layers, hits]) = &self.filters {
            let layers = block(layers, next);
            bits = lanes.share(layers, row.mask, block(hits, next), row.layers);
            if let Some(sights) = &self.sights {
                let sights = block(sights, next);
                bits |= lanes.share(layers, row.sight, layers, row.sight);
                bits |= lanes.share(sights, row.layers, sights, row.layers);
            }
        }
        bits & self.strangers(lanes, next, row.group)
    }

    /// Returns a bit for each entry from `next` on that is not in the same group. Group 0 is no group.
    #[inline(always)]
    fn strangers<L: Lanes>(&self, lanes: L, next: usize, group: i32) -> u32 {
        match &self.groups {
            Some(groups) if group != 0 => {
                let others = block(groups, next);
                !lanes.within(others, group, others, group)
            }
            _ => u32::MAX,
        }
    }

    /// Returns the bytes that the columns hold.
    pub(super) fn bytes(&self) -> usize {
        let words = self.u.iter().chain(&self.v).map(Vec::capacity).sum::<usize>()
            + self.bodies.capacity()
            + self.filters.iter().flatten().chain(&self.sights).map(Vec::capacity).sum::<usize>()
            + self.groups.as_ref().map_or(0, Vec::capacity);
        let (kinds, looks) =
            (self.kinds.as_ref().map_or(0, Vec::capacity), self.looks.as_ref().map_or(0, Vec::capacity));
        4 * words + kinds + looks * size_of::<Look>()
    }
}

/// Returns a padded column with a property of each entry's body, in the memory of the previous column.
fn look_up<T: Copy + Default + Send>(
    before: Option<Vec<T>>,
    bodies: &[u32],
    Means { team, room, .. }: Means<'_>,
    get: impl Fn(usize) -> T + Sync,
) -> Result<Vec<T>> {
    let mut column = before.unwrap_or_default();
    room.resize(&mut column, bodies.len() + WIDTH, T::default(), STRIPS)?;
    let tasks = column.chunks_mut(TASK).zip(bodies.chunks(TASK));
    team.each_of(bodies.len().div_ceil(TASK), tasks, |(column, bodies)| {
        for (value, &body) in column.iter_mut().zip(bodies) {
            *value = get(body as usize);
        }
    });
    Ok(column)
}

/// Returns the padded columns of layers and hits. Both are looked up at once, as they share a cache line and so cost
/// the memory access of one.
fn look_up_both(
    before: Option<[Vec<u32>; 2]>,
    bodies: &[u32],
    packed: &Packed,
    Means { team, room, .. }: Means<'_>,
) -> Result<[Vec<u32>; 2]> {
    let [mut layers, mut hits] = before.unwrap_or_default();
    room.resize(&mut layers, bodies.len() + WIDTH, 0, STRIPS)?;
    room.resize(&mut hits, bodies.len() + WIDTH, 0, STRIPS)?;
    let columns = layers.chunks_mut(TASK).zip(hits.chunks_mut(TASK));
    team.each_of(bodies.len().div_ceil(TASK), columns.zip(bodies.chunks(TASK)), |((layers, hits), bodies)| {
        for ((layer, hits), &body) in layers.iter_mut().zip(hits.iter_mut()).zip(bodies) {
            let filter = &packed.filters[body as usize];
            (*layer, *hits) = (filter.layers, filter.mask);
        }
    });
    Ok([layers, hits])
}

/// Returns [`WIDTH`] elements from `start` on.
#[inline(always)]
pub(in crate::cpu) fn block<T>(all: &[T], start: usize) -> &[T; WIDTH] {
    all[start..start + WIDTH].try_into().expect("a slice of as many")
}
