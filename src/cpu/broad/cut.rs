//! The division of a world into strips.

use crate::ground::aabb::Aabb;
use crate::simd::WIDTH;

/// Minimum height of a strip relative to a typical body, as a power of two. With lower strips, more bodies lie in two
/// strips; with higher strips, more bodies that are far apart are compared.
const HEIGHT: u32 = 3;
/// Height of the highest strips, as a power of two: two of them are as high as the world.
const HIGHEST: u32 = 30;
/// Maximum number of places.
const MOST_PLACES: i32 = 4096;
/// Minimum number of bodies per place. If there are more strips than this allows places, strips share places.
const BODIES_OF_A_PLACE: usize = 8;

/// The first and the last place that a body is in. If strips share places, the last may come before the first.
pub(in crate::cpu) type Span = [u16; 2];

/// The division of a world into strips; by default a single strip.
///
/// Strips run *along* one axis and are stacked *across* it; usually they run along x and are stacked in y. A *place*
/// holds the entries of a strip. If the bodies of a world lie far apart, strips share places in turn: strip `s` has
/// place `s % places`.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Cut {
    /// Whether strips run along y and are stacked in x.
    pub(in crate::cpu) upright: bool,
    /// The least coordinate of all bodies across the strips; the first strip begins there.
    first: i32,
    /// The largest coordinate of all bodies across the strips.
    last: i32,
    /// The height of a strip, as a power of two.
    shift: u32,
    /// The number of places.
    pub(in crate::cpu) places: i32,
    /// Whether several strips share a place.
    pub(in crate::cpu) shared: bool,
}

impl Default for Cut {
    fn default() -> Self {
        Self::ONE
    }
}

impl Cut {
    /// A single strip.
    pub(in crate::cpu) const ONE: Self = Self { upright: false, first: 0, last: 0, shift: 0, places: 1, shared: false };

    /// Creates the cut for the surveyed bodies, along the axis that yields more strips.
    pub(in crate::cpu) fn new(Survey { extremes: [least, most], count, logs }: Survey) -> Self {
        if count == 0 {
            return Self::ONE;
        }
        let along = |upright: bool| {
            let v = usize::from(!upright);
            let (first, last) = (least[v], most[v + 2]);
            let shift = ((logs[v] / count) as u32 + HEIGHT).min(HIGHEST);
            (
                ((i64::from(last) - i64::from(first)) >> shift) + 1,
                Self { upright, first, last, shift, places: 0, shared: false },
            )
        };
        let [(rows, lying), (columns, upright)] = [false, true].map(along);
        let places = (count as usize / BODIES_OF_A_PLACE).clamp(1, MOST_PLACES as usize) as i64;
        // Use upright strips only for a clear gain, as with a row of bodies.
        let (strips, cut) = if columns > rows * 8 && rows < places { (columns, upright) } else { (rows, lying) };
        Self { places: strips.min(places) as i32, shared: strips > places, ..cut }
    }

    /// Returns whether this cut, made for earlier positions of the bodies, is about as good as `now`, made for the
    /// current ones.
    pub(in crate::cpu) fn is_like(&self, now: &Self) -> bool {
        let near = |a: i32, b: i32| a.abs_diff(b) >> self.shift == 0;
        (self.upright, self.shift, self.shared) == (now.upright, now.shift, now.shared)
            && near(self.first, now.first)
            && near(self.last, now.last)
            && self.places.abs_diff(now.places) * 8 <= now.places as u32
    }

    /// Returns whether strips cannot be made higher.
    pub(in crate::cpu) fn is_highest(&self) -> bool {
        self.places == 1 || self.shift >= HIGHEST
    }

    /// Returns this cut with strips twice as high.
    pub(in crate::cpu) fn higher(self) -> Self {
        Self { shift: self.shift + 1, ..self }
    }

    /// Returns the strip of a coordinate across. The first and the last strip are unbounded, as bodies may move out of
    /// the cut.
    #[inline(always)]
    fn strip(&self, v: i32) -> i32 {
        (v.clamp(self.first, self.last) - self.first) >> self.shift
    }

    /// Returns the place of a strip.
    #[inline(always)]
    fn place(&self, strip: i32) -> usize {
        (if self.shared { strip % self.places } else { strip }) as usize
    }

    /// Returns the bounds along the strips, then across.
    #[inline(always)]
    pub(in crate::cpu) fn turn(&self, bound: &Aabb) -> [[i32; 2]; 2] {
        let coordinates: &[i32; 4] = bytemuck::cast_ref(bound);
        [self.upright, !self.upright].map(|y| [coordinates[usize::from(y)], coordinates[usize::from(y) + 2]])
    }

    /// Returns the number of places that a body is in.
    pub(in crate::cpu) fn places_of(&self, bound: &Aabb) -> usize {
        let [_, v] = self.turn(bound);
        (1 + self.strip(v[1]) - self.strip(v[0])).clamp(0, self.places) as usize
    }

    /// Writes the first and the last place of each body; for a body that is nowhere, the number of places, twice.
    #[inline(always)]
    pub(in crate::cpu) fn spans(&self, bounds: &[Aabb], spans: &mut [Span]) {
        // As constants, so that the compiler vectorizes the loop.
        match (self.upright, self.shared) {
            (false, false) => self.spans_of::<1, false>(bounds, spans),
            (false, true) => self.spans_of::<1, true>(bounds, spans),
            (true, false) => self.spans_of::<0, false>(bounds, spans),
            (true, true) => self.spans_of::<0, true>(bounds, spans),
        }
    }

    /// Implements [`Cut::spans`], where `V` is the axis across the strips.
    #[inline(always)]
    fn spans_of<const V: usize, const SHARED: bool>(&self, bounds: &[Aabb], spans: &mut [Span]) {
        for (bound, span) in bounds.iter().zip(spans) {
            let coordinates: &[i32; 4] = bytemuck::cast_ref(bound);
            let (mut first, mut last) = (self.strip(coordinates[V]), self.strip(coordinates[V + 2]));
            if SHARED {
                last = last.min(first + self.places - 1);
                (first, last) = (first % self.places, last % self.places);
            }
            let somewhere = bound.is_somewhere();
            *span = [first, last].map(|place| (if somewhere { place } else { self.places }) as u16);
        }
    }

    /// Returns the least coordinate across from which a body is paired in this place with one that begins at `v0`.
    ///
    /// Two bodies may share several strips. Their pair belongs to the first of these, the strip in which the later of
    /// the two begins. So a body that begins before this strip is paired here only with bodies that begin within it,
    /// and one that begins within it is paired with all. If strips share places, [`Cut::first_common`] decides instead.
    #[inline(always)]
    pub(in crate::cpu) fn least(&self, place: usize, v0: i32) -> i32 {
        let start = self.first + ((place as i32) << self.shift);
        if self.shared || place == 0 || v0 >= start { i32::MIN } else { start }
    }

    /// Returns those of `bits` whose first strip in common with a body that begins at `v0` has this place: they are
    /// paired here. `others` holds where each begins across the strips.
    pub(in crate::cpu) fn first_common(&self, place: usize, v0: i32, others: &[i32; WIDTH], mut bits: u32) -> u32 {
        let mut first = 0;
        while bits != 0 {
            let lane = bits.trailing_zeros();
            let strip = self.strip(v0.max(others[lane as usize % WIDTH]));
            first |= u32::from(self.place(strip) == place) << lane;
            bits &= bits - 1;
        }
        first
    }
}

/// The properties of the bodies that determine the cut.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Survey {
    /// The least and the largest value of each coordinate of all bounds.
    extremes: [[i32; 4]; 2],
    /// The number of bodies whose bounds are somewhere.
    count: u64,
    /// The sums of the binary logarithms of the widths and of the heights: their mean is hardly moved by a few huge
    /// bodies.
    logs: [u64; 2],
}

impl Default for Survey {
    fn default() -> Self {
        Self::NOTHING
    }
}

impl Survey {
    pub(in crate::cpu) const NOTHING: Self = Self { extremes: [[i32::MAX; 4], [i32::MIN; 4]], count: 0, logs: [0; 2] };

    /// Adds some bodies. Bodies that are nowhere change no extreme and add no logarithm.
    #[inline(always)]
    pub(in crate::cpu) fn add(&mut self, bounds: &[Aabb]) {
        let [mut least, mut most] = self.extremes;
        let (mut count, mut zeros) = (0, [0; 2]);
        for bound in bounds {
            let coordinates: &[i32; 4] = bytemuck::cast_ref(bound);
            for k in 0..4 {
                least[k] = least[k].min(coordinates[k]);
                most[k] = most[k].max(coordinates[k]);
            }
            count += u64::from(bound.is_somewhere());
            let leading_zeros = |min: i32, max: i32| u64::from((max.abs_diff(min) | 1).leading_zeros());
            zeros[0] += leading_zeros(bound.min.x, bound.max.x);
            zeros[1] += leading_zeros(bound.min.y, bound.max.y);
        }
        let logs = zeros.map(|zeros| u64::from(u32::BITS - 1) * count - zeros);
        *self = self.join(Self { extremes: [least, most], count, logs });
    }

    pub(in crate::cpu) fn join(self, other: Self) -> Self {
        let both = |f: fn(i32, i32) -> i32, side: usize| {
            std::array::from_fn(|k| f(self.extremes[side][k], other.extremes[side][k]))
        };
        Self {
            extremes: [both(i32::min, 0), both(i32::max, 1)],
            count: self.count + other.count,
            logs: [self.logs[0] + other.logs[0], self.logs[1] + other.logs[1]],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_is_like_one_that_hardly_differs() {
        let cut = Cut { upright: false, first: 1000, last: 9000, shift: 8, places: 64, shared: false };
        for now in [cut, Cut { first: 1255, ..cut }, Cut { last: 8745, ..cut }, Cut { places: 72, ..cut }] {
            assert!(cut.is_like(&now) && now.is_like(&cut), "{now:?}");
        }
        for now in [
            Cut { upright: true, ..cut },
            Cut { first: 1256, ..cut },
            Cut { last: 8744, ..cut },
            Cut { shift: 9, ..cut },
            Cut { places: 74, ..cut },
            Cut { shared: true, ..cut },
        ] {
            assert!(!cut.is_like(&now) && !now.is_like(&cut), "{now:?}");
        }
    }

    #[test]
    fn strips_are_highest_if_there_is_one_or_they_are_as_high_as_allowed() {
        let cut = Cut { places: 2, shift: HIGHEST - 1, ..Cut::ONE };
        assert!(!cut.is_highest());
        assert!(cut.higher().is_highest() && Cut { places: 1, ..cut }.is_highest());
    }
}
