//! The shortest whole-pixel translation that separates two sets of pixels.
//!
//! ```text
//! best = the shortest way past the bounds of b
//! for dy = 0, -1, 1, -2, 2, ... while |dy| <= |best|
//!     leftward, then rightward, from dx = 0, while (dx, dy) is shorter than best
//!         if a run of a, moved by (dx, dy), meets a run of b:   a   ....[#####)....
//!             dx = where the one is past the other              b   ..[###)........   leftward to here: [#####)[###)
//!         else best = (dx, dy)
//! ```
//!
//! The search starts in the row where the last offset met, because the next offset mostly meets there too.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::host::runs::Facing;

/// Returns the shortest translation of a sprite by which it no longer hits the other body.
///
/// Among equally short ones it is the more vertical, then the upward, then the leftward one; downward and rightward if
/// `sense` is -1.
pub(super) fn way_out(facing: &mut Facing<'_>, sense: i32) -> [i32; 2] {
    let (ours, theirs) = (facing.sprite.pixels(), facing.other.pixels());
    let past = |axis: fn(Point) -> i32| [axis(theirs.min) - axis(ours.max), axis(theirs.max) - axis(ours.min)];
    let ([left, right], [up, down]) = (past(|p| p.x), past(|p| p.y));
    if left >= 0 || right <= 0 || up >= 0 || down <= 0 {
        return [0, 0];
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
    let within = |of: Aabb| [of.min.x - reach, of.max.x + reach];
    facing.clip(within(theirs), within(ours));
    let mut hint = i32::midpoint(ours.min.y.max(theirs.min.y), ours.max.y.min(theirs.max.y));
    for distance in 0..=reach {
        if key([0, distance]).0 > key(best).0 {
            break;
        }
        for dy in [-distance, distance] {
            for leftward in [true, false] {
                let mut dx = 0;
                while key([dx, dy]) < key(best) {
                    let at = Point::new(dx, dy);
                    let Some((run, met)) = facing.blocker(at, &mut hint) else {
                        best = [dx, dy];
                        break;
                    };
                    dx = if leftward { met[0] - run[1] } else { met[1] - run[0] };
                }
            }
        }
    }
    best
}
