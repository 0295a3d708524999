//! The broad phase in strips: compares each body with those behind it, 16 at a time.
//!
//! A strip is sorted by where bodies begin along it, so the bodies that may meet a body are its successors up to its
//! end:
//!
//! ```text
//!   a     [------------]
//!   b        [--]                 compared with a
//!   c            [---------]      compared with a
//!   d                 [----]      begins behind the end of a: a is done
//! ```
//!
//! Two bodies that share several strips are a pair only in the first of them, see [`Cut::least`](super::cut::Cut).

use std::ops::Range;

use super::found::Found;
use super::pairs::{GATHERED, Pairs};
use super::sight::{Sight, judge};
use super::strips::Strips;
use super::table::{Row, Table, block};
use crate::bits::look::Look;
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::lattice::Point;
use crate::ground::memory::Room;
use crate::ground::touch::Touch;
use crate::simd::{Kernel, Lanes, WIDTH};
use crate::world::packed::{Kind, Packed};

/// A range of entries, each to be compared with those behind it. The pairs go into `found`.
pub(in crate::cpu) struct Entries<'a> {
    pub packed: &'a Packed,
    pub touch: Touch,
    pub strips: &'a Strips,
    pub range: Range<usize>,
    pub found: &'a mut Found,
    pub room: &'a Room,
}

/// The sweep of some entries.
pub(in crate::cpu) struct SweepEntries<'a>(pub Entries<'a>);

impl Kernel for SweepEntries<'_> {
    type Output = Result<()>;

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) -> Result<()> {
        let mut entries = self.0;
        let mut pairs = Pairs::new();
        let Range { mut start, end } = entries.range.clone();
        while start < end {
            let place = entries.strips.place_of(start);
            let of_place = entries.strips.entries_of(place);
            entries.sweep(lanes, place, start..of_place.end.min(end), of_place.end, &mut pairs)?;
            start = of_place.end;
        }
        entries.flush(lanes, &mut pairs)
    }
}

impl Entries<'_> {
    /// Compares each of a range of entries of a place with those behind it, up to the place's `end`.
    #[inline(always)]
    fn sweep<L: Lanes>(
        &mut self,
        lanes: L,
        place: usize,
        range: Range<usize>,
        end: usize,
        pairs: &mut Pairs,
    ) -> Result<()> {
        let strips = self.strips;
        let Table { filters, groups, kinds, .. } = &strips.table;
        let bare = filters.is_none() && groups.is_none() && kinds.is_none() && !strips.cut().shared;
        let scan = Scan { strips, touch: self.touch, place, entries: range.end, end };
        let mut at = At { entry: range.start, next: range.start + 1 };
        while at.entry < range.end {
            at = if bare { scan.run::<L, true>(lanes, at, pairs) } else { scan.run::<L, false>(lanes, at, pairs) };
            if pairs.len > GATHERED {
                self.flush(lanes, pairs)?;
            }
        }
        Ok(())
    }

    /// Decides the gathered pairs and moves them into `found`. Unless all bodies are boxes, pairs were gathered by
    /// entry, as the properties that decide them are listed by entry.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn flush<L: Lanes>(&mut self, lanes: L, pairs: &mut Pairs) -> Result<()> {
        let Self { packed, touch, strips, room, .. } = *self;
        let (len, Table { u: [u0, u1], v: [v0, v1], bodies, kinds, looks, .. }) = (strips.len(), &strips.table);
        let Some(kinds) = kinds else {
            return self.found.take(packed, touch, pairs.drain(), room);
        };
        let sight = ByEntry {
            u: [&u0[..len], &u1[..len]],
            v: [&v0[..len], &v1[..len]],
            upright: strips.cut().upright,
            bodies: &bodies[..len],
            kinds: &kinds[..len],
            looks: looks.as_ref().filter(|_| touch == Touch::Excluded).map(|looks| &looks[..len]),
        };
        judge(lanes, packed, touch, &sight, pairs, self.found, room)
    }
}

/// Bodies by the entries of strips, whose properties are contiguous.
struct ByEntry<'a> {
    u: [&'a [i32]; 2],
    v: [&'a [i32]; 2],
    upright: bool,
    bodies: &'a [u32],
    kinds: &'a [Kind],
    looks: Option<&'a [Look]>,
}

impl Sight for ByEntry<'_> {
    #[inline(always)]
    fn body(&self, entry: u32) -> u32 {
        self.bodies[entry as usize]
    }

    #[inline(always)]
    fn kind(&self, entry: u32) -> Kind {
        self.kinds[entry as usize]
    }

    #[inline(always)]
    fn bound(&self, entry: u32) -> Aabb {
        let ([u0, u1], [v0, v1]) = (self.u.map(|u| u[entry as usize]), self.v.map(|v| v[entry as usize]));
        Aabb { min: Point::new(u0, v0), max: Point::new(u1, v1) }
    }

    #[inline(always)]
    fn look(&self, entry: u32) -> Option<&Look> {
        self.looks.map(|looks| &looks[entry as usize])
    }

    #[inline(always)]
    fn pixels(&self, entry: u32) -> Aabb {
        let Aabb { min, max } = self.bound(entry);
        let pixel =
            |p: Point| if self.upright { Point::new(p.y >> 8, p.x >> 8) } else { Point::new(p.x >> 8, p.y >> 8) };
        Aabb { min: pixel(min), max: pixel(max) }
    }
}

/// The progress of a sweep within a place: `entry` has been compared with those before `next`.
#[derive(Clone, Copy)]
struct At {
    entry: usize,
    next: usize,
}

/// Compares entries of a place with those behind them until enough pairs are gathered. It makes no calls, so that
/// vector constants stay in registers.
struct Scan<'a> {
    strips: &'a Strips,
    touch: Touch,
    place: usize,
    /// The end of the entries that are compared with those behind them.
    entries: usize,
    /// The end of the place.
    end: usize,
}

impl Scan<'_> {
    /// Continues from `at`, and returns where it stopped. `BARE`: bounds alone make a pair, and no two strips share a
    /// place.
    #[inline(always)]
    fn run<L: Lanes, const BARE: bool>(&self, lanes: L, at: At, pairs: &mut Pairs) -> At {
        let Self { strips, place, entries, end, .. } = *self;
        let cut = strips.cut();
        let (u0, u1, v0, v1) = (
            &strips.table.u[0][..end + WIDTH],
            &strips.table.u[1][..end],
            &strips.table.v[0][..end + WIDTH],
            &strips.table.v[1][..end + WIDTH],
        );
        let bodies = &strips.table.bodies[..end + WIDTH];
        let open = i32::from(self.touch == Touch::Excluded);
        let At { entry: mut k, mut next } = at;
        while k < entries {
            let (right, bottom, top) = (u1[k] - open, v1[k] - open, v0[k] + open);
            let least = cut.least(place, v0[k]);
            let row = if BARE { Row::default() } else { strips.table.row(k) };
            while next < end {
                let near = block(u0, next);
                let mut bits = lanes.within(near, right, block(v0, next), least)
                    & lanes.within(block(v0, next), bottom, block(v1, next), top);
                if end - next < WIDTH {
                    bits &= (1 << (end - next)) - 1;
                }
                if !BARE {
                    bits &= strips.table.tested(lanes, next, row);
                }
                if !BARE && cut.shared {
                    bits = cut.first_common(place, v0[k], block(v0, next), bits);
                }
                if !BARE && strips.table.kinds.is_some() {
                    pairs.add(lanes, k as u32, bits, &entries_from(next));
                } else {
                    pairs.add(lanes, bodies[k], bits, block(bodies, next));
                }
                next += WIDTH;
                if near[WIDTH - 1] > right {
                    break;
                }
                if pairs.len > GATHERED {
                    return At { entry: k, next };
                }
            }
            k += 1;
            next = k + 1;
            if pairs.len > GATHERED {
                break;
            }
        }
        At { entry: k, next }
    }
}

/// Returns the numbers of the entries from `start` on.
#[inline(always)]
fn entries_from(start: usize) -> [u32; WIDTH] {
    let mut entries = [0; WIDTH];
    for (lane, entry) in entries.iter_mut().enumerate() {
        *entry = (start + lane) as u32;
    }
    entries
}
