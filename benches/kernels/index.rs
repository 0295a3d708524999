//! Updates of the index of queries on 30,000 bodies: some come and go in each frame, or all move.

use std::time::{Duration, Instant};

use criterion::Criterion;
use hitmask::query::Queries;
use hitmask::{Body, BodyId, World};
use hitmask_workbench::workloads::{SplitMix64, Workload};

const BODIES: u32 = 30_000;

pub(super) fn bench(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("index 30k");
    for (name, count) in [("nothing changed", 0), ("30 come and go", 30), ("300 come and go", 300)] {
        let mut game = Game::new();
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|frames| game.frames(frames, |game| game.churn(count)));
        });
    }
    for (name, count) in [("all move", 0), ("all move, 300 come and go", 300)] {
        let mut game = Game::new();
        let frame = |game: &mut Game| {
            game.churn(count);
            game.turn_back();
            game.world.advance().unwrap();
        };
        group.bench_function(name, |bencher| bencher.iter_custom(|frames| game.frames(frames, frame)));
    }
    group.finish();
}

/// Bullets, and the index of queries on them.
struct Game {
    world: World,
    ids: Vec<BodyId>,
    queries: Queries,
    random: SplitMix64,
    frame: u32,
}

impl Game {
    fn new() -> Self {
        let world = Workload::Bullets.crowd(BODIES).unwrap().into_world();
        let ids = world.ids().collect();
        Self { world, ids, queries: Queries::new(), random: SplitMix64(1), frame: 0 }
    }

    /// Runs frames, and returns the time of their updates of the index, without that of the edits.
    fn frames(&mut self, frames: u64, mut edit: impl FnMut(&mut Self)) -> Duration {
        let mut time = Duration::ZERO;
        for _ in 0..frames {
            edit(self);
            let start = Instant::now();
            self.queries.on(&self.world);
            time += start.elapsed();
        }
        time
    }

    /// Removes bodies, and adds as many at the places of others.
    fn churn(&mut self, count: u32) {
        for _ in 0..count {
            let [gone, like] = [0; 2].map(|_| self.random.below(BODIES) as usize);
            let body = self.world.body(self.ids[like]).unwrap();
            self.world.remove(self.ids[gone]).unwrap();
            self.ids[gone] = self.world.add(&body).unwrap();
        }
    }

    /// Turns all motions around every 64 frames, so that the bodies stay where they are on average.
    fn turn_back(&mut self) {
        self.frame += 1;
        if self.frame % 64 == 32 {
            for id in self.world.ids().collect::<Vec<_>>() {
                let body = self.world.body(id).unwrap();
                self.world.set(id, &Body { motion: -body.motion, ..body }).unwrap();
            }
        }
    }
}
