// The shortest whole-pixel translation that separates a sprite from another body; twin of src/host/contact/pixels.rs,
// which explains the search, and of src/host/moment.rs: first it finds where the two stood when they hit. `stand`
// returns where they may have stood.

// needs: double, fuel, pixels, shorter, types, view, wide, words
// expects: FOUND, SOUGHT, TWO_SPRITES, hit_pixels, params, stand

@group(0) @binding(3) var<storage, read> atlas: array<u32>;

// A sprite, `at` pixels from its start, and another body, as they may have stood when they hit. `last` says whether
// there is no other way in which they may have stood.
struct Stand {
    sprite: View,
    other: View,
    at: vec2<i32>,
    last: bool,
}

// The progress of a search. Between dispatches it lies in the unused words of a RawContact.
struct Leaving {
    // The shortest translation known to separate the two.
    best: vec2<i32>,
    // The rows and the direction that are searched: 4 times the distance in y, plus 2 if that is downward, plus 1 if
    // the search goes rightward.
    turn: u32,
    // The translation in x that is tried.
    dx: i32,
    // The row in which the two have last met.
    hint: i32,
    // The number of words that were compared for this translation.
    tried: u32,
    // Which of the ways in which they may have stood; SETTLED is set once it is known.
    stand: u32,
}

const SETTLED: u32 = 0x80000000u;
// Leaving.turn before the first.
const NO_TURN: u32 = 0xFFFFFFFFu;

fn leaving_of(contact: RawContact) -> Leaving {
    let best = bitcast<vec2<i32>>(contact.normal);
    return Leaving(best, contact.depth, contact.push.x, contact.push.y, contact.unused.x, contact.unused.y);
}

fn save_leaving(now: Leaving, contact: ptr<function, RawContact>) {
    let push = vec2<i32>(now.dx, now.hint);
    let unused = vec2<u32>(now.tried, now.stand);
    *contact = RawContact(bitcast<vec2<u32>>(now.best), now.turn, SOUGHT, push, unused);
}

// Returns the shortest translation that takes the bounds of a sprite past those of the other body; none if they do not
// meet.
fn past_bounds(stand_: Stand, sense: i32) -> vec2<i32> {
    let margin = select(0, 1, TWO_SPRITES && params.touch == TOUCH_INCLUDED);
    let low = stand_.other.pixels.min - margin - stand_.sprite.pixels.max - stand_.at;
    let high = stand_.other.pixels.max + margin - stand_.sprite.pixels.min - stand_.at;
    if any(low >= vec2<i32>(0, 0)) || any(high <= vec2<i32>(0, 0)) {
        return vec2<i32>(0, 0);
    }
    return nearest_side(Aabb(low, high), sense);
}

// Returns the ends of the run of set bits around bit `x`; the second is excluded.
fn run_around(bits: u32, x: i32) -> vec2<i32> {
    let below = ~bits & low_bits(x);
    return vec2<i32>(32 - i32(countLeadingZeros(below)), x + i32(countTrailingZeros(~(bits >> (u32(x) & 31u)))));
}

// Finds the way by which a sprite leaves another body, while there is fuel.
fn leave_pixels(sprite: View, other: View, sense: i32, tick: u32, contact: ptr<function, RawContact>) {
    var now = leaving_of(*contact);
    var stand_: Stand;
    var is_new = true;
    loop {
        let is_settled = (now.stand & SETTLED) != 0u;
        if is_new {
            stand_ = stand(sprite, other, tick, now.stand);
            is_new = stand_.last && !is_settled;
            if is_new {
                now.stand |= SETTLED;
                now.turn = NO_TURN;
                continue;
            }
            if now.turn == NO_TURN {
                now = Leaving(past_bounds(stand_, sense), 0u, 0, now.hint, 0u, now.stand);
            }
        }
        if fuel <= 0 {
            save_leaving(now, contact);
            return;
        }
        fuel -= STEP_FUEL;
        let distance = i32(now.turn >> 2u);
        var by = vec2<i32>(0, 0);
        if is_settled {
            let past = vec2<i32>(0, distance);
            if wide_less(dot_of(now.best, now.best), dot_of(past, past)) {
                record_way(sense * now.best, contact);
                return;
            }
            by = vec2<i32>(now.dx, select(-distance, distance, (now.turn & 2u) != 0u));
            if !is_shorter(by, now.best, sense) {
                now.turn += 1u;
                now.dx = 0;
                now.tried = 0u;
                continue;
            }
        }
        let at = stand_.at + by;
        let region = overlap_box(stand_.sprite, stand_.other, at, params.touch);
        let words = words_of(region);
        let row = clamp(now.hint - region.min.y, 0, max(i32(words.y), 1) - 1);
        var ours = 0u;
        var theirs = 0u;
        while now.tried < words.x * words.y && fuel > 0 {
            let place = (words.x * u32(row) + now.tried) % (words.x * words.y);
            let word = word_of(stand_.sprite, at, region, place, vec2<i32>(0, 0));
            ours = word.bits;
            if ours != 0u {
                // The only call that compares pixels: drivers inline the whole function at each call.
                theirs = hit_pixels(stand_.other, word.at, 0xFFFFFFFFu, vec2<i32>(0, 0), params.touch);
                if (ours & theirs) != 0u {
                    now.hint = word.at.y;
                    break;
                }
            }
            now.tried += 1u;
            theirs = 0u;
        }
        let meets_now = (ours & theirs) != 0u;
        if !meets_now && now.tried < words.x * words.y {
            continue;
        }
        now.tried = 0u;
        if !is_settled {
            is_new = true;
            if meets_now {
                now.stand |= SETTLED;
                now.turn = NO_TURN;
            } else {
                now.stand += 1u;
            }
        } else if meets_now {
            // On to where the one run is past the other.
            let first = i32(countTrailingZeros(ours & theirs));
            let our_run = run_around(ours, first);
            let their_run = run_around(theirs, first);
            now.dx += select(their_run.x - our_run.y, their_run.y - our_run.x, (now.turn & 1u) != 0u);
        } else {
            now.best = by;
        }
    }
}

// Records the way out: whole pixels, as the first body moves.
fn record_way(way: vec2<i32>, contact: ptr<function, RawContact>) {
    let push = 256 * way;
    if all(way == vec2<i32>(0, 0)) {
        let up = vec2<u32>(0u, double_to_single(double_of_int(-1)));
        *contact = RawContact(up, 0u, FOUND, push, vec2<u32>(0u, 0u));
        return;
    }
    let x = double_of_int(way.x);
    let y = double_of_int(way.y);
    let depth = double_sqrt(double_add(double_mul(x, x), double_mul(y, y)));
    let normal = vec2<u32>(double_to_single(double_div(x, depth)), double_to_single(double_div(y, depth)));
    *contact = RawContact(normal, double_to_single(depth), FOUND, push, vec2<u32>(0u, 0u));
}
