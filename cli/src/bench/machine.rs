//! Where and when a benchmark runs.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::SystemTime;

use super::record::Machine;

/// This machine.
pub(super) fn machine() -> Machine {
    Machine {
        cpu: cpu(),
        cores: std::thread::available_parallelism().ok().map(usize::from),
        os: std::env::consts::OS.into(),
        arch: std::env::consts::ARCH.into(),
    }
}

/// The processor's name, where Linux tells it.
fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    let name = text.lines().find(|line| line.starts_with("model name"))?.split_once(':')?.1.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

/// The bytes of memory that are free for a program, where Linux tells it.
pub(super) fn free_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}

/// The time now, as RFC 3339 has it.
pub(super) fn date() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The commit of the checkout of hitmask that the current folder lies in, if it does: its hash, `-dirty` behind it
/// where files have changed since.
pub(super) fn commit() -> Option<String> {
    let root = git(&["rev-parse", "--show-toplevel"])?;
    let manifest = std::fs::read_to_string(Path::new(&root).join("Cargo.toml")).ok()?;
    let ours = manifest.lines().any(|line| line.trim() == "name = \"hitmask\"");
    if ours { git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"]) } else { None }
}

/// What git says in one line; nothing where there is no git, or it fails.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned()).filter(|text| !text.is_empty())
}
