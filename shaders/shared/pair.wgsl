// The narrow phase: whether a candidate pair hits, when, and where. An invocation has a candidate or a pair. It decides
// the same as src/cpu/narrow/pair.rs, but as one loop that can be left and gone on with, in which each question is
// asked in one place.
//
// No invocation runs long. Each has some fuel, and where that is spent before its pair is done, it writes down how far
// the pair is, if the host has made room for that; the host dispatches again.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read> landed: array<u32>;
@group(0) @binding(12) var<storage, read_write> progress: array<Progress>;

// How far a pair is.
struct Progress {
    // BEGIN, WALK, END, TIME, GATHER, GATHER_AT_END.
    phase: u32,
    // On a walk: the tick, and the unit steps of that tick that are left.
    tick: u32,
    left: u32,
    // The next word of an overlap; or of all pairs of pieces of two convex bodies the next.
    cursor: u32,
    // In TIME: the piece, what is asked of it, and the high end of the bisection, of which `tick` is the low one.
    piece: u32,
    asked: u32,
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

// Progress.cursor of an offset that needs no look.
const LOOKED: u32 = 0xFFFFFFFFu;

// Whether two bodies hit; goes on from `now`, and leaves there how far it came. With `carries`, what the pair carries
// is left in `detail`; the time of two convex bodies is 0 and 0 while no pieces are known to hit.
fn pair(a: View, b: View, carries: bool, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) -> u32 {
    if is(a.body, SPRITE) || is(b.body, SPRITE) {
        // A sprite first.
        var sprite = a;
        var other = b;
        if !is(a.body, SPRITE) {
            sprite = b;
            other = a;
        }
        return sprite_pair(sprite, other, carries, detail, now);
    }
    let timed = carries && (moves(a.body) || moves(b.body));
    if carries && !timed {
        return HIT;
    }
    var first = select((*detail).time.x, NEVER, (*detail).time.y == 0u);
    let answer = convex_pair(a, b, timed, &first, now);
    if timed && first != NEVER {
        (*detail).time = vec2<u32>(first, TICKS);
    }
    return answer;
}

// Whether a sprite hits another body; goes on from `now`, and leaves there how far it came. With `carries`, what the
// pair carries is left in `detail`.
//
//     at each offset that they come by, tick by tick: look at both             WALK
//     at rest where they end, if they paint other pixels there: look at both   END
//     between the first tick and the last of that offset: bisection            TIME
//     look at both where they hit, and gather what overlaps                    GATHER, GATHER_AT_END
fn sprite_pair(
    sprite: View,
    other: View,
    carries: bool,
    detail: ptr<function, RawDetail>,
    now: ptr<function, Progress>,
) -> u32 {
    let two = is(other.body, SPRITE);
    var ticks = vec2<u32>(0u, 0u);
    if two {
        ticks = sprites_ticks(sprite, other);
    } else {
        ticks = mixed_ticks(sprite, other);
    }
    let motion = select(vec2<i32>(0, 0), other.body.motion, two);
    if (*now).phase == BEGIN {
        *now = Progress(WALK, ticks.x, 0u, select(0u, LOOKED, ticks.x == ticks.y), 0u, 0u, 0u);
    }
    var course = Course(
        walk_at(sprite.body.position, sprite.body.motion, (*now).tick),
        walk_at(other.body.position, motion, (*now).tick),
        last_change(sprite.body, other.body.position, motion, (*now).tick),
        select(0u, min(ticks.y, TICKS), ticks.x < ticks.y && !(two && is_rigid(sprite.body, other.body))),
    );
    var seen = Seen();
    loop {
        // What was begun is gone on with.
        let begun = (*now).cursor > 0u && (*now).cursor != LOOKED;
        let tells = (*now).phase != WALK || !two || begun || see(&seen, offset_of(course, *now));
        let gathers = carries && (*now).phase >= GATHER;
        var answer = MISS;
        if tells && (*now).cursor != LOOKED {
            answer = look_at(look_of(sprite, other, course, (*detail).time.x, *now), gathers, detail, now);
        }
        if answer == UNFINISHED || gathers {
            return answer;
        }
        (*now).cursor = 0u;
        if (*now).phase == TIME {
            var first = (*detail).time.x;
            take_answer(stay_of(course, *now), answer, &first, now);
            (*detail).time.x = first;
            (*now).phase = select(TIME, GATHER, (*now).piece == other.shape.stride);
        } else if answer == HIT {
            if !carries {
                return HIT;
            }
            tell_hit(sprite.body, other.body, stay_of(course, *now), detail, now);
        } else if (*now).phase == END {
            break;
        } else if !go_on(&course, now) {
            let otherwise = ends_otherwise(sprite.body) || ends_otherwise(other.body);
            if !otherwise || !may_meet_at_end(sprite.body, other.body) {
                break;
            }
            *now = Progress(END, TICKS, 0u, 0u, 0u, 0u, 0u);
        }
        fuel -= STEP_FUEL;
        if fuel <= 0 {
            return UNFINISHED;
        }
    }
    return MISS;
}

// Notes of a pair that hits at which tick it does, and what is to do next.
fn tell_hit(sprite: Body, other: Body, stay: Stay, detail: ptr<function, RawDetail>, now: ptr<function, Progress>) {
    let moving = moves(sprite) || moves(other);
    let at_end = (*now).phase == END;
    if !is(other, SPRITE) && !at_end {
        (*now).tick = stay.begin;
    }
    (*detail).sprite = 1u;
    (*detail).time = select(vec2<u32>(0u, 0u), vec2<u32>((*now).tick, TICKS), moving);
    if at_end {
        (*now).phase = GATHER_AT_END;
    } else if is(other, SPRITE) || stay.begin == stay.end || !moving {
        (*now).phase = GATHER;
    } else {
        (*now).phase = TIME;
        (*detail).time.x = NEVER;
    }
}

// What is looked at next; where a sprite and a convex body are known to hit, they do at tick `found`.
fn look_of(sprite: View, other: View, course: Course, found: u32, now: Progress) -> Look {
    let none = vec2<i32>(0, 0);
    if now.phase == END || now.phase == GATHER_AT_END {
        return Look(view_at_end(sprite), view_at_end(other), none, none);
    }
    if is(other.body, SPRITE) {
        return Look(sprite, other, offset_of(course, now), course.other.at);
    }
    let stay = stay_of(course, now);
    var convex = other;
    var end = stay.end;
    if now.phase == TIME {
        convex = only_piece(other, now.piece);
        end = asked_tick(stay, now);
    } else if now.phase == GATHER {
        end = found;
    }
    return Look(sprite, swept(convex, way(other.body, stay.begin, end)), stay.at, none);
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
