//! Checks that answers are equal; otherwise no time is printed.

use hitmask::{Ask, Detail, Hits};
use hitmask_workbench::workloads::checksum;
use serde::{Deserialize, Serialize};

/// A part of an answer: its count and its checksum.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// The number of bodies that hit, of pairs, or of details.
    pub(super) count: u64,
    /// The checksum, in hexadecimal: it has 64 bits, which not every JSON reader keeps in a number.
    pub(super) checksum: String,
}

/// The summary of an answer; a part that was not requested is absent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Answer {
    /// The bodies that hit; the checksum is that of the pairs `[i, i]`.
    pub(super) flags: Part,
    /// The pairs; the checksum is that of `hitmask_workbench::workloads::checksum`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) pairs: Option<Part>,
    /// The details of the pairs; the checksum is that of pairs of an index and a hash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) details: Option<Part>,
}

impl Part {
    fn of(pairs: &[[u32; 2]]) -> Self {
        Self { count: pairs.len() as u64, checksum: format!("{:016x}", checksum(pairs)) }
    }
}

impl Answer {
    /// Summarizes the hits of a world with that many bodies.
    pub(super) fn of(hits: &Hits, bodies: usize, ask: Ask) -> Self {
        let flagged = (0..bodies).filter(|&body| hits.flag(body)).map(|body| [body as u32; 2]);
        let details = hits.details.iter().enumerate().map(|(index, detail)| [index as u32, hash(detail)]);
        Self {
            flags: Part::of(&flagged.collect::<Vec<_>>()),
            pairs: (ask >= Ask::Pairs).then(|| Part::of(&hits.pairs)),
            details: (ask >= Ask::Details).then(|| Part::of(&details.collect::<Vec<_>>())),
        }
    }

    /// Returns the parts that are present, with their names.
    fn parts(&self) -> impl Iterator<Item = (&'static str, &Part)> {
        let parts = [
            ("bodies that hit", Some(&self.flags)),
            ("pairs", self.pairs.as_ref()),
            ("details", self.details.as_ref()),
        ];
        parts.into_iter().filter_map(|(name, part)| Some((name, part?)))
    }
}

/// Hashes the details of a pair to 32 bits.
fn hash(detail: &Detail) -> u32 {
    let mut hash = 0_u64;
    let mut take =
        |word: u64| hash = checksum(&[[hash as u32 ^ word as u32, (hash >> 32) as u32 ^ (word >> 32) as u32]]);
    // An absent value differs from zero.
    take(
        u64::from(detail.time.is_some())
            | u64::from(detail.area.is_some()) << 1
            | u64::from(detail.overlap.is_some()) << 2,
    );
    detail.time.into_iter().flatten().for_each(|word| take(word.into()));
    detail.area.into_iter().for_each(&mut take);
    if let Some(overlap) = detail.overlap {
        overlap.bounds.iter().chain(&overlap.first).for_each(|&word| take(word as u64));
        overlap.sums.iter().for_each(|&word| take(word as u64));
    }
    hash as u32
}

/// Two answers that should agree and do not; exit status 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Disagreement(pub(super) String);

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Disagreement {}

/// The answers to one world in each of its steps, to which later answers are compared.
pub(super) struct Checker {
    /// The world, for people: "boxes of 1k".
    world: String,
    /// The known number of pairs in step 0.
    known_pairs: Option<u64>,
    /// The first answer with each part: the step, the part's name, who gave it, and the part.
    first: Vec<(u32, &'static str, String, Part)>,
}

impl Checker {
    pub(super) fn new(world: String, known_pairs: Option<u64>) -> Self {
        Self { world, known_pairs, first: Vec::new() }
    }

    /// Takes the answer that `who` gave to a step. Returns an error if it differs from an earlier one or the known
    /// number.
    pub(super) fn check(&mut self, step: u32, who: &str, answer: &Answer) -> Result<(), Disagreement> {
        let world = match step {
            0 => self.world.clone(),
            _ => format!("{}, moved (step {step})", self.world),
        };
        let says = |who: &str, part: &Part, name: &str| {
            format!("{who} finds {} {name} (checksum {})", part.count, part.checksum)
        };
        for (name, part) in answer.parts() {
            match self.first.iter().find(|first| (first.0, first.1) == (step, name)) {
                Some((.., first)) if first == part => {}
                Some((.., other, first)) => {
                    let (one, two) = (says(other, first, name), says(who, part, name));
                    return Err(Disagreement(format!("{world}: {one}, but {two}")));
                }
                None => self.first.push((step, name, who.to_owned(), part.clone())),
            }
            if let (0, "pairs", Some(known)) = (step, name, self.known_pairs)
                && part.count != known
            {
                let found = says(who, part, name);
                return Err(Disagreement(format!("{world}: there are known to be {known} pairs, but {found}")));
            }
        }
        Ok(())
    }

    /// Checks that hits keep the rules of an answer, then passes them to [`Checker::check`].
    pub(super) fn take(
        &mut self,
        step: u32,
        who: &str,
        hits: &Hits,
        bodies: usize,
        ask: Ask,
    ) -> Result<Answer, Disagreement> {
        if let Some(rule) = hits.broken_rule(ask) {
            return Err(Disagreement(format!("{}: {who} breaks the rule that {rule}", self.world)));
        }
        let answer = Answer::of(hits, bodies, ask);
        self.check(step, who, &answer)?;
        Ok(answer)
    }
}

#[cfg(test)]
mod tests {
    use hitmask::Overlap;

    use super::*;

    fn hits() -> Hits {
        let mut overlap = Overlap::default();
        (overlap.bounds, overlap.first, overlap.sums) = ([1, 2, 3, 4], [1, 2], [5, 6]);
        let mut detail = Detail::default();
        (detail.time, detail.area, detail.overlap) = (Some([1, 2]), Some(3), Some(overlap));
        let mut hits = pairs(0b111, &[[0, 1], [1, 2]]);
        hits.details = vec![detail, Detail::default()];
        hits
    }

    /// Returns an answer without details.
    fn pairs(flags: u32, pairs: &[[u32; 2]]) -> Hits {
        let mut hits = Hits::default();
        (hits.flags, hits.pairs) = (vec![flags], pairs.to_vec());
        hits
    }

    fn told(changed: &Hits, ask: Ask) -> String {
        let mut checker = Checker::new("boxes of 3".into(), None);
        checker.take(0, "cpu auto", &hits(), 3, Ask::Details).unwrap();
        checker.take(0, "gpu auto", changed, 3, ask).map_or_else(|error| error.to_string(), |_| String::new())
    }

    #[test]
    fn equal_answers_agree_whatever_was_asked() {
        assert_eq!(told(&hits(), Ask::Details), "");
        assert_eq!(told(&pairs(0b111, &[[0, 1], [1, 2]]), Ask::Pairs), "");
        assert_eq!(told(&pairs(0b111, &[]), Ask::Flags), "");
    }

    #[test]
    fn a_difference_names_both_and_what_they_found() {
        let told = |changed: &Hits, ask, part: &str| {
            let told = told(changed, ask);
            for word in ["boxes of 3: ", "cpu auto finds ", ", but gpu auto finds ", part] {
                assert!(told.contains(word), "{word:?} is not in {told:?}");
            }
        };
        told(&pairs(0b11, &[[0, 1]]), Ask::Pairs, "2 bodies that hit");
        told(&pairs(0b11, &[]), Ask::Flags, "2 bodies that hit");
        told(&pairs(0b111, &[[0, 2], [1, 2]]), Ask::Pairs, "2 pairs");
        let mut other_details = hits();
        other_details.details.swap(0, 1);
        told(&other_details, Ask::Details, "2 details");
    }

    #[test]
    fn every_number_of_a_detail_counts() {
        let detail = hits().details[0];
        let changes: [fn(&mut Detail, &mut Overlap); 7] = [
            |detail, _| detail.time = Some([1, 3]),
            |detail, _| detail.time = None,
            |detail, _| detail.area = Some(4),
            |detail, _| detail.area = Some(3 | 1 << 40),
            |_, overlap| overlap.bounds[3] = 5,
            |_, overlap| overlap.first = [2, 1],
            |_, overlap| overlap.sums[1] = 7,
        ];
        let mut changed = changes
            .map(|change| {
                let (mut changed, mut overlap) = (detail, detail.overlap.unwrap());
                change(&mut changed, &mut overlap);
                changed.overlap = Some(overlap);
                changed
            })
            .to_vec();
        let [mut alone, mut none] = [detail, Detail::default()];
        alone.overlap = None;
        changed.push(alone);
        for changed in changed {
            assert_ne!(hash(&changed), hash(&detail), "{changed:?}");
        }
        none.area = Some(0);
        assert_ne!(hash(&none), hash(&Detail::default()));
    }

    #[test]
    fn a_step_is_compared_with_itself() {
        let mut checker = Checker::new("boxes of 3".into(), None);
        let [moved, first] = [pairs(0b11, &[[0, 1]]), pairs(0b111, &[[0, 1], [1, 2]])];
        assert!(checker.take(0, "cpu", &first, 3, Ask::Pairs).is_ok());
        assert!(checker.take(1, "cpu", &moved, 3, Ask::Pairs).is_ok());
        let error = checker.take(1, "gpu", &first, 3, Ask::Pairs).unwrap_err().to_string();
        assert!(error.starts_with("boxes of 3, moved (step 1): cpu finds 2 bodies"), "{error}");
    }

    #[test]
    fn a_count_that_others_have_found_must_be_found() {
        let first = pairs(0b111, &[[0, 1], [1, 2]]);
        assert!(Checker::new("boxes".into(), Some(2)).take(0, "cpu", &first, 3, Ask::Pairs).is_ok());
        let error = Checker::new("boxes".into(), Some(3)).take(0, "cpu", &first, 3, Ask::Pairs).unwrap_err();
        assert!(error.to_string().contains("known to be 3 pairs, but cpu finds 2 pairs"), "{error}");
        assert!(Checker::new("boxes".into(), Some(3)).take(1, "cpu", &first, 3, Ask::Pairs).is_ok(), "only unmoved");
    }

    #[test]
    fn an_answer_out_of_order_is_refused() {
        let unordered = pairs(0b111, &[[1, 2], [0, 1]]);
        let error = Checker::new("boxes".into(), None).take(0, "cpu", &unordered, 3, Ask::Pairs).unwrap_err();
        assert!(error.to_string().contains("cpu breaks the rule that pairs ascend"), "{error}");
    }
}
