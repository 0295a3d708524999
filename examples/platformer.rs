//! A platformer's player: it runs, climbs, jumps and falls, at any speed, and never ends a step inside the ground.
//!
//! ```text
//! a step of the game:  go along x, then along y: each is a sweep to the first hit           Search::sweep
//! a hit along x:       the ground slopes   climb as far as ends the hit, go on with the rest    Impact::push
//!                      it is a wall        slide along it                                       Stop::slide
//! a hit along y:       stand, or bump a ceiling
//! ```
//!
//! The ways are asked for, not stepped: the player may be any body of the world, and others may move; what has come
//! into it leads it out first, by `World::pushed_out_of`. Everything that it stands on may be a sprite or a shape, at
//! any angle.

use hitmask::geometry::{SUBPIXELS, Vec2};
use hitmask::query::{Queries, Search};
use hitmask::response::Stop;
use hitmask::{Body, BodyId, Mask, Result, Shape, World};

/// What the ground adds to a fall in a step, and the speed of a jump, in units a step.
const GRAVITY: f64 = 0.23;
const JUMP: f64 = 4.4;
/// The highest stair that is climbed, in units.
const STAIR: f64 = 3.0;
/// Hits in a step along one axis after which the player stays where it is.
const LEGS: u32 = 6;

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

/// Whether what stopped the player is rather below it than beside it.
fn is_ground(stop: &Stop) -> bool {
    stop.impact.normal[1] < -0.6
}

impl Player {
    /// A player that stands where its body is put.
    pub(crate) fn new(id: BodyId) -> Self {
        Self { id, fall: 0.0, grounded: false }
    }

    /// A step of the game; what it stands on, or bumped against from below. The world is left with the player at its
    /// new place.
    pub(crate) fn step(&mut self, world: &mut World, queries: &mut Queries, input: Input) -> Result<Option<Stop>> {
        let Some(mut body) = world.body(self.id) else { return Ok(None) };
        let own = [self.id]; // it is in the world too, and not in its own way
        let search = queries.on(world).except(&own)?;
        Self::leave(world, search, &mut body)?;
        self.run(search, &mut body, input.run)?;
        self.fall = if input.jump && self.grounded { -JUMP } else { self.fall + GRAVITY };
        let stop = self.fall(search, &mut body)?;
        world.set(self.id, &body)?;
        Ok(stop)
    }

    /// Stands beside what has come to where it stood, if it can.
    fn leave(world: &World, search: Search<'_>, body: &mut Body) -> Result<()> {
        let (stands, mut hits) = (body.moving([0.0; 2]), Vec::new());
        search.all(&stands, &mut hits)?;
        let out = world.pushed_out_of(&stands, &hits, |_| true)?;
        body.at = out.unwrap_or(body.at);
        Ok(())
    }

    /// Goes along x: up what is not too steep, and along what is.
    fn run(&self, search: Search<'_>, body: &mut Body, run: f64) -> Result<()> {
        let mut left: Vec2 = [run, 0.0].into();
        for _ in 0..LEGS {
            let Some(stop) = Self::sweep(search, body, left)? else { break };
            let [_, up] = stop.impact.push.units();
            if is_ground(&stop) && self.grounded && (-STAIR..0.0).contains(&up) {
                Self::sweep(search, body, [0.0, up].into())?;
                left = stop.left;
            } else {
                left = stop.slide();
            }
        }
        Ok(())
    }

    /// Goes along y, to the ground or a ceiling; what is too steep to stand on lets it slide.
    fn fall(&mut self, search: Search<'_>, body: &mut Body) -> Result<Option<Stop>> {
        self.grounded = false;
        let mut left: Vec2 = [0.0, self.fall].into();
        for _ in 0..LEGS {
            let Some(stop) = Self::sweep(search, body, left)? else { return Ok(None) };
            if is_ground(&stop) || self.fall < 0.0 {
                (self.grounded, self.fall) = (is_ground(&stop), 0.0);
                return Ok(Some(stop));
            }
            left = stop.slide();
        }
        self.fall = 0.0;
        Ok(None)
    }

    /// Goes until something is in the way; what that is.
    fn sweep(search: Search<'_>, body: &mut Body, motion: Vec2) -> Result<Option<Stop>> {
        let sweep = search.sweep(&body.moving(motion), |_| true)?;
        body.at = sweep.at;
        Ok(sweep.stop)
    }
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
    let mut queries = Queries::new();
    for step in 0..180 {
        let stop = player.step(&mut world, &mut queries, Input { run: 1.1, jump: step == 60 })?;
        if let (0, Some(body)) = (step % 20, world.body(player.id)) {
            let under = stop.map_or("nothing".to_owned(), |stop| format!("body {}", stop.impact.other.index()));
            println!("step {step:3}: at {:7.2}, {:5.2}, on {under}", body.at.x, body.at.y);
        }
    }
    println!("one unit is {SUBPIXELS} steps of the lattice: every place is exact");
    Ok(())
}
