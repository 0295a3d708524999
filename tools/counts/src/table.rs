//! Counts as tables in Markdown.

use std::fmt::Write;

use crate::pipelines::Pipelines;
use crate::steps::Steps;

/// Returns the table of compiled pipelines.
pub(crate) fn pipelines(counts: &Pipelines) -> String {
    let mut table = format!("{}, {}\n\n", counts.gpu, counts.driver);
    let heads = ["pipeline", "instructions", "code B", "registers", "spilled", "shared B", "waves", "busy cycles"];
    head(&mut table, &heads);
    for (name, c) in &counts.compiled {
        let numbers = [c.instructions, c.code_bytes, c.registers, c.spilled, c.shared_bytes, c.waves, c.busy_cycles];
        row(&mut table, name, &numbers);
    }
    table
}

/// Returns the table of steps.
pub(crate) fn steps(counts: &Steps) -> String {
    let mut table = String::new();
    let lists = counts.cases.values().next().map(|step| &step.lists).into_iter().flat_map(|lists| lists.keys());
    let heads = ["step", "chain", "own", "indirect", "clears", "barriers", "submits", "copies", "B up", "B down"];
    let heads: Vec<&str> = heads.into_iter().chain(lists.map(String::as_str)).collect();
    head(&mut table, &heads);
    for (name, s) in &counts.cases {
        let numbers =
            [s.chain, s.dispatches, s.indirect, s.clears, s.barriers, s.submits, s.copies, s.bytes_up, s.bytes_down];
        let numbers: Vec<u64> = numbers.into_iter().chain(s.lists.values().copied()).collect();
        row(&mut table, name, &numbers);
    }
    table
}

fn head(table: &mut String, heads: &[&str]) {
    let _ = writeln!(table, "| {} |\n|---{}|", heads.join(" | "), "|---:".repeat(heads.len() - 1));
}

fn row(table: &mut String, name: &str, numbers: &[u64]) {
    let numbers: Vec<String> = numbers.iter().map(u64::to_string).collect();
    let _ = writeln!(table, "| {name} | {} |", numbers.join(" | "));
}
