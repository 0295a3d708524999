//! The decision whether a pair hits, when, and where. Twin of `shaders/shared/sprite_pair.wgsl`.

use super::convex::{convex_pair, convex_tick};
use super::mixed::{self, Stay};
use super::paint::paint_body;
use super::sprites::{self, Meeting};
use super::view::{Sweep, View};
use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, offset};
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::simd::Lanes;
use crate::world::packed::{Body, Packed, SPRITE, UNTURNED};

/// Maximum number of words of a sprite that are painted for one pair; a sprite that needs more is sampled.
const ROWS_WORDS: usize = 1 << 16;

/// Memory for turned sprites painted at their end poses, for one pair at a time.
#[derive(Debug, Default)]
pub(crate) struct Ends([Vec<u64>; 2]);

impl Ends {
    /// Returns the bytes that the memory holds.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|words| 8 * words.capacity()).sum()
    }
}

/// The result of following the paths of two bodies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They hit on the way.
    Hit,
    /// They do not hit on the way, but may hit at rest at their ends, where a sprite paints other pixels.
    Open,
    /// They do not hit.
    Miss,
}

/// Two posed bodies, one of which need not be in the world.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    /// The body with the lower index.
    pub(crate) a: View<'a>,
    /// The other body.
    pub(crate) b: View<'a>,
    /// The rule for bodies that only touch.
    pub(crate) touch: Touch,
}

/// The moment and the offsets at which a pair first hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstHit {
    /// Two convex bodies, at this tick.
    Convex(u32),
    /// Two sprites, on the way.
    Sprites(Meeting),
    /// A sprite and a convex body, during this stay of the sprite, at this tick.
    Mixed(Stay, u32),
    /// Only at rest, at their ends.
    AtEnd,
}

impl FirstHit {
    /// Returns the tick.
    pub(crate) fn tick(self) -> u32 {
        match self {
            Self::Convex(tick) | Self::Mixed(_, tick) => tick,
            Self::Sprites(meeting) => meeting.tick,
            Self::AtEnd => TICKS,
        }
    }
}

impl<'a> Pair<'a> {
    /// Returns whether they hit within the step.
    #[inline(always)]
    pub(crate) fn hits<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> bool {
        match self.verdict() {
            Verdict::Hit => true,
            Verdict::Open => self.at_ends(lanes, ends).hits_at_rest(),
            Verdict::Miss => false,
        }
    }

    /// Returns where they first hit, if they do.
    #[inline(always)]
    pub(crate) fn find<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> Option<FirstHit> {
        match self.on_the_way() {
            None if self.is_open() && self.at_ends(lanes, ends).hits_at_rest() => Some(FirstHit::AtEnd),
            found => found,
        }
    }

    /// Returns their details, given where they first hit.
    #[inline(always)]
    pub(crate) fn detail<L: Lanes>(&self, lanes: L, ends: &mut Ends, found: FirstHit) -> Detail {
        match found {
            FirstHit::AtEnd => self.at_ends(lanes, ends).tell(found),
            found => self.tell(found),
        }
    }

    /// Returns where they first hit on the way, ends excluded.
    pub(super) fn on_the_way(&self) -> Option<FirstHit> {
        let Self { a, b, touch } = self;
        match (a.body.is(SPRITE), b.body.is(SPRITE)) {
            (false, false) => convex_tick(a, b, *touch).map(FirstHit::Convex),
            (true, true) => sprites::walk(a, b, *touch).map(FirstHit::Sprites),
            _ => {
                let (sprite, convex) = self.mixed();
                let stay = mixed::walk(sprite, convex, *touch)?;
                Some(FirstHit::Mixed(stay, mixed::tick(sprite, convex, stay, *touch)?))
            }
        }
    }

    /// Returns their details, given where they first hit. For [`FirstHit::AtEnd`] they must be posed at their ends.
    pub(super) fn tell(&self, found: FirstHit) -> Detail {
        let Self { a, b, .. } = self;
        let moves = found == FirstHit::AtEnd || a.body.moves() || b.body.moves();
        let time = moves.then_some([found.tick(), TICKS]);
        let gather = match found {
            FirstHit::Convex(_) => return Detail { time, ..Detail::default() },
            FirstHit::Sprites(meeting) => sprites::gather(a, b, meeting.at, sprites::gone(b, meeting)),
            FirstHit::Mixed(stay, tick) => {
                let (sprite, convex) = self.mixed();
                mixed::gather(sprite, stay.at, convex, mixed::way(convex, stay.begin, tick))
            }
            FirstHit::AtEnd if a.body.is(SPRITE) && b.body.is(SPRITE) => {
                sprites::gather(a, b, Point::ZERO, Point::ZERO)
            }
            FirstHit::AtEnd => {
                let (sprite, convex) = self.mixed();
                mixed::gather(sprite, Point::ZERO, convex, at_its_end(convex))
            }
        };
        let (area, overlap) = gather.finish();
        Detail { time, area: Some(area), overlap }
    }

    /// Returns whether they hit at rest. They must be posed at their ends, and one of them must be a sprite.
    pub(super) fn hits_at_rest(&self) -> bool {
        let Self { a, b, touch } = self;
        if a.body.is(SPRITE) && b.body.is(SPRITE) {
            return sprites::hits(a, b, Point::ZERO, *touch);
        }
        let (sprite, convex) = self.mixed();
        mixed::meets(sprite, mixed::Place::START, convex, at_its_end(convex), *touch)
    }

    /// Returns the sprite, then the convex body, of a pair of both.
    fn mixed(&self) -> (&View<'a>, &View<'a>) {
        if self.a.body.is(SPRITE) { (&self.a, &self.b) } else { (&self.b, &self.a) }
    }

    /// Follows their paths, and returns the verdict.
    #[inline(always)]
    pub(super) fn verdict(&self) -> Verdict {
        if self.hits_on_the_way() {
            Verdict::Hit
        } else if self.is_open() {
            Verdict::Open
        } else {
            Verdict::Miss
        }
    }

    /// Returns whether they hit on the way, ends of sprites excluded.
    fn hits_on_the_way(&self) -> bool {
        let Self { a, b, touch } = self;
        match (a.body.is(SPRITE), b.body.is(SPRITE)) {
            (false, false) => convex_pair(a, b, *touch),
            (true, true) => sprites::walk(a, b, *touch).is_some(),
            _ => {
                let (sprite, convex) = self.mixed();
                mixed::walk(sprite, convex, *touch).is_some()
            }
        }
    }

    /// Returns whether a pair that does not hit on the way may hit at rest at its end, where only a sprite may paint
    /// other pixels.
    #[inline(always)]
    fn is_open(&self) -> bool {
        [&self.a, &self.b].iter().any(|view| ends_otherwise(&view.body)) && self.may_meet_at_end()
    }

    /// Returns whether the bounds of both meet at their ends.
    #[inline(always)]
    fn may_meet_at_end(&self) -> bool {
        let [a, b] = [&self.a, &self.b].map(|view| view.body.at_end().reach());
        // Neighbouring pixels touch.
        let margin = if self.touch == Touch::Included { Point::new(256, 256) } else { Point::ZERO };
        Aabb { min: a.min - margin, max: a.max + margin }.meets(&b, self.touch)
    }

    /// Returns the pair at its end, with turned sprites painted as far as the other body may be near.
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn at_ends<'m, L: Lanes>(&self, lanes: L, Ends(words): &'m mut Ends) -> Pair<'m>
    where
        'a: 'm,
    {
        let packed = self.a.packed;
        let bodies = [&self.a, &self.b].map(|view| view.body.at_end());
        let reach = [0, 1].map(|k| bodies[k].reach());
        let [words_a, words_b] = words;
        let a = rows_near(lanes, packed, &bodies[0], &reach[1], words_a);
        let b = rows_near(lanes, packed, &bodies[1], &reach[0], words_b);
        let view = |view: &View<'m>, body: Body, rows| {
            // A convex body stays posed at its start, see `at_its_end`.
            if body.is(SPRITE) { View::sprite(packed, view.simd, body, rows) } else { *view }
        };
        Pair { a: view(&self.a, bodies[0], a), b: view(&self.b, bodies[1], b), touch: self.touch }
    }
}

/// Returns whether a moving sprite paints other pixels at its end than its start's pixels moved by its walk.
#[inline(always)]
fn ends_otherwise(body: &Body) -> bool {
    let walked = || offset(body.position, body.motion, TICKS);
    body.is(SPRITE) && body.moves() && body.end_shift() != Some(walked())
}

/// Returns the pixels of a sprite at rest, as far as they are near the bounds of another body: those of its mask, or
/// painted into `words`. Returns `None` if there are none or too many, or for a convex body.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(crate) fn rows_near<'a, L: Lanes>(
    lanes: L,
    packed: &'a Packed,
    body: &Body,
    near: &Aabb,
    words: &'a mut Vec<u64>,
) -> Option<Rows<'a>> {
    if !body.is(SPRITE) {
        return None;
    }
    if body.is(UNTURNED) {
        return Some(packed.rows(body));
    }
    let shape = &packed.shapes[body.shape as usize];
    let Aabb { min, max } = body.pixels();
    // One pixel for touch on each side, and one for rounding.
    let (top, bottom) = (min.y.max((near.min.y >> 8) - 2), max.y.min((near.max.y >> 8) + 3));
    let (stride, rows) = (body.painted_stride(), top..bottom.max(top));
    if rows.is_empty() || stride * rows.len() > ROWS_WORDS {
        return None;
    }
    words.resize(stride * rows.len(), 0);
    paint_body(lanes, packed, body, shape, rows.clone(), words);
    let at = Point::new(min.x, rows.start);
    let bounds = Aabb { min: at, max: Point::new(max.x, rows.end) };
    Some(Rows { words, stride, at, bounds, blocks: None })
}

/// Returns the path of a convex body at rest at its end, relative to its vertices, which are landed at its start.
fn at_its_end(convex: &View<'_>) -> Sweep {
    Sweep { start: convex.body.motion, ..Sweep::REST }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_for_painted_sprites_is_counted_in_bytes() {
        assert_eq!([Ends::default(), Ends([vec![0; 3], vec![0; 5]])].map(|ends| ends.bytes()), [0, 64]);
    }
}
