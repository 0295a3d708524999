//! Reading a file within a limit. A sheet may come from anywhere: a mod, a download, a mistyped path.

use std::fs::{self, File, Metadata};
use std::io::Read;
use std::path::Path;

use crate::budget::at_most;
use crate::error::{Error, Problem, Result};

/// The largest file in bytes: 256 MiB.
const MAX_FILE: u64 = 1 << 28;

/// Reads a whole file. Anything but a regular file is refused before it is opened: opening a pipe waits for a writer,
/// and reading a device may never end.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let unreadable = |error: std::io::Error| Error::from(Problem::Unreadable(error.to_string()));
    let read = || {
        length(&fs::metadata(path).map_err(unreadable)?)?;
        let file = File::open(path).map_err(unreadable)?;
        // The name may refer to something else by now.
        let length = length(&file.metadata().map_err(unreadable)?)?;
        let mut bytes = Vec::new();
        file.take(length).read_to_end(&mut bytes).map_err(unreadable)?;
        Ok(bytes)
    };
    read().map_err(|error: Error| error.of(path))
}

/// Returns the length of a regular file.
fn length(metadata: &Metadata) -> Result<u64> {
    if !metadata.is_file() {
        let kind = if metadata.is_dir() { "a folder" } else { "a pipe, a socket or a device" };
        return Err(Problem::Unreadable(format!("not a regular file, but {kind}")).into());
    }
    at_most("bytes", MAX_FILE, metadata.len())?;
    Ok(metadata.len())
}
