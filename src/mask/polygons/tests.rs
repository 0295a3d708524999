use proptest::prelude::*;

use super::super::samples::{any_masks, full, largest};
use super::*;
use crate::world::shape::Shape;

type Ring = Vec<[i32; 2]>;

fn rings(polygon: &Polygon) -> impl Iterator<Item = &Ring> {
    std::iter::once(&polygon.outline).chain(&polygon.holes)
}

fn all_rings(polygons: &[Polygon]) -> Vec<&Ring> {
    polygons.iter().flat_map(rings).collect()
}

fn edges(ring: &Ring) -> impl Iterator<Item = [[i32; 2]; 2]> {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1)).map(|(a, b)| [a, b])
}

/// Positive for a clockwise turn on a y-down screen.
fn turn([ax, ay]: [i32; 2], [bx, by]: [i32; 2], [cx, cy]: [i32; 2]) -> i32 {
    (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
}

/// Twice the area that a ring encloses; positive if it winds clockwise.
fn twice_the_area(ring: &Ring) -> i32 {
    edges(ring).map(|[[x, y], [u, v]]| x * v - u * y).sum()
}

/// Returns whether an odd number of edges is left of a point, in half units, that lies on no edge.
fn holds<'a>(rings: impl Iterator<Item = &'a Ring>, point: [i32; 2]) -> bool {
    let left = |[a, b]: [[i32; 2]; 2]| {
        let [a, b] = [a, b].map(|p| p.map(|v| 2 * v));
        let [top, bottom] = if a[1] < b[1] { [a, b] } else { [b, a] };
        top[1] <= point[1] && point[1] < bottom[1] && turn(top, bottom, point) < 0
    };
    rings.flat_map(edges).filter(|&edge| left(edge)).count() % 2 == 1
}

fn check_exact(mask: &Mask) {
    let polygons = mask.polygons();
    let parts = mask.components(Neighbours::Four);
    assert_eq!(polygons.len(), parts.len());
    for (polygon, part) in polygons.iter().zip(parts.iter()) {
        let mut inside = Vec::new();
        let [left, top, width, height] = part.bounds();
        for (y, x) in (top..top + height).flat_map(|y| (left..left + width).map(move |x| (y, x))) {
            if holds(rings(polygon), [x, y].map(|v| 2 * v as i32 + 1)) {
                inside.push([x, y]);
            }
        }
        let texels: Vec<_> = part.runs().flat_map(|(y, columns)| columns.map(move |x| [x, y])).collect();
        assert!(inside == texels, "{mask:?}: {polygon:?} holds {inside:?}");
        assert_eq!(rings(polygon).map(twice_the_area).sum::<i32>(), 2 * texels.len() as i32);
        for ring in rings(polygon) {
            let corners = ring.iter().zip(ring.iter().cycle().skip(1)).zip(ring.iter().cycle().skip(2));
            for ((a, b), c) in corners {
                assert!(a != b && (a[0] == b[0]) != (b[0] == c[0]) && (a[1] == b[1]) != (b[1] == c[1]), "{ring:?}");
            }
        }
        assert_eq!(polygon.outline[0], [texels[0][0], texels[0][1]].map(|v| v as i32));
    }
    check_form(&polygons);
}

/// Checks the properties that exact polygons and simplified ones share.
fn check_form(polygons: &[Polygon]) {
    for polygon in polygons {
        assert!(twice_the_area(&polygon.outline) > 0, "{polygon:?}");
        assert!(polygon.holes.iter().all(|hole| twice_the_area(hole) < 0), "{polygon:?}");
        assert!(rings(polygon).all(|ring| ring.iter().min_by_key(|p| [p[1], p[0]]) == ring.first()), "{polygon:?}");
        Shape::polygon_with_holes(&polygon.outline, &polygon.holes).unwrap_or_else(|e| panic!("{e}: {polygon:?}"));
    }
}

/// Returns the distance of a point from an edge.
fn distance([x, y]: [f64; 2], edge: [[i32; 2]; 2]) -> f64 {
    let [a, b] = edge.map(|p| p.map(f64::from));
    let [ux, uy] = [b[0] - a[0], b[1] - a[1]];
    let along = (((x - a[0]) * ux + (y - a[1]) * uy) / (ux * ux + uy * uy)).clamp(0.0, 1.0);
    (x - a[0] - along * ux).hypot(y - a[1] - along * uy)
}

/// Returns how far a ring strays from another one, at its corners and at points at most a quarter of a unit apart.
fn farthest(ring: &Ring, from: &Ring) -> f64 {
    let mut farthest = 0.0_f64;
    for [a, b] in edges(ring) {
        let parts = 4 * (a[0] - b[0]).abs().max((a[1] - b[1]).abs());
        for k in 0..parts {
            let part = f64::from(k) / f64::from(parts);
            let point = [0, 1].map(|axis| f64::from(a[axis]) + part * f64::from(b[axis] - a[axis]));
            farthest = farthest.max(edges(from).map(|edge| distance(point, edge)).fold(f64::INFINITY, f64::min));
        }
    }
    farthest
}

/// Returns whether two edges have a point in common besides a common end.
fn meet([a, b]: [[i32; 2]; 2], [c, d]: [[i32; 2]; 2]) -> bool {
    let sides = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)].map(i32::signum);
    let within = |p: [i32; 2], [a, b]: [[i32; 2]; 2]| {
        (0..2).all(|k| (a[k].min(b[k])..=a[k].max(b[k])).contains(&p[k])) && p != a && p != b
    };
    let ends = [(sides[0], c, [a, b]), (sides[1], d, [a, b]), (sides[2], a, [c, d]), (sides[3], b, [c, d])];
    let touches = ends.into_iter().any(|(side, end, edge)| side == 0 && within(end, edge));
    let is_one = a.min(b) == c.min(d) && a.max(b) == c.max(d);
    touches || is_one || sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0
}

fn check_within(mask: &Mask, tolerance: f64) -> usize {
    let exact = mask.polygons();
    let simplified = mask.polygons_within(tolerance).unwrap();
    check_form(&simplified);
    let holes = |polygons: &[Polygon]| polygons.iter().map(|polygon| polygon.holes.len()).collect::<Vec<_>>();
    assert_eq!(holes(&exact), holes(&simplified));
    let (exact, simplified) = (all_rings(&exact), all_rings(&simplified));
    for (exact, simplified) in exact.iter().zip(&simplified) {
        let start = exact.iter().position(|&p| p == simplified[0]).unwrap();
        let mut corners = exact[start..].iter().chain(&exact[..start]);
        assert!(
            simplified.iter().all(|p| corners.any(|q| q == p)),
            "{simplified:?} are corners of {exact:?}, in order"
        );
        // The distances here are rounded.
        let limit = tolerance + 1e-9;
        assert!(farthest(exact, simplified) <= limit && farthest(simplified, exact) <= limit, "{exact:?}, {tolerance}");
    }
    let mut all: Vec<_> =
        simplified.iter().enumerate().flat_map(|(i, r)| edges(r).map(move |edge| (edge, i))).collect();
    all.sort_unstable_by_key(|([a, b], _)| a[1].min(b[1]));
    for (k, &([a, b], ring)) in all.iter().enumerate() {
        let bottom = a[1].max(b[1]);
        for &([c, d], other) in all[k + 1..].iter().take_while(|([c, d], _)| c[1].min(d[1]) <= bottom) {
            assert!(!meet([a, b], [c, d]), "{a:?} {b:?} and {c:?} {d:?} of {mask:?}, {tolerance}");
            assert!(ring != other || a != c, "{a:?} twice in {:?}", simplified[ring]);
        }
    }
    // In half units, so that the middle of an edge is a lattice point; it lies on no other ring.
    let middle = |ring: &Ring| [0, 1].map(|k| ring[0][k] + ring[1][k]);
    for i in 0..exact.len() {
        for k in (0..exact.len()).filter(|&k| k != i) {
            let lies_in = |rings: &[&Ring]| holds(std::iter::once(rings[k]), middle(rings[i]));
            assert_eq!(lies_in(&exact), lies_in(&simplified), "{:?} and {:?}, {tolerance}", exact[i], exact[k]);
        }
    }
    simplified.iter().map(|ring| ring.len()).sum()
}

/// Generates noise of any density, of texels or of squares.
fn noise() -> impl Strategy<Value = Mask> {
    (1_u32..=40, 1_u32..=40, 1_u8..=255, 1_u32..=4).prop_flat_map(|(width, height, threshold, grain)| {
        let size = width.div_ceil(grain) * height.div_ceil(grain);
        prop::collection::vec(any::<u8>(), size as usize).prop_map(move |alpha| {
            let at = |x: u32, y: u32| alpha[(y / grain * width.div_ceil(grain) + x / grain) as usize];
            Mask::from_fn(width, height, |x, y| at(x, y) >= threshold).unwrap()
        })
    })
}

/// Generates discs, rings and lines, of all sizes and directions.
fn drawings() -> impl Strategy<Value = Mask> {
    let place = || (0.0..40.0, 0.0..40.0).prop_map(<[f64; 2]>::from);
    let disc = (place(), 0.0..15.0, any::<bool>());
    let line = (place(), place(), 0.5..3.0, any::<bool>());
    (prop::collection::vec(disc, 0..6), prop::collection::vec(line, 0..6)).prop_map(|(discs, lines)| {
        let mut mask = Mask::new(40, 40).unwrap();
        for (centre, radius, is_solid) in discs {
            mask.draw_disc(centre, radius).unwrap();
            if !is_solid {
                mask.erase_disc(centre, radius * 0.7).unwrap();
            }
        }
        for ([x, y], [u, v], thick, is_solid) in lines {
            let line = [[x, y], [u, v], [u + thick, v + thick], [x + thick, y + thick]];
            if is_solid { mask.draw_polygon(&line) } else { mask.erase_polygon(&line) }.unwrap();
        }
        mask
    })
}

fn tolerances() -> impl Strategy<Value = f64> {
    prop_oneof![prop::sample::select(vec![0.0, 0.5, 0.75, 1.0, 1.5, 2.0]), 0.0..4.0, 4.0..100.0]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn polygons_hold_exactly_the_solid_texels(mask in prop_oneof![noise(), drawings()]) {
        check_exact(&mask);
    }

    #[test]
    fn simplified_polygons_keep_the_tolerance_and_do_not_cross(
        mask in prop_oneof![noise(), drawings()], tolerance in tolerances(),
    ) {
        check_within(&mask, tolerance);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn small_masks_have_every_shape(bits: u32, tolerance in tolerances()) {
        let mask = Mask::from_fn(5, 6, |x, y| bits >> (y * 5 + x) & 1 == 1).unwrap();
        check_exact(&mask);
        check_within(&mask, tolerance);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn polygons_of_many_words_are_exact(mask in any_masks().prop_filter("small", |mask| mask.width() < 961)) {
        check_exact(&mask);
        check_within(&mask, 1.0);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn texels_along_a_line_become_an_edge(slope in 0.0..2.0, offset in 0.0..1.0, width in 20_u32..100) {
        let ground = |x: u32| slope * (f64::from(x) + 0.5) + 3.0 + offset;
        let mask = Mask::from_fn(width, 210, |x, y| f64::from(y) + 0.5 >= ground(x)).unwrap();
        prop_assert_eq!(mask.polygons_within(1.5).unwrap()[0].outline.len(), 4);
    }
}

#[test]
fn corners_that_touch_part_components_and_close_holes() {
    let polygons = |rows: &[&str]| {
        let mask = Mask::from_rows(rows).unwrap();
        check_exact(&mask);
        for tolerance in [0.5, 1.0, 2.0, 9.0] {
            check_within(&mask, tolerance);
        }
        mask.polygons().into_iter().map(|polygon| (polygon.outline, polygon.holes)).collect::<Vec<_>>()
    };
    let [left, right] = [vec![[0, 0], [1, 0], [1, 1], [0, 1]], vec![[1, 1], [2, 1], [2, 2], [1, 2]]];
    assert_eq!(polygons(&["#.", ".#"]), [(left, vec![]), (right, vec![])]);
    // The hole touches the outline at (1, 1).
    let outline = vec![[1, 0], [3, 0], [3, 3], [0, 3], [0, 1], [1, 1]];
    let hole = vec![[1, 1], [1, 2], [2, 2], [2, 1]];
    assert_eq!(polygons(&[".##", "#.#", "###"]), [(outline, vec![hole.clone()])]);
    // Two holes that touch each other.
    let outline = vec![[0, 0], [4, 0], [4, 4], [0, 4]];
    let other = vec![[2, 2], [2, 3], [3, 3], [3, 2]];
    assert_eq!(polygons(&["####", "#.##", "##.#", "####"]), [(outline, vec![hole, other])]);
    // An island that touches the hole's border, and a component that closes a ring only through a corner.
    assert_eq!(polygons(&["#####", "#...#", "#.#.#", "##..#", "#####"]).len(), 2);
    assert_eq!(polygons(&[".###", "#..#", "#.##", "###."]).len(), 1);
    assert_eq!(polygons(&["#.#.#", ".#.#.", "#.#.#"]).len(), 8);
    assert_eq!(polygons(&["#####", "#.#.#", "##.##", "#.#.#", "#####"])[0].1.len(), 5);
}

#[test]
fn checkerboards_rings_and_diagonals_are_exact() {
    let masks = [
        Mask::from_fn(40, 40, |x, y| (x + y) % 2 == 0),
        // All solid texels are connected, and each of the many holes touches others.
        Mask::from_fn(39, 39, |x, y| (x + y) % 2 == 0 || x % 4 == 0 || y == 0),
        Mask::from_fn(41, 41, |x, y| x.abs_diff(20).max(y.abs_diff(20)) % 2 == 0),
        Mask::from_fn(40, 40, |x, y| x.abs_diff(y) < 2),
        Mask::from_fn(40, 40, |x, y| x.abs_diff(y) < 2 || (x + y).abs_diff(39) < 2),
        Mask::from_fn(40, 40, |x, y| x == y || x + y == 39),
        Mask::from_fn(40, 30, |x, y| y >= x / 3 && y < x / 3 + 2),
        Mask::from_fn(40, 40, |x, y| x % 2 == 0 || y == 39),
    ];
    for mask in masks {
        let mask = mask.unwrap();
        check_exact(&mask);
        for tolerance in [0.5, 1.0, 2.0, 5.0, 50.0] {
            check_within(&mask, tolerance);
        }
    }
}

#[test]
fn slopes_become_straight() {
    // Steps of one texel, of each width.
    for width in 1..20 {
        let stairs = Mask::from_fn(8 * width, 9, |x, y| y >= x / width).unwrap();
        assert_eq!(stairs.polygons()[0].outline.len(), 2 * 8 + 2);
        assert!(check_within(&stairs, 1.0) <= 5, "steps of {width}");
    }
}

#[test]
fn an_edge_replaces_at_most_1024() {
    let mask = Mask::from_fn(1200, 1200, |x, y| y >= x).unwrap();
    let exact = &mask.polygons()[0].outline;
    let places = |p: &[i32; 2]| exact.iter().position(|q| q == p).unwrap();
    let kept: Vec<_> = mask.polygons_within(1.0).unwrap()[0].outline.iter().map(places).collect();
    assert!(kept.len() < 9 && kept.windows(2).all(|pair| pair[1] - pair[0] <= 1024), "{kept:?}");
}

#[test]
fn a_tolerance_is_finite_and_0_or_more() {
    let mask = full(9, 9);
    for (tolerance, number) in [(-0.5, "-0.5"), (f64::NAN, "NaN"), (f64::INFINITY, "inf"), (-f64::INFINITY, "-inf")] {
        let message = mask.polygons_within(tolerance).unwrap_err().to_string();
        assert_eq!(message, format!("`tolerance` is {number}; it must be finite, and 0 or more"));
    }
    assert_eq!(mask.polygons_within(-0.0).unwrap(), mask.polygons());
    assert_eq!(mask.polygons_within(f64::MAX).unwrap()[0].outline.len(), 3);
    assert!(Mask::new(5, 5).unwrap().polygons_within(1.0).unwrap().is_empty());
}

#[test]
fn the_largest_mask_is_a_square() {
    let square = Polygon { outline: vec![[0, 0], [8192, 0], [8192, 8192], [0, 8192]], holes: vec![] };
    assert_eq!(largest().polygons(), std::slice::from_ref(&square));
    assert_eq!(largest().polygons_within(2.0).unwrap(), [square]);
}
