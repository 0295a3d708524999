//! A core for each thread.
//!
//! Where one thread alone has run for a while, Linux may wake two others on one and the same core, most of all in
//! virtual machines that do not tell which cores share a cache, and leave them there for longer than a run takes. Then
//! runs take twice their time or not, by chance.

/// Makes something that starts threads, and gives each of these a core of its own, as far as there are cores and the
/// system is Linux: the first ones, or those behind the caller's, which is the first, if the caller `works` as well.
pub(crate) fn own_cores<T>(works: bool, make: impl FnOnce() -> T) -> T {
    let before = threads();
    let made = make();
    let mut new = threads();
    new.retain(|thread| !before.contains(thread));
    new.sort_unstable();
    pin(&new, usize::from(works));
    made
}

/// Gives the caller the first core. To be called before all else.
pub(crate) fn own_core() {
    pin(&threads(), 0);
}

#[cfg(target_os = "linux")]
fn threads() -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// A thread that has ended, or may not be pinned, is left alone.
#[cfg(target_os = "linux")]
fn pin(threads: &[i32], first: usize) {
    use std::sync::OnceLock;

    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

    /// Those that the process may use.
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
