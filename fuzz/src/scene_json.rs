//! Any text as a scene: an error, or a scene that is the same when written and read again, and whose world, if it can
//! be built, is consistent.

use hitmask::scene::Scene;

use crate::bytes::text;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let text = text(bytes);
    let nowhere = std::path::Path::new("/nowhere");
    let Ok(scene) = Scene::parse(text, nowhere) else { return };
    let written = scene.to_json().expect("what was read can be written");
    let again = Scene::parse(&written, nowhere).expect("what was written can be read");
    assert_eq!(again.to_json().expect("it is written again"), written);
    if let Ok(world) = scene.world() {
        assert!(scene.prepare_queries(&world).is_ok() || !scene.queries.is_empty());
        let ids: Vec<_> = world.ids().collect();
        assert_eq!(ids.len(), world.len());
        assert!(ids.into_iter().all(|id| world.body(id).is_some()));
    }
}
