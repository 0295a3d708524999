//! A world whose shapes and bodies have names, and the edits of a replay's line.

use std::collections::HashMap;

use super::masks::Masks;
use super::model::{BodySpec, ShapeSpec};
use super::replay::{Edits, Replay, Stamp};
use crate::ground::error::{Error, Result};
use crate::ground::text::named;
use crate::mask::DEFAULT_THRESHOLD;
use crate::world::World;
use crate::world::body::{BodyId, ShapeId};

/// A world whose shapes and bodies have names.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Named {
    pub(super) world: World,
    pub(super) shapes: HashMap<String, ShapeId>,
    pub(super) bodies: HashMap<String, BodyId>,
}

impl Named {
    /// Makes all edits of a line, and returns the names of the added bodies.
    pub(super) fn edit(&mut self, edits: &Edits, replay: &Replay) -> Result<Vec<(BodyId, String)>> {
        let at = |key: &str, k: usize| format!("`{key}[{k}]`");
        for (k, name) in edits.remove.iter().enumerate() {
            let removed = self.body(name).and_then(|id| self.world.remove(id));
            removed.map_err(|error| error.of(at("remove", k)))?;
            self.bodies.remove(name);
        }
        let folder = &replay.scene.folder;
        let mut masks = Masks::new(folder, edits.shapes.iter().map(|(_, shape)| shape));
        for (name, shape) in &edits.shapes {
            self.add_shape(name, shape, &mut masks).map_err(|error| error.of(format!("shape `{}`", named(name))))?;
        }
        let mut added = Vec::with_capacity(edits.add.len());
        for (k, body) in edits.add.iter().enumerate() {
            added.push(self.add(body).map_err(|error| error.of(at("add", k)))?);
        }
        for (k, body) in edits.set.iter().enumerate() {
            self.set(body).map_err(|error| error.of(at("set", k)))?;
        }
        for (k, stamp) in edits.masks.iter().enumerate() {
            self.stamp(stamp, &mut masks).map_err(|error| error.of(at("masks", k)))?;
        }
        Ok(added)
    }

    fn add_shape<'a>(&mut self, name: &str, shape: &'a ShapeSpec, masks: &mut Masks<'a>) -> Result<()> {
        let id = self.world.add_shape(shape.shape(masks)?)?;
        match self.shapes.insert(name.to_owned(), id).map(|old| self.world.remove_shape(old)) {
            // Bodies that have the old shape of this name keep it.
            None | Some(Ok(_) | Err(Error::Used { .. })) => Ok(()),
            Some(Err(error)) => Err(error),
        }
    }

    fn add(&mut self, spec: &BodySpec) -> Result<(BodyId, String)> {
        let name = name_of(spec)?;
        let body = spec.body(self.shape(&spec.shape)?).map_err(|error| blame(spec, error))?;
        let id = self.world.add(&body).map_err(|error| blame(spec, error))?;
        self.name(name, id).map(|name| (id, name))
    }

    fn set(&mut self, spec: &BodySpec) -> Result<()> {
        let id = self.body(name_of(spec)?)?;
        let body = spec.body(self.shape(&spec.shape)?).map_err(|error| blame(spec, error))?;
        self.world.set(id, &body).map_err(|error| blame(spec, error))
    }

    fn stamp<'a>(&mut self, stamp: &'a Stamp, masks: &mut Masks<'a>) -> Result<()> {
        let shape = self.shape(&stamp.shape)?;
        let image = masks.mask(&stamp.image, DEFAULT_THRESHOLD, None)?;
        let edited = self.world.edit_mask(shape, |mask| {
            if stamp.erase { mask.erase(&image, stamp.at) } else { mask.draw(&image, stamp.at) }
        });
        edited.map(drop).map_err(|error| self.told(error).of(format!("shape `{}`", named(&stamp.shape))))
    }

    pub(super) fn advance(&mut self) -> Result<()> {
        self.world.advance().map_err(|error| self.told(error))
    }

    /// Replaces a body's index by its name in an error of the world, which knows a body only by its index.
    fn told(&self, error: Error) -> Error {
        let Error::In { subject, body, source } = error else { return error };
        match self.bodies.iter().find(|(_, id)| body == Some(**id)) {
            Some((name, _)) => source.at(format!("body `{}`", named(name)), body),
            None => source.at(subject, body),
        }
    }

    /// Registers the name of a body.
    pub(super) fn name(&mut self, name: &str, id: BodyId) -> Result<String> {
        if self.bodies.insert(name.to_owned(), id).is_some() {
            let taken = format!("`{}`, which another body has", named(name));
            return Err(Error::value("name", taken, "be one that no other body has"));
        }
        Ok(name.to_owned())
    }

    fn shape(&self, name: &str) -> Result<ShapeId> {
        let id = self.shapes.get(name).copied();
        id.ok_or_else(|| Error::Unknown { what: format!("shape `{}`", named(name)) })
    }

    fn body(&self, name: &str) -> Result<BodyId> {
        let id = self.bodies.get(name).copied();
        id.ok_or_else(|| Error::Unknown { what: format!("body `{}`", named(name)) })
    }
}

/// Adds the body's name to an error, and names fields as the file does.
fn blame(spec: &BodySpec, error: Error) -> Error {
    // The world knows a body only by its index.
    let error = match error {
        Error::In { source, .. } => *source,
        error => error,
    };
    spec.blame(error).of(format!("body `{}`", named(spec.name.as_deref().unwrap_or_default())))
}

/// Returns the name of a body.
pub(super) fn name_of(spec: &BodySpec) -> Result<&str> {
    spec.name
        .as_deref()
        .ok_or_else(|| Error::value("name", "missing", "be present: a replay identifies bodies by name"))
}
