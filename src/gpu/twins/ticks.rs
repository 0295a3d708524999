//! Functions of `shaders/shared/ticks.wgsl`: how bodies move within a step.

use crate::ground::lattice::{MAX_COORDINATE, MAX_MOTION};
use crate::ground::ticks::{TICKS, Walk, come, offset, ticks_within};

use super::answer::Answer;
use super::family::Family;
use super::input::{Input, clamp, fit_body};
use super::twin::Twin;

/// Brings a motion into its range, usually a slow one; then a place in the world, and a tick.
fn fit_walk(v: &mut [u32]) {
    clamp(&mut v[..2], MAX_MOTION);
    for k in 0..2 {
        if v[k] & 3 > 0 {
            v[k] = (Input(v).int(k) % 3000) as u32;
        }
    }
    clamp(&mut v[2..4], MAX_COORDINATE);
    v[4] %= TICKS + 1;
}

/// Advances a walk by some edges.
fn walk_on(mut walk: Walk, edges: u32) -> u128 {
    for _ in 0..edges {
        if walk.next() <= TICKS {
            walk.cross(walk.next());
        }
    }
    walk.at.bits() | walk.tick.bits() << 64 | walk.next().bits() << 96
}

/// Returns the functions that move bodies by ticks.
pub(in crate::gpu) fn motion() -> Family {
    let twins = vec![
        Twin::new("come", 3, "come(point(0), word(2))", |v| come(v.point(0), v.word(2))).fit(|v| {
            clamp(&mut v[..2], 2 * MAX_MOTION);
            v[2] %= TICKS + 1;
        }),
        Twin::new("offset", 5, "offset(point(2), point(0), word(4))", |v| offset(v.point(2), v.point(0), v.word(4)))
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
            clamp(&mut v[..1], 2 * MAX_MOTION);
            let way = (2 * Input(v).int(0)).unsigned_abs() as i32 + 2;
            for k in 1..3 {
                if v[k] & 3 > 0 {
                    v[k] = (Input(v).int(k) % way) as u32;
                }
            }
        }),
        // Start at the tick in word 4 and advance by some edges.
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
    ];
    Family { twins, ..Family::default() }
}
