//! Classes of bodies with the same layers, by which the world is split before any bodies are compared.

use super::filter::Filter;

/// The class of a free index.
const NOBODY: u8 = 63;
/// The mixed class: bodies whose filter came when there were already this many classes. It may meet any class.
pub(super) const MIXED: usize = 62;

/// A set of bodies on the same layers that hit the same layers. The last, mixed class holds the bodies of no other
/// class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// The layers that all of them share, and their group. The group is 0 if they are, or were, in several groups, or
    /// some in none.
    pub filter: Filter,
    /// True if all of them are detectors; in the mixed class, if some are, or were.
    pub detector: bool,
    /// The number of bodies.
    pub bodies: u32,
}

/// The class of each body. There are at most [`MIXED`] classes and the mixed one, so that a 64-bit word can be a set of
/// classes.
#[derive(Debug, Default)]
pub(crate) struct Classes {
    /// The class of each index.
    column: Vec<u8>,
    all: Vec<Class>,
}

impl Class {
    /// Returns true if a body of this class may hit one of the other.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        let sees = |a: &Self, b: &Self| a.filter.sees(a.detector, &b.filter);
        sees(self, other) || sees(other, self)
    }

    /// Returns true if a body with this filter, a detector or not, belongs to the class.
    fn is_of(&self, filter: &Filter, detector: bool) -> bool {
        Filter { group: filter.group, ..self.filter } == *filter && self.detector == detector
    }

    /// Resets the group of the class to 0 if a body of another group joins.
    fn join_group(&mut self, group: u32) {
        if self.filter.group != group {
            self.filter.group = 0;
        }
    }
}

impl Clone for Classes {
    fn clone(&self) -> Self {
        Self { column: self.column.clone(), all: self.all.clone() }
    }

    fn clone_from(&mut self, source: &Self) {
        self.column.clone_from(&source.column);
        self.all.clone_from(&source.all);
    }
}

impl Classes {
    /// Returns the class of each index, as an index into [`Classes::all`]; a number that is in no set if the index is
    /// free.
    pub(crate) fn column(&self) -> &[u8] {
        &self.column
    }

    /// Returns the classes. One without bodies is free and goes to the next new filter.
    pub(crate) fn all(&self) -> &[Class] {
        &self.all
    }

    /// Returns the set of classes that have a body, one bit each.
    pub(crate) fn present(&self) -> u64 {
        let present = self.all.iter().enumerate().filter(|(_, class)| class.bodies > 0);
        present.fold(0, |set, (k, _)| set | 1 << k)
    }

    /// Returns the column, to reserve memory for it.
    pub(super) fn column_mut(&mut self) -> &mut Vec<u8> {
        &mut self.column
    }

    /// Appends a free index.
    pub(super) fn push(&mut self) {
        self.column.push(NOBODY);
    }

    /// Takes the body at an index out of its class.
    pub(super) fn remove(&mut self, index: usize) {
        let class = std::mem::replace(&mut self.column[index], NOBODY);
        if let Some(class) = self.all.get_mut(usize::from(class)) {
            class.bodies -= 1;
        }
    }

    /// Drops the indices from `indices` on.
    pub(super) fn truncate(&mut self, indices: usize) {
        for index in indices..self.column.len() {
            self.remove(index);
        }
        self.column.truncate(indices);
    }

    /// Asserts that each body is in a class of its filter, and that the counts are right.
    #[cfg(any(test, feature = "internals"))]
    pub(super) fn validate<'a>(
        &self,
        filters: impl Iterator<Item = (&'a Filter, bool)>,
        lives: impl Fn(usize) -> bool,
    ) {
        let mut counts = vec![0; self.all.len()];
        for (index, (filter, detector)) in filters.enumerate() {
            let class = usize::from(self.column[index]);
            assert_eq!(lives(index), class < self.all.len(), "the class of body {index}");
            if let Some(count) = counts.get_mut(class) {
                *count += 1;
                let of = &self.all[class];
                assert!(class == MIXED || of.is_of(filter, detector), "body {index} is in a class of other layers");
                assert!(of.detector || !detector, "body {index} is a detector");
                assert!(of.filter.group == 0 || of.filter.group == filter.group, "the group of body {index}");
            }
        }
        assert!(counts.iter().eq(self.all.iter().map(|class| &class.bodies)), "the counts of classes");
    }

    /// Puts a body into the class of its filter.
    pub(super) fn put(&mut self, index: usize, filter: &Filter, detector: bool) {
        let before = self.column[index];
        if let Some(class) = self.all.get_mut(usize::from(before)).filter(|class| class.is_of(filter, detector)) {
            return class.join_group(filter.group);
        }
        self.remove(index);
        let index_of_class = self.class_of(filter, detector);
        let class = &mut self.all[index_of_class];
        class.join_group(filter.group);
        class.detector |= detector;
        class.bodies += 1;
        self.column[index] = index_of_class as u8;
    }

    /// Returns the class for a filter: the one that has it, else an empty one, a new one, or the mixed one.
    fn class_of(&mut self, filter: &Filter, detector: bool) -> usize {
        let told_apart = &self.all[..self.all.len().min(MIXED)];
        let of = |is: &dyn Fn(&Class) -> bool| told_apart.iter().position(is);
        if let Some(class) = of(&|class| class.bodies > 0 && class.is_of(filter, detector)) {
            return class;
        }
        let new = Class { filter: *filter, detector, bodies: 0 };
        if let Some(class) = of(&|class| class.bodies == 0) {
            self.all[class] = new;
            return class;
        }
        if self.all.len() < MIXED {
            self.all.push(new);
        } else if self.all.len() == MIXED {
            let filter = Filter { layers: u32::MAX, mask: u32::MAX, group: 0 };
            self.all.push(Class { filter, detector: false, bodies: 0 });
        }
        self.all.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// Through many changes, a pair that its filters let hit is always of classes that meet, and the counts are right.
    #[test]
    fn no_pair_that_may_hit_is_of_classes_that_do_not_meet() {
        for layers in [3, 9] {
            let mut random = SplitMix64(layers);
            let (mut classes, mut filters) = (Classes::default(), Vec::<Option<(Filter, bool)>>::new());
            let mut mixed = 0;
            for _ in 0..4000 {
                let index = random.below(40 * layers as u32) as usize;
                if index >= filters.len() {
                    filters.push(None);
                    classes.push();
                    continue;
                }
                match random.below(50) {
                    0 => {
                        filters.truncate(index);
                        classes.truncate(index);
                    }
                    1..10 => {
                        filters[index] = None;
                        classes.remove(index);
                    }
                    _ => {
                        let mut set = || random.below(1 << layers) & random.below(1 << layers);
                        let (layer, hits) = (set(), set());
                        let filter = Filter { layers: layer, mask: hits, group: random.below(3) };
                        let detector = random.below(5) == 0;
                        filters[index] = Some((filter, detector));
                        classes.put(index, &filter, detector);
                    }
                }
                mixed += usize::from(classes.all().get(MIXED).is_some_and(|class| class.bodies > 0));
            }
            let class = |index: usize| &classes.all()[usize::from(classes.column()[index])];
            let there: Vec<_> = (0..filters.len()).filter_map(|k| filters[k].map(|filter| (k, filter))).collect();
            for (i, (a, detector)) in &there {
                for (j, (b, other)) in &there {
                    let tested = a.sees(*detector, b) || b.sees(*other, a);
                    assert!(!tested || class(*i).meets(class(*j)), "{a:?} {detector} {b:?} {other}");
                }
            }
            assert_eq!(there.len(), classes.all().iter().map(|class| class.bodies as usize).sum::<usize>());
            assert_eq!(mixed > 0, layers == 9, "{mixed}");
        }
    }

    #[test]
    fn bodies_of_one_group_do_not_meet_while_all_of_a_class_are_of_it() {
        let mut classes = Classes::default();
        let of = |group: u32| Filter { layers: 1, mask: 1, group };
        for _ in 0..3 {
            classes.push();
        }
        let meets = |classes: &Classes| classes.all()[0].meets(&classes.all()[0]);
        classes.put(0, &of(7), false);
        classes.put(1, &of(7), false);
        assert!(!meets(&classes));
        classes.put(2, &of(8), false);
        assert!(meets(&classes));
        classes.truncate(0);
        classes.push();
        classes.put(0, &of(8), false);
        assert!(!meets(&classes));
        classes.put(0, &of(0), false);
        assert!(meets(&classes));
    }
}
