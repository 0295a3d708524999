//! Results as text for people.

use std::fmt::Write as _;
use std::ops::Range;

use hitmask::internals::printable;

use super::instructions::Instructions;
use super::record::{Case, Record};
use super::size::short;
use super::units::{number, time};

/// The number of columns.
const COLUMNS: usize = 15;
/// The column heads.
const HEADS: [&str; COLUMNS] = [
    "BODIES",
    "ENGINE",
    "BROAD",
    "ASK",
    "FRAME",
    "±",
    "LEAST",
    "MOST",
    "STEP",
    "FRAMES",
    "FOUND",
    "PAIRS/S",
    "TESTS/S",
    "CANDIDATES",
    "BYTES/BODY",
];
/// The columns that hold words; the others hold numbers.
const WORDS: Range<usize> = 1..4;

/// Formats where it ran, then a table for each workload, with a row for each case and lines for its stages.
pub(super) fn record(record: &Record) -> String {
    let mut text = head(record).join("\n") + "\n";
    for roof in &record.roofs {
        let _ = writeln!(text, "{:<34} {} {}", roof.name, number(roof.value), roof.unit);
    }
    if let Some(suite) = &record.suite {
        return text + "\n" + &super::suite::table::suite(record, suite);
    }
    for cases in workloads(&record.cases) {
        let _ = write!(text, "\n{}\n", title(cases));
        let rows: Vec<[String; COLUMNS]> =
            std::iter::once(HEADS.map(str::to_owned)).chain(cases.iter().map(row)).collect();
        let table = aligned(rows, WORDS);
        let mut lines = table.lines();
        let _ = writeln!(text, "{}", lines.next().unwrap_or_default());
        for (line, case) in lines.zip(cases) {
            let _ = writeln!(text, "{line}");
            for line in below(case) {
                let _ = writeln!(text, "        {line}");
            }
        }
    }
    text
}

/// Returns lines that say where and on what it ran, and what the times mean.
pub(super) fn head(record: &Record) -> Vec<String> {
    let mut lines = vec![record.version_line(), record.machine_line()];
    lines.extend(record.conditions.line());
    lines.extend(record.conditions.warning(record.machine.cores));
    lines.extend(record.engines.iter().map(super::record::EngineRecord::line));
    let meaning = if record.suite.is_some() {
        "FRAME is the median time of a frame, from positions in the caller's memory to the answer there, and FROM and TO \
         are its 95 % confidence interval; RATIO is the frames per second as a multiple of those of the CPU engine on two \
         cores of an AMD EPYC (Zen 5), and a score is 100 times the geometric mean of the ratios."
    } else {
        "FRAME is the median time of the timed FRAMES, from positions in the caller's memory to the answer there, \
         ± its median absolute deviation; STEP is the median of the steps alone; FOUND is what the first frame found."
    };
    lines.push(meaning.into());
    if record.software() {
        lines.push("The GPU is emulated in software: its times say nothing about a real GPU.".into());
    }
    if record.debug {
        lines.push("Built without optimisation: build with --release to measure.".into());
    }
    // A commit is any text, and a driver names itself.
    lines.iter().map(|line| printable(line)).collect()
}

/// Splits cases by workload.
pub(super) fn workloads(cases: &[Case]) -> impl Iterator<Item = &[Case]> {
    cases.chunk_by(|a, b| a.workload == b.workload)
}

/// Returns a workload's name, and what moves.
pub(super) fn title(cases: &[Case]) -> String {
    let Some(case) = cases.first() else { return String::new() };
    let who = match case.moved_permille {
        1000 => "all bodies".to_owned(),
        permille => format!("{permille} of 1000 bodies"),
    };
    let when = if case.moving { ", also within the step" } else { "" };
    format!("{}: {who} move{when}", printable(&case.workload))
}

/// Returns the table row of a case.
pub(super) fn row(case: &Case) -> [String; COLUMNS] {
    let spread = case.time;
    [
        short(case.bodies as u64),
        case.backend.clone(),
        case.broad.clone(),
        case.ask.clone(),
        time(spread.median_ns),
        time(spread.mad_ns),
        time(spread.min_ns),
        time(spread.max_ns),
        time(case.step.median_ns),
        case.samples_ns.len().to_string(),
        case.found().map_or_else(|| "-".into(), |found| found.count.to_string()),
        case.pairs_per_second.map_or_else(|| "-".into(), number),
        number(case.tests_per_second),
        // An engine that does not count candidates reports 0.
        if case.candidates == 0 { "-".into() } else { case.candidates.to_string() },
        number(case.bytes_per_body),
    ]
}

/// Returns the lines below a case: its stages by either clock, the longest dispatch, and whether the budget ended it.
pub(super) fn below(case: &Case) -> Vec<String> {
    let mut lines = Vec::new();
    for clock in ["host", "gpu"] {
        let stages = case.stages.iter().filter(|stage| stage.clock == clock);
        let stages: Vec<String> =
            stages.map(|stage| format!("{} {}", stage.name, time(stage.time.median_ns))).collect();
        if !stages.is_empty() {
            lines.push(format!("{clock:<4}  {}", stages.join(", ")));
        }
    }
    if let Some(longest) = &case.longest {
        lines.push(format!("longest dispatch: {} {}", longest.entry, time(longest.ns)));
    }
    if let Some(Instructions { per_frame, simd }) = &case.instructions {
        lines.push(format!("{} instructions on one thread ({simd})", number(*per_frame as f64)));
    }
    if let (Some(joules), Some(found)) = (case.joules, case.found().filter(|found| found.count > 0)) {
        let million = joules * 1e6 / found.count as f64;
        lines.push(format!(
            "energy of the {}: {} mJ a frame, {} J a million found",
            if case.backend == "gpu" { "card" } else { "processors" },
            number(joules * 1e3),
            number(million)
        ));
    }
    if case.samples_ns.len() < case.runs_asked as usize {
        let frames = crate::text::count(case.runs_asked, "frame", "frames");
        lines.push(format!("the budget was spent before {frames} were timed"));
    }
    lines
}

/// Formats a table with its numbers, which all columns but `words` hold, aligned to the right.
pub(super) fn aligned<const N: usize>(mut rows: Vec<[String; N]>, words: Range<usize>) -> String {
    for column in (0..N).filter(|column| !words.contains(column)) {
        let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        for row in &mut rows {
            row[column] = format!("{:>width$}", row[column]);
        }
    }
    crate::text::table(&rows)
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::case;
    use super::*;

    #[test]
    fn energy_is_of_the_processors_or_of_the_card() {
        let energy = |backend, joules| {
            let lines = below(&Case { joules, ..case("boxes", 1000, backend, "auto", 2000) });
            lines.into_iter().find(|line| line.starts_with("energy"))
        };
        let line = |of| Some(format!("energy of the {of}: 4.08 mJ a frame, 2 J a million found"));
        assert_eq!(energy("cpu", Some(0.004_078)), line("processors"));
        assert_eq!(energy("gpu", Some(0.004_078)), line("card"));
        assert_eq!(energy("gpu", None), None);
    }
}
