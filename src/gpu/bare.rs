//! The text of a shader as a page downloads it: without comments, indentation and empty lines.
//!
//! The compiler runs these functions.

/// Returns the number of bytes that [`bytes`] keeps.
pub(super) const fn length(text: &str) -> usize {
    kept::<0>(text).1
}

/// Returns the text, except comments, indentation and empty lines. It keeps the lines that name needed files.
pub(super) const fn bytes<const LEN: usize>(text: &str) -> [u8; LEN] {
    kept(text).0
}

/// Returns bytes that were text as text.
pub(super) const fn text(bytes: &'static [u8]) -> &'static str {
    match str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("whole lines, or their beginnings up to a slash, are UTF-8 text"),
    }
}

/// Returns the first `LEN` bytes that are kept, and the number of all.
const fn kept<const LEN: usize>(text: &str) -> ([u8; LEN], usize) {
    let (text, mut to, mut len, mut at) = (text.as_bytes(), [0; LEN], 0, 0);
    while at < text.len() {
        let start = skip_blanks(text, at);
        let end = code_end(text, start);
        at = start;
        while at < end {
            if len < LEN {
                to[len] = text[at];
            }
            (at, len) = (at + 1, len + 1);
        }
        if start < end {
            if len < LEN {
                to[len] = b'\n';
            }
            len += 1;
        }
        while at < text.len() && text[at] != b'\n' {
            at += 1;
        }
        at += 1;
    }
    (to, len)
}

/// Returns the place of the first byte that is no blank, from `at` on.
const fn skip_blanks(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && text[at] == b' ' {
        at += 1;
    }
    at
}

/// Returns the end of the code in the line that begins at `start`.
const fn code_end(text: &[u8], start: usize) -> usize {
    let keeps_comment = begins(text, start, b"// needs: ");
    let mut end = start;
    while end < text.len() && text[end] != b'\n' && (keeps_comment || !begins(text, end, b"//")) {
        end += 1;
    }
    while start < end && text[end - 1] == b' ' {
        end -= 1;
    }
    end
}

/// Returns whether `text` has `head` at a place.
const fn begins(text: &[u8], at: usize, head: &[u8]) -> bool {
    let mut k = 0;
    while k < head.len() {
        if at + k >= text.len() || text[at + k] != head[k] {
            return false;
        }
        k += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::super::modules::{ALL, NEEDS, SHARED, named};
    use super::*;

    /// The text as `bytes` has it, for any text.
    fn bare(text: &str) -> String {
        let (bytes, len) = kept::<{ 1 << 16 }>(text);
        assert_eq!(len, length(text));
        String::from_utf8(bytes[..len].to_vec()).unwrap()
    }

    #[test]
    fn comments_and_indentation_go() {
        const TEXT: &str = "// A file.\n// needs: a, b\n\nfn f() { // why\n    return;\n}\n  // end";
        const BARE: [u8; length(TEXT)] = bytes(TEXT);
        assert_eq!(super::text(&BARE), "// needs: a, b\nfn f() {\nreturn;\n}\n");
        assert_eq!(bare(""), "");
    }

    /// Tests that shaders are the same programs without comments.
    #[test]
    fn shaders_keep_their_code() {
        let files = SHARED.iter().map(|(_, text)| *text).chain(ALL.iter().map(|module| module.text));
        for text in files {
            let words = |text: &str| -> Vec<String> {
                let lines = text.lines().map(|line| line.split_once("//").map_or(line, |(code, _)| code));
                lines.flat_map(str::split_whitespace).map(str::to_owned).collect()
            };
            let bare = bare(text);
            assert_eq!(words(&bare), words(text));
            assert!(named(&bare, NEEDS).eq(named(text, NEEDS)));
            assert!(bare.len() < text.len() && !bare.contains("\n\n"), "{bare}");
        }
    }
}
