//! Polygons on the lattice of 1/256 pixel, and their union.

use hitmask::Shape;
use hitmask::geometry::{SUBPIXELS, snap};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::Solver;
use i_overlay::i_float::int::point::IntPoint;

use crate::budget;
use crate::error::{Result, malformed};

/// A closed line on the lattice.
pub(super) type Ring = Vec<[i32; 2]>;

/// A polygon with holes, on the lattice. It has an area, and no edge crosses another. The outline winds from +x to +y,
/// and holes the other way, so that in a union no part cancels another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) outline: Ring,
    pub(super) holes: Vec<Ring>,
}

/// The largest distance in pixels of a point from the origin.
const MAX_AWAY: f64 = 2_097_151.0;

/// Snaps a closed line in pixels to the lattice.
pub(super) fn ring(points: impl IntoIterator<Item = [f64; 2]>) -> Result<Ring> {
    let coordinate = |v: f64| {
        if v.abs() <= MAX_AWAY {
            return Ok(snap(v) as i32);
        }
        Err(malformed(format!("a shape reaches to {v}; coordinates are -{MAX_AWAY} to {MAX_AWAY}")))
    };
    points.into_iter().map(|[x, y]| Ok([coordinate(x)?, coordinate(y)?])).collect()
}

/// The work of finding where lines cross themselves, in all polygons of a terrain so far.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Work(u64);

/// The largest work in a polygon. A pair of edges that overlap on one axis counts 1, and a pair that crosses 256 more.
const MAX_WORK: u64 = 1 << 24;

/// The largest work in all polygons.
const MAX_ALL_WORK: u64 = 1 << 26;

impl Work {
    fn add(&mut self, ring: &Ring) -> Result<()> {
        let own = crossings(ring)?;
        self.0 += own;
        budget::at_most("comparisons of edges in all polygons", MAX_ALL_WORK, self.0)
    }
}

/// Returns the work of finding where a closed line crosses itself.
fn crossings(ring: &Ring) -> Result<u64> {
    let ends = || ring.iter().zip(ring.iter().cycle().skip(1));
    let length = |axis: usize| ends().map(|(a, b)| u64::from(a[axis].abs_diff(b[axis]))).sum::<u64>();
    // Along this axis edges overlap the least.
    let axis = usize::from(length(0) > length(1));
    let range = |axis: usize, [a, b]: [[i32; 2]; 2]| [a[axis].min(b[axis]), a[axis].max(b[axis])];
    let mut edges: Vec<[[i32; 2]; 2]> = ends().map(|(a, b)| [*a, *b]).collect();
    edges.sort_unstable_by_key(|edge| range(axis, *edge)[0]);
    let side = |[a, b]: [[i32; 2]; 2], at: [i32; 2]| {
        let way = |to: [i32; 2]| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(a[axis]));
        let ([abx, aby], [apx, apy]) = (way(b), way(at));
        (abx * apy - aby * apx).signum()
    };
    let mut work = 0;
    let mut open: Vec<[[i32; 2]; 2]> = Vec::new();
    for edge in edges {
        let [start, _] = range(axis, edge);
        open.retain(|other| range(axis, *other)[1] >= start);
        work += open.len() as u64;
        for other in &open {
            let is_across = |a: [[i32; 2]; 2], b: [[i32; 2]; 2]| side(a, b[0]) * side(a, b[1]) <= 0;
            let is_joined = edge.iter().any(|end| other.contains(end));
            if !is_joined && is_across(edge, *other) && is_across(*other, edge) {
                work += 256;
            }
        }
        budget::at_most("comparisons of edges in a polygon", MAX_WORK, work)?;
        open.push(edge);
    }
    Ok(work)
}

/// Returns the area within a closed line that may cross itself, by the even-odd rule.
///
/// Returns an error if it crosses itself so often that this would take long.
pub(super) fn of_ring(ring: &Ring, work: &mut Work) -> Result<Vec<Part>> {
    work.add(ring)?;
    let mut overlay = overlay(ring.len());
    overlay.add_path_iter(ring.iter().map(|point| shifted(*point, [0; 2])), ShapeType::Subject);
    Ok(solve(&mut overlay, FillRule::EvenOdd))
}

/// Returns the union of parts, each shifted by a translation. Its vertices are those of the parts, and points where
/// sloped edges cross, which are snapped to the lattice.
pub(super) fn union<'a>(parts: impl IntoIterator<Item = (&'a Part, [i32; 2])>) -> Vec<Part> {
    let mut overlay = overlay(64);
    for (part, shift) in parts {
        for ring in std::iter::once(&part.outline).chain(&part.holes) {
            overlay.add_path_iter(ring.iter().map(|point| shifted(*point, shift)), ShapeType::Subject);
        }
    }
    solve(&mut overlay, FillRule::NonZero)
}

fn shifted([x, y]: [i32; 2], [dx, dy]: [i32; 2]) -> IntPoint<i32> {
    IntPoint::new(x + dx, y + dy)
}

/// Outlines of the result do not touch themselves, as the library asks.
fn overlay(count: usize) -> Overlay<i32> {
    Overlay::new_custom(count, IntOverlayOptions::ogc(), Solver::AUTO)
}

fn solve(overlay: &mut Overlay<i32>, rule: FillRule) -> Vec<Part> {
    let shapes = overlay.overlay(OverlayRule::Subject, rule);
    let part = |shape: Vec<Vec<IntPoint<i32>>>| {
        let mut rings = shape.into_iter().map(|ring| ring.into_iter().map(|point| [point.x, point.y]).collect());
        Some(Part::new(rings.next()?, rings.collect()))
    };
    shapes.into_iter().filter_map(part).collect()
}

/// Returns the heights between which parts fill a cell of a width from side to side; `None` if they are no rectangle.
pub(super) fn band(parts: &[Part], width: i32) -> Option<[i32; 2]> {
    let [Part { outline, holes }] = parts else { return None };
    let ys = outline.iter().map(|[_, y]| *y);
    let (top, bottom) = (ys.clone().min()?, ys.max()?);
    let is_corner = |[x, y]: &[i32; 2]| (*x == 0 || *x == width) && (*y == top || *y == bottom);
    (holes.is_empty() && outline.len() == 4 && outline.iter().all(is_corner)).then_some([top, bottom])
}

impl Part {
    /// Makes a polygon of rings of any winding.
    pub(super) fn new(mut outline: Ring, mut holes: Vec<Ring>) -> Self {
        if area(&outline) < 0 {
            outline.reverse();
        }
        for hole in holes.iter_mut().filter(|hole| area(hole) > 0) {
            hole.reverse();
        }
        Self { outline, holes }
    }

    /// Makes a rectangle between two corners.
    pub(super) fn rect([left, top]: [i32; 2], [right, bottom]: [i32; 2]) -> Self {
        Self { outline: vec![[left, top], [right, top], [right, bottom], [left, bottom]], holes: Vec::new() }
    }

    /// Returns the polygon moved by lattice steps.
    pub(super) fn moved(&self, [dx, dy]: [i32; 2]) -> Self {
        let moved = |ring: &Ring| ring.iter().map(|[x, y]| [x + dx, y + dy]).collect();
        Self { outline: moved(&self.outline), holes: self.holes.iter().map(moved).collect() }
    }

    /// Makes the shape of the polygon, whose origin is that of the lattice.
    pub(super) fn shape(&self) -> hitmask::Result<Shape> {
        let units = |ring: &Ring| -> Vec<[f64; 2]> {
            ring.iter().map(|point| point.map(|v| f64::from(v) / f64::from(SUBPIXELS))).collect()
        };
        let holes: Vec<_> = self.holes.iter().map(units).collect();
        Shape::polygon_with_holes(&units(&self.outline), &holes)
    }

    /// Returns the pixels that the polygon reaches, `[from, to]`, exclusive.
    pub(super) fn bounds(&self) -> [[i32; 2]; 2] {
        let end = |axis: usize, most: bool| {
            let all = self.outline.iter().map(|point| point[axis]);
            let v = if most { all.max() } else { all.min() }.unwrap_or_default();
            if most { -(-v).div_euclid(SUBPIXELS) } else { v.div_euclid(SUBPIXELS) }
        };
        [false, true].map(|most| [0, 1].map(|axis| end(axis, most)))
    }

    /// Returns the number of points.
    pub(super) fn points(&self) -> usize {
        self.outline.len() + self.holes.iter().map(Vec::len).sum::<usize>()
    }

    /// Returns whether a point lies within the polygon or on its edge.
    pub(super) fn holds(&self, at: [i32; 2]) -> bool {
        let mut is_inside = false;
        for ring in std::iter::once(&self.outline).chain(&self.holes) {
            for (k, &b) in ring.iter().enumerate() {
                let a = ring[(k + ring.len() - 1) % ring.len()];
                let way = |to: [i32; 2]| [0, 1].map(|axis| i64::from(to[axis]) - i64::from(a[axis]));
                let ([abx, aby], [apx, apy]) = (way(b), way(at));
                let cross = abx * apy - aby * apx;
                let is_between = (0..2).all(|axis| (a[axis].min(b[axis])..=a[axis].max(b[axis])).contains(&at[axis]));
                if cross == 0 && is_between {
                    return true;
                }
                if (a[1] > at[1]) != (b[1] > at[1]) && (cross > 0) == (aby > 0) {
                    is_inside = !is_inside;
                }
            }
        }
        is_inside
    }
}

/// Returns twice the area of a ring, which is positive if it winds from +x to +y.
fn area(ring: &Ring) -> i128 {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(&[ax, ay], &[bx, by])| i128::from(ax) * i128::from(by) - i128::from(ay) * i128::from(bx))
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square([x, y]: [i32; 2], side: i32) -> Part {
        Part { outline: vec![[x, y], [x + side, y], [x + side, y + side], [x, y + side]], holes: Vec::new() }
    }

    #[test]
    fn tiles_side_by_side_have_no_inner_edge() {
        let tile = square([0, 0], 256);
        let merged = union((0..5).map(|k| (&tile, [256 * k, 0])));
        assert_eq!((merged.len(), merged[0].outline.len()), (1, 4));
    }

    #[test]
    fn a_ring_of_tiles_has_a_hole_and_corners_that_touch_are_apart() {
        let tile = square([0, 0], 256);
        let ring = (0..9).filter(|k| *k != 4).map(|k| (&tile, [256 * (k % 3), 256 * (k / 3)]));
        let merged = union(ring);
        assert_eq!((merged.len(), merged[0].holes.len()), (1, 1));
        assert!(merged[0].holds([0, 300]) && merged[0].holds([256, 256]) && !merged[0].holds([300, 300]));
        let checkers = union((0..9).filter(|k| k % 2 == 0).map(|k| (&tile, [256 * (k % 3), 256 * (k / 3)])));
        assert_eq!(checkers.len(), 5);
        assert!(checkers.iter().all(|part| part.shape().is_ok()));
    }

    #[test]
    fn parts_of_either_winding_do_not_cancel_each_other() {
        let mut other = square([128, 128], 256).outline;
        other.reverse();
        let merged = union([(&square([0, 0], 256), [0, 0]), (&Part::new(other, Vec::new()), [0, 0])]);
        assert!(merged.len() == 1 && merged[0].holes.is_empty() && merged[0].holds([200, 200]));
    }

    #[test]
    fn a_long_ring_at_the_end_of_the_world_has_an_area() {
        let [from, to] = [-1 << 29, (1 << 29) - 1];
        let ring = [[from, from], [to, from], [to, to], [from, to]].repeat(64);
        assert!(area(&ring) > 0);
    }

    #[test]
    fn a_line_that_crosses_itself_is_filled_by_the_even_odd_rule() {
        let parts = |ring: &[[i32; 2]]| of_ring(&ring.to_vec(), &mut Work::default()).unwrap();
        assert_eq!(parts(&[[0, 0], [200, 200], [200, 0], [0, 200]]).len(), 2);
        assert!(parts(&[[0, 0], [5, 5], [9, 9]]).is_empty());
    }
}
