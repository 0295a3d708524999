//! Mutants of the shaders, which need no build: `HITMASK_SHADER` replaces the text of one file.

pub(crate) mod battery;
mod file;
mod find;
mod judge;
mod token;

pub(crate) use file::File;
pub(crate) use judge::{Judges, Programs};
