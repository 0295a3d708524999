//! The spatial index: trees of bounds that are kept between queries and updated for the bodies that moved.
//!
//! Bodies that were added since the trees were built, or moved far, are in a *tail*, which is searched block by block.
//! *Giants*, bodies more than 16 times the typical size, have a tree of their own, since they would enlarge the blocks
//! of all others. The trees are rebuilt when the tail has grown long or the blocks much larger.

use rayon::prelude::*;

use super::block::{Block, Bounds, INDEX};
use super::pack::{self, Entry};
use super::tail::Tail;
use super::tree::{NONE, Tree};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::threads;
use crate::simd::WIDTH;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::{ALIGNED, EMPTY, OFF, Packed, SPRITE, reach};

/// The most bodies of a tail: `TAIL`, and one more for every `TAIL_OF` bodies of the world.
const TAIL: usize = 64;
const TAIL_OF: usize = 64;
/// A body is a giant if its longer side is more than 2 to the power of this times the typical one.
const GIANT: f64 = 4.0;
/// If more than one body in this many has changed, all are checked.
const MANY: usize = 4;
/// The blocks of a task, of 16 bodies each.
const TASK: usize = 512;

/// The index of a world: each body has a place in a tree or in the tail.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The tree of most bodies, and that of the giants.
    trees: [Tree; 2],
    tail: Tail,
    /// For each body its place.
    places: Vec<Place>,
    /// The position in the world's log of changes up to which this is up to date.
    mark: Mark,
    /// The cost of the trees when they were built.
    built: i64,
    /// Scratch memory of a build: the bodies of each tree.
    sorted: [Vec<Entry>; 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// A place in a tree: in that of the giants if true.
    Tree(bool, u32),
    Tail(u32),
}

/// Returns the bounds of a body at rest, and its layers; [`Bounds::NOWHERE`] if it is absent, empty, switched off or on
/// no layer.
fn bounds(packed: &Packed, body: u32) -> Bounds {
    let Some(pose) = packed.poses.get(body as usize) else { return Bounds::NOWHERE };
    let layers = packed.filters[body as usize].layer;
    if pose.flags & (EMPTY | OFF) != 0 || layers == 0 {
        return Bounds::NOWHERE;
    }
    let (position, extent) = (packed.positions[body as usize], &packed.extents[body as usize]);
    let aligned = pose.flags & ALIGNED != 0;
    Bounds { reach: reach(position, extent, pose.flags & SPRITE != 0), layers, aligned }
}

impl Index {
    /// Updates the index to a world. If there is not enough memory, it becomes empty.
    pub(super) fn update(&mut self, world: &World) -> Result<()> {
        self.follow(world, &Room::default()).inspect_err(|_| *self = Self::default())
    }

    fn follow(&mut self, world: &World, room: &Room) -> Result<()> {
        let (packed, log) = (world.packed(), world.changed_bodies());
        match log.since(self.mark) {
            Some(changes) if changes.len() * MANY <= packed.len() => {
                room.resize(&mut self.places, packed.len(), Place::Nowhere, INDEX)?;
                changes.iter().try_for_each(|&body| self.change(packed, body, room))?;
            }
            // The first time, and when most bodies are new.
            _ if packed.len() > 2 * self.places.len() => self.build(packed, room)?,
            _ => self.refit(packed, room)?,
        }
        self.mark = log.mark();
        let cost = self.trees.iter().map(|tree| tree.cost).sum::<i64>();
        if self.tail.len() > TAIL + packed.len() / TAIL_OF || 2 * cost > 3 * self.built {
            self.build(packed, room)?;
        }
        Ok(())
    }

    /// Returns the trees, of most bodies and of giants.
    pub(super) fn trees(&self) -> &[Tree; 2] {
        &self.trees
    }

    /// Returns the tail: the bodies that are in no tree.
    pub(super) fn tail(&self) -> &Tail {
        &self.tail
    }

    /// Updates a body that may have changed.
    fn change(&mut self, packed: &Packed, body: u32, room: &Room) -> Result<()> {
        let Some(place) = self.places.get(body as usize).copied() else { return Ok(()) };
        let bounds = bounds(packed, body);
        match place {
            Place::Nowhere if bounds == Bounds::NOWHERE => {}
            Place::Nowhere => self.append(body, bounds, room)?,
            Place::Tail(at) => self.tail.set(at as usize, bounds),
            Place::Tree(giant, at) => {
                let tree = &mut self.trees[usize::from(giant)];
                if bounds != Bounds::NOWHERE && is_far(&tree.around(at as usize), &bounds) {
                    tree.set(at as usize, Bounds::NOWHERE);
                    tree.bodies[at as usize] = NONE;
                    self.append(body, bounds, room)?;
                } else {
                    tree.set(at as usize, bounds);
                }
            }
        }
        Ok(())
    }

    fn append(&mut self, body: u32, bounds: Bounds, room: &Room) -> Result<()> {
        self.places[body as usize] = Place::Tail(self.tail.push(body, bounds, room)?);
        Ok(())
    }

    /// Updates all bodies, keeping the structure of the trees.
    fn refit(&mut self, packed: &Packed, room: &Room) -> Result<()> {
        for tree in &mut self.trees {
            let Tree { levels, bodies, .. } = tree;
            if let Some(lowest) = levels.first_mut() {
                let fill_all = |(blocks, bodies): (&mut [Block], &mut [u32])| {
                    let each = blocks.iter_mut().zip(bodies.chunks_exact_mut(WIDTH));
                    each.for_each(|(block, bodies)| fill(packed, block, bodies));
                };
                // Little work is not worth waking sleeping threads.
                if lowest.len() <= TASK {
                    fill_all((lowest, bodies));
                } else {
                    let tasks = lowest.par_chunks_mut(TASK).zip(bodies.par_chunks_mut(TASK * WIDTH));
                    threads::within(|| tasks.for_each(fill_all));
                }
            }
            tree.refit();
        }
        for (block, bodies) in self.tail.iter_mut() {
            fill(packed, block, bodies);
        }
        room.resize(&mut self.places, packed.len(), Place::Nowhere, INDEX)?;
        for body in 0..packed.len() as u32 {
            if self.places[body as usize] == Place::Nowhere {
                self.change(packed, body, room)?;
            }
        }
        Ok(())
    }

    /// Rebuilds the trees.
    fn build(&mut self, packed: &Packed, room: &Room) -> Result<()> {
        let side = |Aabb { min, max }: Aabb| f64::from((max.x - min.x).max(max.y - min.y).max(1)).log2();
        let there = |body: u32| Some(bounds(packed, body)).filter(|bounds| *bounds != Bounds::NOWHERE);
        let sides = (0..packed.len() as u32).filter_map(there).map(|bounds| side(bounds.reach));
        let (count, sum) = sides.fold((0_u32, 0.0), |(count, sum), side| (count + 1, sum + side));
        let giant = sum / f64::from(count.max(1)) + GIANT;
        self.sorted.iter_mut().for_each(Vec::clear);
        self.places.clear();
        room.resize(&mut self.places, packed.len(), Place::Nowhere, INDEX)?;
        for body in 0..packed.len() as u32 {
            if let Some(bounds) = there(body) {
                let sorted = &mut self.sorted[usize::from(side(bounds.reach) > giant)];
                room.reserve(sorted, 1, INDEX)?;
                sorted.push(Entry { at: bounds.reach.centre(), body });
            }
        }
        for (k, (tree, sorted)) in self.trees.iter_mut().zip(&mut self.sorted).enumerate() {
            pack::arrange(sorted);
            tree.build(sorted.iter().map(|entry| entry.body), |body| bounds(packed, body), room)?;
            for (at, entry) in sorted.iter().enumerate() {
                self.places[entry.body as usize] = Place::Tree(k == 1, at as u32);
            }
        }
        self.tail.clear();
        self.built = self.trees.iter().map(|tree| tree.cost).sum();
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        let sorted = self.sorted.iter().map(Vec::capacity).sum::<usize>();
        self.trees.iter().map(Tree::bytes).sum::<usize>()
            + self.tail.bytes()
            + size_of::<Place>() * self.places.capacity()
            + size_of::<Entry>() * sorted
    }
}

/// Writes the current bounds of its bodies into a block, and drops indices that are no longer valid.
fn fill(packed: &Packed, block: &mut Block, bodies: &mut [u32]) {
    for (lane, body) in bodies.iter_mut().enumerate() {
        if *body as usize >= packed.len() {
            *body = NONE;
        }
        block.set(lane, bounds(packed, *body));
    }
}

/// Returns whether a block would become so large with these bounds that it is better without them.
fn is_far(around: &Bounds, bounds: &Bounds) -> bool {
    let with = Bounds { reach: around.reach.join(&bounds.reach), layers: 0, aligned: false };
    with.perimeter() > 2 * around.perimeter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Shape};
    use hitmask_workbench::workloads::SplitMix64;

    /// Checks that each body that can be found is in exactly one place, with its bounds, and that nothing else is.
    fn validate(index: &Index, world: &World) {
        let packed = world.packed();
        let mut found = vec![false; packed.len()];
        let mut see = |body: u32, lane: Bounds| {
            let is = if body == NONE { Bounds::NOWHERE } else { bounds(packed, body) };
            assert_eq!(lane, is, "body {body}");
            if body != NONE {
                assert!(!std::mem::replace(&mut found[body as usize], true), "body {body} twice");
            }
        };
        for tree in index.trees() {
            for (place, &body) in tree.bodies.iter().enumerate() {
                see(body, tree.levels[0][place / WIDTH].lane(place % WIDTH));
            }
        }
        for (block, bodies) in (0..).map_while(|block| index.tail().get(block)) {
            bodies.iter().enumerate().for_each(|(lane, &body)| see(body, block.lane(lane)));
        }
        for (body, found) in found.into_iter().enumerate() {
            assert!(found || bounds(packed, body as u32) == Bounds::NOWHERE, "body {body} is lost");
        }
        assert!(index.tail().len() <= TAIL + packed.len() / TAIL_OF);
    }

    #[test]
    fn an_index_follows_a_world() {
        let mut random = SplitMix64(3);
        let mut index = Index::default();
        for side in [3_000, 300, 100_000] {
            let mut world = World::default();
            for k in 0..1_500 {
                let mut draw = |n: u32| f64::from(1 + random.below(n));
                let most = if k % 100 == 0 { side } else { 30 };
                let shape = world.add_shape(Shape::rect(draw(most), draw(most)).unwrap()).unwrap();
                world.add(&Body::new(shape, [draw(side), draw(side)])).unwrap();
            }
            index.update(&world).unwrap();
            validate(&index, &world);
            for step in 0..40 {
                let changes = [0, 1, 30, 200, 900][random.below(5) as usize];
                for _ in 0..changes {
                    let ids: Vec<_> = world.ids().collect();
                    let id = ids[random.below(ids.len() as u32) as usize];
                    let body = world.body(id).unwrap();
                    let mut draw = |n: u32| f64::from(random.below(n)) - f64::from(n) / 2.0;
                    match draw(10) as i32 {
                        -4 => drop(world.remove(id).unwrap()),
                        -3 => drop(world.add(&body).unwrap()),
                        -2 => world.enable(id, !body.enabled).unwrap(),
                        -1 => world.set(id, &Body { at: [draw(9_000), draw(9_000)].into(), ..body }).unwrap(),
                        _ => world
                            .set(id, &Body { at: [body.at.x + draw(20), body.at.y + draw(20)].into(), ..body })
                            .unwrap(),
                    }
                }
                if step == 30 {
                    world.clear();
                    let ball = world.add_shape(Shape::circle(3.0).unwrap()).unwrap();
                    for x in 0..200 {
                        world.add(&Body::new(ball, [x, x])).unwrap();
                    }
                }
                index.update(&world).unwrap();
                validate(&index, &world);
            }
        }
    }

    #[test]
    fn bodies_that_spread_are_sorted_anew() {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let ids: Vec<_> = (0..2_000).map(|k| world.add(&Body::new(ball, [k % 40, k / 40])).unwrap()).collect();
        let mut index = Index::default();
        index.update(&world).unwrap();
        let built = index.built;
        for (k, &id) in ids.iter().enumerate() {
            let k = k * 7919 % 2_000;
            world.set(id, &Body::new(ball, [(k % 40) as f64, (k / 40) as f64])).unwrap();
        }
        index.update(&world).unwrap();
        assert!(index.built <= built + built / 10, "{} after {built}", index.built);
        validate(&index, &world);
    }

    #[test]
    fn memory_that_cannot_be_had_is_an_error() {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        for k in 0..2_000 {
            world.add(&Body::new(ball, [k % 40, k / 40])).unwrap();
        }
        let message = Index::default().follow(&world, &Room::of(50_000)).unwrap_err().to_string();
        assert!(message.starts_with("the query index needs "), "{message}");
        let mut index = Index::default();
        index.follow(&world, &Room::of(500_000)).unwrap();
        validate(&index, &world);
    }
}
