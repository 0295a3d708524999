//! Masks.

use hitmask::mask::DEFAULT_THRESHOLD;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::arrays::bytes;
use crate::fail::{Fallible, fail};
use crate::object::{SAFE, integer, texts};

/// Returns a width and a height, as masks take them.
fn size(width: f64, height: f64) -> Fallible<[u32; 2]> {
    Ok([integer("width", width, 0..=u32::MAX)?, integer("height", height, 0..=u32::MAX)?])
}

/// Returns a threshold, the default one if it is `None`.
fn threshold_of(given: Option<f64>) -> Fallible<u8> {
    given.map_or(Ok(DEFAULT_THRESHOLD), |given| integer("threshold", given, 0..=u8::MAX))
}

/// A bitmap of solid and empty pixels.
#[wasm_bindgen]
#[derive(Clone)]
pub struct Mask(pub(crate) hitmask::Mask);

#[wasm_bindgen]
impl Mask {
    /// Makes an empty mask.
    #[wasm_bindgen(constructor)]
    pub fn new(width: f64, height: f64) -> Fallible<Mask> {
        let [width, height] = size(width, height)?;
        hitmask::Mask::new(width, height).map(Self).map_err(fail)
    }

    /// Makes a mask of pixels in RGBA order, such as the `data` of an `ImageData`. A pixel is solid if its alpha is at
    /// least `threshold`, 128 by default.
    #[wasm_bindgen(js_name = fromRgba)]
    pub fn from_rgba(
        #[wasm_bindgen(unchecked_param_type = "Bytes")] pixels: &JsValue,
        width: f64,
        height: f64,
        threshold: Option<f64>,
    ) -> Fallible<Mask> {
        let ([width, height], threshold) = (size(width, height)?, threshold_of(threshold)?);
        hitmask::Mask::from_rgba(&bytes("pixels", pixels)?, width, height, threshold).map(Self).map_err(fail)
    }

    /// Makes a mask of one byte a pixel, solid if it is at least `threshold`, 128 by default.
    #[wasm_bindgen(js_name = fromAlpha)]
    pub fn from_alpha(
        #[wasm_bindgen(unchecked_param_type = "Bytes")] alpha: &JsValue,
        width: f64,
        height: f64,
        threshold: Option<f64>,
    ) -> Fallible<Mask> {
        let ([width, height], threshold) = (size(width, height)?, threshold_of(threshold)?);
        hitmask::Mask::from_alpha(&bytes("alpha", alpha)?, width, height, threshold).map(Self).map_err(fail)
    }

    /// Makes a mask of rows of text, in which `#` is solid.
    #[wasm_bindgen(js_name = fromRows)]
    pub fn from_rows(#[wasm_bindgen(unchecked_param_type = "string[]")] rows: &JsValue) -> Fallible<Mask> {
        hitmask::Mask::from_rows(&texts("rows", rows)?).map(Self).map_err(fail)
    }

    /// The width in pixels.
    #[wasm_bindgen(getter)]
    pub fn width(&self) -> u32 {
        self.0.width()
    }

    /// The height in pixels.
    #[wasm_bindgen(getter)]
    pub fn height(&self) -> u32 {
        self.0.height()
    }

    /// The number of solid pixels.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> f64 {
        self.0.count() as f64
    }

    /// Returns whether a pixel is solid; false outside.
    pub fn get(&self, x: f64, y: f64) -> Fallible<bool> {
        let (x, y) = (integer("x", x, -SAFE..=SAFE)?, integer("y", y, -SAFE..=SAFE)?);
        Ok(u32::try_from(x).is_ok_and(|x| u32::try_from(y).is_ok_and(|y| self.0.get(x, y))))
    }

    /// Makes a pixel solid or empty.
    pub fn set(&mut self, x: f64, y: f64, solid: bool) -> Fallible<()> {
        let (x, y) = (integer("x", x, 0..=u32::MAX)?, integer("y", y, 0..=u32::MAX)?);
        self.0.set(x, y, solid).map_err(fail)
    }

    /// Makes a rectangle of pixels solid.
    #[wasm_bindgen(js_name = drawRect)]
    pub fn draw_rect(&mut self, x: f64, y: f64, width: f64, height: f64) -> Fallible<()> {
        let side = |name, value| integer(name, value, i32::MIN..=i32::MAX);
        self.0.draw_rect([side("x", x)?, side("y", y)?, side("width", width)?, side("height", height)?]);
        Ok(())
    }

    /// Makes a disc solid.
    #[wasm_bindgen(js_name = drawDisc)]
    pub fn draw_disc(&mut self, x: f64, y: f64, radius: f64) -> Fallible<()> {
        self.0.draw_disc([x, y], radius).map(drop).map_err(fail)
    }

    /// Makes a disc empty.
    #[wasm_bindgen(js_name = eraseDisc)]
    pub fn erase_disc(&mut self, x: f64, y: f64, radius: f64) -> Fallible<()> {
        self.0.erase_disc([x, y], radius).map(drop).map_err(fail)
    }

    /// Returns one byte a pixel: 255 if it is solid, else 0.
    #[wasm_bindgen(js_name = toAlpha)]
    pub fn to_alpha(&self) -> Uint8Array {
        Uint8Array::from(&*self.0.to_alpha())
    }
}
