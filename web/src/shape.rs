//! Shapes.

use wasm_bindgen::prelude::*;

use crate::arrays::doubles;
use crate::fail::{Fallible, fail, wrong};
use crate::mask::Mask;

/// The geometry of bodies, around its anchor, which is (0, 0) unless it is moved.
#[wasm_bindgen]
pub struct Shape(pub(crate) hitmask::Shape);

#[wasm_bindgen]
impl Shape {
    /// Makes a box whose top left corner is its anchor.
    pub fn rect(width: f64, height: f64) -> Fallible<Shape> {
        hitmask::Shape::rect(width, height).map(Self).map_err(fail)
    }

    /// Makes a circle around its anchor.
    pub fn circle(radius: f64) -> Fallible<Shape> {
        hitmask::Shape::circle(radius).map(Self).map_err(fail)
    }

    /// Makes a capsule: all points within `radius` of the segment from (x0, y0) to (x1, y1); with 0 the segment itself,
    /// which hits what it crosses.
    pub fn capsule(x0: f64, y0: f64, x1: f64, y1: f64, radius: f64) -> Fallible<Shape> {
        hitmask::Shape::capsule([x0, y0], [x1, y1], radius).map(Self).map_err(fail)
    }

    /// Makes a polygon of the corners x, y, x, y, ..., convex or not. A convex one may have a `radius`.
    pub fn polygon(
        #[wasm_bindgen(unchecked_param_type = "Numbers")] corners: &JsValue,
        radius: Option<f64>,
    ) -> Fallible<Shape> {
        let corners = doubles("corners", corners)?;
        let outline = pairs("corners", &corners)?;
        match radius {
            Some(radius) => hitmask::Shape::rounded_polygon(outline, radius),
            None => hitmask::Shape::polygon(outline),
        }
        .map(Self)
        .map_err(fail)
    }

    /// Makes a sprite of a mask. Its anchor is its top left corner, or (anchorX, anchorY) from there.
    pub fn sprite(
        mask: &Mask,
        #[wasm_bindgen(js_name = anchorX)] anchor_x: Option<f64>,
        #[wasm_bindgen(js_name = anchorY)] anchor_y: Option<f64>,
    ) -> Fallible<Shape> {
        let anchor = [anchor_x.unwrap_or(0.0), anchor_y.unwrap_or(0.0)];
        hitmask::Shape::sprite(mask.0.clone()).anchored(anchor).map(Self).map_err(fail)
    }
}

/// Returns numbers as pairs.
pub(crate) fn pairs<'a, T>(field: &str, numbers: &'a [T]) -> Fallible<&'a [[T; 2]]> {
    match numbers.as_chunks() {
        (pairs, []) => Ok(pairs),
        _ => Err(wrong(field, format!("{} numbers", numbers.len()), "have an even length")),
    }
}
