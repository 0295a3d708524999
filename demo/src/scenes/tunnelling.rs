//! Fast balls and thin paddles: sweeping catches hits that testing once per step misses.

use hitmask::geometry::{Flip, Vec2};
use hitmask::mask::DEFAULT_THRESHOLD;
use hitmask::scene::{Form, Image};
use hitmask::{Body, Linear, ShapeId};

use super::{Opened, Play, Seen};
use crate::cast::Cast;
use crate::random::Random;
use crate::shapes::{Look, Sheet};

/// The size of a lane with a ball and a paddle, in units.
const LANE: [f64; 2] = [232.0, 26.0];
/// The positions in its lane at which a ball starts, and at which it is taken back to the start.
const START: f64 = 14.0;
const END: f64 = 218.0;
/// The position of a paddle in its lane.
const PADDLE: f64 = 166.0;
/// The minimum and maximum speed, in units per step.
const SPEEDS: [f64; 2] = [2.0, 90.0];
/// The layers of balls and paddles.
const BALL: u32 = 1;
const WALL: u32 = 2;

pub(super) fn shapes() -> Vec<Look> {
    let rows = Form::Sprite { image: Image::Rows(vec!["#".into(); 20]), threshold: DEFAULT_THRESHOLD, region: None };
    vec![
        Look::plain("ball", Form::Circle(4.0), [0.0; 2]),
        Look::sprite("comet", Sheet::Bullets, [64, 0, 16, 8]),
        Look::plain("needle", Form::Capsule { from: [-7.0, 0.0], to: [7.0, 0.0], radius: 0.75 }, [0.0; 2]),
        Look::plain("paddle", Form::Box([1.0, 20.0]), [0.5, 10.0]),
        Look::plain("pixels", rows, [0.5, 10.0]),
        Look::plain("wire", Form::Capsule { from: [0.0, -10.0], to: [0.0, 10.0], radius: 0.25 }, [0.0; 2]),
    ]
}

struct Tunnelling {
    columns: usize,
    /// The speed in each lane.
    speeds: Vec<f64>,
    caught: usize,
    passed: usize,
}

pub(super) fn open(count: usize, shapes: &[ShapeId]) -> Opened {
    let lanes = (count / 2).max(1);
    let columns = ((lanes as f64 / 7.5).sqrt().round() as usize).clamp(1, lanes);
    let mut random = Random::new(5);
    let mut game = Tunnelling { columns, speeds: Vec::with_capacity(lanes), caught: 0, passed: 0 };
    let mut bodies = Vec::with_capacity(2 * lanes);
    for lane in 0..lanes {
        // Slow balls are above, fast ones below.
        let rows = lanes.div_ceil(columns);
        let share = (lane / columns) as f64 / rows.max(2) as f64;
        let speed = SPEEDS[0] + (SPEEDS[1] - SPEEDS[0]) * share * share;
        game.speeds.push(speed);
        let [left, middle] = game.corner(lane);
        let start = left + START + random.within(0.0, 120.0);
        bodies.push(Body::new(shapes[lane % 3], [start, middle]).moving([speed, 0.0]).filtered(BALL, WALL));
        bodies.push(Body::new(shapes[3 + lane / 3 % 3], [left + PADDLE, middle]).filtered(WALL, BALL));
    }
    (bodies, Box::new(game))
}

impl Tunnelling {
    /// Returns the left end of a lane's middle line.
    fn corner(&self, lane: usize) -> [f64; 2] {
        [(lane % self.columns) as f64 * LANE[0], ((lane / self.columns) as f64 + 0.5) * LANE[1]]
    }
}

impl Play for Tunnelling {
    fn step(&mut self, bodies: &mut Cast, seen: &Seen<'_>) -> anyhow::Result<()> {
        // The time within the step at which each ball hit its paddle.
        let mut met = vec![None; self.speeds.len()];
        for (pair, detail) in seen.hits.pairs.iter().zip(&seen.hits.details) {
            let [ball, paddle] = pair.map(|index| index as usize);
            if paddle == ball + 1 && ball.is_multiple_of(2) {
                met[ball / 2] = Some(detail.time.map_or(0.0, |[k, n]| f64::from(k) / f64::from(n)));
            }
        }
        for (lane, met) in met.into_iter().enumerate() {
            let left = self.corner(lane)[0];
            let paddle = bodies[2 * lane + 1].at.x;
            let ball = &mut bodies[2 * lane];
            if seen.held == Some(2 * lane) {
                continue;
            }
            let before = ball.at.x;
            let forth = ball.motion.x > 0.0;
            match met {
                Some(time) if forth => {
                    self.caught += 1;
                    ball.at.x += ball.motion.x * time;
                    ball.motion.x = -ball.motion.x;
                    // Move back, so that it leaves the paddle.
                    ball.at.x += ball.motion.x * (1.0 - time).max(0.125);
                }
                _ => ball.at.x += ball.motion.x,
            }
            self.passed += usize::from(met.is_none() && forth && before < paddle && ball.at.x >= paddle);
            if ball.at.x > left + END {
                ball.at.x = left + START;
            } else if ball.at.x < left + START {
                ball.at.x = left + START;
                ball.motion.x = self.speeds[lane];
            }
            ball.linear = Linear::new(0.0, [1.0; 2], Flip { x: ball.motion.x < 0.0, y: false });
            ball.motion = Vec2 { x: ball.motion.x, y: 0.0 };
        }
        Ok(())
    }

    fn home(&self) -> [f64; 4] {
        [0.0, 0.0, self.columns as f64 * LANE[0], self.speeds.len().div_ceil(self.columns) as f64 * LANE[1]]
    }

    fn note(&self) -> String {
        format!("{} caught by their paddles, {} passed through", self.caught, self.passed)
    }
}
