//! Whether a candidate pair hits, when, and where; twin of `shaders/shared/narrow.wgsl`.

use super::convex::{convex_pair, convex_tick};
use super::mixed::{self, Stay};
use super::paint::paint_body;
use super::posed::{AHEAD, Posed};
use super::sprites::{self, Meeting};
use super::test::{Test, test_of};
use super::view::{Sweep, View, rows_of};
use crate::bits::rows::{Rows, meet_in};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::ticks::{TICKS, offset};
use crate::ground::touch::Touch;
use crate::hits::Detail;
use crate::simd::{Lanes, Simd};
use crate::world::packed::{Body, Packed, SPRITE, UNTURNED};

/// The most words of a sprite that are painted for one pair; beyond, it is sampled.
const ROWS_WORDS: usize = 1 << 16;

/// All that decides pairs whose bodies are posed.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Narrow<'a> {
    /// The bodies and their shapes.
    pub(in crate::cpu) packed: &'a Packed,
    /// What is posed.
    pub(in crate::cpu) posed: &'a Posed,
    /// Whether touching counts.
    pub(in crate::cpu) touch: Touch,
    /// The vector instructions.
    pub(in crate::cpu) simd: Simd,
}

/// Turned sprites, painted where they end: those of one pair at a time.
#[derive(Debug, Default)]
pub(crate) struct Ends([Vec<u64>; 2]);

impl Ends {
    /// The bytes that it holds.
    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|words| 8 * words.capacity()).sum()
    }
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
#[derive(Clone, Copy, Debug)]
pub(crate) enum Found {
    /// Two convex bodies, at this tick.
    Convex(u32),
    /// Two sprites, on their walks.
    Sprites(Meeting),
    /// A sprite and a convex body, while the sprite stays, at this tick.
    Mixed(Stay, u32),
    /// At rest where they end, and there alone.
    AtEnd,
}

impl Found {
    /// The tick.
    pub(crate) fn tick(self) -> u32 {
        match self {
            Self::Convex(tick) | Self::Mixed(_, tick) => tick,
            Self::Sprites(meeting) => meeting.tick,
            Self::AtEnd => TICKS,
        }
    }
}

impl<'a> Narrow<'a> {
    /// Calls `hit` with each pair that hits.
    #[inline(always)]
    pub(in crate::cpu) fn judge<L: Lanes>(
        &self,
        lanes: L,
        ends: &mut Ends,
        pairs: &[[u32; 2]],
        mut hit: impl FnMut([u32; 2]),
    ) {
        let Self { packed, posed, touch, .. } = *self;
        for (k, &pair) in pairs.iter().enumerate() {
            if let Some(soon) = pairs.get(k + AHEAD) {
                for &body in soon {
                    lanes.prefetch(&packed.poses[body as usize]);
                    lanes.prefetch(&packed.extents[body as usize]);
                    lanes.prefetch(&packed.positions[body as usize]);
                    lanes.prefetch(&packed.motions[body as usize]);
                    lanes.prefetch(&packed.filters[body as usize]);
                }
            }
            let [a, b] = pair.map(|body| packed.kinds[body as usize]);
            let rows = |index: u32| rows_of(packed, posed, index, &packed.body(index as usize));
            let bits = if test_of(a, b, touch) == Test::Bits { rows(pair[0]).zip(rows(pair[1])) } else { None };
            let hits = match bits {
                Some((a, b)) => meet_in(lanes, &a, &b),
                None => self.pair(pair).hits(lanes, ends),
            };
            if hits {
                hit(pair);
            }
        }
    }

    /// What a pair carries, if it hits.
    #[inline(always)]
    pub(in crate::cpu) fn detail<L: Lanes>(&self, lanes: L, ends: &mut Ends, pair: [u32; 2]) -> Option<Detail> {
        let pair = self.pair(pair);
        let found = pair.find(lanes, ends)?;
        Some(pair.detail(lanes, ends, found))
    }

    #[inline(always)]
    fn pair(&self, [a, b]: [u32; 2]) -> Pair<'a> {
        // Not by `map`, which copies them twice.
        let view = |body: u32| View::new(self.packed, self.posed, self.simd, body);
        Pair { a: view(a), b: view(b), touch: self.touch }
    }
}

impl<'a> Pair<'a> {
    /// Whether they hit within the step.
    #[inline(always)]
    pub(crate) fn hits<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> bool {
        self.hits_on_the_way() || self.hits_at_end(lanes, ends)
    }

    /// Where they first hit, if they do.
    #[inline(always)]
    pub(crate) fn find<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> Option<Found> {
        let Self { a, b, touch } = self;
        let found = match (a.body.is(SPRITE), b.body.is(SPRITE)) {
            (false, false) => return convex_tick(a, b, *touch).map(Found::Convex),
            (true, true) => sprites::walk(a, b, *touch).map(Found::Sprites),
            _ => {
                let (sprite, convex) = self.mixed();
                mixed::walk(sprite, convex, *touch)
                    .and_then(|stay| Some(Found::Mixed(stay, mixed::tick(sprite, convex, stay, *touch)?)))
            }
        };
        match found {
            // No closure, which would be compiled without the lanes' instructions.
            None if self.hits_at_end(lanes, ends) => Some(Found::AtEnd),
            found => found,
        }
    }

    /// What they carry, from where they first hit.
    #[inline(always)]
    pub(crate) fn detail<L: Lanes>(&self, lanes: L, ends: &mut Ends, found: Found) -> Detail {
        let Self { a, b, .. } = self;
        let time = (a.body.moves() || b.body.moves()).then_some([found.tick(), TICKS]);
        let gather = match found {
            Found::Convex(_) => return Detail { time, ..Detail::default() },
            Found::Sprites(meeting) => sprites::gather(a, b, meeting.at, sprites::gone(b, meeting)),
            Found::Mixed(stay, tick) => {
                let (sprite, convex) = self.mixed();
                mixed::gather(sprite, stay.at, convex, mixed::sweep(convex, stay.begin, tick))
            }
            Found::AtEnd => self.with_ends(lanes, ends, |[a, b]| gather_at_rest(a, b)),
        };
        let (area, overlap) = gather.finish();
        Detail { time, area: Some(area), overlap }
    }

    /// The sprite, then the convex body, of a pair of both.
    fn mixed(&self) -> (&View<'a>, &View<'a>) {
        if self.a.body.is(SPRITE) { (&self.a, &self.b) } else { (&self.b, &self.a) }
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

    /// Whether a pair that does not hit on the way does so at rest where it ends: only a sprite may paint other pixels
    /// there.
    #[inline(always)]
    fn hits_at_end<L: Lanes>(&self, lanes: L, ends: &mut Ends) -> bool {
        if ![&self.a, &self.b].iter().any(|view| ends_otherwise(&view.body)) || !self.may_meet_at_end() {
            return false;
        }
        self.with_ends(lanes, ends, |[a, b]| hits_at_rest(a, b, self.touch))
    }

    /// Whether the bounds of both come to each other where they end.
    #[inline(always)]
    fn may_meet_at_end(&self) -> bool {
        let [a, b] = [&self.a, &self.b].map(|view| view.body.at_end().reach());
        // Pixels that are neighbours touch.
        let margin = if self.touch == Touch::Included { Point::new(256, 256) } else { Point::ZERO };
        Aabb { min: a.min - margin, max: a.max + margin }.meets(&b, self.touch)
    }

    /// Gives `look` both bodies where they end, turned sprites painted as far as the other may come to them.
    #[inline(always)]
    fn with_ends<L: Lanes, R>(&self, lanes: L, Ends(words): &mut Ends, look: impl FnOnce([&View<'_>; 2]) -> R) -> R {
        let packed = self.a.packed;
        let bodies = [&self.a, &self.b].map(|view| view.body.at_end());
        let reach = [0, 1].map(|k| bodies[k].reach());
        let [words_a, words_b] = words;
        let a = rows_near(lanes, packed, &bodies[0], &reach[1], words_a);
        let b = rows_near(lanes, packed, &bodies[1], &reach[0], words_b);
        let view = |view: &View<'a>, body: Body, rows| {
            // A convex body's vertices are landed where it starts.
            if body.is(SPRITE) { View::sprite(packed, view.simd, body, rows) } else { *view }
        };
        look([&view(&self.a, bodies[0], a), &view(&self.b, bodies[1], b)])
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

/// Whether two bodies hit at rest where they end, one of which is a sprite.
fn hits_at_rest(a: &View<'_>, b: &View<'_>, touch: Touch) -> bool {
    match in_order(a, b) {
        [a, b] if b.body.is(SPRITE) => sprites::hits(a, b, Point::ZERO, touch),
        [sprite, convex] => mixed::meets(sprite, Point::ZERO, convex, at_its_end(convex), touch, &convex.pieces()),
    }
}

/// The pixels that two bodies share at rest where they end, one of which is a sprite.
fn gather_at_rest(a: &View<'_>, b: &View<'_>) -> super::gather::Gather {
    match in_order(a, b) {
        [a, b] if b.body.is(SPRITE) => sprites::gather(a, b, Point::ZERO, Point::ZERO),
        [sprite, convex] => mixed::gather(sprite, Point::ZERO, convex, at_its_end(convex)),
    }
}

/// A sprite first, if there is one.
fn in_order<'a, 'b>(a: &'b View<'a>, b: &'b View<'a>) -> [&'b View<'a>; 2] {
    if a.body.is(SPRITE) { [a, b] } else { [b, a] }
}

/// A convex body's vertices are landed where it starts.
fn at_its_end(convex: &View<'_>) -> Sweep {
    Sweep { start: convex.body.motion, ..Sweep::REST }
}
