//! Lists of coloured lines.

use bytemuck::{Pod, Zeroable};

use super::palette::Color;

/// A coloured line, of 20 bytes without padding, so that a list can be copied into a vertex buffer.
///
/// As an instance of two vertices, it has the attributes `Float32x2`, `Float32x2` and `Unorm8x4`.
///
/// ```
/// use hitmask::debug::Line;
///
/// let line = Line { from: [0.0, 1.0], to: [2.0, 3.0], color: [255, 0, 0, 255] };
/// assert_eq!(bytemuck::bytes_of(&line).len(), 20);
/// ```
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Line {
    /// The start, in units from [`Draw::origin`](super::Draw::origin).
    pub from: [f32; 2],
    /// The end, in units from the origin.
    pub to: [f32; 2],
    /// The colour.
    pub color: Color,
}

/// A list of lines, to be reused from frame to frame.
///
/// ```
/// use hitmask::World;
/// use hitmask::debug::{Draw, Lines};
///
/// let (world, mut lines) = (World::default(), Lines::new());
/// for _frame in 0..2 {
///     lines.clear();
///     Draw::default().world(&world, &mut lines)?;
///     let bytes: &[u8] = bytemuck::cast_slice(lines.as_slice()); // for a vertex buffer
///     assert_eq!(bytes.len(), 0); // the world is empty
/// }
/// # Ok::<(), hitmask::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lines(pub(super) Vec<Line>);

impl Lines {
    /// Makes an empty list.
    ///
    /// ```
    /// assert!(hitmask::debug::Lines::new().as_slice().is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Removes all lines, and keeps the memory.
    ///
    /// ```
    /// use hitmask::debug::{Draw, Lines};
    /// use hitmask::{Body, Shape, World};
    ///
    /// let (mut world, mut lines) = (World::default(), Lines::new());
    /// let tile = world.add_shape(Shape::rect(8.0, 8.0)?)?;
    /// world.add(&Body::new(tile, [0, 0]))?;
    /// Draw::default().world(&world, &mut lines)?;
    /// assert_eq!(lines.as_slice().len(), 4);
    /// lines.clear();
    /// assert!(lines.as_slice().is_empty());
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Returns the lines, in the order in which to draw them.
    ///
    /// ```
    /// assert_eq!(hitmask::debug::Lines::new().as_slice(), []);
    /// ```
    #[must_use]
    pub fn as_slice(&self) -> &[Line] {
        &self.0
    }
}
