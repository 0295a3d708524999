//! Pairs of masks of 512 x 512 texels, on one thread.

mod bits;

use std::hint::black_box;
use std::time::{Duration, Instant};

use anyhow::bail;
use hitmask::Mask;
use hitmask_workbench::workloads::mask_pairs;

use crate::contest::median;
use bits::Bits;

/// A pair of masks, as hitmask's and as bits between empty words.
struct Pair<'a> {
    a: &'a Mask,
    b: &'a Mask,
    bits: [&'a Bits; 2],
    offset: [i32; 2],
}

/// An algorithm that compares a pair.
struct Way {
    name: &'static str,
    /// Returns the number of texels that are solid in both; if only a flag is needed, 1 if there is one.
    answer: fn(&Pair<'_>) -> u64,
    /// Whether its answers are right. The floor's are not, as it reads other words.
    exact: bool,
}

/// The algorithms that find whether there is a texel that is solid in both.
const FLAGS: [Way; 4] = [
    Way { name: "hitmask", answer: |p| p.a.overlaps(p.b, p.offset).into(), exact: true },
    Way { name: "row by row in `u64`", answer: |p| bits::meet(p.bits, p.offset).into(), exact: true },
    Way { name: "row by row, vectors", answer: |p| bits::wide_meet(p.bits, p.offset).into(), exact: true },
    Way { name: "texel by texel", answer: |p| texels(p).any(|both| both).into(), exact: true },
];

/// The algorithms that count the texels that are solid in both.
const AREAS: [Way; 5] = [
    Way { name: "hitmask", answer: |p| p.a.overlap_area(p.b, p.offset), exact: true },
    Way { name: "floor: AND, popcount, vectors", answer: floor, exact: false },
    Way { name: "row by row in `u64`", answer: |p| bits::area(p.bits, p.offset), exact: true },
    Way { name: "row by row, vectors", answer: |p| bits::wide_area(p.bits, p.offset), exact: true },
    Way { name: "texel by texel", answer: |p| texels(p).filter(|&both| both).count() as u64, exact: true },
];

/// Reads as many words as the masks share, but from the masks' first words on.
fn floor(p: &Pair<'_>) -> u64 {
    bits::floor([p.a.words(), p.b.words()], bits::words(p.bits, p.offset))
}

/// Returns, for each texel of the first mask that lies under the second, whether the texels of both are solid.
fn texels(&Pair { a, b, offset: [dx, dy], .. }: &Pair<'_>) -> impl Iterator<Item = bool> {
    let (w, h) = (a.width() as i32, a.height() as i32);
    let rows = dy.max(0)..(dy + b.height() as i32).min(h);
    let columns = dx.max(0)..(dx + b.width() as i32).min(w);
    rows.flat_map(move |y| {
        columns.clone().map(move |x| a.get(x as u32, y as u32) && b.get((x - dx) as u32, (y - dy) as u32))
    })
}

/// The result of a contest of masks.
#[derive(Clone, Debug)]
pub(crate) struct Outcome {
    /// The number of pairs.
    pub(crate) pairs: usize,
    /// The number of pairs with a texel in common.
    pub(crate) hit: usize,
    /// The number of common texels of all pairs.
    pub(crate) area: u64,
    /// The number of words of a mask that lie under the other, of all pairs.
    pub(crate) words: u64,
    /// The name of each algorithm for flags, and its median time for all pairs.
    pub(crate) flags: Vec<(&'static str, Duration)>,
    /// The name of each algorithm for areas, and its median time for all pairs.
    pub(crate) areas: Vec<(&'static str, Duration)>,
}

/// Runs all algorithms on all pairs in turn, `runs` times after one to warm up. Returns an error if two differ.
pub(crate) fn contest(runs: usize) -> anyhow::Result<Outcome> {
    let workload = mask_pairs()?;
    let bits: Vec<Bits> = workload.masks.iter().map(Bits::new).collect();
    let pair = |pair: &hitmask_workbench::workloads::MaskPair| Pair {
        a: &workload.masks[pair.a],
        b: &workload.masks[pair.b],
        bits: [&bits[pair.a], &bits[pair.b]],
        offset: pair.offset,
    };
    let pairs: Vec<Pair<'_>> = workload.pairs.iter().map(pair).collect();
    let (flags, hit) = measure("flags", &pairs, &FLAGS, runs)?;
    let (areas, area) = measure("areas", &pairs, &AREAS, runs)?;
    let words = pairs.iter().map(|pair| bits::words(pair.bits, pair.offset)).sum();
    Ok(Outcome { pairs: pairs.len(), hit: hit as usize, area, words, flags, areas })
}

/// Returns the name and the median time of each algorithm, and the sum of the answers.
fn measure(
    title: &str,
    pairs: &[Pair<'_>],
    ways: &[Way],
    runs: usize,
) -> anyhow::Result<(Vec<(&'static str, Duration)>, u64)> {
    let mut times = vec![Vec::new(); ways.len()];
    let expected: Vec<u64> = pairs.iter().map(ways[0].answer).collect();
    for run in 0..=runs {
        for (way, times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            let answers: Vec<u64> = pairs.iter().map(|pair| (way.answer)(black_box(pair))).collect();
            let time = start.elapsed();
            let wrong = answers.iter().zip(&expected).position(|(answer, expected)| answer != expected);
            if let (Some(wrong), true) = (wrong, way.exact) {
                bail!("masks, {title}: `{}` and `{}` differ on pair {wrong}", way.name, ways[0].name);
            }
            if run > 0 {
                times.push(time);
            }
        }
    }
    let times = ways.iter().zip(&mut times).map(|(way, times)| (way.name, median(times))).collect();
    Ok((times, expected.iter().sum()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_ways_give_the_same() {
        let outcome = contest(1).unwrap();
        assert_eq!((outcome.pairs, outcome.hit, outcome.area), (1_000, 778, 31_627_647));
    }

    #[test]
    fn ways_that_differ_are_an_error() {
        let mask = Mask::from_rows(&["#"]).unwrap();
        let bits = Bits::new(&mask);
        let pairs = [Pair { a: &mask, b: &mask, bits: [&bits; 2], offset: [0, 0] }];
        let way = |name, answer| Way { name, answer, exact: true };
        let message = measure("test", &pairs, &[way("one", |_| 1), way("two", |_| 2)], 1).unwrap_err().to_string();
        assert_eq!(message, "masks, test: `two` and `one` differ on pair 0");
    }
}
