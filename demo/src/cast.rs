//! The bodies of a scene, which can be added and removed.

use std::collections::{BTreeSet, VecDeque};
use std::ops::{Deref, DerefMut};

use hitmask::{Body, Mask, World};

/// The bodies of a scene by their indices, which equal those of the world: a new body takes the lowest index that was
/// free when the step began. A scene's changes enter the world all at once, after its step.
pub(crate) struct Cast {
    bodies: Vec<Body>,
    /// The bodies as they last entered the world.
    entered: Vec<Body>,
    /// The indices without a body, except those of bodies that are removed in this step.
    free: BTreeSet<usize>,
    coming: VecDeque<usize>,
    going: VecDeque<usize>,
    holes: Vec<Hole>,
}

/// An erasure from the mask of a shape.
#[derive(Clone)]
pub(crate) struct Hole {
    /// The index of the shape.
    pub(crate) shape: usize,
    pub(crate) stamp: Mask,
    /// The position of the stamp's top-left texel.
    pub(crate) at: [i32; 2],
}

/// The changes of the world.
#[derive(Default)]
pub(crate) struct Change {
    pub(crate) any: bool,
    pub(crate) holes: Vec<Hole>,
}

impl Cast {
    pub(crate) fn new(bodies: Vec<Body>) -> Self {
        let entered = bodies.clone();
        let (coming, going) = (VecDeque::new(), VecDeque::new());
        Self { bodies, entered, free: BTreeSet::new(), coming, going, holes: Vec::new() }
    }

    /// Adds a body, and returns its index.
    pub(crate) fn add(&mut self, body: Body) -> usize {
        let index = self.free.pop_first().unwrap_or(self.bodies.len());
        if index == self.bodies.len() {
            self.bodies.push(body);
            self.entered.push(body);
        }
        self.bodies[index] = body;
        self.coming.push_back(index);
        index
    }

    /// Removes a body.
    pub(crate) fn remove(&mut self, index: usize) {
        if self.lives(index) {
            self.going.push_back(index);
        }
    }

    /// Erases a stamp from the mask of a shape, with the stamp's top-left texel at `at`.
    pub(crate) fn erase(&mut self, shape: usize, stamp: Mask, at: [i32; 2]) {
        self.holes.push(Hole { shape, stamp, at });
    }

    /// Returns whether a body has this index and is not about to be removed.
    pub(crate) fn lives(&self, index: usize) -> bool {
        index < self.bodies.len() && !self.free.contains(&index) && !self.going.contains(&index)
    }

    /// Adds all bodies to a new world, which has the shapes that they name.
    pub(crate) fn enter(&mut self, world: &mut World, swept: bool) -> hitmask::Result<()> {
        let mut missing = Vec::new();
        for (index, body) in self.bodies.iter().enumerate() {
            let id = world.add(&entering(body, swept))?;
            if self.free.contains(&index) || self.coming.contains(&index) {
                missing.push(id);
            }
        }
        // Indices without a body become free again.
        for id in missing {
            world.remove(id)?;
        }
        self.entered.clone_from(&self.bodies);
        Ok(())
    }

    /// Applies the changes to the world. A body that cannot be at its new place returns to its old one.
    pub(crate) fn follow(&mut self, world: &mut World, swept: bool) -> hitmask::Result<Change> {
        let mut change = Change::default();
        while let Some(&index) = self.coming.front() {
            let id = world.add(&entering(&self.bodies[index], swept))?;
            debug_assert_eq!(id.index() as usize, index, "the lowest index is taken first");
            self.entered[index] = self.bodies[index];
            self.coming.pop_front();
            change.any = true;
        }
        for (index, (body, entered)) in self.bodies.iter_mut().zip(&mut self.entered).enumerate() {
            let Some(id) = world.id(index as u32).filter(|_| body != entered) else { continue };
            match world.set(id, &entering(body, swept)) {
                Ok(()) => {
                    *entered = *body;
                    change.any = true;
                }
                Err(_) => *body = *entered,
            }
        }
        while let Some(index) = self.going.pop_front() {
            if let Some(id) = world.id(index as u32) {
                world.remove(id)?;
            }
            self.free.insert(index);
            change.any = true;
        }
        for hole in std::mem::take(&mut self.holes) {
            let Some(shape) = world.shapes().nth(hole.shape).map(|(id, _)| id) else { continue };
            world.edit_mask(shape, |mask| mask.erase(&hole.stamp, hole.at))?;
            change.any = true;
            change.holes.push(hole);
        }
        Ok(change)
    }
}

impl Deref for Cast {
    type Target = [Body];

    fn deref(&self) -> &[Body] {
        &self.bodies
    }
}

impl DerefMut for Cast {
    fn deref_mut(&mut self) -> &mut [Body] {
        &mut self.bodies
    }
}

/// Returns a body as it enters the world.
fn entering(body: &Body, swept: bool) -> Body {
    if swept { *body } else { body.moving([0.0; 2]) }
}

#[cfg(test)]
mod tests {
    use hitmask::{Shape, World};

    use super::*;

    #[test]
    fn bodies_that_come_and_go_have_the_indices_of_the_world() {
        let mut world = World::default();
        let shape = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let at = |x: usize| Body::new(shape, [x as f64, 0.0]);
        let mut cast = Cast::new((0..6).map(at).collect());
        cast.enter(&mut world, true).unwrap();
        let mut seed = crate::random::Random::new(9);
        for step in 0..400 {
            for _ in 0..seed.below(4) {
                cast.remove(seed.below(cast.len() + 2));
            }
            for k in 0..seed.below(4) {
                let index = cast.add(at(10 * step + k));
                assert!(cast.lives(index));
                if seed.below(5) == 0 {
                    cast.remove(index);
                }
            }
            cast.follow(&mut world, true).unwrap();
            let living: Vec<(usize, Body)> =
                (0..cast.len()).filter(|&index| cast.lives(index)).map(|index| (index, cast[index])).collect();
            let bodies = world.ids().map(|id| (id.index() as usize, world.body(id).unwrap()));
            assert_eq!(bodies.collect::<Vec<_>>(), living, "step {step}");
        }
        // A world that is built anew has the same bodies.
        let mut again = World::default();
        let same = again.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        cast.iter_mut().for_each(|body| body.shape = same);
        cast.enter(&mut again, true).unwrap();
        let places =
            |world: &World| -> Vec<_> { world.ids().map(|id| (id.index(), world.body(id).unwrap().at)).collect() };
        assert_eq!(places(&again), places(&world));
    }
}
