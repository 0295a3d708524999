//! Simulated games, one for each seed: two peers that live the same edits and steps, and to whom different things
//! happen. Calls of the GPU's driver fail, devices are lost, the GPU is silent for a while, tickets are dropped or
//! taken late, engines are swapped, worlds are saved, loaded and rolled back. Whatever happens, each step has the
//! answer of the reference, which gets a new world at each step, and the peers agree on their worlds to the bit.
//!
//! As in the simulators of `FoundationDB` and `TigerBeetle`, all events are drawn from the seed. Only the engines stay
//! open from game to game, with the sizes that they have learnt.

#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
#[path = "../common/driver.rs"]
mod driver;
mod game;
#[path = "../suite/lives/life.rs"]
#[allow(dead_code, reason = "other tests take the rest")]
mod life;
mod peer;

use std::path::Path;

use driver::{Faults, on_a_faulty_driver};
use game::{Game, Happened};
use peer::Rig;

/// The steps of a game.
const STEPS: usize = 20;

/// Plays the games of some seeds. A game that fails is shrunk; what is left of its edits is written as a replay.
fn play(seeds: std::ops::Range<u64>, faults: &Faults) -> Happened {
    let (mut rigs, mut happened) = (Rig::both(), Happened::default());
    for seed in seeds {
        let game = Game::random(seed, STEPS);
        if let Err(problem) = game.play(&mut rigs, faults, &mut happened) {
            eprintln!("game {seed}: {problem}\nIt is made small, which takes minutes.");
            rigs = Rig::both();
            let small = game.shrink(|game, happened| {
                let fails = game.play(&mut rigs, faults, happened).is_err();
                if fails {
                    // Their devices may be lost.
                    rigs = Rig::both();
                }
                fails
            });
            let shown = small.play(&mut Rig::both(), faults, &mut Happened::default()).err();
            let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("game-{seed}.jsonl"));
            std::fs::write(&file, small.life.replay().to_json().unwrap()).unwrap();
            panic!(
                "game {seed}: {problem}\nmade small: {}\nwhat happens in its steps: {:?}\nits edits: hitmask replay {}",
                shown.unwrap_or_else(|| "it does not fail on new engines, only after earlier games".to_owned()),
                small.events,
                file.display(),
            );
        }
    }
    happened
}

#[test]
fn games_go_right_whatever_happens() {
    on_a_faulty_driver("games_go_right_whatever_happens", |faults| {
        let happened = play(0..100, faults);
        println!("{happened:?}");
        assert!(happened.is_enough(1), "too little to tell anything: {happened:?}");
    });
}

/// Takes an hour on two cores.
#[test]
#[ignore = "takes an hour"]
fn ten_thousand_games_go_right() {
    on_a_faulty_driver("ten_thousand_games_go_right", |faults| {
        let happened = play(100..10_100, faults);
        println!("{happened:?}");
        assert!(happened.is_enough(100), "too little to tell anything: {happened:?}");
    });
}
