//! Tests of the plugin in apps without a window.

mod characters;
mod common;
#[cfg(all(feature = "gizmos", feature = "picking"))]
mod debugging;
mod events;
mod lifecycle;
mod masks;
mod motion;
mod poses;
mod problems;
mod property;
mod queries;
mod rollback;
#[cfg(feature = "sheets")]
mod sheets;
mod ten_lines;
