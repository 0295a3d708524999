//! Judges mutants by processes of which one must fail, the quickest first.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};

use crate::battery::INVALID;
use crate::file::File;

/// The verdict on a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The driver would refuse it, so no test is needed.
    Invalid,
    /// A judge failed: its name.
    Caught(&'static str),
    /// A judge did not end within ten times its usual time: its name.
    TimedOut(&'static str),
    /// All passed.
    Missed,
}

/// The programs that are run: this one, the library's unit tests, and the suite.
pub(crate) struct Programs {
    pub(crate) own: PathBuf,
    pub(crate) units: PathBuf,
    pub(crate) suite: PathBuf,
}

/// The kinds of judges.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Battery,
    Units,
    Suite,
}

/// A judge.
struct Judge {
    name: &'static str,
    kind: Kind,
    arguments: &'static [&'static str],
    /// The modules that it judges alone; if empty, all.
    modules: &'static [&'static str],
}

/// The modules that scenes do not run.
const POSED: [&str; 2] = ["pose", "place"];
const CONTACTS: [&str; 3] = ["contact_convex", "contact_sprites", "contact_mixed"];

/// All judges, in the order of a trial: the battery, tests of single modules, and tests of all.
const JUDGES: [Judge; 8] = [
    Judge { name: "battery", kind: Kind::Battery, arguments: &["battery"], modules: &[] },
    Judge { name: "streams", kind: Kind::Suite, arguments: &["streams::"], modules: &POSED },
    Judge {
        name: "contacts of random scenes",
        kind: Kind::Suite,
        arguments: &["contacts::ways_out_of_random_scenes"],
        modules: &CONTACTS,
    },
    Judge {
        name: "contacts",
        kind: Kind::Suite,
        arguments: &["contacts::", "unions::", "--skip", "ways_out_of_random_scenes"],
        modules: &CONTACTS,
    },
    Judge { name: "twins of ways out", kind: Kind::Units, arguments: &["twins::tests::ways"], modules: &CONTACTS },
    Judge {
        name: "units",
        kind: Kind::Units,
        arguments: &[
            "gpu::",
            // These change the text of shaders or compare it with the files.
            "--skip",
            "self_test",
            "--skip",
            "every_file_is_part_of_a_module",
            // These take long, and concern single modules.
            "--skip",
            "twins::tests::ways",
            "--skip",
            "what_is_sampled_is_as_what_is_painted",
        ],
        modules: &[],
    },
    Judge {
        name: "sampling",
        kind: Kind::Units,
        arguments: &["what_is_sampled_is_as_what_is_painted"],
        modules: &["sampled"],
    },
    Judge {
        name: "suite",
        kind: Kind::Suite,
        arguments: &[
            "a_hundred_thousand_of_every_kind",
            "a_large_world_is_parted",
            "combs_of_ten_thousand_vertices_interlock",
            "engines_agree_on_very_high_sprites",
            "frames::",
            "gpu::",
            "renderer::a_frame_is_one_submission",
            "uploads::",
            "what_takes_many_dispatches",
        ],
        modules: &[],
    },
];

/// A pass over mutants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    /// By the battery; files that no scene runs by the tests of their modules.
    Quick,
    /// Those that the first pass misses, by all other judges.
    Slow,
}

/// The judges with their time limits, and a folder for texts and outputs.
pub(crate) struct Judges {
    programs: Programs,
    folder: PathBuf,
    /// The limits of those judges that have passed a shader without a mutant.
    limits: [Mutex<Option<Duration>>; JUDGES.len()],
}

impl Judges {
    pub(crate) fn new(programs: Programs, folder: PathBuf) -> Self {
        Self { programs, folder, limits: Default::default() }
    }

    /// Returns the time limit of a judge. Before its first trial it must pass the file with another comment at the end,
    /// which also compiles the shaders that mutants share; Mesa keeps these.
    fn limit(&self, k: usize, file: &File) -> anyhow::Result<Duration> {
        let mut limit = self.limits[k].lock().expect("no thread panics");
        if let Some(limit) = *limit {
            return Ok(limit);
        }
        let text = format!("{}// Unchanged.\n", file.text);
        let (verdict, taken) = self.ask(k, file, &text, "unchanged", false, Duration::MAX)?;
        if let Some(verdict) = verdict {
            bail!("{} fails without a mutant: {verdict:?}", JUDGES[k].name);
        }
        println!("{}: {:.1} s of a core without a mutant", JUDGES[k].name, taken.as_secs_f64());
        Ok(*limit.insert(10 * taken + Duration::from_secs(20)))
    }

    /// Has the judges of a pass judge a changed text of a file. `job` names the folder for texts and outputs.
    pub(crate) fn judge(&self, pass: Pass, file: &File, text: &str, job: &str) -> anyhow::Result<Verdict> {
        let own = |modules: &[&str]| file.modules.iter().any(|module| modules.contains(module));
        let runs_in_scenes = file.modules.iter().any(|name| !POSED.contains(name) && !CONTACTS.contains(name));
        for (k, judge) in JUDGES.iter().enumerate() {
            let is_for_modules = !judge.modules.is_empty();
            let is_quick = judge.kind == Kind::Battery || (is_for_modules && !runs_in_scenes);
            if is_quick != (pass == Pass::Quick) || (is_for_modules && !own(judge.modules)) {
                continue;
            }
            let limit = self.limit(k, file)?;
            if let Some(verdict) = self.ask(k, file, text, job, !runs_in_scenes, limit)?.0 {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Missed)
    }

    /// Runs a judge, and returns `None` if it passes, with the time of cores that it took.
    fn ask(
        &self,
        k: usize,
        file: &File,
        text: &str,
        job: &str,
        validate: bool,
        limit: Duration,
    ) -> anyhow::Result<(Option<Verdict>, Duration)> {
        let judge = &JUDGES[k];
        let folder = self.folder.join(job);
        let shader = folder.join(format!("{}.wgsl", file.name));
        fs::create_dir_all(shader.parent().context("it has a folder")?)?;
        fs::write(&shader, text)?;
        let output = folder.join("output.txt");
        let program = match judge.kind {
            Kind::Battery => &self.programs.own,
            Kind::Units => &self.programs.units,
            Kind::Suite => &self.programs.suite,
        };
        let mut command = Command::new(program);
        command.args(judge.arguments).env("HITMASK_SHADER", &shader);
        command.env("MESA_SHADER_CACHE_DIR", self.folder.join("cache"));
        if judge.kind == Kind::Battery {
            command.arg(&shader).args(validate.then_some("--validate"));
        }
        let (end, taken) = run(&mut command, limit, &output)?;
        let verdict = match end {
            End::Passed => None,
            End::Status(Some(code)) if judge.kind == Kind::Battery && code == i32::from(INVALID) => {
                Some(Verdict::Invalid)
            }
            End::TooLate => Some(Verdict::TimedOut(judge.name)),
            End::Status(_) => Some(Verdict::Caught(judge.name)),
        };
        Ok((verdict, taken))
    }
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    Passed,
    /// It failed: its exit status, if it was not ended.
    Status(Option<i32>),
    TooLate,
}

/// The longest that a judge may take, by the clock: one that waits for ever takes no time of a core.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Runs a command. Ends it after `limit` of a core's time, whatever else the machine does, or when its output tells
/// that a test has failed. Returns the time as well.
fn run(command: &mut Command, limit: Duration, output: &Path) -> anyhow::Result<(End, Duration)> {
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
