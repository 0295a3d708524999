//! The fuzz targets as functions: the `check` of each module takes one input, and panics if the library is wrong about
//! it. libFuzzer looks for such inputs (`targets/`, by `./attack`); `tests/` tries changed seeds.

#![expect(clippy::missing_panics_doc, reason = "a check that fails panics")]

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
