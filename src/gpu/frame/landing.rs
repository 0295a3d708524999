//! The place in [`Binding::Landed`](crate::gpu::binding::Binding::Landed) where each body lands: the vertices of a
//! convex body, the painted words of a turned sprite.

use crate::ground::lattice::SUBPIXELS;
use crate::world::packed::{Body, Kind, NOT_LANDED, Packed, SPRITE, UNTURNED};

/// The most 64-bit words of a sprite that is painted ahead; with more, lavapipe would cut the painting loop short. A
/// larger sprite is sampled where the narrow phase looks at it.
pub(in crate::gpu) const MOST_WORDS: usize = 1 << 15;

/// Consecutive units that belong to a body.
#[derive(Clone, Copy, Debug, Default)]
struct Span {
    first: u32,
    /// May be more than the body needs at present.
    units: u32,
    /// Whether the body needs any at present.
    used: bool,
}

/// A span for each body, in units of 64 bits: a vertex, or a painted word. A body keeps its span while it fits; a body
/// that outgrows its span gets a new one behind all others.
#[derive(Debug, Default)]
pub(in crate::gpu) struct Landing {
    spans: Vec<Span>,
    /// The end of the last span.
    end: usize,
    /// The value of `end` when every span was exactly as long as needed.
    tight: usize,
    /// The number of units in spans of sprites.
    painted: usize,
    /// Whether some sprite is, or was, painted ahead.
    paints: bool,
    /// Whether some turned sprite is, or was, not painted ahead.
    samples: bool,
    /// The upper limit on the number of units.
    most: usize,
}

impl Landing {
    /// The bytes of a unit.
    pub(in crate::gpu) const UNIT_BYTES: u64 = 8;

    /// Gives all bodies new spans. Vertices always get one; sprites that do not fit into `most` units beside them are
    /// not painted ahead.
    pub(in crate::gpu) fn renew_all(&mut self, packed: &Packed, most: usize) {
        self.most = most;
        self.fill(packed, usize::MAX);
        if self.end > most {
            let vertices = self.end - self.painted;
            self.fill(packed, most.saturating_sub(vertices));
        }
    }

    /// Gives all bodies new spans, with at most `painted` units for sprites.
    fn fill(&mut self, packed: &Packed, painted: usize) {
        (self.end, self.painted, self.paints, self.samples) = (0, 0, false, false);
        self.spans.clear();
        self.spans.reserve(packed.len());
        for (index, body) in packed.bodies().enumerate() {
            let (body, units) = (&body, needed(packed, index, &body));
            let fits = !body.is(SPRITE) || self.painted + units <= painted;
            let units = if fits { units } else { 0 };
            let span = self.append(body, units);
            self.spans.push(span);
            self.settle(body, index, units);
        }
        self.tight = self.end;
    }

    /// Returns the number of elements (32-bit words) in all spans.
    pub(in crate::gpu) fn elements(&self) -> u64 {
        2 * self.end as u64
    }

    /// Returns whether some sprite is painted ahead.
    pub(in crate::gpu) fn paints(&self) -> bool {
        self.paints
    }

    /// Returns whether some turned sprite is not painted ahead.
    pub(in crate::gpu) fn samples(&self) -> bool {
        self.samples
    }

    /// Returns a body with its place to land filled in.
    pub(in crate::gpu) fn of(&self, packed: &Packed, index: usize) -> Body {
        let span = self.spans[index];
        Body { landed: if span.used { span.first } else { NOT_LANDED }, ..packed.body(index) }
    }

    /// Makes sure that a new or changed body has a span that is long enough. Returns false if all spans must be
    /// renewed, because half as many units again are in use as when the spans were tight, or more than allowed.
    pub(in crate::gpu) fn renew(&mut self, packed: &Packed, index: usize) -> bool {
        let body = &packed.body(index);
        let units = needed(packed, index, body);
        if index >= self.spans.len() {
            self.spans.resize(index + 1, Span::default());
        }
        if units > self.spans[index].units as usize {
            // A turning sprite keeps growing, so allocate a quarter more than it needs now.
            self.spans[index] = self.append(body, units + units / 4);
        }
        self.settle(body, index, units);
        self.end <= self.most.min(self.tight + self.tight / 2)
    }

    /// Appends a span behind all others.
    fn append(&mut self, body: &Body, units: usize) -> Span {
        let first = self.end as u32;
        self.end += units;
        self.painted += if body.is(SPRITE) { units } else { 0 };
        Span { first, units: units as u32, used: false }
    }

    /// Records whether a body lands in its span.
    fn settle(&mut self, body: &Body, index: usize, units: usize) {
        self.spans[index].used = units > 0;
        self.paints |= units > 0 && body.is(SPRITE);
        self.samples |= units == 0 && body.is(SPRITE) && !body.is(UNTURNED) && !body.is_absent();
    }
}

/// Returns the number of units that a body needs. It is 0 if nothing of it lands: it hits nothing, is an unturned
/// sprite, or is too large to be painted ahead.
fn needed(packed: &Packed, index: usize, body: &Body) -> usize {
    if packed.kinds[index] == Kind::Absent {
        return 0;
    }
    if !body.is(SPRITE) {
        return packed.corners(body);
    }
    let units = if body.is(UNTURNED) { 0 } else { most_painted_words(body) };
    if units > MOST_WORDS { 0 } else { units }
}

/// Returns the most 64-bit words that a sprite paints at any position within a pixel, so that it keeps its span when it
/// only moves.
fn most_painted_words(body: &Body) -> usize {
    let size = body.extent.max - body.extent.min;
    let [width, height] = [size.x, size.y].map(|steps| (steps as usize).div_ceil(SUBPIXELS as usize));
    width.div_ceil(64) * height
}
