//! Bulk edits do the same as single edits one after the other; on an error they do nothing.

use hitmask::cpu::Broad;
use hitmask::geometry::Sampling;
use hitmask::{Ask, Bodies, Body, BodyId, Linear, Mask, Save, Shape, ShapeId, Touch, World, cpu};
use hitmask_workbench::workloads::SplitMix64;

use crate::bodies::{body, shapes};
use crate::edge;

/// Returns the side of a world in which a body hits a few others.
pub(crate) fn side(bodies: u32) -> u32 {
    100 + 60 * bodies.isqrt()
}

/// Returns a world of `bodies` bodies of all kinds, some of them removed, switched off or empty.
pub(crate) fn world(random: &mut SplitMix64, bodies: u32) -> (World, Vec<ShapeId>) {
    let side = side(bodies);
    let mut world = World::new(Touch::Excluded);
    let shapes = shapes(&mut world, random);
    for _ in 0..bodies {
        let body = body(random, &shapes, side);
        let body = if random.below(9) == 0 { body.posed(Linear::scaled(0.0)) } else { body };
        world.add(&body.enabled(random.below(9) > 0)).unwrap();
    }
    for index in 0..bodies {
        if random.below(9) == 0 {
            world.remove(world.id(index).unwrap()).unwrap();
        }
    }
    (world, shapes)
}

/// Returns all that can be read of a world's bodies.
pub(crate) fn told(world: &World) -> Vec<(BodyId, Body, Option<hitmask::geometry::Aabb>)> {
    world.ids().map(|id| (id, world.body(id).unwrap(), world.swept_bounds(id))).collect()
}

/// The new placement, pose and shape of a body.
struct Wanted {
    at: [f64; 2],
    linear: Linear,
    motion: [f64; 2],
    shape: ShapeId,
}

impl Wanted {
    fn of(&Body { at, linear, motion, shape, .. }: &Body) -> Self {
        Self { at: at.into(), linear, motion: motion.into(), shape }
    }
}

fn wanted(random: &mut SplitMix64, shapes: &[ShapeId], side: u32) -> Wanted {
    Wanted::of(&body(random, shapes, side))
}

#[derive(Clone, Copy, Debug)]
enum Edit {
    Positions,
    Moving,
    Poses,
    Linears,
    Shapes,
}

/// The edits of positions.
const EDITS: [Edit; 3] = [Edit::Positions, Edit::Moving, Edit::Poses];
const ALL: [Edit; 5] = [Edit::Positions, Edit::Moving, Edit::Poses, Edit::Linears, Edit::Shapes];

fn in_bulk(world: &mut World, bodies: Bodies<'_>, edit: Edit, wanted: &[Wanted]) -> hitmask::Result<()> {
    let at: Vec<_> = wanted.iter().map(|wanted| wanted.at).collect();
    let linear: Vec<_> = wanted.iter().map(|wanted| wanted.linear).collect();
    let motion: Vec<_> = wanted.iter().map(|wanted| wanted.motion).collect();
    let shapes: Vec<_> = wanted.iter().map(|wanted| wanted.shape).collect();
    match edit {
        Edit::Positions => world.set_positions(bodies, &at),
        Edit::Moving => world.set_moving(bodies, &at, &motion),
        Edit::Poses => world.set_poses(bodies, &at, &linear, &motion),
        Edit::Linears => world.set_linears(bodies, &linear),
        Edit::Shapes => world.set_shapes(bodies, &shapes),
    }
}

/// Returns a body after an edit.
fn edited(body: Body, edit: Edit, &Wanted { at, linear, motion, shape }: &Wanted) -> Body {
    let moved = Body { at: at.into(), ..body };
    match edit {
        Edit::Positions => moved,
        Edit::Moving => moved.moving(motion),
        Edit::Poses => moved.moving(motion).posed(linear),
        Edit::Linears => body.posed(linear),
        Edit::Shapes => Body { shape, ..body },
    }
}

fn one_by_one(world: &mut World, ids: &[Option<BodyId>], edit: Edit, wanted: &[Wanted]) {
    for (id, wanted) in ids.iter().zip(wanted) {
        let Some(id) = *id else { continue };
        let body = world.body(id).unwrap();
        world.set(id, &edited(body, edit, wanted)).unwrap();
    }
}

/// Bodies here have only similarities as poses, which shapes with a radius allow, so every edit is valid.
#[test]
fn many_at_once_is_one_after_the_other() {
    let mut random = SplitMix64(12);
    for (bodies, rounds) in [(1, 12), (70, 60), (700, 12), (9_000, 6)] {
        let (mut bulk, shapes) = world(&mut random, bodies);
        let mut single = bulk.clone();
        let mut engine = cpu::Engine::with(&cpu::Options::default().threads(1).broad(Broad::Sorted)).unwrap();
        for round in 0..rounds {
            let edit = ALL[random.below(5) as usize];
            let list: Vec<BodyId> = match random.below(3) {
                0 => bulk.ids().collect(),
                1 => bulk.ids().filter(|_| random.below(40) == 0).collect(),
                // In any order, with repetitions.
                _ => (0..bodies).filter_map(|_| bulk.id(random.below(bodies))).collect(),
            };
            let all = random.below(2) == 0;
            let ids: Vec<_> = if all {
                (0..bulk.indices() as u32).map(|index| bulk.id(index)).collect()
            } else {
                list.iter().copied().map(Some).collect()
            };
            let mut wanted: Vec<Wanted> = ids.iter().map(|_| wanted(&mut random, &shapes, side(bodies))).collect();
            for (id, wanted) in ids.iter().zip(&mut wanted) {
                match id {
                    None => wanted.at = [f64::NAN; 2],
                    // Some do not change.
                    Some(id) if random.below(3) == 0 => {
                        *wanted = Wanted::of(&bulk.body(*id).unwrap());
                    }
                    Some(_) => {}
                }
            }
            let of = if all { Bodies::All } else { Bodies::These(&list) };
            in_bulk(&mut bulk, of, edit, &wanted).unwrap_or_else(|error| panic!("{bodies}, {edit:?}: {error}"));
            one_by_one(&mut single, &ids, edit, &wanted);
            if random.below(4) == 0 {
                bulk.advance().unwrap();
                for id in single.ids().collect::<Vec<_>>() {
                    let end = single.body(id).unwrap();
                    let at = [end.at.x + end.motion.x, end.at.y + end.motion.y];
                    single.set(id, &Body { at: at.into(), ..end }).unwrap();
                }
            }
            assert_eq!(told(&bulk), told(&single), "{bodies} bodies, round {round}, {edit:?}");
            let expected = cpu::Engine::new().unwrap().run(&single.clone(), Ask::Pairs).unwrap();
            assert!(
                engine.run(&bulk, Ask::Pairs).unwrap() == expected,
                "{bodies} bodies, round {round}, {edit:?}: hits"
            );
        }
    }
}

#[test]
fn the_first_bad_one_is_named_and_nothing_changes() {
    let mut random = SplitMix64(3);
    let (mut world, shapes) = world(&mut random, 12_000);
    let before = told(&world);
    let ids: Vec<BodyId> = world.ids().collect();
    let (first, second) = (ids[4_000], ids[9_500]);
    for edit in EDITS {
        for all in [false, true] {
            let places = if all { world.indices() } else { ids.len() };
            let place = |id: BodyId| if all { id.index() as usize } else { ids.binary_search(&id).unwrap() };
            let mut wanted: Vec<Wanted> = (0..places).map(|_| wanted(&mut random, &shapes, side(12_000))).collect();
            wanted[place(first)].at = [5.0, 2_097_152.0];
            wanted[place(second)].at = [f64::NAN, 0.0];
            let of = if all { Bodies::All } else { Bodies::These(&ids) };
            let error = in_bulk(&mut world, of, edit, &wanted).unwrap_err().to_string();
            let list = if all { String::new() } else { "place 4000 of the list: ".into() };
            let value = "`at.y` is 2097152; it must lie within ±2097151.99609375 units";
            assert_eq!(error, format!("{list}body {}: {value}", first.index()), "{edit:?}");
            assert!(told(&world) == before, "{edit:?}");
        }
    }
}

#[test]
fn the_first_bad_shape_or_linear_part_is_named_and_nothing_changes() {
    let mut random = SplitMix64(4);
    let (mut world, shapes) = world(&mut random, 12_000);
    let gone = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    world.remove_shape(gone).unwrap();
    let before = told(&world);
    let ids: Vec<BodyId> = world.ids().collect();
    let (first, second) = (ids[4_000], ids[9_500]);
    for all in [false, true] {
        let places = if all { world.indices() } else { ids.len() };
        let place = |id: BodyId| if all { id.index() as usize } else { ids.binary_search(&id).unwrap() };
        let of = if all { Bodies::All } else { Bodies::These(&ids) };
        let list = if all { String::new() } else { "place 4000 of the list: ".into() };
        let mut linear = vec![Linear::from_degrees(30.0); places];
        linear[place(first)] = Linear::scaled(128.0);
        linear[place(second)] = Linear::scaled(f64::NAN);
        let error = world.set_linears(of, &linear).unwrap_err().to_string();
        let named = format!("{list}body {}: `linear` is [", first.index());
        assert!(error.starts_with(&named) && error.contains("128"), "{error}");
        assert!(told(&world) == before, "linear parts, all: {all}");
        let mut wanted: Vec<ShapeId> = (0..places).map(|place| shapes[place % shapes.len()]).collect();
        (wanted[place(first)], wanted[place(second)]) = (gone, gone);
        let error = world.set_shapes(of, &wanted).unwrap_err().to_string();
        let shape = format!("shape {} was removed, or belongs to another world", gone.index());
        assert_eq!(error, format!("{list}body {}: {shape}", first.index()));
        assert!(told(&world) == before, "shapes, all: {all}");
    }
}

/// A shape counts the bodies that bulk edits give it, also if a list has a body twice.
#[test]
fn shapes_count_the_bodies_that_are_given_them() {
    let mut world = World::default();
    let circle = |radius: f64| Shape::circle(radius).unwrap();
    let [a, b] = [1.0, 2.0].map(|radius| world.add_shape(circle(radius)).unwrap());
    let ids = world.add_all(&[Body::new(a, [0, 0]), Body::new(a, [9, 0])]).unwrap();
    world.set_shapes(Bodies::These(&[ids[0], ids[1], ids[0]]), &[b, b, a]).unwrap();
    assert_eq!([ids[0], ids[1]].map(|id| world.body(id).unwrap().shape), [a, b]);
    for shape in [a, b] {
        assert!(world.remove_shape(shape).unwrap_err().to_string().contains("used by 1 bodies"));
    }
    world.set_shapes(Bodies::All, &[b, b]).unwrap();
    assert!(world.remove_shape(b).unwrap_err().to_string().contains("used by 2 bodies"));
    world.remove_shape(a).unwrap();
    world.replace_shape(b, circle(3.0)).unwrap();
    assert_eq!([ids[0], ids[1]].map(|id| world.bounds(id).unwrap().max.units()), [[3.0, 3.0], [12.0, 3.0]]);
}

/// The world's limit applies to bodies, not only to their positions. Motions count, and have a limit of their own.
#[test]
fn all_of_a_body_stays_in_the_world() {
    let mut world = World::default();
    let tile = world.add_shape(hitmask::Shape::rect(10.0, 10.0).unwrap()).unwrap();
    let id = world.add(&Body::new(tile, [0, 0])).unwrap();
    let message = |done: hitmask::Result<()>| done.unwrap_err().to_string();
    let edge = 2_097_150.0;
    assert!(message(world.set_positions(Bodies::All, &[[edge, 0.0]])).contains("keep the whole body"));
    assert!(message(world.set_moving(Bodies::All, &[[0, 0]], &[[65_537, 0]])).contains("`motion.x` is 65537"));
    assert!(message(world.set_moving(Bodies::All, &[[edge - 20.0, 0.0]], &[[30, 0]])).contains("keep the whole body"));
    assert!(message(world.set_poses(Bodies::All, &[[0, 0]], &[Linear::scaled(128.0)], &[[0, 0]])).contains("±127"));
    world.set_moving(Bodies::All, &[[edge - 50.0, 0.0]], &[[20, 0]]).unwrap();
    world.advance().unwrap();
    assert!(message(world.advance()).contains("keep the whole body"));
    assert_eq!(world.body(id).unwrap().at.x, edge - 30.0);
}

/// At the world's edge, a bulk edit accepts and refuses bodies as a single edit does, with the same message, also if
/// they are beside their position or empty.
#[test]
fn at_the_edge_many_are_taken_or_refused_as_one_is() {
    let mut random = SplitMix64(7);
    for (bodies, rounds) in [(3, 4_000), (300, 800), (9_000, 40)] {
        let mut bulk = World::default();
        let shapes = edge::shapes(&mut bulk);
        while bulk.len() < bodies {
            let _ = bulk.add(&edge::body(&mut random, &shapes));
        }
        bulk.remove(bulk.id(1).unwrap()).unwrap();
        let ids: Vec<BodyId> = bulk.ids().collect();
        let [mut taken, mut refused] = [0; 2];
        for round in 0..rounds {
            // Most do not change; otherwise one would always be beyond the edge.
            let mut wanted: Vec<Body> = ids.iter().map(|&id| bulk.body(id).unwrap()).collect();
            for _ in 0..random.below(4) {
                let wanted = &mut wanted[random.below(ids.len() as u32) as usize];
                let Body { at, linear, motion, .. } = edge::body(&mut random, &shapes);
                *wanted = Body { at, linear, motion, ..*wanted };
            }
            let edit = EDITS[random.below(3) as usize];
            let all = random.below(2) == 0;
            let what = format!("{bodies} bodies, round {round}, {edit:?}");
            let mut single = bulk.clone();
            let singly = ids.iter().zip(&wanted).enumerate().map(|(place, (&id, wanted))| {
                let before = single.body(id).unwrap();
                let list = if all { String::new() } else { format!("place {place} of the list: ") };
                single.set(id, &edited(before, edit, &Wanted::of(wanted))).map_err(|error| format!("{list}{error}"))
            });
            let expected: Result<Vec<()>, String> = singly.collect();
            let (of, places) = if all {
                (Bodies::All, (0..bulk.indices() as u32).map(|index| bulk.id(index)).collect())
            } else {
                (Bodies::These(&ids), ids.iter().copied().map(Some).collect::<Vec<_>>())
            };
            let mut wanted = wanted.iter();
            let listed = places.into_iter().map(|id| match id.and_then(|_| wanted.next()) {
                Some(wanted) => Wanted::of(wanted),
                None => Wanted { at: [f64::NAN; 2], linear: Linear::IDENTITY, motion: [0.0; 2], shape: shapes[0] },
            });
            let (before, listed) = (told(&bulk), listed.collect::<Vec<_>>());
            let done = in_bulk(&mut bulk, of, edit, &listed).map_err(|error| error.to_string());
            assert_eq!(done, expected.map(drop), "{what}");
            assert!(told(&bulk) == if done.is_ok() { told(&single) } else { before }, "{what}");
            if done.is_ok() { taken += 1 } else { refused += 1 }
        }
        assert!(taken > rounds / 5 && refused > rounds / 5, "{bodies} bodies: {taken} taken, {refused} refused");
    }
}

/// At the world's edge, a body that is given another shape or linear part in bulk is taken or refused as by a single
/// edit, with the same message.
#[test]
fn at_the_edge_shapes_and_linear_parts_are_taken_or_refused_as_one_is() {
    let mut random = SplitMix64(9);
    let mut bulk = World::default();
    let shapes = edge::shapes(&mut bulk);
    while bulk.len() < 30 {
        let _ = bulk.add(&edge::body(&mut random, &shapes));
    }
    bulk.remove(bulk.id(1).unwrap()).unwrap();
    let ids: Vec<BodyId> = bulk.ids().collect();
    let [mut taken, mut refused] = [0; 2];
    for round in 0..2_000 {
        let edit = [Edit::Linears, Edit::Shapes][random.below(2) as usize];
        let (place, new) = (random.below(ids.len() as u32) as usize, edge::body(&mut random, &shapes));
        let (id, all) = (ids[place], random.below(2) == 0);
        let mut single = bulk.clone();
        let body = edited(single.body(id).unwrap(), edit, &Wanted::of(&new));
        let list = if all { String::new() } else { format!("place {place} of the list: ") };
        let expected = single.set(id, &body).map_err(|error| format!("{list}{error}"));
        let of = if all { Bodies::All } else { Bodies::These(&ids) };
        let listed: Vec<Option<BodyId>> = if all {
            (0..bulk.indices() as u32).map(|index| bulk.id(index)).collect()
        } else {
            ids.iter().copied().map(Some).collect()
        };
        let wanted = listed.into_iter().map(|here| match here {
            Some(here) if here != id => Wanted::of(&bulk.body(here).unwrap()),
            _ => Wanted::of(&new),
        });
        let (before, wanted) = (told(&bulk), wanted.collect::<Vec<_>>());
        let done = in_bulk(&mut bulk, of, edit, &wanted).map_err(|error| error.to_string());
        assert_eq!(done, expected, "round {round}, {edit:?}");
        assert!(told(&bulk) == if done.is_ok() { told(&single) } else { before }, "round {round}, {edit:?}");
        if done.is_ok() { taken += 1 } else { refused += 1 }
    }
    assert!(taken > 40 && refused > 40, "{taken} taken, {refused} refused");
}

/// A world at whose edge all bodies advance except those that would leave it; the error names the first. Each of these
/// can stop where its motion ended, and then none blocks the others.
#[test]
fn at_the_edge_a_world_goes_on() {
    let mut random = SplitMix64(8);
    for (bodies, rounds) in [(3, 2_000), (300, 60), (9_000, 4)] {
        let mut named = 0;
        for round in 0..rounds {
            let mut world = World::default();
            let shapes = edge::shapes(&mut world);
            while world.len() < bodies {
                let _ = world.add(&edge::body(&mut random, &shapes));
            }
            let (mut single, mut stopped) = (world.clone(), Vec::new());
            for id in world.ids() {
                let body = single.body(id).unwrap();
                let next = Body { at: body.at + body.motion, ..body };
                if let Err(error) = single.set(id, &next) {
                    stopped.push((id, next.moving([0, 0]), error.to_string()));
                }
            }
            let first = stopped.first().map(|(_, _, error)| error);
            assert_eq!(world.clone().advance().err().map(|error| error.to_string()).as_ref(), first, "round {round}");
            named += usize::from(first.is_some());
            for (id, body, _) in &stopped {
                single.set(*id, body).unwrap();
                world.set(*id, body).unwrap();
            }
            world.advance().unwrap();
            assert!(told(&world) == told(&single), "{bodies} bodies, round {round}");
        }
        assert!(named > rounds / 20, "{bodies} bodies: {named} rounds with one that leaves");
    }
}

/// A box that is switched off can be at the very edge, where a sprite would paint pixels beyond it. Values for a free
/// index are ignored. Neither stops the bodies behind it.
#[test]
fn what_is_switched_off_is_bounded_as_what_it_is() {
    let least = -2_097_151.996_093_75;
    for motion in [[0, 0], [1, 0]] {
        let mut world = World::default();
        let tile = world.add_shape(hitmask::Shape::rect(10.0, 10.0).unwrap()).unwrap();
        let ids = [[0, 0], motion].map(|motion| world.add(&Body::new(tile, [0, 0]).moving(motion)).unwrap());
        let behind: Vec<BodyId> = (0..100).map(|_| world.add(&Body::new(tile, [0, 0])).unwrap()).collect();
        let [off, free] = ids;
        world.set_enabled(off, false).unwrap();
        world.remove(free).unwrap();
        let mut at = vec![[5.0, 0.0]; world.indices()];
        (at[0], at[1]) = ([least, 0.0], [f64::NAN, 0.0]);
        world.set_positions(Bodies::All, &at).unwrap();
        assert!(behind.iter().all(|&id| world.swept_bounds(id).unwrap().min.units() == [5.0, 0.0]));
        let beyond = world.set_positions(Bodies::These(&[off]), &[[least - 0.01, 0.0]]).unwrap_err().to_string();
        assert!(beyond.starts_with("place 0 of the list: "), "{beyond}");
        world.set_enabled(off, true).unwrap();
        assert_eq!(world.swept_bounds(off).unwrap().min.units(), [least, 0.0]);
    }
}

#[test]
fn lists_are_as_long_as_there_are_bodies_and_name_those_that_are_there() {
    let mut random = SplitMix64(5);
    let (mut world, shapes) = world(&mut random, 20);
    let ids: Vec<BodyId> = world.ids().collect();
    let error = world.set_positions(Bodies::All, &[[0.0; 2]; 3]).unwrap_err().to_string();
    assert_eq!(error, "`at` is a list of 3; it must have one element for each index: 20");
    let error = world.set_moving(Bodies::These(&ids[..2]), &[[0; 2]; 2], &[[0; 2]; 1]).unwrap_err().to_string();
    assert!(error.starts_with("`motion` is a list of 1;"), "{error}");
    let error = world.set_linears(Bodies::These(&ids[..2]), &[Linear::IDENTITY; 3]).unwrap_err().to_string();
    assert_eq!(error, "`linear` is a list of 3; it must have one element for each body of the list: 2");
    let error = world.set_shapes(Bodies::All, &shapes[..1]).unwrap_err().to_string();
    assert_eq!(error, "`shape` is a list of 1; it must have one element for each index: 20");
    world.remove(ids[1]).unwrap();
    for edit in ALL {
        let stay = || Wanted { at: [0.0; 2], linear: Linear::IDENTITY, motion: [0.0; 2], shape: shapes[0] };
        let error = in_bulk(&mut world, Bodies::These(&ids[..2]), edit, &[stay(), stay()]).unwrap_err().to_string();
        let gone = format!("place 1 of the list: body {} was removed, or belongs to another world", ids[1].index());
        assert_eq!(error, gone, "{edit:?}");
    }
    // The error names the first invalid place, whatever is wrong there.
    let error = world.set_positions(Bodies::These(&ids[..2]), &[[1e9, 0.0], [0.0; 2]]).unwrap_err().to_string();
    assert!(error.starts_with("place 0 of the list: "), "{error}");
    world.set_positions::<[f32; 2]>(Bodies::These(&[]), &[]).unwrap();
    World::default().set_positions::<[f32; 2]>(Bodies::All, &[]).unwrap();
}

/// Returns what can be read of how sprites are posed.
fn shown(world: &World) -> Vec<Option<Sampling>> {
    world.ids().map(|id| world.sampling(id)).collect()
}

/// Returns a linear part at a limit or beyond it.
fn at_a_limit(random: &mut SplitMix64) -> Linear {
    let mut entries = [[1.0, 0.0], [0.0, 1.0]];
    match random.below(8) {
        // Each entry alone is too large, or at its limit.
        0 => {
            entries[random.below(2) as usize][random.below(2) as usize] =
                [127.0, 127.5, -127.5][random.below(3) as usize];
        }
        1 => entries[random.below(2) as usize][random.below(2) as usize] = f64::NAN,
        2 => entries = [[127.0, 127.0], [-127.0, 127.0]],
        3 => entries = [[127.0, -127.0], [-125.0, 127.0]],
        4 => entries = [[-127.0, -127.0], [1.0, -1.0]],
        5 => entries = [[1.0, -1.0], [127.0, 127.0]],
        6 => return Linear::scaled(127.0),
        _ => return Linear::scaled(128.0),
    }
    entries.into()
}

/// Returns a linear part for any shape: often one that is nearly that of another kind of pose.
fn similarity(random: &mut SplitMix64) -> Linear {
    match random.below(10) {
        0 => Linear::IDENTITY,
        1 => Linear { x: [2.0, -0.0], y: [-0.0, 2.0] },
        // Its inverse is snapped to that of the identity.
        2 => Linear::scaled(1.0 + 1e-9),
        3 => Linear::scaled(1.0 + 1e-4),
        // The smallest sprites; smaller ones are empty.
        4 => Linear::scaled(1.0 / 64.0),
        5 => Linear::scaled(1.0 / 64.000_1),
        6 => Linear::scaled(0.0),
        7 => Linear { x: [1.0, 2.0], y: [2.0, 4.0] },
        _ => Linear::from_degrees(f64::from(random.below(360))),
    }
}

/// Sprites are turned 64 at a time. Each is posed or refused as by a single edit, at the limits of linear parts, of
/// inverses and of extents too.
#[test]
fn sprites_turned_together_are_turned_as_one_is() {
    let (mut random, far) = (SplitMix64(21), 16_384.0);
    let [mut taken, mut refused] = [0; 2];
    let sprite = |rows: &[&str], anchor: [f64; 2]| Shape::sprite(Mask::from_rows(rows).unwrap()).anchored(anchor);
    let wide = Mask::from_fn(8192, 1, |x, _| x % 8191 == 0).unwrap();
    let shapes = [
        sprite(&["##.", "..#"], [1.25, 0.5]),
        sprite(&["#..#"], [0.0, 0.0]),
        sprite(&["##", "##"], [far, far]),
        sprite(&["##", "##"], [-far, 3.0]),
        sprite(&["##", "##"], [3.0, -far]),
        sprite(&["...."], [0.0, 0.0]),
        Shape::sprite(wide.clone()).anchored([-far, -far]),
        Shape::sprite(wide).anchored([far, far]),
        Shape::rect(4.0, 2.0),
    ];
    let mut empty = World::default();
    let shapes = shapes.map(|shape| empty.add_shape(shape.unwrap()).unwrap());
    let new = |random: &mut SplitMix64, linear: Linear| {
        let mut near = || f64::from(random.below(1 << 16)) / 256.0 - 128.0;
        let (at, motion) = ([near(), near()], [near(), 0.0]);
        let shape = shapes[random.below(shapes.len() as u32) as usize];
        Wanted { at, linear, motion: if random.below(2) == 0 { motion } else { [0.0; 2] }, shape }
    };
    let mut bulk = empty.clone();
    for round in 0..600 {
        // So many are listed.
        let bodies = if round < 300 { 65 } else { 130 };
        if round % 300 == 0 {
            bulk = empty.clone();
            for _ in 0..=bodies {
                let Wanted { at, shape, .. } = new(&mut random, Linear::IDENTITY);
                bulk.add(&Body::new(shape, at)).unwrap();
            }
            bulk.remove(bulk.id(57).unwrap()).unwrap();
        }
        let edit = [Edit::Poses, Edit::Linears, Edit::Shapes][random.below(3) as usize];
        let ids: Vec<BodyId> = bulk.ids().collect();
        let wanted: Vec<Wanted> = ids
            .iter()
            .map(|&id| {
                let is_extreme = random.below(150) == 0;
                let linear = if is_extreme { at_a_limit(&mut random) } else { similarity(&mut random) };
                let new = new(&mut random, linear);
                if random.below(4) == 0 { Wanted::of(&bulk.body(id).unwrap()) } else { new }
            })
            .collect();
        let mut single = bulk.clone();
        let singly = ids.iter().zip(&wanted).enumerate().map(|(place, (&id, wanted))| {
            let body = edited(single.body(id).unwrap(), edit, wanted);
            single.set(id, &body).map_err(|error| format!("place {place} of the list: {error}"))
        });
        let expected: Result<Vec<()>, String> = singly.collect();
        let before = bulk.clone();
        let done = in_bulk(&mut bulk, Bodies::These(&ids), edit, &wanted).map_err(|error| error.to_string());
        let what = format!("round {round}, {edit:?}");
        assert_eq!(done, expected.map(drop), "{what}");
        let expected = if done.is_ok() { &single } else { &before };
        assert_eq!(told(&bulk), told(expected), "{what}");
        assert_eq!(shown(&bulk), shown(expected), "{what}");
        assert!(bulk.save(Save::State).unwrap() == expected.save(Save::State).unwrap(), "{what}");
        if done.is_ok() { taken += 1 } else { refused += 1 }
    }
    assert!(taken > 100 && refused > 100, "{taken} taken, {refused} refused");
}

/// A sprite whose texels land so far away that its bounds, with its motion, would not fit their integers.
#[test]
fn the_largest_extents_are_refused_on_each_side() {
    let mut mask = Mask::new(8192, 8192).unwrap();
    mask.set(0, 8191, true).unwrap();
    mask.set(8191, 0, true).unwrap();
    let mut world = World::default();
    let shape = Shape::sprite(mask).anchored([-16_384.0; 2]).unwrap();
    let shape = world.add_shape(shape).unwrap();
    let ids: Vec<BodyId> = (0..65).map(|_| world.add(&Body::new(shape, [0, 0])).unwrap()).collect();
    let mut other = world.clone();
    for sense in [1.0, -1.0] {
        let ahead = [127.0 * sense; 2];
        for (axis, rows) in [[ahead, [1.0, -1.0]], [[1.0, -1.0], ahead]].into_iter().enumerate() {
            let [mut at, mut motion] = [[0.0; 2]; 2];
            (at[axis], motion[axis]) = (2_097_151.0 * sense, 65_536.0 * sense);
            let body = Body::new(shape, at).moving(motion).posed(Linear::from(rows));
            let error = other.set(ids[64], &body).unwrap_err().to_string();
            assert!(error.contains("keep the whole body"), "{error}");
            let mut all = [[[0.0; 2]; 65]; 2];
            (all[0][64], all[1][64]) = (at, motion);
            let mut linear = [Linear::IDENTITY; 65];
            linear[64] = rows.into();
            let done = world.set_poses(Bodies::All, &all[0], &linear, &all[1]);
            assert_eq!(done.unwrap_err().to_string(), error);
        }
    }
}
