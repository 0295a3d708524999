//! Sprites that fall apart: the parts that an edit cut off become bodies of their own.

use super::World;
use super::body::{Body, BodyId, ShapeId};
use super::edit::without_mask;
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
    /// Splits a sprite into its connected components. Each component that has texels in the box `[x, y, width, height]`
    /// or next to it, except the largest of them, becomes a new shape, and each body with the sprite gets a new body of
    /// that shape: otherwise a copy of the old one, its tag included. After an edit in that box these are the parts
    /// that it cut off, and parts near it that were separate before. Returns them in the order of [`Mask::components`].
    ///
    /// No pixel moves, so a fragment hits what its texels hit before. With [`Touch::Excluded`](crate::Touch::Excluded)
    /// it does not hit the body that it was cut off from; with `Included` it may, where their pixels touch: put both in
    /// one group to prevent it. Remove a fragment's shape when its bodies are gone.
    ///
    /// Finding the parts takes as long as [`Mask::loose_parts`]; then come passes over the bodies of the world. A mask
    /// that a copy of the world shares is copied first.
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
            return Err(without_mask());
        };
        let loose = mask.loose_parts(around, neighbours);
        let parts = loose.iter().map(|part| (part.bounds(), part.mask()));
        let parts = parts.map(|(bounds, mask)| Ok((bounds, of_part(mask, anchor, bounds)?)));
        let parts = parts.collect::<Result<Vec<(_, Shape)>>>()?;
        let users: Vec<BodyId> = self.users(index).filter_map(|body| self.id(body as u32)).collect();
        // Room for everything is made before the first change, and no other step can fail.
        self.make_indices_room(self.indices() + users.len() * parts.len())?;
        self.make_room(parts.len(), parts.iter().map(|(_, shape)| shape.packed_len()).sum())?;
        if !parts.is_empty() {
            let erased = |whole: &mut Mask| {
                for ([x, y, ..], part) in &parts {
                    part.mask().map(|part| whole.erase(part, [*x as i32, *y as i32]));
                }
            };
            self.edit_mask(id, erased)?;
        }
        let mut made = Vec::with_capacity(parts.len());
        for (bounds, part) in parts {
            let pivot = part.mask().and_then(Mask::centroid).unwrap_or_default().into();
            let shape = self.add_shape(part)?;
            let mut bodies = Vec::with_capacity(users.len());
            for &old in &users {
                let Some(body) = self.body(old) else { continue };
                bodies.push([old, self.add(&Body { shape, ..body })?]);
            }
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
        return Err(Error::value("anchor", value, format!("lie within ±{} units", MAX_ANCHOR / SUBPIXELS)));
    }
    Ok(Shape { anchor, ..Shape::sprite(mask) })
}
