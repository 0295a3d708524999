//! Worlds edited over many steps, on every engine that keeps data between steps. The reference is the judge: to it,
//! each step is a new world.

mod life;

use hitmask::cpu::{Broad, Simd};
use hitmask::scene::{Moment, Play, Replay};
use hitmask::{Ask, Engine};

use crate::common::{self, Runner, Setup};

/// The number of random lives, and the steps of each. The GPU lives a part of them, as a step in software takes as long
/// as hundreds on the CPU.
const LIVES: u64 = 600;
const STEPS: usize = 50;

/// Returns the CPU engine, which keeps data between steps, with both broad phases.
fn cpus() -> Vec<Runner> {
    let sorted = Setup::Cpu { simd: Simd::best(), broad: Broad::Sorted, threads: 2 };
    [Setup::threads(1), sorted].map(Setup::runner).into()
}

/// If an engine differs from the reference, the life is shrunk and written as a replay file.
#[test]
fn lives_are_lived_alike_on_every_engine() {
    let mut runners = cpus();
    runners.extend(common::gpus().take(1).map(Setup::runner));
    let mut pairs = 0;
    for seed in 0..LIVES {
        let life = life::random(seed, STEPS);
        let runners = if seed.is_multiple_of(8) { &mut runners[..] } else { &mut runners[..2] };
        match life.live(runners) {
            Ok(count) => pairs += count,
            Err(difference) => {
                let small = life.shrink(|life| life.live(runners).is_err());
                let shown = small.live(runners).err().unwrap_or_default();
                let file = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("life-{seed}.jsonl"));
                std::fs::write(&file, small.replay().to_json().unwrap()).unwrap();
                panic!("life {seed}: {difference}\nmade small: {shown}\nreplay it: hitmask replay {}", file.display());
            }
        }
    }
    assert!(pairs > 20 * LIVES as usize, "{pairs} pairs are too few to tell anything");
}

/// A life's replay file gives the same pairs, except for the order of bodies.
#[test]
fn a_life_is_what_its_replay_file_says() {
    for seed in 0..40 {
        let life = life::random(seed, 12);
        let replay = Replay::parse(&life.replay().to_json().unwrap(), ".".as_ref()).unwrap();
        let (mut play, mut pairs) = (replay.play().unwrap(), 0);
        while play.edit().unwrap_or_else(|error| panic!("life {seed}: {error}")) {
            let hits = Engine::reference().run(play.world(), Ask::Pairs).unwrap();
            pairs += play.take(&hits).unwrap().pairs.len();
        }
        assert_eq!(pairs, life.pairs(), "life {seed}");
    }
}

/// A replay that is saved after any step and resumed gives the lines of the whole, on every engine.
#[test]
fn a_replay_that_was_cut_goes_on() {
    let mut runners = cpus();
    runners.push(Runner { setup: Setup::Reference, engine: Engine::reference() });
    let mut gpu: Vec<Runner> = common::gpus().take(1).map(Setup::runner).collect();
    let mut ended = 0;
    for seed in 0..60 {
        let replay = Replay::parse(&life::random(seed, 12).replay().to_json().unwrap(), ".".as_ref()).unwrap();
        // Plays to the end; returns each step and the moment after it.
        let play = |mut play: Play<'_>, engine: &mut Engine| {
            let mut steps = Vec::new();
            while play.edit().unwrap() {
                let hits = engine.run(play.world(), Ask::Pairs).unwrap();
                steps.push((play.take(&hits).unwrap(), play.moment().save().unwrap()));
            }
            steps
        };
        let whole = play(replay.play().unwrap(), &mut Engine::reference());
        ended += whole.iter().map(|(step, _)| step.ended.len()).sum::<usize>();
        let runners = runners.iter_mut().chain(gpu.iter_mut().filter(|_| seed % 10 == 0));
        for runner in runners {
            let start = replay.play().unwrap().moment().save().unwrap();
            for (cut, moment) in [&start].into_iter().chain(whole.iter().map(|(_, moment)| moment)).enumerate() {
                let moment = Moment::load(moment).unwrap();
                assert_eq!(moment.step(), cut);
                let rest = play(replay.resume(moment).unwrap(), &mut runner.engine);
                assert!(rest == whole[cut..], "life {seed} cut after step {cut} on {}", runner.setup);
            }
        }
    }
    assert!(ended > 300, "{ended} pairs that ended are too few to tell anything");
}

/// A life that is saved, led astray and loaded goes on as one that is not, on every engine.
#[cfg(feature = "internals")]
#[test]
fn lives_go_on_where_they_were_saved() {
    let setups = [Setup::threads(1), Setup::Cpu { simd: Simd::best(), broad: Broad::Sorted, threads: 2 }];
    let setups = setups.into_iter().chain(common::gpus().take(1));
    let mut runners: Vec<_> = setups.map(|setup| [setup.runner(), setup.runner()]).collect();
    let lives = (0..LIVES).map(|seed| {
        let engines = if seed.is_multiple_of(16) { &mut runners[..] } else { &mut runners[..2] };
        life::random(seed, STEPS).live_and_save(engines, seed)
    });
    let loads: usize = lives.sum();
    assert!(loads > 10 * LIVES as usize, "{loads} loads are too few to tell anything");
}
