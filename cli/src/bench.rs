//! `hitmask bench`.

mod check;
mod compare;
mod csv;
mod input;
mod machine;
mod markdown;
mod measure;
mod options;
mod plan;
mod plot;
mod record;
#[cfg(feature = "gpu")]
mod roofs;
mod setting;
mod size;
mod spread;
mod text;
mod units;

use hitmask::internals::printable;
use hitmask_workbench::workloads::Workload;

use check::Disagreement;
use options::Format;
use plan::Plan;
use record::Record;

pub(crate) use options::Options;

use crate::text::printable_lines;
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
         Exit status: 0 measured, 1 answers differ, 2 an error."
    )
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    let plan = Plan::new(options)?;
    let old = options.compare.as_deref().map(Record::open).transpose()?;
    // Report files that cannot be written before measuring, not after.
    anyhow::ensure!(options.out.is_none() || options.out != options.plot, "--out and --plot name the same file");
    for path in [&options.out, &options.plot].into_iter().flatten() {
        save::check(path)?;
        save::check_apart(path, options.compare.clone())?;
    }
    let record = match plan.run() {
        Ok(record) => record,
        Err(error) => {
            let Disagreement(problem) = error.downcast()?;
            tell(&printable(&format!("answers differ: {problem}")));
            return Ok(Output { status: 1, ..String::new().into() });
        }
    };
    let results = match options.format {
        Format::Text => text::record(&record),
        Format::Json => record.json()?,
        Format::Csv => csv::record(&record)?,
        Format::Markdown => markdown::record(&record),
    };
    if let Some(path) = &options.plot {
        save::whole(path, plot::record(&record).as_bytes())?;
    }
    let mut text = match &options.out {
        Some(path) => {
            save::whole(path, results.as_bytes())?;
            text::record(&record)
        }
        None => results,
    };
    if let Some(old) = &old {
        // The old record is untrusted, so escape it.
        let compared = printable_lines(&compare::records(old, &record));
        if options.out.is_none() && matches!(options.format, Format::Json | Format::Csv) {
            // Standard output may go to a program.
            tell(compared.trim_end());
        } else {
            text += "\n";
            text += &compared;
        }
    }
    Ok(text.into())
}
