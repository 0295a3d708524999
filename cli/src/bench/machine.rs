//! The machine, the time and the commit of a benchmark.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use super::record::Machine;

/// Describes this machine.
pub(super) fn machine() -> Machine {
    Machine {
        cpu: cpu(),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        os: std::env::consts::OS.into(),
        arch: std::env::consts::ARCH.into(),
    }
}

/// Returns the processor's name, if Linux reports it.
fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find(|line| line.starts_with("model name"))?.split_once(':')?.1.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// Returns the memory that programs can still use, in bytes, if Linux reports it.
pub(super) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// Returns the current time in the format of RFC 3339.
pub(super) fn date() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// Returns the commit of the hitmask checkout that contains the current folder, if any: its hash, followed by `-dirty`
/// if files have changed since.
pub(super) fn commit() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let manifest = std::fs::read_to_string(Path::new(&root).join("Cargo.toml")).ok()?;
    let ours = manifest.lines().any(|line| line.trim() == "name = \"hitmask\"");
    if ours { git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]) } else { None }
}

/// Runs git, and returns its output. Returns `None` if there is no git or no output, or if it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
}
