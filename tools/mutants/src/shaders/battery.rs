//! The quick battery of a mutant: whether its modules are valid, and then scenes and workloads on GPU engines of four
//! configurations, compared with the CPU engine. It runs in a process of its own, which may hang or crash.

use std::process::ExitCode;

use hitmask::gpu::{Broad, Options};
use hitmask::internals::{as_hardware, int64_shaders, shaders};
use hitmask::wgpu::{self, naga};
use hitmask::{Engine, World, gpu};
use hitmask_workbench::verify::{compare, random_scene, swarm_scene};
use hitmask_workbench::workloads::Workload;

/// The exit status of a mutant that a driver would refuse.
pub(crate) const INVALID: u8 = 3;

/// The random scenes of each configuration, and those of the swarm.
const SCENES: u64 = 60;
const SWARM: u64 = 40;
/// The number of bodies of the workloads that are not sorted, and of those that are.
const FEW: u32 = 300;
const MANY: u32 = 5_000;
/// The workload in which each body hits each other, and the number of its bodies, for rows of more than 512 pairs.
const DENSE: (Workload, u32) = (Workload::Spot, 600);

/// Judges the changed shader of this process, whose text is `changed`; or, with `validate`, only checks its modules.
pub(crate) fn run(changed: &str, validate: bool) -> anyhow::Result<ExitCode> {
    if let Some(error) = shaders().chain(int64_shaders()).find_map(|(name, source)| invalid(changed, name, &source)) {
        println!("invalid: {error}");
        return Ok(ExitCode::from(INVALID));
    }
    if validate {
        return Ok(ExitCode::SUCCESS);
    }
    match differs()? {
        Some(difference) => {
            println!("{difference}");
            // No destructor runs: a thread may be compiling shaders.
            std::process::exit(1)
        }
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Returns why a module is invalid, if it contains the changed text.
fn invalid(changed: &str, name: &str, source: &str) -> Option<String> {
    use naga::valid::{Capabilities, ValidationFlags, Validator};

    if !source.contains(changed) {
        return None;
    }
    match naga::front::wgsl::parse_str(source) {
        Ok(module) => {
            let valid = Validator::new(ValidationFlags::all(), Capabilities::SHADER_INT64).validate(&module);
            valid.err().map(|error| format!("{name}: {error}"))
        }
        Err(error) => Some(format!("{name}: {error}")),
    }
}

/// Returns the first difference from the CPU engine, or the first error.
fn differs() -> anyhow::Result<Option<String>> {
    let words = Options::default().int64(false);
    let cramped = words.clone().limits(wgpu::Limits::default()).candidates(100);
    let sorted = as_hardware(words.clone()).broad(Broad::Sorted);
    let native = as_hardware(Options::default());
    let few = || Workload::ALL.iter().map(|&workload| (workload, FEW));
    let many = || Workload::ALL.iter().filter(|&&workload| workload != DENSE.0).map(|&workload| (workload, MANY));
    for (k, (name, options)) in
        [("words", words), ("sorted", sorted), ("native", native), ("cramped", cramped)].into_iter().enumerate()
    {
        let gpu = match gpu::Engine::with(&options) {
            Ok(gpu) => Engine::Gpu(Box::new(gpu)),
            Err(error) => return Ok(Some(format!("{name}: {error}"))),
        };
        let mut engines = [Engine::cpu()?, gpu];
        let seed = 1_000 * k as u64;
        let random = (seed..seed + SCENES).map(|seed| (format!("scene {seed}"), random_scene(seed).world()));
        let swarm = (seed..seed + SWARM).map(|seed| (format!("swarm {seed}"), swarm_scene(seed).world()));
        let workloads: Vec<(Workload, u32)> = match name {
            "sorted" => many().chain([DENSE]).collect(),
            "native" => few().chain([DENSE]).collect(),
            "words" => few().collect(),
            // A body with more candidates than there is room for is an error.
            _ => Vec::new(),
        };
        let workloads = workloads.into_iter().map(|(workload, n)| (format!("{workload} of {n}"), workload.world(n)));
        for (what, world) in random.chain(swarm).chain(workloads) {
            let world: World = world?;
            match compare(&world, &mut engines) {
                Ok(None) => {}
                Ok(Some(mismatch)) => return Ok(Some(format!("{name}, {what}: {mismatch}"))),
                Err(error) => return Ok(Some(format!("{name}, {what}: {error}"))),
            }
        }
    }
    Ok(None)
}
