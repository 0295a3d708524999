//! Grounds to cross, from 0 to 400 along x, level at both ends.

use hitmask::{Body, Linear, Mask, Shape};

use super::play::{PLANK, Play};

/// The x at which runs begin and end, give or take some units.
pub(crate) const ENDS: [f64; 2] = [20.0, 380.0];

/// The corners of a line that rises and falls by at most 50 degrees.
const LINE: [[f64; 2]; 9] = [
    [0.0, 100.0],
    [60.0, 100.0],
    [100.0, 88.0],
    [140.0, 48.0],
    [180.0, 48.0],
    [220.0, 93.0],
    [260.0, 80.0],
    [300.0, 100.0],
    [400.0, 100.0],
];

fn still(play: &mut Play, shape: &Shape, at: [f64; 2], degrees: f64) {
    play.add(shape, |body| Body { at: at.into(), ..body.posed(Linear::from_degrees(degrees)) });
}

fn polygon(play: &mut Play, points: &[[f64; 2]]) {
    still(play, &Shape::polygon(points).unwrap(), [0.0; 2], 0.0);
}

fn rect(play: &mut Play, [x, y]: [f64; 2], [w, h]: [f64; 2], degrees: f64) {
    still(play, &Shape::rect(w, h).unwrap(), [x, y], degrees);
}

/// Adds a mask of 400 x 160 that is solid from the given height down.
fn pixels(play: &mut Play, top: impl Fn(u32) -> u32) {
    let mask = Mask::from_fn(400, 160, |x, y| y >= top(x)).unwrap();
    still(play, &Shape::sprite(mask), [0.0; 2], 0.0);
}

/// Adds stairs of one pixel every `run` pixels, up and down again.
fn stairs(play: &mut Play, run: u32) {
    pixels(play, |x| 120 - (x.saturating_sub(60) / run).min((340_u32.saturating_sub(x)) / run).min(60));
}

/// Adds tiles of 16 units: slopes that rise by 16 units over `long` tiles, with boxes under them.
fn tiles(play: &mut Play, long: usize) {
    let tile = 16.0;
    let rise = tile / long as f64;
    let heights: Vec<f64> =
        (0..=25).map(|k: usize| rise * k.saturating_sub(4).min(21_usize.saturating_sub(k)).min(6) as f64).collect();
    for (k, pair) in heights.windows(2).enumerate() {
        let (x, [left, right]) = (k as f64 * tile, [pair[0], pair[1]]);
        let base = (left.min(right) / tile).floor() * tile;
        rect(play, [x, 100.0 - base], [tile, tile], 0.0);
        if left != right || left != base {
            let mut corners = vec![[x, 100.0 - base], [x + tile, 100.0 - base]];
            corners.extend([[x + tile, 100.0 - right], [x, 100.0 - left]]);
            corners.dedup();
            if corners[0] == corners[corners.len() - 1] {
                corners.pop();
            }
            polygon(play, &corners);
        }
    }
}

/// Builds a ground.
pub(crate) fn build(play: &mut Play, name: &str) {
    match name {
        "one polygon" => polygon(play, &[&LINE[..], &[[400.0, 160.0], [0.0, 160.0]]].concat()),
        "several polygons" => {
            for pair in LINE.windows(2) {
                polygon(play, &[pair[0], pair[1], [pair[1][0], 160.0], [pair[0][0], 160.0]]);
            }
        }
        "boxes in steps" => {
            for k in 0..20_u32 {
                let height = 3.0 * f64::from(k.saturating_sub(4).min(15_u32.saturating_sub(k)));
                rect(play, [20.0 * f64::from(k), 100.0 - height], [20.0, 60.0], 0.0);
            }
        }
        "tiles of 45 degrees" => tiles(play, 1),
        "tiles of 26 degrees" => tiles(play, 2),
        "a ramp on a box" => {
            rect(play, [0.0, 100.0], [400.0, 30.0], 0.0);
            polygon(play, &[[80.0, 100.0], [200.0, 40.0], [260.0, 100.0]]);
        }
        "pixels 1:1" => stairs(play, 1),
        "pixels 1:2" => stairs(play, 2),
        "pixels 1:3" => stairs(play, 3),
        "a hill of pixels" => pixels(play, |x| {
            let up = f64::from(x.clamp(60, 340) - 60) * std::f64::consts::PI / 280.0;
            (120.0 - 40.0 * up.sin() * up.sin() - 6.0 * (4.0 * up).sin() * up.sin()).round() as u32
        }),
        "rounded hills" => {
            rect(play, [0.0, 100.0], [400.0, 30.0], 0.0);
            still(play, &Shape::circle(40.0).unwrap(), [110.0, 130.0], 0.0);
            still(play, &Shape::capsule([0.0, 0.0], [40.0, -3.0], 30.0).unwrap(), [190.0, 125.0], 0.0);
            still(play, &Shape::circle(24.0).unwrap(), [320.0, 117.0], 0.0);
        }
        "turned bricks" => {
            rect(play, [0.0, 101.0], [400.0, 30.0], 0.0);
            rect(play, [0.0, 100.0], [40.0, 30.0], 0.0);
            rect(play, [360.0, 100.0], [40.0, 30.0], 0.0);
            for k in 0..20_u32 {
                let degrees = [2.0, -3.0, 1.0, -1.5, 3.0][k as usize % 5];
                rect(play, [40.0 + 16.0 * f64::from(k), 100.0], [16.0, 16.0], degrees);
            }
        }
        "slanted planks" => {
            rect(play, [0.0, 100.0], [60.0, 30.0], 0.0);
            rect(play, [340.0, 100.0], [60.0, 30.0], 0.0);
            let slant = Shape::polygon(&[[60.0, 100.0], [140.0, 60.0], [140.0, 63.0], [60.0, 103.0]]).unwrap();
            play.add(&slant, |body| body.tagged(PLANK));
            play.add(&Shape::rect(60.0, 3.0).unwrap(), |body| Body { at: [140, 60].into(), ..body }.tagged(PLANK));
            let pixels = Mask::from_fn(140, 60, |x, y| (x * 2 / 7..x * 2 / 7 + 3).contains(&y)).unwrap();
            play.add(&Shape::sprite(pixels), |body| Body { at: [200, 60].into(), ..body }.tagged(PLANK));
        }
        "planks" => {
            rect(play, [0.0, 100.0], [60.0, 30.0], 0.0);
            rect(play, [340.0, 100.0], [60.0, 30.0], 0.0);
            for k in 0..14_u32 {
                let (x, y) = (60.0 + 20.0 * f64::from(k), 100.0 - 3.0 * f64::from(k.min(14 - k)));
                play.add(&Shape::rect(20.0, 2.0).unwrap(), |body| Body { at: [x, y].into(), ..body }.tagged(PLANK));
            }
        }
        _ => panic!("no ground `{name}`"),
    }
}
