//! The definition, spelled out: all pairs, pixel by pixel, tick by tick, in unbounded integers. Never optimised; every
//! engine must equal it.
//!
//! It shares nothing with what is judged by it but shapes and bodies as they entered: it snaps, lands, paints, moves
//! and gathers by itself.

pub(crate) mod questions;

use std::collections::HashSet;

use crate::ground::lattice::Point;
use crate::ground::linear::Linear;
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits, Overlap, raise_flags};
use crate::world::World;
use crate::world::body::Body;
use crate::world::mask::Mask;
use crate::world::shape::{Geometry, Shape};

/// A point or vector of the lattice.
type P = [i128; 2];

/// The ticks of a step.
const TICKS: i128 = 1 << 16;

/// Answers by comparing every body with every other.
#[must_use]
pub(crate) fn run(world: &World, ask: Ask) -> Hits {
    let mut hits = Hits::none(world.indices());
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

/// Compares every body with every other: those pairs that hit, in order, and what they carry.
pub(crate) fn pairs(world: &World) -> impl Iterator<Item = ([u32; 2], Detail)> {
    let bodies: Vec<_> = world.ids().filter_map(|id| Some((id, Placed::new(world, &world.body(id)?)?))).collect();
    let all = 0..bodies.len();
    all.clone().flat_map(move |k| all.clone().skip(k + 1).map(move |l| [k, l])).filter_map(move |[k, l]| {
        let ((i, a), (j, b)) = (&bodies[k], &bodies[l]);
        let layers = a.layer & b.hits != 0 && b.layer & a.hits != 0;
        if !layers || (a.group == b.group && a.group != 0) {
            return None;
        }
        meet(a, b, world.touch()).map(|detail| ([i.index(), j.index()], detail))
    })
}

/// A body, snapped.
struct Placed<'a> {
    form: Form<'a>,
    /// Where its anchor lands.
    at: P,
    /// Its motion within the step.
    motion: P,
    layer: u32,
    hits: u32,
    group: u32,
}

enum Form<'a> {
    /// The pieces of a convex body or polygon where they land, and the radius.
    Convex(Vec<Vec<P>>, i128),
    /// A sprite's mask and anchor, its linear part, and the inverse in steps of 2^-16.
    Sprite(&'a Mask, P, Linear, [P; 2]),
    /// Nothing.
    Empty,
}

impl<'a> Placed<'a> {
    fn new(world: &'a World, body: &Body) -> Option<Self> {
        let shape = world.shape(body.shape)?;
        let at = [body.at.x, body.at.y].map(fix);
        let motion = [body.motion.x, body.motion.y].map(fix);
        let form = if body.enabled { Form::new(shape, body.linear, at) } else { Form::Empty };
        Some(Self { form, at, motion, layer: body.layer, hits: body.hits, group: body.group })
    }

    fn moves(&self) -> bool {
        self.motion != [0, 0]
    }

    /// Where the anchor is at the end of the step.
    fn end(&self) -> P {
        add(self.at, self.motion)
    }
}

impl<'a> Form<'a> {
    fn new(shape: &'a Shape, linear: Linear, at: P) -> Self {
        let Linear { x: [a, b], y: [c, d] } = linear;
        let det = a * d - b * c;
        let anchor = [shape.anchor.x, shape.anchor.y].map(i128::from);
        if det == 0.0 {
            return Self::Empty;
        }
        match &shape.geometry {
            Geometry::Convex { pieces, radius } => {
                let [x, y] = [[a, b], [c, d]].map(|row| row.map(|v| snap(v, 24)));
                let round = |v: i128| (v + (1 << 23)) >> 24;
                let lands = |p: P| add(at, [round(dot(x, p)), round(dot(y, p))]);
                let local = |p: &Point| sub([p.x, p.y].map(i128::from), anchor);
                let landed = |piece: &Vec<Point>| hull(piece.iter().map(|p| lands(local(p))));
                let radius = (f64::from(*radius) * det.abs().sqrt() + 0.5).floor() as i128;
                Self::Convex(pieces.iter().map(landed).collect(), radius)
            }
            Geometry::Sprite(mask) => {
                let inverse = [[d / det, -b / det], [-c / det, a / det]];
                if inverse.as_flattened().iter().any(|v| v.abs() > 64.0) {
                    return Self::Empty;
                }
                Self::Sprite(mask, anchor, linear, inverse.map(|row| row.map(|v| snap(v, 16))))
            }
        }
    }
}

/// Units to steps of the lattice.
fn fix(v: f64) -> i128 {
    (256.0 * v + 0.5).floor() as i128
}

/// To so many fractional bits.
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

/// The pixel that holds a point.
fn pixel(p: P) -> P {
    p.map(|v| v >> 8)
}

/// How far a motion has come by a tick.
fn come(motion: P, k: i128) -> P {
    motion.map(|m| (k * m + (1 << 15)) >> 16)
}

/// How many pixels a sprite stands from its start at a tick.
fn offset(body: &Placed<'_>, k: i128) -> P {
    sub(pixel(add(body.at, come(body.motion, k))), pixel(body.at))
}

/// The pixels that a sprite paints where its anchor is at a place: each around it is asked for the texel under its
/// centre.
fn paint(mask: &Mask, anchor: P, linear: Linear, inverse: [P; 2], at: P) -> Vec<P> {
    let Linear { x: [a, b], y: [c, d] } = linear;
    let (mut min, mut max) = ([f64::MAX; 2], [f64::MIN; 2]);
    for u in [0, mask.width()] {
        for v in [0, mask.height()] {
            let local = [f64::from(u) - anchor[0] as f64 / 256.0, f64::from(v) - anchor[1] as f64 / 256.0];
            let corner = [a * local[0] + b * local[1], c * local[0] + d * local[1]];
            for axis in 0..2 {
                min[axis] = min[axis].min(corner[axis]);
                max[axis] = max[axis].max(corner[axis]);
            }
        }
    }
    // The snapped inverse is off by up to 2^-17 texel a pixel, which is so many pixels more.
    let far = min.iter().chain(&max).fold(0.0_f64, |far, v| far.max(v.abs()));
    let scale = [a, b, c, d].iter().fold(0.0_f64, |most, v| most.max(v.abs()));
    let margin = 3 + (far * scale / 32768.0) as i128;
    let [x0, y0] = pixel(at);
    let [fx, fy] = [256 * x0 + 128 - at[0], 256 * y0 + 128 - at[1]];
    let [row_u, row_v] = inverse;
    let mut painted = Vec::new();
    for y in y0 + min[1].floor() as i128 - margin..=y0 + max[1].ceil() as i128 + margin {
        for x in x0 + min[0].floor() as i128 - margin..=x0 + max[0].ceil() as i128 + margin {
            let moved = [x - x0, y - y0];
            let u = (dot(row_u, [fx, fy]) >> 8) + 256 * anchor[0] + dot(row_u, moved);
            let v = (dot(row_v, [fx, fy]) >> 8) + 256 * anchor[1] + dot(row_v, moved);
            if let (Ok(i), Ok(j)) = (u32::try_from(u >> 16), u32::try_from(v >> 16))
                && mask.get(i, j)
            {
                painted.push([x, y]);
            }
        }
    }
    painted
}

fn moved(pixels: &[P], by: P) -> Vec<P> {
    pixels.iter().map(|&pixel| add(pixel, by)).collect()
}

/// The pixels that two bodies share, or that a convex body covers.
type Shared = Vec<P>;

/// What a pair carries, if it hits.
fn meet(a: &Placed<'_>, b: &Placed<'_>, touch: Touch) -> Option<Detail> {
    let timed = |tick: i128| (a.moves() || b.moves()).then_some([tick as u32, 1 << 16]);
    let carried = |(tick, shared): (i128, Shared)| {
        let (area, overlap) = told(&shared);
        Detail { time: timed(tick), area: Some(area), overlap }
    };
    match (&a.form, &b.form) {
        (Form::Empty, _) | (_, Form::Empty) => None,
        (Form::Convex(cores_a, radius_a), Form::Convex(cores_b, radius_b)) => {
            let d = sub(a.motion, b.motion);
            let mut first: Option<i128> = None;
            for core_a in cores_a {
                for core_b in cores_b {
                    let meets = |k| {
                        let swept = hull(core_a.iter().flat_map(|&p| [p, add(p, come(d, k))]));
                        cores_meet(&swept, core_b, radius_a + radius_b, touch)
                    };
                    first = first.into_iter().chain(first_tick(0, TICKS, meets)).min();
                }
            }
            first.map(|tick| Detail { time: timed(tick), ..Detail::default() })
        }
        (Form::Sprite(..), Form::Sprite(..)) => sprites(a, b, touch).map(carried),
        (Form::Sprite(..), Form::Convex(cores, radius)) => {
            sprite_and_convex(a, b, (cores, *radius), touch).map(carried)
        }
        (Form::Convex(cores, radius), Form::Sprite(..)) => {
            sprite_and_convex(b, a, (cores, *radius), touch).map(carried)
        }
    }
}

/// The first tick of `low..=high` by bisection; nothing where it does not meet by the last.
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

/// The pixels of a sprite where it starts, and where it ends.
fn painted(sprite: &Placed<'_>) -> [Vec<P>; 2] {
    let Form::Sprite(mask, anchor, linear, inverse) = &sprite.form else { return [Vec::new(), Vec::new()] };
    [sprite.at, sprite.end()].map(|at| paint(mask, *anchor, *linear, *inverse, at))
}

/// The first tick at which two sprites hit, and the pixels that both paint then.
fn sprites(a: &Placed<'_>, b: &Placed<'_>, touch: Touch) -> Option<(i128, Shared)> {
    let ([a_start, a_end], [b_start, b_end]) = (painted(a), painted(b));
    let mut at: P = [0, 0];
    let look = |at: P| sprites_meet(&moved(&a_start, at), &b_start, touch);
    if let Some(shared) = look(at) {
        return Some((0, shared));
    }
    if !a.moves() && !b.moves() {
        return None;
    }
    for k in 1..=TICKS {
        let to = sub(offset(a, k), offset(b, k));
        // Unit steps, those in x first.
        for axis in 0..2 {
            while at[axis] != to[axis] {
                at[axis] += (to[axis] - at[axis]).signum();
                if let Some(shared) = look(at) {
                    // Where they are seen.
                    return Some((k, moved(&shared, offset(b, k))));
                }
            }
        }
    }
    sprites_meet(&a_end, &b_end, touch).map(|shared| (TICKS, shared))
}

/// The pixels of both; nothing where they do not hit.
fn sprites_meet(a: &[P], b: &[P], touch: Touch) -> Option<Shared> {
    let b: HashSet<P> = b.iter().copied().collect();
    let near = |&[x, y]: &P| (-1..=1).any(|dy| (-1..=1).any(|dx| b.contains(&[x + dx, y + dy])));
    let shared: Shared = a.iter().copied().filter(|pixel| b.contains(pixel)).collect();
    let hit = !shared.is_empty() || (touch == Touch::Included && a.iter().any(near));
    hit.then_some(shared)
}

/// The first tick at which a sprite and a convex body hit, and the pixels that this covers by then.
fn sprite_and_convex(
    sprite: &Placed<'_>,
    convex: &Placed<'_>,
    (cores, radius): (&[Vec<P>], i128),
    touch: Touch,
) -> Option<(i128, Shared)> {
    let [start, end] = painted(sprite);
    // The hull of a piece's vertices at two ticks.
    let swept = |core: &Vec<P>, k0, k1| {
        hull([k0, k1].into_iter().flat_map(|k| core.iter().map(move |&p| add(p, come(convex.motion, k)))))
    };
    // Each offset at which the sprite stays, with the ticks at which it comes there and goes on.
    let mut stays: Vec<(P, i128, i128)> = vec![([0, 0], 0, TICKS)];
    if sprite.moves() {
        for k in 1..=TICKS {
            let to = offset(sprite, k);
            for axis in 0..2 {
                let (at, ..) = stays[stays.len() - 1];
                if at[axis] != to[axis] {
                    let mut next = at;
                    next[axis] = to[axis];
                    if let Some(last) = stays.last_mut() {
                        last.2 = k;
                    }
                    stays.push((next, k, TICKS));
                }
            }
        }
    }
    for (at, k0, k1) in stays {
        let pixels = moved(&start, at);
        let tick = cores.iter().filter_map(|core| {
            first_tick(k0, k1, |k| {
                let swept = swept(core, k0, k);
                pixels.iter().any(|&pixel| cores_meet(&square(pixel), &swept, radius, touch))
            })
        });
        if let Some(tick) = tick.min() {
            let by_then: Vec<_> = cores.iter().map(|core| swept(core, k0, tick)).collect();
            return Some((tick, covered(&pixels, &by_then, radius)));
        }
    }
    let ends: Vec<_> = cores.iter().map(|core| swept(core, TICKS, TICKS)).collect();
    let hit = end.iter().any(|&pixel| ends.iter().any(|core| cores_meet(&square(pixel), core, radius, touch)));
    hit.then(|| (TICKS, covered(&end, &ends, radius)))
}

/// The pixels whose squares' interiors overlap one of these hulls.
fn covered(pixels: &[P], hulls: &[Vec<P>], radius: i128) -> Shared {
    let is = |pixel: &P| hulls.iter().any(|hull| cores_meet(&square(*pixel), hull, radius, Touch::Excluded));
    pixels.iter().copied().filter(is).collect()
}

/// The corners of a pixel's square, in order.
fn square([x, y]: P) -> Vec<P> {
    let [x0, y0, x1, y1] = [256 * x, 256 * y, 256 * (x + 1), 256 * (y + 1)];
    vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
}

/// How many pixels there are, and where they lie if there are any.
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

/// The vertices of the convex hull, in order (Andrew's monotone chain, 1979).
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

/// Whether two cores hit, given as the vertices of their hulls in order, with the sum `radius` of their radii.
#[must_use]
pub(crate) fn cores_meet(a: &[P], b: &[P], radius: i128, touch: Touch) -> bool {
    // What lies far apart is most of what is asked.
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

/// Whether the line along some edge of `a`, whose inside is on the left, has all of `b` on its right.
fn separated(a: &[P], b: &[P]) -> bool {
    edges(a).any(|(p, q)| b.iter().all(|&r| cross(sub(q, p), sub(r, p)) <= 0))
}

/// Whether a hull that has an area contains a point.
fn contains(hull: &[P], r: P) -> bool {
    hull.len() > 2 && edges(hull).all(|(p, q)| cross(sub(q, p), sub(r, p)) >= 0)
}

/// Whether two segments cross at a point that is no end of either.
fn cross_properly(p: P, q: P, r: P, s: P) -> bool {
    let side = |a: P, b: P, c: P| cross(sub(b, a), sub(c, a)).signum();
    side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0
}

/// The square of the distance of a point from a segment, and the scale that makes it whole.
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
