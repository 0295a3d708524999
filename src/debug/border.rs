//! The border of pixels: the edges between a pixel that is set and one that is not.
//!
//! ```text
//! row y - 1   . # # .     horizontal edges above row y: the pixels set in one of both rows, not in both
//! row y       . # . .     vertical edges: the ends of a row's runs; one goes on as long as each row has an end there
//! ```

use crate::ground::error::Result;
use crate::ground::lattice::Point;

/// A rectangle of pixels, each range without its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pixels {
    pub(super) columns: [i32; 2],
    pub(super) rows: [i32; 2],
}

impl Pixels {
    /// Makes a rectangle from its first pixel and the one after its last.
    pub(super) fn between(first: Point, end: Point) -> Self {
        Self { columns: [first.x, end.x], rows: [first.y, end.y] }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns[0] >= self.columns[1] || self.rows[0] >= self.rows[1]
    }

    /// Returns the pixels of both.
    pub(super) fn common(&self, other: &Self) -> Self {
        let both = |a: [i32; 2], b: [i32; 2]| [a[0].max(b[0]), a[1].min(b[1])];
        Self { columns: both(self.columns, other.columns), rows: both(self.rows, other.rows) }
    }

    /// Returns the pixels, and those around.
    pub(super) fn grown(&self) -> Self {
        let grown = |[start, end]: [i32; 2]| [start - 1, end + 1];
        Self { columns: grown(self.columns), rows: grown(self.rows) }
    }
}

/// Passes the edges around the pixels within `seen` to `draw`, as long as possible. `row` returns the ends of a row's
/// runs, ascending, at least for the pixels of `seen` and those beside it; it is called for each row once.
pub(super) fn border(
    seen: &Pixels,
    mut row: impl FnMut(i32) -> Vec<i32>,
    mut draw: impl FnMut([i32; 2], [i32; 2]) -> Result<()>,
) -> Result<()> {
    if seen.is_empty() {
        return Ok(());
    }
    let ([left, right], [top, bottom]) = (seen.columns, seen.rows);
    let mut above = row(top - 1);
    // The vertical edges that have not ended: column and first row, ascending.
    let mut open: Vec<[i32; 2]> = Vec::new();
    for y in top..=bottom {
        let ends = row(y);
        for edge in one_of(&above, &ends).chunks_exact(2) {
            let [from, to] = [edge[0].max(left), edge[1].min(right)];
            if from < to {
                draw([from, y], [to, y])?;
            }
        }
        let upright: &[i32] = if y < bottom { &ends } else { &[] };
        let within = upright.iter().copied().filter(|x| (left..=right).contains(x));
        let next: Vec<[i32; 2]> = within.map(|x| [x, started(&open, x).unwrap_or(y)]).collect();
        for &[x, from] in open.iter().filter(|[x, _]| started(&next, *x).is_none()) {
            draw([x, from], [x, y])?;
        }
        (above, open) = (ends, next);
    }
    Ok(())
}

/// Returns the first row of the edge in a column, if there is one.
fn started(open: &[[i32; 2]], x: i32) -> Option<i32> {
    open.binary_search_by_key(&x, |edge| edge[0]).ok().map(|place| open[place][1])
}

/// Returns the ends of the runs of pixels that are in one of two rows, not in both, given the ends of their runs.
fn one_of(a: &[i32], b: &[i32]) -> Vec<i32> {
    let mut ends = [a, b].concat();
    ends.sort_unstable();
    // An end that both have ends nothing.
    let mut kept: Vec<i32> = Vec::with_capacity(ends.len());
    for end in ends {
        if kept.last() == Some(&end) {
            kept.pop();
        } else {
            kept.push(end);
        }
    }
    kept
}
