//! Scenes of saved worlds, and moments of replays.

use hitmask::internals::seal;
use hitmask::scene::{Moment, Replay, Scene};
use hitmask::{Ask, Body, Engine, Linear, Part, Save, Shape, Touch, World};

/// A world that was only added to, without tags and switches, is what its scene describes, to the last bit: its history
/// is the same.
#[test]
fn a_world_is_what_its_scene_says() {
    let linears = [Linear::IDENTITY, Linear::from_degrees(33.0), Linear { x: [2.0, 0.0], y: [0.0, -2.0] }];
    for touch in [Touch::Excluded, Touch::Included] {
        let mut world = World::new(touch);
        let part = |k: usize, at: [f64; 2]| Part::new(super::shapes()[k].clone(), at).tagged(k as u32);
        // A box, a capsule, and a polygon with a hole.
        let parts = [part(0, [1.0, -2.5]), part(2, [-4.0, 0.5]), part(4, [0.25, 3.0])];
        let also = [Shape::parts(&parts).unwrap(), Shape::capsule([2.0, 1.0], [2.0, 1.0], 1.5).unwrap()];
        let shapes = world.add_shapes(super::shapes().into_iter().chain(also)).unwrap();
        for (k, &shape) in shapes.iter().cycle().take(30).enumerate() {
            let at = [k as f64 * 1.37, (k % 7) as f64 / 3.0];
            let body = Body::new(shape, at).posed(linears[k / 8 % 3]).moving([0.3 * k as f64, -1.0]);
            world.add(&body.filtered(1 << (k % 3), !8).grouped(k as u32 % 4)).unwrap();
        }
        let text = Scene::of_world(&world).to_json().unwrap();
        let again = Scene::parse(&text, ".".as_ref()).unwrap().world().unwrap();
        assert_eq!(world.differences(&again), []);
        assert!(again == world);
    }
}

/// Bodies keep their indices as names; those that are switched off are left out.
#[test]
fn bodies_are_named_by_their_indices() {
    let world = super::world(Touch::Excluded);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("game.world"), world.save(Save::Whole).unwrap()).unwrap();
    let direct = Scene::open(folder.path().join("game.world")).unwrap();
    let named = Scene::parse(r#"{ "saved": "game.world", "queries": [{ "point": [0, 0] }] }"#, folder.path()).unwrap();
    let on = |index: u32| world.id(index).and_then(|id| world.body(id)).is_some_and(|body| body.enabled);
    let expected: Vec<String> = (0..world.indices() as u32).filter(|&index| on(index)).map(|k| k.to_string()).collect();
    for scene in [&direct, &named] {
        let names: Vec<String> = scene.bodies.iter().filter_map(|body| body.name.clone()).collect();
        assert_eq!(names, expected);
        assert!(scene.files().any(|file| file.ends_with("game.world")));
    }
    assert_eq!((direct.queries.len(), named.queries.len()), (0, 1));
    // The same pairs, by those names.
    let pairs = |world: &World| Engine::cpu().unwrap().run(world, Ask::Pairs).unwrap().pairs;
    let built = direct.world().unwrap();
    let by_name =
        pairs(&built).into_iter().map(|pair| pair.map(|body| expected[body as usize].parse::<u32>().unwrap()));
    assert!(by_name.eq(pairs(&world)));
}

#[test]
fn what_is_wrong_with_a_saved_scene_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let world = super::world(Touch::Excluded);
    std::fs::write(folder.path().join("state.world"), world.save(Save::State).unwrap()).unwrap();
    std::fs::write(folder.path().join("game.world"), world.save(Save::Whole).unwrap()).unwrap();
    std::fs::write(folder.path().join("text.world"), "hello").unwrap();
    for (text, wrong) in [
        (r#"{"saved": "state.world"}"#, "state.world: saved file: it is a state"),
        (r#"{"saved": "text.world"}"#, "text.world: saved file: it does not begin as"),
        (r#"{"saved": "none.world"}"#, "none.world"),
        (r#"{"saved": ""}"#, "`saved` is \"\"; it must be the path of a file"),
        (r#"{"saved": "game.world", "touch": "excluded"}"#, "but `touch` is given as well"),
        (r#"{"saved": "game.world", "bodies": [{"shape": "a", "at": [0, 0]}]}"#, "but `bodies` is given as well"),
        (r#"{"saved": "game.world", "bodies_csv": "a.csv"}"#, "but `bodies_csv` is given as well"),
        (r#"{"saved": 7}"#, "saved: invalid type"),
    ] {
        let error = Scene::parse(text, folder.path()).unwrap_err().to_string();
        assert!(error.contains(wrong), "{text}: {error}");
    }
}

/// A replay whose first line names a saved world, by the names that its bodies have there.
#[test]
fn a_replay_begins_with_a_saved_world() {
    let world = super::world(Touch::Excluded);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bug.world"), world.save(Save::Whole).unwrap()).unwrap();
    let text = "{\"saved\": \"bug.world\"}\n{}\n{\"remove\": [\"4\"]}\n";
    let replay = Replay::parse(text, folder.path()).unwrap();
    let (mut play, mut engine) = (replay.play().unwrap(), Engine::cpu().unwrap());
    let mut steps = Vec::new();
    while play.edit().unwrap() {
        let hits = engine.run(play.world(), Ask::Pairs).unwrap();
        steps.push(play.take(&hits).unwrap());
    }
    let of_4 = |pairs: &[[String; 2]]| pairs.iter().filter(|pair| pair.contains(&"4".to_owned())).count();
    assert!(of_4(&steps[0].pairs) > 0, "{:?}", steps[0]);
    assert_eq!(of_4(&steps[1].ended), of_4(&steps[0].pairs));
    // A moment of it is a scene too, with its names.
    let moment = folder.path().join("moment");
    std::fs::write(&moment, play.moment().save().unwrap()).unwrap();
    let scene = Scene::open(&moment).unwrap();
    assert_eq!(scene.bodies.len(), play.world().len());
    let id = play.world().ids().next().unwrap();
    assert_eq!(scene.bodies[0].name.as_deref(), play.moment().name(id));
}

/// A shape that has lost its name to another gets a name that no shape has.
#[test]
fn shapes_of_a_moment_have_different_names() {
    let text = r#"{"shapes": {"circle 0": {"circle": 1}}, "bodies": [{"shape": "circle 0", "at": [0, 0], "name": "x"}]}
{"shapes": {"circle 0": {"circle": 2}}, "add": [{"shape": "circle 0", "at": [9, 0], "name": "y"}]}"#;
    let replay = Replay::parse(text, ".".as_ref()).unwrap();
    let mut play = replay.play().unwrap();
    assert!(play.edit().unwrap());
    play.take(&Engine::reference().run(play.world(), Ask::Pairs).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("moment");
    std::fs::write(&file, play.moment().save().unwrap()).unwrap();
    let scene = Scene::open(&file).unwrap();
    let shapes: Vec<_> = scene.bodies.iter().map(|body| body.shape.as_str()).collect();
    assert_eq!(shapes, ["circle 0*", "circle 0"]);
    let built = scene.world().unwrap();
    let radius = |world: &World| world.ids().map(|id| world.bounds(id).unwrap()).collect::<Vec<_>>();
    assert_eq!(radius(&built), radius(play.world()));
}

/// A moment resumes only the replay that it is of: neither one whose world differs, nor one whose names do.
#[test]
fn a_moment_of_another_replay_is_refused() {
    let replay = |radius: &str, name: &str| {
        let text = format!(
            r#"{{"shapes": {{"a": {{"circle": {radius}}}}}, "bodies": [{{"shape": "a", "at": [0, 0], "name": "{name}"}}]}}
{{"set": [{{"shape": "a", "at": [1, 0], "move": [3, 0], "name": "{name}"}}], "advance": true}}
{{"remove": ["{name}"]}}"#
        );
        Replay::parse(&text, ".".as_ref()).unwrap()
    };
    let (original, mut engine) = (replay("1", "x"), Engine::reference());
    let mut play = original.play().unwrap();
    play.edit().unwrap();
    play.take(&engine.run(play.world(), Ask::Pairs).unwrap()).unwrap();
    let moment = play.moment().clone();
    assert!(original.resume(moment.clone()).is_ok());
    for other in [replay("2", "x"), replay("1", "y")] {
        let error = other.resume(moment.clone()).unwrap_err().to_string();
        let expected = "`moment` is of step 1; it must belong to this replay, whose world at step 1 differs";
        assert_eq!(error, expected);
    }
}

/// Each flipped bit of a saved moment is an error, or with a new digest an error or another moment.
#[test]
fn a_flipped_bit_of_a_moment_is_an_error_or_another_moment() {
    let text = r#"{"shapes": {"a": {"circle": 1}, "b": {"box": [2, 2]}}, "bodies": [{"shape": "a", "at": [0, 0], "name": "x"}]}
{"add": [{"shape": "b", "at": [0, 0], "name": "y"}]}
{"remove": ["x"]}"#;
    let replay = Replay::parse(text, ".".as_ref()).unwrap();
    let (mut play, mut engine) = (replay.play().unwrap(), Engine::reference());
    let mut valid = 0;
    while play.edit().unwrap() {
        let within = play.moment().save().unwrap_err().to_string();
        assert!(within.starts_with("`moment` is within step "), "{within}");
        assert!(replay.resume(play.moment().clone()).is_err());
        let hits = engine.run(play.world(), Ask::Pairs).unwrap();
        play.take(&hits).unwrap();
        let file = play.moment().save().unwrap();
        for bit in 0..8 * file.len() {
            let mut flipped = file.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(Moment::load(&flipped).is_err(), "bit {bit}");
            seal(&mut flipped);
            if let Ok(moment) = Moment::load(&flipped) {
                valid += 1;
                moment.world().validate();
                let Ok(mut play) = replay.resume(moment) else { continue };
                while play.edit().is_ok_and(|more| more) {
                    let hits = engine.run(play.world(), Ask::Pairs).unwrap();
                    let _ = play.take(&hits);
                }
            }
        }
        for length in 0..file.len() {
            assert!(Moment::load(&file[..length]).is_err());
        }
    }
    assert!(valid > 50, "{valid} valid");
}
