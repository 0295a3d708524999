// Convex sets of translations, those by which one core comes to meet another, and the shortest way out of one; twin of
// src/host/contact/convex.rs, which explains it.

// needs: double, predicate, shorter, vector, wide

// All differences b - a + by of a point of a core `b` and one of a core `a`.
struct Differences {
    a: Core,
    b: Core,
    by: vec2<i32>,
}

// The set of a pair of pieces: the differences of their cores, inflated by the sum of their radii.
struct Set {
    among: Differences,
    radius: i32,
}

// The most vertices of both cores together.
const MOST_EDGES: u32 = 32u;

// The sets whose edges this invocation holds: two whose boundaries it crosses with each other, and one of which it asks
// whether it holds a point.
const FIRST_SET: u32 = 0u;
const SECOND_SET: u32 = 1u;
const TESTED_SET: u32 = 2u;

// The edges of the differences of each of these sets: the two ends of each, with the inside on the left. One that is
// parallel to edges of both cores comes twice. If all differences are one point, there is no edge, and the first
// element holds that point twice.
var<private> edges: array<vec4<i32>, 3u * MOST_EDGES>;
var<private> edge_counts: array<u32, 3>;

fn edge_of(slot: u32, i: u32) -> vec4<i32> {
    return edges[slot * MOST_EDGES + i];
}

// Returns the least vertex of a core, by x, then by y.
fn least_vertex(core: Core) -> vec2<i32> {
    var least = landed_vertex(core, 0u);
    for (var i = 1u; i < core.count; i++) {
        let p = landed_vertex(core, i);
        if p.x < least.x || (p.x == least.x && p.y < least.y) {
            least = p;
        }
    }
    return least;
}

// Returns the vertex of the hull that follows `at`, with the inside on the left (gift wrapping: Jarvis, 1973); `at` if
// there is no other.
fn next_vertex(core: Core, at: vec2<i32>) -> vec2<i32> {
    var next = at;
    for (var i = 0u; i < core.count; i++) {
        let p = landed_vertex(core, i);
        let side = wide_sign(cross_wide(next - at, p - at));
        let farther = wide_less(dot_of(next - at, next - at), dot_of(p - at, p - at));
        if side < 0 || (side == 0 && farther) {
            next = p;
        }
    }
    return next;
}

// The vertices of a core that lie farthest to the right of a direction: the first and the last along it.
struct Face {
    first: vec2<i32>,
    last: vec2<i32>,
}

fn face_of(core: Core, along: vec2<i32>) -> Face {
    let start = landed_vertex(core, 0u);
    var face = Face(start, start);
    for (var i = 1u; i < core.count; i++) {
        let p = landed_vertex(core, i);
        let side = wide_sign(cross_wide(along, p - face.first));
        if side < 0 {
            face = Face(p, p);
        } else if side == 0 {
            if wide_sign(dot_of(along, p - face.first)) < 0 {
                face.first = p;
            }
            if wide_sign(dot_of(along, p - face.last)) > 0 {
                face.last = p;
            }
        }
    }
    return face;
}

// Finds the edges of the differences that make up a set: those parallel to edges of `b`, then those parallel to edges
// of `a`.
fn find_edges(slot: u32, among: Differences) {
    let point = landed_vertex(among.b, 0u) - landed_vertex(among.a, 0u) + among.by;
    let offset = slot * MOST_EDGES;
    edges[offset] = vec4<i32>(point, point);
    var count = 0u;
    for (var k = 0u; k < 2u; k++) {
        var core = among.b;
        if k == 1u {
            core = among.a;
        }
        let start = least_vertex(core);
        var at = start;
        for (var i = 0u; i < core.count; i++) {
            let next = next_vertex(core, at);
            if all(next == at) {
                break;
            }
            // An edge of `a` counts mirrored.
            let along = select(next - at, at - next, k == 1u);
            let a = face_of(among.a, -along);
            let b = face_of(among.b, along);
            edges[offset + count] = vec4<i32>(b.first - a.first + among.by, b.last - a.last + among.by);
            count += 1u;
            at = next;
            if all(at == start) {
                break;
            }
        }
    }
    edge_counts[slot] = count;
}

// No way at all: up, for lack of a better direction.
const NO_WAY: Way = Way(Vector(DOUBLE_ZERO, Double(true, -52, vec2<u32>(0u, 0x100000u))), DOUBLE_ZERO, false);

// A way out of a set, or, for a point outside, the way farther off.
struct Way {
    // The unit direction.
    normal: Vector,
    // The distance to the boundary; negative for a point outside.
    depth: Double,
    // Whether the way starts at a vertex of the set's core, where another normal is possible too.
    corner: bool,
}

// Returns whether a way comes before another of equal length: not from a corner, then the more vertical, then upward,
// then leftward.
fn is_preferred(a: Way, b: Way) -> bool {
    if a.corner != b.corner {
        return b.corner;
    }
    if double_is_nearer(a.normal.x, b.normal.x) || double_is_nearer(b.normal.x, a.normal.x) {
        return double_is_nearer(a.normal.x, b.normal.x);
    }
    if double_less(a.normal.y, b.normal.y) || double_less(b.normal.y, a.normal.y) {
        return double_less(a.normal.y, b.normal.y);
    }
    return double_less(a.normal.x, b.normal.x);
}

// Returns whether a way is deeper than another, or as deep and preferred.
fn is_deeper(a: Way, b: Way) -> bool {
    return double_less(b.depth, a.depth) || (!double_less(a.depth, b.depth) && is_preferred(a, b));
}

// Returns whether a way is shorter than another, or as short and preferred.
fn is_shorter_way(a: Way, b: Way) -> bool {
    return double_less(a.depth, b.depth) || (!double_less(b.depth, a.depth) && is_preferred(a, b));
}

// Returns the way from the origin to the boundary of a disc around a vertex of the core.
fn way_from_vertex(p: Vector, radius: Double) -> Way {
    let distance = vector_length(p);
    let depth = double_sub(radius, distance);
    if double_is_zero(distance) {
        return Way(Vector(DOUBLE_ZERO, double_of_int(-1)), depth, true);
    }
    return Way(vector_neg(vector_over(p, distance)), depth, true);
}

// Returns whether the differences of a set have an area.
fn edges_are_around(slot: u32) -> bool {
    let count = edge_counts[slot];
    let first = edge_of(slot, 0u);
    var are = false;
    for (var i = 1u; i < count; i++) {
        let edge = edge_of(slot, i);
        are = are || !wide_is_zero(cross_wide(first.zw - first.xy, edge.zw - edge.xy));
    }
    return are;
}

// Returns the shortest way from `at` out of the differences of a set, inflated by `radius`.
fn way_out(slot: u32, radius: i32, at: Vector) -> Way {
    let count = edge_counts[slot];
    let wide_radius = double_of_int(radius);
    var out = way_from_vertex(vector_sub(vector_of(edge_of(slot, 0u).xy), at), wide_radius);
    var away = out;
    var has_out = false;
    var has_away = false;
    var inside = true;
    var in_strip = true;
    for (var i = 0u; i < count; i++) {
        let edge = edge_of(slot, i);
        let p = vector_sub(vector_of(edge.xy), at);
        let q = vector_sub(vector_of(edge.zw), at);
        let along = vector_sub(q, p);
        let end = vector_dot(along, along);
        let length = double_sqrt(end);
        // How far `at` lies behind the edge, and the foot of its perpendicular.
        let behind = double_div(vector_cross(p, q), length);
        let foot = double_neg(vector_dot(p, along));
        let before = !double_less(DOUBLE_ZERO, foot);
        let on_edge = !before && double_less(foot, end);
        inside = inside && !behind.is_negative;
        in_strip = in_strip && !foot.is_negative && !double_less(end, foot);
        let normal = vector_over(Vector(along.y, double_neg(along.x)), length);
        var way = Way(normal, double_add(wide_radius, behind), !on_edge);
        if !behind.is_negative && (!has_out || is_shorter_way(way, out)) {
            out = way;
            has_out = true;
        }
        if behind.is_negative || double_is_zero(behind) {
            if !on_edge {
                var vertex = q;
                if before {
                    vertex = p;
                }
                way = way_from_vertex(vertex, wide_radius);
            }
            if !has_away || is_deeper(way, away) {
                away = way;
                has_away = true;
            }
        }
    }
    // Without an area, `at` is inside only between the ends of the segment.
    if inside && (in_strip || edges_are_around(slot)) {
        return out;
    }
    return away;
}
