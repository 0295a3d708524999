//! Saving a world as bytes, and loading it. `docs/save-format.md` defines the format.
//!
//! ```text
//! whole   header | shapes | bodies      everything; loads into any world
//! state   header | bodies               loads into a world that has the same shapes, with the same handles
//! ```
//!
//! A file is checked before anything changes: its length, its digest, then each shape and each body by the rules by
//! which they are added. What follows from them (bounds, partitions of polygons, classes) is not in the file.

mod bodies;
pub(crate) mod file;
mod shapes;

use super::World;
use crate::ground::error::Result;
use crate::ground::memory::{Need, Room};
use file::{Content, Header, Reader};

/// The memory of a saved world, as errors name it.
const SAVED: Need = Need { what: "the saved world", advice: "save into memory that was used before", beside: 0 };

/// The parts of a world that [`World::save`] writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Save {
    /// Shapes and bodies: for saved games, for players who join late, for bug reports.
    Whole,
    /// Bodies alone, and a digest of the shapes that they need: for saving in each step.
    State,
}

impl World {
    /// Saves the world as bytes. [`World::load`] and [`World::load_into`] restore it: equal to this one, with the same
    /// handles, also for later additions. Equal worlds give equal bytes, on every machine.
    ///
    /// A state takes 16 to 55 bytes a body if there are at most 256 different combinations of layers, mask and group,
    /// and no turned body is sheared or scaled unevenly; at worst 86. The format is described in `docs/save-format.md`.
    /// Returns [`Error::Capacity`](crate::Error::Capacity) if there is not enough memory.
    ///
    /// ```
    /// use hitmask::{Body, Save, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [3, 4]))?;
    /// let file = world.save(Save::Whole)?;
    /// let loaded = World::load(&file)?;
    /// assert_eq!(loaded, world);
    /// assert_eq!(loaded.body(id), Some(Body::new(ball, [3, 4])));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn save(&self, parts: Save) -> Result<Vec<u8>> {
        let mut to = Vec::new();
        self.save_into(parts, &mut to)?;
        Ok(to)
    }

    /// Saves the world as [`World::save`] does, into a buffer whose content it replaces. On an error the buffer is
    /// empty.
    ///
    /// ```
    /// use hitmask::{Body, Save, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// let mut ring = vec![Vec::new(); 8];
    /// for step in 0..8 {
    ///     world.save_into(Save::State, &mut ring[step])?;
    ///     world.set(id, &Body::new(ball, [step as i32 + 1, 0]))?;
    /// }
    /// world.load_into(&ring[3])?; // back to step 3
    /// assert_eq!(world.body(id).unwrap().at.x, 3.0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn save_into(&self, parts: Save, to: &mut Vec<u8>) -> Result<()> {
        to.clear();
        let (content, shapes) = match parts {
            Save::Whole => (Content::World, self.shapes_bytes()),
            Save::State => (Content::State, 0),
        };
        Room::default().reserve(to, file::HEADER + shapes + self.bodies_bytes(), SAVED)?;
        let (shapes, count, touch) = (self.shapes_digest(), self.indices() as u32, self.touch);
        let version = if self.has_detectors() { file::DETECTORS } else { file::FIRST };
        file::begin(to, Header { version, content, shapes, count, touch });
        if parts == Save::Whole {
            self.save_shapes(to);
        }
        self.save_bodies(to);
        file::end(to);
        Ok(())
    }

    /// Loads a world that [`World::save`] saved whole, or that of a saved moment of a replay (`scene::Moment`).
    ///
    /// Returns [`Error::Saved`](crate::Error::Saved) with the problem and its place if the file is truncated,
    /// damaged, of a later version, or of another kind, such as a state, which [`World::load_into`] loads.
    ///
    /// ```
    /// use hitmask::{Save, World};
    ///
    /// let mut file = World::default().save(Save::Whole)?;
    /// file[40] ^= 1;
    /// let error = World::load(&file).unwrap_err().to_string();
    /// assert_eq!(error, "saved file: it is damaged: its digest does not match");
    /// let state = World::default().save(Save::State)?;
    /// assert!(World::load(&state).unwrap_err().to_string().contains("not a whole world"));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn load(file: &[u8]) -> Result<Self> {
        let file = match Header::read(file)?.content {
            Content::Moment => Reader::after_header(file).nested()?,
            _ => file,
        };
        let (header, mut reader) = Reader::open(file, Content::World)?;
        let mut world = Self::new(header.touch);
        world.load_shapes(&mut reader)?;
        world.load_bodies(&header, reader)?;
        Ok(world)
    }

    /// Loads a world that [`World::save`] saved, whole or as a state, into this one, whose memory is used again. On an
    /// error nothing changes.
    ///
    /// Only bodies that differ are computed anew, and only they count as changed for the engines and indexes that
    /// follow this world. A state needs the shapes that it was saved with, at the same handles; otherwise this returns
    /// [`Error::Saved`](crate::Error::Saved). [`World::load`] lists the other errors. Shapes that this world has
    /// already, by their digest, are not read from the file.
    ///
    /// ```
    /// use hitmask::{Body, Save, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let state = world.save(Save::State)?;
    /// let first = world.add(&Body::new(ball, [0, 0]))?;
    /// world.load_into(&state)?;
    /// assert!(world.body(first).is_none());
    /// assert_eq!(world.add(&Body::new(ball, [0, 0]))?, first); // the same history: the same handle
    ///
    /// let error = World::default().load_into(&state).unwrap_err().to_string();
    /// assert_eq!(error, "saved file: it is a state of a world with other shapes than this one");
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn load_into(&mut self, file: &[u8]) -> Result<()> {
        let header = Header::read(file)?;
        let mut reader = Reader::after_header(file);
        let known = header.shapes == self.shapes_digest();
        match header.content {
            Content::World if known => shapes::skip(&mut reader)?,
            Content::State if known => {}
            Content::State => {
                return Err(file::wrong("it is a state of a world with other shapes than this one"));
            }
            _ => {
                *self = Self::load(file)?;
                return Ok(());
            }
        }
        self.load_bodies(&header, reader)
    }
}
