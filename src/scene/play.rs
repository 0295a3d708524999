//! Playing a replay, step by step.

use serde::Serialize;

use super::in_file;
use super::moment::Moment;
use super::named::name_of;
use super::replay::Replay;
use crate::ground::error::{Error, Result};
use crate::hits::Hits;
use crate::world::World;
use crate::world::body::BodyId;

/// A replay that is being played. For each step call [`Play::edit`], run [`Play::world`] on any engine, then call
/// [`Play::take`]; see [`Replay`] for an example.
#[derive(Clone, Debug)]
pub struct Play<'a> {
    replay: &'a Replay,
    now: Moment,
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

impl Replay {
    /// Builds the world at the beginning of the replay, ready to be played.
    ///
    /// An error is an [`Error::In`] that names the file, and the shape or body.
    pub fn play(&self) -> Result<Play<'_>> {
        let mut now = Moment::default();
        now.lived.world = self.scene.world()?;
        // In a new world, both are in the order in which they were added.
        let shapes = self.scene.shapes.iter().zip(now.lived.world.shapes());
        now.lived.shapes = shapes.map(|((name, _), (id, _))| (name.clone(), id)).collect();
        let ids: Vec<BodyId> = now.lived.world.ids().collect();
        for (k, (body, id)) in self.scene.bodies.iter().zip(ids).enumerate() {
            let name = name_of(body).and_then(|name| now.lived.name(name, id));
            let name =
                name.map_err(|error| in_file(self.file.as_deref(), error.of(format!("body {}", self.scene.label(k)))))?;
            now.names.insert(id, name);
        }
        Ok(Play { replay: self, now })
    }

    /// Resumes from a moment of this replay. The edits of the steps up to it are made once more, without an engine, and
    /// must lead to the same world with the same names.
    ///
    /// Returns [`Error::Value`] if the moment is of another replay, comes after the last step, or lies within one,
    /// between [`Play::edit`] and [`Play::take`]. Other errors are those of [`Play::edit`] and [`Play::take`].
    ///
    /// ```
    /// use hitmask::scene::{Moment, Replay};
    /// use hitmask::{Ask, Engine};
    ///
    /// let text = r#"{ "shapes": { "a": { "circle": 1 } }, "bodies": [{ "shape": "a", "at": [0, 0], "name": "ship" }] }
    /// { "add": [{ "shape": "a", "at": [1, 0], "name": "shot" }] }
    /// { "remove": ["shot"] }"#;
    /// let replay = Replay::parse(text, ".".as_ref())?;
    /// let (mut play, mut engine) = (replay.play()?, Engine::cpu()?);
    /// play.edit()?;
    /// let hits = engine.run(play.world(), Ask::Pairs)?;
    /// play.take(&hits)?;
    /// let saved = play.moment().save()?;
    ///
    /// let mut play = replay.resume(Moment::load(&saved)?)?;
    /// play.edit()?;
    /// let hits = engine.run(play.world(), Ask::Pairs)?;
    /// assert_eq!(play.take(&hits)?.ended, [["ship", "shot"]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn resume(&self, moment: Moment) -> Result<Play<'_>> {
        if moment.step > self.steps.len() {
            let limit = format!("lie within the {} steps of the replay", self.steps.len());
            return Err(Error::value("step", moment.step, limit));
        }
        moment.check_closed()?;
        let mut play = self.play()?;
        while play.now.step < moment.step {
            play.edit()?;
            let advanced = play.advance();
            // If bodies could not advance after the last step, they have not moved in the moment either.
            if play.now.step < moment.step {
                advanced?;
            }
        }
        if play.now.lived != moment.lived {
            let limit = format!("belong to this replay, whose world at step {} differs", moment.step);
            return Err(Error::value("moment", format!("of step {}", moment.step), limit));
        }
        Ok(Play { replay: self, now: moment })
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
        self.now.world()
    }

    /// Returns the present moment. Between two steps it can be saved, and the replay resumed from it.
    #[must_use]
    pub fn moment(&self) -> &Moment {
        &self.now
    }

    /// Makes the edits before the next step. Returns false if there is no further step.
    ///
    /// It makes all edits of a line or, on an error, none. The error is an [`Error::In`] that names the line, the key
    /// and its element.
    pub fn edit(&mut self) -> Result<bool> {
        let Some(edits) = self.replay.steps.get(self.now.step) else { return Ok(false) };
        let before = self.now.lived.clone();
        match self.now.lived.edit(edits, self.replay) {
            Ok(added) => {
                self.now.names.extend(added);
                self.now.step += 1;
                self.now.is_open = true;
                Ok(true)
            }
            Err(error) => {
                self.now.lived = before;
                Err(self.replay.blame(self.replay.lines[self.now.step], error))
            }
        }
    }

    /// Takes the hits of the step, which must include the pairs, and returns its result. Then it moves bodies to the
    /// ends of their motions if the step's line says so.
    ///
    /// Returns [`Error::Value`] for hits without pairs or of another world; nothing changes then. If a body would leave
    /// the world, it returns an [`Error::In`] that names the line and the body, after the hits have been taken; no body
    /// has moved then.
    pub fn take(&mut self, hits: &Hits) -> Result<Step> {
        let Moment { lived, step, events, names, is_open } = &mut self.now;
        events.update(&lived.world, hits)?;
        *is_open = false;
        let name = |id: BodyId| names.get(&id).cloned().unwrap_or_default();
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
        let (began, stayed) = (events.began(), events.stayed());
        let told = Step {
            step: *step,
            bodies: lived.world.len(),
            pairs: told(&mut began.iter().chain(stayed).map(|event| event.pair)),
            began: told(&mut began.iter().map(|event| event.pair)),
            ended: told(&mut events.ended().iter().map(|event| event.pair)),
        };
        names.retain(|id, _| lived.world.body(*id).is_some());
        self.advance()?;
        Ok(told)
    }

    /// Moves bodies to the ends of their motions if the line of the last step says so.
    fn advance(&mut self) -> Result<()> {
        let Moment { lived, step, .. } = &mut self.now;
        let line = step.checked_sub(1);
        if let Some((edits, &line)) = line.and_then(|k| self.replay.steps.get(k).zip(self.replay.lines.get(k)))
            && edits.advance
        {
            lived.advance().map_err(|error| self.replay.blame(line, error.of("`advance`")))?;
        }
        Ok(())
    }
}
