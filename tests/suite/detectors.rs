//! Detectors, which see bodies that do not see them: every combination of filters, and random scenes, on every engine;
//! and the rule by which queries, stops and sweeps notice them.

use std::ops::ControlFlow;

use hitmask::query::{Queries, Query, Search};
use hitmask::scene::Scene;
use hitmask::{Ask, Body, BodyId, Engine, Linear, Mask, Shape, ShapeId, Touch, World};
use hitmask_workbench::verify::{random_scene, swarm_scene};
use hitmask_workbench::workloads::SplitMix64;

use crate::common::{self, Gpu, Runner, Setup};
use crate::random::report;

/// The number of random scenes of each kind.
const SCENES: u64 = 400;

/// Returns whether a body sees another, as the contract has it.
fn sees(a: &Body, b: &Body) -> bool {
    let (a_hits, b_hits) = (a.mask & b.layers != 0, b.mask & a.layers != 0);
    a_hits && (b_hits || a.detector) && !(a.group == b.group && a.group != 0)
}

/// Returns whether a pair of two bodies that overlap is in the answer.
fn hit(a: &Body, b: &Body) -> bool {
    a.enabled && b.enabled && (sees(a, b) || sees(b, a))
}

/// Returns every combination of layers, masks, groups, switches and detectors of two bodies.
fn combinations() -> Vec<[[u32; 5]; 2]> {
    let mut all = Vec::new();
    for code in 0..3 * 3 * 4 * 4 * 4 * 4 {
        let mut rest = code;
        let mut next = |below: u32| {
            let value = rest % below;
            rest /= below;
            value
        };
        let (layers, masks, detectors) = ([next(3), next(3)], [next(4), next(4)], next(4));
        // In no group, in one, in two; then one of the two switched off.
        let (groups, on) = [([0, 0], [1, 1]), ([5, 5], [1, 1]), ([5, 6], [1, 1]), ([0, 0], [0, 1])][next(4) as usize];
        all.push([0, 1].map(|k| [layers[k], masks[k], detectors >> k & 1, groups[k], on[k]]));
    }
    all
}

/// Pairs of shapes: by bounds, by words of pixels, by the exact predicate, mixed, and moving.
fn bodies(world: &mut World) -> Vec<[Body; 2]> {
    let mut add = |shape: Shape| world.add_shape(shape).unwrap();
    let (ball, tile) = (add(Shape::circle(4.0).unwrap()), add(Shape::rect(6.0, 5.0).unwrap()));
    let sprite = add(Shape::sprite(Mask::from_rows(&["#####"; 5]).unwrap()));
    let still = |shape: ShapeId| Body::new(shape, [0, 0]);
    let turned = |shape: ShapeId| still(shape).posed(Linear::from_degrees(30.0));
    vec![
        [still(ball), still(tile)],
        [still(sprite), turned(sprite)],
        [turned(tile), still(ball)],
        [turned(sprite), turned(tile)],
        [turned(sprite), turned(sprite)],
        [still(tile).moving([3, 1]), still(sprite).moving([-2, 0])],
    ]
}

/// Two bodies of each combination overlap, far from those of the others.
#[test]
fn each_combination_of_two_is_as_defined() {
    let cpus = [1, 2].into_iter().flat_map(Setup::cpus);
    let mut runners: Vec<Runner> = cpus.chain(common::gpus()).map(Setup::runner).collect();
    for kind in 0..6 {
        let mut world = World::new([Touch::Excluded, Touch::Included][kind % 2]);
        let pair = bodies(&mut world)[kind];
        let (mut expected, mut only_one) = (Vec::new(), 0);
        for (k, filters) in combinations().into_iter().enumerate() {
            let at = [k % 50, k / 50].map(|v| v as f64 * 40.0);
            let [a, b] = [0, 1].map(|k| {
                let [layers, mask, detector, group, on] = filters[k];
                let body = Body { at: at.into(), ..pair[k] }.filtered(layers, mask).grouped(group);
                body.detector(detector == 1).enabled(on == 1)
            });
            let ids = [&a, &b].map(|body| world.add(body).unwrap());
            assert_eq!(world.sees(ids[0], ids[1]).unwrap(), sees(&a, &b), "{a:?} {b:?}");
            assert_eq!(world.sees(ids[1], ids[0]).unwrap(), sees(&b, &a), "{a:?} {b:?}");
            // The definition in code is asked for each combination alone.
            let mut alone = World::new(world.touch());
            bodies(&mut alone);
            for body in [&a, &b] {
                alone.add(body).unwrap();
            }
            let hits = Engine::reference().run(&alone, Ask::Pairs).unwrap();
            assert_eq!(!hits.pairs.is_empty(), hit(&a, &b), "{a:?} {b:?}");
            if hit(&a, &b) {
                expected.push(ids.map(BodyId::index));
                only_one += usize::from(sees(&a, &b) != sees(&b, &a));
            }
        }
        assert!(expected.len() > 300 && only_one > 100, "{} pairs, {only_one} seen by one", expected.len());
        let mut first = None;
        for runner in &mut runners {
            let hits = runner.answer(&world, "all combinations");
            assert!(hits.pairs == expected, "kind {kind} on {}", runner.setup);
            assert!(hits == *first.get_or_insert_with(|| hits.clone()), "kind {kind} on {}", runner.setup);
        }
    }
}

/// Returns a random scene in which many bodies see others that do not see them.
fn with_detectors(mut scene: Scene, seed: u64) -> Scene {
    const LAYERS: [u32; 6] = [0, 1, 2, 3, 0x8000_0000, u32::MAX];
    let mut random = SplitMix64(seed);
    for body in &mut scene.bodies {
        if random.below(2) == 0 {
            (body.layers, body.mask) = (LAYERS[random.below(6) as usize], LAYERS[random.below(6) as usize]);
        }
        body.detector = random.below(3) == 0;
    }
    scene
}

fn scenes() -> impl Iterator<Item = (String, Scene)> {
    let seeds = (0..2 * SCENES).map(|number| (number % 2 == 0, 50_000 + number / 2));
    seeds.map(|(swarm, seed)| {
        let (kind, scene) = if swarm { ("swarm", swarm_scene(seed)) } else { ("random", random_scene(seed)) };
        (format!("detectors-{kind}-{seed}"), with_detectors(scene, seed))
    })
}

#[test]
fn engines_agree_on_random_scenes_with_detectors() {
    let mut cpus = [1, 2].map(|threads| Setup::cpus(threads).map(Setup::runner).collect::<Vec<_>>());
    let mut gpus: Vec<_> = [Gpu::Default, Gpu::Sorted].into_iter().filter_map(common::gpu).map(Setup::runner).collect();
    let (mut pairs, mut seen_by_one) = (0, 0);
    for (number, (name, scene)) in scenes().enumerate() {
        let world = scene.world().unwrap_or_else(|error| panic!("scene {name}: {error}"));
        let expected = Engine::reference().run(&world, Ask::Details).unwrap();
        let turn = number / 2 % 2;
        for runner in cpus[turn].iter_mut().chain(gpus.get_mut(turn)) {
            if runner.answer(&world, &name) != expected {
                report(&scene, &name, runner.setup);
            }
        }
        pairs += expected.pairs.len();
        for [a, b] in expected.pairs {
            let [a, b] = [a, b].map(|index| world.id(index).unwrap());
            let [ab, ba] = [world.sees(a, b).unwrap(), world.sees(b, a).unwrap()];
            assert!(ab || ba, "scene {name}");
            seen_by_one += usize::from(ab != ba);
        }
        let again = Scene::parse(&scene.to_json().unwrap(), ".".as_ref()).unwrap();
        assert!(again.bodies.iter().zip(&scene.bodies).all(|(a, b)| a.detector == b.detector), "scene {name}");
    }
    assert!(pairs > 10 * SCENES as usize && seen_by_one > SCENES as usize, "{pairs} pairs, {seen_by_one} by one");
}

/// Pairs that are streamed in many runs, whose bodies are joined with all others.
#[test]
fn pairs_with_detectors_are_streamed_as_they_are_answered() {
    let (mut random, mut world) = (SplitMix64(3), World::default());
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    for _ in 0..3_000 {
        let at = [0; 2].map(|_| f64::from(random.below(300)));
        let body = Body::new(ball, at).filtered(random.below(4), random.below(4));
        world.add(&body.detector(random.below(3) == 0)).unwrap();
    }
    let mut engine = Engine::cpu().unwrap();
    let expected = engine.run(&world, Ask::Pairs).unwrap().pairs;
    let (mut streamed, mut slices) = (Vec::new(), 0);
    let ended = engine.stream(&world, Ask::Pairs, 20_000, |pairs, _| {
        streamed.extend_from_slice(pairs);
        slices += 1;
        ControlFlow::<()>::Continue(())
    });
    assert!(ended.unwrap().is_continue() && streamed == expected);
    assert!(slices > 3 && expected.len() > 1_000, "{slices} slices, {} pairs", expected.len());
}

fn all<Q: Query>(search: Search<'_>, query: &Q) -> Vec<Q::Answer> {
    let mut found = Vec::new();
    search.all(query, &mut found).unwrap();
    found
}

/// A query about a body finds those that the body sees, on the index as by the definition, and they are a part of what
/// it would hit in a step.
#[test]
fn a_query_finds_what_its_body_sees() {
    let (mut queries, mut found, mut unseen) = (Queries::new(), 0, 0);
    for (name, scene) in scenes().step_by(4) {
        let mut world = scene.world().unwrap();
        for id in world.ids().collect::<Vec<_>>() {
            // Queries are about the world at rest.
            let body = Body { motion: [0, 0].into(), ..world.body(id).unwrap() };
            world.set(id, &body).unwrap();
        }
        for id in world.ids().take(6) {
            let body = world.body(id).unwrap();
            let own = [id];
            let search = queries.on(&world).except(&own).unwrap();
            let hits = all(search, &body);
            assert_eq!(hits, all(Queries::reference().on(&world).except(&own).unwrap(), &body), "scene {name}");
            assert_eq!(search.is_free(&body).unwrap(), hits.is_empty(), "scene {name}");
            let step = Engine::cpu().unwrap().run(&world, Ask::Pairs).unwrap();
            let others = step.pairs.iter().filter(|pair| pair.contains(&id.index()));
            let mut others: Vec<_> =
                others.map(|pair| world.id(pair[usize::from(pair[0] == id.index())]).unwrap()).collect();
            let met = others.len();
            others.retain(|&other| world.sees(id, other).unwrap());
            assert!(hits.iter().map(|hit| hit.body).eq(others.iter().copied()), "scene {name}, {id:?}");
            found += hits.len();
            unseen += met - others.len();
        }
    }
    assert!(found > 200 && unseen > 50, "{found} found, {unseen} unseen");
}

const HERO: u32 = 1;
const WALL: u32 = 2;
const ZONE: u32 = 4;

/// A hero that moves through a zone, which sees it, to a wall, which hits nothing.
fn corridor(hero_detects: bool) -> (World, [BodyId; 3]) {
    let mut world = World::default();
    let tile = world.add_shape(Shape::rect(10.0, 10.0).unwrap()).unwrap();
    let hero = Body::new(tile, [0, 0]).moving([100, 0]).filtered(HERO, WALL).detector(hero_detects);
    let zone = Body::new(tile, [20, 0]).filtered(ZONE, HERO).detector(true);
    let wall = Body::new(tile, [50, 0]).filtered(WALL, if hero_detects { 0 } else { HERO });
    let ids = [hero, zone, wall].map(|body| world.add(&body).unwrap());
    (world, ids)
}

#[test]
fn a_body_is_stopped_by_what_it_sees() {
    for hero_detects in [false, true] {
        let (world, [hero, zone, wall]) = corridor(hero_detects);
        let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
        assert_eq!(hits.pairs, [[0, 1], [0, 2]]);
        let met: Vec<BodyId> = world.impacts(hero, &hits).unwrap().map(|impact| impact.other).collect();
        assert_eq!(met, [zone, wall], "both are hits of the step");
        let stop = world.stop(hero, &hits, |_| true).unwrap().unwrap();
        assert_eq!((stop.impact.other, stop.at.x), (wall, 40.0));
        let (mut queries, body) = (Queries::new(), world.body(hero).unwrap());
        let own = [hero];
        let search = queries.on(&world).except(&own).unwrap();
        let sweep = search.sweep(&body, |_| true).unwrap();
        assert_eq!((sweep.stop.unwrap().impact.other, sweep.at.x), (wall, 40.0));
        assert_eq!(search.slide(&body, |_| true).unwrap().at.x, 40.0);
        // The zone is stopped by the hero, which it sees and which does not see it.
        let coming = Body { motion: [-100, 0].into(), ..world.body(zone).unwrap() };
        let sweep = queries.on(&world).except(&[zone]).unwrap().sweep(&coming, |_| true).unwrap();
        assert_eq!((sweep.stop.unwrap().impact.other, sweep.at.x), (hero, 10.0));
    }
}

#[test]
fn a_body_is_pushed_out_of_what_it_sees() {
    let (mut world, [hero, zone, _]) = corridor(false);
    let inside = Body { at: [15, 0].into(), motion: [0, 0].into(), ..world.body(hero).unwrap() };
    world.set(hero, &inside).unwrap();
    let hits = Engine::cpu().unwrap().run(&world, Ask::Details).unwrap();
    assert_eq!(hits.pairs, [[0, 1]]);
    assert_eq!(world.pushed_out(hero, &hits, |_| true).unwrap().unwrap().x, 15.0, "the zone is not in its way");
    assert_eq!(world.pushed_out(zone, &hits, |_| true).unwrap().unwrap().x, 25.0, "the hero is in the zone's");
}

/// Layers alone make a body absent only if nothing could see it.
#[test]
fn a_body_that_hits_no_layer_is_seen_by_detectors() {
    let mut world = World::default();
    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
    world.add(&Body::new(ball, [0, 0]).filtered(2, 0)).unwrap();
    let hero = world.add(&Body::new(ball, [2, 0]).filtered(0, 2)).unwrap();
    let mut runners = common::runners();
    for detects in [false, true, false] {
        world.set_detector(hero, detects).unwrap();
        for runner in &mut runners {
            let hits = runner.answer(&world, "a coin");
            let expected: &[[u32; 2]] = if detects { &[[0, 1]] } else { &[] };
            assert_eq!(hits.pairs, expected, "{}", runner.setup);
        }
    }
}
