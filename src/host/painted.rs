//! The pixels that a sprite paints, as a mask.

use super::runs::Rows;
use crate::bits::row;
use crate::ground::error::{Error, Result};
use crate::ground::linear::Linear;
use crate::ground::touch::Touch;
use crate::mask::Mask;
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::packed::SPRITE;
use crate::world::shape::Shape;

impl World {
    /// Returns the pixels that a sprite paints at the start of the step, as a mask, and the world pixel that is the
    /// mask's texel `(0, 0)`: each pixel under whose centre the rotated, scaled and flipped sprite is solid. The mask
    /// covers just the bounding box of these pixels.
    ///
    /// Returns `None` if the body is not a sprite, paints nothing, or was removed, and [`Error::Mask`] if the mask
    /// would have a side of more than 8192 texels.
    ///
    /// ```
    /// use hitmask::{Body, Linear, Mask, Shape, World};
    ///
    /// let mut world = World::default();
    /// let arrow = world.add_shape(Shape::sprite(Mask::from_rows(&["..#", "###"])?))?;
    /// let turned = world.add(&Body::new(arrow, [10, 10]).posed(Linear::from_degrees(90.0)))?;
    /// let (mask, at) = world.painted(turned)?.unwrap();
    /// assert_eq!((mask.to_rows(), at), (vec!["#.".into(), "#.".into(), "##".to_owned()], [8, 10]));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn painted(&self, id: BodyId) -> Result<Option<(Mask, [i32; 2])>> {
        let Some(body) = self.posed(id).filter(|body| body.is(SPRITE)) else { return Ok(None) };
        let (mut rows, mut bounds) = (Rows::sprite(self.packed(), &body, Touch::Excluded), None);
        for y in rows.pixels().min.y..rows.pixels().max.y {
            let runs = rows.row(y);
            let Some((first, last)) = runs.first().zip(runs.last()) else { continue };
            let [left, top, right, _] = bounds.unwrap_or([first[0], y, last[1], y]);
            bounds = Some([left.min(first[0]), top, right.max(last[1]), y + 1]);
        }
        let Some([left, top, right, bottom]) = bounds else { return Ok(None) };
        let mask = draw(&mut rows, [left, top], [right - left, bottom - top].map(|side| side as u32))?;
        Ok(Some((mask, [left, top])))
    }
}

impl Mask {
    /// Returns this mask rotated about its centre, by degrees from +x toward +y, as a sprite with this mask is painted.
    /// The new mask is just large enough for the rotated rectangle, and has the same centre. Quarter turns are exact.
    ///
    /// Returns [`Error::Value`] for an angle that is not finite, and [`Error::Mask`] if the new mask would have a side
    /// of more than 8192 texels.
    ///
    /// ```
    /// use hitmask::Mask;
    ///
    /// let arrow = Mask::from_rows(&["..#", "###"])?;
    /// assert_eq!(arrow.rotated(90.0)?.to_rows(), ["#.", "#.", "##"]);
    /// assert_eq!(arrow.rotated(45.0)?.size(), [4, 4]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[doc(alias = "rotate")]
    pub fn rotated(&self, degrees: f64) -> Result<Self> {
        if !degrees.is_finite() {
            return Err(Error::value("degrees", degrees, "be finite"));
        }
        let (linear, [width, height]) = (Linear::from_degrees(degrees), self.size().map(f64::from));
        let size = [linear.x, linear.y].map(|[a, b]| (a.abs() * width + b.abs() * height).ceil());
        let mut world = World::default();
        let shape = Shape::sprite(self.clone()).anchored([width / 2.0, height / 2.0])?;
        let shape = world.add_shape(shape)?;
        let id = world.add(&Body::new(shape, size.map(|side| side / 2.0)).posed(linear))?;
        let body = world.packed().body(id.index() as usize);
        draw(&mut Rows::sprite(world.packed(), &body, Touch::Excluded), [0, 0], size.map(|side| side as u32))
    }
}

/// Draws rows of pixels within a box into a mask.
fn draw(rows: &mut Rows<'_>, [left, top]: [i32; 2], [width, height]: [u32; 2]) -> Result<Mask> {
    let stride = Mask::new(width, height)?.stride() as usize;
    let mut words = vec![0; stride * height as usize];
    for (y, line) in words.chunks_exact_mut(stride).enumerate() {
        for run in rows.row(top + y as i32) {
            let [start, end] = run.map(|x| (x - left).clamp(0, width as i32) as u32);
            row::set(line, start..end);
        }
    }
    Ok(Mask::of_words([width, height], words))
}
