//! The content of a world: comparing two worlds, and a checksum.
//!
//! ```text
//! checksum = digest(touch, shapes, past additions, number of indices, forms, positions, motions)
//!   shapes    kept by shape: the digest of each, updated row by row when a mask is edited
//!   forms     kept as a sum over the bodies, updated when one is added, removed or set; summed up anew after an edit
//!             of most bodies at once
//!   positions and motions are read when a checksum is asked for: most of them change in each step
//! ```

use std::sync::OnceLock;

use super::World;
use super::member::Member;
use super::packed::{DETECTOR, OFF, Packed};
use super::shape::{Geometry, Shape};
use crate::ground::digest;
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::touch::Touch;

/// The wrapping sum of the digests of all bodies' forms, unless it must be summed up anew.
#[derive(Clone, Debug)]
pub(super) struct Forms(OnceLock<u64>);

impl Default for Forms {
    /// Returns the sum over no bodies.
    fn default() -> Self {
        Self(OnceLock::from(0))
    }
}

impl World {
    /// Returns a checksum of all content: touch rule, shapes, bodies, and all handles, also those that later additions
    /// will get. It is the same on every machine, so two players of a game can compare it in each step.
    ///
    /// Equal worlds have equal checksums; two that differ have different ones, but for a chance of about 1 in 2^64. It
    /// reads the positions and motions of all bodies; the rest is kept up with edits, and read too after a bulk edit of
    /// the shapes or linear parts of most bodies.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut here = World::default();
    /// let ball = here.add_shape(Shape::circle(1.0)?)?;
    /// let id = here.add(&Body::new(ball, [0, 0]))?;
    /// let mut there = here.clone();
    /// there.set(id, &Body::new(ball, [0.0, 1.0 / 256.0]))?;
    /// assert_ne!(here.checksum(), there.checksum());
    /// here.set(id, &Body::new(ball, [0.0, 1.0 / 256.0]))?;
    /// assert_eq!((here.checksum(), &here), (there.checksum(), &there));
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let motions = &self.packed.motions;
        let at_rest = !self.packed.moving || motions.iter().all(|motion| *motion == Point::ZERO);
        digest::of_words([
            self.shapes_digest(),
            self.body_handles.past(),
            self.indices() as u64,
            self.forms(),
            digest::of_column(&self.packed.positions),
            if at_rest { 0 } else { digest::of_column(motions) },
        ])
    }

    /// Returns the digest of everything but bodies: the touch rule, all shapes and their handles.
    pub(super) fn shapes_digest(&self) -> u64 {
        let included = u64::from(self.touch == Touch::Included);
        let start = digest::of_words([included, self.shape_handles.past(), self.shapes.len() as u64]);
        self.shape_handles.iter().fold(start, |digest, (index, serial)| {
            digest::of_words([digest, index.into(), serial, self.shape_digests[index as usize]])
        })
    }

    /// Returns the digest of a body's form, with its handle: all but position and motion.
    pub(super) fn form(&self, index: usize) -> u64 {
        self.form_with(index, self.body_handles.serial(index as u32).unwrap_or_default())
    }

    /// As [`World::form`], for a body that will have this serial number.
    pub(super) fn form_with(&self, index: usize, serial: u64) -> u64 {
        let (pose, filter) = (&self.packed.poses[index], &self.packed.filters[index]);
        let Linear { x: [a, b], y: [c, d] } = self.linears[index];
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        digest::of_words([
            pair(index as u32, pose.shape),
            serial,
            a.to_bits(),
            b.to_bits(),
            c.to_bits(),
            d.to_bits(),
            pair(filter.layers, filter.mask),
            pair(filter.group, pose.flags & (OFF | DETECTOR)),
            self.tags[index],
        ])
    }

    /// Returns the wrapping sum of the digests of all forms.
    fn forms(&self) -> u64 {
        *self.forms.0.get_or_init(|| self.sum_of_forms())
    }

    fn sum_of_forms(&self) -> u64 {
        self.body_handles
            .iter()
            .fold(0, |sum, (index, serial)| sum.wrapping_add(self.form_with(index as usize, serial)))
    }

    /// Edits the form of the body at an index, and updates the sum of all.
    #[inline(always)]
    pub(super) fn edit_form(&mut self, index: usize, edit: impl FnOnce(&mut Self)) {
        self.discount_form(index);
        edit(self);
        self.count_form(index);
    }

    /// Adds the form of the body at an index to the sum of all.
    #[inline(always)]
    pub(super) fn count_form(&mut self, index: usize) {
        self.count_form_with(index, self.body_handles.serial(index as u32).unwrap_or_default());
    }

    /// As [`World::count_form`], for a body that will have this serial number.
    #[inline(always)]
    pub(super) fn count_form_with(&mut self, index: usize, serial: u64) {
        if let Some(&sum) = self.forms.0.get() {
            self.forms = Forms(OnceLock::from(sum.wrapping_add(self.form_with(index, serial))));
        }
    }

    /// Takes the form of the body at an index from the sum of all.
    #[inline(always)]
    pub(super) fn discount_form(&mut self, index: usize) {
        if let Some(&sum) = self.forms.0.get() {
            self.forms = Forms(OnceLock::from(sum.wrapping_sub(self.form(index))));
        }
    }

    /// Has the next checksum sum up all forms. That takes a digest for each body, in place of two for each body that is
    /// edited until then.
    pub(super) fn forget_forms(&mut self) {
        self.forms.0.take();
    }

    /// Asserts that the sum of forms is right, if there is one.
    #[cfg(any(test, feature = "internals"))]
    pub(super) fn validate_forms(&self) {
        assert!(self.forms.0.get().is_none_or(|&sum| sum == self.sum_of_forms()), "digests of forms");
    }
}

impl PartialEq for World {
    /// Compares the content, not how it came about.
    fn eq(&self, other: &Self) -> bool {
        let Packed { positions, motions, poses, filters, .. } = &self.packed;
        self.touch == other.touch
            && self.body_handles == other.body_handles
            && self.shape_handles == other.shape_handles
            && (self.shapes_version == other.shapes_version || self.shapes == other.shapes)
            && *positions == other.packed.positions
            && *motions == other.packed.motions
            && *poses == other.packed.poses
            && *filters == other.packed.filters
            && self.linears == other.linears
            && self.tags == other.tags
    }
}

impl Shape {
    /// Returns the digest of the shape. That of a mask is a sum over its rows.
    pub(super) fn digest(&self) -> u64 {
        match &self.geometry {
            Geometry::Convex { radius, members, .. } => {
                let rings = self.rings();
                let start = digest::of_words([self.anchor.word(), *radius as u64, rings.len() as u64]);
                let start = members.iter().fold(start, |digest, &Member { radius, tag, rings }| {
                    digest::of_words([digest, radius as u64, tag.into(), rings as u64])
                });
                let add = |digest, ring: &Vec<Point>| digest::of_words([digest, digest::of_column(ring)]);
                rings.iter().fold(start, add)
            }
            Geometry::Sprite(mask) => {
                let [width, height] = mask.size().map(u64::from);
                let start = digest::of_words([self.anchor.word(), width, height, u64::MAX]);
                start.wrapping_add(digest::of_rows(mask.words(), mask.stride() as usize, 0))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::bulk::Bodies;
    use crate::{Body, BodyId};

    #[test]
    fn checksums_do_not_depend_on_how_bodies_were_edited() {
        let mut world = World::default();
        let shapes = [2.0, 3.0].map(|side| world.add_shape(Shape::rect(side, 1.0).unwrap()).unwrap());
        let ids: Vec<BodyId> = (0..9).map(|x| world.add(&Body::new(shapes[0], [9 * x, 0])).unwrap()).collect();
        let linears: Vec<Linear> = (0..9).map(|k| Linear::from_degrees(f64::from(7 * k))).collect();
        // Of all bodies, of most, of few; asked for in between or not.
        for (count, asks) in [(9, false), (9, true), (6, true), (1, true), (8, false), (2, false)] {
            let (mut whole, mut single) = (world.clone(), world.clone());
            if asks {
                let _known = whole.checksum();
            }
            whole.set_linears(Bodies::These(&ids[..count]), &linears[..count]).unwrap();
            if asks {
                let _known = whole.checksum();
            }
            whole.set_shapes(Bodies::These(&ids[..count]), &vec![shapes[1]; count]).unwrap();
            for (id, linear) in ids.iter().zip(&linears).take(count) {
                let body = single.body(*id).unwrap();
                single.set(*id, &Body { shape: shapes[1], linear: *linear, ..body }).unwrap();
            }
            assert_eq!((whole.checksum(), &whole), (single.checksum(), &single), "{count}");
            assert_ne!(whole.checksum(), world.checksum());
            // Edits one by one keep it up.
            for world in [&mut whole, &mut single] {
                world.set_filter(ids[4], 2, 3, 0).unwrap();
                world.remove(ids[7]).unwrap();
                world.validate();
            }
            assert_eq!(whole.checksum(), single.checksum(), "{count}");
        }
    }

    #[test]
    fn the_last_pose_of_a_body_that_is_listed_twice_counts() {
        let mut world = World::default();
        let tile = world.add_shape(Shape::rect(4.0, 2.0).unwrap()).unwrap();
        let id = world.add(&Body::new(tile, [0, 0])).unwrap();
        let before = world.clone();
        let turned = Linear::from_degrees(30.0);
        world.set_linears(Bodies::These(&[id, id]), &[turned, Linear::IDENTITY]).unwrap();
        assert_eq!((&world, world.bounds(id)), (&before, before.bounds(id)));
        world.set_linears(Bodies::These(&[id, id]), &[Linear::IDENTITY, turned]).unwrap();
        assert_eq!(world.body(id).unwrap().linear, turned);
        world.validate();
    }
}
