//! Engines.

use std::cell::RefCell;
use std::rc::Rc;

#[cfg(feature = "gpu")]
use hitmask as engines;
use hitmask::Ask;
use js_sys::Promise;
use wasm_bindgen::prelude::*;

#[cfg(not(feature = "gpu"))]
use crate::cpu as engines;
use crate::fail::{Fallible, fail, wrong};
use crate::object::kind;
use crate::world::{State, World};

/// An engine, which finds the bodies that hit each other.
#[wasm_bindgen]
pub struct Engine {
    engine: Rc<RefCell<engines::Engine>>,
    /// The name and the device of `engine` when it was last free: a step in flight borrows it.
    known: RefCell<(&'static str, String)>,
}

/// Returns the request of this name.
fn request(ask: &JsValue) -> Fallible<Ask> {
    let text = ask.as_string();
    match text.as_deref() {
        Some("flags") => Ok(Ask::Flags),
        Some("pairs") => Ok(Ask::Pairs),
        Some("details") => Ok(Ask::Details),
        None if ask.is_undefined() => Ok(Ask::Pairs),
        _ => {
            let told = text.map_or_else(|| kind(ask), |text| format!("`{text}`"));
            Err(wrong("ask", told, "be `flags`, `pairs` or `details`"))
        }
    }
}

fn in_flight() -> JsValue {
    JsError::new("a step of this engine is in flight: await it before the next").into()
}

#[wasm_bindgen]
impl Engine {
    /// Creates an engine on the CPU.
    pub fn cpu() -> Fallible<Engine> {
        engines::Engine::cpu().map(Self::of).map_err(fail)
    }

    /// Creates an engine that begins on the CPU, and tries the GPU if steps take longer than a millisecond.
    pub fn auto() -> Fallible<Engine> {
        engines::Engine::auto().map(Self::of).map_err(fail)
    }

    /// Opens the GPU that the browser gives out. A GPU that computes in software counts only if `software` is true.
    #[cfg(feature = "gpu")]
    pub async fn gpu(software: Option<bool>) -> Fallible<Engine> {
        let options = hitmask::gpu::Options::default().hardware(software != Some(true));
        let engine = hitmask::gpu::Engine::open(&options).await.map_err(fail)?;
        Ok(Self::of(hitmask::Engine::Gpu(Box::new(engine))))
    }

    /// The engine that answered the last step: "cpu" or "gpu".
    #[wasm_bindgen(getter)]
    pub fn name(&self) -> String {
        self.learn();
        self.known.borrow().0.to_owned()
    }

    /// The device that engine runs on: "1 thread, simd128", or the name of the GPU.
    #[wasm_bindgen(getter)]
    pub fn device(&self) -> String {
        self.learn();
        self.known.borrow().1.clone()
    }

    /// Runs a step at once, on the CPU; its answer is then the world's. An engine on a GPU throws.
    #[wasm_bindgen(js_name = runNow)]
    pub fn run_now(
        &self,
        world: &World,
        #[wasm_bindgen(unchecked_optional_param_type = "Ask")] ask: JsValue,
    ) -> Fallible<()> {
        let ask = request(&ask)?;
        let mut engine = self.engine.try_borrow_mut().map_err(|_| in_flight())?;
        let State { world, hits, .. } = &mut *world.write();
        engine.run_into(world, ask, hits).map_err(fail)
    }

    /// Runs a step; its answer is the world's once the promise is fulfilled. The step is that of the world as it is
    /// now: you may change it meanwhile. One step of an engine at a time.
    #[wasm_bindgen(unchecked_return_type = "Promise<void>")]
    pub fn run(&self, world: &World, #[wasm_bindgen(unchecked_optional_param_type = "Ask")] ask: JsValue) -> Promise {
        match self.begin(world, ask) {
            Ok(promise) => promise,
            Err(error) => Promise::reject(&error),
        }
    }
}

impl Engine {
    fn of(engine: engines::Engine) -> Self {
        let known = RefCell::new((engine.name(), engine.device()));
        Self { engine: Rc::new(RefCell::new(engine)), known }
    }

    /// Renews the name and the device, unless a step is in flight.
    fn learn(&self) {
        if let Ok(engine) = self.engine.try_borrow() {
            self.known.replace((engine.name(), engine.device()));
        }
    }

    /// On the CPU, a step is done at once.
    #[cfg(not(feature = "gpu"))]
    fn begin(&self, world: &World, ask: JsValue) -> Fallible<Promise> {
        self.run_now(world, ask)?;
        Ok(Promise::resolve(&JsValue::UNDEFINED))
    }

    /// A step that a GPU may answer runs on a copy of the world.
    #[cfg(feature = "gpu")]
    #[expect(clippy::await_holding_refcell_ref, reason = "a second step is refused meanwhile")]
    fn begin(&self, world: &World, ask: JsValue) -> Fallible<Promise> {
        if let Ok(hitmask::Engine::Cpu(_)) = self.engine.try_borrow().as_deref() {
            self.run_now(world, ask)?;
            return Ok(Promise::resolve(&JsValue::UNDEFINED));
        }
        let ask = request(&ask)?;
        drop(self.engine.try_borrow_mut().map_err(|_| in_flight())?);
        self.learn();
        let (engine, state) = (Rc::clone(&self.engine), world.share());
        let mut copy = std::mem::take(&mut state.borrow_mut().copy);
        copy.clone_from(&state.borrow().world);
        Ok(wasm_bindgen_futures::future_to_promise(async move {
            let hits = match engine.try_borrow_mut() {
                Ok(mut engine) => engine.run_async(&copy, ask).await.map_err(fail),
                Err(_) => Err(in_flight()),
            };
            let mut state = state.borrow_mut();
            state.copy = copy;
            state.hits = hits?;
            Ok(JsValue::UNDEFINED)
        }))
    }
}
