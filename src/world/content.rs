//! The content of a world: comparing two worlds, and a checksum.
//!
//! ```text
//! checksum = digest(touch, shapes, past additions, number of indices, forms, positions, motions)
//!   shapes    kept by shape: the digest of each, updated row by row when a mask is edited
//!   forms     kept as a sum over the bodies, updated when one is added, removed or set
//!   positions and motions are read when a checksum is asked for: most of them change in each step
//! ```

use super::World;
use super::member::Member;
use super::packed::{DETECTOR, OFF, Packed};
use super::shape::{Geometry, Shape};
use crate::ground::digest;
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::touch::Touch;

impl World {
    /// Returns a checksum of all content: touch rule, shapes, bodies, and all handles, also those that later additions
    /// will get. It is the same on every machine, so two players of a game can compare it in each step.
    ///
    /// Equal worlds have equal checksums; two that differ have different ones, but for a chance of about 1 in 2^64. It
    /// reads the positions and motions of all bodies; the rest is kept up with edits.
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
            self.forms,
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

    /// Edits the form of the body at an index, and updates the sum of all.
    pub(super) fn edit_form(&mut self, index: usize, edit: impl FnOnce(&mut Self)) {
        self.forms = self.forms.wrapping_sub(self.form(index));
        edit(self);
        self.forms = self.forms.wrapping_add(self.form(index));
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
