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

    /// Copies a world over this one and keeps its memory, as for a ring of saved states. For the engines and indexes
    /// that follow this world, only bodies that differ count as changed.
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
        let added = now.len()..all;
        let placed = differing(&added, |k| {
            now.positions[k.clone()] != then.positions[k.clone()] || now.motions[k.clone()] != then.motions[k]
        });
        let formed = differing(&added, |k| now.has_other_forms(then, k));
        note(&mut self.changed_bodies, placed.as_deref(), all);
        note(&mut self.changed_bodies, formed.as_deref(), all);
        note(&mut self.changed_forms, formed.as_deref(), all);
    }
}

/// Returns the indices before `added` that differ, and all of `added`; `None` if they are many.
fn differing(added: &Range<usize>, differ: impl Fn(Range<usize>) -> bool) -> Option<Vec<u32>> {
    let mut changed: Vec<u32> = added.clone().map(|k| k as u32).collect();
    for first in (0..added.start).step_by(TOGETHER) {
        if changed.len() * CHANGED > added.end {
            return None;
        }
        let some = first..added.start.min(first + TOGETHER);
        if differ(some.clone()) {
            changed.extend(some.filter(|&k| differ(k..k + 1)).map(|k| k as u32));
        }
    }
    Some(changed)
}

/// Notes some bodies as changed, or all.
fn note(log: &mut Changes<u32>, changed: Option<&[u32]>, all: usize) {
    match changed {
        Some(changed) => changed.iter().for_each(|&index| log.note(index, all)),
        None => log.note_all(),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::body::Body;
    use crate::world::save::Save;
    use crate::world::shape::Shape;

    #[test]
    fn only_bodies_that_differ_count_as_changed() {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let ids: Vec<_> = (0..100).map(|x| world.add(&Body::new(ball, [x, 0])).unwrap()).collect();
        let (copy, state) = (world.clone(), world.save(Save::State).unwrap());
        let restore: [&dyn Fn(&mut World); 2] =
            [&|world| world.clone_from(&copy), &|world| world.load_into(&state).unwrap()];
        for restore in restore {
            world.set(ids[3], &Body::new(ball, [0, 9])).unwrap();
            world.set_filter(ids[7], 2, 2, 0).unwrap();
            world.remove(ids[99]).unwrap();
            let marks = [world.changed_bodies.mark(), world.changed_forms.mark()];
            restore(&mut world);
            let logs = [&world.changed_bodies, &world.changed_forms];
            let noted = [0, 1].map(|k| {
                let mut noted = logs[k].since(marks[k]).unwrap().to_vec();
                noted.sort_unstable();
                noted.dedup();
                noted
            });
            assert_eq!(noted, [vec![3, 7, 99], vec![7, 99]]);
            assert!(world == copy);
        }
    }
}
