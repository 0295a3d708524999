//! The conventions that README and the guide state: units, directions, anchors and errors.

use hitmask::{Body, Linear, Mask, Shape, World};

/// Returns the bounds of a body at (10, 20), in units.
fn bounds(shape: Shape, linear: Linear) -> [f64; 4] {
    let mut world = World::default();
    let shape = world.add_shape(shape).unwrap();
    let id = world.add(&Body::new(shape, [10, 20]).posed(linear)).unwrap();
    let bounds = world.bounds(id).unwrap();
    [bounds.min.x, bounds.min.y, bounds.max.x, bounds.max.y].map(|step| f64::from(step) / 256.0)
}

#[test]
fn a_position_is_where_the_anchor_lands() {
    let sprite = || Shape::sprite(Mask::from_rows(&["####", "####"]).unwrap());
    let (flat, rect, circle) = (Linear::IDENTITY, Shape::rect(4.0, 2.0).unwrap(), Shape::circle(3.0).unwrap());
    assert_eq!(bounds(rect.clone(), flat), [10.0, 20.0, 14.0, 22.0]);
    assert_eq!(bounds(sprite(), flat), [10.0, 20.0, 14.0, 22.0]);
    assert_eq!(bounds(circle, flat), [7.0, 17.0, 13.0, 23.0]);
    for shape in [rect, sprite()] {
        assert_eq!(bounds(shape.anchored([4, 1]).unwrap(), flat), [6.0, 19.0, 10.0, 21.0]);
    }
}

/// On a screen y points down, so that a turn from +x to +y is clockwise.
#[test]
fn positive_angles_turn_x_toward_y() {
    assert_eq!(bounds(Shape::rect(4.0, 2.0).unwrap(), Linear::from_degrees(90.0)), [8.0, 20.0, 10.0, 24.0]);
}

#[test]
fn an_error_names_the_body_and_the_field_and_changes_nothing() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let ids = world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [5, 5])]).unwrap();
    let before = world.checksum();
    for (at, words) in [([f64::NAN, 0.0], "body 1: `at.x` is NaN"), ([0.0, 3e6], "body 1: `at.y` is 3000000")] {
        let error = world.set(ids[1], &Body::new(ball, at)).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
        let error = world.set_positions(hitmask::Bodies::All, &[[1.0, 1.0], at]).unwrap_err();
        assert!(error.to_string().starts_with(words), "{error}");
        assert_eq!(world.checksum(), before);
    }
}
