//! Results as Markdown tables, with the stages below them.

use std::fmt::Write as _;

use super::record::Record;
use super::size::short;
use crate::text::printable_lines;

use super::text::{below, head, row, title, workloads};

/// Formats where it ran, then a table for each workload.
pub(super) fn record(record: &Record) -> String {
    let mut text = String::new();
    for line in head(record) {
        let _ = writeln!(text, "- {}", escaped(&line));
    }
    if let Some(suite) = &record.suite {
        let table = super::suite::table::suite(record, suite);
        return text + "\n```text\n" + &printable_lines(&table) + "```\n";
    }
    for cases in workloads(&record.cases) {
        let _ = write!(
            text,
            "\n### {}\n\n\
             | bodies | engine | broad phase | asked | frame | ± | least | most | step | frames | found | pairs/s | tests/s | candidates | bytes/body |\n\
             |--:|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n",
            escaped(&title(cases))
        );
        for case in cases {
            let _ = writeln!(text, "| {} |", row(case).map(|cell| escaped(&cell)).join(" | "));
        }
        text.push('\n');
        for case in cases {
            let name = format!("{} {} {} {}", short(case.bodies as u64), case.backend, case.broad, case.ask);
            for line in below(case) {
                let _ = writeln!(text, "- {}: {}", escaped(&name), escaped(&line));
            }
        }
    }
    text
}

/// Escapes the characters that Markdown interprets.
fn escaped(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut text, c| {
        if matches!(c, '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '#') {
            text.push('\\');
        }
        text.push(c);
        text
    })
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::{case, record as of};
    use super::record;

    #[test]
    fn a_table_has_as_many_cells_in_each_row() {
        let cases = vec![case("boxes", 1000, "cpu", "auto", 5000), case("odd|_name_.json", 3, "cpu", "auto", 5000)];
        let text = record(&of(cases));
        let bars = |line: &str| line.replace("\\|", "").matches('|').count();
        let rows: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(rows.len(), 6);
        assert!(rows.iter().all(|row| bars(row) == 16), "{text}");
        assert!(text.contains("### odd\\|\\_name\\_.json: all bodies move"), "{text}");
    }
}
