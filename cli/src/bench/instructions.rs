//! Counts the instructions of the CPU engine's frames, which no load of the machine changes: valgrind's `callgrind`
//! runs this program once more and counts within [`timed_frame`](super::measure) alone.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::child::{Child, Ended};
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

/// A folder for what valgrind writes.
pub(super) struct Counter(PathBuf);

impl Counter {
    /// Returns an error if there is no valgrind.
    pub(super) fn new() -> anyhow::Result<Self> {
        let run = Command::new("valgrind").arg("--version").stdin(Stdio::null()).output();
        if !run.is_ok_and(|output| output.status.success()) {
            anyhow::bail!("--instructions needs valgrind, which is not installed here");
        }
        let folder = std::env::temp_dir().join(format!("hitmask-instructions-{}", std::process::id()));
        std::fs::create_dir_all(&folder).map_err(|error| anyhow::anyhow!("{}: {error}", folder.display()))?;
        Ok(Self(folder))
    }

    /// Counts the frames of a setting in a world of `n` bodies, or of a scene.
    pub(super) fn count(
        &self,
        input: &str,
        n: Option<u32>,
        setting: Setting,
        options: &Options,
    ) -> anyhow::Result<Instructions> {
        let out = self.0.join("callgrind.out");
        let under = [
            "valgrind",
            "-q",
            "--tool=callgrind",
            "--collect-atstart=no",
            "--toggle-collect=*timed_frame*",
            &format!("--callgrind-out-file={}", out.display()),
        ];
        let mut arguments = vec![input.to_owned()];
        arguments.extend(n.into_iter().flat_map(|n| ["--sizes".into(), n.to_string()]));
        arguments.extend(options.moving.then(|| "--moving".into()));
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
            arguments.extend([option.into(), value]);
        }
        let child = Child::bench(&under.map(str::to_owned), arguments.iter().map(String::as_str), LIMIT);
        let record = match child.run() {
            Ended::Answered(record) => record,
            Ended::Differs(problem) | Ended::Failed(problem) => anyhow::bail!("under valgrind: {problem}"),
        };
        let frames = record.cases.first().map_or(0, |case| case.samples_ns.len() as u64);
        let simd = record.engines.first().and_then(|engine| engine.simd.clone()).unwrap_or_default();
        match total(&out) {
            Some(total) if total > 0 && frames > 0 => Ok(Instructions { per_frame: total / frames, simd }),
            _ => anyhow::bail!("under valgrind: it counted nothing; is this program stripped of its symbols?"),
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Reads the number of instructions from a file of callgrind: "totals: 1234" is its last line.
fn total(out: &Path) -> Option<u64> {
    let text = std::fs::read_to_string(out).ok()?;
    text.lines().rev().find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok())
}
