//! Functions of `shaders/shared/slabs.wgsl`, which map each coordinate to a slab.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::MAX_COORDINATE;

use super::family::Family;
use super::input::clamp;
use super::twin::Twin;

/// The number of slabs along an axis.
const SLABS: i64 = 128;
/// The number of a coordinate's bits that select its slab.
const SLAB_BITS: u32 = 11;

/// Returns the number of the slab along an axis that holds a coordinate, or is nearest to it.
fn slab(min: i32, max: i32, at: i32) -> u32 {
    let [min, max, at] = [min, max, at].map(i64::from);
    let width = max - min;
    let shift = (64 - width.leading_zeros()).saturating_sub(SLAB_BITS);
    let scale = (SLABS << 16) / ((width >> shift) + 1);
    ((((at.clamp(min, max) - min) >> shift) * scale) >> 16) as u32
}

/// Returns the slab numbers of a point.
fn slabs(extent: &Aabb, at: [i32; 2]) -> [u32; 2] {
    let Aabb { min, max } = extent;
    [slab(min.x, max.x, at[0]), slab(min.y, max.y, at[1])]
}

/// Returns the function that finds slabs, on boxes in the world.
pub(in crate::gpu) fn coarse() -> Family {
    let twins = vec![
        Twin::new("slab", 6, "word_two(slab(slabs_of(Aabb(point(0), point(2))), point(4)))", |v| {
            let [x, y] = slabs(&Aabb { min: v.point(0), max: v.point(2) }, [v.int(4), v.int(5)]);
            u64::from(x) | u64::from(y) << 32
        })
        .fit(|v| {
            clamp(&mut v[..4], MAX_COORDINATE);
            for axis in 0..2 {
                if v[axis] as i32 > v[axis + 2] as i32 {
                    v.swap(axis, axis + 2);
                }
            }
        }),
    ];
    Family { files: &[super::LANDED, "// needs: slabs"], twins, ..Family::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Touch;
    use crate::geometry::Point;
    use crate::gpu::twins::input::Random;

    /// Returns a box of any size; many are small and close together, or at the ends of the world.
    fn some_box(random: &mut Random, spread: i32) -> Aabb {
        let side = |random: &mut Random| {
            let bits = random.below(30) as u32;
            random.within(0, spread.min(1 << bits))
        };
        let at = |random: &mut Random| match random.below(4) {
            0 => random.of(&[-spread, spread, 0, 1, -1]),
            _ => random.within(-spread, spread),
        };
        let [x, y, width, height] = [at(random), at(random), side(random), side(random)];
        let end = |from: i32, size: i32| from.saturating_add(size).min(MAX_COORDINATE);
        Aabb { min: Point::new(x, y), max: Point::new(end(x, width), end(y, height)) }
    }

    /// Returns a row's bounds as the shader has them, shrunk if touch is excluded so that equal edges always count as
    /// meeting.
    fn row(own: &Aabb, touch: Touch) -> Aabb {
        let step = i32::from(touch == Touch::Excluded);
        let Aabb { min, max } = *own;
        Aabb { min: Point::new(min.x + step, min.y + step), max: Point::new(max.x - step, max.y - step) }
    }

    /// Returns whether two boxes meet as far as slabs can tell.
    fn meet_by_slabs(extent: &Aabb, row: &Aabb, column: &Aabb) -> bool {
        let of = |at: Point| slabs(extent, [at.x, at.y]);
        let [row_min, row_max, min, max] = [row.min, row.max, column.min, column.max].map(of);
        (0..2).all(|axis| min[axis] <= row_max[axis] && row_min[axis] <= max[axis])
    }

    #[test]
    fn no_pair_is_lost_and_few_are_found_that_do_not_meet() {
        let mut random = Random::new(1);
        for spread in [0, 1, 3, 100, 2047, 2048, 1 << 16, 1 << 24, MAX_COORDINATE] {
            let [mut met, mut near, mut tests] = [0_u32; 3];
            for _ in 0..300 {
                let rows: Vec<Aabb> = (0..20).map(|_| some_box(&mut random, spread)).collect();
                let extent = rows.iter().copied().reduce(|a, b| a.join(&b)).unwrap();
                for _ in 0..20 {
                    let column = some_box(&mut random, spread);
                    for own in &rows {
                        for touch in [Touch::Excluded, Touch::Included] {
                            let meets = own.meets(&column, touch);
                            let by_slabs = meet_by_slabs(&extent, &row(own, touch), &column);
                            assert!(by_slabs || !meets, "{extent:?}, {own:?}, {column:?}, {touch:?}");
                            [met, near, tests] = [met + u32::from(meets), near + u32::from(by_slabs), tests + 1];
                        }
                    }
                }
            }
            assert!(met > 0 && near < met + tests / 20, "{spread}: {met}, {near} of {tests}");
        }
    }

    #[test]
    fn what_is_nowhere_is_beyond_all_slabs() {
        let extent =
            Aabb { min: Point::new(-MAX_COORDINATE, -MAX_COORDINATE), max: Point::new(MAX_COORDINATE, MAX_COORDINATE) };
        assert_eq!(slabs(&extent, [i32::MIN, i32::MAX]), [0, SLABS as u32 - 1]);
        assert_eq!(slabs(&extent, [MAX_COORDINATE, -MAX_COORDINATE]), [SLABS as u32 - 1, 0]);
    }
}
