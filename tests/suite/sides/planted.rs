//! Tests of the judge: it accepts right sides and finds planted wrong ones.

use hitmask::{Body, Mask, Shape, ShapeId, World};

use super::case::Case;
use super::judge::Judge;
use super::laws::Checker;
use super::solid::V;

/// Returns the judge of a mover among shapes at given places.
fn judged(shapes: &[(Shape, V)], mover: &Shape) -> Judge {
    let mut world = World::default();
    let mut put = |shape: &Shape| world.add_shape(shape.clone()).unwrap();
    let ids: Vec<ShapeId> = shapes.iter().map(|(shape, _)| put(shape)).collect();
    let mover = put(mover);
    for (id, (_, at)) in ids.into_iter().zip(shapes) {
        world.add(&Body::new(id, *at)).unwrap();
    }
    Judge::new(&world, &Body::new(mover, [0, 0]))
}

/// Checks that the judge accepts the right sides and rejects the wrong ones, for a body that moves at a place.
#[track_caller]
fn check(judge: &Judge, at: V, motion: V, right: &[V], wrong: &[V]) {
    let at = at.map(|v| v * 256.0);
    let known = |normal: &&V| judge.knows(at, motion, **normal);
    assert!(right.iter().all(|normal| known(&normal)), "{right:?} of {:?}", judge.sides(at, motion));
    assert!(!wrong.iter().any(|normal| known(&normal)), "none of {wrong:?}, but {:?}", judge.sides(at, motion));
}

const UP: V = [0.0, -1.0];
const UP_LEFT: V = [-std::f64::consts::FRAC_1_SQRT_2; 2];
const DOWN: V = [0.0, 1.0];
const LEFT: V = [-1.0, 0.0];
const RIGHT: V = [1.0, 0.0];

fn tile() -> Shape {
    Shape::rect(16.0, 16.0).unwrap()
}

fn man() -> Shape {
    Shape::rect(8.0, 12.0).unwrap()
}

#[test]
fn at_the_foot_of_a_slope_the_slope_is_met() {
    let hill = Shape::polygon(&[[0, 100], [60, 100], [160, 70], [160, 140], [0, 140]]).unwrap();
    let slope = [-0.2873, -0.9578];
    let one = judged(&[(hill, [0.0; 2])], &man());
    let tiles = [[[0, 100], [60, 100], [60, 140], [0, 140]], [[60, 100], [160, 70], [160, 140], [60, 140]]];
    let tiles = tiles.map(|tile| (Shape::polygon(&tile).unwrap(), [0.0; 2]));
    for judge in [one, judged(&tiles, &man())] {
        check(&judge, [52.0, 88.0], [2.0, 0.0], &[slope], &[LEFT, UP, RIGHT, [-0.35, -0.937]]);
        check(&judge, [30.0, 88.0], [2.0, 1.0], &[UP], &[LEFT, slope, DOWN]);
    }
}

#[test]
fn hidden_ends_of_tiles_are_no_sides() {
    let floor = [0.0, 16.0, 32.0].map(|x| (tile(), [x, 100.0]));
    let judge = judged(&floor, &man());
    for at in [8.0, 16.0, 20.0] {
        check(&judge, [at, 88.0], [2.0, 1.0], &[UP], &[LEFT, RIGHT, DOWN, UP_LEFT]);
    }
    // The end of the last tile does not face a body that comes from its left.
    check(&judge, [48.0, 88.0], [2.0, 1.0], &[UP], &[LEFT, RIGHT]);
    check(&judge, [48.0, 88.0], [-2.0, 1.0], &[UP, RIGHT], &[LEFT, DOWN]);
    check(&judge, [20.0, 80.0], [2.0, 1.0], &[], &[UP, LEFT]);
}

#[test]
fn at_corners_the_sides_that_face_the_motion_are_met() {
    let judge = judged(&[(tile(), [0.0, 100.0]), (tile(), [16.0, 100.0]), (tile(), [16.0, 84.0])], &man());
    check(&judge, [8.0, 88.0], [1.0, 0.0], &[LEFT], &[UP]);
    check(&judge, [8.0, 88.0], [1.0, 1.0], &[LEFT, UP], &[DOWN, RIGHT]);
    check(&judge, [8.0, 72.0], [1.0, 1.0], &[UP, LEFT], &[UP_LEFT]);
}

#[test]
fn what_is_round_is_met_where_it_is_met() {
    let judge = judged(&[(Shape::circle(8.0).unwrap(), [0.0; 2])], &Shape::circle(2.0).unwrap());
    for angle in [0.0_f64, 0.3, 1.0, 2.0, 4.0] {
        let (sin, cos) = angle.sin_cos();
        let turned = (angle + 0.05).sin_cos();
        check(&judge, [10.0 * cos, 10.0 * sin], [-cos, -sin], &[[cos, sin]], &[[turned.1, turned.0], [-cos, -sin]]);
    }
    // A rounded corner of one on a side of the other.
    let judge = judged(&[(tile(), [0.0, 100.0])], &Shape::rounded_polygon(&[[0, 0], [4, 0], [2, 4]], 1.0).unwrap());
    check(&judge, [4.0, 95.0], [3.0, 1.0], &[UP], &[LEFT]);
}

#[test]
fn a_slot_that_is_just_as_wide_has_sides() {
    let judge = judged(&[(tile(), [-16.0, 0.0]), (tile(), [8.0, 0.0]), (tile(), [-4.0, 16.0])], &man());
    check(&judge, [0.0, 2.0], [1.0, 1.0], &[LEFT], &[UP, RIGHT]);
    check(&judge, [0.0, 4.0], [0.0, 1.0], &[UP], &[LEFT, RIGHT]);
    check(&judge, [0.0, -12.0], [1.0, 1.0], &[UP, LEFT], &[RIGHT, DOWN]);
}

#[test]
fn pixels_are_squares() {
    let stairs = Mask::from_rows(&["...#", "..##", ".###", "####"]).unwrap();
    let judge = judged(&[(Shape::sprite(stairs), [0.0, 10.0])], &Shape::rect(1.0, 1.0).unwrap());
    check(&judge, [0.0, 12.0], [1.0, 0.0], &[LEFT], &[UP, UP_LEFT]);
    check(&judge, [0.5, 11.0], [1.0, 1.0], &[UP], &[LEFT, RIGHT]);
    check(&judge, [1.0, 11.0], [1.0, 1.0], &[UP, LEFT], &[RIGHT, DOWN]);
}

#[test]
fn sprites_that_move_are_pixels() {
    let mut world = World::default();
    let slope = world.add_shape(Shape::polygon(&[[0, 100], [100, 50], [100, 100]]).unwrap()).unwrap();
    let sprite = world.add_shape(Shape::sprite(Mask::from_rows(&[".#", "##"]).unwrap())).unwrap();
    world.add(&Body::new(slope, [0, 0])).unwrap();
    let judge = Judge::new(&world, &Body::new(sprite, [3.75, 7.25]));
    // Its lower right corner lies on the slope.
    check(&judge, [38.0, 78.0], [1.0, 0.0], &[[-0.4472, -0.8944]], &[LEFT, UP]);
    let entry = judge.entry([30.0, 50.0].map(|x| [x * 256.0, 78.0 * 256.0]), false).unwrap();
    assert!((entry - 0.4).abs() < 1e-9, "{entry}");
}

/// The checks leave room for rounding, and so for another nearby side, but for no more.
#[test]
fn planted_normals_are_found_in_cases() {
    let mut checker = Checker::new();
    let found: Vec<bool> = (0..1_000).flat_map(|seed| checker.finds_planted(&Case::random(seed))).collect();
    let missed = found.iter().filter(|found| !**found).count();
    assert!(found.len() > 500 && 20 * missed < found.len(), "{missed} of {} are not found", found.len());
}
