//! Pairs of polygons that meet.

use super::list::List;
use super::meeting::{Meeting, meeting};
use super::source::Frame;
use crate::meetings::{Bounds, Boxes, sorted};
use crate::threads::in_parts;

/// Returns the pairs of polygons whose closed sets meet, ascending, and of each whether their interiors surely overlap:
/// of two lists, or of one, each pair once. Works on at most so many threads, 0 for one on each core.
pub(super) fn pairs(a: &List, b: Option<&List>, threads: usize) -> (Vec<[u32; 2]>, Vec<bool>) {
    let other = b.unwrap_or(a);
    let scale = Scale::of([a, other]);
    let of_a = scale.boxes(a);
    let boxes = match b {
        Some(b) => Boxes::new(&scale.boxes(b)),
        None => Boxes::new(&of_a),
    };
    let parts = in_parts(a.len(), threads, |part| {
        let (mut near, mut sides, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        for i in part {
            if b.is_some() {
                boxes.search(&of_a[i], &mut near);
            } else {
                near.clear();
                boxes.partners(i as u32, &of_a[i], |j| near.push(j));
            }
            for j in near.iter().map(|j| *j as usize) {
                let both = [a.get(i), other.get(j)];
                let how = meeting(both, &mut sides);
                if how != Meeting::Apart {
                    let mut pair = both.map(|polygon| polygon.number());
                    if b.is_none() {
                        pair.sort_unstable();
                    }
                    pairs.push((pair, how == Meeting::Overlap));
                }
            }
        }
        pairs
    });
    let mut pairs = sorted(&parts.concat(), a.len(), |([i, _], _)| *i);
    for of_one in pairs.chunk_by_mut(|([i, _], _), ([j, _], _)| i == j) {
        of_one.sort_unstable();
    }
    pairs.into_iter().unzip()
}

/// How boxes in lattice steps become boxes of 32 bits.
struct Scale {
    base: [i64; 2],
    /// A step of these boxes is this power of two of lattice steps.
    shift: u32,
}

impl Scale {
    /// Returns a scale for all polygons of two lists.
    fn of(lists: [&List; 2]) -> Self {
        let all = || lists.into_iter().flat_map(List::iter).map(|polygon| polygon.frame());
        let base = [0, 1].map(|axis| all().map(|frame| frame.origin[axis]).min().unwrap_or(0));
        let end =
            |frame: &Frame| (0..2).map(|axis| frame.origin[axis] - base[axis] + i64::from(frame.size[axis])).max();
        let extent = all().filter_map(end).max().unwrap_or(0);
        Self { base, shift: (i64::BITS - extent.leading_zeros()).saturating_sub(30) }
    }

    /// Returns a box around each polygon. Those of polygons whose closed boxes meet overlap.
    fn boxes(&self, list: &List) -> Vec<Bounds> {
        let of = |frame: &Frame| {
            let min = [0, 1].map(|axis| frame.origin[axis] - self.base[axis]);
            let max = [0, 1].map(|axis| min[axis] + i64::from(frame.size[axis]));
            Bounds { min: min.map(|v| (v >> self.shift) as i32), max: max.map(|v| (v >> self.shift) as i32 + 1) }
        };
        list.iter().map(|polygon| of(polygon.frame())).collect()
    }
}
