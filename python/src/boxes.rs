//! Boxes that meet: each box lies in one cell of an endless grid, and looks at the cells near it.
//!
//! The cells lie in a ring of slots, about as many as there are boxes: neighbours in a row are neighbours in the ring,
//! and each row begins `stride` slots after the row above. Cells far from each other may share a slot, so a box that is
//! far from all others costs no memory. Boxes much larger than most form a level of their own, with larger cells.
//!
//! A step of a world would find these pairs too, but a world ends at two million pixels.

use std::ops::AddAssign;

/// A box in whole numbers: its least corner, then its largest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) min: [i32; 2],
    pub(crate) max: [i32; 2],
}

impl Bounds {
    /// The box that meets nothing.
    pub(crate) const NOWHERE: Self = Self { min: [i32::MAX; 2], max: [i32::MIN; 2] };

    /// Returns a box of numbers that have no sign, in their order.
    pub(crate) fn unsigned(min: [u32; 2], max: [u32; 2]) -> Self {
        let signed = |v: u32| (v ^ 1 << 31) as i32;
        Self { min: min.map(signed), max: max.map(signed) }
    }

    /// Returns whether the interiors of two boxes overlap.
    fn meets(&self, other: &Self) -> bool {
        (0..2).all(|axis| self.min[axis] < other.max[axis] && self.max[axis] > other.min[axis])
    }

    fn is_nowhere(&self) -> bool {
        self.min[0] > self.max[0]
    }

    fn longer_side(&self) -> u32 {
        self.max[0].abs_diff(self.min[0]).max(self.max[1].abs_diff(self.min[1]))
    }
}

/// The number of boxes from which the size of a cell is chosen.
const SAMPLES: usize = 64;

/// The most boxes that are compared with all others, which is then faster than to sort these.
const FEW: usize = 8;

/// Boxes of about one size, in the order of their slots.
struct Level {
    /// A cell has this power of two of pixels along both axes.
    shift: u32,
    /// The longest side of a box.
    reach: i64,
    /// The slots from a cell to the one below it.
    stride: u64,
    /// The box at which those of each slot begin; one more at the end. There is a power of two of slots.
    starts: Vec<u32>,
    boxes: Vec<Bounds>,
    /// The index of each box in the caller's list.
    indices: Vec<u32>,
}

impl Level {
    /// Makes a level of some of the boxes `all`, at least one, and returns it with those too large for it.
    fn new(all: &[Bounds], mut some: Vec<u32>) -> (Self, Vec<u32>) {
        let side = |index: u32| all[index as usize].longer_side();
        let mut sides: Vec<u32> = some.iter().step_by(some.len().div_ceil(SAMPLES)).map(|index| side(*index)).collect();
        sides.sort_unstable();
        let usual = sides[sides.len() * 3 / 4];
        let mut large = Vec::new();
        some.retain(|index| {
            let fits = side(*index) / 2 <= usual;
            if !fits {
                large.push(*index);
            }
            fits
        });
        let slots = some.len().next_power_of_two();
        let mut level = Self {
            shift: usual.saturating_add(usual / 2).max(1).ilog2(),
            reach: some.iter().map(|index| side(*index)).max().unwrap_or(0).into(),
            // Multiples of the golden ratio lie far from each other in the ring.
            stride: (slots as f64 * 0.618) as u64 | 1,
            starts: vec![0; slots + 1],
            boxes: vec![Bounds::NOWHERE; some.len()],
            indices: vec![0; some.len()],
        };
        let place = |index: &u32| {
            let [x, y] = all[*index as usize].min.map(i64::from);
            level.slot(level.cell(x), level.cell(y)) as u32
        };
        let places: Vec<u32> = some.iter().map(place).collect();
        for place in &places {
            level.starts[*place as usize + 1] += 1;
        }
        // The start of each slot stands in the place after its own, until its boxes have moved it to their end.
        first_places(&mut level.starts[1..]);
        for (index, place) in some.into_iter().zip(places) {
            let next = &mut level.starts[place as usize + 1];
            level.boxes[*next as usize] = all[index as usize];
            level.indices[*next as usize] = index;
            *next += 1;
        }
        (level, large)
    }

    /// Returns the column or the row of a coordinate.
    fn cell(&self, v: i64) -> i64 {
        v >> self.shift
    }

    fn row(&self, bounds: &Bounds) -> i64 {
        self.cell(bounds.min[1].into())
    }

    fn slot(&self, column: i64, row: i64) -> usize {
        let slots = self.starts.len() as u64 - 1;
        ((column as u64).wrapping_add((row as u64).wrapping_mul(self.stride)) & (slots - 1)) as usize
    }

    /// Calls `work` with each box of the level that meets a box and begins in the row of `top` or below, and with that
    /// row.
    #[inline]
    fn search(&self, bounds: &Bounds, top: i64, mut work: impl FnMut(usize, i64)) {
        let columns = [self.cell(i64::from(bounds.min[0]) - self.reach), self.cell(bounds.max[0].into())];
        let rows = [self.cell(top), self.cell(bounds.max[1].into())];
        let [width, height] = [columns, rows].map(|[first, last]| (last - first + 1) as u64);
        if width.saturating_mul(height) > self.boxes.len() as u64 {
            for (at, other) in self.boxes.iter().enumerate() {
                if bounds.meets(other) && self.row(other) >= rows[0] {
                    work(at, self.row(other));
                }
            }
            return;
        }
        let slots = self.starts.len() - 1;
        for row in rows[0]..=rows[1] {
            let first = self.slot(columns[0], row);
            let end = first + width as usize;
            for run in [first..end.min(slots), 0..end.saturating_sub(slots)] {
                let start = self.starts[run.start] as usize;
                for (at, other) in (start..).zip(&self.boxes[start..self.starts[run.end] as usize]) {
                    // Boxes of other rows may lie in the slots of this one.
                    if bounds.meets(other) && self.row(other) == row {
                        work(at, row);
                    }
                }
            }
        }
    }

    /// Calls `found` with the index of each box of this level that meets the box of an index, also of this level. If
    /// two boxes meet, one finds the other.
    fn partners(&self, index: u32, bounds: &Bounds, mut found: impl FnMut(u32)) {
        let own = self.row(bounds);
        self.search(bounds, bounds.min[1].into(), |at, row| {
            let other = self.indices[at];
            // Two boxes of one row find each other.
            if row > own || index < other {
                found(other);
            }
        });
    }

    /// Calls `found` with the index of each box of this level that meets a box.
    fn meeting(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        self.search(bounds, i64::from(bounds.min[1]) - self.reach, |at, _| found(self.indices[at]));
    }
}

/// Boxes, sorted so that those that meet another are found fast.
pub(crate) struct Boxes {
    /// Those of the smallest boxes first.
    levels: Vec<Level>,
    /// The level of each box, if there are several.
    level_of: Vec<u8>,
}

impl Boxes {
    pub(crate) fn new(all: &[Bounds]) -> Self {
        let (mut levels, mut level_of) = (Vec::new(), Vec::new());
        let mut rest: Vec<u32> = (0..all.len() as u32).filter(|index| !all[*index as usize].is_nowhere()).collect();
        while !rest.is_empty() {
            let (level, large) = Level::new(all, rest);
            levels.push(level);
            if !large.is_empty() {
                level_of.resize(all.len(), 0);
            }
            for index in &large {
                level_of[*index as usize] = levels.len() as u8;
            }
            rest = large;
        }
        Self { levels, level_of }
    }

    /// Calls `found` with the index of each box that meets the box of an index, which is not nowhere. Of two boxes that
    /// meet, one finds the other.
    pub(crate) fn partners(&self, index: u32, bounds: &Bounds, mut found: impl FnMut(u32)) {
        let own = self.level_of.get(index as usize).map_or(0, |level| *level as usize);
        self.levels[own].partners(index, bounds, &mut found);
        for larger in &self.levels[own + 1..] {
            larger.meeting(bounds, &mut found);
        }
    }

    /// Replaces `found` by the indices of the boxes whose interiors overlap that of another, ascending.
    pub(crate) fn search(&self, bounds: &Bounds, found: &mut Vec<u32>) {
        found.clear();
        if bounds.is_nowhere() {
            return;
        }
        for level in &self.levels {
            level.meeting(bounds, |index| found.push(index));
        }
        found.sort_unstable();
    }
}

/// Returns all pairs of a box of `a` and a box of `b` whose interiors overlap, ascending.
pub(crate) fn between(a: &[Bounds], b: &[Bounds]) -> Vec<[u32; 2]> {
    let mut pairs = Vec::new();
    if a.len() <= FEW {
        for (i, bounds) in (0..).zip(a) {
            pairs.extend((0..).zip(b).filter(|(_, other)| bounds.meets(other)).map(|(j, _)| [i, j]));
        }
        return pairs;
    }
    let (boxes, mut found) = (Boxes::new(b), Vec::new());
    for (i, bounds) in (0..).zip(a) {
        boxes.search(bounds, &mut found);
        pairs.extend(found.iter().map(|j| [i, *j]));
    }
    pairs
}

/// Returns all pairs of two boxes whose interiors overlap, each once, ascending.
pub(crate) fn within(all: &[Bounds]) -> Vec<[u32; 2]> {
    let boxes = Boxes::new(all);
    let mut pairs = Vec::with_capacity(all.len());
    for level in &boxes.levels {
        for (bounds, &index) in level.boxes.iter().zip(&level.indices) {
            boxes.partners(index, bounds, |other| pairs.push([index.min(other), index.max(other)]));
        }
    }
    let pairs = sorted(&pairs, all.len(), |pair| pair[1]);
    sorted(&pairs, all.len(), |pair| pair[0])
}

/// Returns items in the order of their keys, which are below `len`; those of one key keep their order.
pub(crate) fn sorted<T: Copy>(items: &[T], len: usize, key: impl Fn(&T) -> u32) -> Vec<T> {
    let mut places = vec![0_usize; len];
    for item in items {
        places[key(item) as usize] += 1;
    }
    first_places(&mut places);
    let mut sorted = items.to_vec();
    for item in items {
        let place = &mut places[key(item) as usize];
        sorted[*place] = *item;
        *place += 1;
    }
    sorted
}

/// Replaces each count by the sum of those before it.
fn first_places<T: Copy + Default + AddAssign>(counts: &mut [T]) {
    let mut sum = T::default();
    for count in counts {
        sum += std::mem::replace(count, sum);
    }
}
