//! Worlds: shapes, bodies, and the last answer.

use std::cell::{Ref, RefCell, RefMut};
use std::rc::Rc;

use hitmask::geometry::Vec2;
use hitmask::query::Queries;
use hitmask::response::Events;
use hitmask::{BodyId, Hits, ShapeId, Touch};
use wasm_bindgen::prelude::*;

use crate::fail::{Fallible, fail};
use crate::mask::Mask;
use crate::object::integer;
use crate::options::{body, handle, shape_of, state};
use crate::shape::Shape;

/// Bodies, their shapes, and the answer of the last step.
#[wasm_bindgen]
pub struct World(Rc<RefCell<State>>);

/// The contents of a world, and its last answer.
#[derive(Default)]
pub(crate) struct State {
    pub(crate) world: hitmask::World,
    /// The last answer.
    pub(crate) hits: Hits,
    pub(crate) events: Events,
    pub(crate) queries: Queries,
    /// The memory of a bulk edit's list.
    pub(crate) list: Vec<BodyId>,
    /// The world of the last step that a GPU may have answered: most of it is as now.
    #[cfg(feature = "gpu")]
    pub(crate) copy: hitmask::World,
    /// The memory of positions that are read.
    pub(crate) places: Vec<Vec2>,
}

impl State {
    /// Returns the body that a handle names; an error if it is not of this world.
    pub(crate) fn body(&self, of: &JsValue) -> Fallible<(BodyId, hitmask::Body)> {
        let bits = handle(of, "body", "body")?;
        let unknown = || hitmask::Error::Unknown { what: format!("body {bits}") };
        let id = BodyId::from_bits(bits).ok_or_else(unknown).map_err(fail)?;
        let gone = || fail(hitmask::Error::Gone { what: format!("body {}", id.index()) });
        Ok((id, self.world.body(id).ok_or_else(gone)?))
    }
}

impl World {
    pub(crate) fn read(&self) -> Ref<'_, State> {
        self.0.borrow()
    }

    pub(crate) fn write(&self) -> RefMut<'_, State> {
        self.0.borrow_mut()
    }

    /// Returns another reference to what the world holds, for a step in flight.
    #[cfg(feature = "gpu")]
    pub(crate) fn share(&self) -> Rc<RefCell<State>> {
        Rc::clone(&self.0)
    }

    pub(crate) fn of(world: hitmask::World) -> Self {
        Self(Rc::new(RefCell::new(State { world, ..State::default() })))
    }
}

#[wasm_bindgen]
impl World {
    /// Makes an empty world. If `touching` is true, bodies that only touch hit each other too.
    #[wasm_bindgen(constructor)]
    pub fn new(touching: Option<bool>) -> World {
        let touch = if touching == Some(true) { Touch::Included } else { Touch::Excluded };
        Self::of(hitmask::World::new(touch))
    }

    /// Adds a shape, and returns its handle.
    #[wasm_bindgen(js_name = addShape, unchecked_return_type = "ShapeId")]
    pub fn add_shape(&self, shape: &Shape) -> Fallible<u128> {
        self.write().world.add_shape(shape.0.clone()).map(ShapeId::to_bits).map_err(fail)
    }

    /// Replaces a shape; all its bodies get the new one.
    #[wasm_bindgen(js_name = replaceShape)]
    pub fn replace_shape(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ShapeId")] id: JsValue,
        shape: &Shape,
    ) -> Fallible<()> {
        self.write().world.replace_shape(shape_of(&id)?, shape.0.clone()).map_err(fail)
    }

    /// Removes a shape that no body uses.
    #[wasm_bindgen(js_name = removeShape)]
    pub fn remove_shape(&self, #[wasm_bindgen(unchecked_param_type = "ShapeId")] id: JsValue) -> Fallible<()> {
        self.write().world.remove_shape(shape_of(&id)?).map(drop).map_err(fail)
    }

    /// Returns a copy of a sprite's mask; `undefined` for other shapes.
    #[wasm_bindgen(js_name = maskOf)]
    pub fn mask_of(&self, #[wasm_bindgen(unchecked_param_type = "ShapeId")] id: JsValue) -> Fallible<Option<Mask>> {
        let state = self.read();
        Ok(state.world.shape(shape_of(&id)?).and_then(|shape| shape.mask()).map(|mask| Mask(mask.clone())))
    }

    /// Erases a disc from a sprite's mask, in the mask's pixels: a hole in the ground. Costs what the disc covers.
    #[wasm_bindgen(js_name = eraseDisc)]
    pub fn erase_disc(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ShapeId")] id: JsValue,
        x: f64,
        y: f64,
        radius: f64,
    ) -> Fallible<()> {
        let mut state = self.write();
        let erased = state.world.edit_mask(shape_of(&id)?, |mask| mask.erase_disc([x, y], radius));
        erased.map_err(fail)?.map(drop).map_err(fail)
    }

    /// Adds a body, and returns its handle.
    #[wasm_bindgen(unchecked_return_type = "BodyId")]
    pub fn add(&self, #[wasm_bindgen(unchecked_param_type = "BodyOptions")] options: JsValue) -> Fallible<u128> {
        let body = body(&options, None)?;
        self.write().world.add(&body).map(BodyId::to_bits).map_err(fail)
    }

    /// Changes the given options of a body, and leaves the others as they are. The pose counts as one option, so that
    /// `{ degrees: 10 }` also resets the scale to 1, and flips to none.
    pub fn set(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue,
        #[wasm_bindgen(unchecked_param_type = "BodyOptions")] options: JsValue,
    ) -> Fallible<()> {
        let (id, before) = self.read().body(&id)?;
        let body = body(&options, Some(before))?;
        self.write().world.set(id, &body).map_err(fail)
    }

    /// Returns a body; throws if it was removed.
    #[wasm_bindgen(unchecked_return_type = "BodyState")]
    pub fn body(&self, #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue) -> Fallible<JsValue> {
        self.read().body(&id).map(|(_, body)| state(&body))
    }

    /// Returns whether a handle names a body of this world.
    pub fn has(&self, #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue) -> bool {
        self.read().body(&id).is_ok()
    }

    /// Returns whether a body sees another: it hits a layer of it, the other hits one of its own or `body` is a
    /// detector, and they are not in one group. For a pair with a detector, this tells which of the two noticed the
    /// other.
    pub fn sees(
        &self,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] body: JsValue,
        #[wasm_bindgen(unchecked_param_type = "BodyId")] other: JsValue,
    ) -> Fallible<bool> {
        let state = self.read();
        let ((body, _), (other, _)) = (state.body(&body)?, state.body(&other)?);
        state.world.sees(body, other).map_err(fail)
    }

    /// Removes a body.
    pub fn remove(&self, #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue) -> Fallible<()> {
        let (id, _) = self.read().body(&id)?;
        self.write().world.remove(id).map(drop).map_err(fail)
    }

    /// Removes all bodies. Shapes stay.
    pub fn clear(&self) {
        self.write().world.clear();
    }

    /// The number of bodies.
    #[wasm_bindgen(getter)]
    pub fn count(&self) -> u32 {
        self.read().world.len() as u32
    }

    /// The number of body indices: the length of a list for all bodies.
    #[wasm_bindgen(getter)]
    pub fn indices(&self) -> u32 {
        self.read().world.indices() as u32
    }

    /// Returns the handle of the body at an index of an answer; `undefined` if there is none.
    #[wasm_bindgen(unchecked_return_type = "BodyId | undefined")]
    pub fn id(&self, index: f64) -> Fallible<JsValue> {
        let id = self.read().world.id(integer("index", index, 0..=u32::MAX)?);
        Ok(id.map_or(JsValue::UNDEFINED, |id| id.to_bits().into()))
    }

    /// Returns the index by which answers name a body.
    pub fn index(&self, #[wasm_bindgen(unchecked_param_type = "BodyId")] id: JsValue) -> Fallible<u32> {
        self.read().body(&id).map(|(id, _)| id.index())
    }
}
