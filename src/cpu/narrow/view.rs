//! A posed body, with access to its pixels or its pieces. Twin of `shaders/shared/view.wgsl`.

use super::posed::Posed;
use super::rounded::{RoundedBox, bits_within, low_bits};
use crate::bits::rows::Rows;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::Point;
use crate::ground::predicate::{Core, apart};
use crate::ground::touch::Touch;
use crate::simd::Simd;
use crate::world::packed::{ALIGNED, Body, Packed, SPRITE, Shape, UNTURNED};
use crate::world::pose::texel::{FEW, WORD, columns_within, sample};
use crate::world::seam::has_seam_along;

/// A posed body.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(super) packed: &'a Packed,
    pub(super) simd: Simd,
    pub(crate) body: Body,
    pub(super) shape: &'a Shape,
    /// The pixels that a sprite may paint, or whose squares a convex body may hit; `max` is excluded.
    pub(crate) pixels: Aabb,
    form: Form<'a>,
}

#[derive(Clone, Copy)]
enum Form<'a> {
    /// A sprite whose pixels are available, as far as another body may be near them.
    Rows(Rows<'a>),
    /// A sprite that is sampled on demand.
    Sampled,
    /// The landed vertices of a convex body, followed by those of others, and the box near which its pieces are landed.
    Cores(&'a [Point], Aabb),
}

/// A landed convex piece: its core, inflated by its radius.
#[derive(Clone, Copy)]
pub(crate) struct Piece<'a> {
    pub(crate) core: Core<'a>,
    pub(crate) radius: i32,
    /// Its first vertex, counted through all pieces.
    first: usize,
}

impl Piece<'_> {
    /// Returns its bounds, with the radius.
    pub(super) fn bounds(&self) -> Aabb {
        self.core.bounds().grown(self.radius)
    }

    /// Returns the pixels whose squares it may hit on its way.
    pub(super) fn swept_pixels(&self, sweep: Sweep) -> Aabb {
        squares(&sweep.of(&self.bounds()))
    }

    /// Returns whether the piece meets or touches the squares of a box of pixels on its way.
    pub(super) fn reaches(&self, pixels: &Aabb, Sweep { start, by }: Sweep) -> bool {
        let [min, max] = [pixels.min, pixels.max].map(|corner| Point::new(corner.x << 8, corner.y << 8) - start);
        apart(Core::Square(Aabb { min, max }), self.core, -by, self.radius, Touch::Included).is_none()
    }
}

/// The path of a convex body while a sprite stays at one offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sweep {
    /// The offset of the path's beginning from the body's start.
    pub(super) start: Point,
    /// The motion along the path.
    pub(super) by: Point,
}

impl Sweep {
    /// No motion, at the body's start.
    pub(super) const REST: Self = Self { start: Point::ZERO, by: Point::ZERO };

    /// Returns the bounds of a box on its way.
    fn of(self, bounds: &Aabb) -> Aabb {
        bounds.moved(self.start).swept(self.by)
    }
}

impl<'a> View<'a> {
    /// Creates the view of a posed body.
    #[inline(always)]
    pub(super) fn new(packed: &'a Packed, posed: &'a Posed, simd: Simd, index: u32) -> Self {
        let body = posed.body(packed, index);
        if body.is(SPRITE) {
            Self::sprite(packed, simd, body, rows_of(packed, posed, index, &body))
        } else {
            Self::convex(packed, simd, body, posed.core(index), Aabb::EVERYWHERE)
        }
    }

    /// Creates the view of a sprite, which need not be in the world. `rows` are its pixels, if they are available.
    pub(crate) fn sprite(packed: &'a Packed, simd: Simd, body: Body, rows: Option<Rows<'a>>) -> Self {
        let shape = &packed.shapes[body.shape as usize];
        Self { packed, simd, body, shape, pixels: body.pixels(), form: rows.map_or(Form::Sampled, Form::Rows) }
    }

    /// Creates the view of a convex body, which need not be in the world, with the landed vertices of the pieces whose
    /// cores meet `near`.
    pub(crate) fn convex(packed: &'a Packed, simd: Simd, body: Body, landed: &'a [Point], near: Aabb) -> Self {
        let shape = &packed.shapes[body.shape as usize];
        Self { packed, simd, body, shape, pixels: squares(&body.reach()), form: Form::Cores(landed, near) }
    }

    /// Returns the pixels of a sprite, if they are available.
    pub(super) fn rows(&self) -> Option<&Rows<'a>> {
        if let Form::Rows(rows) = &self.form { Some(rows) } else { None }
    }

    /// Returns the landed pieces of a convex body whose cores meet a box, and possibly some that only come near it.
    #[inline(always)]
    pub(crate) fn pieces(&self, near: &Aabb) -> impl Iterator<Item = Piece<'a>> + use<'a> {
        let (cores, landed) = if let Form::Cores(cores, near) = self.form { (cores, near) } else { (&[][..], *near) };
        // Leave out pieces that are not landed.
        let pieces = self.packed.pieces(&self.body).meeting(near.common(&landed));
        let square = self.body.is(ALIGNED).then(|| self.body.reach());
        pieces.map(move |piece| {
            let vertices = &cores[piece.vertices()];
            let core = match square {
                Some(bounds) => Core::Square(bounds),
                None if piece.is_segment() => Core::Segment(vertices),
                None => Core::Hull(vertices),
            };
            Piece { core, radius: piece.radius, first: piece.first }
        })
    }

    /// Returns whether a segment, moving by `by`, runs along a seam of a piece.
    pub(super) fn has_seam_along(&self, piece: Piece<'_>, segment: &[Point], by: Point) -> bool {
        let (Form::Cores(landed, _), Core::Hull(vertices)) = (self.form, piece.core) else { return false };
        let seams = self.packed.seams(self.shape);
        has_seam_along(seams, piece.first, vertices, segment, by, |other| Some(&landed[other]))
    }

    /// Returns whether a convex body has several pieces.
    #[inline(always)]
    pub(super) fn has_pieces(&self) -> bool {
        self.shape.stride > 0
    }

    /// Returns the pixels whose squares a convex body may hit on its way.
    pub(super) fn swept_pixels(&self, sweep: Sweep) -> Aabb {
        squares(&sweep.of(&self.body.reach()))
    }

    /// Returns the box that a convex body's core must meet at its start to meet these pixels on its way.
    pub(super) fn toward(&self, pixels: &Aabb, Sweep { start, by }: Sweep) -> Aabb {
        let lattice = |p: Point| Point::new(p.x << 8, p.y << 8);
        let squares = Aabb { min: lattice(pixels.min), max: lattice(pixels.max) };
        squares.moved(-start).swept(-by).grown(self.body.radius)
    }

    /// Returns the words of this sprite, moved by `offset` pixels, that lie in `near` or (if touch counts) beside it:
    /// the position of the lowest bit, and the bits. Words without a set bit are left out.
    pub(super) fn words<'b>(
        &'b self,
        near: &Aabb,
        offset: Point,
        touch: Touch,
    ) -> impl Iterator<Item = (i32, i32, u64)> + use<'a, 'b> {
        let margin = i32::from(touch == Touch::Included);
        let clip = |min: i32, max: i32, by: i32, near_min: i32, near_max: i32| {
            ((min + by).max(near_min - margin), (max + by).min(near_max + margin))
        };
        let (left, right) = clip(self.pixels.min.x, self.pixels.max.x, offset.x, near.min.x, near.max.x);
        let (top, bottom) = clip(self.pixels.min.y, self.pixels.max.y, offset.y, near.min.y, near.max.y);
        let rows = if left < right { top..bottom } else { 0..0 };
        rows.flat_map(move |y| {
            let [first, end] = self.columns(y - offset.y, [left, right].map(|x| x - offset.x)).map(|x| x + offset.x);
            (first..end).step_by(WORD as usize).filter_map(move |x| {
                let bits = self.painted_word(x - offset.x, y - offset.y) & low_bits(right - x);
                (bits != 0).then_some((x, y, bits))
            })
        })
    }

    /// Narrows a range of columns of row `y`, all within this sprite's pixels, to those in which it may paint. The
    /// first column moves by whole words. A range of at most [`FEW`] pixels stays as it is.
    #[inline(always)]
    pub(crate) fn columns(&self, y: i32, columns: [i32; 2]) -> [i32; 2] {
        let [left, right] = columns;
        if right - left <= FEW || self.body.is(UNTURNED) {
            return columns;
        }
        let [first, end] = columns_within(&self.body, self.shape, y, columns);
        [left + (first - left) / WORD * WORD, end]
    }

    /// Returns those of the pixels `bits`, from `(x, y)` rightward, of which this sprite also paints the neighbours
    /// that are joined with them.
    pub(super) fn joined_pixels(&self, (x, y, bits): (i32, i32, u64), joined: Point) -> u64 {
        let columns = |dy: i32| (0..=joined.x).map(move |dx| Point::new(dx, dy));
        let neighbours = (0..=joined.y).flat_map(columns).skip(1);
        neighbours.fold(bits, |bits, to| bits & self.painted_word(x - to.x, y - to.y))
    }

    /// Returns those of the pixels `bits`, from `(x, y)` rightward, that this sprite paints or (if touch counts) of
    /// which it paints a neighbour.
    pub(super) fn hit_pixels(&self, x: i32, y: i32, bits: u64, touch: Touch) -> u64 {
        let around = i32::from(touch == Touch::Included);
        let mut near = 0;
        for dy in -around..=around {
            for dx in -around..=around {
                near |= self.painted_word(x + dx, y + dy);
            }
        }
        near & bits
    }

    /// Returns the pixels that a sprite paints from `(x, y)` rightward, the lowest bit leftmost.
    pub(crate) fn painted_word(&self, x: i32, y: i32) -> u64 {
        match self.form {
            Form::Rows(Rows { words, stride, at, .. }) => window(words, stride, x - at.x, y - at.y),
            _ => sample(self.packed, &self.body, self.shape, x, y),
        }
    }
}

/// Returns the available pixels of a posed sprite; `None` if it must be sampled.
#[inline(always)]
pub(super) fn rows_of<'a>(packed: &'a Packed, posed: &'a Posed, index: u32, body: &Body) -> Option<Rows<'a>> {
    if body.is(UNTURNED) {
        return Some(packed.rows(body));
    }
    let (rows, words) = posed.painted(index, body)?;
    let bounds = body.pixels();
    let bounds = Aabb { min: Point::new(bounds.min.x, rows.start), max: Point::new(bounds.max.x, rows.end) };
    Some(Rows { words, stride: body.painted_stride(), at: bounds.min, bounds, blocks: None })
}

/// Returns the pixels whose closed squares meet a box of the lattice.
fn squares(Aabb { min, max }: &Aabb) -> Aabb {
    // If `min` lies on the edge of its square, the square before touches it too.
    let before = |v: i32| (v - 1) >> 8;
    let behind = |v: i32| (v >> 8) + 1;
    Aabb { min: Point::new(before(min.x), before(min.y)), max: Point::new(behind(max.x), behind(max.y)) }
}

/// Returns 64 bits of rows of words, from bit `x` of row `y` on; bits outside are 0.
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
    // Two shifts, since a single shift by 64 would overflow.
    word(k) >> shift | word(k + 1) << 1 << (63 - shift)
}

/// Returns whether the bounds of a piece on its way meet the squares of a word of pixels from `(x, y)` rightward.
fn in_reach(piece: Piece<'_>, sweep: Sweep, x: i32, y: i32) -> bool {
    let corner = Point::new(x << 8, y << 8);
    let word = Aabb { min: corner, max: corner + Point::new(256 * WORD, 256) };
    sweep.of(&piece.bounds()).meets(&word, Touch::Included)
}

/// The pixels that are joined with one, to the left of it and above: none, one neighbour, or three.
///
/// A segment without a radius may run between pixels, and is then in the interior of what they cover together.
pub(crate) const JOINED: [Point; 4] = [Point::ZERO, Point::new(1, 0), Point::new(0, 1), Point::new(1, 1)];

/// Returns those of the pixels `bits`, from `(x, y)` rightward, whose square, joined with neighbours, hits a piece on
/// its way.
pub(super) fn covered(
    piece: Piece<'_>,
    sweep: Sweep,
    (x, y, bits): (i32, i32, u64),
    joined: Point,
    touch: Touch,
) -> u64 {
    if in_reach(piece, sweep, x, y) { run(piece, sweep, (x, y, bits), joined, touch) & bits } else { 0 }
}

/// Returns those of the pixels from `(x, y)` rightward, between the first and the last of `bits`, whose square, joined
/// with neighbours, hits a piece on its way.
///
/// They are contiguous, as row and piece are convex. For a box or a circle at rest, [`RoundedBox::columns`] gives them,
/// also beyond `bits`. Otherwise bisection finds one, as a square that misses the piece shows on which side the piece
/// lies, and from there the first and the last. A piece that moves by `v` meets a square if and only if the square,
/// moving by `-v`, meets the piece.
fn run(
    piece: Piece<'_>,
    Sweep { start, by }: Sweep,
    (x, y, bits): (i32, i32, u64),
    joined: Point,
    touch: Touch,
) -> u64 {
    let Piece { core, radius, .. } = piece;
    if bits == 0 || (radius == 0 && touch == Touch::Excluded && !core.is_solid(by)) {
        return 0;
    }
    if by == Point::ZERO
        && let Some(square) = core.square()
    {
        return bits_within(RoundedBox { core: square.moved(start), radius }.columns(y, touch), x);
    }
    // The side on which the piece lies: 0 if the square hits, 2 if no square of the row does.
    let side = |k: i32| {
        let min = Point::new((x + k) << 8, y << 8) - start;
        let before = Point::new(joined.x << 8, joined.y << 8);
        let square = Core::Square(Aabb { min: min - before, max: min + Point::new(256, 256) });
        match apart(square, core, -by, radius, touch) {
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
        match side(middle) {
            0 => break middle,
            1 => low = middle + 1,
            -1 => high = middle - 1,
            _ => return 0,
        }
    };
    let (mut first, mut last) = (inside, inside);
    while low < first {
        let middle = (low + first) >> 1;
        if side(middle) == 0 {
            first = middle;
        } else {
            low = middle + 1;
        }
    }
    while last < high {
        let middle = (last + high + 1) >> 1;
        if side(middle) == 0 {
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
    fn squares_that_only_touch_a_box_are_among_those_that_meet_it() {
        let of = |min: i32, max: i32| {
            let Aabb { min, max } = squares(&Aabb { min: Point::new(min, min), max: Point::new(max, max) });
            assert_eq!([min.x, max.x], [min.y, max.y]);
            min.x..max.x
        };
        for min in -600..600 {
            for max in [min, min + 1, min + 200, min + 256] {
                let touched = (-9..9).filter(|k| 256 * k <= max && min <= 256 * (k + 1));
                assert!(of(min, max).eq(touched), "{min} to {max}: {:?}", of(min, max));
            }
        }
    }
}
