//! The handles of bodies and shapes.

/// A handle to a shape in a [`World`](crate::World). Once the shape is removed, using the handle is an error; it never
/// names another shape. [`BodyId`] says what a handle depends on, and in which worlds it is valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ShapeId {
    pub(crate) index: u32,
    pub(crate) serial: u64,
}

impl ShapeId {
    /// Returns the shape's index in the world: the lowest that was free when it was added.
    ///
    /// ```
    /// use hitmask::{Shape, World};
    ///
    /// let mut world = World::default();
    /// world.add_shape(Shape::circle(1.0)?)?;
    /// assert_eq!(world.add_shape(Shape::circle(2.0)?)?.index(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the handle as a number below 2^96, for a game's own files and messages.
    ///
    /// ```
    /// use hitmask::{Shape, ShapeId, World};
    ///
    /// let id = World::default().add_shape(Shape::circle(1.0)?)?;
    /// assert_eq!(ShapeId::from_bits(id.to_bits()), Some(id));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn to_bits(self) -> u128 {
        to_bits(self.index, self.serial)
    }

    /// Makes a handle from the number that [`ShapeId::to_bits`] returned; `None` if it is 2^96 or more. Any other
    /// number makes a handle, valid or not.
    ///
    /// ```
    /// use hitmask::{ShapeId, World};
    ///
    /// assert!(ShapeId::from_bits(1 << 96).is_none());
    /// let unknown = ShapeId::from_bits(7 << 32).unwrap();
    /// assert!(World::default().shape(unknown).is_none());
    /// ```
    #[must_use]
    pub fn from_bits(bits: u128) -> Option<Self> {
        from_bits(bits).map(|(index, serial)| Self { index, serial })
    }
}

/// A handle to a body in a [`World`](crate::World). Once the body is removed, using the handle is an error; it never
/// names another body.
///
/// A handle is an index and a 64-bit digest of the world's history: of the touch rule, and of all shapes and bodies
/// added until then, this one included, each with its content and its index. So the same history gives the same
/// handles, in every run and on every machine: a world that was cloned, or saved and loaded, gives equal handles for
/// equal additions. Two worlds whose histories differ refuse each other's handles, but for those of their common past.
///
/// Handles are ordered by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId {
    pub(crate) index: u32,
    pub(crate) serial: u64,
}

impl BodyId {
    /// Returns the index by which answers and GPU buffers name the body while it exists: the lowest that was free when
    /// it was added. [`World::id`](crate::World::id) maps it back to the handle.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// world.add(&Body::new(ball, [0, 0]))?;
    /// assert_eq!(world.add(&Body::new(ball, [5, 0]))?.index(), 1);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn index(self) -> u32 {
        self.index
    }

    /// Returns the handle as a number below 2^96, for a game's own files and messages.
    ///
    /// ```
    /// use hitmask::{Body, BodyId, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// assert_eq!(BodyId::from_bits(id.to_bits()), Some(id));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn to_bits(self) -> u128 {
        to_bits(self.index, self.serial)
    }

    /// Makes a handle from the number that [`BodyId::to_bits`] returned; `None` if it is 2^96 or more. Any other number
    /// makes a handle, valid or not.
    ///
    /// ```
    /// use hitmask::{BodyId, World};
    ///
    /// assert!(BodyId::from_bits(1 << 96).is_none());
    /// let unknown = BodyId::from_bits(7 << 32).unwrap();
    /// assert!(World::default().body(unknown).is_none());
    /// ```
    #[must_use]
    pub fn from_bits(bits: u128) -> Option<Self> {
        from_bits(bits).map(|(index, serial)| Self { index, serial })
    }
}

/// Packs a handle: the serial number above the index.
fn to_bits(index: u32, serial: u64) -> u128 {
    u128::from(serial) << 32 | u128::from(index)
}

/// Unpacks a handle.
fn from_bits(bits: u128) -> Option<(u32, u64)> {
    Some((bits as u32, u64::try_from(bits >> 32).ok()?))
}
