//! The player of a platformer: it runs, climbs, jumps and falls at any speed, and never ends a step inside the ground.
//! Prints the player's position every 20 steps.
//!
//! ```text
//! a step of the game:  compute where the player goes    Walker::step
//!                      move the player there            World::set
//! ```
//!
//! The player can be any body of the world, and other bodies may move: a moving platform carries it, and a body that
//! has moved into it pushes it out first. The ground can be sprites or shapes at any angle.

use hitmask::geometry::SUBPIXELS;
use hitmask::query::Queries;
use hitmask::response::{Surface, Walk, Walker};
use hitmask::{Body, BodyId, Mask, Result, Shape, World};

/// The gain of a fall per step, and the speed of a jump, in units per step.
const GRAVITY: f64 = 0.23;
const JUMP: f64 = 4.4;
/// The highest stair that the player climbs, in units.
const STAIR: f64 = 3.0;

/// The player's input.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// The speed along x, in units per step.
    pub(crate) run: f64,
    pub(crate) jump: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) id: BodyId,
    pub(crate) walker: Walker,
    /// The speed of the fall, in units per step.
    pub(crate) fall: f64,
}

impl Player {
    /// Creates a player for a body of the world.
    pub(crate) fn new(id: BodyId) -> Result<Self> {
        Ok(Self { id, walker: Walker::new().step_height(STAIR)?, fall: 0.0 })
    }

    /// Runs one step of the game: moves the player in the world and returns its walk.
    pub(crate) fn step(&mut self, world: &mut World, queries: &mut Queries, input: Input) -> Result<Option<Walk>> {
        let Some(body) = world.body(self.id) else { return Ok(None) };
        let own = [self.id]; // the player is in the world too, but must not block itself
        let search = queries.on(world).except(&own)?;
        let jumps = input.jump && self.walker.ground().is_some();
        let fall = if jumps { -JUMP } else { self.fall + GRAVITY };
        let walk = self.walker.step(search, &body, input.run, fall, |_| Surface::Solid)?;
        self.fall = walk.fall;
        world.set(self.id, &Body { at: walk.at, ..body })?;
        Ok(Some(walk))
    }
}

/// Runs to the right over a hill of pixels and up a slanted slab. Returns the player's position at some steps.
pub(crate) fn run() -> Result<String> {
    let mut lines = Vec::new();
    let mut world = World::default();
    let hero = Mask::from_rows(&[".###.", "#####", "#####", ".###.", ".###.", ".#.#.", "##.##"])?;
    let hero = world.add_shape(Shape::sprite(hero).anchored([2.5, 7.0])?)?;
    let mut player = Player::new(world.add(&Body::new(hero, [10.0, 20.0]))?)?;
    let hill = Mask::from_fn(120, 40, |x, y| y >= if x < 60 { 38 - x / 3 } else { x / 3 - 2 })?;
    let hill = world.add_shape(Shape::sprite(hill))?;
    world.add(&Body::new(hill, [0, 0]))?;
    let slab = world.add_shape(Shape::polygon(&[[120.0, 38.0], [200.0, 20.0], [200.0, 40.0], [120.0, 40.0]])?)?;
    world.add(&Body::new(slab, [0, 0]))?;
    let mut queries = Queries::new();
    for step in 0..180 {
        let walk = player.step(&mut world, &mut queries, Input { run: 1.1, jump: step == 60 })?;
        if let (0, Some(body)) = (step % 20, world.body(player.id)) {
            let ground = walk.and_then(|walk| walk.ground);
            let under = ground.map_or("nothing".to_owned(), |ground| format!("body {}", ground.body.index()));
            lines.push(format!("step {step:3}: at {:7.2}, {:5.2}, on {under}", body.at.x, body.at.y));
        }
    }
    lines.push(format!("one unit is {SUBPIXELS} steps of the lattice: every place is exact"));
    Ok(lines.join("\n"))
}

fn main() -> Result<()> {
    println!("{}", run()?);
    Ok(())
}
