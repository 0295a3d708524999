//! Scenes as the text of a file.

use std::path::Path;

use hitmask::Mask;
use hitmask::mask::DEFAULT_THRESHOLD;
use hitmask::scene::{Form, Image};
use wasm_bindgen::prelude::*;

use crate::arrays::bytes;
use crate::fail::{Fallible, fail};
use crate::object::integer;
use crate::world::World;

/// A scene as written in a file.
#[wasm_bindgen]
pub struct Scene(hitmask::scene::Scene);

#[wasm_bindgen]
impl Scene {
    /// Reads the text of a scene file. A page has no files, so neither has the scene.
    pub fn parse(json: &str) -> Fallible<Scene> {
        hitmask::scene::Scene::parse(json, Path::new("")).map(Self).map_err(fail)
    }

    /// Makes the scene of a world.
    #[wasm_bindgen(js_name = ofWorld)]
    pub fn of_world(world: &World) -> Scene {
        Self(hitmask::scene::Scene::of_world(&world.read().world))
    }

    /// Writes the sprites out that come from an image file of this name, in whatever folder: as rows, which need no
    /// file. Returns their number. An error leaves the scene as it is.
    #[wasm_bindgen(js_name = writeOut)]
    pub fn write_out(
        &mut self,
        name: &str,
        #[wasm_bindgen(unchecked_param_type = "Bytes")] file: &JsValue,
    ) -> Fallible<u32> {
        let file = bytes("file", file)?;
        let mut forms = Vec::new();
        for (_, shape) in &mut self.0.shapes {
            let Form::Sprite { image: Image::File(path), threshold, region } = &shape.form else { continue };
            if Path::new(path).file_name().is_some_and(|of| of == name) {
                let mask = Mask::decode(&file, *threshold, *region).map_err(fail)?;
                let image = Image::Rows(mask.to_rows());
                forms.push((&mut shape.form, Form::Sprite { image, threshold: DEFAULT_THRESHOLD, region: None }));
            }
        }
        let count = forms.len() as u32;
        for (form, written) in forms {
            *form = written;
        }
        Ok(count)
    }

    /// Makes the world of this scene. The index of a body is that in the file.
    pub fn world(&self) -> Fallible<World> {
        self.0.world().map(World::of).map_err(fail)
    }

    /// Returns a body's index, its name if it has one, and its shape.
    pub fn label(&self, index: f64) -> Fallible<String> {
        Ok(self.0.label(integer("index", index, 0..=u32::MAX)? as usize))
    }

    /// Returns the text of a scene file.
    #[wasm_bindgen(js_name = toJson)]
    pub fn to_json(&self) -> Fallible<String> {
        self.0.to_json().map_err(fail)
    }
}
