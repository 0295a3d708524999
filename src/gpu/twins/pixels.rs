//! Functions of the shaders that read pixels and words of bits.

use bytemuck::Zeroable;

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{MAX_ANCHOR, MAX_COORDINATE, MAX_RADIUS, Point};
use crate::ground::linear::SCALE_BITS;
use crate::ground::predicate::{Core, meets};
use crate::world::packed::{Body, Shape};
use crate::world::pieces::{land_corner, part_radius};
use crate::world::pose::texel::{sample, texel_under};

use super::family::{ATLAS, Family};
use super::input::{Input, clamp};
use super::twin::Twin;

/// Widths and heights of masks for which [`ATLAS`] has room, among them the largest.
const MASKS: [[i32; 2]; 6] = [[1, 1], [5, 3], [33, 7], [64, 64], [8192, 8], [64, 8192]];

/// Brings an input of [`sample`] into its range: position and anchor, the linear part, the pixel, and the fields of a
/// mask's shape.
fn fit_sample(v: &mut [u32]) {
    let choice = v[10];
    clamp(&mut v[..2], MAX_COORDINATE);
    clamp(&mut v[2..4], MAX_ANCHOR);
    clamp(&mut v[4..8], 64 << 16);
    for axis in 0..2 {
        let here = Input(v).int(axis) >> 8;
        let by = Input(v).int(8 + axis);
        // Usually pick a pixel where something may be painted.
        let at = match choice & 3 {
            0 => by.clamp(-(1 << 21), 1 << 21),
            1 => here + by % (1 << 14),
            _ => here + by % 50,
        };
        v[8 + axis] = at as u32;
        if choice & 4 == 0 {
            v[2 + axis] = (Input(v).int(2 + axis) % (1 << 14)) as u32;
            // Limit the scale to a factor of two, either way.
            (4..8).for_each(|k| v[k] = (Input(v).int(k) % (1 << 17)) as u32);
        }
    }
    let size = MASKS[(choice >> 3) as usize % MASKS.len()];
    let stride = (size[0] as u32).div_ceil(64) * 2;
    let first = if size[1] == 8192 { 0 } else { (choice >> 8) % 1000 * 2 };
    v[10..14].copy_from_slice(&[first, stride, size[0] as u32, size[1] as u32]);
}

/// Returns the sprite of an input of [`sample`].
fn sprite(v: Input<'_>) -> (Body, Shape) {
    let body = Body { position: v.point(0), linear: v.snapped(4), ..Body::zeroed() };
    let shape =
        Shape { anchor: v.point(2), first: v.word(10), stride: v.word(11), size: v.point(12), ..Shape::zeroed() };
    (body, shape)
}

/// Brings words into an input of `run`: the words that `core_a` and `touch` read, with a pixel in place of the sweep,
/// the bits in word 16, and behind them the sweep and the neighbours that are joined. The piece lies near the pixels to
/// the right, usually aligned to them.
fn fit_covered(v: &mut [u32]) {
    let choice = v[0];
    v[0] = (choice % 6 + 1) | ((choice >> 4 & 1) << 8);
    v[1] = if choice & 32 == 0 { 0 } else { v[1] % 1000 };
    clamp(&mut v[2..4], (MAX_COORDINATE >> 8) - 100);
    let grid = [1, 128, 256][(choice >> 6) as usize % 3];
    for k in 4..16 {
        let reach = [11_000, 600][k % 2];
        v[k] = (Input(v).int(2 + k % 2) * 256 + Input(v).int(k) % reach / grid * grid) as u32;
    }
    for k in 17..21 {
        v[k] = if choice & 512 == 0 { 0 } else { (Input(v).int(k) % 3000) as u32 };
    }
    v[21] %= 2;
    v[22] %= 2;
}

/// Returns the pixels of an input of `run` whose squares hit, tested one by one.
fn covered(v: Input<'_>) -> u32 {
    let bits = v.word(16);
    let hits = |k: u32| {
        let min = Point::new((v.int(2) + k as i32) * 256, v.int(3) * 256) - v.point(17);
        let before = Point::new(256 * v.int(21), 256 * v.int(22));
        let square = Core::Square(Aabb { min: min - before, max: min + Point::new(256, 256) });
        meets(v.core_a(), square, v.point(19), v.int(1), v.touch())
    };
    (bits.trailing_zeros()..32 - bits.leading_zeros()).map(|k| u32::from(hits(k)) << k).sum()
}

/// Returns 32 bits of rows of words from bit `(int(3), int(4))` on, read bit by bit.
fn window(v: Input<'_>, rows: &[u32]) -> u32 {
    let [stride, height, x, y] = [1, 2, 3, 4].map(|k| i64::from(v.int(k)));
    let bit = |x: i64| {
        let inside = (0..32 * stride).contains(&x) && (0..height).contains(&y);
        u32::from(inside && rows[(y * stride + x / 32) as usize] >> (x % 32) & 1 == 1)
    };
    (0..32).map(|k| bit(x + k) << k).sum()
}

/// Brings an input of [`window`] into its range: rows that fit into the words behind it, and usually a place inside
/// them.
fn fit_window(v: &mut [u32]) {
    let choice = v[0];
    v[0] %= 1000;
    v[1] = v[1] % 6 + 1;
    v[2] = v[2] % 4 + 1;
    if choice & 3 != 0 {
        v[3] = (Input(v).int(3) % 250) as u32;
        v[4] = v[4] % 6 - u32::from(v[4] % 6 > 4);
    }
}

/// Returns the function that lands a corner of a box.
fn corner(last: bool) -> Twin {
    let wgsl = format!("land_corner(point(0), Aabb(point(2), point(4)), {last})");
    let land = move |v: Input<'_>| land_corner([v.int(0), v.int(1)], &Aabb { min: v.point(2), max: v.point(4) }, last);
    Twin::new("land_corner", 6, &wgsl, land).fit(|v| {
        clamp(&mut v[..2], 127 << 24);
        clamp(&mut v[2..], 1 << 30);
    })
}

/// Returns functions on painted pixels, on words of bits, and on the corners of boxes over pieces.
pub(in crate::gpu) fn pixels() -> Family {
    let row = |name: &str, k: u32| format!("{name}(point(0), point({}), int({}), point(8))", 4 + 2 * k, 2 + k);
    let under = |name: &str| [0, 1].map(|k| row(name, k)).join(", ");
    let body = "Body(point(0), vec2<i32>(), Snapped(point(4), point(6)), Aabb(), 0, 0, 0, 0, 0, 0, 0, 0)";
    let shape = "Shape(word(10), word(11), 0, 0, point(12), point(2), Aabb(), 0, 0, 0, 0)";
    let twins = vec![
        Twin::new("texel_under", 14, &format!("Normal({})", under("texel_under")), |v| {
            let (body, shape) = sprite(v);
            texel_under(&body, &shape, v.int(8), v.int(9))
        })
        .fit(fit_sample),
        Twin::new("texel_near", 14, &format!("vec2<i32>({})", under("texel_near")), |v| {
            let (body, shape) = sprite(v);
            // If a coordinate does not fit, its low word is still equal.
            let [u, v] = texel_under(&body, &shape, v.int(8), v.int(9)).map(|coordinate| coordinate as i32);
            Point::new(u, v)
        })
        .fit(fit_sample),
        Twin::new("sample", 14, &format!("sample({body}, {shape}, point(8))"), |v| {
            let (body, shape) = sprite(v);
            // The host's words are twice as wide.
            sample(&ATLAS, &body, &shape, v.int(8), v.int(9)) as u32
        })
        .fit(fit_sample),
        Twin::new("low_bits", 1, "low_bits(int(0))", |v| ((1_u64 << v.word(0).min(32)) - 1) as u32).fit(|v| v[0] >>= 1),
        Twin::new("bit_sum", 1, "bit_sum(word(0))", |v| (0..32).filter(|k| v.word(0) >> k & 1 == 1).sum::<i32>()),
        Twin::new("squares", 4, "squares(Aabb(point(0), point(2)))", |v| {
            let pixel = |p: Point| Point::new(p.x.div_euclid(256), p.y.div_euclid(256));
            let one = Point::new(1, 1);
            Aabb { min: pixel(v.point(0) - one), max: pixel(v.point(2)) + one }
        })
        .fit(|v| clamp(v, 1 << 30)),
        Twin::new(
            "run",
            23,
            "run(core_a(), Sweep(point(17), point(19)), int(1), point(2), word(16), point(21), touch())",
            covered,
        )
        .fit(fit_covered),
        Twin::new("window", 32, "window(true, start + 8, word(1), int(2), point(3))", |v| window(v, &v.0[8..]))
            .fit(fit_window),
        Twin::new("window", 5, "window(false, word(0), word(1), int(2), point(3))", |v| {
            window(v, &ATLAS.halves()[v.word(0) as usize..])
        })
        .fit(fit_window),
        corner(false),
        corner(true),
        Twin::new("part_radius", 2, "part_radius(int(0), int(1))", |v| part_radius(v.int(0), v.int(1))).fit(|v| {
            v[0] %= (MAX_RADIUS + 1) as u32;
            v[1] %= 180 << SCALE_BITS;
        }),
    ];
    Family { files: &["// needs: pair_mixed"], twins, ..Family::default() }
}
