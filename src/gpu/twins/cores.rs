//! Functions of `shaders/shared/predicate.wgsl`: the parts of the predicate.

use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION, Point};
use crate::ground::touch::Touch;

use super::input::{DIFFERENCE, Input, Random, clamp, touch};
use super::twin::Twin;

/// Returns the low 64 bits of `x1 x2 + y1 y2`.
fn dot(a: [i64; 2], b: [i64; 2]) -> i64 {
    let [[x1, y1], [x2, y2]] = [a, b].map(|v| v.map(i128::from));
    (x1 * x2 + y1 * y2) as i64
}

fn wide(p: Point) -> [i64; 2] {
    [p.x.into(), p.y.into()]
}

/// Computes `beyond(long(0), normal(2), int(6), word(7))`.
fn beyond(v: Input<'_>) -> bool {
    let [along, x, y] = [v.long(0), v.long(2), v.long(4)].map(i128::from);
    let (radius, open) = (i128::from(v.int(6)), touch(v.word(7)) == Touch::Excluded);
    let (behind, room) = (along * along, radius * radius * (x * x + y * y));
    (along < 0 || (along == 0 && radius == 0)) && (behind > room || (behind == room && open))
}

/// Brings an input of [`beyond`] into its range, and half of all inputs to the limit or beside it.
fn fit_beyond(v: &mut [u32]) {
    let most = 2 * i64::from(DIFFERENCE);
    let mut normal = Input(v).normal(2).map(|part| part.clamp(-most, most));
    let radius = Input(v).int(6).clamp(0, 1 << 30);
    let mut along = Input(v).long(0);
    if v[7] & 2 != 0 {
        // Use a normal of integer length: 3, 4, 5.
        let k = (normal[0] % (1 << 29)) | 1;
        normal = [3 * k, 4 * k];
        along = -5 * k.abs() * i64::from(radius) + i64::from(v[7] >> 2) % 3 - 1;
    }
    v[..6].copy_from_slice(bytemuck::cast_slice(&[along, normal[0], normal[1]]));
    v[6] = radius as u32;
    v[7] &= 1;
}

/// Returns the parts of the predicate.
pub(in crate::gpu) fn parts() -> Vec<Twin> {
    vec![
        Twin::new("dot_wide", 6, "dot_wide(normal(0), point(4))", |v| dot(v.normal(0), wide(v.point(4)))),
        Twin::new("cross_wide", 4, "cross_wide(point(0), point(2))", |v| {
            let ([px, py], [qx, qy]) = (wide(v.point(0)), wide(v.point(2)));
            dot([px, -py], [qy, qx])
        }),
        Twin::new("past", 4, "past(point(0), point(2))", |v| {
            let ([px, py], [qx, qy]) = (wide(v.point(0)), wide(v.point(2)));
            dot([qx, qy], [qx - px, qy - py])
        }),
        Twin::new("left", 4, "left(point(0), point(2))", |v| {
            let ([px, py], [qx, qy]) = (wide(v.point(0)), wide(v.point(2)));
            [py - qy, qx - px]
        }),
        Twin::new("toward_origin", 2, "toward_origin(point(0))", |v| wide(v.point(0)).map(|part| -part))
            .fit(|v| clamp(v, DIFFERENCE)),
        Twin::new("opposite", 4, "opposite(normal(0))", |v| v.normal(0).map(i64::wrapping_neg)),
        Twin::new("is_nowhere", 4, "is_nowhere(normal(0))", |v| v.normal(0) == [0, 0]),
        Twin::new("beyond", 8, "beyond(long(0), normal(2), int(6), word(7))", beyond).fit(fit_beyond),
    ]
}

/// The words of a pair of cores.
pub(in crate::gpu) const WORDS: usize = 28;

/// Makes two cores with a sweep, as they come from bodies within the world: their counts and touch, the sum of their
/// radii, the sweep, and from words 4 and 16 on at most six vertices each, or the two corners of a square.
pub(super) fn fill(random: &mut Random, input: &mut [u32]) {
    // The size of the bodies, usually so small that many touch.
    let scale = random.of(&[2, 3, 20, 5000, MAX_COORDINATE]);
    let radii = [(); 2].map(|()| {
        let some = random.within(0, scale - 1);
        random.of(&[0, 0, 0, 1, scale / 2, some])
    });
    let limit = MAX_COORDINATE - radii[0].max(radii[1]);
    let [still, fast] = [(); 2].map(|()| random.below(4) == 0);
    let counts = [(); 2].map(|()| random.of(&[0, 1, 1, 2, 2, 3, 3, 4, 5, 6]));
    let closed = random.below(2);
    input[0] = (counts[0] | counts[1] << 4 | closed << 8) as u32;
    input[1] = (radii[0] + radii[1]) as u32;
    for axis in 0..2 {
        // Place small bodies at the rims of the world too; the second not far from the first.
        let mut base = random.of(&[0, 0, limit - scale, scale - limit]);
        let mut sweep = 0;
        for (body, count) in counts.into_iter().enumerate() {
            let mut coordinate = || {
                let anywhere = random.within(-limit, limit);
                let v = match scale {
                    MAX_COORDINATE => random.of(&[-limit, limit, 0, 1, -1, MAX_MOTION, -MAX_MOTION, anywhere]),
                    _ => base + random.within(-scale, scale),
                };
                v.clamp(-limit, limit)
            };
            let mut along: Vec<i32> = (0..count.max(1)).map(|_| coordinate()).collect();
            if count == 0 {
                let low = along[0].min(limit - 1);
                along = vec![low, coordinate().max(low + 1)];
            }
            let [low, high] = [along.iter().min(), along.iter().max()].map(|v| *v.unwrap());
            let [least, most] = [(-limit - low).max(-MAX_MOTION), (limit - high).min(MAX_MOTION)];
            let motion = if still {
                0
            } else if fast {
                let some = random.within(least, most);
                random.of(&[least, most, 0, some, some])
            } else {
                random.within(-scale, scale).clamp(least, most)
            };
            sweep += if body == 0 { motion } else { -motion };
            base += random.within(-scale, scale);
            for (i, v) in along.into_iter().enumerate() {
                input[4 + 12 * body + 2 * i + axis] = v as u32;
            }
        }
        input[2 + axis] = sweep as u32;
    }
}

/// Returns the function that tells whether the hull of a core and its translate has an area.
pub(in crate::gpu) fn has_area() -> Twin {
    Twin::new("has_area", WORDS, "has_area(core_a(), point(2u))", |v| v.core_a().has_area(v.point(2))).fill(fill)
}
