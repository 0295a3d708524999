//! The mutants of a shader: its text with one operator, constant, call or statement changed.

use super::token::{Kind, Token, tokens};
use crate::mutant::Mutant;
use crate::{number, operator};

/// Returns the text of a shader with a mutant.
pub(crate) fn apply(mutant: &Mutant, text: &str) -> String {
    let (before, rest) = text.split_at(mutant.at);
    [before, &mutant.to, &rest[mutant.from.len()..]].concat()
}

/// Returns all mutants of a file, in the order of their places.
pub(crate) fn mutants(file: &str, text: &str) -> Vec<Mutant> {
    let all = tokens(text);
    let mut mutants: Vec<Mutant> = (0..all.len())
        .filter(|&k| !all[k].is_fixed && !is_override(&all[..k]))
        .filter_map(|k| Some(Mutant::new(file, text, all[k].at, all[k].text, changed(text, &all, k)?)))
        .collect();
    mutants.extend(statements(text).map(|(at, statement)| Mutant::new(file, text, at, statement, String::new())));
    mutants.sort_by_key(|mutant| mutant.at);
    mutants
}

/// Returns whether a token belongs to the default value of an `override`, which the host always sets.
fn is_override(before: &[Token<'_>]) -> bool {
    let declaration = before.iter().rev().take_while(|token| token.text != ";" && token.text != "}");
    declaration.last().is_some_and(|first| first.text == "override")
}

/// Returns the text that replaces a token, or `None` if it stays.
fn changed(text: &str, all: &[Token<'_>], k: usize) -> Option<String> {
    let token = all[k];
    let end = token.at + token.text.len();
    let is_blank = |at: usize| text.as_bytes().get(at).is_none_or(u8::is_ascii_whitespace);
    let is_called = all.get(k + 1).is_some_and(|next| next.text == "(") && (k == 0 || all[k - 1].text != ".");
    match token.kind {
        Kind::Number => number::next(token.text),
        Kind::Word if is_called => CALLS.iter().find_map(|pair| other(pair, token.text)),
        Kind::Word => other(&["true", "false"], token.text),
        // A binary operator has blanks around it, an operator of one operand none behind it.
        Kind::Sign if token.at > 0 && is_blank(token.at - 1) && is_blank(end) => {
            operator::other(token.text).map(str::to_owned)
        }
        Kind::Sign if matches!(token.text, "-" | "!") && !is_blank(end) => Some(String::new()),
        Kind::Sign => None,
    }
}

/// Built-in functions that replace each other.
const CALLS: [[&str; 2]; 6] = [
    ["min", "max"],
    ["all", "any"],
    ["countLeadingZeros", "countTrailingZeros"],
    ["atomicMin", "atomicMax"],
    ["atomicOr", "atomicAnd"],
    ["atomicAdd", "atomicSub"],
];

fn other(pair: &[&str; 2], word: &str) -> Option<String> {
    let k = pair.iter().position(|name| *name == word)?;
    Some(pair[1 - k].to_owned())
}

/// Returns the statements on a line of their own that may be left out, with the bytes at which they start.
fn statements(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let codes = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    let codes = codes.filter(|code| !code.is_empty());
    let behind = codes.scan(";", |before, code| Some((std::mem::replace(before, code), code)));
    behind.filter_map(|(before, statement)| {
        let at = statement.as_ptr() as usize - text.as_ptr() as usize;
        let is_inside = text[..at].ends_with("    ");
        let is_first = before.ends_with([';', '{', '}']);
        let word = statement.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
        let is_declaration = matches!(word, "let" | "var" | "const" | "for" | "alias");
        // Without its last statement, a function of a value is none.
        let is_last = word == "return" && text[at + statement.len()..].starts_with("\n}");
        let may_go = is_inside && is_first && !is_last && !is_declaration;
        (may_go && statement.ends_with(';')).then_some((at, statement))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        mutants("shared/some.wgsl", text).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_operator_constant_and_statement_has_a_mutant() {
        let text = "fn f(a: i32) -> i32 {\n    if a < -1 && !done {\n        return max(a, 0x7FFFFFFF);\n    }\n}\n";
        let expected = [
            "shared/some.wgsl:2:10: `<` -> `<=`",
            "shared/some.wgsl:2:12: without `-`",
            "shared/some.wgsl:2:13: `1` -> `2`",
            "shared/some.wgsl:2:15: `&&` -> `||`",
            "shared/some.wgsl:2:18: without `!`",
            "shared/some.wgsl:3:9: without `return max(a, 0x7FFFFFFF);`",
            "shared/some.wgsl:3:16: `max` -> `min`",
            "shared/some.wgsl:3:23: `0x7FFFFFFF` -> `0x7FFFFFFE`",
        ];
        assert_eq!(names(text), expected);
    }

    #[test]
    fn a_mutant_changes_one_place() {
        let text = "fn f() {\n    a = 1u;   // of b + c\n    g(a);\n    let b =\n        a;\n}\n";
        let changed: Vec<String> = mutants("shared/some.wgsl", text).iter().map(|mutant| apply(mutant, text)).collect();
        let expected = [text.replace("a = 1u;", ""), text.replace("1u", "2u"), text.replace("g(a);", "")];
        assert_eq!(changed, expected);
        let code = mutants("shared/some.wgsl", text).swap_remove(1);
        assert_eq!((code.code.as_str(), code.code_column), ("a = 1u;   // of b + c", 5));
    }

    #[test]
    fn overrides_types_and_attributes_stay() {
        assert_eq!(names("override TABLES: bool = false;\nvar<private> a: array<u32, 4>;\n"), [""; 0]);
        assert_eq!(names("@group(0) @binding(1) var<storage> a: u32;\nconst B: u32 = 9u;\n").len(), 1);
    }
}
