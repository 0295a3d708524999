//! Any bytes as the bodies of a scene in CSV: an error, or bodies that are the same when written as JSON and read
//! again. Their world, if it can be built, has all of them.

use std::path::Path;

use hitmask::Touch;
use hitmask::internals::bodies_of_csv;
use hitmask::scene::{Form, Scene, ShapeSpec};

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let Ok(bodies) = bodies_of_csv(bytes) else { return };
    let shapes = [("a", Form::Box([1.0, 1.0])), ("b", Form::Circle(2.0))];
    let shapes = shapes.map(|(name, form)| (name.into(), ShapeSpec::new(form))).into();
    let scene = Scene::new(Touch::Excluded, shapes, bodies);
    let written = scene.to_json().expect("what was read can be written");
    let again = Scene::parse(&written, Path::new("/nowhere")).expect("what was written can be read");
    assert_eq!(again.bodies, scene.bodies);
    if let Ok(world) = scene.world() {
        assert_eq!(world.len(), scene.bodies.len());
    }
}
