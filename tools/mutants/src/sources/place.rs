//! The places of a Rust file that have mutants.

use std::ops::Range;

use anyhow::Context;
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, Lit, ReturnType, Stmt, Type, UnOp};

use super::cfg::is_elsewhere;
use crate::{number, operator};

/// How a place is rewritten, so that its mutants are in the same build.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// An expression that has a value.
    Value,
    /// A statement that a mutant leaves out.
    Statement,
    /// The beginning of a function's body, where a mutant returns.
    Entry,
}

/// A place of a file with the mutants that it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) bytes: Range<usize>,
    pub(crate) form: Form,
    pub(crate) changes: Vec<Change>,
}

/// A mutant of a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// The text instead of the whole place.
    pub(crate) text: String,
    /// The byte of the part that is told as changed, that part on one line, and the part instead.
    pub(crate) at: usize,
    pub(crate) from: String,
    pub(crate) to: String,
}

/// Returns the places of a file, an outer one before those within it.
pub(crate) fn places(text: &str) -> anyhow::Result<Vec<Place>> {
    let file = syn::parse_file(text).context("this is no Rust")?;
    let mut finder = Finder { text, places: Vec::new() };
    finder.visit_file(&file);
    let mut places = finder.places;
    places.sort_by_key(|place| (place.bytes.start, std::cmp::Reverse(place.bytes.end)));
    Ok(places)
}

/// Methods that replace each other.
const METHODS: [[&str; 2]; 13] = [
    ["min", "max"],
    ["min_by_key", "max_by_key"],
    ["any", "all"],
    ["is_some", "is_none"],
    ["is_ok", "is_err"],
    ["first", "last"],
    ["floor", "ceil"],
    ["div_euclid", "rem_euclid"],
    ["leading_zeros", "trailing_zeros"],
    ["next_up", "next_down"],
    ["wrapping_add", "wrapping_sub"],
    ["saturating_add", "saturating_sub"],
    ["take", "skip"],
];

/// Methods of numbers and iterators that a mutant leaves out.
const DROPPED: [&str; 4] = ["abs", "rev", "unsigned_abs", "not"];

struct Finder<'a> {
    text: &'a str,
    places: Vec<Place>,
}

impl<'a> Finder<'a> {
    fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.byte_range()]
    }

    /// Adds a mutant of a place: `text` instead of all of it, told as `to` instead of `part`.
    fn add(&mut self, form: Form, place: Span, part: Span, text: String, to: impl Into<String>) {
        let from = self.text_of(part).split_whitespace().collect::<Vec<_>>().join(" ");
        let change = Change { text, at: part.byte_range().start, from, to: to.into() };
        self.push(form, place.byte_range(), change);
    }

    fn push(&mut self, form: Form, bytes: Range<usize>, change: Change) {
        match self.places.iter_mut().rfind(|place| place.form == form && place.bytes == bytes) {
            Some(place) => place.changes.push(change),
            None => self.places.push(Place { bytes, form, changes: vec![change] }),
        }
    }

    /// Returns the text of `whole` with `part` replaced.
    fn with(&self, whole: Span, part: Span, to: &str) -> String {
        let (whole, part) = (whole.byte_range(), part.byte_range());
        [&self.text[whole.start..part.start], to, &self.text[part.end..whole.end]].concat()
    }

    fn binary(&mut self, whole: &syn::ExprBinary) {
        // A `let` may stand nowhere else.
        if matches!(whole.op, BinOp::And(_)) && [&whole.left, &whole.right].iter().any(|side| has_let(side)) {
            return;
        }
        let sign = self.text_of(whole.op.span());
        let Some(to) = operator::other(sign) else { return };
        let [left, right] = [&whole.left, &whole.right].map(|side| self.text_of(side.span()));
        // Brackets, as another operator may bind in another way; the place that is assigned to needs none.
        let is_assignment = to.ends_with('=') && !matches!(to, "<=" | ">=" | "==" | "!=");
        let text = if is_assignment { format!("{left} {to} {right}") } else { format!("({left}) {to} ({right})") };
        self.add(Form::Value, whole.span(), whole.op.span(), text, to);
    }

    fn method(&mut self, whole: &syn::ExprMethodCall) {
        let name = whole.method.to_string();
        if let Some(pair) = METHODS.iter().find(|pair| pair.contains(&name.as_str())) {
            let to = if pair[0] == name { pair[1] } else { pair[0] };
            let text = self.with(whole.span(), whole.method.span(), to);
            self.add(Form::Value, whole.span(), whole.method.span(), text, to);
        }
        if DROPPED.contains(&name.as_str()) && whole.args.is_empty() {
            let text = self.text_of(whole.receiver.span()).to_owned();
            self.add(Form::Value, whole.span(), whole.method.span(), text, "");
        }
    }

    /// The condition of an `if` or of a `while`, if no operator in it has a mutant anyway.
    fn condition(&mut self, condition: &Expr) {
        if matches!(condition, Expr::Call(_) | Expr::MethodCall(_) | Expr::Path(_) | Expr::Field(_) | Expr::Macro(_)) {
            let to = "not";
            let text = format!("!({})", self.text_of(condition.span()));
            self.add(Form::Value, condition.span(), condition.span(), text, to);
        }
    }

    /// The mutants that return at once.
    fn entry(&mut self, name: &syn::Ident, output: &ReturnType, block: &syn::Block) {
        if block.stmts.is_empty() {
            return;
        }
        let at = block.brace_token.span.open().byte_range().end;
        for value in values(self.text, output) {
            let to = if value.is_empty() { "return".to_owned() } else { format!("return {value}") };
            let change =
                Change { text: format!("{to};"), at: name.span().byte_range().start, from: format!("fn {name}"), to };
            self.push(Form::Entry, at..at, change);
        }
    }

    fn local(&mut self, local: &syn::Local) {
        let Some(init) = &local.init else { return };
        self.visit_expr(&init.expr);
        // The last statement of an `else` must leave.
        if let Some((_, otherwise)) = &init.diverge
            && let Expr::Block(syn::ExprBlock { block, .. }) = &**otherwise
            && let [first @ .., last] = &block.stmts[..]
        {
            for statement in first {
                self.visit_stmt(statement);
            }
            visit::visit_stmt(self, last);
        }
    }

    fn function(&mut self, attributes: &[syn::Attribute], signature: &syn::Signature, block: &syn::Block) {
        // What is evaluated at compile time reads no switch.
        if is_elsewhere(attributes) || signature.constness.is_some() {
            return;
        }
        self.entry(&signature.ident, &signature.output, block);
        self.visit_block(block);
    }
}

/// Returns whether a condition has a `let` that is not within brackets.
fn has_let(condition: &Expr) -> bool {
    match condition {
        Expr::Let(_) => true,
        Expr::Binary(binary) => has_let(&binary.left) || has_let(&binary.right),
        _ => false,
    }
}

/// Returns plain values of a function's type: nothing, `false` and `true`, 0 and 1, or `None`.
fn values(text: &str, output: &ReturnType) -> &'static [&'static str] {
    let ReturnType::Type(_, kind) = output else { return &[""] };
    let Type::Path(path) = &**kind else { return &[] };
    let Some(last) = path.path.segments.last() else { return &[] };
    match last.ident.to_string().as_str() {
        "bool" => &["false", "true"],
        "u8" | "u16" | "u32" | "u64" | "u128" | "usize" | "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => {
            &["0", "1"]
        }
        "f32" | "f64" => &["0.0", "1.0"],
        "Option" => &["None"],
        "Result" if text[last.arguments.span().byte_range()].starts_with("<()") => &["Ok(())"],
        "Vec" => &["Vec::new()"],
        _ => &[],
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.attrs, &item.sig, &item.block);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.attrs, &item.sig, block);
        }
    }

    fn visit_item_mod(&mut self, item: &'ast syn::ItemMod) {
        if !is_elsewhere(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if !is_elsewhere(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    // These are evaluated at compile time, or are no code that runs.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_item_enum(&mut self, _: &'ast syn::ItemEnum) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_generics(&mut self, _: &'ast syn::Generics) {}
    fn visit_angle_bracketed_generic_arguments(&mut self, _: &'ast syn::AngleBracketedGenericArguments) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_macro(&mut self, _: &'ast syn::Macro) {}

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        self.visit_expr(&repeat.expr);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Local(local) = statement {
            if !is_elsewhere(&local.attrs) {
                self.local(local);
            }
            return;
        }
        if let Stmt::Expr(expr, Some(_)) = statement
            && (matches!(
                expr,
                Expr::Call(_)
                    | Expr::MethodCall(_)
                    | Expr::Assign(_)
                    | Expr::Try(_)
                    | Expr::Return(_)
                    | Expr::Break(_)
                    | Expr::Continue(_)
            ) || matches!(expr, Expr::Binary(binary) if self.text_of(binary.op.span()).len() > 1))
        {
            self.add(Form::Statement, statement.span(), statement.span(), String::new(), "");
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Binary(whole) => self.binary(whole),
            Expr::MethodCall(whole) => self.method(whole),
            Expr::Unary(whole) if matches!(whole.op, UnOp::Not(_) | UnOp::Neg(_)) => {
                let text = self.text_of(whole.expr.span()).to_owned();
                self.add(Form::Value, whole.span(), whole.op.span(), text, "");
            }
            Expr::If(whole) => self.condition(&whole.cond),
            Expr::While(whole) => self.condition(&whole.cond),
            Expr::Block(whole) if is_elsewhere(&whole.attrs) => return,
            Expr::Lit(whole) => match &whole.lit {
                Lit::Int(_) => {
                    if let Some(to) = number::next(self.text_of(whole.span())) {
                        self.add(Form::Value, whole.span(), whole.span(), to.clone(), to);
                    }
                }
                Lit::Bool(value) => {
                    let to = (!value.value).to_string();
                    self.add(Form::Value, whole.span(), whole.span(), to.clone(), to);
                }
                _ => {}
            },
            _ => {}
        }
        visit::visit_expr(self, expr);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the changes of a text, each as the part that changes and the text of the place instead.
    fn changes(text: &str) -> Vec<[String; 2]> {
        let places = places(text).unwrap();
        places.into_iter().flat_map(|place| place.changes).map(|change| [change.from, change.text]).collect()
    }

    #[test]
    fn each_operator_constant_call_and_statement_has_a_mutant() {
        let text =
            "fn f(a: i32) -> Self {\n    if !g(a) && a < -1 {\n        b.abs(a).min(7);\n    }\n    c += d;\n}\n";
        let expected = [
            ["&&", "(!g(a)) || (a < -1)"],
            ["!", "g(a)"],
            ["<", "(a) <= (-1)"],
            ["-", "1"],
            ["1", "2"],
            ["b.abs(a).min(7);", ""],
            ["min", "b.abs(a).max(7)"],
            ["7", "8"],
            ["c += d;", ""],
            ["+=", "c -= d"],
        ];
        assert_eq!(changes(text), expected.map(|change| change.map(str::to_owned)));
    }

    #[test]
    fn a_function_of_a_plain_value_returns_it_at_once() {
        let returns = |output: &str| {
            let text = format!("fn f() {output} {{ g() }}\n");
            changes(&text).into_iter().map(|[_, text]| text).collect::<Vec<_>>()
        };
        assert_eq!(returns(""), ["return;"]);
        assert_eq!(returns("-> bool"), ["return false;", "return true;"]);
        assert_eq!(returns("-> Result<(), Error>"), ["return Ok(());"]);
        assert_eq!(returns("-> Result<u32, Error>"), [""; 0]);
    }

    #[test]
    fn what_is_no_code_that_runs_here_has_none() {
        let text = "const A: u32 = 1 + 1;\nconst fn f() -> u32 { 1 }\n#[cfg(test)]\nmod tests { fn g() { h(); } }\n\
            fn i(a: [u32; 4]) -> [u32; 2] { match a { [1, ..] => j::<{ 3 }>([0; 2]), _ => assert_eq!(1, 2) } }\n\
            #[cfg(target_arch = \"aarch64\")]\nfn k() { l(); }\n";
        assert_eq!(changes(text), [["0", "1"].map(str::to_owned)]);
    }

    #[test]
    fn a_let_stays_where_it_may_stand() {
        assert_eq!(changes("fn f(a: A) -> A { if let B(b) = a && b > c { d } else { e } }\n").len(), 1);
    }
}
