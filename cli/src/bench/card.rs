//! The energy that a graphics card takes, by its own counter: that of its driver in Linux (Intel's cards), or of
//! NVIDIA's management library (NVML).
//!
//! NVML: NVIDIA, *NVML API Reference Guide*, `nvmlDeviceGetTotalEnergyConsumption`, for cards since Volta. Linux:
//! `Documentation/ABI/testing/sysfs-driver-intel-xe-hwmon` and `sysfs-driver-intel-i915-hwmon`, `energyN_input`.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use hitmask::Engine;
use nvml_wrapper::Nvml;

/// The energy counter of a card.
pub(super) enum Card {
    /// A file with microjoules.
    Driver(PathBuf),
    /// NVIDIA's library, and the card's address on the PCI bus.
    Nvidia(Box<Nvml>, String),
}

impl Card {
    /// Returns the counter of an engine's card; `None` for other engines, and if the card has none.
    pub(super) fn of(engine: &Engine) -> Option<Self> {
        let Engine::Gpu(engine) = engine else { return None };
        let address = engine.info().pci_address.as_deref()?;
        Self::by_driver(Path::new("/sys/bus/pci/devices"), address).or_else(|| Self::by_nvidia(None, address))
    }

    /// Looks for the counter of a driver below Linux's folder of devices.
    fn by_driver(devices: &Path, address: &str) -> Option<Self> {
        let monitors = fs::read_dir(devices.join(address).join("hwmon")).ok()?.filter_map(Result::ok);
        let mut monitors = monitors.map(|monitor| monitor.path());
        // `i915` has further monitors, for parts of a card.
        let monitor = monitors.find(|monitor| {
            let name = fs::read_to_string(monitor.join("name"));
            name.is_ok_and(|name| ["i915", "xe"].contains(&name.trim()))
        })?;
        // The card, or else the package on it.
        let mut counters = ["energy1_input", "energy2_input"].map(|file| Self::Driver(monitor.join(file))).into_iter();
        counters.find(|card| card.joules().is_some())
    }

    /// Looks for a card in NVIDIA's library: in that file, or where the driver installs it.
    fn by_nvidia(library: Option<&OsStr>, address: &str) -> Option<Self> {
        let mut builder = Nvml::builder();
        if let Some(library) = library {
            builder.lib_path(library);
        }
        let card = Self::Nvidia(Box::new(builder.init().ok()?), address.to_owned());
        card.joules().is_some().then_some(card)
    }

    /// Returns the energy since some moment in the past, in joules; `None` if it cannot be read.
    pub(super) fn joules(&self) -> Option<f64> {
        match self {
            Self::Driver(file) => Some(fs::read_to_string(file).ok()?.trim().parse::<u64>().ok()? as f64 / 1e6),
            Self::Nvidia(nvml, address) => {
                let card = nvml.device_by_pci_bus_id(address.as_str()).ok()?;
                Some(card.total_energy_consumption().ok()? as f64 / 1e3)
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn a_driver_counts_microjoules() {
        let devices = tempfile::tempdir().unwrap();
        let write = |file: &str, text: &str| {
            let path = devices.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, format!("{text}\n")).unwrap();
        };
        let card = |address| Card::by_driver(devices.path(), address);
        for (file, text) in [
            ("0000:03:00.0/hwmon/hwmon4/name", "i915_gt0"),
            ("0000:03:00.0/hwmon/hwmon4/energy1_input", "1"),
            ("0000:03:00.0/hwmon/hwmon5/name", "i915"),
            ("0000:04:00.0/hwmon/hwmon6/name", "xe"),
            ("0000:04:00.0/hwmon/hwmon6/energy2_input", "7000000"),
            ("0000:05:00.0/hwmon/hwmon7/name", "amdgpu"),
        ] {
            write(file, text);
        }
        assert!(card("0000:03:00.0").is_none());
        write("0000:03:00.0/hwmon/hwmon5/energy1_input", "2500000");
        let joules = |address| card(address).and_then(|card| card.joules());
        let addresses = ["0000:03:00.0", "0000:04:00.0", "0000:05:00.0", "0000:06:00.0"];
        assert_eq!(addresses.map(joules), [Some(2.5), Some(7.0), None, None]);
        let opened = card("0000:03:00.0").unwrap();
        write("0000:03:00.0/hwmon/hwmon5/energy1_input", "none");
        assert_eq!(opened.joules(), None);
    }

    /// Tests against a library with the functions of NVIDIA's that are called. It knows one card, whose counter is one
    /// and a half joules further each time.
    #[test]
    fn nvidias_library_counts_millijoules() {
        const LIBRARY: &str = r#"
            #include <string.h>
            static unsigned long long energy = 1000;
            int nvmlInit_v2(void) { return 0; }
            int nvmlShutdown(void) { return 0; }
            int nvmlDeviceGetHandleByPciBusId_v2(const char *address, void **card) {
                *card = &energy;
                return strcmp(address, "0000:01:00.0") ? 6 /* not found */ : 0;
            }
            int nvmlDeviceGetTotalEnergyConsumption(void *card, unsigned long long *millijoules) {
                *millijoules = *(unsigned long long *)card += 1500;
                return 0;
            }
        "#;
        let folder = tempfile::tempdir().unwrap();
        let [source, library] = ["nvml.c", "libnvml.so"].map(|name| folder.path().join(name));
        assert!(Card::by_nvidia(Some(library.as_os_str()), "0000:01:00.0").is_none());
        fs::write(&source, LIBRARY).unwrap();
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status().unwrap();
        assert!(compiled.success());
        assert!(Card::by_nvidia(Some(library.as_os_str()), "0000:02:00.0").is_none());
        let card = Card::by_nvidia(Some(library.as_os_str()), "0000:01:00.0").unwrap();
        let [before, after] = [card.joules(), card.joules()].map(Option::unwrap);
        assert_eq!(after - before, 1.5);
    }
}
