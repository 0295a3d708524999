// Motion within a step, by ticks; twin of src/ground/ticks.rs, which explains it. There x and y are apart, and numbers
// have 64 bits where they are divided.

// The ticks of a step.
const TICKS: u32 = 65536u;

// The tick of pairs that do not hit.
const NEVER: u32 = 0xFFFFFFFFu;

// How far a motion has come by a tick, along an axis: floor((k m + 2^15) / 2^16). The high and the low half of `m`
// apart, so that no product is longer than 32 bits.
fn come_along(m: i32, k: u32) -> i32 {
    return (m >> 16u) * i32(k) + i32(((bitcast<u32>(m) & 0xFFFFu) * k + 0x8000u) >> 16u);
}

fn come(m: vec2<i32>, k: u32) -> vec2<i32> {
    return vec2<i32>(come_along(m.x, k), come_along(m.y, k));
}

// How many pixels a sprite at `p` with the motion `m` stands from its start at a tick.
fn offset(p: vec2<i32>, m: vec2<i32>, k: u32) -> vec2<i32> {
    return pixel(p + come(m, k)) - pixel(p);
}

// What is left of a division so far.
struct Divided {
    quotient: u32,
    rest: u32,
}

// Goes on by 6 bits. The divisor is at most 2^26.
fn divide_on(so_far: Divided, bits: u32, by: u32) -> Divided {
    let value = (so_far.rest << 6u) | (bits & 63u);
    return Divided((so_far.quotient << 6u) + value / by, value % by);
}

// Divides 2^24 `high` + `low`, `low` below 2^24, by at most 2^26, where the quotient fits a word.
fn divide(high: u32, low: u32, by: u32) -> Divided {
    var divided = Divided(high / by, high % by);
    divided = divide_on(divided, low >> 18u, by);
    divided = divide_on(divided, low >> 12u, by);
    divided = divide_on(divided, low >> 6u, by);
    return divide_on(divided, low, by);
}

// The first tick at which a motion of `by` steps, more than 0, has come to `v` steps.
fn tick_to(v: i32, by: u32) -> u32 {
    if v <= 0 {
        return 0u;
    }
    if u32(v) > by {
        return TICKS + 1u;
    }
    // (2 v - 1) 2^15 / by, rounded up.
    let odd = 2u * u32(v) - 1u;
    let divided = divide(odd >> 9u, (odd & 511u) << 15u, by);
    return divided.quotient + u32(divided.rest > 0u);
}

// The first tick at which a motion of `by` steps backward, more than 0, has come below `v`.
fn tick_below(v: i32, by: u32) -> u32 {
    if v > 0 {
        return 0u;
    }
    if u32(-v) >= by {
        return TICKS + 1u;
    }
    // (2 |v| + 1) 2^15 / by, rounded down, and the next.
    let odd = 2u * u32(-v) + 1u;
    return divide(odd >> 9u, (odd & 511u) << 15u, by).quotient + 1u;
}

// The ticks of a step at which a motion along one axis has come at least `least` steps and at most `most`, from the
// first to behind the last: empty where it never has.
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

// How far two sprites may stray from the straight way to each other, in lattice steps: a pixel less a step each, and
// one where motions round.
const SPRITES_STRAY: i32 = 2 * 255 + 1;

// How far a sprite may stray from the straight way to a convex body, in lattice steps: a pixel less a step, a pixel
// between two steps of one tick, and two steps where motions round.
const MIXED_STRAY: i32 = 255 + 256 + 2;

// The tick before the first at which a motion has come at least `least` steps and at most `most`, in x and in y, and
// the first behind all of these; both 0 where it never has.
fn ticks_near(motion: vec2<i32>, least: vec2<i32>, most: vec2<i32>) -> vec2<u32> {
    let x = ticks_within(motion.x, least.x, most.x);
    let y = ticks_within(motion.y, least.y, most.y);
    let first = max(x.x, y.x);
    let end = min(x.y, y.y);
    return select(vec2<u32>(0u, 0u), vec2<u32>(max(first, 1u) - 1u, end), first < end);
}

// The edges of a sprite along one axis, from some tick on.
struct Edges {
    // The tick of the next; beyond TICKS where there is none.
    next: u32,
    // The direction in which it goes on: -1, 0 or 1.
    sign: i32,
    // What was left of the division that gave `next`.
    rest: u32,
    // 2^24 / |m|.
    quotient: u32,
    remainder: u32,
    // |m|.
    by: u32,
    // The tick of the last one before, 0 where there is none.
    last: u32,
}

// Those of a sprite at `p` with the motion `m` behind tick `k`, along one axis.
fn edges_behind(p: i32, m: i32, k: u32) -> Edges {
    if m == 0 {
        return Edges(TICKS + 1u, 0, 0u, 0u, 0u, 0u, 0u);
    }
    let by = u32(abs(m));
    let done = u32(abs(((p + come_along(m, k)) >> 8u) - (p >> 8u)));
    let phase = u32(p & 255);
    // Below 2^24, as the phase is at most 255: so `divide` takes it.
    let start = select((phase << 16u) + 0x8000u, 0xFFFFFFu - (phase << 16u) - 0x8000u, m > 0);
    let divided = divide(done, start, by);
    let quotient = (1u << 24u) / by;
    let remainder = (1u << 24u) % by;
    let last = select(0u, divided.quotient - quotient - u32(divided.rest < remainder) + 1u, done > 0u);
    return Edges(divided.quotient + 1u, sign(m), divided.rest, quotient, remainder, by, last);
}

// Goes on to the one behind the next.
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

// Where a sprite goes within a step, from some tick on.
struct Walk {
    // The tick of its last edge.
    tick: u32,
    // How many pixels it stands from its start.
    at: vec2<i32>,
    x: Edges,
    y: Edges,
}

// A sprite at `p` with the motion `m`, as it stands at tick `k`.
fn walk_at(p: vec2<i32>, m: vec2<i32>, k: u32) -> Walk {
    let x = edges_behind(p.x, m.x, k);
    let y = edges_behind(p.y, m.y, k);
    return Walk(max(x.last, y.last), offset(p, m, k), x, y);
}

// The tick of its next edge; beyond TICKS where there is none.
fn next_edge(walk: Walk) -> u32 {
    return min(walk.x.next, walk.y.next);
}

// Goes on to a tick, which is not behind its next edge; the pixels by which it does.
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

// Whether two sprites go on to the next pixel at the same ticks always.
fn is_rigid(a: Body, b: Body) -> bool {
    return all(a.motion == b.motion) && all((a.position & vec2<i32>(255)) == (b.position & vec2<i32>(255)));
}

// How many pixels further right and down a sprite paints at the end of the step than at its start, and whether it
// paints the same there: not where it is turned and ends elsewhere within its pixel.
struct EndShift {
    same: bool,
    by: vec2<i32>,
}

fn end_shift(body: Body) -> EndShift {
    let end = at_end(body);
    let same = is(body, UNTURNED) || all((body.motion & vec2<i32>(255, 255)) == vec2<i32>(0, 0));
    return EndShift(same, sprite_pixels(end).min - sprite_pixels(body).min);
}

// Whether a sprite paints other pixels at its end than its walk has brought there.
fn ends_otherwise(body: Body) -> bool {
    if !is(body, SPRITE) || !moves(body) {
        return false;
    }
    let shift = end_shift(body);
    return !shift.same || any(shift.by != offset(body.position, body.motion, TICKS));
}
