//! Functions of the shaders and their twins on the host, asked the same on a GPU and here, to be compared to the last
//! bit.
//!
//! A function is a row of a table: its call in WGSL and in Rust, on an input that is a few words. Both sides read the
//! words by functions of the same names. A GPU is asked some hundred before an engine works on it ([`door`]), and a
//! million of each function in tests.
//!
//! [`door`]: super::door

mod answer;
mod cores;
mod input;
mod run;
#[cfg(test)]
mod tests;
mod twin;
mod wide;

pub(super) use cores::{WORDS, has_area, parts};
pub(super) use run::{GROUP, send, upload};
pub(super) use twin::{LANDED, Twin, source};
pub(super) use wide::wide_integers;
