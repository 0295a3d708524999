// The way out in whole lattice steps, found by exact tests; twin of src/host/contact/push.rs.

// needs: differences, double, predicate, shorter, types, wide

// How far around the way out lattice points are tried: see `AROUND` of the twin. It is enough for two bodies of one
// piece each.
const AROUND: i32 = 4;

// A push, if one was found.
struct Push {
    exists: bool,
    by: vec2<i32>,
}

// Returns whether a translation of `a` ends the hit, with the sum `radius` of the radii: whether it lies outside of the
// differences, inflated.
fn is_free(at: vec2<i32>, radius: i32, is_solid: bool, touch: u32) -> bool {
    let open = radius == 0 && touch == TOUCH_EXCLUDED;
    var inside = is_solid;
    var near = false;
    // A single point counts as an edge without length.
    let count = max(edge_count, 1u);
    for (var i = 0u; i < count; i++) {
        let along = edges[i].zw - edges[i].xy;
        let from_ = at - edges[i].xy;
        let side = cross_wide(along, from_);
        let sign = wide_sign(side);
        inside = inside && (sign > 0 || (sign == 0 && !open));
        near = near || lies_within(along, from_, side, radius, touch);
    }
    return !near && !inside;
}

// Returns whether a point, `from_` the start of an edge, is nearer to the edge than `radius`, or if touch counts, as
// near. `side` is the cross product of both.
fn lies_within(along: vec2<i32>, from_: vec2<i32>, side: Wide, radius: i32, touch: u32) -> bool {
    let foot = dot_of(along, from_);
    let end = dot_of(along, along);
    let reach = wide_mul_i32(radius, radius);
    var square = widest_of(dot_of(from_, from_), WIDE_ZERO);
    var limit = widest_of(reach, WIDE_ZERO);
    if wide_sign(foot) > 0 && wide_less(foot, end) {
        square = widest_product(wide_abs(side), wide_abs(side));
        limit = widest_product(reach, end);
    } else if wide_sign(foot) > 0 {
        square = widest_of(dot_of(from_ - along, from_ - along), WIDE_ZERO);
    }
    return widest_less(square, limit) || (touch == TOUCH_INCLUDED && widest_is(square, limit));
}

// Returns the shortest translation near the way out of some differences, inflated by `radius`, that ends the hit, also
// with `a` displaced by `aside`.
fn push_out(among: Differences, radius: i32, way: Way, aside: vec2<i32>, touch: u32) -> Push {
    let open = radius == 0 && touch == TOUCH_EXCLUDED;
    let still = vec2<i32>(0, 0);
    // Cores without area hit nothing then.
    let is_solid = edges_are_around() && !(open && !(has_area(among.a, still) && has_area(among.b, still)));
    var depth = way.depth;
    if depth.is_negative {
        depth = DOUBLE_ZERO;
    }
    let at = vec2<i32>(double_round(double_mul(way.normal.x, depth)), double_round(double_mul(way.normal.y, depth)));
    // None is shorter than the shortest way, up to rounding.
    var least = double_sub(depth, double_of_int(3));
    if least.is_negative {
        least = DOUBLE_ZERO;
    }
    least = double_mul(least, least);
    var best = Push(false, still);
    let side = 2 * AROUND + 1;
    let shifts = select(1, 2, any(aside != still));
    // First no push at all.
    for (var k = -1; k < side * side; k++) {
        var by = still;
        if k >= 0 {
            by = at + vec2<i32>(k % side - AROUND, k / side - AROUND);
        }
        let is_short = double_less(double_of_wide(dot_of(by, by)), least);
        let is_late = best.exists && !is_shorter(by, best.by, 1);
        if k >= 0 && (is_short || is_late) {
            continue;
        }
        var free = true;
        for (var shift = 0; shift < shifts; shift++) {
            free = free && is_free(by + shift * aside, radius, is_solid, touch);
        }
        if free {
            best = Push(true, by);
        }
        if free && k < 0 {
            break;
        }
    }
    return best;
}
