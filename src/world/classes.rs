//! Bodies by whom they may hit: what parts the world before anything in it is compared.

use super::filter::Filter;

/// The class of what is not there.
const NOBODY: u8 = 63;
/// The class of all that came when there were [`MIXED`] others. It may meet any.
pub(super) const MIXED: usize = 62;

/// Bodies on the same layers that hit the same ones; or, in the last class, all that are in no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Class {
    /// The layers of all of them; and their group, which is 0 where they are, or were, of several, or some of none.
    pub filter: Filter,
    /// How many there are.
    pub bodies: u32,
}

/// The class of each body. [`MIXED`] classes are told apart, so that a word of 64 bits can be a set of classes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classes {
    /// For each index its class.
    column: Vec<u8>,
    all: Vec<Class>,
}

impl Class {
    /// Whether a body of this class may hit one of the other.
    pub(crate) fn meets(&self, other: &Self) -> bool {
        self.filter.sees(&other.filter)
    }

    /// Whether a body with such a filter belongs to it.
    fn is_of(&self, filter: &Filter) -> bool {
        Filter { group: filter.group, ..self.filter } == *filter
    }

    /// Takes note of a body's group.
    fn join_group(&mut self, group: u32) {
        if self.filter.group != group {
            self.filter.group = 0;
        }
    }
}

impl Classes {
    /// For each index its class, an index into [`Classes::all`]; a number that no set has where nothing is.
    pub(crate) fn column(&self) -> &[u8] {
        &self.column
    }

    /// The classes. One without a body is free: the next new filter takes it.
    pub(crate) fn all(&self) -> &[Class] {
        &self.all
    }

    /// The set of those that have a body: a bit for each.
    pub(crate) fn present(&self) -> u64 {
        let present = self.all.iter().enumerate().filter(|(_, class)| class.bodies > 0);
        present.fold(0, |set, (k, _)| set | 1 << k)
    }

    /// The column, to make room in.
    pub(super) fn column_mut(&mut self) -> &mut Vec<u8> {
        &mut self.column
    }

    /// Appends an index at which nothing is.
    pub(super) fn push(&mut self) {
        self.column.push(NOBODY);
    }

    /// Leaves nothing at an index.
    pub(super) fn remove(&mut self, index: usize) {
        let class = std::mem::replace(&mut self.column[index], NOBODY);
        if let Some(class) = self.all.get_mut(usize::from(class)) {
            class.bodies -= 1;
        }
    }

    /// Leaves out all indices from one on.
    pub(super) fn truncate(&mut self, indices: usize) {
        for index in indices..self.column.len() {
            self.remove(index);
        }
        self.column.truncate(indices);
    }

    /// Puts a body into the class of its filter.
    pub(super) fn put(&mut self, index: usize, filter: &Filter) {
        let before = self.column[index];
        if let Some(class) = self.all.get_mut(usize::from(before)).filter(|class| class.is_of(filter)) {
            return class.join_group(filter.group);
        }
        self.remove(index);
        let index_of_class = self.class_of(filter);
        let class = &mut self.all[index_of_class];
        class.join_group(filter.group);
        class.bodies += 1;
        self.column[index] = index_of_class as u8;
    }

    /// The class of a filter: one that is there, or an empty one, or a new one, or the mixed one.
    fn class_of(&mut self, filter: &Filter) -> usize {
        let told_apart = &self.all[..self.all.len().min(MIXED)];
        let of = |is: &dyn Fn(&Class) -> bool| told_apart.iter().position(is);
        if let Some(class) = of(&|class| class.bodies > 0 && class.is_of(filter)) {
            return class;
        }
        let new = Class { filter: *filter, bodies: 0 };
        if let Some(class) = of(&|class| class.bodies == 0) {
            self.all[class] = new;
            return class;
        }
        if self.all.len() < MIXED {
            self.all.push(new);
        } else if self.all.len() == MIXED {
            self.all.push(Class { filter: Filter { layer: u32::MAX, hits: u32::MAX, group: 0 }, bodies: 0 });
        }
        self.all.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitmask_workbench::workloads::SplitMix64;

    /// Classes that live through many changes: a pair that its filters let hit is always one of classes that meet, and
    /// the counts are right.
    #[test]
    fn no_pair_that_may_hit_is_of_classes_that_do_not_meet() {
        for layers in [3, 9] {
            let mut random = SplitMix64(layers);
            let (mut classes, mut filters) = (Classes::default(), Vec::<Option<Filter>>::new());
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
                        let filter = Filter { layer, hits, group: random.below(3) };
                        filters[index] = Some(filter);
                        classes.put(index, &filter);
                    }
                }
                mixed += usize::from(classes.all().get(MIXED).is_some_and(|class| class.bodies > 0));
            }
            let class = |index: usize| &classes.all()[usize::from(classes.column()[index])];
            let there: Vec<_> = (0..filters.len()).filter_map(|k| filters[k].map(|filter| (k, filter))).collect();
            for (i, a) in &there {
                for (j, b) in &there {
                    assert!(!a.sees(b) || class(*i).meets(class(*j)), "{a:?} {b:?}");
                }
            }
            assert_eq!(there.len(), classes.all().iter().map(|class| class.bodies as usize).sum::<usize>());
            assert_eq!(mixed > 0, layers == 9, "{mixed}");
        }
    }

    #[test]
    fn bodies_of_one_group_do_not_meet_while_all_of_a_class_are_of_it() {
        let mut classes = Classes::default();
        let of = |group: u32| Filter { layer: 1, hits: 1, group };
        for _ in 0..3 {
            classes.push();
        }
        let meets = |classes: &Classes| classes.all()[0].meets(&classes.all()[0]);
        classes.put(0, &of(7));
        classes.put(1, &of(7));
        assert!(!meets(&classes));
        classes.put(2, &of(8));
        assert!(meets(&classes));
        classes.truncate(0);
        classes.push();
        classes.put(0, &of(8));
        assert!(!meets(&classes));
        classes.put(0, &of(0));
        assert!(meets(&classes));
    }
}
