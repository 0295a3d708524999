//! A hero runs through a level that was drawn in Tiled: over a hill, for a coin, and into the lava. It runs without a
//! window.
//!
//! ```sh
//! cargo run --release -p hitmask-files --example level
//! ```

use std::fmt::Write as _;

use hitmask::query::Queries;
use hitmask::response::{Surface, Walker};
use hitmask::{Body, Shape, World};
use hitmask_files::level::{Cells, Layer};
use hitmask_files::terrain::{Merge, Solids, TileHit};
use hitmask_files::{Filter, Level};

/// The layers of bodies.
const GROUND: u32 = 1;
const THINGS: u32 = 2;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", play()?);
    Ok(())
}

/// Plays the game, and returns what happened.
pub(crate) fn play() -> Result<String, Box<dyn std::error::Error>> {
    let mut level = Level::open(concat!(env!("CARGO_MANIFEST_DIR"), "/assets/cave.tmx"))?;
    let mut world = World::default();
    // The shapes of tiles become polygons without inner edges, by layer and by what they hit.
    let solids = Solids::default().merge(Merge::Polygons).rule(|subject| {
        let layers = if subject.class == "rock" { GROUND } else { THINGS };
        subject.tile.map(|_| Filter { layers, ..Filter::default() })
    });
    let mut terrain = level.add_to(&mut world, &solids)?;
    let mut story = format!("{} tiles, {} bodies", tiles(&level), world.len());

    let start = level.layer("places").and_then(|places| places.object("start")).ok_or("no start")?.at;
    let shape = world.add_shape(Shape::rect(8.0, 12.0)?)?;
    let mut hero = Body::new(shape, start).filtered(4, GROUND);
    let mut walker = Walker::new().max_slope(50.0)?.step_height(2.0)?.snap(4.0)?;
    let (mut queries, mut hits) = (Queries::new(), Vec::new());
    let (mut fall, mut coins, mut health) = (0.0, 0, 10);
    for step in 0..400 {
        let walk = walker.step(queries.on(&world), &hero, 1.5, fall + 0.25, |_| Surface::Solid)?;
        (hero.at, fall) = (walk.at, walk.fall);
        queries.on(&world).all(&hero.filtered(4, THINGS), &mut hits)?;
        let mut touched: Vec<TileHit> = Vec::new();
        for hit in &hits {
            touched.extend(terrain.tiles_hit_by(&level, &world, hit.body, &hero)?);
        }
        for tile in touched {
            let (class, properties) = (&*tile.info(&level).class, &tile.info(&level).properties);
            let number = |name: &str| properties.int(name).unwrap_or(0);
            match class {
                "coin" => {
                    coins += number("worth");
                    write!(story, "\nstep {step}: a coin in cell {:?}, {coins} in all", tile.cell)?;
                    terrain.set_tile(&mut level, &mut world, tile.layer, tile.cell, None)?;
                }
                _ => health -= number("damage"),
            }
        }
        if health <= 0 {
            write!(story, "\nstep {step}: burnt at x = {:.1}", hero.at.x)?;
            break;
        }
    }
    write!(story, "\n{} tiles are left", tiles(&level))?;
    Ok(story)
}

/// Returns the number of tiles.
fn tiles(level: &Level) -> usize {
    level.layers.iter().filter_map(Layer::cells).map(Cells::len).sum()
}
