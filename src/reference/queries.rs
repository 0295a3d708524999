//! The definition of queries in code: tests each body of a world, at rest, one after the other, in 128-bit integers.
//!
//! Callers have checked the queries.

use std::collections::BTreeSet;

use super::{
    Form, P, Placed, TICKS, add, come, cores_meet, cross, dot, edges, first_tick, fix, hull, lands, meet, pixel,
    separated, square, square_distance, sub,
};
use crate::ground::lattice::Point;
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::queries::{BodyHit, Nearest, NearestHit, PointQuery, RayCast, RayHit, RegionQuery};
use crate::world::World;
use crate::world::body::{Body, BodyId};
use crate::world::pieces::Node;
use crate::world::shape::{Geometry, Shape};

/// Returns the bodies of a world on one of the layers `hits`, at rest, without those in `except`.
fn seen(world: &World, hits: u32, except: &[BodyId]) -> impl Iterator<Item = (BodyId, Placed)> {
    let resting = |id| Some((id, Body { motion: Vec2::default(), ..world.body(id)? }));
    let seen = world
        .ids()
        .filter(|id| !except.contains(id))
        .filter_map(resting)
        .filter(move |(_, body): &(BodyId, Body)| body.layers & hits != 0);
    seen.filter_map(|(id, body)| Some((id, Placed::new(world, &body)?)))
}

fn snapped(at: Vec2) -> P {
    [at.x, at.y].map(fix)
}

/// Returns the convex sets whose union is the body: the vertices of the hull of each, in order, and its radius.
fn pieces(body: &Placed) -> Vec<(Vec<P>, i128)> {
    match &body.form {
        Form::Empty => Vec::new(),
        Form::Convex(cores) => cores.clone(),
        Form::Sprite(start, _) => start.pixels().map(|pixel| (square(pixel), 0)).collect(),
    }
}

pub(crate) fn point(world: &World, point: &PointQuery, except: &[BodyId]) -> Vec<BodyId> {
    let at = snapped(point.at);
    let holds = |body: &Placed| match &body.form {
        Form::Empty => false,
        Form::Convex(cores) => cores.iter().any(|(core, radius)| cores_meet(core, &[at], *radius, Touch::Included)),
        Form::Sprite(start, _) => start.has(pixel(at)),
    };
    seen(world, point.mask, except).filter(|(_, body)| holds(body)).map(|(id, _)| id).collect()
}

pub(crate) fn region(world: &World, region: &RegionQuery, except: &[BodyId]) -> Vec<BodyId> {
    let ([x0, y0], [x1, y1]) = (snapped(region.min), snapped(region.max));
    let corners = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let hits =
        |body: &Placed| pieces(body).iter().any(|(core, radius)| cores_meet(&corners, core, *radius, world.touch()));
    seen(world, region.mask, except).filter(|(_, body)| hits(body)).map(|(id, _)| id).collect()
}

pub(crate) fn ray(world: &World, ray: &RayCast, except: &[BodyId]) -> Vec<RayHit> {
    let (from, to) = (snapped(ray.from), snapped(ray.to));
    let (way, thick) = (sub(to, from), fix(ray.radius));
    let tick = |id: BodyId, body: &Placed| {
        let pieces = pieces(body);
        let by = |(core, radius): &(Vec<P>, i128), k: i128| {
            let segment = hull([from, add(from, come(way, k))].into_iter());
            segment_meets(&segment, core, radius + thick, world.touch())
        };
        // The first tick at which the ray meets one of the pieces, or the edge between the ends of a seam.
        let first = |pieces: &[(Vec<P>, i128)], seam: Option<[P; 2]>| {
            let on = |k| seam.is_some_and(|seam| is_on(seam, from, add(from, come(way, k))));
            first_tick(0, TICKS, |k| on(k) || pieces.iter().any(|piece| by(piece, k)))
        };
        let seams = match &body.form {
            Form::Empty => return None,
            Form::Sprite(..) => return first(&pieces, None),
            Form::Convex(_) if thick == 0 && world.touch() == Touch::Excluded => seams(world, id),
            Form::Convex(..) => Vec::new(),
        };
        let alone = pieces.chunks(1).filter_map(|piece| first(piece, None));
        // A ray that comes to a seam from the side is in a piece before that.
        let along = seams.iter().filter(|seam| side(seam.ends, from) == 0);
        alone.chain(along.filter_map(|seam| first(&seam.pieces, Some(seam.ends)))).min()
    };
    let met = seen(world, ray.mask, except).filter_map(|(id, body)| Some((id, tick(id, &body)?)));
    met.map(|(body, tick)| RayHit { body, tick: tick as u32 }).collect()
}

/// An edge that two pieces of a polygon share and on both sides of which they land: points between its ends are in the
/// interior of the polygon, but not in that of either piece.
struct Seam {
    ends: [P; 2],
    /// The pieces, each with its radius, 0.
    pieces: [(Vec<P>, i128); 2],
}

/// Returns the seams of a body.
fn seams(world: &World, id: BodyId) -> Vec<Seam> {
    let Some(body) = world.body(id) else { return Vec::new() };
    let Some(shape @ Shape { geometry: Geometry::Convex { pieces, nodes, members, .. }, .. }) = world.shape(body.shape)
    else {
        return Vec::new();
    };
    let at = [body.at.x, body.at.y].map(fix);
    let lands = |p: Point| lands(shape, body.linear, at, p);
    let edges = |piece: &Vec<Point>| -> BTreeSet<[Point; 2]> {
        (0..piece.len()).map(|k| [piece[k], piece[(k + 1) % piece.len()]]).collect()
    };
    // There are no seams between parts. Those of a single polygon are all of one part.
    let parts = nodes.iter().filter_map(Node::part).chain(std::iter::repeat(0));
    let with_edges: Vec<_> = pieces.iter().zip(parts).map(|(piece, part)| (piece, part, edges(piece))).collect();
    let mut seams = Vec::new();
    for (k, (piece, part, edges)) in with_edges.iter().enumerate() {
        if members.get(*part as usize).is_some_and(|member| member.radius > 0) {
            continue;
        }
        for (other, _, other_edges) in with_edges[k + 1..].iter().filter(|(_, other, _)| other == part) {
            for &[p, q] in other_edges.iter().filter(|[p, q]| edges.contains(&[*q, *p])) {
                let ends = [p, q].map(lands);
                let sides = || piece.iter().chain(*other).map(|&p| side(ends, lands(p)));
                if sides().any(|side| side < 0) && sides().any(|side| side > 0) {
                    let pieces = [piece, other].map(|piece| (hull(piece.iter().map(|&p| lands(p))), 0));
                    seams.push(Seam { ends, pieces });
                }
            }
        }
    }
    seams
}

/// Returns the side of the line through two points on which another lies; only the sign matters.
fn side([p, q]: [P; 2], r: P) -> i128 {
    cross(sub(q, p), sub(r, p))
}

/// Returns whether a segment that begins on the line of a seam has a point between the seam's ends.
fn is_on([p, q]: [P; 2], from: P, to: P) -> bool {
    let along = |r: P| dot(sub(q, p), sub(r, p));
    let (start, end) = (along(from), if side([p, q], to) == 0 { along(to) } else { along(from) });
    start.max(end) > 0 && start.min(end) < along(q)
}

/// Returns whether some point of a segment lies in the interior of a convex set, or in the set itself if touch counts.
fn segment_meets(segment: &[P], part: &[P], radius: i128, touch: Touch) -> bool {
    if radius > 0 || touch == Touch::Included {
        return cores_meet(segment, part, radius, touch);
    }
    // A point has no edge that could separate it from anything.
    part.len() > 2 && !separated(part, segment) && (segment.len() == 1 || !separated(segment, part))
}

pub(crate) fn nearest(world: &World, nearest: &Nearest, except: &[BodyId]) -> Vec<NearestHit> {
    let at = snapped(nearest.at);
    let distance = |body: &Placed| {
        let outside = |(core, radius): &(Vec<P>, i128)| {
            if cores_meet(core, &[at], *radius, Touch::Included) {
                return 0.0;
            }
            let steps = edges(core).map(|(p, q)| root(square_distance(at, p, q))).fold(f64::INFINITY, f64::min);
            (steps - *radius as f64).max(0.0) / 256.0
        };
        pieces(body).iter().map(outside).reduce(f64::min)
    };
    let all = seen(world, nearest.mask, except)
        .filter_map(|(body, placed)| Some(NearestHit { body, distance: distance(&placed)? }));
    let mut all: Vec<_> = all.filter(|hit| hit.distance <= nearest.within).collect();
    // A stable sort: at equal distances the lower index stays first.
    all.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    all.truncate(nearest.count);
    all
}

/// Returns the square root of a fraction. Whole and fractional part are converted separately, so that equal fractions
/// have equal roots however they are written.
fn root([square, scale]: [i128; 2]) -> f64 {
    ((square / scale) as f64 + (square % scale) as f64 / scale as f64).sqrt()
}

pub(crate) fn body(world: &World, body: &Body, except: &[BodyId]) -> Vec<BodyHit> {
    let Some(a) = Placed::new(world, body) else { return Vec::new() };
    let met = seen(world, a.hits, except).filter(|(_, b)| a.sees(b));
    met.filter_map(|(id, b)| Some(BodyHit { body: id, detail: meet(&a, &b, world.touch())? })).collect()
}
