//! The narrow phase: whether a candidate pair hits, when, and where; twin of `shaders/shared/narrow.wgsl`, which says
//! where the two differ.

use super::gather::Gather;
use crate::bits::rows::{Rows, meet_in};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::path::Path;
use crate::ground::predicate::{Core, apart, first_contact, meets};
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail};
use crate::simd::Lanes;
use crate::world::packed::{ALIGNED, Body, Packed, SPRITE, Shape, UNTURNED};

use super::posed::Posed;
use crate::world::pose::texel::{WORD, sample};

/// The candidate whose bodies are asked for, counted from the one that is judged: memory takes as long as a few of them.
const AHEAD: usize = 12;

/// All that decides pairs whose bodies are posed.
#[derive(Clone, Copy, Debug)]
pub(in crate::cpu) struct Narrow<'a> {
    /// The bodies and their shapes.
    pub packed: &'a Packed,
    /// What is posed.
    pub posed: &'a Posed,
    /// Whether touching counts.
    pub touch: Touch,
}

/// A posed body, with all that is asked for its pixels or its pieces.
#[derive(Clone, Copy)]
struct View<'a> {
    narrow: Narrow<'a>,
    index: u32,
    body: &'a Body,
    shape: &'a Shape,
    /// A sprite: the pixels that it may paint. Convex: those whose squares it may hit. `max` is excluded.
    pixels: Aabb,
}

impl<'a> Narrow<'a> {
    /// What a pair carries, if it hits; of it, only what is asked for.
    pub(in crate::cpu) fn pair(&self, [i, j]: [u32; 2], ask: Ask) -> Option<Detail> {
        let (a, b) = (self.view(i), self.view(j));
        let motion = a.body.motion - b.body.motion;
        match (a.body.is(SPRITE), b.body.is(SPRITE)) {
            (false, false) => convex_pair(&a, &b, motion, ask),
            (false, true) => sprite_pair(&b, &a, -motion, ask),
            (true, _) => sprite_pair(&a, &b, motion, ask),
        }
    }

    /// Calls `hit` with each pair that hits.
    #[inline(always)]
    pub(in crate::cpu) fn judge<L: Lanes>(&self, lanes: L, pairs: &[[u32; 2]], mut hit: impl FnMut([u32; 2])) {
        for (k, &pair) in pairs.iter().enumerate() {
            if let Some(soon) = pairs.get(k + AHEAD) {
                for &body in soon {
                    lanes.prefetch(&self.packed.bodies[body as usize]);
                }
            }
            let hits = match self.rows_of(pair) {
                Some([a, b]) => meet_in(lanes, &a, &b),
                None => self.pair(pair, Ask::Pairs).is_some(),
            };
            if hits {
                hit(pair);
            }
        }
    }

    /// The pixels of two sprites that stand still, to each other at least, and hit where pixels overlap.
    #[inline(always)]
    fn rows_of(&self, [i, j]: [u32; 2]) -> Option<[Rows<'a>; 2]> {
        let (a, b) = (&self.packed.bodies[i as usize], &self.packed.bodies[j as usize]);
        if self.touch == Touch::Included || !a.is(SPRITE) || !b.is(SPRITE) || a.motion != b.motion {
            return None;
        }
        Some([self.rows(i, a)?, self.rows(j, b)?])
    }

    /// The pixels of a sprite, as far as they are painted; nothing, where it is to be sampled.
    #[inline(always)]
    fn rows(&self, index: u32, body: &Body) -> Option<Rows<'a>> {
        if body.is(UNTURNED) {
            return Some(self.packed.rows(body));
        }
        let (rows, words) = self.posed.painted(index, body)?;
        let bounds = body.pixels(&self.packed.shapes[body.shape as usize]);
        let bounds = Aabb { min: Point::new(bounds.min.x, rows.start), max: Point::new(bounds.max.x, rows.end) };
        Some(Rows { words, stride: body.painted_stride(), at: bounds.min, bounds, blocks: None })
    }

    fn view(&self, index: u32) -> View<'a> {
        let body = &self.packed.bodies[index as usize];
        let shape = &self.packed.shapes[body.shape as usize];
        let pixels = if body.is(SPRITE) { body.pixels(shape) } else { squares(&body.reach(shape)) };
        View { narrow: *self, index, body, shape, pixels }
    }
}

/// The pixels whose closed squares meet a box of the lattice.
fn squares(Aabb { min, max }: &Aabb) -> Aabb {
    // The square before the one that holds `min` touches it where `min` lies on its edge.
    let before = |v: i32| (v - 1) >> 8;
    let behind = |v: i32| (v >> 8) + 1;
    Aabb { min: Point::new(before(min.x), before(min.y)), max: Point::new(behind(max.x), behind(max.y)) }
}

/// Two convex bodies: any piece of the one against any piece of the other.
fn convex_pair(a: &View<'_>, b: &View<'_>, motion: Point, ask: Ask) -> Option<Detail> {
    let moves = a.body.moves() || b.body.moves();
    let touch = a.narrow.touch;
    let radius = a.body.radius + b.body.radius;
    let timed = moves && ask == Ask::Details;
    if motion == Point::ZERO {
        if !a.body.reach(a.shape).meets(&b.body.reach(b.shape), touch) {
            return None;
        }
        if a.body.is(ALIGNED) && b.body.is(ALIGNED) {
            return Some(Detail { time: timed.then_some([0, 1 << 16]), ..Detail::default() });
        }
    }
    let mut first: Option<u32> = None;
    for piece_a in a.pieces() {
        for piece_b in b.pieces() {
            if timed {
                let k = first_contact(piece_a, piece_b, motion, radius, touch);
                first = first.into_iter().chain(k).min();
            } else if meets(piece_a, piece_b, motion, radius, touch) {
                return Some(Detail::default());
            }
        }
    }
    first.map(|k| Detail { time: Some([k, 1 << 16]), ..Detail::default() })
}

/// A sprite that takes all of the relative motion, and a body that stands still.
fn sprite_pair(sprite: &View<'_>, still: &View<'_>, motion: Point, ask: Ask) -> Option<Detail> {
    let moves = sprite.body.moves() || still.body.moves();
    let [least, most] = sprite.offsets(still, motion);
    let mut path = Path::from_least(motion, least)?;
    loop {
        if path.at[0].abs() > most[0] || path.at[1].abs() > most[1] {
            return None;
        }
        if sprite.hits(still, path.at) {
            if ask < Ask::Details {
                return Some(Detail::default());
            }
            let (area, overlap) = sprite.gather(still, path.at).finish();
            let time = moves.then(|| [path.taken, path.steps()]);
            return Some(Detail { time, area: Some(area), overlap });
        }
        if !path.step() {
            return None;
        }
    }
}

impl<'a> View<'a> {
    /// The landed pieces of a convex body.
    fn pieces(&self) -> impl Iterator<Item = Core<'a>> + use<'a> {
        let cores = self.narrow.posed.core(self.index);
        self.narrow.packed.pieces(self.shape).map(move |(first, count)| Core::Hull(&cores[first..first + count]))
    }

    /// The least and the most pixels that this sprite goes, in x and in y, where its pixels may come to those of another body.
    fn offsets(&self, still: &View<'_>, motion: Point) -> [[i32; 2]; 2] {
        let margin = i32::from(self.narrow.touch == Touch::Included);
        let along = |motion: i32, mine: [i32; 2], its: [i32; 2]| {
            let (low, high) = (its[0] - margin - mine[1] + 1, its[1] + margin - mine[0] - 1);
            // By which way the rounded motion goes.
            if (motion + 128) >> 8 < 0 { [-high, -low] } else { [low, high] }
        };
        let (mine, its) = (&self.pixels, &still.pixels);
        let [left, right] = along(motion.x, [mine.min.x, mine.max.x], [its.min.x, its.max.x]);
        let [top, bottom] = along(motion.y, [mine.min.y, mine.max.y], [its.min.y, its.max.y]);
        [[left, top], [right, bottom]]
    }

    /// Whether this sprite, `offset` pixels from where it stands, hits.
    fn hits(&self, still: &View<'_>, offset: [i32; 2]) -> bool {
        let touch = self.narrow.touch;
        self.words(still, offset, touch).any(|(x, y, bits)| still.near(x, y, bits, touch) != 0)
    }

    /// The pixels of this sprite, `offset` pixels from where it stands, that overlap.
    fn gather(&self, still: &View<'_>, offset: [i32; 2]) -> Gather {
        let mut gather = Gather::NOTHING;
        for (x, y, bits) in self.words(still, offset, Touch::Excluded) {
            gather.take(x, y, still.near(x, y, bits, Touch::Excluded));
        }
        gather
    }

    /// The words of this sprite, `offset` pixels from where it stands, where it may overlap another body, or touch it: the place
    /// of the lowest bit, and the bits, of which some is set.
    fn words<'b>(
        &'b self,
        still: &View<'_>,
        [i, j]: [i32; 2],
        touch: Touch,
    ) -> impl Iterator<Item = (i32, i32, u64)> + use<'a, 'b> {
        let margin = i32::from(touch == Touch::Included);
        let clip = |a_min: i32, a_max: i32, by: i32, b_min: i32, b_max: i32| {
            ((a_min + by).max(b_min - margin), (a_max + by).min(b_max + margin))
        };
        let (mine, its) = (&self.pixels, &still.pixels);
        let (left, right) = clip(mine.min.x, mine.max.x, i, its.min.x, its.max.x);
        let (top, bottom) = clip(mine.min.y, mine.max.y, j, its.min.y, its.max.y);
        let rows = if left < right { top..bottom } else { 0..0 };
        rows.flat_map(move |y| {
            (left..right).step_by(WORD as usize).filter_map(move |x| {
                let bits = self.painted_word(x - i, y - j) & low_bits(right - x);
                (bits != 0).then_some((x, y, bits))
            })
        })
    }

    /// Which of the pixels `bits`, from `(x, y)` rightward, hit this body: for a sprite, because it paints them or (where touch
    /// counts) a neighbour; for a convex body, because it meets their squares.
    fn near(&self, x: i32, y: i32, bits: u64, touch: Touch) -> u64 {
        if !self.body.is(SPRITE) {
            let radius = self.body.radius;
            let pieces = self.pieces().filter(|&piece| in_reach(piece, radius, x, y));
            return pieces.fold(0, |all, piece| all | covered(piece, radius, x, y, bits, touch)) & bits;
        }
        let around = i32::from(touch == Touch::Included);
        let mut near = 0;
        for dy in -around..=around {
            for dx in -around..=around {
                near |= self.painted_word(x + dx, y + dy);
            }
        }
        near & bits
    }

    /// The pixels that a sprite paints from `(x, y)` rightward, the lowest bit leftmost.
    fn painted_word(&self, x: i32, y: i32) -> u64 {
        match self.narrow.rows(self.index, self.body) {
            Some(Rows { words, stride, at, .. }) => window(words, stride, x - at.x, y - at.y),
            None => sample(self.narrow.packed, self.body, self.shape, x, y),
        }
    }
}

/// The lowest `count` bits; all where it is 64 or more.
fn low_bits(count: i32) -> u64 {
    if count < WORD { (1 << count) - 1 } else { u64::MAX }
}

/// 64 bits of rows of words, from bit `x` of row `y` on; outside there is nothing.
///
/// ```text
///   word       0                1
///   |................|................|
///          |----------------|
///          x = 7: word 0 >> 7 | word 1 << 57
/// ```
fn window(rows: &[u64], stride: usize, x: i32, y: i32) -> u64 {
    if y < 0 || y as usize * stride >= rows.len() {
        return 0;
    }
    let row = &rows[y as usize * stride..][..stride];
    let word = |k: i32| if k < 0 { 0 } else { row.get(k as usize).copied().unwrap_or(0) };
    let (k, shift) = (x.div_euclid(WORD), x.rem_euclid(WORD));
    // Two shifts, since one by 64 is none.
    word(k) >> shift | word(k + 1) << 1 << (63 - shift)
}

/// Whether the bounds of a piece come to the squares of a word of pixels from `(x, y)` rightward.
fn in_reach(piece: Core<'_>, radius: i32, x: i32, y: i32) -> bool {
    let Aabb { min, max } = piece.bounds();
    let corner = Point::new(x << 8, y << 8);
    let word = Aabb { min: corner, max: corner + Point::new(256 * WORD, 256) };
    let margin = Point::new(radius, radius);
    Aabb { min: min - margin, max: max + margin }.meets(&word, Touch::Included)
}

/// Which of the pixels from `(x, y)` rightward have a square that hits a piece, of those between the first and last of `bits`.
///
/// They are neighbours, as both are convex: bisection finds one, as a square that does not hit tells on which side the
/// piece lies, and from it the first and the last.
fn covered(piece: Core<'_>, radius: i32, x: i32, y: i32, bits: u64, touch: Touch) -> u64 {
    if bits == 0 || (radius == 0 && touch == Touch::Excluded && !piece.has_area(Point::ZERO)) {
        return 0;
    }
    // The side on which the piece lies: 0 where the square hits, 2 where no square of the row does.
    let side_of = |k: i32| {
        let min = Point::new((x + k) << 8, y << 8);
        let square = Core::Square(Aabb { min, max: min + Point::new(256, 256) });
        match apart(square, piece, Point::ZERO, radius, touch) {
            None => 0,
            Some([0, _]) => 2,
            Some([n, _]) => n.signum(),
        }
    };
    let (mut low, mut high) = (bits.trailing_zeros() as i32, 63 - bits.leading_zeros() as i32);
    let inside = loop {
        if low > high {
            return 0;
        }
        let middle = i32::midpoint(low, high);
        match side_of(middle) {
            0 => break middle,
            1 => low = middle + 1,
            -1 => high = middle - 1,
            _ => return 0,
        }
    };
    let (mut first, mut last) = (inside, inside);
    while low < first {
        let middle = (low + first) >> 1;
        if side_of(middle) == 0 {
            first = middle;
        } else {
            low = middle + 1;
        }
    }
    while last < high {
        let middle = (last + high + 1) >> 1;
        if side_of(middle) == 0 {
            last = middle;
        } else {
            high = middle - 1;
        }
    }
    low_bits(last + 1) & !low_bits(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_crosses_words_and_ends_at_the_edges() {
        let rows = [0x8000_0000_0000_0001, 0b101, 7, 0];
        assert_eq!(window(&rows, 2, 0, 0), rows[0]);
        assert_eq!(window(&rows, 2, 63, 0), 0b1011);
        assert_eq!(window(&rows, 2, -1, 0), 0b10);
        assert_eq!(window(&rows, 2, 64, 0), 0b101);
        assert_eq!(window(&rows, 2, 128, 0), 0);
        assert_eq!(window(&rows, 2, -64, 0), 0);
        assert_eq!(window(&rows, 2, 0, 1), 7);
        assert_eq!(window(&rows, 2, 0, 2), 0);
        assert_eq!(window(&rows, 2, 0, -1), 0);
    }

    #[test]
    fn low_bits_are_counted_to_a_whole_word() {
        assert_eq!(
            [low_bits(0), low_bits(1), low_bits(63), low_bits(64), low_bits(99)],
            [0, 1, u64::MAX >> 1, u64::MAX, u64::MAX]
        );
    }
}
