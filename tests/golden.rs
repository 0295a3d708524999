//! The golden hashes: what every engine, at every number of threads and in every build, answers to the scenes in
//! `assets/scenes`.

mod common;

use std::fmt::Write as _;
use std::path::Path;

use common::{Runner, Setup};
use hitmask::scene::Scene;
use hitmask::{Detail, Hits, Overlap};

/// FNV-1a of 64 bits, over whole numbers of 8 bytes, lowest first.
struct Hash(u64);

impl Hash {
    fn take(&mut self, value: i64) {
        for byte in value.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }

    /// Numbers that may be absent: a 0 then, else a 1 and the numbers.
    fn take_all<const N: usize>(&mut self, values: Option<[i64; N]>) {
        self.take(values.is_some().into());
        for &value in values.iter().flatten() {
            self.take(value);
        }
    }
}

/// All of an answer.
fn hash(hits: &Hits) -> u64 {
    let Hits { flags, pairs, details } = hits;
    let mut hash = Hash(0xCBF2_9CE4_8422_2325);
    for length in [flags.len(), pairs.len(), details.len()] {
        hash.take(length as i64);
    }
    for &word in flags.iter().chain(pairs.as_flattened()) {
        hash.take(word.into());
    }
    for Detail { time, area, overlap } in details {
        hash.take_all(time.map(|time| time.map(i64::from)));
        hash.take_all(area.map(|area| [area as i64]));
        hash.take_all(overlap.map(|Overlap { bounds: [x, y, w, h], first, sums }| {
            [x.into(), y.into(), w.into(), h.into(), first[0].into(), first[1].into(), sums[0], sums[1]]
        }));
    }
    hash.0
}

/// Every engine, the CPU's at 1, 2, 3, 5 and 8 threads.
fn runners() -> Vec<Runner> {
    let more = [2, 5, 8].map(|threads| Setup::threads(threads).runner());
    common::runners().into_iter().chain(more).collect()
}

#[test]
fn every_engine_has_the_golden_hashes() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets");
    let golden_file = assets.join("golden.txt");
    let mut files: Vec<_> = assets.join("scenes").read_dir().unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();

    let mut runners = runners();
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

    if std::env::var_os("HITMASK_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&golden_file, &answered).unwrap();
    }
    let golden = std::fs::read_to_string(&golden_file).unwrap_or_default();
    let changed: Vec<&str> = answered.lines().filter(|line| !golden.lines().any(|known| known == *line)).collect();
    assert!(
        golden == answered,
        "all engines agree, and differ from {}; now there are {} scenes, of them new or changed:\n{}\n\
         Where a scene was changed, added or taken away on purpose, run `HITMASK_BLESS=1 cargo test --test golden` and commit \
         the file. Else a change to the engines has changed what a hit is.",
        golden_file.display(),
        files.len(),
        changed.join("\n")
    );
}

#[test]
fn a_hash_is_of_every_field() {
    let overlap = Overlap { bounds: [1, 2, 3, 4], first: [5, 6], sums: [7, 8] };
    let hits = Hits {
        flags: vec![3],
        pairs: vec![[0, 1]],
        details: vec![Detail { time: Some([1, 2]), area: Some(9), overlap: Some(overlap) }],
    };
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
