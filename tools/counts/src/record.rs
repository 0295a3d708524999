//! A record of counts, and the changes since it was made.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::Context;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Relative change that is ignored.
const TOLERANCE: f64 = 0.02;
/// Counts that are better when higher.
const GAINS: [&str; 1] = ["waves"];

/// Returns the file of a record in the repository.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/results").join(name).with_extension("json")
}

pub(crate) fn read<T: DeserializeOwned>(name: &str) -> anyhow::Result<T> {
    let text = std::fs::read_to_string(file(name)).with_context(|| format!("the record `{name}` cannot be read"))?;
    serde_json::from_str(&text).with_context(|| format!("the record `{name}` has another format"))
}

pub(crate) fn write(name: &str, counts: &impl Serialize) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(counts)? + "\n";
    std::fs::write(file(name), text).with_context(|| format!("the record `{name}` cannot be written"))
}

/// The differences of counts from those of a record, a line each.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Differences {
    /// Counts that are worse, or new.
    pub(crate) worse: Vec<String>,
    /// Counts that are better, or gone.
    pub(crate) better: Vec<String>,
}

/// Compares counts with those of a record of the same form.
pub(crate) fn compare(before: &impl Serialize, now: &impl Serialize) -> anyhow::Result<Differences> {
    let [before, now] = [numbers(before)?, numbers(now)?];
    let mut differences = Differences::default();
    for (name, &now) in &now {
        let Some(&before) = before.get(name) else {
            differences.worse.push(format!("{name}: {now}, not in the record"));
            continue;
        };
        let grown = if now >= before { (now - before) as f64 } else { -((before - now) as f64) };
        if grown.abs() <= before as f64 * TOLERANCE {
            continue;
        }
        let percent = if before == 0 { String::new() } else { format!(" ({:+.0} %)", 100.0 * grown / before as f64) };
        let line = format!("{name}: {before} -> {now}{percent}");
        let gains = GAINS.iter().any(|gain| name.ends_with(gain));
        if gains == (grown < 0.0) { differences.worse.push(line) } else { differences.better.push(line) }
    }
    let gone = before.keys().filter(|name| !now.contains_key(*name));
    differences.better.extend(gone.map(|name| format!("{name}: gone")));
    Ok(differences)
}

/// Returns all numbers, each under its path.
fn numbers(counts: &impl Serialize) -> anyhow::Result<BTreeMap<String, u64>> {
    let mut open = vec![(String::new(), serde_json::to_value(counts)?)];
    let mut found = BTreeMap::new();
    while let Some((path, value)) = open.pop() {
        match value {
            Value::Number(number) => {
                found.insert(path, number.as_u64().context("counts are whole numbers")?);
            }
            Value::Object(members) => {
                let gap = if path.is_empty() { "" } else { ", " };
                open.extend(members.into_iter().map(|(name, value)| (format!("{path}{gap}{name}"), value)));
            }
            _ => {}
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_grows_is_worse_and_a_little_is_nothing() {
        let before = json!({"driver": "a", "sweep": {"instructions": 1000, "waves": 16, "spilled": 0}});
        let same = json!({"driver": "b", "sweep": {"instructions": 1020, "waves": 16, "spilled": 0}});
        assert_eq!(compare(&before, &same).unwrap(), Differences::default());
        let other = json!({"sweep": {"instructions": 900, "waves": 8, "spilled": 1, "registers": 3}});
        let differences = compare(&before, &other).unwrap();
        assert_eq!(
            differences.worse,
            ["sweep, registers: 3, not in the record", "sweep, spilled: 0 -> 1", "sweep, waves: 16 -> 8 (-50 %)",]
        );
        assert_eq!(differences.better, ["sweep, instructions: 1000 -> 900 (-10 %)"]);
        assert_eq!(compare(&before, &json!({})).unwrap().better.len(), 3);
    }
}
