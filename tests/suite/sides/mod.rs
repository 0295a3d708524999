//! The sides that a body meets, and slides along them, checked by an independent judge.
//!
//! ```text
//! case      a random ground of each kind, a mover of each kind, mostly in touch with it, and a motion
//! judge     finds the sides from the definition alone (i_overlay)
//! prepared  a case with its world and its judge: finds the places of stops, and checks the reported normals
//! laws      what must hold for sweeps, slides, stops of steps and their mirror images
//! repro     shrinks a case that breaks a law
//! ```
//!
//! `./test` checks 2,000 cases. `HITMASK_CASES=100000 cargo test --test suite sides` checks that many on all cores and
//! reports how many break which law, by ground and by mover. All are listed in `target/tmp/sides.txt`; some are also
//! written there as scenes and programs.

mod case;
mod draw;
mod drift;
mod ground;
mod judge;
mod laws;
mod mover;
mod planted;
mod prepared;
mod repro;
mod solid;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::thread;

use case::Case;
use laws::{Checker, LAWS, Law, Violation};

/// The number of cases if `HITMASK_CASES` is not set.
const CASES: u64 = 2_000;
/// Cases beyond these that have broken a law.
const KEPT: [u64; 10] = [6904, 21912, 48544, 50509, 61421, 69195, 75933, 78411, 88648, 93063];
/// The number of failing cases that are described in full.
const SHOWN: usize = 4;

#[test]
fn bodies_meet_sides_of_what_is_there_and_slide_along_them() {
    let cases = std::env::var("HITMASK_CASES").map_or(CASES, |count| count.parse().expect("HITMASK_CASES is a number"));
    let threads = thread::available_parallelism().map_or(1, |count| count.get() as u64);
    let tested = thread::scope(|scope| {
        let check = |thread: u64| {
            let (mut checker, mut broken) = (Checker::new(), Vec::new());
            let kept = KEPT.into_iter().filter(|seed| *seed >= cases && seed % threads == thread);
            for seed in kept.chain((thread..cases).step_by(threads as usize)) {
                let case = Case::random(seed);
                let violations = checker.check(&case);
                if !violations.is_empty() {
                    broken.push((violations, case));
                }
            }
            (broken, checker.tested)
        };
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || check(thread))).collect();
        running.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
    });
    let (broken, tested): (Vec<_>, Vec<_>) = tested.into_iter().unzip();
    let broken: Vec<_> = broken.into_iter().flatten().collect();
    let tested = |law: Law| tested.iter().filter_map(|tested| tested.get(&law)).sum::<u64>();
    assert!(broken.is_empty(), "{} of {cases} cases break laws\n{}", broken.len(), report(broken, tested));
    for law in LAWS {
        let least = if law == Law::Touching { cases / 200 } else { cases / 100 };
        assert!(tested(law) > least, "{law:?} is tested in {} of {cases} cases", tested(law));
    }
}

/// Returns a report of how many cases break which law, with some in detail.
fn report(mut broken: Vec<(Vec<Violation>, Case)>, tested: impl Fn(Law) -> u64) -> String {
    let (mut text, mut checker) = (String::new(), Checker::new());
    // Cases of few bodies are the easiest to understand, so they come first.
    broken.sort_by_key(|(_, case)| (case.scene.bodies.len(), case.seed));
    let lines = broken.iter().flat_map(|(violations, case)| violations.iter().map(move |violation| (violation, case)));
    let lines = lines.map(|(violation, case)| {
        format!("{} {:?} {:?} {:?} {violation}\n", case.seed, case.scene.touch, case.mover, case.ground)
    });
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("sides.txt"), lines.collect::<String>()).unwrap();
    for law in LAWS {
        let breaks = |violations: &[Violation]| violations.iter().any(|violation| violation.law == law);
        let of_law: Vec<&Case> =
            broken.iter().filter(|(violations, _)| breaks(violations)).map(|(_, case)| case).collect();
        if of_law.is_empty() {
            continue;
        }
        let (mut grounds, mut movers) = (BTreeMap::new(), BTreeMap::new());
        for case in &of_law {
            *grounds.entry(case.ground).or_insert(0) += 1;
            *movers.entry(case.mover).or_insert(0) += 1;
        }
        let _ = writeln!(
            text,
            "\n{law:?}: {} cases, of {} tests\n  by ground {grounds:?}\n  by mover {movers:?}",
            of_law.len(),
            tested(law)
        );
        for case in of_law.into_iter().take(SHOWN) {
            let _ = writeln!(text, "{}", shown(case, law, &mut checker));
        }
    }
    text
}

/// Writes a shrunk case, and returns how it breaks a law.
fn shown(case: &Case, law: Law, checker: &mut Checker) -> String {
    let (small, violation) = repro::shrink(case, law, checker);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sides-{law:?}-{}.json", case.seed));
    let program = repro::program(&small, &violation);
    std::fs::write(&file, small.scene.to_json().unwrap()).unwrap();
    std::fs::write(file.with_extension("rs"), &program).unwrap();
    format!("{program}// replay it: hitmask query {}", file.display())
}
