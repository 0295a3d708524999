//! Tests of the plugin in apps without a window.

mod common;
mod events;
mod lifecycle;
mod masks;
mod motion;
mod poses;
mod problems;
