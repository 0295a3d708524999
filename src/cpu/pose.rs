//! What the narrow phase reads of bodies: landed cores and painted masks, for those alone that have a candidate.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

use super::found::Found;
use super::land;
use super::paint::paint_body;
use super::team::Team;
use crate::lattice::Point;
use crate::packed::{Body, NO_SLOT, Packed, SPRITE, UNTURNED};
use crate::simd::{Kernel, Lanes, Simd};

/// The most 64-bit words that sprites are painted into ahead (1 GiB); beyond it they are sampled where they are looked at.
const PAINTED_WORDS: usize = 1 << 27;
/// Bodies of a task.
const BODIES: usize = 256;

/// Landed cores and painted masks.
#[derive(Debug, Default)]
pub(super) struct Pose {
    /// A bit for each body that has a candidate.
    needed: Vec<AtomicU32>,
    /// For each of those, the first of its vertices or of its painted words; [`NO_SLOT`] for a sprite that is not painted ahead.
    pub slots: Vec<u32>,
    /// Landed vertices.
    pub cores: Vec<Point>,
    /// Painted words.
    pub painted: Vec<u64>,
}

/// Some bodies, and where they go.
struct Task<'a> {
    packed: &'a Packed,
    slots: &'a [u32],
    bodies: &'a [u32],
    cores: &'a mut [Point],
    painted: &'a mut [u64],
}

impl Pose {
    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> usize {
        4 * (self.needed.capacity() + self.slots.capacity()) + 8 * (self.cores.capacity() + self.painted.capacity())
    }

    /// Poses the bodies of all candidates.
    pub(super) fn pose(&mut self, packed: &Packed, found: &[Found], (simd, team): (Simd, Team)) {
        let bodies = self.needed(packed, found, team);
        self.slots.resize(packed.bodies.len(), NO_SLOT);
        let (mut vertices, mut words) = (0, 0);
        let mut ends = Vec::with_capacity(bodies.len() / BODIES + 1);
        for bodies in bodies.chunks(BODIES) {
            for &index in bodies {
                let body = &packed.bodies[index as usize];
                let (corners, painted) = (packed.corners(body), painted_words(body));
                self.slots[index as usize] = if !body.is(SPRITE) {
                    vertices as u32
                } else if painted > 0 && words + painted <= PAINTED_WORDS {
                    words as u32
                } else {
                    NO_SLOT
                };
                vertices += corners;
                if words + painted <= PAINTED_WORDS {
                    words += painted;
                }
            }
            ends.push([vertices, words]);
        }
        self.cores.resize(vertices, Point::ZERO);
        self.painted.resize(words, 0);
        let (mut cores, mut painted) = (self.cores.as_mut_slice(), self.painted.as_mut_slice());
        let mut start = [0; 2];
        let (slots, mut tasks) = (&self.slots, Vec::with_capacity(ends.len()));
        for (bodies, end) in bodies.chunks(BODIES).zip(ends) {
            let (landed, more_cores) = cores.split_at_mut(end[0] - start[0]);
            let (words, more_painted) = painted.split_at_mut(end[1] - start[1]);
            (cores, painted, start) = (more_cores, more_painted, end);
            tasks.push(Some(Task { packed, slots, bodies, cores: landed, painted: words }));
        }
        team.each_mut(&mut tasks, |_, task| {
            if let Some(task) = task.take() {
                simd.run(task);
            }
        });
    }

    /// The bodies of candidates that have anything to pose, in order of index.
    fn needed(&mut self, packed: &Packed, found: &[Found], team: Team) -> Vec<u32> {
        self.needed.clear();
        self.needed.resize_with(packed.bodies.len().div_ceil(32), AtomicU32::default);
        let needed = &self.needed;
        team.each(found, |found| {
            for &body in found.candidates.as_flattened() {
                let (word, bit) = (&needed[body as usize / 32], 1 << (body % 32));
                if word.load(Relaxed) & bit == 0 {
                    word.fetch_or(bit, Relaxed);
                }
            }
        });
        let mut bodies = Vec::new();
        for (word, first) in needed.iter().zip((0..).step_by(32)) {
            let mut bits = word.load(Relaxed);
            while bits != 0 {
                let index = first + bits.trailing_zeros();
                let body = &packed.bodies[index as usize];
                if !body.is(SPRITE) || painted_words(body) > 0 {
                    bodies.push(index);
                }
                bits &= bits - 1;
            }
        }
        bodies
    }
}

/// The words that a turned sprite is painted into.
fn painted_words(body: &Body) -> usize {
    if body.is(SPRITE) && !body.is(UNTURNED) { body.painted_words() } else { 0 }
}

impl Kernel for Task<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { packed, slots, bodies, mut cores, mut painted } = self;
        for &index in bodies {
            let body = &packed.bodies[index as usize];
            let shape = &packed.shapes[body.shape as usize];
            if !body.is(SPRITE) {
                let (landed, more) = cores.split_at_mut(shape.corners as usize);
                cores = more;
                land::core(body, packed.vertices(shape), landed);
            } else if slots[index as usize] != NO_SLOT {
                let (words, more) = painted.split_at_mut(body.painted_words());
                painted = more;
                let pixels = body.pixels(shape);
                paint_body(lanes, packed, body, shape, pixels.min.y..pixels.max.y, words);
            }
        }
    }
}
