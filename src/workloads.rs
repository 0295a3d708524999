//! The inputs on which speed is measured: worlds of any size whose counts and checksums any other program can reproduce.
//!
//! All draws come from `SplitMix64` (Steele, Lea, Flood, *Fast Splittable Pseudorandom Number Generators*, 2014), in the order in which
//! they are written here.

use std::sync::Arc;

use crate::error::Result;
use crate::lattice::{Linear, SUBPIXELS};
use crate::mask::Mask;
use crate::shape::Shape;
use crate::world::{Body, ShapeId, Touch, World};

/// The generator of all draws.
#[derive(Clone, Debug)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        finalise(self.0)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }
}

fn finalise(z: u64) -> u64 {
    let z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

/// The checksum of an answer: the wrapping sum over its pairs of a hash of each.
#[must_use]
pub fn checksum(pairs: &[[u32; 2]]) -> u64 {
    let hash = |&[i, j]: &[u32; 2]| finalise((u64::from(i) << 32 | u64::from(j)).wrapping_add(0x9E37_79B9_7F4A_7C15));
    pairs.iter().map(hash).fold(0, u64::wrapping_add)
}

/// The ships of [`Workload::Bullets`].
const SHIPS: u32 = 200;

/// A workload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Workload {
    /// Boxes with sides from 8 to 32 units, about four neighbours each; touch counts.
    Boxes,
    /// Circles with radii from 4 to 16 units; touch counts.
    Circles,
    /// Unturned sprites of 32 x 32 texels on whole units.
    Sprites,
    /// The same sprites, turned by any angle, anywhere.
    Turned,
    /// 200 large ships and small bullets, in a world of 4096 x 4096 units; ships hit only bullets, bullets only ships.
    Bullets,
}

impl Workload {
    /// Its world of `n` bodies ([`Workload::Bullets`] has its 200 ships among them, and so at least that many).
    pub fn world(self, n: u32) -> Result<World> {
        let mut random = SplitMix64(self.number() * 1_000_000_007 + u64::from(n));
        let mut world = World::new(match self {
            Self::Boxes | Self::Circles => Touch::Included,
            Self::Sprites | Self::Turned | Self::Bullets => Touch::Excluded,
        });
        let side = |area: u64| (u64::from(n) * area).isqrt() as u32;
        match self {
            Self::Boxes => {
                for _ in 0..n {
                    let [w, h] = [(); 2].map(|()| 2048 + random.below(6145));
                    let shape = world.add_shape(Shape::rect(units(w), units(h))?)?;
                    world.add(&Body::new(shape, at(&mut random, side(400) * 256)))?;
                }
            }
            Self::Circles => {
                for _ in 0..n {
                    let shape = world.add_shape(Shape::circle(units(1024 + random.below(3073)))?)?;
                    world.add(&Body::new(shape, at(&mut random, side(333) * 256)))?;
                }
            }
            Self::Sprites => {
                let shapes = shapes(&mut world, 4032, 64, 32, 0.0)?;
                for _ in 0..n {
                    let at = whole(&mut random, side(1024));
                    world.add(&Body::new(shapes[random.below(64) as usize], at))?;
                }
            }
            Self::Turned => {
                let shapes = shapes(&mut world, 4032, 64, 32, 16.0)?;
                for _ in 0..n {
                    let at = at(&mut random, side(1660) * 256);
                    let shape = shapes[random.below(64) as usize];
                    let degrees = f64::from(random.below(65536)) / 65536.0 * 360.0;
                    world.add(&Body::new(shape, at).posed(Linear::turned(degrees)))?;
                }
            }
            Self::Bullets => {
                let ships = shapes(&mut world, 7128, 16, 128, 0.0)?;
                let bullets = shapes(&mut world, 7008, 8, 8, 0.0)?;
                for _ in 0..SHIPS {
                    let at = whole(&mut random, 4096);
                    world.add(&Body::new(ships[random.below(16) as usize], at).filtered(1, 2))?;
                }
                for _ in SHIPS..n {
                    let at = whole(&mut random, 4096);
                    world.add(&Body::new(bullets[random.below(8) as usize], at).filtered(2, 1))?;
                }
            }
        }
        Ok(world)
    }

    fn number(self) -> u64 {
        match self {
            Self::Boxes => 1,
            Self::Circles => 2,
            Self::Sprites => 4,
            Self::Turned => 6,
            Self::Bullets => 7,
        }
    }
}

fn units(steps: u32) -> f64 {
    f64::from(steps) / f64::from(SUBPIXELS)
}

/// A place anywhere on the lattice, x first.
fn at(random: &mut SplitMix64, below: u32) -> [f64; 2] {
    [(); 2].map(|()| units(random.below(below)))
}

/// A place on whole units, x first.
fn whole(random: &mut SplitMix64, below: u32) -> [f64; 2] {
    [(); 2].map(|()| f64::from(random.below(below)))
}

/// Sprites of blobs, anchored.
fn shapes(world: &mut World, seed: u64, count: u32, side: u32, anchor: f64) -> Result<Vec<ShapeId>> {
    let mut random = SplitMix64(seed);
    (0..count)
        .map(|_| {
            let mask = Arc::new(blob(&mut random, side, 600)?);
            world.add_shape(Shape::sprite(mask).anchored([anchor; 2])?)
        })
        .collect()
}

/// A mask of `side` x `side` texels that is solid where a field of five balls is among its `permille` highest thousandths.
pub fn blob(random: &mut SplitMix64, side: u32, permille: u32) -> Result<Mask> {
    let balls: [[u32; 3]; 5] = std::array::from_fn(|_| {
        [side / 4 + random.below(side / 2), side / 4 + random.below(side / 2), 64 + random.below(192)]
    });
    let field = |x: u32, y: u32| -> u64 {
        let strength = |&[ball_x, ball_y, q]: &[u32; 3]| {
            let square = u64::from(x.abs_diff(ball_x)).pow(2) + u64::from(y.abs_diff(ball_y)).pow(2);
            u64::from(q) * 65536 / (square + u64::from(side * side / 64) + 1)
        };
        balls.iter().map(strength).sum()
    };
    let values: Vec<u64> = (0..side * side).map(|i| field(i % side, i / side)).collect();
    let mut sorted = values.clone();
    sorted.sort_unstable_by(|a, b| b.cmp(a));
    let least = sorted[(side * side * permille / 1000) as usize - 1];
    let alpha: Vec<u8> = values.iter().map(|&value| if value >= least { u8::MAX } else { 0 }).collect();
    Mask::from_alpha(&alpha, side, side, 1)
}
