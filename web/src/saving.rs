//! Saving and loading.

use hitmask::Save;
use js_sys::Uint8Array;
use wasm_bindgen::prelude::*;

use crate::arrays;
use crate::fail::{Fallible, fail};
use crate::world::{State, World};

#[wasm_bindgen]
impl World {
    /// Returns the world as bytes, the same on every machine: whole, or, if `state` is true, its bodies alone.
    pub fn save(&self, state: Option<bool>) -> Fallible<Uint8Array> {
        let parts = if state == Some(true) { Save::State } else { Save::Whole };
        self.read().world.save(parts).map(|bytes| Uint8Array::from(&*bytes)).map_err(fail)
    }

    /// Makes a world of bytes that a whole world was saved as.
    pub fn load(#[wasm_bindgen(unchecked_param_type = "Bytes")] bytes: &JsValue) -> Fallible<World> {
        hitmask::World::load(&arrays::bytes("bytes", bytes)?).map(Self::of).map_err(fail)
    }

    /// Brings this world to a saved state: the same bodies, with the same handles. Events stay as they are: see
    /// `loadEvents`.
    ///
    /// The last answer is discarded, but a step in flight goes on: its answer, of the state in which it began, becomes
    /// the world's when it is done. `stop` and `updateEvents` throw for that answer if a body was added between the two
    /// states.
    #[wasm_bindgen(js_name = loadInto)]
    pub fn load_into(&self, #[wasm_bindgen(unchecked_param_type = "Bytes")] bytes: &JsValue) -> Fallible<()> {
        let bytes = arrays::bytes("bytes", bytes)?;
        let State { world, hits, .. } = &mut *self.write();
        world.load_into(&bytes).map_err(fail)?;
        *hits = hitmask::Hits::default();
        Ok(())
    }

    /// Returns the pairs of the last `updateEvents` as bytes, the same on every machine, to be kept beside the saved
    /// world.
    #[wasm_bindgen(js_name = saveEvents)]
    pub fn save_events(&self) -> Fallible<Uint8Array> {
        self.read().events.save().map(|bytes| Uint8Array::from(&*bytes)).map_err(fail)
    }

    /// Brings `began`, `stayed` and `ended` back as `saveEvents` saved them. The next `updateEvents` finds the same
    /// events again, if the world is loaded too. `hit` is the index of a pair in the answer of that time, which is not
    /// saved.
    #[wasm_bindgen(js_name = loadEvents)]
    pub fn load_events(&self, #[wasm_bindgen(unchecked_param_type = "Bytes")] bytes: &JsValue) -> Fallible<()> {
        self.write().events.load_into(&arrays::bytes("bytes", bytes)?).map_err(fail)
    }

    /// Returns a number that is the same for equal worlds on every machine, to find a desync.
    pub fn checksum(&self) -> u64 {
        self.read().world.checksum()
    }
}
