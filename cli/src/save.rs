//! A file that is written: whole, or as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Symbolic links on the way to a file, at most, as Linux counts them.
const LINKS: usize = 40;

/// Writes a file beside `path`, then gives it that name, so that nothing half-written ever has it. A symbolic link
/// stays one: what it leads to is written, and what is no file, as a device, is written as it is.
pub(crate) fn whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let target = followed(path)?;
        match fs::metadata(&target) {
            Ok(old) if old.is_file() => {
                // A file that may not be written is not replaced either.
                OpenOptions::new().write(true).open(&target)?;
                replace(&target, bytes, Some(old.permissions()))
            }
            // A directory says so itself.
            Ok(_) => OpenOptions::new().write(true).open(&target)?.write_all(bytes),
            Err(_) => replace(&target, bytes, None),
        }
    };
    write().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// What a path names where its last part is a symbolic link, or a link to one.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            // Relative to the link's own folder.
            Ok(next) => target = target.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Puts a new file in the place of `path`.
fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let part = path.with_file_name(format!(".hitmask-{}.part", std::process::id()));
    // What another left there is neither written nor followed.
    let _ = fs::remove_file(&part);
    let write = || {
        let mut file = File::create_new(&part)?;
        file.write_all(bytes)?;
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        // It may not be there at all.
        let _ = fs::remove_file(&part);
    })
}
