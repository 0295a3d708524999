//! `hitmask verify --export`: test vectors for a browser, and the page that runs them.

use std::path::Path;

use hitmask::internals::vectors::{self, Command, Function, Step};
use hitmask::scene::Scene;
use hitmask::{Ask, Engine, World, gpu};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::Workload;
use serde_json::{Value, json};

use crate::save;
use crate::text::count;

/// The format version in `vectors.json`; the page refuses any other.
const FORMAT: u32 = 1;
/// The number of inputs per function.
const CASES: usize = 1 << 13;
/// The number of bodies in a workload: enough to be sorted.
const BODIES: u32 = 5_000;
/// The number of bodies in a workload in which some body hits most others.
const CROWDED: u32 = 300;
/// The page and its script.
const PAGE: [(&str, &str); 2] = vectors::PAGE;
/// The file with the words of all vectors.
const WORDS: &str = "vectors.bin";
/// The file that says what the words are.
const MANIFEST: &str = "vectors.json";

/// Returns the names of the files that [`export`] writes.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    PAGE.into_iter().map(|(name, _)| name).chain([WORDS, MANIFEST])
}

/// The words of all vectors, concatenated.
#[derive(Default)]
struct Words(Vec<u32>);

impl Words {
    /// Appends words, and returns where they are.
    fn put(&mut self, words: &[u32]) -> Value {
        let at = self.0.len();
        self.0.extend_from_slice(words);
        json!([at, words.len()])
    }

    fn put_bytes(&mut self, bytes: &[u8]) -> Value {
        let words = bytes.chunks(4).map(|word| {
            let mut whole = [0; 4];
            whole[..word.len()].copy_from_slice(word);
            u32::from_le_bytes(whole)
        });
        self.put(&words.collect::<Vec<_>>())
    }
}

/// A way to run a step: its name, the broad phase, and what to ask for.
type Way = (&'static str, gpu::Broad, Ask);

/// A step that asks for pairs alone may sample rotated sprites.
const WAYS: [Way; 3] = [
    ("all pairs", gpu::Broad::AllPairs, Ask::Details),
    ("sorted", gpu::Broad::Sorted, Ask::Details),
    ("sorted, sampled", gpu::Broad::Sorted, Ask::Pairs),
];

/// Writes the vectors of all functions and of steps, and returns a summary. The steps are those of `scene`, or of
/// random scenes, answered by the reference. Random scenes are followed by the workloads, answered by the CPU engine.
pub(super) fn export(
    folder: &Path,
    scene: Option<&Scene>,
    random: impl Iterator<Item = u64>,
) -> anyhow::Result<String> {
    let mut words = Words::default();
    let functions: Vec<Value> = vectors::functions(CASES).iter().map(|asked| function(&mut words, asked)).collect();
    let mut steps = Vec::new();
    let mut add = |name: &str, world: &World, engine: &mut Engine, ways: &[Way]| -> anyhow::Result<()> {
        let hits = engine.run(world, Ask::Details)?;
        for &(how, broad, ask) in ways {
            if let Some(made) = Step::new(world, broad, ask, &hits) {
                steps.push(step(&mut words, &format!("{name}, {how}"), world.indices(), &made));
            }
        }
        Ok(())
    };
    let mut reference = Engine::reference();
    if let Some(scene) = scene {
        add("the scene", &scene.world()?, &mut reference, &WAYS)?;
    } else {
        for seed in random {
            let name = format!("the random scene of seed {seed}");
            let world = random_scene(seed).world().map_err(|error| error.of(&name))?;
            add(&name, &world, &mut reference, &WAYS)?;
        }
        // The reference would take minutes for these.
        let mut cpu = Engine::cpu()?;
        for workload in Workload::ALL {
            use Workload::{Cover, Giants, Sizes, Spot};
            let bodies = if matches!(workload, Spot | Giants | Cover | Sizes) { CROWDED } else { BODIES };
            add(&format!("{} bodies of {}", bodies, workload.name()), &workload.world(bodies)?, &mut cpu, &WAYS[1..])?;
        }
    }
    let told = format!(
        "{}, {CASES} inputs each, and {}",
        count(functions.len(), "function", "functions"),
        count(steps.len(), "step", "steps")
    );
    let atlas = words.put(vectors::atlas());
    let manifest = json!({
        "format": FORMAT,
        "version": env!("CARGO_PKG_VERSION"),
        "words": words.0.len(),
        "functions": { "cases": CASES, "atlas": atlas, "list": functions },
        "params": { "bytes": Step::PARAMS_BYTES, "stride": Step::PARAMS_STRIDE },
        "modules": modules(),
        "steps": steps,
    });
    std::fs::create_dir_all(folder).map_err(|error| anyhow::anyhow!("{}: {error}", folder.display()))?;
    for (name, text) in PAGE {
        save::whole(&folder.join(name), text.as_bytes())?;
    }
    let bytes: Vec<u8> = words.0.iter().flat_map(|word| word.to_le_bytes()).collect();
    save::whole(&folder.join(WORDS), &bytes)?;
    save::whole(&folder.join(MANIFEST), manifest.to_string().as_bytes())?;
    Ok(told)
}

fn function(words: &mut Words, asked: &Function) -> Value {
    json!({
        "name": asked.name,
        "module": asked.module,
        "writes_inputs": asked.writes_inputs,
        "words": asked.words,
        "inputs": words.put(&asked.inputs),
        "answers": words.put(&asked.answers),
    })
}

fn modules() -> Vec<Value> {
    let all = vectors::modules().into_iter().map(|module| {
        json!({
            "name": module.name,
            "source": module.source,
            "entries": module.entries,
            "reads": module.reads,
            "writes": module.writes,
        })
    });
    all.collect()
}

fn step(words: &mut Words, name: &str, bodies: usize, step: &Step) -> Value {
    let uploads = step.uploads.iter().map(|upload| json!([upload.buffer, words.put_bytes(&upload.bytes)]));
    let uploads: Vec<Value> = uploads.collect();
    let commands = step.commands.iter().map(|command| match *command {
        Command::Clear { buffer, start } => json!({ "clear": buffer, "start": start }),
        Command::Copy { from, to, bytes } => json!({ "copy": from, "to": to, "bytes": bytes }),
        Command::Dispatch { entry, groups } => json!({ "dispatch": entry, "groups": groups }),
    });
    let expected = step.expected.iter().map(|part| {
        json!({
            "what": part.what,
            "buffer": part.buffer,
            "start": part.start,
            "element": part.element,
            "words": words.put(&part.words),
            "counts": part.counts.as_ref().map(|bits| words.put(bits)),
        })
    });
    let expected: Vec<Value> = expected.collect();
    json!({
        "name": name,
        "bodies": bodies,
        "sizes": step.sizes,
        "uploads": uploads,
        "commands": commands.collect::<Vec<_>>(),
        "expected": expected,
    })
}
