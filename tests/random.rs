//! Random scenes of all families: every engine against the reference. A mismatch is made as small as it gets and written as a scene file.

mod common;

use hitmask::scene::BodySpec;
use hitmask::{Scene, Touch};
use hitmask_workbench::verify::{compare, random_scene, shrink};

/// Scenes; `hitmask verify --random N` compares any number.
const SCENES: u64 = 2_000;

#[test]
fn engines_agree_on_random_scenes() {
    let mut engines: Vec<_> = common::runners()
        .into_iter()
        .filter(|runner| ["reference", "cpu, 3 threads", "cpu, sorted, plain", "gpu"].contains(&runner.name))
        .map(|runner| runner.engine)
        .collect();
    assert_eq!(engines.len(), if cfg!(feature = "gpu") { 4 } else { 3 });
    let mut pairs = 0;
    for seed in 0..SCENES {
        let scene = random_scene(seed);
        let world = scene.world().unwrap_or_else(|error| panic!("scene {seed}: {error}"));
        if let Some(mismatch) = compare(&world, &mut engines).unwrap_or_else(|error| panic!("scene {seed}: {error}")) {
            let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("mismatch-{seed}.json"));
            let small = shrink(&scene, &mismatch, &mut engines);
            std::fs::write(&file, small.to_json().unwrap()).unwrap();
            panic!("scene {seed}: {mismatch}\nreplay it: hitmask verify {}", file.display());
        }
        pairs += engines[1].run(&world, hitmask::Ask::Pairs).unwrap().pairs.len();
    }
    assert!(pairs > 10 * SCENES as usize, "{pairs} pairs are too few to tell anything");
}

/// Many scenes in one world: thousands of bodies, many tiles, all kinds of pairs at once.
#[test]
fn engines_agree_on_many_scenes_at_once() {
    for touch in [Touch::Excluded, Touch::Included] {
        let (mut shapes, mut bodies) = (Vec::new(), Vec::new());
        for seed in 0..60 {
            let scene = random_scene(9_000 + seed);
            let name = |shape: &str| format!("{seed} {shape}");
            shapes.extend(scene.shapes.into_iter().map(|(shape, spec)| (name(&shape), spec)));
            bodies.extend(scene.bodies.into_iter().map(|body| BodySpec { shape: name(&body.shape), ..body }));
        }
        assert!(bodies.len() > 400, "{} bodies are one tile or two", bodies.len());
        let world = Scene::new(touch, shapes, bodies).world().unwrap();
        let mut runners = common::contestants();
        let expected = runners[0].answer(&world, "many scenes");
        assert!(expected.pairs.len() > 4_000, "{} pairs", expected.pairs.len());
        // The cramped one has no room for the pairs of a single body here.
        for runner in runners[1..].iter_mut().filter(|runner| runner.name != "gpu, cramped") {
            assert!(runner.answer(&world, "many scenes") == expected, "{touch:?} on {}", runner.name);
        }
    }
}
