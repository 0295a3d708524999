//! The machine, build and versions for which numbers were measured.

use std::process::Command;

/// The crates that are compared.
const CRATES: &[&str] = &[
    "hitmask",
    "parry2d",
    "broccoli",
    "broccoli-rayon",
    "rstar",
    "geo-index",
    "rayon",
    #[cfg(feature = "box2d")]
    "boxdd-sys",
];

/// Returns the CPU's name if the system reports it, else its architecture.
pub(crate) fn cpu() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| std::env::consts::ARCH.into(), |(_, name)| name.trim().into())
}

/// Returns the instruction set for which this program, including the peers in Rust, was compiled.
pub(crate) fn instructions() -> String {
    let vectors = if cfg!(target_feature = "avx512f") {
        "with AVX-512"
    } else if cfg!(target_feature = "avx2") {
        "with AVX2"
    } else {
        "the baseline"
    };
    format!("{}, {vectors}", std::env::consts::ARCH)
}

/// Returns the command that built this program, without its options, as far as environment and features show it.
pub(crate) fn command() -> String {
    let box2d = cfg!(feature = "box2d");
    let flags = [("RUSTFLAGS", option_env!("RUSTFLAGS")), ("CFLAGS", option_env!("CFLAGS").filter(|_| box2d))];
    let flags = flags.iter().filter_map(|(name, value)| value.map(|value| format!("{name}=\"{value}\" ")));
    let features = if box2d { " --features box2d" } else { "" };
    format!("{}cargo run --release -p hitmask-peers{features}", flags.collect::<String>())
}

/// Returns the commit in the current folder, and whether files differ from it; `None` if git finds no commit.
pub(crate) fn commit() -> Option<String> {
    let hash = output("git", &["rev-parse", "--short=12", "HEAD"])?;
    let changed = output("git", &["status", "--porcelain", "--untracked-files=no"])?;
    Some(if changed.is_empty() { hash } else { format!("{hash} with changes") })
}

/// Returns the compiler's version, if `rustc` is available.
pub(crate) fn rustc() -> Option<String> {
    output("rustc", &["--version"])
}

/// Returns the crates' names and versions from `Cargo.lock`.
pub(crate) fn versions() -> String {
    let version = |name: &str| {
        let (_, rest) = include_str!("../../Cargo.lock").split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(format!("{name} {}", rest.split('"').next()?))
    };
    CRATES.iter().filter_map(|name| version(name)).collect::<Vec<_>>().join(", ")
}

/// Returns the output of a command without surrounding whitespace; `None` if it fails.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().into())
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_versions_are_known() {
        assert_eq!(super::versions().split(", ").count(), super::CRATES.len(), "{}", super::versions());
    }
}
