//! Beetles of two sides fire spirals of turning, scaled and flipped bullets; ships fly between them.

use hitmask::geometry::{Flip, Vec2};
use hitmask::{Body, Linear, ShapeId};

use super::{Opened, Play, Seen, direction, field, wrapped};
use crate::cast::Cast;
use crate::random::Random;
use crate::shapes::{Look, Sheet};

/// The area of the field per body, in square units.
const EACH: f64 = 620.0;
/// The number of bodies per beetle.
const AROUND: usize = 160;
/// The number of bodies per ship.
const SHIPS: usize = 60;
/// The number of bullets that a beetle fires at once, evenly spread.
const VOLLEY: usize = 8;
/// The angle between two volleys, in degrees.
const TWIST: f64 = 17.5;
/// The speed of bullets, in units per step.
const SPEED: f64 = 0.75;
/// The distance from a beetle's middle at which its bullets start.
const MUZZLE: f64 = 14.0;
/// The layers of ships and of both sides.
const SHIP: u32 = 1;
const SIDES: [u32; 2] = [2, 4];

/// The kinds of bullets: index of the shape, spin in degrees per step, scale, and whether they fly head first.
const BULLETS: [(usize, f64, f64, bool); 7] = [
    (2, 0.0, 1.0, false),
    (3, 0.0, 1.25, false),
    (4, 4.0, 1.2, false),
    (5, -5.0, 1.0, false),
    (6, 0.0, 1.3, true),
    (7, 0.0, 1.5, false),
    (8, 7.0, 1.5, false),
];

pub(super) fn shapes() -> Vec<Look> {
    let bullet = |name, region| Look::sprite(name, Sheet::Bullets, region);
    vec![
        Look::sprite("ship", Sheet::Ship, [0, 0, 32, 32]),
        Look::sprite("beetle", Sheet::Enemy, [0, 0, 24, 24]),
        bullet("orb", [0, 0, 16, 16]),
        bullet("ring", [16, 0, 16, 16]),
        bullet("star", [32, 0, 16, 16]),
        bullet("crescent", [48, 0, 16, 16]),
        bullet("comet", [64, 0, 16, 8]),
        bullet("pellet", [64, 8, 8, 8]),
        bullet("spark", [72, 8, 8, 8]),
    ]
}

/// The movement of a body.
enum Mover {
    Beetle {
        phase: f64,
    },
    Ship {
        angle: f64,
        turn: f64,
    },
    Bullet {
        /// The beetle that fires it, and its number among the bullets of that beetle.
        beetle: usize,
        number: usize,
        /// In degrees.
        angle: f64,
        age: usize,
    },
}

struct BulletHell {
    field: [f64; 2],
    movers: Vec<Mover>,
    /// The positions of the beetles.
    beetles: Vec<Vec2>,
    /// Steps until a bullet is fired again.
    life: usize,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let count = count.max(1);
    let field = field(count, EACH);
    let [columns, rows] = {
        let cell = (AROUND as f64 * EACH).sqrt();
        field.map(|side| (side / cell).round().max(1.0) as usize)
    };
    let beetles = columns * rows;
    let ships = count / SHIPS;
    let bullets = count.saturating_sub(beetles + ships);
    let reach = 0.62 * (field[0] / columns as f64).max(field[1] / rows as f64);
    let volleys = (bullets / beetles).div_ceil(VOLLEY).max(1);
    // The steps between two volleys, chosen so that all volleys are in the air.
    let every = ((reach / SPEED) as usize).div_ceil(volleys).max(1);
    let mut random = Random::new(1);
    let mut bodies = Vec::with_capacity(count);
    let mut game = BulletHell { field, movers: Vec::with_capacity(count), beetles: Vec::new(), life: every * volleys };
    for beetle in 0..beetles.min(count) {
        let (column, row) = (beetle % columns, beetle / columns);
        let part = |i: usize, n: usize, side: f64| (i as f64 + 0.5) / n as f64 * side;
        let at = [part(column, columns, field[0]), part(row, rows, field[1])];
        let (layer, hits) = side_of(beetle, columns);
        bodies.push(Body::new(shapes[1], at).filtered(layer, hits));
        game.beetles.push(at.into());
        game.movers.push(Mover::Beetle { phase: random.within(0.0, 360.0) });
    }
    for _ in 0..ships {
        let at = [random.within(0.0, field[0]), random.within(0.0, field[1])];
        bodies.push(Body::new(shapes[0], at).filtered(SHIP, SIDES[0] | SIDES[1]));
        game.movers.push(Mover::Ship { angle: random.within(0.0, 360.0), turn: random.within(-0.6, 0.6) });
    }
    for bullet in 0..bullets {
        let (beetle, number) = (bullet % beetles, bullet / beetles);
        let (shape, ..) = BULLETS[kind_of(number)];
        let (layer, hits) = side_of(beetle, columns);
        bodies.push(Body::new(shapes[shape], game.beetles[beetle]).filtered(layer, hits));
        // As if it had been fired in the past.
        let age = number / VOLLEY * every % game.life;
        game.movers.push(Mover::Bullet { beetle, number, angle: 0.0, age });
        game.fire(&mut bodies[beetles + ships + bullet], beetles + ships + bullet, age);
    }
    for (index, body) in bodies.iter_mut().enumerate() {
        game.pose(body, index, 0);
    }
    (bodies, Box::new(game))
}

/// Returns the layer of a beetle and its bullets, and the layers that they hit.
fn side_of(beetle: usize, columns: usize) -> (u32, u32) {
    let side = (beetle % columns + beetle / columns) % 2;
    (SIDES[side], SHIP | SIDES[1 - side])
}

/// Returns the kind of a bullet, by its number; a volley has one kind.
fn kind_of(number: usize) -> usize {
    number / VOLLEY * 3 % BULLETS.len()
}

impl BulletHell {
    /// Places a bullet where it is `age` steps after it was fired.
    fn fire(&mut self, body: &mut Body, index: usize, age: usize) {
        let Mover::Bullet { beetle, number, angle, .. } = &mut self.movers[index] else { return };
        let spoke = (*number % VOLLEY) as f64 * 360.0 / VOLLEY as f64;
        let twist = if *beetle % 2 == 0 { TWIST } else { -TWIST };
        *angle = (spoke + (*number / VOLLEY) as f64 * twist + *beetle as f64 * 23.0).rem_euclid(360.0);
        let way = direction(*angle);
        body.at = way * (MUZZLE + SPEED * age as f64) + self.beetles[*beetle];
        body.motion = way * SPEED;
    }

    /// Sets the rotation, scale and flip of a body in a step.
    fn pose(&self, body: &mut Body, index: usize, step: u64) {
        body.linear = match &self.movers[index] {
            Mover::Beetle { phase } => {
                // It rocks to and fro.
                let sway = direction(phase + step as f64 * 2.0).x;
                Linear::new(sway * 14.0, [1.5; 2], Flip { x: index % 2 == 1, y: false })
            }
            Mover::Ship { angle, turn } => {
                // It leans into its curve.
                let lean = 1.0 - turn.abs() * 0.5;
                Linear::new(*angle, [lean, 1.0], Flip::default())
            }
            Mover::Bullet { number, angle, age, .. } => {
                let (_, spin, scale, head_first) = BULLETS[kind_of(*number)];
                let flip = Flip { x: false, y: number % 2 == 1 };
                let angle = if head_first { *angle } else { (spin * *age as f64).rem_euclid(360.0) };
                Linear::new(angle, [scale; 2], flip)
            }
        };
    }
}

impl Play for BulletHell {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        let [width, height] = self.field;
        for (index, body) in bodies.iter_mut().enumerate() {
            body.at += body.motion;
            let mut fired = false;
            match &mut self.movers[index] {
                Mover::Beetle { .. } => {
                    // It may have been dragged.
                    self.beetles[index] = body.at;
                }
                Mover::Ship { angle, turn } => {
                    *angle = (*angle + *turn).rem_euclid(360.0);
                    body.motion = direction(*angle - 90.0) * 1.1;
                    body.at = Vec2 { x: wrapped(body.at.x, width, 24.0), y: wrapped(body.at.y, height, 24.0) };
                }
                Mover::Bullet { age, .. } => {
                    *age += 1;
                    fired = *age >= self.life;
                    if fired {
                        *age = 0;
                    }
                }
            }
            if fired {
                self.fire(body, index, 0);
            }
            self.pose(body, index, seen.step + 1);
        }
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        [0.0, 0.0, self.field[0], self.field[1]]
    }
}
