//! JSON, parsed with errors that name the place.

use serde::de::DeserializeOwned;

use crate::budget;
use crate::error::{Error, Problem, Result};

/// The largest text in bytes: 64 MiB. What is parsed takes a few times as much memory.
pub(crate) const MAX_TEXT: u64 = 1 << 26;

/// Returns a text of UTF-8 without the byte order mark that it may begin with.
pub(crate) fn unmarked(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text)
}

/// Parses a text.
pub(crate) fn parse<T: DeserializeOwned>(text: &[u8]) -> Result<T> {
    budget::at_most("bytes of JSON", MAX_TEXT, text.len() as u64)?;
    serde_json::from_slice(unmarked(text)).map_err(|error| {
        Error::from(Problem::Json { message: problem(&error), line: error.line(), column: error.column() })
    })
}

/// Returns the message of an error of the parser without its place.
pub(crate) fn problem(error: &serde_json::Error) -> String {
    // It may quote the file, and ends with the place.
    let message = error.to_string();
    shortened(message.strip_suffix(&format!(" at line {} column {}", error.line(), error.column())).unwrap_or(&message))
}

/// Returns a message of the parser for people: invisible characters are escaped, and a long text is cut in the middle.
pub(crate) fn shortened(message: &str) -> String {
    /// The number of characters kept at either end.
    const ENDS: usize = 200;
    let printable = |text: &str| {
        let escape =
            |c: char| if matches!(c, '"' | '\'' | '\\') { c.to_string() } else { c.escape_debug().to_string() };
        text.chars().map(escape).collect::<String>()
    };
    let start = message.char_indices().nth(ENDS).map_or(message.len(), |(end, _)| end);
    let end = message.char_indices().nth_back(ENDS - 1).map_or(0, |(start, _)| start);
    if start < end {
        format!("{} … {}", printable(&message[..start]), printable(&message[end..]))
    } else {
        printable(message)
    }
}
