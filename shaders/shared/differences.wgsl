// One convex set of translations, those by which one core comes to meet another, and the shortest way out of it; twin
// of src/host/contact/convex.rs, which explains it.

// needs: double, predicate, shorter, wide

// All differences b - a + by of a point of a core `b` and one of a core `a`.
struct Differences {
    a: Core,
    b: Core,
    by: vec2<i32>,
}

// The most vertices of both cores together.
const MOST_EDGES: u32 = 32u;

// The edges of the differences that this invocation examines: the two ends of each, with the inside on the left. One
// that is parallel to edges of both cores comes twice. If all differences are one point, there is no edge, and the
// first element holds that point twice.
var<private> edges: array<vec4<i32>, MOST_EDGES>;
var<private> edge_count: u32;

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

// Finds the edges of some differences: those parallel to edges of `b`, then those parallel to edges of `a`.
fn find_edges(among: Differences) {
    let point = landed_vertex(among.b, 0u) - landed_vertex(among.a, 0u) + among.by;
    edges[0] = vec4<i32>(point, point);
    edge_count = 0u;
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
            edges[edge_count] = vec4<i32>(b.first - a.first + among.by, b.last - a.last + among.by);
            edge_count += 1u;
            at = next;
            if all(at == start) {
                break;
            }
        }
    }
}

// A vector of lattice steps, or a direction.
struct Vector {
    x: Double,
    y: Double,
}

// A way out of a set, or, for a point outside, the way farther off.
struct Way {
    // The unit direction.
    normal: Vector,
    // The distance to the boundary; negative for a point outside.
    depth: Double,
    // Whether the way starts at a vertex of the set's core, where another normal is possible too.
    corner: bool,
}

fn vector_of(p: vec2<i32>) -> Vector {
    return Vector(double_of_int(p.x), double_of_int(p.y));
}

fn double_dot(p: Vector, q: Vector) -> Double {
    return double_add(double_mul(p.x, q.x), double_mul(p.y, q.y));
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
fn way_from_vertex(vertex: vec2<i32>, radius: Double) -> Way {
    let p = vector_of(vertex);
    let distance = double_sqrt(double_dot(p, p));
    let depth = double_sub(radius, distance);
    if double_is_zero(distance) {
        return Way(Vector(DOUBLE_ZERO, double_of_int(-1)), depth, true);
    }
    let x = double_neg(double_div(p.x, distance));
    return Way(Vector(x, double_neg(double_div(p.y, distance))), depth, true);
}

// Returns whether the differences have an area.
fn edges_are_around() -> bool {
    let count = edge_count;
    var are = false;
    for (var i = 1u; i < count; i++) {
        are = are || !wide_is_zero(cross_wide(edges[0].zw - edges[0].xy, edges[i].zw - edges[i].xy));
    }
    return are;
}

// Returns the shortest way from the origin out of the differences, inflated by `radius`.
fn way_out(radius: i32) -> Way {
    let count = edge_count;
    let wide_radius = double_of_int(radius);
    var out = way_from_vertex(edges[0].xy, wide_radius);
    var away = out;
    var has_out = false;
    var has_away = false;
    var inside = true;
    var in_strip = true;
    for (var i = 0u; i < count; i++) {
        let edge = edges[i];
        let p = vector_of(edge.xy);
        let q = vector_of(edge.zw);
        let along = vector_of(edge.zw - edge.xy);
        let end = double_dot(along, along);
        let length = double_sqrt(end);
        // How far the origin lies behind the edge, and the foot of its perpendicular.
        let behind = double_div(double_sub(double_mul(p.x, q.y), double_mul(p.y, q.x)), length);
        let foot = double_neg(double_dot(p, along));
        let before = !double_less(DOUBLE_ZERO, foot);
        let on_edge = !before && double_less(foot, end);
        inside = inside && !behind.is_negative;
        in_strip = in_strip && !foot.is_negative && !double_less(end, foot);
        let normal = Vector(double_div(along.y, length), double_neg(double_div(along.x, length)));
        var way = Way(normal, double_add(wide_radius, behind), !on_edge);
        if !behind.is_negative && (!has_out || is_shorter_way(way, out)) {
            out = way;
            has_out = true;
        }
        if behind.is_negative || double_is_zero(behind) {
            if !on_edge {
                way = way_from_vertex(select(edge.zw, edge.xy, before), wide_radius);
            }
            if !has_away || is_deeper(way, away) {
                away = way;
                has_away = true;
            }
        }
    }
    // Without an area, the origin is inside only between the ends of the segment.
    if inside && (in_strip || edges_are_around()) {
        return out;
    }
    return away;
}
