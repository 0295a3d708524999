//! Measures walkers: prints the microseconds per step of one walker, with 1, 100 or 1,000 that run and jump in a level
//! of 9,728 tiles, and in one mask of 4096 x 4096. `cargo run --release --example walkers`.
//!
//! Here walkers are not bodies of the world, so the world does not change and they do not see each other.

use std::time::{Duration, Instant};

use hitmask::query::Queries;
use hitmask::response::{Surface, Walker};
use hitmask::{Body, Mask, Result, Shape, ShapeId, World};

const STEPS: u32 = 1_000;
const COUNTS: [usize; 3] = [1, 100, 1_000];
/// The side of a level, and of a tile, in units.
const SIDE: u32 = 4_096;
const TILE: u32 = 16;
/// The height of a floor, in units, and the number of floors.
const FLOOR: u32 = 256;
const FLOORS: u32 = SIDE / FLOOR;

/// Returns the height of a floor's ground at a column, in units: ramps of 26 degrees, flat tops, and an occasional
/// stair.
fn ground(x: u32) -> u32 {
    let ramp = |x: u32| (x % 512).min(512 - x % 512).clamp(64, 160) / 2 - 32;
    32 + ramp(x) + if x % 640 < 128 { 3 } else { 0 }
}

/// Builds the world of tiles: boxes, with ramps between boxes of different heights.
fn tiles() -> Result<World> {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(f64::from(TILE), f64::from(TILE))?)?;
    let side = TILE as i32;
    for floor in 0..FLOORS {
        for column in 0..SIDE / TILE {
            let [left, right] = [column * TILE, (column + 1) * TILE - 1].map(|x| ground(x) as i32);
            let base = (floor + 1) as i32 * FLOOR as i32;
            let (x, top) = ((column * TILE) as i32, base - left.min(right));
            for y in [top, top + side] {
                world.add(&Body::new(tile, [x, y]))?;
            }
            if left != right {
                let (low, high) = (left.min(right), left.max(right) + 1);
                let points = [[0, 0], [side, 0], [if left < right { side } else { 0 }, low - high]];
                let ramp = world.add_shape(Shape::polygon(&points)?)?;
                world.add(&Body::new(ramp, [x, top]))?;
            }
        }
    }
    Ok(world)
}

/// Builds the world of pixels: one mask.
fn pixels() -> Result<World> {
    let mut world = World::default();
    let mask = Mask::from_fn(SIDE, SIDE, |x, y| FLOOR - y % FLOOR <= ground(x) && y % FLOOR >= FLOOR - 140)?;
    let level = world.add_shape(Shape::sprite(mask))?;
    world.add(&Body::new(level, [0, 0]))?;
    Ok(world)
}

/// Runs `count` walkers to and fro, jumping, for `steps` steps. Returns the mean distance per step, a hash of all
/// places, and the time taken.
fn walk(world: &World, hero: ShapeId, count: usize, steps: u32) -> Result<(f64, u64, Duration)> {
    let mut queries = Queries::new();
    let search = queries.on(world);
    let mut all: Vec<(Body, Walker, f64, f64)> = (0..count as u32)
        .map(|k| {
            let at = [100 + k * 397 % (SIDE - 200), k * 7 % FLOORS * FLOOR + FLOOR - 130];
            (Body::new(hero, at.map(f64::from)), Walker::new(), 0.0, if k % 2 == 0 { 2.1 } else { -1.7 })
        })
        .collect();
    let (mut came, mut places, start) = (0.0, 0_u64, Instant::now());
    for step in 0..steps {
        for (k, (body, walker, fall, run)) in all.iter_mut().enumerate() {
            let jumps = (step as usize + k) % 50 == 49 && walker.ground().is_some();
            let next = if jumps { -5.0 } else { *fall + 0.25 };
            let walk = walker.step(search, body, *run, next, |_| Surface::Solid)?;
            came += (walk.at.x - body.at.x).abs();
            let place = walk.at.x.to_bits() ^ walk.at.y.to_bits().rotate_left(32);
            places = (places ^ place).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(5);
            if walk.wall.is_some() || !(50.0..f64::from(SIDE) - 50.0).contains(&walk.at.x) {
                *run = -*run;
            }
            (body.at, *fall) = (walk.at, walk.fall);
        }
    }
    Ok((came / (count as f64 * f64::from(steps)), places, start.elapsed()))
}

/// Runs every combination. With 100 walkers, each takes `steps` steps. Returns for each a text that is the same on
/// every run, and the microseconds per step of one walker.
pub(crate) fn run(steps: u32) -> Result<Vec<(String, f64)>> {
    let mut found = Vec::new();
    for (name, mut world) in [("tiles", tiles()?), ("mask", pixels()?)] {
        let bodies = world.len();
        let sprite = Mask::from_fn(10, 14, |x, y| y > 3 || (2..8).contains(&x))?;
        let sprite = world.add_shape(Shape::sprite(sprite).anchored([5.0, 14.0])?)?;
        let crate_ = world.add_shape(Shape::rect(10.0, 14.0)?.anchored([5.0, 14.0])?)?;
        for (kind, hero) in [("box", crate_), ("sprite", sprite)] {
            for count in COUNTS {
                let steps = (steps * 100 / count as u32).clamp(steps / 10, 10 * steps);
                let (came, places, time) = walk(&world, hero, count, steps)?;
                let text = format!(
                    "{bodies:4} {name:5}  {count:4} times a {kind:6}  {steps:5} steps of {came:.2} units  {places:016x}"
                );
                found.push((text, time.as_secs_f64() * 1e6 / (count as f64 * f64::from(steps))));
            }
        }
    }
    Ok(found)
}

fn main() -> Result<()> {
    for (text, time) in run(STEPS)? {
        println!("{text}  {time:6.2} us");
    }
    Ok(())
}
