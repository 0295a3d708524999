//! The parts of a mask that an edit has cut off, found by flood fills that start at the edit.
//!
//! Each run of solid texels around the edit begins a flood. The flood with the fewest texels goes on first, run by run;
//! floods that meet become one. A flood that has nowhere to go is a part. When one flood is left and no part has more
//! texels, that flood is the rest, however far it would still go. So the time depends on the parts, and on how far the
//! floods go until they meet, not on the size of the mask:
//!
//! ```text
//! for each run around the edit: a flood of that run
//! while several floods are left, or one that is not larger than the largest part
//!     the flood with the fewest texels: take one of its runs, and each run that neighbours it
//!         unknown: it joins the flood        of another flood: the two become one
//!     nothing left to take: the flood is a part
//! ```

use std::cmp::Reverse;
use std::collections::hash_map::Entry;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use super::Mask;
use super::components::{Components, Neighbours, Run, root};
use crate::ground::sorting::sort_by_key;

/// A set of connected runs.
#[derive(Default)]
struct Flood {
    /// The runs whose neighbours are known.
    done: Vec<Run>,
    /// The runs whose neighbours are not known yet.
    ahead: Vec<Run>,
    area: u64,
}

/// The floods, and the one that each run is part of.
struct Floods<'a> {
    mask: &'a Mask,
    /// The number of texels, in x, by which runs of two rows may be apart and still be neighbours.
    reach: u32,
    all: Vec<Flood>,
    /// The flood that took each run, by row and start.
    taken: HashMap<(u16, u16), u32>,
    /// The flood that each flood has become a part of, or itself.
    parents: Vec<u32>,
    /// The floods that may go on, by area.
    active: BTreeSet<(u64, u32)>,
    /// The floods that have ended.
    parts: Vec<u32>,
}

impl Mask {
    /// Returns every connected component with a texel in a box `[x, y, width, height]` or next to it, except the
    /// largest of them (the first if several are equally large), in the order of [`Mask::components`]. After an edit in
    /// that box these are the parts that it cut off, and any parts near it that were separate before.
    ///
    /// A cut that separates a small part from a large one costs about the box and the small part, however large the
    /// mask is. If nothing comes loose, the cost depends on how far around the box the texels still hang together:
    /// cutting a ring open costs up to the whole ring.
    ///
    /// ```
    /// use hitmask::{Mask, mask::Neighbours};
    ///
    /// let mut tower = Mask::from_rows(&["###", ".#.", ".#.", "###", "###"])?;
    /// tower.erase_rect([0, 2, 3, 1]);
    /// let loose = tower.loose_parts([0, 2, 3, 1], Neighbours::Four);
    /// assert_eq!(loose.len(), 1);
    /// assert_eq!(loose.iter().next().unwrap().mask().to_rows(), ["###", ".#."]);
    /// # Ok::<(), hitmask::Error>(())
    /// ```
    #[must_use]
    pub fn loose_parts(&self, [x, y, width, height]: [u32; 4], neighbours: Neighbours) -> Components {
        let reach = u32::from(neighbours == Neighbours::Eight);
        let mut floods = Floods {
            mask: self,
            reach,
            all: Vec::new(),
            taken: HashMap::new(),
            parents: Vec::new(),
            active: BTreeSet::new(),
            parts: Vec::new(),
        };
        let columns = x.saturating_sub(1)..x.saturating_add(width).saturating_add(1).min(self.width);
        for y in y.saturating_sub(1)..y.saturating_add(height).saturating_add(1).min(self.height) {
            for run in self.runs_in(y, columns.clone()) {
                floods.begin(run);
            }
        }
        floods.run();
        floods.loose()
    }

    /// Returns the whole runs of solid texels of a row that reach into some columns.
    fn runs_in(&self, y: u32, columns: Range<u32>) -> impl Iterator<Item = Run> {
        let mut x = if self.get(columns.start, y) { self.start_of_run(columns.start, y) } else { columns.start };
        std::iter::from_fn(move || {
            let start = self.next_texel(x, y, true);
            x = self.next_texel(start, y, false);
            (start < columns.end && start < x).then_some(Run { y: y as u16, start: start as u16, end: x as u16 })
        })
    }

    /// Returns the first column of the run that a solid texel is in.
    fn start_of_run(&self, mut x: u32, y: u32) -> u32 {
        let row = self.row(y);
        while x > 0 {
            // The texels before this one in its word, the nearest highest.
            let (word, before) = ((x - 1) / 64, (x - 1) % 64 + 1);
            let Some(bits) = row.get(word as usize) else { return x };
            let solid = (!(bits << (64 - before))).leading_zeros().min(before);
            x -= solid;
            if solid < before {
                break;
            }
        }
        x
    }
}

impl Floods<'_> {
    /// Begins a flood with a run, unless a flood has it.
    fn begin(&mut self, run: Run) {
        let flood = self.all.len() as u32;
        if self.take(run, flood).is_none() {
            self.all.push(Flood { done: Vec::new(), ahead: vec![run], area: run.area() });
            self.parents.push(flood);
            self.active.insert((run.area(), flood));
        }
    }

    /// Notes that a flood has a run, unless another has taken it, which is then returned.
    fn take(&mut self, run: Run, flood: u32) -> Option<u32> {
        match self.taken.entry((run.y, run.start)) {
            Entry::Vacant(free) => {
                free.insert(flood);
                None
            }
            Entry::Occupied(taken) => Some(*taken.get()),
        }
    }

    /// Floods until all but the largest part is known.
    fn run(&mut self) {
        let mut largest = 0;
        while let Some(&(area, flood)) = self.active.first() {
            if self.active.len() == 1 && (self.parts.is_empty() || area > largest) {
                break;
            }
            self.active.remove(&(area, flood));
            if let Some(run) = self.all[flood as usize].ahead.pop() {
                self.go_on(flood, run);
            } else {
                largest = largest.max(area);
                self.parts.push(flood);
            }
        }
    }

    /// Takes the neighbours of a run of a flood that is not active, and makes it active again.
    fn go_on(&mut self, mut flood: u32, run: Run) {
        self.all[flood as usize].done.push(run);
        let columns =
            u32::from(run.start).saturating_sub(self.reach)..(u32::from(run.end) + self.reach).min(self.mask.width);
        let y = u32::from(run.y);
        let rows = [y.checked_sub(1), Some(y + 1).filter(|y| *y < self.mask.height)];
        let mask = self.mask;
        for other in rows.into_iter().flatten().flat_map(|y| mask.runs_in(y, columns.clone())) {
            let Some(taken) = self.take(other, flood) else {
                let flood = &mut self.all[flood as usize];
                flood.ahead.push(other);
                flood.area += other.area();
                continue;
            };
            let met = root(&mut self.parents, taken);
            if met != flood {
                self.active.remove(&(self.all[met as usize].area, met));
                flood = self.join(flood, met);
            }
        }
        self.active.insert((self.all[flood as usize].area, flood));
    }

    /// Makes one flood of two, and returns which.
    fn join(&mut self, a: u32, b: u32) -> u32 {
        let runs = |flood: u32| self.all[flood as usize].done.len() + self.all[flood as usize].ahead.len();
        let [into, from] = if runs(a) < runs(b) { [b, a] } else { [a, b] };
        let Flood { done, ahead, area } = std::mem::take(&mut self.all[from as usize]);
        let flood = &mut self.all[into as usize];
        flood.done.extend(done);
        flood.ahead.extend(ahead);
        flood.area += area;
        self.parents[from as usize] = into;
        into
    }

    /// Returns all parts but the largest.
    fn loose(mut self) -> Components {
        let mut part = |part: &u32| std::mem::take(&mut self.all[*part as usize]);
        let mut parts: Vec<Flood> = self.parts.iter().map(&mut part).collect();
        for part in &mut parts {
            part.done.sort_unstable();
        }
        sort_by_key(&mut parts, |part| part.done.first().copied());
        if self.active.is_empty() {
            let largest = parts.iter().enumerate().max_by_key(|(k, part)| (part.area, Reverse(*k)));
            if let Some((largest, _)) = largest {
                parts.remove(largest);
            }
        }
        Components::of_parts(parts.into_iter().map(|part| part.done))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::samples::{any_masks, large_masks};
    use super::*;

    /// Compares with all components of the mask.
    fn check(mask: &Mask, around: [u32; 4], neighbours: Neighbours) {
        let [x, y, width, height] = around.map(i64::from);
        let is_near = |(row, columns): (u32, Range<u32>)| {
            let (row, columns) = (i64::from(row), i64::from(columns.start)..i64::from(columns.end));
            (y - 1..=y + height).contains(&row) && columns.start <= x + width && columns.end >= x
        };
        let all = mask.components(neighbours);
        let mut near: Vec<_> = all.iter().filter(|part| part.runs().any(is_near)).collect();
        let largest = near.iter().enumerate().max_by_key(|(k, part)| (part.area(), Reverse(*k)));
        if let Some((largest, _)) = largest {
            near.remove(largest);
        }
        let loose = mask.loose_parts(around, neighbours);
        let told = |parts: &[super::super::Component<'_>]| {
            let part =
                |part: &super::super::Component<'_>| (part.runs().collect::<Vec<_>>(), part.area(), part.bounds());
            parts.iter().map(part).collect::<Vec<_>>()
        };
        assert_eq!(told(&loose.iter().collect::<Vec<_>>()), told(&near), "{mask:?} around {around:?}, {neighbours:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        #[test]
        fn loose_parts_are_components(
            mask in any_masks(), [x, y, width, height] in [0_u32..220, 0..14, 0..40, 0..8], four: bool,
        ) {
            let neighbours = if four { Neighbours::Four } else { Neighbours::Eight };
            check(&mask, [x, y, width, height], neighbours);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]

        #[test]
        fn those_of_large_masks_too(mut mask in large_masks(), at in [0_u32..2000, 0..2000], size in 0_u32..300) {
            let around = [at[0], at[1], size, size];
            mask.erase_rect(around.map(|v| v as i32));
            for neighbours in [Neighbours::Four, Neighbours::Eight] {
                check(&mask, around, neighbours);
            }
        }
    }

    #[test]
    fn of_equal_halves_the_first_stays() {
        let mut bar = Mask::new(201, 3).unwrap();
        bar.fill();
        bar.erase_rect([100, 0, 1, 3]);
        check(&bar, [100, 0, 1, 3], Neighbours::Four);
        let loose = bar.loose_parts([100, 0, 1, 3], Neighbours::Four);
        assert_eq!(loose.iter().map(|part| part.bounds()).collect::<Vec<_>>(), [[101, 0, 100, 3]]);
        for around in [[u32::MAX; 4], [0, 0, u32::MAX, u32::MAX], [500, 500, 1, 1]] {
            check(&bar, around.map(|v| v.min(1 << 20)), Neighbours::Eight);
            let _ = bar.loose_parts(around, Neighbours::Four);
        }
    }
}
