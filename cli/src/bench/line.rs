//! Results as lines `name = value unit`, for programs that search text, such as the Phoronix Test Suite.

use std::fmt::Write as _;

use hitmask::internals::printable;

use super::record::{Case, Record, SuiteRecord};
use super::size::short;

/// Formats a line for each case, or for each part of a suite, and for each score; what was not measured has no line.
pub(super) fn record(record: &Record) -> String {
    let mut text = String::new();
    let mut line = |name: &str, value: f64, unit: &str| {
        let _ = writeln!(text, "{} = {value} {unit}", printable(name));
    };
    for case in &record.cases {
        line(&name(record, case), ms(case), "ms");
        if let Some(counted) = &case.instructions {
            line(&(name(record, case) + ".instructions"), counted.per_frame as f64, "instructions");
        }
    }
    if let Some(suite) = &record.suite {
        for score in &suite.scores {
            if let Some(points) = score.points {
                line(&part_name(suite, &score.backend, "score"), (points * 10.0).round() / 10.0, "points");
            }
        }
    }
    text
}

/// Returns the name of a case of a record: "boxes.10k.cpu.auto.pairs", followed by what moves unless all bodies do; in
/// a suite, the name of its part.
pub(super) fn name(record: &Record, case: &Case) -> String {
    let Case { part, workload, n, backend, broad, ask, moved_permille, moving, .. } = case;
    if let (Some(suite), Some(part)) = (&record.suite, part) {
        return part_name(suite, backend, part);
    }
    let steady = if *moved_permille == 1000 { String::new() } else { format!(".{moved_permille}-permille") };
    let moving = if *moving { ".moving" } else { "" };
    format!("{workload}.{}.{backend}.{broad}.{ask}{steady}{moving}", short((*n).into()))
}

/// Returns the name of a part on an engine: "hitmask-1.cpu.boxes-10k".
pub(super) fn part_name(suite: &SuiteRecord, backend: &str, part: &str) -> String {
    format!("{}.{backend}.{part}", suite.name)
}

/// Returns the median frame in milliseconds.
fn ms(case: &Case) -> f64 {
    case.time.median_ns as f64 / 1e6
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{case, record as record_of, suite};
    use super::*;

    #[test]
    fn a_case_is_a_line() {
        let mut steady = case("turned", 2500, "gpu", "sorted", 2_500_000);
        (steady.moved_permille, steady.moving) = (10, true);
        let text = record(&record_of(vec![case("boxes", 1000, "cpu", "auto", 22_303), steady]));
        let expected = "boxes.1k.cpu.auto.pairs = 0.022303 ms\n\
                        turned.2.5k.gpu.sorted.pairs.10-permille.moving = 2.5 ms\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_was_not_measured_has_no_line() {
        let text = record(&suite());
        assert_eq!(text, "hitmask-1.cpu.boxes-10k = 0.5 ms\nhitmask-1.cpu.score = 35.5 points\n");
    }
}
