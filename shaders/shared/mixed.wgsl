// A sprite and a convex body: while the sprite stays at one offset, the convex body moves; twin of
// src/cpu/narrow/mixed.rs.

// needs: course, progress, ticks, types, view

// Returns the ticks at which they may meet, as `ticks_near` returns them.
fn mixed_ticks(sprite: View, convex: View) -> vec2<u32> {
    let motion = sprite.body.motion - convex.body.motion;
    let there = reach(convex.body);
    let least = there.min - 256 * sprite.pixels.max - MIXED_STRAY;
    return ticks_near(motion, least, there.max - 256 * sprite.pixels.min + MIXED_STRAY);
}

// Returns the path of a convex body between two ticks.
fn way(convex: Body, begin: u32, end: u32) -> Sweep {
    let start = come(convex.motion, begin);
    return Sweep(start, come(convex.motion, end) - start);
}

// The queries on a piece that find the first tick of a stay by which it hits: does it hit by the last tick, by the
// first, by one between?
const BY_LAST: u32 = 0u;
const BY_FIRST: u32 = 1u;
const BY_MIDDLE: u32 = 2u;

// Returns the tick of the current query.
fn asked_tick(stay: Stay, now: Progress) -> u32 {
    if now.asked == BY_LAST {
        return stay.end;
    }
    return select((now.tick + now.high) / 2u, stay.begin, now.asked == BY_FIRST);
}

// Takes the answer to the current query, and moves on to the next tick or piece; lowers `first` to the tick of a piece
// once that is found.
fn take_answer(stay: Stay, answer: u32, first: ptr<function, u32>, now: ptr<function, Progress>) {
    let tick = asked_tick(stay, *now);
    if (*now).asked == BY_LAST {
        if answer == HIT {
            (*now).high = tick;
            (*now).asked = BY_FIRST;
            return;
        }
    } else {
        if answer == HIT {
            (*now).high = tick;
        } else {
            (*now).tick = tick;
        }
        if (*now).high - (*now).tick > 1u {
            (*now).asked = BY_MIDDLE;
            return;
        }
        *first = min(*first, (*now).high);
    }
    (*now).piece += 1u;
    (*now).asked = BY_LAST;
    (*now).tick = stay.begin;
}
