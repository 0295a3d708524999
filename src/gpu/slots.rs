//! Where the landed vertices of each convex body lie, and the painted words of each turned sprite.

use crate::world::packed::{Body, EMPTY, NO_SLOT, Packed, SPRITE, UNTURNED};

/// The most words of 64 bits that a sprite painted ahead takes, so that lavapipe does not cut its loop short; a larger one is sampled where
/// it is looked at.
const PAINTED_WORDS: usize = 1 << 15;

/// A part of what has landed, in units of 64 bits: a vertex, or a painted word.
#[derive(Clone, Copy, Debug, Default)]
struct Place {
    first: u32,
    units: u32,
    /// `first`, while something lands there.
    slot: u32,
}

/// A place for each body that needs one. It keeps its place while it fits in there; one that has grown gets another behind all.
#[derive(Debug, Default)]
pub(super) struct Slots {
    places: Vec<Place>,
    /// The units up to the end of the last place.
    end: usize,
    /// `end` when all had just what they need.
    tight: usize,
    /// The units that were given to sprites.
    painted: usize,
    /// Whether some sprite has, or had, a slot.
    paints: bool,
    /// The most units that there may be.
    most: usize,
}

impl Slots {
    /// Gives all bodies places anew. Painting ahead is a convenience: sprites that do not fit into `most` units beside all vertices go
    /// without.
    pub(super) fn renew_all(&mut self, packed: &Packed, most: usize) {
        self.most = most;
        self.fill(packed, usize::MAX);
        if self.end > most {
            let vertices = self.end - self.painted;
            self.fill(packed, most.saturating_sub(vertices));
        }
    }

    /// Gives all bodies places, where sprites have at most so many units.
    fn fill(&mut self, packed: &Packed, painted: usize) {
        (self.end, self.painted, self.paints) = (0, 0, false);
        self.places.clear();
        self.places.reserve(packed.bodies.len());
        for (index, body) in packed.bodies.iter().enumerate() {
            let units = needed(packed, body);
            let fits = !body.is(SPRITE) || self.painted + units <= painted;
            let units = if fits { units } else { 0 };
            let place = self.append(body, units);
            self.places.push(place);
            self.settle(body, index, units);
        }
        self.tight = self.end;
    }

    /// The units of all places.
    pub(super) fn units(&self) -> usize {
        self.end
    }

    /// Whether some sprite is painted ahead.
    pub(super) fn paints(&self) -> bool {
        self.paints
    }

    /// A body with its slot filled in.
    pub(super) fn placed(&self, packed: &Packed, index: usize) -> Body {
        Body { slot: self.places[index].slot, ..packed.bodies[index] }
    }

    /// Sees that a body that has changed or is new has a place; whether it does, and no more than a third of all is left unused.
    pub(super) fn renew(&mut self, packed: &Packed, index: usize) -> bool {
        let body = &packed.bodies[index];
        let units = needed(packed, body);
        if index == self.places.len() {
            self.places.push(Place::default());
        }
        if units > self.places[index].units as usize {
            // What turns grows again: a quarter more than now.
            self.places[index] = self.append(body, units + units / 4);
        }
        self.settle(body, index, units);
        self.end <= self.most.min(self.tight + self.tight / 2)
    }

    fn append(&mut self, body: &Body, units: usize) -> Place {
        let first = self.end as u32;
        self.end += units;
        self.painted += if body.is(SPRITE) { units } else { 0 };
        Place { first, units: units as u32, slot: NO_SLOT }
    }

    /// Gives a body the slot in its place, if anything of it lands there.
    fn settle(&mut self, body: &Body, index: usize, units: usize) {
        let place = &mut self.places[index];
        place.slot = if units > 0 { place.first } else { NO_SLOT };
        self.paints |= units > 0 && body.is(SPRITE);
    }
}

/// The units that a body needs: none if nothing of it lands, or is painted ahead.
fn needed(packed: &Packed, body: &Body) -> usize {
    if !body.is(SPRITE) {
        return packed.corners(body);
    }
    let units = if body.is(UNTURNED) || body.is(EMPTY) {
        0
    } else {
        body.painted_stride() * (body.extent.max.y - body.extent.min.y) as usize
    };
    if units > PAINTED_WORDS { 0 } else { units }
}
