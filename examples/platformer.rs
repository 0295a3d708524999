//! A platformer's player: it runs, climbs, jumps and falls, at any speed, and never ends a step inside the ground.
//!
//! ```text
//! a step of the game:  go along x, then along y; each is a sweep of the engine
//! a sweep:             nothing is hit      the player stands where its motion ends          World::advance
//!                      something is hit    its motion ends a tick before the first hit      World::before
//! a hit along x:       the ground slopes   climb as far as ends the hit, go on with the rest    Contact::push
//!                      it is a wall        slide along it                                   Contact::normal
//! a hit along y:       stand, or bump a ceiling
//! ```
//!
//! The player alone moves here, and it is the first body of its world. Everything that it stands on may be a sprite or
//! a shape, at any angle.

use hitmask::geometry::SUBPIXELS;
use hitmask::{Ask, Body, BodyId, Contact, Engine, Mask, Result, Shape, World, contact};

/// What the ground adds to a fall in a step, and the speed of a jump, in units a step.
const GRAVITY: f64 = 0.23;
const JUMP: f64 = 4.4;
/// The highest stair that is climbed, in units.
const STAIR: f64 = 3.0;
/// Hits in a step along one axis after which the player stays where it is.
const LEGS: u32 = 6;
/// How often the way to a stop is made shorter before the player stays where it was.
const SHORTER: u32 = 8;

/// What the player wants.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input {
    /// Its speed along x, in units a step.
    pub(crate) run: f64,
    pub(crate) jump: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Player {
    pub(crate) id: BodyId,
    /// The speed of its fall, in units a step.
    pub(crate) fall: f64,
    /// Whether it stood on something at the end of the last step.
    pub(crate) grounded: bool,
}

/// What stopped a sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Stop {
    /// The other body.
    pub(crate) other: u32,
    /// The way out for the player.
    pub(crate) contact: Contact,
    /// The part of the sweep that was done.
    pub(crate) fraction: f64,
}

impl Stop {
    /// Whether it is rather below the player than beside it.
    fn is_ground(&self) -> bool {
        self.contact.normal[1] < -0.6
    }
}

impl Player {
    /// A player that stands where its body is put.
    pub(crate) fn new(id: BodyId) -> Self {
        Self { id, fall: 0.0, grounded: false }
    }

    /// A step of the game; what it stands on, or bumped against from below.
    pub(crate) fn step(&mut self, world: &mut World, engine: &mut Engine, input: Input) -> Result<Option<Stop>> {
        self.run(world, engine, input.run)?;
        self.fall = if input.jump && self.grounded { -JUMP } else { self.fall + GRAVITY };
        self.fall(world, engine)
    }

    /// Goes along x: up what is not too steep, and along what is.
    fn run(&self, world: &mut World, engine: &mut Engine, run: f64) -> Result<()> {
        let mut left = [run, 0.0];
        for _ in 0..LEGS {
            let Some(stop) = self.sweep(world, engine, left)? else { break };
            let rest = left.map(|v| v * (1.0 - stop.fraction));
            let [_, up] = stop.contact.push.units();
            if stop.is_ground() && self.grounded && (-STAIR..0.0).contains(&up) {
                self.sweep(world, engine, [0.0, up])?;
                left = rest;
            } else {
                left = along(rest, stop.contact.normal);
            }
        }
        Ok(())
    }

    /// Goes along y, to the ground or a ceiling; what is too steep to stand on lets it slide.
    fn fall(&mut self, world: &mut World, engine: &mut Engine) -> Result<Option<Stop>> {
        self.grounded = false;
        let mut left = [0.0, self.fall];
        for _ in 0..LEGS {
            let Some(stop) = self.sweep(world, engine, left)? else { return Ok(None) };
            if stop.is_ground() || self.fall < 0.0 {
                (self.grounded, self.fall) = (stop.is_ground(), 0.0);
                return Ok(Some(stop));
            }
            left = along(left.map(|v| v * (1.0 - stop.fraction)), stop.contact.normal);
        }
        self.fall = 0.0;
        Ok(None)
    }

    /// Goes until something is in the way; what that is.
    ///
    /// Places on a way are rounded to the lattice, so that the place before a hit may lie a lattice step aside, where
    /// something else is. Therefore the way there is looked at too, until nothing is in it.
    fn sweep(&self, world: &mut World, engine: &mut Engine, mut motion: [f64; 2]) -> Result<Option<Stop>> {
        let Some(start) = world.body(self.id) else { return Ok(None) };
        let mut stop = None;
        for _ in 0..SHORTER {
            world.set(self.id, &start.moving(motion))?;
            let hits = engine.run(world, Ask::Details)?;
            let own = hits.pairs.iter().zip(&hits.details).filter(|(pair, _)| pair[0] == self.id.index());
            let Some((&pair, detail)) = own.min_by_key(|(_, detail)| detail.time) else {
                world.advance()?;
                break;
            };
            let (contact, fraction) = (contact(world, pair, detail), detail.fraction());
            stop.get_or_insert(Stop { other: pair[1], contact, fraction });
            motion = world.before(self.id, pair, detail).map_or([0.0; 2], |at| [at.x - start.at.x, at.y - start.at.y]);
        }
        let at = world.body(self.id).map_or(start.at, |body| body.at);
        world.set(self.id, &Body { at, ..start.moving([0, 0]) })?;
        Ok(stop)
    }
}

/// What of a way is left where it may not go against a direction of length 1.
fn along([x, y]: [f64; 2], [nx, ny]: [f64; 2]) -> [f64; 2] {
    let against = (x * nx + y * ny).min(0.0);
    [x - against * nx, y - against * ny]
}

/// Runs to the right over a hill of pixels and up a slanted slab.
fn main() -> Result<()> {
    let mut world = World::default();
    let hero = Mask::from_rows(&[".###.", "#####", "#####", ".###.", ".###.", ".#.#.", "##.##"])?;
    let hero = world.add_shape(Shape::sprite(hero).anchored([2.5, 7.0])?)?;
    let mut player = Player::new(world.add(&Body::new(hero, [10.0, 20.0]))?);
    let hill = Mask::from_fn(120, 40, |x, y| y >= if x < 60 { 38 - x / 3 } else { x / 3 - 2 })?;
    let hill = world.add_shape(Shape::sprite(hill))?;
    world.add(&Body::new(hill, [0, 0]))?;
    let slab = world.add_shape(Shape::polygon(&[[120.0, 38.0], [200.0, 20.0], [200.0, 40.0], [120.0, 40.0]])?)?;
    world.add(&Body::new(slab, [0, 0]))?;
    let mut engine = Engine::cpu()?;
    for step in 0..180 {
        let stop = player.step(&mut world, &mut engine, Input { run: 1.1, jump: step == 60 })?;
        if let (0, Some(body)) = (step % 20, world.body(player.id)) {
            let under = stop.map_or("nothing".to_owned(), |stop| format!("body {}", stop.other));
            println!("step {step:3}: at {:7.2}, {:5.2}, on {under}", body.at.x, body.at.y);
        }
    }
    println!("one unit is {SUBPIXELS} steps of the lattice: every place is exact");
    Ok(())
}
