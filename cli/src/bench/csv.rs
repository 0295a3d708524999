//! Results as CSV: for each case a row named `frame`, one for its `step`, and one for each of its stages.

use super::record::Record;

/// The columns; times are in nanoseconds.
const HEADS: [&str; 24] = [
    "workload",
    "n",
    "bodies",
    "moved_permille",
    "backend",
    "broad",
    "ask",
    "stage",
    "clock",
    "median_ns",
    "mad_ns",
    "min_ns",
    "max_ns",
    "runs",
    "seed",
    "found",
    "checksum",
    "candidates",
    "bytes",
    "frames_per_second",
    "pairs_per_second",
    "tests_per_second",
    "commit",
    "moving",
];

/// Formats a record, the column heads first.
pub(super) fn record(record: &Record) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADS)?;
    for case in &record.cases {
        let found = case.found();
        let whole = [("frame", "host", case.time), ("step", "host", case.step)];
        let stages = case.stages.iter().map(|stage| (&*stage.name, &*stage.clock, stage.time));
        for (stage, clock, time) in whole.into_iter().chain(stages) {
            writer.write_record([
                case.workload.clone(),
                case.n.to_string(),
                case.bodies.to_string(),
                case.moved_permille.to_string(),
                case.backend.clone(),
                case.broad.clone(),
                case.ask.clone(),
                stage.to_owned(),
                clock.to_owned(),
                time.median_ns.to_string(),
                time.mad_ns.to_string(),
                time.min_ns.to_string(),
                time.max_ns.to_string(),
                case.samples_ns.len().to_string(),
                case.seed.map_or(String::new(), |seed| seed.to_string()),
                found.map_or(String::new(), |found| found.count.to_string()),
                found.map_or(String::new(), |found| found.checksum.clone()),
                case.candidates.to_string(),
                case.bytes.to_string(),
                case.frames_per_second.to_string(),
                case.pairs_per_second.map_or(String::new(), |rate| rate.to_string()),
                case.tests_per_second.to_string(),
                record.commit.clone().unwrap_or_default(),
                case.moving.to_string(),
            ])?;
        }
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}
