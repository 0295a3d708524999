//! Saved events.

use hitmask::internals::seal;
use hitmask::response::Events;
use hitmask::{Ask, Body, BodyId, Engine, Error, Shape, World};

/// Returns a row of balls, of which neighbours hit, with tags.
fn row() -> (World, Vec<BodyId>) {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let ids = (0..9).map(|x| world.add(&Body::new(ball, [x, 0]).tagged(x as u64 * 7)).unwrap()).collect();
    (world, ids)
}

/// Returns events with pairs that began, stayed and ended, one of them of a removed body, and the world after them.
pub(super) fn events() -> (Events, World) {
    let ((mut world, ids), mut events) = (row(), Events::default());
    let mut engine = Engine::cpu().unwrap();
    let ball = world.body(ids[0]).unwrap().shape;
    for step in 0..3 {
        let hits = engine.run(&world, Ask::Pairs).unwrap();
        if step == 2 {
            world.remove(ids[2]).unwrap(); // its pairs are among the hits, but are no events
        }
        events.update(&world, &hits).unwrap();
        if step == 0 {
            world.set(ids[4], &Body::new(ball, [100, 0])).unwrap();
            world.remove(ids[8]).unwrap();
            world.add(&Body::new(ball, [7, 1]).tagged(99)).unwrap();
        } else {
            world.set(ids[4], &Body::new(ball, [4, 0])).unwrap();
        }
    }
    assert!(!events.began().is_empty() && !events.stayed().is_empty() && !events.ended().is_empty());
    (events, world)
}

fn assert_alike(a: &Events, b: &Events) {
    assert_eq!(a, b);
    assert_eq!((a.began(), a.stayed(), a.ended()), (b.began(), b.stayed(), b.ended()));
}

#[test]
fn loaded_events_are_the_saved_ones() {
    let (mut events, world) = events();
    let file = events.save().unwrap();
    let mut loaded = Events::load(&file).unwrap();
    assert_alike(&loaded, &events);
    assert_eq!(loaded.save().unwrap(), file);
    // Into memory that holds another file.
    let mut memory = Events::default().save().unwrap();
    loaded.save_into(&mut memory).unwrap();
    assert_eq!(memory, file);
    assert_ne!(loaded, Events::default());
    let mut copy = Events::default();
    copy.clone_from(&events);
    assert_alike(&copy, &events);
    // Into events that have others, and back to none.
    let none = Events::default().save().unwrap();
    loaded.load_into(&none).unwrap();
    assert_alike(&loaded, &Events::default());
    loaded.load_into(&file).unwrap();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap();
    for events in [&mut loaded, &mut events] {
        events.update(&world, &hits).unwrap();
    }
    assert_alike(&loaded, &events);
}

/// Each flipped bit, and each cut, is an error that changes nothing; with a new digest, an error or other events.
#[test]
fn a_flipped_bit_is_an_error_or_other_events() {
    let (events, world) = events();
    let file = events.save().unwrap();
    let (mut valid, mut refused) = (0, 0);
    for bit in 0..8 * file.len() {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let mut other = events.clone();
        assert!(other.load_into(&flipped).is_err(), "bit {bit}");
        seal(&mut flipped);
        match other.load_into(&flipped) {
            Ok(()) => {
                valid += 1;
                assert_eq!(Events::load(&other.save().unwrap()).unwrap().began(), other.began());
                let hits = Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap();
                other.update(&world, &hits).unwrap();
            }
            Err(error) => {
                assert!(matches!(error, Error::Saved { .. }), "{error}");
                assert_alike(&other, &events);
                refused += 1;
            }
        }
    }
    for length in 0..file.len() {
        let mut short = file[..length].to_vec();
        assert!(Events::load(&short).is_err(), "{length} bytes");
        if length >= 48 {
            seal(&mut short);
            assert!(Events::load(&short).is_err(), "{length} bytes");
        }
    }
    assert!(valid > 1000 && refused > 300, "{valid} valid, {refused} refused");
}

#[test]
fn pairs_that_do_not_ascend_are_refused_by_name() {
    let (events, _) = events();
    let file = events.save().unwrap();
    // The pairs begin after the header and the number of pairs that ended, and have 40 bytes each.
    let (first, second) = (52..92, 92..132);
    let [mut twice, mut swapped] = [file.clone(), file.clone()];
    twice.copy_within(first.clone(), second.start);
    swapped.copy_within(first.clone(), second.start);
    swapped[first].copy_from_slice(&file[second]);
    for mut file in [twice, swapped] {
        seal(&mut file);
        let error = Events::load(&file).unwrap_err().to_string();
        assert!(error.ends_with("the pair of bodies 0 and 1 is out of order"), "{error}");
    }
}

#[test]
fn files_of_other_kinds_are_refused_by_name() {
    let (events, world) = events();
    let told = |done: Result<(), Error>| done.unwrap_err().to_string();
    let file = events.save().unwrap();
    let events_for_world = "saved file: it is events, not a whole world";
    assert_eq!(told(World::load(&file).map(drop)), events_for_world);
    assert_eq!(told(world.clone().load_into(&file)), events_for_world);
    let state = world.save(hitmask::Save::State).unwrap();
    assert_eq!(told(Events::load(&state).map(drop)), "saved file: it is a state without shapes, not events");
}
