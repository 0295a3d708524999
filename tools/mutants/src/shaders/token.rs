//! WGSL as tokens, as far as its mutants need them.

/// A token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// The byte at which it starts.
    pub(crate) at: usize,
    /// True if it is part of an attribute or of a list of template arguments, such as `vec2<u32>`.
    pub(crate) is_fixed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    Sign,
}

/// The operators of more than one character, the longest first.
const LONG: [&str; 20] = [
    "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++",
    "->",
];

/// Returns the tokens of a text. Comments and blanks are none.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut all: Vec<Token<'_>> = Vec::new();
    let mut at = 0;
    // The open brackets of the attribute or of the template arguments that the place is in.
    let mut open = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        let end_of = |is_part: fn(char) -> bool| rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (kind, length) = if first.is_ascii_digit() {
            (Kind::Number, end_of(|c| c.is_ascii_alphanumeric() || c == '.'))
        } else if first.is_alphabetic() || first == '_' {
            (Kind::Word, end_of(|c| c.is_alphanumeric() || c == '_'))
        } else {
            // `>>` ends two lists of arguments.
            let long = LONG.iter().filter(|_| open == 0).find(|sign| rest.starts_with(**sign));
            (Kind::Sign, long.map_or(first.len_utf8(), |sign| sign.len()))
        };
        let sign = &rest[..length];
        if opens(&all, sign, at, open) {
            open += 1;
        }
        all.push(Token { kind, text: sign, at, is_fixed: open > 0 || sign == "@" || follows(&all, "@") });
        if open > 0 && matches!(sign, ">" | ")") {
            open -= 1;
        }
        at += length;
    }
    all
}

/// Returns whether a sign opens the arguments of an attribute or of a template, or a bracket in them.
fn opens(before: &[Token<'_>], sign: &str, at: usize, open: u32) -> bool {
    let is_next_to_word = before.last().is_some_and(|last| last.kind == Kind::Word && last.at + last.text.len() == at);
    match sign {
        "<" => is_next_to_word,
        "(" => open > 0 || (is_next_to_word && follows(&before[..before.len() - 1], "@")),
        _ => false,
    }
}

fn follows(before: &[Token<'_>], sign: &str) -> bool {
    before.last().is_some_and(|last| last.text == sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn free(text: &str) -> Vec<&str> {
        tokens(text).into_iter().filter(|token| !token.is_fixed).map(|token| token.text).collect()
    }

    #[test]
    fn operators_are_whole_and_comments_are_none() {
        assert_eq!(free("a <<= b; // c + d\n-x<= 0x1Fu"), ["a", "<<=", "b", ";", "-", "x", "<=", "0x1Fu"]);
        assert_eq!(free("// needs: types\n"), [""; 0]);
    }

    #[test]
    fn attributes_and_template_arguments_are_fixed() {
        assert_eq!(free("var<workgroup> a: array<vec2<u32>, 4>;"), ["var", "a", ":", "array", ";"]);
        assert_eq!(free("@group(0) @binding(7) var b: u32;"), ["var", "b", ":", "u32", ";"]);
        assert_eq!(free("@compute @workgroup_size(64)\nfn f() {}"), ["fn", "f", "(", ")", "{", "}"]);
        assert_eq!(
            free("let a = vec2<i32>(1, 2) < b;"),
            ["let", "a", "=", "vec2", "(", "1", ",", "2", ")", "<", "b", ";"]
        );
        assert_eq!(free("bitcast<i32>(a >> 31u)"), ["bitcast", "(", "a", ">>", "31u", ")"]);
    }
}
