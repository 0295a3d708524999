//! Worlds that are hard on a broad phase: the GPU's, sorted and not, against the CPU's.

use super::*;
use crate::cpu;
use crate::profile::Clock;
use crate::workloads::Workload;

fn engine(options: &Options) -> Engine {
    Engine::with(options).expect("a GPU; `./test` installs one in software")
}

/// Clusters, sizes from small to very large, rows, columns, one spot, giants: flags, pairs and details.
#[test]
fn every_workload_is_answered_as_on_the_cpu() {
    let broad = |broad| engine(&Options { broad, ..Options::default() });
    let mut cpu = cpu::Engine::new().unwrap();
    let mut gpus = [broad(Broad::AllPairs), broad(Broad::Sorted)];
    for workload in Workload::ALL {
        let world = workload.world(2_500).unwrap();
        for ask in [Ask::Flags, Ask::Pairs, Ask::Details] {
            let expected = cpu.run(&world, ask);
            for gpu in &mut gpus {
                let hits = gpu.run(&world, ask).unwrap();
                assert!(hits == expected, "{workload:?}, {ask:?}, {:?}", gpu.broad);
            }
        }
    }
}

/// An engine that has little room for candidates does sorted rows in runs, which the host puts together; and one that has seen a large
/// answer begins the next step with room for it.
#[test]
fn what_does_not_fit_at_once_is_whole() {
    let world = Workload::Boxes.world(5_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&world, Ask::Details);
    let mut small = engine(&Options { broad: Broad::Sorted, candidates: Some(2_000), ..Options::default() });
    assert!(expected.pairs.len() > 4 * 2_000, "several runs");
    assert!(small.run(&world, Ask::Details).unwrap() == expected);

    let crowd = Workload::Spot.world(2_000).unwrap();
    let expected = cpu::Engine::new().unwrap().run(&crowd, Ask::Pairs);
    let mut gpu = engine(&Options::default());
    assert!(gpu.run(&crowd, Ask::Pairs).unwrap() == expected);
    assert!(gpu.profile().candidates > u64::from(2_000 * CANDIDATES_EACH), "more than there was room for");
    assert!(gpu.run(&crowd, Ask::Pairs).unwrap() == expected);
}

/// Where timestamps are asked for, and the GPU has them, every stage of a step has a time.
#[test]
fn stages_are_timed() {
    let world = Workload::Turned.world(300).unwrap();
    let mut timed = engine(&Options { timestamps: true, broad: Broad::Sorted, ..Options::default() });
    timed.run(&world, Ask::Details).unwrap();
    let names = |clock| -> Vec<_> {
        let stages = &timed.profile().stages;
        stages.iter().filter(|stage| stage.clock == clock).map(|stage| stage.name).collect()
    };
    assert_eq!(names(Clock::Host), ["upload", "submit", "wait", "readback"]);
    if timed.timer.is_some() {
        assert_eq!(names(Clock::Gpu), ["land", "sort", "sweep", "paint", "judge", "order", "details"]);
    }
}
