//! The shortest whole-pixel translation that parts two sets of pixels.
//!
//! ```text
//! best = the shortest way past the bounds of b
//! for dy = 0, -1, 1, -2, 2, ... while |dy| <= |best|
//!     leftward, then rightward, from dx = 0, while (dx, dy) is shorter than best
//!         if a run of a, moved by (dx, dy), meets a run of b:   a   ....[#####)....
//!             dx = where the one has passed the other           b   ..[###)........   leftward to here: [#####)[###)
//!         else best = (dx, dy)
//! ```
//!
//! A row is looked at first where the last offset met, because the next one mostly meets there too.
//!
//! Two runs that meet are often parts of larger blocks, as where masks are scaled up: then a rectangle of each block
//! meets the other's at the next offsets in y as well (`Pair`). The pairs that bar the way on one side at `dy` are kept
//! for `dy + 1`, and a new one is looked for only where one has ended.

use crate::ground::lattice::Point;
use crate::host::runs::{Rows, Run, blocker, meeting};

/// The shortest translation of `a` that leaves no pixel in common with `b`.
///
/// Of equally short ones the more vertical, then the one upward, then leftward; downward and rightward where `sense` is
/// -1.
pub(super) fn way_out(a: &mut Rows<'_>, b: &mut Rows<'_>, sense: i32) -> [i32; 2] {
    search(a, b, sense).0
}

/// As [`way_out`], with the number of offsets at which rows have been looked at.
pub(super) fn search(a: &mut Rows<'_>, b: &mut Rows<'_>, sense: i32) -> ([i32; 2], usize) {
    let (ours, theirs) = (a.pixels(), b.pixels());
    let past = |axis: fn(Point) -> i32| [axis(theirs.min) - axis(ours.max), axis(theirs.max) - axis(ours.min)];
    let ([left, right], [up, down]) = (past(|p| p.x), past(|p| p.y));
    if left >= 0 || right <= 0 || up >= 0 || down <= 0 {
        return ([0, 0], 0);
    }
    let key = |[x, y]: [i32; 2]| {
        let [dx, dy] = [x, y].map(i64::from);
        (dx * dx + dy * dy, x.abs(), sense * y, sense * x)
    };
    let mut best = [0, up];
    for way in [[0, down], [left, 0], [right, 0]] {
        if key(way) < key(best) {
            best = way;
        }
    }
    let reach = best[0].abs() + best[1].abs();
    a.clip([theirs.min.x - reach, theirs.max.x + reach]);
    b.clip([ours.min.x - reach, ours.max.x + reach]);
    let mut hint = i32::midpoint(ours.min.y.max(theirs.min.y), ours.max.y.min(theirs.max.y));
    // Upward, then downward; leftward, then rightward.
    let (mut barriers, mut looks) = ([(); 4].map(|()| Vec::new()), 0);
    for distance in 0..=reach {
        if key([0, distance]).0 > key(best).0 {
            break;
        }
        for (k, barrier) in barriers.iter_mut().enumerate() {
            let (down, side) = (if k < 2 { -1 } else { 1 }, if k % 2 == 0 { -1 } else { 1 });
            let dy = down * distance;
            let (mut dx, mut known) = (0, std::mem::take(barrier).into_iter().peekable());
            while key([dx, dy]) < key(best) {
                let ended = |pair: &Pair| !pair.bars(dx, dy) && !pair.is_beyond(dx, side);
                while known.next_if(ended).is_some() {}
                let kept = known.next_if(|pair| pair.bars(dx, dy));
                looks += usize::from(kept.is_none());
                let at = Point::new(dx, dy);
                let Some(pair) = kept.or_else(|| Pair::at(a, b, at, [side, down], &mut hint)) else {
                    best = [dx, dy];
                    break;
                };
                barrier.push(pair);
                dx = pair.past(side);
            }
        }
    }
    (best, looks)
}

/// The least and the greatest number of rows that a rectangle is sought in; between them as many as the offset in y, so
/// that of small overlaps of large sprites few rows are painted.
const ROWS: [i32; 2] = [8, 256];
/// How wide runs must be for their rectangles to be sought: those of dithered masks hardly have any.
const WIDE: i32 = 4;
/// One more than the rows that are looked at for runs that reach farther.
const SPREAD: i64 = 8;

/// A rectangle of pixels of each set, seen as the offsets at which they meet.
#[derive(Clone, Copy, Debug)]
struct Pair {
    /// The offsets in x, both excluded.
    between: Run,
    /// The offsets in y.
    rows: [i32; 2],
}

impl Pair {
    /// Finds two that meet at an offset and at as many as possible of the next ones in y, downward where `down` is 1,
    /// upward where it is -1. On the `side` they bar at least half as many offsets as the runs that they are made of.
    fn at(a: &mut Rows<'_>, b: &mut Rows<'_>, at: Point, [side, down]: [i32; 2], hint: &mut i32) -> Option<Self> {
        let (mut ours, mut theirs) = blocker(a, b, at, hint)?;
        let between = |ours: Run, theirs: Run| [theirs[0] - ours[1], theirs[1] - ours[0]];
        let far = |ours: Run, theirs: Run| {
            if side < 0 { at.x - between(ours, theirs)[0] } else { between(ours, theirs)[1] - at.x }
        };
        // Where wide runs meet only at their ends, as between slanted sides, those of other rows may reach farther.
        if 4 * far(ours, theirs) < (ours[1] - ours[0]).min(theirs[1] - theirs[0]) {
            for (y, runs) in spread(a, b, at) {
                if far(runs[0], runs[1]) > far(ours, theirs) {
                    ([ours, theirs], *hint) = (runs, y);
                }
            }
        }
        let least = far(ours, theirs).midpoint(1);
        let meet = |ours: Run, theirs: Run| {
            let [left, right] = between(ours, theirs);
            left < at.x && at.x < right && far(ours, theirs) >= least
        };
        let wide = (ours[1] - ours[0]).min(theirs[1] - theirs[0]);
        let most = if wide < WIDE { 0 } else { at.y.abs().clamp(ROWS[0], ROWS[1]) };
        let (theirs, below) = block(b, *hint, theirs, down, most, |theirs| meet(ours, theirs));
        let (ours, above) = block(a, *hint - at.y, ours, -down, most, |ours| meet(ours, theirs));
        let end = at.y + down * (above + below);
        Some(Self { between: between(ours, theirs), rows: [at.y.min(end), at.y.max(end)] })
    }

    /// Whether they meet at an offset.
    fn bars(&self, dx: i32, dy: i32) -> bool {
        self.between[0] < dx && dx < self.between[1] && self.rows[0] <= dy && dy <= self.rows[1]
    }

    /// The next offset on a side at which the one has passed the other.
    fn past(&self, side: i32) -> i32 {
        if side < 0 { self.between[0] } else { self.between[1] }
    }

    /// Whether offsets farther out on a side than one, but not this, are theirs.
    fn is_beyond(&self, dx: i32, side: i32) -> bool {
        if side < 0 { dx >= self.between[1] } else { dx <= self.between[0] }
    }
}

/// Looks at some rows, spread over all; those in which two sets meet at an offset, with runs that meet there.
fn spread(a: &mut Rows<'_>, b: &mut Rows<'_>, at: Point) -> Vec<(i32, [Run; 2])> {
    let top = b.pixels().min.y.max(a.pixels().min.y + at.y);
    let bottom = b.pixels().max.y.min(a.pixels().max.y + at.y);
    let rows = (1..SPREAD).map(|k| top + ((i64::from(bottom) - i64::from(top)) * k / SPREAD) as i32);
    let met = rows.filter_map(|y| meeting(a.row(y - at.y), b.row(y), at.x).map(|(ours, theirs)| (y, [ours, theirs])));
    met.collect()
}

/// The columns that a run has in common with runs of the rows `onward` from it, as long as `keep` accepts them, and in
/// how many rows; at most `most`.
fn block(rows: &mut Rows<'_>, y: i32, run: Run, onward: i32, most: i32, keep: impl Fn(Run) -> bool) -> (Run, i32) {
    let mut all = run;
    for count in 0..most {
        let row = rows.row(y + onward * (count + 1));
        let Some(next) = row.get(row.partition_point(|run| run[1] <= all[0])) else { return (all, count) };
        let next = [next[0].max(all[0]), next[1].min(all[1])];
        if next[0] >= next[1] || !keep(next) {
            return (all, count);
        }
        all = next;
    }
    (all, most)
}
