//! A GPU's work as plain data, with the right answers: a program that knows neither this library nor wgpu, such as a
//! page in a browser, can run the same shaders and compare every bit.
//!
//! - [`functions`]: each function that the engines share, on inputs that its twin on the host has answered.
//! - [`modules`] and [`Step`]: whole steps, dispatch by dispatch, with the reference engine's answer.

/// The page that runs vectors in a browser, and its script: name and text of each.
pub const PAGE: [(&str, &str); 2] =
    [("verify.html", include_str!("../../../web/verify.html")), ("verify.js", include_str!("../../../web/verify.js"))];

mod functions;
mod step;

pub use functions::{Function, atlas, functions};
pub use step::{Command, Expected, Module, Step, Upload, modules};
