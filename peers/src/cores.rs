//! A core for each thread.
//!
//! Where one thread alone has run for a while, Linux may wake two others on one and the same core, most of all in virtual machines that
//! do not tell which cores share a cache, and leave them there for longer than a run takes. Then runs take twice their time or not, by chance.

/// Makes something that starts threads, and gives each of these a core of its own, as far as there are cores and the system is Linux.
pub(crate) fn own_cores<T>(make: impl FnOnce() -> T) -> T {
    let before = threads();
    let made = make();
    let mut new = threads();
    new.retain(|thread| !before.contains(thread));
    new.sort_unstable();
    pin(&new);
    made
}

#[cfg(target_os = "linux")]
fn threads() -> Vec<i32> {
    let Ok(tasks) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    tasks.filter_map(|task| task.ok()?.file_name().to_str()?.parse().ok()).collect()
}

/// A thread that has ended, or may not be pinned, is left alone.
#[cfg(target_os = "linux")]
fn pin(threads: &[i32]) {
    use rustix::thread::{CpuSet, Pid, sched_getaffinity, sched_setaffinity};

    let Ok(allowed) = sched_getaffinity(None) else { return };
    let cores: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&core| allowed.is_set(core)).collect();
    for (&thread, &core) in threads.iter().zip(cores.iter().cycle()) {
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
fn pin(_: &[i32]) {}
