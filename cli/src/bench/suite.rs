//! A suite: a benchmark whose workloads, sizes, seeds and order are fixed by its name, so that records of two machines
//! can be compared, and told in one number.
//!
//! Each part runs in a process of its own with a time limit, so that a part that fails ends only its own row.

mod parts;
mod score;
pub(super) mod table;

use std::time::Duration;

use self::parts::{MEASURED, PARTS, Part};
use super::check::Disagreement;
use super::child::{Child, Ended};
use super::options::{Options, name_of};
use super::plan;
use super::record::{Case, EngineRecord, PartRecord, Record, SuiteRecord};
use crate::engines::Backend;
use crate::progress;

/// The name of the suite. Its parts, and how each is measured, never change under one name.
pub(super) const NAME: &str = "hitmask-1";

/// The time limit of a part: the frames take seconds, and building the world, opening the engine and checking the
/// answer take some more, even in software.
const LIMIT: Duration = Duration::from_secs(60);

/// Runs the suite. Returns [`Disagreement`] if two answers to a part differ.
pub(super) fn run(options: &Options) -> anyhow::Result<Record> {
    let (backends, parts) = (backends(options)?, parts(options)?);
    let mut record = Record::begin(options.commit.clone());
    let mut told = Vec::new();
    let bar = progress::bar((parts.len() * backends.len()) as u64, "{wide_bar} {pos}/{len} {msg}");
    for part in parts {
        for &backend in &backends {
            bar.set_message(format!("{} on {}", part.name, name_of(&backend)));
            told.push(measure(part, backend, options, &mut record)?);
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    record.conditions = record.conditions.after();
    let in_hardware = |engine: &EngineRecord| engine.adapter.as_ref().is_some_and(|adapter| !adapter.software);
    if record.engines.iter().any(in_hardware) {
        match child(&["boxes", "--sizes", "1k", "--runs", "1", "--roofs"], "gpu", options).run() {
            Ended::Answered(roofs, _) => record.roofs = roofs.roofs,
            Ended::Differs(problem) => return Err(Disagreement(problem).into()),
            // It is no part, so the suite still has its score.
            Ended::Failed(problem) => told.push(part_record("limits", "gpu", Err(problem))),
        }
    }
    let scores = backends.iter().map(|backend| score::of(&name_of(backend), &told, PARTS.len())).collect();
    record.suite = Some(SuiteRecord { name: NAME.into(), parts: told, scores });
    Ok(record)
}

/// Measures a part on an engine, and adds its case to the record.
fn measure(part: &Part, backend: Backend, options: &Options, record: &mut Record) -> anyhow::Result<PartRecord> {
    let name = name_of(&backend);
    let answered = match child(&[part.arguments, &MEASURED].concat(), &name, options).run() {
        Ended::Answered(answered, _) => answered,
        Ended::Differs(problem) => return Err(Disagreement(problem).into()),
        Ended::Failed(problem) => return Ok(part_record(part.name, &name, Err(problem))),
    };
    let Record { engines, cases, .. } = *answered;
    let [mut case] = <[Case; 1]>::try_from(cases)
        .map_err(|cases| anyhow::anyhow!("{}: {} cases where the suite expects one", part.name, cases.len()))?;
    case.part = Some(part.name.into());
    for other in record.cases.iter().filter(|other| other.part == case.part) {
        // An engine whose budget was spent has answered fewer steps.
        if let Some((differs, _)) = other.answers.iter().zip(&case.answers).find(|(a, b)| a != b) {
            let problem = format!("{}, step {}: {} and {name} differ", part.name, differs.step, other.backend);
            return Err(Disagreement(problem).into());
        }
    }
    for engine in engines {
        if !record.engines.contains(&engine) {
            record.engines.push(engine);
        }
    }
    let ratio = part.base_ns as f64 / case.time.median_ns.max(1) as f64;
    record.cases.push(case);
    Ok(part_record(part.name, &name, Ok(ratio)))
}

/// Prepares to measure something on an engine.
fn child(arguments: &[&str], backend: &str, options: &Options) -> Child {
    let gpu = options.gpu.as_deref().filter(|_| backend == "gpu");
    let engine = ["--backends", backend].into_iter().chain(gpu.into_iter().flat_map(|gpu| ["--gpu", gpu]));
    Child::bench(&[], arguments.iter().copied().chain(engine), LIMIT)
}

fn part_record(part: &str, backend: &str, measured: Result<f64, String>) -> PartRecord {
    let (ratio, problem) = measured.map_or_else(|problem| (None, Some(problem)), |ratio| (Some(ratio), None));
    PartRecord { part: part.into(), backend: backend.into(), ratio, problem }
}

/// Returns the engines to measure: a suite has the CPU engine, the GPU engine, or both.
fn backends(options: &Options) -> anyhow::Result<Vec<Backend>> {
    let backends = plan::backends(options)?;
    if let Some(other) = backends.iter().find(|backend| !matches!(backend, Backend::Cpu | Backend::Gpu)) {
        anyhow::bail!("the suite measures the engines cpu and gpu, but --backends names {}", name_of(other));
    }
    Ok(backends)
}

/// Returns the parts to measure.
fn parts(options: &Options) -> anyhow::Result<Vec<&'static Part>> {
    if let Some(unknown) = options.only.iter().find(|name| PARTS.iter().all(|part| part.name != **name)) {
        let names = PARTS.map(|part| part.name).join(", ");
        anyhow::bail!("--only {unknown}: the suite has no such part; its parts are {names}");
    }
    let wanted = |part: &&Part| options.only.is_empty() || options.only.iter().any(|name| name == part.name);
    Ok(PARTS.iter().filter(wanted).collect())
}
