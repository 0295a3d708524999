//! Operators of Rust and WGSL, each with the one that replaces it.

const OPERATORS: [(&str, &str); 26] = [
    ("<", "<="),
    ("<=", "<"),
    (">", ">="),
    (">=", ">"),
    ("==", "!="),
    ("!=", "=="),
    ("+", "-"),
    ("-", "+"),
    ("*", "+"),
    ("/", "*"),
    ("%", "*"),
    ("&&", "||"),
    ("||", "&&"),
    ("&", "|"),
    ("|", "&"),
    ("^", "|"),
    ("<<", ">>"),
    (">>", "<<"),
    ("+=", "-="),
    ("-=", "+="),
    ("*=", "+="),
    ("/=", "*="),
    ("|=", "&="),
    ("&=", "|="),
    ("<<=", ">>="),
    (">>=", "<<="),
];

/// Returns the operator that replaces another of two operands; `None` if it stays.
pub(crate) fn other(sign: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|(from, _)| *from == sign).map(|(_, to)| *to)
}
