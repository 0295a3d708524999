//! The demo on a page, behind `wasm-bindgen`.
#![cfg(target_family = "wasm")]

use hitmask_demo::{Page, Shown};
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;
use web_sys::HtmlCanvasElement;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = console)]
    fn error(text: &str);

    /// The page, in JavaScript.
    #[wasm_bindgen(typescript_type = "Page")]
    pub type Script;
    #[wasm_bindgen(method)]
    fn show(this: &Script, scene: &str, text: &str, is_played: bool, error: Option<&str>);
    #[wasm_bindgen(method)]
    fn fail(this: &Script, error: &str);
    #[wasm_bindgen(method)]
    fn hold(this: &Script, unsaved: bool);
    #[wasm_bindgen(method)]
    fn save(this: &Script, name: &str, bytes: &[u8]);
}

impl Page for Script {
    fn show(&self, &Shown { scene, text, is_played, error }: &Shown<'_>) {
        Self::show(self, scene, text, is_played, error);
    }

    fn fail(&self, error: &str) {
        Self::fail(self, error);
    }

    fn complain(&self, text: &str) {
        error(text);
    }

    fn hold(&self, unsaved: bool) {
        Self::hold(self, unsaved);
    }

    fn save(&self, name: &str, bytes: &[u8]) {
        Self::save(self, name, bytes);
    }
}

/// The demo on a canvas.
#[wasm_bindgen]
pub struct Demo(hitmask_demo::Demo);

fn thrown(error: &anyhow::Error) -> JsError {
    JsError::new(&format!("{error:#}"))
}

#[wasm_bindgen]
impl Demo {
    /// Starts the demo, with arguments such as `--scene=cave`.
    pub fn start(canvas: HtmlCanvasElement, arguments: Vec<String>, page: Script) -> Result<Demo, JsError> {
        hitmask_demo::start(canvas, &arguments, Box::new(page)).map(Self).map_err(|error| thrown(&error))
    }

    /// Opens a scene, and the images that it names: files by names and bytes, in the same order.
    pub fn open(&self, names: Vec<String>, files: Vec<Uint8Array>) -> Result<(), JsError> {
        let files = names.into_iter().zip(files.iter().map(Uint8Array::to_vec)).collect();
        self.0.open(files).map_err(|error| thrown(&error))
    }
}

/// Reports a panic, which would be a defect of the demo, on the console: the page sees only that it was stopped.
#[wasm_bindgen(start)]
fn start() {
    std::panic::set_hook(Box::new(|panic| error(&panic.to_string())));
}
