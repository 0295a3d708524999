//! Polygons, stored so that neighbours in the plane are neighbours in memory.

use std::iter::once;
use std::ops::Range;

use super::polygon::{Part, Polygon, Record};
use super::regions::Regions;
use super::simple::{is_crossed, is_unproven, winds_once};
use super::source::{Fault, MOST, Source, Sources, Wrong, frame, lattice};
use crate::threads::in_parts;

/// Many polygons.
pub(super) struct List {
    parts: Vec<Part>,
    /// The part of each polygon, and its place there.
    places: Vec<[u32; 2]>,
    /// The rows of polygons that only `Shape::polygon` can accept, ascending; empty without `check`.
    unproven: Vec<u32>,
}

impl List {
    /// Reads polygons on at most `threads` threads, 0 for one on each core. Returns the first polygon that is wrong.
    /// With `check`, sides that cross each other are wrong too.
    pub(super) fn read(sources: &[Source<'_>], check: bool, threads: usize) -> Result<Self, Wrong> {
        let sources = Sources::new(sources);
        let count = sources.len;
        let regions = Regions::of(count, |polygon| {
            let corner = sources.corners(polygon).first()?;
            // Not checked yet.
            Some(corner.map(|v| lattice(v.clamp(-MOST, MOST)) as i64))
        });
        let found = in_parts(count, threads, |polygons| read_some(&sources, polygons, &regions, check));
        let (by_thread, unproven): (Vec<_>, Vec<_>) =
            found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let mut list = Self { parts: Vec::new(), places: Vec::with_capacity(count), unproven: unproven.concat() };
        let mut by_thread: Vec<_> = by_thread.into_iter().map(Vec::into_iter).collect();
        while let Some(first) = by_thread[0].next() {
            let others: Vec<Part> = by_thread[1..].iter_mut().filter_map(Iterator::next).collect();
            for part in once(first).chain(others) {
                let of_part = list.parts.len() as u32;
                list.places.extend((0..part.records.len() as u32).map(|at| [of_part, at]));
                list.parts.push(part);
            }
        }
        Ok(list)
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the polygon at a place in the list.
    pub(super) fn get(&self, at: usize) -> Polygon<'_> {
        let [part, at] = self.places[at].map(|at| at as usize);
        let part = &self.parts[part];
        Polygon { record: &part.records[at], part }
    }

    /// Returns the polygons in their order in memory.
    pub(super) fn iter(&self) -> impl Iterator<Item = Polygon<'_>> {
        self.parts.iter().flat_map(|part| part.records.iter().map(|record| Polygon { record, part }))
    }

    pub(super) fn unproven(&self) -> &[u32] {
        &self.unproven
    }
}

/// Reads some polygons, and returns those of each region, and which are unproven.
fn read_some(
    sources: &Sources<'_>,
    polygons: Range<usize>,
    regions: &Regions,
    check: bool,
) -> Result<(Vec<Part>, Vec<u32>), Wrong> {
    let mut parts: Vec<Part> = (0..regions.len()).map(|_| Part::default()).collect();
    let mut unproven = Vec::new();
    for polygon in polygons {
        let frame = frame(sources.corners(polygon)).map_err(|fault| (polygon, fault))?;
        let part = &mut parts[regions.at(frame.origin)];
        let [start, first] = [part.corners.len(), part.ends.len()];
        let (source, rings) = sources.rings(polygon);
        for ring in rings.windows(2) {
            part.push(&source.corners[ring[0]..ring[1]], frame.origin.map(|v| v as f64));
        }
        let ends = [first, part.ends.len() - 1];
        let record = Record { frame, row: polygon as u32, corners: [start, part.corners.len()], ends };
        if check {
            let read = Polygon { record: &record, part };
            if !winds_once(read) {
                if is_crossed(read) {
                    return Err((polygon, Fault::Crossed));
                }
                if is_unproven(read) {
                    unproven.push(polygon as u32);
                }
            }
        }
        part.records.push(record);
    }
    Ok((parts, unproven))
}
