//! The options of bodies.

use hitmask::geometry::{Flip, Vec2};
use hitmask::{Body, Linear, ShapeId};
use wasm_bindgen::JsValue;

use crate::fail::{Fallible, fail, wrong};
use crate::object::{SAFE, field, flag, integer, kind, number, numbers, object, tuple, whole};

/// Returns the bits of a handle; `name` is that of the argument, `what` is "body" or "shape".
pub(crate) fn handle(of: &JsValue, name: &str, what: &str) -> Fallible<u128> {
    u128::try_from(of.clone()).map_err(|_| wrong(name, kind(of), &format!("be a {what}'s handle")))
}

/// Returns the shape that a handle names.
pub(crate) fn shape_of(of: &JsValue) -> Fallible<ShapeId> {
    let bits = handle(of, "shape", "shape")?;
    let unknown = || fail(hitmask::Error::Unknown { what: format!("shape {bits}") });
    ShapeId::from_bits(bits).ok_or_else(unknown)
}

/// Returns a body with the options that are given, and otherwise as `before`; without that, as a new one.
pub(crate) fn body(options: &JsValue, before: Option<Body>) -> Fallible<Body> {
    let shape = field(options, "shape")?.map(|shape| shape_of(&shape)).transpose()?;
    let mut body = match (before, shape) {
        (Some(before), shape) => Body { shape: shape.unwrap_or(before.shape), ..before },
        (None, Some(shape)) => Body::new(shape, [0, 0]),
        (None, None) => return Err(wrong("shape", "undefined", "be a shape's handle")),
    };
    body.at = place(options, ["x", "y"], body.at)?;
    body.motion = place(options, ["dx", "dy"], body.motion)?;
    body.linear = linear(options)?.unwrap_or(body.linear);
    body.layers = whole(options, "layers")?.unwrap_or(body.layers);
    body.mask = whole(options, "mask")?.unwrap_or(body.mask);
    body.detector = flag(options, "detector")?.unwrap_or(body.detector);
    body.group = whole(options, "group")?.unwrap_or(body.group);
    body.enabled = flag(options, "enabled")?.unwrap_or(body.enabled);
    if let Some(tag) = number(options, "tag")? {
        body.tag = integer("tag", tag, 0..=SAFE)? as u64;
    }
    Ok(body)
}

/// Returns two fields as a point; those that are missing are as `before`.
fn place(options: &JsValue, [x, y]: [&str; 2], before: Vec2) -> Fallible<Vec2> {
    Ok(Vec2 { x: number(options, x)?.unwrap_or(before.x), y: number(options, y)?.unwrap_or(before.y) })
}

/// Returns the linear part; `None` if no option is about it.
fn linear(options: &JsValue) -> Fallible<Option<Linear>> {
    let [degrees, radians, scale, scale_x, scale_y] =
        ["degrees", "radians", "scale", "scaleX", "scaleY"].map(|name| number(options, name));
    let (degrees, radians, scale, scale_x, scale_y) = (degrees?, radians?, scale?, scale_x?, scale_y?);
    let [flip_x, flip_y] = ["flipX", "flipY"].map(|name| flag(options, name));
    let (flip_x, flip_y) = (flip_x?, flip_y?);
    let is_given = [degrees, radians, scale, scale_x, scale_y] != [None; 5] || [flip_x, flip_y] != [None; 2];
    if let Some([a, b, c, d]) = tuple(options, "matrix")? {
        if is_given {
            return Err(wrong("matrix", "given", "be alone: it replaces the angle, the scales and the flips"));
        }
        return Ok(Some([[a, b], [c, d]].into()));
    }
    if !is_given {
        return Ok(None);
    }
    if degrees.is_some() && radians.is_some() {
        return Err(wrong("radians", "given", "be alone: it replaces `degrees`"));
    }
    let scale = scale.unwrap_or(1.0);
    let scale = [scale_x.unwrap_or(scale), scale_y.unwrap_or(scale)];
    let flip = Flip { x: flip_x.unwrap_or(false), y: flip_y.unwrap_or(false) };
    let degrees = degrees.or(radians.map(f64::to_degrees)).unwrap_or(0.0);
    Ok(Some(Linear::new(degrees, scale, flip)))
}

/// Makes an object of a body.
pub(crate) fn state(body: &Body) -> JsValue {
    let Linear { x: [a, b], y: [c, d] } = body.linear;
    object([
        ("shape", body.shape.to_bits().into()),
        ("x", body.at.x.into()),
        ("y", body.at.y.into()),
        ("dx", body.motion.x.into()),
        ("dy", body.motion.y.into()),
        ("matrix", numbers([a, b, c, d])),
        ("layers", body.layers.into()),
        ("mask", body.mask.into()),
        ("detector", body.detector.into()),
        ("group", body.group.into()),
        ("enabled", body.enabled.into()),
        ("tag", (body.tag as f64).into()),
    ])
}
