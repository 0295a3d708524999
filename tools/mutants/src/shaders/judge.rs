//! Judges mutants by processes of which one must fail, the quickest first.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;
use std::time::Duration;

use anyhow::{Context, bail};

use super::battery::INVALID;
use super::file::File;
use super::find::apply;
use crate::campaign::{Judge, Pass, Verdict};
use crate::mutant::Mutant;
use crate::process::{End, run};

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

/// Tests that judge together.
struct Tests {
    name: &'static str,
    kind: Kind,
    arguments: &'static [&'static str],
    /// The modules that it judges alone; if empty, all.
    modules: &'static [&'static str],
}

/// The modules that scenes do not run.
const POSED: [&str; 2] = ["pose", "place"];
const CONTACTS: [&str; 3] = ["contact_convex", "contact_sprites", "contact_mixed"];

/// All of them, in the order of a trial: the battery, tests of single modules, and tests of all.
const JUDGES: [Tests; 8] = [
    Tests { name: "battery", kind: Kind::Battery, arguments: &["battery"], modules: &[] },
    Tests { name: "streams", kind: Kind::Suite, arguments: &["streams::"], modules: &POSED },
    Tests {
        name: "contacts of random scenes",
        kind: Kind::Suite,
        arguments: &["contacts::ways_out_of_random_scenes"],
        modules: &CONTACTS,
    },
    Tests {
        name: "contacts",
        kind: Kind::Suite,
        arguments: &["contacts::", "unions::", "--skip", "ways_out_of_random_scenes"],
        modules: &CONTACTS,
    },
    Tests { name: "twins of ways out", kind: Kind::Units, arguments: &["twins::tests::ways"], modules: &CONTACTS },
    Tests {
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
    Tests {
        name: "sampling",
        kind: Kind::Units,
        arguments: &["what_is_sampled_is_as_what_is_painted"],
        modules: &["sampled"],
    },
    Tests {
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

/// The judges with their time limits, and a folder for texts and outputs.
pub(crate) struct Judges {
    files: Vec<File>,
    programs: Programs,
    folder: PathBuf,
    /// The limits of those judges that have passed a shader without a mutant.
    limits: [Mutex<Option<Duration>>; JUDGES.len()],
}

impl Judges {
    /// Takes the files that have mutants.
    pub(crate) fn new(files: Vec<File>, programs: Programs, folder: PathBuf) -> Self {
        Self { files, programs, folder, limits: Default::default() }
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
            End::TooLate => Some(Verdict::TimedOut(judge.name.to_owned())),
            End::Status(_) => Some(Verdict::Caught(judge.name.to_owned())),
        };
        Ok((verdict, taken))
    }
}

impl Judge for Judges {
    /// Quick are the battery and, for files that no scene runs, the tests of their modules.
    fn judge(&self, pass: Pass, mutant: &Mutant, job: usize) -> anyhow::Result<Verdict> {
        let file = self.files.iter().find(|file| file.path() == mutant.file).context("it is a mutant of a file")?;
        let text = apply(mutant, &file.text);
        let own = |modules: &[&str]| file.modules.iter().any(|module| modules.contains(module));
        let runs_in_scenes = file.modules.iter().any(|name| !POSED.contains(name) && !CONTACTS.contains(name));
        for (k, judge) in JUDGES.iter().enumerate() {
            let is_for_modules = !judge.modules.is_empty();
            let is_quick = judge.kind == Kind::Battery || (is_for_modules && !runs_in_scenes);
            if is_quick != (pass == Pass::Quick) || (is_for_modules && !own(judge.modules)) {
                continue;
            }
            let limit = self.limit(k, file)?;
            if let Some(verdict) = self.ask(k, file, &text, &job.to_string(), !runs_in_scenes, limit)?.0 {
                return Ok(verdict);
            }
        }
        Ok(Verdict::Missed)
    }
}
