//! Saved worlds, their checksums, and the handles that follow from a world's history.

mod differences;
mod events;
mod format;
mod scenes;

use hitmask::debug::{Draw, Lines};
use hitmask::geometry::MAX_COORDINATE;
use hitmask::internals::seal;
use hitmask::query::Queries;
use hitmask::response::Events;
use hitmask::{Ask, Bodies, Body, BodyId, Engine, Error, Linear, Mask, Part, Save, Shape, ShapeId, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

/// The saved worlds of each version, which every later version must load and write again.
const VERSIONS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/saved/version-1.world"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/saved/version-2.world"),
];

/// Returns one shape of each kind.
fn shapes() -> Vec<Shape> {
    let outline = [[0, 0], [9, 0], [9, 9], [0, 9]];
    let hole = [[2, 2], [7, 2], [7, 7], [2, 7]];
    let chevron = [[0.0, 0.0], [4.0, 4.0], [8.0, 0.0], [4.0, 9.0]];
    let wide = Mask::from_fn(70, 3, |x, y| (x + y) % 3 == 0).unwrap();
    let shapes = [
        Shape::rect(4.0, 2.0),
        Shape::circle(1.5),
        Shape::capsule([3, 1], [0, 0], 0.5),
        Shape::polygon(&chevron),
        Shape::polygon_with_holes(&outline, &[hole]),
        Shape::rounded_polygon(&[[0, 0], [5, 0], [1, 4]], 1.0),
        Shape::sprite(Mask::from_rows(&["#.#", ".#."]).unwrap()).anchored([1, 1]),
        Ok(Shape::sprite(wide)),
    ];
    shapes.into_iter().map(Result::unwrap).collect()
}

/// As [`world`], with a detector of several parts: round, concave and with a hole.
fn world_of_parts(touch: Touch) -> World {
    let mut world = world(touch);
    let parts = [shapes()[2].clone(), shapes()[3].clone(), shapes()[4].clone()].map(|shape| Part::new(shape, [5, 1]));
    let parts = world.add_shape(Shape::parts(&parts).unwrap()).unwrap();
    world.add(&Body::new(parts, [3, 3]).detector(true)).unwrap();
    world
}

/// Returns a world with all kinds of shapes and bodies, some of them removed.
fn world(touch: Touch) -> World {
    let mut world = World::new(touch);
    let shapes = world.add_shapes(shapes()).unwrap();
    let gone = world.add_shape(Shape::circle(9.0).unwrap()).unwrap();
    let last = world.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    let linears = [
        Linear::IDENTITY,
        Linear::from_degrees(30.0),
        Linear { x: [2.0, 0.0], y: [0.0, -2.0] },
        Linear { x: [2.0, 0.0], y: [0.0, 0.5] },
        Linear { x: [0.0, 1.0], y: [1.0, 0.0] },
        Linear::scaled(0.0),
    ];
    let mut ids = Vec::new();
    for k in 0..40_i32 {
        let shape = shapes[k as usize % 10 % shapes.len()];
        let mut linear = linears[(k / 8) as usize % linears.len()];
        if matches!(k % 10, 1 | 2 | 5 | 9) {
            linear = Linear::new(f64::from(k), [1.5; 2], hitmask::geometry::Flip { x: k % 2 > 0, y: false });
        } else if k % 8 == 7 {
            linear = Linear { x: [1.0, 0.25], y: [0.5, 1.5] };
        }
        let body = Body::new(shape, [f64::from(k) * 3.7, f64::from(k % 5) * 2.1]).posed(linear);
        let body =
            body.moving([k % 3, 0]).filtered(1 << (k % 3), u32::MAX - 8).grouped((k % 4) as u32).tagged(k as u64);
        ids.push(world.add(&body.enabled(k % 7 > 0)).unwrap());
    }
    world.add(&Body::new(last, [0, 0])).unwrap();
    world.remove_shape(gone).unwrap();
    for &id in ids.iter().step_by(6) {
        world.remove(id).unwrap();
    }
    world.add(&Body::new(last, [5, 5])).unwrap();
    world
}

/// Asserts that two worlds are equal, give the same answers and the same handles from now on.
fn assert_alike(a: &World, b: &World) {
    a.validate();
    b.validate();
    assert_eq!((a, a.checksum(), a.indices()), (b, b.checksum(), b.indices()));
    assert!(a.ids().eq(b.ids()) && a.ids().all(|id| a.body(id) == b.body(id)));
    let run = |world: &World| Engine::cpu().unwrap().run(world, Ask::Details).unwrap();
    assert_eq!(run(a), run(b));
    assert!(!run(a).pairs.is_empty());
    let grown = [a, b].map(|world| {
        let mut world = world.clone();
        let shape = world.add_shape(Shape::circle(7.0).unwrap()).unwrap();
        (shape, [1, 2].map(|x| world.add(&Body::new(shape, [x, 0])).unwrap()))
    });
    assert_eq!(grown[0], grown[1], "later handles");
}

#[test]
fn a_loaded_world_is_the_saved_one() {
    for touch in [Touch::Excluded, Touch::Included] {
        for world in [world(touch), world_of_parts(touch)] {
            loads_as_it_was(&world);
        }
    }
}

/// Asserts that a world is saved and loaded unchanged.
fn loads_as_it_was(world: &World) {
    let whole = world.save(Save::Whole).unwrap();
    let loaded = World::load(&whole).unwrap();
    assert_alike(world, &loaded);
    assert_eq!(loaded.save(Save::Whole).unwrap(), whole);
    let state = world.save(Save::State).unwrap();
    for file in [&whole, &state] {
        let mut other = loaded.clone();
        other.clear();
        other.load_into(file).unwrap();
        assert_alike(world, &other);
    }
    let mut other = World::default();
    other.load_into(&whole).unwrap();
    assert_alike(world, &other);
    other = World::default();
    other.clone_from(world);
    assert_alike(world, &other);
}

/// The file has the same bytes on every machine, so this also compares machines.
#[test]
fn a_file_of_each_version_loads_for_ever() {
    let worlds = [
        (world(Touch::Included), [0x833d_c16d_5e9c_25f6, 0xcd89_eb4f_8168_1fe6]),
        (world_of_parts(Touch::Included), [0xe4cd_1a92_39e7_4240, 0x4953_06d7_7567_d26e]),
    ];
    for ((world, expected), path) in worlds.into_iter().zip(VERSIONS) {
        let file = world.save(Save::Whole).unwrap();
        if std::env::var_os("HITMASK_BLESS").is_some() {
            std::fs::write(path, &file).unwrap();
        }
        let saved = std::fs::read(path).unwrap();
        assert_alike(&world, &World::load(&saved).unwrap());
        assert!(file == saved, "{path}");
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        assert_eq!([world.checksum(), hits.checksum()], expected, "the same on every machine");
    }
}

/// A detector makes a file of version 2, until it is none or is gone. A file without one is of version 1.
#[test]
fn only_detectors_need_version_2() {
    let mut world = world(Touch::Excluded);
    let (clean, id) = (world.clone(), world.ids().nth(3).unwrap());
    let files = |world: &World| [Save::Whole, Save::State].map(|save| world.save(save).unwrap());
    let version = |file: &[u8]| file[8];
    let before = files(&world);
    world.set_detector(id, true).unwrap();
    let after = files(&world);
    assert_eq!([&before, &after].map(|files| files.each_ref().map(|file| version(file))), [[1; 2], [2; 2]]);
    for (before, after) in before.iter().zip(&after) {
        assert_eq!(after.len(), before.len() + 1 + world.indices().div_ceil(8), "a bit a body, and a flag");
        let mut other = clean.clone();
        other.load_into(after).unwrap();
        other.validate();
        assert!(other == world && other.body(id).unwrap().detector);
        other.load_into(before).unwrap();
        other.validate();
        assert!(other == clean && files(&other) == files(&clean));
    }
    let mut gone = world.clone();
    gone.set_detector(id, false).unwrap();
    assert!(gone == clean && files(&gone) == before);
    world.remove(id).unwrap();
    assert_eq!(files(&world).map(|file| version(&file)), [1; 2]);
}

/// Flips each bit of small files. Without a new digest that is an error; with one, an error or a valid world.
#[test]
fn a_flipped_bit_is_an_error_or_another_valid_world() {
    let world = world_of_parts(Touch::Excluded);
    let (mut valid, mut refused) = (0, 0);
    for save in [Save::Whole, Save::State] {
        let file = world.save(save).unwrap();
        for bit in 0..8 * file.len() {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            let mut other = world.clone();
            assert!(other.load_into(&flipped).is_err(), "bit {bit}");
            seal(&mut flipped);
            // Into a world whose shapes have the digest in the header, the shapes are not loaded.
            match World::load(&flipped) {
                Ok(loaded) => loaded.validate(),
                Err(error) => assert!(matches!(error, Error::Saved { .. }), "bit {bit}: {error}"),
            }
            match other.load_into(&flipped) {
                Ok(()) => {
                    other.validate();
                    valid += 1;
                }
                Err(error) => {
                    assert!(matches!(error, Error::Saved { .. }), "{error}");
                    assert!(other == world, "bit {bit}: {error}");
                    refused += 1;
                }
            }
        }
        for length in 0..file.len() {
            let mut short = file[..length].to_vec();
            assert!(World::load(&short).is_err(), "{length} bytes");
            if length >= 48 {
                seal(&mut short);
                assert!(world.clone().load_into(&short).is_err(), "{length} bytes");
            }
        }
    }
    assert!(valid > 1000 && refused > 1000, "{valid} valid, {refused} refused");
}

#[test]
fn what_is_wrong_with_a_file_is_told() {
    let world = world(Touch::Excluded);
    let told = |file: &[u8]| World::load(file).unwrap_err().to_string();
    assert_eq!(told(b"PNG"), "saved file: it does not begin as a file that hitmask saved");
    let file = world.save(Save::Whole).unwrap();
    let changed = |at: usize, to: u8| {
        let mut changed = file.clone();
        changed[at] = to;
        seal(&mut changed);
        told(&changed)
    };
    for version in [0, 3, 255] {
        let problem = format!("saved file: it is of version {version}; this hitmask reads up to version 2");
        assert_eq!(changed(8, version), problem);
    }
    // Without the column of detectors, the next one is misread.
    assert!(changed(8, 2).starts_with("saved file: "), "{}", changed(8, 2));
    assert_eq!(changed(12, 9), "saved file: its content is of an unknown kind, 9");
    assert_eq!(changed(44, 7), "saved file: its touch rule is 7, neither 0 nor 1");
    // A concave part with a radius, which would land with a bound too small: the tag, then the radius, stand before the
    // rings.
    let mut parts = World::default();
    let chevron = Part::new(shapes()[3].clone(), [0, 0]).tagged(0x0107_0107);
    parts.add_shape(Shape::parts(&[chevron]).unwrap()).unwrap();
    let bytes = parts.save(Save::Whole).unwrap();
    let tag = bytes.windows(4).position(|bytes| bytes == 0x0107_0107_u32.to_le_bytes()).unwrap();
    for radius in [-5_i32, i32::MIN, 5, i32::MAX] {
        let mut bytes = bytes.clone();
        bytes[tag - 4..tag].copy_from_slice(&radius.to_le_bytes());
        seal(&mut bytes);
        assert!(told(&bytes).starts_with("saved file: shape 0: part 0: "), "{}", told(&bytes));
    }
    assert_eq!(told(&file[..60]), format!("saved file: it has 60 bytes; its header says {}", file.len()));
    let mut longer = file.clone();
    longer.push(0);
    seal(&mut longer);
    assert!(told(&longer).contains("1 bytes are too many"), "{}", told(&longer));

    let mut other = World::default();
    let state = world.save(Save::State).unwrap();
    let error = other.load_into(&state).unwrap_err().to_string();
    assert_eq!(error, "saved file: it is a state of a world with other shapes than this one");
    // Positions outside the world, and at its end, where the body reaches beyond it.
    let mut far = world.clone();
    let positions = 48 + 8 + 8 * world.indices();
    for x in [i32::MAX, MAX_COORDINATE] {
        let mut bytes = state.clone();
        bytes[positions + 8..positions + 12].copy_from_slice(&x.to_le_bytes());
        seal(&mut bytes);
        let error = far.load_into(&bytes).unwrap_err().to_string();
        assert!(error.starts_with("saved file: body 1: `at`"), "{error}");
    }
    assert!(far == world);
}

/// Sizes that the docs promise: at most 55 bytes a body if few filters differ and no linear part is sheared, else 86.
#[test]
fn a_state_is_refused_once_shapes_have_changed() {
    let mut world = World::default();
    let mask = world.add_shape(Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap())).unwrap();
    let unused = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    world.add(&Body::new(mask, [0, 0])).unwrap();
    let (state, whole) = (world.save(Save::State).unwrap(), world.save(Save::Whole).unwrap());
    let edits: [fn(&mut World, [ShapeId; 2]); 3] = [
        |world, _| world.add_shape(Shape::circle(2.0).unwrap()).map(|_| ()).unwrap(),
        |world, [_, unused]| drop(world.remove_shape(unused).unwrap()),
        |world, [mask, _]| world.edit_mask(mask, |mask| mask.set(0, 0, false)).unwrap().unwrap(),
    ];
    for edit in edits {
        let mut later = world.clone();
        edit(&mut later, [mask, unused]);
        let before = later.clone();
        assert!(matches!(later.load_into(&state), Err(Error::Saved { .. })));
        assert!(later == before);
        later.load_into(&whole).unwrap();
        assert!(later == world);
    }
}

#[test]
fn states_are_small() {
    let mut random = SplitMix64(7);
    let mut world = World::default();
    let shapes: Vec<ShapeId> = (1..300).map(|k| world.add_shape(Shape::circle(k.into()).unwrap()).unwrap()).collect();
    let body = |random: &mut SplitMix64, layers: u32, linear: Linear| {
        let at = [0, 1].map(|_| f64::from(random.below(100_000)) / 16.0);
        let shape = shapes[random.below(299) as usize];
        Body::new(shape, at).moving([1, 2]).posed(linear).filtered(layers, u32::MAX).tagged(random.next_u64())
    };
    let size = |world: &World| world.save(Save::State).unwrap().len() as f64 / world.len() as f64;
    for _ in 0..1000 {
        let linear = Linear::new(f64::from(random.below(3600)) / 10.0, [1.5; 2], hitmask::geometry::Flip::default());
        let (layers, enabled) = (1 + random.below(256), random.below(2) == 0);
        let body = body(&mut random, layers, linear);
        world.add(&body.enabled(enabled)).unwrap();
    }
    assert!((54.0..55.5).contains(&size(&world)), "{} bytes", size(&world));
    let plain = world.ids().collect::<Vec<_>>();
    world.remove_all(&plain).unwrap();
    let boxed = world.add_shape(Shape::rect(1.0, 1.0).unwrap()).unwrap();
    for _ in 0..1000 {
        let mut linear = Linear::scaled(1.0 + f64::from(random.below(1000)));
        linear = Linear { x: linear.x.map(|v| v / 100.0), y: [0.1, 2.0] };
        let layers = random.next_u64() as u32 | 1;
        let mut any = body(&mut random, layers, linear);
        any.shape = boxed;
        world.add(&any.grouped(layers)).unwrap();
    }
    assert!((70.0..86.5).contains(&size(&world)), "{} bytes", size(&world));
}

/// Each part of the content counts, and only the content: the way to it does not.
#[test]
fn a_checksum_is_of_the_content() {
    type Edit = fn(&mut World, BodyId, ShapeId);
    let edits: [(&str, Edit); 13] = [
        ("position", |world, id, _| world.set_positions(Bodies::These(&[id]), &[[1, 1]]).unwrap()),
        ("motion", |world, id, _| world.set_moving(Bodies::These(&[id]), &[[0, 0]], &[[1, 1]]).unwrap()),
        ("linear", |world, id, _| world.set_linears(Bodies::These(&[id]), &[Linear::scaled(2.0)]).unwrap()),
        ("shape", |world, id, shape| world.set_shape(id, shape).unwrap()),
        ("layers", |world, id, _| world.set_filter(id, 2, u32::MAX, 0).unwrap()),
        ("mask", |world, id, _| world.set_filter(id, 1, 7, 0).unwrap()),
        ("group", |world, id, _| world.set_filter(id, 1, u32::MAX, 3).unwrap()),
        ("enabled", |world, id, _| world.set_enabled(id, false).unwrap()),
        ("detector", |world, id, _| world.set_detector(id, true).unwrap()),
        ("tag", |world, id, _| {
            let body = world.body(id).unwrap().tagged(9);
            world.set(id, &body).unwrap();
        }),
        ("removal", |world, id, _| _ = world.remove(id).unwrap()),
        ("mask", |world, _, shape| world.edit_mask(shape, |mask| mask.set(1, 1, false).unwrap()).unwrap()),
        ("shape", |world, _, shape| world.replace_shape(shape, Shape::circle(3.0).unwrap()).unwrap()),
    ];
    let mut world = World::default();
    let dot = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let sprite = world.add_shape(Shape::sprite(Mask::from_rows(&["##", "##"]).unwrap())).unwrap();
    let id = world.add(&Body::new(dot, [0, 0])).unwrap();
    let (clean, state) = (world.clone(), world.save(Save::Whole).unwrap());
    let mut sums = vec![world.checksum(), World::default().checksum(), World::new(Touch::Included).checksum()];
    for (what, edit) in edits {
        edit(&mut world, id, sprite);
        world.validate();
        assert!(world != clean, "{what}");
        sums.push(world.checksum());
        world.load_into(&state).unwrap();
        world.validate();
        assert!(world == clean && world.checksum() == clean.checksum(), "{what} and back");
    }
    sums.sort_unstable();
    sums.dedup();
    assert_eq!(sums.len(), 3 + edits.len(), "each differs from all others");
    world.set(id, &Body::new(dot, [5, 5]).posed(Linear { x: [1.0, -0.0], y: [-0.0, 1.0] })).unwrap();
    world.set(id, &Body::new(dot, [0, 0])).unwrap();
    assert_eq!(world.checksum(), clean.checksum(), "there and back");
}

#[test]
fn the_same_history_gives_the_same_handles() {
    let ball = Shape::circle(1.0).unwrap();
    let start = |radius: f64| {
        let mut world = World::default();
        let shape = world.add_shape(Shape::circle(radius).unwrap()).unwrap();
        (world, shape)
    };
    let ((mut here, shape), (mut there, same)) = (start(1.0), start(1.0));
    assert_eq!(shape, same);
    let body = Body::new(shape, [3, 4]);
    let first = here.add(&body).unwrap();
    assert_eq!(there.add(&body).unwrap(), first);
    // After a rollback too, however far the wrong way went.
    let state = here.save(Save::State).unwrap();
    let wrong = here.add(&Body::new(shape, [9, 9])).unwrap();
    here.remove(first).unwrap();
    here.load_into(&state).unwrap();
    let right = here.add(&body).unwrap();
    assert_eq!(right, there.add(&body).unwrap());
    assert!(wrong != right && wrong.index() == right.index(), "another body at the same index");
    assert!(here.body(wrong).is_none() && here.body(first).is_some());
    assert_eq!(BodyId::from_bits(right.to_bits()), Some(right));
    assert_eq!(ShapeId::from_bits(shape.to_bits()), Some(shape));
    // Another history: other handles.
    let (mut other, shape_2) = start(2.0);
    assert!(shape_2 != shape && here.shape(shape_2).is_none());
    let stranger = other.add(&Body::new(shape_2, [3, 4])).unwrap();
    assert!(here.body(stranger).is_none() && other.body(first).is_none());
    let mut touching = World::new(Touch::Included);
    assert_ne!(touching.add_shape(ball).unwrap(), shape);
    // An index that is taken again gives another handle, and `clear` forgets no history.
    here.clear();
    let again = here.add(&body).unwrap();
    assert!(again != first && again.index() == first.index());
}

/// An answer is taken for the world that it is of, as long as no body was added to it.
#[test]
fn an_answer_of_another_world_is_refused() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let at = |x: i32| Body::new(ball, [x, 0]);
    let [a, b, far] = [0, 1, 50].map(|x| world.add(&at(x).moving([1, 0])).unwrap());
    for setup in &mut crate::common::runners() {
        let hits = setup.engine.run(&world, Ask::Details).unwrap();
        let taken = |world: &World| {
            let done = Events::default().update(world, &hits).map_err(|error| error.to_string());
            let also = [
                world.impacts(a, &hits).map(drop),
                world.stop(a, &hits, |_| true).map(drop),
                world.pushed_out(a, &hits, |_| true).map(drop),
                Draw::default().step(world, &hits, &mut Lines::new()),
            ];
            assert!(also.iter().all(|also| also.is_ok() == done.is_ok()), "{also:?}");
            done
        };
        assert_eq!(taken(&world), Ok(()));
        let mut next = world.clone();
        assert_eq!(taken(&next), Ok(()), "a clone");
        next.advance().unwrap();
        next.remove(far).unwrap();
        assert_eq!(taken(&next), Ok(()), "bodies moved and were removed");
        next.add(&at(9)).unwrap();
        let refused = "`hits` is the answer of another world, or of this one before a body was added; it must be that of \
                       a step of this world, with no body added since";
        assert_eq!(taken(&next), Err(refused.into()));
        next.clone_from(&world);
        assert_eq!(taken(&next), Ok(()), "rolled back");
        let mut other = World::default();
        let shape = other.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        other.add_all(&[1, 0, 2].map(|x| Body::new(shape, [x, 0]))).unwrap();
        assert_eq!(Events::default().update(&other, &hits).unwrap_err().to_string(), refused);
    }
    assert!(world.body(b).is_some());
}

#[test]
fn an_error_names_its_body() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
    let ids = [0, 2_096_960].map(|x| world.add(&Body::new(ball, [x, 0]).moving([100, 0])).unwrap());
    let body = |done: hitmask::Result<()>| done.unwrap_err().body();
    assert_eq!(body(world.advance()), Some(ids[1]));
    let far = Body::new(ball, [1e9, 0.0]);
    assert_eq!(body(world.set(ids[0], &far)), Some(ids[0]));
    assert_eq!(body(world.set_positions(Bodies::All, &[[0.0, 0.0], [1e9, 0.0]])), Some(ids[1]));
    assert_eq!(body(world.set_positions(Bodies::These(&[ids[0]]), &[[1e9, 0.0]])), Some(ids[0]));
    let turned = [Linear::scaled(1.0), Linear::scaled(500.0)];
    assert_eq!(body(world.set_linears(Bodies::All, &turned)), Some(ids[1]));
    assert_eq!(body(world.replace_shape(ball, Shape::circle(900.0).unwrap())), Some(ids[1]));
    assert_eq!(body(world.add(&far).map(drop)), None, "it is not in the world");
}

/// An index of queries that follows a world finds what is there after each rollback.
#[test]
fn an_index_follows_a_world_that_goes_back() {
    let mut random = SplitMix64(3);
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(2.0).unwrap()).unwrap();
    let mut place = || [0, 1].map(|_| f64::from(random.below(4000)) / 4.0);
    for _ in 0..2000 {
        world.add(&Body::new(ball, place()).moving([1, 0])).unwrap();
    }
    let (mut queries, mut ring) = (Queries::new(), vec![(Vec::new(), World::default()); 8]);
    for round in 0..40 {
        ring[round % 8].1.clone_from(&world);
        let (state, _) = &mut ring[round % 8];
        world.save_into(Save::State, state).unwrap();
        if round % 5 == 4 {
            let (state, copy) = &ring[(round + 5) % 8];
            if round % 2 == 0 { world.load_into(state).unwrap() } else { world.clone_from(copy) }
        }
        let ids: Vec<BodyId> = world.ids().collect();
        world.remove_all(&ids[..20]).unwrap();
        let new: Vec<Body> = (0..20).map(|_| Body::new(ball, place())).collect();
        world.add_all(&new).unwrap();
        world.advance().unwrap();
        let mut fresh = Queries::new();
        for _ in 0..20 {
            let probe = Body::new(ball, place());
            let [mut kept, mut anew] = [Vec::new(), Vec::new()];
            queries.on(&world).all(&probe, &mut kept).unwrap();
            fresh.on(&world).all(&probe, &mut anew).unwrap();
            assert_eq!(kept, anew, "round {round}");
        }
        world.validate();
    }
}
