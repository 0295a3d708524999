//! Lists of bodies are added, removed and read as one after the other would be; on an error nothing changes.

use hitmask::geometry::{Aabb, Vec2};
use hitmask::{Ask, Bodies, Body, BodyId, Engine, Shape, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::bodies::body;
use crate::bulk::{side, told, world};

/// Returns all that can be read of a world's bodies, except their serial numbers: those of new bodies differ between
/// two copies of a world.
fn by_index(world: &World) -> Vec<(u32, Body, Option<Aabb>)> {
    told(world).into_iter().map(|(id, body, bounds)| (id.index(), body, bounds)).collect()
}

fn indices(ids: &[BodyId]) -> Vec<u32> {
    ids.iter().map(|id| id.index()).collect()
}

/// Checks that a world is like its copy, whose bodies were edited one after the other, for an engine that has run it
/// before.
fn compare(engine: &mut Engine, all: &World, single: &World, what: &str) {
    assert!(by_index(all) == by_index(single), "{what}: bodies");
    assert_eq!((all.len(), all.indices()), (single.len(), single.indices()), "{what}");
    let expected = Engine::cpu().unwrap().run(single, Ask::Pairs).unwrap();
    assert!(engine.run(all, Ask::Pairs).unwrap() == expected, "{what}: hits");
}

#[test]
fn adding_a_list_is_adding_one_after_the_other() {
    let mut random = SplitMix64(21);
    for (bodies, more) in [(0, 3), (90, 0), (90, 4), (900, 20), (900, 300), (1_000, 9_000)] {
        let what = format!("{more} more than {bodies}");
        let (mut all, shapes) = world(&mut random, bodies);
        let mut single = all.clone();
        let mut engine = Engine::cpu().unwrap();
        engine.run(&all, Ask::Pairs).unwrap();
        let list: Vec<Body> = (0..more).map(|_| body(&mut random, &shapes, side(bodies + more))).collect();
        let ids = all.add_all(&list).unwrap();
        let singly: Vec<BodyId> = list.iter().map(|body| single.add(body).unwrap()).collect();
        assert_eq!(indices(&ids), indices(&singly), "{what}");
        assert!(ids.iter().zip(&singly).all(|(&id, &other)| all.body(id) == single.body(other)), "{what}");
        assert!(ids.iter().all(|&id| all.body(id).is_some()), "{what}");
        compare(&mut engine, &all, &single, &what);
        let next = Body::new(shapes[0], [0, 0]);
        assert_eq!(all.add(&next).unwrap().index(), single.add(&next).unwrap().index(), "{what}: the next");
    }
}

#[test]
fn a_list_with_a_bad_body_adds_none() {
    let mut random = SplitMix64(22);
    let (mut world, shapes) = world(&mut random, 90);
    let gone = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    world.remove_shape(gone).unwrap();
    let before = (told(&world), world.indices());
    let mut list: Vec<Body> = (0..12_000).map(|_| body(&mut random, &shapes, 500)).collect();
    let good = list[0];
    list[11_000].shape = gone;
    list[9_500].at.y = f64::NAN;
    let error = world.add_all(&list).unwrap_err().to_string();
    assert_eq!(error, "place 9500 of the list: `at.y` is NaN; it must lie within ±2097151.99609375 units");
    list[4_000].shape = gone;
    let error = world.add_all(&list).unwrap_err().to_string();
    let shape = format!("shape {} was removed, or belongs to another world", gone.index());
    assert_eq!(error, format!("place 4000 of the list: {shape}"));
    assert!((told(&world), world.indices()) == before);
    let free = (0..=before.1 as u32).find(|&index| world.id(index).is_none()).unwrap();
    assert_eq!(world.add(&good).unwrap().index(), free);
}

#[test]
fn removing_a_list_is_removing_one_after_the_other() {
    let mut random = SplitMix64(23);
    // The last of these drop indices that are no longer in use.
    for (bodies, share) in [(90, 10), (90, 2), (900, 40), (5_000, 2), (5_000, 1)] {
        let what = format!("one in {share} of {bodies}");
        let (mut all, shapes) = world(&mut random, bodies);
        let mut single = all.clone();
        let mut engine = Engine::cpu().unwrap();
        engine.run(&all, Ask::Pairs).unwrap();
        let mut list: Vec<BodyId> = all.ids().filter(|_| random.below(share) == 0).collect();
        for k in (1..list.len()).rev() {
            list.swap(k, random.below(k as u32 + 1) as usize);
        }
        all.remove_all(&list).unwrap();
        for &id in &list {
            single.remove(id).unwrap();
        }
        assert!(list.iter().all(|&id| all.body(id).is_none()), "{what}");
        assert!(told(&all) == told(&single), "{what}: handles");
        compare(&mut engine, &all, &single, &what);
        let next = Body::new(shapes[0], [0, 0]);
        assert_eq!(all.add(&next).unwrap().index(), single.add(&next).unwrap().index(), "{what}: the next");
    }
}

#[test]
fn a_list_with_a_bad_handle_removes_none() {
    let mut random = SplitMix64(24);
    let (other, _) = world(&mut random, 90);
    let (mut world, _) = world(&mut random, 90);
    let ids: Vec<BodyId> = world.ids().collect();
    let (gone, foreign) = (ids[3], other.ids().next().unwrap());
    world.remove(gone).unwrap();
    let before = told(&world);
    for bad in [gone, foreign] {
        let error = world.remove_all(&[ids[0], bad, ids[1]]).unwrap_err().to_string();
        let lost = format!("body {} was removed, or belongs to another world", bad.index());
        assert_eq!(error, format!("place 1 of the list: {lost}"));
        assert!(told(&world) == before);
    }
    let error = world.remove_all(&[ids[0], ids[5], ids[5], gone]).unwrap_err().to_string();
    let twice = format!("`bodies` is a list with body {} twice; it must have each body once", ids[5].index());
    assert_eq!(error, format!("place 2 of the list: {twice}"));
    world.remove_all(&[]).unwrap();
    assert!(told(&world) == before);
}

#[test]
fn positions_are_those_of_the_bodies() {
    let mut random = SplitMix64(25);
    let (mut world, _) = world(&mut random, 700);
    let ids: Vec<BodyId> = world.ids().collect();
    assert!(ids.len() < world.indices(), "some indices are free");
    let position = |world: &World, id: BodyId| world.body(id).unwrap().at;
    let mut at = vec![Vec2::from([7, 7]); 2_000];
    world.positions(Bodies::All, &mut at).unwrap();
    let by_index = (0..world.indices() as u32).map(|index| world.id(index));
    let expected: Vec<Vec2> = by_index.map(|id| id.map_or(Vec2::default(), |id| position(&world, id))).collect();
    assert_eq!(at, expected);
    // What was read can be set again.
    let before = told(&world);
    world.set_positions(Bodies::All, &at).unwrap();
    assert!(told(&world) == before);
    // In any order, with repetitions.
    let list: Vec<BodyId> = (0..900).map(|_| ids[random.below(ids.len() as u32) as usize]).collect();
    world.positions(Bodies::These(&list), &mut at).unwrap();
    assert_eq!(at, list.iter().map(|&id| position(&world, id)).collect::<Vec<_>>());
    world.remove(ids[3]).unwrap();
    let error = world.positions(Bodies::These(&[ids[0], ids[3]]), &mut at).unwrap_err().to_string();
    let lost = format!("body {} was removed, or belongs to another world", ids[3].index());
    assert_eq!(error, format!("place 1 of the list: {lost}"));
    assert!(at.is_empty());
}
