// Segments that run along a seam between two pieces of a polygon; twin of src/world/seam.rs.

// needs: fuel, predicate, types, wide
// expects: atlas

// The words of an entry: the vertex at which a seam starts, in the winding of a piece; the first vertex of the other
// piece, and the number of its vertices; and padding.
const ENTRY_WORDS: u32 = 4u;

// The seams of a polygon: the first word of their entries in `atlas`, their number, and the first word of the landed
// vertices in `landed`.
struct Seams {
    first: u32,
    count: u32,
    landed: u32,
}

const NO_SEAMS: Seams = Seams(0u, 0u, 0u);

fn seams_of(shape: Shape, landed_vertices: u32) -> Seams {
    return Seams(shape.vertices + 2u * shape.corners, shape.seams, 2u * landed_vertices);
}

// Returns whether one of two cores is a segment that runs along a seam of the other, with `a` moving by `by`.
fn is_along_seam(a: Core, b: Core, by: vec2<i32>, seams: Seams) -> bool {
    var segment = a;
    var piece = b;
    var way = by;
    if !is_segment(a) {
        segment = b;
        piece = a;
        way = -by;
    }
    let count = piece.count;
    for (var k = 0u; k < count; k++) {
        fuel -= 1;
        let start = landed_vertex(piece, k);
        let end = landed_vertex(piece, select(k + 1u, 0u, k + 1u == count));
        if runs_along(segment, way, start, end) && is_seam(piece, k, start, end, seams) {
            return true;
        }
    }
    return false;
}

// Returns whether a segment, moving by `by`, has a point between the ends of an edge, and all of it lies on the edge's
// line.
fn runs_along(segment: Core, by: vec2<i32>, start: vec2<i32>, end: vec2<i32>) -> bool {
    let edge = end - start;
    let p = landed_vertex(segment, 0u) - start;
    let q = landed_vertex(segment, 1u) - start;
    let is_on = wide_is_zero(cross_wide(edge, p)) && wide_is_zero(cross_wide(edge, q));
    if !is_on || !wide_is_zero(cross_wide(edge, by)) {
        return false;
    }
    let along = vec2<i32>(wide_sign(along_edge(edge, p)), wide_sign(along_edge(edge, q)));
    let moved = vec2<i32>(wide_sign(along_edge(edge, p + by)), wide_sign(along_edge(edge, q + by)));
    let back = vec2<i32>(wide_sign(along_edge(edge, p - edge)), wide_sign(along_edge(edge, q - edge)));
    let moved_back = vec2<i32>(wide_sign(along_edge(edge, p + by - edge)), wide_sign(along_edge(edge, q + by - edge)));
    return max(max(along.x, along.y), max(moved.x, moved.y)) > 0
        && min(min(back.x, back.y), min(moved_back.x, moved_back.y)) < 0;
}

fn along_edge(edge: vec2<i32>, p: vec2<i32>) -> Wide {
    return wide_add(wide_mul_i32(edge.x, p.x), wide_mul_i32(edge.y, p.y));
}

// Returns whether edge `k` of a piece is a seam, and the two pieces have landed on both sides of its line.
fn is_seam(piece: Core, k: u32, start: vec2<i32>, end: vec2<i32>, seams: Seams) -> bool {
    let vertex = (piece.first - seams.landed) / 2u + k;
    var low = 0u;
    var high = seams.count;
    while low < high {
        let middle = (low + high) / 2u;
        if atlas[seams.first + ENTRY_WORDS * middle] < vertex {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    let word = seams.first + ENTRY_WORDS * low;
    if low == seams.count || atlas[word] != vertex {
        return false;
    }
    let other = hull(seams.landed + 2u * atlas[word + 1u], atlas[word + 2u]);
    let sides = sides_of(piece, start, end) | sides_of(other, start, end);
    return all(sides > vec2<u32>(0u, 0u));
}

// Returns whether some vertices of a core lie on the one side of a line, and on the other.
fn sides_of(core: Core, start: vec2<i32>, end: vec2<i32>) -> vec2<u32> {
    var sides = vec2<u32>(0u, 0u);
    for (var i = 0u; i < core.count; i++) {
        let sign = wide_sign(cross_wide(end - start, landed_vertex(core, i) - start));
        sides |= vec2<u32>(u32(sign < 0), u32(sign > 0));
    }
    fuel -= i32(core.count);
    return sides;
}
