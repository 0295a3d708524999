//! Every character gets over every ground and back, in as many steps as its speed implies.

use hitmask::Touch;
use hitmask::response::Walker;

use super::grounds::{self, ENDS};
use super::play::{Play, players};

const SPEEDS: [f64; 5] = [0.3, 1.1, 2.0, 7.3, 40.0];

/// Runs to an end. Returns the number of steps.
fn run_to(play: &mut Play, end: f64, speed: f64, what: &str) -> u32 {
    let way = (end - play.at().x).signum();
    let most = (800.0 / speed) as u32 + 50;
    for step in 0..most {
        if (end - play.at().x) * way <= 0.0 {
            return step;
        }
        let walk = play.step(speed * way);
        assert!(walk.wall.is_none() && walk.ceiling.is_none(), "{what}, step {step}: {walk:?}");
    }
    panic!("{what}: it is at {:?} after {most} steps", play.at());
}

fn reaches(name: &str) {
    for (player, shape) in players() {
        for touch in [Touch::Excluded, Touch::Included] {
            for speed in SPEEDS {
                let mut play = Play::new(touch, &shape, [ENDS[0], 80.0], Walker::new());
                grounds::build(&mut play, name);
                play.rest();
                for end in [ENDS[1], ENDS[0]] {
                    let what = format!("{name}, {player}, {touch:?}, {speed} a step, to {end}");
                    let from = play.at().x;
                    let steps = f64::from(run_to(&mut play, end, speed, &what));
                    let right = (end - from).abs() / speed;
                    assert!((steps - right).abs() <= 0.02 * right + 1.0, "{what}: {steps} steps, not {right}");
                    assert!((play.at().y - play.rest().at.y).abs() <= 1.0, "{what}: it came in the air");
                }
            }
        }
    }
}

#[test]
fn one_polygon() {
    reaches("one polygon");
}

#[test]
fn several_polygons() {
    reaches("several polygons");
}

#[test]
fn boxes_in_steps() {
    reaches("boxes in steps");
}

#[test]
fn tiles() {
    reaches("tiles of 45 degrees");
    reaches("tiles of 26 degrees");
}

#[test]
fn a_ramp_on_a_box() {
    reaches("a ramp on a box");
}

#[test]
fn stairs_of_pixels() {
    for name in ["pixels 1:1", "pixels 1:2", "pixels 1:3"] {
        reaches(name);
    }
}

#[test]
fn a_hill_of_pixels() {
    reaches("a hill of pixels");
}

#[test]
fn rounded_hills() {
    reaches("rounded hills");
}

#[test]
fn turned_bricks() {
    reaches("turned bricks");
}

#[test]
fn planks() {
    reaches("planks");
    reaches("slanted planks");
}
