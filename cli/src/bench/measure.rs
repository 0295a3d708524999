//! Frames of an engine on a moving world: each places bodies and runs a step. All are checked, some are timed.

use std::time::{Duration, Instant};

use hitmask::profile::{self, Clock, Profile};
use hitmask::{Ask, Engine, Hits};
use hitmask_workbench::workloads::Crowd;

use super::check::Checker;
use super::energy::Meter;
use super::record::{Dispatch, Stage, StepAnswer};
use super::spread::Spread;
use crate::engines::is_choosing;

/// The time, in nanoseconds, from which energy is told: the counters advance about once a millisecond.
const METERED_NS: u64 = 100_000_000;
/// The fraction by which a frame must beat all before it so that frames are said to get faster.
const FASTER: f64 = 0.03;

/// The steps to run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// The minimum and maximum number of steps before the timed ones: more than the minimum run while frames still get
    /// faster. More than the maximum run while `auto` has not chosen its engine, for half of the budget.
    pub(super) warm_up: [u32; 2],
    /// The number of timed steps.
    pub(super) runs: u32,
    /// The time after which no step begins, except that one is always timed.
    pub(super) budget: Duration,
    /// The thousandths of the bodies that move from step to step.
    pub(super) permille: u32,
    /// True if the engine only checks another, so that its instructions do not count.
    pub(super) is_witness: bool,
}

/// The measurements of a case.
#[derive(Debug, Default)]
pub(super) struct Measured {
    pub(super) warm_up: u32,
    /// The times of frames, and of the steps within them.
    pub(super) samples_ns: Vec<u64>,
    pub(super) steps_ns: Vec<u64>,
    pub(super) answers: Vec<StepAnswer>,
    pub(super) stages: Vec<Stage>,
    pub(super) longest: Option<Dispatch>,
    pub(super) candidates: u64,
    /// The energy of the processors in a timed frame, if they count it and the frames are long enough; for a GPU, that
    /// of the card in a further frame, if it counts it.
    pub(super) joules: Option<f64>,
}

impl Steps {
    /// Runs steps of an engine that is called `who`: first on the initial world, then with bodies moved to one side and
    /// to the other, in turn. Checks each answer, and calls `tick` between steps, untimed.
    pub(super) fn run(
        &self,
        engine: &mut Engine,
        crowd: &mut Crowd,
        checker: &mut Checker,
        (who, ask): (&str, Ask),
        mut tick: impl FnMut(),
    ) -> anyhow::Result<Measured> {
        let begun = Instant::now();
        let mut measured = Measured::default();
        let (mut profiles, mut untimed) = (Vec::new(), Vec::new());
        let mut hits = Hits::default();
        let (meter, mut joules) = (Meter::open(), Some(0.0));
        // The previous case left the bodies elsewhere.
        crowd.step(0, self.permille)?;
        for index in 0.. {
            // Steps 1 and 2 differ in the place of each body that moves, so no two steps in a row are alike.
            let step = if index == 0 { 0 } else { 2 - index % 2 };
            let placement = crowd.placement(step, self.permille)?;
            let elapsed = begun.elapsed();
            let chooses = is_choosing(engine) && elapsed < self.budget / 2;
            let is_warming_up = measured.samples_ns.is_empty() && (chooses || self.is_warming_up(&untimed, elapsed));
            let reading = meter.as_ref().and_then(Meter::read);
            let mut frame = || -> anyhow::Result<[Duration; 2]> {
                let start = Instant::now();
                crowd.place(&placement)?;
                let placed = start.elapsed();
                let start = Instant::now();
                engine.run_into(crowd.world(), ask, &mut hits)?;
                Ok([placed, start.elapsed()])
            };
            let is_counted = !is_warming_up && !self.is_witness;
            let [placed, stepped] = if is_counted { timed_frame(frame)? } else { frame()? };
            let taken = meter.as_ref().zip(reading).and_then(|(meter, reading)| meter.since(&reading));
            let answer = checker.take(step, who, &hits, crowd.world().len(), ask)?;
            if index <= 2 {
                measured.answers.push(StepAnswer { step, answer });
            }
            let frame = (placed + stepped).as_nanos() as u64;
            if is_warming_up {
                measured.warm_up += 1;
                untimed.push(frame);
            } else {
                measured.samples_ns.push(frame);
                joules = joules.zip(taken).map(|(sum, taken)| sum + taken);
                measured.steps_ns.push(stepped.as_nanos() as u64);
                let mut profile = engine.profile();
                profile.stages.insert(0, profile::Stage { name: "place", time: placed, clock: Clock::Host });
                profiles.push(profile);
            }
            tick();
            let ran = measured.samples_ns.len();
            if ran > 0 && (ran >= self.runs as usize || begun.elapsed() >= self.budget) {
                break;
            }
        }
        let long = measured.samples_ns.iter().sum::<u64>() >= METERED_NS;
        measured.joules = joules.filter(|_| long).map(|joules| joules / measured.samples_ns.len() as f64);
        measured.stages = stages(&profiles);
        let longest = profiles.iter().filter_map(|profile| profile.longest).max_by_key(|longest| longest.time);
        measured.longest =
            longest.map(|longest| Dispatch { entry: longest.name.into(), ns: longest.time.as_nanos() as u64 });
        measured.candidates = profiles.last().map_or(0, |profile| profile.candidates);
        Ok(measured)
    }
}

/// Runs a frame under a name by which `--instructions` has it counted.
#[inline(never)]
fn timed_frame<T>(frame: impl FnOnce() -> T) -> T {
    // As this follows the call, the call is no jump, under which the name would be lost.
    std::hint::black_box(frame())
}

impl Steps {
    /// Returns the energy of a frame, in joules, by a counter of joules: over an even number of frames, one after the
    /// other, that take `time` or longer. `None` if the counter fails or stands still.
    #[cfg(feature = "gpu")]
    pub(super) fn joules(
        &self,
        counter: impl Fn() -> Option<f64>,
        time: Duration,
        (engine, ask): (&mut Engine, Ask),
        crowd: &mut Crowd,
    ) -> anyhow::Result<Option<f64>> {
        let placements = [crowd.placement(1, self.permille)?, crowd.placement(2, self.permille)?];
        let (mut hits, mut frames) = (Hits::default(), 0_u32);
        let before = counter();
        let begun = Instant::now();
        while frames == 0 || begun.elapsed() < time {
            for placement in &placements {
                crowd.place(placement)?;
                engine.run_into(crowd.world(), ask, &mut hits)?;
                frames += 1;
            }
        }
        let taken = before.zip(counter()).map(|(before, after)| after - before);
        Ok(taken.filter(|joules| *joules > 0.0).map(|joules| joules / f64::from(frames)))
    }

    /// Returns whether another frame is to run untimed, after those that took `untimed` nanoseconds.
    fn is_warming_up(&self, untimed: &[u64], elapsed: Duration) -> bool {
        let ([least, most], frames) = (self.warm_up.map(|steps| steps as usize), untimed.len());
        // The first frame has the world in its initial state.
        if frames == 0 {
            return true;
        }
        if elapsed >= self.budget || frames >= most {
            return false;
        }
        frames < least || get_faster(untimed)
    }
}

/// Returns whether the last frame is clearly the fastest so far, so that caches, clocks or memory still warm up.
fn get_faster(frames: &[u64]) -> bool {
    let Some((last, before)) = frames.split_last() else { return false };
    before.iter().min().is_some_and(|before| (*last as f64) < *before as f64 * (1.0 - FASTER))
}

impl Measured {
    /// Adds the stages on the GPU, and the longest dispatch, of other frames of the same case.
    pub(super) fn add_gpu_stages(&mut self, timed: Self) {
        self.stages.extend(timed.stages.into_iter().filter(|stage| stage.clock == "gpu"));
        self.longest = timed.longest;
    }
}

/// Summarizes each stage over all steps, in the order in which stages first appear.
fn stages(profiles: &[Profile]) -> Vec<Stage> {
    let mut found: Vec<(&'static str, Clock)> = Vec::new();
    for stage in profiles.iter().flat_map(|profile| &profile.stages) {
        if !found.contains(&(stage.name, stage.clock)) {
            found.push((stage.name, stage.clock));
        }
    }
    let over_all = |&(name, clock): &(&'static str, Clock)| {
        let of = |profile: &Profile| {
            let stages = profile.stages.iter().filter(|stage| (stage.name, stage.clock) == (name, clock));
            stages.map(|stage| stage.time.as_nanos() as u64).sum()
        };
        let times: Vec<u64> = profiles.iter().map(of).collect();
        let clock = match clock {
            Clock::Host => "host",
            Clock::Gpu => "gpu",
        };
        Stage { name: name.into(), clock: clock.into(), time: Spread::of(&times) }
    };
    found.iter().map(over_all).collect()
}

#[cfg(test)]
mod tests {
    use hitmask_workbench::workloads::Workload;

    use super::*;

    fn measured(steps: Steps) -> (Measured, u32) {
        let mut crowd = Workload::Boxes.crowd(1000).unwrap();
        let mut checker = Checker::new("boxes of 1k".into(), Some(2039));
        let mut ticks = 0;
        let mut run =
            |engine: &mut Engine, name| steps.run(engine, &mut crowd, &mut checker, (name, Ask::Pairs), || ticks += 1);
        run(&mut Engine::reference(), "reference").unwrap();
        let measured = run(&mut Engine::cpu().unwrap(), "cpu").unwrap();
        (measured, ticks)
    }

    #[test]
    fn so_many_steps_are_timed_and_each_placement_answered() {
        let steps = Steps { warm_up: [2, 16], runs: 5, budget: Duration::MAX, permille: 1000, is_witness: false };
        let (measured, ticks) = measured(steps);
        assert!((2..=16).contains(&measured.warm_up), "{}", measured.warm_up);
        assert_eq!(measured.samples_ns.len(), 5);
        assert!(ticks >= 2 * (2 + 5), "{ticks}");
        assert_eq!(measured.stages[0].name, "place");
        assert!(measured.samples_ns.iter().zip(&measured.steps_ns).all(|(frame, step)| frame > step));
        let counts: Vec<_> =
            measured.answers.iter().map(|a| (a.step, a.answer.pairs.as_ref().unwrap().count)).collect();
        assert_eq!(counts[0], (0, 2039));
        assert_eq!((counts[1].0, counts[2].0, counts.len()), (1, 2, 3));
        assert!(counts[1].1 != counts[2].1 || measured.answers[1].answer != measured.answers[2].answer);
    }

    #[test]
    fn a_spent_budget_leaves_one_timed_step() {
        let steps =
            Steps { warm_up: [50, 50], runs: 50, budget: Duration::from_nanos(1), permille: 1000, is_witness: false };
        let (measured, ticks) = measured(steps);
        assert_eq!((measured.warm_up, measured.samples_ns.len(), ticks), (1, 1, 4));
    }

    /// With or without a GPU, `auto` measures steps on the CPU before it has chosen.
    #[cfg(feature = "gpu")]
    #[test]
    fn auto_has_chosen_before_frames_are_timed() {
        let mut crowd = Workload::Boxes.crowd(1000).unwrap();
        let mut checker = Checker::new("boxes of 1k".into(), Some(2039));
        let mut auto = Engine::auto().unwrap();
        let steps = Steps { warm_up: [1, 1], runs: 1, budget: Duration::MAX, permille: 1000, is_witness: false };
        let measured = steps.run(&mut auto, &mut crowd, &mut checker, ("auto", Ask::Pairs), || ()).unwrap();
        assert!(measured.warm_up > 5, "{}", measured.warm_up);
        assert!(!is_choosing(&auto));
    }

    #[cfg(feature = "gpu")]
    #[test]
    fn energy_is_shared_among_frames() {
        let steps = Steps { warm_up: [0, 0], runs: 1, budget: Duration::MAX, permille: 1000, is_witness: false };
        let (mut engine, mut crowd) = (Engine::cpu().unwrap(), Workload::Boxes.crowd(100).unwrap());
        for (counts, expected) in [
            ([Some(1.0), Some(9.0)], Some(4.0)),
            ([Some(1.0), Some(1.0)], None),
            ([Some(9.0), Some(1.0)], None),
            ([None, Some(1.0)], None),
            ([Some(1.0), None], None),
        ] {
            let asked = std::cell::Cell::new(0);
            let counter = || counts[asked.replace(asked.get() + 1)];
            // No time is left after the two frames that always run.
            let frame = steps.joules(counter, Duration::ZERO, (&mut engine, Ask::Pairs), &mut crowd).unwrap();
            assert_eq!((frame, asked.get()), (expected, 2), "{counts:?}");
        }
    }

    #[test]
    fn frames_warm_up_while_they_get_faster() {
        let steps =
            Steps { warm_up: [2, 16], runs: 5, budget: Duration::from_secs(1), permille: 1000, is_witness: false };
        let warms = |untimed: &[u64]| steps.is_warming_up(untimed, Duration::ZERO);
        for (untimed, expected) in [
            (&[][..], true),
            (&[100], true),
            (&[100, 50], true),
            (&[100, 50, 49], false),
            (&[100, 50, 48], true),
            (&[100, 50, 60], false),
            (&[50, 50], false),
        ] {
            assert_eq!(warms(untimed), expected, "{untimed:?}");
        }
        let halved: Vec<u64> = (0..16).map(|k| 1 << (40 - k)).collect();
        assert_eq!((warms(&halved[..15]), warms(&halved)), (true, false), "patience ends");
        assert!(!steps.is_warming_up(&[100, 50], steps.budget), "the budget is spent");
    }

    #[test]
    fn a_stage_that_a_step_does_not_need_took_nothing_there() {
        let stage = |name, nanos, clock| profile::Stage { name, time: Duration::from_nanos(nanos), clock };
        let step = |stages: &[profile::Stage]| {
            let mut profile = Profile::default();
            profile.stages.extend_from_slice(stages);
            profile
        };
        let profiles = [
            step(&[stage("pack", 5, Clock::Host)]),
            step(&[stage("pack", 7, Clock::Host), stage("sort", 40, Clock::Host), stage("sort", 9, Clock::Gpu)]),
            step(&[stage("pack", 6, Clock::Host), stage("sort", 30, Clock::Host)]),
        ];
        let told: Vec<_> =
            stages(&profiles).into_iter().map(|stage| (stage.name, stage.clock, stage.time.median_ns)).collect();
        let expected = [("pack", "host", 6), ("sort", "host", 30), ("sort", "gpu", 0)];
        assert_eq!(told, expected.map(|(name, clock, time)| (name.to_owned(), clock.to_owned(), time)));
    }
}
