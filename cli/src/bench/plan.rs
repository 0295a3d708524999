//! The plan of a benchmark: all that it measures, in order.

use std::time::Duration;

use hitmask_workbench::workloads::{Crowd, Workload};
use indicatif::ProgressBar;

#[cfg(feature = "gpu")]
use super::card::Card;
use super::check::Checker;
use super::input::Input;
use super::instructions;
use super::interval::of_median;
use super::measure::{Measured, Steps};
use super::options::{BroadName, Options, PathName, SimdName, name_of};
use super::record::{Case, EngineRecord, Record, Roof};
use super::setting::{Opener, Setting, describe, hardware_gpu};
use super::size::{Size, short};
use super::spread::Spread;
use crate::engines::{Backend, tell_of};
use crate::{progress, save};

/// The default workloads.
const WORKLOADS: [Workload; 5] =
    [Workload::Boxes, Workload::Circles, Workload::Sprites, Workload::Turned, Workload::Bullets];
/// The default sizes of workloads.
const SIZES: [Size; 3] = [Size(1_000), Size(10_000), Size(100_000)];

/// How many times the minimum of frames before the timed ones run at most.
const PATIENCE: u32 = 8;
/// The time over which the energy of a card is measured: long, as counters advance far less often than frames end.
#[cfg(feature = "gpu")]
const METERED: Duration = Duration::from_secs(2);
/// The most frames in which the stages on a GPU are timed.
const TIMED_RUNS: u32 = 5;

/// The worlds to measure, and the settings for each of them.
pub(super) struct Plan<'a> {
    options: &'a Options,
    opener: Opener<'a>,
    steps: Steps,
    /// The inputs, each with its sizes.
    worlds: Vec<(Input, Vec<u32>)>,
    settings: Vec<Setting>,
    engines: Vec<EngineRecord>,
}

impl<'a> Plan<'a> {
    /// Plans what `options` request. Returns an error before anything is measured if part of it is impossible.
    pub(super) fn new(options: &'a Options) -> anyhow::Result<Self> {
        let inputs = if options.inputs.is_empty() {
            WORKLOADS.map(Input::Workload).into()
        } else {
            each_once(&options.inputs).map(|text| Input::open(text)).collect::<anyhow::Result<Vec<_>>>()?
        };
        for (_, out) in options.written() {
            inputs.iter().try_for_each(|input| save::check_apart(out, input.files()))?;
        }
        if !options.sizes.is_empty() && inputs.iter().all(|input| input.workload().is_none()) {
            anyhow::bail!("--sizes applies to workloads; a scene has its own size");
        }
        let sizes: Vec<Size> =
            if options.sizes.is_empty() { SIZES.into() } else { each_once(&options.sizes).copied().collect() };
        let worlds = inputs.into_iter().map(|input| input.sizes(&sizes).map(|sizes| (input, sizes)));
        let worlds = worlds.collect::<anyhow::Result<Vec<_>>>()?;
        let backends = backends(options)?;
        let opener = Opener(options);
        if options.instructions {
            instructions::check()?;
        }
        let settings = settings(options, &backends);
        let broad = BroadName::Auto;
        let ask = options.ask[0];
        let path = Some(name_of(&options.gpu_path)).filter(|_| options.gpu_path != PathName::Best);
        let describe = |&backend: &Backend| {
            let record = describe(backend, &opener.open(Setting { backend, broad, ask })?);
            let path = path.clone().filter(|_| matches!(backend, Backend::Gpu | Backend::Auto));
            Ok(EngineRecord { path, ..record })
        };
        let engines = backends.iter().map(describe).collect::<anyhow::Result<Vec<_>>>()?;
        let steps = Steps {
            warm_up: [options.warm_up, options.warm_up.saturating_mul(PATIENCE)],
            runs: options.runs,
            budget: Duration::try_from_secs_f64(options.budget).unwrap_or(Duration::MAX),
            permille: options.steady,
            is_witness: false,
        };
        Ok(Self { options, opener, steps, worlds, settings, engines })
    }

    /// Measures everything.
    pub(super) fn run(self) -> anyhow::Result<Record> {
        let mut record = Record::begin(self.options.commit.clone());
        record.roofs = if self.options.roofs { roofs(self.options)? } else { Vec::new() };
        let bar = progress::bar(self.work(), "{wide_bar} {msg}, {eta} left");
        for (input, sizes) in &self.worlds {
            for &n in sizes {
                record.cases.extend(self.world(input, n, &bar)?);
            }
        }
        bar.finish_and_clear();
        record.conditions = record.conditions.after();
        record.engines = self.engines;
        Ok(record)
    }

    /// Measures each setting on one world.
    fn world(&self, input: &Input, n: u32, bar: &ProgressBar) -> anyhow::Result<Vec<Case>> {
        let name = format!("{} of {}", input.name(), short(n.into()));
        let mut crowd = input.crowd(n, self.options.moving)?;
        let bodies = crowd.world().len();
        // The number of pairs is known only for bodies at rest.
        let at_rest = input.workload().filter(|_| !self.options.moving);
        let known_pairs = at_rest.and_then(|workload| workload.known_pairs(n));
        let mut checker = Checker::new(name.clone(), known_pairs);
        if let Some(witness) = Setting::witness(&self.settings, bodies) {
            bar.set_message(format!("{name}, checked by {witness}"));
            let mut engine = self.opener.open_witness(witness)?;
            // One step for each placement.
            let steps = Steps { warm_up: [2, 2], runs: 1, budget: Duration::MAX, is_witness: true, ..self.steps };
            let who = (&*format!("{witness} without vector instructions"), witness.ask.into());
            steps.run(&mut engine, &mut crowd, &mut checker, who, || ()).map_err(|error| of(&name, witness, error))?;
        }
        let mut cases = Vec::new();
        for &setting in &self.settings {
            bar.set_message(format!("{name}, {setting}"));
            let ahead = bar.position().saturating_add(self.work_of(setting, n));
            // A new engine, so that the memory it holds is for this case alone.
            let mut engine = self.opener.open(setting)?;
            let tick = || bar.inc(step_work(setting, n));
            let (who, ask) = (setting.to_string(), setting.ask.into());
            let mut measured = self
                .steps
                .run(&mut engine, &mut crowd, &mut checker, (&who, ask), tick)
                .map_err(|error| of(&name, setting, error))?;
            bar.set_position(ahead);
            bar.suspend(|| tell_of(&engine));
            let bytes = engine.bytes();
            if !matches!(setting.backend, Backend::Cpu | Backend::Reference) {
                // The processors do not do all of the work.
                measured.joules = None;
            }
            #[cfg(feature = "gpu")]
            if let Some(card) = Card::of(&engine) {
                let engine = (&mut engine, ask);
                let joules = self.steps.joules(|| card.joules(), METERED, engine, &mut crowd);
                measured.joules = joules.map_err(|error| of(&name, setting, error))?;
            }
            // Timestamps make frames slower, so the stages on the GPU are timed in frames of their own.
            drop(engine);
            if let Some(mut timed) = self.opener.open_timed(setting)? {
                let steps = Steps { runs: self.steps.runs.min(TIMED_RUNS), ..self.steps };
                let stages = steps
                    .run(&mut timed, &mut crowd, &mut checker, (&who, ask), || ())
                    .map_err(|error| of(&name, setting, error))?;
                measured.add_gpu_stages(stages);
            }
            let mut case = self.case(input, n, setting, &crowd, bytes, measured);
            if self.options.instructions && setting.backend == Backend::Cpu {
                let counted = instructions::count(input, n, setting, self.options);
                case.instructions = Some(counted.map_err(|error| of(&name, setting, error))?);
            }
            cases.push(case);
        }
        Ok(cases)
    }

    fn case(&self, input: &Input, n: u32, setting: Setting, crowd: &Crowd, bytes: u64, measured: Measured) -> Case {
        let Measured { warm_up, samples_ns, steps_ns, answers, stages, longest, candidates, joules } = measured;
        let bodies = crowd.world().len();
        let (time, interval_ns) = (Spread::of(&samples_ns), of_median(&samples_ns));
        let per_second = |count: f64| count / (time.median_ns.max(1) as f64 / 1e9);
        let pairs = answers.last().and_then(|last| last.answer.pairs.as_ref());
        Case {
            part: None,
            workload: input.name(),
            number: input.workload().map(Workload::number),
            seed: input.workload().map(|workload| workload.seed(n)),
            n,
            bodies,
            moved_permille: self.steps.permille,
            moving: self.options.moving,
            backend: name_of(&setting.backend),
            broad: name_of(&setting.broad),
            ask: name_of(&setting.ask),
            warm_up,
            runs_asked: self.steps.runs,
            candidates,
            bytes,
            bytes_per_body: bytes as f64 / bodies.max(1) as f64,
            frames_per_second: per_second(1.0),
            pairs_per_second: pairs.map(|pairs| per_second(pairs.count as f64)),
            tests_per_second: per_second(bodies as f64 * bodies.saturating_sub(1) as f64 / 2.0),
            samples_ns,
            time,
            interval_ns,
            joules,
            step: Spread::of(&steps_ns),
            stages,
            longest,
            answers,
            instructions: None,
        }
    }

    /// Returns the total work, in the progress bar's unit.
    fn work(&self) -> u64 {
        let sizes = self.worlds.iter().flat_map(|(_, sizes)| sizes);
        let each = sizes.flat_map(|&n| self.settings.iter().map(move |&setting| self.work_of(setting, n)));
        each.fold(0, u64::saturating_add)
    }

    fn work_of(&self, setting: Setting, n: u32) -> u64 {
        let steps = u64::from(self.options.warm_up) + u64::from(self.options.runs);
        step_work(setting, n).saturating_mul(steps)
    }
}

/// Estimates the work of a step: the number of bodies, times a factor that grows with it if all pairs are compared. The
/// bar's remaining time depends on it.
fn step_work(setting: Setting, n: u32) -> u64 {
    let n = u64::from(n);
    if setting.is_quadratic() { n * n.div_ceil(10_000) } else { n }
}

/// Measures the roofs of the GPU.
#[cfg(feature = "gpu")]
fn roofs(options: &Options) -> anyhow::Result<Vec<Roof>> {
    super::roofs::measure(options.gpu.as_deref())
}

#[cfg(not(feature = "gpu"))]
fn roofs(_: &Options) -> anyhow::Result<Vec<Roof>> {
    Err(crate::engines::without_gpu().into())
}

/// Returns the engines to measure.
pub(super) fn backends(options: &Options) -> anyhow::Result<Vec<Backend>> {
    let mut backends: Vec<Backend> = each_once(&options.backends).copied().collect();
    if backends.is_empty() {
        backends.push(Backend::Cpu);
        if options.gpu.is_some() || hardware_gpu() {
            backends.push(Backend::Gpu);
        }
    }
    check_used(options, &backends)?;
    Ok(backends)
}

/// Checks that each option that applies to some engines alone applies to one of these.
fn check_used(options: &Options, backends: &[Backend]) -> anyhow::Result<()> {
    use Backend::{Auto, Cpu, Gpu};
    let path = (options.gpu_path != PathName::Best).then(|| format!("--gpu-path {}", name_of(&options.gpu_path)));
    let simd = (options.simd != SimdName::Best).then(|| format!("--simd {}", name_of(&options.simd)));
    let given: [(_, &[Backend]); 7] = [
        (options.gpu.as_ref().map(|gpu| format!("--gpu {gpu}")), &[Gpu, Auto]),
        (path, &[Gpu, Auto]),
        (options.roofs.then(|| "--roofs".into()), &[Gpu]),
        (options.dispatches.then(|| "--dispatches".into()), &[Gpu]),
        (options.threads.map(|threads| format!("--threads {threads}")), &[Cpu, Auto]),
        (simd, &[Cpu, Auto]),
        (options.instructions.then(|| "--instructions".into()), &[Cpu]),
    ];
    for (option, engines) in given {
        if let Some(option) = option.filter(|_| !backends.iter().any(|backend| engines.contains(backend))) {
            match engines {
                [one] => anyhow::bail!("{option} applies to the engine {}; --backends does not name it", name_of(one)),
                _ => anyhow::bail!(
                    "{option} applies to the engines {}; --backends names none of them",
                    engines.iter().map(name_of).collect::<Vec<_>>().join(" and ")
                ),
            }
        }
    }
    Ok(())
}

/// Returns each engine with each broad phase and each kind of answer.
fn settings(options: &Options, backends: &[Backend]) -> Vec<Setting> {
    let mut settings = Vec::new();
    for &backend in backends {
        let broads = if backend == Backend::Reference { &[BroadName::AllPairs] } else { options.broad.as_slice() };
        for &broad in each_once(broads) {
            settings.extend(each_once(&options.ask).map(|&ask| Setting { backend, broad, ask }));
        }
    }
    settings
}

/// Returns the values of a list without repetitions.
fn each_once<T: PartialEq>(list: &[T]) -> impl Iterator<Item = &T> {
    list.iter().enumerate().filter(|(index, value)| !list[..*index].contains(value)).map(|(_, value)| value)
}

/// Adds the names of a case to an error; a disagreement already has names.
fn of(world: &str, setting: Setting, error: anyhow::Error) -> anyhow::Error {
    match error.downcast::<super::check::Disagreement>() {
        Ok(disagreement) => disagreement.into(),
        Err(error) => anyhow::anyhow!("{world}, {setting}: {error}"),
    }
}
