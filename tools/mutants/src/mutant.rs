//! A mutant: a file with one operator, constant, call or statement changed.

use std::fmt;

/// A change of a file at one place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mutant {
    /// The file, such as `shared/wide.wgsl` in `shaders/`, or `src/world/body.rs`.
    pub(crate) file: String,
    /// The byte at which the change starts.
    pub(crate) at: usize,
    pub(crate) from: String,
    /// The text instead; empty if a statement or an operator of one operand is left out.
    pub(crate) to: String,
    /// The line, from 1, and the column in it.
    line: usize,
    column: usize,
    /// The line without the blanks around it, and the column in that.
    pub(crate) code: String,
    pub(crate) code_column: usize,
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, from, to, .. } = self;
        write!(f, "{file}:{line}:{column}: ")?;
        if to.is_empty() { write!(f, "without `{from}`") } else { write!(f, "`{from}` -> `{to}`") }
    }
}

impl Mutant {
    pub(crate) fn new(file: &str, text: &str, at: usize, from: &str, to: String) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let code = text[start..].lines().next().unwrap_or_default();
        let column = at - start + 1;
        Self {
            file: file.into(),
            at,
            from: from.into(),
            to,
            line: text[..start].matches('\n').count() + 1,
            column,
            code: code.trim().into(),
            code_column: column - (code.len() - code.trim_start().len()),
        }
    }
}
