//! The answer of the last step, and what follows from it.

use hitmask::response::{Event, TaggedPair};
use hitmask::{Detail, Overlap};
use js_sys::{Array, Uint32Array};
use wasm_bindgen::prelude::*;

use crate::fail::{Fallible, fail, wrong};
use crate::object::{integer, numbers, object};
use crate::world::{State, World};

impl State {
    /// Returns a pair of the answer, and its detail.
    pub(crate) fn detail(&self, pair: f64) -> Fallible<([u32; 2], Detail)> {
        let pair = integer("pair", pair, 0..=u32::MAX)?;
        let (pairs, details) = (&self.hits.pairs, &self.hits.details);
        match (pairs.get(pair as usize), details.get(pair as usize)) {
            (Some(&pair), Some(&detail)) => Ok((pair, detail)),
            (Some(_), None) => Err(wrong("ask", "`pairs`", "be `details` for this")),
            _ => Err(wrong("pair", pair, &format!("be below the number of pairs, {}", pairs.len()))),
        }
    }

    /// As [`State::detail`], for a question about the bodies: they must be those that hit.
    pub(crate) fn met(&self, pair: f64) -> Fallible<([u32; 2], Detail)> {
        self.world.check_hits(&self.hits).map_err(fail)?;
        self.detail(pair)
    }
}

#[wasm_bindgen]
impl World {
    /// The pairs of the last answer: two indices each, ascending. A copy.
    #[wasm_bindgen(getter)]
    pub fn pairs(&self) -> Uint32Array {
        Uint32Array::from(self.read().hits.pairs.as_flattened())
    }

    /// The number of pairs of the last answer.
    #[wasm_bindgen(getter, js_name = pairCount)]
    pub fn pair_count(&self) -> u32 {
        self.read().hits.pairs.len() as u32
    }

    /// The place of the pairs in the module's memory: see `Hitmask.pairsOf`.
    #[wasm_bindgen(getter, js_name = pairsAddress)]
    pub fn pairs_address(&self) -> u32 {
        self.read().hits.pairs.as_ptr().addr() as u32
    }

    /// The flags of the last answer: a bit for each body index, set if it hits any other. A copy.
    #[wasm_bindgen(getter)]
    pub fn flags(&self) -> Uint32Array {
        Uint32Array::from(&*self.read().hits.flags)
    }

    /// Returns whether the body at an index hit any other in the last answer.
    pub fn flag(&self, index: f64) -> Fallible<bool> {
        let index = integer("index", index, 0..=u32::MAX)?;
        Ok(self.read().hits.flag(index as usize))
    }

    /// Returns the details of a pair of the last answer, if the step was run with `details`.
    #[wasm_bindgen(unchecked_return_type = "Detail")]
    pub fn detail(&self, pair: f64) -> Fallible<JsValue> {
        let (_, Detail { time, area, overlap, .. }) = self.read().detail(pair)?;
        let absent = JsValue::UNDEFINED;
        let Some(Overlap { bounds, first, sums, .. }) = overlap else {
            return Ok(object([
                ("tick", time.map_or(absent.clone(), |[tick, _]| tick.into())),
                ("area", area.map_or(absent, |area| (area as f64).into())),
            ]));
        };
        Ok(object([
            ("tick", time.map_or(absent.clone(), |[tick, _]| tick.into())),
            ("area", area.map_or(absent, |area| (area as f64).into())),
            ("bounds", numbers(bounds)),
            ("first", numbers(first)),
            ("sums", sums.iter().map(|&sum| JsValue::from(sum)).collect::<Array>().into()),
        ]))
    }

    /// Returns the way out of a pair of the last answer, if the step was run with `details`. Call it before you add
    /// bodies.
    #[wasm_bindgen(unchecked_return_type = "Contact")]
    pub fn contact(&self, pair: f64) -> Fallible<JsValue> {
        let state = self.read();
        let (pair, detail) = state.met(pair)?;
        let contact = state.world.contact(pair, &detail);
        let [x, y] = contact.push.units();
        Ok(object([
            ("normal", numbers(contact.normal)),
            ("depth", contact.depth.into()),
            ("pushX", x.into()),
            ("pushY", y.into()),
        ]))
    }

    /// Takes the last answer as that of the next step, so that `began` and `ended` tell what has changed. Call it
    /// before you add bodies.
    #[wasm_bindgen(js_name = updateEvents)]
    pub fn update_events(&self) -> Fallible<()> {
        let State { world, hits, events, .. } = &mut *self.write();
        events.update(world, hits).map_err(fail)
    }

    /// The pairs that began to hit.
    #[wasm_bindgen(getter, unchecked_return_type = "Met[]")]
    pub fn began(&self) -> Array {
        self.read().events.began().iter().map(event).collect()
    }

    /// The pairs that hit as before.
    #[wasm_bindgen(getter, unchecked_return_type = "Met[]")]
    pub fn stayed(&self) -> Array {
        self.read().events.stayed().iter().map(event).collect()
    }

    /// The pairs that no longer hit.
    #[wasm_bindgen(getter, unchecked_return_type = "Met[]")]
    pub fn ended(&self) -> Array {
        let ended = |TaggedPair { pair: [a, b], tags, .. }: &TaggedPair| {
            let tags = numbers(tags.map(|tag| tag as f64));
            object([("a", a.to_bits().into()), ("b", b.to_bits().into()), ("tags", tags)])
        };
        self.read().events.ended().iter().map(ended).collect()
    }
}

fn event(Event { pair: [a, b], tags, hit, .. }: &Event) -> JsValue {
    let tags = numbers(tags.map(|tag| tag as f64));
    object([("a", a.to_bits().into()), ("b", b.to_bits().into()), ("tags", tags), ("hit", (*hit as u32).into())])
}
