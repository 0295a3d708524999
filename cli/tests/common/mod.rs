//! Runs the program.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program, with these arguments, in this folder.
pub(crate) fn hitmask(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask"));
    command.current_dir(folder).args(arguments).env_remove("WGPU_ADAPTER_NAME").stdin(Stdio::null());
    command
}

/// A folder that goes when it is dropped, with these files.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().expect("a folder is made"));
        for (name, text) in files {
            std::fs::write(folder.at(name), text).expect("a file is written");
        }
        folder
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Ran {
        Ran::from(hitmask(self.0.path(), arguments).output().expect("the program starts"))
    }
}

/// What a run left.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
        Self { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
    }
}
