//! Reading the text of a file within limits: a scene or a CSV file may come from anywhere.

use std::fs::{File, FileType, Metadata};
use std::io::Read;
use std::path::Path;

use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};

/// The largest file in bytes: 4 GiB, a hundred times that of the largest world that fits on a device.
const MOST: u64 = 1 << 32;
/// The least memory in bytes required for each byte of a file: one for the text, and two for the longest string in it,
/// as it is read and as it is kept.
const BYTES: u64 = 3;

const TEXT: Need = Need { what: "a file's text", advice: "split it into several files", beside: 0 };

/// Reads a whole file. Returns [`Error::File`] if it is not a regular file or is longer than 4 GiB. If there is not
/// enough memory, returns [`Error::In`] with the file's name and [`Error::Capacity`].
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let error = |problem: String| Error::File { path: path.to_owned(), problem };
    let check = |metadata: Metadata| regular(metadata.file_type()).map(|()| metadata.len());
    // Checked before opening, since opening a pipe without a writer would block, and again on the file that was opened.
    std::fs::metadata(path).map_err(|e| e.to_string()).and_then(check).map_err(error)?;
    let file = File::open(path).map_err(|e| error(e.to_string()))?;
    let len = file.metadata().map_err(|e| e.to_string()).and_then(check).map_err(error)?;
    if len > MOST {
        return Err(error(format!("{len} bytes; the limit is {MOST}")));
    }
    let room = Room::default();
    let mut text = Vec::new();
    room.check(BYTES * len, TEXT)
        .and_then(|()| room.reserve(&mut text, len as usize + 1, TEXT))
        .map_err(|error| error.of(path.display().to_string()))?;
    // Read one byte more than expected, to detect a file that grows.
    file.take(len + 1).read_to_end(&mut text).map_err(|e| error(e.to_string()))?;
    if text.len() as u64 > len {
        return Err(error(format!("more than the {len} bytes that it had when it was opened: it is growing")));
    }
    Ok(text)
}

/// Checks that something is a regular file; the error says what it is instead.
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
