//! Any bytes as a saved world, as events, and as a moment of a replay, with the digest that they need: loading them
//! never panics, and gives an error, which changes nothing, or what keeps all rules and is saved as it was loaded.

use hitmask::internals::seal;
use hitmask::response::Events;
use hitmask::scene::Moment;
use hitmask::{Save, Shape, World};

/// The length of a header.
const HEADER: usize = 48;

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut file = bytes.to_vec();
    if file.len() >= HEADER {
        seal(&mut file);
    }
    if let Ok(events) = Events::load(&file) {
        let again = events.save().expect("room");
        assert_eq!(Events::load(&again).expect("it was saved").save().expect("room"), again);
    }
    if let Ok(moment) = Moment::load(&file) {
        let again = moment.save().expect("room");
        assert_eq!(Moment::load(&again).expect("it was saved").save().expect("room"), again);
    }
    let mut other = World::default();
    other.add_shape(Shape::circle(1.0).expect("a circle")).expect("room");
    let before = other.clone();
    if other.load_into(&file).is_err() {
        assert!(other == before, "an error changes nothing");
        assert!(World::load(&file).is_err(), "an error for one world is one for all");
        return;
    }
    other.validate();
    let again = other.save(Save::Whole).expect("room");
    let loaded = World::load(&again).expect("it was saved");
    loaded.validate();
    assert!(loaded == other && loaded.checksum() == other.checksum());
    assert!(loaded.save(Save::Whole).expect("room") == again);
}
