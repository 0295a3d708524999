//! Bodies that fall apart: the parts that an edit cut off a mask become bodies of their own.

use super::World;
use super::body::{BodyId, ShapeId};
use super::shape::Shape;
use crate::ground::error::{Error, Result};
use crate::ground::lattice::{MAX_ANCHOR, Point, SUBPIXELS};
use crate::ground::vec2::Vec2;
use crate::mask::{Mask, Neighbours};

/// A part that was cut off a sprite, as [`World::split`] makes it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Fragment {
    /// The new shape: the part's texels, within their bounding box. It has the anchor of the old one, at the same place
    /// among the texels.
    pub shape: ShapeId,
    /// The box of the part's texels in the old mask, `[x, y, width, height]`.
    pub bounds: [u32; 4],
    /// The centre of mass of the part, in units from the local origin of the new shape: a pivot for its rotation.
    pub pivot: Vec2,
    /// The bodies that had the old shape, in order of index, each with the new body that is the part of it.
    pub bodies: Vec<[BodyId; 2]>,
}

impl World {
    /// Makes bodies of the parts that edits in a box of texels `[x, y, width, height]` have cut off a sprite: of each
    /// connected component there but the largest, which stays.
    ///
    /// The texels of a part leave the mask and become a shape of their own; each body that has the sprite gets a new
    /// body with that shape, which is as the old one in everything else. No pixel moves, so a part hits what its texels
    /// hit before, and not the body that it was cut off. The time depends on the size of the box and of the parts, not on
    /// that of the mask. Returns the parts in the order of [`Mask::components`]; see [`Mask::loose_parts`].
    ///
    /// Returns [`Error::Value`] if the shape is not a sprite, or if the anchor would lie too far from a part, and
    /// [`Error::Capacity`] if there is not enough memory; nothing changes then.
    ///
    /// ```
    /// use hitmask::{Body, Mask, Shape, World, mask::Neighbours};
    ///
    /// let mut world = World::default();
    /// let tower = world.add_shape(Shape::sprite(Mask::from_rows(&["###", ".#.", ".#.", "###", "###"])?))?;
    /// let standing = world.add(&Body::new(tower, [100, 50]))?;
    /// let shot = [0, 2, 3, 1];
    /// world.edit_mask(tower, |mask| mask.erase_rect(shot.map(|v| v as i32)))?;
    ///
    /// let parts = world.split(tower, shot, Neighbours::Four)?;
    /// let [old, falling] = parts[0].bodies[0];
    /// assert_eq!((parts.len(), old), (1, standing));
    /// assert_eq!(world.shape(parts[0].shape).unwrap().mask().unwrap().to_rows(), ["###", ".#."]);
    /// assert_eq!(world.bounds(falling).unwrap().min.units(), [100.0, 50.0]);
    /// assert_eq!(world.bounds(standing).unwrap().min.units(), [100.0, 53.0]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    pub fn split(&mut self, id: ShapeId, around: [u32; 4], neighbours: Neighbours) -> Result<Vec<Fragment>> {
        let index = self.index_of_shape(id)?;
        let Some((mask, anchor)) = self.shapes[index].as_ref().and_then(|shape| Some((shape.mask()?, shape.anchor)))
        else {
            return Err(Error::value(
                "shape",
                "a box, circle, capsule or polygon",
                "be a sprite: only sprites have masks",
            ));
        };
        let loose = mask.loose_parts(around, neighbours);
        let parts = loose.iter().map(|part| (part.bounds(), part.mask()));
        let parts = parts.map(|(bounds, mask)| Ok((bounds, of_part(mask, anchor, bounds)?)));
        let parts = parts.collect::<Result<Vec<(_, Shape)>>>()?;
        let has_it = |body: &BodyId| self.packed.poses[body.index as usize].shape == id.index;
        let users: Vec<BodyId> = self.ids().filter(has_it).collect();
        // All that can fail comes before the first change.
        self.make_indices_room(self.indices() + users.len() * parts.len())?;
        let shapes = self.add_shapes(parts.iter().map(|(_, shape)| shape.clone()))?;
        let mut made = Vec::with_capacity(parts.len());
        for (shape, (bounds, part)) in shapes.into_iter().zip(parts) {
            let Some(mask) = part.mask() else { continue };
            let [x, y, ..] = bounds.map(|v| v as i32);
            self.edit_mask(id, |whole| whole.erase(mask, [x, y]))?;
            let mut bodies = Vec::with_capacity(users.len());
            for &old in &users {
                let Some(body) = self.body(old) else { continue };
                bodies.push([old, self.add(&super::body::Body { shape, ..body })?]);
            }
            let pivot = mask.centroid().unwrap_or_default().into();
            made.push(Fragment { shape, bounds, pivot, bodies });
        }
        Ok(made)
    }
}

/// Makes the shape of a part: its mask, with the anchor of the whole at the same place among the texels.
fn of_part(mask: Mask, anchor: Point, [x, y, ..]: [u32; 4]) -> Result<Shape> {
    let origin = [x, y].map(|v| v as i32 * SUBPIXELS);
    let anchor = Point::new(anchor.x - origin[0], anchor.y - origin[1]);
    let fits = [anchor.x, anchor.y].iter().all(|v| (-MAX_ANCHOR..=MAX_ANCHOR).contains(v));
    if !fits {
        let value = format!("{:?}, seen from a part at texel [{x}, {y}]", anchor.units());
        return Err(Error::value("anchor", value, "lie within ±16384 units"));
    }
    Ok(Shape { anchor, ..Shape::sprite(mask) })
}
