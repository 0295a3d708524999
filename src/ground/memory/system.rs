//! The memory that the system reports. Only Linux is asked: other systems refuse an allocation that they cannot back.

/// Returns the bytes that this process may still take: the least of what the machine, the process's limits and its
/// control groups leave; `u64::MAX` if none is known.
pub(super) fn available() -> u64 {
    #[cfg(target_os = "linux")]
    if let Some(least) = linux::bounds().into_iter().flatten().min() {
        return least;
    }
    u64::MAX
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Returns the bytes that each of the three leaves, where known.
    pub(super) fn bounds() -> [Option<u64>; 3] {
        let read = |path: &str| fs::read_to_string(path).ok();
        let machine = read("/proc/meminfo").and_then(|text| machine(&text));
        let process = read("/proc/self/limits").zip(read("/proc/self/status")).and_then(|(l, s)| process(&l, &s));
        let groups = read("/proc/self/cgroup").and_then(|text| groups(&text));
        [machine, process, groups]
    }

    /// Returns the memory that the machine has without swapping (`proc_meminfo(5)`), plus the free swap.
    fn machine(meminfo: &str) -> Option<u64> {
        Some(kib(meminfo, "MemAvailable:")? + kib(meminfo, "SwapFree:").unwrap_or(0))
    }

    /// Returns the bytes that the process's resource limits leave (`getrlimit(2)`).
    fn process(limits: &str, status: &str) -> Option<u64> {
        let left = |limit: &str, used: &str| {
            let limit = limits.lines().find_map(|line| line.strip_prefix(limit))?.split_whitespace().next()?;
            Some(limit.parse::<u64>().ok()?.saturating_sub(kib(status, used)?))
        };
        [left("Max address space", "VmSize:"), left("Max data size", "VmData:")].into_iter().flatten().min()
    }

    /// Returns the number in the named line of a table in KiB, converted to bytes.
    fn kib(text: &str, name: &str) -> Option<u64> {
        let number = text.lines().find_map(|line| line.strip_prefix(name))?.trim().strip_suffix("kB")?.trim();
        number.parse::<u64>().ok()?.checked_mul(1024)
    }

    /// The files of a control group, and the lines of its statistics that count reclaimable memory.
    struct Names {
        limit: &'static str,
        used: &'static str,
        given_back: [&'static str; 2],
    }

    const V1: Names = Names {
        limit: "memory.limit_in_bytes",
        used: "memory.usage_in_bytes",
        given_back: ["total_inactive_file ", "total_active_file "],
    };
    const V2: Names =
        Names { limit: "memory.max", used: "memory.current", given_back: ["inactive_file ", "active_file "] };

    /// Returns the bytes that the control groups of the process leave, including their parent groups (`cgroups(7)`).
    fn groups(text: &str) -> Option<u64> {
        let bounds = text.lines().filter_map(|line| {
            let (names, root, group) = group(line)?;
            let folders =
                group.ancestors().map(|folder| Path::new(root).join(folder.strip_prefix("/").unwrap_or(folder)));
            folders.filter_map(|folder| left(&names, &folder)).min()
        });
        bounds.min()
    }

    /// Returns where the group of a line has its files, if it counts memory: the mount point and the path below it.
    fn group(line: &str) -> Option<(Names, &'static str, PathBuf)> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (controllers, path) = (parts.next()?, parts.next()?);
        match controllers {
            "" => Some((V2, "/sys/fs/cgroup", path.into())),
            _ if controllers.split(',').any(|name| name == "memory") => {
                Some((V1, "/sys/fs/cgroup/memory", path.into()))
            }
            _ => None,
        }
    }

    fn left(names: &Names, folder: &Path) -> Option<u64> {
        let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let (limit, used) = (number(names.limit)?, number(names.used)?);
        let statistics = read("memory.stat").unwrap_or_default();
        let line = |name: &str| statistics.lines().find_map(|line| line.strip_prefix(name)?.trim().parse::<u64>().ok());
        let given_back: u64 = names.given_back.iter().filter_map(|name| line(name)).sum();
        Some(limit.saturating_sub(used.saturating_sub(given_back)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn tables_are_read() {
            let meminfo =
                "MemTotal:       24684456 kB\nMemFree:        13439312 kB\nMemAvailable:   1000 kB\nSwapFree:  24 kB\n";
            assert_eq!(machine(meminfo), Some(1 << 20));
            assert_eq!(machine("MemTotal: 5 kB\n"), None);
            let status = "Name:\thitmask\nVmSize:\t    2 kB\nVmData:\t    1 kB\n";
            let limits = |data: &str, space: &str| {
                format!(
                    "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max data size             {data}            unlimited            bytes     \n\
                     Max address space         {space}            unlimited            bytes     \n"
                )
            };
            assert_eq!(process(&limits("unlimited", "unlimited"), status), None);
            assert_eq!(process(&limits("unlimited", "5000"), status), Some(5000 - 2048));
            assert_eq!(process(&limits("1500", "5000"), status), Some(1500 - 1024));
            assert_eq!(process(&limits("1000", "5000"), status), Some(0));
        }

        #[test]
        fn control_groups_are_found_and_what_holds_them_counts() {
            let root = tempfile::tempdir().unwrap();
            let inner = root.path().join("inner");
            fs::create_dir(&inner).unwrap();
            let put = |folder: &Path, name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
            put(&inner, "memory.max", "max\n");
            put(&inner, "memory.current", "700\n");
            assert_eq!(left(&V2, &inner), None, "without a limit");
            put(root.path(), "memory.max", "1000\n");
            put(root.path(), "memory.current", "900\n");
            assert_eq!(left(&V2, root.path()), Some(100));
            put(root.path(), "memory.stat", "anon 500\ninactive_file 30\nactive_file 4\n");
            assert_eq!(left(&V2, root.path()), Some(134));
            put(&inner, "memory.limit_in_bytes", "800\n");
            put(&inner, "memory.usage_in_bytes", "900\n");
            assert_eq!(left(&V1, &inner), Some(0), "more is used than may be");

            let path = |line: &str| group(line).map(|(names, root, path)| (names.limit, root, path));
            assert_eq!(path("0::/a/b"), Some(("memory.max", "/sys/fs/cgroup", "/a/b".into())));
            let v1 = Some(("memory.limit_in_bytes", "/sys/fs/cgroup/memory", "/a:b".into()));
            assert_eq!(path("4:memory:/a:b"), v1);
            assert_eq!(path("4:cpu,memory:/a:b"), v1);
            assert_eq!(path("1:cpu:/"), None);
            assert_eq!(groups(""), None);
        }

        #[test]
        fn this_machine_tells() {
            let [machine, ..] = bounds();
            assert!(machine.is_some_and(|bytes| bytes > 1 << 20), "{machine:?}");
        }
    }
}
