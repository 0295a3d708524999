//! A campaign: judges mutants on several threads, and counts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crate::accepted::Accepted;
use crate::mutant::Mutant;
use crate::process::on_threads;

/// The verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It does not compile, or the driver would refuse it, so no test is needed.
    Invalid,
    /// A test failed, or a judge of several: its name.
    Caught(String),
    /// A judge did not end within ten times its usual time: its name.
    TimedOut(String),
    /// All passed.
    Missed,
}

/// A pass over mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// By what takes seconds.
    Quick,
    /// Those that the first pass misses, by all else.
    Slow,
}

/// A judge of mutants.
pub(crate) trait Judge: Sync {
    /// Judges a mutant by the tests of a pass. `job` is the number of the thread.
    fn judge(&self, pass: Pass, mutant: &Mutant, job: usize) -> anyhow::Result<Verdict>;
}

/// The verdicts on the mutants of a file, or on all.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    caught: usize,
    timed_out: usize,
    accepted: usize,
    missed: usize,
    invalid: usize,
}

impl Count {
    /// Returns the number of those that were caught, and of those that a test could catch.
    fn score(&self) -> (usize, usize) {
        let caught = self.caught + self.timed_out;
        (caught, caught + self.missed)
    }

    /// Returns the part that was caught of those that a test could catch, in per cent.
    pub(crate) fn percent(&self) -> f64 {
        let (caught, all) = self.score();
        100.0 * caught as f64 / all.max(1) as f64
    }

    /// Returns between which bounds that part lies with 95 % confidence, if these mutants are a sample of many
    /// (Wilson, "Probable inference", 1927).
    fn bounds(&self) -> [f64; 2] {
        let (caught, all) = self.score();
        let (n, z) = (all.max(1) as f64, 1.96);
        let part = caught as f64 / n;
        let middle = part + z * z / (2.0 * n);
        let spread = z * (part * (1.0 - part) / n + z * z / (4.0 * n * n)).sqrt();
        [middle - spread, middle + spread].map(|bound| 100.0 * bound / (1.0 + z * z / n))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { caught, timed_out, accepted, missed, invalid } = self;
        write!(f, "{caught:>5} caught {timed_out:>4} out of time {missed:>4} missed ")?;
        write!(f, "{accepted:>4} accepted {invalid:>4} invalid")
    }
}

/// The outcome of a campaign.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    by_file: BTreeMap<String, Count>,
    pub(crate) all: Count,
    /// The entries of the list whose mutants were all caught.
    pub(crate) stale: Vec<String>,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (file, count) in &self.by_file {
            writeln!(f, "{file:<24} {count}")?;
        }
        writeln!(f, "{:<24} {}", "all", self.all)?;
        let (caught, all) = self.all.score();
        let [low, high] = self.all.bounds();
        write!(f, "{caught} of {all} caught: {:.1} % ", self.all.percent())?;
        writeln!(f, "({low:.1} to {high:.1} % with 95 % confidence, for a sample)")
    }
}

/// How to run a campaign.
pub(crate) struct Plan<'a> {
    pub(crate) judge: &'a dyn Judge,
    pub(crate) accepted: &'a [Accepted],
    /// The number of threads.
    pub(crate) jobs: usize,
    /// The time after which no mutant is begun. The last third is for those that quick judges miss.
    pub(crate) limit: Duration,
    /// Whether to print each verdict, not only the mutants that are missed.
    pub(crate) is_verbose: bool,
}

impl Plan<'_> {
    /// Judges mutants: first all by quick judges, then those that these miss by slow ones. Those that are accepted stay
    /// missed without slow judges, unless all are; and so do those for which there is no time.
    pub(crate) fn run(&self, mutants: &[Mutant]) -> anyhow::Result<Outcome> {
        let begun = Instant::now();
        let all: Vec<&Mutant> = mutants.iter().collect();
        let mut judged = self.pass(&all, Pass::Quick, begun, self.limit / 3 * 2)?;
        let are_all_accepted = mutants.iter().all(|mutant| self.accepts(mutant));
        let is_doubtful = |(mutant, verdict): &mut (&Mutant, Verdict)| {
            *verdict == Verdict::Missed && (are_all_accepted || !self.accepts(mutant))
        };
        let doubtful: Vec<_> = judged.extract_if(.., is_doubtful).map(|(mutant, _)| mutant).collect();
        let again = self.pass(&doubtful, Pass::Slow, begun, self.limit)?;
        // Mutants are begun in order.
        let rest = &doubtful[again.len()..];
        if !rest.is_empty() {
            println!("no time for slow tests of {} that quick ones missed", rest.len());
        }
        for &mutant in rest {
            self.tell(mutant, &Verdict::Missed, true);
            judged.push((mutant, Verdict::Missed));
        }
        judged.extend(again);
        Ok(tally(&judged, self.accepted))
    }

    fn accepts(&self, mutant: &Mutant) -> bool {
        self.accepted.iter().any(|entry| entry.names(mutant))
    }

    /// Has the judges of a pass judge mutants, and returns the verdicts that there are after `limit`.
    fn pass<'m>(
        &self,
        mutants: &[&'m Mutant],
        pass: Pass,
        begun: Instant,
        limit: Duration,
    ) -> anyhow::Result<Vec<(&'m Mutant, Verdict)>> {
        let (next, verdicts) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |job: usize| -> anyhow::Result<()> {
            while begun.elapsed() < limit {
                let Some(&mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) else { break };
                let verdict = self.judge.judge(pass, mutant, job)?;
                self.tell(mutant, &verdict, pass == Pass::Slow);
                verdicts.lock().expect("no thread panics").push((mutant, verdict));
            }
            Ok(())
        };
        on_threads(self.jobs, work)?;
        Ok(verdicts.into_inner().expect("no thread panics"))
    }

    fn tell(&self, mutant: &Mutant, verdict: &Verdict, is_last: bool) {
        match verdict {
            Verdict::Missed if is_last && !self.accepts(mutant) => println!("missed: {mutant}: {}", mutant.code),
            _ if self.is_verbose => println!("{verdict:?}: {mutant}"),
            _ => {}
        }
    }
}

fn tally(judged: &[(&Mutant, Verdict)], accepted: &[Accepted]) -> Outcome {
    let mut outcome = Outcome::default();
    for (mutant, verdict) in judged {
        let is_accepted = accepted.iter().any(|entry| entry.names(mutant));
        for count in [outcome.by_file.entry(mutant.file.clone()).or_default(), &mut outcome.all] {
            *match verdict {
                Verdict::Invalid => &mut count.invalid,
                Verdict::Caught(..) => &mut count.caught,
                Verdict::TimedOut(_) => &mut count.timed_out,
                Verdict::Missed if is_accepted => &mut count.accepted,
                Verdict::Missed => &mut count.missed,
            } += 1;
        }
    }
    for entry in accepted {
        let own: Vec<_> = judged.iter().filter(|(mutant, _)| entry.names(mutant)).collect();
        if !own.is_empty() && own.iter().all(|(_, verdict)| *verdict != Verdict::Missed) {
            outcome.stale.push(own[0].0.to_string());
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const LIMIT: Duration = Duration::from_secs(2);

    /// Misses all at first. Then it catches the first, which takes all the time.
    struct Late;

    impl Judge for Late {
        fn judge(&self, pass: Pass, _: &Mutant, _: usize) -> anyhow::Result<Verdict> {
            if pass == Pass::Quick {
                return Ok(Verdict::Missed);
            }
            thread::sleep(LIMIT);
            Ok(Verdict::Caught("slow".into()))
        }
    }

    #[test]
    fn what_there_is_no_time_to_judge_again_is_missed() {
        let plan = Plan { judge: &Late, accepted: &[], jobs: 1, limit: LIMIT, is_verbose: false };
        let mutants = ["-", "*", "/"].map(|to| Mutant::new("sum.rs", "a + b", 2, "+", to.into()));
        let Count { caught, missed, .. } = plan.run(&mutants).unwrap().all;
        assert_eq!((caught, missed), (1, 2));
    }
}
