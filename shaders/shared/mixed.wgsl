// A sprite and a convex body: while the sprite stays at one offset, the convex body goes on; twin of
// src/cpu/narrow/mixed.rs, but that it may be left and gone on with.

// How far a sprite may stray from the straight way to a convex body, in lattice steps: a pixel less a step, a pixel
// between two steps of one tick, and two steps where motions round.
const MIXED_STRAY: i32 = 255 + 256 + 2;

// A sprite at one offset, while it stays there.
struct Stay {
    // How many pixels the sprite stands from its start.
    at: vec2<i32>,
    // The tick at which it came there.
    begin: u32,
    // The tick at which it goes on, or the last.
    end: u32,
}

// The first stay in which they hit, the sprite painted as at its start: `now.tick` and `now.left` tell it.
fn mixed_walk(sprite: View, convex: View, now: ptr<function, Progress>) -> u32 {
    let ticks = mixed_ticks(sprite, convex);
    if ticks.x >= ticks.y {
        return MISS;
    }
    let tick = select((*now).tick, ticks.x, (*now).phase == BEGIN);
    var walk = walk_at(sprite.body.position, sprite.body.motion, tick);
    if (*now).phase == BEGIN {
        *now = Progress(WALK, walk.tick, 0u, 0u, 0u, 0u);
    }
    loop {
        let stay = stay_of(sprite.body, walk, (*now).left);
        let answer = hits(sprite, swept(convex, way(convex.body, stay.begin, stay.end)), stay.at, now);
        if answer != MISS {
            return answer;
        }
        (*now).cursor = 0u;
        if (*now).left > 0u {
            (*now).left = 0u;
        } else {
            let tick = next_edge(walk);
            if tick > min(ticks.y, TICKS) {
                return MISS;
            }
            let by = cross_edges(&walk, tick);
            (*now).tick = tick;
            // Between two steps of one tick, that in x first, there is another offset.
            (*now).left = u32(by.x != 0 && by.y != 0);
        }
        fuel -= STEP_FUEL;
        if fuel <= 0 {
            return UNFINISHED;
        }
    }
    return MISS;
}

// The stay of a sprite on its walk; with a step of the tick in y left, that between its steps.
fn stay_of(sprite: Body, walk: Walk, left: u32) -> Stay {
    if left == 0u {
        return Stay(walk.at, walk.tick, min(next_edge(walk), TICKS));
    }
    let before = offset(sprite.position, sprite.motion, walk.tick - 1u);
    return Stay(vec2<i32>(walk.at.x, before.y), walk.tick, walk.tick);
}

// The stay that `now` tells.
fn stay_at(sprite: Body, now: Progress) -> Stay {
    return stay_of(sprite, walk_at(sprite.position, sprite.motion, now.tick), now.left);
}

// What `mixed_tick` asks of a piece: whether they hit by the last tick of the stay, by the first, by one between.
const BY_LAST: u32 = 0u;
const BY_FIRST: u32 = 1u;
const BY_MIDDLE: u32 = 2u;

// Lowers `first` to the first tick of a stay in which they hit: the smallest of all pieces. The stay is told by
// `now.tick`, which is the low end of the bisection; `now.high` is its high end, and `now.left` what is asked.
fn mixed_tick(sprite: View, convex: View, first: ptr<function, u32>, now: ptr<function, Progress>) -> u32 {
    let stay = stay_of(sprite.body, walk_at(sprite.body.position, sprite.body.motion, (*now).tick), 0u);
    while (*now).piece < convex.shape.stride {
        var tick = stay.end;
        if (*now).left == BY_FIRST {
            tick = stay.begin;
        } else if (*now).left == BY_MIDDLE {
            tick = ((*now).tick + (*now).high) / 2u;
        }
        let piece = swept(only_piece(convex, (*now).piece), way(convex.body, stay.begin, tick));
        let answer = hits(sprite, piece, stay.at, now);
        if answer == UNFINISHED {
            return UNFINISHED;
        }
        (*now).cursor = 0u;
        fuel -= STEP_FUEL + i32((*now).piece);
        if (*now).left == BY_LAST && answer == HIT {
            (*now).high = stay.end;
            (*now).left = BY_FIRST;
            continue;
        }
        if (*now).left == BY_FIRST && answer == HIT {
            (*now).high = stay.begin;
        } else if (*now).left == BY_FIRST {
            (*now).left = BY_MIDDLE;
        } else if (*now).left == BY_MIDDLE && answer == HIT {
            (*now).high = tick;
        } else if (*now).left == BY_MIDDLE {
            (*now).tick = tick;
        }
        if (*now).left == BY_MIDDLE && (*now).high - (*now).tick > 1u {
            continue;
        }
        if (*now).left != BY_LAST {
            *first = min(*first, (*now).high);
        }
        (*now).piece += 1u;
        (*now).left = BY_LAST;
        (*now).tick = stay.begin;
    }
    return HIT;
}

// Where a convex body goes between two ticks.
fn way(convex: Body, begin: u32, end: u32) -> Sweep {
    let start = come(convex.motion, begin);
    return Sweep(start, come(convex.motion, end) - start);
}

// The tick before the first at which they may come to each other, and the first behind all of these; both 0 where they
// never do.
fn mixed_ticks(sprite: View, convex: View) -> vec2<u32> {
    let motion = sprite.body.motion - convex.body.motion;
    let there = reach(convex.body);
    let least = there.min - 256 * sprite.pixels.max - MIXED_STRAY;
    return ticks_near(motion, least, there.max - 256 * sprite.pixels.min + MIXED_STRAY);
}
