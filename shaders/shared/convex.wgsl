// Two convex bodies or polygons: any piece of the one against any piece of the other; twin of
// src/cpu/narrow/convex.rs.

// Whether they hit within the step; goes on from `now`. Two pieces that hit are enough, unless `timed`: then `first` is
// lowered to the first tick at which two pieces hit, NEVER where none have so far.
fn convex_pair(a: View, b: View, timed: bool, first: ptr<function, u32>, now: ptr<function, Progress>) -> u32 {
    let motion = a.body.motion - b.body.motion;
    let radius = a.body.radius + b.body.radius;
    if is_apart(a, b, motion) {
        return MISS;
    }
    if all(motion == vec2<i32>(0, 0)) && is(a.body, ALIGNED) && is(b.body, ALIGNED) {
        *first = 0u;
        return HIT;
    }
    var vertex_a = a.body.landed;
    for (var m = 0u; m < a.shape.stride; m++) {
        let piece_a = hull(2u * vertex_a, atlas[a.shape.first + m]);
        vertex_a += piece_a.count;
        if (m + 1u) * b.shape.stride <= (*now).cursor {
            continue;
        }
        var vertex_b = b.body.landed;
        for (var n = 0u; n < b.shape.stride; n++) {
            let piece_b = hull(2u * vertex_b, atlas[b.shape.first + n]);
            vertex_b += piece_b.count;
            if m * b.shape.stride + n < (*now).cursor {
                continue;
            }
            if fuel <= 0 {
                return UNFINISHED;
            }
            fuel -= STEP_FUEL;
            if timed {
                *first = min(*first, first_contact(piece_a, piece_b, motion, radius, params.touch));
            } else if meets(piece_a, piece_b, motion, radius, params.touch) {
                return HIT;
            }
            (*now).cursor += 1u;
        }
    }
    return select(HIT, MISS, *first == NEVER);
}

// Whether two that rest, to each other at least, are too far apart to hit.
fn is_apart(a: View, b: View, motion: vec2<i32>) -> bool {
    return all(motion == vec2<i32>(0, 0)) && !bounds_meet(reach(a.body), reach(b.body), params.touch);
}
