//! The attribute `documented`, by which `help()` shows the docstrings of the stub.
//!
//! They are written in `hitmask/_hitmask.pyi` alone, where editors find them.

use std::collections::HashMap;

use proc_macro::{Group, TokenStream, TokenTree};

const STUB: &str = include_str!(env!("STUB"));

/// Adds the docstrings of the stub to a `#[pyclass]`, a `#[pyfunction]`, or each method of `#[pymethods]`. The argument
/// is the name of the class in Python, if that is another.
///
/// # Panics
///
/// Panics before any other item.
#[proc_macro_attribute]
pub fn documented(class: TokenStream, item: TokenStream) -> TokenStream {
    let docs = docstrings();
    let mut tokens: Vec<TokenTree> = item.into_iter().collect();
    let is_keyword = |token: &TokenTree| ["struct", "enum", "fn", "impl"].contains(&token.to_string().as_str());
    let keyword = tokens.iter().position(is_keyword).expect("a class, a function or methods");
    let class = if class.is_empty() { tokens[keyword + 1].to_string() } else { class.to_string() };
    if tokens[keyword].to_string() != "impl" {
        return attribute(&docs, &class).into_iter().chain(tokens).collect();
    }
    let Some(TokenTree::Group(body)) = tokens.pop() else { panic!("an `impl` ends with its methods") };
    let mut members = TokenStream::new();
    let mut rest = body.stream().into_iter().peekable();
    while let Some(token) = rest.next() {
        if token.to_string() == "fn"
            && let Some(method) = rest.peek()
        {
            members.extend(attribute(&docs, &format!("{class}.{method}")));
        }
        members.extend([token]);
    }
    tokens.push(Group::new(body.delimiter(), members).into());
    tokens.into_iter().collect()
}

/// Returns the attribute with the docstring of a class, a function or a method; nothing if the stub has none.
fn attribute(docs: &HashMap<String, String>, name: &str) -> TokenStream {
    let attribute = docs.get(name).map(|doc| format!("#[doc = {doc:?}]"));
    attribute.unwrap_or_default().parse().expect("an attribute")
}

/// Returns the docstrings of the stub by name: `World`, `World.add`, `linears`.
fn docstrings() -> HashMap<String, String> {
    let (mut docs, mut path) = (HashMap::new(), Vec::new());
    let mut lines = STUB.lines();
    while let Some(line) = lines.next() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        if let Some(head) = text.strip_prefix("class ").or_else(|| text.strip_prefix("def ")) {
            path.truncate(indent / 4);
            path.extend(head.split(['(', ':']).next());
        } else if let Some(first) = text.strip_prefix("\"\"\"") {
            let mut doc = first.to_owned();
            while !doc.ends_with("\"\"\"") {
                let next = lines.next().expect("a docstring ends");
                doc = doc + "\n" + next.get(indent..).unwrap_or_default();
            }
            docs.insert(path.join("."), doc.trim_end_matches('"').trim_end().to_owned());
        }
    }
    docs
}
