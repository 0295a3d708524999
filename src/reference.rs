//! The definition, spelled out: all pairs, pixel by pixel, in `i128`. Never optimised; every engine must equal it.

use crate::ground::lattice::Point;
use crate::ground::linear::{INVERSE_BITS, LINEAR_BITS};
use crate::ground::touch::Touch;
use crate::hits::{Ask, Detail, Hits, Overlap};
use crate::world::World;
use crate::world::packed::{Body, Packed, SPRITE};

type P = [i128; 2];
/// A convex body's pieces, landed: each the hull of its vertices, in order, with the body's radius.
struct Landed {
    pieces: Vec<Vec<P>>,
    radius: i128,
}
/// The world pixels that a sprite paints.
type Painted = Vec<[i128; 2]>;

/// The pixels that two bodies share.
#[derive(Default)]
struct Gather(Vec<[i128; 2]>);

impl Gather {
    /// Their number, and where they lie if there are any.
    fn finish(self) -> (u64, Option<Overlap>) {
        let pixels = self.0;
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
}

enum Posed {
    Convex(Landed),
    Sprite(Painted),
}

/// Answers by comparing every body with every other.
#[must_use]
pub(crate) fn run(world: &World, ask: Ask) -> Hits {
    let packed = world.packed();
    let posed: Vec<Posed> = packed.bodies.iter().map(|body| pose(packed, body)).collect();
    let mut hits = Hits::none(packed.bodies.len());
    for i in 0..packed.bodies.len() {
        for j in i + 1..packed.bodies.len() {
            let (a, b) = (&packed.bodies[i], &packed.bodies[j]);
            if a.layer & b.hits == 0 || b.layer & a.hits == 0 {
                continue;
            }
            if let Some(detail) = meet((a, &posed[i]), (b, &posed[j]), world.touch()) {
                hits.pairs.push([i as u32, j as u32]);
                hits.details.push(detail);
            }
        }
    }
    hits.flag_pairs();
    if ask < Ask::Details {
        hits.details.clear();
    }
    if ask < Ask::Pairs {
        hits.pairs.clear();
    }
    hits
}

fn pose(packed: &Packed, body: &Body) -> Posed {
    if body.is(SPRITE) { Posed::Sprite(paint(packed, body)) } else { Posed::Convex(land(packed, body)) }
}

fn point(p: Point) -> P {
    [p.x.into(), p.y.into()]
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

fn land(packed: &Packed, body: &Body) -> Landed {
    let shape = &packed.shapes[body.shape as usize];
    let vertices = packed.vertices(shape);
    let [x, y] = [body.linear.x, body.linear.y].map(|row| row.map(i128::from));
    let round = |v: i128| (v + (1 << (LINEAR_BITS - 1))) >> LINEAR_BITS;
    let landed = |&p: &Point| add(point(body.position), [round(dot(x, point(p))), round(dot(y, point(p)))]);
    let pieces = packed.pieces(shape).map(|(first, count)| hull(vertices[first..first + count].iter().map(landed)));
    Landed { pieces: pieces.collect(), radius: body.radius.into() }
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

/// Every pixel around the sprite is asked for the texel under its centre.
fn paint(packed: &Packed, body: &Body) -> Painted {
    let shape = &packed.shapes[body.shape as usize];
    let [[a, b], [c, d]] = [body.linear.x, body.linear.y].map(|row| row.map(i128::from));
    let position = point(body.position);
    let anchor = point(shape.anchor);
    let [x0, y0] = position.map(|v| v >> 8);
    let [fx, fy] = [256 * x0 + 128 - position[0], 256 * y0 + 128 - position[1]];
    let mut painted = Vec::new();
    let around = body.reach(shape);
    // Two pixels more than the engines look at, so that a pixel missing there is found.
    for y in i128::from(around.min.y >> 8) - 2..i128::from(around.max.y >> 8) + 2 {
        for x in i128::from(around.min.x >> 8) - 2..i128::from(around.max.x >> 8) + 2 {
            let u = ((a * fx + b * fy) >> 8) + 256 * anchor[0] + a * (x - x0) + b * (y - y0);
            let v = ((c * fx + d * fy) >> 8) + 256 * anchor[1] + c * (x - x0) + d * (y - y0);
            if packed.texel(shape, (u >> INVERSE_BITS) as i64, (v >> INVERSE_BITS) as i64) {
                painted.push([x, y]);
            }
        }
    }
    painted
}

fn meet((a, posed_a): (&Body, &Posed), (b, posed_b): (&Body, &Posed), touch: Touch) -> Option<Detail> {
    let motion = sub(point(a.motion), point(b.motion));
    let moves = a.moves() || b.moves();
    match (posed_a, posed_b) {
        (Posed::Convex(a), Posed::Convex(b)) => {
            let k = convex_time(a, b, motion, touch)?;
            Some(Detail { time: moves.then_some([k, 1 << 16]), ..Detail::default() })
        }
        (Posed::Sprite(a), Posed::Sprite(b)) => walk(motion, moves, |offset| {
            let moved: Painted = a.iter().map(|&pixel| add(pixel, offset)).collect();
            sprites_meet(&moved, b, touch)
        }),
        (Posed::Sprite(sprite), Posed::Convex(convex)) => walk(motion, moves, |offset| {
            let moved: Painted = sprite.iter().map(|&pixel| add(pixel, offset)).collect();
            sprite_meets_convex(&moved, convex, touch)
        }),
        (Posed::Convex(convex), Posed::Sprite(sprite)) => walk(sub([0, 0], motion), moves, |offset| {
            let moved: Painted = sprite.iter().map(|&pixel| add(pixel, offset)).collect();
            sprite_meets_convex(&moved, convex, touch)
        }),
    }
}

/// The first of 65536 parts of the motion at which any piece hits any other, by bisection for each two.
fn convex_time(a: &Landed, b: &Landed, motion: P, touch: Touch) -> Option<u32> {
    let mut first: Option<u32> = None;
    for piece_a in &a.pieces {
        for piece_b in &b.pieces {
            let meets_by = |k: u32| {
                let moved = motion.map(|v| (i128::from(k) * v + (1 << 15)) >> 16);
                let swept = hull(piece_a.iter().flat_map(|&p| [p, add(p, moved)]));
                cores_meet(&swept, piece_b, a.radius + b.radius, touch)
            };
            if !meets_by(1 << 16) {
                continue;
            }
            let (mut low, mut high) = (0, 1 << 16);
            if meets_by(0) {
                high = 0;
            }
            while high - low > 1 && high > 0 {
                let middle = u32::midpoint(low, high);
                if meets_by(middle) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            first = Some(first.map_or(high, |k| k.min(high)));
        }
    }
    first
}

/// Goes the way of a sprite, in whole pixels, to the first offset at which it hits.
fn walk(motion: P, moves: bool, meets: impl Fn(P) -> Option<Gather>) -> Option<Detail> {
    let end = motion.map(|v| (v + 128) >> 8);
    let [end_i, end_j] = end.map(i128::abs);
    let (mut i, mut j) = (0, 0);
    loop {
        if let Some(gather) = meets([end[0].signum() * i, end[1].signum() * j]) {
            let time = moves.then_some([(i + j) as u32, (end_i + end_j).max(1) as u32]);
            let (area, overlap) = gather.finish();
            return Some(Detail { time, area: Some(area), overlap });
        }
        if (i, j) == (end_i, end_j) {
            return None;
        }
        if ((1 + 2 * i) * end_j <= (1 + 2 * j) * end_i && i < end_i) || j == end_j {
            i += 1;
        } else {
            j += 1;
        }
    }
}

fn sprites_meet(a: &Painted, b: &Painted, touch: Touch) -> Option<Gather> {
    let mut gather = Gather::default();
    let mut meet = false;
    let b: std::collections::HashSet<P> = b.iter().copied().collect();
    for &[x, y] in a {
        if b.contains(&[x, y]) {
            meet = true;
            gather.0.push([x, y]);
        }
        if touch == Touch::Included {
            meet |= (-1..=1).any(|dy| (-1..=1).any(|dx| b.contains(&[x + dx, y + dy])));
        }
    }
    meet.then_some(gather)
}

fn sprite_meets_convex(sprite: &Painted, convex: &Landed, touch: Touch) -> Option<Gather> {
    let mut gather = Gather::default();
    let mut meet = false;
    for &[x, y] in sprite {
        let [x0, y0, x1, y1] = [256 * x, 256 * y, 256 * (x + 1), 256 * (y + 1)];
        let square = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
        let hits = |touch| convex.pieces.iter().any(|piece| cores_meet(&square, piece, convex.radius, touch));
        meet |= hits(touch);
        if hits(Touch::Excluded) {
            gather.0.push([x, y]);
        }
    }
    meet.then_some(gather)
}

/// Whether two cores hit, given as the vertices of their hulls in order, with the sum `radius` of their radii.
#[must_use]
pub(crate) fn cores_meet(a: &[P], b: &[P], radius: i128, touch: Touch) -> bool {
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
