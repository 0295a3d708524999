//! Copying a world, and over another one: only what differs is noted as changed, so that an engine or an index that
//! follows a world goes on when the world goes back to an earlier state.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use bytemuck::Pod;

use super::World;
use super::changes::Changes;

/// The number of bytes of a column that are compared at once.
const BLOCK: usize = 4096;
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
        let all_change = is_other || self.packed.len() > source.packed.len() || self.touch != source.touch;
        self.copy_bodies(source);
        if all_change {
            self.changed_bodies.note_all();
            self.changed_forms.note_all();
        }
        self.touch = source.touch;
        self.shape_handles.clone_from(&source.shape_handles);
        self.uses.clone_from(&source.uses);
        self.body_handles.clone_from(&source.body_handles);
        self.packed.classes.clone_from(&source.packed.classes);
        self.forms = source.forms.clone();
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

    /// Copies the columns of bodies, and notes the bodies that differ.
    fn copy_bodies(&mut self, source: &Self) {
        let added = self.packed.len()..source.packed.len();
        let (mut placed, mut formed) = (Differing::new(added.clone()), Differing::new(added));
        let (to, from) = (&mut self.packed, &source.packed);
        update(&mut to.positions, &from.positions, &mut placed);
        update(&mut to.motions, &from.motions, &mut placed);
        update(&mut to.extents, &from.extents, &mut formed);
        update(&mut to.poses, &from.poses, &mut formed);
        update(&mut to.filters, &from.filters, &mut formed);
        // These follow from the columns above, or concern no engine.
        let mut others = Differing::ignored();
        update(&mut to.bounds, &from.bounds, &mut others);
        update(&mut self.linears, &source.linears, &mut others);
        update(&mut self.tags, &source.tags, &mut others);
        to.kinds.clone_from(&from.kinds);
        to.looks.clone_from(&from.looks);
        (to.moving, to.varied, to.masked) = (from.moving, from.varied, from.masked);
        (to.filtered, to.grouped, to.detecting) = (from.filtered, from.grouped, from.detecting);
        let all = from.len();
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

    /// Makes one for columns whose differences are not noted.
    fn ignored() -> Self {
        Self { indices: Vec::new(), many: true }
    }

    /// Notes these indices, or all.
    fn note(&self, log: &mut Changes<u32>, all: usize) {
        if self.many { log.note_all() } else { self.indices.iter().for_each(|&index| log.note(index, all)) }
    }
}

/// Copies a column over another, and adds the indices at which they differ. It writes only the blocks that differ, as
/// reading takes less time than writing.
fn update<T: Pod>(to: &mut Vec<T>, from: &[T], found: &mut Differing) {
    to.truncate(from.len());
    let (common, all, together) = (to.len(), from.len(), BLOCK / size_of::<T>());
    let blocks = to.chunks_mut(together).zip(from[..common].chunks(together));
    for (block, (to, from)) in blocks.enumerate() {
        if bytemuck::cast_slice::<T, u8>(to) == bytemuck::cast_slice::<T, u8>(from) {
            continue;
        }
        if !found.many {
            let differ = |k: &usize| bytemuck::bytes_of(&to[*k]) != bytemuck::bytes_of(&from[*k]);
            found.indices.extend((0..to.len()).filter(differ).map(|k| (block * together + k) as u32));
            found.many = found.indices.len() * CHANGED > all;
        }
        to.copy_from_slice(from);
    }
    to.extend_from_slice(&from[common..]);
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

    #[test]
    fn all_bodies_count_as_changed_if_more_than_a_quarter_differ() {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let ids: Vec<_> = (0..100).map(|x| world.add(&Body::new(ball, [x, 0])).unwrap()).collect();
        let copy = world.clone();
        for (count, noted) in [(25, Some(25)), (26, None)] {
            for &id in &ids[..count] {
                world.set(id, &Body::new(ball, [0, 9])).unwrap();
            }
            let mark = world.changed_bodies.mark();
            world.clone_from(&copy);
            assert_eq!(world.changed_bodies.since(mark).map(<[u32]>::len), noted, "{count} differ");
        }
    }
}
