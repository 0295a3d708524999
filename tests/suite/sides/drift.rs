//! A sprite that leans on a wall moves along it exactly as far as its motion says.

use hitmask::query::Queries;
use hitmask::{Body, Mask, Shape, World};
use hitmask_workbench::workloads::SplitMix64;

use super::draw::Draw;
use super::solid::V;

/// The number of steps of each run.
const STEPS: u32 = 100;

#[test]
fn a_sprite_that_leans_on_a_wall_does_not_drift() {
    let mut wrong = Vec::new();
    for seed in 0..60 {
        let mut draw = Draw(SplitMix64(seed));
        let mut world = World::default();
        let (long, sprite) = (
            draw.below(2) as usize,
            world.add_shape(Shape::sprite(Mask::from_fn(8, 8, |_, _| true).unwrap())).unwrap(),
        );
        // A wall blocks one axis; the other is free.
        let side = draw.sign();
        let mut wall = [20.0; 2];
        wall[long] = 4000.0;
        let mut at = [-2000.0; 2];
        at[1 - long] = if side > 0.0 { 8.0 } else { -20.0 };
        let shape = if draw.once_in(2) {
            Shape::rect(wall[0], wall[1])
        } else {
            Mask::from_fn(wall[0] as u32, wall[1] as u32, |_, _| true).map(Shape::sprite)
        };
        let wall = world.add_shape(shape.unwrap()).unwrap();
        world.add(&Body::new(wall, at)).unwrap();
        let mut start = [draw.round(0.0, 1.0), draw.round(0.0, 1.0)];
        start[1 - long] = 0.0;
        let mut motion = [side * draw.pick(&[0.25, 1.0, 3.0]); 2];
        motion[long] = draw.sign() * draw.pick(&[0.02, 0.1, 0.3, 1.0]);
        let snapped = (motion[long] * 256.0_f64 + 0.5).floor() / 256.0;
        let (mut here, mut queries) = (start, Queries::new());
        for step in 1..=STEPS {
            let body = Body::new(sprite, here).moving(motion);
            here = V::from(queries.on(&world).slide(&body, |_| true).unwrap().at);
            let far = here[long] - start[long];
            let off = (far - f64::from(step) * snapped).abs();
            if off >= 1.0 || here[1 - long].abs() >= 1.0 {
                wrong.push(format!("seed {seed}: from {start:?} by {motion:?} at step {step} at {here:?}"));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of 60 drift:\n{}", wrong.len(), wrong.join("\n"));
}
