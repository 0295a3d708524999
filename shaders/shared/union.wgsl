// The shortest way out of a union of convex sets of translations; twin of src/host/contact/union.rs, which explains it,
// and of search.rs: the host examines candidates cell by cell, from the origin outward, and here all are.

// needs: boundary, differences, double, exit, fuel, near, predicate, seeking, shorter, types, vector, wide
// expects: params

// See the twin's, and those of src/host/contact/search.rs.
const NEAR: i32 = 256;

// The fuel that a turn costs, as a software driver runs all loops of branches once; and the most sets that a turn
// passes over.
const SEARCH_FUEL: i32 = 64;
const MOST_SKIPPED: u32 = 16u;

// A candidate: the way, and the point that no set may hold: where it ends, or beyond.
struct Candidate {
    way: Way,
    at: Vector,
    // Whether only the host can tell if it is free, or its normal.
    needs_host: bool,
}

// Finds the longest of the ways out of each set, while there is fuel. It is the way out if it leads from outside, or
// if no other set is near.
fn find_deepest(two: Two, past: Way, now: ptr<function, Seeking>) {
    let count = set_count(two);
    while (*now).first < count {
        if fuel <= 0 {
            return;
        }
        fuel -= STEP_FUEL;
        let k = (*now).first;
        (*now).first += 1u;
        let one = set_at(two, k);
        // No way out of a set is longer than that out of its bounds.
        let bounds = set_box(one);
        let most = min(min(-bounds.min.x, -bounds.min.y), min(bounds.max.x, bounds.max.y));
        let is_less = (*now).has_best && double_less(double_add(double_of_int(most), ROUNDED), (*now).best.depth);
        if is_hollow(two, k) || is_less {
            continue;
        }
        load_edges(TESTED_SET, k, one);
        fuel -= 32 * i32(edge_counts[TESTED_SET]);
        let way = way_out(TESTED_SET, one.radius, ORIGIN);
        if !(*now).has_best || is_deeper(way, (*now).best) {
            (*now).best = way;
            (*now).has_best = true;
        }
    }
    let depth = (*now).best.depth;
    let is_out = depth.is_negative || (double_is_zero(depth) && params.touch == TOUCH_EXCLUDED);
    if is_out || is_alone(two, past.depth) {
        begin_phase(PUSHES, now);
    } else {
        begin_phase(NEAREST, now);
        (*now).least = depth;
        (*now).has_best = false;
    }
}

// Returns the shortest way past a box that holds the origin.
fn past_box(all: Aabb) -> Way {
    // A step farther, so that there is a direction even if the origin lies on a side.
    let way = nearest_side(grown(all, 1), 1);
    return Way(vector_of(sign(way)), double_of_int(max(abs(way.x), abs(way.y)) - 1), false);
}

// Returns whether the bounds of only one set come within a distance of the origin, or within NEAR.
fn is_alone(two: Two, distance: Double) -> bool {
    let count = set_count(two);
    var limit = double_of_int(NEAR);
    if double_less(limit, distance) {
        limit = distance;
    }
    var near = 0u;
    for (var k = 0u; k < count; k++) {
        if !is_hollow(two, k) {
            let bounds = set_box(set_at(two, k));
            let aside = max(max(bounds.min, -bounds.max), vec2<i32>(0, 0));
            near += u32(!double_less(limit, vector_length(vector_of(aside))));
        }
    }
    return near < 2u;
}

// Returns whether bounds lie farther from the origin than `most`, by their sides, or all of them nearer than `least`.
fn is_out_of_reach(bounds: Aabb, least: i32, most: i32) -> bool {
    let far = max(abs(bounds.min), abs(bounds.max));
    let is_near = wide_less(dot_of(far, far), wide_mul_i32(least, least));
    return is_near || any(bounds.min > vec2<i32>(most)) || any(bounds.max < vec2<i32>(-most));
}

// The element and the candidates at hand while the boundary is searched. They are found again in the next dispatch.
struct Tracing {
    element: Element,
    // Bounds of the element, the number of elements of its set, and of the other set.
    bounds: Aabb,
    first_count: u32,
    second_count: u32,
    places: Places,
    candidate: Candidate,
    has_element: bool,
    has_places: bool,
    has_candidate: bool,
}

// Finds the point nearest to the origin, of the boundaries of all sets, that no set holds, while there is fuel: first
// among the nearest of each element, then among the crossings of elements that are not farther away.
fn find_nearest(two: Two, past: Way, now: ptr<function, Seeking>) {
    let count = set_count(two);
    var trace: Tracing;
    while (*now).first < count {
        if fuel <= 0 {
            return;
        }
        fuel -= SEARCH_FUEL;
        var most = past.depth;
        if (*now).has_best {
            most = (*now).best.depth;
        }
        if trace.has_candidate {
            test_candidate(two, &trace, now);
        } else if trace.has_places {
            take_candidate(count, most, &trace, now);
        } else {
            take_element(two, double_ceil(most) + 1, &trace, now);
        }
    }
    begin_phase((*now).phase + 1u, now);
    if (*now).phase == PUSHES && !(*now).has_best {
        (*now).best = past;
    }
}

// Takes the next element of the first set, with the places on it that are nearest to the origin; or if the element is
// at hand, the places where the next element of the second set crosses it. Passed over are elements that a set covers,
// and those farther away than `most` or nearer than any way out.
fn take_element(two: Two, most: i32, trace: ptr<function, Tracing>, now: ptr<function, Seeking>) {
    let is_second = (*trace).has_element;
    if is_second {
        (*now).second = next_near(two, (*trace).bounds, (*now).second);
        if (*now).second == set_count(two) {
            leave_element(trace, now);
            return;
        }
    }
    let k = select((*now).first, (*now).second, is_second);
    let i = select((*now).element, (*now).crossing, is_second);
    let slot = select(FIRST_SET, SECOND_SET, is_second);
    let one = set_at(two, k);
    (*trace).places = no_places();
    var count = 0u;
    var is_near = false;
    if !is_hollow(two, k) && (!is_second || bounds_meet(set_box(one), (*trace).bounds, TOUCH_INCLUDED)) {
        // The only call that finds elements: drivers inline the functions at each call.
        load_edges(slot, k, one);
        count = elements_of(slot, one.radius);
        let bounds = element_box(slot, i, one.radius);
        is_near = count > 0u && !is_out_of_reach(bounds, max(double_floor((*now).least) - 1, 0), most);
        if !is_second {
            (*trace).bounds = bounds;
        } else if side_of_box(slot, one.radius, (*trace).bounds) > 0 {
            (*now).holder = k;
            leave_element(trace, now);
            return;
        }
        is_near = is_near && bounds_meet(bounds, (*trace).bounds, TOUCH_INCLUDED);
    }
    var element: Element;
    if is_near {
        fuel -= 100;
        element = element_of(slot, i, one.radius);
    }
    if is_second {
        (*trace).second_count = count;
        if is_near {
            (*trace).places = crossings_in_order((*trace).element, element);
        }
        (*trace).has_places = (*trace).places.count > 0u;
        if !(*trace).has_places {
            leave_places(set_count(two), trace, now);
        }
        return;
    }
    (*trace).first_count = count;
    (*trace).element = element;
    (*trace).has_element = is_near && ((*now).phase == NEAREST || k + 1u < set_count(two));
    if !(*trace).has_element || holder_covers(two, (*trace).bounds, (*now).holder) {
        leave_element(trace, now);
    } else if (*now).phase == NEAREST {
        fuel -= 20;
        (*trace).places = nearest_places(element);
        (*trace).has_places = true;
    } else if (*now).second <= k {
        (*now).second = k + 1u;
    }
}

// Returns the first set, from one on, whose bounds meet a box; or at most MOST_SKIPPED on, any other.
fn next_near(two: Two, bounds: Aabb, first: u32) -> u32 {
    let end = min(first + MOST_SKIPPED, set_count(two));
    for (var k = first; k < end; k++) {
        if !is_hollow(two, k) && bounds_meet(set_box(set_at(two, k)), bounds, TOUCH_INCLUDED) {
            return k;
        }
    }
    return end;
}

// Returns whether the set that covered another element, or held a candidate, covers a box, too.
fn holder_covers(two: Two, bounds: Aabb, holder: u32) -> bool {
    if is_hollow(two, holder) {
        return false;
    }
    let one = set_at(two, holder);
    load_edges(TESTED_SET, holder, one);
    return side_of_box(TESTED_SET, one.radius, bounds) > 0;
}

// Goes on to the element that follows, of the same set or of the next.
fn leave_element(trace: ptr<function, Tracing>, now: ptr<function, Seeking>) {
    (*trace).has_element = false;
    (*now).element += 1u;
    if (*now).element >= (*trace).first_count {
        (*now).element = 0u;
        (*now).first += 1u;
    }
    (*now).second = 0u;
    (*now).crossing = 0u;
    (*now).candidate = 0u;
    (*now).tested = 0u;
}

// Returns where two elements cross: first the one that begins farther to the left, or the first.
fn crossings_in_order(p: Element, q: Element) -> Places {
    if !elements_meet(p, q) {
        return no_places();
    }
    var left = p;
    var right = q;
    if double_less(q.min.x, p.min.x) {
        left = q;
        right = p;
    }
    return crossings(left, right);
}

// Goes on to the element of the second set that follows, or to the next of `count` sets.
fn leave_places(count: u32, trace: ptr<function, Tracing>, now: ptr<function, Seeking>) {
    (*trace).has_places = false;
    (*now).candidate = 0u;
    (*now).tested = 0u;
    (*now).crossing += 1u;
    if (*now).crossing >= (*trace).second_count {
        (*now).crossing = 0u;
        (*now).second += 1u;
    }
    if (*now).phase == NEAREST || (*now).second == count {
        leave_element(trace, now);
    }
}

// Takes the next candidate, if it may be the best; or else goes on to the crossings that follow.
fn take_candidate(count: u32, most: Double, trace: ptr<function, Tracing>, now: ptr<function, Seeking>) {
    if (*now).candidate >= (*trace).places.count {
        leave_places(count, trace, now);
        return;
    }
    fuel -= 20;
    let exit = exit_of((*trace).places, (*now).candidate);
    let depth = vector_length(exit.at);
    var way = Way(exit.onward, depth, (*trace).places.corner);
    if double_less(TOLERANCE, depth) {
        way.normal = vector_over(exit.at, depth);
    }
    let is_possible = !double_less(depth, double_sub((*now).least, TOLERANCE)) && !double_less(most, depth);
    let needs_host = exit.is_narrow && (params.touch == TOUCH_INCLUDED || !double_less(TOLERANCE, depth));
    (*trace).candidate = Candidate(way, exit.at, needs_host);
    (*trace).has_candidate = is_possible && (!(*now).has_best || is_better((*trace).candidate, *now));
    if !(*trace).has_candidate {
        (*now).candidate += 1u;
        (*now).tested = 0u;
    }
    // If touching is a hit, a slit as wide as the body is no way out. The point is moved here: if each test moves it,
    // RADV takes more than 3 GB to compile the shader, and so it takes 1.2.
    if params.touch == TOUCH_INCLUDED && !needs_host {
        (*trace).candidate.at = vector_add(exit.at, vector_scaled(exit.onward, BEYOND));
    }
}

// Returns whether a candidate is shorter than the best way, or the same without a need of the host.
fn is_better(candidate: Candidate, now: Seeking) -> bool {
    if now.needs_host && !candidate.needs_host {
        return !is_shorter_way(now.best, candidate.way);
    }
    return is_shorter_way(candidate.way, now.best);
}

// Tests a candidate against the next set. If no set bars it, it is the best way.
fn test_candidate(two: Two, trace: ptr<function, Tracing>, now: ptr<function, Seeking>) {
    let count = set_count(two);
    let k = ((*now).holder + (*now).tested) % count;
    (*now).tested += 1u;
    var is_over = !is_hollow(two, k) && set_bars(two, k, (*trace).candidate);
    if is_over {
        (*now).holder = k;
    } else if (*now).tested == count {
        (*now).best = (*trace).candidate.way;
        (*now).needs_host = (*trace).candidate.needs_host;
        (*now).has_best = true;
        is_over = true;
    }
    if is_over {
        (*trace).has_candidate = false;
        (*now).candidate += 1u;
        (*now).tested = 0u;
    }
}

// Returns whether a closed box holds a point.
fn box_holds(bounds: Aabb, at: Vector) -> bool {
    let low = vec2<i32>(double_floor(at.x), double_floor(at.y));
    let high = vec2<i32>(double_ceil(at.x), double_ceil(at.y));
    return all(low >= bounds.min) && all(high <= bounds.max);
}

// Returns whether a set bars a candidate: it holds its point deeper than the tolerance, or if touching is a hit, the
// point does not lie clearly outside; twin of `is_barred`.
fn set_bars(two: Two, k: u32, candidate: Candidate) -> bool {
    let one = set_at(two, k);
    if !box_holds(grown(set_box(one), 1), candidate.at) {
        return false;
    }
    load_edges(TESTED_SET, k, one);
    let low = vec2<i32>(double_floor(candidate.at.x), double_floor(candidate.at.y));
    let side = side_of_box(TESTED_SET, one.radius, Aabb(low, low + 1));
    if side != 0 {
        return side > 0;
    }
    var limit = TOLERANCE;
    if params.touch == TOUCH_INCLUDED && !candidate.needs_host {
        limit = double_neg(CLEAR);
    }
    fuel -= 32 * i32(edge_counts[TESTED_SET]);
    return double_less(limit, way_out(TESTED_SET, one.radius, candidate.at).depth);
}

// Returns 1 if a box lies well inside a set, by its edges without the radius, -1 if it lies well outside, and 0 if
// neither is clear.
fn side_of_box(slot: u32, radius: i32, bounds: Aabb) -> i32 {
    let count = edge_counts[slot];
    var inside = edges_are_around(slot);
    var outside = false;
    fuel -= 2 * i32(count);
    for (var i = 0u; i < count; i++) {
        let edge = edge_of(slot, i);
        let along = edge.zw - edge.xy;
        // The corners of the box farthest outside, and farthest inside.
        let turned = vec2<bool>(along.y > 0, along.x < 0);
        let outer = select(bounds.min, bounds.max, turned);
        let inner = select(bounds.max, bounds.min, turned);
        // Not below the edge's length.
        let size = abs(along.x) + abs(along.y);
        inside = inside && wide_less(wide_mul_i32(1, size), cross_wide(along, outer - edge.xy));
        outside = outside || wide_less(cross_wide(along, inner - edge.xy), wide_mul_i32(-1 - radius, size));
    }
    return i32(inside) - i32(outside);
}
