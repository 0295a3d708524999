//! The report: tables in Markdown.

use std::fmt::Write;
use std::time::Duration;

use crate::contest::{Outcome, Time};
use crate::masks;
use crate::queries;

/// Returns the table of a section: hitmask first, then the others from fast to slow, with the ratio of each time to
/// hitmask's.
pub(crate) fn table(title: &str, outcome: &Outcome) -> String {
    let mut times: Vec<&Time> = outcome.times.iter().collect();
    times[1..].sort_by_key(|time| time.ordered);
    let ours = times[0].ordered;
    let rows = times.iter().map(|time| {
        let unordered = time.found.map_or_else(|| "comes in order".into(), text);
        let unordered_ratio = time.found.map_or_else(|| "-".into(), |found| ratio(found, ours));
        [
            time.name.clone(),
            time.threads.into(),
            text(time.ordered),
            ratio(time.ordered, ours),
            unordered,
            unordered_ratio,
        ]
    });
    let head = ["", "threads", "in order", "times ours", "unordered", "times ours"];
    let (pairs, runs) = (count(outcome.pairs as u64, "pair", "pairs"), count(outcome.runs as u64, "run", "runs"));
    format!("### {title}: {pairs}, medians of {runs}\n\n{}", markdown(head, rows))
}

/// Returns the tables of masks.
pub(crate) fn masks_table(outcome: &masks::Outcome) -> String {
    let mut out = String::new();
    let pairs = outcome.pairs as u32;
    let titles = [
        ("Area", &outcome.areas, format!("{} texels in common", grouped(outcome.area))),
        ("Flag", &outcome.flags, format!("{} of {pairs} pairs hit", outcome.hit)),
    ];
    for (title, times, found) in titles {
        let ours = times[0].1;
        let rows = times.iter().map(|&(name, time)| [name.into(), text(time / pairs), ratio(time, ours)]);
        let _ = write!(
            out,
            "### {title} of a pair of masks: {found}\n\n{}\n",
            markdown(["", "a pair", "times ours"], rows)
        );
    }
    let words = outcome.words as f64 / f64::from(pairs);
    let _ = writeln!(
        out,
        "{words:.0} words of 64 bits of each mask on average, on one thread. The floor reads as many, side by side \
         and unshifted."
    );
    out
}

/// Returns the table of queries.
pub(crate) fn queries_table(outcome: &queries::Outcome) -> String {
    let names = ["hitmask", "parry2d, refitted"];
    let rows = outcome.kinds.iter().flat_map(|kind| {
        (0..names.len()).map(|k| {
            [
                format!("{}: {}", kind.name, names[k]),
                text(kind.one_by_one[k]),
                ratio(kind.one_by_one[k], kind.one_by_one[0]),
                text(kind.batch[k]),
                ratio(kind.batch[k], kind.batch[0]),
                text(outcome.refreshed[k]),
                text(outcome.built[k]),
            ]
        })
    });
    let head = ["", "one by one", "times ours", "in a batch, each", "times ours", "refresh, all moved", "build"];
    let (bodies, runs) = (grouped(outcome.bodies.into()), count(outcome.runs as u64, "run", "runs"));
    format!(
        "### Queries to {bodies} boxes: medians of {runs}\n\n{}\n\
         All bodies moved by up to two units before the queries. One by one is on one thread. In a batch both have \
         all threads: hitmask by its call for many queries, and `parry2d` by rayon over queries, as its user \
         would write it, their answers in the order of the queries. `parry2d` knows boxes in `f32`; \
         hitmask decides rays to the tick, by the contract.\n",
        markdown(head, rows)
    )
}

/// Formats a table, its first column left-aligned.
fn markdown<const N: usize>(head: [&str; N], rows: impl Iterator<Item = [String; N]>) -> String {
    let line = |cells: &[String; N]| format!("| {} |\n", cells.join(" | "));
    let rule: String = (0..N).map(|column| if column == 0 { "|---|" } else { "---:|" }).collect();
    let body: String = rows.map(|row| line(&row)).collect();
    format!("{}{rule}\n{body}", line(&head.map(String::from)))
}

/// Formats the ratio of a time to hitmask's.
fn ratio(time: Duration, ours: Duration) -> String {
    let ratio = time.as_secs_f64() / ours.as_secs_f64().max(f64::MIN_POSITIVE);
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.1}") }
}

/// Formats a time with three digits.
pub(crate) fn text(time: Duration) -> String {
    let ns = time.as_secs_f64() * 1e9;
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    let places = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.places$} {unit}")
}

/// Formats a number of things.
pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{} {}", grouped(n), if n == 1 { one } else { many })
}

/// Formats a number with its thousands separated.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_three_digits() {
        let texts =
            [1, 12, 123, 1_234, 12_345, 123_456, 1_234_567, 1_234_567_890].map(|ns| text(Duration::from_nanos(ns)));
        assert_eq!(texts, ["1.00 ns", "12.0 ns", "123 ns", "1.23 µs", "12.3 µs", "123 µs", "1.23 ms", "1.23 s"]);
        assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([1, 1_000].map(|n| count(n, "run", "runs")), ["1 run", "1,000 runs"]);
    }

    #[test]
    fn a_table_has_the_fast_before_the_slow() {
        let time = |name: &str, ms, found: Option<u64>| Time {
            name: name.into(),
            threads: "all",
            ordered: Duration::from_millis(ms),
            found: found.map(Duration::from_millis),
        };
        let times = vec![time("hitmask", 10, None), time("slow", 100, Some(15)), time("fast", 20, None)];
        let table = table("boxes", &Outcome { pairs: 2039, runs: 7, times });
        let expected = "### boxes: 2,039 pairs, medians of 7 runs\n\n\
            |  | threads | in order | times ours | unordered | times ours |\n|---|---:|---:|---:|---:|---:|\n\
            | hitmask | all | 10.0 ms | 1.00 | comes in order | - |\n\
            | fast | all | 20.0 ms | 2.00 | comes in order | - |\n\
            | slow | all | 100 ms | 10.0 | 15.0 ms | 1.50 |\n";
        assert_eq!(table, expected);
    }
}
