//! A driver with faults: a layer between the Vulkan loader and the driver (`driver.c`) makes calls fail.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::process::Command;

use hitmask::gpu;

/// The counters of `struct faults` in `driver.c`.
#[derive(Clone, Copy, Debug)]
#[allow(dead_code, reason = "each test takes what it needs")]
pub(crate) enum Fault {
    Buffers,
    Memory,
    Pipelines,
    Submits,
    Waits,
    Silent,
    Gone,
}

/// The mark that the body of a test leaves in the file of counters at its end, and where: a process that runs no test
/// ends well, too.
const DONE: [u8; 4] = *b"done";
const DONE_AT: u64 = 60;

/// The shared file that controls the faults.
pub(crate) struct Faults(File);

impl Faults {
    /// Makes the `count`th call from now on fail, once; or switches a lasting fault on (1) or off (0).
    pub(crate) fn set(&self, fault: Fault, count: u32) {
        self.0.write_all_at(&count.to_ne_bytes(), 4 * fault as u64).unwrap();
    }

    /// Makes no call fail.
    #[allow(dead_code, reason = "each test takes what it needs")]
    pub(crate) fn clear(&self) {
        self.0.write_all_at(&[0; 4 * (Fault::Gone as usize + 1)], 0).unwrap();
    }

    /// Returns whether a fault is still set and has not occurred.
    pub(crate) fn is_left(&self, fault: Fault) -> bool {
        let mut count = [0; 4];
        self.0.read_exact_at(&mut count, 4 * fault as u64).unwrap();
        count != [0; 4]
    }
}

/// Runs the body of a test in a process with a faulty driver.
pub(crate) fn on_a_faulty_driver(test: &str, body: impl FnOnce(&Faults)) {
    if let Some(counters) = std::env::var_os("HITMASK_FAULTS") {
        let faults = Faults(File::options().read(true).write(true).open(counters).unwrap());
        faults.set(Fault::Gone, 1);
        assert_eq!(gpu::list(), [], "the layer is not there");
        faults.set(Fault::Gone, 0);
        assert_ne!(gpu::list(), [], "no GPU; `./test --setup` installs one in software");
        body(&faults);
        faults.0.write_all_at(&DONE, DONE_AT).unwrap();
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let [library, manifest, counters] =
        ["libfaults.so", "faults.json", "counters"].map(|name| folder.path().join(name));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/common/driver.c");
    let compiled = Command::new("cc").args(["-O1", "-shared", "-fPIC", source, "-o"]).arg(&library).status();
    assert!(compiled.expect("a C compiler; `./test --setup` installs one").success());
    let layer = r#"{
        "file_format_version": "1.1.2",
        "layer": {
            "name": "VK_LAYER_HITMASK_faults", "type": "GLOBAL", "library_path": "./libfaults.so",
            "api_version": "1.3.0", "implementation_version": "1", "description": "faults of a driver"
        }
    }"#;
    std::fs::write(&manifest, layer).unwrap();
    std::fs::write(&counters, [0; 64]).unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args([test, "--exact", "--include-ignored", "--nocapture", "--test-threads=1"])
        .env("HITMASK_FAULTS", &counters)
        .env("VK_LAYER_PATH", folder.path())
        .env("VK_INSTANCE_LAYERS", "VK_LAYER_HITMASK_faults")
        .env("WGPU_BACKEND", "vulkan")
        // Disables a layer of Mesa that ends the process if there is no adapter.
        .env("NODEVICE_SELECT", "1")
        .status()
        .unwrap();
    assert!(status.success(), "{test} failed on a driver with faults: {status}");
    assert!(std::fs::read(&counters).unwrap().ends_with(&DONE), "{test} did not run");
}
