//! Functions of `shaders/shared/double.wgsl`, `linear.wgsl` and `stream.wgsl`, which the host computes in `f64`.

use crate::ground::aabb::Aabb;
use crate::ground::lattice::{MAX_ANCHOR, Point};
use crate::ground::linear::{Linear, MAX_LINEAR, Snapped};
use crate::world::pose::extent::turned_extent;

use super::answer::Answer;
use super::family::Family;
use super::input::{Input, Random};
use super::twin::{LANDED, Twin};

/// WGSL that reads binary64 numbers from words and turns them back into words.
const BITS: &str = "
// needs: double, linear, stream, types

fn double(k: u32) -> Double {
    return double_of_bits(vec2<u32>(word(k), word(k + 1u)));
}

fn of_double(v: Double) -> vec4<u32> {
    return vec4<u32>(double_bits(v), 0u, 0u);
}

fn linear() -> Linear {
    return Linear(double(0u), double(2u), double(4u), double(6u));
}

fn of_snap(v: Snap) -> vec4<u32> {
    return vec4<u32>(bitcast<u32>(v.at), u32(v.yes), 0u, 0u);
}

fn of_snapped(v: Snapped) -> vec4<u32> {
    return bitcast<vec4<u32>>(vec4<i32>(v.x, v.y));
}

fn of_inverse(v: Inverse) -> vec4<u32> {
    return select(vec4<u32>(0x80000000u), of_snapped(v.rows), v.yes);
}

fn of_extent(v: Extent) -> vec4<u32> {
    return select(vec4<u32>(0x80000000u), of_box(v.at), v.yes);
}
";

/// The answer `None`; no answered number is this large.
const NONE: u128 = 0x8000_0000_8000_0000_8000_0000_8000_0000;

impl Answer for f64 {
    const WGSL: &str = "of_double";
    fn bits(self) -> u128 {
        // Map both zeros to one.
        u128::from((self + 0.0).to_bits())
    }
}

impl Answer for Snapped {
    const WGSL: &str = "of_snapped";
    fn bits(self) -> u128 {
        bytemuck::cast(self)
    }
}

/// A number on a lattice, if it is small enough.
struct Snap(Option<i32>);

impl Answer for Snap {
    const WGSL: &str = "of_snap";
    fn bits(self) -> u128 {
        self.0.map_or(0, |at| u128::from(at as u32) | 1 << 32)
    }
}

/// An inverse, if there is one.
struct Inverse(Option<Snapped>);

impl Answer for Inverse {
    const WGSL: &str = "of_inverse";
    fn bits(self) -> u128 {
        self.0.map_or(NONE, Answer::bits)
    }
}

/// An extent, if it fits into the world.
struct Extent(Option<Aabb>);

impl Answer for Extent {
    const WGSL: &str = "of_extent";
    fn bits(self) -> u128 {
        self.0.map_or(NONE, Answer::bits)
    }
}

impl Input<'_> {
    fn double(self, k: usize) -> f64 {
        f64::from_bits(self.long(k) as u64)
    }

    fn linear(self) -> Linear {
        Linear { x: [self.double(0), self.double(2)], y: [self.double(4), self.double(6)] }
    }
}

/// Makes numbers of similar size, so that sums round in every way, some of them with few digits.
fn fill_doubles(random: &mut Random, v: &mut [u32]) {
    let base = random.within(1023 - 300, 1023 + 300);
    for pair in v.chunks_exact_mut(2) {
        let digits = match random.below(4) {
            0 => 0,
            1 => (1 << 52) - 1,
            2 => random.next() >> 12 & !0 << random.below(52),
            _ => random.next() >> 12,
        };
        let exponent = (base + random.of(&[0, 0, 1, -1, 2, 10, -40, 53, 54, -55, 64, -70, 100, 130])) as u64;
        let bits = (random.next() & 1) << 63 | exponent << 52 | digits;
        let bits = if random.below(16) == 0 { 0 } else { bits };
        (pair[0], pair[1]) = (bits as u32, (bits >> 32) as u32);
    }
}

/// Makes numbers that come near an integer when snapped to some bits.
fn fit_to_snap(v: &mut [u32]) {
    let at = f64::from(v[0] as i32) / 512.0;
    let near = f64::from_bits(at.to_bits().wrapping_add_signed(i64::from(v[1] as i32 % 3)));
    let near = if near.is_normal() { near } else { 0.0 };
    (v[0], v[1]) = (near.to_bits() as u32, (near.to_bits() >> 32) as u32);
}

/// Makes numbers within the range of `f32`, many of them halfway between two of these.
fn fill_singles(random: &mut Random, v: &mut [u32]) {
    let near = random.of(&[0, 1, -1, 1 << 28, -(1 << 28)]);
    let single = f32::from_bits(random.word() & 0x807F_FFFF | (random.within(64, 190) as u32) << 23);
    let bits = f64::from(single).to_bits().wrapping_add_signed(near);
    let bits = if random.below(16) == 0 { 0 } else { bits };
    (v[0], v[1]) = (bits as u32, (bits >> 32) as u32);
}

/// Makes linear parts like those of games: turned and scaled, sheared, flipped, flat, or arbitrary; mostly from `f32`.
fn fill_linear(random: &mut Random, v: &mut [u32]) {
    let mut unit = || f64::from(random.within(-1 << 24, 1 << 24)) / f64::from(1 << 24);
    let (angle, scale, any) = (unit() * 4.0, unit() * 127.0, [unit(), unit(), unit(), unit()].map(|v| v * 127.0));
    let [sin, cos] = [angle.sin() * scale, angle.cos() * scale];
    let entries = match random.below(8) {
        0 | 1 => [cos, -sin, sin, cos],
        2 => [cos, sin, sin, -cos],
        3 => [sin, -sin / 64.0, cos / 128.0, cos],
        4 => [any[0], any[1], any[0] * 2.0, any[1] * 2.0],
        5 => [random.of(&[1.0, -1.0, 2.0, 0.0, 0.5]), 0.0, 0.0, random.of(&[1.0, -1.0, 0.015_625, 1e-6])],
        _ => any,
    };
    let singles = random.below(4) > 0;
    for (pair, entry) in v.chunks_exact_mut(2).zip(entries) {
        let entry = if singles { f64::from(entry as f32) } else { entry };
        let entry = if entry.abs() > MAX_LINEAR { MAX_LINEAR } else { entry };
        let bits = if entry.is_normal() { entry.to_bits() } else { 0 };
        (pair[0], pair[1]) = (bits as u32, (bits >> 32) as u32);
    }
}

/// Returns functions on binary64 numbers, and those built on them.
pub(in crate::gpu) fn doubles() -> Family {
    let binary = |name, wgsl: &str, host: fn(f64, f64) -> f64| {
        Twin::new(name, 4, wgsl, move |v| host(v.double(0), v.double(2))).fill(fill_doubles)
    };
    let finite = |v: &mut [u32]| v[0] = if f32::from_bits(v[0]).is_finite() { v[0] } else { v[0] & 0xBF7F_FFFF };
    let divisible = |random: &mut Random, v: &mut [u32]| {
        fill_doubles(random, v);
        v[3] |= 0x3FF0_0000 & if v[2] == 0 && v[3] == 0 { u32::MAX } else { 0 };
    };
    let twins = vec![
        binary("double_add", "double_add(double(0u), double(2u))", |a, b| a + b),
        binary("double_sub", "double_sub(double(0u), double(2u))", |a, b| a - b),
        binary("double_mul", "double_mul(double(0u), double(2u))", |a, b| a * b),
        Twin::new("double_div", 4, "double_div(double(0u), double(2u))", |v| v.double(0) / v.double(2)).fill(divisible),
        Twin::new("double_sqrt", 2, "double_sqrt(double(0u))", |v| v.double(0).sqrt()).fill(|random, v| {
            fill_doubles(random, v);
            v[1] &= 0x7FFF_FFFF;
        }),
        Twin::new("double_less", 4, "double_less(double(0u), double(2u))", |v| v.double(0) < v.double(2))
            .fill(fill_doubles),
        Twin::new("double_is_nearer", 4, "double_is_nearer(double(0u), double(2u))", |v| {
            v.double(0).abs() < v.double(2).abs()
        })
        .fill(fill_doubles),
        Twin::new("double_of_int", 1, "double_of_int(int(0u))", |v| f64::from(v.int(0))),
        Twin::new("double_of_single", 1, "double_of_single(word(0u))", |v| f64::from(f32::from_bits(v.word(0))))
            .fit(finite),
        Twin::new("double_floor", 2, "double_floor(double(0u))", |v| v.double(0).floor() as i32).fit(fit_to_snap),
        Twin::new("double_ceil", 2, "double_ceil(double(0u))", |v| v.double(0).ceil() as i32).fit(fit_to_snap),
        Twin::new("double_of_wide", 2, "double_of_wide(long(0u))", |v| v.long(0) as f64)
            .fit(|v| v[1] = if v[0] == 0 && v[1] == 1 << 31 { 0 } else { v[1] }),
        Twin::new("double_round", 2, "double_round(double(0u))", |v| v.double(0).round() as i32).fit(fit_to_snap),
        Twin::new("double_to_single", 2, "double_to_single(double(0u))", |v| (v.double(0) as f32 + 0.0).to_bits())
            .fill(fill_singles),
        Twin::new("double_snapped", 2, "double_snapped(double(0u), 7)", |v| {
            (v.double(0) * 128.0 + 0.5).floor().clamp(-2_147_483_647.0, 2_147_483_647.0) as i32
        })
        .fit(fit_to_snap),
        Twin::new("snapped_single", 2, "snapped_single(word(0u), int(1u))", |v| {
            let at = f64::from(f32::from_bits(v.word(0))) * f64::from(v.int(1)).exp2();
            Snap((at.abs() < f64::from(1 << 30)).then(|| (at + 0.5).floor() as i32))
        })
        .fit(|v| v[1] %= 25),
        Twin::new("snapped_linear", 8, "snapped_linear(linear())", |v| v.linear().snapped()).fill(fill_linear),
        Twin::new("linear_is_within", 8, "linear_is_within(linear())", |v| v.linear().check().is_ok())
            .fill(fill_doubles_near_limit),
        Twin::new("inverse", 8, "inverse(linear())", |v| Inverse(v.linear().inverse())).fill(fill_linear),
        Twin::new("snapped_scale", 8, "snapped_scale(scale_of(linear()))", |v| {
            v.linear().snapped_scale().unwrap_or(-1)
        })
        .fill(fill_linear),
        Twin::new("landed_radius", 9, "landed_radius(scale_of(linear()), int(8u))", |v| {
            v.linear().radius(v.int(8)).unwrap_or(-1)
        })
        .fill(|random, v| {
            fill_linear(random, &mut v[..8]);
            v[8] = random.within(1, 1 << 22) as u32;
        }),
        Twin::new(
            "turned_extent",
            10,
            "turned_extent(Snapped(point(0), point(2)), point(4), Aabb(point(6), point(8)))",
            |v| {
                let solid = Aabb { min: v.point(6), max: v.point(8) };
                Extent(turned_extent(v.snapped(0), v.point(4), solid))
            },
        )
        .fill(fill_extent),
    ];
    Family { files: &[LANDED, BITS], twins, ..Family::default() }
}

/// Makes entries close to the largest allowed.
fn fill_doubles_near_limit(random: &mut Random, v: &mut [u32]) {
    for pair in v.chunks_exact_mut(2) {
        let near = 127.0_f64.to_bits().wrapping_add_signed(random.of(&[0, -1, 1, -2, 0, -(1 << 50)]));
        let bits = near | (random.next() & 1) << 63;
        (pair[0], pair[1]) = (bits as u32, (bits >> 32) as u32);
    }
}

/// Makes inverses of linear parts, an anchor, and a box of texels.
fn fill_extent(random: &mut Random, v: &mut [u32]) {
    let inverse = loop {
        let mut words = [0; 8];
        fill_linear(random, &mut words);
        if let Some(inverse) = Input(&words).linear().inverse() {
            break inverse;
        }
    };
    v[..4].copy_from_slice(&bytemuck::cast::<_, [u32; 4]>(inverse));
    let most = random.of(&[64, 1 << 12, MAX_ANCHOR]);
    let [x, y] = [0; 2].map(|_: i32| random.within(-most, most));
    let far = random.of(&[3, 8191]);
    let low = [0; 2].map(|_: i32| random.within(0, far));
    let at = Aabb { min: Point::new(low[0], low[1]), max: Point::new(random.within(low[0] + 1, 8192), low[1] + 1) };
    v[4..6].copy_from_slice(&[x as u32, y as u32]);
    v[6..].copy_from_slice(&bytemuck::cast::<_, [u32; 4]>(at));
}
