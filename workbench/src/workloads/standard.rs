//! The workloads in which each body has about the same number of neighbours, whatever the number of bodies, as in most
//! games.

use std::sync::Arc;

use super::{Crowd, SplitMix64, blob};
use hitmask::Linear;
use hitmask::Result;
use hitmask::Shape;
use hitmask::{Body, ShapeId};

/// The number of ships of [`super::Workload::Bullets`].
const SHIPS: u32 = 200;

/// Adds boxes in a square with 400 square units for each. Draws sides, then place.
pub(super) fn boxes(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    for _ in 0..n {
        let [w, h] = [(); 2].map(|()| 2048 + random.below(6145) as i32);
        crowd.add_box([w, h], at(random, side(n, 400) * 256))?;
    }
    Ok(())
}

/// Adds circles in a square with 333 square units for each. Draws radius, then place.
pub(super) fn circles(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    for _ in 0..n {
        let shape = crowd.add_shape(Shape::circle(f64::from(1024 + random.below(3073)) / 256.0)?)?;
        crowd.add(Body::new(shape, units(at(random, side(n, 333) * 256))))?;
    }
    Ok(())
}

/// Adds unturned sprites in a square with 1024 square units for each. Draws place, then mask.
pub(super) fn sprites(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let shapes = shapes(crowd, 4032, 64, 32, 0.0)?;
    for _ in 0..n {
        let at = whole(random, side(n, 1024));
        crowd.add(Body::new(shapes[random.below(64) as usize], at))?;
    }
    Ok(())
}

/// Adds turned sprites in a square with 1660 square units for each. Draws place, mask, then angle.
pub(super) fn turned(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let shapes = shapes(crowd, 4032, 64, 32, 16.0)?;
    for _ in 0..n {
        let at = units(at(random, side(n, 1660) * 256));
        let shape = shapes[random.below(64) as usize];
        let degrees = f64::from(random.below(65536)) / 65536.0 * 360.0;
        crowd.add(Body::new(shape, at).posed(Linear::from_degrees(degrees)))?;
    }
    Ok(())
}

/// Adds the ships, then the bullets. Draws place, then mask.
pub(super) fn bullets(crowd: &mut Crowd, random: &mut SplitMix64, n: u32) -> Result<()> {
    let ships = shapes(crowd, 7128, 16, 128, 0.0)?;
    let bullets = shapes(crowd, 7008, 8, 8, 0.0)?;
    for _ in 0..SHIPS {
        let at = whole(random, 4096);
        crowd.add(Body::new(ships[random.below(16) as usize], at).filtered(1, 2))?;
    }
    for _ in SHIPS..n {
        let at = whole(random, 4096);
        crowd.add(Body::new(bullets[random.below(8) as usize], at).filtered(2, 1))?;
    }
    Ok(())
}

/// Returns the side of a square in which each of `n` bodies has `area`, rounded down to units.
pub(super) fn side(n: u32, area: u32) -> u32 {
    (u64::from(n) * u64::from(area)).isqrt() as u32
}

/// Draws a place on the lattice, x first, each component below `below` steps.
pub(super) fn at(random: &mut SplitMix64, below: u32) -> [i32; 2] {
    [(); 2].map(|()| random.below(below) as i32)
}

pub(super) fn units(steps: [i32; 2]) -> [f64; 2] {
    steps.map(|v| f64::from(v) / 256.0)
}

/// Draws a place on whole units, x first.
fn whole(random: &mut SplitMix64, below: u32) -> [f64; 2] {
    [(); 2].map(|()| f64::from(random.below(below)))
}

/// Adds `count` sprite shapes of blobs, anchored at `[anchor; 2]`.
fn shapes(crowd: &mut Crowd, seed: u64, count: u32, side: u32, anchor: f64) -> Result<Vec<ShapeId>> {
    let mut random = SplitMix64(seed);
    (0..count)
        .map(|_| {
            let mask = Arc::new(blob(&mut random, side, 600)?);
            crowd.add_shape(Shape::sprite(mask).anchored([anchor; 2])?)
        })
        .collect()
}
