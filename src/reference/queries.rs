//! The definition of queries in code: tests each body of a world, at rest, one after the other, in 128-bit integers.
//!
//! Callers have checked the queries.

use super::seams::side;
use super::{
    Form, P, Piece, Placed, TICKS, add, come, convex_meet, cores_meet, dot, edges, first_tick, fix, hull, meet, pixel,
    segment_meets, square_distance, sub,
};
use crate::ground::touch::Touch;
use crate::ground::vec2::Vec2;
use crate::queries::{BodyHit, Nearest, NearestHit, PointQuery, RayCast, RayHit, RegionQuery};
use crate::world::World;
use crate::world::body::{Body, BodyId};

/// The function for each kind of query.
#[derive(Debug)]
pub struct Definition {
    pub(crate) point: fn(&World, &PointQuery, &[BodyId]) -> Vec<BodyId>,
    pub(crate) region: fn(&World, &RegionQuery, &[BodyId]) -> Vec<BodyId>,
    pub(crate) ray: fn(&World, &RayCast, &[BodyId]) -> Vec<RayHit>,
    pub(crate) nearest: fn(&World, &Nearest, &[BodyId]) -> Vec<NearestHit>,
    pub(crate) body: fn(&World, &Body, &[BodyId]) -> Vec<BodyHit>,
}

/// The only way to these functions: a program that does not name it has none of their code.
pub(crate) static DEFINITION: Definition = Definition { point, region, ray, nearest, body };

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

/// Returns the convex sets whose union is the body.
fn pieces(body: &Placed) -> Vec<Piece> {
    match &body.form {
        Form::Empty => Vec::new(),
        Form::Convex(pieces) => pieces.clone(),
        Form::Sprite(start, _) => start.pixels().map(Piece::square).collect(),
    }
}

fn point(world: &World, point: &PointQuery, except: &[BodyId]) -> Vec<BodyId> {
    let at = snapped(point.at);
    let holds = |body: &Placed| match &body.form {
        Form::Empty => false,
        Form::Convex(pieces) => {
            pieces.iter().any(|piece| cores_meet(&piece.core, &[at], piece.radius, Touch::Included))
        }
        Form::Sprite(start, _) => start.has(pixel(at)),
    };
    seen(world, point.mask, except).filter(|(_, body)| holds(body)).map(|(id, _)| id).collect()
}

fn region(world: &World, region: &RegionQuery, except: &[BodyId]) -> Vec<BodyId> {
    let ([x0, y0], [x1, y1]) = (snapped(region.min), snapped(region.max));
    let corners = vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]];
    let area = Piece { core: corners, ..Piece::square([0, 0]) };
    let hits = |body: &Placed| pieces(body).iter().any(|piece| convex_meet(piece, &area, [0, 0], world.touch()));
    seen(world, region.mask, except).filter(|(_, body)| hits(body)).map(|(id, _)| id).collect()
}

fn ray(world: &World, ray: &RayCast, except: &[BodyId]) -> Vec<RayHit> {
    let (from, to) = (snapped(ray.from), snapped(ray.to));
    let (way, thick) = (sub(to, from), fix(ray.radius));
    let tick = |body: &Placed| {
        let pieces = pieces(body);
        let by = |piece: &Piece, k: i128| {
            let (to, radius) = (add(from, come(way, k)), piece.radius + thick);
            if piece.is_segment && radius == 0 && world.touch() == Touch::Excluded {
                return crosses([from, to], &piece.core);
            }
            segment_meets(&hull([from, to].into_iter()), &piece.core, radius, world.touch())
        };
        // The first tick at which the ray meets one of the pieces, or the edge between the ends of a seam.
        let first = |pieces: &[&Piece], seam: Option<[P; 2]>| {
            let on = |k| seam.is_some_and(|seam| is_on(seam, from, add(from, come(way, k))));
            first_tick(0, TICKS, |k| on(k) || pieces.iter().any(|piece| by(piece, k)))
        };
        let seams = match &body.form {
            Form::Empty => return None,
            Form::Sprite(..) => return first(&pieces.iter().collect::<Vec<_>>(), None),
            Form::Convex(_) if thick == 0 && world.touch() == Touch::Excluded => true,
            Form::Convex(..) => false,
        };
        let alone = pieces.iter().filter_map(|piece| first(&[piece], None));
        // A ray that comes to a seam from the side is in a piece before that.
        let along = pieces.iter().filter(|_| seams).flat_map(|piece| {
            let on_line = piece.seams.iter().filter(|(ends, _)| side(*ends, from) == 0);
            on_line.filter_map(|(ends, other)| first(&[piece, &pieces[*other]], Some(*ends)))
        });
        alone.chain(along).min()
    };
    let met = seen(world, ray.mask, except).filter_map(|(id, body)| Some((id, tick(&body)?)));
    met.map(|(body, tick)| RayHit { body, tick: tick as u32 }).collect()
}

/// Returns whether a segment that begins on the line of a seam has a point between the seam's ends.
fn is_on([p, q]: [P; 2], from: P, to: P) -> bool {
    let along = |r: P| dot(sub(q, p), sub(r, p));
    let (start, end) = (along(from), if side([p, q], to) == 0 { along(to) } else { along(from) });
    start.max(end) > 0 && start.min(end) < along(q)
}

/// Returns whether a path leads from one side of a segment through it to the other.
fn crosses(path: [P; 2], segment: &[P]) -> bool {
    let &[p, q] = segment else { return false };
    let sides = |of: [P; 2], [a, b]: [P; 2]| side(of, a).signum() * side(of, b).signum();
    sides([p, q], path) < 0 && sides(path, [p, q]) <= 0
}

fn nearest(world: &World, nearest: &Nearest, except: &[BodyId]) -> Vec<NearestHit> {
    let at = snapped(nearest.at);
    let distance = |body: &Placed| {
        let outside = |Piece { core, radius, .. }: &Piece| {
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

fn body(world: &World, body: &Body, except: &[BodyId]) -> Vec<BodyHit> {
    let Some(a) = Placed::new(world, body) else { return Vec::new() };
    let met = seen(world, a.hits, except).filter(|(_, b)| a.sees(b));
    met.filter_map(|(id, b)| Some(BodyHit { body: id, detail: meet(&a, &b, world.touch())? })).collect()
}
