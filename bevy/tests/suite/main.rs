//! Tests of the plugin in apps without a window.

mod changes;
mod characters;
mod common;
#[cfg(all(feature = "gizmos", feature = "picking"))]
mod debugging;
mod events;
#[cfg(feature = "levels")]
mod levels;
mod lifecycle;
mod masks;
mod modes;
mod motion;
mod poses;
mod problems;
mod property;
mod queries;
mod rollback;
#[cfg(feature = "sheets")]
mod sheets;
mod ten_lines;
