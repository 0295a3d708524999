//! Questions without a step: what is at a point, in a box, on a ray, nearest, or in the way of a body.

use hitmask::geometry::Vec2;
use hitmask::query::{BodyHit, Nearest, NearestHit, PointQuery, Query, RayCast, RegionQuery, Search};
use hitmask::response::Stop;
use hitmask::{Body, BodyId};
use js_sys::Array;
use wasm_bindgen::prelude::*;

use crate::fail::{Fallible, fail};
use crate::object::{number, numbers, object, whole};
use crate::options::body;
use crate::world::{State, World};

/// Returns the layers to search: the field `mask`, by default all.
fn layers(options: &JsValue) -> Fallible<u32> {
    Ok(whole(options, "mask")?.unwrap_or(u32::MAX))
}

/// Makes an array of the handles of bodies.
fn handles(ids: impl IntoIterator<Item = BodyId>) -> Array {
    ids.into_iter().map(|id| JsValue::from(id.to_bits())).collect()
}

/// Makes an object of a stop.
fn stop(stop: &Stop) -> JsValue {
    let slide = stop.slide();
    object([
        ("other", stop.impact.other.to_bits().into()),
        ("x", stop.at.x.into()),
        ("y", stop.at.y.into()),
        ("tick", stop.impact.tick.into()),
        ("normal", numbers(stop.impact.normal)),
        ("leftX", stop.left.x.into()),
        ("leftY", stop.left.y.into()),
        ("slideX", slide.x.into()),
        ("slideY", slide.y.into()),
    ])
}

/// Makes an object of how far a body gets.
fn way(at: Vec2, stops: &[Stop]) -> JsValue {
    object([("x", at.x.into()), ("y", at.y.into()), ("stops", stops.iter().map(stop).collect::<Array>().into())])
}

impl World {
    /// Returns all answers to a query.
    fn found<Q: Query>(&self, query: &Q) -> Fallible<Vec<Q::Answer>> {
        let State { world, queries, .. } = &mut *self.write();
        let mut found = Vec::new();
        queries.on(world).all(query, &mut found).map_err(fail)?;
        Ok(found)
    }

    /// Asks how far a body gets on a way past all others.
    fn on_way<R>(
        &self,
        id: &JsValue,
        way: [f64; 2],
        ask: impl FnOnce(Search<'_>, &Body) -> hitmask::Result<R>,
    ) -> Fallible<R> {
        let (id, body) = self.read().body(id)?;
        let State { world, queries, .. } = &mut *self.write();
        let search = queries.on(world).except(std::slice::from_ref(&id)).map_err(fail)?;
        ask(search, &body.moving(way)).map_err(fail)
    }
}

#[wasm_bindgen]
impl World {
    /// Returns the bodies at a point, as they are at the start of the step.
    #[wasm_bindgen(js_name = atPoint, unchecked_return_type = "BodyId[]")]
    pub fn at_point(
        &self,
        x: f64,
        y: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: JsValue,
    ) -> Fallible<Array> {
        let query = PointQuery::new([x, y]).hitting(layers(&options)?);
        self.found(&query).map(handles)
    }

    /// Returns the bodies in the box from (x0, y0) to (x1, y1).
    #[wasm_bindgen(js_name = inBox, unchecked_return_type = "BodyId[]")]
    pub fn in_box(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: JsValue,
    ) -> Fallible<Array> {
        let query = RegionQuery::new([x0, y0], [x1, y1]).hitting(layers(&options)?);
        self.found(&query).map(handles)
    }

    /// Returns the first body on the ray from (x0, y0) to (x1, y1); `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "RayHit | undefined")]
    pub fn ray(
        &self,
        x0: f64,
        y0: f64,
        x1: f64,
        y1: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: JsValue,
    ) -> Fallible<JsValue> {
        let mut ray = RayCast::new([x0, y0], [x1, y1]).hitting(layers(&options)?);
        if let Some(radius) = number(&options, "radius")? {
            ray = ray.radius(radius);
        }
        let State { world, queries, .. } = &mut *self.write();
        let Some(hit) = queries.on(world).first(&ray).map_err(fail)? else { return Ok(JsValue::UNDEFINED) };
        let contact = world.ray_contact(&ray, &hit).map_err(fail)?;
        Ok(object([
            ("body", hit.body.to_bits().into()),
            ("fraction", hit.fraction().into()),
            ("x", contact.at.x.into()),
            ("y", contact.at.y.into()),
            ("normal", numbers(contact.normal)),
        ]))
    }

    /// Returns the bodies nearest to a point, the nearest first.
    #[wasm_bindgen(unchecked_return_type = "NearestHit[]")]
    pub fn nearest(
        &self,
        x: f64,
        y: f64,
        #[wasm_bindgen(unchecked_optional_param_type = "QueryOptions")] options: JsValue,
    ) -> Fallible<Array> {
        let mut query = Nearest::new([x, y]).hitting(layers(&options)?);
        if let Some(within) = number(&options, "within")? {
            query = query.within(within);
        }
        if let Some(count) = whole(&options, "count")? {
            query = query.count(count as usize);
        }
        let near = |NearestHit { body, distance, .. }| {
            object([("body", body.to_bits().into()), ("distance", distance.into())])
        };
        Ok(self.found(&query)?.into_iter().map(near).collect())
    }

    /// Returns the bodies that a new body would hit. Does not add it.
    #[wasm_bindgen(js_name = hitBy, unchecked_return_type = "BodyId[]")]
    pub fn hit_by(&self, #[wasm_bindgen(unchecked_param_type = "BodyOptions")] options: JsValue) -> Fallible<Array> {
        let hits = self.found(&body(&options, None)?)?;
        Ok(handles(hits.into_iter().map(|BodyHit { body, .. }| body)))
    }

    /// Returns how far a body of the world gets on the way (dx, dy) before another stops it. Does not move it.
    #[wasm_bindgen(unchecked_return_type = "Way")]
    pub fn sweep(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue,
        dx: f64,
        dy: f64,
    ) -> Fallible<JsValue> {
        let sweep = self.on_way(&id, [dx, dy], |search, body| search.sweep(body, |_| true))?;
        Ok(way(sweep.at, sweep.stop.as_slice()))
    }

    /// Returns how far a body of the world gets on the way (dx, dy) if it slides along what stops it. Does not move it.
    #[wasm_bindgen(unchecked_return_type = "Way")]
    pub fn slide(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue,
        dx: f64,
        dy: f64,
    ) -> Fallible<JsValue> {
        let slide = self.on_way(&id, [dx, dy], |search, body| search.slide(body, |_| true))?;
        Ok(way(slide.at, &slide.stops))
    }

    /// Returns where a body stops at its first hit in the last answer, if the step was run with `details`; `undefined`
    /// if nothing stops it.
    #[wasm_bindgen(unchecked_return_type = "Stop | undefined")]
    pub fn stop(&self, #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue) -> Fallible<JsValue> {
        let state = self.read();
        let (id, _) = state.body(&id)?;
        let found = state.world.stop(id, &state.hits, |_| true).map_err(fail)?;
        Ok(found.as_ref().map_or(JsValue::UNDEFINED, stop))
    }

    /// Returns the distance between two bodies; `undefined` if one of them is off or empty.
    pub fn distance(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] a: JsValue,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] b: JsValue,
    ) -> Fallible<Option<f64>> {
        let state = self.read();
        let ((a, _), (b, _)) = (state.body(&a)?, state.body(&b)?);
        Ok(state.world.distance(a, b).map_err(fail)?.map(|found| found.distance))
    }
}
