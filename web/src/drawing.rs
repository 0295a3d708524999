//! The parts of a picture of a world: outlines, painted pixels, and the pixels that a pair shares.

use hitmask::BodyId;
use hitmask::debug::Curve;
use hitmask::mask::Mask;
use js_sys::{Array, Float64Array, Uint8Array};
use wasm_bindgen::prelude::*;

use crate::fail::{Fallible, fail};
use crate::object::{integer, numbers, object};
use crate::world::{State, World};

#[wasm_bindgen(typescript_custom_section)]
const TYPES: &str = r#"
/** Pixels of the world: one byte for each, row by row, 255 if it is set, else 0. */
export interface Pixels {
  /** The top left pixel, [x, y]. */
  at: [number, number];
  width: number;
  height: number;
  alpha: Uint8Array;
}
"#;

/// The maximum distance between an outline and the lines that are drawn for it, in pixels.
const TOLERANCE: f64 = 1.0 / 256.0;

impl State {
    /// Returns the body at an index of an answer.
    fn body_at(&self, index: f64) -> Fallible<Option<BodyId>> {
        Ok(self.world.id(integer("index", index, 0..=u32::MAX)?))
    }
}

/// Makes an object of a mask whose top left pixel is at `at`.
fn pixels(mask: &Mask, at: [i32; 2]) -> JsValue {
    object([
        ("at", numbers(at)),
        ("width", mask.width().into()),
        ("height", mask.height().into()),
        ("alpha", Uint8Array::from(&*mask.to_alpha()).into()),
    ])
}

#[wasm_bindgen]
impl World {
    /// Returns the closed outlines of a body at the start of the step, each as x, y, x, y, ...; `undefined` for a
    /// sprite.
    #[wasm_bindgen(unchecked_return_type = "Float64Array[] | undefined")]
    pub fn outlines(&self, index: f64) -> Fallible<Option<Array>> {
        let state = self.read();
        let curves = state.body_at(index)?.and_then(|id| Curve::outlines(&state.world, id));
        let points = |curve: &Curve| JsValue::from(Float64Array::from(curve.flattened(TOLERANCE).as_flattened()));
        Ok(curves.map(|curves| curves.iter().map(points).collect()))
    }

    /// Returns the pixels that a sprite paints at the start of the step; `undefined` if it paints none, and for other
    /// bodies.
    #[wasm_bindgen(unchecked_return_type = "Pixels | undefined")]
    pub fn painted(&self, index: f64) -> Fallible<JsValue> {
        let state = self.read();
        let Some(id) = state.body_at(index)? else { return Ok(JsValue::UNDEFINED) };
        let painted = state.world.painted(id).map_err(fail)?;
        Ok(painted.map_or(JsValue::UNDEFINED, |(mask, at)| pixels(&mask, at)))
    }

    /// Returns the pixels that a pair of the last answer shares, if the step was run with `details`; `undefined` if it
    /// shares none, or too many for a mask. Call it before you add bodies.
    #[wasm_bindgen(unchecked_return_type = "Pixels | undefined")]
    pub fn shared(&self, pair: f64) -> Fallible<JsValue> {
        let state = self.read();
        let (pair, detail) = state.met(pair)?;
        let shared = state.world.overlap_mask(pair, &detail);
        Ok(shared.map_or(JsValue::UNDEFINED, |(mask, at)| pixels(&mask, at)))
    }

    /// Returns the corners [x0, y0, x1, y1] of the box around a body at the start of the step, or over all of it;
    /// `undefined` if the body is empty.
    #[wasm_bindgen(unchecked_return_type = "[number, number, number, number] | undefined")]
    pub fn bounds(&self, index: f64, swept: bool) -> Fallible<JsValue> {
        let state = self.read();
        let id = state.body_at(index)?;
        let bounds = id.and_then(|id| if swept { state.world.swept_bounds(id) } else { state.world.bounds(id) });
        let corners = bounds.map(|bounds| [bounds.min.units(), bounds.max.units()]);
        Ok(corners.map_or(JsValue::UNDEFINED, |corners| numbers(corners.as_flattened().iter().copied())))
    }

    /// Returns the position [x, y] of a body at a tick.
    #[wasm_bindgen(js_name = positionAt, unchecked_return_type = "[number, number] | undefined")]
    pub fn position_at(&self, index: f64, tick: f64) -> Fallible<JsValue> {
        let state = self.read();
        let tick = integer("tick", tick, 0..=hitmask::geometry::TICKS)?;
        let at = state.body_at(index)?.and_then(|id| state.world.position_at(id, tick));
        Ok(at.map_or(JsValue::UNDEFINED, |at| numbers([at.x, at.y])))
    }
}
