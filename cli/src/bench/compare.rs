//! The comparison of times with another record.

use std::fmt::Write as _;

use hitmask::internals::printable;

use super::record::{Case, EngineRecord, Record};
use super::size::short;
use super::units::time;

/// Formats a table of the cases that both records have, the cases that only one has, and other differences. Escapes the
/// text of the old record, which is untrusted.
pub(super) fn records(old: &Record, new: &Record) -> String {
    let mut text = format!("Since {}\n", printable(&old.version_line()));
    for difference in differences(old, new) {
        let _ = writeln!(text, "warning: {}", printable(&difference));
    }
    let heads = ["WORKLOAD", "BODIES", "MOVED", "ENGINE", "BROAD", "ASK", "OLD", "NEW", "CHANGE"];
    let mut rows = vec![heads.map(str::to_owned)];
    for case in &new.cases {
        if let Some(before) = old.same(case) {
            let [was, is] = [before, case].map(|case| case.time.median_ns);
            let [name, bodies, moved, backend, broad, ask] = cells(case);
            rows.push([name, bodies, moved, backend, broad, ask, time(was), time(is), change(was, is)]);
        }
    }
    // Numbers are aligned to the right.
    for column in [1, 2, 6, 7, 8] {
        let width = rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        for row in &mut rows {
            row[column] = format!("{:>width$}", row[column]);
        }
    }
    if rows.len() > 1 {
        text += &crate::text::table(&rows);
    } else {
        text += "no case is in both\n";
    }
    for (only, record, other) in [("old", old, new), ("new", new, old)] {
        for case in record.cases.iter().filter(|case| other.same(case).is_none()) {
            let _ = writeln!(text, "only in the {only} record: {}", cells(case).join(" "));
        }
    }
    text
}

/// Returns the cells that identify a case.
fn cells(case: &Case) -> [String; 6] {
    let moved = format!("{}‰{}", case.moved_permille, if case.moving { ", moving" } else { "" });
    let [name, backend, broad, ask] =
        [&case.workload, &case.backend, &case.broad, &case.ask].map(|text| printable(text));
    [name, short(case.n.into()), moved, backend, broad, ask]
}

/// Formats a change as a percentage of the old time.
fn change(old: u64, new: u64) -> String {
    let percent = (new as f64 / old.max(1) as f64 - 1.0) * 100.0;
    // Adding 0 turns -0 into 0.
    format!("{:+.1} %", (percent * 10.0).round() / 10.0 + 0.0)
}

/// Returns the differences in machine, build and engines, which change times even if the program is the same.
fn differences(old: &Record, new: &Record) -> Vec<String> {
    let mut differences = Vec::new();
    let mut compare = |what: &str, old: String, new: String| {
        if old != new {
            differences.push(format!("{what}: {old} then, {new} now"));
        }
    };
    compare("the machine differs", old.machine_line(), new.machine_line());
    let build = |record: &Record| if record.debug { "without optimisation" } else { "optimised" }.to_owned();
    compare("the build differs", build(old), build(new));
    for engine in &new.engines {
        if let Some(before) = old.engines.iter().find(|before| before.backend == engine.backend) {
            compare("the engine differs", before.line(), engine.line());
            let software = |engine: &EngineRecord| {
                let software = engine.adapter.as_ref().is_some_and(|adapter| adapter.software);
                if software { "in software" } else { "in hardware" }.to_owned()
            };
            compare("the GPU computes elsewhere", software(before), software(engine));
        }
    }
    differences
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{case, record};
    use super::*;

    #[test]
    fn equal_cases_are_compared_and_others_named() {
        let old = record(vec![case("boxes", 1000, "cpu", "auto", 2000), case("boxes", 10_000, "cpu", "auto", 2000)]);
        let new = record(vec![case("boxes", 1000, "cpu", "auto", 1500), case("boxes", 1000, "cpu", "sorted", 9)]);
        let text = records(&old, &new);
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert!(text.starts_with("Since hitmask 0.1.0 at 0123456789ab-dirty, "), "{text}");
        let row = ["boxes", "1k", "1000‰", "cpu", "auto", "pairs", "2.00", "µs", "1.50", "µs", "-25.0", "%"];
        assert_eq!(lines[2], row, "{text}");
        assert!(text.contains("only in the old record: boxes 10k 1000‰ cpu auto pairs\n"), "{text}");
        assert!(text.contains("only in the new record: boxes 1k 1000‰ cpu sorted pairs\n"), "{text}");
        assert!(!text.contains("warning"), "{text}");
    }

    #[test]
    fn another_machine_or_engine_is_warned_of() {
        let old = record(vec![]);
        let mut new = old.clone();
        new.machine.cpu = Some("another".into());
        new.debug = true;
        new.engines[0].threads = Some(3);
        if let Some(adapter) = &mut new.engines[1].adapter {
            adapter.software = false;
        }
        let text = records(&old, &new);
        for words in [
            "the machine differs",
            "3 threads, avx2 now",
            "in software then, in hardware now",
            "without optimisation now",
        ] {
            assert!(text.contains(words), "{words:?} is not in {text}");
        }
        assert!(text.contains("no case is in both"));
    }

    #[test]
    fn a_change_is_a_percentage_of_the_old_time() {
        assert_eq!([change(100, 150), change(200, 100), change(1000, 1000)], ["+50.0 %", "-50.0 %", "+0.0 %"]);
        assert_eq!([change(1_000_000, 999_999), change(0, 5)], ["+0.0 %", "+400.0 %"]);
    }
}
