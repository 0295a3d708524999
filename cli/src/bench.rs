//! `hitmask bench`.

#[cfg(feature = "gpu")]
mod card;
mod check;
mod child;
mod compare;
mod conditions;
mod csv;
mod energy;
mod gate;
mod input;
mod instructions;
mod interval;
mod line;
mod machine;
mod markdown;
mod measure;
mod options;
mod page;
mod plan;
mod plot;
mod record;
#[cfg(feature = "gpu")]
mod roofs;
mod setting;
mod size;
mod spread;
mod suite;
mod text;
mod units;

use std::path::{Path, PathBuf};

use hitmask::internals::printable;
use hitmask_workbench::workloads::Workload;

use check::Disagreement;
use gate::Gate;
use options::Format;
use plan::Plan;
use record::Record;

pub(crate) use options::Options;

use crate::{Output, save, tell};

const EXAMPLES: &str = "\
Examples:
  hitmask bench
  hitmask bench boxes turned --sizes 1k,10k,100k,1M --backends cpu,gpu
  hitmask bench sprites --sizes 100k --steady 10 --ask flags,pairs,details
  hitmask bench bullets turned --moving
  hitmask bench clustered giants --sizes 2.5k --broad all-pairs,sorted --threads 2 --simd plain
  hitmask bench scene.json --format markdown
  hitmask bench --format json --out new.json --plot new.svg --compare old.json
  hitmask bench --suite --format json --out suite.json
  hitmask bench --html results.html --records here.json,there.json
  hitmask bench --suite --compare suite.json --ci 10 --junit verdicts.xml
  hitmask bench boxes turned --sizes 10k --backends cpu --instructions --compare old.json --ci-instructions 2

A frame begins with new positions of every body in the caller's memory, and ends with its answer there; a step is the \
engine's part of that. Times are medians, ± their median absolute deviation. Every answer is checked before a time is \
printed: all requested engines and broad phases must agree, or a single one must agree with another way on the CPU; \
and the number of pairs must be the known one of the workload at rest.";

/// Returns the end of the help: examples, workloads, exit status.
pub(crate) fn after_help() -> String {
    let (worst, usual): (Vec<_>, Vec<_>) = Workload::ALL.into_iter().partition(|workload| workload.is_adversarial());
    let [usual, worst] = [usual, worst].map(|list| list.into_iter().map(Workload::name).collect::<Vec<_>>().join(", "));
    format!(
        "{EXAMPLES} Workloads: {usual}; and the worst cases of some phase: {worst}.\n\n\
         Exit status: 0 measured, 1 answers differ, or --ci or --ci-instructions fails a case, 2 an error or a part of \
         the suite that was not measured."
    )
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    if let (Some(path), [_, ..]) = (&options.html, &*options.records) {
        return show(path, &options.records);
    }
    let plan = if options.suite { None } else { Some(Plan::new(options)?) };
    let old = options.compare.as_deref().map(Record::open).transpose()?;
    if let Some(old) = &old {
        let [old, new] = [old.suite.as_ref().map(|suite| &*suite.name), options.suite.then_some(suite::NAME)];
        let name = |suite: Option<&str>| suite.map_or("no suite".into(), |suite| format!("the suite {suite}"));
        anyhow::ensure!(old == new, "--compare has a record of {}, and this is {}", name(old), name(new));
    }
    // Report files that cannot be written before measuring, not after.
    let written = options.written();
    for (index, (option, path)) in written.iter().enumerate() {
        if let Some((other, _)) = written[..index].iter().find(|(_, other)| save::are_one(other, path)) {
            anyhow::bail!("{other} and {option} name the same file");
        }
        save::check(path)?;
        save::check_apart(path, options.compare.clone())?;
    }
    let record = match plan.map_or_else(|| suite::run(options), Plan::run) {
        Ok(record) => record,
        Err(error) => {
            let Disagreement(problem) = error.downcast()?;
            if let Some(path) = &options.junit {
                save::whole(path, Gate::of_disagreement(&problem).junit().as_bytes())?;
            }
            tell(&printable(&format!("answers differ: {problem}")));
            return Ok(Output { status: 1, ..String::new().into() });
        }
    };
    let results = match options.format {
        Format::Text => text::record(&record),
        Format::Json => record.json()?,
        Format::Csv => csv::record(&record)?,
        Format::Markdown => markdown::record(&record),
        Format::Line => line::record(&record),
    };
    if let Some(path) = &options.plot {
        save::whole(path, plot::record(&record).as_bytes())?;
    }
    if let Some(path) = &options.html {
        let old = old.iter().zip(&options.compare).map(|(old, path)| (page::name_of(path), old.clone()));
        let records: Vec<_> = std::iter::once(("this run".to_owned(), record.clone())).chain(old).collect();
        save::whole(path, page::page(&records)?.as_bytes())?;
    }
    let mut text = match &options.out {
        Some(path) => {
            save::whole(path, results.as_bytes())?;
            text::record(&record)
        }
        None => results,
    };
    if let Some(old) = &old {
        let compared = compare::records(old, &record);
        if options.out.is_none() && matches!(options.format, Format::Json | Format::Csv | Format::Line) {
            // Standard output may go to a program.
            tell(compared.trim_end());
        } else {
            text += "\n";
            text += &compared;
        }
    }
    let limits = options.limits();
    let gate = old.as_ref().zip(limits).map(|(old, limits)| Gate::new(old, &record, limits, !options.only.is_empty()));
    if let (Some(path), Some(gate)) = (&options.junit, &gate) {
        save::whole(path, gate.junit().as_bytes())?;
    }
    let passed = gate.is_none_or(|gate| {
        tell(gate.text().trim_end());
        gate.passed()
    });
    // A part that was not measured is an error, though the others are told.
    let is_whole = record.suite.iter().flat_map(|suite| &suite.parts).all(|part| part.problem.is_none());
    let status = match (passed, is_whole) {
        (false, _) => 1,
        (true, false) => 2,
        (true, true) => 0,
    };
    Ok(Output { status, ..text.into() })
}

/// Writes the page of records.
fn show(path: &Path, records: &[PathBuf]) -> anyhow::Result<Output> {
    save::check_apart(path, records.iter().cloned())?;
    let named = records.iter().map(|path| Ok((page::name_of(path), Record::open(path)?)));
    let named = named.collect::<anyhow::Result<Vec<_>>>()?;
    save::whole(path, page::page(&named)?.as_bytes())?;
    Ok(String::new().into())
}
