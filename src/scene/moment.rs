//! A moment of a replay: all that the steps after it depend on. It can be saved and loaded.

use std::collections::HashMap;

use super::named::Named;
use crate::ground::error::{Error, Result};
use crate::ground::memory::{Need, Room};
use crate::ground::text::named;
use crate::ground::touch::Touch;
use crate::host::events::Events;
use crate::world::World;
use crate::world::body::{BodyId, ShapeId};
use crate::world::save::Save;
use crate::world::save::file::{self, Content, Header, Reader, put_u32s, put_u64s, wrong};

/// The memory of a saved moment.
const SAVED: Need = Need { what: "the saved moment", advice: "save a smaller world", beside: 0 };

/// The state of a replay between two steps: its world, the names of shapes and bodies, the number of steps so far, and
/// the pairs that hit in the last. [`Play::moment`](super::Play::moment) returns it,
/// [`Replay::resume`](super::Replay::resume) resumes from it.
#[derive(Clone, Debug, Default)]
pub struct Moment {
    pub(super) lived: Named,
    /// The number of steps whose edits have been made.
    pub(super) step: usize,
    pub(super) events: Events,
    /// The names of all bodies, including those removed since the last step.
    pub(super) names: HashMap<BodyId, String>,
    /// True between the edits of a step and its hits.
    pub(super) is_open: bool,
}

impl Moment {
    /// Returns the world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.lived.world
    }

    /// Returns the number of steps so far.
    #[must_use]
    pub fn step(&self) -> usize {
        self.step
    }

    /// Returns the name of a body.
    #[must_use]
    pub fn name(&self, id: BodyId) -> Option<&str> {
        self.names.get(&id).map(String::as_str)
    }

    /// Saves the moment as bytes that are the same on every machine. `docs/save-format.md` defines the format.
    ///
    /// Returns [`Error::Capacity`] if there is not enough memory, and [`Error::Value`] within a step, between
    /// [`Play::edit`](super::Play::edit) and [`Play::take`](super::Play::take).
    pub fn save(&self) -> Result<Vec<u8>> {
        self.check_closed()?;
        let parts = [self.lived.world.save(Save::Whole)?, self.events.save()?];
        let mut shapes: Vec<_> = self.lived.shapes.iter().map(|(name, id)| (id.index, id.serial, name)).collect();
        let mut bodies: Vec<_> = self.names.iter().map(|(id, name)| (id.index, id.serial, name)).collect();
        shapes.sort_unstable();
        bodies.sort_unstable();
        let names = [&shapes, &bodies].into_iter().flatten().map(|(_, _, name)| 16 + name.len());
        let size = file::HEADER + 32 + parts.iter().map(Vec::len).sum::<usize>() + names.sum::<usize>();
        let mut to = Vec::new();
        Room::default().reserve(&mut to, size, SAVED)?;
        file::begin(
            &mut to,
            Header { version: file::FIRST, content: Content::Moment, shapes: 0, count: 0, touch: Touch::default() },
        );
        for part in parts {
            put_u64s(&mut to, &[part.len() as u64]);
            to.extend(part);
        }
        put_u64s(&mut to, &[self.step as u64]);
        for names in [shapes, bodies] {
            put_u32s(&mut to, &[names.len() as u32]);
            for (index, serial, name) in names {
                put_u32s(&mut to, &[index]);
                put_u64s(&mut to, &[serial]);
                put_u32s(&mut to, &[name.len() as u32]);
                to.extend(name.bytes());
            }
        }
        file::end(&mut to);
        Ok(to)
    }

    /// Returns an error within a step.
    pub(super) fn check_closed(&self) -> Result<()> {
        if self.is_open {
            let limit = "lie between two steps: call `Play::take` first";
            return Err(Error::value("moment", format!("within step {}", self.step), limit));
        }
        Ok(())
    }

    /// Loads a moment that [`Moment::save`] saved.
    ///
    /// Returns [`Error::Saved`] if the file is truncated, damaged, of a later version, or of another kind.
    ///
    /// ```
    /// use hitmask::scene::Moment;
    /// use hitmask::{Save, World};
    ///
    /// let error = Moment::load(&World::default().save(Save::Whole)?).unwrap_err().to_string();
    /// assert!(error.ends_with("a whole world, not a moment of a replay"));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn load(file: &[u8]) -> Result<Self> {
        let (_, mut reader) = Reader::open(file, Content::Moment)?;
        let world = World::load(reader.nested()?)?;
        let events = Events::load(reader.nested()?)?;
        let step = reader.u64()?;
        let step = usize::try_from(step).map_err(|_| wrong(format!("step {step} is beyond the last of any replay")))?;
        let mut shapes = HashMap::new();
        for (index, serial, name) in names(&mut reader)? {
            let id = ShapeId { index, serial };
            if world.shape(id).is_none() {
                return Err(wrong(format!("there is no shape {index} to be named `{}`", named(&name))));
            }
            if let Some(other) = shapes.insert(name, id) {
                return Err(wrong(format!("shapes {} and {index} have the same name", other.index)));
            }
        }
        let (mut bodies, mut ids) = (HashMap::new(), HashMap::new());
        for (index, serial, name) in names(&mut reader)? {
            let id = BodyId { index, serial };
            if world.body(id).is_some() {
                bodies.insert(name.clone(), id);
            }
            if ids.insert(id, name).is_some() {
                return Err(wrong(format!("body {index} has two names")));
            }
        }
        if bodies.len() != world.len() {
            return Err(wrong("it has bodies without a name of their own"));
        }
        reader.end()?;
        Ok(Self { lived: Named { world, shapes, bodies }, step, events, names: ids, is_open: false })
    }
}

/// Takes a list of names, each with the index and serial number that it stands for.
fn names(reader: &mut Reader<'_>) -> Result<Vec<(u32, u64, String)>> {
    let count = reader.u32()?;
    let mut names = Vec::new();
    for _ in 0..count {
        let (index, serial, length) = (reader.u32()?, reader.u64()?, reader.u32()?);
        let name = std::str::from_utf8(reader.take::<1>(length.into())?.as_flattened());
        let name = name.map_err(|error| reader.wrong_here(format!("a name is not UTF-8 text: {error}")))?;
        names.push((index, serial, name.to_owned()));
    }
    Ok(names)
}
