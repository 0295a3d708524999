// Two sprites, of which one moves at least: edge by edge of both, at each offset that they come by; twin of
// src/cpu/narrow/sprites.rs, but that it may be left and gone on with.

// How far two sprites may stray from the straight way to each other, in lattice steps: a pixel less a step each, and
// one where motions round.
const SPRITES_STRAY: i32 = 2 * 255 + 1;

// Progress.cursor of an offset that was looked at.
const LOOKED: u32 = 0xFFFFFFFFu;

// The first offset at which two sprites hit, painted as at their starts: `now.tick` and `now.left` tell it.
fn sprites_walk(a: View, b: View, now: ptr<function, Progress>) -> u32 {
    let ticks = sprites_ticks(a, b);
    if ticks.x >= ticks.y {
        return MISS;
    }
    if (*now).phase == BEGIN {
        *now = Progress(WALK, ticks.x, 0u, 0u, 0u, 0u);
    }
    let rigid = is_rigid(a.body, b.body);
    var walk_a = walk_at(a.body.position, a.body.motion, (*now).tick);
    var walk_b = walk_at(b.body.position, b.body.motion, (*now).tick);
    var by = last_change(a.body, b.body, (*now).tick);
    var seen = Seen();
    loop {
        let at = walk_a.at - walk_b.at - still_to_go(by, (*now).left);
        // What was begun is gone on with.
        if (*now).cursor != LOOKED && (see(&seen, at) || (*now).cursor > 0u) {
            let answer = hits(a, b, at, now);
            if answer != MISS {
                return answer;
            }
        }
        if rigid {
            return MISS;
        }
        if (*now).left > 0u {
            (*now).left -= 1u;
            (*now).cursor = 0u;
        } else {
            let tick = min(next_edge(walk_a), next_edge(walk_b));
            if tick > min(ticks.y, TICKS) {
                return MISS;
            }
            by = cross_edges(&walk_a, tick) - cross_edges(&walk_b, tick);
            let steps = u32(abs(by.x) + abs(by.y));
            (*now).tick = tick;
            (*now).left = max(steps, 1u) - 1u;
            (*now).cursor = select(0u, LOOKED, steps == 0u);
        }
        fuel -= STEP_FUEL;
        if fuel <= 0 {
            return UNFINISHED;
        }
    }
    return MISS;
}

// How many pixels A stands from its start, as seen from B, where `now` tells.
fn sprites_at(a: Body, b: Body, now: Progress) -> vec2<i32> {
    let there = offset(a.position, a.motion, now.tick) - offset(b.position, b.motion, now.tick);
    return there - still_to_go(last_change(a, b, now.tick), now.left);
}

// The pixels by which A goes on at a tick, as seen from B.
fn last_change(a: Body, b: Body, tick: u32) -> vec2<i32> {
    let before = max(tick, 1u) - 1u;
    let of_a = offset(a.position, a.motion, tick) - offset(a.position, a.motion, before);
    return of_a - offset(b.position, b.motion, tick) + offset(b.position, b.motion, before);
}

// Of the unit steps of a tick, those in x first, the last so many.
fn still_to_go(by: vec2<i32>, left: u32) -> vec2<i32> {
    let down = min(i32(left), abs(by.y));
    return vec2<i32>(sign(by.x) * (i32(left) - down), sign(by.y) * down);
}

// The tick before the first at which the pixels of two sprites may come to each other, and the first behind all of
// these; the first not before it where they never do.
fn sprites_ticks(a: View, b: View) -> vec2<u32> {
    let motion = a.body.motion - b.body.motion;
    let margin = select(0, 1, params.touch == TOUCH_INCLUDED);
    let least = 256 * (b.pixels.min - margin - a.pixels.max + 1) - SPRITES_STRAY;
    let most = 256 * (b.pixels.max + margin - a.pixels.min - 1) + SPRITES_STRAY;
    return ticks_near(motion, least, most);
}

// The tick before the first at which a motion has come at least `least` steps and at most `most`, in x and in y, and
// the first behind all of these; both 0 where it never has.
fn ticks_near(motion: vec2<i32>, least: vec2<i32>, most: vec2<i32>) -> vec2<u32> {
    let x = ticks_within(motion.x, least.x, most.x);
    let y = ticks_within(motion.y, least.y, most.y);
    let first = max(x.x, y.x);
    let end = min(x.y, y.y);
    return select(vec2<u32>(0u, 0u), vec2<u32>(max(first, 1u) - 1u, end), first < end);
}
