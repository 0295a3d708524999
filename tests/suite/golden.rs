//! The golden hashes: the answers of every engine, with every number of threads and in every build, to the scenes in
//! `assets/scenes`, to replays, to queries, and to crowds large enough for several threads.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use hitmask::cpu::Simd;
use hitmask::query::{Queries, Query, Search};
use hitmask::scene::{Replay, Scene, SceneQuery};
use hitmask::{Ask, Detail, Hits, Overlap, Save, World};
use hitmask_workbench::verify::random_scene;
use hitmask_workbench::workloads::Workload;
use serde_json::Value;

use crate::common::{self, Runner, Setup};

/// The number of conformance replays that are played.
const REPLAYS: usize = 20;
/// The number of bodies of a crowd, enough that the CPU engine uses its threads.
const CROWD: u32 = 5_000;
/// The number of bodies of a crowd that is saved for tests in browsers, enough to fill the vectors of the kernels.
const SMALL_CROWD: u32 = 600;

/// The number of random scenes that are saved for tests in browsers.
const RANDOM: u64 = 40;

/// A 64-bit FNV-1a hash over 8-byte integers, lowest byte first.
struct Hash(u64);

impl Hash {
    /// The hash of no data.
    const START: Self = Self(0xCBF2_9CE4_8422_2325);

    fn take(&mut self, value: i64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Hashes numbers that may be absent: 0 if they are, otherwise 1 and the numbers.
    fn take_all<const N: usize>(&mut self, values: Option<[i64; N]>) {
        self.take(values.is_some().into());
        for &value in values.iter().flatten() {
            self.take(value);
        }
    }
}

/// Returns the hash of a whole answer.
fn hash(hits: &Hits) -> u64 {
    let Hits { flags, pairs, details, .. } = hits;
    let mut hash = Hash::START;
    for length in [flags.len(), pairs.len(), details.len()] {
        hash.take(length as i64);
    }
    for &word in flags.iter().chain(pairs.as_flattened()) {
        hash.take(word.into());
    }
    for Detail { time, area, overlap, .. } in details {
        hash.take_all(time.map(|time| time.map(i64::from)));
        hash.take_all(area.map(|area| [area as i64]));
        hash.take_all(overlap.map(|Overlap { bounds: [x, y, w, h], first, sums, .. }| {
            [x.into(), y.into(), w.into(), h.into(), first[0].into(), first[1].into(), sums[0], sums[1]]
        }));
    }
    hash.0
}

/// Returns the path of a file of the project.
fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the lines of a conformance file, as JSON.
fn conformance(name: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(file("tests/conformance").join(name)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns whether files are written anew, instead of compared with.
fn is_blessed() -> bool {
    std::env::var_os("HITMASK_BLESS").is_some_and(|value| value == "1")
}

/// Compares answers with the golden ones, one line per query.
fn compare(golden: &str, answered: &str) {
    let golden_file = file("assets/golden").join(golden);
    if is_blessed() {
        std::fs::write(&golden_file, answered).unwrap();
    }
    let golden = std::fs::read_to_string(&golden_file).unwrap_or_default();
    let changed: Vec<&str> = answered.lines().filter(|line| !golden.lines().any(|known| known == *line)).collect();
    assert!(
        golden == answered,
        "all engines agree, and differ from {}; now there are {} lines, of them new or changed:\n{}\n\
         Where something was changed, added or taken away on purpose, run `HITMASK_BLESS=1 cargo test --test suite \
         golden` and commit the file. Else a change to the engines has changed what a hit is.",
        golden_file.display(),
        answered.lines().count(),
        changed.join("\n")
    );
}

#[test]
fn every_engine_has_the_golden_hashes() {
    let mut files: Vec<_> = file("assets/scenes").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();

    let mut runners = common::runners();
    let mut answered = String::new();
    for file in &files {
        let name = file.file_name().unwrap().to_str().unwrap();
        let world = Scene::open(file).and_then(|scene| scene.world()).unwrap_or_else(|error| panic!("{error}"));
        let [reference, others @ ..] = runners.as_mut_slice() else { unreachable!("there are engines") };
        assert_eq!(reference.setup, Setup::Reference);
        let expected = reference.answer(&world, name);
        for runner in others {
            assert_eq!(runner.answer(&world, name), expected, "{name}: {} and the reference differ", runner.setup);
        }
        writeln!(answered, "{name} {:016x}", hash(&expected)).unwrap();
    }
    compare("scenes.txt", &answered);
}

/// Compares a world with the one that is saved for tests in browsers, which read no scene files.
fn compare_saved(name: &str, world: &World) {
    let saved = world.save(Save::Whole).unwrap();
    let path = file("web/tests/worlds").join(format!("{name}.world"));
    if is_blessed() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, &saved).unwrap();
    }
    let same = std::fs::read(&path).is_ok_and(|known| known == saved);
    assert!(same, "{} is another world: HITMASK_BLESS=1 writes it anew", path.display());
}

#[test]
fn the_saved_worlds_are_those_of_the_scenes() {
    for line in std::fs::read_to_string(file("assets/golden/scenes.txt")).unwrap().lines() {
        let name = line.split(".json").next().unwrap();
        let scene = Scene::open(file("assets/scenes").join(format!("{name}.json"))).unwrap();
        compare_saved(name, &scene.world().unwrap());
    }
}

/// Crowds large enough for the sweep, the sort, small masks and details, as saved worlds too: for WebAssembly SIMD.
#[test]
fn small_crowds_have_the_golden_hashes() {
    let crowds = [Workload::Boxes, Workload::Bullets, Workload::Sprites, Workload::Turned];
    let world = |workload: Workload| (format!("crowd-{workload}"), workload.world(SMALL_CROWD).unwrap());
    compare_worlds("small-crowds.txt", crowds.map(world));
}

#[test]
fn random_worlds_have_the_golden_hashes() {
    let world = |seed: u64| (format!("random-{seed:02}"), random_scene(seed).world().unwrap());
    compare_worlds("random.txt", (0..RANDOM).map(world));
}

/// Compares the answers of all engines to some worlds with the golden ones, and the worlds with those that are saved.
fn compare_worlds(golden: &str, worlds: impl IntoIterator<Item = (String, World)>) {
    let mut runners = common::runners();
    let mut answered = String::new();
    for (name, world) in worlds {
        let mut first = None;
        for runner in &mut runners {
            let found = hash(&runner.engine.run(&world, Ask::Details).unwrap());
            assert_eq!(*first.get_or_insert(found), found, "{name}: {} and the reference differ", runner.setup);
        }
        writeln!(answered, "{name}.json {:016x}", first.unwrap()).unwrap();
        compare_saved(&name, &world);
    }
    compare(golden, &answered);
}

/// All steps of each replay.
#[test]
fn every_engine_plays_replays_to_the_golden_hashes() {
    let mut runners = common::runners();
    let mut answered = String::new();
    for replay in conformance("replays.jsonl").iter().take(REPLAYS) {
        let name = replay["name"].as_str().unwrap();
        let lines: Vec<String> = replay["lines"].as_array().unwrap().iter().map(Value::to_string).collect();
        let replay = Replay::parse(&lines.join("\n"), ".".as_ref()).unwrap();
        let mut first: Option<u64> = None;
        for runner in &mut runners {
            let (mut play, mut all) = (replay.play().unwrap(), Hash::START);
            while play.edit().unwrap() {
                let hits = runner.engine.run(play.world(), Ask::Details).unwrap();
                all.take(hash(&hits) as i64);
                play.take(&hits).unwrap();
            }
            assert_eq!(*first.get_or_insert(all.0), all.0, "{name}: {} and the reference differ", runner.setup);
        }
        writeln!(answered, "{name} {:016x}", first.unwrap()).unwrap();
    }
    compare("replays.txt", &answered);
}

/// Returns the hash of the bodies, in order, and of ticks. Other tests compare distances, to nine digits.
fn hash_query(search: Search<'_>, query: &SceneQuery) -> u64 {
    fn all<Q: Query>(search: Search<'_>, query: &Q) -> Vec<Q::Answer> {
        let mut found = Vec::new();
        search.all(query, &mut found).unwrap();
        found
    }
    let mut hash = Hash::START;
    let mut put = |body: hitmask::BodyId, tick: u32| {
        hash.take(body.index().into());
        hash.take(tick.into());
    };
    match query {
        SceneQuery::Point(spot) => all(search, spot).into_iter().for_each(|body| put(body, 0)),
        SceneQuery::Ray(ray) => all(search, ray).iter().for_each(|hit| put(hit.body, hit.tick)),
        SceneQuery::Nearest(near) => all(search, near).iter().for_each(|near| put(near.body, 0)),
        SceneQuery::Body(body) => all(search, body).iter().for_each(|hit| put(hit.body, hit.detail.tick())),
    }
    hash.0
}

#[test]
fn every_index_answers_questions_by_the_golden_hashes() {
    let mut answered = String::new();
    for scene in conformance("queries.jsonl") {
        let name = scene["name"].as_str().unwrap();
        let scene = Scene::parse(&scene["scene"].to_string(), ".".as_ref()).unwrap();
        let (world, mut first) = (scene.world().unwrap(), None);
        let indices = Simd::available().into_iter().map(|simd| (simd.name(), Queries::new().simd(simd)));
        for (what, mut queries) in [("reference", Queries::reference())].into_iter().chain(indices) {
            let mut all = Hash::START;
            for query in scene.prepare_queries(&world).unwrap() {
                all.take(hash_query(queries.on(&world), &query) as i64);
            }
            assert_eq!(*first.get_or_insert(all.0), all.0, "{name}: {what} and the reference differ");
        }
        writeln!(answered, "{name} {:016x}", first.unwrap()).unwrap();
    }
    compare("queries.txt", &answered);
}

/// Crowds large enough for several threads, on 1 to 16 threads: all new, unchanged, and with few changes; as a whole
/// and streamed.
#[test]
fn crowds_have_the_golden_hashes_on_1_to_16_threads() {
    let mut runners: Vec<Runner> = (1..=16).map(|threads| Setup::threads(threads).runner()).collect();
    runners.extend(common::gpus().take(1).map(Setup::runner));
    let mut answered = String::new();
    for workload in [Workload::Clustered, Workload::Turned, Workload::Bullets] {
        let mut crowd = workload.crowd(CROWD).unwrap().moving();
        for (step, permille) in [(0, 0), (1, 1000), (2, 0), (3, 20)] {
            crowd.step(step, permille).unwrap();
            let name = format!("{workload} {step}");
            let mut first = None;
            for runner in &mut runners {
                let hits = runner.engine.run(crowd.world(), Ask::Details).unwrap();
                let found = hash(&hits);
                assert_eq!(*first.get_or_insert(found), found, "{name} on {}", runner.setup);
                if step == 1 && runner.engine.name() == "cpu" {
                    let mut streamed = Hits::default();
                    streamed.flags = hits.flags;
                    let ended = runner.engine.stream(crowd.world(), Ask::Details, 1 << 16, |pairs, details| {
                        streamed.pairs.extend_from_slice(pairs);
                        streamed.details.extend_from_slice(details);
                        ControlFlow::<()>::Continue(())
                    });
                    assert!(ended.unwrap().is_continue() && hash(&streamed) == found, "{name}: {}", runner.setup);
                }
            }
            writeln!(answered, "{name} {:016x}", first.unwrap()).unwrap();
        }
    }
    compare("crowds.txt", &answered);
}

#[test]
fn a_hash_is_of_every_field() {
    let (mut overlap, mut detail, mut hits) = (Overlap::default(), Detail::default(), Hits::default());
    (overlap.bounds, overlap.first, overlap.sums) = ([1, 2, 3, 4], [5, 6], [7, 8]);
    (detail.time, detail.area, detail.overlap) = (Some([1, 2]), Some(9), Some(overlap));
    (hits.flags, hits.pairs, hits.details) = (vec![3], vec![[0, 1]], vec![detail]);
    let changes: [fn(&mut Hits); 10] = [
        |_| {},
        |hits| hits.flags[0] ^= 4,
        |hits| hits.pairs[0][1] = 2,
        |hits| hits.details.clear(),
        |hits| hits.details[0].time = None,
        |hits| hits.details[0].time = Some([1, 3]),
        |hits| hits.details[0].area = Some(10),
        |hits| hits.details[0].overlap.as_mut().unwrap().bounds[3] = 5,
        |hits| hits.details[0].overlap.as_mut().unwrap().first[0] = 6,
        |hits| hits.details[0].overlap.as_mut().unwrap().sums[1] = 9,
    ];
    let mut hashes = changes.map(|change| {
        let mut changed = hits.clone();
        change(&mut changed);
        hash(&changed)
    });
    hashes.sort_unstable();
    assert!(hashes.windows(2).all(|two| two[0] != two[1]), "{hashes:x?}");
}
