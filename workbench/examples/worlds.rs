//! Saves the worlds of standard workloads, for benchmarks outside Rust:
//!
//! ```sh
//! cargo run --release -p hitmask-workbench --example worlds -- 10000 DIR boxes sprites turned
//! ```

use std::error::Error;
use std::path::Path;

use hitmask::Save;
use hitmask_workbench::workloads::Workload;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [bodies, folder, workloads @ ..] = arguments.as_slice() else {
        return Err("usage: worlds BODIES DIR WORKLOAD...".into());
    };
    std::fs::create_dir_all(folder)?;
    for name in workloads {
        let world = name.parse::<Workload>()?.world(bodies.parse()?)?;
        std::fs::write(Path::new(folder).join(format!("{name}.world")), world.save(Save::Whole)?)?;
    }
    Ok(())
}
