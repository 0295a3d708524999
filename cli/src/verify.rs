//! `hitmask verify`.

#[cfg(feature = "gpu")]
mod export;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use hitmask::Engine;
use hitmask::internals::printable;
use hitmask::scene::Scene;
use hitmask_workbench::verify::{Mismatch, compare, random_scene, shrink, swarm_scene};
use indicatif::ProgressBar;

use crate::engines::{self, Backend};
use crate::text::count;
use crate::{Output, progress, save, tell};

pub(crate) const EXAMPLES: &str = "\
Examples:
  hitmask verify --random 10000
  hitmask verify --random 10000 --seed 7 --engines cpu,gpu
  hitmask verify --random 10000 --swarm
  hitmask verify --soak 8h --engines cpu,gpu
  hitmask verify scene.json --engines cpu,gpu --gpu llvmpipe
  hitmask verify --export vectors && python3 -m http.server -b localhost -d vectors

A mismatch is written as a scene file with as few bodies as still show it, for `hitmask check` to run on each engine.
With --export nothing is compared here: open http://localhost:8000/verify.html in a browser with WebGPU, which runs the
same shaders and compares every bit.
The reference compares every body with every other, pixel by pixel: leave it out for scenes of thousands of bodies.

Exit status: 0 all answers are equal, 1 they are not, 2 an error.";

/// The default numbers of random scenes, to compare and to export.
const SCENES: [u64; 2] = [1000, 100];

#[derive(Args)]
pub(crate) struct Options {
    /// The scene file to compare on (default: random scenes)
    #[arg(conflicts_with_all = ["random", "seed", "swarm"])]
    scene: Option<PathBuf>,
    /// Number of random scenes (default: 1000, or 100 with --export)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    random: Option<u64>,
    /// Compare random scenes for this long, such as 90s, 10m or 8h, and count those on which engines differ
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration,
        conflicts_with_all = ["scene", "random", "export"])]
    soak: Option<Duration>,
    /// Switch features off at random in each random scene, such as motion, layers, or kinds of shapes, so that rare
    /// combinations of the others occur more often
    #[arg(long, conflicts_with = "export")]
    swarm: bool,
    /// Seed of the first random scene; each further one adds 1
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Engines to compare, each with the first (default: all that are available)
    #[arg(long, value_delimiter = ',', value_enum, value_name = "LIST")]
    engines: Vec<Backend>,
    /// Use the first GPU whose name contains NAME, ignoring case (default: `WGPU_ADAPTER_NAME` of the environment)
    #[arg(long, value_name = "NAME")]
    gpu: Option<String>,
    /// File to write a scene to if engines differ on it
    #[arg(long, value_name = "FILE", default_value = "mismatch.json")]
    out: PathBuf,
    /// Compare nothing; instead write to DIR test vectors for the GPU engine's shaders (single functions, and steps of
    /// the scenes) with the correct answers, and a web page that runs them in a browser
    #[arg(long, value_name = "DIR", conflicts_with_all = ["engines", "gpu", "out"])]
    export: Option<PathBuf>,
}

impl Options {
    /// Returns the number of random scenes.
    fn scenes(&self) -> u64 {
        self.random.unwrap_or(SCENES[usize::from(self.export.is_some())])
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<Output> {
    if let Some(folder) = &options.export {
        return export(options, folder);
    }
    if options.soak.is_some() {
        save::check(&options.out)?;
    }
    let mut engines = open(options)?;
    if let Some(path) = &options.scene {
        let (scene, files) = hitmask_files::scene::open(path)?;
        save::check_apart(&options.out, scene.files().chain(files))?;
        return Ok(match compare(&scene.world()?, &mut engines)? {
            None => format!("Equal on {}: {}\n", names(&engines), count(scene.bodies.len(), "body", "bodies")).into(),
            Some(mismatch) => Output { status: 1, ..report(options, &mut engines, &scene, &mismatch, "").into() },
        });
    }
    compare_random(options, &mut engines)
}

/// Returns the names of engines as `--engines` has them, and what each ran on, `auto` at the last step.
fn names(engines: &[Engine]) -> String {
    let name = |engine: &Engine| match engine {
        #[cfg(feature = "gpu")]
        Engine::Auto(_) => "auto",
        _ => engine.name(),
    };
    let names: Vec<String> = engines.iter().map(|engine| format!("{} ({})", name(engine), engine.device())).collect();
    names.join(", ")
}

/// Compares random scenes until engines differ on one; with `--soak` until the time is over.
fn compare_random(options: &Options, engines: &mut [Engine]) -> anyhow::Result<Output> {
    let begun = Instant::now();
    let bar = bar(options);
    let (mut compared, mut differ, mut first, mut failure) = (0_u64, 0_u64, String::new(), None);
    loop {
        let elapsed = begun.elapsed();
        let is_over = options.soak.map_or(compared >= options.scenes(), |limit| elapsed >= limit);
        // Even a soak of no time compares one scene.
        if (is_over && compared > 0) || (differ > 0 && options.soak.is_none()) {
            break;
        }
        let seed = options.seed.wrapping_add(compared);
        let scene = if options.swarm { swarm_scene(seed) } else { random_scene(seed) };
        let mismatch = match scene.world().and_then(|world| compare(&world, engines)) {
            Ok(mismatch) => mismatch,
            Err(error) => {
                failure = Some(error.of(format!("the random scene of seed {seed}")));
                break;
            }
        };
        if let Some(mismatch) = mismatch {
            differ += 1;
            if differ == 1 {
                let whence = format!("Random scene of seed {seed}, after {compared} on which all agreed\n");
                // Written at once: a soak may be ended before its time.
                first = bar.suspend(|| report(options, engines, &scene, &mismatch, &whence));
            }
            bar.set_message(format!("{differ} differ"));
        }
        compared += 1;
        bar.set_position(if options.soak.is_some() { elapsed.as_secs() } else { compared });
    }
    bar.finish_and_clear();
    let told = count(compared, "random scene", "random scenes");
    if differ == 0 {
        failure.map_or(Ok(()), Err)?;
        let last = options.seed.wrapping_add(compared - 1);
        let names = names(engines);
        return Ok(format!("Equal on {names}: {told}, seeds {} to {last}\n", options.seed).into());
    }
    if let Some(failure) = failure {
        tell(&printable(&format!("error: {failure}")));
    }
    let of_all = if options.soak.is_some() {
        format!("Engines differ on {differ} of {told}; the first:\n")
    } else {
        String::new()
    };
    Ok(Output { status: 1, ..(of_all + &first).into() })
}

/// Returns the bar that shows how many scenes are compared, or how many seconds have passed.
fn bar(options: &Options) -> ProgressBar {
    let (length, template) = match options.soak {
        Some(limit) => (limit.as_secs(), "{wide_bar} {pos} of {len} s {msg}"),
        None => (options.scenes(), "{wide_bar} {pos}/{len} scenes, {eta} left"),
    };
    progress::bar(length, template)
}

#[cfg(feature = "gpu")]
fn export(options: &Options, folder: &Path) -> anyhow::Result<Output> {
    let scene = options.scene.as_ref().map(hitmask_files::scene::open).transpose()?;
    if let Some((scene, files)) = &scene {
        for name in export::names() {
            save::check_apart(&folder.join(name), scene.files().chain(files.iter().cloned()))?;
        }
    }
    let random = (0..options.scenes()).map(|i| options.seed.wrapping_add(i));
    let told = export::export(folder, scene.as_ref().map(|(scene, _)| scene), random)?;
    Ok(format!("Written to {}: {told}\n", printable(&folder.display().to_string())).into())
}

#[cfg(not(feature = "gpu"))]
fn export(_: &Options, _: &Path) -> anyhow::Result<Output> {
    Err(engines::without_gpu().into())
}

/// Opens the requested engines, or all that are available.
fn open(options: &Options) -> anyhow::Result<Vec<Engine>> {
    let gpu = options.gpu.as_deref();
    let names = &options.engines;
    if names.is_empty() {
        let mut engines = vec![Engine::reference(), Engine::cpu()?];
        match engines::open(Backend::Gpu, gpu) {
            Ok(gpu) => engines.push(gpu),
            Err(error) if gpu.is_some() => return Err(error),
            Err(error) => tell(&printable(&format!("comparing without a GPU: {error}"))),
        }
        return Ok(engines);
    }
    let twice = (1..names.len()).any(|i| names[..i].contains(&names[i]));
    let is_cpu_alone = names.iter().all(|name| matches!(name, Backend::Cpu | Backend::Auto));
    if twice || names.len() < 2 || is_cpu_alone {
        anyhow::bail!(
            "--engines needs at least two different engines, none twice: of `reference`, `cpu`, `gpu`, `auto`; \
             `auto` may be the CPU, so `cpu` and `auto` alone are not enough"
        );
    }
    let takes_gpu = |name: &Backend| matches!(name, Backend::Gpu | Backend::Auto);
    if gpu.is_some() && !names.iter().any(takes_gpu) {
        anyhow::bail!("--gpu chooses a GPU, but --engines names none");
    }
    names.iter().map(|name| engines::open(*name, gpu.filter(|_| takes_gpu(name)))).collect()
}

/// Reports how engines differ, and writes a scene that shows it.
fn report(options: &Options, engines: &mut [Engine], scene: &Scene, mismatch: &Mismatch, whence: &str) -> String {
    let mut text = format!("{whence}{mismatch}\n");
    for body in mismatch.bodies() {
        let _ = writeln!(text, "  {}", scene.label(body as usize));
    }
    let least = shrink(scene, mismatch, engines);
    let out = printable(&options.out.display().to_string());
    let bodies = count(least.bodies.len(), "body", "bodies");
    match least.to_json().map_err(anyhow::Error::from).and_then(|json| save::whole(&options.out, json.as_bytes())) {
        Ok(()) => {
            let _ =
                writeln!(text, "Written with {bodies}: hitmask check {out} --details --backend {}", engines[0].name());
        }
        Err(error) => tell(&printable(&format!("error: {error}"))),
    }
    text
}
