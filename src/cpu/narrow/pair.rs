//! Whether a pair hits, when, and where; twin of `shaders/shared/sprite_pair.wgsl`.

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

/// The most words of a sprite that are painted for one pair; beyond, it is sampled.
const ROWS_WORDS: usize = 1 << 16;

/// Turned sprites, painted where they end: those of one pair at a time.
#[derive(Debug, Default)]
pub(crate) struct Ends([Vec<u64>; 2]);

impl Ends {
    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|words| 8 * words.capacity()).sum()
    }
}

/// What the ways of two bodies tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// They hit on their ways.
    Hit,
    /// They do not, but may at rest where they end, as a sprite paints other pixels there.
    Open,
    /// They do not hit.
    Miss,
}

/// Two posed bodies, of which one may be none of the world's.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    /// The one of the lower index.
    pub(crate) a: View<'a>,
    /// The other.
    pub(crate) b: View<'a>,
    /// Whether touching counts.
    pub(crate) touch: Touch,
}

/// Where a pair first hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FirstHit {
    /// Two convex bodies, at this tick.
    Convex(u32),
    /// Two sprites, on their walks.
    Sprites(Meeting),
    /// A sprite and a convex body, while the sprite stays, at this tick.
    Mixed(Stay, u32),
    /// At rest where they end, and there alone.
    AtEnd,
}

impl FirstHit {
    /// The tick.
    pub(crate) fn tick(self) -> u32 {
        match self {
            Self::Convex(tick) | Self::Mixed(_, tick) => tick,
            Self::Sprites(meeting) => meeting.tick,
            Self::AtEnd => TICKS,
        }
    }
}

impl<'a> Pair<'a> {
    /// Whether they hit within the step.
    #[inline(always)]
    pub(crate) fn hits<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> bool {
        match self.verdict() {
            Verdict::Hit => true,
            Verdict::Open => self.at_ends(lanes, ends).hits_at_rest(),
            Verdict::Miss => false,
        }
    }

    /// Where they first hit, if they do.
    #[inline(always)]
    pub(crate) fn find<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> Option<FirstHit> {
        match self.on_the_way() {
            None if self.is_open() && self.at_ends(lanes, ends).hits_at_rest() => Some(FirstHit::AtEnd),
            found => found,
        }
    }

    /// What they carry, from where they first hit.
    #[inline(always)]
    pub(crate) fn detail<L: Lanes>(&self, lanes: L, ends: &mut Ends, found: FirstHit) -> Detail {
        match found {
            FirstHit::AtEnd => self.at_ends(lanes, ends).tell(found),
            found => self.tell(found),
        }
    }

    /// Where they first hit on their ways.
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

    /// What they carry, from where they hit; posed where they end, if it is there.
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

    /// Whether they hit at rest, posed where they end; one of them is a sprite.
    pub(super) fn hits_at_rest(&self) -> bool {
        let Self { a, b, touch } = self;
        if a.body.is(SPRITE) && b.body.is(SPRITE) {
            return sprites::hits(a, b, Point::ZERO, *touch);
        }
        let (sprite, convex) = self.mixed();
        mixed::meets(sprite, Point::ZERO, convex, at_its_end(convex), *touch)
    }

    /// The sprite, then the convex body, of a pair of both.
    fn mixed(&self) -> (&View<'a>, &View<'a>) {
        if self.a.body.is(SPRITE) { (&self.a, &self.b) } else { (&self.b, &self.a) }
    }

    /// What their ways tell.
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

    /// Whether they hit, but for where sprites end.
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

    /// Whether a pair that does not hit on the way may do so at rest where it ends: only a sprite may paint other
    /// pixels there.
    #[inline(always)]
    fn is_open(&self) -> bool {
        [&self.a, &self.b].iter().any(|view| ends_otherwise(&view.body)) && self.may_meet_at_end()
    }

    /// Whether the bounds of both come to each other where they end.
    #[inline(always)]
    fn may_meet_at_end(&self) -> bool {
        let [a, b] = [&self.a, &self.b].map(|view| view.body.at_end().reach());
        // Pixels that are neighbours touch.
        let margin = if self.touch == Touch::Included { Point::new(256, 256) } else { Point::ZERO };
        Aabb { min: a.min - margin, max: a.max + margin }.meets(&b, self.touch)
    }

    /// The pair where it ends, turned sprites painted as far as the other may come to them.
    #[inline(always)]
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
            // A convex body stays posed where it starts: see `at_its_end`.
            if body.is(SPRITE) { View::sprite(packed, view.simd, body, rows) } else { *view }
        };
        Pair { a: view(&self.a, bodies[0], a), b: view(&self.b, bodies[1], b), touch: self.touch }
    }
}

/// Whether a sprite paints other pixels at its end than its walk has brought there.
#[inline(always)]
fn ends_otherwise(body: &Body) -> bool {
    let walked = || offset(body.position, body.motion, TICKS);
    body.is(SPRITE) && body.moves() && body.end_shift() != Some(walked())
}

/// The pixels of a sprite at rest, as far as another body may come to them: its mask's, or painted into `words`;
/// nothing where they are too many.
#[inline(always)]
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
    // One for touch on each side, and one for what rounds.
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

/// A convex body where it ends: its vertices are landed where it starts, if it moves.
fn at_its_end(convex: &View<'_>) -> Sweep {
    Sweep { start: convex.body.motion, ..Sweep::REST }
}
