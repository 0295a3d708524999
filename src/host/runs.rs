//! Pixels as rows of runs, painted on demand.

use crate::cpu::narrow::view::JOINED;
use crate::ground::aabb::Aabb;
use crate::ground::lattice::{Point, SUBPIXELS};
use crate::ground::predicate::{Core, meets};
use crate::ground::sorting::sort;
use crate::ground::touch::Touch;
use crate::world::packed::{Body, Packed, Shape, UNTURNED};
use crate::world::pose::land::Piece;
use crate::world::pose::texel::{FEW, columns_within, is_coarse, sample, texel_runs};

/// Pixels `x` of a row with `run[0] <= x < run[1]`.
pub(crate) type Run = [i32; 2];

/// The source of the pixels.
enum Source<'a> {
    /// The pixels that a sprite paints, and if touching is a hit, those around.
    Sprite { packed: &'a Packed, body: &'a Body, shape: &'a Shape, touch: Touch },
    /// The pixels that a sprite paints together with neighbours to the left or above.
    Joined { packed: &'a Packed, body: &'a Body, shape: &'a Shape, joined: Point },
    /// The pixels whose squares, joined with neighbours, a convex body hits.
    Convex { pieces: Vec<Solid>, joined: Point, touch: Touch },
}

/// A piece of a convex body.
struct Solid {
    piece: Piece,
    /// The pixels that it may hit; `max` is excluded.
    pixels: Aabb,
}

/// Rows of runs, each painted on first use.
pub(crate) struct Rows<'a> {
    source: Source<'a>,
    /// Bounds of the pixels; `max` is excluded.
    pixels: Aabb,
    /// The columns in use: pixels outside may be missing.
    columns: Run,
    /// For each row from the top of `pixels`, one more than its index in `painted`; 0 if it has not been painted.
    slots: Vec<u32>,
    painted: Vec<Vec<Run>>,
}

impl<'a> Rows<'a> {
    /// Makes the rows of a sprite; if touching is a hit, with the eight neighbours of each pixel.
    pub(crate) fn sprite(packed: &'a Packed, body: &'a Body, touch: Touch) -> Self {
        let shape = &packed.shapes[body.shape as usize];
        let Aabb { min, max } = body.pixels();
        let grown = i32::from(touch == Touch::Included);
        let by = Point::new(grown, grown);
        Self::new(Source::Sprite { packed, body, shape, touch }, Aabb { min: min - by, max: max + by })
    }

    /// Makes the rows of those pixels of a sprite that it paints together with neighbours (see [`JOINED`]).
    fn joined(packed: &'a Packed, body: &'a Body, joined: Point) -> Self {
        let shape = &packed.shapes[body.shape as usize];
        Self::new(Source::Joined { packed, body, shape, joined }, body.pixels())
    }

    /// Makes the rows of the pixels whose squares hit a union of convex pieces.
    pub(super) fn convex(pieces: Vec<Piece>, touch: Touch) -> Self {
        Self::convex_joined(pieces, Point::ZERO, touch)
    }

    /// As [`Rows::convex`], of the pixels whose squares hit together with those of neighbours.
    fn convex_joined(pieces: Vec<Piece>, joined: Point, touch: Touch) -> Self {
        let mut all = Aabb::NOWHERE;
        let solid = |piece: Piece| {
            let Aabb { min, max } = piece.bounds();
            // One pixel more, because a piece may touch a pixel without reaching into it.
            let [left, top] = [min.x, min.y].map(|v| (v - 1) >> 8);
            let [right, bottom] = [max.x, max.y].map(|v| (v >> 8) + 1);
            let pixels = Aabb { min: Point::new(left, top), max: Point::new(right, bottom) };
            all = all.join(&pixels);
            Solid { piece, pixels }
        };
        let pieces = pieces.into_iter().map(solid).collect();
        // No pieces, no pixels.
        let pixels = if all.is_somewhere() { all } else { Aabb { min: Point::ZERO, max: Point::ZERO } };
        Self::new(Source::Convex { pieces, joined, touch }, pixels)
    }

    fn new(source: Source<'a>, pixels: Aabb) -> Self {
        let height = (pixels.max.y - pixels.min.y).max(0);
        let columns = [pixels.min.x, pixels.max.x];
        Self { source, pixels, columns, slots: vec![0; height as usize], painted: Vec::new() }
    }

    /// Returns bounds of the pixels; `max` is excluded.
    pub(crate) fn pixels(&self) -> Aabb {
        self.pixels
    }

    /// Restricts the rows to these columns. Call it before reading any row.
    pub(crate) fn clip(&mut self, columns: Run) {
        self.columns = [self.columns[0].max(columns[0]), self.columns[1].min(columns[1])];
    }

    /// Returns the runs of row `y`, from left to right, with gaps between them.
    pub(crate) fn row(&mut self, y: i32) -> &[Run] {
        let index = i64::from(y) - i64::from(self.pixels.min.y);
        let Some(slot) = usize::try_from(index).ok().and_then(|index| self.slots.get_mut(index)) else { return &[] };
        if *slot == 0 {
            self.painted.push(self.source.paint(y, self.columns));
            *slot = self.painted.len() as u32;
        }
        &self.painted[*slot as usize - 1]
    }
}

impl Source<'_> {
    fn paint(&self, y: i32, columns: Run) -> Vec<Run> {
        let mut runs = Vec::new();
        match self {
            Self::Sprite { packed, body, shape, touch: Touch::Excluded } => {
                paint_sprite(packed, body, shape, y, columns, &mut runs);
                runs
            }
            Self::Sprite { packed, body, shape, touch: Touch::Included } => {
                for y in y - 1..=y + 1 {
                    paint_sprite(packed, body, shape, y, [columns[0] - 1, columns[1] + 1], &mut runs);
                }
                merge(runs.into_iter().map(|[start, end]| [start - 1, end + 1]).collect())
            }
            Self::Joined { packed, body, shape, joined } => {
                let row = |y: i32| {
                    let mut runs = Vec::new();
                    paint_sprite(packed, body, shape, y, [columns[0] - joined.x, columns[1]], &mut runs);
                    let narrowed = runs.into_iter().map(|[start, end]| [start + joined.x, end]);
                    narrowed.filter(|[start, end]| start < end).collect::<Vec<_>>()
                };
                if joined.y == 0 { row(y) } else { common(&row(y - 1), &row(y)) }
            }
            Self::Convex { pieces, joined, touch } => {
                merge(pieces.iter().filter_map(|solid| strip(solid, *joined, *touch, y, columns)).collect())
            }
        }
    }
}

/// Sorts runs, and joins those that meet.
pub(super) fn merge(mut runs: Vec<Run>) -> Vec<Run> {
    sort(&mut runs);
    runs.dedup_by(|next, run| {
        let joined = next[0] <= run[1];
        if joined {
            run[1] = run[1].max(next[1]);
        }
        joined
    });
    runs
}

/// Appends the runs of a sprite's row.
fn paint_sprite(packed: &Packed, body: &Body, shape: &Shape, y: i32, columns: Run, runs: &mut Vec<Run>) {
    let Aabb { min, max } = body.pixels();
    let [left, right] = [min.x.max(columns[0]), max.x.min(columns[1])];
    if y < min.y || y >= max.y || left >= right {
        return;
    }
    if !body.is(UNTURNED) {
        paint_turned(packed, body, shape, y, [left, right], runs);
        return;
    }
    // An unturned sprite shows the words of its mask unchanged.
    let origin = body.origin(shape);
    let stride = shape.stride as usize / 2;
    let words = &packed.words()[shape.first as usize / 2 + (y - origin.y) as usize * stride..][..stride];
    let (first, earlier) = (left - ((left - origin.x) & 63), runs.len());
    for x in (first..right).step_by(64) {
        let mut bits = words[((x - origin.x) >> 6) as usize];
        if x < left {
            bits &= u64::MAX << (left - x);
        }
        if right - x < 64 {
            bits &= (1 << (right - x)) - 1;
        }
        push_runs(bits, x, earlier, runs);
    }
}

/// Appends the runs of a turned sprite's row, in columns that it may paint: texel by texel if each is several pixels
/// wide, otherwise word by word. Skips pixels outside the mask if the row is wide.
fn paint_turned(packed: &Packed, body: &Body, shape: &Shape, y: i32, columns: Run, runs: &mut Vec<Run>) {
    let earlier = runs.len();
    if is_coarse(body) {
        let columns = columns_within(body, shape, y, columns);
        texel_runs(packed, body, shape, y, columns, |run| push_run(run, earlier, runs));
        return;
    }
    let is_wide = columns[1] - columns[0] > FEW;
    let [left, right] = if is_wide { columns_within(body, shape, y, columns) } else { columns };
    for x in (left..right).step_by(64) {
        let within = if right - x < 64 { (1 << (right - x)) - 1 } else { u64::MAX };
        push_runs(sample(packed, body, shape, x, y) & within, x, earlier, runs);
    }
}

/// Appends the runs of a word whose lowest bit is pixel `x`; runs before index `earlier` belong to other rows.
fn push_runs(mut bits: u64, x: i32, earlier: usize, runs: &mut Vec<Run>) {
    while bits != 0 {
        let start = bits.trailing_zeros();
        let end = start + (bits >> start).trailing_ones();
        bits &= if end < 64 { u64::MAX << end } else { 0 };
        push_run([x + start as i32, x + end as i32], earlier, runs);
    }
}

/// Appends a run, or extends the last one if that ends where it begins.
fn push_run(run: Run, earlier: usize, runs: &mut Vec<Run>) {
    match runs[earlier..].last_mut() {
        Some(last) if last[1] == run[0] => last[1] = run[1],
        _ => runs.push(run),
    }
}

/// Returns the pixels of row `y` whose squares, joined with neighbours, a convex piece hits: one run, whose ends are
/// found by bisection, because a run of squares hits if any of them does.
fn strip(Solid { piece, pixels }: &Solid, joined: Point, touch: Touch, y: i32, columns: Run) -> Option<Run> {
    let Aabb { min, max } = *pixels;
    let [left, right] = [min.x.max(columns[0]), max.x.min(columns[1])];
    if y < min.y || y >= max.y || left >= right {
        return None;
    }
    // A run of squares hits if one of them does, unless a segment runs between two of them.
    if piece.is_segment && touch == Touch::Excluded && joined.x == 0 && is_between_columns(&piece.vertices) {
        return None;
    }
    let hits = |left: i32, right: i32| {
        let [left, top] = [left - joined.x, y - joined.y];
        let squares = Aabb { min: Point::new(left << 8, top << 8), max: Point::new(right << 8, (y + 1) << 8) };
        meets(Core::Square(squares), piece.core(), Point::ZERO, piece.radius, touch)
    };
    if !hits(left, right) {
        return None;
    }
    // The run from the left first hits when it takes in the first pixel that hits, the run from the right when it takes
    // in the last.
    let first_end = bisect(left, right, |x| hits(left, x));
    let last_start = -bisect(-right, 1 - first_end, |x| hits(-x, right));
    Some([first_end - 1, last_start + 1])
}

/// Returns whether all points lie on one line between two columns of pixels.
fn is_between_columns(points: &[Point]) -> bool {
    points.iter().all(|p| p.x == points[0].x && p.x % SUBPIXELS == 0)
}

/// Returns the least `x` with `low < x <= high` for which `holds`. It must hold for `high`, and for all between it and
/// the least.
fn bisect(mut low: i32, mut high: i32, holds: impl Fn(i32) -> bool) -> i32 {
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    high
}

/// Returns the intersection of two rows of runs.
pub(super) fn common(a: &[Run], b: &[Run]) -> Vec<Run> {
    let (mut i, mut j, mut runs) = (0, 0, Vec::new());
    while let (Some(a), Some(b)) = (a.get(i), b.get(j)) {
        let [start, end] = [a[0].max(b[0]), a[1].min(b[1])];
        if start < end {
            runs.push([start, end]);
        }
        if a[1] < b[1] { i += 1 } else { j += 1 }
    }
    runs
}

/// A sprite and another body, as rows of pixels.
pub(super) struct Facing<'a> {
    /// The pixels of the sprite.
    pub(super) sprite: Rows<'a>,
    /// The pixels that the sprite must not have: those of the other sprite, and their neighbours if touching is a hit,
    /// or the pixels whose squares hit the convex body.
    pub(super) other: Rows<'a>,
    /// For segments, the rows of pixels joined with neighbours, which must not meet either.
    joined: Vec<[Rows<'a>; 2]>,
    segments: Vec<Piece>,
}

impl<'a> Facing<'a> {
    pub(super) fn sprites(packed: &'a Packed, sprite: &'a Body, other: &'a Body, touch: Touch) -> Self {
        let sprite = Rows::sprite(packed, sprite, Touch::Excluded);
        Self { sprite, other: Rows::sprite(packed, other, touch), joined: Vec::new(), segments: Vec::new() }
    }

    /// Takes a sprite and pieces of a convex body.
    pub(super) fn convex(packed: &'a Packed, sprite: &'a Body, pieces: Vec<Piece>, touch: Touch) -> Self {
        let is_between = |piece: &&Piece| piece.is_segment && touch == Touch::Excluded;
        let segments: Vec<Piece> = pieces.iter().filter(is_between).cloned().collect();
        let joined = |&joined: &Point| {
            [Rows::joined(packed, sprite, joined), Rows::convex_joined(segments.clone(), joined, touch)]
        };
        let joined = if segments.is_empty() { Vec::new() } else { JOINED[1..].iter().map(joined).collect() };
        let sprite = Rows::sprite(packed, sprite, Touch::Excluded);
        Self { sprite, other: Rows::convex(pieces, touch), joined, segments }
    }

    /// Adds the moment at which the sprite arrives, by a step of one pixel, before the other body has come `came`
    /// farther: segments hit what a pixel covers together with the place that it comes from.
    pub(super) fn arriving(mut self, step: Point, came: Point) -> Self {
        let (Source::Sprite { packed, body, .. }, false) = (&self.sprite.source, self.segments.is_empty()) else {
            return self;
        };
        if step != Point::ZERO {
            let joined = Point::new(step.x.abs(), step.y.abs());
            // Of the two places, the one to the right or below.
            let last = Point::new((-step.x).max(0) << 8, (-step.y).max(0) << 8);
            let mut segments = std::mem::take(&mut self.segments);
            for segment in &mut segments {
                // The vertices at which the motion ended come first.
                segment.vertices.truncate(2);
                segment.vertices.iter_mut().for_each(|p| *p = *p - came - last);
            }
            let other = Rows::convex_joined(segments, joined, Touch::Excluded);
            self.joined.push([Rows::sprite(packed, body, Touch::Excluded), other]);
        }
        self
    }

    fn all(&mut self) -> impl Iterator<Item = [&mut Rows<'a>; 2]> {
        std::iter::once([&mut self.sprite, &mut self.other]).chain(self.joined.iter_mut().map(|[a, b]| [a, b]))
    }

    /// Restricts the rows of both to columns. Call it before reading any row.
    pub(super) fn clip(&mut self, sprite: Run, other: Run) {
        for [a, b] in self.all() {
            a.clip(sprite);
            b.clip(other);
        }
    }

    /// Returns whether they hit.
    pub(super) fn meet(&mut self) -> bool {
        self.all().any(|[a, b]| meet(a, b))
    }

    /// Returns a run of the sprite and one of the other that meet if the sprite is moved by `at`, searching row `hint`
    /// of the other first; `hint` becomes the row found.
    pub(super) fn blocker(&mut self, at: Point, hint: &mut i32) -> Option<(Run, Run)> {
        self.all().find_map(|[a, b]| blocker(a, b, at, hint))
    }
}

/// Returns whether some pixel is in both.
fn meet(a: &mut Rows<'_>, b: &mut Rows<'_>) -> bool {
    a.clip(b.columns);
    b.clip(a.columns);
    let mut hint = i32::midpoint(a.pixels.min.y.max(b.pixels.min.y), a.pixels.max.y.min(b.pixels.max.y));
    blocker(a, b, Point::ZERO, &mut hint).is_some()
}

/// Returns a run of `a` and one of `b` that meet if `a` is moved by `at`, searching row `hint` of `b` first; `hint`
/// becomes the row found.
fn blocker(a: &mut Rows<'_>, b: &mut Rows<'_>, at: Point, hint: &mut i32) -> Option<(Run, Run)> {
    let top = b.pixels.min.y.max(a.pixels.min.y + at.y);
    let bottom = b.pixels.max.y.min(a.pixels.max.y + at.y);
    if top >= bottom {
        return None;
    }
    let first = (*hint).clamp(top, bottom - 1);
    for y in (first..bottom).chain(top..first) {
        if let Some(runs) = meeting(a.row(y - at.y), b.row(y), at.x) {
            *hint = y;
            return Some(runs);
        }
    }
    None
}

/// Returns the first runs of two rows that meet, with the first row moved by `dx`.
fn meeting(a: &[Run], b: &[Run], dx: i32) -> Option<(Run, Run)> {
    let mut j = b.partition_point(|run| run[1] <= a.first().map_or(0, |first| first[0] + dx));
    let mut i = 0;
    while let (Some(&run), Some(&met)) = (a.get(i), b.get(j)) {
        if run[1] + dx <= met[0] {
            i += 1;
        } else if met[1] <= run[0] + dx {
            j += 1;
        } else {
            return Some((run, met));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::linear::Linear;
    use crate::world::pose::texel::{self, tests::posed};

    /// Tests wide and narrow rows, of texels larger and smaller than a few pixels, whole and clipped.
    #[test]
    fn rows_are_the_pixels_that_a_sheared_sprite_paints() {
        let sheared = [
            Linear { x: [127.0, -127.0], y: [-125.0, 127.0] },
            Linear { x: [127.0, 60.0], y: [0.5, 1.0] },
            Linear { x: [90.0, 2.0], y: [-30.0, 70.0] },
            Linear { x: [3.0, 1.0], y: [-1.0, 2.0] },
        ];
        for linear in sheared {
            let world = posed(linear);
            let (packed, body) = (world.packed(), world.packed().body(0));
            let Aabb { min, max } = body.pixels();
            let middle = i32::midpoint(min.x, max.x);
            for columns in [[min.x, max.x], [middle - 3, max.x], [min.x, middle]] {
                let mut rows = Rows::sprite(packed, &body, Touch::Excluded);
                rows.clip(columns);
                for y in min.y..max.y {
                    let painted = rows.row(y).iter().flat_map(|&[start, end]| start..end);
                    let under = (columns[0]..columns[1]).filter(|&x| texel::texel(packed, &body, [x, y]).is_some());
                    assert!(painted.eq(under), "{linear:?}, row {y}");
                    assert!(rows.row(y).windows(2).all(|two| two[0][1] < two[1][0]), "{linear:?}, row {y}");
                }
            }
        }
    }

    #[test]
    fn of_no_pieces_nothing_is_met() {
        let vertices = [[0, 0], [512, 0], [512, 512], [0, 512]].map(|[x, y]| Point::new(x, y)).to_vec();
        let square = Piece::hull(vertices, 0);
        for touch in [Touch::Excluded, Touch::Included] {
            let met = |a: &[Piece], b: &[Piece]| {
                let [mut a, mut b] = [a, b].map(|pieces| Rows::convex(pieces.to_vec(), touch));
                meet(&mut a, &mut b)
            };
            let one = [square.clone()];
            assert_eq!([met(&[], &one), met(&one, &[]), met(&one, &one)], [false, false, true], "{touch:?}");
        }
    }
}
