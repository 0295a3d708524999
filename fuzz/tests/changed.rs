//! Each target on its seeds, and on random changes of them. `./attack` does more: there libFuzzer learns from what the
//! library does with an input (`targets/`).

use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::{array, fs};

use hitmask_workbench::workloads::SplitMix64;

/// Bytes at the limits of numbers, and those that structure text.
const SPECIAL: [u8; 14] = *b"\0\x01\x7f\x80\xff,:.-e[]{\"";

/// Returns a random part of some bytes, of up to 16.
fn part<'a>(random: &mut SplitMix64, bytes: &'a [u8]) -> &'a [u8] {
    let start = random.below(bytes.len() as u32 + 1) as usize;
    let end = bytes.len().min(start + random.below(17) as usize);
    &bytes[start..end]
}

/// Changes an input at a few places: bits, bytes, parts that go or come, also from another seed.
fn change(random: &mut SplitMix64, bytes: &mut Vec<u8>, other: &[u8]) {
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len() as u32 + 1) as usize;
        let byte = SPECIAL[random.below(SPECIAL.len() as u32) as usize];
        let random_bytes: [u8; 4] = array::from_fn(|_| random.below(256) as u8);
        match (random.below(7), bytes.get_mut(at)) {
            (0, Some(to)) => *to ^= 1 << random.below(8),
            (1, Some(to)) => *to = byte,
            (2, Some(_)) => drop(bytes.drain(at..bytes.len().min(at + 1 + random.below(16) as usize))),
            (3, _) => bytes.insert(at, byte),
            (4, _) => drop(bytes.splice(at..at, random_bytes)),
            (5, _) => drop(bytes.splice(at..at, part(random, other).iter().copied())),
            _ => bytes.truncate(at.max(bytes.len() / 2)),
        }
    }
}

/// Runs a target on all of its seeds, and on a number of inputs made from them. The input that it fails on is left in
/// `fuzz/artifacts`; as a file of `fuzz/seeds`, it is run first from then on.
fn run(target: &str, inputs: u32, check: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<_> =
        fs::read_dir(folder.join("seeds").join(target)).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    let seeds: Vec<Vec<u8>> = files.iter().map(|file| fs::read(file).unwrap()).collect();
    let mut random = SplitMix64(1);
    let pick = |random: &mut SplitMix64| seeds[random.below(seeds.len() as u32) as usize].clone();
    let changed = (0..inputs).map(|_| {
        let (mut input, other) = (pick(&mut random), pick(&mut random));
        change(&mut random, &mut input, &other);
        input
    });
    for input in seeds.iter().cloned().chain(changed) {
        if let Err(panic) = panic::catch_unwind(AssertUnwindSafe(|| check(&input))) {
            let kept = folder.join("artifacts").join(target);
            fs::create_dir_all(&kept).unwrap();
            fs::write(kept.join("found"), &input).unwrap();
            eprintln!("this input breaks the target `{target}`: {}", kept.join("found").display());
            panic::resume_unwind(panic);
        }
    }
}

#[test]
fn edits() {
    run("edits", 2_000, hitmask_fuzz::edits::check);
}

#[test]
fn engines() {
    run("engines", 4_000, hitmask_fuzz::engines::check);
}

#[test]
fn level() {
    run("level", 10_000, hitmask_fuzz::level::check);
}

#[test]
fn png_mask() {
    run("png_mask", 50_000, hitmask_fuzz::png_mask::check);
}

#[test]
fn polygon() {
    run("polygon", 50_000, hitmask_fuzz::polygon::check);
}

#[test]
fn queries() {
    run("queries", 8_000, hitmask_fuzz::queries::check);
}

#[test]
fn replay() {
    run("replay", 10_000, hitmask_fuzz::replay::check);
}

#[test]
fn saved() {
    run("saved", 50_000, hitmask_fuzz::saved::check);
}

#[test]
fn scene_csv() {
    run("scene_csv", 50_000, hitmask_fuzz::scene_csv::check);
}

#[test]
fn scene_json() {
    run("scene_json", 50_000, hitmask_fuzz::scene_json::check);
}

#[test]
fn sheet() {
    run("sheet", 50_000, hitmask_fuzz::sheet::check);
}
