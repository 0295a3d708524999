//! Crowds on several threads, step after step, for `ThreadSanitizer`: the answers equal those of one thread. This is
//! not a fuzzer, but a program that ends by itself, within minutes even though each access is checked.

use std::ops::ControlFlow;

use hitmask::cpu::{Engine, Options};
use hitmask::query::{Answers, Queries, RayCast};
use hitmask::{Ask, Bodies};
use hitmask_workbench::workloads::Workload;

/// Number of bodies, above the number at which the engine starts to use its threads.
const BODIES: u32 = 4_500;

fn engine(threads: usize) -> Engine {
    Engine::with(&Options::default().threads(threads)).expect("an engine")
}

fn main() {
    let mut pairs = 0;
    for workload in [Workload::Boxes, Workload::Turned, Workload::Bullets, Workload::Clustered, Workload::Cover] {
        let mut crowd = workload.crowd(BODIES).expect("a crowd").moving();
        let (mut one, mut several) = (engine(1), [engine(2), engine(5)]);
        for (step, permille) in [(0, 0), (1, 1000), (2, 0), (3, 10), (4, 20), (5, 1000)] {
            crowd.step(step, permille).expect("they stay in the world");
            let expected = one.run(crowd.world(), Ask::Details).expect("an answer");
            for engine in &mut several {
                // Flags alone and details set flags in different code.
                for ask in [Ask::Flags, Ask::Details] {
                    let hits = engine.run(crowd.world(), ask).expect("an answer");
                    let whole = ask == Ask::Flags || hits == expected;
                    assert!(hits.flags == expected.flags && whole, "{workload} {step} {ask:?}");
                }
                if step == 4 {
                    let mut streamed = Vec::new();
                    let ended = engine.stream(crowd.world(), Ask::Pairs, 1 << 16, |run, _| {
                        streamed.extend_from_slice(run);
                        ControlFlow::<()>::Continue(())
                    });
                    assert!(ended.expect("a stream").is_continue() && streamed == expected.pairs, "{workload}");
                }
            }
            pairs += expected.pairs.len();
        }
        // Set positions and answer queries, both on all threads.
        let mut world = crowd.world().clone();
        let at: Vec<[f64; 2]> = (0..world.indices()).map(|k| [(k % 70) as f64 * 9.0, (k / 70) as f64 * 9.0]).collect();
        world.set_positions(Bodies::All, &at).expect("they stay in the world");
        let rays: Vec<RayCast> = at.iter().map(|&[x, y]| RayCast::new([x, y], [x + 50.0, y + 30.0])).collect();
        let mut answers = Answers::new();
        Queries::new().on(&world).all_of(&rays, &mut answers).expect("answers");
        assert_eq!(answers.len(), rays.len());
    }
    println!("{pairs} pairs, on 1, 2 and 5 threads alike");
}
