// Two convex bodies or polygons: any piece of one against any piece of the other; twin of src/cpu/narrow/convex.rs.

// needs: first_contact, fuel, pieces, predicate, progress, seams, ticks, types, view

// Returns whether they hit within the step; continues from `now`. Two pieces that hit are enough, unless `timed`: then
// `first` is lowered to the first tick at which two pieces hit, or stays NEVER.
fn convex_pair(a: View, b: View, timed: bool, first: ptr<function, u32>, now: ptr<function, Progress>) -> u32 {
    let motion = a.body.motion - b.body.motion;
    if is_apart(a, b, motion) {
        return MISS;
    }
    if all(motion == vec2<i32>(0, 0)) && is(a.body, ALIGNED) && is(b.body, ALIGNED) {
        *first = 0u;
        return HIT;
    }
    // The piece of the first body that is tested against the second's, and its radius; without vertices while it is
    // searched for.
    var ours = NO_PIECE;
    var radius = 0;
    var toward = toward_all(a, b, motion);
    loop {
        if fuel <= 0 {
            return UNFINISHED;
        }
        fuel -= 1;
        let seeks = ours.count == 0u;
        var convex = a;
        var node = (*now).piece;
        if !seeks {
            convex = b;
            node = (*now).cursor;
        }
        if node >= nodes_of(convex.shape) {
            if seeks {
                break;
            }
            toward = toward_all(a, b, motion);
            ours = NO_PIECE;
            (*now).cursor = 0u;
            (*now).piece += 1u;
            continue;
        }
        // The only call that visits nodes: drivers inline the function at each call.
        let visit = visit_node(convex, node, toward);
        if !seeks {
            (*now).cursor = visit.next;
        } else if visit.piece.count == 0u {
            (*now).piece = visit.next;
        } else {
            ours = visit.piece;
            radius = visit.radius;
            if b.shape.stride > 0u {
                toward = swept_box(grown(core_bounds(ours), radius + b.body.radius), motion);
            }
        }
        if !seeks && visit.piece.count > 0u {
            fuel -= STEP_FUEL;
            let sum = radius + visit.radius;
            let seams = seams_for(a, b, ours, visit.piece, sum);
            *first = min(*first, first_contact(ours, visit.piece, motion, sum, params.touch, !timed, seams));
            if !timed && *first != NEVER {
                return HIT;
            }
        }
    }
    return select(HIT, MISS, *first == NEVER);
}

// Returns the seams along which one of two pieces, a segment without a radius, may run: those of the other's body.
fn seams_for(a: View, b: View, ours: Core, theirs: Core, radius: i32) -> Seams {
    if radius > 0 || params.touch == TOUCH_INCLUDED || is_segment(ours) == is_segment(theirs) {
        return NO_SEAMS;
    }
    if is_segment(ours) {
        return seams_of(b.shape, b.body.landed);
    }
    return seams_of(a.shape, a.body.landed);
}

// Returns the area that a piece of the first must meet to reach the second on its way.
fn toward_all(a: View, b: View, motion: vec2<i32>) -> Aabb {
    return swept_box(grown(reach(b.body), a.body.radius), -motion);
}

// Returns whether two bodies that do not move relative to each other are too far apart to hit.
fn is_apart(a: View, b: View, motion: vec2<i32>) -> bool {
    return all(motion == vec2<i32>(0, 0)) && !bounds_meet(reach(a.body), reach(b.body), params.touch);
}
