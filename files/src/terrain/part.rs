//! Polygons on the lattice of 1/256 pixel, and their union.

use hitmask::Shape;
use hitmask::geometry::{SUBPIXELS, snap};
use i_overlay::core::fill_rule::FillRule;
use i_overlay::core::overlay::{IntOverlayOptions, Overlay, ShapeType};
use i_overlay::core::overlay_rule::OverlayRule;
use i_overlay::core::solver::Solver;
use i_overlay::i_float::int::point::IntPoint;

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

/// Returns the area within a closed line that may cross itself, by the even-odd rule.
pub(super) fn of_ring(ring: &Ring) -> Vec<Part> {
    let mut overlay = overlay(ring.len());
    overlay.add_path_iter(ring.iter().map(|point| shifted(*point, [0; 2])), ShapeType::Subject);
    solve(&mut overlay, FillRule::EvenOdd)
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

    /// Makes the shape of the polygon, whose origin is that of the lattice.
    pub(super) fn shape(&self) -> hitmask::Result<Shape> {
        let units = |ring: &Ring| -> Vec<[f64; 2]> {
            ring.iter().map(|point| point.map(|v| f64::from(v) / f64::from(SUBPIXELS))).collect()
        };
        let holes: Vec<_> = self.holes.iter().map(units).collect();
        Shape::polygon_with_holes(&units(&self.outline), &holes)
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
                let [abx, aby, apx, apy] = [b[0] - a[0], b[1] - a[1], at[0] - a[0], at[1] - a[1]].map(i64::from);
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
fn area(ring: &Ring) -> i64 {
    let next = ring.iter().cycle().skip(1);
    ring.iter()
        .zip(next)
        .map(|(&[ax, ay], &[bx, by])| i64::from(ax) * i64::from(by) - i64::from(ay) * i64::from(bx))
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
    fn a_line_that_crosses_itself_is_filled_by_the_even_odd_rule() {
        let bow = of_ring(&vec![[0, 0], [200, 200], [200, 0], [0, 200]]);
        assert_eq!(bow.len(), 2);
        assert!(of_ring(&vec![[0, 0], [5, 5], [9, 9]]).is_empty());
    }
}
