// The narrow phase: whether a candidate pair hits, when, and where; twin of src/cpu/narrow/pair.rs. An invocation has a
// candidate or a pair.
//
// No invocation runs long. Each has some fuel, and where that is spent before its pair is done, it writes down how far
// the pair is, if the host has made room for that; the host dispatches again.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(14) var<storage, read_write> progress: array<Progress>;

// How far a pair is.
struct Progress {
    // BEGIN, WALK, END, TIME, GATHER, GATHER_AT_END.
    phase: u32,
    // On a walk: the tick, and the unit steps of that tick that are left.
    tick: u32,
    left: u32,
    // The next word of an overlap; or of all pairs of pieces of two convex bodies the next.
    cursor: u32,
    // See `mixed_tick`.
    piece: u32,
    high: u32,
}

// Nothing is known yet.
const BEGIN: u32 = 0u;
// A sprite is on its walk, and not known to hit yet.
const WALK: u32 = 1u;
// It did not hit on its walk: both are looked at once more at rest where they end.
const END: u32 = 2u;
// A sprite hits a convex body in a stay, of which the first such tick is asked for.
const TIME: u32 = 3u;
// The tick is known, and what overlaps there is gathered.
const GATHER: u32 = 4u;
// The same at rest where they end.
const GATHER_AT_END: u32 = 5u;

// How far the pair of index `c` is: at its beginning, or where an earlier dispatch has left it.
fn progress_of(c: u32) -> Progress {
    if params.resume == 1u {
        return progress[c];
    }
    return Progress();
}

// Writes down how far a pair is. Where there is no room, the host makes it, and the pair begins anew.
fn save_progress(c: u32, now: Progress) {
    if c < arrayLength(&progress) {
        progress[c] = now;
    }
}

// What a word, or a step of a walk, takes of the fuel. A driver in software runs the loops of a branch once even where
// no invocation takes it: so a step without a word costs an iteration for each loop below it.
const STEP_FUEL: i32 = 24;

// Whether two bodies hit; goes on from `now`, and leaves there how far it came.
fn pair(a: View, b: View, now: ptr<function, Progress>) -> u32 {
    if !is(a.body, SPRITE) && !is(b.body, SPRITE) {
        var first = NEVER;
        return convex_pair(a, b, false, &first, now);
    }
    if (*now).phase < END {
        let answer = walk(a, b, now);
        if answer != MISS {
            return answer;
        }
        if !(ends_otherwise(a.body) || ends_otherwise(b.body)) || !may_meet_at_end(a.body, b.body) {
            return MISS;
        }
        *now = Progress(END, TICKS, 0u, 0u, 0u, 0u);
    }
    if is(a.body, SPRITE) {
        return hits(view_at_end(a), view_at_end(b), vec2<i32>(0, 0), now);
    }
    return hits(view_at_end(b), view_at_end(a), vec2<i32>(0, 0), now);
}

// Whether a pair with a sprite hits, but for where they end.
fn walk(a: View, b: View, now: ptr<function, Progress>) -> u32 {
    if is(a.body, SPRITE) && is(b.body, SPRITE) {
        return sprites_walk(a, b, now);
    }
    if is(a.body, SPRITE) {
        return mixed_walk(a, b, now);
    }
    return mixed_walk(b, a, now);
}

// Whether the bounds of two bodies come to each other where they end.
fn may_meet_at_end(a: Body, b: Body) -> bool {
    let there = reach(at_end(a));
    // Pixels that are neighbours touch.
    let margin = select(0, 256, params.touch == TOUCH_INCLUDED);
    return bounds_meet(Aabb(there.min - margin, there.max + margin), reach(at_end(b)), params.touch);
}

// A body at rest where it ends. What of a sprite is painted is good there if it paints the same.
fn view_at_end(start: View) -> View {
    if !is(start.body, SPRITE) {
        return swept(start, Sweep(start.body.motion, vec2<i32>(0, 0)));
    }
    var body = at_end(start.body);
    if !end_shift(start.body).same {
        body.landed = NOT_LANDED;
    }
    return View(body, start.shape, sprite_pixels(body), REST, start.pieces);
}
