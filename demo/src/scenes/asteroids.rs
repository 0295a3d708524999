//! Rocks of all sizes, sprites and polygons, that drift and turn; ships in round shields.

use hitmask::geometry::{Flip, Vec2};
use hitmask::scene::Form;
use hitmask::{Body, Linear, ShapeId};

use super::{Opened, Play, Seen, field, wrapped};
use crate::cast::Cast;
use crate::random::Random;
use crate::shapes::{Look, Sheet};

/// The area of the field per body, in square units.
const EACH: f64 = 4_600.0;
/// The distance beyond the field at which bodies come back on the other side.
const MARGIN: f64 = 60.0;
/// The layers of rocks, ships and shields.
const ROCK: u32 = 1;
const SHIP: u32 = 2;
const SHIELD: u32 = 4;

pub(super) fn shapes() -> Vec<Look> {
    let crag = [
        [0.0, 0.0],
        [14.0, -6.0],
        [26.0, 2.0],
        [20.0, 12.0],
        [28.0, 24.0],
        [12.0, 30.0],
        [10.0, 20.0],
        [-4.0, 22.0],
        [-8.0, 8.0],
    ];
    let crag = Form::Polygon { outline: crag.to_vec(), holes: Vec::new(), radius: 0.0 };
    vec![
        Look::sprite("asteroid", Sheet::Asteroid, [0, 0, 64, 64]),
        Look::plain("crag", crag, [10.0, 12.0]),
        Look::sprite("ship", Sheet::Ship, [0, 0, 32, 32]),
        Look::plain("shield", Form::Circle(25.0), [0.0; 2]),
        Look::sprite("rotor", Sheet::Rotor, [0, 0, 48, 48]),
    ]
}

/// The rotation of a body.
struct Spin {
    angle: f64,
    /// Degrees per step.
    turn: f64,
    scale: [f64; 2],
    flip: Flip,
}

struct Asteroids {
    field: [f64; 2],
    spins: Vec<Spin>,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let field = field(count, EACH);
    let mut random = Random::new(2);
    let (mut bodies, mut spins) = (Vec::with_capacity(count), Vec::with_capacity(count));
    while bodies.len() < count.max(1) {
        let at = [random.within(0.0, field[0]), random.within(0.0, field[1])];
        let motion = [random.within(-0.7, 0.7), random.within(-0.7, 0.7)];
        let mut spin = Spin {
            angle: random.within(0.0, 360.0),
            turn: random.within(-1.2, 1.2),
            scale: [1.0; 2],
            flip: Flip { x: random.below(2) == 1, y: random.below(2) == 1 },
        };
        let (shape, layer, hits) = match random.below(24) {
            0..3 => (1, ROCK, ROCK | SHIP | SHIELD),
            3 => (4, ROCK, ROCK | SHIP | SHIELD),
            4 => (2, SHIP, ROCK),
            _ => {
                // Small rocks are more frequent.
                let size = random.within(0.0, 1.0);
                let scale = 0.22 + 0.9 * size * size;
                spin.scale = [scale, scale * random.within(0.8, 1.0)];
                (0, ROCK, ROCK | SHIP | SHIELD)
            }
        };
        let body = Body::new(shapes[shape], at).moving(motion).filtered(layer, hits);
        if shape == 2 && bodies.len() + 1 < count {
            // A shield surrounds its ship, and hits only rocks.
            let shield = Body { shape: shapes[3], layers: SHIELD, mask: ROCK, ..body };
            bodies.push(shield);
            spins.push(Spin { angle: 0.0, turn: 0.0, scale: [1.0; 2], flip: Flip::default() });
        }
        bodies.push(body);
        spins.push(spin);
    }
    let game = Asteroids { field, spins };
    for (body, spin) in bodies.iter_mut().zip(&game.spins) {
        body.linear = spin.linear();
    }
    (bodies, Box::new(game))
}

impl Spin {
    fn linear(&self) -> Linear {
        Linear::new(self.angle, self.scale, self.flip)
    }
}

impl Play for Asteroids {
    fn step(&mut self, bodies: &mut Cast, _: &Seen<'_>) -> anyhow::Result<()> {
        let [width, height] = self.field;
        for (body, spin) in bodies.iter_mut().zip(&mut self.spins) {
            let Vec2 { x, y } = body.motion;
            body.at = Vec2 { x: wrapped(body.at.x + x, width, MARGIN), y: wrapped(body.at.y + y, height, MARGIN) };
            if spin.turn != 0.0 {
                spin.angle = (spin.angle + spin.turn).rem_euclid(360.0);
                body.linear = spin.linear();
            }
        }
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        [0.0, 0.0, self.field[0], self.field[1]]
    }
}
