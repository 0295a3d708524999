//! Engines in several threads at once, on shared worlds; tickets passed between threads; steps dropped in flight. Each
//! answer must be the reference's.

use std::sync::Barrier;
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use hitmask::cpu::Broad;
use hitmask::query::{Queries, RegionQuery};
use hitmask::{Ask, Engine, Hits, Touch, World, cpu, gpu};
use hitmask_workbench::workloads::SplitMix64;

use crate::bodies::{body, shapes};
use crate::common::{device, gpu_engine};

/// The steps of each thread.
const STEPS: usize = 8;

/// Returns worlds of all kinds of bodies, and their answers.
fn worlds() -> Vec<(World, Hits)> {
    let world = |seed| {
        let (mut world, mut random) = (World::new(Touch::Excluded), SplitMix64(seed));
        let shapes = shapes(&mut world, &mut random);
        for _ in 0..30 + 30 * seed {
            world.add(&body(&mut random, &shapes, 150)).unwrap();
        }
        let hits = Engine::reference().run(&world, Ask::Details).unwrap();
        (world, hits)
    };
    (1..=4).map(world).collect()
}

/// A function that makes an engine, in the thread that uses it.
type Make = Box<dyn Fn() -> Engine + Send>;

/// Returns engines of every kind: each on its own threads or its own GPU device, and two on one device.
fn engines() -> Vec<Make> {
    let cpu = |threads: usize, broad| -> Make {
        Box::new(move || {
            let options = cpu::Options::default().threads(threads).broad(broad);
            Engine::Cpu(cpu::Engine::with(&options).unwrap())
        })
    };
    let shared = device::open(wgpu::Limits::default());
    let gpu = |broad, own: bool| -> Make {
        let (device, queue) = (shared.device.clone(), shared.queue.clone());
        let options = gpu::Options::default().broad(broad);
        Box::new(move || {
            let made = if own {
                gpu::Engine::with(&options)
            } else {
                gpu::Engine::on(device.clone(), queue.clone(), &options)
            };
            Engine::Gpu(Box::new(made.expect("a GPU; `./test --setup` installs one in software")))
        })
    };
    vec![
        cpu(1, Broad::AllPairs),
        cpu(3, Broad::Sorted),
        cpu(2, Broad::Sorted),
        gpu(Broad::Sorted, true),
        gpu(Broad::AllPairs, false),
        gpu(Broad::Sorted, false),
    ]
}

/// All threads read the same worlds at the same time, each with its own engine; one computes regions.
#[test]
fn engines_in_several_threads_read_one_world() {
    let worlds = worlds();
    let engines = engines();
    let together = Barrier::new(engines.len() + 1);
    let (worlds, together) = (&worlds, &together);
    thread::scope(|scope| {
        for (number, make) in engines.into_iter().enumerate() {
            scope.spawn(move || {
                let mut engine = make();
                for step in 0..STEPS {
                    // In half of the steps, all threads use the same world.
                    let (world, expected) = &worlds[(step + number * (step % 2)) % worlds.len()];
                    together.wait();
                    let hits = engine.run(world, Ask::Details).unwrap();
                    assert!(hits == *expected, "engine {number}, step {step}");
                }
            });
        }
        scope.spawn(move || {
            let (mut queries, mut found) = (Queries::new(), Vec::new());
            let (mut defined, mut right) = (Queries::reference(), Vec::new());
            for step in 0..STEPS {
                let (world, _) = &worlds[step % worlds.len()];
                let region = RegionQuery::new([step as i32 * 10, 20], [step as i32 * 10 + 60, 70]);
                together.wait();
                queries.on(world).all(&region, &mut found).unwrap();
                defined.on(world).all(&region, &mut right).unwrap();
                assert_eq!(found, right, "step {step}");
            }
        });
    });
}

/// A submitted step is read in another thread, while its world changes, and after its engine is dropped.
#[test]
fn tickets_go_to_another_thread_and_outlive_their_engine() {
    let (sender, receiver) = channel::<(gpu::Ticket, Hits)>();
    let answers = thread::spawn(move || {
        let answers = receiver.iter().map(|(mut ticket, expected)| {
            let hits = ticket.wait(Duration::MAX).unwrap().unwrap();
            assert!(hits == expected);
        });
        answers.count()
    });
    for (mut world, expected) in worlds() {
        let mut engine = gpu::Engine::new().unwrap();
        for _ in 0..2 {
            sender.send((engine.submit(&world, Ask::Details).unwrap(), expected.clone())).unwrap();
        }
        // The submitted step must not see this.
        let ids: Vec<_> = world.ids().collect();
        for id in ids.into_iter().step_by(2) {
            world.remove(id).unwrap();
        }
    }
    drop(sender);
    assert_eq!(answers.join().unwrap(), 8);
}

/// Tickets and engines are dropped at any moment of a step, in many threads on one device. The remaining ones get the
/// right answers.
#[test]
fn what_is_dropped_in_flight_harms_nobody() {
    let worlds = worlds();
    let worlds = &worlds;
    // Rows are processed in runs, so that one step takes many submissions.
    let options = gpu::Options::default().broad(Broad::Sorted).candidates(150);
    let new = || gpu_engine(&options);
    thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || {
                let mut engine = new();
                for step in 0..STEPS {
                    let (world, expected) = &worlds[(step + number) % worlds.len()];
                    let mut leaves = engine.submit(world, Ask::Details).unwrap();
                    for _ in 0..step % 4 {
                        let _ = leaves.try_take().unwrap();
                    }
                    let mut stays = engine.submit(world, Ask::Details).unwrap();
                    drop(leaves);
                    if step == STEPS / 2 {
                        engine = new();
                    }
                    let hits = stays.wait(Duration::MAX).unwrap().unwrap();
                    assert!(hits == *expected, "thread {number}, step {step}");
                }
            });
        }
    });
}

/// CPU engines and their threads start and stop while others work.
#[test]
fn cpu_engines_come_and_go() {
    let worlds = worlds();
    let worlds = &worlds;
    thread::scope(|scope| {
        for threads in 1..=4 {
            scope.spawn(move || {
                for step in 0..2 * STEPS {
                    let (world, expected) = &worlds[(step + threads) % worlds.len()];
                    let mut engine = cpu::Engine::with(&cpu::Options::default().threads(threads)).unwrap();
                    assert!(engine.run(world, Ask::Details).unwrap() == *expected, "{threads} threads, step {step}");
                }
            });
        }
    });
}
