//! Actors: their bodies follow the frames of a sheet, and hits tell who, with what and on what.

use std::time::Duration;

use hitmask::geometry::Flip;
use hitmask::{Ask, Body, Engine, Linear, Shape, World};
use hitmask_files::{Actor, Cast, Filter, Import, Sheet, Strikes};

use crate::ase::{self, Ase, Cel, Layer};

/// A fighter of 8 x 8 pixels: its body is always in the way, and in frame 1 of "kick" a foot reaches out.
fn fighter() -> Sheet {
    let pixels: Vec<u8> = (0..64).flat_map(|k| [0, 0, 0, if k % 8 < 4 { 255 } else { 0 }]).collect();
    let cel = Cel { size: [8, 8], pixels: &pixels, ..Cel::default() };
    let mut file = Ase::new([8, 8], 3).add(0, ase::tags(&[("stand", [0, 0], 0, 0), ("kick", [1, 2], 0, 1)]));
    file = file.add(0, ase::layer(&Layer::default()));
    for frame in 0..3 {
        file = file.add(frame, ase::cel(&cel));
    }
    // `[frame, x, y, width, height]`; an empty box hides the slice.
    let file = file
        .add(0, ase::slice("hurt", 0, &[&[0, 0, 0, 4, 8]]))
        .add(0, ase::user_data(Some("torso")))
        .add(0, ase::slice("foot", 0, &[&[1, 4, 2, 4, 2], &[2, 0, 0, 0, 0]]))
        .add(0, ase::user_data(Some("damage=3")))
        .add(0, ase::slice("foot", 0, &[&[1, 4, 5, 4, 1], &[2, 0, 0, 0, 0]]));
    Import::default().read_aseprite(&file.bytes()).unwrap()
}

/// Feet hit what is hurt; masks hit walls.
fn filter(part: Option<&str>) -> Option<Filter> {
    let [layers, mask] = match part {
        None => [1, 1],
        Some("hurt") => [2, 4],
        Some("foot") => [4, 2],
        Some(_) => return None,
    };
    Some(Filter { layers, mask, ..Filter::default() })
}

/// The pairs of names of a step, as `entity name-entity name: data`.
fn told(world: &World, cast: &Cast) -> Vec<String> {
    let hits = Engine::reference().run(world, Ask::Pairs).unwrap();
    let tell = |index: u32| {
        let part = cast.part(world.id(index).unwrap()).unwrap();
        (part.entity, part.name.unwrap_or("mask").to_owned(), part.data.to_owned())
    };
    let pair = |[a, b]: [u32; 2]| {
        let mut both = [tell(a), tell(b)];
        both.sort();
        let [(a, an, ad), (b, bn, bd)] = both;
        format!("{a} {an} {ad}-{b} {bn} {bd}")
    };
    hits.pairs.into_iter().map(pair).collect()
}

#[test]
fn hits_tell_entity_name_and_data_in_the_frames_that_have_the_box() {
    let mut world = World::default();
    let mut cast = Cast::new(&mut world, fighter(), [2.0, 8.0], filter).unwrap();
    let mut actors = [10, 20].map(|entity| cast.add(&mut world, entity).unwrap());
    actors[0].at = [0.0, 0.0].into();
    actors[1].at = [7.0, 0.0].into(); // apart, but within a kick
    cast.update(&mut world, &mut actors).unwrap();
    assert_eq!(told(&world, &cast), Vec::<String>::new());

    cast.play(&mut actors[0], "kick").unwrap();
    let mut strikes = Strikes::default();
    let mut damage = Vec::new();
    for step in 0..5 {
        cast.update(&mut world, &mut actors).unwrap();
        let shows = step < 2; // frame 1 shows for 100 ms
        let both = ["10 foot damage=3-20 hurt torso", "10 foot -20 hurt torso"];
        assert_eq!(told(&world, &cast), if shows { both.to_vec() } else { vec![] }, "{step}");
        for [a, b] in Engine::reference().run(&world, Ask::Pairs).unwrap().pairs {
            let [a, b] = [a, b].map(|index| cast.part(world.id(index).unwrap()).unwrap());
            let (foot, hurt) = if a.name == Some("foot") { (a, b) } else { (b, a) };
            if strikes.hits(&foot, &hurt) {
                damage.push((step, foot.entity, hurt.entity));
            }
        }
        actors[0].elapsed += Duration::from_millis(50);
    }
    assert_eq!(damage, [(0, 10, 20)]); // of four hits

    // Flipped, it kicks the other way.
    cast.play(&mut actors[0], "kick").unwrap();
    actors[0].flip = Flip { x: true, y: false };
    cast.update(&mut world, &mut actors).unwrap();
    assert_eq!(told(&world, &cast), Vec::<String>::new());
    actors[1].at = [-7.0, 0.0].into();
    cast.update(&mut world, &mut actors).unwrap();
    assert_eq!(told(&world, &cast).len(), 2);
    assert!(strikes.is_first(10, actors[0].plays, 20));
    assert!(cast.play(&mut actors[0], "fly").unwrap_err().to_string().contains("no tag \"fly\""));
}

/// Feet are detectors here: what is hurt need not hit them, nor the mask, which sees nothing.
#[test]
fn a_box_that_is_a_detector_hits_what_does_not_hit_it() {
    for detector in [true, false] {
        let own = |part: Option<&str>| {
            let filter = filter(part)?;
            let is_foot = part == Some("foot");
            Some(Filter { mask: if is_foot { filter.mask } else { 0 }, detector: detector && is_foot, ..filter })
        };
        let mut world = World::default();
        let mut cast = Cast::new(&mut world, fighter(), [2.0, 8.0], own).unwrap();
        let mut actors = [10, 20].map(|entity| cast.add(&mut world, entity).unwrap());
        actors[1].at = [7.0, 0.0].into();
        cast.play(&mut actors[0], "kick").unwrap();
        cast.update(&mut world, &mut actors).unwrap();
        let both = ["10 foot damage=3-20 hurt torso", "10 foot -20 hurt torso"];
        assert_eq!(told(&world, &cast), if detector { both.to_vec() } else { vec![] });
        // The slots that wait for a frame with their box are detectors too.
        let feet = cast.parts(&actors[0]).filter(|part| part.name == Some("foot")).map(|part| part.body);
        assert!(feet.map(|body| world.body(body).unwrap().detector).eq([detector; 2]));
        assert!(!world.body(actors[0].body().unwrap()).unwrap().detector);
    }
}

#[test]
fn bodies_have_the_pose_and_the_frame_of_their_actor() {
    let mut world = World::default();
    let sheet = Sheet::open("assets/hero.aseprite").unwrap();
    let mut cast = Cast::new(&mut world, sheet, [6.0, 16.0], |_| Some(Filter::default())).unwrap();
    let mut actors: Vec<Actor> = (0..500).map(|k| cast.add(&mut world, k).unwrap()).collect();
    for (k, actor) in actors.iter_mut().enumerate() {
        cast.play(actor, ["stand", "walk", "jump"][k % 3]).unwrap();
        actor.at = [k as f64, 2.0].into();
        actor.motion = [0.0, 1.0].into();
        actor.linear = Linear::from_degrees(90.0 * (k % 4) as f64);
        actor.flip.x = k % 2 == 1;
        actor.elapsed = Duration::from_millis(37 * k as u64);
    }
    cast.update(&mut world, &mut actors).unwrap();
    for actor in &actors {
        let tag = &cast.sheet().tags[actor.tag.unwrap()];
        assert_eq!(Some(actor.frame()), cast.sheet().frame_at(tag, actor.elapsed));
        let flip = Linear { x: [if actor.flip.x { -1.0 } else { 1.0 }, 0.0], y: [0.0, 1.0] };
        let parts: Vec<_> = cast.parts(actor).collect();
        assert_eq!(parts.iter().map(|part| part.name).collect::<Vec<_>>(), [None, Some("hurt")]);
        for part in parts {
            let body = world.body(part.body).unwrap();
            assert_eq!((body.at, body.motion, body.linear), (actor.at, actor.motion, actor.linear * flip));
            assert!(actor.has(part.body) && (part.entity, part.frame) == (actor.entity, actor.frame()));
        }
        let mask = world.shape(world.body(actor.body().unwrap()).unwrap().shape).unwrap().mask().unwrap();
        assert_eq!(mask, &*cast.sheet().frames[actor.frame()].mask);
    }
    // Its own bodies overlap, and are in a group.
    let alone = actors.remove(0);
    for actor in actors {
        cast.remove(&mut world, actor).unwrap();
    }
    assert!(Engine::reference().run(&world, Ask::Pairs).unwrap().pairs.is_empty());
    let body = alone.body().unwrap();
    cast.remove(&mut world, alone).unwrap();
    assert_eq!((cast.part(body), world.len()), (None, 0));
    cast.remove_from(&mut world).unwrap();
    assert!(world.shapes().next().is_none());
}

#[test]
fn a_box_that_is_gone_keeps_its_name() {
    let mut world = World::default();
    let mut cast = Cast::new(&mut world, fighter(), [2.0, 8.0], filter).unwrap();
    let mut actors = [cast.add(&mut world, 1).unwrap()];
    cast.play(&mut actors[0], "kick").unwrap();
    cast.update(&mut world, &mut actors).unwrap();
    let feet: Vec<_> = cast.parts(&actors[0]).filter(|part| part.name == Some("foot")).map(|part| part.body).collect();
    actors[0].elapsed = Duration::from_millis(100);
    cast.update(&mut world, &mut actors).unwrap();
    let parts: Vec<_> = feet.iter().map(|foot| cast.part(*foot).unwrap()).collect();
    assert!(parts.iter().all(|part| (part.name, part.data, part.frame) == (Some("foot"), "", 2)), "{parts:?}");
    assert_eq!(feet.len(), 2);
}

#[test]
fn a_sheet_without_frames_has_actors_without_parts() {
    let mut world = World::default();
    let mut sheet = fighter();
    sheet.frames.clear();
    let mut cast = Cast::new(&mut world, sheet, [2.0, 8.0], filter).unwrap();
    let mut actors = [cast.add(&mut world, 1).unwrap()];
    cast.update(&mut world, &mut actors).unwrap();
    assert_eq!((cast.parts(&actors[0]).count(), world.len()), (0, 0));
}

#[test]
fn a_body_that_takes_the_place_of_an_actor_is_no_part() {
    let mut world = World::default();
    let mut cast = Cast::new(&mut world, fighter(), [2.0, 8.0], filter).unwrap();
    let actor = cast.add(&mut world, 1).unwrap();
    let body = actor.body().unwrap();
    world.remove(body).unwrap();
    let shape = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let other = world.add(&Body::new(shape, [0, 0])).unwrap();
    assert_eq!((other.index(), cast.part(other)), (body.index(), None));
    cast.remove(&mut world, actor).unwrap();
    assert!(world.body(other).is_some());
}

#[test]
fn an_actor_in_the_place_of_another_stays_when_that_one_is_removed() {
    let mut world = World::default();
    let mut cast = Cast::new(&mut world, fighter(), [2.0, 8.0], filter).unwrap();
    let gone = cast.add(&mut world, 1).unwrap();
    for id in world.ids().collect::<Vec<_>>() {
        world.remove(id).unwrap();
    }
    let actor = cast.add(&mut world, 2).unwrap();
    assert_eq!(gone.body().unwrap().index(), actor.body().unwrap().index());
    cast.update(&mut world, &mut [gone.clone()]).unwrap_err();
    cast.remove(&mut world, gone).unwrap();
    assert_eq!(cast.parts(&actor).map(|part| part.entity).collect::<Vec<_>>(), [2, 2]);
    cast.remove_from(&mut world).unwrap();
    assert!(world.is_empty() && world.shapes().next().is_none());
}
