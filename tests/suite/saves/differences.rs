//! The differences that [`World::differences`] finds.

use hitmask::debug::{Difference, Subject};
use hitmask::{Body, BodyId, Linear, Mask, Save, Shape, ShapeId, Touch, World};

/// Returns a world with a body of each of two shapes.
fn pair() -> (World, [BodyId; 2], [ShapeId; 2]) {
    let mut world = World::default();
    let dot = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let sprite = world.add_shape(Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap())).unwrap();
    let ids = [dot, sprite].map(|shape| world.add(&Body::new(shape, [3, 4])).unwrap());
    (world, ids, [dot, sprite])
}

fn lines(a: &World, b: &World) -> Vec<String> {
    a.differences(b).iter().map(Difference::to_string).collect()
}

/// Each edit of one body or shape is one difference, with both values.
#[test]
fn each_edit_is_named() {
    type Edit = fn(&mut World, [BodyId; 2], [ShapeId; 2]);
    let edits: [(&str, Edit); 17] = [
        ("body 0: `at` is [3, 4] in the first world, [3, 4.00390625] in the second", |world, [id, _], [dot, _]| {
            world.set(id, &Body::new(dot, [3.0, 4.0 + 1.0 / 256.0])).unwrap();
        }),
        ("body 0: `motion` is [0, 0] in the first world, [-1, 0.5] in the second", |world, [id, _], [dot, _]| {
            world.set(id, &Body::new(dot, [3, 4]).moving([-1.0, 0.5])).unwrap();
        }),
        (
            "body 0: `linear` is [[1, 0], [0, 1]] in the first world, [[2, 0], [0, 2]] in the second",
            |world, [id, _], _| {
                world.set_linears(hitmask::Bodies::These(&[id]), &[Linear::scaled(2.0)]).unwrap();
            },
        ),
        ("body 0: `shape` is 0 in the first world, 1 in the second", |world, [id, _], [_, sprite]| {
            world.set_shape(id, sprite).unwrap();
        }),
        ("body 0: `layers` is 0x1 in the first world, 0x2 in the second", |world, [id, _], _| {
            world.set_filter(id, 2, u32::MAX, 0).unwrap();
        }),
        ("body 0: `mask` is 0xffffffff in the first world, 0x7 in the second", |world, [id, _], _| {
            world.set_filter(id, 1, 7, 0).unwrap();
        }),
        ("body 0: `group` is 0 in the first world, 3 in the second", |world, [id, _], _| {
            world.set_filter(id, 1, u32::MAX, 3).unwrap();
        }),
        ("body 0: `detector` is false in the first world, true in the second", |world, [id, _], _| {
            world.set_detector(id, true).unwrap();
        }),
        ("body 1: `enabled` is true in the first world, false in the second", |world, [_, id], _| {
            world.set_enabled(id, false).unwrap();
        }),
        ("body 1: `tag` is 0 in the first world, 9 in the second", |world, [_, id], _| {
            let body = world.body(id).unwrap().tagged(9);
            world.set(id, &body).unwrap();
        }),
        ("body 0: only in the first world (shape 0, at [3, 4])", |world, [id, _], _| {
            world.remove(id).unwrap();
        }),
        (
            "shape 1: `mask` is solid at texel [1, 0] (1 of 2) in the first world, clear at texel [1, 0] (1 of 2) in the second",
            |world, _, [_, sprite]| {
                let dots = Mask::from_rows(&[".#", ".#"]).unwrap();
                world.edit_mask(sprite, |mask| mask.erase(&dots, [0, 0])).unwrap();
            },
        ),
        ("shape 1: `mask` is 2 x 2 texels in the first world, 3 x 1 texels in the second", |world, _, [_, sprite]| {
            world.replace_shape(sprite, Shape::sprite(Mask::from_rows(&["###"]).unwrap())).unwrap();
        }),
        ("shape 0: `radius` is 1 in the first world, 3 in the second", |world, _, [dot, _]| {
            world.replace_shape(dot, Shape::circle(3.0).unwrap()).unwrap();
        }),
        ("shape 0: `anchor` is [0, 0] in the first world, [1, 0] in the second", |world, _, [dot, _]| {
            world.replace_shape(dot, Shape::circle(1.0).unwrap().anchored([1, 0]).unwrap()).unwrap();
        }),
        ("shape 0: `kind` is circle in the first world, sprite in the second", |world, _, [dot, sprite]| {
            let shape = world.shape(sprite).unwrap().clone();
            world.replace_shape(dot, shape).unwrap();
        }),
        ("world: `touch` is excluded in the first world, included in the second", |world, _, _| {
            // The touch rule is part of the history, so the file of the other rule is edited.
            let mut file = world.save(Save::Whole).unwrap();
            file[44] = 1;
            hitmask::internals::seal(&mut file);
            *world = World::load(&file).unwrap();
        }),
    ];
    for (line, edit) in edits {
        let (world, ids, shapes) = pair();
        let mut edited = world.clone();
        edit(&mut edited, ids, shapes);
        assert_eq!(lines(&world, &edited), [line]);
        assert!(lines(&edited, &edited.clone()).is_empty());
    }
}

/// Worlds that look alike, but whose next bodies will have different handles, differ.
#[test]
fn another_history_is_a_difference() {
    let (world, _, [dot, _]) = pair();
    let mut other = world.clone();
    let id = other.add(&Body::new(dot, [0, 0])).unwrap();
    other.remove(id).unwrap();
    let fields: Vec<_> = world.differences(&other).iter().map(|found| (found.subject, found.field)).collect();
    assert_eq!(fields, [(Subject::World, "body indices"), (Subject::World, "body history")]);
    let mut shaped = world.clone();
    let shape = shaped.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    let found = world.differences(&shaped);
    assert_eq!(found[0].field, "shape indices");
    assert_eq!(found[1].field, "shape history");
    assert_eq!(found[2].to_string(), "shape 2: only in the second world (circle)");
    shaped.remove_shape(shape).unwrap();
    assert!(world.differences(&shaped).len() == 2 && world != shaped);
}

/// Outlines are compared point by point, holes too.
#[test]
fn a_moved_corner_is_named() {
    let polygon = |x: f64, hole: &[[f64; 2]]| {
        let mut world = World::new(Touch::Excluded);
        let outline = [[0.0, 0.0], [9.0, 0.0], [x, 9.0], [0.0, 9.0]];
        world.add_shape(Shape::polygon_with_holes(&outline, &[hole]).unwrap()).unwrap();
        world
    };
    let hole = [[2.0, 2.0], [5.0, 2.0], [2.0, 5.0]];
    let outline = |a: &World, b: &World| {
        let found = a.differences(b).into_iter().find(|found| found.field == "outline");
        found.map(|found| found.values.map(Option::unwrap))
    };
    let world = polygon(9.0, &hole);
    assert_eq!(outline(&world, &world), None);
    let moved = outline(&world, &polygon(8.0, &hole)).unwrap();
    assert_eq!(moved, ["[9, 9]", "[8, 9]"].map(|at| format!("7 points, rings: 2, point 2 at {at}")));
    let more = [[2.0, 2.0], [5.0, 2.0], [5.0, 4.0], [2.0, 5.0]];
    let more = outline(&world, &polygon(9.0, &more)).unwrap();
    assert_eq!(more[1], "8 points, rings: 2, point 6 at [5, 4]");
}
