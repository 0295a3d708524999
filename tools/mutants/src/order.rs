//! The order in which mutants are judged: random, and the same for the same seed, so that each beginning of it is a
//! sample.

use hitmask_workbench::workloads::SplitMix64;

/// A part of a campaign, such as `2/5`, the second of five.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    number: usize,
    of: usize,
}

impl Shard {
    /// Reads `2/5`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Self { number, of }),
            _ => Err("it must be K/N with K from 1 to N".into()),
        }
    }

    /// Returns the elements of this part.
    pub(crate) fn take<T>(self, all: Vec<T>) -> Vec<T> {
        all.into_iter().skip(self.number - 1).step_by(self.of).collect()
    }
}

/// Shuffles (Fisher and Yates).
pub(crate) fn shuffle<T>(all: &mut [T], seed: u64) {
    let mut random = SplitMix64(seed);
    for k in (1..all.len()).rev() {
        all.swap(k, random.below(k as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_are_all_and_apart() {
        let mut all: Vec<u32> = (0..100).collect();
        shuffle(&mut all, 7);
        assert_ne!(all, (0..100).collect::<Vec<_>>());
        let mut together: Vec<u32> =
            ["1/3", "2/3", "3/3"].iter().flat_map(|text| Shard::parse(text).unwrap().take(all.clone())).collect();
        together.sort_unstable();
        assert_eq!(together, (0..100).collect::<Vec<_>>());
        assert!(["0/3", "4/3", "3", "a/b"].iter().all(|text| Shard::parse(text).is_err()));
    }
}
