//! The energy that the processor takes, by its own counters (RAPL), where Linux lets this program read them.

use std::fs;
use std::path::{Path, PathBuf};

/// The counters of all processors.
pub(super) struct Meter {
    zones: Vec<Zone>,
}

/// The counter of a processor, in microjoules.
struct Zone {
    path: PathBuf,
    /// The value after which it begins at 0 again.
    range: u64,
}

/// The values of all counters at a moment.
pub(super) struct Reading(Vec<u64>);

impl Meter {
    /// Opens the counters; `None` if there are none, or only an administrator may read them.
    pub(super) fn open() -> Option<Self> {
        Self::at(Path::new("/sys/class/powercap"))
    }

    fn at(folder: &Path) -> Option<Self> {
        let zones = fs::read_dir(folder).ok()?.filter_map(|entry| {
            let entry = entry.ok()?;
            // `intel-rapl:0` is a processor, of AMD's too; `intel-rapl:0:1` is a part of it.
            let name = entry.file_name().into_string().ok()?;
            let number = name.strip_prefix("intel-rapl:")?;
            number.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
            let zone = Zone { range: number_in(&entry.path().join("max_energy_range_uj"))?, path: entry.path() };
            zone.read().map(|_| zone)
        });
        let zones: Vec<Zone> = zones.collect();
        (!zones.is_empty()).then_some(Self { zones })
    }

    /// Reads all counters; `None` if one has gone.
    pub(super) fn read(&self) -> Option<Reading> {
        self.zones.iter().map(Zone::read).collect::<Option<Vec<_>>>().map(Reading)
    }

    /// Returns the energy since a reading, in joules. Each counter may have begun anew once.
    pub(super) fn since(&self, Reading(before): &Reading) -> Option<f64> {
        let Reading(now) = self.read()?;
        let each = self.zones.iter().zip(before).zip(now);
        let micros = each.map(|((zone, &before), now)| {
            let turned = if now < before { zone.range } else { 0 };
            now.checked_add(turned)?.checked_sub(before)
        });
        Some(micros.sum::<Option<u64>>()? as f64 / 1e6)
    }
}

impl Zone {
    fn read(&self) -> Option<u64> {
        number_in(&self.path.join("energy_uj"))
    }
}

fn number_in(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_processors_count_once_and_may_begin_anew() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Meter::at(folder.path()).is_none());
        let write = |zone: &str, file: &str, value: u64| {
            let path = folder.path().join(zone);
            fs::create_dir_all(&path).unwrap();
            fs::write(path.join(file), format!("{value}\n")).unwrap();
        };
        for (zone, energy) in [("intel-rapl:0", 1_000_000), ("intel-rapl:1", 9_500_000), ("intel-rapl:0:0", 5)] {
            write(zone, "energy_uj", energy);
            write(zone, "max_energy_range_uj", 10_000_000);
        }
        write("dtpm", "power", 1);
        let meter = Meter::at(folder.path()).unwrap();
        let before = meter.read().unwrap();
        write("intel-rapl:0", "energy_uj", 3_000_000);
        write("intel-rapl:1", "energy_uj", 250_000);
        assert_eq!(meter.since(&before), Some(2.75));
        // Whatever a counter says, nothing overflows.
        write("intel-rapl:1", "energy_uj", u64::MAX);
        assert!(meter.since(&Reading(vec![u64::MAX, 0])).is_none());
        fs::remove_dir_all(folder.path().join("intel-rapl:1")).unwrap();
        assert_eq!(meter.since(&before), None);
    }
}
