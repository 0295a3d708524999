//! Edits of many bodies at once, from typed arrays.

use hitmask::{Bodies, Body, BodyId};
use js_sys::{Float32Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::arrays::{floats, indices_in};
use crate::fail::{Fallible, fail, wrong};
use crate::options::{body, shape_of};
use crate::shape::pairs;
use crate::world::{State, World};

/// Returns indices; `None`, for all bodies, if they are `undefined`.
fn indices_or_all(list: &JsValue) -> Fallible<Option<Vec<u32>>> {
    if list.is_undefined() { Ok(None) } else { indices_in(list).map(Some) }
}

impl State {
    /// Passes the world and the bodies at some indices to `edit`; without a list, all bodies.
    fn with_bodies<R>(
        &mut self,
        indices: Option<Vec<u32>>,
        edit: impl FnOnce(&mut hitmask::World, Bodies<'_>) -> hitmask::Result<R>,
    ) -> Fallible<R> {
        let Some(indices) = indices else { return edit(&mut self.world, Bodies::All).map_err(fail) };
        self.list.clear();
        for index in indices {
            let unknown = || fail(hitmask::Error::Unknown { what: format!("body {index}") });
            self.list.push(self.world.id(index).ok_or_else(unknown)?);
        }
        edit(&mut self.world, Bodies::These(&self.list)).map_err(fail)
    }
}

#[wasm_bindgen]
impl World {
    /// Adds a body for each position x, y, x, y, ..., all with the same options, and returns their indices.
    #[wasm_bindgen(js_name = addAll)]
    pub fn add_all(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] at: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "BodyOptions")] options: JsValue,
    ) -> Fallible<Uint32Array> {
        let like = body(&options, None)?;
        let bodies: Vec<Body> =
            pairs("at", &floats("at", at)?)?.iter().map(|&at| Body { at: at.into(), ..like }).collect();
        let ids = self.write().world.add_all(&bodies).map_err(fail)?;
        let indices: Vec<u32> = ids.into_iter().map(BodyId::index).collect();
        Ok(Uint32Array::from(&*indices))
    }

    /// Removes the bodies at some indices.
    #[wasm_bindgen(js_name = removeAll)]
    pub fn remove_all(&self, #[wasm_bindgen(unchecked_param_type = "Indices")] indices: JsValue) -> Fallible<()> {
        let indices = indices_in(&indices)?;
        self.write().with_bodies(Some(indices), |world, bodies| match bodies {
            Bodies::These(list) => world.remove_all(list),
            Bodies::All => Ok(()),
        })
    }

    /// Sets the positions x, y, x, y, ... of the bodies at some indices; without them, of all bodies by index.
    #[wasm_bindgen(js_name = setPositions)]
    pub fn set_positions(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] at: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Indices")] indices: JsValue,
    ) -> Fallible<()> {
        let (at, indices) = (floats("at", at)?, indices_or_all(&indices)?);
        let at = pairs("at", &at)?;
        self.write().with_bodies(indices, |world, bodies| world.set_positions(bodies, at))
    }

    /// Sets positions and motions, each x, y, x, y, ..., as `setPositions` does.
    #[wasm_bindgen(js_name = setMoving)]
    pub fn set_moving(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] at: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] motion: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Indices")] indices: JsValue,
    ) -> Fallible<()> {
        let (at, motion, indices) = (floats("at", at)?, floats("motion", motion)?, indices_or_all(&indices)?);
        let (at, motion) = (pairs("at", &at)?, pairs("motion", &motion)?);
        self.write().with_bodies(indices, |world, bodies| world.set_moving(bodies, at, motion))
    }

    /// Sets positions, matrices (a, b, c, d for each body) and motions, as `setPositions` does.
    #[wasm_bindgen(js_name = setPoses)]
    pub fn set_poses(
        &self,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] at: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] matrices: &JsValue,
        #[wasm_bindgen(unchecked_param_type = "Numbers")] motion: &JsValue,
        #[wasm_bindgen(unchecked_optional_param_type = "Indices")] indices: JsValue,
    ) -> Fallible<()> {
        let (at, motion, indices) = (floats("at", at)?, floats("motion", motion)?, indices_or_all(&indices)?);
        let matrices = floats("matrices", matrices)?;
        let (at, motion, matrices) = (pairs("at", &at)?, pairs("motion", &motion)?, pairs("matrices", &matrices)?);
        let (rows, []) = matrices.as_chunks::<2>() else {
            return Err(wrong("matrices", format!("{} numbers", 2 * matrices.len()), "have four for each body"));
        };
        self.write().with_bodies(indices, |world, bodies| world.set_poses(bodies, at, rows, motion))
    }

    /// Gives bodies another shape, as `setPositions` does.
    #[wasm_bindgen(js_name = setShape)]
    pub fn set_shape(
        &self,
        #[wasm_bindgen(unchecked_param_type = "ShapeId")] shape: JsValue,
        #[wasm_bindgen(unchecked_param_type = "Indices")] indices: JsValue,
    ) -> Fallible<()> {
        let indices = indices_in(&indices)?;
        let shapes = vec![shape_of(&shape)?; indices.len()];
        self.write().with_bodies(Some(indices), |world, bodies| world.set_shapes(bodies, &shapes))
    }

    /// Returns the positions x, y, x, y, ... of all bodies, by index.
    pub fn positions(&self) -> Fallible<Float32Array> {
        let state = &mut *self.write();
        state.world.positions(Bodies::All, &mut state.places).map_err(fail)?;
        let numbers: Vec<f32> = state.places.iter().flat_map(|at| [at.x as f32, at.y as f32]).collect();
        Ok(Float32Array::from(&*numbers))
    }

    /// Moves each body to the end of its motion.
    pub fn advance(&self) -> Fallible<()> {
        self.write().world.advance().map_err(fail)
    }
}
