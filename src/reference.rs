//! The definition of a hit in code: compares all pairs, pixel by pixel, at each tick at which a sprite moves on, in
//! 128-bit integers. It is simple rather than fast; every engine must give the same answer.
//!
//! It shares nothing with the engines except shapes and bodies as the caller added them: it snaps, lands, paints, moves
//! and gathers on its own.

mod picture;
pub(crate) mod queries;
mod seams;

use std::collections::BTreeSet;
use std::iter::successors;

use self::picture::Picture;
use self::seams::seams;
use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits, Overlap, Stamp, raise_flags};
use crate::world::World;
use crate::world::body::Body;
use crate::world::pieces::Node;
use crate::world::shape::{Geometry, Shape};

/// A point or vector of the lattice.
type P = [i128; 2];

/// The ticks of a step.
const TICKS: i128 = 1 << 16;

/// Returns the answer, found by comparing every body with every other.
#[must_use]
pub(crate) fn run(world: &World, ask: Ask) -> Hits {
    let mut hits = Hits { stamp: Stamp::of(world.past()), ..Hits::none(world.indices()) };
    for (pair, detail) in pairs(world) {
        raise_flags(&mut hits.flags, &[pair]);
        if ask >= Ask::Pairs {
            hits.pairs.push(pair);
        }
        if ask >= Ask::Details {
            hits.details.push(detail);
        }
    }
    hits
}

/// Compares every body with every other, and returns the pairs that hit, in order, with their details.
pub(crate) fn pairs(world: &World) -> impl Iterator<Item = ([u32; 2], Detail)> {
    let bodies: Vec<_> = world.ids().filter_map(|id| Some((id, Placed::new(world, &world.body(id)?)?))).collect();
    let all = 0..bodies.len();
    all.clone().flat_map(move |k| all.clone().skip(k + 1).map(move |l| [k, l])).filter_map(move |[k, l]| {
        let ((i, a), (j, b)) = (&bodies[k], &bodies[l]);
        if !a.sees(b) && !b.sees(a) {
            return None;
        }
        meet(a, b, world.touch()).map(|detail| ([i.index(), j.index()], detail))
    })
}

/// A body, snapped.
struct Placed {
    form: Form,
    /// The motion within the step.
    motion: P,
    layer: u32,
    hits: u32,
    detector: bool,
    group: u32,
}

enum Form {
    /// The landed pieces of a convex body or polygon.
    Convex(Vec<Piece>),
    /// The pixels that a sprite paints at its start, and its motion, if any.
    Sprite(Picture, Option<Moving>),
    /// A body that hits nothing.
    Empty,
}

/// A landed piece of a convex body or polygon.
#[derive(Clone)]
pub(crate) struct Piece {
    /// The vertices of its hull, in order.
    core: Vec<P>,
    radius: i128,
    /// True if it is a segment without a radius.
    is_segment: bool,
    /// The edges that it shares with other pieces, which have landed on the other side, and these pieces.
    seams: Vec<([P; 2], usize)>,
}

impl Piece {
    /// Makes a piece without seams.
    pub(crate) fn of(core: Vec<P>, radius: i128, is_segment: bool) -> Self {
        Self { core, radius, is_segment, seams: Vec::new() }
    }

    /// Makes a pixel's square.
    fn square(pixel: P) -> Self {
        Self::of(square(pixel), 0, false)
    }

    /// Returns the piece with the hull of its vertices at two places.
    fn swept(&self, from: P, to: P) -> Self {
        let core = hull(self.core.iter().flat_map(|&p| [add(p, from), add(p, to)]));
        Self { core, ..self.clone() }
    }
}

/// A sprite's motion.
struct Moving {
    /// The ticks at which it moves on to other pixels, in order, and its offsets from its start from then on.
    way: Vec<(i128, P)>,
    /// The pixels that it paints at its end.
    end: Picture,
}

impl Placed {
    fn new(world: &World, body: &Body) -> Option<Self> {
        let shape = world.shape(body.shape)?;
        let at = [body.at.x, body.at.y].map(fix);
        let motion = [body.motion.x, body.motion.y].map(fix);
        let form = if body.enabled { Form::new(shape, body.linear, at, motion) } else { Form::Empty };
        let &Body { layers: layer, mask: hits, detector, group, .. } = body;
        Some(Self { form, motion, layer, hits, detector, group })
    }

    /// Returns whether the body sees another. A pair is tested if one of the two sees the other.
    fn sees(&self, other: &Self) -> bool {
        let (sees, seen) = (self.hits & other.layer != 0, other.hits & self.layer != 0);
        sees && (seen || self.detector) && (self.group != other.group || self.group == 0)
    }

    fn moves(&self) -> bool {
        self.motion != [0, 0]
    }
}

impl Form {
    fn new(shape: &Shape, linear: Linear, at: P, motion: P) -> Self {
        let Linear { x: [a, b], y: [c, d] } = linear;
        let det = a * d - b * c;
        let anchor = [shape.anchor.x, shape.anchor.y].map(i128::from);
        if det == 0.0 {
            return Self::Empty;
        }
        match &shape.geometry {
            Geometry::Convex { pieces, nodes, radius, members, .. } => {
                let land = |p: Point| lands(shape, linear, at, p);
                let landed = |piece: &Vec<Point>| hull(piece.iter().map(|&p| land(p)));
                let scale = det.abs().sqrt();
                let radii: Vec<i128> = if members.is_empty() {
                    vec![(f64::from(*radius) * scale + 0.5).floor() as i128; pieces.len()]
                } else {
                    let local = nodes.iter().filter_map(Node::part).map(|part| members[part as usize].radius);
                    local.map(|radius| (i128::from(radius) * snap(scale, 23) + (1 << 22)) >> 23).collect()
                };
                let seams = seams(shape, land);
                let of = |k: usize| seams.iter().filter(move |seam| seam.pieces.contains(&k));
                let piece = |(k, (piece, radius)): (usize, (&Vec<Point>, i128))| Piece {
                    core: landed(piece),
                    radius,
                    is_segment: piece.len() == 2 && radius == 0,
                    seams: of(k)
                        .map(|seam| (seam.ends, seam.pieces.into_iter().find(|&l| l != k).unwrap_or(k)))
                        .collect(),
                };
                Self::Convex(pieces.iter().zip(radii).enumerate().map(piece).collect())
            }
            Geometry::Sprite(mask) => {
                let inverse = [[d / det, -b / det], [-c / det, a / det]];
                if inverse.as_flattened().iter().any(|v| v.abs() > 64.0) {
                    return Self::Empty;
                }
                let inverse = inverse.map(|row| row.map(|v| snap(v, 16)));
                let paint = |at| Picture::paint(mask, anchor, linear, inverse, at);
                let moving = || Moving { way: way(at, motion), end: paint(add(at, motion)) };
                Self::Sprite(paint(at), (motion != [0, 0]).then(moving))
            }
        }
    }
}

/// Returns where a point of a convex shape lands.
fn lands(shape: &Shape, linear: Linear, at: P, p: Point) -> P {
    let local = sub([p.x, p.y].map(i128::from), [shape.anchor.x, shape.anchor.y].map(i128::from));
    let along = |row: [f64; 2]| (dot(row.map(|v| snap(v, 24)), local) + (1 << 23)) >> 24;
    add(at, [along(linear.x), along(linear.y)])
}

/// Converts units to lattice steps.
fn fix(v: f64) -> i128 {
    (256.0 * v + 0.5).floor() as i128
}

/// Rounds to `bits` fractional bits.
fn snap(v: f64, bits: i32) -> i128 {
    (v * 2.0_f64.powi(bits) + 0.5).floor() as i128
}

fn add(p: P, q: P) -> P {
    [p[0] + q[0], p[1] + q[1]]
}

fn sub(p: P, q: P) -> P {
    [p[0] - q[0], p[1] - q[1]]
}

fn cross(p: P, q: P) -> i128 {
    p[0] * q[1] - p[1] * q[0]
}

fn dot(p: P, q: P) -> i128 {
    p[0] * q[0] + p[1] * q[1]
}

/// Returns the pixel that contains a point.
fn pixel([x, y]: P) -> P {
    [x >> 8, y >> 8]
}

/// Returns the part of a motion that is covered by tick `k`.
fn come([x, y]: P, k: i128) -> P {
    let by = |motion: i128| (k * motion + (1 << 15)) >> 16;
    [by(x), by(y)]
}

/// Returns the way of a moving sprite. A sprite never returns to pixels that it has left, so bisection finds each tick.
fn way(from: P, motion: P) -> Vec<(i128, P)> {
    let offset = |k: i128| sub(pixel(add(from, come(motion, k))), pixel(from));
    let next = |&(k, there): &(i128, P)| first_tick(k, TICKS, |k| offset(k) != there).map(|k| (k, offset(k)));
    successors(Some((0, [0, 0])), next).skip(1).collect()
}

/// Returns the offset of a sprite from its start at tick `k`, in pixels.
fn offset(moving: Option<&Moving>, k: i128) -> P {
    let gone = moving.map(|Moving { way, .. }| &way[..way.partition_point(|&(from, _)| from <= k)]);
    gone.and_then(|gone| gone.last()).map_or([0, 0], |&(_, offset)| offset)
}

fn moved(pixels: &[P], by: P) -> Vec<P> {
    pixels.iter().map(|&pixel| add(pixel, by)).collect()
}

/// The pixels that two sprites share, or those of a sprite that a convex body covers.
type Shared = Vec<P>;

/// Returns the details of a pair, if it hits.
fn meet(a: &Placed, b: &Placed, touch: Touch) -> Option<Detail> {
    let timed = |tick: i128| (a.moves() || b.moves()).then_some([tick as u32, 1 << 16]);
    let carried = |(tick, shared): (i128, Shared)| {
        let (area, overlap) = told(&shared);
        Detail { time: timed(tick), area: Some(area), overlap }
    };
    match (&a.form, &b.form) {
        (Form::Empty, _) | (_, Form::Empty) => None,
        (Form::Convex(cores_a), Form::Convex(cores_b)) => {
            let d = sub(a.motion, b.motion);
            let mut first: Option<i128> = None;
            for piece_a in cores_a {
                for piece_b in cores_b {
                    let meets = |k| convex_meet(piece_a, piece_b, come(d, k), touch);
                    first = first.into_iter().chain(first_tick(0, TICKS, meets)).min();
                }
            }
            first.map(|tick| Detail { time: timed(tick), ..Detail::default() })
        }
        (Form::Sprite(..), Form::Sprite(..)) => sprites(a, b, touch).map(carried),
        (Form::Sprite(..), Form::Convex(cores)) => sprite_and_convex(a, b, cores, touch).map(carried),
        (Form::Convex(cores), Form::Sprite(..)) => sprite_and_convex(b, a, cores, touch).map(carried),
    }
}

/// Returns whether two pieces hit, with the first moving by `by`.
pub(crate) fn convex_meet(a: &Piece, b: &Piece, by: P, touch: Touch) -> bool {
    let swept = a.swept([0, 0], by).core;
    if touch == Touch::Included || a.radius + b.radius > 0 {
        return cores_meet(&swept, &b.core, a.radius + b.radius, touch);
    }
    let on_seam = |path: &[P], of: &Piece| of.seams.iter().any(|(seam, _)| runs_along(path, *seam));
    match [a.is_segment, b.is_segment] {
        [false, false] => cores_meet(&swept, &b.core, 0, touch),
        [true, true] => false,
        [true, false] => segment_meets(&swept, &b.core, 0, touch) || on_seam(&swept, b),
        [false, true] => {
            let path = b.swept([0, 0], sub([0, 0], by)).core;
            segment_meets(&b.core, &swept, 0, touch) || on_seam(&path, a)
        }
    }
}

/// Returns whether a path lies on the line of a seam, with a point between its ends.
fn runs_along(path: &[P], [p, q]: [P; 2]) -> bool {
    let along = |r: &P| dot(sub(q, p), sub(*r, p));
    let is_past = path.iter().any(|r| along(r) > 0);
    let is_before = path.iter().any(|r| along(r) < dot(sub(q, p), sub(q, p)));
    is_past && is_before && path.iter().all(|&r| cross(sub(q, p), sub(r, p)) == 0)
}

/// Returns the first tick of `low..=high` for which `meets` is true, by bisection; `None` if it is false for `high`.
fn first_tick(mut low: i128, mut high: i128, meets: impl Fn(i128) -> bool) -> Option<i128> {
    if !meets(high) {
        return None;
    }
    if meets(low) {
        return Some(low);
    }
    while high - low > 1 {
        let middle = low.midpoint(high);
        if meets(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Returns the first tick at which two sprites hit, and the pixels that both paint then.
fn sprites(a: &Placed, b: &Placed, touch: Touch) -> Option<(i128, Shared)> {
    let (Form::Sprite(a_start, a_moving), Form::Sprite(b_start, b_moving)) = (&a.form, &b.form) else { return None };
    let mut at: P = [0, 0];
    let look = |at: P| sprites_meet(a_start, at, b_start, touch);
    if let Some(shared) = look(at) {
        return Some((0, shared));
    }
    if !a.moves() && !b.moves() {
        return None;
    }
    let ways = [a_moving, b_moving].into_iter().flatten().flat_map(|moving| &moving.way);
    let ticks: BTreeSet<i128> = ways.map(|&(tick, _)| tick).collect();
    for k in ticks {
        let to_b = offset(b_moving.as_ref(), k);
        let to = sub(offset(a_moving.as_ref(), k), to_b);
        // Unit steps, x first.
        for axis in 0..2 {
            while at[axis] != to[axis] {
                at[axis] += (to[axis] - at[axis]).signum();
                if let Some(shared) = look(at) {
                    // In world coordinates.
                    return Some((k, moved(&shared, to_b)));
                }
            }
        }
    }
    let a_end = a_moving.as_ref().map_or(a_start, |moving| &moving.end);
    let b_end = b_moving.as_ref().map_or(b_start, |moving| &moving.end);
    sprites_meet(a_end, [0, 0], b_end, touch).map(|shared| (TICKS, shared))
}

/// Returns the pixels that both paint, the first moved by `by`; `None` if they do not hit.
fn sprites_meet(a: &Picture, by: P, b: &Picture, touch: Touch) -> Option<Shared> {
    let has = |pixel: P| a.has(sub(pixel, by));
    let near = |[x, y]: P| (-1..=1).any(|dy| (-1..=1).any(|dx| has([x + dx, y + dy])));
    let shared: Shared = b.pixels_near(a, by).filter(|&pixel| has(pixel)).collect();
    let hit = !shared.is_empty() || (touch == Touch::Included && b.pixels_near(a, by).any(near));
    hit.then_some(shared)
}

/// Returns the first tick at which a sprite and a convex body hit, and the pixels that the convex body covers by then.
fn sprite_and_convex(sprite: &Placed, convex: &Placed, cores: &[Piece], touch: Touch) -> Option<(i128, Shared)> {
    let Form::Sprite(start, moving) = &sprite.form else { return None };
    let start: Vec<P> = start.pixels().collect();
    // The hull of a piece's vertices at two ticks.
    let swept = |piece: &Piece, k0, k1| piece.swept(come(convex.motion, k0), come(convex.motion, k1));
    // Each offset at which the sprite stays, with the ticks at which it arrives and leaves, and the step by which it
    // arrives.
    let mut stays: Vec<(P, i128, i128, P)> = vec![([0, 0], 0, TICKS, [0, 0])];
    for &(k, to) in moving.iter().flat_map(|moving| &moving.way) {
        for axis in 0..2 {
            let (at, ..) = stays[stays.len() - 1];
            if at[axis] != to[axis] {
                let mut next = at;
                next[axis] = to[axis];
                if let Some(last) = stays.last_mut() {
                    last.2 = k;
                }
                stays.push((next, k, TICKS, sub(next, at)));
            }
        }
    }
    for (at, k0, k1, came) in stays {
        let pixels = moved(&start, at);
        let tick = cores.iter().filter_map(|piece| {
            let arrives = touch == Touch::Excluded && segment_is_passed(&pixels, came, &swept(piece, k0, k0));
            first_tick(k0, k1, |k| arrives || pixels_meet(&pixels, &swept(piece, k0, k), touch))
        });
        if let Some(tick) = tick.min() {
            let by_then: Vec<_> = cores.iter().map(|piece| swept(piece, k0, tick)).collect();
            return Some((tick, covered(&pixels, &by_then)));
        }
    }
    let ends: Vec<_> = cores.iter().map(|piece| swept(piece, TICKS, TICKS)).collect();
    let end = moving.as_ref().map_or(start, |moving| moving.end.pixels().collect());
    let hit = ends.iter().any(|piece| pixels_meet(&end, piece, touch));
    hit.then(|| (TICKS, covered(&end, &ends)))
}

/// Returns whether a segment crosses the interior of the box of a pixel and the place from which it came.
fn segment_is_passed(pixels: &[P], came: P, piece: &Piece) -> bool {
    let crosses = |pixel: P| {
        let both = hull(square(pixel).into_iter().chain(square(sub(pixel, came))));
        segment_meets(&piece.core, &both, 0, Touch::Excluded)
    };
    piece.is_segment && came != [0, 0] && pixels.iter().any(|&pixel| crosses(pixel))
}

/// Returns whether a piece hits a sprite that paints these pixels: the square of one, or a segment what two or four
/// that adjoin cover together.
fn pixels_meet(pixels: &[P], piece: &Piece, touch: Touch) -> bool {
    if !piece.is_segment || touch == Touch::Included {
        return pixels.iter().any(|&pixel| cores_meet(&square(pixel), &piece.core, piece.radius, touch));
    }
    let painted: BTreeSet<P> = pixels.iter().copied().collect();
    let joined = |[x, y]: P, [dx, dy]: P| {
        let all = (0..=dx).all(|i| (0..=dy).all(|j| painted.contains(&[x + i, y + j])));
        let [x0, y0, x1, y1] = [256 * x, 256 * y, 256 * (x + 1 + dx), 256 * (y + 1 + dy)];
        all && segment_meets(&piece.core, &[[x0, y0], [x1, y0], [x1, y1], [x0, y1]], 0, touch)
    };
    pixels.iter().any(|&pixel| [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().any(|by| joined(pixel, by)))
}

/// Returns those of `pixels` whose squares' interiors overlap one of the hulls, each inflated by its radius.
fn covered(pixels: &[P], hulls: &[Piece]) -> Shared {
    let overlaps = |pixel: P| {
        hulls.iter().any(|piece| {
            let (square, core) = (square(pixel), &piece.core);
            if piece.is_segment {
                segment_meets(core, &square, 0, Touch::Excluded)
            } else {
                cores_meet(&square, core, piece.radius, Touch::Excluded)
            }
        })
    };
    let is = |pixel: &P| overlaps(*pixel);
    pixels.iter().copied().filter(is).collect()
}

/// Returns the corners of a pixel's square, in order.
fn square([x, y]: P) -> Vec<P> {
    let [x0, y0, x1, y1] = [256 * x, 256 * y, 256 * (x + 1), 256 * (y + 1)];
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

/// Returns the number of pixels, and their overlap if there are any.
fn told(pixels: &[P]) -> (u64, Option<Overlap>) {
    let all = |axis: usize| pixels.iter().map(move |pixel| pixel[axis]);
    let bounds = |axis: usize| all(axis).min().zip(all(axis).max());
    let overlap = bounds(0).zip(bounds(1)).map(|((left, right), (top, bottom))| {
        let first = pixels.iter().filter(|pixel| pixel[1] == top).map(|pixel| pixel[0]).min().unwrap_or(left);
        Overlap {
            bounds: [left, top, right - left + 1, bottom - top + 1].map(|v| v as i32),
            first: [first as i32, top as i32],
            sums: [0, 1].map(|axis| all(axis).sum::<i128>() as i64),
        }
    });
    (pixels.len() as u64, overlap)
}

/// Returns the vertices of the convex hull, in order (Andrew's monotone chain, 1979).
pub(crate) fn hull(points: impl Iterator<Item = P>) -> Vec<P> {
    let mut points: Vec<P> = points.collect();
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut chain: Vec<P> = Vec::new();
    for pass in 0..2 {
        let start = chain.len();
        for &p in &points {
            while chain.len() >= start + 2
                && cross(sub(chain[chain.len() - 1], chain[chain.len() - 2]), sub(p, chain[chain.len() - 1])) <= 0
            {
                chain.pop();
            }
            chain.push(p);
        }
        chain.pop();
        if pass == 0 {
            points.reverse();
        }
    }
    chain
}

/// Returns whether two cores hit, given as the vertices of their hulls in order. `radius` is the sum of their radii.
#[must_use]
pub(crate) fn cores_meet(a: &[P], b: &[P], radius: i128, touch: Touch) -> bool {
    // Most cores are far apart.
    let far = |axis: usize| {
        let ends = |hull: &[P]| hull.iter().fold((i128::MAX, i128::MIN), |(l, h), p| (l.min(p[axis]), h.max(p[axis])));
        let ((a0, a1), (b0, b1)) = (ends(a), ends(b));
        a0 > b1 + radius || b0 > a1 + radius
    };
    if far(0) || far(1) {
        return false;
    }
    if radius == 0 && touch == Touch::Excluded {
        return a.len() > 2 && b.len() > 2 && !separated(a, b) && !separated(b, a);
    }
    let within = |[square, scale]: [i128; 2]| match touch {
        Touch::Excluded => square < radius * radius * scale,
        Touch::Included => square <= radius * radius * scale,
    };
    let near =
        |hull: &[P], other: &[P]| other.iter().any(|&r| edges(hull).any(|(p, q)| within(square_distance(r, p, q))));
    let crossed = edges(a).any(|(p, q)| edges(b).any(|(r, s)| cross_properly(p, q, r, s)));
    crossed || contains(a, b[0]) || contains(b, a[0]) || near(a, b) || near(b, a)
}

fn edges(hull: &[P]) -> impl Iterator<Item = (P, P)> + '_ {
    (0..hull.len()).map(|i| (hull[i], hull[(i + 1) % hull.len()]))
}

/// Returns whether some point of a segment, or of its path, lies in the interior of a convex set, or in the set itself
/// if touch counts.
fn segment_meets(segment: &[P], part: &[P], radius: i128, touch: Touch) -> bool {
    if radius > 0 || touch == Touch::Included {
        return cores_meet(segment, part, radius, touch);
    }
    // A point has no edge that could separate it from anything.
    part.len() > 2 && !separated(part, segment) && (segment.len() == 1 || !separated(segment, part))
}

/// Returns whether the line along some edge of `a`, whose inside is on the left, has all of `b` on its right.
fn separated(a: &[P], b: &[P]) -> bool {
    edges(a).any(|(p, q)| b.iter().all(|&r| cross(sub(q, p), sub(r, p)) <= 0))
}

/// Returns whether a hull contains a point; false if the hull has no area.
fn contains(hull: &[P], r: P) -> bool {
    hull.len() > 2 && edges(hull).all(|(p, q)| cross(sub(q, p), sub(r, p)) >= 0)
}

/// Returns whether two segments cross at a point that is not an end of either.
fn cross_properly(p: P, q: P, r: P, s: P) -> bool {
    let side = |a: P, b: P, c: P| cross(sub(b, a), sub(c, a)).signum();
    side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0
}

/// Returns the squared distance of a point from a segment as a fraction: numerator, then denominator.
fn square_distance(r: P, p: P, q: P) -> [i128; 2] {
    let (edge, from) = (sub(q, p), sub(r, p));
    let along = dot(edge, from);
    if along <= 0 {
        [dot(from, from), 1]
    } else if along >= dot(edge, edge) {
        [dot(sub(r, q), sub(r, q)), 1]
    } else {
        [cross(edge, from).pow(2), dot(edge, edge)]
    }
}
