//! Formatting of numbers and names in messages and in output for people.

use std::fmt;

/// A number in a message: in plain notation, or with an exponent if that would be a row of zeros.
pub(crate) struct Number(pub(crate) f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(v) = *self;
        if v == 0.0 || !v.is_finite() || (1e-5..1e15).contains(&v.abs()) {
            write!(f, "{v}")
        } else {
            write!(f, "{v:e}")
        }
    }
}

/// Several numbers in a message: "[1, 2]".
pub(crate) struct Numbers<'a>(pub(crate) &'a [f64]);

impl fmt::Display for Numbers<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for (k, &v) in self.0.iter().enumerate() {
            write!(f, "{}{}", if k > 0 { ", " } else { "" }, Number(v))?;
        }
        f.write_str("]")
    }
}

/// Returns whether a character is invisible or changes the text around it: control characters, format characters
/// (Unicode's general category Cf, of version 16: directions, joiners, zero widths, tags), and separators of lines and
/// paragraphs.
#[cfg(feature = "scene")]
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{890}' | '\u{891}' | '\u{8e2}'
            | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes a text for a terminal or a log: characters that move the cursor, change the direction of what follows, or
/// are invisible are escaped as in Rust.
///
/// These are Unicode's control and format characters and its separators of lines and of paragraphs.
#[cfg(feature = "scene")]
pub(crate) fn printable(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut text, c| {
        if is_hidden(c) {
            text.extend(c.escape_default());
        } else {
            text.push(c);
        }
        text
    })
}

/// Formats a name for a message or for output: printable, and cut after its beginning if very long.
#[cfg(feature = "scene")]
pub(crate) fn named(name: &str) -> String {
    /// The number of characters that identify a name.
    const LONGEST: usize = 200;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => printable(&name[..end]) + "…",
        None => printable(name),
    }
}

/// Formats a message that quotes its input: printable, and cut in the middle if very long.
#[cfg(feature = "scene")]
pub(crate) fn message(text: &str) -> String {
    /// The number of characters kept at either end.
    const ENDS: usize = 300;
    let start = text.char_indices().nth(ENDS).map_or(text.len(), |(end, _)| end);
    let end = text.char_indices().nth_back(ENDS - 1).map_or(0, |(start, _)| start);
    if start < end { format!("{} … {}", printable(&text[..start]), printable(&text[end..])) } else { printable(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let text = |v: f64| Number(v).to_string();
        assert_eq!(text(1e-300), "1e-300");
        assert_eq!(text(-1.5e300), "-1.5e300");
        assert_eq!(text(5e-324), "5e-324");
        assert_eq!(
            [0.0, -0.0, 1.0, 0.00001, 3_000_000.0, 0.1].map(text),
            ["0", "-0", "1", "0.00001", "3000000", "0.1"]
        );
        assert_eq!([999_999_999_999_999.0, 1e15, 9e-6].map(text), ["999999999999999", "1e15", "9e-6"]);
        assert_eq!([f64::NAN, f64::INFINITY, f64::NEG_INFINITY].map(text), ["NaN", "inf", "-inf"]);
        assert_eq!(Numbers(&[1e-300, 2.0]).to_string(), "[1e-300, 2]");
        assert_eq!(Numbers(&[]).to_string(), "[]");
    }

    #[cfg(feature = "scene")]
    #[test]
    fn what_does_not_show_is_escaped() {
        let hidden = "\0\n\u{7f}\u{9b}\u{ad}\u{61c}\u{180e}\u{200b}\u{200c}\u{200d}\u{200e}\u{200f}\u{2028}\u{2029}\u{202a}\u{202b}\u{202c}\
                      \u{202d}\u{202e}\u{2060}\u{2064}\u{2066}\u{2067}\u{2068}\u{2069}\u{206f}\u{feff}\u{fffb}\u{e0041}";
        for c in hidden.chars() {
            let escaped = printable(&format!("a{c}b"));
            assert_eq!(escaped, format!("a{}b", c.escape_default()), "{:?}", c);
            assert!(escaped.is_ascii());
        }
        let shown = "a b \"c\" `d` \\ é e\u{301} ß 船 ‐ – “x” \u{a0} 🚀 عربي עברית";
        assert_eq!(printable(shown), shown);
    }

    #[cfg(feature = "scene")]
    #[test]
    fn long_names_and_messages_are_shortened() {
        assert_eq!(named(&"é".repeat(200)), "é".repeat(200));
        assert_eq!(named(&"é".repeat(201)), "é".repeat(200) + "…");
        let long = format!("unknown field `{}` at line 7 column 3", "x".repeat(1 << 20));
        let short = message(&long);
        assert!(short.starts_with("unknown field `xxx") && short.ends_with("xxx` at line 7 column 3"), "{short}");
        assert!(short.len() < 1000, "{}", short.len());
        for length in [0, 1, 299, 300, 301, 599, 600] {
            assert_eq!(message(&"é".repeat(length)), "é".repeat(length), "{length}");
        }
        assert_eq!(message(&"é".repeat(601)), "é".repeat(300) + " … " + &"é".repeat(300));
    }
}
