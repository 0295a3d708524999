//! Worlds in which layers keep most bodies apart, on every engine: shots that hit ships but not each other, walls,
//! bodies of one group; with bodies of all sizes, over several steps.

use hitmask::cpu::{Broad, Simd};
use hitmask::{Ask, Body, Engine, Shape, ShapeId, Touch, World};
use hitmask_workbench::workloads::SplitMix64;

use crate::bodies;
use crate::common::{self, Gpu, Runner, Setup};

/// The roles of a world: for each its layer, its `hits` mask, its percentage of all bodies, and whether these are
/// detectors.
type Roles = [(u32, u32, u32, bool)];

const SHIP: u32 = 1;
const SHOT: u32 = 2;
const WALL: u32 = 4;
const OTHER: u32 = 8;

const GAMES: [(&str, &Roles); 12] = [
    ("shots at ships", &[(SHIP, SHOT, 3, false), (SHOT, SHIP, 97, false)]),
    ("ships that collide, shots", &[(SHIP, SHIP | SHOT, 20, false), (SHOT, SHIP, 80, false)]),
    (
        "all sides have shots",
        &[
            (SHIP, SHOT | OTHER | WALL, 10, false),
            (SHOT, SHIP | WALL, 40, false),
            (WALL, !0, 10, false),
            (OTHER, SHIP, 40, false),
        ],
    ),
    ("walls that only others hit", &[(WALL, SHIP, 60, false), (SHIP, WALL | SHIP, 40, false)]),
    ("nobody hits anybody", &[(SHOT, SHIP, 100, false)]),
    ("one side hits, the other does not", &[(SHIP, SHOT, 50, false), (SHOT, OTHER, 50, false)]),
    ("all hit all", &[(SHIP, !0, 50, false), (SHOT, !0, 50, false)]),
    ("zones that see shots", &[(SHIP, SHOT, 3, false), (SHOT, SHIP, 87, false), (OTHER, SHOT, 10, true)]),
    ("shots that ships do not see", &[(SHOT, SHIP, 80, true), (SHIP, 0, 20, false)]),
    ("detectors on no layer", &[(0, SHIP, 70, true), (SHIP, SHIP, 30, false)]),
    ("detectors that see each other", &[(SHOT, SHIP | SHOT, 70, true), (SHIP, SHOT, 30, true)]),
    ("detectors that see nothing", &[(SHOT, WALL, 70, true), (SHIP, WALL, 30, true)]),
];

/// Returns whether a pair of these roles, outside of groups, is tested.
fn are_tested(a: &(u32, u32, u32, bool), b: &(u32, u32, u32, bool)) -> bool {
    let (a_hits, b_hits) = (a.1 & b.0 != 0, b.1 & a.0 != 0);
    a_hits && (b_hits || a.3) || b_hits && b.3
}

/// Returns a random body with a random role. About thirty of all `bodies` are on one spot.
fn body(random: &mut SplitMix64, shapes: &[ShapeId], bodies: u32, roles: &Roles) -> Body {
    let mut body = bodies::body(random, shapes, (bodies * 400).isqrt());
    if random.below(bodies) < 30 {
        body.at = [100.0 + f64::from(random.below(4)), 100.0].into();
    }
    let mut of = random.below(100);
    for &(layer, hits, share, detector) in roles {
        if of < share {
            // One body in six is in a group, mostly the same group.
            let group = if random.below(6) == 0 { 1 + random.below(40) / 39 } else { 0 };
            return body.filtered(layer, hits).detector(detector).grouped(group);
        }
        of -= share;
    }
    body
}

/// Returns a world of `bodies` bodies.
fn world(random: &mut SplitMix64, bodies: u32, roles: &Roles, touch: Touch) -> (World, Vec<ShapeId>) {
    let mut world = World::new(touch);
    let mut shapes = bodies::shapes(&mut world, random);
    // Most bodies are small.
    let small = world.add_shape(Shape::rect(2.0, 2.0).unwrap()).unwrap();
    shapes.extend([small; 20]);
    for _ in 0..bodies {
        world.add(&body(random, &shapes, bodies, roles)).unwrap();
    }
    (world, shapes)
}

/// Runs several steps on all runners, and compares them with the first one.
fn play<'a>(
    runners: impl Iterator<Item = &'a mut Runner>,
    seed: u64,
    bodies: u32,
    (what, roles): (&str, &Roles),
    touch: Touch,
) {
    let (mut random, mut pairs, mut runners) = (SplitMix64(seed), 0, runners.collect::<Vec<_>>());
    let (mut world, shapes) = world(&mut random, bodies, roles, touch);
    for step in 0..6 {
        // No body changes, then all, then few; some of these are removed, added, or change layers.
        let changed = [0, bodies, bodies / 100, bodies / 100, bodies / 40, bodies / 100][step];
        for k in 0..changed {
            let index = if changed == bodies { k } else { random.below(bodies) };
            let Some(id) = world.id(index) else { continue };
            if random.below(9) == 0 {
                world.remove(id).unwrap();
                world.add(&body(&mut random, &shapes, bodies, roles)).unwrap();
            } else {
                world.set(id, &body(&mut random, &shapes, bodies, roles)).unwrap();
            }
        }
        let mut expected = None;
        for runner in &mut runners {
            let hits = runner.engine.run(&world, Ask::Pairs).unwrap();
            let flags = runner.engine.run(&world, Ask::Flags).unwrap().flags;
            let case = format!("{what}, {bodies} bodies, {touch:?}, step {step} on {}", runner.setup);
            assert_eq!(hits.broken_rule(Ask::Pairs), None, "{case}");
            assert!(flags == hits.flags, "{case}: flags alone");
            let expected = expected.get_or_insert_with(|| hits.clone());
            assert!(hits == *expected, "{case}: {} pairs, and not {}", hits.pairs.len(), expected.pairs.len());
            pairs += hits.pairs.len();
        }
    }
    let hit = roles.iter().any(|a| roles.iter().any(|b| are_tested(a, b)));
    assert_eq!(pairs > 100, hit, "{what}: {pairs} pairs");
}

#[test]
fn every_engine_parts_a_small_world_as_the_reference_does() {
    // Leaves out the configuration that has no room for as many pairs of one body.
    let of_all = common::runners().into_iter();
    let mut runners: Vec<_> = of_all.filter(|runner| runner.setup != Setup::Gpu(Gpu::Cramped)).collect();
    for (k, game) in GAMES.into_iter().enumerate() {
        let touch = [Touch::Included, Touch::Excluded][k % 2];
        play(common::in_turn(&mut runners, k / 2), k as u64, 100, game, touch);
    }
}

#[test]
fn a_large_world_is_parted_as_if_all_were_compared() {
    let sorted = |threads| Setup::Cpu { simd: Simd::best(), broad: Broad::Sorted, threads };
    let all = Setup::Cpu { simd: Simd::best(), broad: Broad::AllPairs, threads: 2 };
    let mut runners = [all, sorted(1), sorted(3)].map(Setup::runner);
    for (k, game) in GAMES.into_iter().enumerate() {
        let touch = [Touch::Included, Touch::Excluded][k % 2];
        play(runners.iter_mut(), 100 + k as u64, 2000, game, touch);
    }
}

/// Enough bodies that several threads pick bodies, fill the grid and look up seekers.
#[test]
fn a_world_is_parted_on_several_threads_as_on_one() {
    let (mut random, mut world) = (SplitMix64(7), World::default());
    let shape = world.add_shape(Shape::rect(3.0, 3.0).unwrap()).unwrap();
    for _ in 0..48_000 {
        let at = [random.below(1000), random.below(1000)].map(f64::from);
        let (layer, hits) = if random.below(4) == 0 { (SHIP, SHIP | SHOT) } else { (SHOT, SHIP) };
        world.add(&Body::new(shape, at).filtered(layer, hits)).unwrap();
    }
    let all = Setup::Cpu { simd: Simd::best(), broad: Broad::AllPairs, threads: 2 };
    let setups = [all, Setup::threads(1), Setup::threads(3)];
    let [expected, one, three] = setups.map(|setup| setup.runner().engine.run(&world, Ask::Pairs).unwrap());
    assert!(expected.pairs.len() > 10_000, "{} pairs", expected.pairs.len());
    assert!(one == expected && three == expected);
}

/// More filters on one spot than there are classes to distinguish. The last ships hit no shot.
#[test]
fn more_filters_than_classes() {
    let mut world = World::default();
    let shape = world.add_shape(Shape::rect(3.0, 3.0).unwrap()).unwrap();
    let shots = (0..500).map(|_| (1 << 31, 0x3F));
    let ships = (1..=61).map(|layers| (layers, 1 << 31));
    for (layer, hits) in shots.chain(ships).chain([(62, 1 << 30), (63, 1 << 30)]) {
        world.add(&Body::new(shape, [0.0, 0.0]).filtered(layer, hits)).unwrap();
    }
    for setup in [1, 2].map(Setup::threads).into_iter().chain(common::gpu(Gpu::Sorted)) {
        let hits = setup.runner().engine.run(&world, Ask::Pairs).unwrap();
        assert_eq!(hits.broken_rule(Ask::Pairs), None);
        assert_eq!(hits.pairs.len(), 500 * 61, "{setup}");
    }
}

/// Twenty thousand bodies on one spot that never hit each other, and a few that they do hit.
#[test]
fn a_crowd_that_hits_a_few() {
    let mut world = World::default();
    let shape = world.add_shape(Shape::rect(3.0, 3.0).unwrap()).unwrap();
    for k in 0..20_004 {
        let (layer, hits) = if k % 5_000 == 0 { (SHIP, SHOT) } else { (SHOT, SHIP) };
        world.add(&Body::new(shape, [0.0, 0.0]).filtered(layer, hits)).unwrap();
    }
    for setup in [1, 2].map(Setup::threads).into_iter().chain(common::gpu(Gpu::Default)) {
        let hits = setup.runner().engine.run(&world, Ask::Pairs).unwrap();
        assert_eq!(hits.broken_rule(Ask::Pairs), None);
        assert_eq!(hits.pairs.len(), 5 * (20_004 - 5), "{setup}");
    }
}

/// A filter that is set alone is as if the whole body were set, and an engine that keeps results between steps notices.
#[test]
fn a_filter_is_set_as_the_body_is() {
    let (mut random, (_, roles)) = (SplitMix64(14), GAMES[2]);
    let (mut alone, shapes) = world(&mut random, 900, roles, Touch::Excluded);
    let (mut whole, mut engine) = (alone.clone(), Engine::cpu().unwrap());
    let (mut before, mut changed) = (engine.run(&alone, Ask::Pairs).unwrap(), 0);
    for step in 0..30 {
        for _ in 0..10 {
            let id = alone.id(random.below(900)).unwrap();
            let Body { layers, mask, group, .. } = body(&mut random, &shapes, 900, roles);
            // Some hit nothing.
            let layers = if random.below(6) == 0 { 0 } else { layers };
            let detector = random.below(4) == 0;
            alone.set_filter(id, layers, mask, group).unwrap();
            alone.set_detector(id, detector).unwrap();
            let body = whole.body(id).unwrap().filtered(layers, mask).detector(detector).grouped(group);
            whole.set(id, &body).unwrap();
        }
        let told =
            |world: &World| -> Vec<_> { world.ids().map(|id| (id, world.body(id), world.swept_bounds(id))).collect() };
        assert!(told(&alone) == told(&whole), "step {step}");
        let hits = engine.run(&alone, Ask::Pairs).unwrap();
        assert!(hits == Engine::cpu().unwrap().run(&whole, Ask::Pairs).unwrap(), "step {step}: hits");
        changed += usize::from(hits != before);
        before = hits;
    }
    assert!(changed > 5, "{changed} steps with other hits are too few to tell anything");
    let gone = alone.id(7).unwrap();
    alone.remove(gone).unwrap();
    for refused in [alone.set_filter(gone, 1, 1, 0), alone.set_detector(gone, true)] {
        assert_eq!(refused.unwrap_err().to_string(), "body 7 was removed, or belongs to another world");
    }
}
