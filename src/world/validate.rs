//! The invariants of a world, for tests.

use super::World;
use super::packed::{self, DETECTOR, Kind};
use super::pose::land::bound;
use crate::bits::look::Look;
use crate::ground::aabb::Aabb;
use crate::ground::linear::Linear;

impl World {
    /// Asserts that everything that the world keeps beside its content follows from its content.
    ///
    /// # Panics
    ///
    /// Panics with the first thing that does not.
    ///
    /// ```
    /// hitmask::World::default().validate();
    /// ```
    #[doc(hidden)]
    pub fn validate(&self) {
        self.validate_shapes();
        let packed = &self.packed;
        let indices = self.indices();
        assert_eq!(packed.len(), indices);
        self.body_handles.validate();
        let mut uses = vec![0; self.shapes.len()];
        for index in 0..indices {
            let posed = packed.body(index);
            let Some(body) = self.id(index as u32).and_then(|id| self.body(id)) else {
                assert_eq!(packed.kinds[index], Kind::Absent, "body {index} is gone");
                assert_eq!(packed.poses[index], packed::Pose::NONE, "body {index} is gone");
                assert_eq!((self.linears[index], self.tags[index]), (Linear::IDENTITY, 0), "body {index} is gone");
                continue;
            };
            assert_eq!(self.pose_apart(&body).unwrap(), posed, "body {index} is posed by its content");
            assert_eq!(body.linear, body.linear.without_minus_zero());
            let shape = &packed.shapes[posed.shape as usize];
            let kind = posed.kind(shape.corners);
            let bounds = if kind == Kind::Absent { Aabb::NOWHERE } else { bound(&posed) };
            assert_eq!((packed.kinds[index], packed.bounds[index]), (kind, bounds), "body {index}");
            assert_eq!(packed.looks[index], posed.look(shape), "body {index}");
            assert!(packed.moving || !posed.moves(), "body {index} moves");
            assert!(packed.varied || kind == Kind::Box, "body {index} is no box");
            assert!(packed.masked || packed.looks[index] == Look::default(), "body {index} has a look");
            assert!(packed.grouped || posed.filter.group == 0, "body {index} is in a group");
            assert!(packed.detecting || !posed.is(DETECTOR), "body {index} is a detector");
            uses[posed.shape as usize] += 1;
        }
        assert_eq!(self.uses, uses, "uses of shapes");
        self.validate_forms();
        let detectors = packed.poses.iter().map(|pose| pose.flags & DETECTOR != 0);
        packed.classes.validate(packed.filters.iter().zip(detectors), |index| self.id(index as u32).is_some());
    }

    fn validate_shapes(&self) {
        self.shape_handles.validate();
        assert_eq!(self.shape_handles.indices(), self.shapes.len());
        for (index, shape) in self.shapes.iter().enumerate() {
            let packed = &self.packed.shapes[index];
            let Some(shape) = shape else {
                assert_eq!(*packed, packed::Shape::default(), "shape {index} is gone");
                continue;
            };
            let first = packed.first as usize / 2;
            let words = shape.packed_words();
            assert_eq!(*packed, shape.packed_at(first), "shape {index}");
            assert_eq!(self.packed.words()[first..][..words.len()], words, "the words of shape {index}");
            assert_eq!(self.shape_digests[index], shape.digest(), "the digest of shape {index}");
            assert_eq!(self.solid[index], shape.mask().and_then(crate::mask::Mask::bounds), "shape {index}");
        }
    }
}
