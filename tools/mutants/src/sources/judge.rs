//! Judges mutants by the tests that reach them.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;

use super::tests::Tests;
use crate::campaign::{Judge, Pass, Verdict};
use crate::mutant::Mutant;
use crate::process::{End, run};

/// The time of a core that the tests of a round take together: each round has the quickest tests that are left. The
/// first pass has the first rounds, the second all others. A mutant that passes the last is missed.
const QUICK: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(8)];
const SLOW: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(120)];

/// The tests as judges.
pub(crate) struct Judges {
    tests: Tests,
    folder: PathBuf,
    /// The mutants by their numbers, and the numbers of those that do not compile.
    mutants: Vec<Mutant>,
    refused: Vec<usize>,
}

impl Judges {
    /// Takes mutants, and the numbers of those that do not compile.
    pub(crate) fn new(tests: Tests, folder: PathBuf, mutants: Vec<Mutant>, refused: Vec<usize>) -> Self {
        Self { tests, folder, mutants, refused }
    }

    /// Splits tests into rounds.
    fn rounds(&self, reaching: &[usize]) -> [Vec<usize>; QUICK.len() + SLOW.len()] {
        let mut rounds = [const { Vec::new() }; QUICK.len() + SLOW.len()];
        let limits: Vec<Duration> = QUICK.into_iter().chain(SLOW).collect();
        let (mut round, mut taken) = (0, Duration::ZERO);
        for &test in reaching {
            let time = self.tests.all[test].time;
            while round < limits.len() && taken + time > limits[round] {
                (round, taken) = (round + 1, Duration::ZERO);
            }
            if round == limits.len() {
                break;
            }
            taken += time;
            rounds[round].push(test);
        }
        rounds
    }

    /// Runs a round of tests with a mutant switched on; returns the verdict unless all pass.
    fn ask(&self, number: usize, tests: &[usize], job: usize) -> anyhow::Result<Option<Verdict>> {
        fs::create_dir_all(&self.folder)?;
        let output = self.folder.join(format!("output-{job}.txt"));
        let mut by_program: Vec<_> = self.tests.by_program(tests).into_iter().collect();
        by_program.sort_unstable();
        for (program, names) in by_program {
            let usual: Duration =
                tests.iter().map(|&k| &self.tests.all[k]).filter(|test| test.program == program).map(|t| t.time).sum();
            let program = &self.tests.programs[program];
            let mut command = program.command();
            command.arg("--exact").args(names).arg("--test-threads=1").env("HITMASK_MUTANT", number.to_string());
            let (end, _) = run(&mut command, 10 * usual + Duration::from_secs(10), &output)?;
            match end {
                End::Passed => {}
                End::TooLate => return Ok(Some(Verdict::TimedOut(program.name.clone()))),
                End::Status(_) => {
                    let text = fs::read(&output)?;
                    let text = String::from_utf8_lossy(&text);
                    let failed = text.lines().find_map(|line| line.strip_prefix("test ")?.strip_suffix(" ... FAILED"));
                    return Ok(Some(Verdict::Caught(failed.unwrap_or(&program.name).to_owned())));
                }
            }
        }
        Ok(None)
    }
}

impl Judge for Judges {
    fn judge(&self, pass: Pass, mutant: &Mutant, job: usize) -> anyhow::Result<Verdict> {
        let number = self.mutants.iter().position(|own| own == mutant).context("it is one of these")?;
        if self.refused.contains(&number) {
            return Ok(Verdict::Invalid);
        }
        let rounds = self.rounds(&self.tests.reaching[number]);
        let (quick, slow) = rounds.split_at(QUICK.len());
        for round in if pass == Pass::Quick { quick } else { slow } {
            if let Some(verdict) = self.ask(number, round, job)? {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Missed)
    }
}
