//! Edits of a sprite's mask that are refused or cut short leave the world as it was: [`World::edit_mask`].

use std::panic::{AssertUnwindSafe, catch_unwind};

use hitmask::geometry::{MAX_COORDINATE, SUBPIXELS};
use hitmask::{Ask, Body, Engine, Mask, Shape, ShapeId, World};

/// Returns a world and a sprite of it. A body of the sprite stands at the eastern end of the world: only its western
/// texel is solid, and its fifth column would lie outside. A second body hits that texel.
fn at_the_end() -> (World, ShapeId) {
    let mut world = World::default();
    let mask = Mask::from_rows(&["#.......", "........"]).unwrap();
    let [sprite, dot] =
        [mask, Mask::from_rows(&["#"]).unwrap()].map(|mask| world.add_shape(Shape::sprite(mask)).unwrap());
    for shape in [sprite, dot] {
        world.add(&Body::new(shape, [MAX_COORDINATE / SUBPIXELS - 3, 0])).unwrap();
    }
    (world, sprite)
}

/// Checks that a world is as it was, in all that is derived from its masks too, and can be edited as before.
fn assert_as_before(mut world: World, mut before: World, sprite: ShapeId) {
    for at in [[1, 1], [2, 0]] {
        let mask = |world: &World| world.shape(sprite).and_then(Shape::mask).cloned();
        assert_eq!(mask(&world), mask(&before));
        assert!(world == before);
        assert_eq!(world.checksum(), before.checksum());
        let [hits, expected] = [&world, &before].map(|world| Engine::cpu().unwrap().run(world, Ask::Details).unwrap());
        assert_eq!(hits, expected);
        assert_eq!(hits.pairs.len(), 1);
        for world in [&mut world, &mut before] {
            world.edit_mask(sprite, |mask| mask.set(at[0], at[1], true).unwrap()).unwrap();
        }
    }
}

#[test]
fn an_edit_that_leads_out_of_the_world_is_undone() {
    let (mut world, sprite) = at_the_end();
    let before = world.clone();
    let refused = world.edit_mask(sprite, |mask| mask.set(7, 1, true).unwrap()).unwrap_err().to_string();
    assert!(refused.starts_with("body 0: `at` is ") && refused.contains("keep the whole body"), "{refused}");
    assert_as_before(world, before, sprite);
}

#[test]
fn an_edit_keeps_the_size() {
    let (mut world, sprite) = at_the_end();
    let before = world.clone();
    for larger in [Mask::new(9, 2), Mask::new(1, 1)] {
        let refused = world.edit_mask(sprite, |mask| *mask = larger.clone().unwrap()).unwrap_err().to_string();
        let size = larger.unwrap().size();
        assert_eq!(refused, format!("`mask` is {} x {}; it must keep its size, 8 x 2", size[0], size[1]));
    }
    assert_as_before(world, before, sprite);
}

#[test]
fn a_panic_undoes_the_edit() {
    let (mut world, sprite) = at_the_end();
    let before = world.clone();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        world.edit_mask(sprite, |mask| {
            mask.fill();
            std::panic::panic_any("an edit that fails");
        })
    }));
    assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"an edit that fails"));
    assert_as_before(world, before, sprite);
}
