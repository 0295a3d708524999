//! Counts the instructions of the CPU engine's frames, which no load of the machine changes: valgrind's `callgrind`
//! runs this program once more and counts within [`timed_frame`](super::measure) alone.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::child::{Child, Ended};
use super::input::Input;
use super::options::{Options, name_of};
use super::setting::Setting;

/// The frames that are counted: bodies move to one side and to the other, in turn.
const FRAMES: u64 = 4;
/// The time limit of a case: valgrind takes about fifty times as long.
const LIMIT: Duration = Duration::from_secs(900);

/// The instructions of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Instructions {
    /// The mean of a few frames, on one thread.
    pub(super) per_frame: u64,
    /// The vector instructions of the engine under valgrind, which knows none wider than AVX2.
    pub(super) simd: String,
}

/// Returns an error if there is no valgrind.
pub(super) fn check() -> anyhow::Result<()> {
    let run = Command::new("valgrind").arg("--version").stdin(Stdio::null()).output();
    if !run.is_ok_and(|output| output.status.success()) {
        anyhow::bail!("--instructions needs valgrind, which is not installed here");
    }
    Ok(())
}

/// Counts the frames of a setting in a scene, or in a workload of `n` bodies.
pub(super) fn count(input: &Input, n: u32, setting: Setting, options: &Options) -> anyhow::Result<Instructions> {
    let under = [
        "valgrind",
        "-q",
        "--tool=callgrind",
        "--collect-atstart=no",
        "--toggle-collect=*timed_frame*",
        // Not to a file, which an interrupted run would leave behind.
        "--callgrind-out-file=/dev/stderr",
    ];
    let mut arguments: Vec<OsString> = Vec::new();
    arguments.extend(options.moving.then(|| "--moving".into()));
    if input.workload().is_some() {
        arguments.extend(["--sizes".into(), n.to_string().into()]);
    }
    for (option, value) in [
        ("--steady", options.steady.to_string()),
        ("--backends", name_of(&setting.backend)),
        ("--broad", name_of(&setting.broad)),
        ("--ask", name_of(&setting.ask)),
        ("--simd", name_of(&options.simd)),
        ("--warm-up", options.warm_up.to_string()),
        ("--runs", FRAMES.to_string()),
        ("--budget", LIMIT.as_secs().to_string()),
        ("--threads", "1".into()),
    ] {
        arguments.extend([option.into(), value.into()]);
    }
    // A file's name may begin with a dash.
    arguments.extend(["--".into(), input.argument()]);
    let (record, counted) = match Child::bench(&under, arguments, LIMIT).run() {
        Ended::Answered(record, counted) => (record, counted),
        Ended::Differs(problem) | Ended::Failed(problem) => anyhow::bail!("under valgrind: {problem}"),
    };
    let frames = record.cases.first().map_or(0, |case| case.samples_ns.len() as u64);
    let simd = record.engines.first().and_then(|engine| engine.simd.clone()).unwrap_or_default();
    match total(&counted) {
        Some(total) if total > 0 && frames > 0 => Ok(Instructions { per_frame: total / frames, simd }),
        _ => anyhow::bail!("under valgrind: it counted nothing; is this program stripped of its symbols?"),
    }
}

/// Returns the number of instructions of callgrind's output: "totals: 1234" is its last line.
fn total(counted: &str) -> Option<u64> {
    counted.lines().rev().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}
