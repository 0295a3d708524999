//! Copying a world, and over another one: only what differs is noted as changed, so that an engine or an index that
//! follows a world goes on when the world goes back to an earlier state.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Pod;

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
        let is_other = self.shapes_version != source.shapes_version;
        if is_other {
            self.copy_shapes(source);
        }
        // Otherwise bodies that differ are few, or in few columns.
        if is_other || self.packed.len() > source.packed.len() || self.touch != source.touch {
            self.changed_bodies.note_all();
            self.changed_forms.note_all();
            self.replace_bodies(source);
        } else {
            self.update_bodies(source);
        }
        self.touch = source.touch;
        self.shape_handles.clone_from(&source.shape_handles);
        self.uses.clone_from(&source.uses);
        self.body_handles.clone_from(&source.body_handles);
        self.packed.classes.clone_from(&source.packed.classes);
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

    /// Copies all columns of bodies.
    fn replace_bodies(&mut self, source: &Self) {
        self.linears.clone_from(&source.linears);
        self.tags.clone_from(&source.tags);
        let (to, from) = (&mut self.packed, &source.packed);
        to.positions.clone_from(&from.positions);
        to.motions.clone_from(&from.motions);
        to.extents.clone_from(&from.extents);
        to.poses.clone_from(&from.poses);
        to.filters.clone_from(&from.filters);
        to.bounds.clone_from(&from.bounds);
        to.kinds.clone_from(&from.kinds);
        to.looks.clone_from(&from.looks);
        to.copy_flags(from);
    }

    /// Copies the bodies of a world with the same shapes and at least as many indices: notes those that differ, and
    /// writes only where something does.
    fn update_bodies(&mut self, source: &Self) {
        let (common, all) = (self.packed.len(), source.packed.len());
        let mut placed = Differing::new(common..all);
        let mut formed = Differing::new(common..all);
        let (to, from) = (&mut self.packed, &source.packed);
        for first in (0..common).step_by(TOGETHER) {
            let some = first..common.min(first + TOGETHER);
            placed.look(some.clone(), all, |k| {
                differ(&to.positions, &from.positions, &k) || differ(&to.motions, &from.motions, &k)
            });
            formed.look(some.clone(), all, |k| to.has_other_forms(from, &k));
            update(&mut to.positions, &from.positions, &some);
            update(&mut to.motions, &from.motions, &some);
            update(&mut to.extents, &from.extents, &some);
            update(&mut to.poses, &from.poses, &some);
            update(&mut to.filters, &from.filters, &some);
            update(&mut to.bounds, &from.bounds, &some);
            update(&mut self.tags, &source.tags, &some);
            if self.linears[some.clone()] != source.linears[some.clone()] {
                self.linears[some.clone()].copy_from_slice(&source.linears[some.clone()]);
            }
            to.kinds[some.clone()].copy_from_slice(&from.kinds[some.clone()]);
            to.looks[some.clone()].copy_from_slice(&from.looks[some]);
        }
        to.positions.extend_from_slice(&from.positions[common..]);
        to.motions.extend_from_slice(&from.motions[common..]);
        to.extents.extend_from_slice(&from.extents[common..]);
        to.poses.extend_from_slice(&from.poses[common..]);
        to.filters.extend_from_slice(&from.filters[common..]);
        to.bounds.extend_from_slice(&from.bounds[common..]);
        to.kinds.extend_from_slice(&from.kinds[common..]);
        to.looks.extend_from_slice(&from.looks[common..]);
        self.tags.extend_from_slice(&source.tags[common..]);
        self.linears.extend_from_slice(&source.linears[common..]);
        to.copy_flags(from);
        placed.note(&mut self.changed_bodies, all);
        formed.note(&mut self.changed_bodies, all);
        formed.note(&mut self.changed_forms, all);
    }
}

/// The indices at which two worlds differ, as long as they are few.
struct Differing {
    indices: Vec<u32>,
    many: bool,
}

impl Differing {
    /// Begins with the indices that only one world has.
    fn new(added: Range<usize>) -> Self {
        let many = added.len() * CHANGED > added.end;
        Self { indices: if many { Vec::new() } else { added.map(|k| k as u32).collect() }, many }
    }

    /// Adds those of some indices, of `all`, at which the worlds differ.
    fn look(&mut self, some: Range<usize>, all: usize, differ: impl Fn(Range<usize>) -> bool) {
        if !self.many && differ(some.clone()) {
            self.indices.extend(some.filter(|&k| differ(k..k + 1)).map(|k| k as u32));
            self.many = self.indices.len() * CHANGED > all;
        }
    }

    /// Notes these indices, or all.
    fn note(&self, log: &mut Changes<u32>, all: usize) {
        if self.many { log.note_all() } else { self.indices.iter().for_each(|&index| log.note(index, all)) }
    }
}

/// Returns true if two columns differ anywhere in a range.
fn differ<T: Pod>(here: &[T], there: &[T], some: &Range<usize>) -> bool {
    bytemuck::cast_slice::<T, u8>(&here[some.clone()]) != bytemuck::cast_slice::<T, u8>(&there[some.clone()])
}

/// Copies a range of a column if it differs: reading takes less time than writing.
fn update<T: Pod>(to: &mut [T], from: &[T], some: &Range<usize>) {
    if differ(to, from, some) {
        to[some.clone()].copy_from_slice(&from[some.clone()]);
    }
}

impl Packed {
    /// Returns true if some bodies differ in more than position and motion.
    fn has_other_forms(&self, other: &Self, some: &Range<usize>) -> bool {
        differ(&self.poses, &other.poses, some)
            || differ(&self.extents, &other.extents, some)
            || differ(&self.filters, &other.filters, some)
    }

    /// Copies what is known of all bodies together.
    fn copy_flags(&mut self, source: &Self) {
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
