//! The error type: the file, the place in it, and the problem.

use std::path::{Path, PathBuf};

/// The error of every fallible call. It names the file, the place in the file and the problem.
///
/// Names that come from a file are quoted and escaped, so a message may be shown on a terminal.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{}{}{problem}", prefix(&file.to_string_lossy()), prefix(place))]
#[non_exhaustive]
pub struct Error {
    /// The file. If it was read from memory, "the file" or "the image".
    pub file: PathBuf,
    /// The place in the file: `frame 3`, `tag "walk"`, `slice "hand"`, the outermost first; empty for the whole file.
    pub place: String,
    /// The problem.
    pub problem: Problem,
}

/// The kinds of problems.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// A file that cannot be opened or read.
    #[error("{0}")]
    Unreadable(String),
    /// Text that is not JSON, or JSON that does not describe a sheet or a level.
    #[error("{message}, at line {line}, column {column}")]
    Json {
        /// The problem.
        message: String,
        /// The line, from 1.
        line: usize,
        /// The column, from 1.
        column: usize,
    },
    /// Text that is not XML.
    #[error("{message}, at line {line}, column {column}")]
    Xml {
        /// The problem.
        message: String,
        /// The line, from 1.
        line: u32,
        /// The column, from 1.
        column: u32,
    },
    /// A file that contradicts its format or itself.
    #[error("{0}")]
    Malformed(String),
    /// A valid file that uses something this crate does not read.
    #[error("{0}")]
    Unsupported(String),
    /// The name of a file that may lie outside the folder of the file that names it.
    #[error("the file {name} {problem}")]
    Outside {
        /// The name, quoted.
        name: String,
        /// The problem.
        problem: String,
    },
    /// A size beyond a limit, found before memory was allocated for it.
    #[error("{size} {what}; the limit is {limit}")]
    TooLarge {
        /// The thing that is counted: "pixels in all frames", "bytes".
        what: &'static str,
        /// The size that the file claims.
        size: u64,
        /// The limit.
        limit: u64,
    },
    /// An error of hitmask: a mask or a shape that cannot be made, a grid that does not fit the image, or a body that
    /// the world does not take.
    #[error(transparent)]
    Mask(Box<hitmask::Error>),
}

/// The result type of this crate.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// Wraps this error with the place in which it arose; `place` contains the place so far.
    pub(crate) fn at(mut self, place: impl Into<String>) -> Self {
        let inner = std::mem::replace(&mut self.place, place.into());
        if !inner.is_empty() {
            self.place += ": ";
            self.place += &inner;
        }
        self
    }

    /// Names the file, unless an error of another file is already named.
    pub(crate) fn of(mut self, file: &Path) -> Self {
        if self.file.as_os_str().is_empty() {
            file.clone_into(&mut self.file);
        }
        self
    }
}

impl From<Problem> for Error {
    fn from(problem: Problem) -> Self {
        Self { file: PathBuf::new(), place: String::new(), problem }
    }
}

impl From<hitmask::Error> for Error {
    fn from(error: hitmask::Error) -> Self {
        Problem::Mask(Box::new(error)).into()
    }
}

/// Makes the error of a file that contradicts its format or itself.
pub(crate) fn malformed(problem: impl Into<String>) -> Error {
    Problem::Malformed(problem.into()).into()
}

/// Quotes a name from a file: invisible characters are escaped, and a very long name is cut.
pub(crate) fn quoted(name: &str) -> String {
    /// The number of characters that identify a name.
    const LONGEST: usize = 200;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("\"{}…\"", name[..end].escape_debug()),
        None => format!("{name:?}"),
    }
}

fn prefix(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("{text}: ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_names_file_place_and_problem() {
        let error = malformed("too short").at("slice \"hand\"").at("frame 3").of(Path::new("hero.aseprite"));
        assert_eq!(error.of(Path::new("other")).to_string(), "hero.aseprite: frame 3: slice \"hand\": too short");
        assert_eq!(malformed("too short").to_string(), "too short");
    }

    #[test]
    fn names_are_quoted_without_hidden_characters_and_cut() {
        assert_eq!(quoted("船 é"), "\"船 é\"");
        assert_eq!(quoted("a\u{1b}[2J\u{202e}\u{200b}\n\""), r#""a\u{1b}[2J\u{202e}\u{200b}\n\"""#);
        assert_eq!(quoted(&"x".repeat(200)), format!("\"{}\"", "x".repeat(200)));
        assert_eq!(quoted(&"x".repeat(201)), format!("\"{}…\"", "x".repeat(200)));
    }
}
