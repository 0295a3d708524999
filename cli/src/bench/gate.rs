//! The gate of continuous integration: which cases are slower than in an earlier record, beyond the noise.

use std::fmt::Write as _;

use super::interval::of_median;
use super::line;
use super::record::{Case, Record};
use crate::text::escaped;

/// What the gate says of a case or of a part.
#[derive(Debug, PartialEq)]
enum Verdict {
    /// Not slower than the limit, as far as the noise lets one tell.
    Passed,
    /// The earlier record lacks it.
    Skipped,
    /// Slower than the limit, or not measured well enough to tell.
    Failed(String),
}

/// The verdicts on all cases.
pub(super) struct Gate(Vec<(String, Verdict)>);

impl Gate {
    /// Compares each case of `new` with the same one of `old`. A case fails if even the lower end of its confidence
    /// interval is above the upper end of the old one by more than `percent`.
    pub(super) fn new(old: &Record, new: &Record, percent: f64) -> Self {
        let of = |case: &Case| {
            let before = old.cases.iter().find(|before| before.key() == case.key());
            (line::name(case), before.map_or(Verdict::Skipped, |before| verdict(before, case, percent)))
        };
        let mut all: Vec<_> = new.cases.iter().map(of).collect();
        for part in new.suite.iter().flat_map(|suite| &suite.parts) {
            if let Some(problem) = &part.problem {
                all.push((format!("{}.{}", part.part, part.backend), Verdict::Failed(format!("not run: {problem}"))));
            }
        }
        if all.iter().all(|(_, verdict)| *verdict == Verdict::Skipped) {
            all.push(("cases".into(), Verdict::Failed("no case is in both records".into())));
        }
        Self(all)
    }

    /// Returns whether no case failed.
    pub(super) fn passed(&self) -> bool {
        self.failures().next().is_none()
    }

    /// Returns a line for each failure.
    pub(super) fn text(&self) -> String {
        self.failures().fold(String::new(), |mut text, (name, problem)| {
            let _ = writeln!(text, "failed: {name}: {problem}");
            text
        })
    }

    fn failures(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().filter_map(|(name, verdict)| match verdict {
            Verdict::Failed(problem) => Some((&**name, &**problem)),
            Verdict::Passed | Verdict::Skipped => None,
        })
    }

    /// Formats the verdicts as JUnit's XML, in the form that Jenkins and GitLab read.
    pub(super) fn junit(&self) -> String {
        let skipped = self.0.iter().filter(|(_, verdict)| *verdict == Verdict::Skipped).count();
        let counts = [self.0.len(), self.failures().count(), skipped];
        let [tests, failures, skipped] = counts;
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
                    "  <testcase classname=\"bench\" name=\"{name}\"><skipped message=\"not in the earlier record\"/>\
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

fn verdict(old: &Case, new: &Case, percent: f64) -> Verdict {
    let intervals = [old, new].map(|case| of_median(&case.samples_ns));
    let [Some([_, old_high]), Some([new_low, _])] = intervals else {
        let fewest = old.samples_ns.len().min(new.samples_ns.len());
        return Verdict::Failed(format!("not judged: {fewest} timed frames, where at least 6 are needed"));
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
    use super::super::record::tests::{case, record, suite};
    use super::*;

    fn timed(workload: &str, samples: [u64; 7]) -> Case {
        let mut case = case(workload, 1000, "cpu", "auto", 0);
        case.samples_ns = samples.into();
        case
    }

    #[test]
    fn a_case_fails_only_beyond_the_noise() {
        let old = record(vec![timed("boxes", [100, 101, 102, 103, 104, 105, 110])]);
        // The interval of seven times is from the least to the most.
        for (low, passes) in [(100, true), (121, true), (122, false), (300, false)] {
            let new = record(vec![timed("boxes", [low, 300, 300, 300, 300, 300, 300])]);
            let gate = Gate::new(&old, &new, 10.0);
            assert_eq!(gate.passed(), passes, "{low}: {}", gate.text());
        }
        let gate = Gate::new(&old, &record(vec![timed("boxes", [220; 7])]), 10.0);
        let expected = "failed: boxes.1k.cpu.auto.pairs: slower by at least 100.0 %, where 10 % are allowed\n";
        assert_eq!(gate.text(), expected);
    }

    #[test]
    fn what_cannot_be_judged_does_not_pass() {
        let few = record(vec![case("boxes", 1000, "cpu", "auto", 2000)]);
        let gate = Gate::new(&few, &few, 10.0);
        assert!(gate.text().contains("not judged: 2 timed frames, where at least 6 are needed"), "{}", gate.text());
        let gate = Gate::new(&few, &record(vec![timed("circles", [1; 7])]), 10.0);
        assert_eq!(gate.text(), "failed: cases: no case is in both records\n");
        let gate = Gate::new(&suite(), &suite(), 10.0);
        assert!(gate.text().contains("failed: boxes-1M.cpu: not run: needs 300 MB"), "{}", gate.text());
    }

    #[test]
    fn junit_counts_and_names_all() {
        let old = record(vec![timed("boxes", [100; 7]), timed("circles", [100; 7])]);
        let new = record(vec![timed("boxes", [100; 7]), timed("circles", [200; 7]), timed("a<b", [1; 7])]);
        let xml = Gate::new(&old, &new, 10.0).junit();
        let tree = roxmltree::Document::parse(&xml).unwrap();
        let root = tree.root_element();
        assert_eq!(["tests", "failures", "skipped"].map(|key| root.attribute(key)), [Some("3"), Some("1"), Some("1")]);
        let cases: Vec<_> = root.children().filter(roxmltree::Node::is_element).collect();
        let kinds = cases.iter().map(|case| case.first_element_child().map(|child| child.tag_name().name()));
        assert_eq!(kinds.collect::<Vec<_>>(), [None, Some("failure"), Some("skipped")]);
        assert_eq!(cases[2].attribute("name"), Some("a<b.1k.cpu.auto.pairs"));
    }
}
