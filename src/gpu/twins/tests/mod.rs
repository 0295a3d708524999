//! The functions of the shaders against their twins on the host, one by one, on a million inputs each, to the last bit.

mod harness;

use bytemuck::Zeroable;
use rayon::prelude::*;

use crate::geometry::{Aabb, Point};
use crate::gpu::modules;
use crate::ground::lattice::{ANCHOR, MOTION, WORLD};
use crate::ground::linear::Snapped;
use crate::ground::predicate::{Core, apart, first_contact, meets};
use crate::ground::ticks::{TICKS, Walk, come, offset, ticks_within};
use crate::world::packed::{Body, Shape};
use crate::world::pose::land::{bound, core};
use crate::world::pose::texel::{sample, texel_under};
use crate::{Touch, reference};

use super::answer::Answer;
use super::cores::{WORDS, fill, has_area, parts};
use super::input::{Input, clamp, touch};
use super::twin::Twin;
use super::wide::wide_integers;
use harness::{ATLAS, CASES, Device, Files, NO_MORE, check, inputs};

#[test]
fn wide_integers_are_those_of_the_host() {
    check(&NO_MORE, wide_integers());
}

#[test]
fn parts_of_the_predicate() {
    check(&NO_MORE, parts());
}

/// Whether two cores hit, by the definition.
fn reference_meets(v: Input<'_>) -> bool {
    let wide = |p: Point| [p.x.into(), p.y.into()];
    let vertices = |core: Core<'_>| match core {
        Core::Hull(vertices) => vertices.iter().copied().map(wide).collect(),
        Core::Square(Aabb { min, max }) => {
            let [[x0, y0], [x1, y1]] = [wide(min), wide(max)];
            vec![[x0, y0], [x1, y0], [x1, y1], [x0, y1]]
        }
    };
    let [dx, dy] = wide(v.point(2));
    let swept = reference::hull(vertices(v.core_a()).into_iter().flat_map(|[x, y]| [[x, y], [x + dx, y + dy]]));
    let still = reference::hull(vertices(v.core_b()).into_iter());
    reference::cores_meet(&swept, &still, v.int(1).into(), v.touch())
}

#[test]
fn cores() {
    let device = Device::new();
    let wgsl = "first_contact(core_a(), core_b(), point(2), int(1), touch(), false)";
    let twin = Twin::new("first_contact", WORDS, wgsl, |v| {
        first_contact(v.core_a(), v.core_b(), v.point(2), v.int(1), v.touch()).unwrap_or(u32::MAX)
    })
    .fill(fill);
    let inputs = inputs(&twin);
    let buffer = device.upload(&inputs);
    let check = |twin: Twin| device.check(twin, &NO_MORE, &inputs, &buffer);

    let times = check(twin);
    check(has_area());
    check(Twin::new("find_apart", WORDS, "find()", |v| {
        let (a, b, sweep, radius) = (v.core_a(), v.core_b(), v.point(2), v.int(1));
        let open = radius == 0 && v.touch() == Touch::Excluded;
        // Without areas, this is no question that may be asked.
        let askable = !open || (a.has_area(sweep) && b.has_area(Point::ZERO));
        if askable { apart(a, b, sweep, radius, v.touch()) } else { None }
    }));
    let hits = check(Twin::new("meets", WORDS, "meets(core_a(), core_b(), point(2), int(1), touch())", |v| {
        meets(v.core_a(), v.core_b(), v.point(2), v.int(1), v.touch())
    }));

    let wrong =
        inputs.par_chunks_exact(WORDS).zip(&hits).find_first(|(v, hit)| reference_meets(Input(v)).bits() != **hit);
    assert_eq!(wrong, None, "the predicate and the reference differ");
    // That the inputs ask something: many hit and many do not, many only by touch, many on the way.
    let other_touch = |v: &[u32]| {
        let v = Input(v);
        let other = if v.touch() == Touch::Excluded { Touch::Included } else { Touch::Excluded };
        meets(v.core_a(), v.core_b(), v.point(2), v.int(1), other)
    };
    let touching = inputs.par_chunks_exact(WORDS).zip(&hits).filter(|(v, hit)| other_touch(v).bits() != **hit).count();
    let on_the_way = times.iter().filter(|&&k| 0 < k && k <= 1 << 16).count();
    let hit = hits.iter().filter(|&&hit| hit == 1).count();
    let counts = [hit, CASES - hit, touching, on_the_way];
    assert!(counts.iter().all(|&count| count > CASES / 20), "hit, not, touching, on the way: {counts:?}");
}

/// Brings a motion into its range, most often a slow one; then a place in the world, and a tick.
fn fit_walk(v: &mut [u32]) {
    clamp(&mut v[..2], MOTION);
    for k in 0..2 {
        if v[k] & 3 > 0 {
            v[k] = (Input(v).int(k) % 3000) as u32;
        }
    }
    clamp(&mut v[2..4], WORLD);
    v[4] %= TICKS + 1;
}

/// A walk on by some edges.
fn walk_on(mut walk: Walk, edges: u32) -> u128 {
    for _ in 0..edges {
        if walk.next() <= TICKS {
            walk.cross(walk.next());
        }
    }
    walk.at.bits() | walk.tick.bits() << 64 | walk.next().bits() << 96
}

/// Brings bodies into the world.
fn fit_body(v: &mut [u32]) {
    clamp(&mut v[..2], WORLD);
    clamp(&mut v[2..4], MOTION);
    clamp(&mut v[8..12], WORLD);
}

#[test]
fn motion_by_ticks() {
    check(
        &NO_MORE,
        vec![
            Twin::new("come", 3, "come(point(0), word(2))", |v| come(v.point(0), v.word(2))).fit(|v| {
                clamp(&mut v[..2], 2 * MOTION);
                v[2] %= TICKS + 1;
            }),
            Twin::new("offset", 5, "offset(point(2), point(0), word(4))", |v| {
                offset(v.point(2), v.point(0), v.word(4))
            })
            .fit(fit_walk),
            Twin::new("divide", 3, "word_pair(divide(word(0), word(1), word(2)))", |v| {
                let all = (u64::from(v.word(0)) << 24) + u64::from(v.word(1));
                let by = u64::from(v.word(2));
                (all / by) | ((all % by) << 32)
            })
            .fit(|v| {
                v[2] = v[2] % (1 << 26) + 1;
                v[1] %= 1 << 24;
                v[0] %= v[2].min(1 << 20);
            }),
            Twin::new("ticks_within", 3, "word_two(ticks_within(int(0), int(1), int(2)))", |v| {
                let [first, end] = ticks_within(v.int(0), v.int(1), v.int(2));
                u64::from(first) | u64::from(end) << 32
            })
            .fit(|v| {
                clamp(&mut v[..1], 2 * MOTION);
                let way = (2 * Input(v).int(0)).unsigned_abs() as i32 + 2;
                for k in 1..3 {
                    if v[k] & 3 > 0 {
                        v[k] = (Input(v).int(k) % way) as u32;
                    }
                }
            }),
            // Some edges on from tick word 4.
            Twin::new("walk_at", 6, "walk_on(walk_at(point(2), point(0), word(4)), word(5))", |v| {
                walk_on(Walk::from(v.point(2), v.point(0), v.word(4)), v.word(5))
            })
            .fit(|v| {
                fit_walk(v);
                v[5] %= if v[5] % 1024 == 777 { 1000 } else { 8 };
            }),
            Twin::new("end_shift", 20, "end_of(end_shift(body()))", |v| {
                let shift = v.body().end_shift();
                shift.map_or(0, |by| by.bits() | 1 << 64)
            })
            .fit(fit_body),
        ],
    );
}

#[test]
fn landing_and_bounds() {
    let land_along = |v: Input<'_>| {
        let row = [v.int(0), v.int(1)];
        let mut landed = [Point::ZERO];
        core(&Body { linear: Snapped { x: row, y: row }, ..Body::zeroed() }, &[v.point(2)], &mut landed);
        landed[0].x
    };
    let meet = |closed: u32| {
        let wgsl = format!("bounds_meet(Aabb(point(0), point(2)), Aabb(point(4), point(6)), {closed})");
        Twin::new("bounds_meet", 8, &wgsl, move |v| {
            let [a, b] = [0, 4].map(|k| Aabb { min: v.point(k), max: v.point(k + 2) });
            a.meets(&b, touch(closed))
        })
    };
    check(
        &Files {
            texts: &[
                modules::BODIES,
                modules::FLAGS,
                modules::TILE,
                include_str!("../../../../shaders/stages/land.wgsl"),
            ],
            write_landed: true,
        },
        vec![
            Twin::new("land_along", 4, "land_along(point(0), point(2))", land_along)
                .fit(|v| clamp(&mut v[..2], 127 << 24)),
            Twin::new("bound", 20, "bound(body())", |v| {
                let body = v.body();
                if body.is_absent() { Aabb::NOWHERE } else { bound(&body) }
            })
            .fit(fit_body),
            Twin::new("sees", 6, "sees(filter_at(0), filter_at(3))", |v| v.filter(0).sees(&v.filter(3))),
            meet(0),
            meet(1),
        ],
    );
}

/// Widths and heights of masks, among them the largest, that [`ATLAS`] has room for.
const MASKS: [[i32; 2]; 6] = [[1, 1], [5, 3], [33, 7], [64, 64], [8192, 8], [64, 8192]];

/// Brings an input of [`sample`] into its range: position and anchor, the linear part, the pixel, and what a mask's
/// shape says.
fn fit_sample(v: &mut [u32]) {
    let choice = v[10];
    clamp(&mut v[..2], WORLD);
    clamp(&mut v[2..4], ANCHOR);
    clamp(&mut v[4..8], 64 << 16);
    for axis in 0..2 {
        let here = Input(v).int(axis) >> 8;
        let by = Input(v).int(8 + axis);
        // Most often where something may be painted.
        let at = match choice & 3 {
            0 => by.clamp(-(1 << 21), 1 << 21),
            1 => here + by % (1 << 14),
            _ => here + by % 50,
        };
        v[8 + axis] = at as u32;
        if choice & 4 == 0 {
            v[2 + axis] = (Input(v).int(2 + axis) % (1 << 14)) as u32;
            // At most twofold, either way.
            (4..8).for_each(|k| v[k] = (Input(v).int(k) % (1 << 17)) as u32);
        }
    }
    let size = MASKS[(choice >> 3) as usize % MASKS.len()];
    let stride = (size[0] as u32).div_ceil(64) * 2;
    let first = if size[1] == 8192 { 0 } else { (choice >> 8) % 1000 * 2 };
    v[10..14].copy_from_slice(&[first, stride, size[0] as u32, size[1] as u32]);
}

/// The sprite of an input of [`sample`].
fn sprite(v: Input<'_>) -> (Body, Shape) {
    let body = Body { position: v.point(0), linear: v.snapped(4), ..Body::zeroed() };
    let shape =
        Shape { anchor: v.point(2), first: v.word(10), stride: v.word(11), size: v.point(12), ..Shape::zeroed() };
    (body, shape)
}

/// Brings words into an input of `run`: what `core_a` and `touch` read, with a pixel in place of the sweep, and in word
/// 16 the bits, behind them where the piece goes. The piece lies near the pixels to the right, most often aligned to
/// them.
fn fit_covered(v: &mut [u32]) {
    let choice = v[0];
    v[0] = (choice % 6 + 1) | ((choice >> 4 & 1) << 8);
    v[1] = if choice & 32 == 0 { 0 } else { v[1] % 1000 };
    clamp(&mut v[2..4], (WORLD >> 8) - 100);
    let grid = [1, 128, 256][(choice >> 6) as usize % 3];
    for k in 4..16 {
        let reach = [11_000, 600][k % 2];
        v[k] = (Input(v).int(2 + k % 2) * 256 + Input(v).int(k) % reach / grid * grid) as u32;
    }
    for k in 17..21 {
        v[k] = if choice & 512 == 0 { 0 } else { (Input(v).int(k) % 3000) as u32 };
    }
}

/// The pixels of an input of `run` whose squares hit, one by one.
fn covered(v: Input<'_>) -> u32 {
    let bits = v.word(16);
    let hits = |k: u32| {
        let min = Point::new((v.int(2) + k as i32) * 256, v.int(3) * 256) - v.point(17);
        let square = Core::Square(Aabb { min, max: min + Point::new(256, 256) });
        meets(v.core_a(), square, v.point(19), v.int(1), v.touch())
    };
    (bits.trailing_zeros()..32 - bits.leading_zeros()).map(|k| u32::from(hits(k)) << k).sum()
}

/// 32 bits of rows of words from bit `(int(3), int(4))` on, bit by bit.
fn window(v: Input<'_>, rows: &[u32]) -> u32 {
    let [stride, height, x, y] = [1, 2, 3, 4].map(|k| i64::from(v.int(k)));
    let bit = |x: i64| {
        let inside = (0..32 * stride).contains(&x) && (0..height).contains(&y);
        u32::from(inside && rows[(y * stride + x / 32) as usize] >> (x % 32) & 1 == 1)
    };
    (0..32).map(|k| bit(x + k) << k).sum()
}

/// Brings an input of [`window`] into its range: rows that fit into the words behind it, and most often a place in
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

#[test]
fn pixels() {
    let row = |k: u32| format!("texel_under(point(0), point({}), int({}), point(8))", 4 + 2 * k, 2 + k);
    let body = "Body(point(0), vec2<i32>(), Snapped(point(4), point(6)), Aabb(), 0, 0, 0, 0, 0, 0, 0, 0)";
    let shape = "Shape(word(10), word(11), 0, 0, point(12), point(2))";
    check(
        &Files {
            texts: &[
                modules::BODIES,
                modules::SAMPLE,
                modules::WORDS,
                modules::VIEW,
                modules::PIXELS,
                modules::COVERED,
                modules::SEEN,
                modules::COURSE,
                modules::MIXED,
                modules::LOOK,
                modules::GATHER,
                modules::PROGRESS,
                modules::SPRITE_PAIR,
                modules::PAIR_MIXED,
            ],
            write_landed: false,
        },
        vec![
            Twin::new("texel_under", 14, &format!("Normal({}, {})", row(0), row(1)), |v| {
                let (body, shape) = sprite(v);
                texel_under(&body, &shape, v.int(8), v.int(9))
            })
            .fit(fit_sample),
            Twin::new("sample", 14, &format!("sample({body}, {shape}, point(8))"), |v| {
                let (body, shape) = sprite(v);
                // The host's words are twice as wide.
                sample(&ATLAS, &body, &shape, v.int(8), v.int(9)) as u32
            })
            .fit(fit_sample),
            Twin::new("low_bits", 1, "low_bits(int(0))", |v| ((1_u64 << v.word(0).min(32)) - 1) as u32)
                .fit(|v| v[0] >>= 1),
            Twin::new("bit_sum", 1, "bit_sum(word(0))", |v| (0..32).filter(|k| v.word(0) >> k & 1 == 1).sum::<i32>()),
            Twin::new("squares", 4, "squares(Aabb(point(0), point(2)))", |v| {
                let pixel = |p: Point| Point::new(p.x.div_euclid(256), p.y.div_euclid(256));
                let one = Point::new(1, 1);
                Aabb { min: pixel(v.point(0) - one), max: pixel(v.point(2)) + one }
            })
            .fit(|v| clamp(v, 1 << 30)),
            Twin::new(
                "run",
                21,
                "run(core_a(), Sweep(point(17), point(19)), int(1), point(2), word(16), touch())",
                covered,
            )
            .fit(fit_covered),
            Twin::new("window", 32, "window(true, start + 8, word(1), int(2), point(3))", |v| window(v, &v.0[8..]))
                .fit(fit_window),
            Twin::new("window", 5, "window(false, word(0), word(1), int(2), point(3))", |v| {
                window(v, &ATLAS.halves()[v.word(0) as usize..])
            })
            .fit(fit_window),
        ],
    );
}
