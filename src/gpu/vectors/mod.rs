//! What a GPU is asked, with the right answers, as plain data: so that what knows neither this library nor wgpu, as a
//! page in a browser does, can run the same shaders and compare every bit.
//!
//! - [`functions`]: each function that the engines share, by itself, on inputs to which the host's twin has answered.
//! - [`modules`] and [`Step`]: whole steps, dispatch by dispatch, with the answer of the definition.

/// The page that runs vectors in a browser, and its script: the name and the text of each.
pub const PAGE: [(&str, &str); 2] =
    [("verify.html", include_str!("../../../web/verify.html")), ("verify.js", include_str!("../../../web/verify.js"))];

mod functions;
mod step;

pub use functions::{Function, atlas, functions};
pub use step::{Command, Expected, Module, Step, Upload, modules};
