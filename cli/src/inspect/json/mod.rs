//! The lists as JSON, with a key for each value that is present.

pub(super) mod level;
pub(super) mod sheet;

/// Returns whether a text is empty, and so left out.
fn is_empty(text: &&str) -> bool {
    text.is_empty()
}
