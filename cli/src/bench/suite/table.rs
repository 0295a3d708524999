//! The table of a suite for people.

use std::fmt::Write as _;

use super::super::record::{Case, PartRecord, Record, Score, SuiteRecord};
use super::super::size::short;
use super::super::units::{number, time};

const HEADS: [&str; 8] = ["PART", "ENGINE", "BODIES", "FRAME", "FROM", "TO", "PAIRS/S", "RATIO"];

/// Formats a row for each part and the scores.
pub(in super::super) fn suite(record: &Record, suite: &SuiteRecord) -> String {
    let mut rows = vec![HEADS.map(str::to_owned)];
    for part in &suite.parts {
        let is_of = |case: &&Case| case.part.as_ref() == Some(&part.part) && case.backend == part.backend;
        rows.push(match record.cases.iter().find(is_of) {
            Some(case) => measured(part, case),
            None => row(part, std::array::from_fn(|_| "-".into())),
        });
    }
    let mut text = super::super::text::aligned(rows, 0..2);
    for part in &suite.parts {
        if let Some(problem) = &part.problem {
            let _ = writeln!(text, "{} on {}: not run: {problem}", part.part, part.backend);
        }
    }
    text.push('\n');
    for score in &suite.scores {
        let Score { backend, points, ran, of } = score;
        let none = || format!("none, as {ran} of {of} parts were measured");
        let points = points.map_or_else(none, |points| format!("{points:.1}"));
        let _ = writeln!(text, "{} score, {backend}: {points}", suite.name);
    }
    text
}

/// Returns the row of a part that was measured.
fn measured(part: &PartRecord, case: &Case) -> [String; 8] {
    let or_dash = |cell: Option<String>| cell.unwrap_or_else(|| "-".into());
    row(
        part,
        [
            short(case.bodies as u64),
            time(case.time.median_ns),
            or_dash(case.interval_ns.map(|[low, _]| time(low))),
            or_dash(case.interval_ns.map(|[_, high]| time(high))),
            or_dash(case.pairs_per_second.map(number)),
            or_dash(part.ratio.map(|ratio| format!("{ratio:.2}"))),
        ],
    )
}

fn row(part: &PartRecord, cells: [String; 6]) -> [String; 8] {
    let mut row = [part.part.clone(), part.backend.clone()].into_iter().chain(cells);
    std::array::from_fn(|_| row.next().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::super::super::record::tests;
    use super::*;

    #[test]
    fn what_was_not_measured_says_why_and_is_no_number() {
        let record = tests::suite();
        let text = suite(&record, record.suite.as_ref().unwrap());
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines[1], ["boxes-10k", "cpu", "10k", "500", "µs", "-", "-", "4.08", "G", "0.35"], "{text}");
        assert_eq!(lines[2], ["boxes-1M", "cpu", "-", "-", "-", "-", "-", "-"], "{text}");
        assert!(text.contains("boxes-1M on cpu: not run: needs 300 MB\n"), "{text}");
        assert!(text.contains("hitmask-1 score, cpu: 35.5\n"), "{text}");
        assert!(text.contains("hitmask-1 score, gpu: none, as 1 of 2 parts were measured\n"), "{text}");
    }
}
