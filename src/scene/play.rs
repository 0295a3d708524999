//! Playing a replay: the world of a scene, whose bodies and shapes have names.

use std::collections::HashMap;

use serde::Serialize;

use super::in_file;
use super::masks::Masks;
use super::model::{BodySpec, ShapeSpec};
use super::replay::{Edits, Replay, Stamp};
use crate::ground::error::{Error, Result};
use crate::ground::text::named;
use crate::hits::Hits;
use crate::host::events::Events;
use crate::mask::DEFAULT_THRESHOLD;
use crate::world::World;
use crate::world::body::{BodyId, ShapeId};

/// A replay that is being played. For each step call [`Play::edit`], run [`Play::world`] on any engine, then call
/// [`Play::take`]; see [`Replay`] for an example.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    replay: &'a Replay,
    lived: Named,
    /// The number of steps whose edits have been made.
    step: usize,
    events: Events,
    /// The names of all bodies, including those removed since the last step.
    names: HashMap<BodyId, String>,
}

/// The result of a step, with bodies by name; each pair and each list is sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Step {
    /// The step's number, from 1.
    pub step: usize,
    /// The number of bodies.
    pub bodies: usize,
    /// The pairs that hit.
    pub pairs: Vec<[String; 2]>,
    /// The pairs that hit now but did not in the step before.
    pub began: Vec<[String; 2]>,
    /// The pairs that hit in the step before but do not now.
    pub ended: Vec<[String; 2]>,
}

/// A world whose shapes and bodies have names.
#[derive(Clone, Debug)]
struct Named {
    world: World,
    shapes: HashMap<String, ShapeId>,
    bodies: HashMap<String, BodyId>,
}

impl Replay {
    /// Builds the world at the beginning of the replay, ready to be played.
    ///
    /// An error is an [`Error::In`] that names the line, and the shape or body.
    pub fn play(&self) -> Result<Play<'_>> {
        let world = self.scene.world()?;
        // In a new world, both are in the order in which they were added.
        let shapes =
            self.scene.shapes.iter().zip(world.shapes()).map(|((name, _), (id, _))| (name.clone(), id)).collect();
        let mut lived = Named { bodies: HashMap::new(), shapes, world };
        let mut names = HashMap::new();
        let ids: Vec<BodyId> = lived.world.ids().collect();
        for (k, (body, id)) in self.scene.bodies.iter().zip(ids).enumerate() {
            let name = name_of(body).and_then(|name| lived.name(name, id));
            let name = name.map_err(|error| self.blame(1, error.of(format!("body {}", self.scene.label(k)))))?;
            names.insert(id, name);
        }
        Ok(Play { replay: self, lived, step: 0, events: Events::default(), names })
    }

    /// Adds a line of the file to an error.
    fn blame(&self, line: usize, error: Error) -> Error {
        in_file(self.file.as_deref(), error.of(format!("line {line}")))
    }
}

impl Play<'_> {
    /// Returns the world in its current state.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.lived.world
    }

    /// Makes the edits before the next step. Returns false if there is no further step.
    ///
    /// It makes all edits of a line or, on an error, none. The error is an [`Error::In`] that names the line, the key
    /// and its element.
    pub fn edit(&mut self) -> Result<bool> {
        let Some(edits) = self.replay.steps.get(self.step) else { return Ok(false) };
        let before = self.lived.clone();
        let edited = self.lived.edit(edits, self.replay);
        match edited {
            Ok(added) => {
                self.names.extend(added);
                self.step += 1;
                Ok(true)
            }
            Err(error) => {
                self.lived = before;
                Err(self.replay.blame(self.replay.lines[self.step], error))
            }
        }
    }

    /// Takes the hits of the step, which must include the pairs, and returns its result. Then it moves bodies to the
    /// ends of their motions if the step's line says so.
    pub fn take(&mut self, hits: &Hits) -> Result<Step> {
        self.events.update(&self.lived.world, hits)?;
        let name = |id: BodyId| self.names.get(&id).cloned().unwrap_or_default();
        let told = |pairs: &mut dyn Iterator<Item = [BodyId; 2]>| {
            let mut pairs: Vec<_> = pairs
                .map(|pair| {
                    let mut pair = pair.map(name);
                    pair.sort_unstable();
                    pair
                })
                .collect();
            pairs.sort_unstable();
            pairs
        };
        let (began, stayed) = (self.events.began(), self.events.stayed());
        let step = Step {
            step: self.step,
            bodies: self.lived.world.len(),
            pairs: told(&mut began.iter().chain(stayed).map(|event| event.pair)),
            began: told(&mut began.iter().map(|event| event.pair)),
            ended: told(&mut self.events.ended().iter().map(|event| event.pair)),
        };
        self.names.retain(|id, _| self.lived.world.body(*id).is_some());
        let line = self.step.checked_sub(1);
        if let Some((edits, &line)) = line.and_then(|k| self.replay.steps.get(k).zip(self.replay.lines.get(k)))
            && edits.advance
        {
            self.lived.advance().map_err(|error| self.replay.blame(line, error.of("`advance`")))?;
        }
        Ok(step)
    }
}

impl Named {
    /// Makes all edits of a line, and returns the names of the added bodies.
    fn edit(&mut self, edits: &Edits, replay: &Replay) -> Result<Vec<(BodyId, String)>> {
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

    fn advance(&mut self) -> Result<()> {
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
    fn name(&mut self, name: &str, id: BodyId) -> Result<String> {
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
fn name_of(spec: &BodySpec) -> Result<&str> {
    spec.name
        .as_deref()
        .ok_or_else(|| Error::value("name", "missing", "be present: a replay identifies bodies by name"))
}
