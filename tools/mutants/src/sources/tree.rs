//! A copy of the repository in which mutants are built.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use serde::Deserialize;

use super::file::Source;
use super::place::Place;
use super::schema::Schema;
use crate::root;

/// The module that is added to the library.
const SWITCH: &str = include_str!("switch.rs");

/// How the library is built: without a GPU, which makes a build a fraction as long.
const FLAGS: [&str; 7] =
    ["--locked", "-p", "hitmask", "--no-default-features", "--features", "scene,internals", "--tests"];

/// The copy of the repository.
pub(crate) struct Tree {
    folder: PathBuf,
    /// The number of mutants.
    count: usize,
    /// The schemas written last, by file.
    schemas: Vec<(String, Schema)>,
}

/// A test program of the library.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) name: String,
    path: PathBuf,
    /// The folder in which cargo would run it.
    folder: PathBuf,
}

impl Program {
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.path);
        command.current_dir(&self.folder);
        command
    }
}

/// A message of cargo, as far as it is used.
#[derive(Deserialize)]
struct Message {
    reason: String,
    #[serde(default)]
    executable: Option<PathBuf>,
    #[serde(default)]
    target: Option<Target>,
    #[serde(default, rename = "message")]
    diagnostic: Option<Diagnostic>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

#[derive(Deserialize)]
struct Diagnostic {
    level: String,
    spans: Vec<Span>,
    #[serde(default)]
    rendered: Option<String>,
}

#[derive(Deserialize)]
struct Span {
    file_name: String,
    byte_start: usize,
    byte_end: usize,
    is_primary: bool,
}

/// How a build ended.
enum Built {
    Programs(Vec<Program>),
    /// The mutants that the compiler refuses.
    Refused(Vec<usize>),
}

impl Tree {
    /// Copies the files of the repository that Git knows, or that it does not ignore, for `count` mutants.
    pub(crate) fn new(folder: PathBuf, count: usize) -> anyhow::Result<Self> {
        let list = Command::new("git")
            .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            .current_dir(root())
            .output()
            .context("git")?;
        for name in list.stdout.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
            let name = String::from_utf8_lossy(name).into_owned();
            let (from, to) = (root().join(&name), folder.join(&name));
            // Those of doors are not built, but tests read some.
            let is_needed = !["bevy/", "python/", "web/"].iter().any(|door| name.starts_with(door));
            let is_read = ["web/verify.", "web/tests/worlds/"].iter().any(|start| name.starts_with(start));
            if (is_needed || is_read) && from.is_file() {
                update(&to, &fs::read(&from)?)?;
            }
        }
        Ok(Self { folder, count, schemas: Vec::new() })
    }

    /// Builds the mutants of some files and returns the test programs, and the mutants that do not compile. `sources`
    /// has the files, with the number of each mutant that is to be built.
    pub(crate) fn build(
        &mut self,
        sources: &[Source],
        mut numbers: Vec<Vec<Option<usize>>>,
    ) -> anyhow::Result<(Vec<Program>, Vec<usize>)> {
        let mut refused = Vec::new();
        loop {
            self.write(sources, &numbers)?;
            // Checking finds what does not compile, and takes a fraction of the time.
            let built = match self.cargo(&["check"])? {
                Built::Programs(_) => self.cargo(&["test", "--no-run"])?,
                refused @ Built::Refused(_) => refused,
            };
            match built {
                Built::Programs(programs) => return Ok((programs, refused)),
                Built::Refused(more) => {
                    println!("{} mutants do not compile", more.len());
                    for number in numbers.iter_mut().flatten() {
                        *number = number.filter(|number| !more.contains(number));
                    }
                    refused.extend(more);
                }
            }
        }
    }

    /// Writes the schemas of files.
    fn write(&mut self, sources: &[Source], numbers: &[Vec<Option<usize>>]) -> anyhow::Result<()> {
        self.schemas.clear();
        for (source, numbers) in sources.iter().zip(numbers) {
            let mut rest = numbers.iter().copied();
            let numbered = |place: &Place| (place.clone(), rest.by_ref().take(place.changes.len()).collect());
            let places: Vec<_> = source.places.iter().map(numbered).collect();
            let schema = Schema::new(&source.text, &places);
            update(&self.folder.join(&source.file), schema.text.as_bytes())?;
            self.schemas.push((source.file.clone(), schema));
        }
        let library = fs::read_to_string(root().join("src/lib.rs"))?;
        // Clippy is not asked, but rustc is.
        let module = "\n#[allow(missing_docs)]\nmod mutant_switch;\n";
        update(&self.folder.join("src/lib.rs"), [&library, module].concat().as_bytes())?;
        let switch = format!("{SWITCH}\nconst MUTANTS: usize = {};\n", self.count);
        update(&self.folder.join("src/mutant_switch.rs"), switch.as_bytes())
    }

    /// Runs a command of cargo on the library and its tests.
    fn cargo(&self, command: &[&str]) -> anyhow::Result<Built> {
        let output = Command::new("cargo")
            .args(command)
            .args(FLAGS)
            .arg("--message-format=json")
            .current_dir(&self.folder)
            .env("CARGO_TARGET_DIR", self.folder.join("target"))
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "none")
            // Changed code warns of much.
            .env("RUSTFLAGS", "--cap-lints=warn -Awarnings")
            .output()
            .context("cargo")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let messages = text.lines().filter_map(|line| serde_json::from_str::<Message>(line).ok());
        let (mut programs, mut refused, mut unexplained) = (Vec::new(), Vec::new(), Vec::new());
        for message in messages {
            if let (Some(path), Some(target)) = (message.executable, &message.target)
                && message.reason == "compiler-artifact"
            {
                programs.push(Program { name: target.name.clone(), path, folder: self.folder.clone() });
            }
            let Some(diagnostic) = message.diagnostic.filter(|diagnostic| diagnostic.level == "error") else {
                continue;
            };
            let blamed = self.blamed(&diagnostic);
            if blamed.is_empty() {
                unexplained.push(diagnostic.rendered.unwrap_or_default());
            }
            refused.extend(blamed);
        }
        refused.sort_unstable();
        refused.dedup();
        match (output.status.success(), refused.is_empty()) {
            (true, _) => Ok(Built::Programs(programs)),
            (false, false) => Ok(Built::Refused(refused)),
            _ => bail!("cargo: {}\n{}", unexplained.join("\n"), String::from_utf8_lossy(&output.stderr)),
        }
    }

    /// Returns the mutants that an error is about: those where it is, or else where its notes are, or else all between
    /// these.
    fn blamed(&self, diagnostic: &Diagnostic) -> Vec<usize> {
        let mut spans: Vec<&Span> = diagnostic.spans.iter().collect();
        spans.sort_by_key(|span| !span.is_primary);
        let schema = |span: &Span| self.schemas.iter().find(|(file, _)| *file == span.file_name);
        let bytes = |span: &Span| span.byte_start..span.byte_end;
        let here = |span: &&Span| Some(schema(span)?.1.blamed(&bytes(span))).filter(|numbers| !numbers.is_empty());
        if let Some(numbers) = spans.iter().find_map(here) {
            return numbers;
        }
        let Some((file, schema)) = spans.first().and_then(|span| schema(span)) else { return Vec::new() };
        let own = || spans.iter().filter(|span| span.file_name == *file);
        let [start, end] = [own().map(|span| span.byte_start).min(), own().map(|span| span.byte_end).max()];
        schema.within(&(start.unwrap_or(0)..end.unwrap_or(0)))
    }
}

/// Writes a file, unless it has this content: what stays is not built again.
fn update(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    if fs::read(path).is_ok_and(|old| old == content) {
        return Ok(());
    }
    let folder = path.parent().context("it has a folder")?;
    fs::create_dir_all(folder)?;
    fs::write(path, content).with_context(|| path.display().to_string())
}
