//! Random bodies of all kinds, for worlds that run over many steps.

use hitmask::geometry::Flip;
use hitmask::{Body, Linear, Shape, ShapeId, World};
use hitmask_workbench::workloads::{SplitMix64, blob};

/// Adds shapes of every kind to a world.
pub(crate) fn shapes(world: &mut World, random: &mut SplitMix64) -> Vec<ShapeId> {
    let l = [[0.0, 0.0], [12.0, 0.0], [12.0, 4.0], [4.0, 4.0], [4.0, 12.0], [0.0, 12.0]];
    let shapes = [
        Shape::rect(8.0, 6.0),
        Shape::rect(900.0, 2.0),
        Shape::rect(3.0, 700.0),
        Shape::circle(5.0),
        Shape::circle(0.5),
        Shape::capsule([0.0, 0.0], [9.0, 3.0], 2.0),
        Shape::polygon(&l),
        Shape::sprite(blob(random, 24, 600).unwrap()).anchored([12.0, 12.0]),
        Shape::sprite(blob(random, 70, 300).unwrap()).anchored([35.0, 35.0]),
    ];
    shapes.map(|shape| world.add_shape(shape.unwrap()).unwrap()).to_vec()
}

/// Returns a random body: mostly within `side`, sometimes far outside.
pub(crate) fn body(random: &mut SplitMix64, shapes: &[ShapeId], side: u32) -> Body {
    let mut below = |n: u32| random.below(n);
    let shape = shapes[below(shapes.len() as u32) as usize];
    let mut at = [below(16 * side), below(16 * side)].map(|v| f64::from(v) / 16.0);
    if below(50) == 0 {
        at = at.map(|v| v / f64::from(side) * 1e6 - 5e5);
    }
    let mut body = Body::new(shape, at);
    if below(2) == 0 {
        body = body.posed(Linear::new(f64::from(below(360)), [1.5; 2], Flip { x: below(2) == 0, y: false }));
    }
    if below(4) == 0 {
        body = body.moving([f64::from(below(60)) - 30.0, f64::from(below(60)) - 30.0]);
    }
    if below(3) == 0 { body.filtered(1 << below(3), 1 + below(7)).detector(below(3) == 0) } else { body }
}
