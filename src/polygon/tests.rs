use proptest::prelude::*;

use super::segment::{Segment, cross};
use super::*;
use crate::ground::lattice::SUBPIXELS;

fn ring(points: &[[i32; 2]]) -> Vec<Point> {
    points.iter().map(|&[x, y]| Point::new(x, y)).collect()
}

fn pieces(outline: &[[i32; 2]], holes: &[&[[i32; 2]]]) -> Result<Vec<Vec<Point>>> {
    check(&ring(outline), &holes.iter().map(|hole| ring(hole)).collect::<Vec<_>>())
}

/// Returns the error message for a polygon in whole units.
fn message(outline: &[[i32; 2]], holes: &[&[[i32; 2]]]) -> String {
    let units = |points: &[[i32; 2]]| ring(&points.iter().map(|p| p.map(|v| v * SUBPIXELS)).collect::<Vec<_>>());
    let holes: Vec<_> = holes.iter().map(|hole| units(hole)).collect();
    convex_pieces(&units(outline), &holes).unwrap_err().to_string()
}

const SQUARE: [[i32; 2]; 4] = [[0, 0], [8, 0], [8, 8], [0, 8]];

#[test]
fn a_convex_outline_is_one_piece_without_repeated_and_straight_points() {
    let square = vec![ring(&SQUARE)];
    assert_eq!(pieces(&SQUARE, &[]).unwrap(), square);
    assert_eq!(pieces(&[[8, 8], [8, 0], [0, 0], [0, 8]], &[]).unwrap(), square);
    let untidy = [[4, 0], [8, 0], [8, 0], [8, 3], [8, 5], [8, 8], [0, 8], [0, 8], [0, 0], [2, 0], [4, 0], [4, 0]];
    assert_eq!(pieces(&untidy, &[]).unwrap(), square);
}

#[test]
fn concave_outlines_take_few_pieces() {
    let count = |outline: &[[i32; 2]]| pieces(outline, &[]).unwrap().len();
    assert_eq!(count(&[[0, 0], [8, 0], [8, 2], [2, 2], [2, 8], [0, 8]]), 2, "an L");
    let comb = [[0, 0], [14, 0], [14, 9], [12, 9], [12, 2], [8, 2], [8, 9], [6, 9], [6, 2], [2, 2], [2, 9], [0, 9]];
    assert_eq!(count(&comb), 6, "a comb of three teeth: without straight angles four do not do");
    assert!(count(&[[0, 9], [2, 2], [9, 0], [2, -2], [0, -9], [-2, -2], [-9, 0], [-2, 2]]) <= 5, "a star");
    assert_eq!(count(&[[0, 0], [12, 3], [6, 5], [4, 14]]), 2, "a dart");
}

#[test]
fn holes_may_touch_at_points() {
    assert!(pieces(&SQUARE, &[&[[2, 2], [6, 2], [6, 6], [2, 6]]]).unwrap().len() <= 4 * 4);
    let a_vertex_on_an_edge: &[[i32; 2]] = &[[0, 4], [3, 2], [3, 6]];
    let a_vertex_on_a_vertex: &[[i32; 2]] = &[[8, 8], [6, 7], [7, 6]];
    let two_that_touch: &[&[[i32; 2]]] = &[&[[1, 1], [4, 4], [1, 4]], &[[4, 4], [7, 5], [5, 7]]];
    pieces(&SQUARE, &[a_vertex_on_an_edge, a_vertex_on_a_vertex]).unwrap();
    pieces(&SQUARE, two_that_touch).unwrap();
    let diamond: &[[i32; 2]] = &[[4, 0], [8, 4], [4, 8], [0, 4]];
    assert_eq!(pieces(&SQUARE, &[diamond]).unwrap().len(), 4, "cuts the inside into the four corners");
}

#[test]
fn crossing_edges_are_named_as_they_were_given() {
    assert_eq!(
        message(&[[0, 0], [4, 4], [4, 0], [0, 4]], &[]),
        "edge 0 of the outline, from (0, 0) to (4, 4), and edge 2 of the outline, from (4, 0) to (0, 4), \
         cross or overlap, near (2, 2)"
    );
    // Repeated and straight points count in the index of an edge.
    let message_of_long = message(&[[0, 0], [0, 0], [1, 1], [3, 3], [3, 3], [4, 4], [4, 0], [0, 4]], &[]);
    assert!(
        message_of_long.starts_with("edge 2 of the outline, from (1, 1) to (3, 3), and edge 6"),
        "{message_of_long}"
    );
    let hole: &[[i32; 2]] = &[[4, 4], [5, 4], [10, 5]];
    assert_eq!(
        message(&SQUARE, &[&[[1, 1], [2, 1], [1, 2]], hole]),
        "edge 1 of the outline, from (8, 0) to (8, 8), and edge 1 of hole 1, from (5, 4) to (10, 5), \
         cross or overlap, near (8, 4.6015625)"
    );
    let pentagram = message(&[[0, -9], [5, 7], [-8, -3], [8, -3], [-5, 7]], &[]);
    assert!(pentagram.starts_with("edge 0 of the outline, from (0, -9) to (5, 7), and edge 2"), "{pentagram}");
}

#[test]
fn an_outline_may_touch_itself_at_points() {
    let areas = |outline: &[[i32; 2]], holes: &[&[[i32; 2]]]| {
        let mut areas: Vec<i128> = pieces(outline, holes).unwrap().iter().map(|piece| area(piece)).collect();
        areas.sort_unstable();
        areas
    };
    let hourglass = [[0, 0], [8, 0], [4, 4], [8, 8], [0, 8], [4, 4]];
    assert_eq!(areas(&hourglass, &[]), [32, 32]);
    let vertex_on_edge = [[0, 0], [8, 0], [8, 8], [4, 0], [0, 8]];
    assert_eq!(areas(&vertex_on_edge, &[]), [32, 32]);
    // A hole that is part of the outline: it begins and ends at the corner (0, 0), and winds the other way.
    let pinched = [[0, 0], [8, 0], [8, 8], [0, 8], [0, 0], [2, 4], [4, 2]];
    assert_eq!(areas(&pinched, &[]).iter().sum::<i128>(), 2 * 64 - 12);
    // Three petals on one point, and a hole that touches it as well.
    let petals = [[0, 0], [6, -3], [6, 3], [0, 0], [-3, 6], [-6, 3], [0, 0], [-6, -3], [-3, -6]];
    assert_eq!(areas(&petals, &[]), [27, 27, 36]);
    assert_eq!(areas(&petals, &[&[[0, 0], [5, -1], [5, 1]]]).iter().sum::<i128>(), 90 - 10);
    // A hole that touches itself leaves an island.
    let square = [[-1, -1], [9, -1], [9, 9], [-1, 9]];
    assert_eq!(areas(&square, &[&pinched]).iter().sum::<i128>(), 2 * 100 - (2 * 64 - 12));
}

#[test]
fn an_outline_may_touch_itself_at_one_point_a_thousand_times() {
    const PETALS: i32 = 1000;
    let at = |halves: i32| {
        let angle = f64::from(halves) * std::f64::consts::PI / f64::from(PETALS);
        Point::new((angle.cos() * 1e8).round() as i32, (angle.sin() * 1e8).round() as i32)
    };
    let outline: Vec<Point> = (0..PETALS).flat_map(|k| [Point::ZERO, at(2 * k), at(2 * k + 1)]).collect();
    let pieces = convex_pieces(&outline, &[]).unwrap();
    assert_eq!(pieces.len(), PETALS as usize);
    assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), area(&outline));
}

#[test]
fn a_ring_may_not_cross_or_overlap_itself() {
    let refused = |outline: &[[i32; 2]]| message(outline, &[]).contains("cross or overlap");
    assert_eq!(
        message(&[[0, 0], [4, 4], [8, 7], [8, 0], [4, 4], [1, 8]], &[]),
        "edge 1 of the outline, from (4, 4) to (8, 7), and edge 4 of the outline, from (4, 4) to (1, 8), \
         cross or overlap, near (4, 4)"
    );
    // A hole that is part of the outline, but winds as the outline does.
    assert!(refused(&[[0, 0], [8, 0], [8, 8], [0, 8], [0, 0], [4, 2], [2, 4]]), "winds twice");
    assert!(refused(&[[0, 0], [8, 0], [8, 8], [6, 8], [6, 0], [3, 0], [3, 8], [0, 8]]), "edge along edge");
    let spike = message(&[[0, 0], [4, 0], [4, 4], [9, 4], [4, 4], [0, 4]], &[]);
    assert!(spike.starts_with("edge 2 of the outline, from (4, 4) to (9, 4), and edge 3"), "{spike}");
    assert!(spike.ends_with("near (9, 4)"), "{spike}");
    let hole: &[[i32; 2]] = &[[1, 1], [4, 4], [6, 5], [6, 1], [4, 4], [1, 6]];
    let crossed = message(&SQUARE, &[hole]);
    assert!(crossed.starts_with("edge 1 of hole 0,") && crossed.ends_with("near (4, 4)"), "{crossed}");
}

#[test]
fn what_has_no_area_is_refused() {
    for outline in [&[[1, 1], [1, 1], [1, 1]][..], &[[0, 0], [4, 2], [2, 1], [6, 3]]] {
        assert_eq!(message(outline, &[]), "the outline has no area");
    }
    for (outline, few) in [(&[][..], "0 points"), (&[[1, 1]], "1 point"), (&[[0, 0], [5, 5]], "2 points")] {
        assert_eq!(message(outline, &[]), format!("the outline of {few} has no area"));
    }
    let holes: [&[[i32; 2]]; 2] = [&[[1, 1], [2, 1], [1, 2]], &[[5, 5], [6, 6]]];
    assert_eq!(message(&SQUARE, &holes), "hole 1 of 2 points has no area");
}

#[test]
fn holes_that_are_no_holes_are_refused() {
    let outside: &[[i32; 2]] = &[[9, 1], [12, 1], [12, 4]];
    let around: &[[i32; 2]] = &[[-1, -1], [20, -1], [-1, 20]];
    let outside_at_a_vertex: &[[i32; 2]] = &[[8, 8], [12, 9], [9, 12]];
    for hole in [outside, around, outside_at_a_vertex] {
        assert_eq!(message(&SQUARE, &[hole]), "hole 0 does not lie within the outline");
    }
    // Through the notch's vertices and across the outside, without crossing an edge.
    let notched = [[0, 0], [8, 0], [8, 8], [6, 8], [4, 4], [2, 8], [0, 8]];
    assert_eq!(message(&notched, &[&[[2, 8], [4, 2], [6, 8]]]), "hole 0 does not lie within the outline");
    let big: &[[i32; 2]] = &[[1, 1], [7, 1], [7, 7], [1, 7]];
    assert_eq!(message(&SQUARE, &[big, &[[2, 2], [3, 2], [2, 3]]]), "hole 1 overlaps hole 0");
    assert_eq!(message(&SQUARE, &[big, &[[1, 1], [3, 2], [2, 3]]]), "hole 1 overlaps hole 0");
    assert!(message(&SQUARE, &[big, big]).contains("cross or overlap"));
    assert!(message(&SQUARE, &[&SQUARE]).contains("cross or overlap"));
}

#[test]
fn the_largest_coordinates_and_too_many_points_do_no_harm() {
    let (lo, hi) = (i32::MIN, i32::MAX);
    let arrow = [[lo, lo], [hi, lo], [hi, hi], [0, 1], [lo, hi]].map(|[x, y]| Point::new(x, y));
    let pieces = convex_pieces(&arrow, &[ring(&[[lo, lo], [1, 0], [0, 0]])]).unwrap();
    assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), area(&arrow) - (1 << 31));
    assert!(
        convex_pieces(&[Point::new(lo, lo), Point::new(hi, hi), Point::new(hi, lo), Point::new(lo, hi)], &[]).is_err()
    );
    let too_many = "at most 65536 points";
    let [most, more] = [0, 1].map(|k| convex_pieces(&vec![Point::ZERO; MAX_POINTS + k], &[]).unwrap_err().to_string());
    assert!(more.contains(too_many) && more.contains("65537"), "{more}");
    assert!(!most.contains(too_many), "{most}");
}

/// Twice the area; positive for positive winding.
fn area(ring: &[Point]) -> i128 {
    (0..ring.len()).map(|i| cross(Point::ZERO, ring[i], ring[(i + 1) % ring.len()])).sum()
}

fn segments(ring: &[Point]) -> Vec<Segment> {
    (0..ring.len()).map(|i| [ring[i], ring[(i + 1) % ring.len()]]).filter(|[a, b]| a != b).collect()
}

fn holds([a, b]: Segment, p: Point) -> bool {
    cross(a, b, p) == 0 && (a.x.min(b.x)..=a.x.max(b.x)).contains(&p.x) && (a.y.min(b.y)..=a.y.max(b.y)).contains(&p.y)
}

/// Returns whether a ring contains a point, by the even-odd rule; `None` on the boundary.
fn within(ring: &[Point], p: Point) -> Option<bool> {
    let segments = segments(ring);
    let crossed = |&[a, b]: &Segment| (a.y > p.y) != (b.y > p.y) && (cross(a, b, p) > 0) == (a.y < b.y);
    let on = segments.iter().any(|&segment| holds(segment, p));
    (!on).then(|| segments.iter().filter(|segment| crossed(segment)).count() % 2 == 1)
}

fn doubled(ring: &[Point]) -> Vec<Point> {
    ring.iter().map(|&p| p + p).collect()
}

/// Returns whether two passes of a ring through a point cross there: the angles of the one lie on both sides of the
/// other's.
fn crosses_itself(ring: &[Point], at: Point) -> bool {
    let n = ring.len();
    let angle = |p: Point| f64::from(p.y - at.y).atan2(f64::from(p.x - at.x));
    let vertices = (0..n).filter(|&i| ring[i] == at).map(|i| [ring[(i + n - 1) % n], ring[(i + 1) % n]]);
    let edges = (0..n).map(|i| [ring[i], ring[(i + 1) % n]]).filter(|&edge| holds(edge, at) && !edge.contains(&at));
    let passes: Vec<[f64; 2]> = vertices.chain(edges).map(|pass| pass.map(angle)).collect();
    let between = |[a, b]: [f64; 2], c: f64| (a.min(b)..a.max(b)).contains(&c);
    let cross = |p: [f64; 2], q: [f64; 2]| between(p, q[0]) != between(p, q[1]);
    passes.iter().enumerate().any(|(i, &p)| passes[..i].iter().any(|&q| cross(p, q)))
}

/// The oracle: checks the rules pair by pair, for small coordinates.
fn is_polygon(outline: &[Point], holes: &[Vec<Point>]) -> bool {
    let rings: Vec<&[Point]> = std::iter::once(outline).chain(holes.iter().map(Vec::as_slice)).collect();
    let crosses =
        |[a, b]: Segment, [c, d]: Segment| cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0;
    let shared = |s: Segment, t: Segment| {
        let mut points: Vec<Point> =
            s.into_iter().filter(|&p| holds(t, p)).chain(t.into_iter().filter(|&p| holds(s, p))).collect();
        points.sort_unstable();
        points.dedup();
        points
    };
    for ring in &rings {
        let edges = segments(ring);
        if edges.len() < 3 || (0..ring.len()).all(|i| cross(edges[0][0], edges[0][1], ring[i]) == 0) {
            return false;
        }
        for i in 0..edges.len() {
            for j in 0..i {
                if crosses(edges[i], edges[j]) || shared(edges[i], edges[j]).len() > 1 {
                    return false;
                }
            }
        }
        let corners: Vec<Point> = edges.iter().map(|edge| edge[0]).collect();
        if corners.iter().any(|&at| crosses_itself(&corners, at)) {
            return false;
        }
    }
    // The middle of each part of a ring between its touches with another, in doubled coordinates.
    let middles = |of: &[Point], with: &[Point]| {
        let mut middles = Vec::new();
        for s in segments(of) {
            let mut cuts: Vec<Point> = segments(with).into_iter().flat_map(|t| shared(s, t)).chain(s).collect();
            cuts.sort_unstable();
            cuts.dedup();
            middles.extend(cuts.windows(2).map(|pair| pair[0] + pair[1]));
        }
        middles
    };
    for (i, a) in rings.iter().enumerate() {
        for b in &rings[..i] {
            let bad = |s: &Segment| segments(b).into_iter().any(|t| crosses(*s, t) || shared(*s, t).len() > 1);
            if segments(a).iter().any(bad) {
                return false;
            }
        }
        let all = |of: &[Point], with: &[Point], is| {
            middles(of, with).into_iter().all(|p| within(&doubled(with), p) == Some(is))
        };
        if i > 0 && !(all(a, outline, true) && rings[1..i].iter().all(|b| all(a, b, false) && all(b, a, false))) {
            return false;
        }
    }
    true
}

/// Compares with the oracle and validates the pieces, for small coordinates.
fn check(outline: &[Point], holes: &[Vec<Point>]) -> Result<Vec<Vec<Point>>> {
    let answer = convex_pieces(outline, holes);
    assert_eq!(answer.is_ok(), is_polygon(outline, holes), "{outline:?} {holes:?} {answer:?}");
    let pieces = match answer {
        Ok(pieces) => pieces,
        Err(error) => {
            let flat = outline.iter().all(|&p| outline.iter().all(|&q| cross(outline[0], p, q) == 0));
            assert_eq!(flat, matches!(&error, Error::NoArea { what } if what.starts_with("the outline")));
            assert!(flat || !holes.is_empty() || matches!(error, Error::Crossing { .. }), "{outline:?} {error:?}");
            return Err(error);
        }
    };
    let given: Vec<Point> = outline.iter().chain(holes.iter().flatten()).copied().collect();
    for piece in &pieces {
        assert!(piece.len() >= 3 && piece.iter().all(|p| given.contains(p)));
        assert_eq!(piece.iter().min(), piece.first());
        for [a, b] in segments(piece) {
            assert!(piece.iter().all(|&p| p == a || p == b || cross(a, b, p) > 0), "strictly convex: {piece:?}");
        }
    }
    assert!(pieces.is_sorted());
    let whole = area(outline).abs() - holes.iter().map(|hole| area(hole).abs()).sum::<i128>();
    assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), whole, "{outline:?} {holes:?}");
    covers(outline, holes, &pieces);

    let turned = |ring: &[Point]| ring[1..].iter().chain(&ring[..1]).rev().copied().collect::<Vec<_>>();
    let same = convex_pieces(&turned(outline), &holes.iter().map(|hole| turned(hole)).collect::<Vec<_>>()).unwrap();
    assert_eq!(same.iter().map(|piece| area(piece)).sum::<i128>(), whole, "begun elsewhere and wound the other way");
    assert_eq!(convex_pieces(outline, holes).unwrap(), pieces, "the same each time");
    Ok(pieces)
}

/// Checks that no point of the half lattice is inside two pieces, and that a point is inside a piece exactly if it is
/// inside the polygon.
fn covers(outline: &[Point], holes: &[Vec<Point>], pieces: &[Vec<Point>]) {
    let [outline, holes, pieces] = [&[outline.to_vec()], holes, pieces]
        .map(|rings: &[Vec<Point>]| rings.iter().map(|ring| doubled(ring)).collect::<Vec<_>>());
    let bounds = |of: fn(&Point) -> i32| {
        let values = || outline[0].iter().map(of);
        values().min().unwrap()..=values().max().unwrap()
    };
    for (x, y) in bounds(|p| p.x).flat_map(|x| bounds(|p| p.y).map(move |y| (x, y))) {
        let p = Point::new(x, y);
        let inside = within(&outline[0], p) == Some(true) && holes.iter().all(|hole| within(hole, p) == Some(false));
        let of_pieces: Vec<_> = pieces.iter().map(|piece| within(piece, p)).collect();
        let count = of_pieces.iter().filter(|&&w| w == Some(true)).count();
        let on_the_seams = count == 0 && of_pieces.contains(&None);
        assert!(count == usize::from(inside) || (inside && on_the_seams), "{p:?} in {count} of {pieces:?}");
    }
}

/// Returns every sequence of `count` points of the grid `0..side` by `0..side`.
fn every(side: i32, count: u32) -> impl Iterator<Item = Vec<Point>> {
    let cells = side * side;
    (0..cells.pow(count)).map(move |code| {
        let cell = |k| code / cells.pow(k) % cells;
        (0..count).map(|k| Point::new(cell(k) % side, cell(k) / side)).collect()
    })
}

#[test]
fn every_outline_of_few_points_is_judged_as_by_the_oracle() {
    let simple = |count| every(3, count).filter(|outline| check(outline, &[]).is_ok()).count();
    assert_eq!([3, 4, 5].map(simple), [456, 2_960, 13_440]);
}

#[test]
fn every_triangular_hole_is_judged_as_by_the_oracle() {
    let notched = ring(&[[0, 0], [4, 0], [4, 4], [3, 4], [2, 2], [1, 4], [0, 4]]);
    let allowed = every(5, 3).filter(|hole| check(&notched, std::slice::from_ref(hole)).is_ok()).count();
    assert_eq!(allowed, 3_360);
}

fn point(range: std::ops::Range<i32>) -> impl Strategy<Value = Point> {
    (range.clone(), range).prop_map(|(x, y)| Point::new(x, y))
}

fn points(range: std::ops::Range<i32>, count: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Point>> {
    prop::collection::vec(point(range), count)
}

/// Sorts points by angle around the origin, and keeps the first of equal angle. The ring is simple unless it leaves out
/// half a turn.
fn around(mut points: Vec<Point>) -> Vec<Point> {
    let half = |p: Point| (p.y, p.x) < (0, 0);
    let by_angle = |p: &Point, q: &Point| half(*p).cmp(&half(*q)).then(0.cmp(&cross(Point::ZERO, *p, *q)));
    points.retain(|&p| p != Point::ZERO);
    points.sort_by(by_angle);
    points.dedup_by(|p, q| by_angle(p, q).is_eq());
    points
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn random_rings(outline in points(0..6, 3..9)) {
        let _ = check(&outline, &[]);
    }

    #[test]
    fn stars(outline in points(-9..10, 3..40)) {
        let _ = check(&around(outline), &[]);
    }

    #[test]
    fn stars_with_holes(outline in points(-9..10, 3..30), holes in prop::collection::vec((point(-5..6), points(-3..4, 3..6)), 1..4)) {
        let hole = |(at, points): (Point, Vec<Point>)| around(points).into_iter().map(|p| p + at).collect();
        let mut outline = around(outline);
        outline.extend([[-9, -10], [10, -10], [10, 10], [-10, 10]].map(|[x, y]| Point::new(x, y)));
        let _ = check(&around(outline), &holes.into_iter().map(hole).collect::<Vec<_>>());
    }

    #[test]
    fn holes_in_a_square(holes in prop::collection::vec(points(0..9, 3..5), 1..4)) {
        let _ = check(&ring(&SQUARE), &holes);
    }

    #[test]
    fn large_stars(outline in points(-(1 << 30)..(1 << 30), 8..200)) {
        let outline = around(outline);
        if let Ok(pieces) = convex_pieces(&outline, &[]) {
            prop_assert_eq!(pieces.iter().map(|piece| area(piece)).sum::<i128>(), area(&outline));
            let turns = |piece: &Vec<Point>| (0..piece.len()).all(|i| cross(piece[i], piece[(i + 1) % piece.len()], piece[(i + 2) % piece.len()]) > 0);
            prop_assert!(pieces.iter().all(turns));
        }
    }
}
