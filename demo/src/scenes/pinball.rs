//! Pinball tables: balls bounce along the normal and depth of their hits.

use hitmask::geometry::Vec2;
use hitmask::scene::Form;
use hitmask::{Body, Linear, ShapeId};

use super::{Opened, Play, Seen};
use crate::cast::Cast;
use crate::random::Random;
use crate::shapes::Look;

/// The distance from a table to the next, in units.
const PITCH: [f64; 2] = [190.0, 262.0];
/// The number of bodies per table.
const EACH: usize = 50;
/// The acceleration of a ball, in units per step squared.
const GRAVITY: f64 = 0.045;
/// The maximum motion of a ball in a step: less than the thickness of a wall.
const FASTEST: f64 = 4.5;
/// The part of a ball's speed that a wall returns.
const BOUNCE: f64 = 0.72;
/// The speed that a bumper adds.
const KICK: f64 = 1.6;
/// The layers of balls and of everything else.
const BALL: u32 = 1;
const FIXED: u32 = 2;
/// The y within a table below which a ball is lost.
const LOST: f64 = 238.0;

const TABLE: usize = 0;
const BUMPER: usize = 1;
const POST: usize = 2;
const ROUND: usize = 3;
const FLIPPER: usize = 4;
const SLING: usize = 5;
const ARCH: usize = 6;
const SAUCER: usize = 7;
const HOOK: usize = 8;
const TARGET: usize = 9;

#[rustfmt::skip]
pub(super) fn shapes() -> Vec<Look> {
    let polygon = |outline: &[[f64; 2]], holes: &[&[[f64; 2]]], radius| {
        Form::Polygon { outline: outline.to_vec(), holes: holes.iter().map(|hole| hole.to_vec()).collect(), radius }
    };
    let table = polygon(
        &[[0.0, 0.0], [180.0, 0.0], [180.0, 250.0], [0.0, 250.0]],
        &[&[
            [6.0, 40.0], [14.0, 20.0], [32.0, 8.0], [70.0, 4.0], [120.0, 5.0], [150.0, 12.0], [168.0, 28.0], [174.0, 50.0], [174.0, 244.0],
            [162.0, 244.0], [162.0, 70.0], [158.0, 70.0], [158.0, 176.0], [134.0, 194.0], [134.0, 244.0], [32.0, 244.0], [32.0, 194.0],
            [8.0, 176.0],
        ]],
        0.0,
    );
    let arch = polygon(
        &[
            [0.0, 0.0], [10.0, -18.0], [30.0, -26.0], [50.0, -18.0], [60.0, 0.0], [54.0, 2.0], [45.0, -13.0], [30.0, -19.0], [15.0, -13.0],
            [6.0, 2.0],
        ],
        &[],
        0.0,
    );
    let saucer = polygon(
        &[[-16.0, -10.0], [-6.0, -18.0], [8.0, -17.0], [17.0, -7.0], [16.0, 8.0], [6.0, 17.0], [-8.0, 16.0], [-17.0, 6.0]],
        &[&[[-8.0, -4.0], [-2.0, -9.0], [6.0, -8.0], [9.0, 0.0], [4.0, 8.0], [-5.0, 7.0]]],
        0.0,
    );
    let hook = polygon(
        &[
            [0.0, 0.0], [18.0, 0.0], [18.0, 6.0], [6.0, 6.0], [6.0, 20.0], [12.0, 20.0], [12.0, 14.0], [18.0, 14.0], [18.0, 26.0],
            [0.0, 26.0],
        ],
        &[],
        0.0,
    );
    vec![
        Look::plain("table", table, [0.0; 2]),
        Look::plain("bumper", Form::Circle(11.0), [0.0; 2]),
        Look::plain("post", Form::Circle(3.25), [0.0; 2]),
        Look::plain("ball", Form::Circle(4.0), [0.0; 2]),
        Look::plain("flipper", Form::Capsule { from: [0.0; 2], to: [24.0, 0.0], radius: 3.5 }, [0.0; 2]),
        Look::plain("sling", polygon(&[[0.0, 0.0], [0.0, 34.0], [18.0, 46.0]], &[], 3.0), [0.0; 2]),
        Look::plain("arch", arch, [30.0, 0.0]),
        Look::plain("saucer", saucer, [0.0; 2]),
        Look::plain("hook", hook, [9.0, 13.0]),
        Look::plain("target", Form::Box([4.0, 14.0]), [2.0, 7.0]),
    ]
}

/// The fixed bodies of each table: shape, position, degrees, and -1 if mirrored.
const STANDING: [(usize, [f64; 2], f64, f64); 16] = [
    (TABLE, [0.0, 0.0], 0.0, 1.0),
    (BUMPER, [52.0, 74.0], 0.0, 1.0),
    (BUMPER, [98.0, 66.0], 0.0, 1.0),
    (BUMPER, [76.0, 104.0], 0.0, 1.0),
    (SLING, [24.0, 132.0], 0.0, 1.0),
    (SLING, [142.0, 132.0], 0.0, -1.0),
    (FLIPPER, [45.0, 206.0], 24.0, 1.0),
    (FLIPPER, [121.0, 206.0], -24.0, -1.0),
    (ARCH, [128.0, 46.0], 32.0, 1.0),
    (SAUCER, [126.0, 102.0], 0.0, 1.0),
    (HOOK, [30.0, 44.0], 0.0, 1.0),
    (POST, [83.0, 158.0], 0.0, 1.0),
    (POST, [62.0, 142.0], 0.0, 1.0),
    (POST, [104.0, 142.0], 0.0, 1.0),
    (TARGET, [13.0, 96.0], 0.0, 1.0),
    (TARGET, [153.0, 112.0], 0.0, 1.0),
];

struct Pinball {
    tables: usize,
    columns: usize,
    balls: usize,
    random: Random,
    /// The number of balls lost so far.
    lost: usize,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let tables = count.div_ceil(EACH).max(1);
    let balls = count.saturating_sub(tables * STANDING.len()).max(1);
    let columns = ((tables as f64 * 2.2).sqrt().round() as usize).clamp(1, tables);
    let mut game = Pinball { tables, columns, balls, random: Random::new(3), lost: 0 };
    let mut bodies = Vec::with_capacity(count);
    // Balls come first, so that they have the lower indices in pairs.
    for ball in 0..balls {
        let mut body = Body::new(shapes[ROUND], [0.0; 2]).filtered(BALL, BALL | FIXED);
        game.launch(&mut body, ball);
        let [left, top] = game.corner(ball % tables);
        body.at = Vec2 { x: left + game.random.within(40.0, 130.0), y: top + game.random.within(16.0, 190.0) };
        bodies.push(body);
    }
    for table in 0..tables {
        let [left, top] = game.corner(table);
        for (shape, [x, y], angle, mirror) in STANDING {
            let linear = Linear::new(angle, [mirror, 1.0], hitmask::geometry::Flip::default());
            bodies.push(Body::new(shapes[shape], [left + x, top + y]).posed(linear).filtered(FIXED, BALL));
        }
    }
    (bodies, Box::new(game))
}

impl Pinball {
    /// Returns the top-left corner of a table.
    fn corner(&self, table: usize) -> [f64; 2] {
        [(table % self.columns) as f64 * PITCH[0], (table / self.columns) as f64 * PITCH[1]]
    }

    /// Puts a ball at the top of its table's lane.
    fn launch(&mut self, body: &mut Body, ball: usize) {
        let [left, top] = self.corner(ball % self.tables);
        body.at = Vec2 { x: left + 167.0, y: top + 58.0 };
        body.motion = Vec2 { x: self.random.within(-1.6, -0.4), y: self.random.within(-3.0, -2.0) };
    }

    /// Pushes a ball out of what it hit, along a normal that points away from that, and reflects its motion: the part
    /// `bounce` of its speed along the normal is kept, and `kick` is added.
    fn bounce(body: &mut Body, normal: Vec2, depth: f64, bounce: f64, kick: f64) {
        body.at += normal * depth;
        let toward = body.motion.dot(normal);
        if toward < 0.0 {
            body.motion += normal * (kick - (1.0 + bounce) * toward);
        }
    }

    /// Returns the shape of a fixed body.
    fn standing(&self, body: usize) -> usize {
        STANDING[(body - self.balls) % STANDING.len()].0
    }
}

impl Play for Pinball {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        for (&pair, detail) in seen.hits.pairs.iter().zip(&seen.hits.details) {
            let [a, b] = pair.map(|index| index as usize);
            if a >= self.balls {
                continue;
            }
            let hit = seen.world.contact(pair, detail);
            let normal = Vec2::from(hit.normal);
            if b < self.balls {
                // Two balls each move half the way out, and exchange their speeds along it.
                let swap = bodies[b].motion.dot(normal) - bodies[a].motion.dot(normal);
                for (index, sign) in [(a, 1.0), (b, -1.0)] {
                    let body = &mut bodies[index];
                    body.at += normal * (sign * hit.depth / 2.0);
                    body.motion += normal * if swap > 0.0 { sign * swap * 0.95 } else { 0.0 };
                }
            } else {
                let kick = match self.standing(b) {
                    BUMPER => KICK,
                    SLING | FLIPPER => KICK / 2.0,
                    _ => 0.0,
                };
                Self::bounce(&mut bodies[a], normal, hit.depth, BOUNCE, kick);
            }
        }
        for (index, body) in bodies.iter_mut().enumerate().take(self.balls) {
            if seen.held == Some(index) {
                body.motion = Vec2::default();
                continue;
            }
            body.motion.y += GRAVITY;
            let speed = body.motion.dot(body.motion).sqrt();
            if speed > FASTEST {
                body.motion = body.motion * (FASTEST / speed);
            }
            body.at += body.motion;
            let [left, top] = self.corner(index % self.tables);
            let inside = (left..left + 180.0).contains(&body.at.x) && (top..top + LOST).contains(&body.at.y);
            if !inside {
                self.lost += 1;
                self.launch(body, index);
            }
        }
        // Flippers beat in turn.
        for (index, body) in bodies.iter_mut().enumerate().skip(self.balls) {
            let (shape, _, rest, mirror) = STANDING[(index - self.balls) % STANDING.len()];
            if shape == FLIPPER {
                let phase = (seen.step + if mirror < 0.0 { 45 } else { 0 }) % 90;
                let lift = match phase {
                    0..6 => phase as f64 * 9.0,
                    6..16 => 54.0,
                    16..34 => (34 - phase) as f64 * 3.0,
                    _ => 0.0,
                };
                body.linear = Linear::new(rest - lift * mirror, [mirror, 1.0], hitmask::geometry::Flip::default());
            }
        }
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        let rows = self.tables.div_ceil(self.columns);
        [-5.0, -6.0, self.columns as f64 * PITCH[0] - 5.0, rows as f64 * PITCH[1] - 6.0]
    }

    fn note(&self) -> String {
        format!("{} balls on {} tables, {} lost", self.balls, self.tables, self.lost)
    }
}
