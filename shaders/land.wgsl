// Cores and bounds, landed in the world; twin of src/cpu/land.rs. One invocation a body.

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read> shapes: array<Shape>;
@group(0) @binding(3) var<storage, read> atlas: array<u32>;
@group(0) @binding(4) var<storage, read_write> landed: array<u32>;
@group(0) @binding(5) var<storage, read_write> bounds: array<Aabb>;
@group(0) @binding(15) var<storage, read_write> header: Header;

// How far the whole-pixel path of a moving sprite strays from the straight line, at most, in lattice steps.
const STRAY: i32 = 256;

// Where a row of a linear part takes a local point, from the body's position: floor((a x + b y + 2^23) / 2^24).
fn land_along(row: vec2<i32>, p: vec2<i32>) -> i32 {
    let sum = wide_add(wide_mul_i32(row.x, p.x), wide_mul_i32(row.y, p.y));
    return wide_shift_low(wide_add(sum, Wide(1u << 23u, 0u)), 24u);
}

// Where a body's vertices land.
fn land_core(body: Body, shape: Shape) {
    for (var i = 0u; i < shape.corners; i++) {
        let word = shape.vertices + 2u * i;
        let p = bitcast<vec2<i32>>(vec2<u32>(atlas[word], atlas[word + 1u]));
        let at = body.position + vec2<i32>(land_along(body.linear.x, p), land_along(body.linear.y, p));
        landed[2u * (body.slot + i)] = bitcast<u32>(at.x);
        landed[2u * (body.slot + i) + 1u] = bitcast<u32>(at.y);
    }
}

// Where a body is looked for: all that it reaches within the step, and nowhere where it never hits.
fn bound(body: Body, shape: Shape) -> Aabb {
    if body.layer == 0u || body.hits == 0u {
        return Aabb(vec2<i32>(2147483647), vec2<i32>(-2147483648));
    }
    let here = reach(body, shape);
    if !moves(body) || is(body, EMPTY) {
        return here;
    }
    return Aabb(here.min + min(body.motion, vec2<i32>(0, 0)) - STRAY, here.max + max(body.motion, vec2<i32>(0, 0)) + STRAY);
}

@compute @workgroup_size(64)
fn land(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let i = invocation(group, groups, local, 64u);
    if i >= params.bodies {
        return;
    }
    let body = bodies[i];
    let shape = shapes[body.shape];
    bounds[i] = bound(body, shape);
    if !is(body, SPRITE) {
        land_core(body, shape);
    }
    if loops_were_cut(params.sentinel) {
        atomicStore(&header.cut, 1u);
    }
}
