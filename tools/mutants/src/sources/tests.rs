//! The tests of the library, and the mutants whose places each of them reaches.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::Context;

use super::tree::Program;
use crate::process::{End, on_threads, run};

/// A test that passes without a mutant.
pub(crate) struct Test {
    /// The number of its program.
    pub(crate) program: usize,
    pub(crate) name: String,
    /// The time of a core that it takes.
    pub(crate) time: Duration,
}

/// The tests.
pub(crate) struct Tests {
    pub(crate) programs: Vec<Program>,
    /// The quickest first.
    pub(crate) all: Vec<Test>,
    /// For each mutant, the tests that reach its place, the quickest first.
    pub(crate) reaching: Vec<Vec<usize>>,
    /// Those that fail without a mutant: they read the repository's files, or count allocations.
    pub(crate) unfit: Vec<String>,
}

impl Tests {
    /// Runs each test once, on some threads, and finds which of `count` mutants it reaches.
    pub(crate) fn new(programs: Vec<Program>, count: usize, folder: &Path, jobs: usize) -> anyhow::Result<Self> {
        let mut names = Vec::new();
        for (k, program) in programs.iter().enumerate() {
            names.extend(list(program)?.into_iter().map(|name| (k, name)));
        }
        let (next, ran) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
        let work = |job: usize| -> anyhow::Result<()> {
            let (record, output) = (folder.join(format!("reached-{job}")), folder.join(format!("output-{job}.txt")));
            while let Some((program, name)) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
                let _ = fs::remove_file(&record);
                let mut command = programs[*program].command();
                command.args(["--exact", name, "--test-threads=1"]).env("HITMASK_REACHED", &record);
                let (end, time) = run(&mut command, Duration::from_secs(900), &output)?;
                let reached = fs::read(&record).unwrap_or_default();
                ran.lock().expect("no thread panics").push((*program, name.clone(), end, time, reached));
            }
            Ok(())
        };
        on_threads(jobs, work)?;
        let mut ran = ran.into_inner().expect("no thread panics");
        ran.sort_by(|p, q| p.3.cmp(&q.3).then_with(|| p.1.cmp(&q.1)));
        let (mut all, mut reaching, mut unfit) = (Vec::new(), vec![Vec::new(); count], Vec::new());
        for (program, name, end, time, reached) in ran {
            if end != End::Passed {
                unfit.push(name);
                continue;
            }
            for number in reached.chunks_exact(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))) {
                reaching[number as usize].push(all.len());
            }
            all.push(Test { program, name, time });
        }
        Ok(Self { programs, all, reaching, unfit })
    }

    /// Returns some tests by program.
    pub(crate) fn by_program(&self, tests: &[usize]) -> HashMap<usize, Vec<&str>> {
        let mut by_program: HashMap<usize, Vec<&str>> = HashMap::new();
        for test in tests.iter().map(|&k| &self.all[k]) {
            by_program.entry(test.program).or_default().push(&test.name);
        }
        by_program
    }
}

/// Returns the names of a program's tests.
fn list(program: &Program) -> anyhow::Result<Vec<String>> {
    let output = program.command().args(["--list", "--format", "terse"]).output();
    let output = output.with_context(|| program.name.clone())?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().filter_map(|line| Some(line.strip_suffix(": test")?.to_owned())).collect())
}
