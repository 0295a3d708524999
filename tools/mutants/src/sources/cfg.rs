//! Conditions of compilation.

use syn::Attribute;

/// The conditions that hold where mutants are judged: on this processor, without a GPU, and outside tests.
const HERE: [&str; 7] = [
    "target_arch = \"x86_64\"",
    "feature = \"scene\"",
    "not (test)",
    "not (target_family = \"wasm\")",
    "unix",
    "target_os = \"linux\"",
    "not (feature = \"gpu\")",
];

/// Returns whether an item is compiled only elsewhere, or only for tests.
pub(crate) fn is_elsewhere(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("test")
            || (attribute.path().is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| !HERE.contains(&list.tokens.to_string().as_str())))
    })
}
