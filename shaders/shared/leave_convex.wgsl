// The shortest way out of a hit of two bodies without pixels; twin of `way_out` in src/host/contact/mod.rs.

// needs: differences, double, fuel, near, pieces, push, seeking, square, ticks, types, union, view
// expects: FOUND, LEFT_TO_HOST, params

@group(0) @binding(3) var<storage, read> atlas: array<u32>;

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 0u;

// The largest body whose differences surely fit 32 bits, in lattice steps.
const LARGE: i32 = 1 << 28u;

// The distance around a body within which pieces of the other are examined first, and the margin by which a way out
// must be shorter than that; and one greater than that between any two bodies. Each step is 8 times the last.
const AROUND_FIRST: i32 = 32 << 8u;
const SPARE: i32 = 512;
const ALL_AROUND: i32 = 1 << 30u;
const LAST_STEP: u32 = 6u;

// Returns whether a body is too large.
fn is_large(body: Body) -> bool {
    return any(body.extent.max - body.extent.min > vec2<i32>(LARGE));
}

// Finds the way by which `a` leaves `b`, with both as they stand at `tick`, while there is fuel.
fn leave(a: View, b: View, tick: u32, contact: ptr<function, RawContact>) {
    let by = come(b.body.motion, tick) - come(a.body.motion, tick);
    // Engines round the difference of two motions, but each body stands where its own motion is rounded to.
    let aside = come(a.body.motion - b.body.motion, tick) + by;
    var two = Two(a, b, by, vec2<u32>(0u, 0u), false);
    var now = seeking_of(*contact);
    if a.shape.stride == 0u && b.shape.stride == 0u {
        now.around = LAST_STEP;
    }
    let open = params.touch == TOUCH_EXCLUDED;
    if is_large(a.body) || is_large(b.body) || (open && (has_segments(a) || has_segments(b))) {
        (*contact).state = LEFT_TO_HOST;
        return;
    }
    loop {
        if fuel <= 0 {
            save_seeking(now, contact);
            return;
        }
        fuel -= STEP_FUEL;
        let is_last = now.around == LAST_STEP;
        let around = select(AROUND_FIRST << ((3u * now.around) & 31u), ALL_AROUND, is_last);
        if !find_near(&two, around) {
            (*contact).state = LEFT_TO_HOST;
            return;
        }
        var far = ALL_AROUND;
        var push = Push(true, vec2<i32>(0, 0));
        if set_count(two) == 0u {
            now.best = NO_WAY;
        } else {
            push = leave_near(two, aside, &now);
            let depth = double_floor(Double(false, now.best.depth.exponent, now.best.depth.digits));
            far = max(max(abs(push.by.x), abs(push.by.y)), depth);
        }
        if !push.exists {
            save_seeking(now, contact);
            if now.phase == PUSHES && (now.needs_host || now.first == SQUARES) {
                (*contact).state = LEFT_TO_HOST;
            }
            return;
        }
        if is_last || far < around - SPARE {
            record_leaving(now.best, push.by, contact);
            return;
        }
        // Farther pieces may be in the way.
        now = seeking_from(now.around + 1u);
    }
}

// Finds the way out of the pieces of both bodies that are near each other, while there is fuel, and then the push.
fn leave_near(two: Two, aside: vec2<i32>, now: ptr<function, Seeking>) -> Push {
    let past = past_box(all_sets(two));
    // Each dispatch takes a step at least.
    fuel = max(fuel, 1);
    if (*now).phase == DEEPEST {
        find_deepest(two, past, now);
    }
    while (*now).phase == NEAREST || (*now).phase == CROSSINGS {
        if fuel <= 0 {
            return NO_PUSH;
        }
        find_nearest(two, past, now);
    }
    if (*now).phase == PUSHES && !(*now).needs_host {
        return find_push(two, aside, now);
    }
    return NO_PUSH;
}

fn record_leaving(way: Way, push: vec2<i32>, contact: ptr<function, RawContact>) {
    let normal = vec2<u32>(double_to_single(way.normal.x), double_to_single(way.normal.y));
    let depth = double_to_single(double_scaled(depth_of(way), -8));
    *contact = RawContact(normal, depth, FOUND, push, vec2<u32>(0u, 0u));
}
