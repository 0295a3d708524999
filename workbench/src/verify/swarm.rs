//! Random scenes of a swarm: each switches features off at random (Groce, Zhang, Eide, Chen and Regehr, "Swarm
//! testing", 2012). A feature that is everywhere hides what happens without it: in a scene in which all bodies move,
//! none hits one at rest, and layers keep apart what would have hit.

use super::random::{Draw, KINDS, Motion, Posing, Taste};
use crate::workloads::SplitMix64;
use hitmask::scene::Scene;

/// The longest side of a sprite, in texels: from a single one to a huge mask.
const SIDES: [u32; 8] = [1, 2, 3, 9, 9, 33, 80, 300];
/// The span of positions, in units: from all in one spot to hardly any that meet.
const SPANS: [u32; 6] = [0, 1, 3, 12, 24, 60];

/// Returns the scene of a seed, with a random part of all features: always a valid world, and always the same.
#[must_use]
pub fn swarm_scene(seed: u64) -> Scene {
    let mut draw = Draw(SplitMix64(seed ^ 0x7377_6172_6D21));
    let way = draw.way();
    let motions = [
        Motion::None,
        Motion::Crawling,
        Motion::Slow,
        Motion::Fast,
        Motion::Wild,
        Motion::Formation(way),
        Motion::Formation(way.map(f64::trunc)),
    ];
    let posings = [Posing::Plain, Posing::Quarters, Posing::Turned, Posing::Stretched, Posing::Matrix, Posing::Tiny];
    let taste = Taste {
        kinds: draw.some_of(&KINDS),
        parts: draw.once_in(4),
        side: draw.pick(&SIDES),
        span: draw.pick(&SPANS),
        origin: if draw.once_in(2) { draw.origin() } else { [0.0; 2] },
        posings: draw.some_of(&posings),
        motions: draw.some_of(&motions),
        filters: draw.once_in(4),
        groups: draw.once_in(4),
        copies: draw.once_in(2),
        brinks: !draw.once_in(4),
    };
    draw.scene(&taste)
}

impl Draw {
    /// Draws a subset: each element by a coin, and one if none is left.
    fn some_of<T: Copy>(&mut self, from: &[T]) -> Vec<T> {
        let mut some: Vec<T> = from.iter().copied().filter(|_| self.once_in(2)).collect();
        if some.is_empty() {
            some.push(self.pick(from));
        }
        some
    }
}
