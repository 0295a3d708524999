//! Many polygons in memory, those near each other in the plane near each other.

use std::iter::once;
use std::ops::Range;

use super::polygon::{Part, Polygon, Record};
use super::regions::Regions;
use super::simple::{is_crossed, is_doubtful, winds_once};
use super::source::{Fault, Source, Sources, Wrong, frame, lattice};
use crate::threads::in_parts;

/// Many polygons, those that are near each other in the plane near each other in memory.
pub(super) struct List {
    parts: Vec<Part>,
    /// The part of each polygon, and its place there.
    places: Vec<[u32; 2]>,
    /// Those that a world may refuse though no sides cross, if they were asked for: their numbers, ascending.
    doubtful: Vec<u32>,
}

impl List {
    /// Reads polygons on at most so many threads, 0 for one on each core, or returns one that is wrong. With `check`,
    /// sides that cross each other are wrong.
    pub(super) fn read(sources: &[Source<'_>], check: bool, threads: usize) -> Result<Self, Wrong> {
        let sources = Sources::new(sources);
        let count = sources.len;
        let regions = Regions::of(count, |polygon| {
            let corner = sources.corners(polygon).first()?;
            Some(corner.map(|v| lattice(v) as i64))
        });
        let found = in_parts(count, threads, |polygons| read_some(&sources, polygons, &regions, check));
        let (by_thread, doubtful): (Vec<_>, Vec<_>) =
            found.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
        let mut list = Self { parts: Vec::new(), places: Vec::with_capacity(count), doubtful: doubtful.concat() };
        let mut by_thread: Vec<_> = by_thread.into_iter().map(Vec::into_iter).collect();
        while let Some(first) = by_thread[0].next() {
            let others: Vec<Part> = by_thread[1..].iter_mut().filter_map(Iterator::next).collect();
            for part in once(first).chain(others) {
                let number = list.parts.len() as u32;
                list.places.extend((0..part.records.len() as u32).map(|at| [number, at]));
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

    pub(super) fn doubtful(&self) -> &[u32] {
        &self.doubtful
    }
}

/// Reads some polygons, and returns those of each region, and which are doubtful.
fn read_some(
    sources: &Sources<'_>,
    polygons: Range<usize>,
    regions: &Regions,
    check: bool,
) -> Result<(Vec<Part>, Vec<u32>), Wrong> {
    let mut parts: Vec<Part> = (0..regions.len()).map(|_| Part::default()).collect();
    let mut doubtful = Vec::new();
    for polygon in polygons {
        let frame = frame(sources.corners(polygon)).map_err(|fault| (polygon, fault))?;
        let part = &mut parts[regions.at(frame.origin)];
        let [start, first] = [part.corners.len(), part.ends.len()];
        let (source, rings) = sources.rings(polygon);
        for ring in rings.windows(2) {
            part.push(&source.corners[ring[0]..ring[1]], frame.origin.map(|v| v as f64));
        }
        let Some(end) = part.ends.pop() else { continue };
        let ends = [first, part.ends.len()];
        let record = Record { frame, number: polygon as u32, corners: [start, end], ends };
        if check {
            let read = Polygon { record: &record, part };
            if !winds_once(read) {
                if is_crossed(read) {
                    return Err((polygon, Fault::Crossed));
                }
                if is_doubtful(read) {
                    doubtful.push(polygon as u32);
                }
            }
        }
        part.records.push(record);
    }
    Ok((parts, doubtful))
}
