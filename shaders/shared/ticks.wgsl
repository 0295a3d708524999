// Motion within a step, by ticks; twin of src/ground/ticks.rs, which explains it. There x and y are separate, and
// divisions use 64-bit numbers.

// needs: types

// The number of ticks of a step.
const TICKS: u32 = 65536u;

// The tick of pairs that do not hit.
const NEVER: u32 = 0xFFFFFFFFu;

// Returns how far a motion has come by a tick, along an axis: floor((k m + 2^15) / 2^16). The halves of `m` are
// multiplied separately, so that each product fits 32 bits.
fn come_along(m: i32, k: u32) -> i32 {
    return (m >> 16u) * i32(k) + i32(((bitcast<u32>(m) & 0xFFFFu) * k + 0x8000u) >> 16u);
}

fn come(m: vec2<i32>, k: u32) -> vec2<i32> {
    return vec2<i32>(come_along(m.x, k), come_along(m.y, k));
}

// Returns how many pixels a sprite at `p` with the motion `m` is from its start at a tick.
fn offset(p: vec2<i32>, m: vec2<i32>, k: u32) -> vec2<i32> {
    return pixel(p + come(m, k)) - pixel(p);
}

// The state of a division.
struct Divided {
    quotient: u32,
    rest: u32,
}

// Continues a division by 6 bits. The divisor is at most 2^26.
fn divide_on(so_far: Divided, bits: u32, by: u32) -> Divided {
    let value = (so_far.rest << 6u) | (bits & 63u);
    return Divided((so_far.quotient << 6u) + value / by, value % by);
}

// Divides 2^24 `high` + `low` (`low` below 2^24) by at most 2^26; the quotient must fit a word.
fn divide(high: u32, low: u32, by: u32) -> Divided {
    var divided = Divided(high / by, high % by);
    divided = divide_on(divided, low >> 18u, by);
    divided = divide_on(divided, low >> 12u, by);
    divided = divide_on(divided, low >> 6u, by);
    return divide_on(divided, low, by);
}

// Returns the first tick at which a motion of `by` steps, more than 0, has come to `v` steps.
fn tick_to(v: i32, by: u32) -> u32 {
    if v <= 0 {
        return 0u;
    }
    if u32(v) > by {
        return TICKS + 1u;
    }
    // This is (2 v - 1) 2^15 / by, rounded up.
    let odd = 2u * u32(v) - 1u;
    let divided = divide(odd >> 9u, (odd & 511u) << 15u, by);
    return divided.quotient + u32(divided.rest > 0u);
}

// Returns the first tick at which a motion of `by` steps backward, more than 0, has come below `v`.
fn tick_below(v: i32, by: u32) -> u32 {
    if v > 0 {
        return 0u;
    }
    if u32(-v) >= by {
        return TICKS + 1u;
    }
    // This is (2 |v| + 1) 2^15 / by, rounded down, plus 1.
    let odd = 2u * u32(-v) + 1u;
    return divide(odd >> 9u, (odd & 511u) << 15u, by).quotient + 1u;
}

// Returns the ticks of a step at which a motion along one axis has come at least `least` and at most `most` steps: the
// first, and the one after the last; empty if there are none.
fn ticks_within(m: i32, least: i32, most: i32) -> vec2<u32> {
    // No motion comes further.
    let behind = min(most, 1 << 30u) + 1;
    if m == 0 {
        return vec2<u32>(0u, select(0u, TICKS + 1u, least <= 0 && 0 <= most));
    }
    if m > 0 {
        return vec2<u32>(tick_to(least, u32(m)), tick_to(behind, u32(m)));
    }
    return vec2<u32>(tick_below(behind, u32(-m)), tick_below(least, u32(-m)));
}

// How far two sprites may stray from the straight way to each other, in lattice steps: a pixel minus one step for each,
// and one step for rounded motions.
const SPRITES_STRAY: i32 = 2 * 255 + 1;

// How far a sprite may stray from the straight way to a convex body, in lattice steps: a pixel minus one step, a pixel
// between two unit steps of one tick, and two steps for rounded motions.
const MIXED_STRAY: i32 = 255 + 256 + 2;

// Returns the tick before the first at which a motion has come at least `least` and at most `most` steps in both x and
// y, and the first tick after all of these; both 0 if there are none.
fn ticks_near(motion: vec2<i32>, least: vec2<i32>, most: vec2<i32>) -> vec2<u32> {
    let x = ticks_within(motion.x, least.x, most.x);
    let y = ticks_within(motion.y, least.y, most.y);
    let first = max(x.x, y.x);
    let end = min(x.y, y.y);
    return select(vec2<u32>(0u, 0u), vec2<u32>(max(first, 1u) - 1u, end), first < end);
}

// The edges of a sprite along one axis, from some tick on: the ticks at which it moves to the next pixel.
struct Edges {
    // The tick of the next edge; beyond TICKS if there is none.
    next: u32,
    // The direction in which the sprite moves: -1, 0 or 1.
    sign: i32,
    // The remainder of the division that gave `next`.
    rest: u32,
    // 2^24 / |m|.
    quotient: u32,
    remainder: u32,
    // |m|.
    by: u32,
    // The tick of the previous edge, 0 if there is none.
    last: u32,
}

// Returns the edges of a sprite at `p` with the motion `m` after tick `k`, along one axis.
fn edges_behind(p: i32, m: i32, k: u32) -> Edges {
    if m == 0 {
        return Edges(TICKS + 1u, 0, 0u, 0u, 0u, 0u, 0u);
    }
    let by = u32(abs(m));
    let done = u32(abs(((p + come_along(m, k)) >> 8u) - (p >> 8u)));
    let phase = u32(p & 255);
    // This is below 2^24, as `divide` requires, because the phase is at most 255.
    let start = select((phase << 16u) + 0x8000u, 0xFFFFFFu - (phase << 16u) - 0x8000u, m > 0);
    let divided = divide(done, start, by);
    let quotient = (1u << 24u) / by;
    let remainder = (1u << 24u) % by;
    let last = select(0u, divided.quotient - quotient - u32(divided.rest < remainder) + 1u, done > 0u);
    return Edges(divided.quotient + 1u, sign(m), divided.rest, quotient, remainder, by, last);
}

// Moves on to the edge after the next.
fn pass_edge(edges: Edges) -> Edges {
    var passed = edges;
    passed.next += passed.quotient;
    passed.rest += passed.remainder;
    if passed.rest >= passed.by {
        passed.rest -= passed.by;
        passed.next += 1u;
    }
    return passed;
}

// The walk of a sprite within a step, from some tick on.
struct Walk {
    // The tick of its last edge.
    tick: u32,
    // The number of pixels from its start.
    at: vec2<i32>,
    x: Edges,
    y: Edges,
}

// Returns the walk of a sprite at `p` with the motion `m`, as it stands at tick `k`.
fn walk_at(p: vec2<i32>, m: vec2<i32>, k: u32) -> Walk {
    let x = edges_behind(p.x, m.x, k);
    let y = edges_behind(p.y, m.y, k);
    return Walk(max(x.last, y.last), offset(p, m, k), x, y);
}

// Returns the tick of the next edge; beyond TICKS if there is none.
fn next_edge(walk: Walk) -> u32 {
    return min(walk.x.next, walk.y.next);
}

// Moves on to a tick, which is not after the next edge. Returns the pixels by which the sprite moved.
fn cross_edges(walk: ptr<function, Walk>, tick: u32) -> vec2<i32> {
    var by = vec2<i32>(0, 0);
    if (*walk).x.next == tick {
        by.x = (*walk).x.sign;
        (*walk).x = pass_edge((*walk).x);
    }
    if (*walk).y.next == tick {
        by.y = (*walk).y.sign;
        (*walk).y = pass_edge((*walk).y);
    }
    if any(by != vec2<i32>(0, 0)) {
        (*walk).tick = tick;
        (*walk).at += by;
    }
    return by;
}

// Returns whether two sprites always move to the next pixel at the same ticks.
fn is_rigid(a: Body, b: Body) -> bool {
    return all(a.motion == b.motion) && all((a.position & vec2<i32>(255)) == (b.position & vec2<i32>(255)));
}

// How many pixels further right and down a sprite paints at the end of the step than at its start, and whether it
// paints the same there: a turned sprite that ends elsewhere within its pixel does not.
struct EndShift {
    same: bool,
    by: vec2<i32>,
}

fn end_shift(body: Body) -> EndShift {
    let end = at_end(body);
    let same = is(body, UNTURNED) || all((body.motion & vec2<i32>(255, 255)) == vec2<i32>(0, 0));
    return EndShift(same, sprite_pixels(end).min - sprite_pixels(body).min);
}

// Returns whether a sprite paints other pixels at its end than at the end of its walk.
fn ends_otherwise(body: Body) -> bool {
    if !is(body, SPRITE) || !moves(body) {
        return false;
    }
    let shift = end_shift(body);
    return !shift.same || any(shift.by != offset(body.position, body.motion, TICKS));
}
