//! The contest that decides which of two engines is cheaper for one kind of step.
//!
//! It knows no clock and no engine: it receives the durations of steps, and returns the engine for the next one.
//!
//! ```text
//!   c c c c c   c c ... c   c c c c c   g g   g g g g g   c c c c ...        c: a step on the CPU, g: on the GPU
//!   measured,   the GPU is  measured    warm  measured:   the cheaper engine continues;
//!   expensive   opened      again       up    the trial   the other is tried again rarely
//! ```

use std::time::Duration;

use crate::ground::error::Error;

/// The shortest step on the CPU for which a GPU is tried: for shorter ones, submitting to a GPU alone takes as long.
const WORTH: Duration = Duration::from_millis(1);
/// The number of first steps of an engine, in a trial too, that are not counted: the engine uploads the whole world or
/// its latest changes, and allocates memory.
const WARM: u32 = 2;
/// The number of steps whose median is the cost of an engine: two of them may be held up by something else.
const COUNTED: usize = 5;
/// The fraction of the current engine's cost, as numerator and denominator, at or below which the other takes over.
const CHEAPER: [u32; 2] = [4, 5];
/// The multiple of the current engine's cost above which a single step ends a trial.
const HOPELESS: u32 = 4;
/// The factor by which a cost has to change to cause a new trial.
const CHANGED: u32 = 2;
/// The least number of steps between two trials: after a change of engines, and after many trials that changed nothing.
/// With the latter at most three steps in a hundred are trials.
const PAUSE: [u32; 2] = [64, 256];
/// The number of such pauses between two trials if the cost does not change.
const RARELY: u32 = 16;

/// One of the two engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Cpu,
    Gpu,
}

impl Side {
    fn other(self) -> Self {
        match self {
            Self::Cpu => Self::Gpu,
            Self::Gpu => Self::Cpu,
        }
    }
}

/// A contest of the two engines for one kind of step.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    /// The current engine, which answers all steps but those of trials.
    on: Side,
    /// The durations of its last steps.
    recent: Recent,
    /// The cost of the current engine when the other was last tried, and the cost of the other.
    known: Option<[Duration; 2]>,
    /// The durations of the other engine's steps, during a trial.
    trial: Option<Recent>,
    /// The number of next steps that are not counted.
    warm: u32,
    /// The number of steps since the last trial.
    since: u32,
    /// The least number of steps between two trials.
    pause: u32,
    /// The error for which the GPU cannot answer such steps, until it is tried again.
    refused: Option<Error>,
}

impl Contest {
    /// Creates a contest that starts with the engine that is likely cheaper.
    pub(super) fn new(on: Side) -> Self {
        Self {
            on,
            recent: Recent::default(),
            known: None,
            trial: None,
            warm: WARM,
            since: 0,
            pause: PAUSE[0],
            refused: None,
        }
    }

    /// Returns the current engine, which answers all steps but those of trials.
    pub(super) fn on(&self) -> Side {
        self.on
    }

    /// Returns the engine for the next step.
    pub(super) fn next(&self) -> Side {
        if self.is_trial() { self.on.other() } else { self.on }
    }

    /// Returns whether the next step is part of a trial.
    fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// Returns the cost of a step on an engine, if known.
    pub(super) fn cost(&self, side: Side) -> Option<Duration> {
        if side == self.on { self.recent.median() } else { self.known.map(|[_, other]| other) }
    }

    /// Returns whether the CPU is the current engine and takes so long that a GPU may be cheaper.
    pub(super) fn is_dear(&self) -> bool {
        self.on == Side::Cpu && self.recent.median().is_some_and(|cost| cost >= WORTH)
    }

    /// Returns whether the CPU is the current engine and takes too little time for a GPU to be tried.
    pub(super) fn is_cheap(&self) -> bool {
        self.on == Side::Cpu && self.recent.median().is_some_and(|cost| cost < WORTH)
    }

    /// Records the duration of the [next](Self::next) step. `gpu` is true if a GPU is open to be tried.
    pub(super) fn took(&mut self, time: Duration, gpu: bool) {
        self.since = self.since.saturating_add(1);
        if self.warm > 0 {
            self.warm -= 1;
            return;
        }
        if let (Some(trial), Some(cost)) = (&mut self.trial, self.recent.median()) {
            trial.add(time);
            let hopeless = (time > HOPELESS * cost).then_some(time);
            if let Some(other) = trial.median().or(hopeless) {
                self.conclude(cost, other);
            }
            return;
        }
        self.recent.add(time);
        if gpu && self.is_due() {
            (self.trial, self.warm, self.refused) = (Some(Recent::default()), WARM, None);
        }
    }

    /// Returns whether to try the other engine.
    fn is_due(&self) -> bool {
        let Some(cost) = self.recent.median().filter(|_| !self.is_cheap()) else { return false };
        if self.refused.is_some() {
            return self.since >= RARELY * self.pause;
        }
        let Some([before, other]) = self.known else { return true };
        let changed = cost >= CHANGED * before || before >= CHANGED * cost || is_cheaper(other, cost);
        self.since >= if changed { self.pause } else { RARELY * self.pause }
    }

    /// Ends a trial, in which the current engine costs `cost` and the other one `other`.
    fn conclude(&mut self, cost: Duration, other: Duration) {
        let trial = self.trial.take().unwrap_or_default();
        self.since = 0;
        if is_cheaper(other, cost) {
            (self.on, self.recent, self.known) = (self.on.other(), trial, Some([other, cost]));
            self.pause = PAUSE[0];
        } else {
            self.known = Some([cost, other]);
            self.pause = (2 * self.pause).min(PAUSE[1]);
        }
    }

    /// Discards measurements taken while something else kept the machine busy.
    pub(super) fn measure_again(&mut self) {
        self.recent = Recent::default();
    }

    /// Switches to the CPU, as the GPU is gone.
    pub(super) fn lose_gpu(&mut self) {
        if self.on == Side::Gpu || self.is_trial() {
            *self = Self::new(Side::Cpu);
        }
        (self.known, self.refused) = (None, None);
    }

    /// Switches to the CPU, as the GPU cannot answer such a step. It is tried again as rarely as without a change.
    pub(super) fn refuse_gpu(&mut self, error: Error) {
        self.lose_gpu();
        (self.refused, self.since) = (Some(error), 0);
    }

    /// Returns the error for which the GPU cannot answer such steps, if so.
    pub(super) fn refused(&self) -> Option<&Error> {
        self.refused.as_ref()
    }
}

/// Returns whether an engine that costs `other` should take over from one that costs `cost`.
fn is_cheaper(other: Duration, cost: Duration) -> bool {
    CHEAPER[1] * other <= CHEAPER[0] * cost
}

/// The durations of the last steps of an engine.
#[derive(Clone, Copy, Debug, Default)]
struct Recent {
    times: [Duration; COUNTED],
    added: usize,
}

impl Recent {
    fn add(&mut self, time: Duration) {
        self.times[self.added % COUNTED] = time;
        self.added += 1;
    }

    /// Returns their median, if there are enough of them.
    fn median(&self) -> Option<Duration> {
        let mut times = self.times;
        times.sort_unstable();
        (self.added >= COUNTED).then_some(times[COUNTED / 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays `steps` steps that cost `cost` milliseconds each; returns their engines, a letter each.
    fn play(contest: &mut Contest, steps: usize, gpu: bool, cost: impl Fn(Side, usize) -> f64) -> String {
        let step = |step| {
            let side = contest.next();
            contest.took(Duration::from_secs_f64(cost(side, step) / 1e3), gpu);
            if side == Side::Cpu { 'c' } else { 'g' }
        };
        (0..steps).map(step).collect()
    }

    /// Run-length encodes letters: "cccg" as "3c 1g".
    fn runs(engines: &str) -> String {
        let runs = engines.as_bytes().chunk_by(|a, b| a == b);
        runs.map(|run| format!("{}{}", run.len(), char::from(run[0]))).collect::<Vec<_>>().join(" ")
    }

    fn begun() -> Contest {
        Contest::new(Side::Cpu)
    }

    fn by([cpu, gpu]: [f64; 2]) -> impl Fn(Side, usize) -> f64 {
        move |side, _| if side == Side::Cpu { cpu } else { gpu }
    }

    #[test]
    fn below_a_millisecond_no_gpu_is_tried() {
        for gpu in [false, true] {
            let mut contest = begun();
            assert_eq!(runs(&play(&mut contest, 10_000, gpu, by([0.99, 0.01]))), "10000c");
            assert!(contest.is_cheap() && !contest.is_dear());
        }
    }

    #[test]
    fn a_gpu_is_wanted_as_soon_as_five_steps_were_dear() {
        let mut contest = begun();
        assert_eq!(play(&mut contest, 6, false, by([1.0, 0.1])), "cccccc");
        assert!(!contest.is_dear(), "two are not counted");
        assert_eq!(play(&mut contest, 1, false, by([1.0, 0.1])), "c");
        assert!(contest.is_dear());
        assert_eq!(play(&mut contest, 50, false, by([1.0, 0.1])), "c".repeat(50), "it is not there yet");
        contest.measure_again();
        assert!(!contest.is_dear());
        assert_eq!(runs(&play(&mut contest, 50, true, by([1.0, 0.1]))), "5c 45g");
    }

    #[test]
    fn the_other_takes_over_where_it_is_cheaper_by_a_fifth() {
        assert_eq!(runs(&play(&mut begun(), 100, true, by([2.0, 1.6]))), "7c 93g");
        assert_eq!(runs(&play(&mut begun(), 100, true, by([2.0, 1.61]))), "7c 7g 86c");
        let mut on_gpu = Contest::new(Side::Gpu);
        assert_eq!(runs(&play(&mut on_gpu, 100, true, by([0.8, 1.0]))), "7g 93c", "also below a millisecond");
        assert_eq!(runs(&play(&mut Contest::new(Side::Gpu), 100, true, by([0.9, 1.0]))), "7g 7c 86g");
    }

    #[test]
    fn steps_that_compile_or_are_held_up_are_not_counted() {
        let compiles = |side, step| if step == 7 || step == 8 { 500.0 } else { by([2.0, 1.0])(side, step) };
        assert_eq!(runs(&play(&mut begun(), 100, true, compiles)), "7c 93g");
        let held_up = |side, step| if [3, 5, 9, 12].contains(&step) { 4.0 } else { by([2.0, 1.0])(side, step) };
        assert_eq!(runs(&play(&mut begun(), 100, true, held_up)), "7c 93g");
    }

    #[test]
    fn a_hopeless_trial_ends_early() {
        assert_eq!(runs(&play(&mut begun(), 100, true, by([2.0, 8.1]))), "7c 3g 90c");
        assert_eq!(runs(&play(&mut begun(), 100, true, by([2.0, 7.9]))), "7c 7g 86c");
    }

    #[test]
    fn without_a_change_the_other_is_tried_rarely() {
        let engines = play(&mut begun(), 20_000, true, by([2.0, 2.0]));
        let pauses = [7, RARELY * 2 * PAUSE[0], RARELY * PAUSE[1], RARELY * PAUSE[1]];
        let expected: Vec<_> = pauses.iter().map(|pause| format!("{pause}c 7g")).collect();
        assert!(runs(&engines).starts_with(&expected.join(" ")), "{}", runs(&engines));
    }

    #[test]
    fn a_cost_that_changes_is_looked_into() {
        // The CPU becomes more expensive than the GPU, which was the more expensive one.
        let mut contest = begun();
        play(&mut contest, 500, true, by([2.0, 3.0]));
        assert_eq!(runs(&play(&mut contest, 100, true, by([4.0, 3.0]))), "3c 97g");
        // The GPU becomes cheaper: the world has changed, so the cost on the CPU may have changed too.
        assert_eq!(runs(&play(&mut contest, 100, true, by([0.5, 1.4]))), "3g 97c");
        // The CPU becomes more expensive, still below the GPU's old cost; but that has changed too.
        let mut contest = begun();
        play(&mut contest, 500, true, by([2.0, 10.0]));
        assert_eq!(runs(&play(&mut contest, 100, true, by([4.0, 3.0]))), "3c 97g");
        // The GPU becomes more expensive than the CPU was, but by less than the factor.
        let mut contest = begun();
        assert_eq!(runs(&play(&mut contest, 500, true, by([3.0, 2.0]))), "7c 493g");
        assert_eq!(runs(&play(&mut contest, 100, true, by([3.0, 3.9]))), "3g 97c");
    }

    #[test]
    fn trials_are_a_small_part_of_all_steps_whatever_they_cost() {
        // The cost jumps each second (60 steps), by more than the factor that causes a trial.
        let leaps = |_, step: usize| if (step / 60).is_multiple_of(2) { 2.0 } else { 5.0 };
        let engines = play(&mut begun(), 100_000, true, leaps);
        let tried = engines.matches('g').count();
        assert!((1_000..3_000).contains(&tried), "{tried}");
    }

    #[test]
    fn engines_that_cost_about_the_same_do_not_take_turns() {
        let noisy = |_, step: usize| 2.0 + 0.1 * (step * step % 5) as f64;
        let engines = play(&mut begun(), 100_000, true, noisy);
        assert!(engines.matches('g').count() <= 7 * 30 && engines.ends_with('c'), "{}", runs(&engines));
    }

    #[test]
    fn a_gpu_that_cannot_answer_is_tried_again_rarely() {
        let error = || Error::Gpu { problem: "it does not fit".into() };
        for mut contest in [begun(), Contest::new(Side::Gpu)] {
            while contest.next() == Side::Cpu {
                play(&mut contest, 1, true, by([2.0, 1.0]));
            }
            contest.refuse_gpu(error());
            assert!(contest.refused().is_some() && contest.cost(Side::Gpu).is_none());
            let steps = RARELY * PAUSE[0];
            assert_eq!(runs(&play(&mut contest, steps as usize + 1, true, by([2.0, 1.0]))), format!("{steps}c 1g"));
            assert!(contest.refused().is_none(), "it is being tried");
            contest.refuse_gpu(error());
            contest.lose_gpu();
            assert!(contest.refused().is_none() && contest.next() == Side::Cpu);
        }
    }

    #[test]
    fn a_gpu_that_is_lost_is_left() {
        let mut on_cpu = begun();
        play(&mut on_cpu, 50, true, by([2.0, 3.0]));
        assert!(on_cpu.cost(Side::Gpu).is_some());
        on_cpu.lose_gpu();
        assert!(on_cpu.cost(Side::Gpu).is_none() && on_cpu.is_dear());
        for steps in [7, 8, 12, 50] {
            let mut contest = begun();
            play(&mut contest, steps, true, by([2.0, 1.0]));
            assert_eq!(contest.next(), Side::Gpu);
            contest.lose_gpu();
            assert_eq!(runs(&play(&mut contest, 5000, false, by([2.0, 1.0]))), "5000c");
            assert_eq!(contest.cost(Side::Gpu), None);
            assert!(contest.is_dear(), "so that another one may be opened");
        }
    }
}
