//! Which of two engines is the cheaper for one kind of question.
//!
//! Neither clocks nor engines are known here: a contest is told what steps took, and says which engine is next.
//!
//! ```text
//!   c c c c c   c c ... c   c c c c c   g g   g g g g g   c c c c ...        c: a step on the CPU, g: on the GPU
//!   measured,   the GPU is  measured    warm  measured:   the cheaper goes on, and
//!   and dear    opened      again             its trial   the other is tried again rarely
//! ```

use std::time::Duration;

/// What a step on the CPU takes at least for a GPU to be tried: with less, a GPU takes as long to be told what to do.
const WORTH: Duration = Duration::from_millis(1);
/// The first steps of an engine, in a trial too, that are not counted: it knows nothing of the world, or not the
/// latest, and makes room for what it has not had before.
const WARM: u32 = 2;
/// The steps of which the median is what an engine costs: two of them may be held up by something else.
const COUNTED: usize = 5;
/// The other engine takes over where it costs at most this much of what the one that answers does.
const CHEAPER: [u32; 2] = [4, 5];
/// A single step that takes this many times what the engine that answers takes ends a trial.
const HOPELESS: u32 = 4;
/// A cost is another one where it has changed by this factor.
const CHANGED: u32 = 2;
/// The steps between two trials at least, after a change of engines and after many trials that changed nothing: then at
/// most three steps in a hundred are trials.
const PAUSE: [u32; 2] = [64, 256];
/// How many such pauses there are between two trials where the cost does not change.
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

/// Which engine answers one kind of question: the cheaper, as far as is known.
#[derive(Clone, Debug)]
pub(super) struct Contest {
    /// The engine that answers but for trials, and what its last steps took.
    on: Side,
    recent: Recent,
    /// What it took when the other was last tried, and what that took.
    known: Option<[Duration; 2]>,
    /// What the steps of the other took, while it is tried.
    trial: Option<Recent>,
    /// The next steps that are not counted.
    warm: u32,
    /// The steps since the last trial, and how many there are between two at least.
    since: u32,
    pause: u32,
}

impl Contest {
    /// Begins with the engine that is likely the cheaper.
    pub(super) fn new(on: Side) -> Self {
        Self { on, recent: Recent::default(), known: None, trial: None, warm: WARM, since: 0, pause: PAUSE[0] }
    }

    /// The engine that answers but for trials.
    pub(super) fn on(&self) -> Side {
        self.on
    }

    /// The engine for the next step.
    pub(super) fn next(&self) -> Side {
        if self.is_trial() { self.on.other() } else { self.on }
    }

    /// Whether the next step is one of a trial.
    fn is_trial(&self) -> bool {
        self.trial.is_some()
    }

    /// What a step of an engine costs, if that is known.
    pub(super) fn cost(&self, side: Side) -> Option<Duration> {
        if side == self.on { self.recent.median() } else { self.known.map(|[_, other]| other) }
    }

    /// Whether the CPU answers, and takes so long that a GPU may be cheaper.
    pub(super) fn is_dear(&self) -> bool {
        self.on == Side::Cpu && self.recent.median().is_some_and(|cost| cost >= WORTH)
    }

    /// Whether the CPU answers, and takes so little that no GPU is tried.
    pub(super) fn is_cheap(&self) -> bool {
        self.on == Side::Cpu && self.recent.median().is_some_and(|cost| cost < WORTH)
    }

    /// Takes note of what the [next](Self::next) step took, and whether the GPU is there to be tried.
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
            (self.trial, self.warm) = (Some(Recent::default()), WARM);
        }
    }

    /// Whether the other engine is to be tried.
    fn is_due(&self) -> bool {
        let Some(cost) = self.recent.median().filter(|_| !self.is_cheap()) else { return false };
        let Some([before, other]) = self.known else { return true };
        let changed = cost >= CHANGED * before || before >= CHANGED * cost || is_cheaper(other, cost);
        self.since >= if changed { self.pause } else { RARELY * self.pause }
    }

    /// Ends a trial: the engine that answers takes `cost`, the other one `other`.
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

    /// Forgets what was measured while something else kept the machine busy.
    pub(super) fn measure_again(&mut self) {
        self.recent = Recent::default();
    }

    /// The CPU answers from now on: the GPU is gone.
    pub(super) fn lose_gpu(&mut self) {
        if self.on == Side::Gpu || self.is_trial() {
            *self = Self::new(Side::Cpu);
        }
        self.known = None;
    }
}

/// Whether an engine that costs `other` is to take over from one that costs `cost`.
fn is_cheaper(other: Duration, cost: Duration) -> bool {
    CHEAPER[1] * other <= CHEAPER[0] * cost
}

/// What the last steps of an engine took.
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

    /// Their median, where there are enough of them.
    fn median(&self) -> Option<Duration> {
        let mut times = self.times;
        times.sort_unstable();
        (self.added >= COUNTED).then_some(times[COUNTED / 2])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The engines of so many steps, a letter each, where a step takes so many milliseconds.
    fn play(contest: &mut Contest, steps: usize, gpu: bool, cost: impl Fn(Side, usize) -> f64) -> String {
        let step = |step| {
            let side = contest.next();
            contest.took(Duration::from_secs_f64(cost(side, step) / 1e3), gpu);
            if side == Side::Cpu { 'c' } else { 'g' }
        };
        (0..steps).map(step).collect()
    }

    /// Runs of equal letters: "cccg" as "3c 1g".
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
        // The CPU gets dearer, when the GPU was a little dearer than it.
        let mut contest = begun();
        play(&mut contest, 500, true, by([2.0, 3.0]));
        assert_eq!(runs(&play(&mut contest, 100, true, by([4.0, 3.0]))), "3c 97g");
        // The GPU gets cheaper: the world has changed, and so may have what the CPU takes.
        assert_eq!(runs(&play(&mut contest, 100, true, by([0.5, 1.4]))), "3g 97c");
        // The CPU gets dearer, but not than the GPU was, which is another now too.
        let mut contest = begun();
        play(&mut contest, 500, true, by([2.0, 10.0]));
        assert_eq!(runs(&play(&mut contest, 100, true, by([4.0, 3.0]))), "3c 97g");
        // The GPU gets dearer than the CPU was, but by less than the factor.
        let mut contest = begun();
        assert_eq!(runs(&play(&mut contest, 500, true, by([3.0, 2.0]))), "7c 493g");
        assert_eq!(runs(&play(&mut contest, 100, true, by([3.0, 3.9]))), "3g 97c");
    }

    #[test]
    fn trials_are_a_small_part_of_all_steps_whatever_they_cost() {
        // A cost that leaps each second, by the factor that asks for a trial.
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
