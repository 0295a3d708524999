//! Pairs of polygons that meet.

use super::list::List;
use super::meeting::{Meeting, meeting};
use super::source::Frame;
use crate::boxes::{Bounds, Boxes, sorted};
use crate::threads::in_parts;

/// Returns the rows of polygons whose closed sets meet, ascending, and whether their interiors surely overlap: of two
/// lists, or of one, each pair once. Uses at most `threads` threads, 0 for one on each core.
pub(super) fn pairs(a: &List, b: Option<&List>, threads: usize) -> (Vec<[u32; 2]>, Vec<bool>) {
    let other = b.unwrap_or(a);
    let all = || [a, other].into_iter().flat_map(List::iter).map(|polygon| polygon.frame().origin);
    let origin = [0, 1].map(|axis| all().map(|origin| origin[axis]).min().unwrap_or(0));
    let of_a = bounds(a, origin);
    let boxes = match b {
        Some(b) => Boxes::new(&bounds(b, origin)),
        None => Boxes::new(&of_a),
    };
    let parts = in_parts(a.len(), threads, |part| {
        let (mut near, mut sides, mut pairs) = (Vec::new(), [Vec::new(), Vec::new()], Vec::new());
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
                    let mut pair = both.map(|polygon| polygon.row());
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

/// Returns the box of each polygon from an origin, at most 2^30 lattice steps away. It is longer by 1, so that the
/// interiors of two overlap if the closed boxes meet.
fn bounds(list: &List, origin: [i64; 2]) -> Vec<Bounds> {
    let of = |frame: &Frame| {
        let min = [0, 1].map(|axis| (frame.origin[axis] - origin[axis]) as i32);
        Bounds { min, max: [0, 1].map(|axis| min[axis] + frame.size[axis] + 1) }
    };
    list.iter().map(|polygon| of(polygon.frame())).collect()
}
