//! Mutants of Rust: all that are to be judged are in one build of the library, each behind a switch.
//!
//! ```text
//! place    the places of a file that have mutants
//! schema   the file with its mutants behind switches
//! tree     a copy of the repository whose library is built so, without mutants that do not compile
//! tests    the tests of that build, and the mutants whose places each reaches
//! judge    a mutant is judged by the tests that reach it, the quickest first
//! ```

mod cfg;
mod file;
mod judge;
mod place;
mod schema;
mod tests;
mod tree;

pub(crate) use file::Source;
pub(crate) use judge::Judges;
pub(crate) use tests::Tests;
pub(crate) use tree::Tree;
