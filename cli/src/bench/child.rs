//! A process that measures something by itself: `hitmask bench` of this program, with a time limit.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::record::Record;

/// How long to wait for a process that was killed, and for the pipes of one that ended.
const GRACE: Duration = Duration::from_secs(2);
/// How long to sleep between two looks at a process.
const NAP: Duration = Duration::from_millis(5);

/// A process that measures.
pub(super) struct Child {
    command: Command,
    limit: Duration,
}

/// How a process ended.
pub(super) enum Ended {
    /// It printed a record; also holds what it printed to standard error.
    Answered(Box<Record>, String),
    /// Two answers differ; holds the message.
    Differs(String),
    /// It did not measure; holds the reason.
    Failed(String),
}

impl Child {
    /// Prepares to run `hitmask bench` with these arguments, as an argument of other programs such as valgrind if there
    /// are any.
    pub(super) fn bench(
        under: &[&str],
        arguments: impl IntoIterator<Item = impl AsRef<OsStr>>,
        limit: Duration,
    ) -> Self {
        // Without a path of its own the name is looked up as the shell did.
        let own = std::env::current_exe().unwrap_or_else(|_| "hitmask".into());
        let mut command = match under {
            [] => Command::new(own),
            [program, options @ ..] => {
                let mut command = Command::new(program);
                command.args(options).arg(own);
                command
            }
        };
        command.args(["bench", "--format", "json", "--commit", "none"]).args(arguments);
        Self { command, limit }
    }

    /// Runs the process to its end, or to the limit.
    pub(super) fn run(mut self) -> Ended {
        let program = self.command.get_program().to_owned();
        match self.wait() {
            Ok(ended) => ended,
            Err(error) => Ended::Failed(format!("{}: {error}", program.display())),
        }
    }

    fn wait(&mut self) -> io::Result<Ended> {
        let mut child = self.command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        // Both pipes are emptied while it runs, or it would wait for a reader.
        let out = child.stdout.take().map(Pipe::read).unwrap_or_default();
        let errors = child.stderr.take().map(Pipe::read).unwrap_or_default();
        let status = wait_for(self.limit, || child.try_wait().transpose());
        let Some(status) = status.transpose()? else {
            child.kill()?;
            // A process that hangs in a driver may not even end then.
            let _ = wait_for(GRACE, || child.try_wait().transpose());
            return Ok(Ended::Failed(format!("took longer than {} s", self.limit.as_secs())));
        };
        // Another process may still hold a pipe.
        let _ = wait_for(GRACE, || (out.is_closed() && errors.is_closed()).then_some(()));
        Ok(ended(status, &out.text(), &errors.text()))
    }
}

/// Waits until there is an answer, or the limit is over.
fn wait_for<T>(limit: Duration, mut answer: impl FnMut() -> Option<T>) -> Option<T> {
    let deadline = Instant::now() + limit;
    loop {
        let found = answer();
        if found.is_some() || Instant::now() >= deadline {
            return found;
        }
        thread::sleep(NAP);
    }
}

/// The text that has come out of a pipe so far, and whether more may come.
#[derive(Clone, Default)]
struct Pipe(Arc<Mutex<(Vec<u8>, bool)>>);

impl Pipe {
    /// Reads a pipe in a thread.
    fn read(mut from: impl Read + Send + 'static) -> Self {
        let pipe = Self::default();
        pipe.lock().1 = true;
        let to = pipe.clone();
        thread::spawn(move || {
            let mut bytes = [0; 1 << 12];
            // What was read before a failure tells more than the failure.
            while let Ok(count @ 1..) = from.read(&mut bytes) {
                to.lock().0.extend_from_slice(&bytes[..count]);
            }
            to.lock().1 = false;
        });
        pipe
    }

    fn is_closed(&self) -> bool {
        !self.lock().1
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.lock().0).into_owned()
    }

    fn lock(&self) -> MutexGuard<'_, (Vec<u8>, bool)> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads the output of a process that ended by itself.
fn ended(status: ExitStatus, out: &str, errors: &str) -> Ended {
    let said = |prefix: &str| errors.lines().rev().find_map(|line| line.trim().strip_prefix(prefix).map(str::to_owned));
    // A driver may print lines that begin likewise, so they count only with the status that belongs to them.
    let problem = match status.code() {
        Some(0) => match serde_json::from_str(out) {
            Ok(record) => return Ended::Answered(Box::new(record), errors.to_owned()),
            Err(error) => Some(format!("printed no record: {error}")),
        },
        Some(1) => match said("answers differ: ") {
            Some(problem) => return Ended::Differs(problem),
            None => None,
        },
        Some(2) => said("error: "),
        _ => None,
    };
    Ended::Failed(problem.unwrap_or_else(|| format!("ended with {status}")))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    const LIMIT: Duration = Duration::from_secs(60);

    fn shell(script: &str, limit: Duration) -> Ended {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        Child { command, limit }.run()
    }

    #[test]
    fn a_process_that_fails_says_why() {
        for (script, expected) in [
            ("echo some warning >&2; echo 'error: --sizes 1M needs 300 MB' >&2; exit 2", "--sizes 1M needs 300 MB"),
            ("exit 3", "ended with exit status: 3"),
            ("exit 1", "ended with exit status: 1"),
            // A driver may have printed lines of its own.
            ("echo 'error: XDG_RUNTIME_DIR is not set' >&2; kill -9 $$", "ended with signal: 9 (SIGKILL)"),
            ("echo 'error: XDG_RUNTIME_DIR is not set' >&2; exit 101", "ended with exit status: 101"),
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
    fn a_pipe_that_another_process_holds_is_left() {
        let begun = Instant::now();
        let Ended::Failed(problem) = shell("sleep 100 & echo 'error: why' >&2; exit 2", LIMIT) else { panic!() };
        assert_eq!(problem, "why");
        assert!(begun.elapsed() < Duration::from_secs(50));
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let Ended::Failed(problem) = (Child { command: Command::new("/no/such"), limit: LIMIT }).run() else {
            panic!()
        };
        assert!(problem.starts_with("/no/such: No such file"), "{problem}");
    }

    #[test]
    fn a_process_may_print_more_than_a_pipe_holds() {
        let Ended::Failed(problem) = shell("head -c 1000000 /dev/zero; exit 2", LIMIT) else { panic!() };
        assert_eq!(problem, "ended with exit status: 2");
    }
}
