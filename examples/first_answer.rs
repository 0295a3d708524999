//! Measures how long a fresh process takes to get its first answer: opening the GPU, compiling the shaders that a world
//! needs, and the first step. The second step shows the cost without compiling. Prints the milliseconds of each stage.
//!
//! `MESA_SHADER_CACHE_DISABLE=true cargo run --release --example first_answer -- turned 1000 pairs` measures without
//! the shaders that Mesa caches between runs. The arguments are a standard workload, a number of bodies, what to
//! compute (`flags`, `pairs`, `details`), and `moving` if the bodies move within the step. Trailing arguments may be
//! left out. `first_answer shaders` prints how long the driver takes for each shader instead. NVIDIA's driver does
//! without its cache if the environment has `__GL_SHADER_DISK_CACHE=0`.

use std::error::Error;
use std::time::Instant;

use hitmask::internals::compile_times;
use hitmask::{Ask, gpu};
use hitmask_workbench::workloads::Workload;

fn main() -> Result<(), Box<dyn Error>> {
    let start = Instant::now();
    let mut words = std::env::args().skip(1);
    let first = words.next();
    if first.as_deref() == Some("shaders") {
        for (shader, time) in compile_times(&gpu::Options::default())? {
            println!("{shader:14} {:7.1} ms", time.as_secs_f64() * 1e3);
        }
        println!("{:14} {:7.1} ms", "all", start.elapsed().as_secs_f64() * 1e3);
        return Ok(());
    }
    let workload: Workload = first.as_deref().unwrap_or("boxes").parse()?;
    let bodies = words.next().as_deref().unwrap_or("1000").parse()?;
    let ask = match words.next().as_deref().unwrap_or("pairs") {
        "flags" => Ask::Flags,
        "pairs" => Ask::Pairs,
        "details" => Ask::Details,
        other => return Err(format!("{other} is neither flags, pairs nor details").into()),
    };
    let mut crowd = workload.crowd(bodies)?;
    if words.next().is_some() {
        crowd = crowd.moving();
        crowd.step(1, 1000)?;
    }
    let mut last = start;
    let mut lap = |what: &str| {
        println!("{what:14} {:7.1} ms", last.elapsed().as_secs_f64() * 1e3);
        last = Instant::now();
    };
    lap("world");
    let mut engine = gpu::Engine::new()?;
    lap("engine");
    let first = engine.run(crowd.world(), ask)?;
    lap("first step");
    println!("{:14} {:7.1} ms, {} pairs", "first answer", start.elapsed().as_secs_f64() * 1e3, first.pairs.len());
    let second = engine.run(crowd.world(), ask)?;
    lap("second step");
    assert!(second == first, "the second answer differs");
    Ok(())
}
