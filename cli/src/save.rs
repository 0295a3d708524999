//! Writes files atomically: a failure leaves the old file as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The maximum number of symbolic links to follow, as on Linux.
const LINKS: usize = 40;

/// Writes a file beside `path`, then renames it, so that a half-written file never has that name. A symbolic link stays
/// one, and its target is replaced. A target that is not a regular file, such as a device, is written in place.
pub(crate) fn whole(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let write = || {
        let target = followed(path)?;
        match fs::metadata(&target) {
            Ok(old) if old.is_file() => {
                // A file that is not writable must not be replaced either.
                OpenOptions::new().write(true).open(&target)?;
                replace(&target, bytes, Some(old.permissions()))
            }
            // Opening a directory returns the right error.
            Ok(_) => OpenOptions::new().write(true).open(&target)?.write_all(bytes),
            Err(_) => replace(&target, bytes, None),
        }
    };
    write().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Checks that [`whole`] can write a file, without changing it or leaving a new one.
pub(crate) fn check(path: &Path) -> anyhow::Result<()> {
    let check = || {
        let target = followed(path)?;
        let old = fs::metadata(&target);
        if old.is_ok() {
            OpenOptions::new().write(true).open(&target)?;
        }
        if old.is_ok_and(|old| !old.is_file()) {
            return Ok(());
        }
        let part = part(&target)?;
        let _ = fs::remove_file(&part);
        File::create_new(&part)?;
        fs::remove_file(&part)
    };
    check().map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))
}

/// Checks that a file to write is none of those that the command reads.
pub(crate) fn check_apart(out: &Path, inputs: impl IntoIterator<Item = PathBuf>) -> anyhow::Result<()> {
    let is_read = inputs.into_iter().any(|input| are_one(out, &input));
    anyhow::ensure!(!is_read, "{}: this is an input; the output must be another file", out.display());
    Ok(())
}

/// Returns whether two paths are of one file, which may not exist yet.
pub(crate) fn are_one(a: &Path, b: &Path) -> bool {
    let new = |path: &Path| {
        let target = followed(path).ok()?;
        // The folder of a bare name is the current one.
        let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        Some(folder.canonicalize().ok()?.join(target.file_name()?))
    };
    let place = |path: &Path| path.canonicalize().ok().or_else(|| new(path));
    place(a).is_some_and(|a| Some(a) == place(b))
}

/// Returns the name under which a file is written before it is renamed.
fn part(path: &Path) -> io::Result<PathBuf> {
    path.file_name().ok_or_else(|| io::Error::other("this is not the name of a file"))?;
    Ok(path.with_file_name(format!(".hitmask-{}.part", std::process::id())))
}

/// Follows symbolic links in the last component of a path.
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

/// Replaces `path` by a new file.
fn replace(path: &Path, bytes: &[u8], permissions: Option<fs::Permissions>) -> io::Result<()> {
    let part = part(path)?;
    // Remove a leftover, so that it is neither written nor followed.
    let _ = fs::remove_file(&part);
    let write = || {
        let mut file = File::create_new(&part)?;
        file.write_all(bytes)?;
        permissions.map_or(Ok(()), |permissions| file.set_permissions(permissions))?;
        fs::rename(&part, path)
    };
    write().inspect_err(|_| {
        // It may not exist.
        let _ = fs::remove_file(&part);
    })
}
