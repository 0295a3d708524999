// The convex pieces of a polygon, and a tree of bounds over them; twin of src/world/pieces.rs, which explains it.

// needs: bodies, fuel, parts, predicate, types, view, wide
// expects: atlas

// The visit of a node: its piece, without vertices if it is far away or no leaf; the landed radius of the piece; and
// the node to visit next.
struct Visit {
    piece: Core,
    radius: i32,
    next: u32,
}

const NO_PIECE: Core = Core(0u, 0u, Aabb(vec2<i32>(0, 0), vec2<i32>(0, 0)));

// A distance beyond the reach of any body from its position, in lattice steps; and the high word of FAR * 2^24, to
// compare sums with before they are shifted.
const FAR: i32 = 1 << 30u;
const FAR_HIGH: i32 = FAR >> 8u;

// Returns the piece of a node if the node's bounds meet a box, and the node to visit next.
fn visit_node(convex: View, node: u32, near: Aabb) -> Visit {
    if convex.shape.stride == 0u {
        return piece_of(convex, node);
    }
    fuel -= 1;
    let word = convex.shape.first + NODE_WORDS * node;
    let local = Aabb(point_at(word), point_at(word + 2u));
    if !bounds_meet(landed_box(convex.body, local), near, TOUCH_INCLUDED) {
        return Visit(NO_PIECE, 0, atlas[word + 4u]);
    }
    return piece_of(convex, node);
}

// Returns the piece of a node, and the node to visit next.
fn piece_of(convex: View, node: u32) -> Visit {
    let vertex = convex.body.landed;
    if convex.shape.stride == 0u {
        return Visit(hull(2u * vertex, convex.shape.corners), convex.body.radius, 1u);
    }
    let word = convex.shape.first + NODE_WORDS * node;
    let piece = hull(2u * (vertex + atlas[word + 5u]), atlas[word + 6u]);
    return Visit(piece, piece_radius(convex, atlas[word + 7u]), node + 1u);
}

// Returns the landed radius of a piece of a part. Without a scale, no part has a radius of its own.
fn piece_radius(convex: View, part: u32) -> i32 {
    // Read again, because few pieces need it, and a register that holds it costs all pairs.
    let scale = scale_at(convex.index);
    if scale == 0 {
        return convex.body.radius;
    }
    let word = first_part(convex.shape.first, convex.shape.stride) + PART_WORDS * part;
    return part_radius(bitcast<i32>(atlas[word]), scale);
}

// Returns whether some piece of a convex body or polygon is a segment without a radius.
fn has_segments(convex: View) -> bool {
    let shape = convex.shape;
    if shape.thinnest < 0 {
        return false;
    }
    if first_part(shape.first, shape.stride) < shape.vertices {
        return part_radius(shape.thinnest, scale_at(convex.index)) == 0;
    }
    return convex.body.radius == 0;
}

fn point_at(word: u32) -> vec2<i32> {
    return bitcast<vec2<i32>>(vec2<u32>(atlas[word], atlas[word + 1u]));
}

// Returns bounds of everything in a box, landed.
fn landed_box(body: Body, local: Aabb) -> Aabb {
    let first = vec2<i32>(land_corner(body.linear.x, local, false), land_corner(body.linear.y, local, false));
    let last = vec2<i32>(land_corner(body.linear.x, local, true), land_corner(body.linear.y, local, true));
    return Aabb(body.position + first, body.position + last);
}

// Lands the corner of a box that lands first or last along the axis of a row; relative to the body's position, at most
// FAR away.
fn land_corner(row: vec2<i32>, local: Aabb, last: bool) -> i32 {
    let corner = select(local.min, local.max, (row > vec2<i32>(0, 0)) == vec2<bool>(last));
    let sum = wide_add(wide_add(wide_mul_i32(row.x, corner.x), wide_mul_i32(row.y, corner.y)), wide(1 << 23u));
    let high = bitcast<i32>(wide_words(sum).y);
    if high < -FAR_HIGH {
        return -FAR;
    }
    if high >= FAR_HIGH {
        return FAR - 1;
    }
    return wide_shift_low(sum, 24u);
}
