//! Pairs of sprites, at least one of which moves: compares them at each offset from each other that they pass through.
//! Twin of `shaders/shared/sprites.wgsl`.
//!
//! ```text
//! at = the offset of A from B at the first relevant tick; compare there
//! for each tick at which one of them moves on to the next pixel
//!     go to the offset of A from B now, by unit steps, x first; compare at each offset, unless that was done before
//! ```

use super::gather::Gather;
use super::seen::Seen;
use super::view::View;
use crate::bits::rows::meet;
use crate::ground::lattice::Point;
use crate::ground::ticks::{SPRITES_STRAY, TICKS, Walk, offset, ticks_near};
use crate::ground::touch::Touch;

/// The tick and the offset at which two sprites first hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Meeting {
    pub(super) tick: u32,
    /// The offset of A from its start, relative to B's, in pixels.
    pub(super) at: Point,
}

/// Returns the first meeting of two sprites, both painted as at their starts.
pub(super) fn walk(a: &View<'_>, b: &View<'_>, touch: Touch) -> Option<Meeting> {
    let [first, end] = ticks(a, b, touch)?;
    let mut seen = Seen::default();
    let mut look = |tick: u32, at: Point| (seen.insert(at) && hits(a, b, at, touch)).then_some(Meeting { tick, at });
    let [at_a, at_b] = [a, b].map(|view| offset(view.body.position, view.body.motion, first));
    let mut at = at_a - at_b;
    if let Some(meeting) = look(first, at) {
        return Some(meeting);
    }
    if is_rigid(a, b) {
        return None;
    }
    let [mut walk_a, mut walk_b] = [a, b].map(|view| Walk::from(view.body.position, view.body.motion, first));
    loop {
        let tick = walk_a.next().min(walk_b.next());
        if tick > end.min(TICKS) {
            return None;
        }
        let to = at + walk_a.cross(tick) - walk_b.cross(tick);
        while at.x != to.x {
            at.x += (to.x - at.x).signum();
            if let Some(meeting) = look(tick, at) {
                return Some(meeting);
            }
        }
        while at.y != to.y {
            at.y += (to.y - at.y).signum();
            if let Some(meeting) = look(tick, at) {
                return Some(meeting);
            }
        }
    }
}

/// Returns the range of ticks at which the pixels of two sprites may be near each other, see [`ticks_near`].
fn ticks(a: &View<'_>, b: &View<'_>, touch: Touch) -> Option<[u32; 2]> {
    let margin = i32::from(touch == Touch::Included);
    let least = |a_max: i32, b_min: i32| 256 * (b_min - margin - a_max + 1) - SPRITES_STRAY;
    let most = |a_min: i32, b_max: i32| 256 * (b_max + margin - a_min - 1) + SPRITES_STRAY;
    let (motion, a, b) = (a.body.motion - b.body.motion, &a.pixels, &b.pixels);
    let least = Point::new(least(a.max.x, b.min.x), least(a.max.y, b.min.y));
    let most = Point::new(most(a.min.x, b.max.x), most(a.min.y, b.max.y));
    ticks_near(motion, least, most)
}

/// Returns whether two sprites always move on to the next pixel at the same ticks.
fn is_rigid(a: &View<'_>, b: &View<'_>) -> bool {
    let phase = |view: &View<'_>| [view.body.position.x & 255, view.body.position.y & 255];
    a.body.motion == b.body.motion && phase(a) == phase(b)
}

/// Returns whether A, offset by `at` pixels relative to B, hits B.
pub(super) fn hits(a: &View<'_>, b: &View<'_>, at: Point, touch: Touch) -> bool {
    match (a.rows(), b.rows()) {
        (Some(rows_a), Some(rows_b)) if touch == Touch::Excluded => meet(|| a.simd, &rows_a.moved(at), rows_b),
        _ => a.words(&b.pixels, at, touch).any(|(x, y, bits)| b.hit_pixels(x, y, bits, touch) != 0),
    }
}

/// Gathers the pixels that both paint, with A offset by `at` relative to B, in world coordinates, B having moved by
/// `gone`.
pub(super) fn gather(a: &View<'_>, b: &View<'_>, at: Point, gone: Point) -> Gather {
    let mut gather = Gather::NOTHING;
    for (x, y, bits) in a.words(&b.pixels, at, Touch::Excluded) {
        gather.take(x + gone.x, y + gone.y, b.hit_pixels(x, y, bits, Touch::Excluded));
    }
    gather
}

/// Returns how many pixels B has moved by the time that two sprites hit.
pub(super) fn gone(b: &View<'_>, meeting: Meeting) -> Point {
    offset(b.body.position, b.body.motion, meeting.tick)
}
