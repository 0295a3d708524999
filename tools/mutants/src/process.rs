//! Processes that judge mutants: run to their end, or ended when they fail or take too long; and the threads that wait
//! for them.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;

/// Runs `work` on some threads, each with its number. Returns the first error.
pub(crate) fn on_threads(count: usize, work: impl Fn(usize) -> anyhow::Result<()> + Sync) -> anyhow::Result<()> {
    thread::scope(|scope| {
        let work = &work;
        let threads: Vec<_> = (0..count).map(|number| scope.spawn(move || work(number))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panics"))
    })
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Passed,
    /// It failed: its exit status, if it was not ended.
    Status(Option<i32>),
    TooLate,
}

/// The longest that a judge may take, by the clock: one that waits for ever takes no time of a core.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Runs a command. Ends it after `limit` of a core's time, whatever else the machine does, or when its output tells
/// that a test has failed. Returns the time as well.
pub(crate) fn run(command: &mut Command, limit: Duration, output: &Path) -> anyhow::Result<(End, Duration)> {
    let to = fs::File::create(output)?;
    command.stdin(Stdio::null()).stderr(to.try_clone()?).stdout(to);
    let begun = Instant::now();
    let mut child = command.spawn().with_context(|| format!("{command:?}"))?;
    let mut taken = Duration::ZERO;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((if status.success() { End::Passed } else { End::Status(status.code()) }, taken));
        }
        taken = time_of(child.id()).unwrap_or_else(|| begun.elapsed());
        let has_failed = String::from_utf8_lossy(&fs::read(output)?).contains("... FAILED");
        if has_failed || taken > limit || begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            return Ok((if has_failed { End::Status(None) } else { End::TooLate }, taken));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// Returns the time of cores that a process has taken, on Linux.
fn time_of(process: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name, in brackets, may have blanks; see proc(5) for what follows. A tick is 10 ms.
    let mut rest = stat.rsplit(')').next()?.split_whitespace().skip(11);
    let [user, system] = [rest.next()?, rest.next()?].map(|ticks| ticks.parse::<u64>().ok());
    Some(Duration::from_millis(10 * (user? + system?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hangs_or_has_failed_is_ended() {
        let output = std::env::temp_dir().join(format!("mutants-{}.txt", std::process::id()));
        let run = |text: &str, limit| run(Command::new("sh").args(["-c", text]), limit, &output).unwrap().0;
        let minute = Duration::from_secs(60);
        assert_eq!(run("while true; do true; done", Duration::from_millis(50)), End::TooLate);
        assert_eq!(run("echo 'test a ... FAILED'; exec sleep 99", minute), End::Status(None));
        assert_eq!([run("exit 3", minute), run("true", minute)], [End::Status(Some(3)), End::Passed]);
        fs::remove_file(output).unwrap();
    }
}
