//! hitmask for JavaScript: worlds, masks, shapes and engines behind `wasm-bindgen`.
//!
//! Each method checks its arguments and throws an `Error` with the library's own words. Bodies and shapes are `bigint`
//! handles, which never name another body or shape; answers name bodies by index, as in Rust.

mod answers;
mod arrays;
mod bulk;
#[cfg(not(feature = "gpu"))]
mod cpu;
#[cfg(feature = "scene")]
mod drawing;
mod engine;
mod fail;
mod mask;
mod object;
mod options;
mod questions;
mod saving;
#[cfg(feature = "scene")]
mod scene;
mod shape;
mod types;
mod world;

use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);
}

/// Reports a panic, which would be a defect of the library, on the console: the page sees only that it was stopped.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}
