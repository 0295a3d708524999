//! The paths of files that a file names, kept within a folder.

use std::path::{Path, PathBuf};

use crate::error::{Error, Problem, Result, quoted};

/// Returns the path of a file that the file at `path` names. It lies in `folder`, by default the folder of that one, or
/// below it, also when symbolic links are followed.
pub(crate) fn file_beside(path: &Path, name: &str, folder: Option<&Path>) -> Result<PathBuf> {
    let (folder, file) = match folder {
        None => (path.parent().unwrap_or(Path::new("")), Inside::new(name)?),
        Some(folder) => (folder, Inside::of(path, folder)?.beside(name)?),
    };
    let file = file.within(folder);
    if !real(&file)?.starts_with(real_folder(folder)?) {
        return Err(outside(name, LINK));
    }
    Ok(file)
}

/// The problem of a link that leaves the folder.
pub(crate) const LINK: &str = "is a link to a place outside the folder of the file";

/// Follows all links of a path.
pub(crate) fn real(path: &Path) -> Result<PathBuf> {
    path.canonicalize().map_err(|error| Error::from(Problem::Unreadable(error.to_string())).of(path))
}

/// Follows all links of the path of a folder; an empty path is the current folder.
pub(crate) fn real_folder(folder: &Path) -> Result<PathBuf> {
    real(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
}

/// Makes the error of a name that may lie outside a folder.
pub(crate) fn outside(name: &str, problem: &str) -> Error {
    Problem::Outside { name: quoted(name), problem: problem.to_owned() }.into()
}

/// A path within a folder, without `.` and `..`. One file has one such path, but for links.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Inside(Vec<String>);

impl Inside {
    /// Makes the path of a file in the folder.
    pub(crate) fn new(name: &str) -> Result<Self> {
        Self(vec![String::new()]).beside(name)
    }

    /// Makes the path of a file that must lie in the folder.
    pub(crate) fn of(path: &Path, folder: &Path) -> Result<Self> {
        let (file, root) = (real(path)?, real_folder(folder)?);
        let inside = file.strip_prefix(root).map_err(|_| {
            let problem = format!("lies outside the folder {}", quoted(&folder.to_string_lossy()));
            outside(&path.to_string_lossy(), &problem)
        })?;
        Self::new(&inside.to_string_lossy())
    }

    /// Returns the path of a file that this one names. It may climb by `..`, but not out of the folder.
    pub(crate) fn beside(&self, name: &str) -> Result<Self> {
        if let Some(problem) = absolute(name) {
            return Err(outside(name, problem));
        }
        let mut parts = self.0[..self.0.len() - 1].to_vec();
        // Windows' separator is one here too, as the file may have been written there.
        for part in name.split(['/', '\\']) {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop().ok_or_else(|| outside(name, "leaves the folder by `..`"))?;
                }
                _ => parts.push(part.to_owned()),
            }
        }
        if parts.is_empty() { Err(outside(name, "is the folder itself")) } else { Ok(Self(parts)) }
    }

    /// Returns the path from the folder, or from another one.
    pub(crate) fn within(&self, folder: &Path) -> PathBuf {
        self.0.iter().fold(folder.to_owned(), |path, part| path.join(part))
    }
}

/// Returns why a name is not relative to a folder. A colon is refused everywhere: on Windows it follows the letter of a
/// drive or the name of a file that has several streams.
fn absolute(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        Some("has no name")
    } else if name.contains(['\0', ':']) {
        Some("has a colon or a zero in its name")
    } else if name.starts_with(['/', '\\']) {
        Some("is an absolute path")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_may_leave_the_folder_are_refused() {
        for (name, word) in [
            ("", "no name"),
            ("/etc/passwd", "absolute"),
            ("\\\\server\\share\\a.png", "absolute"),
            ("../a.png", "`..`"),
            ("art/../../a.png", "`..`"),
            ("art\\..\\..\\a.png", "`..`"),
            ("..", "`..`"),
            ("C:\\a.png", "colon"),
            ("c:a.png", "colon"),
            ("a.png:stream", "colon"),
            ("file:///etc/passwd", "colon"),
            ("a\0.png", "zero"),
        ] {
            let error = Inside::new(name).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        for name in ["a.png", "art/a.png", "art\\a.png", "./a.png", "art/../a.png", "...png", "a..b.png", "船.png"] {
            Inside::new(name).unwrap();
        }
    }

    #[test]
    fn a_named_file_lies_in_the_folder_or_below() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("art")).unwrap();
        let json = dir.path().join("hero.json");
        for name in ["hero.png", "art/hero.png"] {
            std::fs::write(dir.path().join(name), []).unwrap();
            assert_eq!(file_beside(&json, name, None).unwrap(), dir.path().join(name));
        }
        assert_eq!(file_beside(&json, "art\\hero.png", None).unwrap(), dir.path().join("art/hero.png"));
        let missing = file_beside(&json, "none.png", None).unwrap_err();
        assert!(matches!(missing.problem, Problem::Unreadable(_)) && missing.file.ends_with("none.png"), "{missing}");
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_within_the_folder_only() {
        use std::os::unix::fs::symlink;

        let dir = tempfile::tempdir().unwrap();
        let [inside, secret] = [dir.path().join("inside"), dir.path().join("secret.png")];
        std::fs::create_dir(&inside).unwrap();
        for file in [&secret, &inside.join("a.png")] {
            std::fs::write(file, []).unwrap();
        }
        symlink("a.png", inside.join("same.png")).unwrap();
        symlink("../secret.png", inside.join("out.png")).unwrap();
        symlink("..", inside.join("up")).unwrap();
        let json = inside.join("a.json");
        assert!(file_beside(&json, "same.png", None).is_ok());
        for name in ["out.png", "up/secret.png"] {
            let error = file_beside(&json, name, None).unwrap_err();
            assert!(error.to_string().contains("is a link to a place outside"), "{error}");
        }
    }
}
