//! The sides of many hits: `Search::sweep` of a body that stops, and `World::impacts` of a step.

use criterion::Criterion;
use hitmask::query::Queries;
use hitmask::{Ask, Body, BodyId, Hits, Shape, ShapeId, World, cpu};
use hitmask_workbench::workloads::SplitMix64;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sides");
    let mut sweep = |name: &str, (world, body): (World, Body)| {
        let mut queries = Queries::new();
        group.bench_function(format!("sweep, {name}"), |bencher| {
            bencher.iter(|| queries.on(&world).sweep(&body, |_| true).unwrap());
        });
    };
    for tiles in [512, 2048] {
        sweep(&format!("a bar on {tiles} tiles"), bar(tiles));
    }
    sweep("a ball on 1,000 bodies of one spot", pile());
    let mut engine = cpu::Engine::with(&cpu::Options::default().threads(1)).unwrap();
    let mut impacts = |name: &str, (world, body): (World, BodyId)| {
        let hits: Hits = engine.run(&world, Ask::Details).unwrap();
        assert!(world.impacts(body, &hits).unwrap().count() > 0, "{name}");
        group.bench_function(format!("impacts, {name}"), |bencher| {
            bencher.iter(|| world.impacts(body, &hits).unwrap().count());
        });
    };
    for bullets in [200, 800] {
        impacts(&format!("a shield over {bullets} bullets"), shield(bullets));
    }
    impacts("200 hits among 100,000 bodies", crowd());
    group.finish();
}

fn add(world: &mut World, shape: Shape) -> ShapeId {
    world.add_shape(shape).unwrap()
}

/// A row of tiles, and a bar that comes down on all of them at once.
fn bar(tiles: u32) -> (World, Body) {
    let mut world = World::default();
    let tile = add(&mut world, Shape::rect(16.0, 16.0).unwrap());
    for x in 0..tiles {
        world.add(&Body::new(tile, [16 * x as i32, 100])).unwrap();
    }
    let bar = add(&mut world, Shape::rect(16.0 * f64::from(tiles), 8.0).unwrap());
    let middle = 8.0 * f64::from(tiles - 1);
    (world, Body::new(bar, [middle, 50.0]).moving([3.0, 80.0]))
}

/// Bodies on one spot, and a ball that meets them.
fn pile() -> (World, Body) {
    let mut world = World::default();
    let ball = add(&mut world, Shape::circle(8.0).unwrap());
    for _ in 0..1000 {
        world.add(&Body::new(ball, [50, 3])).unwrap();
    }
    (world, Body::new(ball, [0, 0]).moving([100, 0]))
}

/// Bullets that fly about in a square, and a shield that moves over them.
fn shield(bullets: u32) -> (World, BodyId) {
    let mut world = World::default();
    let (bullet, mut random) = (add(&mut world, Shape::circle(2.0).unwrap()), SplitMix64(1));
    for _ in 0..bullets {
        let [x, y] = [0; 2].map(|_| f64::from(random.below(200 << 8)) / 256.0);
        let motion = [0; 2].map(|_| f64::from(random.below(20 << 8)) / 256.0 - 10.0);
        world.add(&Body::new(bullet, [x, y]).moving(motion)).unwrap();
    }
    let shield = add(&mut world, Shape::rect(200.0, 200.0).unwrap());
    let id = world.add(&Body::new(shield, [-150, 100]).moving([250, 0])).unwrap();
    (world, id)
}

/// 100,000 bodies in a square, and a bar that hits about 200 of them.
fn crowd() -> (World, BodyId) {
    let mut world = World::default();
    let tile = add(&mut world, Shape::rect(8.0, 8.0).unwrap());
    for k in 0..100_000 {
        world.add(&Body::new(tile, [32 * (k % 316), 32 * (k / 316)])).unwrap();
    }
    let bar = add(&mut world, Shape::rect(6400.0, 8.0).unwrap());
    let id = world.add(&Body::new(bar, [5000, 5010]).moving([0, 20])).unwrap();
    (world, id)
}
