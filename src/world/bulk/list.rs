//! Adding and removing the bodies of a list.

use super::parts::collect;
use super::place_at;
use crate::ground::error::{Error, Result};
use crate::ground::memory::Room;
use crate::world::World;
use crate::world::bodies::BODIES;
use crate::world::body::{Body, BodyId, body_at};

impl World {
    /// Adds many bodies, each at the lowest free index, and returns their handles in the order of the list.
    ///
    /// The result is that of [`World::add`] for one after the other, but memory is allocated once, and from 8,192
    /// bodies on all idle threads share the checks, as for [`World::set_positions`].
    ///
    /// On an error no body is added: an [`Error::In`] names the first place of the list whose body is invalid, and
    /// holds an [`Error::Value`] with the field, or [`Error::Gone`] with the shape; [`Error::Capacity`] means that
    /// there is not enough memory.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let tile = world.add_shape(Shape::rect(16.0, 16.0)?)?;
    /// let level: Vec<Body> = (0..100).map(|x| Body::new(tile, [16 * x, 200])).collect();
    /// let tiles = world.add_all(&level)?;
    /// assert_eq!((tiles.len(), tiles[99].index()), (100, 99));
    /// let error = world.add_all(&[level[0], Body::new(tile, [0.0, 1e9])]).unwrap_err();
    /// let value = "`at.y` is 1000000000; it must lie within ±2097151.99609375 units";
    /// assert_eq!(error.to_string(), format!("place 1 of the list: {value}"));
    /// assert_eq!(world.len(), 100); // as it was
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn add_all(&mut self, bodies: &[Body]) -> Result<Vec<BodyId>> {
        let world = &*self;
        let posed = collect(bodies.len(), |place| {
            Some(world.pose_apart(&bodies[place]).map_err(|error| error.of(place_at(place))))
        })?;
        let mut ids = Vec::new();
        Room::default().reserve(&mut ids, bodies.len(), BODIES)?;
        self.make_body_room(bodies.len())?;
        ids.extend(posed.iter().flatten().zip(bodies).map(|(posed, body)| self.insert(posed, body)));
        Ok(ids)
    }

    /// Removes the bodies of a list; [`World::clear`] removes all bodies of the world.
    ///
    /// The result is that of [`World::remove`] for one after the other. The list is checked first, in time that grows
    /// with its length and with a 64th of [`World::indices`].
    ///
    /// On an error no body is removed: an [`Error::In`] names the first invalid place of the list, and holds an
    /// [`Error::Gone`] if the body was removed or belongs to another world, or an [`Error::Value`] if it is listed for
    /// the second time. [`Error::Capacity`] means that there is not enough memory.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let ids = world.add_all(&[Body::new(ball, [0, 0]), Body::new(ball, [5, 0]), Body::new(ball, [9, 0])])?;
    /// let error = world.remove_all(&[ids[2], ids[0], ids[2]]).unwrap_err();
    /// let value = "`bodies` is a list with body 2 twice; it must have each body once";
    /// assert_eq!(error.to_string(), format!("place 2 of the list: {value}"));
    /// world.remove_all(&[ids[2], ids[0]])?;
    /// assert_eq!(world.ids().collect::<Vec<_>>(), [ids[1]]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn remove_all(&mut self, bodies: &[BodyId]) -> Result<()> {
        self.check_each_once(bodies)?;
        for id in bodies {
            self.take_out(id.index as usize);
        }
        Ok(())
    }

    /// Checks that the bodies of a list are there, and that each is listed once.
    fn check_each_once(&self, bodies: &[BodyId]) -> Result<()> {
        // A bit for each index.
        let mut listed = Room::default().zeros::<u64>(self.indices().div_ceil(64), BODIES)?;
        for (place, &id) in bodies.iter().enumerate() {
            let index = self.index_of(id).map_err(|error| error.of(place_at(place)))?;
            let (word, bit) = (&mut listed[index / 64], 1 << (index % 64));
            if *word & bit != 0 {
                return Err(twice(id).of(place_at(place)));
            }
            *word |= bit;
        }
        Ok(())
    }
}

/// Returns the error for a body that a list has twice.
#[cold]
fn twice(id: BodyId) -> Error {
    Error::value("bodies", format!("a list with {} twice", body_at(id.index)), "have each body once")
}
