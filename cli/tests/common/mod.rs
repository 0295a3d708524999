//! Runs the program.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Returns the command that runs the program with these arguments in this folder.
pub(crate) fn hitmask(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitmask"));
    command.current_dir(folder).args(arguments).env_remove("WGPU_ADAPTER_NAME").stdin(Stdio::null());
    command
}

/// A temporary folder with files, removed when it is dropped.
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

/// Returns a PNG that claims this size, with 8 bits in each of four channels, but has no pixel data.
pub(crate) fn claims(width: u32, height: u32) -> Vec<u8> {
    fn chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
        let step = |crc: u32, _| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
        let bytes = kind.iter().chain(data);
        let crc = !bytes.fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), step));
        [&(data.len() as u32).to_be_bytes()[..], &kind, data, &crc.to_be_bytes()].concat()
    }
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let chunks = [chunk(*b"IHDR", &header), chunk(*b"IDAT", &[0x78, 0x9c]), chunk(*b"IEND", &[])];
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunks.concat()].concat()
}

/// The result of a run.
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
