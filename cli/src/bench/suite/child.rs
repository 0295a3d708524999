//! The process that measures one part: `hitmask bench` of this program, with a time limit.

use std::io::Read;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::super::options::Options;
use super::super::record::Record;
use super::parts::{MEASURED, Part};

/// The time limit of a part: the frames take seconds, and building the world, opening the engine and checking the
/// answer take some more, even in software.
const LIMIT: Duration = Duration::from_secs(60);
/// How long to sleep between two looks at a process.
const NAP: Duration = Duration::from_millis(5);

/// A process that measures a part.
pub(super) struct Child {
    command: Command,
    limit: Duration,
}

/// How a process ended.
pub(super) enum Ended {
    /// It printed a record.
    Answered(Box<Record>),
    /// Two answers differ: which.
    Differs(String),
    /// It did not measure: why.
    Failed(String),
}

impl Child {
    /// Prepares to measure a part on an engine.
    pub(super) fn of_part(part: &Part, backend: &str, options: &Options) -> Self {
        let gpu = options.gpu.as_deref().filter(|_| backend == "gpu");
        Self::bench(part.arguments.iter().chain(&MEASURED), backend, gpu)
    }

    /// Prepares to measure the limits of the GPU.
    pub(super) fn of_roofs(options: &Options) -> Self {
        Self::bench(&["boxes", "--sizes", "1k", "--runs", "1", "--roofs"], "gpu", options.gpu.as_deref())
    }

    fn bench<'a>(arguments: impl IntoIterator<Item = &'a &'a str>, backend: &str, gpu: Option<&str>) -> Self {
        // Without a path of its own the name is looked up as the shell did.
        let mut command = Command::new(std::env::current_exe().unwrap_or_else(|_| "hitmask".into()));
        command.arg("bench").args(arguments).args(["--backends", backend, "--format", "json", "--commit", "none"]);
        gpu.into_iter().for_each(|gpu| {
            command.args(["--gpu", gpu]);
        });
        Self { command, limit: LIMIT }
    }

    /// Runs the process to its end, or to the limit.
    pub(super) fn run(mut self) -> anyhow::Result<Ended> {
        let mut child = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // Both pipes are emptied while it runs, or it would wait for a reader.
        let [out, errors] = [child.stdout.take().map(reader), child.stderr.take().map(reader)];
        let deadline = Instant::now() + self.limit;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if Instant::now() < deadline => thread::sleep(NAP),
                None => {
                    child.kill()?;
                    child.wait()?;
                    break None;
                }
            }
        };
        let [out, errors] =
            [out, errors].map(|reader| reader.and_then(|reader| reader.join().ok()).unwrap_or_default());
        Ok(match status {
            None => Ended::Failed(format!("took longer than {} s", self.limit.as_secs())),
            Some(status) => ended(status, &out, &errors),
        })
    }
}

/// Reads all of a pipe in a thread.
fn reader(mut pipe: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before a failure tells more than the failure.
        let _ = pipe.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// Reads the output of a process that ended by itself.
fn ended(status: ExitStatus, out: &str, errors: &str) -> Ended {
    let said = |prefix: &str| errors.lines().rev().find_map(|line| line.trim().strip_prefix(prefix).map(str::to_owned));
    match status.code() {
        Some(0) => match serde_json::from_str(out) {
            Ok(record) => Ended::Answered(Box::new(record)),
            Err(error) => Ended::Failed(format!("printed no record: {error}")),
        },
        Some(1) => Ended::Differs(said("answers differ: ").unwrap_or_else(|| "no reason is given".into())),
        Some(_) => Ended::Failed(said("error: ").unwrap_or_else(|| format!("ended with {status}"))),
        None => Ended::Failed(format!("ended by {status}")),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, limit: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Child { command, limit }.run().unwrap()
    }

    #[test]
    fn a_process_that_fails_says_why() {
        for (script, expected) in [
            ("echo some warning >&2; echo 'error: --sizes 1M needs 300 MB' >&2; exit 2", "--sizes 1M needs 300 MB"),
            ("exit 3", "ended with exit status: 3"),
            ("kill -9 $$", "ended by signal: 9 (SIGKILL)"),
            ("echo '{'", "printed no record: EOF while parsing an object at line 2 column 0"),
        ] {
            let Ended::Failed(problem) = shell(script, LIMIT) else { panic!("{script} failed") };
            assert_eq!(problem, expected, "{script}");
        }
        let Ended::Differs(problem) = shell("echo 'answers differ: boxes' >&2; exit 1", LIMIT) else { panic!() };
        assert_eq!(problem, "boxes");
    }

    #[test]
    fn a_process_that_hangs_is_stopped() {
        let begun = Instant::now();
        let Ended::Failed(problem) = shell("exec sleep 100", Duration::from_millis(50)) else { panic!() };
        assert_eq!(problem, "took longer than 0 s");
        assert!(begun.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_process_may_print_more_than_a_pipe_holds() {
        let Ended::Failed(problem) = shell("head -c 1000000 /dev/zero; exit 2", LIMIT) else { panic!() };
        assert_eq!(problem, "ended with exit status: 2");
    }
}
