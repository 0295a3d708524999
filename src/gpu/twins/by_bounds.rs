//! Boxes and circles at rest: `kind_of` of `shaders/shared/tile.wgsl`, which tells them from other bodies, and
//! `shaders/shared/by_bounds.wgsl`, which decides whether two of them hit.

use crate::cpu::narrow::decide::{box_meets_disc, discs_meet};
use crate::ground::aabb::Aabb;
use crate::ground::lattice::{MAX_COORDINATE, Point};
use crate::world::packed::{ALIGNED, Body, DETECTOR, NOT_LANDED, SPRITE, UNTURNED};

use super::LANDED;
use super::family::Family;
use super::input::{Random, clamp, fit_body, touch};
use super::twin::Twin;

/// The kinds of bodies that the shaders tell apart.
pub(in crate::gpu) const BOX: u32 = 0;
pub(in crate::gpu) const DISC: u32 = 1;
pub(in crate::gpu) const SMALL_TURNED: u32 = 2;
pub(in crate::gpu) const OTHER: u32 = 3;
pub(in crate::gpu) const DETECTING: u32 = 4;

/// The words of an input: both kinds and the touch rule, and the bounds of both.
pub(super) const WORDS: usize = 9;

/// Returns the kind of a body.
pub(super) fn kind_of(body: &Body) -> u32 {
    let size = body.extent.max - body.extent.min;
    if body.is(DETECTOR) {
        DETECTING
    } else if body.moves() {
        OTHER
    } else if body.is(SPRITE) {
        if is_small_turned(body) { SMALL_TURNED } else { OTHER }
    } else if body.is(ALIGNED) {
        BOX
    } else if size == Point::new(2 * body.radius, 2 * body.radius) && body.scale == 0 {
        DISC
    } else {
        OTHER
    }
}

/// Returns whether a sprite is turned, painted ahead, at most 256 pixels long on each axis, and has at most 16 texels
/// per pixel.
fn is_small_turned(body: &Body) -> bool {
    let size = body.extent.max - body.extent.min;
    let small = size.x <= 256 << 8 && size.y <= 256 << 8;
    let near = [body.linear.x, body.linear.y].as_flattened().iter().all(|step| step.abs() <= 16 << 16);
    small && near && !body.is(UNTURNED) && body.landed != NOT_LANDED
}

/// Brings bodies into the world: few of them detectors, half at rest, half as wide and as high as their radius implies
/// (or nearly), and half small with few texels per pixel (or nearly).
pub(super) fn fit_kind(v: &mut [u32]) {
    fit_body(v);
    clamp(&mut v[4..8], 127 << 24);
    v[13] &= (1 << 28) - 1;
    if v[14] & 128 == 0 {
        v[19] = 0;
    }
    if v[14] & 0x600 != 0 {
        v[17] &= !DETECTOR;
    }
    if v[14] & 1 == 0 {
        v[2..4].fill(0);
    }
    if v[14] & 2 == 0 {
        let off = [0, 0, 0, 1][v[14] as usize >> 2 & 3];
        v[10] = v[8].wrapping_add(2 * v[13]);
        v[11] = v[9].wrapping_add(2 * v[13] + off);
    }
    if v[14] & 16 == 0 {
        let off = [0, 0, 0, 1][v[14] as usize >> 5 & 3];
        v[4..8].iter_mut().for_each(|step| *step = ((*step as i32) % ((16 << 16) + 2)) as u32);
        v[10] = v[8].wrapping_add((256 << 8) - 1 + off);
        v[11] = v[9].wrapping_add((256 << 8) + off);
    }
}

/// Returns the bounds of a box, or of a circle, within `spread` of the origin.
fn some_bounds(random: &mut Random, kind: u32, spread: i32) -> [i32; 4] {
    let [some, other] = [(); 2].map(|()| random.within(1, 2 * spread));
    let size = random.of(&[1, 2, spread, 2 * spread, some]);
    let [width, height] = if kind == DISC { [2 * (size / 2); 2] } else { [size, other] };
    let [x, y] = [width, height].map(|size| random.within(-spread, spread - size));
    [x, y, x + width, y + height]
}

/// Makes two bodies of any kind whose bounds meet, often so that they just touch.
fn fill(random: &mut Random, input: &mut [u32]) {
    let spread = random.of(&[2, 3, 5, 40, 5000, MAX_COORDINATE]);
    let kinds = [(); 2].map(|()| random.of(&[BOX, DISC]));
    let [a, mut b] = kinds.map(|kind| some_bounds(random, kind, spread));
    for axis in 0..2 {
        // Move the second along the axis just until the bounds touch; both stay in the world.
        let by = (a[axis] - b[axis + 2]).max((a[axis + 2] - b[axis]).min(0));
        b[axis] += by;
        b[axis + 2] += by;
    }
    input[0] = kinds[0] | kinds[1] << 2 | (random.below(2) as u32) << 8;
    input[1..5].copy_from_slice(&a.map(|v| v as u32));
    input[5..9].copy_from_slice(&b.map(|v| v as u32));
}

/// Returns the function that decides pairs by their bounds.
pub(in crate::gpu) fn by_bounds() -> Family {
    let wgsl = "hit_by_bounds(word(0) & 3u, Aabb(point(1), point(3)), (word(0) >> 2u) & 3u, Aabb(point(5), point(7)), \
                touch())";
    let twin = Twin::new("hit_by_bounds", WORDS, wgsl, |v| {
        let [a, b] = [1, 5].map(|k| Aabb { min: v.point(k), max: v.point(k + 2) });
        let touch = touch(v.word(0) >> 8);
        match [v.word(0) & 3, v.word(0) >> 2 & 3] {
            [BOX, BOX] => true,
            [BOX, _] => box_meets_disc(&a, &b, touch),
            [_, BOX] => box_meets_disc(&b, &a, touch),
            _ => discs_meet(&a, &b, touch),
        }
    });
    Family { files: &[LANDED, "// needs: by_bounds"], twins: vec![twin.fill(fill)], ..Family::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Flip;
    use crate::world::packed::Kind;
    use crate::{Linear, Shape, World};

    /// In a world of only boxes and circles at rest, no other stage decides pairs, so none may be missed.
    #[test]
    fn what_the_host_calls_a_box_or_a_circle_is_one() {
        let shapes = [
            Shape::rect(6.0, 4.0),
            Shape::rect(0.01, 90.0),
            Shape::circle(0.004),
            Shape::circle(7.3),
            Shape::circle(16_000.0),
            Shape::capsule([0.0, 0.0], [0.01, 0.0], 2.0),
            Shape::polygon(&[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]),
            Shape::polygon(&[[0.0, 0.0], [9.0, 1.0], [4.0, 9.0]]),
        ];
        let mut world = World::default();
        for shape in shapes.map(|shape| world.add_shape(shape.unwrap()).unwrap()) {
            for scale in [0.0001, 0.1, 1.0, 3.7, 127.0] {
                for degrees in [0.0, 90.0, 180.0, 33.0] {
                    let pose = Linear::new(degrees, [scale, -scale], Flip::default());
                    world.add(&crate::Body::new(shape, [100.5, -33.3]).posed(pose)).unwrap();
                }
            }
        }
        let packed = world.packed();
        let mut seen = [0; 2];
        for (body, kind) in packed.bodies().zip(&packed.kinds) {
            match kind {
                Kind::Box => assert_eq!(kind_of(&body), BOX, "{body:?}"),
                Kind::Disc => assert_eq!(kind_of(&body), DISC, "{body:?}"),
                _ => continue,
            }
            seen[usize::from(*kind == Kind::Disc)] += 1;
        }
        assert!(seen[0] > 20 && seen[1] > 20, "{seen:?}");
    }
}
