//! Copying a world, and over another one: only what differs is noted as changed, so that an engine or an index that
//! follows a world goes on when the world goes back to an earlier state.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::World;
use super::changes::Changes;
use super::packed::Packed;

/// Number of indices that are compared at once.
const TOGETHER: usize = 64;
/// If more than one in this many bodies differ, all are noted as changed.
const CHANGED: usize = 4;

/// The version of a world's shapes: equal versions mean equal shapes, in the same place of the atlas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Version(u64);

impl Version {
    /// Takes a number that no other version has. The default, 0, is that of a world without shapes.
    pub(super) fn renew(&mut self) {
        static VERSIONS: AtomicU64 = AtomicU64::new(1);
        self.0 = VERSIONS.fetch_add(1, Relaxed);
    }
}

impl Clone for World {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    /// Copies a world over this one and keeps its memory, as for a ring of saved states. It takes little more time than
    /// copying the bytes, and an engine or an index that follows this world goes on with what differs.
    ///
    /// ```
    /// use hitmask::{Body, Shape, World};
    ///
    /// let mut world = World::default();
    /// let ball = world.add_shape(Shape::circle(1.0)?)?;
    /// let id = world.add(&Body::new(ball, [0, 0]))?;
    /// let mut ring = vec![World::default(); 8];
    /// for step in 0..8 {
    ///     ring[step].clone_from(&world);
    ///     world.set(id, &Body::new(ball, [step as i32 + 1, 0]))?;
    /// }
    /// world.clone_from(&ring[3]); // back to step 3
    /// assert_eq!(world.body(id).unwrap().at.x, 3.0);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    fn clone_from(&mut self, source: &Self) {
        if self.shapes_version == source.shapes_version {
            self.note_differences(source);
        } else {
            self.copy_shapes(source);
            self.changed_bodies.note_all();
            self.changed_forms.note_all();
        }
        self.touch = source.touch;
        self.shape_handles.clone_from(&source.shape_handles);
        self.uses.clone_from(&source.uses);
        self.body_handles.clone_from(&source.body_handles);
        self.packed.clone_bodies_from(&source.packed);
        self.linears.clone_from(&source.linears);
        self.tags.clone_from(&source.tags);
        self.forms = source.forms;
    }
}

impl World {
    fn copy_shapes(&mut self, source: &Self) {
        self.shapes.clone_from(&source.shapes);
        self.solid.clone_from(&source.solid);
        self.shape_digests.clone_from(&source.shape_digests);
        self.shapes_version = source.shapes_version;
        self.packed.shapes.clone_from(&source.packed.shapes);
        self.packed.blocks.clone_from(&source.packed.blocks);
        self.packed.atlas.clone_from(&source.packed.atlas);
        self.changed_shapes.note_all();
        self.changed_words.note_all();
    }

    /// Notes the bodies that differ from those of a world with the same shapes.
    fn note_differences(&mut self, source: &Self) {
        let (now, then) = (&self.packed, &source.packed);
        let all = then.len();
        if now.len() > all || self.touch != source.touch {
            self.changed_bodies.note_all();
            self.changed_forms.note_all();
            return;
        }
        let common = now.len();
        note(&mut self.changed_bodies, common..all, all, |k| {
            now.positions[k.clone()] != then.positions[k.clone()]
                || now.motions[k.clone()] != then.motions[k.clone()]
                || now.has_other_forms(then, k)
        });
        note(&mut self.changed_forms, common..all, all, |k| now.has_other_forms(then, k));
    }
}

/// Notes the indices below those of `added` that differ, and all of `added`.
fn note(log: &mut Changes<u32>, added: Range<usize>, all: usize, differ: impl Fn(Range<usize>) -> bool) {
    let mut changed: Vec<u32> = Vec::new();
    for first in (0..added.start).step_by(TOGETHER) {
        let some = first..added.start.min(first + TOGETHER);
        if differ(some.clone()) {
            changed.extend(some.filter(|&k| differ(k..k + 1)).map(|k| k as u32));
        }
        if changed.len() * CHANGED > all {
            return log.note_all();
        }
    }
    changed.into_iter().chain(added.map(|k| k as u32)).for_each(|index| log.note(index, all));
}

impl Packed {
    /// Returns true if some bodies differ in more than position and motion.
    fn has_other_forms(&self, other: &Self, k: Range<usize>) -> bool {
        self.poses[k.clone()] != other.poses[k.clone()]
            || self.extents[k.clone()] != other.extents[k.clone()]
            || self.filters[k.clone()] != other.filters[k]
    }

    /// Copies the columns that have an entry for each body.
    fn clone_bodies_from(&mut self, source: &Self) {
        self.positions.clone_from(&source.positions);
        self.motions.clone_from(&source.motions);
        self.extents.clone_from(&source.extents);
        self.poses.clone_from(&source.poses);
        self.filters.clone_from(&source.filters);
        self.classes.clone_from(&source.classes);
        self.bounds.clone_from(&source.bounds);
        self.kinds.clone_from(&source.kinds);
        self.looks.clone_from(&source.looks);
        (self.moving, self.varied, self.masked) = (source.moving, source.varied, source.masked);
        (self.filtered, self.grouped) = (source.filtered, source.grouped);
    }
}
