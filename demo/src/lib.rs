//! A window on hitmask: draws scenes as the engines see them, tints hits, and lets you drag bodies. It also edits
//! sheets and shows levels. In a browser the window is a canvas.
#![cfg_attr(target_family = "wasm", allow(dead_code, reason = "a page renders no files"))]

mod app;
mod camera;
mod cast;
mod controls;
mod document;
mod draw;
mod engine;
mod fingers;
mod frame;
mod game;
mod graph;
#[cfg(not(target_family = "wasm"))]
mod headless;
mod host;
mod input;
mod level_viewer;
mod lit;
mod options;
mod panel;
mod picture;
mod platform;
mod random;
mod record;
mod scenes;
mod shapes;
mod sheet;
mod sheet_editor;
mod shot;
mod stage;
mod view;

#[cfg(not(target_family = "wasm"))]
use clap::Parser;

#[cfg(target_family = "wasm")]
pub use platform::{Demo, Page, Shown, start};

/// Runs the program with the arguments of the process, and returns its exit status.
#[cfg(not(target_family = "wasm"))]
#[must_use]
pub fn main() -> std::process::ExitCode {
    let options = options::Options::parse();
    if let (false, Some(shot::Kind::Gif)) = (options.headless, options.screenshot.as_deref().and_then(shot::Kind::of)) {
        eprintln!("error: an animated picture needs --headless");
        return 2.into();
    }
    let run = if options.headless { headless::run(&options) } else { platform::run(options) };
    match run {
        Ok(status) => status.into(),
        Err(error) => {
            // The message may quote a file.
            eprintln!("{}", hitmask::internals::printable(&format!("error: {error:#}")));
            2.into()
        }
    }
}
