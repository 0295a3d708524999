//! The comparison with the reference, which is too slow for all bodies of a world.

use hitmask::{Ask, BodyId, Hits, World};

/// Maximum number of bodies for the reference, which compares each with each, pixel by pixel.
const COMPARED: usize = 10;

/// Returns the world with up to 10 of its bodies, from position `from` on: few enough for the reference.
pub(crate) fn some_of(world: &World, from: usize) -> World {
    let ids: Vec<BodyId> = world.ids().collect();
    let is_there = |at: usize| (at + ids.len() - from % ids.len()) % ids.len() < COMPARED;
    let mut few = world.clone();
    for (_, &id) in ids.iter().enumerate().filter(|(at, _)| !is_there(*at)) {
        few.remove(id).expect("it is there");
    }
    few
}

/// Checks that the details found in a world agree with its pairs and flags, and that the pairs of bodies that are also
/// in `few`, with their details, are those that the reference finds in `few`.
pub(crate) fn compare(found: &Hits, few: &World) {
    found.validate(Ask::Details);
    let kept: Vec<u32> = few.ids().map(BodyId::index).collect();
    let expected = hitmask::Engine::reference().run(few, Ask::Details).expect("the reference answers");
    let pairs = found.pairs.iter().zip(&found.details);
    let found: Vec<_> = pairs.filter(|(pair, _)| pair.iter().all(|body| kept.contains(body))).collect();
    assert_eq!(found, expected.pairs.iter().zip(&expected.details).collect::<Vec<_>>());
}
