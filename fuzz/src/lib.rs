//! What must hold for any bytes: a module for each target, whose `check` takes one input and panics if the library is
//! wrong. `./attack` has libFuzzer look for such inputs (`targets/`); `tests/` tries changed seeds.

mod bytes;
mod few;

pub mod edits;
pub mod engines;
pub mod level;
pub mod png_mask;
pub mod polygon;
pub mod queries;
pub mod replay;
pub mod saved;
pub mod scene_csv;
pub mod scene_json;
pub mod sheet;
