//! The spatial index: trees of bounds that are kept between queries and updated for the bodies that changed.
//!
//! A body that moved a little keeps its node. One that came, or moved far, is inserted where the nodes grow least; one
//! that went, or was switched off, leaves its node. *Giants*, bodies more than 16 times the typical size, have a tree
//! of their own, since they would enlarge the nodes of all others. The trees are rebuilt when the nodes have grown much
//! larger than they were built, when half the bodies are gone, and when many come at once.

use std::sync::{Mutex, PoisonError};

use super::node::{Bounds, INDEX, Node};
use super::pack::{self, Entry};
use super::tree::{LEVELS, Tree};
use crate::ground::aabb::Aabb;
use crate::ground::error::Result;
use crate::ground::memory::Room;
use crate::ground::threads;
use crate::world::World;
use crate::world::changes::Mark;
use crate::world::packed::{ALIGNED, EMPTY, OFF, Packed, SPRITE, reach};

/// A body is a giant if its longer side is more than 2 to the power of this times the typical one.
const GIANT: f64 = 4.0;
/// If more than one body in this many has changed, all are checked.
const MANY: usize = 4;
/// If more than one body in this many is to be inserted, the trees are rebuilt, which is quicker.
const LOOSE: usize = 8;
/// The nodes of a task, of 16 bodies each.
const TASK: usize = 512;

/// The index of a world: each body that can be found has a place in a tree.
#[derive(Debug, Default)]
pub(super) struct Index {
    /// The tree of most bodies, and that of the giants.
    trees: [Tree; 2],
    /// For each body its place.
    places: Vec<Place>,
    /// The position in the world's log of changes up to which this is up to date.
    mark: Mark,
    /// The state of the trees when they were built.
    built: Built,
    /// Scratch memory of a build: the bodies of each tree.
    sorted: [Vec<Entry>; 2],
    /// Scratch memory of an update: the bodies to insert.
    loose: Vec<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Nowhere,
    /// A place in a tree: in that of the giants if true.
    Tree(bool, u32),
}

/// The state of the trees when they were built.
#[derive(Clone, Copy, Debug, Default)]
struct Built {
    /// The cost of each.
    costs: [i64; 2],
    /// The number of bodies in both.
    bodies: usize,
    /// The logarithm to base 2 of the longer side above which a body is a giant.
    giant: f64,
}

/// Returns the bounds of a body at rest, and its layers; [`Bounds::NOWHERE`] if it is absent, empty, switched off or on
/// no layer.
fn bounds(packed: &Packed, body: u32) -> Bounds {
    let Some(pose) = packed.poses.get(body as usize) else { return Bounds::NOWHERE };
    let layers = packed.filters[body as usize].layers;
    if pose.flags & (EMPTY | OFF) != 0 || layers == 0 {
        return Bounds::NOWHERE;
    }
    let (position, extent) = (packed.positions[body as usize], &packed.extents[body as usize]);
    let aligned = pose.flags & ALIGNED != 0;
    Bounds { reach: reach(position, extent, pose.flags & SPRITE != 0), layers, aligned }
}

/// Returns the logarithm to base 2 of the longer side of a box.
fn side(Aabb { min, max }: Aabb) -> f64 {
    f64::from((max.x - min.x).max(max.y - min.y).max(1)).log2()
}

impl Index {
    /// Updates the index to a world. If there is not enough memory, it becomes empty.
    pub(super) fn update(&mut self, world: &World) -> Result<()> {
        self.follow(world, &Room::default()).inspect_err(|_| *self = Self::default())
    }

    fn follow(&mut self, world: &World, room: &Room) -> Result<()> {
        let (packed, log) = (world.packed(), world.changed_bodies());
        self.loose.clear();
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
        // A body may have changed several times.
        self.loose.sort_unstable();
        self.loose.dedup();
        if self.loose.len() * LOOSE > packed.len() {
            return self.build(packed, room);
        }
        for k in 0..self.loose.len() {
            self.insert(packed, self.loose[k], room)?;
        }
        if self.is_worn() { self.build(packed, room) } else { Ok(()) }
    }

    /// Returns whether the trees have become so much worse than they were built that it is better to rebuild them.
    fn is_worn(&self) -> bool {
        let bodies = self.trees.iter().map(|tree| tree.len).sum::<usize>();
        let is_worn = |(tree, cost): (&Tree, i64)| 2 * tree.cost > 3 * cost || tree.levels.len() > LEVELS;
        2 * bodies < self.built.bodies || self.trees.iter().zip(self.built.costs).any(is_worn)
    }

    /// Returns the trees, of most bodies and of giants.
    pub(super) fn trees(&self) -> &[Tree; 2] {
        &self.trees
    }

    /// Updates a body that may have changed.
    fn change(&mut self, packed: &Packed, body: u32, room: &Room) -> Result<()> {
        let Some(place) = self.places.get(body as usize).copied() else { return Ok(()) };
        let bounds = bounds(packed, body);
        match place {
            Place::Nowhere if bounds == Bounds::NOWHERE => Ok(()),
            Place::Nowhere => self.loosen(body, room),
            Place::Tree(giant, at) => {
                let tree = &mut self.trees[usize::from(giant)];
                if bounds == Bounds::NOWHERE {
                    self.remove(giant, at, body, room)
                } else if is_far(&tree.around(at), &bounds) {
                    self.remove(giant, at, body, room)?;
                    self.loosen(body, room)
                } else {
                    tree.set(at, bounds);
                    Ok(())
                }
            }
        }
    }

    /// Removes a body from its tree.
    fn remove(&mut self, giant: bool, at: u32, body: u32, room: &Room) -> Result<()> {
        let Self { trees, places, .. } = self;
        places[body as usize] = Place::Nowhere;
        trees[usize::from(giant)].remove(at, room, |body, at| places[body as usize] = Place::Tree(giant, at))
    }

    /// Notes a body that is to be inserted.
    fn loosen(&mut self, body: u32, room: &Room) -> Result<()> {
        room.reserve(&mut self.loose, 1, INDEX)?;
        self.loose.push(body);
        Ok(())
    }

    /// Inserts a body that has bounds and no place.
    fn insert(&mut self, packed: &Packed, body: u32, room: &Room) -> Result<()> {
        let Self { trees, places, built, .. } = self;
        let bounds = bounds(packed, body);
        let giant = side(bounds.reach) > built.giant;
        trees[usize::from(giant)].insert(body, bounds, room, |body, at| {
            places[body as usize] = Place::Tree(giant, at);
        })
    }

    /// Updates all bodies, keeping the structure of the trees.
    fn refit(&mut self, packed: &Packed, room: &Room) -> Result<()> {
        let lost = Mutex::new(Vec::new());
        for tree in &mut self.trees {
            if let Some(lowest) = tree.levels.first_mut() {
                threads::share(lowest.len().div_ceil(TASK), lowest.chunks_mut(TASK), |nodes| {
                    for node in nodes {
                        fill(packed, node, &lost);
                    }
                });
            }
            tree.refit();
        }
        // In an order that does not depend on threads, so that neither does the shape of the trees.
        let mut lost = lost.into_inner().unwrap_or_else(PoisonError::into_inner);
        lost.sort_unstable();
        for body in lost {
            if let Place::Tree(giant, at) = self.places[body as usize] {
                self.remove(giant, at, body, room)?;
            }
        }
        room.resize(&mut self.places, packed.len(), Place::Nowhere, INDEX)?;
        for body in 0..packed.len() as u32 {
            if self.places[body as usize] == Place::Nowhere && bounds(packed, body) != Bounds::NOWHERE {
                self.loosen(body, room)?;
            }
        }
        Ok(())
    }

    /// Rebuilds the trees.
    fn build(&mut self, packed: &Packed, room: &Room) -> Result<()> {
        let there = |body: u32| Some(bounds(packed, body)).filter(|bounds| *bounds != Bounds::NOWHERE);
        let sides = (0..packed.len() as u32).filter_map(there).map(|bounds| side(bounds.reach));
        let (count, sum) = sides.fold((0_u32, 0.0), |(count, sum), side| (count + 1, sum + side));
        let giant = sum / f64::from(count.max(1)) + GIANT;
        self.loose.clear();
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
        let costs = self.trees.each_ref().map(|tree| tree.cost);
        self.built = Built { costs, bodies: count as usize, giant };
        Ok(())
    }

    pub(super) fn bytes(&self) -> usize {
        let sorted = self.sorted.iter().map(Vec::capacity).sum::<usize>();
        self.trees.iter().map(Tree::bytes).sum::<usize>()
            + size_of::<Place>() * self.places.capacity()
            + size_of::<Entry>() * sorted
            + 4 * self.loose.capacity()
    }
}

/// Writes the current bounds of its bodies into a node, and lists those that have none. If that makes the node more
/// than twice as large, the bodies that moved farther than its size lose their bounds and are listed as well.
fn fill(packed: &Packed, node: &mut Node, lost: &Mutex<Vec<u32>>) {
    let size = node.around().perimeter();
    let (mut far, mut any_lost) = (0_u32, false);
    for (lane, body) in node.children() {
        let bounds = bounds(packed, body);
        far |= u32::from(bounds.distance(&node.lane(lane)) > size) << lane;
        any_lost |= bounds == Bounds::NOWHERE;
        node.set(lane, bounds);
    }
    if far != 0 && node.around().perimeter() > 2 * size {
        node.children().filter(|&(lane, _)| far >> lane & 1 == 1).for_each(|(lane, _)| node.set(lane, Bounds::NOWHERE));
        any_lost = true;
    }
    if any_lost {
        let are_lost = node.children().filter(|&(lane, _)| node.lane(lane) == Bounds::NOWHERE);
        lost.lock().unwrap_or_else(PoisonError::into_inner).extend(are_lost.map(|(_, body)| body));
    }
}

/// Returns whether a node would become so large with these bounds that it is better without them.
fn is_far(around: &Bounds, bounds: &Bounds) -> bool {
    around.perimeter_with(bounds) > 2 * around.perimeter()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simd::WIDTH;
    use crate::{Body, Shape};
    use hitmask_workbench::workloads::SplitMix64;

    /// Checks that each body that can be found is in exactly one place, with its bounds, and that nothing else is.
    fn validate(index: &Index, world: &World) {
        let packed = world.packed();
        let mut found = vec![false; packed.len()];
        for (giant, tree) in [false, true].into_iter().zip(index.trees()) {
            for (k, node) in tree.levels.first().into_iter().flatten().enumerate() {
                for (lane, body) in node.children() {
                    assert_eq!(node.lane(lane), bounds(packed, body), "body {body}");
                    assert_eq!(index.places[body as usize], Place::Tree(giant, (WIDTH * k + lane) as u32));
                    assert!(!std::mem::replace(&mut found[body as usize], true), "body {body} twice");
                }
            }
        }
        for (body, found) in found.into_iter().enumerate() {
            assert_eq!(found, bounds(packed, body as u32) != Bounds::NOWHERE, "body {body}");
        }
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
                        -2 => world.set_enabled(id, !body.enabled).unwrap(),
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
        let [built, _] = index.built.costs;
        for (k, &id) in ids.iter().enumerate() {
            let k = k * 7919 % 2_000;
            world.set(id, &Body::new(ball, [(k % 40) as f64, (k / 40) as f64])).unwrap();
        }
        index.update(&world).unwrap();
        assert!(index.built.costs[0] <= built + built / 10, "{:?} after {built}", index.built.costs);
        validate(&index, &world);
    }

    /// In each of 100 frames one body in a hundred is replaced by one elsewhere; the others stand still or all move.
    #[test]
    fn bodies_that_come_and_go_are_taken_in_without_a_rebuild() {
        for moves in [false, true] {
            let mut random = SplitMix64(9);
            let mut world = World::default();
            let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
            let mut anywhere = || Body::new(ball, [f64::from(random.below(1_000)), f64::from(random.below(1_000))]);
            let mut ids: Vec<_> = (0..3_000).map(|_| world.add(&anywhere()).unwrap()).collect();
            let mut index = Index::default();
            index.update(&world).unwrap();
            let mut rebuilds = 0;
            for frame in 0..100 {
                for k in 0..30 {
                    let id = &mut ids[(30 * frame + k) * 7 % 3_000];
                    world.remove(*id).unwrap();
                    *id = world.add(&anywhere()).unwrap();
                }
                for &id in ids.iter().filter(|_| moves) {
                    let body = world.body(id).unwrap();
                    let by = if frame % 2 == 0 { 0.5 } else { -0.5 };
                    world.set(id, &Body { at: [body.at.x + by, body.at.y].into(), ..body }).unwrap();
                }
                let before = index.built.costs;
                index.update(&world).unwrap();
                rebuilds += u32::from(index.built.costs != before);
                validate(&index, &world);
            }
            assert!(rebuilds <= 3, "{rebuilds} rebuilds in 100 frames");
        }
    }

    /// Returns the costs of the trees of an index, and those of trees that are built anew.
    fn costs(index: &Index, world: &World) -> [i64; 2] {
        let mut fresh = Index::default();
        fresh.update(world).unwrap();
        [index, &fresh].map(|index| index.trees.iter().map(|tree| tree.cost).sum())
    }

    #[test]
    fn trees_are_rebuilt_when_they_are_worn() {
        let mut random = SplitMix64(11);
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let mut draw = |n: u32| f64::from(random.below(n));
        let mut ids: Vec<_> =
            (0..3_000).map(|_| world.add(&Body::new(ball, [draw(500), draw(500)])).unwrap()).collect();
        let mut index = Index::default();
        index.update(&world).unwrap();
        // All wander, a little in each frame.
        for _ in 0..100 {
            for &id in &ids {
                let body = world.body(id).unwrap();
                let at = [body.at.x + draw(9) - 4.0, body.at.y + draw(9) - 4.0].into();
                world.set(id, &Body { at, ..body }).unwrap();
            }
            index.update(&world).unwrap();
            let [cost, fresh] = costs(&index, &world);
            assert!(cost < 2 * fresh, "{cost} of {fresh}");
        }
        // A fifth comes at once.
        ids.extend((0..600).map(|x| world.add(&Body::new(ball, [x, 0])).unwrap()));
        index.update(&world).unwrap();
        assert_eq!(index.built.bodies, world.len());
        // They go, a few in each frame.
        while ids.len() > 100 {
            ids.drain(ids.len() - 50..).for_each(|id| _ = world.remove(id).unwrap());
            index.update(&world).unwrap();
            validate(&index, &world);
            assert!(index.built.bodies <= 2 * ids.len(), "{} for {}", index.built.bodies, ids.len());
        }
    }

    /// All bodies move, and many of them jump, so that several threads find those at once.
    #[test]
    fn trees_do_not_depend_on_threads() {
        let mut world = World::default();
        let ball = world.add_shape(Shape::circle(1.0).unwrap()).unwrap();
        let at = |k: u32, by: u32| [f64::from(k % 200 * 3 + by), f64::from(k / 200 * 3)];
        let ids: Vec<_> = (0..30_000).map(|k| world.add(&Body::new(ball, at(k, 0))).unwrap()).collect();
        let mut indices = [(); 4].map(|()| Index::default());
        for index in &mut indices {
            index.update(&world).unwrap();
        }
        for (&id, k) in ids.iter().zip(0..) {
            // Squares of 8 x 8 bodies, so that nodes become empty.
            let jumps = (k % 200 / 8 + k / 200 / 8 * 3) % 10 == 0;
            let to = if jumps { (k + 7_000) % 30_000 } else { k };
            world.set(id, &Body::new(ball, at(to, 1))).unwrap();
        }
        let built = indices[0].built.costs;
        for index in &mut indices {
            index.update(&world).unwrap();
            validate(index, &world);
            assert_eq!(index.built.costs, built, "bodies were inserted, not built anew");
        }
        for index in &indices[1..] {
            assert!(index.places == indices[0].places);
        }
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
