//! Any rings as a polygon: an error, or convex pieces with the polygon's area, all of whose vertices are given ones.

use hitmask::geometry::Point;
use hitmask::{Body, Shape, World};

use crate::bytes::Bytes;

/// Returns twice the area within a ring, positive for either winding.
fn area(ring: &[Point]) -> i128 {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(p, q)| i128::from(p.x) * i128::from(q.y) - i128::from(q.x) * i128::from(p.y))
        .sum::<i128>()
        .abs()
}

/// Reads a ring in lattice steps: on a coarse grid, so that edges meet and overlap, or anywhere.
fn ring(bytes: &mut Bytes<'_>) -> Vec<Point> {
    let (count, coarse) = (bytes.below(24), bytes.byte().is_multiple_of(2));
    let mut v = || if coarse { i32::from(bytes.byte() % 16) * 128 } else { i32::from(bytes.short()) };
    (0..count).map(|_| Point::new(v(), v())).collect()
}

/// Checks one input.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let holes = bytes.below(4);
    let rings: Vec<Vec<Point>> = (0..=holes).map(|_| ring(&mut bytes)).collect();
    let units = |ring: &Vec<Point>| ring.iter().map(|p| [p.x, p.y].map(|v| f64::from(v) / 256.0)).collect::<Vec<_>>();
    let in_units: Vec<_> = rings.iter().map(units).collect();
    let Ok(shape) = Shape::polygon_with_holes(&in_units[0], &in_units[1..]) else { return };
    let mut world = World::default();
    let Ok(shape) = world.add_shape(shape) else { return };
    let Ok(body) = world.add(&Body::new(shape, [0, 0])) else { return };
    let landed = world.landed(body).expect("a polygon lands");
    let mut pieces_area = 0;
    for piece in landed.iter().map(|piece| &piece.vertices) {
        assert!(piece.iter().all(|vertex| rings.iter().flatten().any(|given| given == vertex)), "a new vertex");
        for k in 0..piece.len() {
            let [a, b, c] = [0, 1, 2].map(|i| piece[(k + i) % piece.len()]);
            let [ux, uy, vx, vy] = [b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y].map(i128::from);
            assert!(ux * vy - uy * vx > 0, "a piece is not strictly convex: {piece:?}");
        }
        pieces_area += area(piece);
    }
    let holes_area = rings[1..].iter().map(|ring| area(ring)).sum::<i128>();
    assert_eq!(pieces_area, area(&rings[0]) - holes_area, "pieces cover another area");
}
