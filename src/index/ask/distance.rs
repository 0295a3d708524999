//! Distances from a point to a body, in `f64` from exact integers.

use crate::cpu::narrow::view::View;
use crate::ground::aabb::Aabb;
use crate::ground::gap::Gap;
use crate::ground::lattice::Point;
use crate::ground::predicate::Core;
use crate::world::pose::texel::WORD;

/// Returns the distance to a closed box, in lattice steps; 0 inside.
#[inline(always)]
pub(super) fn to_box(Aabb { min, max }: &Aabb, at: Point) -> f64 {
    let off = |v: i32, min: i32, max: i32| i64::from((min - v).max(v - max).max(0));
    let (x, y) = (off(at.x, min.x, max.x), off(at.y, min.y, max.y));
    ((x * x + y * y) as f64).sqrt()
}

/// Returns the distance to a closed convex piece inflated by a radius, in lattice steps; 0 inside.
pub(super) fn to_piece(piece: Core<'_>, at: Point, radius: i32) -> f64 {
    (Gap::to_point(piece, at).square.root() - f64::from(radius)).max(0.0)
}

/// Returns the distance to the nearest square of a painted pixel, in lattice steps; `None` if that is more than `most`
/// or there is no such pixel.
pub(super) fn to_pixels(view: &View<'_>, at: Point, most: f64) -> Option<f64> {
    let Aabb { min, max } = view.pixels;
    // The distance from a coordinate to a pixel's square along one axis.
    let off = |v: i32, pixel: i32| {
        let start = i64::from(pixel) << 8;
        (start - i64::from(v)).max(i64::from(v) - start - 256).max(0)
    };
    let most = if most < 1e9 { (most * most) as i64 + 1 } else { i64::MAX };
    let mut best = most;
    let here = (at.y >> 8).clamp(min.y, max.y - 1);
    let (mut above, mut below) = (here, here + 1);
    loop {
        // Take the nearer of the next rows above and below.
        let (up, down) = (off(at.y, above), off(at.y, below));
        let up_first = above >= min.y && (below >= max.y || up <= down);
        let (y, aside) = if up_first { (above, up) } else { (below, down) };
        if y < min.y || y >= max.y || aside * aside >= best {
            break;
        }
        if up_first {
            above -= 1;
        } else {
            below += 1;
        }
        let column = (at.x >> 8).clamp(min.x, max.x - 1);
        let mut take = |x: i32| best = best.min(off(at.x, x).pow(2) + aside * aside);
        if let Some(x) = rightward(view, column, y) {
            take(x);
        }
        if let Some(x) = leftward(view, column, y) {
            take(x);
        }
    }
    (best < most).then(|| (best as f64).sqrt())
}

/// Returns the first painted pixel of a row at or right of `x`.
fn rightward(view: &View<'_>, x: i32, y: i32) -> Option<i32> {
    let [first, end] = view.columns(y, [x, view.pixels.max.x]);
    let words = (first..end).step_by(WORD as usize).map(|x| (x, view.painted_word(x, y)));
    let (x, bits) = words.into_iter().find(|(_, bits)| *bits != 0)?;
    Some(x + bits.trailing_zeros() as i32)
}

/// Returns the first painted pixel of a row at or left of `x`.
fn leftward(view: &View<'_>, x: i32, y: i32) -> Option<i32> {
    let [first, end] = view.columns(y, [view.pixels.min.x, x + 1]);
    let words = (0..).map(|word| end - WORD * (word + 1)).take_while(|x| x + WORD > first);
    let (x, bits) = words.map(|x| (x, view.painted_word(x, y))).find(|(_, bits)| *bits != 0)?;
    Some(x + 63 - bits.leading_zeros() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ground::predicate::meets;
    use crate::ground::touch::Touch;
    use hitmask_workbench::workloads::SplitMix64;

    /// Computes the distance over all pairs of vertices, which include the hull's edges.
    fn plainly(vertices: &[Point], at: Point) -> f64 {
        if meets(Core::Hull(vertices), Core::Hull(&[at]), Point::ZERO, 0, Touch::Included) {
            return 0.0;
        }
        let mut least = f64::INFINITY;
        for &p in vertices {
            for &q in vertices {
                let [x, y, dx, dy] = [at.x - p.x, at.y - p.y, q.x - p.x, q.y - p.y].map(f64::from);
                let square = dx * dx + dy * dy;
                let part = if square > 0.0 { ((x * dx + y * dy) / square).clamp(0.0, 1.0) } else { 0.0 };
                least = least.min(f64::hypot(x - part * dx, y - part * dy));
            }
        }
        least
    }

    #[test]
    fn the_nearest_feature_is_found() {
        let mut random = SplitMix64(2);
        let mut outside = 0;
        for round in 0..20_000 {
            let side = [3, 20, 100_000, 1 << 29][round % 4];
            let mut draw = || Point::new(random.below(side) as i32, random.below(side) as i32);
            let vertices: Vec<Point> = (0..=round % 7).map(|_| draw()).collect();
            let at = draw();
            let (found, plain) = (to_piece(Core::Hull(&vertices), at, 0), plainly(&vertices, at));
            assert!((found - plain).abs() <= 1e-9 * plain, "{vertices:?} {at:?}: {found}, not {plain}");
            outside += usize::from(found > 0.0);
        }
        assert!(outside > 10_000, "{outside}");
    }

    #[test]
    fn equal_distances_are_equal_numbers() {
        let diagonal = [Point::new(2, 0), Point::new(0, 2), Point::new(9, 9)];
        assert_eq!(
            to_piece(Core::Hull(&diagonal), Point::ZERO, 0),
            to_piece(Core::Hull(&[Point::new(1, 1)]), Point::ZERO, 0)
        );
    }
}
