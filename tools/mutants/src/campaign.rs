//! A campaign: judges mutants on several threads, and counts.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::accepted::Accepted;
use crate::file::File;
use crate::judge::{Court, Verdict};
use crate::mutant::Mutant;

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

/// Judges mutants on `jobs` threads, until `limit` has passed. Prints each that is missed.
pub(crate) fn run(
    court: &Court,
    files: &[File],
    mutants: &[Mutant],
    accepted: &[Accepted],
    jobs: usize,
    limit: Duration,
    says_all: bool,
) -> anyhow::Result<Outcome> {
    let (begun, next) = (Instant::now(), AtomicUsize::new(0));
    let verdicts: Mutex<Vec<Option<Verdict>>> = Mutex::new(vec![None; mutants.len()]);
    let work = |job: usize| -> anyhow::Result<()> {
        while begun.elapsed() < limit {
            let k = next.fetch_add(1, Ordering::Relaxed);
            let Some(mutant) = mutants.get(k) else { break };
            let file = files.iter().find(|file| file.name == mutant.file).expect("it is a mutant of a file");
            let verdict = court.judge(file, &mutant.apply(&file.text), &job.to_string())?;
            let is_accepted = accepted.iter().any(|entry| entry.names(mutant));
            match &verdict {
                Verdict::Missed if !is_accepted => println!("missed: {mutant}: {}", mutant.code),
                Verdict::Missed if says_all => println!("accepted: {mutant}"),
                Verdict::Caught(judge) if says_all => println!("caught by {judge}: {mutant}"),
                Verdict::TimedOut(judge) if says_all => println!("out of time in {judge}: {mutant}"),
                Verdict::Invalid if says_all => println!("invalid: {mutant}"),
                _ => {}
            }
            verdicts.lock().expect("no thread panics")[k] = Some(verdict);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|job| scope.spawn(move || work(job))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })?;
    let verdicts = verdicts.into_inner().expect("no thread panics");
    let judged: Vec<_> =
        mutants.iter().zip(verdicts).filter_map(|(mutant, verdict)| Some((mutant, verdict?))).collect();
    Ok(tally(&judged, accepted))
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
