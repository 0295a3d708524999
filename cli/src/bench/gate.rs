//! The gate of continuous integration: which cases are slower than in an earlier record, beyond the noise, or take more
//! instructions.

use std::fmt::Write as _;

use hitmask::internals::printable;

use super::interval::of_median;
use super::line;
use super::record::{Case, PartRecord, Record};
use crate::text::escaped;

/// The minimum number of timed frames of a case: fewer have an interval that one odd frame stretches over all others.
const FEWEST: usize = 15;

/// A judgement on a case or a part.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// Not slower than the limit, as far as the noise lets one tell.
    Passed,
    /// Only in one of the records, where that is allowed.
    Skipped,
    /// Slower than the limit, different, or not measured well enough to tell.
    Failed(String),
}

/// How much more than in the earlier record is allowed, in per cent; without a limit, nothing is judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    pub(super) time: Option<f64>,
    pub(super) instructions: Option<f64>,
}

/// The verdicts on all cases.
pub(super) struct Gate(Vec<(String, Verdict)>);

impl Gate {
    /// Compares each case of `new` with the same one of `old`. A case fails if even the lower end of its confidence
    /// interval is above the upper end of the old one by more than the limit, if it takes more instructions by more
    /// than theirs, if its answer is another, or if only the old record has it. If `is_partial`, cases that only the
    /// old record has are skipped.
    pub(super) fn new(old: &Record, new: &Record, limits: Limits, is_partial: bool) -> Self {
        let mut all = Vec::new();
        if let Some(percent) = limits.time {
            let judge = |before: &Case, case: &Case| verdict(before, case, percent);
            all.extend(judged(old, new, is_partial, "", |_| true, judge));
        }
        if let Some(percent) = limits.instructions {
            let judge = |before: &Case, case: &Case| counted(before, case, percent);
            all.extend(judged(old, new, is_partial, ".instructions", |case| case.instructions.is_some(), judge));
        }
        if let Some(suite) = &new.suite {
            for PartRecord { part, backend, problem, .. } in &suite.parts {
                let Some(problem) = problem else { continue };
                let name = line::part_name(suite, backend, part);
                // Why it was not measured says more than that it was not.
                all.retain(|(other, _)| *other != name);
                all.push((name, Verdict::Failed(format!("not run: {problem}"))));
            }
        }
        if all.iter().all(|(_, verdict)| *verdict == Verdict::Skipped) {
            all.push(("cases".into(), Verdict::Failed("no case is in both records".into())));
        }
        Self(all)
    }

    /// Returns the verdict on a run that found answers to differ.
    pub(super) fn of_disagreement(problem: &str) -> Self {
        Self(vec![("answers".into(), Verdict::Failed(problem.into()))])
    }

    /// Returns whether no case failed.
    pub(super) fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// Returns a line for each failure, and the number of cases.
    pub(super) fn text(&self) -> String {
        let mut text = self.failures().fold(String::new(), |mut text, (name, problem)| {
            // The names of the old record are untrusted.
            let _ = writeln!(text, "failed: {}", printable(&format!("{name}: {problem}")));
            text
        });
        let [tests, failures, skipped] = self.counts();
        let _ = writeln!(text, "{} passed, {failures} failed, {skipped} skipped", tests - failures - skipped);
        text
    }

    /// Returns the numbers of all cases, of those that failed, and of those that were skipped.
    fn counts(&self) -> [usize; 3] {
        let skipped = self.0.iter().filter(|(_, verdict)| *verdict == Verdict::Skipped).count();
        [self.0.len(), self.failures().count(), skipped]
    }

    fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, verdict)| match verdict {
            Verdict::Failed(problem) => Some((&**name, &**problem)),
            Verdict::Passed | Verdict::Skipped => None,
        })
    }

    /// Formats the verdicts as `JUnit`'s XML, in the form that Jenkins and GitLab read.
    pub(super) fn junit(&self) -> String {
        let [tests, failures, skipped] = self.counts();
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
             <testsuite name=\"hitmask bench\" tests=\"{tests}\" failures=\"{failures}\" skipped=\"{skipped}\">\n"
        );
        for (name, verdict) in &self.0 {
            let name = escaped(name);
            let _ = match verdict {
                Verdict::Passed => writeln!(text, "  <testcase classname=\"bench\" name=\"{name}\"/>"),
                Verdict::Skipped => writeln!(
                    text,
                    "  <testcase classname=\"bench\" name=\"{name}\"><skipped message=\"only in one record\"/>\
                     </testcase>"
                ),
                Verdict::Failed(problem) => writeln!(
                    text,
                    "  <testcase classname=\"bench\" name=\"{name}\"><failure message=\"{}\"/></testcase>",
                    escaped(problem)
                ),
            };
        }
        text + "</testsuite>\n"
    }
}

/// Judges all cases that one of the records has and that `have` what is judged.
fn judged(
    old: &Record,
    new: &Record,
    is_partial: bool,
    what: &str,
    have: impl Fn(&Case) -> bool,
    judge: impl Fn(&Case, &Case) -> Verdict,
) -> Vec<(String, Verdict)> {
    let name = |record: &Record, case: &Case| line::name(record, case) + what;
    let same = |record: &Record, case: &Case| record.same(case).filter(|case| have(case)).cloned();
    let lost = || Verdict::Failed("not measured, but in the earlier record".into());
    let both = new.cases.iter().filter(|case| have(case)).map(|case| {
        let verdict = same(old, case).map_or(Verdict::Skipped, |before| judge(&before, case));
        (name(new, case), verdict)
    });
    let gone = old.cases.iter().filter(|case| have(case) && same(new, case).is_none());
    let gone = gone.map(|case| (name(old, case), if is_partial { Verdict::Skipped } else { lost() }));
    both.chain(gone).collect()
}

/// Returns why the answers of two cases differ.
fn difference(old: &Case, new: &Case) -> Option<Verdict> {
    let differ = old.seed == new.seed && old.answers.iter().zip(&new.answers).any(|(old, new)| old != new);
    differ.then(|| Verdict::Failed("its answer differs from that of the earlier record".into()))
}

/// Judges the instructions of a case. A busy machine does not change them, so there is no noise to allow for.
fn counted(old: &Case, new: &Case, percent: f64) -> Verdict {
    if let Some(difference) = difference(old, new) {
        return difference;
    }
    let (Some(old), Some(new)) = (&old.instructions, &new.instructions) else { return Verdict::Skipped };
    if old.simd != new.simd {
        return Verdict::Failed(format!("not judged: counted with {}, where it was {}", new.simd, old.simd));
    }
    let [old, new] = [old, new].map(|counted| counted.per_frame.max(1) as f64);
    if new > old * (1.0 + percent / 100.0) {
        let more = (new / old - 1.0) * 100.0;
        Verdict::Failed(format!("takes {more:.1} % more instructions, where {percent} % are allowed"))
    } else {
        Verdict::Passed
    }
}

fn verdict(old: &Case, new: &Case, percent: f64) -> Verdict {
    if let Some(difference) = difference(old, new) {
        return difference;
    }
    let fewest = old.samples_ns.len().min(new.samples_ns.len());
    let intervals = [old, new].map(|case| of_median(&case.samples_ns).filter(|_| fewest >= FEWEST));
    let [Some([_, old_high]), Some([new_low, _])] = intervals else {
        return Verdict::Failed(format!("not judged: {fewest} timed frames, where at least {FEWEST} are needed"));
    };
    let (new_low, old_high) = (new_low as f64, old_high.max(1) as f64);
    if new_low > old_high * (1.0 + percent / 100.0) {
        let slower = (new_low / old_high - 1.0) * 100.0;
        Verdict::Failed(format!("slower by at least {slower:.1} %, where {percent} % are allowed"))
    } else {
        Verdict::Passed
    }
}

#[cfg(test)]
mod tests {
    use super::super::instructions::Instructions;
    use super::super::record::tests::{case, record, suite};
    use super::*;

    fn timed(workload: &str, samples: [u64; 15]) -> Case {
        let mut case = case(workload, 1000, "cpu", "auto", 0);
        case.samples_ns = samples.into();
        case
    }

    const TIME: Limits = Limits { time: Some(10.0), instructions: None };

    fn gate(old: Vec<Case>, new: Vec<Case>) -> Gate {
        Gate::new(&record(old), &record(new), TIME, false)
    }

    #[test]
    fn instructions_have_a_limit_of_their_own() {
        let counted = |per_frame, simd: &str| {
            let instructions = Some(Instructions { per_frame, simd: simd.into() });
            // Too few frames to judge their time.
            Case { instructions, ..case("boxes", 1000, "cpu", "auto", 2000) }
        };
        let limits = Limits { time: None, instructions: Some(2.0) };
        let gate = |old: Case, new: Case| Gate::new(&record(vec![old]), &record(vec![new]), limits, false);
        let old = || counted(1000, "avx2");
        for (per_frame, passes) in [(10, true), (1020, true), (1021, false)] {
            let gate = gate(old(), counted(per_frame, "avx2"));
            assert_eq!(gate.passed(), passes, "{per_frame}: {}", gate.text());
        }
        let text = gate(old(), counted(1100, "avx2")).text();
        let expected = "failed: boxes.1k.cpu.auto.pairs.instructions: takes 10.0 % more instructions, where 2 % are \
                        allowed\n0 passed, 1 failed, 0 skipped\n";
        assert_eq!(text, expected);
        assert!(gate(old(), counted(1000, "plain")).text().contains("counted with plain, where it was avx2"));
        let uncounted = gate(old(), case("boxes", 1000, "cpu", "auto", 2000));
        assert!(uncounted.text().contains("not measured, but in the earlier record"), "{}", uncounted.text());
    }

    #[test]
    fn a_case_fails_only_beyond_the_noise() {
        let old = || vec![timed("boxes", std::array::from_fn(|k| 100 + k as u64))];
        // The interval of 15 times is from the fourth to the twelfth: 103 to 111.
        for (low, passes) in [(103, true), (122, true), (123, false), (300, false)] {
            let new = std::array::from_fn(|k| if k < 4 { low } else { 300 });
            let gate = gate(old(), vec![timed("boxes", new)]);
            assert_eq!(gate.passed(), passes, "{low}: {}", gate.text());
        }
        let gate = gate(old(), vec![timed("boxes", [222; 15])]);
        let expected = "failed: boxes.1k.cpu.auto.pairs: slower by at least 100.0 %, where 10 % are allowed\n\
                        0 passed, 1 failed, 0 skipped\n";
        assert_eq!(gate.text(), expected);
    }

    #[test]
    fn what_cannot_be_judged_does_not_pass() {
        let fails = |gate: Gate, words: &str| {
            assert!(!gate.passed() && gate.text().contains(words), "{words}: {}", gate.text());
        };
        let few = || vec![case("boxes", 1000, "cpu", "auto", 2000)];
        fails(gate(few(), few()), "not judged: 2 timed frames, where at least 15 are needed");
        let [boxes, circles] = [timed("boxes", [1; 15]), timed("circles", [1; 15])];
        fails(
            gate(vec![boxes.clone(), circles.clone()], vec![boxes.clone()]),
            "circles.1k.cpu.auto.pairs: not measured",
        );
        fails(Gate::new(&suite(), &suite(), TIME, false), "failed: hitmask-1.cpu.boxes-1M: not run: needs 300 MB");
        let mut other = boxes.clone();
        other.answers[0].answer.flags.count += 1;
        fails(gate(vec![boxes.clone()], vec![other]), "its answer differs");
        let partial = |new| Gate::new(&record(vec![boxes.clone(), circles.clone()]), &record(new), TIME, true);
        assert!(partial(vec![boxes.clone()]).passed());
        fails(partial(vec![timed("turned", [1; 15])]), "no case is in both records");
    }

    #[test]
    fn junit_counts_and_names_all() {
        let old = vec![timed("boxes", [100; 15]), timed("circles", [100; 15])];
        let new = vec![timed("boxes", [100; 15]), timed("circles", [200; 15]), timed("a<b", [1; 15])];
        let xml = gate(old, new).junit();
        let tree = roxmltree::Document::parse(&xml).unwrap();
        let root = tree.root_element();
        assert_eq!(["tests", "failures", "skipped"].map(|key| root.attribute(key)), [Some("3"), Some("1"), Some("1")]);
        let cases: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
        let kinds = cases.iter().map(|case| case.first_element_child().map(|child| child.tag_name().name()));
        assert_eq!(kinds.collect::<Vec<_>>(), [None, Some("failure"), Some("skipped")]);
        assert_eq!(cases[2].attribute("name"), Some("a<b.1k.cpu.auto.pairs"));
    }
}
