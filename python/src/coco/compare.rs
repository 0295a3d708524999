//! Overlaps of masks: only of those whose boxes meet, and none that their areas rule out.

use super::masks::{Bounds, Masks, intersection, most_shared};
use crate::boxes::Boxes;
use crate::threads::in_parts;

/// Two masks that overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Overlap {
    pub(crate) i: u32,
    pub(crate) j: u32,
    /// The number of pixels that both share.
    pub(crate) shared: u32,
    /// The shared pixels, divided by the number that the measure names.
    pub(crate) ratio: f64,
}

/// The number by which that of shared pixels is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    /// The pixels that are solid in either: intersection over union.
    Union,
    /// The smaller mask.
    Smaller,
    /// The first mask: what COCO compares a crowd with.
    First,
}

impl Measure {
    fn ratio(self, shared: u64, [a, b]: [u32; 2]) -> f64 {
        let whole = match self {
            Self::Union => u64::from(a) + u64::from(b) - shared,
            Self::Smaller => a.min(b).into(),
            Self::First => a.into(),
        };
        if shared == 0 { 0.0 } else { shared as f64 / whole as f64 }
    }
}

/// Returns what `of` makes of the pairs of masks whose boxes meet, ascending: of two lists, or of one list, each pair
/// once.
fn of_pairs<R: Clone + Send>(a: &Masks, b: Option<&Masks>, of: impl Fn([usize; 2]) -> Option<R> + Sync) -> Vec<R> {
    let boxes = |masks: &Masks| masks.bounds().iter().map(Bounds::signed).collect::<Vec<_>>();
    let (first, others) = (boxes(a), Boxes::new(&boxes(b.unwrap_or(a))));
    let parts = in_parts(a.len(), 0, |rows| {
        let (mut found, mut kept) = (Vec::new(), Vec::new());
        for i in rows {
            others.search(&first[i], &mut found);
            let later = found.iter().map(|j| *j as usize).filter(|j| b.is_some() || *j > i);
            kept.extend(later.filter_map(|j| of([i, j])));
        }
        kept
    });
    parts.concat()
}

/// Returns the pairs that share a pixel and whose ratio is at least `least`, ascending.
pub(crate) fn overlaps(a: &Masks, b: Option<&Masks>, measure: Measure, least: f64) -> Vec<Overlap> {
    let other = b.unwrap_or(a);
    of_pairs(a, b, |[i, j]| {
        let areas = [a.areas()[i], other.areas()[j]];
        // The ratio grows with the shared pixels, so the most there can be is judged first.
        if measure.ratio(most_shared([a, other], [i, j]), areas) < least {
            return None;
        }
        let shared = intersection([a, other], [i, j]);
        let ratio = measure.ratio(shared.into(), areas);
        (shared > 0 && ratio >= least).then_some(Overlap { i: i as u32, j: j as u32, shared, ratio })
    })
}

/// Returns the ratio of each mask of `a` with each of `b`, row by row. `crowds` has a value for each of `b`: those that
/// are true are compared with the mask of `a` alone. `None` without the memory.
pub(crate) fn ratios(a: &Masks, b: &Masks, crowds: &[bool]) -> Option<Vec<f64>> {
    let mut all = Vec::new();
    all.try_reserve_exact(a.len().checked_mul(b.len())?).ok()?;
    all.resize(a.len() * b.len(), 0.0);
    let found = of_pairs(a, Some(b), |[i, j]| {
        let shared = intersection([a, b], [i, j]);
        let measure = if crowds[j] { Measure::First } else { Measure::Union };
        (shared > 0).then(|| (i * b.len() + j, measure.ratio(shared.into(), [a.areas()[i], b.areas()[j]])))
    });
    for (at, ratio) in found {
        all[at] = ratio;
    }
    Some(all)
}

/// Groups masks greedily: in `order`, each mask that no group has yet begins one, and takes all its neighbours that no
/// group has yet. Returns the groups in order; the first mask of each comes first, the others ascend.
pub(crate) fn groups(order: &[u32], edges: &[Overlap]) -> Vec<Vec<u32>> {
    let mut neighbours = vec![Vec::new(); order.len()];
    for edge in edges {
        neighbours[edge.i as usize].push(edge.j);
        neighbours[edge.j as usize].push(edge.i);
    }
    let mut taken = vec![false; order.len()];
    let mut groups = Vec::new();
    for &first in order {
        if std::mem::replace(&mut taken[first as usize], true) {
            continue;
        }
        let mut group = vec![first];
        for &other in &neighbours[first as usize] {
            if !std::mem::replace(&mut taken[other as usize], true) {
                group.push(other);
            }
        }
        group[1..].sort_unstable();
        groups.push(group);
    }
    groups
}
