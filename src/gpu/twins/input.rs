//! Inputs of functions: how they are read, and how they are made.

use crate::ground::aabb::Aabb;
#[cfg(any(test, feature = "internals"))]
use crate::ground::lattice::MAX_MOTION;
use crate::ground::lattice::{MAX_COORDINATE, Point};
#[cfg(any(test, feature = "internals"))]
use crate::ground::linear::Snapped;
use crate::ground::normal::Normal;
use crate::ground::predicate::Core;
use crate::ground::touch::Touch;
#[cfg(any(test, feature = "internals"))]
use crate::world::filter::Filter;
#[cfg(any(test, feature = "internals"))]
use crate::world::packed::Body;

/// The largest coordinate of a difference of two cores, one of them swept.
pub(in crate::gpu) const DIFFERENCE: i32 = 5 << 28;

/// Words at which carries, signs and limits change, the most telling first.
pub(super) const EDGES: [i32; 25] = [
    0,
    -1,
    1,
    i32::MIN,
    i32::MAX,
    0xFFFF,
    1 << 16,
    MAX_COORDINATE,
    -MAX_COORDINATE,
    -(1 << 16),
    1 << 29,
    -(1 << 29),
    1 << 15,
    (1 << 15) - 1,
    -(1 << 15),
    255,
    -255,
    256,
    -256,
    -0xFFFF,
    1 << 30,
    -(1 << 30),
    DIFFERENCE,
    -DIFFERENCE,
    1 << 8 | 1 << 24,
];

/// An input on the host. `shaders/twins/read.wgsl` reads it on the GPU.
#[derive(Clone, Copy)]
pub(in crate::gpu) struct Input<'a>(pub(in crate::gpu) &'a [u32]);

impl<'a> Input<'a> {
    pub(in crate::gpu) fn word(self, k: usize) -> u32 {
        self.0[k]
    }

    pub(in crate::gpu) fn int(self, k: usize) -> i32 {
        self.0[k] as i32
    }

    pub(in crate::gpu) fn long(self, k: usize) -> i64 {
        i64::from(self.int(k + 1)) << 32 | i64::from(self.word(k))
    }

    pub(in crate::gpu) fn longest(self, k: usize) -> u128 {
        (0..4).map(|i| u128::from(self.word(k + i)) << (32 * i)).sum()
    }

    pub(in crate::gpu) fn point(self, k: usize) -> Point {
        Point::new(self.int(k), self.int(k + 1))
    }

    pub(in crate::gpu) fn normal(self, k: usize) -> Normal {
        [self.long(k), self.long(k + 2)]
    }

    pub(super) fn hull_or_square(self, k: usize, count: u32) -> Core<'a> {
        match count {
            0 => Core::Square(Aabb { min: self.point(k), max: self.point(k + 2) }),
            2 => Core::Segment(bytemuck::cast_slice(&self.0[k..k + 4])),
            _ => Core::Hull(bytemuck::cast_slice(&self.0[k..k + 2 * count as usize])),
        }
    }

    pub(in crate::gpu) fn core_a(self) -> Core<'a> {
        self.hull_or_square(4, self.word(0) & 15)
    }
}

/// Readers that only tests need.
#[cfg(any(test, feature = "internals"))]
impl<'a> Input<'a> {
    pub(super) fn core_b(self) -> Core<'a> {
        self.hull_or_square(16, self.word(0) >> 4 & 15)
    }

    pub(super) fn touch(self) -> Touch {
        touch(self.word(0) >> 8)
    }

    pub(super) fn snapped(self, k: usize) -> Snapped {
        Snapped { x: [self.int(k), self.int(k + 1)], y: [self.int(k + 2), self.int(k + 3)] }
    }

    pub(super) fn body(self) -> Body {
        bytemuck::cast_slice(&self.0[..20])[0]
    }

    pub(super) fn filter(self, k: usize) -> Filter {
        bytemuck::cast_slice(&self.0[k..k + 3])[0]
    }
}

/// Returns the touch rule that a word encodes.
pub(in crate::gpu) fn touch(word: u32) -> Touch {
    if word == 0 { Touch::Excluded } else { Touch::Included }
}

/// Clamps words to `-limit..=limit`.
pub(in crate::gpu) fn clamp(words: &mut [u32], limit: i32) {
    for word in words {
        *word = (*word as i32).clamp(-limit, limit) as u32;
    }
}

/// Brings a body into the world.
#[cfg(any(test, feature = "internals"))]
pub(super) fn fit_body(v: &mut [u32]) {
    clamp(&mut v[..2], MAX_COORDINATE);
    clamp(&mut v[2..4], MAX_MOTION);
    clamp(&mut v[8..12], MAX_COORDINATE);
    // No body of a world waits for room.
    v[17] &= !WAITS;
}

/// The flag `WAITS` of `shaders/shared/types.wgsl`.
#[cfg(any(test, feature = "internals"))]
const WAITS: u32 = 64;

/// `SplitMix64` (Steele, Lea and Flood, 2014), with a separate start for each case.
pub(in crate::gpu) struct Random(u64);

impl Random {
    pub(in crate::gpu) fn new(case: usize) -> Self {
        Self((case as u64) << 24)
    }

    pub(in crate::gpu) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    pub(in crate::gpu) fn below(&mut self, end: usize) -> usize {
        (self.next() >> 16) as usize % end
    }

    pub(in crate::gpu) fn within(&mut self, min: i32, max: i32) -> i32 {
        (i64::from(min) + self.below((i64::from(max) - i64::from(min) + 1) as usize) as i64) as i32
    }

    pub(in crate::gpu) fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns a word of any magnitude and either sign, or an edge.
    pub(in crate::gpu) fn word(&mut self) -> u32 {
        match self.below(3) {
            0 => self.of(&EDGES) as u32,
            _ => (self.next() as i32 >> self.below(32)) as u32,
        }
    }
}
