// Lattice points near the end of a way out, and the shortest of them that ends the hit; twin of `nearest_free` in
// src/host/contact/push.rs.

// needs: differences, double, predicate, shorter, types, wide

// Rows of lattice points: the first, and how many there are along both axes, at most 32 * PLACE_WORDS in all.
struct Band {
    first: vec2<i32>,
    size: vec2<u32>,
}

const PLACE_WORDS: u32 = 4u;

// The points of a band, row by row, by which the hit does not end.
var<private> hit_places: array<u32, PLACE_WORDS>;

// A push, if one was found.
struct Push {
    exists: bool,
    by: vec2<i32>,
}

const NO_PUSH: Push = Push(false, vec2<i32>(0, 0));

// Returns the lattice point at the end of a way.
fn lattice_end(way: Way) -> vec2<i32> {
    let depth = depth_of(way);
    let x = double_round(double_mul(way.normal.x, depth));
    return vec2<i32>(x, double_round(double_mul(way.normal.y, depth)));
}

// Returns the depth of a way, or 0 if it leads from outside.
fn depth_of(way: Way) -> Double {
    if way.depth.is_negative {
        return DOUBLE_ZERO;
    }
    return way.depth;
}

fn place_at(band: Band, k: u32) -> vec2<i32> {
    return band.first + vec2<i32>(i32(k % band.size.x), i32(k / band.size.x));
}

fn clear_places() {
    for (var word = 0u; word < PLACE_WORDS; word++) {
        hit_places[word] = 0u;
    }
}

// Marks the points by which two pieces still hit, or do with `a` displaced by `aside`. The edges of the pieces'
// differences are those of TESTED_SET.
fn mark_hits(one: Set, band: Band, aside: vec2<i32>, touch: u32) {
    let still = vec2<i32>(0, 0);
    let open = one.radius == 0 && touch == TOUCH_EXCLUDED;
    // Cores without area hit nothing then.
    let is_solid = edges_are_around(TESTED_SET)
        && !(open && !(has_area(one.among.a, still) && has_area(one.among.b, still)));
    let places = band.size.x * band.size.y;
    let shifts = select(1, 2, any(aside != still));
    for (var k = 0u; k < places; k++) {
        var free = true;
        for (var shift = 0; shift < shifts; shift++) {
            free = free && is_free(place_at(band, k) + shift * aside, one.radius, is_solid, touch);
        }
        hit_places[k / 32u] |= u32(!free) << (k & 31u);
    }
}

// Returns the shortest of `push`, if it exists, and the points that are not marked and not shorter than a way, up to
// rounding.
fn nearest_unmarked(band: Band, way: Way, push: Push) -> Push {
    var least = double_sub(depth_of(way), double_of_int(3));
    if least.is_negative {
        least = DOUBLE_ZERO;
    }
    least = double_mul(least, least);
    let places = band.size.x * band.size.y;
    var best = push;
    for (var k = 0u; k < places; k++) {
        let by = place_at(band, k);
        let is_marked = ((hit_places[k / 32u] >> (k & 31u)) & 1u) != 0u;
        if is_marked || (best.exists && !is_shorter(by, best.by, 1)) {
            continue;
        }
        if !double_less(double_of_wide(dot_of(by, by)), least) {
            best = Push(true, by);
        }
    }
    return best;
}

// Returns whether a translation of `a` ends the hit of two pieces: whether it lies outside of their differences,
// inflated by `radius`.
fn is_free(at: vec2<i32>, radius: i32, is_solid: bool, touch: u32) -> bool {
    let open = radius == 0 && touch == TOUCH_EXCLUDED;
    var inside = is_solid;
    var near = false;
    // A single point counts as an edge without length.
    let count = max(edge_counts[TESTED_SET], 1u);
    for (var i = 0u; i < count; i++) {
        let edge = edge_of(TESTED_SET, i);
        let along = edge.zw - edge.xy;
        let from_ = at - edge.xy;
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
