// The shortest way out of a hit of two convex bodies of one piece each. Pairs in which a body has several pieces are
// left to the host.

// needs: differences, double, fuel, predicate, push, ticks, types, view
// expects: FOUND, LEFT_TO_HOST, params

// The number of sprites in such a pair.
const SPRITES_OF_PAIR: u32 = 0u;

// The largest body whose differences surely fit 32 bits, in lattice steps.
const LARGE: i32 = 1 << 28u;

// Returns whether the GPU finds the way out of a pair.
fn is_simple(a: View, b: View) -> bool {
    let corners = a.shape.corners + b.shape.corners;
    let large = any(a.body.extent.max - a.body.extent.min > vec2<i32>(LARGE))
        || any(b.body.extent.max - b.body.extent.min > vec2<i32>(LARGE));
    return a.shape.stride == 0u && b.shape.stride == 0u && corners <= MOST_EDGES && !large;
}

// Finds the way by which `a` leaves `b`, with both as they stand at `tick`, if there is fuel.
fn leave(a: View, b: View, tick: u32, contact: ptr<function, RawContact>) {
    if fuel <= 0 {
        return;
    }
    if !is_simple(a, b) {
        (*contact).state = LEFT_TO_HOST;
        return;
    }
    let by = come(b.body.motion, tick) - come(a.body.motion, tick);
    // Engines round the difference of two motions, but each body stands where its own motion is rounded to.
    let aside = come(a.body.motion - b.body.motion, tick) + by;
    let cores = Differences(hull(2u * a.body.landed, a.shape.corners), hull(2u * b.body.landed, b.shape.corners), by);
    let radius = a.body.radius + b.body.radius;
    let corners = i32(a.shape.corners + b.shape.corners);
    fuel -= corners * (3 * corners + 600);
    find_edges(cores);
    let way = way_out(radius);
    let push = push_out(cores, radius, way, aside, params.touch);
    // For one piece each there always is a push: see `AROUND`.
    if !push.exists {
        (*contact).state = LEFT_TO_HOST;
        return;
    }
    var depth = double_scaled(way.depth, -8);
    if depth.is_negative {
        depth = DOUBLE_ZERO;
    }
    let normal = vec2<u32>(double_to_single(way.normal.x), double_to_single(way.normal.y));
    *contact = RawContact(normal, double_to_single(depth), FOUND, push.by, vec2<u32>(0u, 0u));
}
