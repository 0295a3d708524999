//! The conditions that times depend on: other programs, the governor of the clocks, the temperature.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// The load per core from which times are said to suffer from other programs.
const BUSY: f64 = 0.5;

/// The conditions under which a benchmark ran, as far as the system reports them (Linux does).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Conditions {
    /// The mean number of running programs in the minute before it began.
    pub(super) load: Option<f64>,
    /// The governor of the processor's clocks: "performance", "powersave".
    pub(super) governor: Option<String>,
    /// The temperature of the processor's hottest sensor when it ended, in degrees Celsius.
    pub(super) celsius: Option<f64>,
}

impl Conditions {
    /// Reads the conditions before a benchmark.
    pub(super) fn before() -> Self {
        Self::read(Path::new("/"))
    }

    /// Reads the temperature after a benchmark.
    pub(super) fn after(self) -> Self {
        Self { celsius: celsius(Path::new("/")), ..self }
    }

    /// Reads load and governor below a root folder.
    fn read(root: &Path) -> Self {
        let text = |path: &str| fs::read_to_string(root.join(path)).ok();
        let governor = text("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        Self {
            load: text("proc/loadavg").and_then(|text| text.split_whitespace().next()?.parse().ok()),
            governor: governor.map(|text| text.trim().to_owned()),
            celsius: None,
        }
    }

    /// Returns a line: "load 0.1, governor performance, 54 °C"; `None` if nothing is known.
    pub(super) fn line(&self) -> Option<String> {
        let Self { load, governor, celsius } = self;
        let load = load.map(|load| format!("load {load}"));
        let governor = governor.as_ref().map(|governor| format!("governor {governor}"));
        let celsius = celsius.map(|celsius| format!("{celsius:.0} °C"));
        let parts: Vec<String> = [load, governor, celsius].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }

    /// Returns a warning if other programs took much of `cores` cores.
    pub(super) fn warning(&self, cores: Option<usize>) -> Option<String> {
        let load = self.load.filter(|load| *load > BUSY * cores.unwrap_or(1) as f64)?;
        Some(format!("The machine was busy in the minute before (load {load}): times may be too long."))
    }
}

/// The drivers of processors' sensors.
const SENSORS: [&str; 4] = ["coretemp", "cpu_thermal", "k10temp", "zenpower"];

/// Returns the temperature of the hottest sensor of a processor below a root folder.
fn celsius(root: &Path) -> Option<f64> {
    let drivers = fs::read_dir(root.join("sys/class/hwmon")).ok()?.filter_map(|driver| {
        let path = driver.ok()?.path();
        let name = fs::read_to_string(path.join("name")).ok()?;
        SENSORS.contains(&name.trim()).then_some(path)
    });
    let sensors = drivers.filter_map(|path| fs::read_dir(path).ok()).flatten().filter_map(|file| {
        let path = file.ok()?.path();
        let name = path.file_name()?.to_str()?;
        let millis =
            if name.starts_with("temp") && name.ends_with("_input") { fs::read_to_string(path).ok() } else { None };
        millis?.trim().parse::<f64>().ok()
    });
    sensors.max_by(f64::total_cmp).map(|millis| millis / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read_where_linux_has_them() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(Conditions::read(root.path()), Conditions::default());
        assert_eq!((Conditions::default().line(), celsius(root.path())), (None, None));
        for (path, text) in [
            ("proc/loadavg", "1.25 0.80 0.60 2/345 6789\n"),
            ("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n"),
            ("sys/class/hwmon/hwmon0/name", "k10temp\n"),
            ("sys/class/hwmon/hwmon0/temp1_input", "41000\n"),
            ("sys/class/hwmon/hwmon0/temp3_input", "54500\n"),
            ("sys/class/hwmon/hwmon0/temp3_crit", "95000\n"),
            ("sys/class/hwmon/hwmon1/name", "nvme\n"),
            ("sys/class/hwmon/hwmon1/temp1_input", "77000\n"),
        ] {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let conditions = Conditions { celsius: celsius(root.path()), ..Conditions::read(root.path()) };
        assert_eq!(conditions.line().unwrap(), "load 1.25, governor powersave, 54 °C");
        assert_eq!(conditions.warning(Some(4)), None);
        assert!(conditions.warning(Some(2)).unwrap().contains("(load 1.25)"));
    }
}
