//! Masks as runs of solid pixels, column by column, as COCO's run-length encoding has them.

use std::ops::Range;

use crate::boxes;

/// A box of pixels: its least column and row, then those beyond its largest. Empty masks have an empty one at 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bounds {
    pub(crate) min: [u32; 2],
    pub(crate) end: [u32; 2],
}

impl Bounds {
    pub(crate) fn signed(&self) -> boxes::Bounds {
        boxes::Bounds::unsigned(self.min, self.end)
    }

    /// Returns the box that both share, if any.
    fn shared(&self, other: &Self) -> Option<Self> {
        let min = [0, 1].map(|axis| self.min[axis].max(other.min[axis]));
        let end = [0, 1].map(|axis| self.end[axis].min(other.end[axis]));
        (min[0] < end[0] && min[1] < end[1]).then_some(Self { min, end })
    }

    fn area(&self) -> u64 {
        u64::from(self.end[0] - self.min[0]) * u64::from(self.end[1] - self.min[1])
    }
}

/// Masks of one size. Pixels are numbered down each column, one column after the other; a run is a range of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Masks {
    size: [u32; 2],
    /// The runs of all masks. Those of a mask ascend, and neither are empty nor touch.
    runs: Vec<[u32; 2]>,
    /// The number of runs up to the end of each mask, after a 0.
    ends: Vec<usize>,
    areas: Vec<u32>,
    bounds: Vec<Bounds>,
}

impl Masks {
    /// Makes a list without masks, for masks of `[height, width]`, which have less than 2^32 pixels.
    pub(crate) fn new(size: [u32; 2]) -> Self {
        Self { size, runs: Vec::new(), ends: vec![0], areas: Vec::new(), bounds: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.areas.len()
    }

    /// Returns `[height, width]`.
    pub(crate) fn size(&self) -> [u32; 2] {
        self.size
    }

    /// Returns the number of pixels of a mask's rectangle.
    pub(crate) fn pixels(&self) -> u32 {
        self.size[0] * self.size[1]
    }

    pub(crate) fn areas(&self) -> &[u32] {
        &self.areas
    }

    pub(crate) fn bounds(&self) -> &[Bounds] {
        &self.bounds
    }

    pub(crate) fn runs(&self, mask: usize) -> &[[u32; 2]] {
        &self.runs[self.ends[mask]..self.ends[mask + 1]]
    }

    /// Adds a run to the mask that is being made. It must not begin before the end of the last one.
    #[inline]
    pub(crate) fn put(&mut self, run: Range<u32>) {
        if run.is_empty() {
            return;
        }
        let first = self.ends[self.ends.len() - 1];
        match self.runs[first..].last_mut() {
            Some(last) if last[1] == run.start => last[1] = run.end,
            _ => self.runs.push([run.start, run.end]),
        }
    }

    /// Drops the mask that is being made.
    pub(crate) fn undo(&mut self) {
        self.runs.truncate(self.ends[self.ends.len() - 1]);
    }

    /// Ends the mask that is being made.
    pub(crate) fn finish(&mut self) {
        let height = self.size[0];
        let mut bounds = Bounds { min: [u32::MAX; 2], end: [0; 2] };
        let (mut area, mut column, mut top) = (0, 0, 0);
        for &[start, end] in &self.runs[self.ends[self.ends.len() - 1]..] {
            area += end - start;
            // Most runs lie in the next column; a division for each would take longer than all else.
            if start - top >= height {
                column += 1;
                top += height;
                if start - top >= height {
                    column = start / height;
                    top = column * height;
                }
            }
            bounds.min[0] = bounds.min[0].min(column);
            if end - top <= height {
                bounds.min[1] = bounds.min[1].min(start - top);
                bounds.end = [bounds.end[0].max(column + 1), bounds.end[1].max(end - top)];
            } else {
                bounds.min[1] = 0;
                bounds.end = [bounds.end[0].max(end.div_ceil(height)), height];
            }
        }
        self.bounds.push(if area == 0 { Bounds::default() } else { bounds });
        self.areas.push(area);
        self.ends.push(self.runs.len());
    }

    /// Adds the masks of another list of the same size.
    pub(crate) fn append(&mut self, other: Self) {
        if self.len() == 0 {
            *self = other;
            return;
        }
        let first = self.runs.len();
        self.runs.extend_from_slice(&other.runs);
        self.ends.extend(other.ends[1..].iter().map(|end| first + end));
        self.areas.extend_from_slice(&other.areas);
        self.bounds.extend_from_slice(&other.bounds);
    }

    /// Adds a mask of bytes, row by row; all but 0 are solid.
    pub(crate) fn put_rows(&mut self, texels: &[u8]) {
        let [height, width] = self.size.map(|side| side as usize);
        let is_solid = |texel: &u8| *texel != 0;
        // Rows are quick to search; columns, only where there is something.
        let rows = texels.chunks_exact(width.max(1));
        let within = rows.filter_map(|row| Some([row.iter().position(is_solid)?, row.iter().rposition(is_solid)? + 1]));
        let [left, end] = within.fold([width, 0], |all, [left, end]| [all[0].min(left), all[1].max(end)]);
        for x in left..end {
            let mut start = None;
            for (y, texel) in texels[x..].iter().step_by(width).enumerate() {
                match (is_solid(texel), start) {
                    (true, None) => start = Some(y),
                    (false, Some(first)) => {
                        self.put((x * height + first) as u32..(x * height + y) as u32);
                        start = None;
                    }
                    _ => {}
                }
            }
            if let Some(first) = start {
                self.put((x * height + first) as u32..((x + 1) * height) as u32);
            }
        }
        self.finish();
    }

    /// Adds a mask for each number but 0 of an image, row by row, and returns the numbers, ascending.
    pub(crate) fn put_labels(&mut self, labels: &[i64]) -> Vec<i64> {
        let [height, width] = self.size.map(|side| side as usize);
        // Pixels in the order of columns.
        let pixels = (0..width).flat_map(|x| (0..height).map(move |y| y * width + x));
        let mut runs: Vec<(i64, u32, u32)> = Vec::new();
        for (at, pixel) in pixels.enumerate() {
            match (labels[pixel], runs.last_mut()) {
                (label, Some((last, _, end))) if *last == label && *end == at as u32 => *end += 1,
                (0, _) => {}
                (label, _) => runs.push((label, at as u32, at as u32 + 1)),
            }
        }
        runs.sort_unstable();
        let mut found = Vec::new();
        for same in runs.chunk_by(|a, b| a.0 == b.0) {
            found.push(same[0].0);
            for &(_, start, end) in same {
                self.put(start..end);
            }
            self.finish();
        }
        found
    }

    /// Returns all masks as bytes of 0 or 1, row by row; `None` without the memory.
    pub(crate) fn to_rows(&self) -> Option<Vec<bool>> {
        let [height, width] = self.size.map(|side| side as usize);
        let pixels = height * width;
        let mut texels = Vec::new();
        texels.try_reserve_exact(pixels.checked_mul(self.len())?).ok()?;
        texels.resize(pixels * self.len(), false);
        for mask in 0..self.len() {
            for pixel in self.runs(mask).iter().flat_map(|&[start, end]| start as usize..end as usize) {
                texels[mask * pixels + pixel % height * width + pixel / height] = true;
            }
        }
        Some(texels)
    }

    /// Adds a mask of this list's masks: all pixels that are solid in any of them.
    pub(crate) fn union(&self, masks: &[u32], to: &mut Self) {
        let mut runs: Vec<[u32; 2]> = masks.iter().flat_map(|mask| self.runs(*mask as usize)).copied().collect();
        runs.sort_unstable();
        let mut end = 0;
        for [start, stop] in runs {
            to.put(start.max(end)..stop.max(end));
            end = end.max(stop);
        }
        to.finish();
    }
}

/// Returns the number of pixels that two masks of the same size share.
pub(crate) fn intersection([a, b]: [&Masks; 2], [i, j]: [usize; 2]) -> u32 {
    let Some(shared) = a.bounds[i].shared(&b.bounds[j]) else { return 0 };
    let [start, end] = [shared.min[0], shared.end[0]].map(|column| column * a.size[0]);
    let within = |runs: &mut &[[u32; 2]]| {
        let from = runs.partition_point(|run| run[1] <= start);
        let to = from + runs[from..].partition_point(|run| run[0] < end);
        *runs = &runs[from..to];
    };
    let (mut a, mut b) = (a.runs(i), b.runs(j));
    within(&mut a);
    within(&mut b);
    let (mut i, mut j, mut sum) = (0, 0, 0);
    while let (Some(one), Some(other)) = (a.get(i), b.get(j)) {
        sum += one[1].min(other[1]).saturating_sub(one[0].max(other[0]));
        // The one that ends first meets no later run of the other.
        let first = one[1] <= other[1];
        i += usize::from(first);
        j += usize::from(!first);
    }
    sum
}

/// Returns the most pixels that two masks can share, by their boxes and areas.
pub(crate) fn most_shared([a, b]: [&Masks; 2], [i, j]: [usize; 2]) -> u64 {
    let shared = a.bounds[i].shared(&b.bounds[j]).map_or(0, |shared| shared.area());
    shared.min(a.areas[i].into()).min(b.areas[j].into())
}
