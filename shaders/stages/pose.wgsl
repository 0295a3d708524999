// Gives bodies the shapes, linear parts and enabled flags that the host streams on the GPU; the rest is the world's.
// The forms equal those that src/world/pose/mod.rs makes from the same numbers, to the bit.

// needs: bodies, double, land_along, linear, parts, stream, types, wide

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> bodies: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(13) var<storage, read_write> header: Header;
@group(0) @binding(24) var<storage, read> linears: array<u32>;
@group(0) @binding(25) var<storage, read> shape_numbers: array<u32>;
@group(0) @binding(26) var<storage, read> enabled: array<u32>;

// The form of a body with a shape and a linear part, if they are valid.
struct Posed {
    yes: bool,
    linear: Snapped,
    extent: Aabb,
    radius: i32,
    scale: i32,
    flags: u32,
}

const NOT_POSED: Posed = Posed(false, UNTURNED_INVERSE, NO_EXTENT.at, 0, 0, EMPTY);

// Returns entry `k` of a body's linear part in its stream; NaN and infinity become an entry that is too large.
fn entry_at(i: u32, k: u32) -> Double {
    let first = stream_word(params.linears, i);
    if params.linears.z == WORLDS {
        return double_of_bits(vec2<u32>(linears[first + 2u * k], linears[first + 2u * k + 1u]));
    }
    let v = linears[first + k];
    if params.linears.z == LATTICE {
        return double_scaled(double_of_int(bitcast<i32>(v)), -LINEAR_BITS);
    }
    if !is_finite(v) {
        return double_scaled(LARGEST, 1);
    }
    return double_of_single(v);
}

// Returns vertex `i` of a shape.
fn vertex_at(shape: Shape, i: u32) -> vec2<i32> {
    let word = shape.vertices + 2u * i;
    return bitcast<vec2<i32>>(vec2<u32>(atlas[word], atlas[word + 1u]));
}

// Returns whether a vertex lands, along an axis, within the reach of a body in the world.
fn lands_near(row: vec2<i32>, p: vec2<i32>) -> bool {
    // This is 2^30 - 2, times 2^24.
    let most = wide_mul_i32(0x3FFFFFFE, 1 << 24u);
    let sum = land_sum(row, p);
    return !wide_less(sum, wide_neg(most)) && wide_less(sum, wide_add(most, wide(1 << 24u)));
}

// Returns a bit for the corner of a box on which a point lies, or 0. On each axis, `side` is 1 at `max`, 2 at `min`,
// and 3 if the box has no width there, which is no corner.
fn corner_bit(at: vec2<i32>, bounds: Aabb) -> u32 {
    let side = vec2<u32>(at == bounds.max) + 2u * vec2<u32>(at == bounds.min);
    let is_corner = all(side >= vec2<u32>(1u)) && all(side <= vec2<u32>(2u));
    return select(0u, 1u << (2u * side.x + side.y), is_corner);
}

fn posed_convex(shape: Shape, linear: Linear) -> Posed {
    // A flat body is empty, and needs no further checks.
    if double_is_zero(determinant(linear)) {
        return Posed(true, UNTURNED_INVERSE, NO_EXTENT.at, 0, 0, EMPTY);
    }
    let parts = first_part(shape.first, shape.stride);
    let has_parts = parts < shape.vertices;
    var radius = 0;
    var scale = 0;
    if shape.radius > 0 {
        let by = scale_of(linear);
        radius = landed_radius(by, shape.radius);
        if has_parts {
            scale = snapped_scale(by);
            radius = select(-1, part_radius(shape.radius, scale), by.yes);
        }
    }
    let rows = snapped_linear(linear);
    var extent = NOWHERE;
    var lands = radius >= 0;
    // The vertices of all pieces follow each other in the order of the nodes.
    var node = 0u;
    var end = select(shape.corners, 0u, has_parts);
    var own_radius = radius;
    for (var i = 0u; i < shape.corners; i++) {
        while i >= end {
            let word = shape.first + NODE_WORDS * node;
            end += atlas[word + 6u];
            own_radius = part_radius(bitcast<i32>(atlas[parts + PART_WORDS * atlas[word + 7u]]), scale);
            node += 1u;
        }
        let p = vertex_at(shape, i);
        lands &= lands_near(rows.x, p) && lands_near(rows.y, p);
        let at = vec2<i32>(land_along(rows.x, p), land_along(rows.y, p));
        extent = join(extent, grown(Aabb(at, at), own_radius));
    }
    // Beyond this limit, sums of coordinates would overflow an i32.
    let most = vec2<i32>(0x3FFFFFFE);
    if !lands || any(extent.min < -most) || any(extent.max > most) {
        return NOT_POSED;
    }
    // Check for four vertices on the four corners of their bounds: a turned and squeezed box may land on only two of
    // them.
    var corners = 0u;
    if shape.stride <= 1u && shape.corners == 4u && radius == 0 {
        for (var i = 0u; i < 4u; i++) {
            let p = vertex_at(shape, i);
            corners |= corner_bit(vec2<i32>(land_along(rows.x, p), land_along(rows.y, p)), extent);
        }
    }
    return Posed(true, rows, extent, radius, scale, select(0u, ALIGNED, countOneBits(corners) == 4u));
}

fn posed_sprite(shape: Shape, linear: Linear) -> Posed {
    let rows = inverse(linear);
    if !rows.yes || shape.solid.max.x == 0 {
        return Posed(true, UNTURNED_INVERSE, NO_EXTENT.at, 0, 0, SPRITE | EMPTY);
    }
    if all(rows.rows.x == UNTURNED_INVERSE.x) && all(rows.rows.y == UNTURNED_INVERSE.y) {
        let extent = Aabb(256 * shape.solid.min + 127 - shape.anchor, 256 * shape.solid.max + 127 - shape.anchor);
        return Posed(true, rows.rows, extent, 0, 0, SPRITE | UNTURNED);
    }
    let extent = turned_extent(rows.rows, shape.anchor, shape.solid);
    return Posed(extent.yes, rows.rows, extent.at, 0, 0, SPRITE);
}

// Makes the own form of each body. One invocation a body.
@compute @workgroup_size(GROUP)
fn pose(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i >= params.bodies {
        return;
    }
    let form = form_of(i, 0u);
    var linear = bodies[form];
    var extent = bodies[form + 1u];
    var third = bodies[form + 2u];
    var fourth = bodies[form + 3u];
    let is_free = (fourth.y & FREE) != 0u;
    if has_stream(params.shape_numbers) {
        third.x = shape_numbers[stream_word(params.shape_numbers, i)];
    }
    if has_stream(params.enabled) {
        fourth.y = select(fourth.y & ~OFF, fourth.y | OFF, enabled[stream_word(params.enabled, i)] == 0u);
    }
    if has_stream(params.linears) && !is_free {
        let given = Linear(entry_at(i, 0u), entry_at(i, 1u), entry_at(i, 2u), entry_at(i, 3u));
        var posed = NOT_POSED;
        // A missing shape has neither vertices nor texels.
        var shape = Shape();
        if third.x < params.shape_numbers.z {
            shape = shapes[third.x];
        }
        if linear_is_within(given) {
            if shape.corners > 0u {
                posed = posed_convex(shape, given);
            } else if shape.size.x > 0 {
                posed = posed_sprite(shape, given);
            }
        }
        if !posed.yes {
            atomicAdd(&header.skipped, 1u);
        }
        linear = bitcast<vec4<u32>>(vec4<i32>(posed.linear.x, posed.linear.y));
        extent = bitcast<vec4<u32>>(vec4<i32>(posed.extent.min, posed.extent.max));
        third.y = bitcast<u32>(posed.radius);
        fourth.y = posed.flags | (fourth.y & (OFF | DETECTOR));
        fourth.w = bitcast<u32>(posed.scale);
        // Replace a number that names no shape, so that nobody reads it.
        third.x = select(0u, third.x, posed.yes);
    }
    let own = form_of(i, 1u);
    bodies[own] = linear;
    bodies[own + 1u] = extent;
    bodies[own + 2u] = third;
    bodies[own + 3u] = fourth;
}

// Returns the number of units of two words that a body needs to land in.
fn units_of(body: Body) -> u32 {
    if is_absent(body) {
        return 0u;
    }
    if !is(body, SPRITE) {
        return shapes[body.shape].corners;
    }
    if is(body, UNTURNED) {
        return 0u;
    }
    // Count the most that it paints at any position within a pixel.
    let size = bitcast<vec2<u32>>(body.extent.max - body.extent.min);
    let words = ((size.x + 255u) / 256u + 63u) / 64u;
    let rows = (size.y + 255u) / 256u;
    let most = params.paint_most;
    if words > most || rows > most || words * rows > most {
        return 0u;
    }
    return words * rows;
}

// Allots each body its place to land in, one after the other in any order. A body without room waits, but is counted.
// One invocation a body.
@compute @workgroup_size(GROUP)
fn allot(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local);
    if i >= params.bodies {
        return;
    }
    var body = body_of(i, bodies[placement_of(i, 1u)]);
    body.flags &= ~WAITS;
    let units = units_of(body);
    var first = NOT_LANDED;
    if units > 0u {
        first = atomicAdd(&header.landed, units);
        if first + units < units {
            atomicAdd(&header.landed_high, 1u);
        }
        // This makes sure that a body that waits writes nowhere.
        let fits = first <= params.landed_room && units <= params.landed_room - first;
        body.flags |= select(WAITS, 0u, fits);
        first = select(NOT_LANDED, first, fits);
    }
    let last = form_of(i, 1u) + 3u;
    bodies[last] = vec4<u32>(body.group, body.flags, first, bitcast<u32>(body.scale));
}
