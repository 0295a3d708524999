//! The pinning of threads to cores.
//!
//! When a single thread has run for a while, Linux may wake two others on the same core, especially in virtual machines
//! that do not report which cores share a cache, and leave them there for longer than a run. Some runs then take twice
//! as long, at random.

/// Calls `make`, which starts threads, and pins each of these to a core of its own, on Linux and as far as there are
/// cores: the first cores, or, if the caller `works` too, those after the first, which is the caller's.
pub(crate) fn own_cores<T>(works: bool, make: impl FnOnce() -> T) -> T {
    let before = threads();
    let made = make();
    let mut new = threads();
    new.retain(|thread| !before.contains(thread));
    new.sort_unstable();
    pin(&new, usize::from(works));
    made
}

/// Pins the caller to the first core. Must be called before anything else.
pub(crate) fn own_core() {
    pin(&threads(), 0);
}

#[cfg(target_os = "linux")]
fn threads() -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// Pins threads to cores from `first` on. Ignores threads that have ended or may not be pinned.
#[cfg(target_os = "linux")]
fn pin(threads: &[i32], first: usize) {
    use std::sync::OnceLock;

    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

    /// The cores that the process may use.
    static CORES: OnceLock<Vec<usize>> = OnceLock::new();
    let cores = CORES.get_or_init(|| {
        let allowed = sched_getaffinity(None);
        (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_ok_and(|allowed| allowed.is_set(core))).collect()
    });
    for (&thread, &core) in threads.iter().zip(cores.iter().cycle().skip(first)) {
        let mut one = CpuSet::new();
        one.set(core);
        let _ = sched_setaffinity(Pid::from_raw(thread), &one);
    }
}

#[cfg(not(target_os = "linux"))]
fn threads() -> Vec<i32> {
    Vec::new()
}

#[cfg(not(target_os = "linux"))]
fn pin(_: &[i32], _: usize) {}
