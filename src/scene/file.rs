//! The text of a file, read within limits: a scene or a CSV file may come from anywhere.

use std::fs::{File, FileType, Metadata};
use std::io::Read;
use std::path::Path;

use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};

/// The most bytes of a file: 4 GiB, a hundred times what the largest world on a device has been written in.
const MOST: u64 = 1 << 32;
/// Memory that is wanted for each byte of a file at least: for the text, and for the longest string in it as it is
/// read, and once more as it is kept.
const BYTES: u64 = 3;

const TEXT: Need = Need { what: "a file's text", advice: "make several files of it", beside: 0 };

/// All of a file: an [`Error::File`] where it is none or is longer than 4 GiB, an [`Error::Capacity`] where there is
/// not the memory.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let error = |problem: String| Error::File { path: path.to_owned(), problem };
    let check = |metadata: Metadata| regular(metadata.file_type()).map(|()| metadata.len());
    // Before it is opened, as a pipe without a writer would not be, and again of what was opened.
    std::fs::metadata(path).map_err(|e| e.to_string()).and_then(check).map_err(error)?;
    let file = File::open(path).map_err(|e| error(e.to_string()))?;
    let len = file.metadata().map_err(|e| e.to_string()).and_then(check).map_err(error)?;
    if len > MOST {
        return Err(error(format!("{len} bytes; there may be {MOST}")));
    }
    let room = Room::default();
    let mut text = Vec::new();
    room.check(BYTES * len, TEXT)
        .and_then(|()| room.reserve(&mut text, len as usize + 1, TEXT))
        .map_err(|error| error.of(path.display().to_string()))?;
    // A byte more than there should be, to see whether more come.
    file.take(len + 1).read_to_end(&mut text).map_err(|e| error(e.to_string()))?;
    if text.len() as u64 > len {
        return Err(error(format!("more than the {len} bytes that it had when it was opened: it grows")));
    }
    Ok(text)
}

/// Whether something is a regular file; else what it is.
fn regular(kind: FileType) -> std::result::Result<(), String> {
    if kind.is_file() {
        return Ok(());
    }
    Err(format!("this is {}; it must be a regular file", name(kind)))
}

#[cfg(unix)]
fn name(kind: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;
    match kind {
        _ if kind.is_dir() => "a directory",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ if kind.is_char_device() || kind.is_block_device() => "a device",
        _ => "something else",
    }
}

#[cfg(not(unix))]
fn name(kind: FileType) -> &'static str {
    if kind.is_dir() { "a directory" } else { "something else" }
}
